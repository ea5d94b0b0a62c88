"""Factors, signs and conversions go to where a value is not zero by construction.

They serve one end: a factor never meets the zeros that a mask or the transpose of an index fills
in. Where the derivative of `sqrt` is infinite at an element that was left out, 0 * inf would be a
nan.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import bool_, float32
from symgrad.expr.node import ArrayConst, ArrayExpr, Leaf, is_const
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.arithmetic import add, div, mul, neg
from symgrad.ops.broadcasting import broadcast_to, is_zeros, zeros
from symgrad.ops.casting import cast
from symgrad.ops.gathering import scatter, scatter_add
from symgrad.ops.indexing import index_put
from symgrad.ops.permuting import permute
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import updated
from symgrad.ops.triangular import diag_embed, diagonal_scatter, tril, triu
from symgrad.ops.where import where
from symgrad.simplify.layers import MOVES, inside, is_deep, is_nothing, outside
from symgrad.simplify.rewrite import rewrite

__all__ = [
    "add_at_the_same_places",
    "add_within_a_mask",
    "cast_inside",
    "divide_behind_a_move",
    "divide_inside",
    "divide_within_a_mask",
    "mask_inside",
    "multiply_behind_a_move",
    "multiply_inside",
    "multiply_within_a_mask",
    "negate_inside",
    "negate_within_a_mask",
]

_X, _Y = Leaf("x", (3, 3)), Leaf("y", (3, 3))
_M = Leaf("m", (3, 3), bool_)
_P = Leaf("p", (2, 3))
_KEY = ((1, 3, 1),)


def _written(value: ArrayExpr) -> ArrayExpr:
    """Return two rows among zeros."""
    return updated(zeros((3, 3), value.dtype), value, _KEY)


# ------------------------------------------------------------------ masks


@rewrite(mul, among=(where,), samples=lambda: [where(_M, _X, 0) * _Y, _Y * where(_M, 0, _X)])
def multiply_within_a_mask(x: Any, y: Any) -> ArrayExpr | None:
    """A factor goes to where a mask lets something through."""
    for a, b in ((x, y), (y, x)):
        if type(a) is where:
            if is_deep(a):
                return None
            if is_nothing(a) and mul.infer(a, b) == (a.shape, a.dtype):
                return a
            condition, p, q = a.operands
            if is_const(q, 0):
                return where.of(condition, mul.of(p, b), q)
            if is_const(p, 0):
                return where.of(condition, p, mul.of(q, b))
    return None


@rewrite(div, among=(where,), samples=lambda: [where(_M, _X, 0) / _Y, where(_M, 0, _X) / _Y])
def divide_within_a_mask(x: Any, y: Any) -> ArrayExpr | None:
    """A divisor goes to where a mask lets something through."""
    if type(x) is where:
        if is_deep(x):
            return None
        if is_nothing(x) and div.infer(x, y) == (x.shape, x.dtype):
            return x
        condition, p, q = x.operands
        if is_const(q, 0):
            return where.of(condition, div.of(p, y), q)
        if is_const(p, 0):
            return where.of(condition, p, div.of(q, y))
    return None


@rewrite(neg, among=(where,), samples=lambda: [-where(_M, _X, 0), -where(_M, 0, _X)])
def negate_within_a_mask(x: Any) -> ArrayExpr | None:
    """A sign goes to where a mask lets something through."""
    if is_deep(x):
        return None
    condition, p, q = x.operands
    if is_const(q, 0):
        return where.of(condition, neg.of(p), q)
    return where.of(condition, p, neg.of(q)) if is_const(p, 0) else None


@rewrite(
    add,
    among=(where,),
    samples=lambda: [where(_M, _X, 0) + where(_M, _Y, 0), where(_M, _X, 0) + where(_M, 0, _Y)],
)
def add_within_a_mask(x: Any, y: Any) -> ArrayExpr | None:
    """Terms of one mask, or of a mask and its complement, are added within it."""
    if type(x) is where and type(y) is where and x.operands[0] is y.operands[0]:
        condition, p, q = x.operands
        _, r, s = y.operands
        # The same mask stays outside the sum, for the factors that are still to come.
        if x.shape != y.shape or is_deep(x):
            return None
        if is_const(q, 0) and is_const(s, 0):
            return where.of(condition, add.of(p, r), q)
        if is_const(p, 0) and is_const(r, 0):
            return where.of(condition, p, add.of(q, s))
        if is_const(p, 0) and is_const(s, 0) and r.shape == q.shape:
            return where.of(condition, r, q)
        if is_const(q, 0) and is_const(r, 0) and p.shape == s.shape:
            return where.of(condition, p, s)
    return None


# ------------------------------------------------------------------ what is written among zeros


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


@rewrite(
    mul,
    among=_SPARSE,
    samples=lambda: [
        _written(_P) * _Y,
        _Y * tril(_X, 0),
        diag_embed(Leaf("v", (3,)), (3, 3), 0, 0, 1) * _Y,
    ],
)
def multiply_inside(x: Any, y: Any) -> ArrayExpr | None:
    """A factor is read at the places where something is written among zeros."""
    if type(x) in _SPARSE:
        found = _scaled_inside(mul, x, y, swapped=False)
        if found is not None:
            return found
    return _scaled_inside(mul, y, x, swapped=True) if type(y) in _SPARSE else None


@rewrite(div, among=_SPARSE, samples=lambda: [_written(_P) / _Y, triu(_X, 1) / _Y])
def divide_inside(x: Any, y: Any) -> ArrayExpr | None:
    """A divisor is read at the places where something is written among zeros."""
    return _scaled_inside(div, x, y, swapped=False) if type(x) in _SPARSE else None


@rewrite(neg, among=_SPARSE, samples=lambda: [-_written(_P), -tril(_X, 0)])
def negate_inside(x: Any) -> ArrayExpr | None:
    """A sign goes to what is written among zeros."""
    if is_deep(x):
        return None
    found = inside(x)
    if found is not None:
        return found[2](neg.of(found[0]))  # type: ignore[no-any-return]
    other = outside(x)
    return None if other is None else other[1](neg.of(other[0]))


@rewrite(cast, among=_SPARSE, samples=lambda: [cast(_written(_P), float32)])
def cast_inside(x: Any, to_dtype: Any) -> ArrayExpr | None:
    """A conversion goes to what is written among zeros."""
    found = inside(x) if to_dtype.differentiable and not is_deep(x) else None
    return None if found is None else found[2](cast.of(found[0], to_dtype))


@rewrite(
    add,
    among=_SPARSE,
    samples=lambda: [_written(_P) + _written(Leaf("q", (2, 3))), tril(_X, 0) + tril(_Y, 0)],
)
def add_at_the_same_places(x: Any, y: Any) -> ArrayExpr | None:
    """Terms at the same places among zeros are added before they are written there."""
    if type(x) is not type(y) or x.shape != y.shape or is_deep(x):
        return None
    if x.param_values != y.param_values:
        return None
    first = 0 if type(x) is diag_embed else 1
    readings: Any = ((inside, first), (outside, 0))
    for zero_by_construction, value in readings:
        found, other = zero_by_construction(x), zero_by_construction(y)
        if found is None or other is None or found[0].shape != other[0].shape:
            continue
        pairs = enumerate(zip(x.operands, y.operands, strict=True))
        if all(a is b for i, (a, b) in pairs if i != value):
            return found[-1](add.of(found[0], other[0]))  # type: ignore[no-any-return]
    return None


@rewrite(
    where, among=_SPARSE, samples=lambda: [where(_M, _written(_P), 0), where(_M, 0, tril(_X, 0))]
)
def mask_inside(condition: Any, x: Any, y: Any) -> ArrayExpr | None:
    """A mask goes to what is written among zeros, so that such terms still meet in sums."""
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


# ------------------------------------------------------------------ what was moved


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


@rewrite(mul, among=MOVES, samples=lambda: [_X * permute(where(_M, _Y, 0), (1, 0))])
def multiply_behind_a_move(x: Any, y: Any) -> ArrayExpr | None:
    """A factor of masked values that were moved is moved back to where they are masked."""
    if type(x) in MOVES:
        found = _scaled_behind(mul, x, y, swapped=False)
        if found is not None:
            return found
    return _scaled_behind(mul, y, x, swapped=True) if type(y) in MOVES else None


@rewrite(div, among=MOVES, samples=lambda: [permute(where(_M, _Y, 0), (1, 0)) / _X])
def divide_behind_a_move(x: Any, y: Any) -> ArrayExpr | None:
    """A divisor of masked values that were moved is moved back to where they are masked."""
    return _scaled_behind(div, x, y, swapped=False) if type(x) in MOVES else None
