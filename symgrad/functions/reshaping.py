"""What users call of `symgrad.ops.reshaping`, and what PyTorch's graph shows of it."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, canonical_axes, canonical_axis, resolve_reshape, size_of
from symgrad.functions.identity import _contiguous
from symgrad.ops.identity import contiguous, detach
from symgrad.ops.primitive import bind
from symgrad.ops.reshaping import reshape
from symgrad.record.face import Face, shows, sizes, stated
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public, with_schema
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.refusals import warn
from symgrad.tensor.numpy_interop import operand, with_unit_axes
from symgrad.tensor.subscripts import unsqueezed

shows(reshape, name="View", facts=sizes)


# PyTorch's names of operations that reshape.
_STRIDED = Face(name="ReshapeAlias", facts=sizes)
_OF_COPY = Face(name="UnsafeView", facts=sizes, is_view=False)
_RESIZED = Face(name="ResizeBackward")
_UNSEEN = Face(hidden=True)
_SQUEEZED = Face(name="SqueezeBackward0", facts=sizes)


@functools.lru_cache(maxsize=256)
def squeezed(name: str, dim: int | tuple[int, ...]) -> Face:
    """Return what PyTorch's graph shows where certain axes are left out."""
    return Face(name=name, facts=stated(sizes, lambda node: {"dim": dim}))


@public("reshape(Tensor self, int[] shape) -> Tensor")
def _reshape(input: Any, shape: Sequence[int]) -> Any:
    """Return the elements in another shape, in the same order; one length may be -1.

    The result shares memory where it can.

    Raises
    ------
    RuntimeError
        If the number of elements does not fit.

    Examples
    --------
    >>> import symgrad
    >>> symgrad.leaf("x", (2, 3)).reshape(-1).shape
    (6,)
    """
    return _reshaped(input, _target_shape(input, shape))


def _target_shape(input: Any, target: Sequence[int]) -> Shape:
    for i, n in enumerate(target):
        if n < -1:
            raise RuntimeError(f"invalid shape dimension {n} at index {i} of shape {list(target)}")
    return resolve_reshape(target, input.numel())


def _reshaped(input: Any, shape: Shape) -> Any:
    """Reshape as PyTorch does: a view of contiguous memory, of strided memory, or a copy."""
    data = None if isinstance(input, ArrayExpr) else input._data
    if data is None or data.flags.c_contiguous:
        return bind(reshape, (input,), (shape,))
    if _viewable(data, shape):
        return bind(reshape, (input,), (shape,), _STRIDED)
    return bind(reshape, (bind(contiguous, (input,)),), (shape,), _OF_COPY)


def _viewable(data: np.ndarray[Any, Any], shape: Shape) -> bool:
    """Whether a view of `data` can have the shape, since no new axis spans a gap in memory."""
    if not data.size:
        return True
    blocks: list[int] = []  # lengths of evenly spaced stretches of memory, outermost first
    last = None
    for n, stride in zip(data.shape, data.strides, strict=True):
        if n == 1:
            continue
        if last is not None and last == n * stride:
            blocks[-1] *= n
        else:
            blocks.append(n)
        last = stride
    lengths = iter([n for n in shape if n != 1])
    for block in blocks:
        filled = 1
        while filled < block:
            filled *= next(lengths)
        if filled != block:
            return False
    return True


@public(
    "view(Tensor self, ScalarType dtype) -> Tensor",
    "view(Tensor self, int[] size) -> Tensor",
    function=False,
)
def _view(input: Any, dtype: Any = NOT_GIVEN, size: Sequence[int] = ()) -> Any:
    """Return the elements in another shape, sharing memory.

    Parameters
    ----------
    dtype : dtype, optional
        Refused, but for that of the tensor itself.
    size : sequence of int
        The lengths of the axes, which may also be given one by one; one of them may be -1.

    Raises
    ------
    RuntimeError
        If the number of elements does not fit, or only a copy could have the shape.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(6)
    >>> y = x.view(2, -1)
    >>> y[0, 0] = 9
    >>> x
    tensor([9, 1, 2, 3, 4, 5])
    """
    if dtype is input.dtype:  # PyTorch does not differentiate this view either
        return bind(detach, (input,))
    if dtype is not NOT_GIVEN:
        raise RuntimeError(
            f"view(): reading memory as another dtype ({dtype}) has no formula; convert with "
            ".to(dtype), or view the array of .numpy()"
        )
    target = _target_shape(input, size)
    data = None if isinstance(input, ArrayExpr) else input._data
    if data is not None and not data.flags.c_contiguous and not _viewable(data, target):
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one "
            "dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        )
    return bind(reshape, (input,), (target,))


