"""Sets of places, one for each element of an array: which elements of a vector it is computed from.

A few places for each element are kept as `layers`, arrays with one place for each element or -1;
more of them as a sparse matrix of truth values.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

#: Of more layers a matrix is made.
_MAX_LAYERS = 32


def scipy_sparse(name: str) -> Any:
    """Return `scipy.sparse` for `name`; ImportError names the extra that brings it."""
    try:
        return importlib.import_module("scipy.sparse")
    except ImportError:
        raise ImportError(
            f"{name}(sparse=True) returns arrays of SciPy's, which is not installed: pip install "
            "'symgrad[special]'"
        ) from None


class Places(NamedTuple):
    """The set of each element of an array of `size` elements, in C order.

    Attributes
    ----------
    size : int
    layers : tuple of ndarray
        Integers of shape `(size,)`: the set of an element holds its numbers that are not -1.
    matrix : csr_array or None
        Where it is given, the sets are its rows, and there are no layers.
    """

    size: int
    layers: tuple[Array, ...]
    matrix: Any = None


class Sets:
    """Operations on sets of places in a vector of `count` elements.

    Equal layers are one object, so that a union need not compare elements.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        self._sparse = scipy_sparse("jacobian")
        self._layers: dict[tuple[int, int], list[Array]] = {}
        self._repeated: dict[Any, Array | None] = {}

    def of_layers(self, size: int, arrays: Sequence[Array]) -> Places:
        """Return sets of which each array has one place, or -1, for each element."""
        found: dict[int, Array] = {}
        for array in arrays:
            layer = self._layer(array)
            if layer is not None:
                found[id(layer)] = layer
        return self._of_distinct(size, found)

    def _of_distinct(self, size: int, found: dict[int, Array]) -> Places:
        made = Places(size, tuple(found.values()))
        return Places(size, (), self.matrix(made)) if len(found) > _MAX_LAYERS else made

    def _layer(self, array: Array) -> Array | None:
        """Return the one array with these elements; None where each is -1."""
        array = np.ascontiguousarray(array.reshape(-1), np.int64)
        if not array.size or array.max() < 0:
            return None
        same = self._layers.setdefault((array.size, zlib.crc32(array.data)), [])
        for known in same:
            if np.array_equal(known, array):
                return known
        same.append(array)
        return array

    def matrix(self, x: Places) -> Any:
        """Return the sets as the rows of a sparse matrix of truth values."""
        if x.matrix is not None:
            return x.matrix
        shape = (x.size, self.count)
        if not x.layers:
            return self._sparse.csr_array(shape, dtype=bool)
        columns = np.stack(x.layers, 1)
        there = columns >= 0
        rows = np.repeat(np.arange(x.size), there.sum(1))
        columns = columns[there]
        made = self._sparse.coo_array((np.ones(columns.size, bool), (rows, columns)), shape)
        return made.tocsr()

    def union(self, parts: Sequence[Places]) -> Places:
        """Return the unions of the sets of each element."""
        first = parts[0]
        if all(x.matrix is None for x in parts):
            found = {id(layer): layer for x in parts for layer in x.layers}
            return self._of_distinct(first.size, found)
        total = self.matrix(first)
        for x in parts[1:]:
            if x.matrix is not total:
                total = total + self.matrix(x)
        return Places(first.size, (), total)

    def repeated(self, x: Places, shape: Any, to: Any) -> Places:
        """Return the sets of an array of a shape, broadcast to another one."""
        if shape == to:
            return x
        size = int(np.prod(to, dtype=np.int64))
        if x.matrix is not None:
            return self.taken(x, np.broadcast_to(np.arange(x.size).reshape(shape), to).reshape(-1))
        found: dict[int, Array] = {}
        for layer in x.layers:
            key = id(layer), shape, to
            if key not in self._repeated:
                spread = np.broadcast_to(layer.reshape(shape), to)
                self._repeated[key] = self._layer(spread)
            made = self._repeated[key]
            if made is not None:
                found[id(made)] = made
        return Places(size, tuple(found.values()))

    def taken(self, x: Places, sources: Array) -> Places:
        """Return the sets of elements that are taken from others, or from none where it is -1."""
        there = sources >= 0
        if x.matrix is not None:
            return Places(sources.size, (), self._chosen(sources, x.size) @ x.matrix)
        if not x.layers or not sources.size:
            return Places(sources.size, ())
        return self.of_layers(
            sources.size, [np.where(there, layer[sources], -1) for layer in x.layers]
        )

    def _chosen(self, sources: Array, size: int) -> Any:
        (rows,) = np.nonzero(sources >= 0)
        there = np.ones(rows.size, bool), (rows, sources[rows])
        return self._sparse.coo_array(there, (sources.size, size)).tocsr()

    def gathered(self, x: Places, targets: Array, size: int) -> Places:
        """Return the unions of the sets of elements that go to one place, or to none where it is -1."""
        there = np.flatnonzero(targets >= 0)
        counts = np.bincount(targets[there], minlength=size)
        most = int(counts.max(initial=0))
        if x.matrix is None and most * len(x.layers) <= _MAX_LAYERS:
            order = there[np.argsort(targets[there], kind="stable")]
            starts = np.cumsum(counts) - counts
            rank = np.arange(order.size) - np.repeat(starts, counts)
            columns = np.full((most, size), -1)
            columns[rank, targets[order]] = order
            parts = [self.taken(x, column) for column in columns]
            return self.union(parts) if parts else Places(size, ())
        where = np.ones(there.size, bool), (targets[there], there)
        chosen = self._sparse.coo_array(where, (size, x.size)).tocsr()
        return Places(size, (), chosen @ self.matrix(x))

    def all_of(self, parts: Sequence[Places], size: int) -> Places:
        """Return for each element the places of all elements of all parts."""
        seen = np.zeros(self.count, bool)
        for x in parts:
            for layer in x.layers:
                seen[layer[layer >= 0]] = True
            if x.matrix is not None:
                seen[x.matrix.indices] = True
        found = np.flatnonzero(seen)
        if found.size <= _MAX_LAYERS:
            return self.of_layers(size, [np.full(size, place) for place in found])
        indices = np.tile(found, size)
        indptr = np.arange(size + 1) * found.size
        data = np.ones(indices.size, bool)
        return Places(size, (), self._sparse.csr_array((data, indices, indptr), (size, self.count)))
