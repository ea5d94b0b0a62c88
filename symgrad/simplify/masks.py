"""Products with masked factors, whatever the other factor is where the mask does not hold.

Tried after the rewrites that push a factor to where it is masked, which give smaller formulas.
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import bool_, dtype
from symgrad.expr.node import ArrayExpr, Const, Leaf
from symgrad.expr.shapes import Shape
from symgrad.ops.arithmetic import div, mul
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.masks import CARRYING, intersection, is_nothing, masked, support, unmasked
from symgrad.ops.where import where
from symgrad.simplify.rewrite import rewrite

__all__ = ["divide_masked", "multiply_masked"]

_X, _Y = Leaf("x", (3, 3)), Leaf("y", (3, 3))
_MASKED = where(Leaf("m", (3,), bool_), Leaf("v", (3,)), 0)


def _mask(x: Any, other: Any) -> ArrayExpr | None:
    """Return the mask of a factor; None for one that is not masked, or if the other is a number."""
    cls = type(x)
    if cls is mul or cls is div:
        a, b = x.operands
        if not (a.weak or b.weak or type(a) is Const or type(b) is Const):
            return None  # with a mask it would be masked since it was made
    elif cls not in CARRYING:
        return None
    return None if other.weak or type(other) is Const else support(x)


def _nothing(x: Any, other: Any, shape: Shape, kind: dtype) -> ArrayExpr | None:
    """Return a factor for the product if masks leave nothing of it; else None."""
    if type(x) not in CARRYING or other.weak or type(other) is Const or not is_nothing(x):
        return None
    return broadcast_to.of(x, shape) if x.dtype is kind else None


@rewrite(
    mul, among=CARRYING, samples=lambda: [masked(_X, Leaf("m", (3, 3), bool_)) * _Y, _MASKED * _Y]
)
def multiply_masked(x: Any, y: Any) -> ArrayExpr | None:
    """A product is zero outside the support of its factors, whatever the other factors are."""
    shape, kind = mul.infer(x, y)
    for a, b in ((x, y), (y, x)):
        nothing = _nothing(a, b, shape, kind)
        if nothing is not None:
            return nothing
    in_x, in_y = _mask(x, y), _mask(y, x)
    if in_x is in_y is None:
        return None
    mask = intersection(in_x, in_y)
    return masked.of(mul(unmasked(x), unmasked(y)), mask)


@rewrite(
    div, among=CARRYING, samples=lambda: [masked(_X, Leaf("m", (3, 3), bool_)) / _Y, _MASKED / _Y]
)
def divide_masked(x: Any, y: Any) -> ArrayExpr | None:
    """A quotient is zero outside the support of its dividend, whatever the divisor is."""
    nothing = _nothing(x, y, *div.infer(x, y))
    if nothing is not None:
        return nothing
    mask = _mask(x, y)
    return None if mask is None else masked.of(div(unmasked(x), y), mask)
