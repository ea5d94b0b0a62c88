"""Formulas of SymPy with indices as expressions of arrays: each index is an axis.

A part of a formula becomes an array with an axis for each index that it has, in one order of all
indices; operations of several parts broadcast. Nothing recurses along the formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy
from sympy.core.function import AppliedUndef
from sympy.matrices.expressions.matexpr import MatrixElement

from symgrad.expr.atoms import Const, as_expr
from symgrad.expr.dtypes import Category, float64, int64
from symgrad.expr.named_sizes import as_formula, is_named, size_of_formula, size_of_symbols
from symgrad.expr.node import ArrayExpr
from symgrad.forms.matrices import doubles, shown
from symgrad.lower.evaluate import evaluate
from symgrad.ops import comparison, powers
from symgrad.ops.contraction import contract
from symgrad.ops.contraction import delta as identity
from symgrad.ops.equations import equation
from symgrad.ops.indexing import index as index_of
from symgrad.ops.primitive import PRIMITIVES, Primitive
from symgrad.ops.reduction import sum as sum_of
from symgrad.ops.scans import cumsum
from symgrad.ops.scans import prod as prod_of
from symgrad.ops.slicing import part
from symgrad.ops.softmax import Normalised, logsumexp
from symgrad.ops.where import where
from symgrad.schema.public import FUNCTIONS

#: The most numbers whose values are looked at.
_FEW = 10_000


def _has_whole_values(x: ArrayExpr) -> bool:
    """Return whether an array of numbers that are known, and few, holds whole ones."""
    if x.leaves or x.size > _FEW:
        return False
    values = evaluate(x)
    return bool((abs(values - np.round(values)) < 1e-6).all())


class _Array(NamedTuple):
    """An array, and the index of each of its axes."""

    value: ArrayExpr
    indices: tuple[Any, ...]


class Reading(NamedTuple):
    """How formulas without indices are read.

    Attributes
    ----------
    children : callable
        Returns the parts of a node that are read before it.
    made : callable
        Returns a node as an expression, from those of its parts.
    """

    children: Callable[[Any], Sequence[Any]]
    made: Callable[[Any, list[Any]], Any]


def parts_of(expr: Any, closed: tuple[type[Any], ...] = ()) -> set[Any]:
    """Return the nodes of a formula, but those in nodes of a class that is `closed`.

    SymPy's `atoms` and `has` come to a node along each path.
    """
    found, stack = set(), [expr]
    while stack:
        node = stack.pop()
        if node not in found:
            found.add(node)
            if not isinstance(node, closed):
                stack += node.args
    return found


def free_indices(expr: Any) -> list[Any]:
    """Return the indices of a formula that no sum, product or function binds, by their names."""
    found: set[Any] = set()
    stack: list[tuple[Any, frozenset[Any]]] = [(expr, frozenset())]
    seen = set()
    while stack:
        node, bound = stack.pop()
        if (node, bound) in seen:
            continue
        seen.add((node, bound))
        if isinstance(node, sympy.Idx):
            found.update({node} - bound)
        elif isinstance(node, (sympy.Sum, sympy.Product, sympy.Lambda)):
            own = node.variables
            stack += [(x, bound.union(own)) for x in node.args]
        else:
            stack += [(x, bound) for x in node.args]
    return sorted(found, key=str)


def in_order(expr: Any, indices: Any) -> list[Any]:
    """Return the free indices of a formula in the order of the axes that they become.

    Raises
    ------
    ValueError
        If the order is not known, or leaves one out.
    """
    free = free_indices(expr)
    if indices is None:
        if len(free) > 1:
            listed = ", ".join(map(str, free))
            raise ValueError(
                f"from_sympy: the formula has the free indices {listed}, each of which becomes an "
                f"axis; say in which order, as in indices=({listed})"
            )
        return free
    if isinstance(indices, (str, sympy.Idx)) or not isinstance(indices, Iterable):
        indices = (indices,)
    named = {str(k): k for k in free}
    given = [named.get(k, k) if isinstance(k, str) else k for k in indices]
    if not all(isinstance(k, sympy.Idx) for k in given):
        known = ", ".join(map(str, free)) or "(none)"
        raise ValueError(
            f"from_sympy: indices= are indices of the formula, each a sympy.Idx or its name, got "
            f"{indices!r}; the formula has {known}"
        )
    missing = [str(k) for k in free if k not in given]
    if missing or len(set(given)) < len(given):
        raise ValueError(
            f"from_sympy: indices= names each free index of the formula once, got "
            f"{tuple(map(str, given))}; it leaves out {', '.join(missing) or 'none'}"
        )
    return given


def read_indexed(
    expr: Any, free: Sequence[Any], known: Mapping[Any, ArrayExpr], reading: Reading
) -> ArrayExpr:
    """Return a formula with indices as an array, with an axis for each of `free`."""
    reader = _Reader(expr, free, known, reading)
    found = reader.read(expr)
    found = found._replace(value=doubles([found.value])[0])
    if not free:  # it may be a matrix
        return found.value
    shape = tuple([reader.length(k) for k in free])
    made = reader.aligned(found, tuple(free))
    return made if made.shape == shape else made.broadcast_to(shape)


class _Reader:
    def __init__(
        self, expr: Any, free: Sequence[Any], known: Mapping[Any, ArrayExpr], reading: Reading
    ) -> None:
        self.reading = reading
        self.done: dict[Any, _Array] = {k: _Array(x, ()) for k, x in known.items()}
        self.first: dict[Any, int] = {}
        self.last: dict[Any, int] = {}
        # Indices that run as far as others say, so that a condition keeps them in their range.
        self.running: set[Any] = set()
        nodes = parts_of(expr)
        # What stands nowhere but in cases is read where the condition holds.
        self.guarded = nodes - parts_of(expr, (sympy.Piecewise,))
        self._find_ranges(nodes, expr, free)
        self.place = {k: i for i, k in enumerate(dict.fromkeys([*free, *self.first]))}

    # ---------------------------------------------------------------- indices

    def _find_ranges(self, nodes: set[Any], expr: Any, free: Sequence[Any]) -> None:
        """Note which numbers each index stands for."""
        for k in free:
            self._note(k, *(k.args[1] if len(k.args) > 1 else self._range_in(nodes, k)))
        stack, seen = [expr], set()  # from the outside to the inside
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            limits = []
            if isinstance(node, (sympy.Sum, sympy.Product)):
                limits = [x for x in node.limits if isinstance(x[0], sympy.Idx)]
            elif isinstance(node, sympy.Lambda):
                limits = [(k, k.lower, k.upper) for k in node.variables if isinstance(k, sympy.Idx)]
            for k, *ends in limits[::-1]:  # the last is the outermost
                first, last = ends or (k.lower, k.upper)
                least, most = self._least(first), self._least(-last)
                if [first, last] != [least, most if most is None else -most]:
                    self.running.add(k)
                self._note(k, least, most if most is None else -most)
            stack += node.args

    def _note(self, k: Any, first: Any, last: Any) -> None:
        ends = None if None in (first, last) else [size_of_symbols(x) for x in (first, last)]
        if ends is None or None in ends:
            raise ValueError(
                f"from_sympy: the range of the index {k} is not known; make it by "
                f"sympy.Idx({str(k)!r}, n) with a number or a name n"
            )
        first, last = ends
        if self.first.get(k, first) != first or self.last.get(k, last) != last:
            self.running.add(k)
        self.first[k] = min(first, self.first.get(k, first))
        self.last[k] = max(last, self.last.get(k, last))

    def _least(self, limit: Any) -> Any:
        """Return the least value of a sum of indices that are known."""
        least = sympy.S.Zero
        for x, c in sympy.expand(limit).as_coefficients_dict().items():
            if x in self.first:
                least += c * as_formula(self.first[x] if c > 0 else self.last[x])
            elif isinstance(x, sympy.Mod) and x.args[1].is_positive:
                least += sympy.S.Zero if c > 0 else c * (x.args[1] - 1)
            elif x.has(sympy.Idx):
                return None
            else:
                least += c * x
        return least

    def _range_in(self, nodes: set[Any], k: Any) -> tuple[Any, Any]:
        """Return the range of an index without one, from the shape of an array that has it."""
        for node in [x for x in nodes if isinstance(x, sympy.Indexed)]:
            base = self.done.get(node.base)
            shape = node.base.shape if base is None else base.value.shape
            for i, n in zip(node.indices, shape or (), strict=False):
                if i == k:
                    return sympy.S.Zero, sympy.sympify(n) - 1
        return None, None

    def length(self, k: Any) -> int:
        """Return the length of the axis that an index is."""
        return max(0, self.last[k] - self.first[k] + 1)

    def _numbers_of(self, k: Any) -> _Array:
        """Return the numbers that an index stands for, one after the other."""
        first, size = self.first[k], self.length(k)
        if is_named((first, size)):
            ones = Const(1, int64).broadcast_to((size,))
            return _Array(cumsum.of(ones, 0, False) + as_expr(first - 1), (k,))
        return _Array(as_expr(np.arange(first, first + size)), (k,))

    def aligned(self, x: _Array, indices: Sequence[Any]) -> ArrayExpr:
        """Return an array that broadcasts to axes with some indices, among which its own are."""
        order = sorted(range(len(x.indices)), key=lambda a: indices.index(x.indices[a]))
        value = x.value if order == list(range(len(order))) else x.value.permute(tuple(order))
        shape = tuple([self.length(k) if k in x.indices else 1 for k in indices])
        while shape[:1] == (1,) and len(shape) > value.ndim:
            shape = shape[1:]
        return value if value.shape == shape else value.reshape(shape)

    def union(self, parts: Sequence[_Array]) -> tuple[Any, ...]:
        """Return the indices of several arrays in the order of all indices."""
        return tuple(sorted({k for x in parts for k in x.indices}, key=self.place.__getitem__))

    # ---------------------------------------------------------------- the walk

    def read(self, root: Any) -> _Array:
        stack = [root]
        while stack:
            node = stack[-1]
            if node in self.done:
                stack.pop()
                continue
            children = self._children(node)
            missing = [x for x in children if x not in self.done]
            if missing:
                stack += missing[::-1]
                continue
            self.done[node] = self._made(node, [self.done[x] for x in children])
            stack.pop()
        return self.done[root]

    def _children(self, node: Any) -> Sequence[Any]:
        if isinstance(node, sympy.Idx) or _is_numbers(node):
            return ()
        if isinstance(node, sympy.Indexed):
            return (node.base, *node.indices)
        if isinstance(node, MatrixElement):
            return (node.parent, *node.indices)
        if _is_of_elements(node):
            return (node.lamda.expr,)
        if isinstance(node, sympy.KroneckerDelta):
            return node.args[:2]  # type: ignore[no-any-return]
        if _binds(node):
            return (*_factors(node), *[x for limit in node.limits for x in limit[1:]])
        if _is_along(node):
            return (_body(node), *node.args[1:])
        return self.reading.children(node)

    def _made(self, node: Any, parts: list[_Array]) -> _Array:
        if isinstance(node, sympy.Idx):
            return self._numbers_of(node)
        if _is_numbers(node):
            return _Array(_numbers(node), ())
        if isinstance(node, (sympy.Indexed, MatrixElement)):
            return self._indexed(node, parts)
        if _is_of_elements(node):
            free = tuple(node.lamda.variables)
            made, shape = self.aligned(parts[0], free), tuple(map(self.length, free))
            return _Array(made if made.shape == shape else made.broadcast_to(shape), ())
        if isinstance(node, sympy.KroneckerDelta):
            return self._delta(node, parts)
        if _binds(node):
            return self._bound(node, parts)
        if _is_along(node):
            return self._named(node, parts)
        indices = self.union(parts)
        if not indices:  # there may be matrices among them
            return _Array(self.reading.made(node, [x.value for x in parts]), ())
        if any(getattr(x, "is_Matrix", False) for x in [node, *self._children(node)]):
            raise TypeError(
                f"from_sympy: {shown(node)} is made of a matrix and of what has indices; write the "
                "elements of the matrix with the indices too"
            )
        values = [self.aligned(x, indices) for x in parts]
        made = self.reading.made(node, values)
        if made.dtype.category > Category.INT and all(x.weak or _counts(x) for x in values):
            # Numbers made of indices alone have the digits of SymPy's other numbers.
            exact = [x.to(float64) if _counts(x) else x for x in values]
            made = self.reading.made(node, exact)
        return _Array(made, indices)

    def _delta(self, node: Any, parts: list[_Array]) -> _Array:
        i, j = node.args[:2]
        indices = self.union(parts)
        if len(indices) == 2 and {i, j} == set(indices):
            ends = [(self.first[k], self.last[k]) for k in (i, j)]
            if ends[0] == ends[1]:
                return _Array(identity((self.length(i),), float64), indices)
        a, b = [self.aligned(x, indices) for x in parts]
        return _Array(where.of(comparison.eq.of(a, b), Const(1.0, float64), Const(0)), indices)

    # ---------------------------------------------------------------- elements of arrays

    def _indexed(self, node: Any, parts: list[_Array]) -> _Array:
        base, *places = parts
        shape = base.value.shape
        if len(shape) != len(places):
            raise ValueError(
                f"from_sympy: {shown(node)} has {len(places)} indices, and the array the shape "
                f"{shape}"
            )
        keys = [self._key(node, i, n) for i, n in zip(node.indices, shape, strict=True)]
        if all(key is not None for key, _ in keys):
            found = [k for _, k in keys if k is not None]
            value = base.value
            if any(key != (0, n, 1) for (key, _), n in zip(keys, shape, strict=True)):
                value = part.of(value, tuple([key for key, _ in keys]))
            return self._with_distinct(value, found)
        indices = self.union(places)
        given = []
        for x, i, n in zip(places, node.indices, shape, strict=True):
            place = self.aligned(x, indices)
            if place.dtype.category == Category.FLOAT and (
                self._is_whole(i) or _has_whole_values(place)
            ):
                place = place.round().to(int64)
            if place.dtype.category > Category.INT:
                raise TypeError(
                    f"from_sympy: the index {shown(i)} of {shown(node)} is no whole number; map "
                    "the arrays in it to leaves or tensors of integers"
                )
            if node in self.guarded or not self.running.isdisjoint(x.indices):
                place = FUNCTIONS["clamp"](place, 0, max(n - 1, 0))
            given.append(place)
        full = tuple([self.length(k) for k in indices])
        if not base.value.size:
            return _Array(Const(0, base.value.dtype).broadcast_to(full), indices)
        taken = index_of.of(base.value, *given, (True,) * len(shape), (0,) * len(shape))
        return _Array(taken.broadcast_to(full) if taken.shape != full else taken, indices)

    def _key(self, node: Any, i: Any, n: int) -> tuple[Any, Any]:
        """Return what an index reads along an axis, as a basic key has it, and the index of SymPy.

        None where it is no number, and no multiple of one index and a number.
        """
        if isinstance(i, sympy.Integer):
            self._check_inside(node, int(i), int(i), n)
            return int(i), None
        by = sympy.expand(i).as_coefficients_dict()
        (k,) = [x for x in by if x != 1] if len([x for x in by if x != 1]) == 1 else (None,)
        step, start = by.get(k, 0), by.get(sympy.S.One, 0)
        if not isinstance(k, sympy.Idx) or not (step == int(step) > 0):
            return None, None
        ends = [as_formula(e) for e in (self.first[k], self.last[k])]
        first, last = [size_of_formula(step * e + start) for e in ends]
        if (node in self.guarded or k in self.running) and not 0 <= first <= last < n:
            return None, None
        if self.length(k):
            self._check_inside(node, first, last, n)
        return (first, last + 1, int(step)) if self.length(k) else (0, 0, 1), k

    def _check_inside(self, node: Any, first: int, last: int, n: int) -> None:
        if not (first >= 0 and last < n):
            raise ValueError(
                f"from_sympy: {shown(node)} is no element of an array of length {n} along an axis, "
                f"where the index runs from {first} to {last}"
            )

    def _is_whole(self, i: Any) -> bool:
        """Return whether a fraction of whole numbers is whole, as `(k - Mod(k, 3)) / 3` is."""
        above, below = sympy.fraction(sympy.together(i))
        elements = i.atoms(sympy.Indexed)
        labels = {k.label for k in i.atoms(sympy.Idx, sympy.IndexedBase)}
        read = [self.done[x].value for x in elements | (i.atoms(sympy.Symbol) - labels)]
        if not isinstance(below, sympy.Integer) or below == 1:
            return False
        if any(x.dtype.category > Category.INT for x in read):
            return False
        rest = above.replace(
            lambda x: isinstance(x, sympy.Mod) and x.args[1] % below == 0, lambda x: x.args[0]
        )
        return all(c % below == 0 for c in sympy.expand(rest).as_coefficients_dict().values())

    def _with_distinct(self, value: ArrayExpr, indices: list[Any]) -> _Array:
        """Return an array with the diagonal taken of axes that have one index."""
        if len(set(indices)) == len(indices):
            return _Array(value, tuple(indices))
        distinct = tuple(dict.fromkeys(indices))
        return _Array(contract.of(value, equation([indices], distinct)), distinct)

    # ---------------------------------------------------------------- what binds indices

    def _bound(self, node: Any, parts: list[_Array]) -> _Array:
        """Return a sum or a product over indices."""
        count = len(_factors(node))
        factors, ends = parts[:count], iter(parts[count:])
        conditions = []
        for (k, *limits), first, last in [(limit, next(ends), next(ends)) for limit in node.limits]:
            if [*limits] != [as_formula(self.first[k]), as_formula(self.last[k])]:
                conditions += [(comparison.ge, k, first), (comparison.le, k, last)]
        over = tuple(node.variables)
        is_sum = isinstance(node, sympy.Sum)
        if is_sum and not conditions:
            return self._contraction(factors, over)
        (x,) = factors if not is_sum else [self._product(factors)]
        for compare, k, end in conditions:
            here = self._numbers_of(k)
            indices = self.union([x, here, end])
            a, b, value = [self.aligned(y, indices) for y in (here, end, x)]
            kept = where.of(compare.of(a, b), value, Const(0 if is_sum else 1))
            x = _Array(kept, indices)
        rest = tuple([k for k in x.indices if k not in over])
        absent = math.prod([self.length(k) for k in over if k not in x.indices])
        axes = tuple([a for a, k in enumerate(x.indices) if k in over])
        made: Any = x.value
        if axes:
            made = (sum_of if is_sum else prod_of).of(made, axes, False)
        if absent != 1:
            made = made * absent if is_sum else powers.pow.of(made, as_expr(absent))
        return _Array(made, rest)

    def _product(self, factors: Sequence[_Array]) -> _Array:
        indices = self.union(factors)
        made = self.aligned(factors[0], indices)
        for x in factors[1:]:
            made = made * self.aligned(x, indices)
        return _Array(made, indices)

    def _contraction(self, factors: Sequence[_Array], over: Sequence[Any]) -> _Array:
        arrays = [x for x in factors if x.indices]
        made: Any = 1
        for x in factors:
            if not x.indices:
                made = x.value * made
        absent = [k for k in over if not any(k in x.indices for x in arrays)]
        made = math.prod([self.length(k) for k in absent]) * made
        rest = tuple([k for k in self.union(arrays) if k not in over])
        if arrays:
            inputs = [list(x.indices) for x in arrays]
            total = contract.of(*[x.value for x in arrays], equation(inputs, rest))
            made = total if type(made) is int and made == 1 else made * total
        return _Array(as_expr(made), rest)

    def _named(self, node: Any, parts: list[_Array]) -> _Array:
        """Return a function of a name, along the indices that its `Lambda` binds."""
        name, (x, *at) = node.func.__name__, parts
        over = tuple(node.args[0].variables)
        indices = self.union([x, *[_Array(x.value, (k,)) for k in over]])
        value = self.aligned(x, indices)
        full = tuple([self.length(k) for k in indices])
        value = value if value.shape == full else value.broadcast_to(full)
        value = value if value.dtype.category >= Category.FLOAT else value.to(float64)
        axes = tuple([a for a, k in enumerate(indices) if k in over])
        if not at:
            made = PRIMITIVES[name].of(value, axes, False)
            return _Array(made, tuple([k for k in indices if k not in over]))
        weights = _Array(PRIMITIVES[name].of(value, axes[0]), indices)
        (k,), (place,) = over, node.args[1:]
        if (
            isinstance(place, sympy.Idx)
            and place not in indices
            and self.length(place) == self.length(k)
        ):
            return _Array(weights.value, tuple([place if j == k else j for j in indices]))
        # The element that the index names: the sum of all, each times whether it is that one.
        here = self._numbers_of(k)
        both = self.union([here, *at])
        a, b = [self.aligned(y, both) for y in (here, at[0])]
        chosen = where.of(comparison.eq.of(a, b), Const(1.0, float64), Const(0))
        return self._contraction([weights, _Array(chosen, both)], over)


def _binds(node: Any) -> bool:
    """Return whether a node is a sum or a product over indices alone."""
    if not isinstance(node, (sympy.Sum, sympy.Product)):
        return False
    return all(isinstance(k, sympy.Idx) for k in node.variables)


def _factors(node: Any) -> tuple[Any, ...]:
    """Return what a sum adds up, as factors, or what a product multiplies."""
    if isinstance(node, sympy.Sum) and isinstance(node.function, sympy.Mul):
        return node.function.args  # type: ignore[no-any-return]
    return (node.function,)


def _is_along(node: Any) -> bool:
    """Return whether a node is a function with a name alone of a function of indices."""
    return isinstance(node, AppliedUndef) and isinstance(node.args[0], sympy.Lambda)


def _is_of_elements(node: Any) -> bool:
    """Return whether a node is the matrix of a formula with indices."""
    return isinstance(node, sympy.FunctionMatrix) and all(
        isinstance(k, sympy.Idx) for k in node.lamda.variables
    )


def _body(node: Any) -> Any:
    """Return the formula of which a named function is, and which its `Lambda` binds indices of."""
    name = node.func.__name__
    given, *at = node.args
    wanted = Normalised if at else logsumexp
    if (
        not issubclass(PRIMITIVES.get(name, Primitive), wanted)
        or len(at) > 1
        or not isinstance(given, sympy.Lambda)
        or (at and len(given.variables) != 1)
        or not all(isinstance(k, sympy.Idx) for k in given.variables)
    ):
        raise TypeError(
            f"from_sympy: no operation stands for {name} in {shown(node)}; of functions with a "
            "name alone, softmax(Lambda(k, f), i) and logsumexp(Lambda(k, f)) of an Idx k are read"
        )
    return given.expr


def _counts(x: ArrayExpr) -> bool:
    """Return whether an array has the numbers of indices, as integers."""
    return x.dtype.category == Category.INT and not x.weak


def _is_numbers(node: Any) -> bool:
    return isinstance(node, sympy.NDimArray) and all(x.is_number for x in sympy.flatten(node))


def _numbers(node: Any) -> ArrayExpr:
    """Return an array of SymPy's numbers, of integers where all are."""
    values = sympy.flatten(node)
    kind: Any = np.int64 if all(x.is_Integer for x in values) else None
    given = [int(x) if kind else complex(x) for x in values]
    if kind is None and all(x.imag == 0 for x in given):
        given = [x.real for x in given]
    return as_expr(np.array(given, kind).reshape(node.shape))
