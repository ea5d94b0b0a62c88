"""Reductions over axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import reduces
from symgrad.expr.dtypes import Category, dtype, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, canonical_axes, reduced_shape
from symgrad.primitive import Linear, bind
from symgrad.public import public

_X = np.array([[0.3, -1.2, 2.0], [1.5, 0.4, -0.7]])


class sum(Linear):  # noqa: A001 - PyTorch's name
    params = ("axis", "keepdims")
    kernel = Kernel(
        "sum", np.add.reduce, "np.add.reduce({0}, axis={axis}, keepdims={keepdims})",
        out=True, rows=reduces(),
    )  # fmt: skip

    @classmethod
    def infer(cls, x: Any, axis: tuple[int, ...], keepdims: bool) -> tuple[Shape, dtype]:
        kind = x.dtype if x.dtype.category >= Category.FLOAT else int64
        return reduced_shape(x.shape, axis, keepdims), kind

    def transpose(self, ct: ArrayExpr) -> ArrayExpr:
        (x,) = self.operands
        if self.axis != tuple(range(len(self.axis))):
            ct = ct.reshape(reduced_shape(x.shape, self.axis, True))
        return ct.broadcast_to(x.shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return sum.of(operands[0], tuple(a + 1 for a in self.axis), self.keepdims)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_X, (0, 1), False), (_X, (1,), True), (_X, (0,), False)]


@public("sum")
def _sum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: dtype | None = None) -> Any:
    """Sum over axes."""
    if dtype is not None:
        input = input.to(dtype)
    return bind(sum, (input,), (canonical_axes(dim, len(input.shape)), keepdim))
