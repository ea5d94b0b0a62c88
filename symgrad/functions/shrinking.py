"""What users call of `symgrad.ops.shrinking`, and activations that are a line of others."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from symgrad.expr.shapes import canonical_axis
from symgrad.functions.activations import applied
from symgrad.functions.creation.making import CREATION, drawn_from
from symgrad.ops.activations import leaky_relu
from symgrad.ops.primitive import bind
from symgrad.ops.shrinking import hardshrink, hardsigmoid, hardswish, mish, prelu, softshrink
from symgrad.random.default_stream import default_generator
from symgrad.record.face import face_of, shows
from symgrad.record.tape import as_one_node
from symgrad.schema.arguments import tensor_argument
from symgrad.schema.public import public

shows(hardshrink, softshrink, saved=("self", "lambd"))
shows(hardsigmoid, hardswish, mish, saved=("self",))
shows(prelu, name="PreluKernel", saved=("self", "weight"))
_RRELU = dataclasses.replace(face_of(leaky_relu), name="RreluWithNoise", layout="axes")


@public(
    "hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", aliases=("nn.functional.hardshrink",)
)
def _hardshrink(input: Any, lambd: float = 0.5) -> Any:
    """Return `x` where its modulus is greater than `lambd`, else 0.

    Parameters
    ----------
    lambd : float
        The bound.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.hardshrink(torch.tensor([-1.0, 0.3, 2.0]))
    tensor([-1.,  0.,  2.])
    """
    return bind(hardshrink, (input, +lambd))  # the number of a truth value


@public("nn.functional.softshrink(Tensor input, Real lambd=0.5) -> Tensor")
def _softshrink(input: Any, lambd: float = 0.5) -> Any:
    """Return `x` moved by `lambd` towards 0, and 0 where it would pass that.

    Parameters
    ----------
    lambd : float
        By how much, at least 0.

    Raises
    ------
    RuntimeError
        If `lambd` is negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.softshrink(torch.tensor([-1.0, 0.3, 2.0]))
    tensor([-0.5000,  0.0000,  1.5000])
    """
    if not lambd >= 0:
        most = float(np.finfo(input.dtype.numpy).max)
        raise RuntimeError(
            f"lambda must be in range [0, {most:g}] for input dtype {input.dtype.scalar_name}, but "
            f"found {lambd:g}"
        )
    return bind(softshrink, (input, +lambd))  # the number of a truth value


@public("nn.functional.hardsigmoid(Tensor input, object inplace=False) -> Tensor", python=True)
def _hardsigmoid(input: Any, inplace: bool = False) -> Any:
    """Return `relu6(x + 3)/6`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.hardsigmoid(torch.tensor([-4.0, 0.0, 1.5]))
    tensor([0.0000, 0.5000, 0.7500])
    """
    return applied(hardsigmoid, (input,), inplace)


@public("nn.functional.hardswish(Tensor input, object inplace=False) -> Tensor", python=True)
def _hardswish(input: Any, inplace: bool = False) -> Any:
    """Return `x*relu6(x + 3)/6`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.hardswish(torch.tensor([-1.0, 1.5, 4.0]))
    tensor([-0.3333,  1.1250,  4.0000])
    """
    return applied(hardswish, (input,), inplace)


@public("nn.functional.mish(Tensor input, object inplace=False) -> Tensor", python=True)
def _mish(input: Any, inplace: bool = False) -> Any:
    """Return `x*tanh(log(1 + exp(x)))`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.mish(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.3034,  0.0000,  1.9440])
    """
    return applied(mish, (input,), inplace)


@public("prelu(Tensor self, Tensor weight) -> Tensor", aliases=("nn.functional.prelu",))
def _prelu(input: Any, weight: Any) -> Any:
    """Return `x` where it is positive, else `weight*x`.

    Parameters
    ----------
    weight : Tensor or ArrayExpr
        One slope, or one for each channel, which stands along axis 1.

    Raises
    ------
    RuntimeError
        If the number of slopes is neither 1 nor that of channels.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.prelu(torch.tensor([[-1.0, -1.0]]), torch.tensor([0.25, 0.5]))
    tensor([[-0.2500, -0.5000]])
    """
    if input.dtype is not weight.dtype:
        raise RuntimeError(
            "prelu: Type promoting not supported. Got "
            f"{input.dtype.scalar_name} and {weight.dtype.scalar_name}"
        )
    rank, shape = len(input.shape), weight.shape
    if len(shape) > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {len(shape)}"
        )
    if shape and shape[0] != 1:
        if not rank:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = input.shape[1] if rank > 1 else 1
        if shape[0] != channels:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{shape[0]} and channel size = {channels}."
            )
    if len(shape) != rank:
        behind = (1,) * max(rank - 2, 0)
        weight = weight.reshape((1, -1, *behind) if rank > 1 else (1,) * rank)
    return bind(prelu, (input, weight))


@public(
    "nn.functional.rrelu(Tensor input, Real lower=0.125, Real upper=0.3333333333333333, bool training=False, object inplace=False) -> Tensor",
    python=True,
    inner="rrelu(Tensor self, Real lower, Real upper, bool training)",
    in_place="function",
)
def _rrelu(
    input: Any,
    lower: float = 1.0 / 8,
    upper: float = 1.0 / 3,
    training: bool = False,
    inplace: bool = False,
) -> Any:
    """Return `x` where it is positive, else x times a slope, which is drawn in training.

    Parameters
    ----------
    lower, upper : float
        The bounds of the slopes; without training each is the mean of both.
    training : bool
        Whether the slopes are drawn.

    Raises
    ------
    RuntimeError
        If the bounds are out of order.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.rrelu(torch.tensor([-1.0, 2.0]), 0.1, 0.3)
    tensor([-0.2000,  2.0000])
    """
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    if not training:
        slope = (lower + upper) / 2
        if not inplace:
            return bind(leaky_relu, (input, slope), (), _RRELU)
        return applied(leaky_relu, (input, slope), True, (), (_RRELU, _RRELU))
    x = tensor_argument("rrelu", input)

    def slopes(data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        found = np.ones(data.shape, data.dtype)
        below = data <= 0
        found[below] = default_generator.uniform(
            (int(below.sum()),), np.dtype(np.float64), lower, upper
        )
        return found

    factors = drawn_from(x, slopes)
    return x.mul_(factors) if inplace else x * factors


@public(
    "nn.functional.glu(Tensor input, int dim=-1) -> Tensor",
    python=True,
    reads="dim",
    inner="glu(Tensor self, int dim)",
)
def _glu(input: Any, dim: int = -1) -> Any:
    """Return the first half of `input` along an axis times the sigmoid of the second half.

    Raises
    ------
    RuntimeError
        If the axis has an odd length.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.glu(torch.tensor([1.0, 2.0, 0.0, 3.0]))
    tensor([0.5000, 1.9051])
    """
    if not len(input.shape):
        raise RuntimeError("glu does not support scalars because halving size must be even")
    axis = canonical_axis(dim, len(input.shape))
    n = input.shape[axis]
    if n % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {axis} is size {n}")
    gate = input.narrow(axis, n // 2, n // 2).sigmoid()
    return as_one_node(input.narrow(axis, 0, n // 2) * gate, "Glu", input)


@public("nn.functional.softsign(Tensor input) -> Tensor", python=True, reads="abs")
def _softsign(input: Any) -> Any:
    """Return `x/(1 + abs(x))`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.softsign(torch.tensor([-1.0, 3.0]))
    tensor([-0.5000,  0.7500])
    """
    return input / (input.abs() + 1)


@public("nn.functional.tanhshrink(Tensor input) -> Tensor", python=True, reads="tanh")
def _tanhshrink(input: Any) -> Any:
    """Return `x - tanh(x)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.tanhshrink(torch.tensor([-1.0, 2.0]))
    tensor([-0.2384,  1.0360])
    """
    return input - input.tanh()


@public(
    "nn.functional.gumbel_softmax(Tensor logits, float tau=1, object hard=False, float eps=1e-10, int dim=-1) -> Tensor",
    python=True,
)
def _gumbel_softmax(
    logits: Any, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1
) -> Any:
    """Return a sample of probabilities by the Gumbel-softmax distribution.

    Parameters
    ----------
    logits : Tensor
        Logarithms of probabilities, up to a constant along the axis.
    tau : float
        The temperature.
    hard : bool
        Whether the sample has one 1 and zeros; its gradient is that of the probabilities.
    eps : float
        Not used any more.

    References
    ----------
    E. Jang, S. Gu and B. Poole, "Categorical reparameterization with Gumbel-softmax" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.gumbel_softmax(torch.zeros(3), hard=True)
    tensor([0., 0., 1.])
    """
    x = tensor_argument("gumbel_softmax", logits, "logits")
    dim, hard = canonical_axis(dim, len(x.shape)), bool(hard)  # before a number is drawn
    noise = CREATION["empty_like"](x.detach()).exponential_()
    y = ((x - noise.log()) / tau).softmax(dim)
    if not hard:
        return y
    best = y.detach().max(dim, keepdim=True)[1]
    ones = CREATION["zeros_like"](y.detach()).scatter_(dim, best, 1.0)
    return ones - y.detach() + y
