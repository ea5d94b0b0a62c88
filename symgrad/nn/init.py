"""Initial values of parameters: `symgrad.nn.init`, with PyTorch's numbers for the same seed."""

from __future__ import annotations

import functools
import math
import re
import warnings
from collections.abc import Callable
from typing import Any

from symgrad.expr.dtypes import bool_
from symgrad.functions.creation import CREATION
from symgrad.record.modes import no_grad
from symgrad.schema.public import SPACES

__all__ = [
    "calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal",
    "kaiming_normal_", "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_",
    "orthogonal", "orthogonal_", "sparse", "sparse_", "trunc_normal_", "uniform", "uniform_",
    "xavier_normal", "xavier_normal_", "xavier_uniform", "xavier_uniform_", "zeros_",
]  # fmt: skip


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """Return the factor of standard deviations that suits a nonlinearity.

    Parameters
    ----------
    nonlinearity : str
        The name of the function, as "relu".
    param : float, optional
        The slope of "leaky_relu"; 0.01 where not given.

    Raises
    ------
    ValueError
        If the function is unknown, or `param` no number.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.init.calculate_gain("tanh")
    1.6666666666666667
    """
    match nonlinearity:
        case "leaky_relu":
            slope = 0.01 if param is None else param
            if isinstance(slope, bool) or not isinstance(slope, (int, float)):
                raise ValueError(f"negative_slope {param} not a valid number")
            return math.sqrt(2.0 / (1 + slope**2))
        case "linear" | "sigmoid":
            return 1
        case "tanh":
            return 5.0 / 3
        case "relu":
            return math.sqrt(2.0)
        case "selu":
            return 3.0 / 4
    if re.fullmatch(r"conv(_transpose)?[123]d", nonlinearity):
        return 1
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    """Fill with numbers drawn uniformly from [a, b).

    Parameters
    ----------
    tensor : Tensor
        What is filled.
    a, b : float
        The bounds.
    generator : Generator, optional
        The stream.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.uniform_(torch.empty(3), -1, 1)
    tensor([-0.0075,  0.5364, -0.8230])
    """
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    """Fill with numbers drawn from a normal distribution.

    Parameters
    ----------
    tensor : Tensor
        What is filled.
    mean, std : float
        Of the distribution.
    generator : Generator, optional
        The stream.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.normal_(torch.empty(3), std=0.1)
    tensor([ 0.1541, -0.0293, -0.2179])
    """
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(
    tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0,
    generator: Any = None,
) -> Any:  # fmt: skip
    """Fill with numbers drawn from a normal distribution, of which only those in [a, b] count.

    Parameters
    ----------
    tensor : Tensor
        What is filled.
    mean, std : float
        Of the distribution.
    a, b : float
        The bounds.
    generator : Generator, optional
        The stream.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.trunc_normal_(torch.empty(3))
    tensor([ 1.5410, -0.2934, -1.3986])
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of "
            "values may be incorrect.",
            stacklevel=2,
        )

    def below(x: float) -> float:
        return (1.0 + math.erf((x - mean) / std / math.sqrt(2.0))) / 2.0

    with no_grad():
        if below(b) - below(a) > 0.3:
            _redraw(tensor, mean, std, a, b, generator)
        else:
            _reject(tensor, mean, std, a, b, generator)
    return tensor


def _redraw(tensor: Any, mean: float, std: float, a: float, b: float, generator: Any) -> None:
    """Draw normal numbers, and all those outside of the bounds again."""
    low, high = (tensor.new_tensor(bound).item() for bound in (a, b))
    tensor.normal_(mean, std, generator=generator)
    while True:
        outside = (tensor < low) | (tensor > high)
        if not outside.any():
            return
        drawn = CREATION["empty_like"](tensor).normal_(mean, std, generator=generator)
        tensor.copy_(drawn.where(outside, tensor))


def _reject(tensor: Any, mean: float, std: float, a: float, b: float, generator: Any) -> None:
    """Draw uniform numbers, and keep each with a probability that follows from the density."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    pending = CREATION["ones_like"](tensor, dtype=bool_)
    drawn, chance = CREATION["empty_like"](tensor), CREATION["empty_like"](tensor)
    while True:
        drawn.uniform_(a, b, generator=generator)
        tensor.copy_(drawn.where(pending, tensor))
        drawn.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        pending = pending & chance.uniform_(generator=generator).log_().gt(drawn)
        if not pending.any():
            return


