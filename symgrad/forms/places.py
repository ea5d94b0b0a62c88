"""What is put among zeros, as it is read: by masks, by classes, and between the zeros of others."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from symgrad.expr.atoms import ArrayConst, Const
from symgrad.expr.dtypes import bool_
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, size_of
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, is_zeros, zeros
from symgrad.ops.casting import cast
from symgrad.ops.contraction import delta
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.gathering import one_hot
from symgrad.ops.indexing import index, index_put
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import Key, part, part_shape, updated
from symgrad.ops.where import where

#: The most nodes of what is put in the places of a mask, or of a sum of what is put among zeros.
_MOST_NODES = 50
#: The most terms of such a sum.
_MOST_TERMS = 16


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
    >>> x = symgrad.leaf("x", (2,))
    >>> key = np.array([True, False]), (True,), (1,)
    >>> with_places_read([index_put(zeros(x.shape, x.dtype), 2 * index(x, *key), *key, False)])
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

    made = rebuild(es, visit)
    return [e if e in written else _collected(e) for e in made]


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

#: What is put among zeros, and where.
_Pad = tuple[ArrayExpr, Key]


def _padded(x: Any) -> ArrayExpr | None:
    """Return what is put among zeros, which has zeros around it, as put into one array of zeros.

    A sum of such arrays is the sum of what each is in the larger one.
    """
    value, key = x.operands[1], x.key
    if value.shape != part_shape(x.shape, key) or not _is_plain(key):
        return None
    pads = _pads(value)
    if pads is None:
        return None
    return _sum([(inner, _joined(key, own, value.shape)) for inner, own in pads], x.shape)


def _collected(e: ArrayExpr) -> ArrayExpr:
    """Return a sum of what is put among zeros with what is put in one place as one."""
    pads = _pads(e) if type(e) in (add, sub) else None
    return e if pads is None else _sum(pads, e.shape)


def _sum(pads: Sequence[_Pad], shape: Shape) -> ArrayExpr:
    places: dict[Key, ArrayExpr] = {}
    for inner, key in pads:
        places[key] = add.of(places[key], inner) if key in places else inner
    made = [updated.of(zeros(shape, inner.dtype), inner, key) for key, inner in places.items()]
    return functools.reduce(add.of, made)


def _pads(e: ArrayExpr) -> list[_Pad] | None:
    """Return the terms of a sum of arrays of zeros, in each of which something is put."""

    def below(y: ArrayExpr) -> tuple[ArrayExpr, ...]:
        if y.shape != e.shape or type(y) not in (add, sub, neg, mul, div):
            return ()
        factors = y.operands[:1] if type(y) is div else y.operands
        return tuple([z for z in factors if type(y) not in (mul, div) or z.shape == e.shape])

    nodes = toposort([e], below=below)
    if len(nodes) > _MOST_NODES:
        return None
    known: dict[ArrayExpr, list[_Pad] | None] = {}
    for y in nodes:
        inner = below(y)
        if not inner:
            known[y] = _pad(y)
        elif type(y) in (mul, div):
            known[y] = _times([known.get(z) for z in y.operands], y)
        else:
            terms = [known[z] for z in y.operands] if len(inner) == len(y.operands) else [None]
            signs = (-1,) if type(y) is neg else (1, -1 if type(y) is sub else 1)
            known[y] = _total(terms, signs)
    return known[e]


def _total(terms: Sequence[list[_Pad] | None], signs: Sequence[int]) -> list[_Pad] | None:
    made: list[_Pad] = []
    for pads, sign in zip(terms, signs, strict=True):
        if pads is None:
            return None
        made += [(x if sign > 0 else neg.of(x), key) for x, key in pads]
    return made if len(made) <= _MOST_TERMS else None


def _times(known: Sequence[list[_Pad] | None], x: ArrayExpr) -> list[_Pad] | None:
    """Return a product or a quotient, of whose other operand the part is taken that meets no zeros.

    None where neither factor, or not what is divided, is put among zeros.
    """
    place = next((i for i, pads in enumerate(known) if pads is not None), None)
    if place is None or (place and type(x) is div):
        return None
    other = x.operands[1 - place]
    made: list[_Pad] = []
    for inner, key in known[place] or ():
        own = (*key, *[(0, n, 1) for n in x.shape[len(key) :]])
        last = own[len(own) - other.ndim :]
        entries = [(0, 1, 1) if n == 1 else k for n, k in zip(other.shape, last, strict=True)]
        whole = all(k == (0, n, 1) for n, k in zip(other.shape, entries, strict=True))
        factor = other if whole else part.of(other, tuple(entries))
        made.append((x.func(inner, factor), key))
    return made


def _pad(y: Any) -> list[_Pad] | None:
    """Return what is put into one array of zeros; a part of an identity matrix is another one."""
    if type(y) is updated and is_zeros(y.operands[0]):
        inner, key = y.operands[1], y.key
        return [(inner, key)] if _is_whole(y) else None
    if type(y) is not part or len(y.shape) != 2 or not _is_plain(y.key):
        return None
    eye, size = y.operands[0], y.operands[0].shape[0]
    if type(size) is not int or eye is not delta((size,), eye.dtype):
        return None
    all_of_it = (0, size, 1)
    entries = [*y.key, all_of_it][:2]
    if all_of_it not in entries:
        return None
    rows, columns = entries
    whole = (0, min(y.shape), 1)
    key = (whole, rows) if columns == all_of_it else (columns, whole)
    return [(delta((min(y.shape),), y.dtype), key)]


def _is_whole(x: Any) -> bool:
    return x.operands[1].shape == part_shape(x.shape, x.key) and _is_plain(x.key)


def _is_plain(key: Key) -> bool:
    """Return whether a key has slices alone, each of neighbours and of known sizes."""
    return all(isinstance(k, tuple) and k[2] == 1 and all(type(n) is int for n in k) for k in key)


def _joined(outer: Key, inner: Key, shape: Shape) -> Key:
    """Return the key of a part of a part, of which the first has a shape."""
    rank = max(len(outer), len(inner))
    first = [*outer, *[(0, n, 1) for n in shape[len(outer) : rank]]]
    second = [*inner, *[(0, n, 1) for n in shape[len(inner) : rank]]]
    return tuple([(a[0] + b[0], a[0] + b[1], 1) for a, b in zip(first, second, strict=True)])  # type: ignore[index]
