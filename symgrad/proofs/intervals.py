"""Intervals of real numbers, whose ends are binary fractions of so many digits.

The value of a formula at a point lies in its interval. Two formulas whose intervals have no number
in common are not equal there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from mpmath.ctx_iv import MPIntervalContext
from mpmath.libmp import from_rational, mpf_lt, mpf_sign, to_rational

from symgrad.proofs.elements import Element, Imprecise, Refused
from symgrad.proofs.interval_functions import CONSTANTS, FUNCTIONS

#: The largest exponent of two of a number whose exponential is taken, and of one whose sine is.
_MAX_EXPONENT, _MAX_SIZE = 32, 1 << 12
#: How many of the digits of mpmath's functions are not relied upon.
_SURE_DIGITS = 8


class Interval(Element):
    """An interval, or None for what is not defined at the point."""

    __slots__ = ("system", "x")

    system: Intervals

    def __init__(self, system: Intervals, x: Any) -> None:
        self.system = system
        self.x = x

    def _with(self, f: Callable[[Any], Any]) -> Interval:
        return Interval(self.system, None if self.x is None else f(self.x))

    def _beside(self, other: Any, f: Callable[[Any, Any], Any]) -> Any:
        if not isinstance(other, Interval):
            other = self._other(other)
            if other is NotImplemented:
                return other
        if self.x is None or other.x is None:
            return Interval(self.system, None)
        return Interval(self.system, f(self.x, other.x))

    def __add__(self, other: Any) -> Any:
        return self._beside(other, lambda x, y: x + y)

    def __mul__(self, other: Any) -> Any:
        return self._beside(other, lambda x, y: x * y)

    def __neg__(self) -> Interval:
        return self._with(lambda x: -x)

    def square(self) -> Interval:
        return self._with(lambda x: x**2)

    def sign(self) -> int | None:
        """Return the sign of all numbers in the interval; None of what is not defined."""
        if self.x is None:
            return None
        low, high = [mpf_sign(end) for end in self.x._mpi_]
        if low != high:
            raise Imprecise
        return int(low)

    def inverse(self) -> Interval:
        sign = self.sign()
        return self._with(lambda x: 1 / x) if sign else Interval(self.system, None)

    def exp(self) -> Interval:
        return self._with(self.system.exponential)

    def log(self) -> Interval:
        sign = self.sign()
        if sign is None or sign <= 0:
            return Interval(self.system, None)
        return self._with(self.system.logarithm)

    def root(self, degree: int) -> Interval:
        sign = self.sign()
        if sign is None or sign < 0:
            return Interval(self.system, None)
        if degree == 2:
            return self._with(self.system.context.sqrt)
        return self if sign == 0 else (self.log() / degree).exp()

    def sin(self) -> Interval:
        return self._with(self.system.sine)

    def cos(self) -> Interval:
        return self._with(self.system.cosine)

    def is_positive(self) -> Any:
        sign = self.sign()
        return self if sign is None else self.system.number(Fraction(sign > 0))

    def is_zero(self) -> Any:
        sign = self.sign()
        return self if sign is None else self.system.number(Fraction(sign == 0))

    def undefined(self) -> Interval:
        """Return what is not defined."""
        return Interval(self.system, None)

    def with_ends(self, low: Any, high: Any) -> Interval:
        """Return an interval from its ends, numbers of mpmath's."""
        return Interval(self.system, self.system.context.make_mpf((low, high)))

    def is_within(self, size: Fraction) -> bool:
        """Return whether no number in the interval has a larger absolute value."""
        most = abs(self.system.number(size).x)
        return bool(abs(self.x).b <= most.a)

    def is_below_precision(self) -> bool:
        """Return whether the numbers in the interval are too small to count beside one."""
        digits = self.system.context.prec
        return all(not end[1] or _magnitude(end) < -digits for end in self.x._mpi_)

    def widened_by(self, other: Interval) -> Interval:
        """Return the interval with the absolute values of another one added on either side."""
        most = abs(other.x).b
        return Interval(self.system, self.x + self.system.context.mpf([-most, most]))

    def lies_apart(self, other: Interval) -> bool:
        """Return whether two intervals have no number in common."""
        if self.x is None or other.x is None:
            return False
        (low, high), (bottom, top) = self.x._mpi_, other.x._mpi_
        return bool(mpf_lt(high, bottom) or mpf_lt(top, low))


class Intervals:
    """The intervals of one precision.

    Parameters
    ----------
    digits : int
        The number of binary digits of their ends.
    """

    def __init__(self, digits: int) -> None:
        self.context: Any = MPIntervalContext()
        self.context.prec = digits
        margin = self.context.mpf(2) ** (_SURE_DIGITS - digits)
        self._around_one = 1 + self.context.mpf([-margin.b, margin.b])

    def number(self, value: Fraction) -> Interval:
        """Return the smallest interval with a rational number."""
        digits = self.context.prec
        ends = [from_rational(value.numerator, value.denominator, digits, r) for r in "fc"]
        return Interval(self, self.context.make_mpf(tuple(ends)))

    def constant(self, name: str) -> Interval:
        """Return an interval with a number that SymPy has a name for."""
        if name not in CONSTANTS:
            raise Refused(f"the number {name} of SymPy")
        return Interval(self, self.context.convert(getattr(self.context, CONSTANTS[name])))

    def function(self, cls: Any, args: Sequence[Any], parity: int) -> Interval:
        """Return a function of intervals, if there is a rule for it."""
        rule = FUNCTIONS.get(cls)
        if rule is None:
            raise Refused(f"{cls.__name__} of intervals")
        if any(x.x is None for x in args):
            return Interval(self, None)
        made: Interval = rule(*args)
        return made

    def choose(self, condition: Interval, x: Interval, y: Interval) -> Interval:
        """Return `x` where a condition is 1, `y` where it is 0."""
        sign = condition.sign()
        return condition if sign is None else x if sign else y

    def known(self, x: Interval) -> Fraction | None:
        """Return the number of an interval that has no other."""
        if x.x is None:
            return None
        low, high = x.x._mpi_
        return Fraction(*to_rational(low)) if low == high else None

    def key_of(self, x: Interval) -> Any:
        """Return what equal elements have in common."""
        return id(x)

    def exponential(self, x: Any) -> Any:
        """Return the exponential of an interval of mpmath's that is not too large."""
        return self._widened(self.context.exp(moderate(x, _MAX_EXPONENT)))

    def logarithm(self, x: Any) -> Any:
        """Return the logarithm of an interval of mpmath's."""
        return self._widened(self.context.log(x))

    def sine(self, x: Any) -> Any:
        """Return the sine of an interval of mpmath's."""
        return self._widened(self.context.sin(moderate(x)))

    def cosine(self, x: Any) -> Any:
        """Return the cosine of an interval of mpmath's."""
        return self._widened(self.context.cos(moderate(x)))

    def _widened(self, x: Any) -> Any:
        """Return an interval with more on either side, since mpmath rounds what it has rounded."""
        return x * self._around_one


def moderate(x: Any, size: int = _MAX_SIZE) -> Any:
    """Return an interval of mpmath's if its ends are below a power of two."""
    if any(_magnitude(end) > size for end in x._mpi_):
        raise Imprecise
    return x


def _magnitude(end: Any) -> int:
    _, mantissa, exponent, digits = end
    return int(exponent + digits) if mantissa else 0
