"""Reading and writing along one axis by arrays of indices: gather, scatter, index_select, take.

Subscripts, of which some of these are special forms, are in `symgrad.tensor.subscripts`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import ArrayConst, Const
from symgrad.expr.dtypes import bool_, dtype, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.expr.shapes import Shape
from symgrad.ops import symbols
from symgrad.ops.bounds import within
from symgrad.ops.broadcasting import broadcast_to, is_zeros, lifted, repeated_text, zeros
from symgrad.ops.casting import cast
from symgrad.ops.composite import Composite
from symgrad.ops.entries import (
    Index,
    Indices,
    NoEntry,
    Reading,
    delta,
    indicator,
    sum_over,
    with_entry,
)
from symgrad.ops.indexing import index, index_put, names_each_once
from symgrad.ops.kinds import Fixed
from symgrad.ops.primitive import Computation, Cotangents, Primitive
from symgrad.ops.reshaping import reshape
from symgrad.ops.samples import GRID
from symgrad.ops.selection import definitions
from symgrad.ops.slicing import updated
from symgrad.ops.totals import ACCUMULATED, _accumulated
from symgrad.ops.zeros import Fill, Zeros

_J = np.array([[0, 1, 1], [1, 1, 0]])


def _key(indices: Any, axis: int) -> Any:
    # The places of elements that indices choose along an axis; at most as many along the others.
    rank = indices.ndim
    key = [np.arange(n).reshape((n, *(1,) * (rank - a - 1))) for a, n in enumerate(indices.shape)]
    key[axis] = indices
    return tuple(key)


def _gather(x, indices, *, axis):  # type: ignore[no-untyped-def]
    return x[_key(indices, axis)] if x.ndim else np.array(x)


def _scatter(x, value, indices, *, axis, add):  # type: ignore[no-untyped-def]
    return _scattered(np.array(x, order="C"), value, indices, axis, add)


def _scatter_among_zeros(value, indices, *, shape, dtype, axis, add):  # type: ignore[no-untyped-def]
    return _scattered(np.zeros(shape, dtype), value, indices, axis, add)


def _scattered(out: Any, value: Any, indices: Any, axis: int, add: bool) -> Any:
    if not out.ndim:
        out[...] = out + value if add else value
        return out
    if not indices.size:  # whatever its axes are, and those of the value
        return out
    key = _key(indices, axis)
    value = np.asarray(value)
    if value.ndim:
        value = value[tuple(slice(n) for n in indices.shape)]
    if add:
        places = np.arange(out.size).reshape(out.shape)[key].reshape(-1)
        _accumulated(out, places, np.broadcast_to(value, indices.shape).reshape(-1))
    else:
        out[key] = value
    return out


def _gather_formulas(x: Any, indices: Any, *, axis: int) -> Any:
    places = symbols.known([indices])
    if places is not None or not x.ndim:
        return _gather(x, places and places[0], axis=axis)  # type: ignore[no-untyped-call]
    out = np.empty(indices.shape, object)
    for place, options in symbols.along_axis(x.shape, indices, axis):
        out[place] = symbols.chosen(x, options)
    return out


def _scatter_formulas(x: Any, value: Any, indices: Any, *, axis: int, add: bool) -> Any:
    places = symbols.known([indices])
    if places is not None or not x.ndim:
        return _scatter(x, value, places and places[0], axis=axis, add=add)  # type: ignore[no-untyped-call]
    out = np.array(x)
    for place, options in symbols.along_axis(x.shape, indices, axis):
        symbols.write(out, value[place] if value.ndim else value[()], options, add)
    return out


def _among_zeros(value: Any, indices: Any, *, shape: Shape, dtype: Any, **how: Any) -> Any:
    return _scatter_formulas(np.full(shape, sympy.S.Zero, object), value, indices, **how)


#: `_scattered(out, value, indices, axis, add)`, into an array in C order.
_SCATTERED = definitions(_key, _scattered, prelude=ACCUMULATED.prelude)


def _lifted_axis(x: ArrayExpr, size: int, has: bool) -> ArrayExpr:
    """Return a batched operand with at least one axis of its own."""
    x = lifted(x, size, has)
    return x if x.ndim > 1 else reshape.of(x, (size, 1))


class gather(Fixed):
    """`result[i][j] = x[indices[i][j]][j]` for axis 0, and so on for the others."""

    keeps_zeros = Zeros.MOVED
    selects = True
    params = ("axis",)
    kernel = Kernel.from_function(
        _gather, prelude=definitions(_key), number_systems={"sympy": _gather_formulas}
    )

    @classmethod
    def infer(cls, x: Any, indices: Any, axis: int) -> tuple[Shape, dtype]:
        return indices.shape, x.dtype

    def entry(self, index: Index, b: Indices) -> Reading:
        x, indices = self.operands
        if not x.shape:
            return (yield x, ())
        place = yield indices, index
        return (yield x, with_entry(index, self.axis, place))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x, indices = self.operands
        if not needs[0]:
            return None, None
        return scatter_add.of(zeros(x.shape, ct.dtype), ct, indices, self.axis), None

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x, indices = (_lifted_axis(o, size, h) for o, h in zip(operands, batched, strict=True))
        return reshape.of(gather.of(x, indices, self.axis + 1), (size, *self.shape))

    def notation(self) -> Notation:
        return super().notation()._replace(text=f"gather({{0}}, {self.axis}, {{1}})")

    samples = [(GRID, _J[:1], 0), (GRID, np.array([[2], [0]]), 1), (np.array(1.5), np.array(0), 0)]


_VALUES = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])


def batched_scatter(
    node: Any, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]
) -> ArrayExpr:
    """Return an operation that writes along an axis, over a new leading axis."""
    lift = [_lifted_axis(o, size, h) for o, h in zip(operands, batched, strict=True)]
    if not node.operands[1].shape:  # the same number for all places
        lift[1] = reshape.of(lift[1], (size,) + (1,) * (lift[2].ndim - 1))
        lift[1] = lift[1].broadcast_to(lift[2].shape)
    made = node.of(*lift, node.axis + 1, *node.param_values[1:])
    return reshape.of(made, (size, *node.shape))


class scatter(Fixed):
    """An array with `result[indices[i][j]][j] = value[i][j]` for axis 0, and so on."""

    keeps_zeros = Zeros.MOVED
    params = ("axis",)
    kernel = Kernel.from_function(
        _scatter, prelude=_SCATTERED, number_systems={"sympy": _scatter_formulas}
    )
    among_zeros = Kernel.from_function(
        _scatter_among_zeros, prelude=_SCATTERED, number_systems={"sympy": _among_zeros}
    )
    linear = 2
    adds = False

    @classmethod
    def infer(cls, x: Any, value: Any, indices: Any, axis: int) -> tuple[Shape, dtype]:
        if value.dtype.is_complex and not x.dtype.is_complex:
            raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
        return x.shape, x.dtype

    def implementation(self) -> Computation:
        x, *rest = self.operands
        given = {"axis": self.axis, "add": self.adds}
        if is_zeros(x):
            given.update(shape=self.shape, dtype=self.dtype.numpy)
            return self.among_zeros, given, tuple(rest)
        return self.kernel, given, self.operands

    def as_fill(self) -> Fill | None:
        (base, value, indices), axis, of = self.operands, self.axis, self.of
        if is_zeros(base) and value.shape in ((), indices.shape):
            return Fill(
                1,
                lambda b: gather.of(broadcast_to.of(b, self.shape), indices, axis),
                lambda v: of(zeros(self.shape, v.dtype), v, indices, axis),
                self.adds and not names_each_once([indices]),
            )
        if is_zeros(value) and not self.adds:
            return Fill(0, None, lambda v: of(v, Const(0), indices, axis))
        return None

    def entry(self, index: Index, b: Indices) -> Reading:
        x, value, indices = self.operands
        along = indices.shape[self.axis : self.axis + 1]
        if not (self.adds or along in ((), (1,))):
            raise NoEntry  # where a place is named twice, the last value counts
        over = b.bound(*along)
        there = with_entry(index, self.axis, over[0]) if over else list(index)
        inside = sympy.And(*[sympy.Lt(i, n) for i, n in zip(there, indices.shape, strict=True)])
        place = yield indices, there
        here = delta(place, index[self.axis]) if over else sympy.S.One
        here = sympy.Piecewise((here, inside), (0, True))
        written = yield value, there[: len(value.shape)]
        is_truth = x.dtype is bool_
        total = sum_over((indicator(written) if is_truth else written) * here, *over)
        if is_zeros(x):
            return sympy.Gt(total, 0) if is_truth else total
        base = yield x, index
        rest = sympy.S.One if self.adds else 1 - sum_over(here, *over)
        if is_truth:
            return sympy.Gt(total + indicator(base) * rest, 0)
        return total + base * rest

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        _, value, indices = self.operands
        in_x: ArrayExpr | None = ct
        if needs[0] and not self.adds:
            in_x = scatter.of(ct, Const(0), indices, self.axis)
        in_value: ArrayExpr | None = None
        if needs[1]:
            in_value = gather.of(ct, indices, self.axis)
            if value.shape and value.shape != indices.shape:  # the other elements were not read
                inner = tuple([(0, n, 1) for n in indices.shape])
                in_value = updated.of(zeros(value.shape, ct.dtype), in_value, inner)
        return in_x, in_value, None

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return batched_scatter(self, size, operands, batched)

    samples = [
        (GRID, _VALUES, np.array([[1, 0, 1]]), 0),
        (GRID, np.array(0.5), np.array([[2], [0]]), 1),
    ]

    def notation(self) -> Notation:
        _, value, indices = self.operands
        written = "{1}"
        if self.adds or type(value) is not Const:  # a number is written as it is
            written = repeated_text(written, value, indices.shape, self.dtype)
        text = f"{type(self).__name__}({{0}}, {self.axis}, {{2}}, {written})"
        return super().notation()._replace(text=text)


class scatter_add(scatter):
    """An array with `result[indices[i][j]][j] += value[i][j]` for axis 0, and so on."""

    keeps_zeros = Zeros.MOVED
    adds = True

    def added_once(self) -> ArrayExpr | None:
        """Return what is added to zeros, if it is one value along the axis at each place."""
        base, value, indices = self.operands
        alone = (*self.shape[: self.axis], 1, *self.shape[self.axis + 1 :])
        if not is_zeros(base) or not self.shape or indices.shape != alone:
            return None
        return value if value.shape == alone else broadcast_to.of(value, alone)

    def as_read(self) -> ArrayExpr | None:
        value, (*_, indices) = self.added_once(), self.operands
        if value is None or self.axis != len(self.shape) - 1 or self.dtype is bool_:
            return None
        places = indices.operands[0] if type(indices) is within else indices
        if type(places) is reshape and places.operands[0].shape == self.shape[:-1]:
            places = places.operands[0]
        else:
            places = reshape.of(places, self.shape[:-1])
        return cast.of(one_hot.of(places, self.shape[-1]), self.dtype) * value

    samples = [(GRID, _VALUES, _J, 0), (GRID, _VALUES, np.array([[2, 2], [0, 0]]), 1)]


def _one_hot(x, *, num_classes):  # type: ignore[no-untyped-def]
    return np.equal(np.expand_dims(x, -1), np.arange(num_classes)).astype(np.int64)


def _one_hot_formulas(x: Any, *, num_classes: int) -> Any:
    rows = [[delta(sympy.sympify(i), k) for k in range(num_classes)] for i in x.flat]
    return np.array(rows, object).reshape(*x.shape, num_classes)


class one_hot(Primitive):
    """1 at the class of each element along a new last axis, else 0."""

    params = ("num_classes",)
    internal = True
    differentiable = False
    kernel = Kernel.from_function(_one_hot, number_systems={"sympy": _one_hot_formulas})
    num_classes: int

    @classmethod
    def infer(cls, x: Any, num_classes: int) -> tuple[Shape, dtype]:
        return (*x.shape, num_classes), int64

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return one_hot.of(operands[0], self.num_classes)

    def sums_to_one(self) -> bool:
        (x,) = self.operands
        if not isinstance(x, ArrayConst):
            return False
        return bool(((x.value >= 0) & (x.value < self.num_classes)).all())

    def entry(self, index: Index, b: Indices) -> Reading:
        return delta((yield self.operands[0], index[:-1]), index[-1])

    def notation(self) -> Notation:
        return Notation(
            f"one_hot({{0}}, {self.num_classes})",
            rf"\operatorname{{{{onehot}}}}_{{{{{self.num_classes}}}}}\left({{0}}\right)",
        )

    samples = [(np.array([0, 2, 1]), 3), (np.array([[1, 0]]), 2), (np.array(1), 2)]


def _take(x, indices):  # type: ignore[no-untyped-def]
    return np.take(x, indices)


class take(Composite):
    """Elements by their position in the flattened array."""

    kernel = Kernel.from_function(_take)

    @classmethod
    def composed(cls, x: ArrayExpr, indices: ArrayExpr) -> ArrayExpr:
        return index.of(reshape.of(x, (x.size,)), indices, (True,), (0,))

    samples = [(GRID, np.array([[0, 5], [5, 1]])), (GRID, np.array(2))]


def _put(x, value, indices, *, accumulate):  # type: ignore[no-untyped-def]
    out = np.array(x, order="C")
    places, value = indices.reshape(-1), value.reshape(-1)
    if accumulate:
        _accumulated(out, places % out.size, value)
    else:
        out.reshape(-1)[places] = value
    return out


_FOUR = np.array([0.5, -1.0, 2.0, 1.5])


class put(Composite):
    """An array with other values, or values added, by position in the flattened array.

    Where a position is repeated without `accumulate`, the last value stays.
    """

    params = ("accumulate",)
    layout = "first"
    kernel = Kernel.from_function(_put, prelude=ACCUMULATED.prelude)
    accumulate: bool

    @classmethod
    def composed(
        cls, x: ArrayExpr, value: ArrayExpr, indices: ArrayExpr, accumulate: bool
    ) -> ArrayExpr:
        line, values, places = [reshape.of(a, (a.size,)) for a in (x, value, indices)]
        made = index_put.of(line, values, places, (True,), (0,), accumulate)
        return reshape.of(made, x.shape)

    @classmethod
    def infer(cls, x: Any, value: Any, indices: Any, accumulate: bool) -> tuple[Shape, dtype]:
        if value.size != indices.size:
            raise IndexError(
                "put_(): Expected source and index to have the same number of elements, but got "
                f"source.numel() = {value.size}, index.numel() = {indices.size}"
            )
        if value.dtype.is_complex and not x.dtype.is_complex:
            raise RuntimeError("put_(): self and source expected to have the same dtype")
        return x.shape, x.dtype

    def notation(self) -> Notation:
        text = f"put({{0}}, {{2}}, {{1}}, accumulate={self.accumulate!r})"
        return super().notation()._replace(text=text)

    samples = [
        (GRID, _FOUR, np.array([[0, 5], [-2, 1]]), False),
        (GRID, _FOUR.reshape(2, 2), np.array([0, 4, 4, -6]), True),
        (np.array(2.0), np.array(3.0), np.array([0]), True),
    ]
