"""Windows of largest elements that are put back, `max_unpool`, or lie at random places."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, int64, no_kernel
from symgrad.expr.shapes import canonical_axis
from symgrad.functions.bounds import check_bounds
from symgrad.functions.creation.making import CREATION
from symgrad.schema.messages import wrong_kind
from symgrad.schema.public import FUNCTIONS, SPACES, public


def _each(value: Any, rank: int) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * rank


def _whole(call: str, name: str, position: int, value: Any, rank: int) -> tuple[int, ...]:
    """Return a number for each axis, or as many as there are."""
    found = []
    for n in _each(value, rank):
        try:
            found.append(operator.index(n))
        except TypeError:
            raise TypeError(wrong_kind(call, name, "tuple of ints", value, position)) from None
    return tuple(found)


def _sizes_of(
    input: Any,
    kernel: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[int],
    given: Sequence[int] | None,
) -> Sequence[int]:
    """Return the lengths of the axes of the result."""
    rank, shape = len(kernel), tuple(input.shape)
    plane = [shape[d - rank] for d in range(rank)]
    usual = [(n - 1) * stride[d] + kernel[d] - 2 * padding[d] for d, n in enumerate(plane)]
    found: Sequence[int] = usual
    if given is not None:
        found = given[2:] if len(given) == rank + 2 else given
        if len(found) != rank:
            raise ValueError(
                f"output_size should be a sequence containing {rank} or {rank + 2} elements, but "
                f"it has a length of '{len(found)}'"
            )
        for d in range(rank):
            least, most = usual[d] - stride[d], usual[d] + stride[d]
            if not least < found[d] < most:
                raise ValueError(
                    f'invalid output_size "{found}" (dim {d} must be between {least} and {most})'
                )
    for d, n in enumerate(found):
        if n < 0:
            raise ValueError(
                "max_unpooling: output_size must contain non-negative spatial dimensions, but got "
                f"output_size[{d}]={n}"
            )
    return found


def _put_back(
    rank: int, input: Any, indices: Any, kernel_size: Any, stride: Any, padding: Any, given: Any
) -> Any:
    call = f"max_unpool{rank}d"
    kernel = _whole(call, "kernel_size", 3, kernel_size, rank)
    steps = kernel if stride is None else _whole(call, "stride", 4, stride, rank)
    around = _whole(call, "padding", 5, padding, rank)
    wanted: Any = None if given is None else _whole(call, "output_size", 6, given, 1)
    wanted = list(wanted) if isinstance(given, list) else wanted
    sizes = _sizes_of(input, kernel, steps, around, wanted)
    # PyTorch unpools one axis as the first of two.
    known, shown = max(rank, 2), [*sizes, 1] if rank == 1 else sizes
    shape = list(input.shape)
    _check(known, rank, input, indices, shape + [1] * (known - rank), steps)
    total = math.prod(sizes)
    indices = check_bounds(
        indices, 0, total - 1, RuntimeError,
        f"Found an invalid max index: {{}} (output volumes are of size {'x'.join(map(str, shown))})",
    )  # fmt: skip
    lead = shape[:-rank]
    zeros = CREATION["zeros"](*lead, total, dtype=input.dtype)
    flat = (*lead, math.prod(shape[-rank:]))
    made = zeros.scatter(len(lead), indices.reshape(flat), input.reshape(flat))
    return made.reshape((*lead, *sizes))


def _check(
    known: int, rank: int, input: Any, indices: Any, shape: list[int], steps: Sequence[int]
) -> None:
    """Raise PyTorch's error unless elements and their places fit."""
    if indices.dtype is not int64:
        got = f" but got: {indices.dtype.scalar_name}" if known == 2 else ""
        raise RuntimeError(f"elements in indices should be type int64{got}")
    if len(shape) not in (known + 1, known + 2):
        raise RuntimeError(
            f"Input to max_unpooling{known}d should be a {known + 1}d or {known + 2}d Tensor, but "
            f"got a tensor with {len(shape)} dimensions."
        )
    if known == 3 and min(steps) <= 0:
        raise RuntimeError(f"strides should be greater than zero, but got stride: {list(steps)}")
    if tuple(input.shape) != tuple(indices.shape):
        more = [1] * (known - rank)
        raise RuntimeError(
            f"Expected shape of indices to be same as that of the input tensor ({shape}) but got "
            f"indices tensor with shape: {[*indices.shape, *more]}"
        )
    for k, n in enumerate(shape[1:], 1):
        if n <= 0:
            raise RuntimeError(
                f"max_unpooling{known}d_forward_out_cpu(): Expected input to have non-zero size "
                f"for non-batch dimensions, but got {shape} with dimension {k} being empty."
            )
    if input.dtype.category != Category.FLOAT:
        raise no_kernel(f"max_unpool{known}d", input.dtype)


