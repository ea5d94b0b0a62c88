"""Triangles, diagonals and the trace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.expr.shapes import Shape
from symgrad.expr.written import parameter_text
from symgrad.ops.axes import accumulated_kind
from symgrad.ops.broadcasting import broadcast_to, is_zeros, lifted
from symgrad.ops.composite import Composite
from symgrad.ops.entries import Index, Indices, Reading, chosen, fitted
from symgrad.ops.kinds import Beside
from symgrad.ops.primitive import Computation, Cotangents, Linear
from symgrad.ops.reduction import sum
from symgrad.ops.terms import Terms
from symgrad.ops.zeros import Fill, Zeros

_X = np.arange(12.0).reshape(3, 4) + 0.5
_CUBE = np.arange(24.0).reshape(2, 4, 3) + 0.5


class Triangle(Linear, abstract=True):
    """The elements on one side of a diagonal of the last two axes, with zeros elsewhere."""

    params = ("offset",)

    @classmethod
    def infer(cls, x: Any, offset: int) -> tuple[Shape, dtype]:
        if len(x.shape) < 2:
            raise RuntimeError(f"{cls.__name__}: input tensor must have at least 2 dimensions")
        return x.shape, x.dtype

    def as_fill(self) -> Fill | None:
        return Fill(0, None, lambda v: self.of(v, self.offset))

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        kept = self.is_kept(index[-1] - index[-2])
        return (yield from chosen([(kept, x, index), (True, None, ())]))

    def is_kept(self, above: Any) -> Any:
        """Return whether an element is kept that stands so far above the main diagonal."""
        raise NotImplementedError(f"{type(self).__name__} states no is_kept()")

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return self.of(ct, self.offset)

    def notation(self) -> Notation:
        name = type(self).__name__
        which, low = "", ""
        if self.offset:
            which, low = f", diagonal={self.offset}", f"_{{{{{self.offset}}}}}"
        return Notation(
            f"{name}({{0}}{which})", rf"\operatorname{{{{{name}}}}}{low}\left({{0}}\right)"
        )

    samples = [(_X, 0), (_X, -1), (_CUBE, 2)]


class tril(Triangle):
    """The lower triangle."""

    keeps_zeros = Zeros.MOVED
    kernel = Kernel("tril", lambda x, offset: np.tril(x, offset), "np.tril({0}, {offset})")

    def is_kept(self, above: Any) -> Any:
        return sympy.Le(above, self.offset)


class triu(Triangle):
    """The upper triangle."""

    keeps_zeros = Zeros.MOVED
    kernel = Kernel("triu", lambda x, offset: np.triu(x, offset), "np.triu({0}, {offset})")

    def is_kept(self, above: Any) -> Any:
        return sympy.Ge(above, self.offset)


def _diagonal(x, *, offset, axis1, axis2):  # type: ignore[no-untyped-def]
    found = np.diagonal(x, offset, axis1, axis2)
    found.flags.writeable = x.flags.writeable
    return found


def _diagonal_length(shape: Shape, offset: int, axis1: int, axis2: int) -> int:
    rows, columns = shape[axis1], shape[axis2]
    return max(0, min(rows + min(offset, 0), columns - max(offset, 0)))


def _on_diagonal(ndim: int, axis1: int, axis2: int) -> list[int]:
    """Return labels of axes, of which two are the same."""
    labels = list(range(ndim))
    labels[axis2] = labels[axis1]
    return labels


class diagonal(Linear):
    """A diagonal of two axes, as a new last axis; a view."""

    keeps_zeros = Zeros.MOVED
    params = ("offset", "axis1", "axis2")
    kernel = Kernel.from_function(_diagonal, view=True)
    is_view = True

    @classmethod
    def infer(cls, x: Any, offset: int, axis1: int, axis2: int) -> tuple[Shape, dtype]:
        rest = tuple([n for i, n in enumerate(x.shape) if i not in (axis1, axis2)])
        return (*rest, _diagonal_length(x.shape, offset, axis1, axis2)), x.dtype

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        rest = iter(index)
        inner = [None if a in (self.axis1, self.axis2) else next(rest) for a in range(x.ndim)]
        inner[self.axis1] = index[-1] - min(self.offset, 0)
        inner[self.axis2] = index[-1] + max(self.offset, 0)
        return (yield x, inner)

    def terms(self, b: Terms) -> Any:
        (x,) = self.operands
        if self.offset or x.shape[self.axis1] != x.shape[self.axis2]:
            return None
        labels = _on_diagonal(x.ndim, self.axis1, self.axis2)
        rest = [k for a, k in enumerate(labels) if a not in (self.axis1, self.axis2)]
        form = b.operand(x, self.dtype)
        return b.contracted([(form, labels)], [*rest, labels[self.axis1]], self.shape)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        shape = self.operands[0].shape
        return diag_embed.of(ct, shape, self.offset, self.axis1, self.axis2)

    samples = [(_X, 0, 0, 1), (_X, -1, 0, 1), (_CUBE, 1, 2, 0), (_X, 7, 0, 1)]


class diagonal_copy(diagonal):
    """A diagonal in memory of its own; `of` makes `diagonal`."""

    public_name = "diagonal"
    kernel = Kernel(
        "diagonal",
        lambda x, offset, axis1, axis2: np.diagonal(x, offset, axis1, axis2).copy(),
        "np.diagonal({0}, {offset}, {axis1}, {axis2}).copy()",
    )
    is_view = False
    is_copy = True


def _diag_embed(x, *, shape, offset, axis1, axis2):  # type: ignore[no-untyped-def]
    out = np.zeros(shape, np.asarray(x).dtype)
    place = np.diagonal(out, offset, axis1, axis2)
    place.flags.writeable = True
    place[...] = x
    return out


class diag_embed(Linear):
    """The last axis on a diagonal of two axes, with zeros elsewhere; `diagonal` transposed."""

    keeps_zeros = Zeros.MOVED
    params = ("shape_", "offset", "axis1", "axis2")
    kernel = Kernel.from_function(_diag_embed)

    @classmethod
    def infer(
        cls, x: Any, shape: Shape, offset: int, axis1: int, axis2: int
    ) -> tuple[Shape, dtype]:
        return shape, x.dtype

    def implementation(self) -> Computation:
        kernel, params, operands = super().implementation()
        given = dict(params)
        given["shape"] = given.pop("shape_")
        return kernel, given, operands

    def as_fill(self) -> Fill | None:
        shape, *rest = self.param_values
        return Fill(
            0,
            lambda b: diagonal.of(broadcast_to.of(b, shape), *rest),
            lambda v: diag_embed.of(v, shape, *rest),
        )

    def entry(self, index: Index, b: Indices) -> Reading:
        x = self.operands[0]
        i, j = index[self.axis1], index[self.axis2]
        rest = [k for a, k in enumerate(index) if a not in (self.axis1, self.axis2)]
        place = i + min(self.offset, 0)
        there = sympy.Eq(j - i, self.offset), x, [*rest, place]
        return (yield from chosen([there, (True, None, ())]))

    def terms(self, b: Terms) -> Any:
        if self.offset or self.shape[self.axis1] != self.shape[self.axis2]:
            return None
        output = _on_diagonal(self.ndim, self.axis1, self.axis2)
        rest = [k for a, k in enumerate(output) if a not in (self.axis1, self.axis2)]
        form = b.operand(self.operands[0], self.dtype)
        return b.contracted([(form, [*rest, output[self.axis1]])], output, self.shape)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return diagonal.of(ct, self.offset, self.axis1, self.axis2)

    def notation(self) -> Notation:
        called, axes = "diag_embed({0}", (self.ndim - 2, self.ndim - 1)
        length = self.operands[0].shape[-1] + abs(self.offset)
        if not self.shape[self.axis1] == self.shape[self.axis2] == length:
            zeros = f"zeros({self.shape}, dtype={parameter_text(self.dtype)})"
            called, axes = f"diagonal_scatter({zeros}, {{0}}", (0, 1)
        places = {"offset": self.offset, "dim1": self.axis1, "dim2": self.axis2}
        usual = {"offset": 0, "dim1": axes[0], "dim2": axes[1]}
        given = [f", {n}={v}" for n, v in places.items() if v != usual[n]]
        return super().notation()._replace(text=f"{called}{''.join(given)})")

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        shape = (size, *self.shape)
        return diag_embed.of(operands[0], shape, self.offset, self.axis1 + 1, self.axis2 + 1)

    samples = [
        (np.array([0.5, -1.0]), (3, 3), 1, 0, 1),
        (np.arange(8.0).reshape(4, 2), (2, 4, 3), 1, 0, 2),
    ]


def _diagonal_scatter(x, value, *, offset, axis1, axis2):  # type: ignore[no-untyped-def]
    out = np.array(x)
    place = np.diagonal(out, offset, axis1, axis2)
    place.flags.writeable = True
    place[...] = value
    return out


def _set_diagonal(x, value, *, offset, axis1, axis2):  # type: ignore[no-untyped-def]
    place = np.diagonal(x, offset, axis1, axis2)
    place.flags.writeable = True
    place[...] = value
    return x


class diagonal_scatter(Linear):
    """An array with other values on a diagonal."""

    keeps_zeros = Zeros.MOVED
    params = ("offset", "axis1", "axis2")
    layout = "first"
    kernel = Kernel.from_function(_diagonal_scatter, overwriting=_set_diagonal)
    converts = True

    @classmethod
    def infer(cls, x: Any, value: Any, offset: int, axis1: int, axis2: int) -> tuple[Shape, dtype]:
        inner = diagonal.infer(x, offset, axis1, axis2)[0]
        if value.shape != inner and value.shape:
            raise RuntimeError(
                "expected src to have a size equal to the slice of self. src size = "
                f"{list(value.shape)}, slice size = {list(inner)}"
            )
        return x.shape, x.dtype

    def as_fill(self) -> Fill | None:
        if not is_zeros(self.operands[1]):
            return None
        return Fill(0, None, lambda v: diagonal_scatter.of(v, Const(0), *self.param_values))

    def entry(self, index: Index, b: Indices) -> Reading:
        x, value = self.operands
        i, j = index[self.axis1], index[self.axis2]
        rest = [k for a, k in enumerate(index) if a not in (self.axis1, self.axis2)]
        place = i + min(self.offset, 0)
        there = sympy.Eq(j - i, self.offset), value, fitted([*rest, place], value.shape)
        return (yield from chosen([there, (True, x, index)]))

    def transposed(self, ct: ArrayExpr) -> Sequence[ArrayExpr]:
        return (
            diagonal_scatter.of(ct, Const(0), *self.param_values),
            diagonal.of(ct, *self.param_values),
        )

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x, value = operands
        if batched[1] and value.ndim == 1:
            value = value.reshape((size,) + (1,) * (x.ndim - 2 + (not batched[0])))
        inner = diagonal.infer(self.operands[0], *self.param_values)[0]
        value = value.broadcast_to((size, *inner))
        x = lifted(x, size, batched[0])
        return diagonal_scatter.of(x, value, self.offset, self.axis1 + 1, self.axis2 + 1)

    samples = [
        (_X, np.array([0.5, -1.0, 2.0]), 0, 0, 1),
        (_CUBE, np.ones((4, 2)), 0, 0, 2),
        (_X, np.array(0.5), -1, 0, 1),
    ]


class parted(Beside):
    """A formula that is computed apart off a diagonal of two axes and on it.

    The operands are the formula, what has its values off the diagonal, and those on the diagonal as
    `diagonal` has them. The kernel reads the last two; whoever looks at the node sees the formula.
    """

    params = ("axis1", "axis2")
    unreached = (1, 2)
    is_known_by_formula = True
    kernel = diagonal_scatter.kernel

    def expanded(self) -> ArrayExpr:
        """Return the formula."""
        return self.operands[0]

    @classmethod
    def infer(cls, x: Any, off: Any, on: Any, axis1: int, axis2: int) -> tuple[Shape, dtype]:
        diagonal_scatter.infer(off, on, 0, axis1, axis2)
        return x.shape, x.dtype

    def implementation(self) -> Computation:
        given = {"offset": 0, "axis1": self.axis1, "axis2": self.axis2}
        return self.kernel, given, self.operands[1:]

    def equal_formula(self) -> ArrayExpr:
        return self.operands[0]

    def terms(self, b: Terms) -> Any:
        return b.operand(self.operands[0], self.dtype)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return ct, None, None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return tangents[0]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return lifted(operands[0], size, batched[0])


def _trace(x):  # type: ignore[no-untyped-def]
    return np.asarray(np.trace(x), x.dtype if x.dtype.kind in "fcO" else np.int64)


class trace(Composite):
    """The sum of the diagonal of a matrix."""

    kernel = Kernel.from_function(_trace)

    @classmethod
    def composed(cls, x: ArrayExpr) -> ArrayExpr:
        return sum.of(diagonal.of(x, 0, 0, 1), (0,), False)

    @classmethod
    def infer(cls, x: Any) -> tuple[Shape, dtype]:
        if len(x.shape) != 2:
            raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {len(x.shape)}")
        return (), accumulated_kind(x.dtype)

    samples = [(_X,), (_X[:2, :2],)]
