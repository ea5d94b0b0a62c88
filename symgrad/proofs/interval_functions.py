"""Functions of intervals, by their arithmetic, exponentials, logarithms and roots alone.

A series is added until what is left of it is small, and that is added as an interval.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import sympy
from mpmath.libmp import mpf_floor

from symgrad.proofs.elements import Imprecise

#: The largest power of a negative number.
_MAX_POWER = 1 << 12
#: The most terms of a series, and the largest argument of the error function.
_MAX_TERMS, _MAX_ERROR_ARGUMENT = 4_000, 30
#: How often the argument of the arc tangent is made smaller: by more than half each time.
_HALVINGS = 4


def _floor(x: Any) -> Any:
    low, high = [mpf_floor(end) for end in x.x._mpi_]
    if low != high:
        raise Imprecise
    return x.with_ends(low, high)


def _power(base: Any, exponent: Any) -> Any:
    """Return a power of a number that is not positive; what is positive is an exponential."""
    value = base.system.known(exponent)
    sign = base.sign()
    if value is None or sign > 0:
        return base.undefined()
    if sign == 0:
        return base.undefined() if value < 0 else base.system.number(Fraction(value == 0))
    if value.denominator != 1 or abs(value) > _MAX_POWER:
        return base.undefined()
    return base**value.numerator


def _sum(term: Any, ratio: Callable[[int], Any]) -> Any:
    """Return the sum of terms, of which each is the last one times the interval `ratio(n)`.

    Once a ratio is below a half, all later ones must be; then what is left is less than the term.
    """
    total, half = term, Fraction(1, 2)
    for n in range(_MAX_TERMS):
        factor = ratio(n)
        term = term * factor
        total = total + term
        if factor.is_within(half) and term.is_below_precision():
            return total.widened_by(term)
    raise Imprecise


def _error_function(sign: int) -> Callable[[Any], Any]:
    """Return the error function, or for the sign 1 that of imaginary numbers, by its series."""

    def compute(x: Any) -> Any:
        if not x.is_within(Fraction(_MAX_ERROR_ARGUMENT)):
            raise Imprecise
        square = x * x * sign
        # (2n + 1) x**(2n + 3) / ((n + 1) (2n + 3) x**(2n + 1))
        found = _sum(x, lambda n: square * Fraction(2 * n + 1, (n + 1) * (2 * n + 3)))
        return found * 2 / x.system.constant("Pi").sqrt()

    return compute


def _atan(x: Any) -> Any:
    for _ in range(_HALVINGS):
        x = x / (1 + (1 + x * x).sqrt())
    square = -(x * x)
    return _sum(x, lambda n: square * Fraction(2 * n + 1, 2 * n + 3)) * 2**_HALVINGS


def _asin(x: Any) -> Any:
    rest = 1 - x * x
    if rest.sign() == 0:
        return x.system.constant("Pi") * x / 2
    return _atan_or_undefined(x / rest.sqrt())


def _atan_or_undefined(x: Any) -> Any:
    return x if x.x is None else _atan(x)


def _acos(x: Any) -> Any:
    return x.system.constant("Pi") / 2 - _asin(x)


def _asinh(x: Any) -> Any:
    return (x + (x * x + 1).sqrt()).log()


def _acosh(x: Any) -> Any:
    return (x + (x * x - 1).sqrt()).log() if (x - 1).sign() >= 0 else x.undefined()


def _atanh(x: Any) -> Any:
    return ((1 + x) / (1 - x)).log() / 2


#: The numbers of SymPy's that intervals are known of, by the names that mpmath has for them.
CONSTANTS = {"Pi": "pi", "Exp1": "e"}

#: How functions of SymPy's are computed of intervals.
FUNCTIONS: dict[Any, Callable[..., Any]] = {
    sympy.floor: _floor,
    sympy.ceiling: lambda x: -_floor(-x),
    sympy.Mod: lambda x, y: x - y * _floor(x / y),
    sympy.Pow: _power,
    sympy.erf: _error_function(-1),
    sympy.erfc: lambda x: 1 - _error_function(-1)(x),
    sympy.erfi: _error_function(1),
    sympy.atan: _atan,
    sympy.asin: _asin,
    sympy.acos: _acos,
    sympy.asinh: _asinh,
    sympy.acosh: _acosh,
    sympy.atanh: _atanh,
}
