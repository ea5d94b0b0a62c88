"""An array put together from parts of it: what `part` transposes to, for many parts at once.

The transpose of one part is an array of zeros with the part in it; a sum of those for n parts would
be n arrays. Parts that lie beside one another along an axis are joined along it instead.
"""

from __future__ import annotations

import functools
import heapq
import operator
from collections.abc import Iterable, Sequence

from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops import transforms
from symgrad.ops.broadcasting import zeros
from symgrad.ops.joining import cat, stack
from symgrad.ops.reshaping import reshape
from symgrad.ops.slicing import Entry, Key, entry_key, part_shape, updated

#: The rest of the key of a part, one entry for each further axis, and the value of the part.
_Part = tuple[Key, ArrayExpr]


@transforms.assembled.state
def assembled(shape: Shape, keys: Iterable[Key], values: Iterable[ArrayExpr]) -> ArrayExpr:
    """Return the sum over all k of `updated(zeros(shape), values[k], keys[k])`.

    The cost is that of `shape` and of the values, unless parts overlap.
    """
    full = [(0, n, 1) for n in shape]
    return _joined(
        shape, 0, [((*k, *full[len(k) :]), v) for k, v in zip(keys, values, strict=True)]
    )


def _joined(shape: Shape, axis: int, parts: Sequence[_Part]) -> ArrayExpr:
    """Return the sum of parts of an array of which all have all that is before `axis`."""
    if axis == len(shape):
        return functools.reduce(operator.add, [value for _, value in parts])
    along: dict[Entry, list[_Part]] = {}
    for (entry, *rest), value in parts:
        along.setdefault(entry, []).append((tuple(rest), value))
    layers = _without_overlap(along)
    return functools.reduce(operator.add, [_layer(shape, axis, x, along) for x in layers])


def _layer(
    shape: Shape, axis: int, entries: Sequence[Entry], along: dict[Entry, list[_Part]]
) -> ArrayExpr:
    """Return the sum of parts whose entries along an axis do not overlap."""
    values = []
    for entry in entries:
        inner = part_shape(shape, entry_key(shape, axis, entry))
        rest = axis + 1 if isinstance(entry, tuple) else axis
        values.append(_joined(inner, rest, along[entry]))
    if len(entries) == 1:
        return _written(shape, axis, entries[0], values[0])
    start, stop = _extent(entries[0])[0], _extent(entries[-1])[1]
    if stop - start == len(entries) and not any(isinstance(entry, tuple) for entry in entries):
        return _written(shape, axis, (start, stop, 1), stack.of(*values, axis))
    blocks, end = [], start
    for entry, value in zip(entries, values, strict=True):
        begin, upto = _extent(entry)
        if begin > end:
            blocks.append(zeros(_with_length(shape, axis, begin - end), value.dtype))
        block = _with_length(shape, axis, upto - begin)
        if not isinstance(entry, tuple):
            blocks.append(reshape.of(value, block))
        else:
            blocks.append(_written(block, axis, (0, upto - begin, entry[2]), value))
        end = upto
    return _written(shape, axis, (start, stop, 1), cat.of(*blocks, axis))


def _written(shape: Shape, axis: int, entry: Entry, value: ArrayExpr) -> ArrayExpr:
    """Return zeros with a value at an entry of an axis."""
    if entry == (0, shape[axis], 1):
        return value
    return updated.of(zeros(shape, value.dtype), value, entry_key(shape, axis, entry))


def _with_length(shape: Shape, axis: int, n: int) -> Shape:
    return (*shape[:axis], n, *shape[axis + 1 :])


def _extent(entry: Entry) -> tuple[int, int]:
    return entry[:2] if isinstance(entry, tuple) else (entry, entry + 1)


def _without_overlap(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Return entries of one axis in layers, in each of which none overlaps with another."""
    layers: list[tuple[int, int, list[Entry]]] = []  # by the end of each, as a heap
    for entry in sorted(entries, key=_extent):
        start, stop = _extent(entry)
        if layers and layers[0][0] <= start:
            _, number, layer = layers[0]
            layer.append(entry)
            heapq.heapreplace(layers, (stop, number, layer))
        else:
            heapq.heappush(layers, (stop, len(layers), [entry]))
    return [layer for _, _, layer in sorted(layers, key=operator.itemgetter(1))]
