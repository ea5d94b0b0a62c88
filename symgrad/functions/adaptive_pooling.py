"""Pooling by windows of which the number is given: the mean and the largest element of each."""

from __future__ import annotations

import math
import operator
from typing import Any

from symgrad.expr.dtypes import Category, no_kernel
from symgrad.expr.shapes import Shape
from symgrad.functions.pooling import _check_axes, _largest, _of_one_axis, _show_largest, _titled
from symgrad.ops.pooling import adaptive_avg_pool, adaptive_max_pool
from symgrad.ops.primitive import bind
from symgrad.record.face import nothing, shows
from symgrad.schema.messages import wrong_kind
from symgrad.schema.public import FUNCTIONS, public

_show_largest(adaptive_max_pool, "AdaptiveMaxPool{}D")


shows(adaptive_avg_pool, name=_titled("AdaptiveAvgPool{}D"), facts=nothing, frees=True)


_ADAPTIVE_OF_ONE = _of_one_axis("AdaptiveAvgPool{}D")


_ONE_MEAN = _of_one_axis("MeanBackward1", frees=False)  # of the whole axis


def _window_count(call: str, n: Any, output_size: Any) -> int | None:
    """Return one of the numbers of `output_size`, checked."""
    if n is None:
        return None
    try:
        count = operator.index(n)
    except TypeError:
        count = None
    if count is None or isinstance(n, bool):
        raise TypeError(wrong_kind(call, "output_size", "tuple of ints", output_size, 2))
    if count >= 2**63:
        raise ValueError(f"{call}: output_size is too large")
    return count


def _adaptive_sizes(call: str, input: Any, output_size: Any, rank: int) -> Shape:
    several = isinstance(output_size, (tuple, list))
    given = tuple(output_size) if several else (output_size,) * rank
    given = tuple([_window_count(call, n, output_size) for n in given])
    if len(given) != rank:
        raise RuntimeError(f"{call}: output_size must be {rank}")
    _check_axes(call, input, rank)
    plane = input.shape[-rank:]
    sizes = tuple([n if m is None else m for n, m in zip(plane, given, strict=True)])
    if any(n < 0 for n in sizes):
        raise RuntimeError(
            f"{call}: elements of output_size must be greater than or equal to 0 but received "
            f"{{{', '.join(map(str, sizes))}}}"
        )
    if math.prod(sizes) >= 2**60:
        raise RuntimeError(f"Storage size calculation overflowed with sizes={list(sizes)}")
    if input.dtype.category != Category.FLOAT:
        name = call if rank == 2 else f"{call}_cpu"
        raise no_kernel(name.replace("1d", "2d").replace("2d_cpu", "2d"), input.dtype)
    return sizes


def _adaptive(rank: int, input: Any, output_size: Any) -> Any:
    sizes = _adaptive_sizes(f"adaptive_avg_pool{rank}d", input, output_size, rank)
    if rank > 1 and set(sizes) == {1}:
        return FUNCTIONS["mean"](input, tuple(range(-1, -rank - 1, -1)), True)
    of_one_axis = _ONE_MEAN if sizes == (1,) else _ADAPTIVE_OF_ONE
    face = of_one_axis if rank == 1 else None
    return bind(adaptive_avg_pool, (input,), (sizes,), face)


def _adaptive_largest(rank: int, input: Any, output_size: Any, return_indices: bool) -> Any:
    sizes = _adaptive_sizes(f"adaptive_max_pool{rank}d", input, output_size, rank)
    return _largest(adaptive_max_pool, input, sizes, return_indices)


@public(
    "adaptive_avg_pool1d(Tensor input, int[1] output_size) -> Tensor",
    aliases=("nn.functional.adaptive_avg_pool1d",),
    method=False,
)
def _adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    """Return the means of so many windows, which divide the axes as evenly as may be.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, length), or without the axis of samples.
    output_size : int or sequence of int
        The number of windows along each axis.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]])
    >>> torch.nn.functional.adaptive_avg_pool1d(x, 2)
    tensor([[3., 3.]])
    """
    return _adaptive(1, input, output_size)


