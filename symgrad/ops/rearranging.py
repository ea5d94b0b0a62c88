"""Copies of data in another order or repeated: flip, roll, rot90, repeat, tile; and padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import as_expr, is_const
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, braces
from symgrad.expr.shapes import Shape
from symgrad.ops.broadcasting import zeros
from symgrad.ops.entries import (
    Index,
    Indices,
    Reading,
    between,
    chosen,
    divided,
    flat,
    unravelled,
    with_entry,
)
from symgrad.ops.primitive import Computation, Cotangents, Linear, Primitive
from symgrad.ops.reduction import sum
from symgrad.ops.reshaping import reshape
from symgrad.ops.samples import GRID
from symgrad.ops.slicing import part, updated
from symgrad.ops.zeros import Zeros

_CUBE = np.arange(24.0).reshape(2, 4, 3)


class flip(Linear):
    """The elements in reverse order along some axes."""

    nonnegative = "operands"
    keeps_zeros = Zeros.MOVED
    params = ("axes",)
    moves = True
    layout = "first"
    kernel = Kernel(
        "flip", lambda x, axes: np.flip(x, axes).copy(), "np.flip({0}, {axes}).copy()",
        number_systems={"sympy": lambda x, axes: np.array(np.flip(x, axes), object)},
    )  # fmt: skip

    def entry(self, index: Index, b: Indices) -> Reading:
        turned = [
            n - 1 - i if a in self.axes else i
            for a, (i, n) in enumerate(zip(index, self.shape, strict=True))
        ]
        return (yield self.operands[0], turned)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return flip.of(ct, self.axes)

    samples = [(GRID, (0,)), (_CUBE, (0, 2)), (np.array(1.5), ())]


class roll(Linear):
    """The elements moved along some axes; those moved over the end come back at the start."""

    keeps_zeros = Zeros.MOVED
    params = ("shifts", "axes")
    moves = True
    kernel = Kernel(
        "roll", lambda x, shifts, axes: np.roll(x, shifts, axes), "np.roll({0}, {shifts}, {axes})"
    )

    def implementation(self) -> Computation:
        if self.axes:
            return super().implementation()
        return self.kernel, {"shifts": self.shifts[0], "axes": None}, self.operands

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        if not self.axes:
            place = sympy.Mod(flat(index, self.shape) - self.shifts[0], max(self.size, 1))
            return (yield x, unravelled(place, self.shape))
        for shift, a in zip(self.shifts, self.axes, strict=True):
            index = with_entry(index, a, sympy.Mod(index[a] - shift, max(self.shape[a], 1)))
        return (yield x, index)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return roll.of(ct, tuple(-s for s in self.shifts), self.axes)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        if self.axes:
            return roll.of(x, self.shifts, tuple(a + 1 for a in self.axes))
        flat = reshape.of(x, (size, self.size))
        return reshape.of(roll.of(flat, self.shifts, (1,)), x.shape)

    def notation(self) -> Notation:
        if self.axes:
            return super().notation()
        return super().notation()._replace(text=f"roll({{0}}, shifts={self.shifts[0]})")

    samples = [(GRID, (1,), (1,)), (_CUBE, (1, -2), (2, 0)), (GRID, (2,), ())]


class rot90(Linear):
    """The plane of two axes turned by quarters."""

    keeps_zeros = Zeros.MOVED
    params = ("k", "axes")

    def result_layout(self) -> str | tuple[int, ...]:
        places = list(range(self.ndim))
        if not self.k % 4:
            return "axes"
        if self.k % 2:  # one axis is reversed, then both are exchanged
            a, b = self.axes
            places[a], places[b] = places[b], places[a]
        return tuple(places)

    kernel = Kernel(
        "rot90", lambda x, k, axes: np.rot90(x, k, axes).copy(), "np.rot90({0}, {k}, {axes}).copy()"
    )

    @classmethod
    def infer(cls, x: Any, k: int, axes: tuple[int, int]) -> tuple[Shape, dtype]:
        shape = list(x.shape)
        if k % 2:
            a, b = axes
            shape[a], shape[b] = shape[b], shape[a]
        return tuple(shape), x.dtype

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        a, c = self.axes
        for _ in range(self.k % 4):  # one quarter, of which the first axis comes from the last
            i, j = index[a], index[c]
            index = with_entry(with_entry(index, a, j), c, -1 - i)
        return (yield x, [i % n for i, n in zip(index, x.shape, strict=True)])

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return rot90.of(ct, -self.k, self.axes)

    samples = [(GRID, 1, (0, 1)), (_CUBE, -1, (2, 0)), (GRID, 2, (0, 1))]


class repeat(Linear):
    """The array repeated along each axis, as tiles are."""

    keeps_zeros = Zeros.MOVED
    params = ("repeats",)
    kernel = Kernel("tile", lambda x, repeats: np.tile(x, repeats), "np.tile({0}, {repeats})")

    @classmethod
    def infer(cls, x: Any, repeats: tuple[int, ...]) -> tuple[Shape, dtype]:
        own = (1,) * (len(repeats) - len(x.shape)) + tuple(x.shape)
        return tuple([r * n for r, n in zip(repeats, own, strict=True)]), x.dtype

    def _spread(self) -> Shape:
        """The shape in which each axis is split into two: the repetitions, and the original axis."""
        own = (1,) * (len(self.repeats) - self.operands[0].ndim) + self.operands[0].shape
        return tuple([m for pair in zip(self.repeats, own, strict=True) for m in pair])

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        own = index[len(index) - x.ndim :]
        return (yield x, [divided(i, n)[1] for i, n in zip(own, x.shape, strict=True)])

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        axes = tuple(range(0, 2 * len(self.repeats), 2))
        spread = reshape.of(ct, self._spread())
        return reshape.of(sum.of(spread, axes, False), self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        lead = len(self.repeats) - (x.ndim - 1)
        return repeat.of(x.reshape((size,) + (1,) * lead + x.shape[1:]), (1, *self.repeats))

    def notation(self) -> Notation:
        return super().notation()._replace(text=f"tile({{0}}, {self.repeats})")

    samples = [(GRID, (2, 3)), (GRID, (2, 1, 2)), (np.array(1.5), (2,))]


def _pad(x, value, *, widths):  # type: ignore[no-untyped-def]
    shape = tuple(n + a + b for n, (a, b) in zip(x.shape, widths, strict=True))
    out = np.full(shape, value, x.dtype)
    inside = tuple(slice(max(a, 0), m - max(b, 0)) for m, (a, b) in zip(shape, widths, strict=True))
    out[inside] = x[
        tuple(slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape, widths, strict=True))
    ]
    return out


class constant_pad_nd(Primitive):
    """An array with a constant added around it; negative widths cut.

    `widths` holds the number of elements before and behind each axis. The constant is an operand,
    since it may vary, and has no derivative.
    """

    keeps_zeros = Zeros.ADDED
    params = ("widths",)
    kernel = Kernel.from_function(_pad)

    def result_layout(self) -> str | tuple[int, ...]:
        grows = any(max(pair) > 0 for pair in self.widths)
        return "axes" if grows else tuple(range(self.ndim))

    @classmethod
    def infer(cls, x: Any, value: Any, widths: Any) -> tuple[Shape, dtype]:
        return tuple([n + a + b for n, (a, b) in zip(x.shape, widths, strict=True)]), x.dtype

    def entry(self, index: Index, b: Indices) -> Reading:
        x, value = self.operands
        inner = [i - a for i, (a, _) in zip(index, self.widths, strict=True)]
        inside = sympy.And(*[between(0, i, n) for i, n in zip(inner, x.shape, strict=True)])
        return (yield from chosen([(inside, x, inner), (True, value, ())]))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x = self.operands[0]
        outside, inside = [], []
        for n, m, (a, b) in zip(x.shape, self.shape, self.widths, strict=True):
            outside.append((max(a, 0), m - max(b, 0), 1))
            inside.append((max(-a, 0), n - max(-b, 0), 1))
        ct = part.of(ct, tuple(outside))
        if tuple(inside) == tuple([(0, n, 1) for n in x.shape]):
            return ct, None
        return updated.of(zeros(x.shape, ct.dtype), ct, tuple(inside)), None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        t = tangents[0]
        return None if t is None else constant_pad_nd.of(t, as_expr(0), self.widths)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return constant_pad_nd.of(*operands, ((0, 0), *self.widths))

    def notation(self) -> Notation:
        listed = tuple([n for pair in reversed(self.widths) for n in pair])
        if not is_const(self.operands[1], 0):
            return super().notation()._replace(text=f"pad({{0}}, {listed}, value={{1}})")
        shown = braces(rf"\operatorname{{pad}}_{{{', '.join(map(str, listed))}}}")
        return Notation(f"pad({{0}}, {listed})", shown + r"\left({0}\right)")

    samples = [
        (GRID, 0, ((0, 0), (1, 2))),
        (GRID, 0, ((1, -1), (-1, 1))),
        (np.array([1.0, 2.0]), 3.5, ((2, 0),)),
    ]
