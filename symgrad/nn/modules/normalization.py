"""Layers that normalise over features and groups of channels."""

from __future__ import annotations

import operator
from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
from symgrad.nn.modules.layer import Layer, parameter
from symgrad.schema.public import FUNCTIONS


class Affine(Layer):
    """The base: layers with a factor and a term for each feature, of which there may be none."""

    def _add_affine(self, shape: tuple[int, ...], weight: bool, bias: bool, **options: Any) -> None:
        for name, wanted in (("weight", weight), ("bias", weight and bias)):
            self.register_parameter(name, parameter(*shape, **options) if wanted else None)

    def reset_parameters(self) -> None:
        """Set the factors to 1 and the terms to 0.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.LayerNorm(2)
        >>> layer.reset_parameters()
        >>> layer.bias
        Parameter containing:
        tensor([0., 0.], requires_grad=True)
        """
        parts = self._parameters
        if parts.get("weight") is not None:
            init.ones_(parts["weight"])
        if parts.get("bias") is not None:
            init.zeros_(parts["bias"])


def _shape_of(normalized_shape: Any) -> tuple[int, ...]:
    """Return a shape, which may be given as one length."""
    if hasattr(normalized_shape, "__index__"):
        return (operator.index(normalized_shape),)
    return tuple(normalized_shape)


class LayerNorm(Affine):
    """Deviations from the mean over the standard deviation, along the last axes.

    Parameters
    ----------
    normalized_shape : int or sequence of int
        The lengths of these axes.
    eps : float
        What is added to the variance.
    elementwise_affine, bias : bool
        Whether there are factors, and terms beside them.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.LayerNorm(2)(torch.tensor([[1.0, 2.0], [0.0, 4.0]])).detach()
    tensor([[-1.0000,  1.0000],
            [-1.0000,  1.0000]])
    """

    def __init__(
        self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True,
        bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = _shape_of(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        self._add_affine(
            self.normalized_shape, elementwise_affine, bias, device=device, dtype=dtype
        )
        self.reset_parameters()

    def forward(self, input: Any) -> Any:
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )


class RMSNorm(Affine):
    """Elements over the root of their mean square, along the last axes.

    Parameters
    ----------
    normalized_shape : int or sequence of int
        The lengths of these axes.
    eps : float, optional
        What is added to the mean square.
    elementwise_affine : bool
        Whether there are factors.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.RMSNorm(2)(torch.tensor([3.0, 4.0])).detach()
    tensor([0.8485, 1.1314])
    """

    def __init__(
        self, normalized_shape: Any, eps: float | None = None, elementwise_affine: bool = True,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = _shape_of(normalized_shape)
        self.eps, self.elementwise_affine = eps, elementwise_affine
        wanted = parameter(*self.normalized_shape, device=device, dtype=dtype)
        self.register_parameter("weight", wanted if elementwise_affine else None)
        self.reset_parameters()

    def forward(self, input: Any) -> Any:
        return F.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        )


class GroupNorm(Affine):
    """Deviations from the mean over the standard deviation of groups of channels.

    Parameters
    ----------
    num_groups, num_channels : int
        How many groups, and channels, axis 1, there are.
    eps : float
        What is added to the variance.
    affine, bias : bool
        Whether there are factors, and terms beside them.
    device, dtype : optional
        Of the parameters.

    Raises
    ------
    ValueError
        If the groups do not divide the channels.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.GroupNorm(2, 4)(torch.tensor([[1.0, 2.0, 0.0, 4.0]])).detach()
    tensor([[-1.0000,  1.0000, -1.0000,  1.0000]])
    """

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True,
        device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        if num_channels % num_groups:
            raise ValueError(
                f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})"
            )
        self.num_groups, self.num_channels = num_groups, num_channels
        self.eps, self.affine = eps, affine
        self._add_affine((num_channels,), affine, bias, device=device, dtype=dtype)
        self.reset_parameters()

    def forward(self, input: Any) -> Any:
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
            f"bias={self.bias is not None}"
        )


class LocalResponseNorm(Layer):
    """Elements over a power of `k` plus the mean square of the channels around each.

    Parameters
    ----------
    size : int
        How many channels, axis 1, there are around each.
    alpha, beta, k : float
        The factor of the mean square, the exponent, and the term.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.LocalResponseNorm(3, alpha=3.0, beta=1.0)(torch.ones(1, 3, 1)).reshape(3)
    tensor([0.3333, 0.2500, 0.3333])
    """

    _shown = ("alpha", "beta", "k")

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Any) -> Any:
        return F.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, {super().extra_repr()}"


class CrossMapLRN2d(Layer):
    """Elements over a power of `k` plus squares of the channels around each, over `size`.

    Parameters
    ----------
    size : int
        How many channels, axis 1, there are around each; of an even number one less is taken.
    alpha, beta, k : float
        The factor of the squares, the exponent, and the term.

    Notes
    -----
    As in PyTorch, the first channel stays among those around a channel once it is there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.CrossMapLRN2d(3, alpha=3.0, beta=1.0)(torch.ones(1, 3, 1, 1)).reshape(3)
    tensor([0.3333, 0.2500, 0.2500])
    """

    _shown = ("alpha", "beta", "k")

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1) -> None:
        super().__init__()
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def forward(self, input: Any) -> Any:
        rank = len(input.shape)
        if rank != 4:
            raise ValueError(f"CrossMapLRN2d: Expected input to be 4D, got {rank}D instead.")
        reach, channels = (self.size - 1) // 2 + 1, input.shape[1]
        squares, around = input * input, []
        for c in range(channels):
            lower, upper = max(c - reach + 1, 0), min(c + reach, channels)
            total = squares[:, lower:upper].sum(1)
            around.append(total + squares[:, 0] if lower else total)
        scale = FUNCTIONS["stack"](around, 1) * (self.alpha / self.size) + self.k
        return input * scale**-self.beta

    def extra_repr(self) -> str:
        return f"{self.size}, {super().extra_repr()}"
