"""What users call of `symgrad.ops.normalizing`, and normalisations that are formulas of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import float16, float32
from symgrad.expr.shapes import size_of
from symgrad.functions.rearranging import pad as padded
from symgrad.ops.normalizing import batch_norm, group_norm, layer_norm, rms_norm
from symgrad.ops.primitive import bind
from symgrad.record.face import nothing, shows
from symgrad.record.modes import no_grad, state
from symgrad.record.record import Recorded
from symgrad.schema.public import public
from symgrad.support.untraceable import UntraceableValue

shows(layer_norm, name="NativeLayerNorm", saved=("input", "weight", "bias"), facts=nothing)
shows(group_norm, name="NativeGroupNorm", saved=("input", "weight", "bias"), facts=nothing)
shows(batch_norm, name="NativeBatchNorm", saved=("input",), facts=nothing)
shows(rms_norm, name="Mul", saved=("self",), facts=nothing)


def _named(**parts: Any) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """Return those that are given, as operands, and their names."""
    given = {name: x for name, x in parts.items() if x is not None}
    return tuple(given.values()), tuple(given)


def _check_shape(input: Any, shape: tuple[int, ...], star: str, **parts: Any) -> None:
    """Raise PyTorch's error unless `shape` is that of the last axes of `input`, and of all parts."""
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one "
            "element, but got normalized_shape = []"
        )
    for name, x in parts.items():
        if x is not None and tuple(x.shape) != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(x.shape)} and normalized_shape = {list(shape)}"
            )
    own = tuple(input.shape)
    if own[max(len(own) - len(shape), 0) :] != shape:
        listed = ", ".join(map(str, shape))
        raise RuntimeError(
            f"Given normalized_shape=[{listed}], expected input with shape [*{star}{listed}], but "
            f"got input of size{list(own)}"
        )


def _check_kinds(input: Any, *parts: Any) -> None:
    """Raise PyTorch's error unless all have one dtype; float32 beside float16 will do."""
    for x in parts:
        fits = x is None or x.dtype is input.dtype
        if not fits and not (input.dtype is float16 and x.dtype is float32):
            raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


@public(
    "nn.functional.layer_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor",
    python=True,
    inner="layer_norm(Tensor input, int[] normalized_shape, Tensor? weight, Tensor? bias, float eps, bool cudnn_enable)",
)
def _layer_norm(
    input: Any,
    normalized_shape: Sequence[int],
    weight: Any = None,
    bias: Any = None,
    eps: float = 1e-5,
) -> Any:
    """Return `input` less its mean and over its standard deviation, along the last axes.

    Parameters
    ----------
    normalized_shape : sequence of int
        The lengths of these axes.
    weight, bias : Tensor or ArrayExpr, optional
        A factor and a term, of that shape.
    eps : float
        What is added to the variance.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.

    References
    ----------
    J. L. Ba, J. R. Kiros and G. E. Hinton, "Layer normalization" (2016).

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.layer_norm(torch.tensor([[1.0, 2.0], [0.0, 4.0]]), (2,))
    tensor([[-1.0000,  1.0000],
            [-1.0000,  1.0000]])
    """
    shape = tuple(normalized_shape)
    _check_shape(input, shape, ", ", weight=weight, bias=bias)
    _check_kinds(input, weight, bias)
    parts, given = _named(weight=weight, bias=bias)
    return bind(layer_norm, (input, *parts, eps), (given, len(shape)))


@public(
    "nn.functional.rms_norm(Tensor input, int[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor",
    python=True,
    inner="rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps)",
)
def _rms_norm(
    input: Any, normalized_shape: Sequence[int], weight: Any = None, eps: float | None = None
) -> Any:
    """Return `input` over the root of its mean square, along the last axes.

    Parameters
    ----------
    normalized_shape : sequence of int
        The lengths of these axes.
    weight : Tensor or ArrayExpr, optional
        A factor, of that shape.
    eps : float, optional
        What is added to the mean square; by default the distance of 1 from the next number.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.

    References
    ----------
    B. Zhang and R. Sennrich, "Root mean square layer normalization" (2019).

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.rms_norm(torch.tensor([3.0, 4.0]), (2,))
    tensor([0.8485, 1.1314])
    """
    shape = tuple(normalized_shape)
    _check_shape(input, shape, "", weight=weight)
    parts, given = _named(weight=weight)
    if eps is None:
        wide = float32 if input.dtype is float16 else input.dtype
        eps = float(np.finfo(wide.numpy).eps) if wide.is_floating_point else 0.0
    return bind(rms_norm, (input, *parts, eps), (given, len(shape)))


