"""Places in sorted numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops import symbols
from symgrad.ops.entries import Index, Indices, Reading, indicator, sum_over
from symgrad.ops.primitive import Primitive

_SORTED = np.array([-1.0, 0.5, 0.5, 2.0])
_TABLE = np.array([[0.5, -2.0, 3.0], [2.0, 0.1, -1.0]])


def _searchsorted(line, x, *, right):  # type: ignore[no-untyped-def]
    side: Any = "right" if right else "left"
    if line.ndim == 1:
        found = np.searchsorted(line, x, side)
    else:
        found = np.empty(x.shape, np.int64)
        for place in np.ndindex(line.shape[:-1]):
            found[place] = np.searchsorted(line[place], x[place], side)
    return np.where(x == x, found, line.shape[-1])  # a nan is behind all, as in PyTorch


def _searchsorted_of_formulas(line: Any, x: Any, *, right: bool) -> Any:
    below = sympy.Le if right else sympy.Lt
    found = np.empty(x.shape, object)
    for place in np.ndindex(x.shape):
        row = line[place[: line.ndim - 1]]
        found[place] = symbols.number_of_true([below(y, x[place]) for y in row])
    return found


class searchsorted(Primitive):
    """How many of sorted numbers are less than each number, or with `right` not greater.

    Numbers that stand in one axis are searched for all; else each row of them for a row.
    """

    params = ("right",)
    right: bool
    differentiable = False
    refuses = (Category.BOOL, Category.COMPLEX)
    kernel_name = "searchsorted_out_cpu"
    kernel = Kernel.from_function(
        _searchsorted, number_systems={"sympy": _searchsorted_of_formulas}
    )

    @classmethod
    def infer(cls, line: Any, x: Any, right: bool) -> tuple[Shape, dtype]:
        cls.refuse(line.dtype)
        return x.shape, int64

    def entry(self, index: Index, b: Indices) -> Reading:
        line, x = self.operands
        (k,) = b.bound(line.shape[-1])
        value = yield x, index
        y = yield line, (*index[: line.ndim - 1], k)
        return sum_over(indicator((sympy.Le if self.right else sympy.Lt)(y, value)), k)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        line, x = operands
        if not batched[0]:
            if self.operands[0].ndim > 1:
                line = line.expand((size, *line.shape))
            return searchsorted.of(line, x, self.right)
        x = x if batched[1] else x.expand((size, *x.shape))
        if self.operands[0].ndim > 1:
            return searchsorted.of(line, x, self.right)
        found = searchsorted.of(line, x.reshape((size, self.size)), self.right)
        made: ArrayExpr = found.reshape((size, *self.shape))
        return made

    samples = [
        (_SORTED, _TABLE, False), (_SORTED, np.array(0.5), True),
        (np.stack([_SORTED, _SORTED * 3]), _TABLE, True),
    ]  # fmt: skip
