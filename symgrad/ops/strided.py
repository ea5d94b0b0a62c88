"""Windows into memory: `unfold` and `as_strided`, and their transposes, which add overlaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.expr.shapes import Shape, size_of
from symgrad.ops.entries import (
    Index,
    Indices,
    Reading,
    delta,
    flat,
    sum_over,
    unravelled,
    with_entry,
)
from symgrad.ops.primitive import Computation, Linear
from symgrad.ops.slicing import part
from symgrad.ops.totals import ACCUMULATED, _accumulated
from symgrad.ops.zeros import Zeros
from symgrad.support.memory import check_window

_X = np.arange(12.0).reshape(3, 4)


def _unfold(x, *, axis, length, step, writeable):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return x.reshape(1)[:length]
    windows = np.lib.stride_tricks.sliding_window_view(x, length, axis, writeable=writeable)
    return windows[(slice(None),) * axis + (slice(None, None, step),)]


class unfold(Linear):
    """Windows of `length` along an axis, `step` apart, as a new last axis; a view."""

    keeps_zeros = Zeros.ADDED
    params = ("axis", "length", "step")
    kernel = Kernel.from_function(_unfold, view=True)
    is_view = True

    @classmethod
    def infer(cls, x: Any, axis: int, length: int, step: int) -> tuple[Shape, dtype]:
        shape = x.shape
        if not shape:
            return (length,), x.dtype
        count = (shape[axis] - length) // step + 1
        return (*shape[:axis], count, *shape[axis + 1 :], length), x.dtype

    def implementation(self) -> Computation:
        kernel, params, operands = super().implementation()
        # Windows that overlap are read-only, since elements in several windows would be written twice.
        return kernel, {**params, "writeable": self.step >= self.length}, operands

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        *outer, place = index
        if not x.shape:
            return (yield x, ())
        return (yield x, with_entry(outer, self.axis, outer[self.axis] * self.step + place))

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return fold_windows.of(ct, self.operands[0].shape, self.axis, self.step)

    def notation(self) -> Notation:
        text = f"{{0}}.unfold({self.axis}, {self.length}, {self.step})"
        on_paper = Latex(super().notation().latex)
        return Notation(text, "", operands=(Precedence.ATOM,), typeset=on_paper)

    samples = [(_X, 1, 2, 1), (_X, 0, 2, 1), (_X, 1, 1, 2), (np.arange(5.0), 0, 2, 3)]


def _fold_windows(x, *, shape, axis, step):  # type: ignore[no-untyped-def]
    if not shape:
        return x.sum(dtype=x.dtype)
    out = np.zeros(shape, x.dtype)
    before = (slice(None),) * axis
    reach = step * (x.shape[axis] - 1) + 1
    for i in range(x.shape[-1]):
        out[(*before, slice(i, i + reach, step))] += x[..., i]
    return out


_WINDOWS = np.arange(18.0).reshape(3, 3, 2)


class fold_windows(Linear):
    """Windows added back to where they were taken from; `unfold` transposed."""

    keeps_zeros = Zeros.ADDED
    params = ("shape_", "axis", "step")
    kernel = Kernel.from_function(_fold_windows)

    @classmethod
    def infer(cls, x: Any, shape: Shape, axis: int, step: int) -> tuple[Shape, dtype]:
        return shape, x.dtype

    def implementation(self) -> Computation:
        params = {"shape": self.shape, "axis": self.axis, "step": self.step}
        return self.kernel, params, self.operands

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        if not self.shape:
            (k,) = b.bound(x.shape[0])
            return sum_over((yield x, [k]), k)
        window, place = b.bound(x.shape[self.axis], x.shape[-1])
        inner = yield x, [*with_entry(index, self.axis, window), place]
        return sum_over(inner * delta(self.step * window + place, index[self.axis]), window, place)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return unfold.of(ct, self.axis, self.operands[0].shape[-1], self.step)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return fold_windows.of(operands[0], (size, *self.shape), self.axis + 1, self.step)

    samples = [(_WINDOWS, (3, 4), 1, 1), (_WINDOWS, (3, 7), 1, 2), (_WINDOWS[:, 0], (4,), 0, 1)]


def _strides_overlap(size: Shape, stride: Shape) -> bool:
    """Return whether two elements may lie at one place in memory."""
    reached = 1
    for step, n in sorted(zip(stride, size, strict=True)):
        if n > 1:
            if step < reached:
                return True
            reached += step * (n - 1)
    return False


def _check_places(x: Any, shape: Shape, lengths: Shape, strides: Shape, first: int) -> None:
    """Raise PyTorch's error where elements do not lie in an array of that shape, of the dtype of x.

    The kernels here compute addresses from these numbers, so no node is made that could read outside.
    """
    item = x.dtype.itemsize
    check_window(lengths, strides, first, item, size_of(shape) * item)


def _as_strided(x, *, lengths, strides, first, writeable):  # type: ignore[no-untyped-def]
    flat = x.reshape(-1)[first:]
    steps = tuple(flat.strides[0] * s for s in strides)
    return np.lib.stride_tricks.as_strided(flat, lengths, steps, writeable=writeable)


class as_strided(Linear):
    """Elements at given strides in the row-major memory of an array; a view where it has no gaps.

    Strides and the place of the first element count elements.
    """

    keeps_zeros = Zeros.ADDED
    params = ("lengths", "strides", "first")
    kernel = Kernel.from_function(_as_strided, view=True)
    is_view = True

    @classmethod
    def infer(cls, x: Any, lengths: Shape, strides: Shape, first: int) -> tuple[Shape, dtype]:
        _check_places(x, x.shape, lengths, strides, first)
        return lengths, x.dtype

    def implementation(self) -> Computation:
        kernel, params, operands = super().implementation()
        writeable = not _strides_overlap(self.lengths, self.strides)
        return kernel, {**params, "writeable": writeable}, operands

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        place = self.first + sum([s * i for s, i in zip(self.strides, index, strict=True)])
        return (yield x, unravelled(place, x.shape))

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return unstrided.of(ct, self.operands[0].shape, self.strides, self.first)

    def notation(self) -> Notation:
        text = f"as_strided({{0}}, {self.lengths}, {self.strides}, {self.first})"
        return super().notation()._replace(text=text)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return entries_strided.of(operands[0], self.lengths, self.strides, self.first, 1)

    samples = [(_X, (2, 3), (1, 2), 1), (_X, (3,), (5,), 0), (_X, (2, 2), (1, 1), 3)]


def _entries_strided(x, *, lengths, strides, first, lead, writeable):  # type: ignore[no-untyped-def]
    outer = x.shape[:lead]
    flat = x.reshape(*outer, int(np.prod(x.shape[lead:])))[..., first:]
    steps = flat.strides[:lead] + tuple(flat.strides[lead] * s for s in strides)
    return np.lib.stride_tricks.as_strided(flat, outer + lengths, steps, writeable=writeable)


_DEEP = np.arange(24.0).reshape(2, 3, 4)


class entries_strided(Linear):
    """`as_strided` for each entry along the first `lead` axes, which may lie apart."""

    keeps_zeros = Zeros.ADDED
    params = ("lengths", "strides", "first", "lead")
    kernel = Kernel.from_function(_entries_strided, view=True)
    is_view = True

    @classmethod
    def infer(
        cls, x: Any, lengths: Shape, strides: Shape, first: int, lead: int
    ) -> tuple[Shape, dtype]:
        _check_places(x, x.shape[lead:], lengths, strides, first)
        return (*x.shape[:lead], *lengths), x.dtype

    def implementation(self) -> Computation:
        kernel, params, operands = super().implementation()
        writeable = not _strides_overlap(self.lengths, self.strides)
        return kernel, {**params, "writeable": writeable}, operands

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        lead = self.lead
        place = self.first + sum([s * i for s, i in zip(self.strides, index[lead:], strict=True)])
        return (yield x, [*index[:lead], *unravelled(place, x.shape[lead:])])

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        shape = self.operands[0].shape
        outer = [size_of(shape[i + 1 :]) for i in range(self.lead)]
        return unstrided.of(ct, shape, (*outer, *self.strides), self.first)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        return entries_strided.of(x, self.lengths, self.strides, self.first, self.lead + 1)

    samples = [(_X, (2, 2), (1, 2), 0, 1), (_DEEP, (3,), (5,), 1, 1), (_DEEP, (2, 2), (1, 1), 1, 2)]


def _unstrided(x, *, shape, strides, first):  # type: ignore[no-untyped-def]
    out = np.zeros(shape, x.dtype)
    places = np.full(x.shape, first)
    for axis, step in enumerate(strides):
        line = np.arange(x.shape[axis]) * step
        places += line.reshape((-1,) + (1,) * (x.ndim - axis - 1))
    _accumulated(out, places, x)
    return out


_SQUARE = np.arange(4.0).reshape(2, 2)


class unstrided(Linear):
    """Elements added back to where `as_strided` took them from: its transpose."""

    keeps_zeros = Zeros.ADDED
    params = ("shape_", "strides", "first")
    kernel = Kernel.from_function(_unstrided, prelude=ACCUMULATED.prelude)

    @classmethod
    def infer(cls, x: Any, shape: Shape, strides: Shape, first: int) -> tuple[Shape, dtype]:
        _check_places(x, shape, x.shape, strides, first)
        return shape, x.dtype

    def implementation(self) -> Computation:
        params = {"shape": self.shape, "strides": self.strides, "first": self.first}
        return self.kernel, params, self.operands

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        over = b.bound(*x.shape)
        place = self.first + sum([s * i for s, i in zip(self.strides, over, strict=True)])
        return sum_over((yield x, over) * delta(place, flat(index, self.shape)), *over)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return as_strided.of(ct, self.operands[0].shape, self.strides, self.first)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        shape = self.shape
        return unstrided.of(
            operands[0], (size, *shape), (size_of(shape), *self.strides), self.first
        )

    samples = [
        (_SQUARE, (3, 4), (1, 2), 1),
        (_SQUARE, (2, 2), (1, 1), 0),
        (_SQUARE[0], (5,), (3,), 1),
    ]


class narrow_copy(part):
    """`part` in memory of its own; `of` makes `part`."""

    kernel = Kernel("part", lambda x, key: np.array(x[key]), "np.array({0}[{key}])")
    is_view = False
    is_copy = True