@public("resize(Tensor self, object... sizes) -> Tensor", function=False, python=True)
def _resize(input: Any, *sizes: Any) -> Any:
    """Return the elements in another shape, with a warning: the name is an old one of `view`.

    Parameters
    ----------
    *sizes : int
        The lengths of the axes.

    Raises
    ------
    RuntimeError
        If the number of elements does not fit.

    Examples
    --------
    >>> import symgrad as torch, warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.arange(4).resize(2, 2)
    tensor([[0, 1],
            [2, 3]])
    """
    warn("non-inplace resize is deprecated")
    _check_count(input, sizes)
    return _resized(input, _lengths(*sizes))


@public("resize_as(Tensor self, Tensor tensor) -> Tensor", function=False, python=True)
def _resize_as(input: Any, tensor: Any) -> Any:
    """Return the elements in the shape of a tensor, with a warning: the name is an old one.

    Parameters
    ----------
    tensor : Tensor or ArrayExpr
        One of as many elements.

    Examples
    --------
    >>> import symgrad as torch, warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     torch.arange(4).resize_as(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    warn("non-inplace resize_as is deprecated")
    _check_count(input, tensor.shape)
    return _resized(input, tensor.shape)


def _check_count(input: Any, sizes: Sequence[Any]) -> None:
    """Raise PyTorch's error where a shape, whose lengths may be anything, has other elements."""
    try:
        wanted = functools.reduce(operator.mul, sizes, 1)
    except TypeError:  # they are no numbers, which `_lengths` refuses
        return
    count = input.numel()
    if wanted != count:
        own, asked = ["x".join(map(str, lengths)) for lengths in (input.shape, sizes)]
        raise RuntimeError(
            f"requested resize to {asked} ({wanted} elements in total), but the given tensor has a "
            f"size of {own} ({count} elements). autograd's resize can only change the shape of a "
            "given tensor, while preserving the number of elements. "
        )


def _resized(input: Any, size: Shape) -> Any:
    target = _target_shape(input, size)
    data = None if isinstance(input, ArrayExpr) else input._data
    if data is not None and not data.flags.c_contiguous:
        input = bind(contiguous, (input,), (), _UNSEEN)
    return bind(reshape, (input,), (target,), _RESIZED)


@with_schema("resize(int[] size) -> Size")
def _lengths(size: Shape) -> Shape:
    return size


