"""Values that are zero at some places by construction, and products with them.

Where `0 * inf` would be nan, the rewrites of derivatives push a factor to where the value is not
zero. Zeros may be nested, layer around layer: a chain of `relu`, or of writes over elements, has as
many as it is long. A product with such a value is masked once, by what all layers leave, so that
each product costs the same however deep the nest is, and nothing recurses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.expr.node import ArrayExpr, Const, is_const
from symgrad.ops.broadcasting import broadcast_to, is_zeros
from symgrad.ops.gathering import scatter
from symgrad.ops.indexing import index_put
from symgrad.ops.logic import logical_not
from symgrad.ops.masks import intersection
from symgrad.ops.slicing import updated
from symgrad.ops.triangular import diagonal_scatter, tril, triu
from symgrad.ops.where import where

__all__ = ["LAYERS", "is_deep", "outside", "within_layers"]

#: Operations that put zeros over some places of a value. `masked` is none: it has the derivative 1
#: outside its mask, where that of a value under zeros vanishes.
LAYERS = frozenset((where, tril, triu, updated, index_put, diagonal_scatter, scatter))

#: So many layers are gone through one by one, which gives the smaller formulas.
_FEW = 3


def outside(x: Any) -> tuple[Any, Callable[..., Any]] | None:
    """Return the other values of `x` where some of it is zero by construction, or None.

    Also what writes zeros, or another number, over other values at the same places.
    """
    kind = type(x)
    if kind is tril or kind is triu:
        diagonal_ = x.diagonal
        return x.operands[0], lambda v, zero=_ZERO: kind.of(v, diagonal_)
    if kind is updated and is_zeros(x.operands[1]):
        key = x.key
        return x.operands[0], lambda v, zero=_ZERO: updated.of(v, zero, key)
    if kind is index_put and is_zeros(x.operands[1]) and not x.accumulate:
        rest = (*x.operands[2:], *x.param_values)
        return x.operands[0], lambda v, zero=_ZERO: index_put.of(v, zero, *rest)
    if kind is diagonal_scatter and is_zeros(x.operands[1]):
        rest = x.param_values
        return x.operands[0], lambda v, zero=_ZERO: diagonal_scatter.of(v, zero, *rest)
    if kind is scatter and is_zeros(x.operands[1]):
        indices, axis = x.operands[2], x.axis
        return x.operands[0], lambda v, zero=_ZERO: scatter.of(v, zero, indices, axis)
    return None


_ZERO = Const(0)
_FALSE = Const(False)


def _layer(x: Any) -> tuple[Any, Callable[[Any], Any]] | None:
    """Return what the outermost layer of zeros lies around, and what it does to a mask; or None.

    A mask that is None is everywhere.
    """
    kind = type(x)
    if kind not in LAYERS:
        return None
    if kind is where:
        condition, p, q = x.operands
        if is_const(q, 0):
            return p, lambda mask: intersection(condition, mask)
        if is_const(p, 0):
            return q, lambda mask: intersection(logical_not.of(condition), mask)
        return None
    found = outside(x)
    if found is None:
        return None
    value, write = found

    def over(mask: Any) -> Any:
        everywhere = Const(True) if mask is None else mask
        return write(broadcast_to.of(everywhere, value.shape), _FALSE)

    return value, over


def is_deep(x: Any) -> bool:
    """Return whether there are more layers of zeros around a value than are gone through singly."""
    for _ in range(_FEW):
        layer = _layer(x)
        if layer is None:
            return False
        x = layer[0]
    return _layer(x) is not None


def within_layers(x: Any, compute: Callable[[Any], Any]) -> ArrayExpr:
    """Return `x` with `compute`, which keeps zeros, done on what its layers of zeros lie around.

    The result is masked as a whole, by what all layers leave.
    """
    layers = []
    layer = _layer(x)
    while layer is not None:
        x, over = layer
        layers.append(over)
        layer = _layer(x)
    mask = None
    for over in reversed(layers):
        mask = over(mask)
    found = compute(x)
    return where.of(mask, found, _ZERO)
