"""Programs run on object arrays of other number systems."""

import mpmath
import numpy as np
import pytest
import sympy

from numeric import Instr, Program, interpret

from .programs import ADD, DIV, MUL, PICK, SUM, TANH

PROGRAM = Program(
    "f",
    ((0, "x"), (1, "y")),
    {2: 2, 3: np.array([1, 10]), 4: np.float64(0.5)},
    (
        Instr(MUL, (0, 1), out=5),
        Instr(TANH, (5,), out=6),
        Instr(ADD, (6, 3), out=7),
        Instr(SUM, (7,), {"axis": 0, "keepdims": False}, 8),
        Instr(TANH, (8,), out=9),
        Instr(MUL, (9, 4), out=10),
        Instr(PICK, (7,), {"index": (slice(None, None, -1),)}, 11),
        Instr(DIV, (11, 2), out=12),
    ),
    (10, 12, 1),
)


def test_sympy_symbols():
    a, b, y = sympy.symbols("a b y")
    half, reverse, again = interpret(PROGRAM, (np.array([a, b]), y), number_system="sympy")
    total = sympy.tanh(a * y) + sympy.tanh(b * y) + 11
    assert half.shape == () and half.dtype == object
    assert sympy.simplify(half[()] - sympy.tanh(total) / 2) == 0
    assert reverse.tolist() == [(sympy.tanh(b * y) + 10) / 2, (sympy.tanh(a * y) + 1) / 2]
    assert again[()] is y


def test_mpmath_digits():
    values = [mpmath.mpf(1) / 3, mpmath.mpf(2) / 7]
    with mpmath.workdps(60):
        values = [mpmath.mpf(1) / 3, mpmath.mpf(2) / 7]
        y = mpmath.mpf(1) / 11
        half, reverse, _ = interpret(PROGRAM, (np.array(values), y), number_system="mpmath")
        first = mpmath.tanh(values[0] * y) + 1
        second = mpmath.tanh(values[1] * y) + 10
        assert abs(half[()] - mpmath.tanh(first + second) / 2) < mpmath.mpf(10) ** -58
        assert abs(reverse[1] - first / 2) < mpmath.mpf(10) ** -58
    floats = interpret(PROGRAM, (np.array(values, dtype=float), float(y)))
    np.testing.assert_allclose(np.array(reverse, dtype=float), floats[1], rtol=1e-15)


def test_numpy_values_become_python_numbers():
    (_, halves, y) = interpret(PROGRAM, (np.zeros(2), np.float64(3.0)), number_system="sympy")
    assert halves.tolist() == [5, sympy.Rational(1, 2)]
    assert type(y[()]) is float


def test_a_kernel_without_entry_and_method_says_where():
    with pytest.raises(TypeError) as caught:
        interpret(PROGRAM, (np.array([sympy.Symbol("a")] * 2), sympy.Symbol("y")), "other")
    assert caught.value.__notes__ == ["in f, instruction 1: slot 6 = tanh(slot 5)"]


def test_arrays_of_numbers_become_arrays_of_objects():
    program = Program("f", ((0, "x"),), {1: np.array([3, 4])}, (), (0, 1))
    for result, expected in zip(
        interpret(program, (np.array([0.5]),), number_system="sympy"), ([0.5], [3, 4]), strict=True
    ):
        assert result.dtype == object
        assert result.tolist() == expected
        assert type(result[0]) is type(expected[0])
