"""Layers that are convolutions of one to three axes, and the transposes of these."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn import init
from symgrad.nn.modules.layer import for_each_axis, parameter
from symgrad.nn.modules.module import Module
from symgrad.ops.convolution import transposed_sizes

_PADDINGS = ("same", "valid")
_PADDING_MODES = ("zeros", "reflect", "replicate", "circular")


class ConvolutionLayer(Module):
    """The base of convolutions and of their transposes.

    Parameters
    ----------
    in_channels, out_channels : int
        The numbers of channels of the argument and of the result.
    kernel_size, stride, padding, output_padding, dilation, groups
        As those of the function.
    bias : bool
        Whether there is a bias.
    padding_mode : "zeros", "reflect", "replicate" or "circular"
        What stands around the argument.
    device, dtype : optional
        Of the parameters.

    Raises
    ------
    ValueError
        If channels do not divide into groups, or the padding is unknown.
    """

    #: The number of axes.
    _axes: ClassVar[int]
    #: Whether the weight is that of a transpose.
    _transposed: ClassVar[bool] = False

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any,
        output_padding: Any, dilation: Any, groups: int, bias: bool, padding_mode: str, device: Any,
        dtype: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        for name, count in (("in_channels", in_channels), ("out_channels", out_channels)):
            if count % groups:
                raise ValueError(f"{name} must be divisible by groups")
        axes = self._axes
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size = for_each_axis(kernel_size, axes)
        self.stride = for_each_axis(stride, axes)
        self.padding: Any = padding if isinstance(padding, str) else for_each_axis(padding, axes)
        self.dilation = for_each_axis(dilation, axes)
        self.output_padding = for_each_axis(output_padding, axes)
        self.transposed, self.padding_mode = self._transposed, padding_mode
        self._check_padding()
        first, second = in_channels, out_channels
        if not self._transposed:
            first, second = second, first
        options = {"device": device, "dtype": dtype}
        self.weight: Any = parameter(first, second // groups, *self.kernel_size, **options)
        self.register_parameter("bias", parameter(out_channels, **options) if bias else None)
        self.reset_parameters()

    def _check_padding(self) -> None:
        if isinstance(self.padding, str):
            if self.padding not in _PADDINGS:
                raise ValueError(
                    f"Invalid padding string {self.padding!r}, should be one of {_PADDINGS}"
                )
            if self.padding == "same" and any(s != 1 for s in self.stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if self.padding_mode not in _PADDING_MODES:
            raise ValueError(
                f"padding_mode must be one of {_PADDING_MODES}, but got "
                f"padding_mode='{self.padding_mode}'"
            )

    def reset_parameters(self) -> None:
        """Draw the parameters anew.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.Conv1d(1, 1, 2)
        >>> _ = torch.manual_seed(0)
        >>> layer.reset_parameters()
        >>> layer.weight.detach()
        tensor([[[-0.0053,  0.3793]]])
        """
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            entries = math.prod(self.weight.shape[1:])
            bound = 1 / math.sqrt(entries) if entries else 0
            init.uniform_(self.bias, -bound, bound)

    def _around(self) -> list[int]:
        """Return how many elements stand around the argument, as `pad` takes it."""
        if self.padding == "valid":
            return [0, 0] * self._axes
        if self.padding != "same":
            return [n for p in reversed(self.padding) for n in (p, p)]
        total = [d * (k - 1) for d, k in zip(self.dilation, self.kernel_size, strict=True)]
        return [n for t in reversed(total) for n in (t // 2, t - t // 2)]

    def _padded(self, input: Any) -> tuple[Any, Any]:
        """Return the argument, and the padding of zeros that is left to the function."""
        if self.padding_mode == "zeros":
            return input, self.padding
        return F.pad(input, self._around(), mode=self.padding_mode), 0

    def extra_repr(self) -> str:
        said = f"{self.in_channels}, {self.out_channels}"
        said += f", kernel_size={self.kernel_size}, stride={self.stride}"
        for name, usual in (("padding", 0), ("dilation", 1), ("output_padding", 0)):
            value = getattr(self, name)
            if value != (usual,) * len(value):
                said += f", {name}={value}"
        said += f", groups={self.groups}" if self.groups != 1 else ""
        said += ", bias=False" if self.bias is None else ""
        return said + (
            f", padding_mode={self.padding_mode}" if self.padding_mode != "zeros" else ""
        )


class PlainConvolution(ConvolutionLayer):
    """The base of convolutions.

    Parameters
    ----------
    in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode
        As those of `ConvolutionLayer`.
    device, dtype : optional
        Of the parameters.
    """

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
        padding: Any = 0, dilation: Any = 1, groups: int = 1, bias: bool = True,
        padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, 0, dilation, groups, bias,
            padding_mode, device, dtype,
        )  # fmt: skip

    def _conv_forward(self, input: Any, weight: Any, bias: Any) -> Any:
        """Return the convolution with another weight and bias, which subclasses compute."""
        x, padding = self._padded(input)
        convolution = getattr(F, f"conv{self._axes}d")
        return convolution(x, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input: Any) -> Any:
        return self._conv_forward(input, self.weight, self.bias)


class TransposedConvolution(ConvolutionLayer):
    """The base of the transposes.

    Parameters
    ----------
    in_channels, out_channels, kernel_size, stride, padding, output_padding, groups, bias, dilation
        As those of `ConvolutionLayer`.
    padding_mode : "zeros"
        There is no other.
    device, dtype : optional
        Of the parameters.

    Raises
    ------
    ValueError
        If there is another padding mode.
    """

    _transposed = True

    def __init__(
        self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1,
        padding: Any = 0, output_padding: Any = 0, groups: int = 1, bias: bool = True,
        dilation: Any = 1, padding_mode: str = "zeros", device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            in_channels, out_channels, kernel_size, stride, padding, output_padding, dilation,
            groups, bias, padding_mode, device, dtype,
        )  # fmt: skip

    def _ends(self, input: Any, output_size: Sequence[int] | None) -> tuple[int, ...]:
        """Return how many elements are added at the ends of a result of this size."""
        if output_size is None:
            return self.output_padding
        axes = self._axes
        before = 2 if input.ndim == axes + 2 else 1
        wanted = output_size[before:] if len(output_size) == before + axes else output_size
        if len(wanted) != axes:
            raise ValueError(
                f"ConvTranspose{axes}D: for {input.ndim}D input, output_size must have {axes} or "
                f"{before + axes} elements (got {len(wanted)})"
            )
        least = transposed_sizes(
            input.shape[before:], self.kernel_size, self.stride, self.padding, self.dilation
        )
        most = [n + s - 1 for n, s in zip(least, self.stride, strict=True)]
        if any(not low <= n <= high for low, n, high in zip(least, wanted, most, strict=True)):
            raise ValueError(
                f"requested an output size of {wanted}, but valid sizes range from {list(least)} "
                f"to {most} (for an input of {input.shape[2:]})"
            )
        return tuple([n - low for n, low in zip(wanted, least, strict=True)])

    def forward(self, input: Any, output_size: Sequence[int] | None = None) -> Any:
        """Compute the result of a call.

        Parameters
        ----------
        input : Tensor or ArrayExpr
            With or without the axis of samples.
        output_size : sequence of int, optional
            The last axes of the result, which `output_padding` states else.

        Raises
        ------
        ValueError
            If no argument of this size has a result of that size.

        Examples
        --------
        >>> import symgrad as torch
        >>> layer = torch.nn.ConvTranspose1d(1, 1, 3, stride=2)
        >>> layer.forward(torch.ones(1, 4), output_size=(10,)).shape
        torch.Size([1, 10])
        """
        raise NotImplementedError


class Conv1d(PlainConvolution):
    """The sums of products of each window of 1 axis with a weight, plus a bias.

    Parameters
    ----------
    in_channels, out_channels : int
        The numbers of channels of the argument, of shape (n, in_channels, l), and of the
        result.
    kernel_size, stride, dilation : int or sequence of int
        The lengths of windows, how far apart they lie, and how far apart their elements lie.
    padding : int, sequence of int, "same" or "valid"
        How much stands around the argument.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.
    bias : bool
        Whether there is a bias.
    padding_mode : "zeros", "reflect", "replicate" or "circular"
        What stands around the argument.
    device, dtype : optional
        Of the parameters.

    Attributes
    ----------
    weight : Parameter
        Of shape (out_channels, in_channels / groups, *kernel_size), drawn uniformly from
        ±1/sqrt(elements that a result is computed from).
    bias : Parameter or None
        Of shape (out_channels,), drawn alike.

    Raises
    ------
    ValueError
        If channels do not divide into groups, or the padding is unknown.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.Conv1d(2, 4, 3)
    >>> layer(torch.randn(5, 2, 8)).shape
    torch.Size([5, 4, 6])
    """

    _axes = 1


class Conv2d(PlainConvolution):
    """The sums of products of each window of 2 axes with a weight, plus a bias.

    Parameters
    ----------
    in_channels, out_channels : int
        The numbers of channels of the argument, of shape (n, in_channels, h, w), and of the
        result.
    kernel_size, stride, dilation : int or sequence of int
        The lengths of windows, how far apart they lie, and how far apart their elements lie.
    padding : int, sequence of int, "same" or "valid"
        How much stands around the argument.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.
    bias : bool
        Whether there is a bias.
    padding_mode : "zeros", "reflect", "replicate" or "circular"
        What stands around the argument.
    device, dtype : optional
        Of the parameters.

    Attributes
    ----------
    weight : Parameter
        Of shape (out_channels, in_channels / groups, *kernel_size), drawn uniformly from
        ±1/sqrt(elements that a result is computed from).
    bias : Parameter or None
        Of shape (out_channels,), drawn alike.

    Raises
    ------
    ValueError
        If channels do not divide into groups, or the padding is unknown.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.Conv2d(2, 4, 3)
    >>> layer(torch.randn(5, 2, 8, 8)).shape
    torch.Size([5, 4, 6, 6])
    """

    _axes = 2


class Conv3d(PlainConvolution):
    """The sums of products of each window of 3 axes with a weight, plus a bias.

    Parameters
    ----------
    in_channels, out_channels : int
        The numbers of channels of the argument, of shape (n, in_channels, d, h, w), and of the
        result.
    kernel_size, stride, dilation : int or sequence of int
        The lengths of windows, how far apart they lie, and how far apart their elements lie.
    padding : int, sequence of int, "same" or "valid"
        How much stands around the argument.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.
    bias : bool
        Whether there is a bias.
    padding_mode : "zeros", "reflect", "replicate" or "circular"
        What stands around the argument.
    device, dtype : optional
        Of the parameters.

    Attributes
    ----------
    weight : Parameter
        Of shape (out_channels, in_channels / groups, *kernel_size), drawn uniformly from
        ±1/sqrt(elements that a result is computed from).
    bias : Parameter or None
        Of shape (out_channels,), drawn alike.

    Raises
    ------
    ValueError
        If channels do not divide into groups, or the padding is unknown.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.Conv3d(2, 4, 3)
    >>> layer(torch.randn(5, 2, 8, 8, 8)).shape
    torch.Size([5, 4, 6, 6, 6])
    """

    _axes = 3


class ConvTranspose1d(TransposedConvolution):
    """The transpose of `Conv1d` by its argument, plus a bias.

    Parameters
    ----------
    in_channels, out_channels : int
        The numbers of channels of the argument, of shape (n, in_channels, l), and of the
        result.
    kernel_size, stride, dilation : int or sequence of int
        The lengths of windows, how far apart they lie, and how far apart their elements lie.
    padding : int or sequence of int
        How many elements are cut off at each end of the result.
    output_padding : int or sequence of int
        How many elements are added at the end of each axis of the result.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.
    bias : bool
        Whether there is a bias.
    padding_mode : "zeros"
        There is no other.
    device, dtype : optional
        Of the parameters.

    Attributes
    ----------
    weight : Parameter
        Of shape (in_channels, out_channels / groups, *kernel_size).
    bias : Parameter or None
        Of shape (out_channels,).

    Raises
    ------
    ValueError
        If channels do not divide into groups, or there is another padding mode.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ConvTranspose1d(2, 4, 3, stride=2)
    >>> layer(torch.randn(5, 2, 4)).shape
    torch.Size([5, 4, 9])
    """

    _axes = 1

    def forward(self, input: Any, output_size: Sequence[int] | None = None) -> Any:
        ends = self._ends(input, output_size)
        return F.conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, ends, self.groups,
            self.dilation,
        )  # fmt: skip


class ConvTranspose2d(TransposedConvolution):
    """The transpose of `Conv2d` by its argument, plus a bias.

    Parameters
    ----------
    in_channels, out_channels : int
        The numbers of channels of the argument, of shape (n, in_channels, h, w), and of the
        result.
    kernel_size, stride, dilation : int or sequence of int
        The lengths of windows, how far apart they lie, and how far apart their elements lie.
    padding : int or sequence of int
        How many elements are cut off at each end of the result.
    output_padding : int or sequence of int
        How many elements are added at the end of each axis of the result.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.
    bias : bool
        Whether there is a bias.
    padding_mode : "zeros"
        There is no other.
    device, dtype : optional
        Of the parameters.

    Attributes
    ----------
    weight : Parameter
        Of shape (in_channels, out_channels / groups, *kernel_size).
    bias : Parameter or None
        Of shape (out_channels,).

    Raises
    ------
    ValueError
        If channels do not divide into groups, or there is another padding mode.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ConvTranspose2d(2, 4, 3, stride=2)
    >>> layer(torch.randn(5, 2, 4, 4)).shape
    torch.Size([5, 4, 9, 9])
    """

    _axes = 2

    def forward(self, input: Any, output_size: Sequence[int] | None = None) -> Any:
        ends = self._ends(input, output_size)
        return F.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, ends, self.groups,
            self.dilation,
        )  # fmt: skip


class ConvTranspose3d(TransposedConvolution):
    """The transpose of `Conv3d` by its argument, plus a bias.

    Parameters
    ----------
    in_channels, out_channels : int
        The numbers of channels of the argument, of shape (n, in_channels, d, h, w), and of the
        result.
    kernel_size, stride, dilation : int or sequence of int
        The lengths of windows, how far apart they lie, and how far apart their elements lie.
    padding : int or sequence of int
        How many elements are cut off at each end of the result.
    output_padding : int or sequence of int
        How many elements are added at the end of each axis of the result.
    groups : int
        Into how many groups channels are divided; only channels of one group meet.
    bias : bool
        Whether there is a bias.
    padding_mode : "zeros"
        There is no other.
    device, dtype : optional
        Of the parameters.

    Attributes
    ----------
    weight : Parameter
        Of shape (in_channels, out_channels / groups, *kernel_size).
    bias : Parameter or None
        Of shape (out_channels,).

    Raises
    ------
    ValueError
        If channels do not divide into groups, or there is another padding mode.

    Examples
    --------
    >>> import symgrad as torch
    >>> layer = torch.nn.ConvTranspose3d(2, 4, 3, stride=2)
    >>> layer(torch.randn(5, 2, 4, 4, 4)).shape
    torch.Size([5, 4, 9, 9, 9])
    """

    _axes = 3

    def forward(self, input: Any, output_size: Sequence[int] | None = None) -> Any:
        ends = self._ends(input, output_size)
        return F.conv_transpose3d(
            input, self.weight, self.bias, self.stride, self.padding, ends, self.groups,
            self.dilation,
        )  # fmt: skip


#: PyTorch's names of the bases, of which programs ask whether a layer is one.
_ConvNd, _ConvTransposeNd = ConvolutionLayer, TransposedConvolution
