"""Kinds of operations that several families have: base classes that derive rules of theirs.

`Elementwise` and `Linear`, which most operations are, stand in `symgrad.ops.primitive`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.broadcasting import zeros
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import BESIDE, Primitive

__all__ = ["Choosing", "Fixed", "OfResult", "Steady", "Tuned"]


class Choosing(Elementwise, abstract=True):
    """A function whose derivative lets a cotangent through or gives an exact zero.

    States `passed(i, t)`: what operand `i` contributes for `t`, which stands for the cotangent of
    the result in the pullback and for the operand's tangent in the pushforward.
    """

    poles: ClassVar[tuple[int, ...] | None] = ()

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        """Return `t` where operand `i` counts, zero elsewhere; None for zero everywhere."""
        raise NotImplementedError(f"{type(self).__name__} states no passed()")

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return [self.passed(i, ct) if need else None for i, need in enumerate(needs)]

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        total: ArrayExpr | None = None
        for i, t in enumerate(tangents):
            term = None if t is None else self.passed(i, t)
            if term is not None:
                total = term if total is None else total + term
        return total


class Tuned(Elementwise, abstract=True):
    """A function of one array and of numbers that tune it; states `weighed(t)`.

    The numbers are operands, so that programs in which they vary are one structure. They never
    decide the dtype, and have no derivative.
    """

    internal = True

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        return super().infer(args[0])

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        """Return `t` times the derivative."""
        raise NotImplementedError(f"{type(self).__name__} states no weighed()")

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (self.weighed(ct) if needs[0] else None, *[None] * len(needs[1:]))

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        t = tangents[0]
        return None if t is None else self.weighed(t)


class OfResult(Elementwise, abstract=True):
    """A function of `y = f(x)`, of which `x` says the digits that `y` has rounded away.

    The operands are `x` and `y`, of which the kernel reads `x`. As far as derivatives go it is a
    function of `y` alone, which is how PyTorch's read it: so whoever looks at the gradient of `y`
    sees what leads through it. Its values are those of `y = f(x)` only, so it is not among the
    primitives.
    """

    poles = ()
    arity = 2
    internal = True
    refuses: ClassVar[tuple[int, ...]] = (Category.COMPLEX,)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(abstract=True, **kwargs)
        BESIDE[cls.__name__] = cls

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, lambda: self.slope(x, y)

    def implementation(self) -> Any:
        return self.kernel, {}, self.operands[:1]

    def slope(self, x: ArrayExpr, y: ArrayExpr) -> Any:
        """Return the derivative with respect to `y`."""
        raise NotImplementedError(f"{type(self).__name__} states no slope()")


class Steady(Elementwise, abstract=True):
    """`y = f(x)`, given `x` and `y`: what is differentiated in the place of `f(x)`.

    States `slope`, the derivative that keeps the digits that a formula in `y` alone would lose. It
    never stands in a formula itself.
    """

    arity = 2
    internal = True
    slope: ClassVar[type[OfResult]]

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: self.slope.of(x, y), 0


class Fixed(Primitive, abstract=True):
    """An operation that is linear in its first operands; the others are indices."""

    #: How many operands it is linear in.
    linear: ClassVar[int] = 1

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        moved = list(zip(tangents, self.operands, strict=True))[: self.linear]
        if all(t is None for t, _ in moved):
            return None
        filled = [zeros(x.shape, x.dtype) if t is None else t for t, x in moved]
        return self.with_operands([*filled, *self.operands[self.linear :]])
