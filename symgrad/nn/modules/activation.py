"""Activations: smooth functions of each element, and `ReLU` and its kin."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.init import constant_
from symgrad.nn.modules.layer import Layer, parameter
from symgrad.schema.public import FUNCTIONS


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


class RReLU(Layer):
    """Each element where it is positive, else x times a slope, which is drawn in training.

    Parameters
    ----------
    lower : float
        The least slope.
    upper : float
        The greatest slope; after training the slope is the mean of both.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.RReLU(0.1, 0.3).eval()(torch.tensor([-1.0, 2.0]))
    tensor([-0.2000,  2.0000])
    """

    _shown = ("lower", "upper")

    def __init__(
        self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False
    ) -> None:
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input: Any) -> Any:
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)


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


class Mish(Layer):
    """`x*tanh(softplus(x))` of each element.

    Parameters
    ----------
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Mish()(torch.tensor([-1.0, 2.0]))
    tensor([-0.3034,  1.9440])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        return F.mish(input, self.inplace)


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


class CELU(Layer):
    """Each element where it is positive, else `alpha*(exp(x/alpha) - 1)`.

    Parameters
    ----------
    alpha : float
        The factor.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.CELU(2.0)(torch.tensor([-1.0, 2.0]))
    tensor([-0.7869,  2.0000])
    """

    _shown = ("alpha",)

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input: Any) -> Any:
        return F.celu(input, self.alpha, self.inplace)


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


class PReLU(Layer):
    """Each element where it is positive, else x times a slope, which is a parameter.

    Parameters
    ----------
    num_parameters : int
        1, or the number of channels, axis 1, for a slope of each.
    init : float
        The first value of the slopes.
    device, dtype : optional
        Of the slopes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.PReLU()(torch.tensor([-1.0, 2.0])).detach()
    tensor([-0.2500,  2.0000])
    """

    _shown = ("num_parameters",)

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight: Any = parameter(num_parameters, device=device, dtype=dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the slopes to their first value.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.PReLU()
        >>> layer.reset_parameters()
        >>> layer.weight.item()
        0.25
        """
        constant_(self.weight, self.init)

    def forward(self, input: Any) -> Any:
        return F.prelu(input, self.weight)
