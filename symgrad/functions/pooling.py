"""Pooling by windows of a given length: the largest element, the mean and the power mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.expr.dtypes import Category, int64, no_kernel
from symgrad.expr.shapes import Shape, canonical_axis
from symgrad.ops.pooling import (
    Largest,
    avg_pool,
    max_pool,
    pooled_sizes,
)
from symgrad.ops.primitive import bind
from symgrad.ops.results import one_of
from symgrad.record.face import Face, nothing, shows
from symgrad.schema.public import SPACES, public


def _titled(title: str) -> Callable[[Any], str]:
    """Return the rule for names with the number of axes."""
    return lambda node: title.format(len(node.param_values[0]))


def _of_one_axis(title: str, frees: bool = True) -> Face:
    """Return the face of a call along one axis, which PyTorch pools as the last of two."""
    inner = ((title.format(2), ("Unsqueeze", 0)),)
    return Face("SqueezeBackward1", inner=inner, facts=nothing, frees=frees)


def _show_largest(cls: type[Largest], title: str) -> None:
    """State what the graph shows, along one axis the last of two."""

    def name(node: Any) -> str:
        rank = len(node.param_values[0])
        return "SqueezeBackward1" if rank == 1 else title.format(rank)

    def inner(node: Any) -> Any:
        rank = len(node.param_values[0])
        return ((title.format(2), ("Unsqueeze", 0)),) if rank == 1 else None

    shows(cls, name=name, inner=inner, facts=nothing, frees=True)


_show_largest(max_pool, "MaxPool{}DWithIndices")


shows(avg_pool, name=_titled("AvgPool{}D"), facts=nothing, frees=True)


_MEAN_OF_ONE = _of_one_axis("AvgPool{}D")


def _each(call: str, name: str, value: Any, rank: int) -> Shape:
    """Return a number for each axis."""
    given = tuple(value) if isinstance(value, (tuple, list)) else (value,)
    if len(given) not in (1, rank):
        words = {1: "one int", 2: "two ints", 3: "three ints"}[rank]
        omitted = "be omitted, a single int," if name == "stride" else "either be a single int,"
        raise RuntimeError(f"{call}: {name} must {omitted} or a tuple of {words}")
    return given if len(given) == rank else given * rank


def _check_axes(call: str, input: Any, rank: int) -> None:
    shape = list(input.shape)
    if len(shape) not in (rank + 1, rank + 2):
        allowed = f"{rank + 1}D or {rank + 2}D"
        if call == "avg_pool2d":  # which reads the axis of channels first
            canonical_axis(-3, len(shape))
        if call in ("max_pool2d", "max_pool3d", "avg_pool3d"):
            raise RuntimeError(f"non-empty {allowed} (batch mode) tensor expected for input")
        colon = "" if call.startswith("adaptive_avg") else ":"
        raise RuntimeError(f"{call}(): Expected {allowed} tensor, but got{colon} {shape}")
    if 0 in shape[-rank - 1 :]:
        raise RuntimeError(
            f"Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with optional 0 dim batch "
            f"size for input, but got:{shape}"
        )


def _ways(
    call: str, input: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil: bool,
    rank: int,
) -> Any:  # fmt: skip
    """Return how windows lie along each axis, checked."""
    length = _each(call, "kernel_size", kernel_size, rank)
    given = {"kernel_size": length}
    given["stride"] = length if stride in (None, (), []) else _each(call, "stride", stride, rank)
    given["padding"] = _each(call, "padding", padding, rank)
    given["dilation"] = _each(call, "dilation", dilation, rank)
    _check_axes(call, input, rank)
    for name in ("kernel_size", "stride", "dilation"):
        if any(n <= 0 for n in given[name]):
            raise RuntimeError(f"{name} should be greater than zero, but got {given[name]}")
    if any(n < 0 for n in given["padding"]):
        raise RuntimeError(f"pad must be non-negative, but got pad: {min(given['padding'])}")
    for k, p, d in zip(length, given["padding"], given["dilation"], strict=True):
        if p > ((k - 1) * d + 1) // 2:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={p}, "
                f"kernel_size={k} and dilation={d}"
            )
    plane, channels = tuple(input.shape[-rank:]), input.shape[-rank - 1]
    sizes = pooled_sizes(plane, length, given["stride"], given["padding"], given["dilation"], ceil)
    if any(n < 1 for n in sizes):
        shown = "x".join(map(str, (channels, *plane)))
        made = "x".join(map(str, (channels, *[max(n, 0) for n in sizes])))
        raise RuntimeError(
            f"Given input size: ({shown}). Calculated output size: ({made}). Output size is too "
            "small"
        )
    return tuple(
        zip(length, sizes, given["stride"], given["padding"], given["dilation"], strict=True)
    )


def _largest(cls: type[Largest], input: Any, params: Any, return_indices: bool) -> Any:
    if not return_indices:
        return one_of(cls, 0, input, (params,))
    return tuple(bind(cls, (input,), (params,)))


def _max_pooled(
    rank: int, input: Any, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil: bool,
    return_indices: bool,
) -> Any:  # fmt: skip
    call = f"max_pool{rank}d"
    ways = _ways(call, input, kernel_size, stride, padding, dilation, ceil, rank)
    max_pool.refuse(input.dtype)
    return _largest(max_pool, input, ways, return_indices)


def _mean_pooled(
    rank: int, input: Any, kernel_size: Any, stride: Any, padding: Any, ceil: bool,
    include: bool, divisor: int | None,
) -> Any:  # fmt: skip
    call, kind = f"avg_pool{rank}d", input.dtype
    ways = _ways(call, input, kernel_size, stride, padding, 1, ceil, rank)
    if divisor == 0:
        raise RuntimeError("divisor must be not zero")
    if kind.category != Category.FLOAT and kind is not int64:
        raise no_kernel("avg_pool3d_out_frame" if rank == 3 else "avg_pool2d", kind)
    face = _MEAN_OF_ONE if rank == 1 else None
    return bind(avg_pool, (input,), (ways, include, divisor), face)


def _power_mean(
    rank: int, input: Any, norm_type: Any, kernel_size: Any, stride: Any, ceil_mode: bool
) -> Any:
    length = _each(f"lp_pool{rank}d", "kernel_size", kernel_size, rank)
    pooled = SPACES["nn.functional"][f"avg_pool{rank}d"]
    count = 1
    for n in length:
        count *= n
    mean = pooled(input.pow(norm_type), length, stride, 0, ceil_mode)
    return (mean.sign() * mean.abs().relu()).mul(count).pow(1.0 / norm_type)


@public(
    "nn.functional.max_pool1d(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, int[1] dilation=1, bool ceil_mode=False, bool return_indices=False) -> Tensor",
    python=True,
)
def _max_pool1d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Any:  # fmt: skip
    """Return the largest element of each window of one axis.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, length), or without the axis of samples.
    kernel_size, stride, padding, dilation : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), how far apart their elements, and how
        much stands around the input.
    ceil_mode : bool
        Whether a last window may reach beyond the input.
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
    >>> torch.nn.functional.max_pool1d(x, 2)
    tensor([[5., 4.]])
    """
    return _max_pooled(1, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@public(
    "nn.functional.max_pool1d_with_indices(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, int[1] dilation=1, bool ceil_mode=False, bool return_indices=False) -> (Tensor, Tensor)",
    python=True,
)
def _max_pool1d_with_indices(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Any:  # fmt: skip
    """Return what `max_pool1d` does with `return_indices`, which is not looked at here.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, length), or without the axis of samples.
    kernel_size, stride, padding, dilation, ceil_mode
        As those of `max_pool1d`.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]])
    >>> torch.nn.functional.max_pool1d_with_indices(x, 2)[1]
    tensor([[1, 3]])
    """
    return _max_pooled(1, input, kernel_size, stride, padding, dilation, ceil_mode, True)


@public(
    "avg_pool1d(Tensor input, int[1] kernel_size, int[1]? stride=None, int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
    aliases=("nn.functional.avg_pool1d",),
    method=False,
)
def _avg_pool1d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:  # fmt: skip
    """Return the mean of each window of one axis.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, length), or without the axis of samples.
    kernel_size, stride, padding : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), and how
        much stands around the input.
    ceil_mode : bool
        Whether a last window may reach beyond the input.
    count_include_pad : bool
        Whether the zeros around count as elements.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]])
    >>> torch.nn.functional.avg_pool1d(x, 2)
    tensor([[3., 3.]])
    """
    return _mean_pooled(1, input, kernel_size, stride, padding, ceil_mode, count_include_pad, None)


@public(
    "nn.functional.lp_pool1d(Tensor input, float norm_type, int[1] kernel_size, int[1]? stride=None, bool ceil_mode=False) -> Tensor",
    python=True,
    reads="pow",
)
def _lp_pool1d(
    input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Any:
    """Return the norm of each window: the sum of powers, and the root of it.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, length), or without the axis of samples.
    norm_type : float
        The power.
    kernel_size, stride, ceil_mode
        As those of `avg_pool1d`.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]])
    >>> torch.nn.functional.lp_pool1d(x, 2.0, 2)
    tensor([[5.0990, 4.4721]])
    """
    return _power_mean(1, input, norm_type, kernel_size, stride, ceil_mode)


@public(
    "nn.functional.max_pool2d(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, bool return_indices=False) -> Tensor",
    python=True,
)
def _max_pool2d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Any:  # fmt: skip
    """Return the largest element of each window of 2 axes.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    kernel_size, stride, padding, dilation : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), how far apart their elements, and how
        much stands around the input.
    ceil_mode : bool
        Whether a last window may reach beyond the input.
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
    >>> torch.nn.functional.max_pool2d(x, (1, 2))
    tensor([[[5., 4.]]])
    """
    return _max_pooled(2, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@public(
    "nn.functional.max_pool2d_with_indices(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, int[2] dilation=1, bool ceil_mode=False, bool return_indices=False) -> (Tensor, Tensor)",
    python=True,
)
def _max_pool2d_with_indices(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Any:  # fmt: skip
    """Return what `max_pool2d` does with `return_indices`, which is not looked at here.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    kernel_size, stride, padding, dilation, ceil_mode
        As those of `max_pool2d`.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 4)
    >>> torch.nn.functional.max_pool2d_with_indices(x, (1, 2))[1]
    tensor([[[1, 3]]])
    """
    return _max_pooled(2, input, kernel_size, stride, padding, dilation, ceil_mode, True)


@public(
    "nn.functional.avg_pool2d(Tensor input, int[2] kernel_size, int[2]? stride=None, int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
)
def _avg_pool2d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Any:  # fmt: skip
    """Return the mean of each window of 2 axes.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    kernel_size, stride, padding : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), and how
        much stands around the input.
    ceil_mode : bool
        Whether a last window may reach beyond the input.
    count_include_pad : bool
        Whether the zeros around count as elements.
    divisor_override : int, optional
        By what sums are divided in the place of the number of elements.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 4)
    >>> torch.nn.functional.avg_pool2d(x, (1, 2))
    tensor([[[3., 3.]]])
    """
    return _mean_pooled(
        2, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@public(
    "nn.functional.lp_pool2d(Tensor input, float norm_type, int[2] kernel_size, int[2]? stride=None, bool ceil_mode=False) -> Tensor",
    python=True,
    reads="pow",
)
def _lp_pool2d(
    input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Any:
    """Return the norm of each window: the sum of powers, and the root of it.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    norm_type : float
        The power.
    kernel_size, stride, ceil_mode
        As those of `avg_pool2d`.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 4)
    >>> torch.nn.functional.lp_pool2d(x, 2.0, (1, 2))
    tensor([[[5.0990, 4.4721]]])
    """
    return _power_mean(2, input, norm_type, kernel_size, stride, ceil_mode)


@public(
    "nn.functional.max_pool3d(Tensor input, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, bool return_indices=False) -> Tensor",
    python=True,
)
def _max_pool3d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Any:  # fmt: skip
    """Return the largest element of each window of 3 axes.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    kernel_size, stride, padding, dilation : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), how far apart their elements, and how
        much stands around the input.
    ceil_mode : bool
        Whether a last window may reach beyond the input.
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
    >>> torch.nn.functional.max_pool3d(x, (1, 1, 2))
    tensor([[[[5., 4.]]]])
    """
    return _max_pooled(3, input, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@public(
    "nn.functional.max_pool3d_with_indices(Tensor input, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, int[3] dilation=1, bool ceil_mode=False, bool return_indices=False) -> (Tensor, Tensor)",
    python=True,
)
def _max_pool3d_with_indices(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
    ceil_mode: bool = False, return_indices: bool = False,
) -> Any:  # fmt: skip
    """Return what `max_pool3d` does with `return_indices`, which is not looked at here.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    kernel_size, stride, padding, dilation, ceil_mode
        As those of `max_pool3d`.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 1, 4)
    >>> torch.nn.functional.max_pool3d_with_indices(x, (1, 1, 2))[1]
    tensor([[[[1, 3]]]])
    """
    return _max_pooled(3, input, kernel_size, stride, padding, dilation, ceil_mode, True)


@public(
    "nn.functional.avg_pool3d(Tensor input, int[3] kernel_size, int[3]? stride=None, int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
)
def _avg_pool3d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: int | None = None,
) -> Any:  # fmt: skip
    """Return the mean of each window of 3 axes.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    kernel_size, stride, padding : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), and how
        much stands around the input.
    ceil_mode : bool
        Whether a last window may reach beyond the input.
    count_include_pad : bool
        Whether the zeros around count as elements.
    divisor_override : int, optional
        By what sums are divided in the place of the number of elements.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 1, 4)
    >>> torch.nn.functional.avg_pool3d(x, (1, 1, 2))
    tensor([[[[3., 3.]]]])
    """
    return _mean_pooled(
        3, input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
    )


@public(
    "nn.functional.lp_pool3d(Tensor input, float norm_type, int[3] kernel_size, int[3]? stride=None, bool ceil_mode=False) -> Tensor",
    python=True,
    reads="pow",
)
def _lp_pool3d(
    input: Any, norm_type: Any, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
) -> Any:
    """Return the norm of each window: the sum of powers, and the root of it.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    norm_type : float
        The power.
    kernel_size, stride, ceil_mode
        As those of `avg_pool3d`.

    Raises
    ------
    RuntimeError
        If no window fits, or a number is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]]).reshape(1, 1, 1, 4)
    >>> torch.nn.functional.lp_pool3d(x, 2.0, (1, 1, 2))
    tensor([[[[5.0990, 4.4721]]]])
    """
    return _power_mean(3, input, norm_type, kernel_size, stride, ceil_mode)
