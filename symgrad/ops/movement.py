"""Operations that move data without computing: shapes, axes, broadcasting, conversion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import (
    Shape,
    broadcast_axes,
    broadcast_shapes,
    reduced_shape,
    resolve_reshape,
    size_of,
)
from symgrad.primitive import Elementwise, Level, Linear, Notation, bind
from symgrad.public import public

_X = np.arange(6.0).reshape(2, 3)


class broadcast_to(Linear):
    params = ("shape",)
    kernel = Kernel("broadcast_to", np.broadcast_to, "np.broadcast_to({0}, {shape})", view=True)
    is_view = True
    torch_name = "Expand"

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        if broadcast_shapes(x.shape, shape) != shape:
            raise RuntimeError(f"cannot broadcast {list(x.shape)} to {list(shape)}")
        return shape, x.dtype

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return sum_to.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        lead = len(self.shape) - (x.ndim - 1)
        return x.reshape((size,) + (1,) * lead + x.shape[1:]).broadcast_to((size, *self.shape))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([[0.5], [1.0]]), (4, 2, 3)), (np.array(2.0), (2, 2))]


def _sum_to(x, *, shape):  # type: ignore[no-untyped-def]
    lead = x.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(shape) if n == 1 and x.shape[lead + i] != 1
    )
    return np.add.reduce(x, axis=axes).reshape(shape)


class sum_to(Linear):
    """The transpose of `broadcast_to`: the sum over what broadcasting repeats."""

    params = ("shape",)
    kernel = Kernel.from_function(_sum_to)

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        if broadcast_shapes(x.shape, shape) != x.shape:
            raise RuntimeError(f"cannot sum {list(x.shape)} to {list(shape)}")
        return shape, x.dtype

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return broadcast_to.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        axes = tuple(a + 1 for a in broadcast_axes(self.shape, x.shape[1:]))
        kept = reduced_shape(x.shape, axes, keepdims=True)
        return x.sum_to(kept).reshape((size, *self.shape))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, (3,)), (_X, (2, 1)), (_X, ())]


class reshape(Linear):
    params = ("shape",)
    kernel = Kernel("reshape", np.reshape, "np.reshape({0}, {shape})", view=True)
    is_view = True
    torch_name = "View"

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        return resolve_reshape(shape, size_of(x.shape)), x.dtype

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return reshape.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return reshape.of(operands[0], (size, *self.shape))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, (3, 2)), (_X, (6,)), (np.array(1.5), (1, 1))]


class permute(Linear):
    params = ("axes",)
    kernel = Kernel("transpose", np.transpose, "np.transpose({0}, {axes})", view=True)
    is_view = True

    @classmethod
    def infer(cls, x: Any, axes: tuple[int, ...]) -> tuple[Shape, dtype]:
        return tuple(x.shape[a] for a in axes), x.dtype

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return permute.of(ct, tuple(int(i) for i in np.argsort(self.axes)))

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return permute.of(operands[0], (0, *(a + 1 for a in self.axes)))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, (1, 0)), (np.ones((2, 1, 3)), (2, 0, 1))]


class cast(Elementwise):
    """Conversion to another dtype."""

    params = ("to_dtype",)
    torch_name = "ToCopy"

    @classmethod
    def infer(cls, x: Any, to_dtype: dtype) -> tuple[Shape, dtype]:
        return x.shape, to_dtype

    def compute_dtype(self) -> dtype | None:
        return None

    kernel = Kernel(
        "astype", lambda x, to: np.asarray(x).astype(to), "{0}.astype({to})", rows=local
    )

    def implementation(self) -> Any:
        return self.kernel, {"to": self.to_dtype.numpy}, self.operands

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (1 if self.to_dtype.differentiable else 0,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        from symgrad.expr.dtypes import float32, float64

        return [(_X, float64), (_X, float32)]


@public("broadcast_to")
def _broadcast_to(input: Any, size: Sequence[int]) -> Any:
    """Repeat `input` along new and length-one axes to `size`, without copying."""
    size = tuple(size)
    return input if input.shape == size else bind(broadcast_to, (input,), (size,))


@public("sum_to", function=False)
def _sum_to_method(input: Any, size: Sequence[int]) -> Any:
    """Sum over the axes along which `size` would be broadcast to the shape of `input`."""
    size = tuple(size)
    return input if input.shape == size else bind(sum_to, (input,), (size,))


@public("reshape")
def _reshape(input: Any, *shape: Any) -> Any:
    """Return the elements in another shape, in the same order."""
    if len(shape) == 1 and not isinstance(shape[0], int):
        shape = tuple(shape[0])
    return bind(reshape, (input,), (resolve_reshape(shape, input.numel()),))


@public("to", function=False)
def _to(input: Any, dtype: dtype) -> Any:
    """Convert to another dtype."""
    return input if input.dtype is dtype else bind(cast, (input,), (dtype,))


class recorded(Linear):
    """A value of the forward pass: the expression it came from, closed to rewrites.

    Derivatives read such a value as it was saved, so no rule may look inside. `tag` tells apart
    values of equal structure where the gradient of one of them is asked for.
    """

    params = ("tag",)
    kernel = Kernel("recorded", lambda x: x, "{0}", view=True, rows=local)

    @classmethod
    def infer(cls, x: Any, tag: int) -> tuple[Shape, dtype]:
        return x.shape, x.dtype

    def implementation(self) -> Any:
        return self.kernel, {}, self.operands

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        return ct

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return operands[0]

    def notation(self) -> Notation:
        return Notation("{0}", "{0}", Level.ATOM, (Level.ATOM,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, 0)]
