"""Reductions over axes: sums, means, and statements about elements.

What all reductions share is in `axes`; largest and smallest elements are in `extrema`, products in
`scans`, variances in `statistics`, norms in `norms`, sums of exponentials in `softmax`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import local, reduces
from symgrad.expr.dtypes import Category, bool_, dtype, float16, int64, uint8
from symgrad.expr.node import ArrayExpr
from symgrad.ops.axes import Accumulation, Reduction, along
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Linear
from symgrad.ops.samples import TABLE
from symgrad.ops.totals import TOTAL, _total, is_long
from symgrad.ops.where import where
from symgrad.ops.zeros import Zeros


def _sum_half(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    return _total(x.astype(np.float32), axis=axis, keepdims=keepdims).astype(np.float16)


# Of many terms.
_LONG_SUM = Kernel(
    "sum", _total, "_total({0}, axis={axis}, keepdims={keepdims})",
    prelude=TOTAL.prelude, rows=reduces(),
)  # fmt: skip


class sum(Accumulation, Linear):
    keeps_zeros = Zeros.TOTAL
    kernel = Kernel(
        "sum", np.add.reduce, "np.add.reduce({0}, axis={axis}, keepdims={keepdims})",
        out=True, rows=reduces(),
    )  # fmt: skip
    latex_sign = r"\sum"
    half_kernel = Kernel.from_function(_sum_half, prelude=TOTAL.prelude, rows=along)

    def implementation(self) -> Any:
        kernel, params, operands = super().implementation()
        if (
            kernel is sum.kernel
            and self.dtype.category >= Category.FLOAT
            and is_long(self.reduced_size)
        ):
            kernel = _LONG_SUM
        return kernel, params, operands

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return self.kept(ct).broadcast_to(self.operands[0].shape)

    samples = [
        (TABLE, None, False),
        (TABLE, (1,), True),
        (TABLE, (0,), False),
        (np.array(2.0), (), False),
    ]


def _mean_half(x, *, axis, keepdims, count):  # type: ignore[no-untyped-def]
    return (_total(x.astype(np.float32), axis=axis, keepdims=keepdims) / count).astype(np.float16)


_MEAN_HALF = Kernel.from_function(_mean_half, prelude=TOTAL.prelude, rows=along)
_LONG_MEAN = Kernel(
    "mean", lambda x, *, axis, keepdims, count: TOTAL.call(x, axis=axis, keepdims=keepdims) / count,
    "_total({0}, axis={axis}, keepdims={keepdims}) / {count}", prelude=TOTAL.prelude, rows=along,
)  # fmt: skip


_add: Any = np.add.reduce


def _mean_of(x: Any, *, axis: Any, keepdims: bool, count: int) -> Any:
    return _add(x, axis=axis, keepdims=keepdims) / count


class mean(Reduction, Linear):
    keeps_zeros = Zeros.TOTAL
    kernel = Kernel(
        "mean", _mean_of, "np.add.reduce({0}, axis={axis}, keepdims={keepdims}) / {count}",
        rows=along,
    )  # fmt: skip

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        if kind.category < Category.FLOAT:
            raise RuntimeError(
                "mean(): could not infer output dtype. Input dtype must be either a floating point "
                f"or complex dtype. Got: {kind.scalar_name}"
            )
        return kind

    def implementation(self) -> Any:
        kernel = _LONG_MEAN if is_long(self.reduced_size) else self.kernel
        kernel = _MEAN_HALF if self.dtype is float16 else kernel
        params = {"axis": self.axis, "keepdims": self.keepdims, "count": self.reduced_size}
        return kernel, params, self.operands

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        share = self.kept(ct)
        if self.reduced_size:  # else there are no elements to share between
            share = share / self.reduced_size
        return share.broadcast_to(self.operands[0].shape)

    samples = [
        (TABLE, None, False),
        (TABLE, (1,), True),
        (TABLE, (0, 1), False),
        (np.ones((1, 2)), (0,), False),
    ]


class isnumber(Elementwise):
    """Whether an element is not nan."""

    result = "bool"
    differentiable = False
    internal = True
    scalar = lambda x: True  # noqa: E731
    kernel = Kernel("isnumber", lambda x: x == x, "{0} == {0}", rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (0,)

    samples = [(np.array([0.3, np.nan, 2.0]),), (np.array(1.0),)]


def _nansum_of(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.sum(x, axis=axis, keepdims=keepdims, where=x == x)


class nansum(Reduction):
    """The sum of what is not nan; elements that are contribute nothing to any derivative."""

    kernel = Kernel(
        "nansum", _nansum_of,
        "np.sum({0}, axis={axis}, keepdims={keepdims}, where={0} == {0})", rows=along,
    )  # fmt: skip

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        if kind.is_complex:
            raise RuntimeError("nansum on CPU does not support complex inputs")
        return sum.result_kind(kind)

    def compute_dtype(self) -> dtype | None:
        return self.dtype if self.dtype is int64 else None

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        (x,) = self.operands
        return (where.of(isnumber.of(x), self.kept(ct), 0),)

    samples = [(TABLE, None, False), (TABLE, (1,), True), (TABLE, (0,), False)]


class Quantifier(Reduction, abstract=True):
    """A statement about the elements: bool, or uint8 for uint8, with no derivative."""

    differentiable = False

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return uint8 if kind is uint8 else bool_

    def implementation(self) -> Any:
        kernel, params, operands = super().implementation()
        return _QUANTIFIER_BYTES[type(self)] if self.dtype is uint8 else kernel, params, operands

    samples = [(TABLE > 0, None, False), (TABLE > 1, (1,), True), (TABLE, (0,), False)]


class any(Quantifier):
    kernel = Kernel("any", np.any, "np.any({0}, axis={axis}, keepdims={keepdims})", rows=along)


class all(Quantifier):
    kernel = Kernel("all", np.all, "np.all({0}, axis={axis}, keepdims={keepdims})", rows=along)


def _any_bytes(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.uint8(np.any(x, axis=axis, keepdims=keepdims))


def _all_bytes(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.uint8(np.all(x, axis=axis, keepdims=keepdims))


_QUANTIFIER_BYTES: dict[type[Quantifier], Kernel] = {
    any: Kernel(
        "any", _any_bytes, "np.uint8(np.any({0}, axis={axis}, keepdims={keepdims}))", rows=along
    ),
    all: Kernel(
        "all", _all_bytes, "np.uint8(np.all({0}, axis={axis}, keepdims={keepdims}))", rows=along
    ),
}


class count_nonzero(Reduction):
    differentiable = False
    kernel = Kernel(
        "count_nonzero", np.count_nonzero,
        "np.count_nonzero({0}, axis={axis}, keepdims={keepdims})", rows=reduces(),
    )  # fmt: skip

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return int64

    samples = [(TABLE, None, False), (TABLE > 0, (1,), False)]