@public("view_as(Tensor self, Tensor other) -> Tensor", function=False)
def _view_as(input: Any, other: Any) -> Any:
    """Return a view in the shape of `other`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(4).view_as(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return _view(input, size=other.shape)


@public("reshape_as(Tensor self, Tensor other) -> Tensor", function=False)
def _reshape_as(input: Any, other: Any) -> Any:
    """Reshape to the shape of `other`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.arange(4).reshape_as(torch.zeros(2, 2))
    tensor([[0, 1],
            [2, 3]])
    """
    return _reshape(input, other.shape)


@public("flatten(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor")
def _flatten(input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """Join the axes from `start_dim` to `end_dim` into one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.flatten(torch.zeros(2, 3, 4), start_dim=1).shape
    torch.Size([2, 12])
    """
    shape = input.shape
    start = canonical_axis(start_dim, len(shape))
    end = canonical_axis(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return _reshaped(input, (1,))
    if start == end:
        return input
    return _reshaped(input, (*shape[:start], size_of(shape[start : end + 1]), *shape[end + 1 :]))


@public("ravel(Tensor self) -> Tensor")
def _ravel(input: Any) -> Any:
    """Return the elements in one axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.ravel(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    return bind(reshape, (_contiguous(input),), ((input.numel(),),))


@public("unflatten(Tensor self, int dim, int[] sizes) -> Tensor")
def _unflatten(input: Any, dim: int, sizes: Sequence[int]) -> Any:
    """Split one axis into several; one length may be -1.

    Parameters
    ----------
    sizes : sequence of int
        The lengths of the new axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.unflatten(torch.arange(6), 0, (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    axis = canonical_axis(dim, len(input.shape))
    n = input.shape[axis] if input.shape else 1
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    try:
        inner = resolve_reshape(sizes, n)
    except RuntimeError as error:
        if sizes.count(-1) > 1:
            raise
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim "
            f"{axis} ({n}) in the input tensor"
        ) from error
    return bind(reshape, (input,), ((*input.shape[:axis], *inner, *input.shape[axis + 1 :]),))


@public(
    "squeeze(Tensor self) -> Tensor",
    "squeeze(Tensor self, int dim) -> Tensor",
    "squeeze(Tensor self, int[] dim) -> Tensor",
    in_place="shape",
)
def _squeeze(input: Any, dim: Any = None) -> Any:
    """Drop axes of length one: all, or those given.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.zeros(1, 2, 1)
    >>> torch.squeeze(x).shape
    torch.Size([2])
    >>> torch.squeeze(x, 0).shape
    torch.Size([2, 1])
    """
    shape = input.shape
    if dim is None:
        return bind(reshape, (input,), (tuple([n for n in shape if n != 1]),), _SQUEEZED)
    if hasattr(dim, "__index__"):
        axes: tuple[int, ...] = (canonical_axis(operator.index(dim), len(shape)),)
        face = squeezed("SqueezeBackward1", axes[0] if axes else 0)
    else:
        axes = canonical_axes(tuple(dim), len(shape))
        face = squeezed("SqueezeBackward2", tuple(axes))
    left = tuple([n for i, n in enumerate(shape) if n != 1 or i not in axes])
    return bind(reshape, (input,), (left,), face)


@public("unsqueeze(Tensor self, int dim) -> Tensor", in_place="shape")
def _unsqueeze(input: Any, dim: int) -> Any:
    """Add an axis of length one at `dim`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.unsqueeze(torch.tensor([1, 2]), -1)
    tensor([[1],
            [2]])
    """
    shape = input.shape
    axis = canonical_axis(dim, len(shape), extra=1)
    return bind(reshape, (input,), ((*shape[:axis], 1, *shape[axis:]),), unsqueezed(axis))


def _make_atleast(rank: int) -> None:
    def atleast(*tensors: Any) -> Any:
        found = tuple([_with_rank(x, rank) for x in tensors])
        return found[0] if len(found) == 1 else found

    atleast.__name__ = atleast.__qualname__ = f"atleast_{rank}d"
    shape = ", ".join("1" * rank)
    atleast.__doc__ = f"""Return each of `tensors` with at least {rank} axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.atleast_{rank}d(torch.tensor(5.0)).shape
    torch.Size([{shape}])
    """
    text = f"atleast_{rank}d(Tensor[]... tensors) -> Tensor|Tensor[]"
    public(text, method=False, python=True, numpy=f"atleast_{rank}d(*arys)")(atleast)


def _with_rank(x: Any, rank: int) -> Any:
    """Add axes as PyTorch does: a vector is a row, a matrix the first two of three axes."""
    if len(x.shape) >= rank:
        return x
    if not x.shape:
        return _reshape(x, (1,) * rank)
    if len(x.shape) == 1 and rank >= 2:
        x = _unsqueeze(x, 0)
    return _unsqueeze(x, -1) if rank == 3 else x


for _rank in (1, 2, 3):
    _make_atleast(_rank)


@numpy_call("reshape")
def _numpy_reshape(
    a: Any, /, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: None = None
) -> Any:
    shape = newshape if shape is None else shape
    lengths = shape if isinstance(shape, (tuple, list)) else (shape,)
    if order == "C":
        return operand(a).reshape(tuple(lengths))
    if order != "F":
        return NotImplemented
    x = operand(a).permute(tuple(range(operand(a).ndim))[::-1]).reshape(tuple(lengths)[::-1])
    return x.permute(tuple(range(x.ndim))[::-1])


@numpy_call("ravel")
def _numpy_ravel(a: Any, order: str = "C") -> Any:
    return _numpy_reshape(a, -1, order)


@numpy_call("squeeze")
def _numpy_squeeze(a: Any, axis: Any = None) -> Any:
    return operand(a).squeeze(*(() if axis is None else (axis,)))


@numpy_call("expand_dims")
def _numpy_expand_dims(a: Any, axis: Any) -> Any:
    x = operand(a)
    axes = [axis] if isinstance(axis, int) else axis
    return with_unit_axes(x, x.ndim + len(axes), axes)


@numpy_call("shape")
def _numpy_shape(a: Any) -> Any:
    return tuple(a.shape)


@numpy_call("ndim")
def _numpy_ndim(a: Any) -> Any:
    return a.ndim


@numpy_call("size")
def _numpy_size(a: Any, axis: Any = None) -> Any:
    axes = range(a.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
    return math.prod([a.shape[i] for i in axes])
