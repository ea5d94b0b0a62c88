"""Arrays joined along an axis that they have (`cat`) or along a new one (`stack`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import ArrayConst
from symgrad.expr.dtypes import dtype, result_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, axes_latex, braces
from symgrad.expr.shapes import Shape
from symgrad.expr.written import scalar_latex
from symgrad.ops.broadcasting import lifted
from symgrad.ops.entries import Index, Indices, Reading, chosen, with_entry, without
from symgrad.ops.matrices import Matrices, MatrixReading
from symgrad.ops.primitive import Computation, Linear, Rows
from symgrad.ops.samples import GRID
from symgrad.ops.slicing import Entry, Key, part
from symgrad.ops.zeros import Zeros

_Y = np.array([[0.5, -1.0, 2.0]])


def _along(axis: int, shape: Shape, entry: Entry) -> Key:
    return (*[(0, n, 1) for n in shape[:axis]], entry)


def _is_legacy_empty(x: Any) -> bool:
    """Whether `x` is an empty vector, which PyTorch joins to arrays of any shape."""
    return tuple(x.shape) == (0,)


class cat(Linear):
    """Arrays in a row along an axis."""

    keeps_zeros = Zeros.MOVED
    params = ("axis",)
    kernel = Kernel(
        "concatenate",
        lambda *arrays, axis: np.concatenate(arrays, axis),
        "np.concatenate([{operands}], {axis})",
    )
    converts = True

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        *operands, axis = args
        kind = result_dtype(operands)
        solid = [x for x in operands if not _is_legacy_empty(x)]
        if not solid:
            return (0,), kind
        first = solid[0].shape
        total = 0
        for i, x in enumerate(operands):
            if _is_legacy_empty(x):
                continue
            if len(x.shape) != len(first):
                raise RuntimeError(
                    f"Tensors must have same number of dimensions: got {len(first)} and "
                    f"{len(x.shape)}"
                )
            for d, (n, m) in enumerate(zip(first, x.shape, strict=True)):
                if d != axis and n != m:
                    raise RuntimeError(
                        f"Sizes of tensors must match except in dimension {axis}. Expected size "
                        f"{n} but got size {m} for tensor number {i} in the list."
                    )
            total += x.shape[axis]
        return (*first[:axis], total, *first[axis + 1 :]), kind

    def implementation(self) -> Computation:
        solid = tuple([x for x in self.operands if not _is_legacy_empty(x)])
        if self.shape == (0,):
            solid = self.operands
        return self.kernel, {"axis": self.axis}, solid

    @property
    def has_blocks(self) -> bool:
        return not any(map(_is_legacy_empty, self.operands))

    def rows(self, of: Rows) -> Sequence[ArrayExpr] | None:
        parts = [of(x) for x in self.operands]
        if self.axis or None in parts:
            return None
        return [row for rows in parts for row in rows or ()]

    def entry(self, index: Index, b: Indices) -> Reading:
        cases: list[Any] = []
        start = 0
        for x in self.operands:
            if not _is_legacy_empty(x):
                i = index[self.axis]
                stop = start + x.shape[self.axis]
                cases.append((sympy.Lt(i, stop), x, with_entry(index, self.axis, i - start)))
                start = stop
        return (yield from chosen(cases))

    def transposed(self, ct: ArrayExpr) -> Sequence[ArrayExpr]:
        parts = []
        start = 0
        for x in self.operands:
            if _is_legacy_empty(x) and self.shape != (0,):
                parts.append(part.of(ct.reshape(-1), ((0, 0, 1),)))
                continue
            stop = start + x.shape[self.axis]
            key = _along(self.axis, self.shape, (start, stop, 1))
            parts.append(part.of(ct, key))
            start = stop
        return parts

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        solid = [
            lifted(x, size, has)
            for x, has, old in zip(operands, batched, self.operands, strict=True)
            if self.shape == (0,) or not _is_legacy_empty(old)
        ]
        return cat.of(*solid, self.axis + 1)

    def notation(self) -> Notation:
        return _list_notation("cat", len(self.operands), self.axis)

    samples = [(GRID, _Y, 0), (GRID, GRID[:, :1], GRID, 1), (GRID, 0)]


class stack(Linear):
    """Arrays of one shape along a new axis."""

    nonnegative = "operands"
    keeps_zeros = Zeros.MOVED
    has_blocks = True
    params = ("axis",)
    kernel = Kernel(
        "stack", lambda *arrays, axis: np.stack(arrays, axis), "np.stack([{operands}], {axis})"
    )
    converts = True

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        *operands, axis = args
        first = operands[0].shape
        for i, x in enumerate(operands):
            if x.shape != first:
                raise RuntimeError(
                    f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 "
                    f"and {list(x.shape)} at entry {i}"
                )
        return (*first[:axis], len(operands), *first[axis:]), result_dtype(operands)

    def rows(self, of: Rows) -> Sequence[ArrayExpr] | None:
        return None if self.axis else self.operands

    def entry(self, index: Index, b: Indices) -> Reading:
        i, rest = index[self.axis], without(index, self.axis)
        return (yield from chosen([(sympy.Eq(i, k), x, rest) for k, x in enumerate(self.operands)]))

    def transposed(self, ct: ArrayExpr) -> Sequence[ArrayExpr]:
        return [part.of(ct, _along(self.axis, self.shape, i)) for i in range(len(self.operands))]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        lift = [lifted(x, size, has) for x, has in zip(operands, batched, strict=True)]
        return stack.of(*lift, self.axis + 1)

    def matrix(self, m: Matrices) -> MatrixReading:
        rows = []
        for x in self.operands:
            rows.append((yield x))  # noqa: PERF401 - it yields
        return m.stacked(rows, self.axis, self.shape)

    def notation(self) -> Notation:
        made = _list_notation("stack", len(self.operands), self.axis)
        rows = [_cells(x) for x in self.operands]
        if self.axis or None in rows:
            return made
        shown = [x for row in rows for x in row or () if isinstance(x, ArrayExpr)]
        holes = iter([f"{{{i}}}" for i in range(len(shown))])
        lines = [
            " & ".join([x if isinstance(x, str) else next(holes) for x in row or ()])
            for row in rows
        ]
        body = r" \\ ".join(lines)
        matrix = Latex(rf"\begin{{{{bmatrix}}}} {body} \end{{{{bmatrix}}}}", shown=tuple(shown))
        return made._replace(typeset=matrix)

    samples = [(GRID, GRID * 2, 1), (np.array(0.5), np.array(1.5), np.array(-1.0), 0), (_Y, 0)]


def _cells(x: ArrayExpr) -> Sequence[ArrayExpr | str] | None:
    """Return what stands in a row of a matrix, numbers as LaTeX; None for an array that is no row."""
    if not x.shape:
        return [x]
    if type(x) is ArrayConst and x.ndim == 1:
        return [braces(scalar_latex(sympy.sympify(c))) for c in x.value.tolist()]
    is_row = type(x) is stack and all(not y.shape for y in x.operands)
    return x.operands if is_row else None


def _list_notation(name: str, count: int, axis: int) -> Notation:
    holes = ", ".join(f"{{{i}}}" for i in range(count))
    return Notation(
        f"{name}([{holes}]{f', dim={axis}' * bool(axis)})",
        rf"\operatorname{{{{{name}}}}}_{{{{{axes_latex((axis,))}}}}}\left({holes}\right)",
    )
