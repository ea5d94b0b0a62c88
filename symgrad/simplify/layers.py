"""Values that are zero at some places by construction, and products with them.

Where `0 * inf` would be nan, the rewrites of derivatives push a factor to where the value is not
zero. Zeros may be nested, layer around layer: a chain of `relu`, or of writes over elements, has as
many as it is long. Rewrites go through a few of them; a product with what lies deeper is masked
once, by its support (`symgrad.simplify.masks`), so that each costs the same, and nothing recurses.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.expr.node import Const, is_const
from symgrad.ops.arithmetic import mul, neg
from symgrad.ops.broadcasting import broadcast_to, is_zeros, sum_to, zeros
from symgrad.ops.gathering import gather, scatter, scatter_add
from symgrad.ops.indexing import index, index_put
from symgrad.ops.masks import masked, note
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
    "is_nothing",
    "outside",
]

#: Operations that put values elsewhere, each undone by its transpose.
MOVES = frozenset((reshape, permute, flip, roll))

#: What rewrites go through beside them.
_GONE_THROUGH = MOVES | {broadcast_to, neg, part, sum_to}

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
        if is_zeros(base) and value.shape in ((), indices.shape):
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
        diagonal_ = x.offset
        return x.operands[0], lambda v: kind.of(v, diagonal_)
    if kind is updated and is_zeros(x.operands[1]):
        key = x.key
        return x.operands[0], lambda v: updated.of(v, Const(0), key)
    if kind is index_put and is_zeros(x.operands[1]) and not x.accumulate:
        rest = (*x.operands[2:], *x.param_values)
        return x.operands[0], lambda v: index_put.of(v, Const(0), *rest)
    if kind is diagonal_scatter and is_zeros(x.operands[1]):
        rest = x.param_values
        return x.operands[0], lambda v: diagonal_scatter.of(v, Const(0), *rest)
    if kind is scatter and is_zeros(x.operands[1]):
        indices, axis = x.operands[2], x.axis
        return x.operands[0], lambda v: scatter.of(v, Const(0), indices, axis)
    return None


def is_nothing(x: Any) -> bool:
    """Return whether all of a value is zero that a mask or an index has let through.

    Which part was left out cannot be told any more, and so a product with it is zero as a whole.
    """
    kind = type(x)
    if kind is where:
        return is_zeros(x.operands[1]) and is_zeros(x.operands[2])
    if kind in (updated, index_put, scatter, scatter_add, diagonal_scatter):
        return is_zeros(x.operands[0]) and is_zeros(x.operands[1])
    return kind in (diag_embed, tril, triu) and is_zeros(x.operands[0])


def is_deep(x: Any) -> bool:
    """Return whether more lies around a value than rewrites go through, one after the other.

    Layers of zeros are few before a product is masked as a whole, which is as good; what was moved
    between them, or taken from among zeros, is gone through for longer.
    """
    layers = 0
    for _ in range(_SOME + 1):
        inner = _masked_out(x)
        if inner is not None:
            layers += 1
            if layers > _FEW:
                return True
        else:
            inner = _moved(x)
            if inner is None:
                return False
        x = inner
    return True


def _masked_out(x: Any) -> Any:
    """Return the value that a layer of zeros lies over, or None."""
    if type(x) is where:
        _, p, q = x.operands
        return p if is_const(q, 0) else q if is_const(p, 0) else None
    found = outside(x)
    return None if found is None else found[0]


def _moved(x: Any) -> Any:
    """Return the value that was moved, scaled, put among zeros or noted to be masked, or None."""
    kind = type(x)
    if kind in _GONE_THROUGH or (kind is masked and not note(x)):
        return x.operands[0]
    if kind is mul:
        a, b = x.operands
        return b if type(a) is Const else a if type(b) is Const else None
    found = inside(x)
    return None if found is None else found[0]
