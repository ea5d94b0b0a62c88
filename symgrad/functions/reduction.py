"""What users call of `symgrad.ops.reduction`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, dtype, no_kernel
from symgrad.expr.shapes import broadcast_axes, broadcast_shapes
from symgrad.functions.axes import axes_of
from symgrad.functions.casting import converted_inside
from symgrad.ops.axes import Reduction
from symgrad.ops.primitive import bind
from symgrad.ops.reduction import Quantifier, all, any, count_nonzero, isnumber, mean, nansum, sum
from symgrad.record.face import along_axis, axes_if_any, given, shows, sizes, stated
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public
from symgrad.schema.text import NOT_GIVEN
from symgrad.tensor.numpy_interop import as_float, as_kind, operand, over_axes, reduced


def _count(node: Any) -> dict[str, Any]:
    """Return the number of elements of the operand."""
    return {"self_sym_numel": node.operands[0].size}


shows(sum, name=along_axis("Sum"), facts=stated(axes_if_any, sizes))
shows(mean, name=along_axis("Mean"), facts=stated(axes_if_any, sizes, _count))


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
    dim : int or tuple of int, optional
        The axes; all of them where not given.
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
    return _reduce(sum, input, dim, keepdim, dtype)


def _reduce(cls: type[Reduction], input: Any, dim: Any, keepdim: Any, kind: dtype | None) -> Any:
    if kind is not None:
        input = converted_inside(input, kind)
    axes = axes_of(dim, len(input.shape))
    face = given(cls, dim=dim) if dim is None or dim == () else None
    return narrowed(bind(cls, (input,), (axes, keepdim), face), kind)


def narrowed(total: Any, kind: dtype | None) -> Any:
    """Return what integers added up to in int64 as the integers that the caller asked for."""
    if kind is None or kind.category >= Category.FLOAT or kind is total.dtype:
        return total
    return total.to(kind)


@public("sum_to_size(Tensor self, int[] size) -> Tensor", function=False)
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
    return _reduce(mean, input, dim, keepdim, dtype)


@public(
    "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor"
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
        raise no_kernel("nansum_cpu", dtype)
    nansum.refuse(input.dtype)  # whatever `dtype` is
    return _reduce(nansum, input, dim, keepdim, dtype)


@public(
    "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor"
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


def _quantified(cls: type[Quantifier], input: Any, dim: Any, keepdim: Any) -> Any:
    # `any(())` reduces no axis, where `sum(())` reduces all.
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
    return _quantified(any, input, dim, keepdim)


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
    return _quantified(all, input, dim, keepdim)


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


@numpy_call("sum")
def _numpy_sum(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
    initial: Any = None, where: Any = True,
) -> Any:  # fmt: skip
    return reduced(np.add, a, axis, dtype, out, keepdims, initial, where)


@numpy_call("all")
def _numpy_all(
    a: Any, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    return reduced(np.logical_and, a, axis, None, out, keepdims, None, where)


@numpy_call("any")
def _numpy_any(
    a: Any, axis: Any = None, out: None = None, keepdims: bool = False, *, where: Any = True
) -> Any:
    return reduced(np.logical_or, a, axis, None, out, keepdims, None, where)


@numpy_call("mean")
def _numpy_mean(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
    *, where: Any = True,
) -> Any:  # fmt: skip
    x = as_kind(as_float(a), dtype)
    if where is not True:
        count = over_axes("sum", operand(where).expand(x.shape), axis, keepdims)
        return _numpy_sum(x, axis, None, None, keepdims, None, where) / count
    return over_axes("mean", x, axis, keepdims)


@numpy_call("nansum")
def _numpy_nansum(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False
) -> Any:
    return over_axes("nansum", as_kind(operand(a), dtype), axis, keepdims)


@numpy_call("nanmean")
def _numpy_nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False
) -> Any:
    return over_axes("nanmean", as_kind(as_float(a), dtype), axis, keepdims)


@numpy_call("count_nonzero")
def _numpy_count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    return over_axes("sum", operand(a).ne(0), axis, keepdims)
