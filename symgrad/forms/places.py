"""What is put among zeros, as it is read: by masks, by classes, and between the zeros of others."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from symgrad.expr.atoms import ArrayConst, Const
from symgrad.expr.dtypes import bool_
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.ops.arithmetic import add, neg, sub
from symgrad.ops.broadcasting import broadcast_to, is_zeros, zeros
from symgrad.ops.casting import cast
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.gathering import one_hot
from symgrad.ops.indexing import index, index_put
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import Key, part_shape, updated
from symgrad.ops.where import where

#: The most nodes of what is put in the places of a mask, or of a sum of what is put among zeros.
_MOST_NODES = 50


def with_places_read(
    es: Sequence[ArrayExpr], written: Collection[ArrayExpr] = ()
) -> list[ArrayExpr]:
    """Return formulas in which what is put among zeros is what it is to a reader.

    Put where a mask holds, a function of elements that the mask chooses is a choice by the mask.
    Put at one class in each row, ones are `one_hot`. Zeros around zeros are zeros of one array.
    Nodes that are `written` stay.

    Examples
    --------
    >>> import numpy as np
    >>> import symgrad
    >>> from symgrad.ops.indexing import index, index_put
    >>> x, zeros = symgrad.leaf("x", (2,)), symgrad.zeros(2, dtype=symgrad.float64)
    >>> key = np.array([True, False]), (True,), (1,)
    >>> with_places_read([index_put(zeros, 2 * index(x, *key), *key, False)])
    [where(array([True, False]), 2 * x, 0)]
    """

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = x if operands == x.operands else x.func(*operands, *x.args[len(operands) :])
        if x in written or type(made) not in (index_put, updated):
            return made
        if not is_zeros(made.operands[0]):
            return made
        if type(made) is updated:
            other = _padded(made)
        else:
            other = (_chosen if made.operands[2].dtype is bool_ else _at_classes)(made)
        fits = other is not None and (other.shape, other.dtype) == (made.shape, made.dtype)
        return other if other is not None and fits else made

    return rebuild(es, visit)


# ------------------------------------------------------------------ masks and classes


def _chosen(x: Any) -> ArrayExpr | None:
    """Return what is put where one mask holds as a choice, if it is made of what that chooses."""
    _, value, mask, *others = x.operands
    if others or x.accumulate or not x.spec[0]:
        return None

    def below(y: ArrayExpr) -> tuple[ArrayExpr, ...]:
        return y.operands if isinstance(y, Elementwise) and y.shape == value.shape else ()

    nodes = toposort([value], below=below)
    if len(nodes) > _MOST_NODES:
        return None
    known: dict[ArrayExpr, ArrayExpr] = {}
    for y in nodes:
        if y.shape == ():
            known[y] = y
        elif type(y) is broadcast_to and size_of(y.operands[0].shape) == 1:
            known[y] = reshape.of(y.operands[0], ())
        elif below(y):
            known[y] = y.func(*[known[z] for z in y.operands], *y.args[len(y.operands) :])
        elif type(y) is index and y.operands[1:] == (mask,) and y.operands[0].shape == x.shape:
            known[y] = y.operands[0]
        else:
            return None
    missing = len(x.shape) - len(mask.shape)
    condition = reshape.of(mask, (*mask.shape, *[1] * missing)) if missing else mask
    return where.of(condition, known[value], Const(0))


def _at_classes(x: Any) -> ArrayExpr | None:
    """Return what is put at one class in each row as a product with `one_hot`."""
    _, value, *indices = x.operands
    if len(x.shape) != 2 or len(indices) != 2 or x.dtype is bool_:
        return None
    rows, classes = indices
    count, size = x.shape
    if not isinstance(rows, ArrayConst) or not isinstance(classes, ArrayConst):
        return None
    is_each = rows.shape == (count,) and np.array_equal(rows.value, np.arange(count))
    if not is_each or classes.shape != (count,) or classes.value.min(initial=0) < 0:
        return None
    made = cast.of(one_hot.of(classes, size), x.dtype)
    column = value if value.shape == () else reshape.of(value, (count, 1))
    return made * column


# ------------------------------------------------------------------ zeros around zeros


def _padded(x: Any) -> ArrayExpr | None:
    """Return what is put among zeros, which has zeros around it, as put into one array of zeros.

    A sum of such arrays is the sum of what each is in the larger one.
    """
    value, key, shape = x.operands[1], x.key, x.shape
    if value.shape != part_shape(shape, key) or not _is_plain(key):
        return None

    def below(y: ArrayExpr) -> tuple[ArrayExpr, ...]:
        return y.operands if type(y) in (add, sub, neg) and y.shape == value.shape else ()

    nodes = toposort([value], below=below)
    if len(nodes) > _MOST_NODES:
        return None
    known: dict[ArrayExpr, ArrayExpr] = {}
    for y in nodes:
        if below(y):
            known[y] = y.func(*[known[z] for z in y.operands])
            continue
        if type(y) is not updated or not is_zeros(y.operands[0]) or y.shape != value.shape:
            return None
        inner, own = y.operands[1], y.key
        if inner.shape != part_shape(y.shape, own) or not _is_plain(own):
            return None
        known[y] = updated.of(zeros(shape, y.dtype), inner, _joined(key, own, y.shape))
    return known[value]


def _is_plain(key: Key) -> bool:
    """Return whether a key has slices alone, each of neighbours and of known sizes."""
    return all(isinstance(k, tuple) and k[2] == 1 and all(type(n) is int for n in k) for k in key)


def _joined(outer: Key, inner: Key, shape: Sequence[Any]) -> Key:
    """Return the key of a part of a part, of which the first has a shape."""
    rank = max(len(outer), len(inner))
    first = [*outer, *[(0, n, 1) for n in shape[len(outer) : rank]]]
    second = [*inner, *[(0, n, 1) for n in shape[len(inner) : rank]]]
    return tuple([(a[0] + b[0], a[0] + b[1], 1) for a, b in zip(first, second, strict=True)])  # type: ignore[index]
