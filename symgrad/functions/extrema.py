"""What users call of `symgrad.ops.extrema`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import no_kernel
from symgrad.expr.shapes import canonical_axis
from symgrad.functions import return_types
from symgrad.functions.axes import axes_of
from symgrad.ops.axes import Axes
from symgrad.ops.extrema import (
    Extreme,
    Located,
    OneExtreme,
    Position,
    _refuse_empty,
    amax,
    amin,
    aminmax,
    argmax,
    argmin,
    max,
    max_dim,
    min,
    min_dim,
)
from symgrad.ops.primitive import bind
from symgrad.record.face import axes, given, nothing, shows, sizes, stated
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import FUNCTIONS, public
from symgrad.schema.text import NOT_GIVEN
from symgrad.tensor.numpy_interop import operand, reduced

shows(Located, frees=True)
shows(max, name="MaxBackward1", facts=nothing)
shows(min, name="MinBackward1", facts=nothing)
shows(max_dim, name="MaxBackward0", facts=stated(axes, sizes))
shows(min_dim, name="MinBackward0", facts=stated(axes, sizes))


def _extremes(
    name: str, full: type[Extreme], one: type[OneExtreme], input: Any, dim: Any, keepdim: Any
) -> Any:
    if dim is NOT_GIVEN:
        return bind(full, (input,), (None, False))
    if hasattr(dim, "shape") and hasattr(dim, "dtype") and not isinstance(dim, np.generic):
        return FUNCTIONS[f"{name}imum"](input, dim)
    axis = canonical_axis(dim, len(input.shape))
    params = (axis, keepdim)
    return getattr(return_types, name)(*bind(one, (input,), params))


@public(
    "max(Tensor self, *, Tensor? out=None) -> Tensor",
    "max(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor",
    "max(Tensor self, int dim, bool keepdim=False, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)",
)
def _max(input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False, *, other: Any = None) -> Any:
    """Return the largest element, the largest along an axis, or the larger of two.

    Parameters
    ----------
    dim : int or Tensor, optional
        An axis; without one the result is the largest of all elements, between which equal ones
        share the gradient. A tensor is compared with `input`, as `maximum` does.
    keepdim : bool
        Whether the axis stays, with length one.
    other : Tensor or ArrayExpr, optional
        What `input` is compared with.

    Returns
    -------
    Tensor or (values, indices)
        With an axis also where the (first) largest element stands, which gets all the gradient.

    Raises
    ------
    RuntimeError
        If there are no elements.
    IndexError
        If the axis is out of range, or has length zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0], [7.0, 2.0]])
    >>> torch.max(x)
    tensor(7.)
    >>> values, indices = torch.max(x, dim=1)
    >>> values
    tensor([5., 7.])
    >>> indices
    tensor([1, 0])
    """
    return _extremes("max", max, max_dim, input, dim if other is None else other, keepdim)


@public(
    "min(Tensor self, *, Tensor? out=None) -> Tensor",
    "min(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor",
    "min(Tensor self, int dim, bool keepdim=False, *, Tensor[2]? out=None) -> (Tensor values, Tensor indices)",
)
def _min(input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False, *, other: Any = None) -> Any:
    """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`.

    Parameters
    ----------
    dim : int or Tensor, optional
        An axis, or what `input` is compared with.
    other : Tensor or ArrayExpr, optional
        What `input` is compared with.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0], [7.0, 2.0]])
    >>> torch.min(x)
    tensor(1.)
    >>> torch.min(x, dim=1).indices
    tensor([0, 1])
    """
    return _extremes("min", min, min_dim, input, dim if other is None else other, keepdim)


def _tied(cls: type[Extreme], name: str, input: Any, dim: Any, keepdim: Any) -> Any:
    if dim is NOT_GIVEN:
        dim = ()
    axes = axes_of(dim, len(input.shape))
    if isinstance(dim, (tuple, list)) and not len(dim):
        _refuse_empty(name, input.shape, None)
    face = given(cls, dim=()) if dim == () else None
    return bind(cls, (input,), (axes, keepdim), face)


@public("amax(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor? out=None) -> Tensor")
def _amax(input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False) -> Any:
    """Return the largest element along axes; equal ones share the gradient evenly.

    Parameters
    ----------
    dim : int or tuple of int
        The axes; all of them where none is given.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 3.0, 3.0], requires_grad=True)
    >>> torch.amax(x).backward()
    >>> x.grad
    tensor([0.0000, 0.5000, 0.5000])
    """
    return _tied(amax, "amax", input, dim, keepdim)


@public("amin(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor? out=None) -> Tensor")
def _amin(input: Any, dim: Any = NOT_GIVEN, keepdim: bool = False) -> Any:
    """Return the smallest element along axes; equal ones share the gradient evenly.

    Parameters
    ----------
    dim : int or tuple of int
        The axes; all of them where none is given.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.amin(torch.tensor([[1.0, 5.0], [7.0, 2.0]]), dim=(0, 1))
    tensor(1.)
    """
    return _tied(amin, "amin", input, dim, keepdim)


@public(
    "aminmax(Tensor self, *, int? dim=None, bool keepdim=False, Tensor[2]? out=None) -> (Tensor min, Tensor max)"
)
def _aminmax(input: Any, *, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return the smallest and the largest element of all, or along one axis.

    Parameters
    ----------
    dim : int, optional
        The axis; without it all elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> low, high = torch.aminmax(torch.tensor([3, 1, 2]))
    >>> low, high
    (tensor(1), tensor(3))
    """
    shape = input.shape
    axes: Axes = None if dim is None else (canonical_axis(dim, len(shape)),)
    axes = () if axes and not shape else axes
    if axes and shape[axes[0]] == 0:
        raise IndexError(f"aminmax: Expected reduction dim {axes[0]} to have non-zero size.")
    if axes is None and 0 in shape:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no "
            "identity."
        )
    if axes is None and keepdim:
        axes = tuple(range(len(shape)))
    if input.dtype.is_complex:
        raise no_kernel("aminmax_cpu", input.dtype)
    face = given(aminmax, dim=None if dim is None else axes[0]) if axes else None
    return return_types.aminmax(*bind(aminmax, (input,), (axes, keepdim), face))


def _positions(cls: type[Position], input: Any, dim: Any, keepdim: Any) -> Any:
    axis = None if dim is None else canonical_axis(dim, len(input.shape))
    return bind(cls, (input,), (axis, keepdim))


@public("argmax(Tensor self, int? dim=None, bool keepdim=False, *, Tensor? out=None) -> Tensor")
def _argmax(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return where the (first) largest element stands, in the flattened array without `dim`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1, 5, 5], [7, 2, 0]])
    >>> torch.argmax(x)
    tensor(3)
    >>> torch.argmax(x, dim=1)
    tensor([1, 0])
    """
    return _positions(argmax, input, dim, keepdim)


@public("argmin(Tensor self, int? dim=None, bool keepdim=False, *, Tensor? out=None) -> Tensor")
def _argmin(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """Return where the (first) smallest element stands, in the flattened array without `dim`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1, 5, 5], [7, 2, 0]])
    >>> torch.argmin(x)
    tensor(5)
    >>> torch.argmin(x, dim=1)
    tensor([0, 2])
    """
    return _positions(argmin, input, dim, keepdim)


@numpy_call("max", "amax")
def _numpy_max(
    a: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = True,
) -> Any:  # fmt: skip
    return reduced(np.maximum, a, axis, None, out, keepdims, initial, where)


@numpy_call("min", "amin")
def _numpy_min(
    a: Any, axis: Any = None, out: None = None, keepdims: bool = False, initial: Any = None,
    where: Any = True,
) -> Any:  # fmt: skip
    return reduced(np.minimum, a, axis, None, out, keepdims, initial, where)


@numpy_call("ptp")
def _numpy_ptp(a: Any, axis: Any = None, out: None = None, keepdims: bool = False) -> Any:
    return _numpy_max(a, axis, None, keepdims) - _numpy_min(a, axis, None, keepdims)


@numpy_call("argmax")
def _numpy_argmax(a: Any, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Any:
    return operand(a).argmax(axis, keepdims)


@numpy_call("argmin")
def _numpy_argmin(a: Any, axis: Any = None, out: None = None, *, keepdims: bool = False) -> Any:
    return operand(a).argmin(axis, keepdims)
