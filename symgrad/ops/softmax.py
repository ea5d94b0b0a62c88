"""Sums of exponentials, computed without overflow: logsumexp, softmax, log_softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, to_float
from symgrad.expr.escaping import latex_text
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.axes import (
    Reduction,
    along,
    axes_of,
    checked_keepdim,
    number_systems,
    one_axis,
)
from symgrad.ops.reduction import sum
from symgrad.ops.samples import TABLE
from symgrad.primitive import Notation, Primitive, bind
from symgrad.public import public

__all__ = ["log_softmax", "logsumexp", "softmax"]


def _logsumexp(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    top = np.maximum.reduce(x.real, axis=axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0)  # inf - inf would be nan
    total = np.log(np.add.reduce(np.exp(x - top), axis=axis, keepdims=True)) + top
    return total if keepdims or not x.ndim else np.squeeze(total, axis=axis)


def _exact_logsumexp(exp: Any, log: Any, sqrt: Any) -> Any:
    return lambda x, axis, keepdims: log(np.add.reduce(exp(x), axis=axis, keepdims=keepdims))


def _exact_softmax(exp: Any, log: Any, sqrt: Any) -> Any:
    return lambda x, axis: exp(x) / np.add.reduce(exp(x), axis=axis, keepdims=True)


def _exact_log_softmax(exp: Any, log: Any, sqrt: Any) -> Any:
    return lambda x, axis: x - log(np.add.reduce(exp(x), axis=axis, keepdims=True))


class logsumexp(Reduction):
    kernel = Kernel.from_function(_logsumexp, rows=along, numbers=number_systems(_exact_logsumexp))

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return to_float(kind)

    def compute_dtype(self) -> dtype | None:
        return self.dtype

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        (x,) = self.operands
        weights = (x - self.kept(self)).exp()
        return (self.kept(ct) * (weights.conj() if weights.dtype.is_complex else weights),)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        masked = np.array([[0.3, -np.inf, 2.0], [1.5, 0.4, -0.7]])
        return [(TABLE, (1,), False), (TABLE, (0, 1), False), (masked, (1,), True)]


@public("logsumexp")
def _log_sum_exp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    """Return the logarithm of the sum of exponentials over axes, without overflow.

    Parameters
    ----------
    input : Tensor or ArrayExpr
    dim : int or tuple of int
        The axes.
    keepdim : bool
        Whether reduced axes stay, with length one.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (2,))
    >>> float(symgrad.logsumexp(x, 0).evaluate({"x": [1000.0, 1000.0]}))  # doctest: +SKIP
    1000.6931471805599
    """
    axes = axes_of(dim, len(input.shape), "logsumexp")
    return bind(logsumexp, (input,), (axes, checked_keepdim(keepdim, "logsumexp")))


class Normalised(Primitive, abstract=True):
    """Exponentials along an axis in proportion to their sum, or the logarithms of these."""

    params = ("axis",)
    axis: int

    @classmethod
    def infer(cls, x: Any, axis: int) -> tuple[Shape, dtype]:
        if x.dtype.category != Category.FLOAT:
            kernel = cls.__name__ + "_kernel_impl"
            if axis == len(x.shape) - 1:
                kernel = cls.__name__ + "_lastdim_kernel_impl"
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{x.dtype.scalar_name}'")
        return x.shape, x.dtype

    def over(self, x: ArrayExpr) -> ArrayExpr:
        """Sum along the axis, which stays."""
        return sum.of(x, (self.axis,) if x.shape else (), True)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        if not self.shape:
            return self.of(x.reshape((size, 1)), 1).reshape((size,))
        return self.of(x, self.axis + 1)

    def notation(self) -> Notation:
        name = type(self).__name__
        latex = latex_text(name)
        return Notation(
            f"{name}({{0}}, dim={self.axis})",
            rf"\operatorname{{{{{latex}}}}}_{{{{{self.axis}}}}}\left({{0}}\right)",
        )

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(TABLE, 1), (TABLE, 0), (np.array(1.5), 0)]


def _softmax(x, *, axis):  # type: ignore[no-untyped-def]
    weights = np.exp(x - np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf))
    return weights / np.add.reduce(weights, axis=axis, keepdims=True)


class softmax(Normalised):
    kernel = Kernel.from_function(_softmax, rows=along, numbers=number_systems(_exact_softmax))
    keeps = (0,)  # log(softmax(x)) is differentiated as log_softmax(x), which reads x

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (self * (ct - self.over(ct * self)),)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        masked = np.array([[0.3, -np.inf, 2.0], [1.5, 0.4, -0.7]])
        return [*super().samples(), (masked, 1)]


def _log_softmax(x, *, axis):  # type: ignore[no-untyped-def]
    shifted = x - np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))


class log_softmax(Normalised):
    kernel = Kernel.from_function(
        _log_softmax, rows=along, numbers=number_systems(_exact_log_softmax)
    )
    torch_name = "LogSoftmax"

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (ct - self.exp() * self.over(ct),)


def _normalised(cls: type[Normalised], input: Any, dim: Any, dtype: dtype | None) -> Any:
    if dtype is not None:
        input = input.to(dtype)
    return bind(cls, (input,), (one_axis(dim, len(input.shape), cls.__name__),))


@public("softmax")
def _soft_max(input: Any, dim: int, dtype: dtype | None = None) -> Any:
    """Return exponentials divided by their sum along `dim`, without overflow.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Elements that are -inf get weight zero and no derivative.
    dim : int
        The axis along which the result sums to one.
    dtype : dtype, optional
        What `input` is converted to first.

    Raises
    ------
    NotImplementedError
        If `input` holds integers or complex numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.softmax(torch.tensor([0.0, 1000.0, -float("inf")]), dim=0)
    tensor([0., 1., 0.])
    """
    return _normalised(softmax, input, dim, dtype)


@public("log_softmax")
def _log_soft_max(input: Any, dim: int, dtype: dtype | None = None) -> Any:
    """Return the logarithm of `softmax`, with full relative accuracy; see there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.log_softmax(torch.tensor([0.0, 1000.0]), dim=0)
    tensor([-1000.,     0.])
    """
    return _normalised(log_softmax, input, dim, dtype)
