"""Products with masked factors, whatever the other factor is where the mask does not hold.

Tried after the rewrites that push a factor to where it is masked, which give smaller formulas.
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.node import ArrayExpr, Const
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.casting import cast
from symgrad.ops.indexing import index_put
from symgrad.ops.masks import intersection, masked, note, support, unmasked
from symgrad.simplify import rewrites

# What may be a masked term, or a sum of masked terms; `where` has rules of its own above.
_MASKED = frozenset((add, sub, neg, cast, masked, index_put))


def _factor(x: Any, other: Any) -> tuple[ArrayExpr | None, ArrayExpr]:
    """Return the mask of a factor and what it is without; None for one that is not masked.

    What is masked by a note alone stays as it is: a value of the forward pass is a number.
    """
    if type(x) not in _MASKED or isinstance(other, Const):
        return None, x
    if x.shape != broadcast_shapes(x.shape, other.shape):
        return None, x
    mask = support(x)
    return mask, x if mask is None or note(x) else unmasked(x)


@rewrites(mul, among=_MASKED, derivatives=True)
def _mul_masked_value(x: Any, y: Any) -> ArrayExpr | None:
    in_x, bare_x = _factor(x, y)
    in_y, bare_y = _factor(y, x)
    mask = intersection(in_x, in_y)
    return None if mask is None else masked.of(mul(bare_x, bare_y), mask)


@rewrites(div, among=_MASKED, derivatives=True)
def _div_masked_value(x: Any, y: Any) -> ArrayExpr | None:
    mask, bare = _factor(x, y)
    return None if mask is None else masked.of(div(bare, y), mask)
