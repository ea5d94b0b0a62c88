"""Layers that are linear, or bilinear, in what they are given."""

from __future__ import annotations

import math
from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
from symgrad.nn.modules.layer import Layer, parameter
from symgrad.nn.modules.module import Module


class Identity(Module):
    """What it is given.

    Parameters
    ----------
    *args, **kwargs
        Not used: it can take the place of any layer.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Identity(54, unused=True)(torch.ones(2))
    tensor([1., 1.])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        return input


class Linear(Layer):
    """`input @ weight.T + bias`.

    Parameters
    ----------
    in_features, out_features : int
        The lengths of the last axes of the argument and of the result.
    bias : bool
        Whether there is a bias.
    device, dtype : optional
        Of the parameters.

    Attributes
    ----------
    weight : Parameter
        Of shape (out_features, in_features), drawn uniformly from ±1/sqrt(in_features).
    bias : Parameter or None
        Of shape (out_features,), drawn alike.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.Linear(20, 30)
    >>> layer(torch.randn(128, 20)).shape
    torch.Size([128, 30])
    """

    _shown = ("in_features", "out_features")

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        options = {"device": device, "dtype": dtype}
        self.weight: Any = parameter(out_features, in_features, **options)
        self.register_parameter("bias", parameter(out_features, **options) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters anew.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Linear(2, 1)
        >>> _ = torch.manual_seed(0)
        >>> layer.reset_parameters()
        >>> layer.weight.detach()
        tensor([[-0.0053,  0.3793]])
        """
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, bias={self.bias is not None}"


class Bilinear(Layer):
    """`input1[i] * weight[o, i, j] * input2[j]`, summed over i and j, plus `bias[o]`.

    Parameters
    ----------
    in1_features, in2_features, out_features : int
        The lengths of the last axes of the arguments and of the result.
    bias : bool
        Whether there is a bias.
    device, dtype : optional
        Of the parameters.

    Attributes
    ----------
    weight : Parameter
        Of shape (out_features, in1_features, in2_features).
    bias : Parameter or None
        Of shape (out_features,).

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.Bilinear(20, 30, 40)
    >>> layer(torch.randn(128, 20), torch.randn(128, 30)).shape
    torch.Size([128, 40])
    """

    _shown = ("in1_features", "in2_features", "out_features")

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got ({in1_features=})")
        self.in1_features, self.in2_features = in1_features, in2_features
        self.out_features = out_features
        options = {"device": device, "dtype": dtype}
        self.weight: Any = parameter(out_features, in1_features, in2_features, **options)
        self.register_parameter("bias", parameter(out_features, **options) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters anew.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Bilinear(1, 2, 1)
        >>> _ = torch.manual_seed(0)
        >>> layer.reset_parameters()
        >>> layer.bias.detach()
        tensor([-0.8230])
        """
        bound = 1 / math.sqrt(self.weight.shape[1])
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Any, input2: Any) -> Any:
        """Compute the result of a call.

        Parameters
        ----------
        input1, input2 : Tensor or ArrayExpr
            Of shapes (*, in1_features) and (*, in2_features).

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.Bilinear(2, 3, 4).forward(torch.ones(2), torch.ones(3)).shape
        torch.Size([4])
        """
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, bias={self.bias is not None}"
