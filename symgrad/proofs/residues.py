"""Numbers modulo two primes, of which the exponentials of those modulo `q` are those modulo `p`.

A formula of leaves is computed with numbers for the leaves that a hash function draws. Formulas
that are equal have equal residues; the others do not, but for a chance that is bounded by the
*size* of the formula: the degree of a quotient of polynomials, and the digits of its coefficients
(Schwartz and Zippel). A function that has no rule here is a number drawn for the residue of its
argument, so that equal arguments have equal functions.

Exponentials of different arguments are taken to be independent, as powers of one random number
modulo `p` are as far as anybody knows (G. H. Gonnet, "Determining equivalence of expressions in
random polynomial time", 1984).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Any

import sympy

from symgrad.proofs.elements import Element, Refused
from symgrad.proofs.primes import BITS, Field

#: An integer up to this is a power of the exponential of what it multiplies.
_MAX_MULTIPLE = 64
#: The largest numerator and denominator of a fraction that is recognised, and how many there are.
_MAX_SMALL = 64
_SMALL_NUMBERS = 2 * _MAX_SMALL**2
#: Beside how many numbers it is tried whether a logarithm is known.
_MAX_BESIDE = 64
#: How many exponentials are tried for what all terms of a sum have been multiplied by.
_MAX_SHIFTS = 8
#: The most bits of a number that is factorised.
_MAX_FACTORISED = 64
#: The most bits of a number that is known exactly.
_MAX_KNOWN = 1 << 16


class Residue(Element):
    """A number modulo two primes.

    Attributes
    ----------
    system : Residues
    p, q : int
        The number modulo each prime. What is equal modulo `p` counts as equal; the number modulo
        `q` serves exponentials alone.
    above, below : int
        The sizes of numerator and denominator.
    free, product : int
        The exponential is the power `free` of the base, times `product`, which logarithms are in.
    value : Fraction or None
        The number itself, of one that contains no leaves.
    logarithm : Residue or None
        The logarithm, where it is known.
    sign : int
        What is known of the sign wherever the number is defined: 2 for a positive number, 1 for one
        that is not negative, 0 for nothing, -1 and -2 for the negatives.
    factors : tuple of Residue
        Two numbers that are not negative, of which it is the product, or one of which it is the
        reciprocal; none where that does not matter.
    square_of : Residue or None
        A number of which it is the square.
    """

    __slots__ = (
        "above",
        "below",
        "factors",
        "free",
        "logarithm",
        "p",
        "product",
        "q",
        "sign",
        "square_of",
        "system",
        "value",
    )

    system: Residues

    def __init__(self, system: Residues, p: int, q: int, above: int = 1, below: int = 0) -> None:
        self.system = system
        self.p, self.q, self.above, self.below = p, q, above, below
        self.free, self.product = q, 1
        self.value: Fraction | None = None
        self.logarithm: Residue | None = None
        self.square_of: Residue | None = None
        self.sign = 0
        self.factors: tuple[Residue, ...] = ()

    def __add__(self, other: Any) -> Any:
        if type(other) is not Residue:
            other = self._other(other)
            if other is NotImplemented:
                return other
        system = self.system
        if self.value is not None:
            if other.value is not None:
                return system.number(self.value + other.value)
            if not self.value:
                return other
        elif other.value is not None and not other.value:
            return self
        field = system.field
        if self.below or other.below:
            above = max(self.above + other.below, other.above + self.below) + 1
        else:
            above = max(self.above, other.above) + 1
        made = Residue(
            system,
            (self.p + other.p) % field.p,
            (self.q + other.q) % field.q,
            above,
            self.below + other.below,
        )
        made.free = (self.free + other.free) % field.q
        if self.product != 1 or other.product != 1:
            made.product = self.product * other.product % field.p
        if self.sign * other.sign > 0:
            made.sign = max(self.sign, other.sign, key=abs)
        return made

    def __neg__(self) -> Residue:
        system, field = self.system, self.system.field
        if self.value is not None:
            return system.number(-self.value)
        made = Residue(system, -self.p % field.p, -self.q % field.q, self.above, self.below)
        made.free = -self.free % field.q
        if self.product != 1:
            made.product = pow(self.product, -1, field.p)
        made.sign = -self.sign
        return made

    def __mul__(self, other: Any) -> Any:
        if type(other) is not Residue:
            other = self._other(other)
            if other is NotImplemented:
                return other
        system = self.system
        if other.value is not None:
            if self.value is not None:
                return system.number(self.value * other.value)
            return self._times(other)
        if self.value is not None:
            return other._times(self)
        field = system.field
        made = Residue(
            system,
            self.p * other.p % field.p,
            self.q * other.q % field.q,
            self.above + other.above,
            self.below + other.below,
        )
        made.sign = sign_of_product(self.sign, other.sign)
        if self.sign > 0 and other.sign > 0:
            made.factors = self, other
        if self.p == other.p:
            made.square_of = self
            made.sign = made.sign or 1
        return made

    def _times(self, number: Residue) -> Residue:
        """Return the product with a number that is known."""
        value, system, field = number.value, self.system, self.system.field
        assert value is not None
        if value == 1:
            return self
        if not value:
            return number
        made = Residue(
            system,
            self.p * number.p % field.p,
            self.q * number.q % field.q,
            self.above + number.above,
            self.below + number.below,
        )
        if value.denominator == 1 and abs(value) <= _MAX_MULTIPLE:
            k = value.numerator
            made.free = self.free * k % field.q
            if self.product != 1:
                made.product = pow(self.product, k, field.p)
        made.sign = self.sign if value > 0 else -self.sign
        if self.sign > 0 and value > 0:
            made.factors = self, number
        return made

    def inverse(self) -> Any:
        system, field = self.system, self.system.field
        if self.value is not None and self.value:
            return system.number(1 / self.value)
        if system.known(self) == 0 or system.is_assumed_zero(self):
            return system.undefined
        if not self.q:
            raise Refused("a division by what is zero by chance")
        p, q = pow(self.p, -1, field.p), pow(self.q, -1, field.q)
        made = Residue(system, p, q, self.below, self.above)
        made.sign = 2 * self.sign if abs(self.sign) == 1 else self.sign
        if self.sign > 0:
            made.factors = (self,)
        return made

    def exp(self) -> Residue:
        return self.system.exponential(self)

    def log(self) -> Any:
        stack = [self]
        while stack:
            x = stack[-1]
            left = [y for y in x.factors if y.logarithm is None]
            if x.logarithm is not None:
                stack.pop()
            elif left:
                stack += left
            elif x.factors:
                logarithms: list[Any] = [y.logarithm for y in x.factors]
                x.logarithm = sum(logarithms) if len(logarithms) > 1 else -logarithms[0]
            else:
                x.logarithm = self.system.logarithm(x)
        return self.logarithm

    def root(self, degree: int) -> Any:
        return self.system.root(self, degree)

    def sin(self) -> Residue:
        return self.system.sine_and_cosine(self)[0]

    def cos(self) -> Residue:
        return self.system.sine_and_cosine(self)[1]

    def is_positive(self) -> Any:
        return self.system.signs(self)[0]

    def is_zero(self) -> Any:
        return self.system.signs(self)[1]


class Undefined(Element):
    """What is not defined where some comparisons are ties."""

    __slots__ = ("system",)

    is_undefined = True
    system: Residues

    def __init__(self, system: Residues) -> None:
        self.system = system

    def _itself(self, *_: Any) -> Any:
        return self

    __add__ = __mul__ = __neg__ = __pow__ = __truediv__ = _itself
    __radd__ = __rmul__ = __sub__ = __rsub__ = __rtruediv__ = _itself
    inverse = exp = log = sin = cos = is_positive = is_zero = square = _itself

    def root(self, degree: int) -> Undefined:
        return self


class Residues:
    """The residues of one choice of primes and numbers for leaves.

    Parameters
    ----------
    field : Field
        The primes, and the key of all numbers.
    zeros : collection of int
        The residues that are assumed to be zero where they are compared with zero. What is divided
        by one is not defined.

    Attributes
    ----------
    tests : int
        How often residues were compared, each with each.
    largest : int
        The largest size of a residue that was compared.
    """

    def __init__(self, field: Field, zeros: Collection[int] = ()) -> None:
        self.field = field
        self.zeros = zeros
        self.undefined = Undefined(self)
        self.tests = 0
        self.largest = 1
        self._exponentials: dict[int, Residue] = {}
        self._exponentials_by_value: dict[int, Residue] = {1: self.number(Fraction(0))}
        # Numbers with the logarithms that were drawn for them.
        self._beside: list[tuple[Residue, Residue]] = []
        self._turns: dict[int, tuple[Residue, Residue]] = {}
        self._logarithms: dict[int, Residue] = {}
        self._functions: dict[Any, Residue] = {}

    def error(self) -> Fraction:
        """Return a bound of the chance that numbers which differ were found equal."""
        return Fraction(2 * (self.tests + 1) * self.largest, 1 << BITS - 1)

    def count_drawn(self) -> int:
        """Return how many numbers were drawn: for leaves, and values of functions."""
        return len(self._functions)

    def known(self, x: Residue) -> Fraction | None:
        """Return the number that a residue is, if it is known or small, else None."""
        if x.value is not None:
            return x.value
        self.compared(x, _SMALL_NUMBERS)
        return small_rational(x.p, self.field.p)

    def is_assumed_zero(self, x: Residue) -> bool:
        """Return whether a number is a multiple of one that is assumed to be zero."""
        p = self.field.p
        for zero in self.zeros:
            self.compared(x, _SMALL_NUMBERS)
            if small_rational(x.p * pow(zero, -1, p) % p, p) is not None:
                return True
        return False

    def compared(self, x: Residue, among: int = 1) -> None:
        """Note that a residue is compared with others."""
        self.tests += among
        self.largest = max(self.largest, x.above + x.below)

    # -- elements --------------------------------------------------------------------------------

    def number(self, value: Fraction) -> Residue:
        """Return a rational number."""
        field = self.field
        above, below = value.numerator, value.denominator
        digits = abs(above).bit_length(), below.bit_length() - 1
        if max(digits) > _MAX_KNOWN:
            raise Refused("a number of so many digits")
        p = above % field.p if below == 1 else above * pow(below, -1, field.p) % field.p
        q = above % field.q if below == 1 else above * pow(below, -1, field.q) % field.q
        made = Residue(self, p, q, *digits)
        made.value = value
        made.sign = 2 * ((value > 0) - (value < 0))
        return made

    def constant(self, name: str) -> Residue:
        """Return a number of SymPy's, as one of which nothing is known but its sign."""
        if name == "Exp1":
            return self.number(Fraction(1)).exp()
        made = self._drawn(("constant", name))
        made.sign = 2
        return made

    def leaf(self, name: str, place: tuple[int, ...], positive: bool) -> Residue:
        """Return the number for an element of a leaf."""
        made = self._drawn(("leaf", name, place))
        made.sign = 2 * positive
        return made

    def truth(self, name: str, place: tuple[int, ...]) -> Any:
        """Return an element of a leaf of truth values."""
        raise Refused("a leaf of truth values")

    def _drawn(self, key: Any) -> Residue:
        made = self._functions.get(key)
        if made is None:
            text, field = repr(key), self.field
            p, q = field.draw("p " + text, field.p), field.draw("q " + text, field.q)
            made = self._functions[key] = Residue(self, p, q)
        return made

    def function(self, cls: Any, args: Sequence[Any], parity: int) -> Any:
        """Return a number that belongs to a function and the residues of its arguments."""
        flat = [x for arg in args for x in (arg if isinstance(arg, tuple) else (arg,))]
        if any(isinstance(x, Undefined) for x in flat):
            return self.undefined
        if parity:
            (x,) = args
            if x.p > self.field.p - x.p:
                made = self.function(cls, (-x,), parity)
                return made if parity > 0 else -made
        return self._drawn(("function", cls.__name__, self.key_of(args)))

    def key_of(self, x: Any) -> Any:
        """Return what equal elements have in common."""
        if isinstance(x, (tuple, list)):
            return tuple(map(self.key_of, x))
        if isinstance(x, Undefined):
            return -1
        self.compared(x, len(self._functions))
        return x.p

    # -- exponentials ----------------------------------------------------------------------------

    def exponential(self, x: Residue) -> Residue:
        """Return the exponential of a number."""
        if self.known(x) == 0:
            return self.number(Fraction(1))
        self.compared(x, len(self._exponentials))
        made = self._exponentials.get(x.p)
        if made is None:
            field = self.field
            p = pow(field.base, x.free, field.p)
            if x.product != 1:
                p = p * x.product % field.p
            q = field.draw(f"exponential {p}", field.q)
            made = self._exponentials[x.p] = Residue(self, p, q)
            made.sign = 2
            made.logarithm = x
            self._exponentials_by_value[p] = x
        return made

    def logarithm(self, x: Residue) -> Any:
        """Return the logarithm of a number, of which the exponential is the number."""
        value = self.known(x)
        if value is not None:
            return self._logarithm_of_number(value) if value > 0 else self.undefined
        if self.is_assumed_zero(x):
            return self.undefined
        self.compared(x, len(self._logarithms))
        made = self._logarithms.get(x.p)
        if made is None:
            made = self._logarithm_beside(x)
            if made is None:
                made = self._drawn(("logarithm", x.p))
                made.free, made.product = 0, x.p
                self._beside.append((x, made))
            self._logarithms[x.p] = made
        return made

    def _logarithm_beside(self, x: Residue) -> Any:
        """Return the logarithm of what is an exponential, times or by a positive number."""
        p = self.field.p
        inverse = pow(x.p, -1, p)
        for y, logarithm in self._beside[:_MAX_BESIDE]:
            if x.sign > 0 or y.sign > 0:
                self.compared(x, (2 + _MAX_SHIFTS) * len(self._exponentials))
                found = self._exponentials_by_value.get(x.p * y.p % p)
                if found is not None:
                    return found - logarithm
                ratio = y.p * inverse % p
                found = self._exponentials_by_value.get(ratio)
                if found is not None:
                    return logarithm - found
                for value, argument in list(self._exponentials_by_value.items())[:_MAX_SHIFTS]:
                    found = self._exponentials_by_value.get(ratio * value % p)
                    if found is not None:
                        return logarithm - found + argument
        return self._exponentials_by_value.get(x.p)

    def _logarithm_of_number(self, value: Fraction) -> Residue:
        made = self.number(Fraction(0))
        for n, power in factors_of(value):
            logarithm = self._drawn(("logarithm", n))
            logarithm.free, logarithm.product = 0, n % self.field.p
            made = made + logarithm * power
        return made

    def sine_and_cosine(self, x: Residue) -> tuple[Residue, Residue]:
        """Return the sine and the cosine of a number: parts of a power of `turn`."""
        field = self.field
        if x.p > field.p - x.p:  # the sine is odd
            sine, cosine = self.sine_and_cosine(-x)
            return -sine, cosine
        if self.known(x) == 0:
            return x, self.number(Fraction(1))
        self.compared(x, len(self._turns))
        made = self._turns.get(x.p)
        if made is None:
            p = pow(field.turn, x.q, field.p)
            back, half = pow(p, -1, field.p), pow(2, -1, field.p)
            parts = (p - back) * half * pow(field.unit, -1, field.p), (p + back) * half
            sine, cosine = [
                Residue(self, y % field.p, field.draw(f"{text} {p}", field.q), 2, 2)
                for text, y in zip(("sine", "cosine"), parts, strict=True)
            ]
            made = self._turns[x.p] = sine, cosine
        return made

    # -- what `polynomials` adds -----------------------------------------------------------------

    def root(self, x: Any, degree: int) -> Any:
        """Return a root of a number."""
        raise Refused("a root")

    def signs(self, x: Any) -> tuple[Any, Any]:
        """Return whether a number is positive, and whether it is zero."""
        raise Refused("a comparison")

    def choose(self, condition: Any, x: Any, y: Any) -> Any:
        """Return `x` where a condition is 1, `y` where it is 0."""
        value = condition.value if type(condition) is Residue else None
        if value is not None:
            return x if value else y
        if any(isinstance(z, Undefined) for z in (condition, x, y)):
            raise Refused("a choice where a case is not defined")
        return y + condition * (x - y)


