"""Reductions over axes: sums, means, and truth values of all elements.

The base of all reductions is in `axes`; largest and smallest elements are in `extrema`, products in
`scans`, variances in `statistics`, norms in `norms`, sums of exponentials in `softmax`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local, reduces
from symgrad.expr.dtypes import Category, bool_, dtype, float16, int64, uint8
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.ops import symbols
from symgrad.ops.axes import Accumulation, Reduction, along
from symgrad.ops.broadcasting import summed
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.entries import Index, Indices, Reading, indicator, sum_over
from symgrad.ops.half import halved
from symgrad.ops.primitive import Computation, Cotangents, Linear
from symgrad.ops.samples import TABLE
from symgrad.ops.terms import Terms
from symgrad.ops.totals import TOTAL, _total, is_long, is_short
from symgrad.ops.where import where
from symgrad.ops.zeros import Zeros


def _sum_of_formulas(xs: Sequence[Any]) -> Any:
    return sympy.Add(*xs)


_SUMS: dict[str, Any] = {**symbols.reducing(_sum_of_formulas), "elements": np.add.reduce}

# For many terms, which NumPy may add one after the other.
_LONG_SUM = Kernel(
    "sum", _total, "_total({0}, axis={axis}, keepdims={keepdims})",
    prelude=TOTAL.prelude, rows=reduces(),
    number_systems=_SUMS,
)  # fmt: skip


class sum(Accumulation, Linear):
    nonnegative = "operands"
    ufuncs = ("add.reduce",)
    keeps_zeros = Zeros.TOTAL
    kernel = Kernel(
        "sum", np.add.reduce, "np.add.reduce({0}, axis={axis}, keepdims={keepdims})",
        out=True, rows=reduces(), number_systems=_LONG_SUM.number_systems,
    )  # fmt: skip
    latex_sign = r"\sum"
    kernels = {float16: halved(_LONG_SUM, rows=along)}

    def implementation(self) -> Computation:
        kernel, params, operands = super().implementation()
        is_exact = self.dtype.category < Category.FLOAT
        if (
            kernel is sum.kernel
            and not is_exact
            and (is_long(self.reduced_size) or is_short(self.operands[0].shape, self.axes))
        ):
            kernel = _LONG_SUM
        return kernel, params, operands

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        x = yield self.operands[0], inner
        return sum_over(x, *over)

    def terms(self, b: Terms) -> Any:
        form = b.operand(self.operands[0], self.dtype)
        return summed(b, form, self.axes, self.shape)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return self.with_reduced_axes(ct).broadcast_to(self.operands[0].shape)

    samples = [
        (TABLE, None, False),
        (TABLE, (1,), True),
        (TABLE, (0,), False),
        (np.array(2.0), (), False),
    ]


def _mean_of_formulas(xs: Sequence[Any]) -> Any:
    return sympy.Add(*xs) / len(xs) if xs else sympy.nan


_add: Any = np.add.reduce


def _mean_of(x: Any, *, axis: Any, keepdims: bool, count: int) -> Any:
    return _add(x, axis=axis, keepdims=keepdims) / count


_LONG_MEAN = Kernel(
    "mean", lambda x, *, axis, keepdims, count: TOTAL.call(x, axis=axis, keepdims=keepdims) / count,
    "_total({0}, axis={axis}, keepdims={keepdims}) / {count}", prelude=TOTAL.prelude, rows=along,
    number_systems={**symbols.reducing(_mean_of_formulas), "elements": _mean_of},
)  # fmt: skip


class mean(Reduction, Linear):
    nonnegative = "operands"
    keeps_zeros = Zeros.TOTAL
    kernel = Kernel(
        "mean", _mean_of, "np.add.reduce({0}, axis={axis}, keepdims={keepdims}) / {count}",
        rows=along, number_systems=_LONG_MEAN.number_systems,
    )  # fmt: skip
    kernels = {float16: halved(_LONG_MEAN)}
    kernel_takes_count = True
    refuses = (Category.BOOL, Category.INT)

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point "
            f"or complex dtype. Got: {kind.scalar_name}"
        )

    def implementation(self) -> Computation:
        kernel, params, operands = super().implementation()
        if kernel is mean.kernel and is_long(self.reduced_size):
            kernel = _LONG_MEAN
        return kernel, params, operands

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        x = yield self.operands[0], inner
        return sum_over(x, *over) / self.reduced_size if self.reduced_size else sympy.nan

    def terms(self, b: Terms) -> Any:
        if not self.reduced_size:
            return None
        form = b.operand(self.operands[0], self.dtype)
        return b.divided(summed(b, form, self.axes, self.shape), self.reduced_size)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        share = self.with_reduced_axes(ct)
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
    printed = Notation(
        "~isnan({0})",
        r"\neg \operatorname{{isnan}}\left({0}\right)",
        Precedence.UNARY,
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (0,)

    samples = [(np.array([0.3, np.nan, 2.0]),), (np.array(1.0),)]


def _nansum_of(x: Any, *, axis: Any, keepdims: bool) -> Any:
    return np.sum(x, axis=axis, keepdims=keepdims, where=x == x)


class nansum(Reduction):
    """The sum of the elements that are not nan; the others contribute to no derivative."""

    kernel = Kernel(
        "nansum", _nansum_of,
        "np.sum({0}, axis={axis}, keepdims={keepdims}, where={0} == {0})", rows=along,
        number_systems=_LONG_SUM.number_systems,
    )  # fmt: skip
    refuses = (Category.COMPLEX,)

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return sum.result_kind(kind)

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return RuntimeError("nansum on CPU does not support complex inputs")

    def compute_dtype(self) -> dtype | None:
        return self.dtype if self.dtype is int64 else None

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        x = yield self.operands[0], inner
        return sum_over(x, *over)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        return (where.of(isnumber.of(x), self.with_reduced_axes(ct), 0),)

    samples = [(TABLE, None, False), (TABLE, (1,), True), (TABLE, (0,), False)]


def _as_bytes(kernel: Kernel) -> Kernel:
    """Return the kernel that gives truth values as uint8."""

    def call(x: Any, **params: Any) -> Any:
        return np.uint8(kernel.call(x, **params))

    return dataclasses.replace(kernel, call=call, source=f"np.uint8({kernel.source})")


class Quantifier(Reduction, abstract=True):
    """A truth value of several elements: bool, or uint8 for uint8, without a derivative."""

    differentiable = False

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return uint8 if kind is uint8 else bool_

    samples = [(TABLE > 0, None, False), (TABLE > 1, (1,), True), (TABLE, (0,), False)]


class any(Quantifier):
    ufuncs = ("logical_or.reduce",)
    kernel = Kernel(
        "any", np.any, "np.any({0}, axis={axis}, keepdims={keepdims})", rows=along,
        number_systems=symbols.reducing(lambda xs: sympy.Or(*map(symbols.as_condition, xs))),
    )  # fmt: skip
    kernels = {uint8: _as_bytes(kernel)}

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        x = yield self.operands[0], inner
        return sympy.Gt(sum_over(indicator(symbols.as_condition(x)), *over), 0)


class all(Quantifier):
    ufuncs = ("logical_and.reduce",)
    kernel = Kernel(
        "all", np.all, "np.all({0}, axis={axis}, keepdims={keepdims})", rows=along,
        number_systems=symbols.reducing(lambda xs: sympy.And(*map(symbols.as_condition, xs))),
    )  # fmt: skip
    kernels = {uint8: _as_bytes(kernel)}

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        x = yield self.operands[0], inner
        false = sympy.Not(symbols.as_condition(x))
        return sympy.Eq(sum_over(indicator(false), *over), 0)


class count_nonzero(Reduction):
    differentiable = False
    kernel = Kernel(
        "count_nonzero", np.count_nonzero,
        "np.count_nonzero({0}, axis={axis}, keepdims={keepdims})", rows=reduces(),
        number_systems=symbols.reducing(symbols.number_of_true),
    )  # fmt: skip

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return int64

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        x = yield self.operands[0], inner
        return sum_over(indicator(symbols.as_condition(x)), *over)

    samples = [(TABLE, None, False), (TABLE > 0, (1,), False)]
