"""Layers that leave out in training, by chance, a part of what they are given."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.module import Module


class DropoutLayer(Module):
    """The base of these layers.

    Parameters
    ----------
    p : float
        The probability of being left out.
    inplace : bool
        Whether the result takes the place of the argument in memory.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(DropoutLayer):
    """Each element zero with probability `p`, the others over `1 - p`; in training alone.

    Parameters
    ----------
    p : float
        The probability.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.Dropout(0.2)
    >>> _ = torch.manual_seed(0)
    >>> layer(torch.ones(5))
    tensor([0.0000, 1.2500, 1.2500, 0.0000, 1.2500])
    >>> layer.eval()(torch.ones(5))
    tensor([1., 1., 1., 1., 1.])
    """

    def forward(self, input: Any) -> Any:
        return F.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(DropoutLayer):
    """Each channel, axis 1, zero with probability `p`, the others over `1 - p`; in training alone.

    Parameters
    ----------
    p : float
        The probability.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Dropout1d(0.2)(torch.ones(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def forward(self, input: Any) -> Any:
        return F.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(DropoutLayer):
    """Each channel, axis 1, zero with probability `p`, the others over `1 - p`; in training alone.

    Parameters
    ----------
    p : float
        The probability.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Dropout2d(0.2)(torch.ones(2, 3, 4, 5)).shape
    torch.Size([2, 3, 4, 5])
    """

    def forward(self, input: Any) -> Any:
        return F.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(DropoutLayer):
    """Each channel, axis 1, zero with probability `p`, the others over `1 - p`; in training alone.

    Parameters
    ----------
    p : float
        The probability.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Dropout3d(0.2)(torch.ones(2, 3, 4, 5, 6)).shape
    torch.Size([2, 3, 4, 5, 6])
    """

    def forward(self, input: Any) -> Any:
        return F.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(DropoutLayer):
    """Dropout that keeps a mean of 0 and a variance of 1, as `SELU` does; in training alone.

    Parameters
    ----------
    p : float
        The probability.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.AlphaDropout(0.2)(torch.ones(5)).shape
    torch.Size([5])
    """

    def forward(self, input: Any) -> Any:
        return F.alpha_dropout(input, self.p, self.training)


class FeatureAlphaDropout(DropoutLayer):
    """`AlphaDropout` of whole channels, axis 1.

    Parameters
    ----------
    p : float
        The probability.
    inplace : bool
        Whether the result takes the place of the argument in memory.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.FeatureAlphaDropout(0.2)(torch.ones(2, 3, 4)).shape
    torch.Size([2, 3, 4])
    """

    def forward(self, input: Any) -> Any:
        return F.feature_alpha_dropout(input, self.p, self.training)


#: PyTorch's name of the base, of which programs ask whether a layer is one.
_DropoutNd = DropoutLayer
