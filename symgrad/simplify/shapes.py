"""Rewrites of shapes, sums, conversions and moves without effect, that cancel or can be merged."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import Category, bool_, dtype, float32, float64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import broadcast_shapes, size_of
from symgrad.ops.arithmetic import mul
from symgrad.ops.broadcasting import broadcast_to, is_zeros, sum_to, zeros
from symgrad.ops.casting import cast
from symgrad.ops.fourier import mirrored
from symgrad.ops.gathering import scatter, scatter_add
from symgrad.ops.joining import cat
from symgrad.ops.permuting import permute
from symgrad.ops.rearranging import flip, roll
from symgrad.ops.reduction import any as any_of
from symgrad.ops.reduction import sum
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import part, part_shape, updated
from symgrad.ops.triangular import tril, triu
from symgrad.ops.where import where
from symgrad.simplify.arithmetic import is_countable, is_small
from symgrad.simplify.depth import is_deep
from symgrad.simplify.rewrite import rewrite

_X = Leaf("x", (3, 3))
_V = Leaf("v", (3,))
_M = Leaf("m", (3, 3), bool_)
_WIDE = Leaf("y", (3, 6))
_PLACES = ArrayConst(np.array([[2, 0, 1]]))


# ------------------------------------------------------------------ shapes


@rewrite(
    broadcast_to,
    reshape,
    sum_to,
    values=True,
    samples=lambda: [broadcast_to(_X, (3, 3)), reshape(_X, (3, 3)), sum_to(_X, (3, 3))],
)
def shape_as_it_was(x: Any, shape: Any) -> ArrayExpr | None:
    """An array that has the shape already is left as it is."""
    return x if x.shape == shape and not x.weak else None


@rewrite(
    broadcast_to,
    among=(broadcast_to,),
    samples=lambda: [broadcast_to(broadcast_to(_V, (1, 3)), (3, 3))],
)
def broadcast_twice(x: Any, shape: Any) -> ArrayExpr | None:
    """Two successive broadcasts are one."""
    return None if is_deep(x) else broadcast_to.of(x.operands[0], shape)


@rewrite(
    where,
    among=(broadcast_to,),
    samples=lambda: [
        where(_M, broadcast_to(_V, (3, 3)), 0),
        where(_M, _X, broadcast_to(_V, (3, 3))),
    ],
)
def choose_from_repeated(condition: Any, x: Any, y: Any) -> ArrayExpr | None:
    """An operand of `where` that broadcasts to the mask is not broadcast before."""
    p, q = (z.operands[0] if type(z) is broadcast_to else z for z in (x, y))
    if p is x and q is y:
        return None
    # A number without axes decides the dtype less than an array of it does: one may have to stay.
    wanted = where.infer(condition, x, y)
    for a, b in ((p, q), (p, y), (x, q)) if p is not x and q is not y else ((p, q),):
        if where.infer(condition, a, b) == wanted:
            return where.of(condition, a, b)
    return None


@rewrite(
    scatter,
    scatter_add,
    among=(broadcast_to,),
    samples=lambda: [
        scatter(_X, broadcast_to(Leaf("s"), (1, 3)), _PLACES, 0),
        scatter_add(_X, broadcast_to(Leaf("s"), (1, 3)), _PLACES, 0),
    ],
    by_class=True,
)
def scatter_repeated(cls: Any, x: Any, value: Any, indices: Any, axis: Any) -> ArrayExpr | None:
    """A number that is written to several places is written as it is, not broadcast first."""
    if type(value) is broadcast_to and not value.operands[0].shape and value.shape == indices.shape:
        return cls.of(x, value.operands[0], indices, axis)  # type: ignore[no-any-return]
    return None


@rewrite(reshape, among=(reshape,), samples=lambda: [reshape(reshape(_X, (9,)), (1, 9))])
def reshape_twice(x: Any, shape: Any) -> ArrayExpr | None:
    """Two successive reshapes are the last one."""
    return None if is_deep(x) else reshape.of(x.operands[0], shape)


@rewrite(
    reshape,
    among=(broadcast_to,),
    samples=lambda: [reshape(broadcast_to(Leaf("s"), (3,)), (3, 1))],
)
def reshape_repeated(x: Any, shape: Any) -> ArrayExpr | None:
    """A reshaped broadcast of one number is a broadcast to the new shape."""
    (inner,) = x.operands
    return None if inner.shape else broadcast_to.of(inner, shape)


@rewrite(
    reshape,
    among=(cat,),
    samples=lambda: [
        reshape(cat(reshape(_X, (3, 3, 1)), reshape(_WIDE, (3, 3, 2)), 2), (9, 3)),
        reshape(cat(reshape(_X, (9, 1)), reshape(_WIDE, (9, 2)), 1), (3, 3, 3)),
    ],
)
def reshape_joined(x: Any, shape: Any) -> ArrayExpr | None:
    """Arrays that are reshaped, joined, and reshaped again around the axis are reshaped once."""
    axis, n = x.axis, x.shape[x.axis]
    if not all(type(y) is reshape and y.ndim == x.ndim for y in x.operands):
        return None
    around = size_of(x.shape[:axis]), size_of(x.shape[axis + 1 :])
    for a, m in enumerate(shape):
        if m == n and (size_of(shape[:a]), size_of(shape[a + 1 :])) == around:
            parts = [
                reshape.of(y, (*shape[:a], y.shape[axis], *shape[a + 1 :])) for y in x.operands
            ]
            return cat.of(*parts, a)
    return None


@rewrite(
    permute,
    values=True,
    samples=lambda: [permute(_X, (0, 1)), permute(permute(_X, (1, 0)), (1, 0))],
)
def permute_twice(x: Any, axes: Any) -> ArrayExpr | None:
    """Two successive permutations of axes are one; the identity is left out."""
    if axes == tuple(range(len(axes))):
        return None if x.weak else x
    if type(x) is permute:
        return permute.of(x.operands[0], tuple(x.axes[a] for a in axes))
    return None


# ------------------------------------------------------------------ sums


@rewrite(sum_to, among=(sum_to,), samples=lambda: [sum_to(sum_to(_X, (3,)), (1,))])
def sum_twice(x: Any, shape: Any) -> ArrayExpr | None:
    """A sum of sums is one sum."""
    return None if is_deep(x) else sum_to.of(x.operands[0], shape)


@rewrite(sum_to, among=(broadcast_to,), samples=lambda: [sum_to(broadcast_to(_V, (4, 3)), (3,))])
def sum_of_equal_terms(x: Any, shape: Any) -> ArrayExpr | None:
    """A sum over a broadcast axis of length n is n times the operand of the broadcast."""
    inner = x.operands[0]
    if broadcast_shapes(inner.shape, shape) == shape and size_of(shape):
        times = size_of(x.shape) // size_of(shape)
        if is_countable(times, inner):
            return broadcast_to.of(mul.of(Const(times), inner), shape)
    return None


@rewrite(
    any_of,
    among=(broadcast_to,),
    samples=lambda: [
        any_of(broadcast_to(_M[:, :1], (3, 3)), (1,), True),
        any_of(broadcast_to(_M[0], (4, 3)), None, False),
        any_of(broadcast_to(_V, (4, 2, 3)), (1,), False),
    ],
)
def any_of_equal(x: Any, axis: Any, keepdims: bool) -> ArrayExpr | None:
    """Whether any of equal elements holds is whether one of them does, before a broadcast."""
    if type(x) is not broadcast_to or is_deep(x):
        return None
    (found,) = x.operands
    new, axes = len(x.shape) - len(found.shape), range(len(x.shape)) if axis is None else axis
    repeated = [a for a in axes if a < new or found.shape[a - new] == 1]
    if not all(type(x.shape[a]) is int and x.shape[a] for a in repeated):
        return None
    rest = tuple([a - new for a in axes if a not in repeated])
    if rest or x.dtype is not bool_:
        found = any_of.of(found, rest, True)
    if not keepdims:
        kept = [n for a, n in enumerate(found.shape, new) if a not in axes]
        found = reshape.of(found, tuple(kept))
    return broadcast_to.of(found, any_of.infer(x, axis, keepdims)[0])


@rewrite(
    sum,
    any_of,
    among=(scatter_add,),
    samples=lambda: [
        sum(scatter_add(zeros((3, 3), float64), _X[:, :1], _PLACES.T, 1), (1,), True),
        any_of(scatter_add(zeros((3, 3), bool_), _M[:, :1], _PLACES.T, 1), None, False),
    ],
    by_class=True,
)
def total_of_scattered(cls: Any, x: Any, axis: Any, keepdims: bool) -> ArrayExpr | None:
    """A sum along an axis of zeros, to which one value is added, is a sum of these values."""
    if type(x) is not scatter_add or not (axis is None or x.axis in axis):
        return None
    value = x.added_once()
    return None if value is None else cls.of(value, axis, keepdims)


@rewrite(sum, samples=lambda: [sum(Leaf("s"), None, False), sum(_X, (), False)])
def sum_of_one_term(x: Any, axis: Any, keepdims: bool) -> ArrayExpr | None:
    """A sum over no axis is its operand."""
    nothing = (axis == () or not x.shape) and not x.weak
    return x if nothing and x.dtype.category >= Category.FLOAT else None


# ------------------------------------------------------------------ conversions


@rewrite(cast, values=True, samples=lambda: [cast(_X, float64)])
def cast_to_itself(x: Any, to_dtype: Any) -> ArrayExpr | None:
    """An array that has the dtype already is not converted."""
    return x if x.dtype is to_dtype and not x.weak else None


def _converts(x: Const, kind: dtype) -> bool:
    """Return whether a constant is the same number in the dtype `kind`, or weak."""
    if type(x.value) is complex or kind.category < Category.FLOAT:
        return False
    return x.weak or x.dtype.category < Category.FLOAT or is_small(x)


@rewrite(cast, among=(Const,), samples=lambda: [cast(Const(2, float32), float64)])
def cast_constant(x: Any, to_dtype: Any) -> ArrayExpr | None:
    """A number that is the same in the other dtype is converted at once."""
    return Const(x.value, to_dtype) if _converts(x, to_dtype) else None


@rewrite(cast, among=(broadcast_to,), samples=lambda: [cast(broadcast_to(_V, (3, 3)), float32)])
def cast_repeated(x: Any, to_dtype: Any) -> ArrayExpr | None:
    """A conversion is done before a broadcast, on fewer elements."""
    return None if is_deep(x) else broadcast_to.of(cast.of(x.operands[0], to_dtype), x.shape)


@rewrite(
    cast,
    among=(cast,),
    samples=lambda: [cast(cast(Leaf("f", (3, 3), float32), float64), float32)],
)
def cast_there_and_back(x: Any, to_dtype: Any) -> ArrayExpr | None:
    """There and back through a wider dtype changes nothing."""
    inner = x.operands[0]
    if inner.dtype is to_dtype and to_dtype.differentiable:
        wide = x.dtype
        if to_dtype.category == wide.category and wide.itemsize > to_dtype.itemsize:
            return inner  # type: ignore[no-any-return]
    return None


# ------------------------------------------------------------------ moves


@rewrite(
    part,
    samples=lambda: [part(_X, ((0, 3, 1),)), part(_X, (1, (0, 3, 1)))],
)
def part_that_is_all(x: Any, key: Any) -> ArrayExpr | None:
    """A part names no trailing axis that it takes whole, and the part that is all is left out."""
    trimmed = key = tuple(key)
    while trimmed and trimmed[-1] == (0, x.shape[len(trimmed) - 1], 1):
        trimmed = trimmed[:-1]
    if not trimmed:
        return x  # type: ignore[no-any-return]
    return part.of(x, trimmed) if trimmed != key else None


@rewrite(
    part,
    among=(broadcast_to,),
    samples=lambda: [part(broadcast_to(Leaf("s"), (3, 3)), ((1, 3, 1),))],
)
def part_of_what_repeats(x: Any, key: Any) -> ArrayExpr | None:
    """A part of a broadcast number is a broadcast to the shape of the part."""
    (inner,) = x.operands
    return None if inner.shape else broadcast_to.of(inner, part.infer(x, key)[0])


@rewrite(
    part,
    among=(updated,),
    samples=lambda: [part(updated(_X, Leaf("y", (2, 3)), ((1, 3, 1),)), ((1, 3, 1),))],
)
def part_that_was_written(x: Any, key: Any) -> ArrayExpr | None:
    """The part of an array that was just overwritten is the new value."""
    inner = x.operands[1]
    if x.key == tuple(key) and inner.shape == part.infer(x, key)[0] and inner.dtype is x.dtype:
        return inner  # type: ignore[no-any-return]
    return None


@rewrite(
    updated,
    samples=lambda: [
        updated(_X, Leaf("y", (3, 3)), ((0, 3, 1),)),
        updated(Leaf("y", (1, 3)), _V, (0,)),
    ],
)
def array_that_is_overwritten(x: Any, value: Any, key: Any) -> ArrayExpr | None:
    """An array of which all is overwritten is the new value."""
    whole = part_shape(x.shape, tuple(key))
    if size_of(whole) != size_of(x.shape) or value.dtype is not x.dtype or value.weak:
        return None
    return reshape.of(broadcast_to.of(value, whole), x.shape)


@rewrite(part, among=(part,), samples=lambda: [part(part(_X, ((1, 3, 1),)), (0,))])
def part_of_a_part(x: Any, key: Any) -> ArrayExpr | None:
    """A part of a part is one part of the whole."""
    if is_deep(x):
        return None
    return part.of(x.operands[0], _merged_key(x.key, tuple(key), x.operands[0].shape))


def _merged_key(outer: Any, inner: Any, shape: Any) -> Any:
    """Return the key, into an array of a `shape`, of the part `inner` of the part `outer`."""
    padded = (*outer, *[(0, n, 1) for n in shape[len(outer) :]])
    entries = iter(inner)
    key: list[Any] = []
    for entry in padded:
        if not isinstance(entry, tuple):
            key.append(entry)
            continue
        start, _, step = entry
        entry_of_part = next(entries, None)
        if entry_of_part is None:
            key.append(entry)
        elif not isinstance(entry_of_part, tuple):
            key.append(start + entry_of_part * step)
        else:
            a, b, s = entry_of_part
            last = start + (a if b <= a else a + (b - 1 - a) // s * s) * step
            first = start + a * step
            key.append((first, first if b <= a else last + 1, step * s))
    return tuple(key)


@rewrite(flip, samples=lambda: [flip(flip(_X, (0,)), (0, 1)), flip(_X, ())])
def flip_twice(x: Any, axes: Any) -> ArrayExpr | None:
    """Two reversals of an axis cancel."""
    if not axes:
        return None if x.weak else x
    if type(x) is flip and not is_deep(x):
        return flip.of(x.operands[0], tuple(sorted(set(axes) ^ set(x.axes))))
    return None


@rewrite(roll, samples=lambda: [roll(roll(_X, (1,), (0,)), (-1,), (0,)), roll(_X, (0,), (0,))])
def roll_twice(x: Any, shifts: Any, axes: Any) -> ArrayExpr | None:
    """Two rolls along the same axes are one, by the sum of the shifts; a roll by 0 is left out."""
    if not any(shifts):
        return x  # type: ignore[no-any-return]
    if type(x) is roll and x.axes == axes and not is_deep(x):
        both = tuple(a + b for a, b in zip(shifts, x.shifts, strict=True))
        return roll.of(x.operands[0], both, axes)
    return None


@rewrite(
    mirrored,
    samples=lambda: [
        mirrored(mirrored(_X, 1, 4, True), 1, 4, False),
        mirrored(mirrored(_X, 1, 4, False) * _V, 1, 4, True),
    ],
)
def mirror_back(x: Any, axis: Any, length: Any, doubled: Any) -> ArrayExpr | None:
    """Half a spectrum that is doubled and halved for its mirror image, or in a factor, stays."""
    back = (axis, length, not doubled)
    if is_deep(x):
        return None
    if type(x) is mirrored and x.param_values == back:
        return x.operands[0]
    if type(x) is mul:
        for i, factor in enumerate(x.operands):
            if type(factor) is mirrored and factor.param_values == back and factor.shape == x.shape:
                return mul.of(*x.operands[:i], factor.operands[0], *x.operands[i + 1 :])
    return None


@rewrite(
    tril,
    triu,
    among=(broadcast_to,),
    samples=lambda: [tril(zeros((3, 3), float64), 0), triu(zeros((3, 3), float64), 1)],
)
def triangle_of_zeros(x: Any, offset: Any) -> ArrayExpr | None:
    """A triangle of an array of zeros is that array."""
    return x if is_zeros(x) else None


@rewrite(tril, among=(tril,), samples=lambda: [tril(tril(_X, 1), 0), tril(tril(_X, -1), 1)])
def lower_triangle_twice(x: Any, offset: Any) -> ArrayExpr | None:
    """A lower triangle of a lower triangle is the smaller one."""
    return None if is_deep(x) else tril.of(x.operands[0], min(offset, x.offset))


@rewrite(triu, among=(triu,), samples=lambda: [triu(triu(_X, 1), 0), triu(triu(_X, -1), 1)])
def upper_triangle_twice(x: Any, offset: Any) -> ArrayExpr | None:
    """An upper triangle of an upper triangle is the smaller one."""
    return None if is_deep(x) else triu.of(x.operands[0], max(offset, x.offset))
