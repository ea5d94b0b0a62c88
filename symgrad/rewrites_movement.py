"""The safe rewrites of operations that move data (see `symgrad.simplify` for what is allowed).

Most serve one end: a factor never meets the zeros that an operation's transpose fills in. Where
the derivative of `sqrt` is infinite at an element that an index left out, 0 * inf would be nan; so
factors are pushed inside, as they are into `where`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.expr.node import ArrayConst, ArrayExpr
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.arithmetic import add, div, mul, neg
from symgrad.ops.broadcasting import broadcast_to, is_zeros
from symgrad.ops.casting import cast
from symgrad.ops.gathering import (
    index_add,
    index_copy,
    index_fill,
    index_fill_tensor,
    index_select,
    masked_scatter,
    masked_select,
    scatter,
    scatter_add,
    scatter_number,
)
from symgrad.ops.identity import alias, clone, contiguous
from symgrad.ops.indexing import index, index_put
from symgrad.ops.permuting import permute, t, transpose
from symgrad.ops.rearranging import flip, reflection_pad, replication_pad, roll
from symgrad.ops.reshaping import (
    reshape,
    reshape_alias,
    squeeze,
    squeeze_axes,
    squeeze_axis,
    unsafe_view,
    unsqueeze,
)
from symgrad.ops.slicing import (
    part,
    select,
    select_scatter,
    split,
    split_with_sizes,
    unbind,
    updated,
)
from symgrad.ops.strided import narrow_copy
from symgrad.ops.triangular import (
    diag_embed,
    diagonal,
    diagonal_copy,
    diagonal_scatter,
    tril,
    triu,
)
from symgrad.ops.where import where
from symgrad.primitive import Primitive
from symgrad.simplify import rewrites
from symgrad.zero_places import (
    MOVES,
    inside,
    is_deep,
    is_nothing,
    outside,
)

__all__: list[str] = []


def _as_plain(plain: type[Primitive]) -> Callable[..., ArrayExpr]:
    def rule(*args: Any) -> ArrayExpr:
        return plain.of(*args)

    return rule


# PyTorch's names for one operation belong to the tape; formulas have one name for it.
for _plain, _named in {
    reshape: (reshape_alias, squeeze, squeeze_axis, squeeze_axes, unsqueeze),
    permute: (transpose, t),
    part: (select, split, split_with_sizes, unbind),
    updated: (select_scatter,),
    index: (index_select, masked_select, reflection_pad, replication_pad),
    index_put: (index_add, index_copy, index_fill, index_fill_tensor, masked_scatter),
    scatter: (scatter_number,),
}.items():
    rewrites(*_named, values=True)(_as_plain(_plain))
for _plain, _copied in {reshape: unsafe_view, part: narrow_copy, diagonal: diagonal_copy}.items():
    rewrites(_copied)(_as_plain(_plain))  # what is read from a copy may be summed in another order


@rewrites(alias, values=True)
@rewrites(clone, contiguous)
def _identity(x: Any) -> ArrayExpr:
    return x  # type: ignore[no-any-return]


@rewrites(part)
def _part_simple(x: Any, key: Any) -> ArrayExpr | None:
    key = tuple(key)
    trimmed = key
    while trimmed and trimmed[-1] == (0, x.shape[len(trimmed) - 1], 1):
        trimmed = trimmed[:-1]
    if not trimmed:
        return x  # type: ignore[no-any-return]
    if trimmed != key:
        return part.of(x, trimmed)
    if type(x) is broadcast_to and not x.operands[0].shape:
        return broadcast_to.of(x.operands[0], part.infer(x, key)[0])
    if type(x) is updated and x.key == key and x.operands[1].shape == part.infer(x, key)[0]:
        inner = x.operands[1]
        return inner if inner.dtype is x.dtype else None
    if type(x) is part and not is_deep(x):
        return part.of(x.operands[0], _merged_key(x.key, key, x.operands[0].shape))
    return None


def _merged_key(outer: Any, inner: Any, shape: Any) -> Any:
    """The key of a part of a part."""
    padded = (*outer, *[(0, n, 1) for n in shape[len(outer) :]])
    entries = iter(inner)
    key: list[Any] = []
    for entry in padded:
        if isinstance(entry, int):
            key.append(entry)
            continue
        start, _, step = entry
        taken = next(entries, None)
        if taken is None:
            key.append(entry)
        elif isinstance(taken, int):
            key.append(start + taken * step)
        else:
            a, b, s = taken
            last = start + (a if b <= a else a + (b - 1 - a) // s * s) * step
            first = start + a * step
            key.append((first, first if b <= a else last + 1, step * s))
    return tuple(key)


# -- what is zero outside an inner value ---------------------------------------------------------


def _adds(x: Any) -> bool:
    """Whether values, not all of them 0, are added up where places are named more than once."""
    adds = type(x) is scatter_add or (type(x) is index_put and x.param_values[-1])
    return adds and not is_zeros(x.operands[1]) and not _names_each_once(x.operands[2:])


def _names_each_once(indices: Sequence[Any]) -> bool:
    """Whether one index is known, and names no place twice."""
    if len(indices) != 1 or not isinstance(indices[0], ArrayConst):
        return False
    places = indices[0].value
    one_sign = not places.size or places.min() >= 0 or places.max() < 0
    return bool(places.ndim == 1 and one_sign and np.unique(places).size == places.size)


def _scaled_inside(cls: Any, x: Any, y: Any, swapped: bool) -> ArrayExpr | None:
    """`cls(x, y)` with the operation done on the values of `x` that are not zero.

    Not where several of them are added at one place: inf times a sum is no sum of infinities.
    """
    if len(y.shape) > len(x.shape) or is_deep(x):
        return None
    if is_nothing(x) and cls.infer(x, y) == (x.shape, x.dtype):
        return x  # type: ignore[no-any-return]
    if _adds(x):
        return None
    found = inside(x)
    if found is not None:
        value, read, write = found
        if y.shape and y.shape != x.shape:
            try_shape = cls.infer(x, y)[0]
            if try_shape != x.shape:
                return None
            y = broadcast_to.of(y, x.shape)
        inner = read(y) if y.shape else y
        return write(cls.of(inner, value) if swapped else cls.of(value, inner))  # type: ignore[no-any-return]
    other = outside(x)
    if other is not None and cls.infer(x, y)[0] == x.shape:
        value, write = other
        return write(cls.of(y, value) if swapped else cls.of(value, y))  # type: ignore[no-any-return]
    return None


_SPARSE = frozenset(
    (updated, index_put, scatter, scatter_add, diag_embed, diagonal_scatter, tril, triu)
)


@rewrites(add, among=_SPARSE)
def _add_at_the_same_places(x: Any, y: Any) -> ArrayExpr | None:
    """Join two terms that are zero at the same places, for the factors that are still to come."""
    if type(x) is not type(y) or type(x) not in _SPARSE or x.shape != y.shape:
        return None
    if x.param_values != y.param_values:
        return None
    first = 0 if type(x) is diag_embed else 1
    if is_deep(x):
        return None
    readings: Any = ((inside, first), (outside, 0))
    for zero_by_construction, value in readings:
        found, other = zero_by_construction(x), zero_by_construction(y)
        if found is None or other is None or found[0].shape != other[0].shape:
            continue
        pairs = enumerate(zip(x.operands, y.operands, strict=True))
        if all(a is b for i, (a, b) in pairs if i != value):
            return found[-1](add.of(found[0], other[0]))  # type: ignore[no-any-return]
    return None


@rewrites(where, among=_SPARSE)
def _where_inside(condition: Any, x: Any, y: Any) -> ArrayExpr | None:
    """Mask the values that are not zero, so that terms at the same places still meet in sums."""
    masked, kept = (x, y) if is_zeros(x) else (y, x)
    if type(kept) not in _SPARSE or masked.shape or not is_zeros(masked):
        return None
    if kept.shape != broadcast_shapes(condition.shape, kept.shape) or is_deep(kept):
        return None

    def choose(mask: Any, value: Any) -> ArrayExpr:
        return where.of(mask, *((masked, value) if masked is x else (value, masked)))

    found = inside(kept)
    if found is not None:
        value, read, write = found
        inner = read(broadcast_to.of(condition, kept.shape)) if condition.shape else condition
        return write(choose(inner, value)) if value.dtype is kept.dtype else None
    other = outside(kept)
    if other is not None and other[0].dtype is kept.dtype:
        return other[1](choose(condition, other[0]))  # type: ignore[no-any-return]
    return None


def _scaled_behind(cls: Any, x: Any, y: Any, swapped: bool) -> ArrayExpr | None:
    """The operation behind moves of values that are zero outside."""
    inner = x
    while type(inner) in MOVES:
        inner = inner.operands[0]
    masked = type(inner) is where and (is_zeros(inner.operands[1]) or is_zeros(inner.operands[2]))
    if not masked and type(inner) not in _SPARSE:
        return None
    if cls.infer(x, y)[0] != x.shape or is_deep(x):
        return None
    within = x.operands[0]
    if y.shape:
        y = broadcast_to.of(y, x.shape)
        # Each of these moves is undone by its transpose.
        y = reshape.of(y, within.shape) if type(x) is reshape else x.transposed(y)
    found = cls.of(y, within) if swapped else cls.of(within, y)
    return x.of(found, *x.param_values)  # type: ignore[no-any-return]


@rewrites(mul, among=MOVES)
def _mul_behind(x: Any, y: Any) -> ArrayExpr | None:
    if type(x) in MOVES:
        found = _scaled_behind(mul, x, y, swapped=False)
        if found is not None:
            return found
    return _scaled_behind(mul, y, x, swapped=True) if type(y) in MOVES else None


@rewrites(div, among=MOVES)
def _div_behind(x: Any, y: Any) -> ArrayExpr | None:
    return _scaled_behind(div, x, y, swapped=False) if type(x) in MOVES else None


@rewrites(mul, among=_SPARSE)
def _mul_inside(x: Any, y: Any) -> ArrayExpr | None:
    if type(x) in _SPARSE:
        found = _scaled_inside(mul, x, y, swapped=False)
        if found is not None:
            return found
    if type(y) in _SPARSE:
        return _scaled_inside(mul, y, x, swapped=True)
    return None


@rewrites(div, among=_SPARSE)
def _div_inside(x: Any, y: Any) -> ArrayExpr | None:
    return _scaled_inside(div, x, y, swapped=False) if type(x) in _SPARSE else None


@rewrites(neg, among=_SPARSE)
def _neg_moved(x: Any) -> ArrayExpr | None:
    if type(x) in _SPARSE and not is_deep(x):
        found = inside(x)
        if found is not None:
            return found[2](neg.of(found[0]))  # type: ignore[no-any-return]
        other = outside(x)
        if other is not None:
            return other[1](neg.of(other[0]))  # type: ignore[no-any-return]
    return None


@rewrites(cast, among=_SPARSE)
def _cast_moved(x: Any, to_dtype: Any) -> ArrayExpr | None:
    if type(x) in _SPARSE and to_dtype.differentiable and not is_deep(x):
        found = inside(x)
        if found is not None:
            return found[2](cast.of(found[0], to_dtype))  # type: ignore[no-any-return]
    return None


@rewrites(add, among=_SPARSE)
def _add_same_places(x: Any, y: Any) -> ArrayExpr | None:
    """Add what is written to the same places before it is written."""
    kind = type(x)
    if kind is not type(y) or kind not in _SPARSE or x.dtype is not y.dtype or is_deep(x):
        return None
    if kind is updated and x.key == y.key and is_zeros(x.operands[0]) and is_zeros(y.operands[0]):
        (_, a), (_, b) = x.operands, y.operands
        if a.shape == b.shape:
            return updated.of(x.operands[0], add.of(a, b), x.key)
    if kind is index_put and x.args[2:] == y.args[2:]:
        (z, a, *rest), (w, b, *_) = x.operands, y.operands
        if is_zeros(z) and is_zeros(w) and a.shape == b.shape:
            return index_put.of(z, add.of(a, b), *rest, *x.param_values)
    return None


# -- moves that cancel ---------------------------------------------------------------------------


@rewrites(flip)
def _flip_twice(x: Any, axes: Any) -> ArrayExpr | None:
    if not axes:
        return None if x.weak else x
    if type(x) is flip and not is_deep(x):
        return flip.of(x.operands[0], tuple(sorted(set(axes) ^ set(x.axes))))
    return None


@rewrites(roll)
def _roll_back(x: Any, shifts: Any, axes: Any) -> ArrayExpr | None:
    if not any(shifts):
        return x  # type: ignore[no-any-return]
    if type(x) is roll and x.axes == axes and not is_deep(x):
        return roll.of(
            x.operands[0], tuple(a + b for a, b in zip(shifts, x.shifts, strict=True)), axes
        )
    return None


@rewrites(tril, triu)
def _nothing_left(x: Any, diagonal_: Any) -> ArrayExpr | None:
    return x if is_zeros(x) else None


@rewrites(cast, among=(cast,))
def _cast_through(x: Any, to_dtype: Any) -> ArrayExpr | None:
    """There and back through a wider type changes nothing."""
    if type(x) is cast and x.operands[0].dtype is to_dtype:
        inner, wide = to_dtype, x.dtype
        same_kind = inner.category == wide.category and inner.differentiable
        if same_kind and wide.itemsize > inner.itemsize:
            return x.operands[0]
    return None
