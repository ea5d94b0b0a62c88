"""Variance and standard deviation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import Const, as_expr, is_const
from symgrad.expr.dtypes import Category, dtype, float16, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.ops.axes import Reduction, along, number_systems
from symgrad.ops.comparison import eq
from symgrad.ops.deriving import as_written
from symgrad.ops.entries import Index, Indices, Reading, sum_over
from symgrad.ops.half import halved
from symgrad.ops.lengths import along as along_length
from symgrad.ops.lengths import radial_share
from symgrad.ops.matrices import Matrices, MatrixReading, NoMatrix
from symgrad.ops.primitive import Computation, Cotangents
from symgrad.ops.reduction import mean
from symgrad.ops.results import Several
from symgrad.ops.samples import TABLE
from symgrad.ops.selection import definitions
from symgrad.ops.totals import TOTAL, _total
from symgrad.ops.where import where

_CONSTANT = np.array([[2.0, 2.0], [1.0, 3.0]])


def _variance(x: Any, correction: Any, *, axis: Any, keepdims: Any, count: int) -> Any:
    if x.dtype == np.float16:
        x = x.astype(np.float32)
    # The mean of equal elements may be rounded. Distances from one element are 0 then, and have mean 0.
    axes = range(x.ndim) if axis is None else axis
    x = x - x[tuple([slice(0, 1) if i in axes else slice(None) for i in range(x.ndim)])]
    centred = x - _total(x, axis=axis, keepdims=True) / count
    if x.dtype.kind == "O":  # formulas, which may be complex
        squares = np.abs(centred) ** 2
    else:
        squares = (centred * centred.conj()).real if x.dtype.kind == "c" else centred * centred
    return _total(squares, axis=axis, keepdims=keepdims) / max(count - correction, 0)


def _exact_variance(x: Any, correction: Any, *, axis: Any, keepdims: Any, count: int) -> Any:
    """Return what `_variance` does, of elements that cannot be compared."""
    centred = x - np.add.reduce(x, axis=axis, keepdims=True) / count
    free = count - correction[()]
    return np.add.reduce(centred * centred, axis=axis, keepdims=keepdims) / (
        free * free.is_positive()
    )


def _deviation(x: Any, correction: Any, *, axis: Any, keepdims: bool, count: int) -> Any:
    return np.sqrt(_variance(x, correction, axis=axis, keepdims=keepdims, count=count))


def _no_spread(name: str) -> RuntimeError:
    return RuntimeError(f"{name} only support floating point and complex dtypes")


class Spread(Reduction, abstract=True):
    """A measure of how far elements lie apart; the second operand is the correction of their number.

    The correction is an operand so that programs in which it varies are one structure. Where it
    leaves no degree of freedom it is part of the structure, since the derivative is another one.
    """

    kernel_takes_count = True

    @classmethod
    def is_structural(cls, i: int, number: Any, operands: Any, params: Any) -> bool:
        shape, axis = operands[0].shape, params[0]
        left = size_of(shape if axis is None else [shape[a] for a in axis]) - number
        return not left > 0

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        if kind.category < Category.FLOAT:
            raise _no_spread("std and var")
        return to_real(kind)

    @property
    def free(self) -> Any:
        """The degrees of freedom: a number, or where the correction varies, an expression."""
        correction = self.operands[1]
        return self.reduced_size - (
            correction.value if isinstance(correction, Const) else correction
        )

    def is_degenerate(self) -> bool:
        """Whether the correction leaves no degree of freedom."""
        return not isinstance(self.free, ArrayExpr) and not self.free > 0

    def centred(self) -> ArrayExpr:
        """Return the operand less its mean."""
        x = self.operands[0]
        return x - mean.of(x, self.axes, True)

    def pulled_back(self, ct: ArrayExpr) -> ArrayExpr:
        """Return the gradient of the variance."""
        x = self.operands[0]
        if not self.is_degenerate():
            return self.with_reduced_axes(ct * 2 / self.free) * self.centred()
        # The variance is not finite. The gradient that PyTorch gives depends on the overload.
        if self.axis is None or not x.shape:
            degenerate = where.of(eq.of(x, mean.of(x, self.axes, True)), math.nan, math.inf)
            return self.with_reduced_axes(ct) * degenerate
        return (
            self.with_reduced_axes(ct * (2 / self.free if self.free else math.inf)) * self.centred()
        )

    def root_pulled_back(self, ct: ArrayExpr, root: ArrayExpr) -> ArrayExpr:
        """Return the gradient of the standard deviation, which is `root`."""
        # At a constant the gradient of least norm is zero, at any order.
        constant = eq.of(root, 0)
        if self.is_degenerate():
            return self.pulled_back(where.of(constant, 0, ct / (2 * root)))
        x, n = self.centred(), self.with_reduced_axes(root)

        def plain() -> ArrayExpr:
            share = self.with_reduced_axes(ct / (self.free * where.of(constant, 1, root)))
            return where.of(self.with_reduced_axes(constant), 0, share * x)

        c = self.with_reduced_axes(ct)
        return along_length(radial_share, plain, c, lambda: as_expr(self.free), x, n, root)

    def described(self) -> list[str]:
        usual = is_const(self.operands[1], 1)
        return [*super().described(), *["correction={1}"] * (not usual)]

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        correction = yield self.operands[1], ()
        distance = yield self.centred(), inner
        return self.of_squares(
            sum_over(sympy.Abs(distance) ** 2, *over) / (self.reduced_size - correction)
        )

    def matrix(self, m: Matrices) -> MatrixReading:
        if self.operands[0].dtype.is_complex:
            raise NoMatrix
        with as_written():
            distance = self.centred()
            made = mean.of(distance * distance, self.axis, self.keepdims)
            made = made * (self.reduced_size / as_expr(self.free))
        return m.function(self.of_squares, (yield made))

    def of_squares(self, mean_square: Any) -> Any:
        """Return the formula of an element from that of the variance."""
        return mean_square

    samples = [(TABLE, 1, None, False), (TABLE, 0, (1,), True), (TABLE, 0.5, (0, 1), False)]


class var(Spread):
    nonnegative = "always"
    kernel = Kernel.from_function(
        _variance, prelude=TOTAL.prelude, rows=along, number_systems={"elements": _exact_variance}
    )
    kernels = {float16: halved(kernel)}

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return self.pulled_back(ct), None


class std(Spread):
    nonnegative = "always"
    kernel = Kernel.from_function(
        _deviation,
        prelude=var.kernel.prelude,
        rows=along,
        number_systems={
            **number_systems(lambda exp, log, sqrt: lambda *xs, **kw: sqrt(_variance(*xs, **kw))),
            "elements": lambda *xs, **kw: np.sqrt(_exact_variance(*xs, **kw)),
        },
    )
    kernels = {float16: halved(kernel)}

    def of_squares(self, mean_square: Any) -> Any:
        return sympy.sqrt(mean_square)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return self.root_pulled_back(ct, self), None

    def singular(self) -> Sequence[tuple[str, ArrayExpr]]:
        return (("kink", self),)

    samples = [*Spread.samples, (_CONSTANT, 1, (0,), False)]


def _variance_and_mean(x, correction, *, axis, keepdims, count):  # type: ignore[no-untyped-def]
    spread = _variance(x, correction, axis=axis, keepdims=keepdims, count=count)
    center = _mean(x, axis=axis, keepdims=keepdims, count=count)  # type: ignore[no-untyped-call]
    return (spread.astype(np.float16) if x.dtype == np.float16 else spread), center


def _deviation_and_mean(x, correction, *, axis, keepdims, count):  # type: ignore[no-untyped-def]
    spread = _deviation(x, correction, axis=axis, keepdims=keepdims, count=count)
    center = _mean(x, axis=axis, keepdims=keepdims, count=count)  # type: ignore[no-untyped-call]
    return (spread.astype(np.float16) if x.dtype == np.float16 else spread), center


def _mean(x, *, axis, keepdims, count):  # type: ignore[no-untyped-def]
    if x.dtype == np.float16:
        return (_total(x.astype(np.float32), axis=axis, keepdims=keepdims) / count).astype(
            np.float16
        )
    # As `mean` computes it: few terms are added one after the other.
    add = _total if count > 64 else np.add.reduce
    return add(x, axis=axis, keepdims=keepdims) / count


class WithMean(Several, Spread, abstract=True):
    """A measure of spread and the mean, computed together."""

    results = ("result0", "result1")
    spread: ClassVar[type[Spread]]

    @classmethod
    def infer(cls, x: Any, correction: Any, *rest: Any) -> tuple[Any, Any]:
        if x.dtype.category < Category.FLOAT:
            raise _no_spread(cls.__name__)
        kinds = cls.spread.infer(x, correction, *rest), mean.infer(x, *rest)
        return tuple(zip(*kinds, strict=True))  # type: ignore[return-value]

    def alone(self, index: int) -> Computation | None:
        x, correction = self.operands
        if index == 0:
            return self.spread(x, correction, *self.param_values).implementation()
        made: Computation = mean(x, *self.param_values).implementation()
        return made

    def entry_of(self, result: int, index: Index, b: Indices) -> Reading:
        x, correction = self.operands
        made = (
            mean(x, *self.param_values)
            if result
            else self.spread(x, correction, *self.param_values)
        )
        return (yield made, index)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        of_spread, of_mean = cts
        part = None if of_spread is None else self.spread_pulled_back(of_spread)
        if of_mean is not None:
            (other,) = mean(self.operands[0], *self.param_values).vjp(of_mean, (True,))
            part = other if part is None or other is None else part + other
        return part, None

    def spread_pulled_back(self, ct: ArrayExpr) -> ArrayExpr:
        """Return the gradient of the measure of spread."""
        raise NotImplementedError


class var_mean(WithMean):
    spread = var
    kernel = Kernel.from_function(
        _variance_and_mean, prelude=definitions(_mean, prelude=var.kernel.prelude), rows=along
    )

    def spread_pulled_back(self, ct: ArrayExpr) -> ArrayExpr:
        return self.pulled_back(ct)


class std_mean(WithMean):
    spread = std
    kernel = Kernel.from_function(
        _deviation_and_mean, prelude=definitions(_mean, prelude=std.kernel.prelude), rows=along
    )

    def spread_pulled_back(self, ct: ArrayExpr) -> ArrayExpr:
        return self.root_pulled_back(ct, self[0])