def _check_channels(call: str, count: int, **parts: Any) -> None:
    for name, x in parts.items():
        if x is not None and tuple(x.shape) != (count,):
            size = x.shape[0] if len(x.shape) == 1 else int(np.prod(x.shape))
            raise RuntimeError(f"{name} should contain {count} elements not {size}")


def _refuse_single(size: Any, count: int, text: str) -> None:
    if count == 1:
        raise ValueError(
            f"Expected more than 1 value per channel when training, got input size {text}"
        )


@public(
    "nn.functional.batch_norm(Tensor input, Tensor? running_mean, Tensor? running_var, Tensor? weight=None, Tensor? bias=None, bool training=False, float momentum=0.1, float eps=1e-05) -> Tensor",
    python=True,
    inner="batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled)",
)
def _batch_norm(
    input: Any, running_mean: Any, running_var: Any, weight: Any = None, bias: Any = None,
    training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Return `input` less the mean and over the standard deviation of each channel, axis 1.

    Parameters
    ----------
    running_mean, running_var : Tensor or None
        The mean and the variance of each channel where not `training`; else they are moved towards
        those of `input`, in place.
    weight, bias : Tensor or ArrayExpr, optional
        A factor and a term for each channel.
    training : bool
        Whether mean and variance are those of `input`.
    momentum : float
        How far they are moved, of 1.
    eps : float
        What is added to the variance.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.
    ValueError
        If a channel has one value, in training.

    References
    ----------
    S. Ioffe and C. Szegedy, "Batch normalization" (2015).

    Examples
    --------
    >>> import symgrad as torch
    >>> x, mean, var = torch.tensor([[1.0, 2.0], [3.0, 8.0]]), torch.zeros(2), torch.ones(2)
    >>> torch.nn.functional.batch_norm(x, mean, var, training=True)
    tensor([[-1.0000, -1.0000],
            [ 1.0000,  1.0000]])
    >>> mean
    tensor([0.2000, 0.5000])
    """
    shape = tuple(input.shape)
    if shape == (0,):
        return _of_nothing(input, weight, bias)
    if len(shape) < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    count = int(np.prod(shape[:1] + shape[2:]))
    if training:
        _refuse_single(input, count, f"torch.Size({list(shape)})")
    else:
        for name, x in (("running_mean", running_mean), ("running_var", running_var)):
            if x is None:
                raise RuntimeError(f"{name} must be defined in evaluation mode")
    _check_channels(
        "batch_norm", shape[1], running_mean=running_mean, running_var=running_var, weight=weight,
        bias=bias,
    )  # fmt: skip
    if size_of(shape) == 0:
        return _of_nothing(input, weight, bias)
    if not training:
        parts, given = _named(
            running_mean=running_mean, running_var=running_var, weight=weight, bias=bias
        )
        return bind(batch_norm, (input, *parts, eps), (given,))
    parts, given = _named(weight=weight, bias=bias)
    out = bind(batch_norm, (input, *parts, eps), (given,))
    axes = tuple([axis for axis in range(len(shape)) if axis != 1])
    _move(input, axes, (running_mean, running_var), momentum, None)
    return out


def _of_nothing(input: Any, weight: Any, bias: Any) -> Any:
    """Return an array without elements, on which weights and running statistics do not depend."""
    out = input.clone()
    if weight is not None:
        out = out * weight[0]
    return out if bias is None else out + bias[0]


def _move(
    input: Any, axes: tuple[int, ...], stats: tuple[Any, Any], momentum: float, mean_over: Any
) -> None:
    """Move running statistics towards the mean and the variance of `input` along axes."""
    if all(stat is None for stat in stats):
        return
    if not all(isinstance(x, Recorded) for x in (input, *stats) if x is not None):
        raise UntraceableValue("a formula has no values that running statistics could have")
    with no_grad():
        x: Any = input.detach()
        found = (x.mean(axes), x.var(axes, correction=1))
        moves = [(stat, own) for stat, own in zip(stats, found, strict=True) if stat is not None]
        batching = state.state.batching
        if batching is not None:  # either both are moved, or none
            for stat, own in moves:
                batching.check_overwritten(stat, own)
        for stat, own in moves:
            new = own if mean_over is None else own.mean(mean_over)
            stat.mul_(1 - momentum).add_(new.to(stat.dtype), alpha=momentum)


@public(
    "nn.functional.group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05) -> Tensor",
    python=True,
    reads="dim",
    inner="group_norm(Tensor input, int num_groups, Tensor? weight, Tensor? bias, float eps, bool cudnn_enabled)",
)
def _group_norm(
    input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5
) -> Any:
    """Return `input` less the mean and over the standard deviation of groups of channels.

    Parameters
    ----------
    num_groups : int
        How many groups the channels, axis 1, make.
    weight, bias : Tensor or ArrayExpr, optional
        A factor and a term for each channel.
    eps : float
        What is added to the variance.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.
    ValueError
        If a group has one value.

    References
    ----------
    Y. Wu and K. He, "Group normalization" (2018).

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.group_norm(torch.tensor([[1.0, 2.0, 0.0, 4.0]]), 2)
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """
    shape = tuple(input.shape)
    if len(shape) < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {len(shape)}"
        )
    if not num_groups:
        raise ZeroDivisionError("integer division or modulo by zero")
    values = shape[0] * shape[1] // num_groups * int(np.prod(shape[2:]))
    if values == 1:
        listed = [shape[0] * shape[1] // num_groups, num_groups, *shape[2:]]
        _refuse_single(input, 1, str(listed))
    if num_groups < 0:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if shape[1] % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of "
            f"shape {list(shape)} and num_groups={num_groups}"
        )
    for name, x in (("weight", weight), ("bias", bias)):
        if x is not None and tuple(x.shape) != shape[1:2]:
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, "
                f"but got {name} of shape {list(x.shape)} and input of shape {list(shape)}"
            )
    _check_kinds(input, weight, bias)
    parts, given = _named(weight=weight, bias=bias)
    return bind(group_norm, (input, *parts, eps), (given, num_groups))


@public(
    "nn.functional.instance_norm(Tensor input, Tensor? running_mean=None, Tensor? running_var=None, Tensor? weight=None, Tensor? bias=None, bool use_input_stats=True, float momentum=0.1, float eps=1e-05) -> Tensor",
    python=True,
    reads="size",
    inner="instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled)",
)
def _instance_norm(
    input: Any, running_mean: Any = None, running_var: Any = None, weight: Any = None,
    bias: Any = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Any:  # fmt: skip
    """Return `input` less the mean and over the standard deviation of each channel of each entry.

    Parameters
    ----------
    running_mean, running_var, momentum
        As those of `batch_norm`.
    weight, bias : Tensor or ArrayExpr, optional
        A factor and a term for each channel, axis 1.
    use_input_stats : bool
        Whether mean and variance are those of `input`.
    eps : float
        What is added to the variance.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.
    ValueError
        If a channel has one value.

    References
    ----------
    D. Ulyanov, A. Vedaldi and V. Lempitsky, "Instance normalization" (2016).

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.instance_norm(torch.tensor([[[1.0, 2.0], [0.0, 4.0]]]))
    tensor([[[-1.0000,  1.0000],
             [-1.0000,  1.0000]]])
    """
    shape = tuple(input.shape)
    if use_input_stats and int(np.prod(shape[2:])) == 1:
        raise ValueError(
            "Expected more than 1 spatial element when training, got input size "
            f"torch.Size({list(shape)})"
        )
    if not use_input_stats:
        if running_mean is None or running_var is None:
            raise RuntimeError(
                "Expected running_mean and running_var to be defined when use_input_stats is false"
            )
        return _batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    if len(shape) < 2:
        raise IndexError("Dimension out of range (expected to be in range of [-1, 0], but got 1)")
    _check_channels(
        "instance_norm", shape[1], running_mean=running_mean, running_var=running_var,
        weight=weight, bias=bias,
    )  # fmt: skip
    parts, given = _named(weight=weight, bias=bias)
    out = bind(group_norm, (input, *parts, eps), (given, shape[1]))
    _move(input, tuple(range(2, len(shape))), (running_mean, running_var), momentum, 0)
    return out


@public(
    "nn.functional.local_response_norm(Tensor input, int size, Real alpha=0.0001, Real beta=0.75, Real k=1.0) -> Tensor",
    python=True,
    reads="dim",
)
def _local_response_norm(
    input: Any, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> Any:
    """Return `input` over a power of `k` plus the mean square of the channels around each.

    Parameters
    ----------
    size : int
        How many channels, axis 1, there are around each.
    alpha : float
        The factor of the mean square.
    beta : float
        The exponent.
    k : float
        The term.

    Raises
    ------
    ValueError
        If there are fewer than three axes.

    References
    ----------
    A. Krizhevsky, I. Sutskever and G. E. Hinton, "ImageNet classification with deep convolutional
    neural networks" (2012).

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.local_response_norm(torch.ones(1, 3, 1), 3, alpha=3.0, beta=1.0)
    tensor([[[0.3333],
             [0.2500],
             [0.3333]]])
    """
    rank = len(input.shape)
    if rank < 3:
        raise ValueError(
            "Expected 3D or higher dimensionality                          input (got "
            f"{rank} dimensions)"
        )
    around = (*(0, 0) * (rank - 2), size // 2, (size - 1) // 2)
    squares = padded(input * input, around).unfold(1, size, 1).mean(-1)
    return input / (squares * alpha + k) ** beta
