"""Intervals of real numbers, whose ends are binary fractions of so many digits.

The value of a formula at a point lies in its interval. Two formulas whose intervals have no number
in common are not equal there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from mpmath.ctx_iv import MPIntervalContext
from mpmath.libmp import from_rational, mpf_floor, mpf_lt, mpf_sign, to_rational

from symgrad.proofs.elements import Element, Refused

#: The largest exponent of two that an exponential is taken of, and that is computed with.
_MAX_EXPONENT = 1 << 12


class Imprecise(Exception):  # noqa: N818 - it is no error
    """Raised where an interval is too wide to decide something."""


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
        return self._with(self.system.context.log)

    def root(self, degree: int) -> Interval:
        sign = self.sign()
        if sign is None or sign < 0:
            return Interval(self.system, None)
        if degree == 2:
            return self._with(self.system.context.sqrt)
        return self if sign == 0 else (self.log() / degree).exp()

    def sin(self) -> Interval:
        return self._with(lambda x: self.system.context.sin(self.system.moderate(x)))

    def cos(self) -> Interval:
        return self._with(lambda x: self.system.context.cos(self.system.moderate(x)))

    def is_positive(self) -> Any:
        sign = self.sign()
        return self if sign is None else self.system.number(Fraction(sign > 0))

    def is_zero(self) -> Any:
        sign = self.sign()
        return self if sign is None else self.system.number(Fraction(sign == 0))

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

    def number(self, value: Fraction) -> Interval:
        """Return the smallest interval with a rational number."""
        digits = self.context.prec
        ends = [from_rational(value.numerator, value.denominator, digits, r) for r in "fc"]
        return Interval(self, self.context.make_mpf(tuple(ends)))

    def constant(self, name: str) -> Interval:
        """Return an interval with a number that SymPy has a name for."""
        if name not in _CONSTANTS:
            raise Refused(f"the number {name} of SymPy")
        return Interval(self, self.context.convert(getattr(self.context, _CONSTANTS[name])))

    def function(self, name: str, args: Sequence[Any], parity: int) -> Interval:
        """Return a function of intervals, if there is a rule for it."""
        rule = _FUNCTIONS.get(name)
        if rule is None:
            raise Refused(f"{name} of intervals")
        return rule(self, *args)

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
        return self.context.exp(self.moderate(x))

    def moderate(self, x: Any) -> Any:
        """Return an interval of mpmath's if its ends are not too large."""
        if any(_magnitude(end) > _MAX_EXPONENT for end in x._mpi_):
            raise Imprecise
        return x

    def floor(self, x: Interval) -> Interval:
        """Return the whole numbers next to an interval, from below."""
        if x.x is None:
            return x
        self.moderate(x.x)
        low, high = [mpf_floor(end) for end in x.x._mpi_]
        if low != high:
            raise Imprecise
        return Interval(self, self.context.make_mpf((low, high)))

    def power(self, base: Interval, exponent: Interval) -> Interval:
        """Return a power of a number that is not positive."""
        value = self.known(exponent)
        if base.x is None or value is None:
            return Interval(self, None)
        sign = base.sign()
        if sign == 0:
            return self.number(Fraction(value == 0)) if value >= 0 else Interval(self, None)
        if sign and sign > 0:
            return Interval(self, None)  # what is positive is an exponential
        if value.denominator != 1 or abs(value) > _MAX_EXPONENT:
            return Interval(self, None)
        return base**value.numerator  # type: ignore[no-any-return]


def _magnitude(end: Any) -> int:
    _, mantissa, exponent, digits = end
    return int(exponent + digits) if mantissa else 0


#: The numbers of SymPy's that intervals are known of, by the names that mpmath has for them.
_CONSTANTS = {"Pi": "pi", "Exp1": "e"}

#: How functions of SymPy's are computed of intervals, by name.
_FUNCTIONS: dict[str, Callable[..., Interval]] = {
    "floor": Intervals.floor,
    "ceiling": lambda system, x: -system.floor(-x),
    "Mod": lambda system, x, y: x - y * system.floor(x / y),
    "Pow": Intervals.power,
}
