"""Kinds of operations that several families have: base classes that derive rules of theirs.

`Elementwise` and `Linear`, which most operations are, stand in `symgrad.primitive`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.broadcasting import zeros
from symgrad.primitive import Elementwise, Primitive

__all__ = ["Choosing", "Fixed", "Tuned"]


class Choosing(Elementwise, abstract=True):
    """A function whose derivative lets a cotangent through or gives an exact zero.

    States `passed(i, t)`: what operand `i` contributes for `t`, which stands for the cotangent of
    the result in the pullback and for the operand's tangent in the pushforward.
    """

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
