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
from symgrad.ops.broadcasting import broadcast_to, is_zeros, zeros
from symgrad.ops.gathering import gather, scatter, scatter_add
from symgrad.ops.indexing import index, index_put
from symgrad.ops.logic import logical_not
from symgrad.ops.masks import intersection, masked, note
from symgrad.ops.permuting import permute
from symgrad.ops.rearranging import flip, roll
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import part, updated
from symgrad.ops.triangular import diag_embed, diagonal, diagonal_scatter, tril, triu
from symgrad.ops.where import where

__all__ = [
    "MOVES",
    "inside",
    "is_deep",
    "is_far_inside",
    "masked_as_a_whole",
    "outside",
    "within_layers",
]

#: Operations that put zeros over some places of a value. `masked` is none: it has the derivative 1
#: outside its mask, where that of a value under zeros vanishes.
_LAYERS = frozenset((where, tril, triu, updated, index_put, diagonal_scatter, scatter))

#: Operations that put values elsewhere, each undone by its transpose.
MOVES = frozenset((reshape, permute, flip, roll))

#: So many layers are gone through one by one, which gives the smaller formulas.
_FEW = 3

#: So many moves and layers together.
_SOME = 12


def inside(x: Any) -> tuple[Any, Callable[[Any], Any], Callable[[Any], Any]] | None:
    """Return the inner value of `x` where the rest of it is zero by construction.

    Also what reads other arrays at the same places, and what puts a new inner value there. None
    where `x` is not of this kind.
    """
    kind = type(x)
    if kind is updated:
        base, value = x.operands
        key = x.key
        if is_zeros(base) and value.shape == part.infer(x, key)[0]:
            return (
                value,
                lambda b: part.of(b, key),
                lambda v: updated.of(zeros(x.shape, v.dtype), v, key),
            )
    elif kind is index_put:
        base, value, *indices = x.operands
        spec, counts, adds = x.param_values
        if is_zeros(base):
            return (
                value,
                lambda b: index.of(b, *indices, spec, counts),
                lambda v: index_put.of(zeros(x.shape, v.dtype), v, *indices, spec, counts, adds),
            )
    elif kind is scatter_add or kind is scatter:
        base, value, indices = x.operands
        axis = x.axis
        if is_zeros(base) and value.shape == indices.shape:
            return (
                value,
                lambda b: gather.of(b, indices, axis),
                lambda v: kind.of(zeros(x.shape, v.dtype), v, indices, axis),
            )
    elif kind is diag_embed:
        shape, *rest = x.param_values
        return (
            x.operands[0],
            lambda b: diagonal.of(b, *rest),
            lambda v: diag_embed.of(v, shape, *rest),
        )
    return None


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
_TRUE = Const(True)


def _layer(x: Any) -> tuple[Any, Callable[[Any], Any]] | None:
    """Return what the outermost layer of zeros lies around, and what it does to a mask; or None.

    A mask that is None is everywhere.
    """
    kind = type(x)
    if kind not in _LAYERS:
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
        everywhere = _TRUE if mask is None else mask
        return write(broadcast_to.of(everywhere, value.shape), _FALSE)

    return value, over


def _shift(x: Any) -> tuple[Any, Callable[[Any], Any]] | None:
    """Return the same as `_layer` of what moves a value, or puts it among zeros."""
    kind = type(x)
    if kind in MOVES:
        params = x.param_values
        return x.operands[0], lambda mask: None if mask is None else kind.of(mask, *params)
    found = inside(x)
    if found is None:
        return None
    value, _, write = found
    return value, lambda mask: write(broadcast_to.of(_TRUE if mask is None else mask, value.shape))


def is_deep(x: Any) -> bool:
    """Return whether there are more layers of zeros around a value than are gone through singly."""
    return _exceeds(x, _FEW, _layer)


def is_far_inside(x: Any) -> bool:
    """Return whether a value was moved and put among zeros more often than is gone through."""
    return _exceeds(x, _SOME, _around)


def _exceeds(x: Any, most: int, layer_of: Callable[[Any], Any]) -> bool:
    for _ in range(most + 1):
        layer = layer_of(x)
        if layer is None:
            return False
        x = layer[0]
    return True


def _around(x: Any) -> tuple[Any, Callable[[Any], Any]] | None:
    if type(x) is masked and not note(x):
        value, condition = x.operands
        return value, lambda mask: intersection(condition, mask)
    return _layer(x) or _shift(x)


def within_layers(x: Any, compute: Callable[[Any], Any]) -> ArrayExpr:
    """Return `x` with `compute`, which keeps zeros, done on what its layers of zeros lie around.

    The result is masked as a whole, by what all layers leave.
    """
    inner, mask = _gone_through(x, _layer)
    return where.of(mask, compute(inner), _ZERO)


def masked_as_a_whole(product: ArrayExpr, x: Any) -> ArrayExpr:
    """Return a product with `x`, zero where all that lies around some value in `x` leaves zeros."""
    _, mask = _gone_through(x, _around)
    return product if mask is None else masked.of(product, mask)


def _gone_through(
    x: Any, layer_of: Callable[[Any], tuple[Any, Callable[[Any], Any]] | None]
) -> tuple[Any, Any]:
    """Return what lies inside of all layers, and where they leave it."""
    layers = []
    layer = layer_of(x)
    while layer is not None:
        x, over = layer
        layers.append(over)
        layer = layer_of(x)
    mask = None
    for over in reversed(layers):
        mask = over(mask)
    return x, mask