@public(
    "nn.functional.max_unpool1d(Tensor input, Tensor indices, object kernel_size, object stride=None, object padding=0, object output_size=None) -> Tensor",
    python=True,
    reads="size",
)
def _max_unpool1d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0,
    output_size: Any = None,
) -> Any:  # fmt: skip
    """Return the elements put back where `max_pool1d` took them from, and zeros elsewhere.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, length), or without the axis of samples.
    indices : Tensor
        Where each element stood, as `max_pool1d` returns it.
    kernel_size, stride, padding
        As those of `max_pool1d`.
    output_size : sequence of int, optional
        The length of the axis, where several are possible; or the whole shape.

    Raises
    ------
    ValueError
        If there is no such length.
    RuntimeError
        If shapes, dtypes or places do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[1.0, 5.0, 2.0, 4.0]])
    >>> y, indices = torch.nn.functional.max_pool1d(x, 2, return_indices=True)
    >>> torch.nn.functional.max_unpool1d(y, indices, 2)
    tensor([[0., 5., 0., 4.]])
    """
    return _put_back(1, input, indices, kernel_size, stride, padding, output_size)


@public(
    "nn.functional.max_unpool2d(Tensor input, Tensor indices, object kernel_size, object stride=None, object padding=0, object output_size=None) -> Tensor",
    python=True,
)
def _max_unpool2d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0,
    output_size: Any = None,
) -> Any:  # fmt: skip
    """Return the elements put back where `max_pool2d` took them from, and zeros elsewhere.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    indices : Tensor
        Where each element stood, as `max_pool2d` returns it.
    kernel_size, stride, padding
        As those of `max_pool2d`.
    output_size : sequence of int, optional
        The lengths of the axes, where several are possible; or the whole shape.

    Raises
    ------
    ValueError
        If there are no such lengths.
    RuntimeError
        If shapes, dtypes or places do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[[1.0, 5.0], [2.0, 4.0]]])
    >>> y, indices = torch.nn.functional.max_pool2d(x, 2, return_indices=True)
    >>> torch.nn.functional.max_unpool2d(y, indices, 2)
    tensor([[[0., 5.],
             [0., 0.]]])
    """
    return _put_back(2, input, indices, kernel_size, stride, padding, output_size)


@public(
    "nn.functional.max_unpool3d(Tensor input, Tensor indices, object kernel_size, object stride=None, object padding=0, object output_size=None) -> Tensor",
    python=True,
)
def _max_unpool3d(
    input: Any, indices: Any, kernel_size: Any, stride: Any = None, padding: Any = 0,
    output_size: Any = None,
) -> Any:  # fmt: skip
    """Return the elements put back where `max_pool3d` took them from, and zeros elsewhere.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    indices : Tensor
        Where each element stood, as `max_pool3d` returns it.
    kernel_size, stride, padding
        As those of `max_pool3d`.
    output_size : sequence of int, optional
        The lengths of the axes, where several are possible; or the whole shape.

    Raises
    ------
    ValueError
        If there are no such lengths.
    RuntimeError
        If shapes, dtypes or places do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([[[[1.0, 5.0], [2.0, 4.0]]]])
    >>> y, indices = torch.nn.functional.max_pool3d(x, (1, 2, 2), return_indices=True)
    >>> torch.nn.functional.max_unpool3d(y, indices, (1, 2, 2))
    tensor([[[[0., 5.],
              [0., 0.]]]])
    """
    return _put_back(3, input, indices, kernel_size, stride, padding, output_size)


