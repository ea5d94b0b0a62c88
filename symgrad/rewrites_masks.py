"""Products with masked factors, whatever the other factor is where the mask does not hold.

Tried after the rewrites that push a factor to where it is masked, which give smaller formulas.
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.node import ArrayExpr, Const
from symgrad.ops.arithmetic import div, mul
from symgrad.ops.masks import CARRYING, intersection, masked, support, unmasked
from symgrad.simplify import rewrites


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


@rewrites(mul, among=CARRYING)
def _mul_masked_value(x: Any, y: Any) -> ArrayExpr | None:
    in_x, in_y = _mask(x, y), _mask(y, x)
    if in_x is in_y is None:
        return None
    mask = intersection(in_x, in_y)
    return masked.of(mul(unmasked(x), unmasked(y)), mask)


@rewrites(div, among=CARRYING)
def _div_masked_value(x: Any, y: Any) -> ArrayExpr | None:
    mask = _mask(x, y)
    return None if mask is None else masked.of(div(unmasked(x), y), mask)
