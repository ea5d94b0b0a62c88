"""Activations: functions of each element, and those that normalise along an axis."""

from __future__ import annotations

from typing import Any, ClassVar

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.layer import Layer
from symgrad.schema.public import FUNCTIONS


class Threshold(Layer):
    """Each element where it is greater than `threshold`, else `value`.

    Parameters
    ----------
    threshold : float
        What elements are compared with.
    value : float
        What takes the place of the others.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Threshold(1.0, -7.0)(torch.tensor([0.5, 2.0]))
    tensor([-7.,  2.])
    """

    _shown = ("threshold", "value")

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input: Any) -> Any:
        return F.threshold(input, self.threshold, self.value, self.inplace)


class ReLU(Layer):
    """The positive part of each element.

    Parameters
    ----------
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.ReLU()(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return F.relu(input, self.inplace)


class Hardtanh(Layer):
    """Each element between `min_val` and `max_val`, else the nearer of these.

    Parameters
    ----------
    min_val : float
        The least value.
    max_val : float
        The greatest value.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Hardtanh()(torch.tensor([-2.0, 0.5]))
    tensor([-1.0000,  0.5000])
    """

    _shown: ClassVar[tuple[str, ...]] = ("min_val", "max_val")

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace

    def forward(self, input: Any) -> Any:
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)


class ReLU6(Hardtanh):
    """Each element between 0 and 6, else the nearer of these.

    Parameters
    ----------
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.ReLU6()(torch.tensor([-1.0, 2.0, 8.0]))
    tensor([0., 2., 6.])
    """

    _shown: ClassVar[tuple[str, ...]] = ()

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)


class Sigmoid(Layer):
    """`1/(1 + exp(-x))` of each element.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Sigmoid()(torch.tensor([0.0, 2.0]))
    tensor([0.5000, 0.8808])
    """

    def forward(self, input: Any) -> Any:
        return FUNCTIONS["sigmoid"](input)


class Tanh(Layer):
    """The hyperbolic tangent of each element.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Tanh()(torch.tensor([0.0, 2.0]))
    tensor([0.0000, 0.9640])
    """

    def forward(self, input: Any) -> Any:
        return FUNCTIONS["tanh"](input)


class SiLU(Layer):
    """`x*sigmoid(x)` of each element.

    Parameters
    ----------
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.SiLU()(torch.tensor([-1.0, 2.0]))
    tensor([-0.2689,  1.7616])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return F.silu(input, self.inplace)


class ELU(Layer):
    """Each element where it is positive, else `alpha*(exp(x) - 1)`.

    Parameters
    ----------
    alpha : float
        The factor.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.ELU()(torch.tensor([-1.0, 2.0]))
    tensor([-0.6321,  2.0000])
    """

    _shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Any) -> Any:
        return F.elu(input, self.alpha, self.inplace)


class SELU(Layer):
    """`ELU` with the factors that keep mean and variance, as they were published.

    Parameters
    ----------
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.SELU()(torch.tensor([-1.0, 2.0]))
    tensor([-1.1113,  2.1014])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return F.selu(input, self.inplace)


class GELU(Layer):
    """`x*Phi(x)` of each element, where `Phi` is the normal distribution function.

    Parameters
    ----------
    approximate : str
        "tanh" for an approximation by the hyperbolic tangent.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.GELU()(torch.tensor([-1.0, 2.0]))
    tensor([-0.1587,  1.9545])
    """

    _shown = ("approximate",)

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Any) -> Any:
        return F.gelu(input, approximate=self.approximate)


class LeakyReLU(Layer):
    """Each element where it is positive, else `negative_slope*x`.

    Parameters
    ----------
    negative_slope : float
        The slope of what is negative.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.LeakyReLU(0.1)(torch.tensor([-1.0, 2.0]))
    tensor([-0.1000,  2.0000])
    """

    _shown = ("negative_slope",)

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input: Any) -> Any:
        return F.leaky_relu(input, self.negative_slope, self.inplace)


class LogSigmoid(Layer):
    """The logarithm of `1/(1 + exp(-x))` of each element.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.LogSigmoid()(torch.tensor([-1.0, 2.0]))
    tensor([-1.3133, -0.1269])
    """

    def forward(self, input: Any) -> Any:
        return F.logsigmoid(input)


class Softplus(Layer):
    """`log(1 + exp(beta*x))/beta` of each element; x where `beta*x` is above `threshold`.

    Parameters
    ----------
    beta : float
        How sharp the bend is.
    threshold : float
        From where on the function is linear.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Softplus()(torch.tensor([-1.0, 2.0]))
    tensor([0.3133, 2.1269])
    """

    _shown = ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Any) -> Any:
        return F.softplus(input, self.beta, self.threshold)


class Softmin(Layer):
    """`exp(-x)` over its sum along an axis.

    Parameters
    ----------
    dim : int, optional
        The axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Softmin(dim=0)(torch.tensor([0.0, 1.0]))
    tensor([0.7311, 0.2689])
    """

    _shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        return F.softmin(input, self.dim)


class Softmax(Layer):
    """`exp(x)` over its sum along an axis.

    Parameters
    ----------
    dim : int, optional
        The axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Softmax(dim=0)(torch.tensor([0.0, 1.0]))
    tensor([0.2689, 0.7311])
    """

    _shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        return F.softmax(input, self.dim)


class LogSoftmax(Layer):
    """The logarithm of `exp(x)` over its sum along an axis.

    Parameters
    ----------
    dim : int, optional
        The axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.LogSoftmax(dim=0)(torch.tensor([0.0, 1.0]))
    tensor([-1.3133, -0.3133])
    """

    _shown = ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        return F.log_softmax(input, self.dim)