# ------------------------------------------------------------------ windows at random places


def _lengths(call: str, name: str, position: int, value: Any, rank: int) -> tuple[int, ...]:
    found = _whole(call, name, position, value, rank)
    found = found * rank if len(found) == 1 else found
    if len(found) != rank:
        words = "Ints" if rank == 2 else "three Ints"
        raise RuntimeError(f"{call}: {name} must either be a single Int or tuple of {words}")
    return found


def _fractional(
    rank: int, input: Any, kernel_size: Any, output_size: Any, output_ratio: Any,
    return_indices: bool, samples: Any,
) -> Any:  # fmt: skip
    call, shape = f"fractional_max_pool{rank}d", tuple(input.shape)
    if output_size is None and output_ratio is None:
        raise ValueError(f"{call} requires specifying either an output_size or an output_ratio")
    if output_size is None:
        if rank == 2 and len(output_ratio) > 2:
            raise ValueError(
                f"{call} requires output_ratio to either be a single Int or tuple of Ints."
            )
        parts = _each(output_ratio, rank)
        axes = [canonical_axis(d - rank, len(shape)) for d in range(rank)]
        output_size = [int(shape[axis] * parts[d]) for d, axis in enumerate(axes)]
    kernel = _lengths(call, "kernel_size", 2, kernel_size, rank)
    sizes = _lengths(call, "output_size", 3, output_size, rank)
    channels = shape[canonical_axis(-rank - 1, len(shape))]
    batch = 1 if len(shape) == rank + 1 else shape[0]
    _check_windows(call, input, kernel, sizes, samples is not None)
    if samples is None:
        samples = CREATION["rand"](batch, channels, rank, dtype=input.dtype)
    _check_samples(input, samples, rank, batch, channels)
    lead, plane = shape[:-rank], shape[-rank:]
    places: Any = 0
    for d in range(rank):
        # PyTorch's first sample of two is that of the width.
        sample = samples[..., rank - 1 - d if rank == 2 else d].reshape(*lead, 1)
        starts = _starts(sample, plane[d], sizes[d], kernel[d])
        inside = starts.unsqueeze(-1) + CREATION["arange"](kernel[d])
        # Windows of the axes, then the places in a window.
        ones = [1] * rank
        lengths, offsets = ones[:], ones[:]
        lengths[d], offsets[d] = sizes[d], kernel[d]
        places = places * plane[d] + inside.reshape((*lead, *lengths, *offsets))
    width = math.prod(kernel)
    flat = places.reshape((*lead, math.prod(sizes) * width))
    taken = input.reshape((*lead, math.prod(plane))).gather(len(lead), flat)
    windows = taken.reshape((*lead, *sizes, width))
    if not width:  # what PyTorch finds in windows of nothing
        windows, width = SPACES["nn.functional"]["pad"](windows, (0, 1), value=-math.inf), 1
        places = CREATION["zeros"](*lead, *sizes, 1, dtype=int64)
    values, chosen = windows.max(-1)
    if not return_indices:
        return values
    numbers = places.reshape((*lead, *sizes, width)).gather(-1, chosen.unsqueeze(-1))
    return values, numbers.squeeze(-1)


def _starts(sample: Any, count: int, made: int, length: int) -> Any:
    """Return where the windows of an axis begin; the last one ends with the axis.

    References
    ----------
    B. Graham, "Fractional max-pooling" (2014).
    """
    last = sample.to(int64) * 0 + (count - length)
    if made <= 1:
        return last[..., :made]
    kind = sample.dtype.numpy.type
    apart = float(kind(count - length) / kind(made - 1))
    each = CREATION["tensor"](np.arange(made - 1).astype(kind))
    starts = ((each + sample) * apart).to(int64) - (sample * apart).to(int64)
    return FUNCTIONS["cat"]([starts, last], -1)


