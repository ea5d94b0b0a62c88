"""Polynomials of roots and of truth values, whose coefficients are residues.

The root of a residue `f` is a variable `S` with `S**n = f`. Whether a residue `d` is positive, or
zero, is a variable that is 1 or 0: `P*P = P`, `Z*Z = Z`, `P*Z = 0` and `Z*d = 0`. By these rules
each element has one form, and two elements are equal if their forms are. What a function makes of
an element that contains truth values is what it makes of the value in each case.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from symgrad.proofs.elements import Element, Refused
from symgrad.proofs.residues import Residue, Residues, Undefined, factors_of, small_rational

#: The most truth values that the argument of a function may contain.
_MAX_CASES = 5
#: The most terms of a polynomial.
_MAX_TERMS = 1000
#: The most terms that are added and multiplied in all.
_MAX_WORK = 50_000
#: With how many others the argument of a comparison or a root is compared, up to a factor.
_MAX_COMPARED = 64

#: Of which truth values a term is the product: comparisons, each "positive" (1) or "zero" (0).
Truths = frozenset[tuple[int, int]]
#: Of which roots a term is the product, with their powers.
Powers = tuple[tuple[int, int], ...]
Terms = dict[tuple[Truths, Powers], Residue]

_NO_TRUTHS: Truths = frozenset()


class _Root(NamedTuple):
    """A variable that is a root."""

    degree: int
    argument: Any  # a residue, or a polynomial of earlier roots
    residue: int


class _Comparison(NamedTuple):
    """What is compared with zero; None for a truth value by itself."""

    residue: int | None
    inverse: int


class Polynomial(Element):
    """A polynomial that is no residue by itself."""

    __slots__ = ("system", "terms")

    system: Polynomials

    def __init__(self, system: Polynomials, terms: Terms) -> None:
        self.system = system
        self.terms = terms

    def _lifted(self, other: Any) -> Any:
        if isinstance(other, Polynomial):
            return other
        made = other if isinstance(other, Residue) else self._other(other)
        if made is NotImplemented:
            return made
        return Polynomial(self.system, {(_NO_TRUTHS, ()): made})

    def __add__(self, other: Any) -> Any:
        other = self._lifted(other)
        if other is NotImplemented:
            return other
        terms = dict(self.terms)
        for key, c in other.terms.items():
            terms[key] = terms[key] + c if key in terms else c
        return self.system.polynomial(terms)

    def __neg__(self) -> Polynomial:
        return Polynomial(self.system, {key: -c for key, c in self.terms.items()})

    def __mul__(self, other: Any) -> Any:
        other = self._lifted(other)
        if other is NotImplemented:
            return other
        return self.system.product(self.terms, other.terms)

    def inverse(self) -> Any:
        return self.system.by_cases(self.system.reciprocal, self)

    def exp(self) -> Any:
        return self._of_opaque(Residue.exp)

    def log(self) -> Any:
        return self._of_opaque(Residue.log)

    def sin(self) -> Any:
        return self._of_opaque(Residue.sin)

    def cos(self) -> Any:
        return self._of_opaque(Residue.cos)

    def root(self, degree: int) -> Any:
        return self.system.by_cases(lambda x: self.system.root(x, degree), self)

    def is_positive(self) -> Any:
        return self.system.by_cases(lambda x: self.system.signs(x)[0], self)

    def is_zero(self) -> Any:
        return self.system.by_cases(lambda x: self.system.signs(x)[1], self)

    def _of_opaque(self, f: Callable[[Residue], Any]) -> Any:
        return self.system.by_cases(lambda x: f(self.system.opaque(x)), self)

    def comparisons(self) -> set[int]:
        """Return the numbers of the comparisons that it contains."""
        return {k for truths, _ in self.terms for k, _ in truths}

    def where(self, k: int, positive: int, zero: int) -> Any:
        """Return what it is where comparison `k` has a certain outcome."""
        state = {(k, 1): positive, (k, 0): zero}
        terms: Terms = {}
        for (truths, powers), c in self.terms.items():
            if all(state.get(truth, 1) for truth in truths):
                key = frozenset([truth for truth in truths if truth not in state]), powers
                terms[key] = terms[key] + c if key in terms else c
        return self.system.polynomial(terms)


class Polynomials(Residues):
    """Residues with roots and comparisons."""

    def __init__(self, field: Any, zeros: Collection[int] = ()) -> None:
        super().__init__(field, zeros)
        self._roots: list[_Root] = []
        self._comparisons: list[_Comparison] = []
        self._work = 0
        self._known_truths: dict[Any, int] = {}

    # -- arithmetic ------------------------------------------------------------------------------

    def polynomial(self, terms: Terms) -> Any:
        """Return a sum of terms in its one form, a residue if it is one."""
        self._work += len(terms)
        if self._work > _MAX_WORK:
            raise Refused("a formula of so many cases")
        kept: Terms = {}
        for key, c in terms.items():
            self.compared(c)
            if c.p:
                kept[key] = c
        if any(state == 0 for truths, _ in kept for _, state in truths):
            kept = self._without_zeros(kept)
        if not kept:
            return self.number(Fraction(0))
        if len(kept) == 1 and (_NO_TRUTHS, ()) in kept:
            return kept[_NO_TRUTHS, ()]
        if len(kept) > _MAX_TERMS:
            raise Refused("a formula of so many cases")
        return Polynomial(self, kept)

    def _without_zeros(self, terms: Terms) -> Terms:
        """Return terms without those that are multiples of what is zero there."""
        together: dict[Truths, Terms] = {}
        for (truths, powers), c in terms.items():
            together.setdefault(truths, {})[_NO_TRUTHS, powers] = c
        gone = {
            truths
            for truths, part in together.items()
            if any(state == 0 and self._is_multiple(part, k) for k, state in truths)
        }
        return {key: c for key, c in terms.items() if key[0] not in gone}

    def _is_multiple(self, part: Terms, k: int) -> bool:
        """Return whether a factor is a number times a power of what comparison `k` compares."""
        x, p = self.opaque(Polynomial(self, part)), self.field.p
        inverse = self._comparisons[k].inverse
        ratio = x.p
        for _ in range(3):
            ratio = ratio * inverse % p
            self.compared(x, 1 << 13)
            if small_rational(ratio, p) is not None:
                return True
        return False

    def product(self, first: Terms, second: Terms) -> Any:
        """Return the product of two sums of terms."""
        terms: Terms = {}
        rest: list[Any] = []
        self._work += len(first) * len(second)
        for (truths, powers), c in first.items():
            for (others, more), d in second.items():
                together = truths | others
                if len({k for k, _ in together}) < len(together):
                    continue  # positive and zero
                found, factors = self._multiplied(powers, more)
                key, product = (together, found), c * d
                if factors:
                    made: Any = self.polynomial({key: product})
                    for factor in factors:
                        made = factor * made
                    rest.append(made)
                else:
                    terms[key] = terms[key] + product if key in terms else product
        total = self.polynomial(terms)
        for x in rest:
            total = x + total
        return total

    def _multiplied(self, powers: Powers, more: Powers) -> tuple[Powers, list[Any]]:
        """Return a product of roots, and the arguments of those that are no roots any more."""
        if not powers or not more:
            return powers or more, []
        found, factors = dict(powers), []
        for k, n in more:
            total = found.pop(k, 0) + n
            root = self._roots[k]
            if total >= root.degree:
                factors.append(root.argument)
                total -= root.degree
            if total:
                found[k] = total
        return tuple(sorted(found.items())), factors

    def reciprocal(self, x: Any) -> Any:
        """Return the reciprocal of an element without truth values."""
        if isinstance(x, Residue):
            return x.inverse()
        if self.is_assumed_zero(self.opaque(x)):
            return self.undefined
        k = max([k for _, powers in x.terms for k, _ in powers])
        degree, argument, _ = self._roots[k]
        parts: list[Terms] = [{} for _ in range(degree)]
        for (_, powers), c in x.terms.items():
            rest = tuple([(j, n) for j, n in powers if j != k])
            parts[dict(powers).get(k, 0)][_NO_TRUTHS, rest] = c
        there = [i for i, part in enumerate(parts) if part]
        if len(there) == 1:
            (i,) = there
            raised = Polynomial(self, {(_NO_TRUTHS, ((k, degree - i),)): self.number(Fraction(1))})
            return raised * self.reciprocal(self.polynomial(parts[i]) * argument)
        if degree != 2:
            raise Refused("the reciprocal of a sum of roots")
        a, b = map(self.polynomial, parts)
        root = Polynomial(self, {(_NO_TRUTHS, ((k, 1),)): self.number(Fraction(1))})
        return (a - root * b) * self.reciprocal(a * a - b * b * argument)

    # -- cases -----------------------------------------------------------------------------------

    def by_cases(self, f: Callable[..., Any], *xs: Any) -> Any:
        """Return a function of elements, computed in each case of the truth values in them."""
        there = {k for x in xs if isinstance(x, Polynomial) for k in x.comparisons()}
        if len(there) > _MAX_CASES:
            raise Refused("a function of so many cases")
        return self._by_cases(f, xs, sorted(there))

    def _by_cases(self, f: Callable[..., Any], xs: Sequence[Any], left: Sequence[int]) -> Any:
        if not left:
            return f(*xs)
        k, *rest = left

        def case(positive: int, zero: int) -> Any:
            there = [x.where(k, positive, zero) if isinstance(x, Polynomial) else x for x in xs]
            return self._by_cases(f, there, rest)

        polynomials = [x for x in xs if isinstance(x, Polynomial)]
        has_ties = any((k, 0) in truths for x in polynomials for truths, _ in x.terms)
        states = (1, 0)[: 1 + has_ties]
        low, *others = found = [case(0, 0), *[case(state, 1 - state) for state in states]]
        undefined = [isinstance(x, Undefined) for x in found]
        if any(undefined):
            if all(undefined):
                return low
            raise Refused("a function that is not defined in a case")
        made = low
        for state, x in zip(states, others, strict=True):
            made = made + self._truth(k, state) * (x - low)
        return made

    def _truth(self, k: int, state: int) -> Polynomial:
        return Polynomial(self, {(frozenset([(k, state)]), ()): self.number(Fraction(1))})

    def opaque(self, x: Any) -> Residue:
        """Return an element without truth values as a residue, of which only sums are known."""
        if isinstance(x, Residue):
            return x
        field = self.field
        p = q = free = 0
        product = above = 1
        below = 0
        for (_, powers), c in x.terms.items():
            above = max(above + c.below, c.above + below + len(powers)) + 1
            below += c.below
            if powers:
                by = self._drawn(("roots", powers))
                p, q, free = p + c.p * by.p, q + c.q * by.q, free + c.q * by.q
            else:
                p, q, free, product = p + c.p, q + c.q, free + c.free, c.product
        made = Residue(self, p % field.p, q % field.q, above, below)
        made.free, made.product = free % field.q, product
        if all(c.sign > 0 for c in x.terms.values()):  # roots are not negative
            made.sign = 2 if any(not powers for _, powers in x.terms) else 1
        return made

    def known(self, x: Any) -> Fraction | None:
        """Return the number that an element is, if it is known or small, else None."""
        return super().known(x) if isinstance(x, Residue) else None

    def key_of(self, x: Any) -> Any:
        """Return what equal elements have in common."""
        return super().key_of(self.opaque(x) if isinstance(x, Polynomial) else x)

    def function(self, cls: Any, args: Sequence[Any], parity: int) -> Any:
        """Return a function of elements, in each case of the truth values in them."""
        flat = [x for arg in args for x in (arg if isinstance(arg, tuple) else (arg,))]
        if not any(isinstance(x, Polynomial) for x in flat):
            return super().function(cls, args, parity)

        def of(*values: Any) -> Any:
            given = iter([self.opaque(x) for x in values])
            taken = [
                tuple([next(given) for _ in arg]) if isinstance(arg, tuple) else next(given)
                for arg in args
            ]
            return super(Polynomials, self).function(cls, taken, parity)

        return self.by_cases(of, *flat)

    # -- roots and comparisons -------------------------------------------------------------------

    def root(self, x: Any, degree: int) -> Any:
        """Return a root of an element without truth values."""
        if isinstance(x, Residue):
            value = self.known(x)
            if value is not None:
                return self._root_of_number(value, degree)
            if degree == 2 and x.square_of is not None:
                base = x.square_of
                return base * (2 * base.is_positive() - 1)
            log = x.log() if x.factors else x.logarithm
            if isinstance(log, Residue) and log.product == 1 and x.sign == 2:
                return (log * self.number(Fraction(1, degree))).exp()
        residue, p = self.opaque(x), self.field.p
        for k, root in enumerate(self._roots[:_MAX_COMPARED]):
            if root.degree == degree:
                self.compared(residue, 1 << 13)
                ratio = small_rational(residue.p * pow(root.residue, -1, p) % p, p)
                if ratio is not None and ratio > 0:
                    return self._root_of_number(ratio, degree) * self._variable(k)
        return self._variable(self._new_root(degree, x, residue.p))

    def _new_root(self, degree: int, x: Any, residue: int) -> int:
        self._roots.append(_Root(degree, x, residue))
        return len(self._roots) - 1

    def _variable(self, k: int, power: int = 1) -> Polynomial:
        return Polynomial(self, {(_NO_TRUTHS, ((k, power),)): self.number(Fraction(1))})

    def _root_of_number(self, value: Fraction, degree: int) -> Any:
        if value < 0:
            raise Refused("a root of a negative number")
        if not value:
            return self.number(value)
        made: Any = self.number(Fraction(1))
        for n, power in factors_of(value):
            whole, part = divmod(power, degree)
            made = made * self.number(Fraction(n) ** whole)
            if part:
                key = ("root", degree, n)
                if key not in self._known_truths:
                    x = self.number(Fraction(n))
                    self._known_truths[key] = self._new_root(degree, x, x.p)
                made = self._variable(self._known_truths[key], part) * made
        return made

    def signs(self, x: Any) -> tuple[Any, Any]:
        """Return whether an element without truth values is positive, and whether it is zero."""
        residue = self.opaque(x)
        value = self.known(residue)
        one, zero = self.number(Fraction(1)), self.number(Fraction(0))
        if value is not None:
            return (one if value > 0 else zero), (zero if value else one)
        if abs(residue.sign) == 2:
            return (one if residue.sign > 0 else zero), zero
        k, sign = self._comparison(residue)
        if self._comparisons[k].residue in self.zeros:
            return zero, one
        positive, at_zero = self._truth(k, 1), self._truth(k, 0)
        if residue.sign:
            return (1 - at_zero if residue.sign > 0 else zero), at_zero
        return (positive if sign > 0 else 1 - positive - at_zero), at_zero

    def _comparison(self, x: Residue) -> tuple[int, int]:
        """Return the number of a comparison with zero, and the sign of what it compares."""
        p = self.field.p
        for k, (residue, inverse) in enumerate(self._comparisons[:_MAX_COMPARED]):
            if residue is not None:
                self.compared(x, 1 << 13)
                ratio = small_rational(x.p * inverse % p, p)
                if ratio:
                    return k, 1 if ratio > 0 else -1
        self._comparisons.append(_Comparison(x.p, pow(x.p, -1, p)))
        return len(self._comparisons) - 1, 1

    def truth(self, name: str, place: tuple[int, ...]) -> Any:
        """Return an element of a leaf of truth values."""
        key = ("truth", name, place)
        if key not in self._known_truths:
            self._known_truths[key] = len(self._comparisons)
            self._comparisons.append(_Comparison(None, 0))
        return self._truth(self._known_truths[key], 1)

    def ties(self, pairs: Mapping[int, tuple[Any, Any]]) -> dict[int, set[int]] | None:
        """Return on which ties of comparisons alone elements are not equal.

        Parameters
        ----------
        pairs : mapping
            Two elements for each place. What is not defined is equal to all.

        Returns
        -------
        dict or None
            The places of the elements, for the residue that is zero on the ties; None if some
            elements are not equal elsewhere.
        """
        found: dict[int, set[int]] = {}
        for place, (x, y) in pairs.items():
            rest = x - y
            if isinstance(rest, Polynomial):
                for truths, _ in rest.terms:
                    there = [k for k, state in truths if not state]
                    if not there:
                        return None
                    for k in there:
                        found.setdefault(self._comparisons[k].residue or 0, set()).add(place)
            elif isinstance(rest, Residue):
                self.compared(rest)
                if rest.p and not self.is_assumed_zero(rest):
                    return None
        return found
