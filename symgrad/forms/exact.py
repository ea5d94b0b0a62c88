"""Which exact numbers floats are: rationals, roots, pi and e."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import sympy

from symgrad.expr.dtypes import dtype, float64

#: For each number of bits, how many digits a decimal may have, and how large the numbers of a
#: fraction may be: few floats of so many bits are one of these by chance.
_LIMITS = {11: (3, 8), 24: (6, 64), 53: (15, 1000)}
#: A fraction with a larger denominator comes from a float, and is shown as one.
_MOST = 1 << 20


@functools.lru_cache(maxsize=1)
def _factors() -> tuple[tuple[Any, float, bool], ...]:
    """Return what a fraction may be multiplied by, and whether the product stands under a root."""
    numbers = (sympy.pi, sympy.pi**2, sympy.E, sympy.log(2), sympy.log(10))
    found = [(y, False) for x in numbers for y in (x, 1 / x)]
    found += [(sympy.S.One, True), (sympy.pi, True), (1 / sympy.pi, True)]
    return tuple([(x, float(sympy.N(x, 30)), root) for x, root in found])


def number_of(c: Any, exact: bool) -> Any:
    """Return SymPy's number for a coefficient of a normal form, a float where it comes from one."""
    if c.denominator <= _MOST:
        return sympy.Rational(c.numerator, c.denominator)
    return exact_number(float(c), float64) if exact else sympy.Float(float(c))


@functools.lru_cache(maxsize=1024)
def exact_number(value: float, kind: dtype) -> Any:
    """Return the exact number that a float of a dtype stands for, or else the float itself.

    It is a whole number, a fraction or a decimal of few digits, to which the float is the nearest;
    or a fraction times pi, its square, e or a logarithm, or the root of a fraction, to which it is
    one of the nearest, as such numbers are computed.
    """
    if not math.isfinite(value):
        return sympy.sympify(value)
    bits = np.finfo(kind.numpy).nmant + 1
    digits, limit = _LIMITS[bits]
    to: Any = kind.numpy.type
    for candidate in _rationals(value, limit):
        if to(float(candidate)) == to(value):
            return candidate
    sign = 1 if value > 0 else -1
    for factor, number, root in _factors():
        for x in _fractions(value * value / number if root else value / number, limit):
            candidate = sign * sympy.sqrt(x * factor) if root else x * factor
            if candidate.is_Rational:
                continue  # the root of a square
            if abs(float(candidate) - value) <= abs(value) * 2.0 ** (1 - bits):
                return candidate
    decimal = sympy.Rational(f"{value:.{digits}g}")
    return decimal if to(float(decimal)) == to(value) else sympy.Float(value)


def _rationals(value: float, limit: int) -> Iterator[Any]:
    if value == int(value):
        yield sympy.Integer(int(value))
    whole = Fraction(value)
    if abs(whole.numerator) <= limit:  # over a power of two
        yield sympy.Rational(whole.numerator, whole.denominator)
    yield from _fractions(value, limit)


def _fractions(value: float, limit: int) -> Iterator[Any]:
    found = Fraction(value).limit_denominator(limit)
    if 0 < abs(found.numerator) <= limit:
        yield sympy.Rational(found.numerator, found.denominator)
