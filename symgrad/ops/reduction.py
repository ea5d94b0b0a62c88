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
from symgrad.expr.shapes import broadcast_axes, broadcast_shapes
from symgrad.ops.axes import (
    NOT_GIVEN,
    Accumulation,
    Reduction,
    along,
    axes_of,
)
from symgrad.ops.primitive import Elementwise, Linear, bind
from symgrad.ops.samples import TABLE
from symgrad.ops.totals import TOTAL, _total, is_long
from symgrad.ops.where import where
from symgrad.schema.public import public


def _sum_half(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    return _total(x.astype(np.float32), axis=axis, keepdims=keepdims).astype(np.float16)


# Of many terms.
_LONG_SUM = Kernel(
    "sum", _total, "_total({0}, axis={axis}, keepdims={keepdims})",
    prelude=TOTAL.prelude, rows=reduces(),
)  # fmt: skip


class sum(Accumulation, Linear):
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

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [
            (TABLE, None, False),
            (TABLE, (1,), True),
            (TABLE, (0,), False),
            (np.array(2.0), (), False),
        ]


@public(
    "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    "sum(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
)
def _sum(
    input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: dtype | None = None
) -> Any:
    """Return the sum over axes.

    Parameters
    ----------
    input : Tensor or ArrayExpr
    dim : int or tuple of int, optional
        The axes; all of them where not given.
    keepdim : bool
        Whether reduced axes stay, with length one.
    dtype : dtype, optional
        What `input` is converted to first. Integers add up to int64.

    Raises
    ------
    IndexError
        If an axis is out of range.

    Examples
    --------
    >>> import symgrad
    >>> symgrad.leaf("x", (2, 3)).sum(1).shape
    (2,)
    """
    return _reduce(sum, "sum", input, dim, keepdim, dtype)


def _reduce(
    cls: type[Reduction], name: str, input: Any, dim: Any, keepdim: Any, kind: dtype | None
) -> Any:
    if kind is not None:
        input = input.to(kind)
    axes = axes_of(dim, len(input.shape))
    return narrowed(bind(cls, (input,), (axes, keepdim)), kind)


def narrowed(total: Any, kind: dtype | None) -> Any:
    """Return what integers added up to in int64 as the integers that the caller asked for."""
    if kind is None or kind.category >= Category.FLOAT or kind is total.dtype:
        return total
    return total.to(kind)


@public(
    "sum_to_size(Tensor self, int[] size) -> Tensor",
    function=False,
)
def _sum_to_size(input: Any, size: Sequence[int]) -> Any:
    """Return the sum over the axes along which `size` would be broadcast to the present shape.

    Raises
    ------
    RuntimeError
        If `size` does not broadcast to the shape of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.ones(2, 3).sum_to_size(1, 3)
    tensor([[2., 2., 2.]])
    """
    target = tuple(size)
    shape = input.shape
    try:
        fits = broadcast_shapes(target, shape) == shape
    except RuntimeError:
        fits = False
    if not fits:
        raise RuntimeError(f"size {{{list(target)}}} is not expandable to size {{{list(shape)}}}.")
    axes = broadcast_axes(target, shape)
    if axes:
        input = _sum(input, axes, True)
    return input.reshape(target) if len(target) < len(shape) else input


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

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [
            (TABLE, None, False),
            (TABLE, (1,), True),
            (TABLE, (0, 1), False),
            (np.ones((1, 2)), (0,), False),
        ]


@public(
    "mean(Tensor self, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
    "mean(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
)
def _mean(
    input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: dtype | None = None
) -> Any:
    """Return the mean over axes; the arguments are those of `sum`.

    Raises
    ------
    RuntimeError
        If `input` holds integers and no floating `dtype` is given.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 2.0], [3.0, 6.0]])
    >>> torch.mean(x)
    tensor(3.)
    >>> torch.mean(x, dim=0, keepdim=True)
    tensor([[2., 4.]])
    """
    if dtype is not None and dtype.category < Category.FLOAT:
        raise RuntimeError(
            "mean(): could not infer output dtype. Optional dtype must be either a floating point "
            f"or complex dtype. Got: {dtype.scalar_name}"
        )
    return _reduce(mean, "mean", input, dim, keepdim, dtype)


class isnumber(Elementwise):
    """Whether an element is not nan."""

    result = "bool"
    differentiable = False
    internal = True
    scalar = lambda x: True  # noqa: E731
    kernel = Kernel("isnumber", lambda x: x == x, "{0} == {0}", rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (0,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, np.nan, 2.0]),), (np.array(1.0),)]


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

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(TABLE, None, False), (TABLE, (1,), True), (TABLE, (0,), False)]


