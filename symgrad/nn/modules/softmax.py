"""Activations along an axis."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.layer import Layer
from symgrad.nn.modules.module import Module


class GLU(Layer):
    """The first half along an axis times the sigmoid of the second half.

    Parameters
    ----------
    dim : int
        The axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.GLU()(torch.tensor([1.0, 2.0, 0.0, 3.0]))
    tensor([0.5000, 1.9051])
    """

    _shown = ("dim",)

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        return F.glu(input, self.dim)


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


class Softmax2d(Module):
    """`exp(x)` over its sum along the channels of images, axis -3.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Softmax2d()(torch.zeros(2, 1, 2))
    tensor([[[0.5000, 0.5000]],
    <BLANKLINE>
            [[0.5000, 0.5000]]])
    """

    def forward(self, input: Any) -> Any:
        rank = len(input.shape)
        if rank not in (3, 4):
            raise ValueError(f"Softmax2d: expected input to be 3D or 4D, got {rank}D instead")
        return F.softmax(input, -3)


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
