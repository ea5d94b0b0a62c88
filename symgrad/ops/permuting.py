"""The order of axes: `permute`, `transpose`, `movedim` and the attributes such as `T`.

The order of elements along an axis is in `rearranging`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import RowUse
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import TRANSPOSED, Notation, Precedence
from symgrad.expr.shapes import Shape
from symgrad.ops.entries import Index, Indices, Reading
from symgrad.ops.primitive import Linear
from symgrad.ops.samples import GRID
from symgrad.ops.terms import Terms
from symgrad.ops.zeros import Zeros


def inverted(axes: Sequence[int]) -> tuple[int, ...]:
    """Return the order of axes that undoes an order of axes."""
    return tuple(sorted(range(len(axes)), key=axes.__getitem__))


def _rows(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """The row rule of another order of axes: rows are rows where the first axis stays."""
    axes = params["axes"]
    return RowUse.LOCAL if axes and axes[0] == 0 else RowUse.WHOLE


def _permuted(x: Any, axes: tuple[int, ...]) -> Any:
    # The method takes a third of the time of the function, which asks for the method each time.
    return x.transpose(axes) if axes else np.transpose(x, axes)


class permute(Linear):
    nonnegative = "operands"
    keeps_zeros = Zeros.MOVED
    moves = True
    params = ("axes",)
    kernel = Kernel("transpose", _permuted, "np.transpose({0}, {axes})", view=True, rows=_rows)
    is_view = True

    @classmethod
    def infer(cls, x: Any, axes: tuple[int, ...]) -> tuple[Shape, dtype]:
        return tuple(x.shape[a] for a in axes), x.dtype

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return permute.of(ct, inverted(self.axes))

    def entry(self, index: Index, b: Indices) -> Reading:
        return (yield self.operands[0], [index[a] for a in inverted(self.axes)])

    def terms(self, b: Terms) -> Any:
        form = b.operand(self.operands[0], self.dtype)
        return b.contracted([(form, range(len(self.shape)))], self.axes, self.shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return permute.of(operands[0], (0, *(a + 1 for a in self.axes)))

    def notation(self) -> Notation:
        form = super().notation()._replace(text=f"permute({{0}}, {self.axes})")
        if self.axes != (1, 0):
            return form
        return form._replace(text="{0}.T", latex="{0}" + TRANSPOSED, operands=(Precedence.ATOM,))

    samples = [(GRID, (1, 0)), (np.ones((2, 1, 3)), (2, 0, 1))]