@public(
    "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
)
def _nansum(
    input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: dtype | None = None
) -> Any:
    """Return the sum over axes of the elements that are not nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nansum(torch.tensor([1.0, float("nan"), 2.0]))
    tensor(3.)
    """
    if dtype is not None and dtype.is_complex and not input.dtype.is_complex:
        raise NotImplementedError(f"\"nansum_cpu\" not implemented for '{dtype.scalar_name}'")
    nansum.result_kind(input.dtype)  # raises for complex numbers, whatever they would become
    return _reduce(nansum, "nansum", input, dim, keepdim, dtype)


@public(
    "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
)
def _nanmean(
    input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: dtype | None = None
) -> Any:
    """Return the mean over axes of the elements that are not nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, float("nan"), 3.0], requires_grad=True)
    >>> torch.nanmean(x).backward()
    >>> x.grad
    tensor([0.5000, 0.0000, 0.5000])
    """
    if input.dtype.category < Category.FLOAT:
        raise RuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got "
            f"{input.dtype.scalar_name}"
        )
    total = _nansum(input, dim, keepdim, dtype=dtype)
    return total / _sum(bind(isnumber, (input,)), dim, keepdim)


class Quantifier(Reduction, abstract=True):
    """A statement about the elements: bool, or uint8 for uint8, with no derivative."""

    differentiable = False

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return uint8 if kind is uint8 else bool_

    def implementation(self) -> Any:
        kernel, params, operands = super().implementation()
        return _QUANTIFIER_BYTES[type(self)] if self.dtype is uint8 else kernel, params, operands

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(TABLE > 0, None, False), (TABLE > 1, (1,), True), (TABLE, (0,), False)]


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


def _quantified(cls: type[Quantifier], name: str, input: Any, dim: Any, keepdim: Any) -> Any:
    # Unlike a sum, `any(())` reduces nothing.
    nothing = isinstance(dim, (tuple, list)) and len(dim) == 0
    axes = () if nothing else axes_of(dim, len(input.shape))
    return bind(cls, (input,), (axes, keepdim))


@public(
    "any(Tensor self, *, Tensor? out=None) -> Tensor",
    "any(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor? out=None) -> Tensor",
    "any(Tensor self, int dim, bool keepdim=False, *, Tensor? out=None) -> Tensor",
)
def _any(input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False) -> Any:
    """Return whether any element along the axes is not zero; all axes where none are given.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[False, True], [False, False]])
    >>> torch.any(x)
    tensor(True)
    >>> torch.any(x, dim=1)
    tensor([ True, False])
    """
    return _quantified(any, "any", input, dim, keepdim)


@public(
    "all(Tensor self, *, Tensor? out=None) -> Tensor",
    "all(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor? out=None) -> Tensor",
    "all(Tensor self, int dim, bool keepdim=False, *, Tensor? out=None) -> Tensor",
)
def _all(input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False) -> Any:
    """Return whether all elements along the axes are not zero; all axes where none are given.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[True, True], [True, False]])
    >>> torch.all(x)
    tensor(False)
    >>> torch.all(x, dim=1)
    tensor([ True, False])
    """
    return _quantified(all, "all", input, dim, keepdim)


class count_nonzero(Reduction):
    differentiable = False
    kernel = Kernel(
        "count_nonzero", np.count_nonzero,
        "np.count_nonzero({0}, axis={axis}, keepdims={keepdims})", rows=reduces(),
    )  # fmt: skip

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return int64

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(TABLE, None, False), (TABLE > 0, (1,), False)]


@public(
    "count_nonzero(Tensor self, int? dim=None) -> Tensor",
    "count_nonzero(Tensor self, int[] dim) -> Tensor",
)
def _count_nonzero(input: Any, dim: Any = NOT_GIVEN) -> Any:
    """Return how many elements along the axes are not zero, as int64.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[0, 1, 2], [0, 0, 3]])
    >>> torch.count_nonzero(x)
    tensor(3)
    >>> torch.count_nonzero(x, dim=0)
    tensor([0, 1, 2])
    """
    return bind(count_nonzero, (input,), (axes_of(dim, len(input.shape)), False))
