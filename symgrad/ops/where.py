"""The choice between two values by a condition, and between their derivatives.

The value that is not chosen contributes an exact zero to derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from numeric.selection import select
from symgrad.expr.atoms import is_const
from symgrad.expr.dtypes import Category, bool_, dtype, number_as, result_dtype, uint8
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import cases
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.identity import written
from symgrad.ops.kinds import Choosing
from symgrad.ops.matrices import Matrices, MatrixValue
from symgrad.ops.primitive import Computation
from symgrad.ops.samples import ANY, COLUMN
from symgrad.ops.zeros import Fill, Zeros

_SELECT = Kernel("where", select, "np.where({0}, {1}, {2})", rows=local)
_SELECT_AS = Kernel(
    "where",
    lambda c, x, y, to: np.asarray(select(c, x, y)).astype(to),
    "np.where({0}, {1}, {2}).astype({to})",
    rows=local,
    number_systems={
        s: lambda c, x, y, to: np.where(c.astype(bool), x, y) for s in ("sympy", "mpmath")
    },
)
# A number that the dtype of integers does not hold wraps around.
_SELECT_WRAPPED = Kernel(
    "where",
    lambda c, x, y, to: np.where(c, np.asarray(x).astype(to), np.asarray(y).astype(to)),
    "np.where({0}, np.asarray({1}).astype({to}), np.asarray({2}).astype({to}))",
    rows=local,
    number_systems=_SELECT_AS.number_systems,
)


def _chosen(c: Any, x: Any, y: Any) -> Any:
    """Return the choice as SymPy has it."""
    try:
        return sympy.Piecewise((x, c), (y, True))
    except KeyError:
        # Of a condition with a choice inside SymPy 1.14 asks for symbols that a part may not have.
        holds, before = sympy.false, sympy.false
        for value, condition in sympy.piecewise_fold(c).args:
            holds = sympy.Or(holds, sympy.And(condition, value, sympy.Not(before)))
            before = sympy.Or(before, condition)
        return sympy.Piecewise((x, holds), (y, True))


class where(Choosing):
    """`x` where the condition holds, else `y`; the branch not taken contributes an exact zero."""

    keeps_zeros = Zeros.CHOICE
    numbers = "last"
    keeps_repeated = True
    scalar = lambda c, x, y: _chosen(c, x, y)  # noqa: E731
    kernel = _SELECT
    printed = cases("where({0}, {1}, {2})", "{1}", "{0}", "{2}")
    converts = False

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        condition, x, y = operands
        if condition.dtype is not bool_ and condition.dtype is not uint8:
            raise RuntimeError(
                "where expected condition to be a boolean tensor, but got a tensor with dtype "
                f"{condition.dtype.scalar_name}"
            )
        shape = broadcast_shapes(x.shape, y.shape)
        shape = broadcast_shapes(condition.shape, shape)
        return shape, x.dtype if x.dtype is y.dtype and not x.weak else result_dtype((x, y))

    def implementation(self) -> Computation:
        _, x, y = self.operands
        if self.dtype.category == Category.INT and (x.weak or y.weak):
            return _SELECT_WRAPPED, {"to": self.dtype.numpy}, self.operands
        for a, b in ((x, y), (y, x)):
            if a.dtype is self.dtype and not a.weak and (b.weak or b.dtype is self.dtype):
                return self.kernel, {}, self.operands
        return _SELECT_AS, {"to": self.dtype.numpy}, self.operands

    def of_matrices(self, m: Matrices, operands: Sequence[MatrixValue]) -> MatrixValue | None:
        return m.mixed(*operands)

    def as_fill(self) -> Fill | None:
        condition, x, y = self.operands
        if is_const(y, 0):
            return Fill(1, None, lambda v: where.of(condition, v, y))
        return Fill(2, None, lambda v: where.of(condition, x, v)) if is_const(x, 0) else None

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        if i == 0:
            return None
        condition = self.operands[0]
        return where.of(condition, t, 0) if i == 1 else where.of(condition, 0, t)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        _, x, y = tangents
        if x is None and y is None:
            return None
        return where.of(self.operands[0], 0 if x is None else x, 0 if y is None else y)

    samples = [(ANY > 0, ANY, COLUMN), (ANY > 0, ANY, 0), (np.array(True), 0.5, np.array(2.0))]


class masked_fill(Choosing):
    """`x` with `value` where the mask holds: `where` that keeps the dtype of `x`."""

    keeps_zeros = Zeros.FILL
    keeps_repeated = True
    layout = "axes"
    scalar = lambda x, m, v: sympy.Piecewise((v, m), (x, True))  # noqa: E731
    kernel = Kernel(
        "masked_fill",
        lambda x, m, v, to: select(m, np.asarray(v).astype(to), x),
        "np.where({1}, np.asarray({2}).astype({to}), {0})",
        rows=local,
        number_systems={
            s: lambda x, m, v, to: np.where(m.astype(bool), v, x) for s in ("sympy", "mpmath")
        },
    )
    converts = False
    kernel_takes_dtype = True

    def of_matrices(self, m: Matrices, operands: Sequence[MatrixValue]) -> MatrixValue | None:
        x, mask, value = operands
        return m.mixed(mask, value, x)

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, mask, value = operands
        if value.shape:
            raise RuntimeError(
                "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{len(value.shape)} dimension(s)."
            )
        if mask.dtype is not bool_:
            name = mask.dtype.cpp_name
            raise RuntimeError(
                f"masked_fill_ only supports boolean masks, but got mask with dtype {name}"
            )
        if value.dtype.is_complex and not x.dtype.is_complex:
            number_as(1j, x.dtype)  # raises
        return broadcast_shapes(mask.shape, x.shape), x.dtype

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        mask = self.operands[1]
        if i == 1:
            return None
        return where.of(mask, 0, t) if i == 0 else where.of(mask, t, 0)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        if not batched[2]:
            return super().batch(size, operands, batched)
        # With a value for each entry of the batch, there is no single value to fill with.
        x, mask, value = operands
        choice = where(self.operands[1], self.operands[2].to(self.dtype), self.operands[0])
        lifted = (mask, value.to(self.dtype), x)
        return choice.batch(size, lifted, (batched[1], True, batched[0]))

    samples = [
        (ANY, ANY > 0, -1.0),
        (COLUMN, ANY > 0, np.array(0.5)),
        (np.array(2.0), np.array(True), 3),
    ]


def by_result(value: ArrayExpr, formula: ArrayExpr, unless: ArrayExpr) -> ArrayExpr:
    """Return `value` with the derivative of the equal `formula`, which reads a result as PyTorch does.

    Where `unless` holds, `formula` is singular, and the derivative is that of `value`.
    """
    return where.of(unless, value, written(value, formula))