def _check_windows(
    call: str, input: Any, kernel: Sequence[int], sizes: Sequence[int], has_samples: bool
) -> None:
    """Raise PyTorch's error unless windows fit."""
    rank, shape = len(kernel), tuple(input.shape)
    name = f"{call}()" if rank == 2 else f"{call}_out()"
    if len(shape) not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"{name}: Expected {rank + 1}D or {rank + 2}D tensor, but got: {list(shape)}"
        )
    for k, n in enumerate(shape):
        if n <= 0 and k >= len(shape) - rank - 1:
            raise RuntimeError(
                f"{name}: Expected input to have non-zero size for non-batch dimensions, but got"
                f"{list(shape)} with dimension {k} being empty."
            )
    if min(kernel) < 0:
        raise RuntimeError(f"{name}: kernel_size should not be negative, but got {kernel}")
    axes = ("time", "height", "width")[-rank:]
    for axis, n, k, m in zip(axes, shape[-rank:], kernel, sizes, strict=True):
        if m + k - 1 > n - (rank == 3):
            raise RuntimeError(f"{name}: pool {axis} {k} too large relative to input {axis} {n}")
    if min(sizes) < 0:
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {min(sizes)}: "
            f"{[*shape[:-rank], *sizes]}"
        )
    if input.dtype.category != Category.FLOAT:
        kernel_name = f"{call}_out_frame" if has_samples else "check_uniform_bounds"
        raise no_kernel(kernel_name, input.dtype)


def _check_samples(input: Any, samples: Any, rank: int, batch: int, channels: int) -> None:
    """Raise PyTorch's error unless there is a sample for each axis of each channel."""
    given = tuple(samples.shape)
    if samples.dtype is not input.dtype:
        raise RuntimeError("Expect _random_samples to have the same dtype as input")
    if len(given) != 3:
        raise RuntimeError(f"Expect _random_samples to have 3 dimensions, got {len(given)}")
    if given[0] < batch:
        raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if given[1] != channels:
        raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
    if given[2] != rank:
        raise RuntimeError(f"Expect _random_samples.size(2) equals to {rank}; got {given[2]}.")


@public(
    "nn.functional.fractional_max_pool2d(Tensor input, object kernel_size, object output_size=None, object output_ratio=None, bool return_indices=False, Tensor? _random_samples=None) -> Tensor",
    python=True,
)
def _fractional_max_pool2d(
    input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
    return_indices: bool = False, _random_samples: Any = None,
) -> Any:  # fmt: skip
    """Return the largest element of each of so many windows, which lie at random places.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    kernel_size : int or sequence of int
        The lengths of windows.
    output_size : int or sequence of int, optional
        The number of windows along each axis.
    output_ratio : (float, float), optional
        Their number over the length of the axis, where `output_size` is not given.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    _random_samples : Tensor, optional
        Numbers from 0 to 1 that say where windows lie, of shape (n, c, axes); by default drawn.

    Raises
    ------
    ValueError
        If neither the number nor the ratio is given.
    RuntimeError
        If windows do not fit.

    References
    ----------
    B. Graham, "Fractional max-pooling" (2014).

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(16.0).reshape(1, 4, 4)
    >>> samples = torch.full((1, 1, 2), 0.5)
    >>> torch.nn.functional.fractional_max_pool2d(x, 2, 2, _random_samples=samples)
    tensor([[[ 5.,  7.],
             [13., 15.]]])
    """
    return _fractional(
        2, input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )


