"""From SymPy and back: the same formula of the same symbols, in exact numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy
from sympy import I, Rational

import symgrad
from tests.each import each
from tests.forms.test_function_classes import OF_NUMBERS, WITHOUT, function_classes, samples_of

x = sympy.Symbol("x", real=True)
#: Symbols that become a leaf of float64, and of complex128.
_ASSUMED: list[dict[str, bool]] = [
    {}, {"real": True}, {"positive": True}, {"integer": True}, {"zero": False},
    {"complex": True}, {"imaginary": True}, {"real": False}, {"algebraic": True},
]  # fmt: skip


def _formulas(s: Any) -> dict[str, Any]:
    """Return formulas of a symbol, in which nothing may be lost."""
    q = sympy.Symbol("q")
    parts = [sympy.re, sympy.im, sympy.conjugate, sympy.arg, sympy.Abs, sympy.sign]
    powers = [Rational(1, 3), Rational(2, 3), Rational(-5, 2), Rational(7, 4), sympy.pi, 2 * I, -3]
    made = [f(s) for f in parts] + [f(s) * q + f(s + q) for f in parts]
    made += [s**p for p in powers] + [q * (s + 1) ** p / 3 for p in powers]
    made += [
        sympy.Heaviside(x, 0) + s,
        sympy.DiracDelta(x - 1) * s,
        Rational(2, 3) ** s,
        sympy.log(s, 2),
        sympy.exp(I * s / 3),
    ]
    return {str(e): e for e in made}


@each("assumed", _ASSUMED, ids=str)
def test_nothing_is_lost(assumed: dict[str, bool]) -> None:
    s = sympy.Symbol("s", **assumed)
    for text, formula in _formulas(s).items():
        assert symgrad.from_sympy(formula).to_sympy() == formula, text
        beside = symgrad.leaf("b") * formula
        plain = beside if isinstance(beside, sympy.Mul) else beside.to_sympy()
        assert plain == sympy.Symbol("b", real=True) * formula, text


@each("name, function", [x for x in function_classes().items() if x[0] not in WITHOUT | OF_NUMBERS])
def test_exact_numbers_stay_exact(name: str, function: Any) -> None:
    for formula in samples_of(name, function):
        e = symgrad.from_sympy(formula)
        back = e.to_sympy()
        assert back.free_symbols == formula.free_symbols
        assert not back.atoms(sympy.Float), (formula, back)


def test_what_sympy_does_with_parts_of_symbols_and_with_steps() -> None:
    a, k, c = symgrad.leaf("a"), sympy.Symbol("k"), sympy.Symbol("c", complex=True)
    s = a.symbol
    for part in (sympy.im(k), sympy.re(k), sympy.im(c), sympy.conjugate(c), sympy.arg(k)):
        assert sympy.integrate(a * part, a) == s**2 * part / 2
        assert sympy.diff(a * part, a) == part
        assert sympy.solve(a - part, a) == sympy.solve(s - part, s)
    step = symgrad.from_sympy(sympy.Heaviside(s - 1) * s)
    assert symgrad.derive(step, "a").to_sympy() == sympy.diff(sympy.Heaviside(s - 1) * s, s)
    assert sympy.integrate(sympy.DiracDelta(a - 1) * a**2, (a, 0, 3)) == 1
    assert (a * sympy.DiracDelta(k, 2)) == s * sympy.DiracDelta(k, 2)
    third = symgrad.derive(symgrad.from_sympy(s ** sympy.Rational(1, 3)), "a")
    assert third.to_sympy() == sympy.diff(sympy.cbrt(s), s)


def test_the_dtype_of_a_leaf_is_that_of_its_symbol() -> None:
    for assumed in _ASSUMED:
        s = sympy.Symbol("s", **assumed)
        e = symgrad.from_sympy(s)
        is_complex = not s.is_extended_real and assumed not in ({}, {"zero": False})
        assert e.dtype is (symgrad.complex128 if is_complex else symgrad.float64)
        assert e == s and s == e and e.to_sympy() == s
        if is_complex:
            with pytest.raises(TypeError, match="takes for complex"):
                symgrad.leaf("s").subs("s", s)
    c = sympy.Symbol("c", complex=True)
    for refused in (sympy.gamma(c), sympy.floor(c), sympy.besselj(0, c), sympy.polygamma(1, c)):
        with pytest.raises(TypeError, match=r"of complex numbers, .*or map them"):
            symgrad.from_sympy(refused)
        assert symgrad.from_sympy(refused, {c: symgrad.leaf("c")}).dtype is symgrad.float64
    e = symgrad.from_sympy(sympy.im(sympy.exp(c)) + sympy.re(sympy.Symbol("k")))
    assert e.evaluate({"c": 1 + 2j, "k": 3.0}) == pytest.approx(np.exp(1 + 2j).imag + 3)


def test_negative_powers_are_denominators() -> None:
    k, v, s = sympy.symbols("K V S", real=True)
    for formula, text in {
        k * v / (k + s) ** 2: "K * V / (K + S)**2",
        v / (k * s**3): "V / (K * S**3)",
        v * k ** sympy.Rational(-3, 2): "V / K**(3/2)",
        v / sympy.sqrt(s): "V / sqrt(S)",
        v * k ** (-s): "V * K**-S",
    }.items():
        read = symgrad.from_sympy(formula)
        assert str(read) == text
        point = {x: {"K": 0.7, "V": 1.3, "S": 2.1}[x.name] for x in read.leaves}
        expected = float(formula.subs({k: 0.7, v: 1.3, s: 2.1}))
        np.testing.assert_allclose(read.evaluate(point), expected, rtol=1e-14)
