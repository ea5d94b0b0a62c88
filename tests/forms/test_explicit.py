"""The explicit form: the formula of each element, of every operation, with the value of each."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from symgrad.ops import explicit
from symgrad.ops.primitive import PRIMITIVES
from tests.each import each, in_part
from tests.expr.samples import all_samples, node_of, with_derivatives

#: Operations that SymPy has no function for: of the bits of integers and their divisors, the next
#: float, a decomposition, which has no formula, a derivative, and inverses of incomplete functions;
#: alignments of sequences that are not known.
WITHOUT = {
    "bitwise_and", "bitwise_left_shift", "bitwise_not", "bitwise_or", "bitwise_right_shift",
    "bitwise_xor", "derivatives of besselk by its order", "gcd", "inv_ex", "lcm", "nextafter",
    "thin_svd", "eigh", "complement", "solve_ex", "cholesky_ex", "pinv",
    "eig", "qr", "least_squares", "lu_factor_ex", "ldl_factor_ex", "ldl_solve", "permutation",
    "matrix_exp", "frexp", "mode", "betaincinv", "betainccinv", "gammaincinv", "gammainccinv",
    "alignment_loss", "alignment_slope",
}  # fmt: skip


def exactly(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, bool):
        return sympy.true if value else sympy.false
    if isinstance(value, complex):
        return exactly(value.real) + sympy.I * exactly(value.imag)
    return sympy.Rational(value) if np.isfinite(value) else sympy.sympify(value)


def point_of(e: Any, values: dict[str, np.ndarray]) -> dict[Any, Any]:
    """The symbols of the elements of the leaves, by name, with their values."""
    found = {}
    for x in e.leaves:
        for place in np.ndindex(x.shape):
            found["_".join([x.name, *map(str, place)])] = exactly(values[x.name][place])
    return found


#: SymPy visits each part of a formula as often as it occurs, which takes it long above so many.
MOST_PARTS = 500


def size_of(form: Any, known: dict[Any, int]) -> int:
    """Return how many parts a formula has, each counted as often as it occurs."""
    stack = [form]
    while stack:
        x = stack[-1]
        missing = [y for y in x.args if y not in known]
        stack += missing
        if not missing:
            known[stack.pop()] = 1 + sum(known[y] for y in x.args)
    return known[form]


def check(e: Any, values: dict[str, np.ndarray], form: Any) -> None:
    want = e.evaluate({x: values[x.name] for x in e.leaves})
    assert (form.shape if e.shape else ()) == e.shape
    known = point_of(e, values)
    accuracy = 1e-3 if want.dtype.itemsize == 2 else 1e-5 if want.dtype.itemsize == 4 else 1e-9
    sizes: dict[Any, int] = {}
    for place in np.ndindex(e.shape):
        entry = form[place] if e.shape else form
        if size_of(entry, sizes) > MOST_PARTS:
            continue
        assert not any("symgrad" in type(n).__module__ for n in sympy.preorder_traversal(entry))
        got = entry.xreplace({s: known[s.name] for s in entry.free_symbols})
        if not np.isfinite(want[place]):
            continue  # at a pole a formula has no value
        number = complex(bool(got)) if got in (True, False) else complex(sympy.N(got, 25))
        assert number == pytest.approx(complex(want[place]), rel=accuracy, abs=accuracy), place


def is_finite(values: dict[str, np.ndarray]) -> bool:
    return all(np.isfinite(v).all() for v in values.values())


def form_of(e: Any) -> Any:
    """The explicit form; the name of the operation that has none."""
    try:
        return e.to_sympy("explicit")
    except ValueError as error:
        text = str(error)
        if "which elements a mask of leaves chooses" in text:
            return "mask"
        return text.removeprefix("SymPy has no function for ").removesuffix(" of integers")


def check_named(text: str) -> None:
    """Check that what has no form is said to be an operation."""
    assert text in PRIMITIVES or text == "derivatives of besselk by its order", text


@pytest.mark.parametrize("every", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_every_operation_has_the_value_of_its_kernel(every: int) -> None:
    """On the first sample at least, and a form, or none that is known to be missing."""
    without = set()
    for parameter in in_part(all_samples(), every, among=1 if every else 2):
        if parameter.marks:
            continue
        e, values = node_of(*parameter.values)
        form = form_of(e)
        if isinstance(form, str):
            without.add(form)
        elif is_finite(values):
            check(e, values, form)
    assert without <= WITHOUT | {"mask"}
    assert every == 0 or without == WITHOUT | {"mask"}


@each("cls, sample", in_part(all_samples(), among=10))
def test_derivatives_have_the_value_of_their_program(cls: Any, sample: Any) -> None:
    """With indices that are known, as where the formula of a tensor is read."""
    split = len(sample) - len(cls.params)
    held = [
        symgrad.expr.atoms.as_expr(x) if isinstance(x, np.ndarray) and x.dtype.kind in "iub" else x
        for x in sample[:split]
    ]
    for e, values in itertools.islice(with_derivatives(cls, (*held, *sample[split:])), 4):
        form = form_of(e)
        if isinstance(form, str):
            assert form in WITHOUT or "elements together" in form
        elif is_finite(values):
            check(e, values, form)


def test_the_form_is_an_array_of_sympy() -> None:
    y, k = symgrad.leaf("y", (3,)), symgrad.leaf("k", (3,))
    rates = symgrad.stack(
        [
            -k[0] * y[0] + k[2] * y[1] * y[2],
            k[0] * y[0] - k[2] * y[1] * y[2] - k[1] * y[1] ** 2,
            k[1] * y[1] ** 2,
        ]
    )
    form = symgrad.derive(rates, y).to_sympy("explicit")
    assert isinstance(form, sympy.ImmutableDenseNDimArray)
    k0, k1, k2, y1, y2 = sympy.symbols("k_0 k_1 k_2 y_1 y_2", real=True)
    assert form.tolist() == [
        [-k0, k2 * y2, k2 * y1],
        [k0, -2 * k1 * y1 - k2 * y2, -k2 * y1],
        [0, 2 * k1 * y1, 0],
    ]
    x = symgrad.leaf("x", (2,))
    scalar = (x @ x).to_sympy("explicit")
    assert scalar == sympy.Symbol("x_0", real=True) ** 2 + sympy.Symbol("x_1", real=True) ** 2
    assert symgrad.leaf("s").to_sympy("explicit") == sympy.Symbol("s", real=True)
    assert symgrad.leaf("e", (0, 3)).to_sympy("explicit").shape == (0, 3)


def test_spreads_of_complex_numbers_are_real() -> None:
    z, values = symgrad.leaf("z", (3,), symgrad.complex128), np.array([1 + 1j, 2, -1j])
    for e in (symgrad.var(z), symgrad.std(z * 1j, correction=0), symgrad.var_mean(z)[0]):
        form = e.to_sympy("explicit")
        given = {s: complex(values[int(s.name[-1])]) for s in form.free_symbols}
        assert complex(form.subs(given).evalf()) == pytest.approx(e.evaluate({z: values}))


def test_conditions_that_are_put_at_one_place_hold_where_one_of_them_does() -> None:
    x = symgrad.leaf("x", (3,))
    found = symgrad.index_put(
        symgrad.zeros(2, dtype=symgrad.bool), (symgrad.tensor([1, 0, 1]),), x > 0, accumulate=True
    )
    first, second, third = sympy.symbols("x_0 x_1 x_2", real=True)
    form = symgrad.where(found, 1.0, 2.0).to_sympy("explicit")
    assert form[0] == sympy.Piecewise((1.0, second > 0), (2.0, True))
    assert form[1] == sympy.Piecewise((1.0, (first > 0) | (third > 0)), (2.0, True))


def test_what_is_refused() -> None:
    big = symgrad.leaf("x", (explicit.MAX_ELEMENTS // 2,))
    assert big.to_sympy("explicit").shape == big.shape
    with pytest.raises(ValueError, match=r"have 1500 elements .* 1000 at most"):
        (big.sin() + big).to_sympy("explicit")
    with pytest.raises(ValueError, match="'x_0' would name elements of two leaves"):
        (symgrad.leaf("x", (2,)) * symgrad.leaf("x_0")).to_sympy("explicit")
    with pytest.raises(ValueError, match="no form 'matrices'; there is"):
        big.to_sympy("matrices")


# ------------------------------------------------------------------ exact numbers

_s = sympy.Symbol("s", real=True)
EXACT = [
    (0.5, sympy.Rational(1, 2)), (0.1, sympy.Rational(1, 10)), (1 / 3, sympy.Rational(1, 3)),
    (-2 / 7, sympy.Rational(-2, 7)), (3.0, sympy.Integer(3)), (1e300, sympy.Integer(int(1e300))),
    (2.0**-60, sympy.Rational(1, 2**60)), (0.123456789, sympy.Rational(123456789, 10**9)),
    (2**0.5, sympy.sqrt(2)), (-(0.75**0.5), -sympy.sqrt(3) / 2), (np.pi, sympy.pi),
    (np.pi / 6, sympy.pi / 6), (1 / np.pi, 1 / sympy.pi), (2 * np.e, 2 * sympy.E),
    ((2 / np.pi) ** 0.5, sympy.sqrt(2) / sympy.sqrt(sympy.pi)), (np.pi**0.5, sympy.sqrt(sympy.pi)),
    (float(np.log(2)), sympy.log(2)), (float(1 / np.log(10)), 1 / sympy.log(10)),
    (0.1 + 0.2, sympy.Float(0.1 + 0.2)), (0.7390851332151607, sympy.Float(0.7390851332151607)),
]  # fmt: skip


@each("number, exact", EXACT)
def test_floats_that_are_exact_numbers(number: float, exact: Any) -> None:
    s = symgrad.leaf("s")
    assert (s.sin() * number).to_sympy(exact=True) == exact * sympy.sin(_s)
    form = (symgrad.leaf("v", (1,)).sin() * number).to_sympy("explicit", exact=True)
    assert form[0] == exact * sympy.sin(sympy.Symbol("v_0", real=True))


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.complex64])
def test_floats_of_few_digits(kind: Any) -> None:
    for number, exact in ((0.1, sympy.Rational(1, 10)), (1 / 3, sympy.Rational(1, 3))):
        array = symgrad.expr.atoms.as_expr(np.array([number], kind))
        assert array.to_sympy("explicit", exact=True)[0] == exact


@each("cls, sample", in_part(all_samples(), among=4))
def test_operations_bring_no_floats_of_their_own(cls: Any, sample: Any) -> None:
    e, _ = node_of(cls, sample)
    try:
        form = e.to_sympy("explicit", exact=True)
    except ValueError:
        return
    assert not form.atoms(sympy.Float), form
