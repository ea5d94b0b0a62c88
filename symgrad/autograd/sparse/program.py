"""The elements of sparse Jacobians as formulas: a derivative for each group of columns or rows.

The tangent of a group is 1 in all of its columns. What only moves elements of the arguments has
tangents that are known, most of them zeros, or ones, everywhere: what they multiply is left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from symgrad.autograd.sparse.coloring import Groups, groups_of, row_groups_of
from symgrad.autograd.sparse.dependence import Dependence, Formulas
from symgrad.autograd.sparse.sets import Array, Places, scipy_sparse
from symgrad.differentiate.batch import batch_expressions
from symgrad.differentiate.sweeps import jvp, vjp
from symgrad.expr.atoms import ArrayConst, Const
from symgrad.expr.dtypes import bool_, dtype
from symgrad.expr.graph import replace_nodes, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, size_of
from symgrad.lower.executable import Executable
from symgrad.ops.broadcasting import broadcast_to, zeros
from symgrad.ops.casting import cast
from symgrad.ops.comparison import eq
from symgrad.ops.composite import StandIn
from symgrad.ops.indexing import index_put
from symgrad.ops.reshaping import reshape

#: Of more groups, the derivatives are computed along a new axis, by one formula.
_MAX_FORMULAS = 32
#: So many operations are written for all groups together.
_MAX_OPERATIONS = 20_000
#: So many passes over columns cost no more than one over rows.
_COLUMNS_FOR_A_ROW = 2


class Source(NamedTuple):
    """Where elements of a computed array stand among those of a sparse one.

    Attributes
    ----------
    formula : int
        The number of the array.
    taken : ndarray or None
        The elements that are taken; None for all.
    put : ndarray or tuple
        Their places; or the offset, the shape and the strides of places that are evenly spaced.
    adds : bool
        Whether elements are added at one place.
    """

    formula: int
    taken: Array | None
    put: Any
    adds: bool


class Block(NamedTuple):
    """The Jacobian of one result by one argument: its pattern, and where its elements are from."""

    shape: tuple[int, int]
    indptr: Array
    indices: Array
    kind: Any
    sources: list[Source]
    is_full: bool


class Entries(NamedTuple):
    """Derivatives that are elements of a sparse array, or summands of them.

    Attributes
    ----------
    formulas : list of ArrayExpr or None
        The computed arrays; None for zeros.
    of, at : ndarray
        The number of the array of each derivative, and which of its elements it is.
    place : ndarray
        Which of the stored elements it belongs to.
    """

    formulas: list[ArrayExpr | None]
    of: Array
    at: Array
    place: Array


class SparseProgram:
    """Sparse Jacobians of formulas for one structure of arguments, and one of the zeros.

    Parameters
    ----------
    formulas : Formulas
        The results, and the leaves that are differentiated by.
    beside : sequence of ArrayExpr
        What is computed beside.
    leaves : sequence of ArrayExpr
        The leaves that have values in each run.
    deciding : mapping
        The values of those that decide where the zeros are.
    careful : bool
        Whether zeros are masked.

    Attributes
    ----------
    groups : list of Groups
        Of each result the groups of columns or rows that are computed together.

    Notes
    -----
    The zeros of a tangent multiply what may be infinite. So that no element is nan for that alone,
    a `careful` program masks them, which takes twice the time.
    """

    def __init__(
        self,
        formulas: Formulas,
        beside: Sequence[ArrayExpr],
        leaves: Sequence[ArrayExpr],
        deciding: Mapping[ArrayExpr, Array],
        careful: bool = False,
    ) -> None:
        self._sparse = scipy_sparse("jacobian")
        dependence = Dependence(formulas, deciding)
        self._made: dict[ArrayExpr, int] = {}
        self.groups: list[Groups] = []
        self._rows: list[list[Block]] = []
        for y in formulas.outputs:
            pattern = _pattern(dependence, y)
            groups, entries = _entries(formulas, dependence, y, pattern, deciding, careful)
            self.groups.append(groups)
            self._rows.append(self._blocks(formulas.wrt, pattern, entries))
        self._count = len(self._made)
        given = {x: i for i, x in enumerate(leaves)}
        self._executable = Executable([*self._made, *beside], given)

    def run(self, values: Sequence[Array]) -> tuple[list[list[Any]], list[Array]]:
        """Return for each result its Jacobians by all arguments, and what is computed beside."""
        found = self._executable.arrays(values)
        made = [[self._matrix(block, found) for block in row] for row in self._rows]
        return made, found[self._count :]

    def _matrix(self, block: Block, found: Sequence[Array]) -> Any:
        data = (np.empty if block.is_full else np.zeros)(block.indices.size, block.kind)
        for formula, taken, put, adds in block.sources:
            x = found[formula].reshape(-1) if taken is not None or adds else found[formula]
            x = x if taken is None else x[taken]
            if adds:
                data += np.bincount(put, x, data.size).astype(data.dtype, copy=False)
            elif isinstance(put, tuple):
                start, shape, strides = put
                np.ndarray(shape, data.dtype, data, start, strides)[...] = x.reshape(shape)
            else:
                data[put] = x.reshape(-1)
        # With memory of its own, since a caller may change what is stored.
        made = self._sparse.csr_array(
            (data, block.indices.copy(), block.indptr.copy()), block.shape
        )
        made.has_canonical_format = True
        return made

    def _blocks(self, wrt: Sequence[ArrayExpr], pattern: Any, entries: Entries) -> list[Block]:
        blocks, start = [], 0
        count = pattern.shape[0]
        lines = _lines(pattern)
        for x in wrt:
            size = size_of(x.shape)
            own = (pattern.indices >= start) & (pattern.indices < start + size)
            counts = np.bincount(lines[own], minlength=count)
            indptr = np.concatenate([[0], np.cumsum(counts)])
            kept = np.int32 if max(size, indptr[-1]) < 2**31 else np.int64
            indptr, indices = indptr.astype(kept), (pattern.indices[own] - start).astype(kept)
            here = own[entries.place]
            mine = Entries(
                entries.formulas, entries.of[here], entries.at[here],
                (np.cumsum(own) - 1)[entries.place[here]],
            )  # fmt: skip
            kind = x.dtype.numpy
            sources = self._sources(mine, kind.itemsize)
            is_full = not any(source.adds for source in sources) and indices.size == sum(
                [_count_of(source.put) for source in sources]
            )
            blocks.append(Block((count, size), indptr, indices, kind, sources, is_full))
            start += size
        return blocks

    def _sources(self, entries: Entries, itemsize: int) -> list[Source]:
        adds = np.unique(entries.place).size < entries.place.size
        order = np.lexsort((entries.at, entries.of))
        ends = np.searchsorted(entries.of[order], np.arange(len(entries.formulas) + 1))
        made = []
        for number, formula in enumerate(entries.formulas):
            own = order[ends[number] : ends[number + 1]]
            if formula is None or not own.size:
                continue
            at, put = entries.at[own], entries.place[own]
            is_all = at.size == size_of(formula.shape)  # they are distinct
            spaced = None
            if not adds:
                spaced = _spaced(put, formula.shape if is_all else put.shape, itemsize)
            index = self._made.setdefault(formula, len(self._made))
            made.append(
                Source(index, None if is_all else at, put if spaced is None else spaced, adds)
            )
        return made


def _count_of(put: Any) -> int:
    return size_of(put[1]) if isinstance(put, tuple) else put.size


def _spaced(put: Array, shape: Shape, itemsize: int) -> Any:
    """Return the offset, the shape and the strides of places, where they have such; else None."""
    grid = put.reshape(shape)
    strides = []
    for a, n in enumerate(shape):
        step = int(grid.take(1, a).flat[0] - grid.flat[0]) if n > 1 else 1
        if n > 1 and not (np.diff(grid, axis=a) == step).all():
            return None
        strides.append(step * itemsize)
    return int(grid.flat[0]) * itemsize, shape, tuple(strides)


def _pattern(dependence: Dependence, y: ArrayExpr) -> Any:
    """Return which elements of a result depend on which places, as a `csr_array` in order."""
    found = dependence.places.get(y)
    made = dependence.sets.matrix(Places(size_of(y.shape), ()) if found is None else found)
    made.sum_duplicates()
    return made


def _lines(pattern: Any) -> Array:
    """Return the row of each stored element."""
    return np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))


def _entries(
    formulas: Formulas,
    dependence: Dependence,
    y: ArrayExpr,
    pattern: Any,
    values: Mapping[ArrayExpr, Array],
    careful: bool,
) -> tuple[Groups, Entries]:
    """Return how the elements of the Jacobian of a result are computed."""
    none = np.zeros(0, np.int64)
    groups = groups_of(pattern)
    if not groups.number:
        return groups, Entries([], none, none, none)
    lines = _lines(pattern)
    cost = groups.number if groups.are_rows else groups.number // _COLUMNS_FOR_A_ROW
    if cost > 1:
        local = _Local(formulas, dependence, y, values)
        rows = local.row_groups(cost - groups.are_rows)
        if rows is not None:
            # The stored element that each local derivative is a summand of.
            known = lines * pattern.shape[1] + pattern.indices
            wanted = _lines(local.pattern) * pattern.shape[1] + local.places[local.pattern.indices]
            made = _Pulled(local.y, local.wrt, local.pattern, rows, careful).entries(
                np.searchsorted(known, wanted)
            )
            back = [None if x is None else local.put_back(x) for x in made.formulas]
            return rows, made._replace(formulas=back)
    if groups.are_rows:
        pulled = _Pulled(y, formulas.wrt, pattern, groups, careful)
        return groups, pulled.entries(np.arange(lines.size))
    found = _pushed(formulas, dependence, y, groups, careful)
    of = groups.of[pattern.indices]
    if len(found) == groups.number:
        return groups, Entries(found, of, lines, np.arange(lines.size))
    at = of * pattern.shape[0] + lines
    return groups, Entries(found, np.zeros_like(of), at, np.arange(lines.size))


# ------------------------------------------------------------------ by rows


class _Local:
    """A result as a function of what the arguments' elements are moved to, each a variable.

    Rows that share an element of an argument, as observations of one camera do, seldom share the
    place that it was moved to.

    Attributes
    ----------
    y : ArrayExpr
        The result, with leaves in the place of nodes whose elements are only moved.
    wrt : list of ArrayExpr
        These leaves.
    places : ndarray
        The place in the arguments of each element of the leaves; -1 for constants.
    pattern : csr_array
        Which elements of the result depend on which elements of the leaves.
    """

    def __init__(
        self,
        formulas: Formulas,
        dependence: Dependence,
        y: ArrayExpr,
        values: Mapping[ArrayExpr, Array],
    ) -> None:
        moved = dependence.moved
        used = _variables(y, formulas.wrt, moved, values)
        self._originals: dict[ArrayExpr, ArrayExpr] = {StandIn.of(x): x for x in used}
        self.wrt = list(self._originals)
        stand_ins = {x: leaf for leaf, x in self._originals.items()}
        (self.y,) = replace_nodes([y], stand_ins)
        self.places = _joined([moved[x] for x in used])
        self._inner = Formulas([self.y], self.wrt)
        self._values = values

    def row_groups(self, most: int) -> Groups | None:
        """Return groups of rows, at most so many; None where there are more."""
        if not self.wrt or not set(self._inner.deciding) <= self._values.keys():
            return None
        pattern = _pattern(Dependence(self._inner, self._values), self.y)
        kept = self.places[pattern.indices] >= 0
        if not kept.all():  # there is no derivative by a constant
            rows, columns = _lines(pattern)[kept], pattern.indices[kept]
            data = np.ones(rows.size, bool)
            pattern = type(pattern)((data, (rows, columns)), pattern.shape)
            pattern.sum_duplicates()
        self.pattern = pattern
        if np.diff(pattern.tocsc().indptr).max(initial=0) > most:
            return None
        found = row_groups_of(pattern)
        return found if found.number <= most else None

    def put_back(self, x: ArrayExpr) -> ArrayExpr:
        (made,) = replace_nodes([x], self._originals)
        return made


def _variables(
    y: ArrayExpr,
    wrt: Sequence[ArrayExpr],
    moved: Mapping[ArrayExpr, Array],
    values: Mapping[ArrayExpr, Array],
) -> list[ArrayExpr]:
    """Return nodes through which a result depends on the arguments, whose elements are only moved.

    These are what the operations read: parts of what was gathered, for example. Where these overlap,
    it is what was gathered itself, so that its derivative is computed as one sum.
    """
    read: dict[ArrayExpr, None] = {}
    for x in toposort([y], moved.__contains__):
        if x not in moved:
            read.update(dict.fromkeys([z for z in x.operands if z in moved]))
    repeats = {x: np.bincount(at[at >= 0]).max(initial=0) for x, at in moved.items()}
    wholes = [
        x
        for x, n in repeats.items()
        if x in wrt or n > max([repeats[z] for z in x.operands if z in moved], default=n)
    ]
    inner = Formulas(list(read), wholes)
    if not set(inner.deciding) <= values.keys():
        return list(wrt)
    at = Dependence(inner, values).moved
    if not at.keys() >= read.keys():
        return list(wrt)
    sizes = np.array([size_of(x.shape) for x in wholes])
    owner = np.repeat(np.arange(len(wholes)), sizes)
    count = np.bincount(_joined([at[x][at[x] >= 0] for x in read]), minlength=owner.size)
    overlapping = {*owner[count > 1].tolist()}
    of = {x: {*np.unique(owner[at[x][at[x] >= 0]]).tolist()} for x in read}
    while True:
        more = [owners for owners in of.values() if owners & overlapping and owners - overlapping]
        if not more:
            break
        overlapping.update(*more)
    parts = [x for x in read if not of[x] & overlapping]
    return [*parts, *[wholes[k] for k in sorted(overlapping)]]


def _joined(arrays: Sequence[Array]) -> Array:
    return np.concatenate(arrays) if arrays else np.zeros(0, np.int64)


class _Pulled:
    """The cotangents of variables for groups of rows of a result."""

    def __init__(
        self,
        y: ArrayExpr,
        wrt: Sequence[ArrayExpr],
        pattern: Any,
        groups: Groups,
        careful: bool,
    ) -> None:
        self._wrt, self._pattern, self._groups = wrt, pattern, groups
        self._one_by_one = groups.number <= _most_formulas([y])
        if self._one_by_one:
            self._found = []
            for g in range(groups.number):
                self._found += vjp([y], [_indicator(y, groups.of == g, careful)], wrt)
        else:
            here, ct = _unknown_indicator(y, careful)
            self._found = _batched(vjp([y], [ct], wrt), {here: groups.of}, groups.number)

    def entries(self, place: Array) -> Entries:
        """Return the derivatives, where `place` is that of each element of the pattern."""
        sizes = np.array([size_of(x.shape) for x in self._wrt])
        starts = np.cumsum(sizes) - sizes
        columns = self._pattern.indices
        variable = np.searchsorted(starts + sizes, columns, side="right")
        group = self._groups.of[_lines(self._pattern)]
        at = columns - starts[variable]
        if self._one_by_one:
            return Entries(self._found, group * len(self._wrt) + variable, at, place)
        return Entries(self._found, variable, at + group * sizes[variable], place)


# ------------------------------------------------------------------ by columns


def _pushed(
    formulas: Formulas, dependence: Dependence, y: ArrayExpr, groups: Groups, careful: bool
) -> list[ArrayExpr | None]:
    """Return the tangents of a result for groups of columns: of each, or along an axis of groups."""
    at = {x: np.where(places >= 0, groups.of[places], -1) for x, places in dependence.moved.items()}
    if groups.number <= _most_formulas(formulas.live):
        found = []
        for g in range(groups.number):
            found += jvp([y], list(at), [_indicator(x, of == g, careful) for x, of in at.items()])
        return found
    seeds = {x: _unknown_indicator(x, careful) for x in at}
    pushed = jvp([y], list(at), [t for _, t in seeds.values()])
    return _batched(pushed, {seeds[x][0]: of for x, of in at.items()}, groups.number)


def _most_formulas(nodes: Collection[ArrayExpr]) -> int:
    count = len(toposort(list(nodes))) if len(nodes) == 1 else len(nodes)
    return min(_MAX_FORMULAS, _MAX_OPERATIONS // (1 + count))


def _batched(
    parts: Sequence[ArrayExpr | None], groups: Mapping[ArrayExpr, Array], count: int
) -> list[ArrayExpr | None]:
    """Return derivatives along an axis of groups: each stand-in is 1 in those of its elements."""
    moved: dict[ArrayExpr, ArrayExpr] = {}
    numbers = np.arange(count)
    for x, of in groups.items():
        each = ArrayConst(numbers.reshape(count, *[1] * len(x.shape)))
        here = eq.of(each, ArrayConst(of.reshape(1, *x.shape)))
        moved[x] = here if x.dtype is bool_ else cast.of(here, x.dtype)
    found = iter(batch_expressions([x for x in parts if x is not None], moved, count))
    return [None if x is None else next(found) for x in parts]


def _indicator(x: ArrayExpr, where: Array, careful: bool) -> ArrayExpr | None:
    """Return 1 at some elements of an array like `x`, and 0 at others; None for 0 everywhere.

    Where it is `careful`, as a value among zeros, which mask what they are multiplied by.
    """
    where = where.reshape(x.shape)
    if not where.any():
        return None
    if where.all():
        return _ones(x.shape, x.dtype)
    if careful:
        places = np.flatnonzero(where)
        flat = zeros((where.size,), x.dtype)
        ones = _ones((places.size,), x.dtype)
        line = index_put.of(flat, ones, ArrayConst(places), (True,), (0,), False)
        return reshape.of(line, x.shape)
    for a, n in enumerate(x.shape):
        first = where.take([0], a)
        where = first if n > 1 and (where == first).all() else where
    return broadcast_to.of(ArrayConst(where.astype(x.dtype.numpy)), x.shape)


def _unknown_indicator(x: ArrayExpr, careful: bool) -> tuple[ArrayExpr, ArrayExpr]:
    """Return a leaf, and 1 at the elements of an array like `x` where it holds, and 0 at others.

    Where that is not `careful`, it is the leaf, which then is no truth value.
    """
    if not careful:
        leaf = StandIn.of(x)
        return leaf, leaf
    leaf = StandIn.of(zeros(x.shape, bool_))
    return leaf, cast.of(leaf, x.dtype)


def _ones(shape: Shape, kind: dtype) -> ArrayExpr:
    return broadcast_to.of(Const(1, kind), shape)
