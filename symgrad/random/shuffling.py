"""Random permutations, bit for bit PyTorch's `randperm` on a CPU."""

from __future__ import annotations

import math
from array import array
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.random.engine import Stream
from symgrad.random.rounded import BLOCK

Array: TypeAlias = npt.NDArray[Any]

#: From this number of elements on, PyTorch draws 64 bits for each: 32 bits would make some
#: permutations noticeably more frequent than others.
_LARGE_SHUFFLE = (2**32 - 1) // 20

#: So many elements are shuffled faster by a plain loop.
_SHORT_SHUFFLE = 2**14


def shuffled(stream: Stream, n: int) -> Array:
    """Return the numbers 0, ..., n - 1 in random order."""
    return _shuffled(stream, n) if n < _LARGE_SHUFFLE else np.array(_large_shuffled(stream, n))


def _shuffled(stream: Stream, n: int) -> Array:
    """Swap each element with itself or one of those after it (Fisher and Yates)."""
    items = np.arange(n)
    start = 0
    while n - start > _SHORT_SHUFFLE:
        # Among √n swaps of n elements about one meets another.
        stop = start + math.isqrt(n - start)
        _swap(items, start, _partners(stream, start, stop, n))
        start = stop
    rest = items[start:].tolist()
    for i, j in enumerate((_partners(stream, start, n - 1, n) - start).tolist()):
        rest[i], rest[j] = rest[j], rest[i]
    items[start:] = rest
    return items


def _partners(stream: Stream, start: int, stop: int, n: int) -> Array:
    """Return, for each place from `start` to `stop`, a random place from it to the last of `n`."""
    count = max(stop - start, 0)
    i = np.arange(start, start + count)
    return i + stream.words32(count).view(np.int64) % (n - i)


def _large_shuffled(stream: Stream, n: int) -> array[int]:
    """Insert each number at a random place among the numbers before it."""
    items = array("q", bytes(8 * n))
    for start in range(0, n, BLOCK):
        i = np.arange(start, min(start + BLOCK, n), dtype=np.uint64)
        j = stream.words64(i.size) % (i + np.uint64(1))
        for a, b in zip(i.tolist(), j.tolist(), strict=True):
            items[a] = items[b]
            items[b] = a
    return items


def _swap(items: Array, start: int, partners: Array) -> None:
    """Swap ``items[start + k]`` with ``items[partners[k]]``, for each k in order."""
    count = len(partners)
    if count < 16:
        for i, j in enumerate(partners.tolist(), start):
            items[i], items[j] = items[j], items[i]
        return
    stop = start + count
    ordered = np.sort(partners)
    if ordered[0] >= stop and (ordered[1:] != ordered[:-1]).all():  # no swap meets another
        items[start:stop], items[partners] = items[partners], items[start:stop].copy()
    else:
        half = count // 2
        _swap(items, start, partners[:half])
        _swap(items, start + half, partners[half:])