def constant_(tensor: Any, val: float) -> Any:
    """Fill with a number.

    Parameters
    ----------
    tensor : Tensor
        What is filled.
    val : float
        The number.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.init.constant_(torch.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Any) -> Any:
    """Fill with ones.

    Parameters
    ----------
    tensor : Tensor
        What is filled.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.init.ones_(torch.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def zeros_(tensor: Any) -> Any:
    """Fill with zeros.

    Parameters
    ----------
    tensor : Tensor
        What is filled.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.init.zeros_(torch.empty(2))
    tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


def eye_(tensor: Any) -> Any:
    """Fill with the identity matrix.

    Parameters
    ----------
    tensor : Tensor
        A matrix.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.init.eye_(torch.empty(2, 3))
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        return tensor.copy_(CREATION["eye"](*tensor.shape))


def dirac_(tensor: Any, groups: int = 1) -> Any:
    """Fill the weights of a convolution so that it returns its input, channel by channel.

    Parameters
    ----------
    tensor : Tensor
        Of shape (out channels, in channels, ...), with one to three further axes.
    groups : int
        The number of groups of the convolution.

    Raises
    ------
    ValueError
        If the shape is another, or the groups do not divide it.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.init.dirac_(torch.empty(2, 2, 3))[1]
    tensor([[0., 0., 0.],
            [0., 1., 0.]])
    """
    shape = tensor.shape
    if len(shape) not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if shape[0] % groups:
        raise ValueError("dim 0 must be divisible by groups")
    size = shape[0] // groups
    centre = tuple([n // 2 for n in shape[2:]])
    with no_grad():
        tensor.zero_()
        for group in range(groups):
            for i in range(min(size, shape[1])):
                tensor[(group * size + i, i, *centre)] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Any) -> tuple[int, int]:
    """Return how many inputs each output of weights has, and how many outputs each input."""
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    places = math.prod(tensor.shape[2:])
    return tensor.shape[1] * places, tensor.shape[0] * places


def xavier_uniform_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Fill with uniform numbers of the variance ``2 * gain**2 / (fan_in + fan_out)``.

    Parameters
    ----------
    tensor : Tensor
        What is filled.
    gain : float
        A factor.
    generator : Generator, optional
        The stream.

    References
    ----------
    X. Glorot and Y. Bengio, "Understanding the difficulty of training deep feedforward neural
    networks" (2010).

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.xavier_uniform_(torch.empty(1, 3))
    tensor([[-0.0092,  0.6570, -1.0080]])
    """
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Any, gain: float = 1.0, generator: Any = None) -> Any:
    """Fill with normal numbers of the variance ``2 * gain**2 / (fan_in + fan_out)``.

    Parameters
    ----------
    tensor : Tensor
        What is filled.
    gain : float
        A factor.
    generator : Generator, optional
        The stream.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.xavier_normal_(torch.empty(1, 3))
    tensor([[ 1.0896, -0.2075, -1.5406]])
    """
    return normal_(tensor, 0.0, _xavier_std(tensor, gain), generator)


def _xavier_std(tensor: Any, gain: float) -> float:
    return gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))


def _calculate_correct_fan(tensor: Any, mode: str) -> int:
    """Return the number of inputs or of outputs, as the mode says."""
    modes = ["fan_in", "fan_out"]
    mode = mode.lower()
    if mode not in modes:
        raise ValueError(f"Mode {mode} not supported, please use one of {modes}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode)]


def _kaiming_std(tensor: Any, a: float, mode: str, nonlinearity: str) -> float | None:
    """Return the standard deviation, None where there is nothing to fill."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return None
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Any:  # fmt: skip
    """Fill with uniform numbers of the variance ``gain**2 / fan_in``.

    Parameters
    ----------
    tensor : Tensor
        What is filled.
    a : float
        The slope of "leaky_relu".
    mode : str
        "fan_in" or "fan_out": how many inputs an output has, or outputs an input.
    nonlinearity : str
        What follows the layer, which `calculate_gain` gives the gain of.
    generator : Generator, optional
        The stream.

    References
    ----------
    K. He et al., "Delving deep into rectifiers" (2015).

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.kaiming_uniform_(torch.empty(1, 3), nonlinearity="relu")
    tensor([[-0.0106,  0.7586, -1.1640]])
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    if std is None:
        return tensor
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
    generator: Any = None,
) -> Any:  # fmt: skip
    """Fill with normal numbers of the variance ``gain**2 / fan_in``.

    Parameters
    ----------
    tensor : Tensor
        What is filled.
    a : float
        The slope of "leaky_relu".
    mode : str
        "fan_in" or "fan_out": how many inputs an output has, or outputs an input.
    nonlinearity : str
        What follows the layer, which `calculate_gain` gives the gain of.
    generator : Generator, optional
        The stream.

    Examples
    --------
    >>> import symgrad as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.init.kaiming_normal_(torch.empty(1, 3), nonlinearity="relu")
    tensor([[ 1.2582, -0.2396, -1.7790]])
    """
    std = _kaiming_std(tensor, a, mode, nonlinearity)
    return tensor if std is None else normal_(tensor, 0, std, generator)


def orthogonal_(tensor: Any, gain: float = 1, generator: Any = None) -> Any:
    """Fill with a matrix whose rows, or columns, are orthogonal to each other.

    Parameters
    ----------
    tensor : Tensor
        A matrix, or weights of more axes, which count as one matrix of the first axis by the rest.
    gain : float
        The length of the rows or columns.
    generator : Generator, optional
        The stream.

    Raises
    ------
    ValueError
        If there are fewer than two axes.

    References
    ----------
    A. Saxe et al., "Exact solutions to the nonlinear dynamics of learning in deep linear neural
    networks" (2013).

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.nn.init.orthogonal_(torch.empty(2, 3, dtype=torch.float64))
    >>> torch.allclose(w @ w.T, torch.eye(2, dtype=torch.float64))
    True
    """
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    with no_grad():
        drawn = tensor.new_empty((rows, columns)).normal_(0, 1, generator=generator)
        q, r = SPACES["linalg"]["qr"](drawn.t() if rows < columns else drawn)
        q = q * r.diagonal().sign()  # so that each orthogonal matrix is as likely as any other
        tensor.copy_((q.t() if rows < columns else q).reshape(tensor.shape))
        return tensor.mul_(gain)


def sparse_(tensor: Any, sparsity: float, std: float = 0.01, generator: Any = None) -> Any:
    """Fill a matrix with normal numbers, and with zeros in a part of each column.

    Parameters
    ----------
    tensor : Tensor
        A matrix.
    sparsity : float
        The share of zeros.
    std : float
        The standard deviation of the others.
    generator : Generator, optional
        The stream of the numbers; the places of the zeros come from the default one.

    Raises
    ------
    ValueError
        If it is no matrix.

    References
    ----------
    J. Martens, "Deep learning via Hessian-free optimization" (2010).

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.nn.init.sparse_(torch.empty(4, 3), sparsity=0.5)
    >>> (w == 0).sum(0)
    tensor([2, 2, 2])
    """
    if tensor.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    count = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for column in range(columns):
            tensor[CREATION["randperm"](rows)[:count], column] = 0
    return tensor


def _deprecated(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function under its old name, without the underscore, which warns."""
    new = f.__name__
    old = new[:-1]

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(
            f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.",
            FutureWarning,
            stacklevel=2,
        )
        return f(*args, **kwargs)

    call.__name__ = call.__qualname__ = old
    return call


uniform = _deprecated(uniform_)
normal = _deprecated(normal_)
constant = _deprecated(constant_)
eye = _deprecated(eye_)
dirac = _deprecated(dirac_)
xavier_uniform = _deprecated(xavier_uniform_)
xavier_normal = _deprecated(xavier_normal_)
kaiming_uniform = _deprecated(kaiming_uniform_)
kaiming_normal = _deprecated(kaiming_normal_)
orthogonal = _deprecated(orthogonal_)
sparse = _deprecated(sparse_)
