"""What formulas are computed with in proofs: elements of a number system, instead of floats.

A number system is `symgrad.proofs.residues`, whose elements prove that formulas are equal, or
`symgrad.proofs.intervals`, whose elements prove that they are not.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, NoReturn, Protocol

import numpy as np

#: The largest exponent of a power that is computed by multiplying.
MAX_EXPONENT = 1 << 64


class Refused(Exception):  # noqa: N818 - it is no error
    """Raised where a number system cannot compute a formula; the argument says what."""


class Imprecise(Exception):  # noqa: N818 - it is no error
    """Raised where an interval is too wide to decide something."""


class System(Protocol):
    """A number system: makes its elements."""

    def number(self, value: Fraction) -> Any:
        """Return a rational number."""

    def constant(self, name: str) -> Any:
        """Return a number that SymPy has a name for, such as `Pi`."""

    def function(self, cls: Any, args: Sequence[Any], parity: int) -> Any:
        """Return a function of SymPy's that elements have no method for.

        Parameters
        ----------
        cls : type
            Its class.
        args : sequence
            Elements, and tuples of these.
        parity : int
            1 for an even function of one argument, -1 for an odd one, else 0.
        """

    def known(self, x: Any) -> Fraction | None:
        """Return the number that an element is, if that is known."""

    def key_of(self, x: Any) -> Any:
        """Return what equal elements have in common."""

    def choose(self, condition: Any, x: Any, y: Any) -> Any:
        """Return `x` where a condition is 1, `y` where it is 0."""


class Element:
    """A real number of a number system; a truth value is 1 or 0.

    A subclass states addition, multiplication, `inverse`, `exp`, `log`, `root`, `sin`, `cos`,
    `is_positive` and `is_zero`. No element is compared or converted by Python: a kernel that needs
    the value of one has to be refused.
    """

    __slots__ = ()

    #: Whether it is what is not defined.
    is_undefined: ClassVar[bool] = False

    @property
    def system(self) -> System:
        """The number system that made the element."""
        raise NotImplementedError

    # -- what subclasses state -------------------------------------------------------------------

    def __add__(self, other: Any) -> Any:
        raise NotImplementedError

    def __mul__(self, other: Any) -> Any:
        raise NotImplementedError

    def __neg__(self) -> Any:
        raise NotImplementedError

    def inverse(self) -> Any:
        """Return the reciprocal."""
        raise NotImplementedError

    def exp(self) -> Any:
        """Return the exponential."""
        raise NotImplementedError

    def log(self) -> Any:
        """Return the natural logarithm."""
        raise NotImplementedError

    def root(self, degree: int) -> Any:
        """Return the root of a degree, that of a number that is not negative."""
        raise NotImplementedError

    def sin(self) -> Any:
        """Return the sine."""
        raise NotImplementedError

    def cos(self) -> Any:
        """Return the cosine."""
        raise NotImplementedError

    def is_positive(self) -> Any:
        """Return whether it is positive, as 1 or 0."""
        raise NotImplementedError

    def is_zero(self) -> Any:
        """Return whether it is zero, as 1 or 0."""
        raise NotImplementedError

    # -- what follows ----------------------------------------------------------------------------

    def _other(self, other: Any) -> Any:
        """Return a number as an element; of arrays, and other elements, NotImplemented."""
        if isinstance(other, (Element, np.ndarray)):
            return NotImplemented
        return self.system.number(as_fraction(other))

    def __radd__(self, other: Any) -> Any:
        return self + other

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        divisor = other if isinstance(other, Element) else self._other(other)
        return divisor if divisor is NotImplemented else self * divisor.inverse()

    def __rtruediv__(self, other: Any) -> Any:
        return self.inverse() * other

    def __pow__(self, exponent: Any) -> Any:
        value = None if isinstance(exponent, Element) else as_fraction(exponent)
        if value is None or value.denominator != 1 or abs(value) > MAX_EXPONENT:
            raise Refused(f"the power {exponent}")
        n = abs(value.numerator)
        base = self if value >= 0 else self.inverse()
        result = None
        while n:
            if n & 1:
                result = base if result is None else result * base
            n >>= 1
            if n:
                base = base.square()
        return self.system.number(Fraction(1)) if result is None else result

    def square(self) -> Any:
        """Return the square."""
        return self * self

    def conjugate(self) -> Any:
        """Return the complex conjugate, which is the number itself."""
        return self

    @property
    def real(self) -> Any:
        """The real part."""
        return self

    def sqrt(self) -> Any:
        """Return the square root."""
        return self.root(2)

    def _no_value(self, *_: Any) -> NoReturn:
        raise Refused("a kernel that needs the value of an element")

    __bool__ = __int__ = __float__ = __index__ = __lt__ = __le__ = __gt__ = __ge__ = _no_value
    __eq__ = __ne__ = _no_value
    __hash__ = object.__hash__


def as_fraction(value: Any) -> Fraction:
    """Return a number of Python's or NumPy's as the rational number that it is."""
    value = getattr(value, "item", lambda: value)()
    try:
        return Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise Refused(f"the number {value}") from None
