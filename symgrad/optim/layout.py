"""The arrays of many parameters, in pieces of one axis: blocks of large ones, small ones joined.

A block stays in the cache while all of a program runs, and small arrays cost one call together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Columns = Sequence[Sequence[Array]]

#: The most bytes of an array in a block: all arrays fit into a cache.
BLOCK = 512 << 10
#: Parameters with fewer elements are joined.
SMALL = 1 << 12


class Layout:
    """Arrays of the same shapes in each of several columns, such as parameters and their states.

    Parameters
    ----------
    columns : sequence of sequence of ndarray
        The columns; arrays of one row have one shape and one dtype.
    """

    def __init__(self, columns: Columns) -> None:
        self._whole: list[tuple[int, list[Array]]] = []
        joined: list[int] = []
        for i, row in enumerate(zip(*columns, strict=True)):
            if row[0].size < SMALL or not all(a.flags.c_contiguous for a in row):
                joined.append(i)
            else:
                self._whole.append((i, [_flat(a) for a in row]))
        self._joined = _Joined(columns, joined) if joined else None

    def run(self, gradients: Sequence[Array], write: Callable[[list[Array]], Any]) -> Any:
        """Call `write` with arrays of each column, gradients after the first, until all is done.

        Returns
        -------
        Any
            The result of the last call.
        """
        found = None
        for i, (first, *others) in self._whole:
            g = _flat(gradients[i])
            size = first.size
            block = BLOCK // first.itemsize
            if size <= block:
                found = write([first, g, *others])
                continue
            for start in range(0, size, block):
                part = slice(start, start + block)
                found = write([first[part], g[part], *[a[part] for a in others]])
        if self._joined is not None:
            found = self._joined.run(gradients, write)
        return found


class _Joined:
    """Small arrays, which are copied into one for each column, and back."""

    def __init__(self, columns: Columns, rows: list[int]) -> None:
        self._rows = rows
        self._columns = [[column[i] for i in rows] for column in columns]
        kind = _flat(self._columns[0][0]).dtype
        factor = 2 if self._columns[0][0].dtype.kind == "c" else 1
        sizes = [factor * a.size for a in self._columns[0]]
        ends = np.cumsum(sizes).tolist()
        self._whole = [np.empty(ends[-1], kind) for _ in self._columns]
        self._gradient = np.empty(ends[-1], kind)
        # The parts of the joined arrays, in the shapes of the arrays that are copied there.
        self._parts = [
            [
                whole[end - size : end].view(a.dtype).reshape(a.shape)
                for a, size, end in zip(column, sizes, ends, strict=True)
            ]
            for column, whole in zip(self._columns, self._whole, strict=True)
        ]
        # Those without gaps are read through views; of others the elements are copied twice.
        self._flat = [
            [_flat(a) if a.flags.c_contiguous else None for a in column] for column in self._columns
        ]
        self._has_gaps = any(a is None for column in self._flat for a in column)

    def run(self, gradients: Sequence[Array], write: Callable[[list[Array]], Any]) -> Any:
        np.concatenate([_flat(gradients[i]) for i in self._rows], out=self._gradient)
        columns: Any = self._flat
        if self._has_gaps:
            columns = [[_flat(a) for a in column] for column in self._columns]
        for column, whole in zip(columns, self._whole, strict=True):
            np.concatenate(column, out=whole)
        first, *others = self._whole
        found = write([first, self._gradient, *others])
        for column, parts in zip(self._columns, self._parts, strict=True):
            for a, part in zip(column, parts, strict=True):
                a[...] = part
        return found


def _flat(a: Array) -> Array:
    """Return the elements in one axis, complex ones as pairs; a view where there are no gaps."""
    flat = a if a.ndim == 1 else a.reshape(-1)
    if flat.dtype.kind != "c":
        return flat
    return np.ascontiguousarray(flat).view(flat.real.dtype)
