"""Layers that move elements between channels and places."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.layer import Layer


class PixelShuffle(Layer):
    """An image of more pixels, made of several channels of one of fewer.

    Parameters
    ----------
    upscale_factor : int
        How many pixels one becomes in each direction.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.PixelShuffle(3)(torch.randn(1, 9, 4, 4)).shape
    torch.Size([1, 1, 12, 12])
    """

    _shown = ("upscale_factor",)

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = upscale_factor

    def forward(self, input: Any) -> Any:
        return F.pixel_shuffle(input, self.upscale_factor)


class PixelUnshuffle(Layer):
    """What `PixelShuffle` makes an image of.

    Parameters
    ----------
    downscale_factor : int
        How many pixels become one in each direction.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.PixelUnshuffle(3)(torch.randn(1, 1, 12, 12)).shape
    torch.Size([1, 9, 4, 4])
    """

    _shown = ("downscale_factor",)

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = downscale_factor

    def forward(self, input: Any) -> Any:
        return F.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Layer):
    """The channels in another order: the first of each group, then the second of each.

    Parameters
    ----------
    groups : int
        The number of groups.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.ChannelShuffle(2)(torch.arange(4.0).reshape(1, 4, 1)).reshape(4)
    tensor([0., 2., 1., 3.])
    """

    _shown = ("groups",)

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = groups

    def forward(self, input: Any) -> Any:
        return F.channel_shuffle(input, self.groups)
