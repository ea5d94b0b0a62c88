"""Products with masked factors, whatever the other factor is where the mask does not hold.

Tried after the rewrites that push a factor to where it is masked, which give smaller formulas.
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.node import ArrayExpr, Const
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.indexing import index_put
from symgrad.ops.masks import MaskedFactor, masked, masked_div, masked_mul, support, unmasked
from symgrad.ops.movement import cast
from symgrad.simplify import rewrites

# What may be a masked term, or a sum of masked terms; `where` has rules of its own above.
_MASKED = frozenset((add, sub, neg, cast, masked, masked_mul, masked_div, index_put))


def _masked_factor(x: Any, other: Any) -> tuple[ArrayExpr, ArrayExpr] | None:
    """Return the mask and the value of a factor that is masked as a whole."""
    cls = type(x)
    if cls not in _MASKED or isinstance(other, Const):
        return None
    if x.shape != broadcast_shapes(x.shape, other.shape):
        return None
    if issubclass(cls, MaskedFactor):  # one mask does for all factors
        condition, a, b = x.operands
        return condition, (mul if cls is masked_mul else div)(a, b)
    mask = support(x)
    return None if mask is None else (mask, unmasked(x))


@rewrites(mul, among=_MASKED, derivatives=True)
def _mul_masked_value(x: Any, y: Any) -> ArrayExpr | None:
    # What was saved is a number inside its mask; a formula may be nan there, outside the other's.
    pairs = ((y, x), (x, y)) if type(y) is masked else ((x, y), (y, x))
    for a, b in pairs:
        found = _masked_factor(a, b)
        if found is not None:
            return masked_mul.of(*found, b)
    return None


@rewrites(div, among=_MASKED, derivatives=True)
def _div_masked_value(x: Any, y: Any) -> ArrayExpr | None:
    found = _masked_factor(x, y)
    return None if found is None else masked_div.of(*found, y)