def sign_of_product(sign: int, other: int) -> int:
    """Return what is known of the sign of a product, as `Residue.sign`."""
    known = min(abs(sign), abs(other))
    return known if sign * other > 0 else -known


def small_rational(residue: int, p: int) -> Fraction | None:
    """Return the fraction of small numbers that a residue is, if there is one.

    Examples
    --------
    >>> small_rational(pow(3, -1, 1009) * 2 % 1009, 1009)
    Fraction(2, 3)
    """
    # Euclid's algorithm meets the fraction when the remainder gets small.
    high, low, over, under = p, residue, 0, 1
    while low > _MAX_SMALL:
        quotient = high // low
        high, low = low, high - quotient * low
        over, under = under, over - quotient * under
        if abs(under) > _MAX_SMALL:
            return None
    return Fraction(low, under)


def factors_of(value: Fraction) -> list[tuple[int, int]]:
    """Return the prime factors of a positive number, with their powers; large ones stay whole."""
    found = []
    for n, sign in ((value.numerator, 1), (value.denominator, -1)):
        whole = n.bit_length() > _MAX_FACTORISED
        for factor, power in {n: 1}.items() if whole else sympy.factorint(n).items():
            found.append((int(factor), sign * power))
    return [(n, power) for n, power in found if n != 1]