@public(
    "nn.functional.fractional_max_pool2d_with_indices(Tensor input, object kernel_size, object output_size=None, object output_ratio=None, bool return_indices=False, Tensor? _random_samples=None) -> (Tensor, Tensor)",
    python=True,
)
def _fractional_max_pool2d_with_indices(
    input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
    return_indices: bool = False, _random_samples: Any = None,
) -> Any:  # fmt: skip
    """Return the largest element of each of so many windows, which lie at random places.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    kernel_size : int or sequence of int
        The lengths of windows.
    output_size : int or sequence of int, optional
        The number of windows along each axis.
    output_ratio : (float, float), optional
        Their number over the length of the axis, where `output_size` is not given.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    _random_samples : Tensor, optional
        Numbers from 0 to 1 that say where windows lie, of shape (n, c, axes); by default drawn.

    Raises
    ------
    ValueError
        If neither the number nor the ratio is given.
    RuntimeError
        If windows do not fit.

    References
    ----------
    B. Graham, "Fractional max-pooling" (2014).

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(16.0).reshape(1, 4, 4)
    >>> samples = torch.full((1, 1, 2), 0.5)
    >>> torch.nn.functional.fractional_max_pool2d_with_indices(x, 2, 2, _random_samples=samples)[1]
    tensor([[[ 5,  7],
             [13, 15]]])
    """
    return _fractional(2, input, kernel_size, output_size, output_ratio, True, _random_samples)


@public(
    "nn.functional.fractional_max_pool3d(Tensor input, object kernel_size, object output_size=None, object output_ratio=None, bool return_indices=False, Tensor? _random_samples=None) -> Tensor",
    python=True,
)
def _fractional_max_pool3d(
    input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
    return_indices: bool = False, _random_samples: Any = None,
) -> Any:  # fmt: skip
    """Return the largest element of each of so many windows, which lie at random places.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    kernel_size : int or sequence of int
        The lengths of windows.
    output_size : int or sequence of int, optional
        The number of windows along each axis.
    output_ratio : float or sequence of float, optional
        Their number over the length of the axis, where `output_size` is not given.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    _random_samples : Tensor, optional
        Numbers from 0 to 1 that say where windows lie, of shape (n, c, axes); by default drawn.

    Raises
    ------
    ValueError
        If neither the number nor the ratio is given.
    RuntimeError
        If windows do not fit.

    References
    ----------
    B. Graham, "Fractional max-pooling" (2014).

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(32.0).reshape(1, 2, 4, 4)
    >>> samples = torch.full((1, 1, 3), 0.5)
    >>> torch.nn.functional.fractional_max_pool3d(x, (1, 2, 2), (1, 2, 2), _random_samples=samples)
    tensor([[[[21., 23.],
              [29., 31.]]]])
    """
    return _fractional(
        3, input, kernel_size, output_size, output_ratio, return_indices, _random_samples
    )


@public(
    "nn.functional.fractional_max_pool3d_with_indices(Tensor input, object kernel_size, object output_size=None, object output_ratio=None, bool return_indices=False, Tensor? _random_samples=None) -> (Tensor, Tensor)",
    python=True,
)
def _fractional_max_pool3d_with_indices(
    input: Any, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
    return_indices: bool = False, _random_samples: Any = None,
) -> Any:  # fmt: skip
    """Return the largest element of each of so many windows, which lie at random places.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, depth, height, width), or without the axis of samples.
    kernel_size : int or sequence of int
        The lengths of windows.
    output_size : int or sequence of int, optional
        The number of windows along each axis.
    output_ratio : float or sequence of float, optional
        Their number over the length of the axis, where `output_size` is not given.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    _random_samples : Tensor, optional
        Numbers from 0 to 1 that say where windows lie, of shape (n, c, axes); by default drawn.

    Raises
    ------
    ValueError
        If neither the number nor the ratio is given.
    RuntimeError
        If windows do not fit.

    References
    ----------
    B. Graham, "Fractional max-pooling" (2014).

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.arange(32.0).reshape(1, 2, 4, 4)
    >>> samples = torch.full((1, 1, 3), 0.5)
    >>> torch.nn.functional.fractional_max_pool3d_with_indices(
    ...     x, (1, 2, 2), (1, 2, 2), _random_samples=samples
    ... )[1]
    tensor([[[[21, 23],
              [29, 31]]]])
    """
    return _fractional(3, input, kernel_size, output_size, output_ratio, True, _random_samples)
