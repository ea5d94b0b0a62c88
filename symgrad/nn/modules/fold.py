"""Layers that take windows of images to columns of matrices, and columns back."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.layer import Layer


class Fold(Layer):
    """Images to which columns are added where `Unfold` takes them from.

    Parameters
    ----------
    output_size : int or (int, int)
        The height and the width of the images.
    kernel_size, dilation, padding, stride : int or (int, int)
        As those of `Unfold`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Fold((2, 3), 2)(torch.ones(4, 2))
    tensor([[[1., 2., 1.],
             [1., 2., 1.]]])
    """

    _shown = ("output_size", "kernel_size", "dilation", "padding", "stride")

    def __init__(
        self, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0,
        stride: Any = 1,
    ) -> None:  # fmt: skip
        super().__init__()
        self.output_size, self.kernel_size = output_size, kernel_size
        self.dilation, self.padding, self.stride = dilation, padding, stride

    def forward(self, input: Any) -> Any:
        return F.fold(
            input, self.output_size, self.kernel_size, self.dilation, self.padding, self.stride
        )


class Unfold(Layer):
    """The elements of each window of images, channel by channel, as a column.

    Parameters
    ----------
    kernel_size, dilation, padding, stride : int or (int, int)
        As those of `Conv2d`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.Unfold(2)(torch.arange(6.0).reshape(1, 2, 3))
    tensor([[0., 1.],
            [1., 2.],
            [3., 4.],
            [4., 5.]])
    """

    _shown = ("kernel_size", "dilation", "padding", "stride")

    def __init__(
        self, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
    ) -> None:
        super().__init__()
        self.kernel_size, self.dilation = kernel_size, dilation
        self.padding, self.stride = padding, stride

    def forward(self, input: Any) -> Any:
        return F.unfold(input, self.kernel_size, self.dilation, self.padding, self.stride)
