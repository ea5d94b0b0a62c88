"""Gradients of lengths, whose own derivatives where the length is 0 are those of smooth functions.

The gradient of `g(|x|)` is `c * x / n` with the length n and its cotangent `c = g'(n)`. At n = 0 it
is 0, the subgradient of least norm. A formula that sees `x / n` alone gives 0 for its derivative
there, too, where it is the limit of `c / n`: the derivative of c by n, if c vanishes with n. The
node `radial` stands for the product, and knows c, the length, and the node y by which c depends on
the length. Whoever differentiates it multiplies by t: the derivative by x at n = 0 is that of
`t * c` by the length, since in reverse mode over forward mode c is the tangent, and t what vanishes.

A length alone has the second derivative 0 at 0. At a kink, where c does not vanish, the derivative is
that of c, which is the second derivative on both sides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from symgrad.expr.atoms import Const, is_const
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence, cases
from symgrad.expr.shapes import Shape
from symgrad.ops import transforms
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.comparison import ne
from symgrad.ops.composite import Composite
from symgrad.ops.deriving import deriving
from symgrad.ops.elementwise import batched_alike
from symgrad.ops.identity import forward_value
from symgrad.ops.kinds import Beside
from symgrad.ops.primitive import Computation, Cotangents
from symgrad.ops.where import where
from symgrad.ops.zeros import Zeros


def along(
    cls: type[radial],
    plain: Callable[[], ArrayExpr],
    c: ArrayExpr,
    unit: Callable[[], ArrayExpr],
    x: ArrayExpr,
    n: ArrayExpr,
    y: ArrayExpr,
    length: ArrayExpr | None = None,
) -> ArrayExpr:
    """Return the cotangent of `x` for the cotangent `c` of its length, or a tangent.

    Where it is not differentiated again, that is `plain()`, else a `radial` of the same value; the
    other parameters are its operands, and `length` has the digits of n where these are few.
    """
    if not deriving.again:
        return plain()
    return cls.of(c, ne.of(n if length is None else length, 0), unit(), x, n, y)


def conjugate(x: ArrayExpr) -> ArrayExpr:
    """Return the conjugate of a complex array, and a real one as it is."""
    return x.conj() if x.dtype.is_complex else x


def added(x: ArrayExpr | None, y: ArrayExpr | None) -> ArrayExpr | None:
    """Return a sum, where None stands for zero."""
    return y if x is None else x if y is None else x + y


_ODOT = Latex(r"{0} \odot {2}", Precedence.ODOT, (Precedence.ODOT, 0, Precedence.ODOT + 1))


class _OfLength(Beside):
    """A function of each element, whose last operand is the node of a length."""

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        *aligned, y = operands
        return self.of(*batched_alike(len(self.shape), size, aligned, batched[:-1]), y)


class radial(_OfLength, Composite):
    """`c * unit`, 0 where the length n is 0: the cotangent of `x` for the cotangent c of its length.

    `there` is the condition that n is not 0, and y the node by which c depends on the length: n,
    or what n was reshaped from.
    """

    decisive = 5
    unreached: ClassVar[tuple[int, ...]] = (1, 4, 5)
    keeps = (3, 4, 5)  # a derivative by the cotangent that may be differentiated again reads them
    keeps_zeros = Zeros.WITHIN
    needs_factors = True
    printed = cases(
        "where({1}, {0} * {2}, 0)",
        r"{0} \, {2}",
        "{1}",
        "0",
        (Precedence.PRODUCT, 0, Precedence.PRODUCT + 1),
        ((0, 2), r"{0} \odot {2}"),
    )
    _of_one = cases("where({1}, {2}, 0)", "{2}", "{1}", "0")

    def notation(self) -> Notation:
        if not is_const(self.operands[0], 1):
            return self.printed
        return self._of_one

    @classmethod
    def composed(cls, c: Any, there: Any, unit: Any, x: Any, n: Any, y: Any) -> Any:
        return where.of(there, c * unit, 0)

    def as_choice(self) -> ArrayExpr:
        choice: ArrayExpr = self.composed(*self.operands)
        return choice

    def masked(self, x: ArrayExpr) -> ArrayExpr:
        """Return `x`, and 0 where the length is 0."""
        _, there, *_ = self.operands
        return where.of(there, x, 0)

    def at_zero(self) -> ArrayExpr:
        """Return the cotangent whose derivative by the length is that by `x` where n is 0."""
        return self.operands[0]

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        parts = self._pulled_back(self.masked(ct))
        if needs[0] and deriving.again:
            _, there, unit, x, n, y = self.operands
            parts[0] = self.of(ct, there, conjugate(unit), conjugate(x), n, y)
        if needs[3]:
            parts[3] = added(parts[3], self._limit(conjugate(self.at_zero()), ct))
        return parts

    def _pulled_back(self, ct: ArrayExpr) -> list[ArrayExpr | None]:
        """Return the cotangents of the formula, as if it were no length."""
        c, _, unit, *_ = self.operands
        return [ct * conjugate(unit), None, ct * conjugate(c), None, None, None]

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        total = None
        if tangents[0] is not None and deriving.again:
            total = self.of(tangents[0], *self.operands[1:])
            tangents = [None, *tangents[1:]]
        moved = self._pushed(tangents)
        total = added(total, None if moved is None else self.masked(moved))
        if tangents[3] is not None:
            found = self.limit()
            total = added(total, None if found is None else found * tangents[3])
        return total

    def _pushed(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        """Return the tangent of the formula, as if it were no length."""
        c, _, unit, *_ = self.operands
        by_c, _, by_unit, *_ = tangents
        moved = None if by_c is None else by_c * unit
        return added(moved, None if by_unit is None else c * by_unit)

    def limit(self) -> ArrayExpr | None:
        """Return the derivative by `x` that stands where the length is 0, elsewhere 0."""
        return self._limit(self.at_zero(), None)

    def _limit(self, c: ArrayExpr, t: ArrayExpr | None) -> ArrayExpr | None:
        """Return the derivative of `c * t` by the length, where that is 0."""
        _, there, *_, y = self.operands
        slope = transforms.slope.call(c, self)
        if t is not None:
            # Each factor alone shows better than the product whether lengths meet in it.
            of_t = transforms.slope.call(t, self)
            unknown = _is_unknown(slope) or _is_unknown(of_t)
            slope = added(None if slope is None else slope * t, None if of_t is None else c * of_t)
            if unknown and slope is not None:  # not times a factor, whose cotangent may be 0
                slope = Const(math.nan, slope.dtype).broadcast_to(slope.shape)
        if slope is None:
            return None
        here = there.logical_not()
        return limit.of(slope, here, y) if deriving.again else where.of(here, slope, 0)


def _is_unknown(slope: ArrayExpr | None) -> bool:
    """Return whether a slope is nan, which stands for one that a part of a graph does not show."""
    x = slope.operands[0] if type(slope) is broadcast_to else slope
    return type(x) is Const and x.value != x.value


class radial_sign(radial):
    """`c * sgn(x)`, the same of the modulus of numbers."""

    keeps_zeros = Zeros.FIRST
    printed = Notation(
        "{0} * {2}",
        r"{0} \, {2}",
        Precedence.PRODUCT,
        (Precedence.PRODUCT, 0, Precedence.PRODUCT + 1),
        of_arrays=(((0, 2), _ODOT),),
    )

    def notation(self) -> Notation:
        if is_const(self.operands[0], 1):
            return Notation("{2}", "{2}", Precedence.ATOM, (0, 0, Precedence.ATOM))
        return self.printed

    @classmethod
    def composed(cls, c: Any, there: Any, unit: Any, x: Any, n: Any, y: Any) -> Any:
        return c * unit

    def masked(self, x: ArrayExpr) -> ArrayExpr:
        return x


class radial_share(radial):
    """`c / (free * n) * x`, 0 where n is 0: the same of the length n of `x / sqrt(free)`."""

    unreached = (1, 5)
    printed = cases(
        "where({1}, {0} / ({2} * {4}) * {3}, 0)",
        r"\frac{{{0}}}{{{2} \, {4}}} \, {3}",
        "{1}",
        "0",
        (Precedence.PRODUCT, 0, Precedence.PRODUCT, Precedence.PRODUCT + 1, Precedence.PRODUCT + 1),
        ((4,), r"{0} \oslash \left({2} \odot {4}\right) \odot {3}"),
    )

    def notation(self) -> Notation:
        return self.printed

    @classmethod
    def composed(cls, c: Any, there: Any, free: Any, x: Any, n: Any, y: Any) -> Any:
        # A sum over the elements of x may lose the mask before it is divided.
        return where.of(there, c / (free * where.of(there, n, 1)) * x, 0)

    def at_zero(self) -> ArrayExpr:
        c, _, free, *_ = self.operands
        return c / free

    def _shared(self) -> tuple[ArrayExpr, ArrayExpr, ArrayExpr]:
        """Return the length, 1 where it is 0, what c is divided by, and the quotient."""
        c, there, free, _, n, _ = self.operands
        length = where.of(there, n, 1)
        return length, free * length, c / (free * length)

    def _pulled_back(self, ct: ArrayExpr) -> list[ArrayExpr | None]:
        _, _, free, x, *_ = self.operands
        length, divisor, share = self._shared()
        of_share = (ct * conjugate(x)).sum_to(share.shape)
        of_divisor = of_share * -(share / divisor)
        by_n = self.masked(of_divisor * free)
        return [of_share / divisor, None, of_divisor * length, ct * share, by_n, None]

    def _pushed(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        _, _, free, x, *_ = self.operands
        by_c, _, by_free, by_x, by_n, _ = tangents
        length, divisor, share = self._shared()
        moved = None if by_free is None else by_free * length
        moved = added(moved, None if by_n is None else self.masked(free * by_n))
        moved = None if moved is None else -(share / divisor) * moved
        moved = added(moved, None if by_c is None else by_c / divisor)
        return added(None if moved is None else moved * x, None if by_x is None else share * by_x)


class limit(_OfLength, Composite):
    """The derivative of a cotangent by the length y where a length is 0, elsewhere 0.

    It is what `c / n` tends to, and so are its first derivatives. The second ones are not those of
    the gradient, of which the directions have a part: they are nan.
    """

    decisive = 2
    unreached = (1, 2)
    keeps_zeros = Zeros.WITHIN
    printed = cases("where({1}, {0}, 0)", "{0}", "{1}", "0")

    @classmethod
    def composed(cls, slope: Any, here: Any, y: Any) -> Any:
        return where.of(here, slope, 0)

    def as_choice(self) -> ArrayExpr:
        choice: ArrayExpr = self.composed(*self.operands)
        return choice

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return self._once(ct), None, None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return None if tangents[0] is None else self._once(tangents[0])

    def _once(self, t: ArrayExpr) -> ArrayExpr:
        _, here, y = self.operands
        t = where.of(here, t, 0)
        return differentiated_once.of(t, here, y) if deriving.again else t


class _Same(Beside):
    """The first operand, with derivatives of its own."""

    poles = ()
    kernel = forward_value.kernel
    printed = Notation("{0}", "{0}", Precedence.ATOM, (Precedence.ATOM,))

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        return args[0].shape, args[0].dtype

    def implementation(self) -> Computation:
        return self.kernel, {}, self.operands[:1]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return self.of(*batched_alike(len(self.shape), size, operands, batched))


class differentiated_once(_OfLength, _Same):
    """`x`, whose derivative by the length y is nan where `here` holds."""

    decisive = 2
    unreached = (1, 2)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return ct, None, None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        _, here, _ = self.operands
        by_x, _, by_y = tangents
        if by_y is None:
            return by_x
        return added(by_x, where.of(here, np.nan, 0).to(self.dtype))


class known_here(_Same):
    """`x`, whose derivative is nan where several lengths are 0.

    There it was found by numbers that lengths of 0 add nothing to each other, or what they add.
    """

    unreached = (1,)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return self._unknown(ct), None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return None if tangents[0] is None else self._unknown(tangents[0])

    def _unknown(self, t: ArrayExpr) -> ArrayExpr:
        _, several = self.operands
        # What a mask leaves out is not asked for; a factor leaves the mask in sight.
        factor: ArrayExpr = where.of(several.logical_and(t.ne(0)), np.nan, 1.0)
        product: ArrayExpr = t * factor.to(t.dtype)
        return product


class sloped(_Same):
    """`radial`, with what its derivative by `x` is beside that of its other operands.

    A tangent that is computed beside each operation, of arrays, knows of no formula of the cotangent.
    """

    keeps_zeros = Zeros.FIRST
    unreached = (1, 2)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return ct, None, None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        _, slope, _ = self.operands
        by_radial, _, by_x = tangents
        return added(by_radial, None if by_x is None else slope * by_x)
