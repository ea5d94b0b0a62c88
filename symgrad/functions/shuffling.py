"""Elements that move between channels and places: `pixel_shuffle`, `channel_shuffle`."""

from __future__ import annotations

from typing import Any

from symgrad.ops.identity import contiguous
from symgrad.ops.primitive import bind
from symgrad.record.record import Recorded
from symgrad.record.tape import as_one_node
from symgrad.schema.public import public


def _check(name: str, word: str, input: Any, factor: int) -> None:
    if len(input.shape) < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with "
            f"{len(input.shape)} dimension(s)"
        )
    if factor <= 0:
        raise RuntimeError(f"{name} expects a positive {word}, but got {factor}")


def _in_order(moved: Any, shape: tuple[int, ...]) -> Any:
    """Return the elements in a shape, in memory of their own."""
    made = moved.reshape(shape)
    shares = isinstance(made, Recorded) and made._base is not None
    return bind(contiguous, (made,)) if shares else made


@public(
    "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
    aliases=("nn.functional.pixel_shuffle",),
    method=False,
)
def _pixel_shuffle(input: Any, upscale_factor: int) -> Any:
    """Return an image of more pixels, made of several channels of one of fewer.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (*, C * r**2, H, W).
    upscale_factor : int
        How many pixels r one becomes in each direction.

    Raises
    ------
    RuntimeError
        If the channels do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.pixel_shuffle(torch.arange(4.0).reshape(4, 1, 1), 2)
    tensor([[[0., 1.],
             [2., 3.]]])
    """
    r = upscale_factor
    _check("pixel_shuffle", "upscale_factor", input, r)
    *lead, c, h, w = input.shape
    if c % r**2:
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square "
            f"of upscale_factor, but input.size(-3)={c} is not divisible by {r**2}"
        )
    n = len(lead)
    parted = input.reshape((*lead, c // r**2, r, r, h, w))
    moved = parted.permute((*range(n), n, n + 3, n + 1, n + 4, n + 2))
    made = _in_order(moved, (*lead, c // r**2, h * r, w * r))
    return as_one_node(made, "PixelShuffle", input)


@public(
    "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
    aliases=("nn.functional.pixel_unshuffle",),
    method=False,
)
def _pixel_unshuffle(input: Any, downscale_factor: int) -> Any:
    """Return what `pixel_shuffle` makes `input` of.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (*, C, H * r, W * r).
    downscale_factor : int
        How many pixels r become one in each direction.

    Raises
    ------
    RuntimeError
        If the lengths do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.pixel_unshuffle(torch.arange(4.0).reshape(1, 2, 2), 2).reshape(-1)
    tensor([0., 1., 2., 3.])
    """
    r = downscale_factor
    _check("pixel_unshuffle", "downscale_factor", input, r)
    *lead, c, h, w = input.shape
    for name, axis, size in (("height", -2, h), ("width", -1, w)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but "
                f"input.size({axis})={size} is not divisible by {r}"
            )
    n = len(lead)
    parted = input.reshape((*lead, c, h // r, r, w // r, r))
    moved = parted.permute((*range(n), n, n + 2, n + 4, n + 1, n + 3))
    made = _in_order(moved, (*lead, c * r**2, h // r, w // r))
    return as_one_node(made, "PixelUnshuffle", input)


@public(
    "channel_shuffle(Tensor self, int groups) -> Tensor",
    aliases=("nn.functional.channel_shuffle",),
    method=False,
)
def _channel_shuffle(input: Any, groups: int) -> Any:
    """Return the channels in another order: the first of each group, then the second of each.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (N, C, *) with at least three axes.
    groups : int
        The number of groups.

    Raises
    ------
    RuntimeError
        If the groups do not divide the channels.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.channel_shuffle(torch.arange(4.0).reshape(1, 4, 1), 2).reshape(-1)
    tensor([0., 2., 1., 3.])
    """
    shape = tuple(input.shape)
    if len(shape) <= 2:
        raise RuntimeError(
            f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(shape)}"
        )
    if groups <= 0:
        raise RuntimeError(
            f"Number of groups to divide channels in must be positive. Value of groups:{groups}"
        )
    if shape[1] % groups:
        raise RuntimeError(
            f"Number of channels must be divisible by groups. Got {shape[1]} channels and {groups} "
            "groups."
        )
    parted = input.reshape((shape[0], groups, shape[1] // groups, *shape[2:]))
    made = _in_order(parted.transpose(1, 2), shape)
    return as_one_node(made, "ChannelShuffle", input)


@public(
    "native_channel_shuffle(Tensor self, int groups) -> Tensor",
    aliases=("nn.functional.native_channel_shuffle",),
    method=False,
)
def _native_channel_shuffle(input: Any, groups: int) -> Any:
    """Return what `channel_shuffle` does, by PyTorch's name of its kernel.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (N, C, *) with at least three axes.
    groups : int
        The number of groups.

    Raises
    ------
    RuntimeError
        If the groups do not divide the channels.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.native_channel_shuffle(torch.arange(4.0).reshape(1, 4, 1), 2).reshape(-1)
    tensor([0., 2., 1., 3.])
    """
    return _channel_shuffle(input, groups)
