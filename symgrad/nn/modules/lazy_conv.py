"""Convolutions that read the number of channels off their first argument: `LazyConv2d` and its kin.

They are loaded when one is asked for (`symgrad.nn.uninitialized`).
"""

from __future__ import annotations

from typing import Any, ClassVar

from symgrad.nn.modules.conv import (
    Conv1d,
    Conv2d,
    Conv3d,
    ConvTranspose1d,
    ConvTranspose2d,
    ConvTranspose3d,
)
from symgrad.nn.modules.lazy import LazyModuleMixin
from symgrad.nn.uninitialized import UninitializedParameter

__all__ = [
    "LazyConv1d", "LazyConv2d", "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d",
    "LazyConvTranspose3d",
]  # fmt: skip


class LazyConvolution(LazyModuleMixin):
    """What convolutions have in common that get `in_channels` from their first argument."""

    weight: Any
    bias: Any
    in_channels: int
    out_channels: int
    groups: int
    kernel_size: tuple[int, ...]
    _axes: ClassVar[int]
    _transposed: ClassVar[bool]

    def _set_parameters(self, out_channels: int, bias: bool, device: Any, dtype: Any) -> None:
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def _width(self) -> int:
        return self.in_channels

    def initialize_parameters(self, input: Any, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes, and values.

        Parameters
        ----------
        input : Tensor
            The first argument.
        *args, **kwargs
            Not used.

        Raises
        ------
        RuntimeError
            If the number of axes does not fit.
        ValueError
            If the channels do not divide into groups.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.LazyConv1d(2, 3)
        >>> layer.initialize_parameters(torch.ones(1, 4, 5))
        >>> layer.weight.shape
        torch.Size([2, 4, 3])
        """
        if not self.has_uninitialized_params():
            return
        rank, axes = len(input.shape), self._axes
        if rank not in (axes + 1, axes + 2):
            raise RuntimeError(
                f"Expected {axes + 1}D (unbatched) or {axes + 2}D (batched) input to "
                f"{type(self).__name__}, but got input of size: {input.shape}"
            )
        self.in_channels = input.shape[-axes - 1]
        if self.in_channels % self.groups:
            raise ValueError("in_channels must be divisible by groups")
        first, second = self.in_channels, self.out_channels
        if not self._transposed:
            first, second = second, first
        self.weight.materialize((first, second // self.groups, *self.kernel_size))
        if self.bias is not None:
            self.bias.materialize((self.out_channels,))
        self.reset_parameters()


class LazyConv1d(LazyConvolution, Conv1d):
    """`Conv1d`, whose `in_channels` is the number of channels of its first argument.

    Parameters
    ----------
    out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode
        As those of `Conv1d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyConv1d(2, 3)
    >>> layer(torch.ones(1, 4, 5)).shape
    torch.Size([1, 2, 3])
    >>> layer.in_channels
    4
    """

    cls_to_become = Conv1d

    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device,
            dtype,
        )  # fmt: skip
        self._set_parameters(out_channels, bias, device, dtype)


class LazyConv2d(LazyConvolution, Conv2d):
    """`Conv2d`, whose `in_channels` is the number of channels of its first argument.

    Parameters
    ----------
    out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode
        As those of `Conv2d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyConv2d(2, 3)
    >>> layer(torch.ones(1, 4, 5, 5)).shape
    torch.Size([1, 2, 3, 3])
    >>> layer.in_channels
    4
    """

    cls_to_become = Conv2d

    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device,
            dtype,
        )  # fmt: skip
        self._set_parameters(out_channels, bias, device, dtype)


class LazyConv3d(LazyConvolution, Conv3d):
    """`Conv3d`, whose `in_channels` is the number of channels of its first argument.

    Parameters
    ----------
    out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode
        As those of `Conv3d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyConv3d(2, 3)
    >>> layer(torch.ones(1, 4, 5, 5, 5)).shape
    torch.Size([1, 2, 3, 3, 3])
    >>> layer.in_channels
    4
    """

    cls_to_become = Conv3d

    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros",
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode, device,
            dtype,
        )  # fmt: skip
        self._set_parameters(out_channels, bias, device, dtype)


class LazyConvTranspose1d(LazyConvolution, ConvTranspose1d):
    """`ConvTranspose1d`, whose `in_channels` is the number of channels of its first argument.

    Parameters
    ----------
    out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation, padding_mode
        As those of `ConvTranspose1d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyConvTranspose1d(2, 3)
    >>> layer(torch.ones(1, 4, 5)).shape
    torch.Size([1, 2, 7])
    >>> layer.in_channels
    4
    """

    cls_to_become = ConvTranspose1d

    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1,
        padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
            padding_mode, device, dtype,
        )  # fmt: skip
        self._set_parameters(out_channels, bias, device, dtype)


class LazyConvTranspose2d(LazyConvolution, ConvTranspose2d):
    """`ConvTranspose2d`, whose `in_channels` is the number of channels of its first argument.

    Parameters
    ----------
    out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation, padding_mode
        As those of `ConvTranspose2d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyConvTranspose2d(2, 3)
    >>> layer(torch.ones(1, 4, 5, 5)).shape
    torch.Size([1, 2, 7, 7])
    >>> layer.in_channels
    4
    """

    cls_to_become = ConvTranspose2d

    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1,
        padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
            padding_mode, device, dtype,
        )  # fmt: skip
        self._set_parameters(out_channels, bias, device, dtype)


class LazyConvTranspose3d(LazyConvolution, ConvTranspose3d):
    """`ConvTranspose3d`, whose `in_channels` is the number of channels of its first argument.

    Parameters
    ----------
    out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation, padding_mode
        As those of `ConvTranspose3d`.
    device, dtype : optional
        Of the parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.LazyConvTranspose3d(2, 3)
    >>> layer(torch.ones(1, 4, 5, 5, 5)).shape
    torch.Size([1, 2, 7, 7, 7])
    >>> layer.in_channels
    4
    """

    cls_to_become = ConvTranspose3d

    def __init__(
        self, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1,
        padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation,
            padding_mode, device, dtype,
        )  # fmt: skip
        self._set_parameters(out_channels, bias, device, dtype)