@public(
    "nn.functional.adaptive_max_pool1d(Tensor input, object output_size, bool return_indices=False) -> Tensor",
    python=True,
)
def _adaptive_max_pool1d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """Return the largest elements of so many windows, which divide the axes as evenly as may be.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, length), or without the axis of samples.
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]])
    >>> torch.nn.functional.adaptive_max_pool1d(x, 2)
    tensor([[5., 4.]])
    """
    return _adaptive_largest(1, input, output_size, return_indices)


@public(
    "nn.functional.adaptive_max_pool1d_with_indices(Tensor input, object output_size, bool return_indices=False) -> (Tensor, Tensor)",
    python=True,
)
def _adaptive_max_pool1d_with_indices(
    input: Any, output_size: Any, return_indices: bool = False
) -> Any:
    """Return what `adaptive_max_pool1d` does with `return_indices`, which is not looked at here.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, length), or without the axis of samples.
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]])
    >>> torch.nn.functional.adaptive_max_pool1d_with_indices(x, 2)[1]
    tensor([[1, 3]])
    """
    return _adaptive_largest(1, input, output_size, True)


@public(
    "nn.functional.adaptive_avg_pool2d(Tensor input, object output_size) -> Tensor",
    python=True,
    reads="size",
)
def _adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """Return the means of so many windows, which divide the axes as evenly as may be.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 4)
    >>> torch.nn.functional.adaptive_avg_pool2d(x, (1, 2))
    tensor([[[3., 3.]]])
    """
    return _adaptive(2, input, output_size)


@public(
    "nn.functional.adaptive_max_pool2d(Tensor input, object output_size, bool return_indices=False) -> Tensor",
    python=True,
)
def _adaptive_max_pool2d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """Return the largest elements of so many windows, which divide the axes as evenly as may be.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 4)
    >>> torch.nn.functional.adaptive_max_pool2d(x, (1, 2))
    tensor([[[5., 4.]]])
    """
    return _adaptive_largest(2, input, output_size, return_indices)


@public(
    "nn.functional.adaptive_max_pool2d_with_indices(Tensor input, object output_size, bool return_indices=False) -> (Tensor, Tensor)",
    python=True,
)
def _adaptive_max_pool2d_with_indices(
    input: Any, output_size: Any, return_indices: bool = False
) -> Any:
    """Return what `adaptive_max_pool2d` does with `return_indices`, which is not looked at here.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 4)
    >>> torch.nn.functional.adaptive_max_pool2d_with_indices(x, (1, 2))[1]
    tensor([[[1, 3]]])
    """
    return _adaptive_largest(2, input, output_size, True)


@public(
    "nn.functional.adaptive_avg_pool3d(Tensor input, object output_size) -> Tensor",
    python=True,
    reads="size",
)
def _adaptive_avg_pool3d(input: Any, output_size: Any) -> Any:
    """Return the means of so many windows, which divide the axes as evenly as may be.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 1, 4)
    >>> torch.nn.functional.adaptive_avg_pool3d(x, (1, 1, 2))
    tensor([[[[3., 3.]]]])
    """
    return _adaptive(3, input, output_size)


@public(
    "nn.functional.adaptive_max_pool3d(Tensor input, object output_size, bool return_indices=False) -> Tensor",
    python=True,
)
def _adaptive_max_pool3d(input: Any, output_size: Any, return_indices: bool = False) -> Any:
    """Return the largest elements of so many windows, which divide the axes as evenly as may be.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 1, 4)
    >>> torch.nn.functional.adaptive_max_pool3d(x, (1, 1, 2))
    tensor([[[[5., 4.]]]])
    """
    return _adaptive_largest(3, input, output_size, return_indices)


@public(
    "nn.functional.adaptive_max_pool3d_with_indices(Tensor input, object output_size, bool return_indices=False) -> (Tensor, Tensor)",
    python=True,
)
def _adaptive_max_pool3d_with_indices(
    input: Any, output_size: Any, return_indices: bool = False
) -> Any:
    """Return what `adaptive_max_pool3d` does with `return_indices`, which is not looked at here.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 1, 4)
    >>> torch.nn.functional.adaptive_max_pool3d_with_indices(x, (1, 1, 2))[1]
    tensor([[[[1, 3]]]])
    """
    return _adaptive_largest(3, input, output_size, True)
