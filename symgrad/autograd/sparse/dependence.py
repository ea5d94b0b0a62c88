"""Which elements of a formula depend on which elements of its arguments, as the formula says.

What an operation says of zeros (`symgrad.ops.zeros`) says where the elements of its result come
from. Of operations that say nothing each element is taken to depend on all elements of all operands.
No values of the arguments are read, but for those of indices.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symgrad.autograd.sparse.sets import Array, Places, Sets
from symgrad.differentiate.sweeps import fit
from symgrad.expr.atoms import Leaf
from symgrad.expr.dtypes import float64
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import reduced_shape, size_of
from symgrad.lower.executable import Executable
from symgrad.ops.axes import Reduction
from symgrad.ops.composite import order_of
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.equations import parse
from symgrad.ops.kinds import Fixed
from symgrad.ops.linear_algebra import MatrixOperation
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Result, Several
from symgrad.ops.zeros import Zeros

#: What says that an element is computed from the elements of the operands at the same place.
_AT_ONE_PLACE = frozenset(
    {
        Zeros.FIRST, Zeros.TERMS, Zeros.PRODUCT, Zeros.QUOTIENT, Zeros.POWER, Zeros.CHOICE,
        Zeros.FILL, Zeros.MASK, Zeros.WITHIN,
    }
)  # fmt: skip
_SUMS = frozenset({Zeros.TOTAL, Zeros.BROADCAST})


class Formulas:
    """The nodes of some outputs, and which of them depend on the leaves `wrt`.

    Attributes
    ----------
    order : list of ArrayExpr
        The nodes, each after its operands, or after its formula.
    formulas : dict
        The formulas of composite nodes, which take part in their place.
    live : set of ArrayExpr
        The nodes with derivatives by `wrt`.
    indices : list of ArrayExpr
        The operands that say where elements of live nodes come from, and do not depend on `wrt`.
    deciding : tuple of Leaf
        The leaves that these are computed from: their values decide where the zeros are.
    """

    def __init__(self, outputs: Sequence[ArrayExpr], wrt: Sequence[ArrayExpr]) -> None:
        self.outputs, self.wrt = outputs, wrt
        self.order, self.formulas = order_of(outputs, opens=_always)
        self.live: set[ArrayExpr] = set(wrt)
        read: set[ArrayExpr] = set(wrt)
        found: dict[ArrayExpr, None] = {}
        for x in self.order:
            below = (self.formulas[x],) if x in self.formulas else x.operands
            if not read.isdisjoint(below):
                read.add(x)
            passes = x.dtype.differentiable and getattr(x, "differentiable", True)
            if passes and not self.live.isdisjoint(below):
                self.live.add(x)
                if x not in self.formulas:
                    found.update(dict.fromkeys(_indices_of(x)))
        self.indices = [x for x in found if x not in read]
        self.deciding = leaves(*self.indices)


def _always(node: ArrayExpr) -> bool:
    return True


def _indices_of(node: ArrayExpr) -> Sequence[ArrayExpr]:
    """Return the operands that say where the elements of the others go."""
    moves = isinstance(node, Fixed) and node.keeps_zeros is Zeros.MOVED
    return node.operands[node.linear :] if moves else ()


class Dependence:
    """For each live node of formulas the places in `wrt`, one after the other, that it depends on.

    Attributes
    ----------
    sets : Sets
    places : dict
        For each live node the `Places` of its elements.
    moved : dict
        For each node whose elements are elements of `wrt`, or constants, an array of their places,
        -1 for constants.
    """

    def __init__(self, formulas: Formulas, values: Mapping[ArrayExpr, Array]) -> None:
        self._formulas = formulas
        sizes = [size_of(x.shape) for x in formulas.wrt]
        self.sets = Sets(sum(sizes))
        self._index = _values_of(formulas.indices, values)
        self.places: dict[ArrayExpr, Places] = {}
        self.moved: dict[ArrayExpr, Array] = {}
        start = 0
        for x, size in zip(formulas.wrt, sizes, strict=True):
            self.moved[x] = np.arange(start, start + size)
            self.places[x] = self.sets.of_layers(size, [self.moved[x]])
            start += size
        for node in formulas.order:
            if node in formulas.live and node not in self.places and isinstance(node, Primitive):
                self._visit(node)

    def _visit(self, node: Primitive) -> None:
        formula = self._formulas.formulas.get(node)
        if formula is not None:
            self.places[node] = self.places[formula]
            if formula in self.moved:
                self.moved[node] = self.moved[formula]
        elif not isinstance(node, Several):  # its results are visited
            source: Any = node.operands[0] if isinstance(node, Result) else node
            found = self._rule(source)(source, node.shape)
            self.places[node] = self._whole(source, node.shape) if found is None else found

    def _rule(self, node: Any) -> Callable[[Any, Any], Places | None]:
        how = node.keeps_zeros
        if how in (Zeros.MOVED, Zeros.ADDED):
            return self._moved
        if how is Zeros.CONTRACTION:
            return self._contracted
        if how in _SUMS or isinstance(node, Reduction):
            return self._reduced
        if isinstance(node, Elementwise) or how in _AT_ONE_PLACE:
            return self._at_one_place
        if isinstance(node, MatrixOperation):
            return self._by_matrices
        return self._along if "axis" in node.params else self._whole

    def _live(self, node: Primitive) -> list[ArrayExpr]:
        return [x for x in node.operands if x in self.places]

    def _whole(self, node: Primitive, shape: Any) -> Places:
        """Each element depends on all elements of all operands."""
        return self.sets.all_of([self.places[x] for x in self._live(node)], size_of(shape))

    def _at_one_place(self, node: Primitive, shape: Any) -> Places:
        found = [self.sets.repeated(self.places[x], x.shape, shape) for x in self._live(node)]
        return self.sets.union(found)

    def _reduced(self, node: Any, shape: Any) -> Places | None:
        """Each element depends on what is broadcast from it in the operand."""
        first = node.operands[0]
        if self._live(node) != [first]:
            return None
        axes = node.axes if isinstance(node, Reduction) else None
        kept = shape if axes is None else reduced_shape(first.shape, axes, True)
        if size_of(kept) != size_of(shape):
            return None
        numbers = np.arange(size_of(shape)).reshape(kept)
        targets = np.broadcast_to(numbers, first.shape).reshape(-1)
        return self.sets.gathered(self.places[first], targets, size_of(shape))

    def _along(self, node: Any, shape: Any) -> Places | None:
        """Each element depends on the row along an axis in which it is, of each operand."""
        axis, rank = node.axis, len(shape)
        live = self._live(node)
        if type(axis) is not int or not 0 <= axis < rank:
            return None
        kept = (*shape[:axis], 1, *shape[axis + 1 :])
        rows = np.arange(size_of(kept)).reshape(kept)
        found = []
        for x in live:
            if len(x.shape) != rank or (*x.shape[:axis], 1, *x.shape[axis + 1 :]) != kept:
                return None
            targets = np.broadcast_to(rows, x.shape).reshape(-1)
            found.append(self.sets.gathered(self.places[x], targets, size_of(kept)))
        return self.sets.repeated(self.sets.union(found), kept, shape)

    def _by_matrices(self, node: Any, shape: Any) -> Places | None:
        """Each element depends on the matrices that have its place among all matrices."""
        live = self._live(node)
        leading = live[0].shape[:-2]
        kept = (*leading, *[1] * (len(shape) - len(leading)))
        are_alike = all(len(x.shape) > 1 and x.shape[:-2] == leading for x in live)
        if not are_alike or shape[: len(leading)] != leading:
            return None
        rows = np.arange(size_of(leading)).reshape(*leading, 1, 1)
        found = []
        for x in live:
            targets = np.broadcast_to(rows, x.shape).reshape(-1)
            found.append(self.sets.gathered(self.places[x], targets, size_of(leading)))
        return self.sets.repeated(self.sets.union(found), kept, shape)

    def _contracted(self, node: Any, shape: Any) -> Places:
        inputs, output = parse(node.spec)
        labels = list(dict.fromkeys(output))
        sizes = dict(zip(output, shape, strict=True))
        compact = tuple([sizes[a] for a in labels])
        found = []
        for x, own in zip(node.operands, inputs, strict=True):
            if x not in self.places:
                continue
            kept = tuple([n if a in own else 1 for a, n in zip(labels, compact, strict=True)])
            numbers = np.arange(size_of(kept)).reshape(kept)
            # The number of the element of the result, or of a part of it, for each of the operand.
            grid = np.indices(x.shape, sparse=True)
            index = tuple([grid[own.index(a)] if a in own else 0 for a in labels])
            targets = np.broadcast_to(numbers[index], x.shape).copy()
            for i, a in enumerate(own):  # a diagonal
                if own.index(a) < i:
                    targets[np.broadcast_to(grid[i] != grid[own.index(a)], x.shape)] = -1
            part = self.sets.gathered(self.places[x], targets.reshape(-1), size_of(kept))
            found.append(self.sets.repeated(part, kept, compact))
        made = self.sets.union(found)
        if len(labels) == len(output):
            return made
        grid = np.indices(shape, sparse=True)  # what stands off the diagonal is zero
        index = tuple([grid[output.index(a)] for a in labels])
        sources = np.broadcast_to(np.arange(size_of(compact)).reshape(compact)[index], shape).copy()
        for i, a in enumerate(output):
            if output.index(a) < i:
                sources[np.broadcast_to(grid[i] != grid[output.index(a)], shape)] = -1
        return self.sets.taken(made, sources.reshape(-1))

    def _moved(self, node: Any, shape: Any) -> Places | None:
        """Elements of the operands stand elsewhere, or are added elsewhere."""
        count = node.linear if isinstance(node, Fixed) else len(node.operands)
        index = node.operands[count:]
        if not all(x in self._index for x in index):
            return None
        movement = _Movement(node, count, [self._index[x] for x in index])
        found, places = [], np.full(size_of(shape), -1)
        only_moved = True
        for i, x in enumerate(node.operands[:count]):
            if x not in self.places:
                continue
            sources = movement.sources(i)
            if sources is not None:
                found.append(self.sets.taken(self.places[x], sources))
                only_moved = only_moved and x in self.moved
                if only_moved and sources.size:
                    there = sources >= 0
                    only_moved = bool((places[there] < 0).all())
                    places[there] = self.moved[x][sources[there]]
                continue
            only_moved = False
            targets = movement.targets(i)
            if targets is None:
                return None
            found.append(self.sets.gathered(self.places[x], targets, size_of(shape)))
        if only_moved:
            self.moved[node] = places
            return self.sets.of_layers(places.size, [places])
        return self.sets.union(found)


class _Movement:
    """An operation that moves elements of its first operands, asked where it takes them.

    It is computed on the numbers of the elements of one operand, and zeros in the others.
    """

    def __init__(self, node: Any, count: int, index: Sequence[Array]) -> None:
        self._count, self._index = count, index
        kinds = [float64 if i < count else x.dtype for i, x in enumerate(node.operands)]
        self._leaves = [
            Leaf(f"_{i}", x.shape, kind)
            for i, (x, kind) in enumerate(zip(node.operands, kinds, strict=True))
        ]
        self._node: Any = type(node)(*self._leaves, *node.param_values)

    def sources(self, i: int) -> Array | None:
        """Return which element of an operand each element is, or -1; None if some are sums."""
        size = size_of(self._leaves[i].shape)

        def computed(x: Array) -> Array:
            given = [np.zeros(y.shape) for y in self._leaves[: self._count]]
            given[i] = x.reshape(given[i].shape)
            return _computed(self._node, self._leaves, [*given, *self._index])

        return _numbers(computed, size)

    def targets(self, i: int) -> Array | None:
        """Return to which element each element of an operand goes, or -1; None if to several."""
        ct = Leaf("_ct", self._node.shape, float64)
        needs = [k == i for k in range(len(self._leaves))]
        part = self._node.vjp(ct, needs)[i]
        if part is None:
            return None
        part = fit(part, self._leaves[i])
        others = [np.zeros(y.shape) for y in self._leaves[: self._count]]

        def computed(x: Array) -> Array:
            given = [*others, *self._index, x.reshape(ct.shape)]
            return _computed(part, [*self._leaves, ct], given)

        return _numbers(computed, size_of(ct.shape))


def _numbers(computed: Callable[[Array], Array], size: int) -> Array | None:
    """Return which element of its argument each element of a result is, -1 where it is zero."""
    counts = computed(np.ones(size)).reshape(-1)
    if not np.isin(counts, (0, 1)).all():
        return None
    return computed(np.arange(1.0, size + 1)).reshape(-1).astype(np.int64) - 1


def _computed(x: ArrayExpr, given: Sequence[ArrayExpr], values: Sequence[Array]) -> Array:
    (found,) = Executable([x], {leaf: i for i, leaf in enumerate(given)}).arrays(values)
    return np.asarray(found)


def _values_of(
    indices: Sequence[ArrayExpr], values: Mapping[ArrayExpr, Array]
) -> dict[ArrayExpr, Array]:
    if not indices:
        return {}
    given = {x: i for i, x in enumerate(values)}
    found = Executable(indices, given).arrays(list(values.values()))
    return dict(zip(indices, found, strict=True))
