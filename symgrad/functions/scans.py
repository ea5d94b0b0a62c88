"""What users call of `symgrad.ops.scans`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import bool_, dtype, no_kernel
from symgrad.expr.shapes import canonical_axis
from symgrad.functions import return_types
from symgrad.functions.axes import axes_of
from symgrad.functions.casting import converted_inside
from symgrad.functions.reduction import narrowed
from symgrad.ops.primitive import bind
from symgrad.ops.running_extremes import RunningExtreme, cummax, cummin
from symgrad.ops.scans import Scan, cumprod, cumsum, logcumsumexp, prod
from symgrad.record.face import along_axis, one_axis, shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, public
from symgrad.schema.text import NOT_GIVEN
from symgrad.tensor.numpy_interop import as_kind, operand, reduced

shows(cumprod, keeps=(0, 1), frees=True)
shows(prod, name=along_axis("Prod"), facts=one_axis, keeps=(0, 1), frees=True)
shows(logcumsumexp, frees=True)
shows(RunningExtreme, keeps=(0,))


def _along_one(
    cls: type[Scan], name: str, input: Any, dim: Any, kind: dtype | None, *rest: Any
) -> Any:
    if kind is not None:
        if kind is bool_:
            raise no_kernel(f"{name}_out_cpu", bool_)
        input = converted_inside(input, kind)
    return narrowed(bind(cls, (input,), (canonical_axis(dim, len(input.shape)), *rest)), kind)


@public(
    "cumsum(Tensor self, int dim, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
    in_place="method",
)
def _cum_sum(input: Any, dim: int, *, dtype: dtype | None = None) -> Any:
    """Return running sums along `dim`; integers add up to int64.

    Parameters
    ----------
    dim : int
        The axis.

    Raises
    ------
    IndexError
        If the axis is out of range.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.cumsum(torch.tensor([[1, 2], [3, 4]]), dim=0)
    tensor([[1, 2],
            [4, 6]])
    """
    return _along_one(cumsum, "cumsum", input, dim, dtype, False)


@public(
    "cumprod(Tensor self, int dim, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
    in_place="method",
)
def _cum_prod(input: Any, dim: int, *, dtype: dtype | None = None) -> Any:
    """Return running products along `dim`; derivatives of any order are right at zeros too.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([2.0, 0.0, 3.0], requires_grad=True)
    >>> torch.cumprod(x, dim=0).sum().backward()
    >>> x.grad
    tensor([1., 8., 0.])
    """
    return _along_one(cumprod, "cumprod", input, dim, dtype, False, False)


@public(
    "prod(Tensor self, *, ScalarType? dtype=None) -> Tensor",
    "prod(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor? out=None) -> Tensor",
)
def _prod(
    input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False, *, dtype: dtype | None = None
) -> Any:
    """Return the product of all elements, or along one axis; integers give int64.

    Derivatives of any order are right and finite where elements are zero.

    Parameters
    ----------
    dim : int, optional
        The axis; without it all elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([2.0, 0.0, 3.0], requires_grad=True)
    >>> torch.prod(x).backward()
    >>> x.grad
    tensor([0., 6., 0.])
    """
    if dtype is not None:
        input = converted_inside(input, dtype)
    axes = axes_of(dim, len(input.shape))
    return narrowed(bind(prod, (input,), (axes, keepdim)), dtype)


@public("logcumsumexp(Tensor self, int dim, *, Tensor? out=None) -> Tensor")
def _log_cum_sum_exp(input: Any, dim: int) -> Any:
    """Return the logarithms of running sums of exponentials along `dim`, without overflow.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logcumsumexp(torch.tensor([1000.0, 1000.0, 1000.0]), dim=0)
    tensor([1000.0000, 1000.6932, 1001.0986])
    """
    return _along_one(logcumsumexp, "logcumsumexp", input, dim, None)


def _running(cls: type[RunningExtreme], input: Any, dim: Any) -> Any:
    axis = canonical_axis(dim, len(input.shape))
    return getattr(return_types, cls.__name__)(*bind(cls, (input,), (axis,)))


@public("cummax(Tensor self, int dim, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)")
def _cum_max(input: Any, dim: int) -> Any:
    """Return the largest elements so far along `dim`, and where they stand (the last of equals).

    Examples
    --------
    >>> import symgrad as torch
    >>> values, indices = torch.cummax(torch.tensor([1, 3, 2, 3]), dim=0)
    >>> values
    tensor([1, 3, 3, 3])
    >>> indices
    tensor([0, 1, 1, 3])
    """
    return _running(cummax, input, dim)


@public("cummin(Tensor self, int dim, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)")
def _cum_min(input: Any, dim: int) -> Any:
    """Return the smallest elements so far along `dim`, and where they stand; as `cummax`.

    Examples
    --------
    >>> import symgrad as torch
    >>> values, indices = torch.cummin(torch.tensor([3, 1, 2, 1]), dim=0)
    >>> values
    tensor([3, 1, 1, 1])
    >>> indices
    tensor([0, 1, 1, 3])
    """
    return _running(cummin, input, dim)


def _numpy_running(name: str, a: Any, axis: int | None, dtype: Any) -> Any:
    x = as_kind(operand(a), dtype)
    x, along = (x.reshape(-1), 0) if axis is None else (x, axis)
    return FUNCTIONS[name](x, along)


@numpy_call("cumsum")
def _numpy_cumsum(a: Any, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
    return _numpy_running("cumsum", a, axis, dtype)


@numpy_call("cumprod")
def _numpy_cumprod(a: Any, axis: int | None = None, dtype: Any = None, out: None = None) -> Any:
    return _numpy_running("cumprod", a, axis, dtype)


def _numpy_cumulative(name: str, x: Any, axis: int | None, dtype: Any, include: bool) -> Any:
    if include or (axis is None and x.ndim != 1):
        return NotImplemented
    return _numpy_running(name, x, axis, dtype)


@numpy_call("cumulative_sum")
def _numpy_cumulative_sum(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, out: None = None,
    include_initial: bool = False,
) -> Any:  # fmt: skip
    return _numpy_cumulative("cumsum", operand(x), axis, dtype, include_initial)


@numpy_call("cumulative_prod")
def _numpy_cumulative_prod(
    x: Any, /, *, axis: int | None = None, dtype: Any = None, out: None = None,
    include_initial: bool = False,
) -> Any:  # fmt: skip
    return _numpy_cumulative("cumprod", operand(x), axis, dtype, include_initial)


@numpy_call("maximum.accumulate")
def _numpy_running_maximum(a: Any, axis: int = 0) -> Any:
    return operand(a).cummax(axis)[0]


@numpy_call("minimum.accumulate")
def _numpy_running_minimum(a: Any, axis: int = 0) -> Any:
    return operand(a).cummin(axis)[0]


@numpy_call("prod")
def _numpy_prod(
    a: Any, axis: Any = None, dtype: Any = None, out: None = None, keepdims: bool = False,
    initial: Any = None, where: Any = True,
) -> Any:  # fmt: skip
    return reduced(np.multiply, a, axis, dtype, out, keepdims, initial, where)
