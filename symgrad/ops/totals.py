"""Sums whose error does not grow with the number of terms; functions that stand alone as text.

NumPy adds pairwise along the axis whose elements are next to each other in memory, and one after
the other along the others: of a million terms three digits of seven are left in single precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.shapes import Shape, size_of

#: How many terms may be added one after the other.
_FEW = 64
#: So few along the last axis are added slice by slice, where there are many elements in all: NumPy
#: would make a call for each sum. (`_total`, which stands alone, repeats both numbers.)
_SHORT, _MANY = 16, 512


def is_long(count: int) -> bool:
    """Whether so many terms are too many to add one after the other."""
    return count > _FEW


def is_short(shape: Shape, axes: Sequence[int]) -> bool:
    """Whether arrays of many short rows are summed over these."""
    last = len(shape) - 1
    return tuple(axes) == (last,) and 1 < shape[last] <= _SHORT and size_of(shape) > _MANY


def _total(x: Any, *, axis: Any, keepdims: bool) -> Any:
    axes = tuple(range(x.ndim)) if axis is None else tuple(a % x.ndim for a in axis)
    long = [a for a in axes if x.shape[a] > 1]
    if len(axes) == x.ndim or x.size == 0 or not long:
        return np.add.reduce(x, axis=axis, keepdims=keepdims)  # type: ignore[call-overload]
    # Along an axis whose elements are one and the same, NumPy does not add pairwise.
    strides = [(abs(s), a) for a, s in enumerate(x.strides) if x.shape[a] > 1 and s]
    inner = min(strides, default=(0, -1))[1]
    # Along a short inner axis NumPy makes a call for few elements: after the others, few are left.
    for a in sorted(long, key=lambda a: (a != inner) == (x.shape[inner] >= 64)):
        n, first = x.shape[a], (slice(None),) * a
        if a != inner and x.size >= 512 * n > 512 * 256:  # whole rows are long: a few at a time
            parts = [x[(*first, slice(i, i + 128))] for i in range(0, n, 128)]
            parts = [np.add.reduce(part, axis=a, keepdims=True) for part in parts]
            x = np.concatenate(parts, axis=a)
        while a != inner and x.shape[a] > 64:  # add one half to the other
            half = x.shape[a] // 2
            folded = x[(*first, slice(half))] + x[(*first, slice(half, 2 * half))]
            if x.shape[a] % 2:
                folded[(*first, 0)] += x[(*first, -1)]
            x = folded
        if a == x.ndim - 1 and x.shape[a] <= 16 and x.size > 512 and x.dtype.kind in "fc":
            total = x[..., :1] + x[..., 1:2]
            for k in range(2, x.shape[a]):
                total += x[..., k : k + 1]
            x = total
        else:
            x = np.add.reduce(x, axis=a, keepdims=True)
    return x if keepdims else np.squeeze(x, axis=axes)


def _accumulated(out: Any, places: Any, value: Any) -> None:
    # Into `out`, at positions of its flattened form; short floats in double precision.
    flat = out.reshape(-1)
    value = np.broadcast_to(value, places.shape).reshape(-1)
    places = places.reshape(-1)
    if out.dtype in (np.float16, np.float32) and places.size > max(64, flat.size / 4):
        total = np.bincount(places, value, flat.size)
        flat[...] = flat + total
    else:
        np.add.at(flat, places, value)


#: `_total(x, axis=axis, keepdims=keepdims)`, as `np.add.reduce`.
TOTAL = Kernel.from_function(_total)
#: `_accumulated(out, places, value)`: add to an array in C order where positions may repeat.
ACCUMULATED = Kernel.from_function(_accumulated)
