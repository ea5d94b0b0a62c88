"""Layers that reduce windows of one to three axes: largest elements, means and norms."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.layer import Layer, for_each_axis


class MaxPool(Layer):
    """The base of layers that find the largest element of each window.

    Parameters
    ----------
    kernel_size, stride, padding, dilation : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), how much
        stands around the argument, and how far apart the elements of one window lie.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    ceil_mode : bool
        Whether a last window may reach beyond the argument.
    """

    _shown = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        return_indices: bool = False, ceil_mode: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.dilation = padding, dilation
        self.return_indices, self.ceil_mode = return_indices, ceil_mode


class MaxPool1d(MaxPool):
    """The largest element of each window of 1 axis.

    Parameters
    ----------
    kernel_size, stride, padding, dilation : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), how much
        stands around the argument, and how far apart the elements of one window lie. The
        argument has the shape (n, c, length).
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    ceil_mode : bool
        Whether a last window may reach beyond the argument.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 4)
    >>> torch.nn.MaxPool1d(2)(x)
    tensor([[5., 4.]])
    """

    def forward(self, input: Any) -> Any:
        return F.max_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
            self.return_indices,
        )  # fmt: skip


class MaxPool2d(MaxPool):
    """The largest element of each window of 2 axes.

    Parameters
    ----------
    kernel_size, stride, padding, dilation : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), how much
        stands around the argument, and how far apart the elements of one window lie. The
        argument has the shape (n, c, height, width).
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    ceil_mode : bool
        Whether a last window may reach beyond the argument.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 4)
    >>> torch.nn.MaxPool2d((1, 2))(x)
    tensor([[[5., 4.]]])
    """

    def forward(self, input: Any) -> Any:
        return F.max_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
            self.return_indices,
        )  # fmt: skip


class MaxPool3d(MaxPool):
    """The largest element of each window of 3 axes.

    Parameters
    ----------
    kernel_size, stride, padding, dilation : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), how much
        stands around the argument, and how far apart the elements of one window lie. The
        argument has the shape (n, c, depth, height, width).
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    ceil_mode : bool
        Whether a last window may reach beyond the argument.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 1, 4)
    >>> torch.nn.MaxPool3d((1, 1, 2))(x)
    tensor([[[[5., 4.]]]])
    """

    def forward(self, input: Any) -> Any:
        return F.max_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.dilation, self.ceil_mode,
            self.return_indices,
        )  # fmt: skip


class AvgPool1d(Layer):
    """The mean of each window of 1 axis.

    Parameters
    ----------
    kernel_size, stride, padding : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), and how
        much stands around the argument, of shape (n, c, length).
    ceil_mode : bool
        Whether a last window may reach beyond the argument.
    count_include_pad : bool
        Whether the zeros around count as elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.AvgPool1d(2)(torch.tensor([[1.0, 5.0, 2.0, 4.0]]))
    tensor([[3., 3.]])
    """

    _shown = ("kernel_size", "stride", "padding")

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = for_each_axis(kernel_size, 1)
        self.stride = for_each_axis(kernel_size if stride is None else stride, 1)
        self.padding = for_each_axis(padding, 1)
        self.ceil_mode, self.count_include_pad = ceil_mode, count_include_pad

    def forward(self, input: Any) -> Any:
        return F.avg_pool1d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad,
        )  # fmt: skip


class AvgPool(Layer):
    """The base of layers that take the mean of each window of 2 or 3 axes.

    Parameters
    ----------
    kernel_size, stride, padding : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), and how
        much stands around the argument.
    ceil_mode : bool
        Whether a last window may reach beyond the argument.
    count_include_pad : bool
        Whether the zeros around count as elements.
    divisor_override : int, optional
        By what sums are divided in the place of the number of elements.
    """

    _shown = ("kernel_size", "stride", "padding")

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size, self.stride = kernel_size, kernel_size if stride is None else stride
        self.padding, self.ceil_mode = padding, ceil_mode
        self.count_include_pad, self.divisor_override = count_include_pad, divisor_override


class AvgPool2d(AvgPool):
    """The mean of each window of 2 axes.

    Parameters
    ----------
    kernel_size, stride, padding : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), and how
        much stands around the argument, of shape (n, c, height, width).
    ceil_mode : bool
        Whether a last window may reach beyond the argument.
    count_include_pad : bool
        Whether the zeros around count as elements.
    divisor_override : int, optional
        By what sums are divided in the place of the number of elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 4)
    >>> torch.nn.AvgPool2d((1, 2))(x)
    tensor([[[3., 3.]]])
    """

    def forward(self, input: Any) -> Any:
        return F.avg_pool2d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad, self.divisor_override,
        )  # fmt: skip


class AvgPool3d(AvgPool):
    """The mean of each window of 3 axes.

    Parameters
    ----------
    kernel_size, stride, padding : int or sequence of int
        The lengths of windows, how far apart they lie (by default as long as they are), and how
        much stands around the argument, of shape (n, c, depth, height, width).
    ceil_mode : bool
        Whether a last window may reach beyond the argument.
    count_include_pad : bool
        Whether the zeros around count as elements.
    divisor_override : int, optional
        By what sums are divided in the place of the number of elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 1, 4)
    >>> torch.nn.AvgPool3d((1, 1, 2))(x)
    tensor([[[[3., 3.]]]])
    """

    def forward(self, input: Any) -> Any:
        return F.avg_pool3d(
            input, self.kernel_size, self.stride, self.padding, self.ceil_mode,
            self.count_include_pad, self.divisor_override,
        )  # fmt: skip


class LPPool(Layer):
    """The base of layers that take the norm of each window.

    Parameters
    ----------
    norm_type : float
        The power.
    kernel_size, stride : int or sequence of int
        The lengths of windows, and how far apart they lie (by default as long as they are).
    ceil_mode : bool
        Whether a last window may reach beyond the argument.
    """

    _shown = ("norm_type", "kernel_size", "stride", "ceil_mode")

    def __init__(
        self, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type, self.kernel_size = norm_type, kernel_size
        self.stride, self.ceil_mode = stride, ceil_mode


class LPPool1d(LPPool):
    """The norm of each window of 1 axis: the sum of powers, and the root of it.

    Parameters
    ----------
    norm_type : float
        The power.
    kernel_size, stride : int or sequence of int
        The lengths of windows, and how far apart they lie (by default as long as they are). The
        argument has the shape (n, c, length).
    ceil_mode : bool
        Whether a last window may reach beyond the argument.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 4)
    >>> torch.nn.LPPool1d(2, 2)(x)
    tensor([[5.0990, 4.4721]])
    """

    def forward(self, input: Any) -> Any:
        return F.lp_pool1d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class LPPool2d(LPPool):
    """The norm of each window of 2 axes: the sum of powers, and the root of it.

    Parameters
    ----------
    norm_type : float
        The power.
    kernel_size, stride : int or sequence of int
        The lengths of windows, and how far apart they lie (by default as long as they are). The
        argument has the shape (n, c, height, width).
    ceil_mode : bool
        Whether a last window may reach beyond the argument.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 4)
    >>> torch.nn.LPPool2d(2, (1, 2))(x)
    tensor([[[5.0990, 4.4721]]])
    """

    def forward(self, input: Any) -> Any:
        return F.lp_pool2d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class LPPool3d(LPPool):
    """The norm of each window of 3 axes: the sum of powers, and the root of it.

    Parameters
    ----------
    norm_type : float
        The power.
    kernel_size, stride : int or sequence of int
        The lengths of windows, and how far apart they lie (by default as long as they are). The
        argument has the shape (n, c, depth, height, width).
    ceil_mode : bool
        Whether a last window may reach beyond the argument.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 1, 4)
    >>> torch.nn.LPPool3d(2, (1, 1, 2))(x)
    tensor([[[[5.0990, 4.4721]]]])
    """

    def forward(self, input: Any) -> Any:
        return F.lp_pool3d(
            input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode
        )


class AdaptiveMaxPool(Layer):
    """The base of layers that find the largest element of each of so many windows.

    Parameters
    ----------
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    """

    _shown = ("output_size",)

    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__()
        self.output_size, self.return_indices = output_size, return_indices


class AdaptiveMaxPool1d(AdaptiveMaxPool):
    """The largest elements of so many windows, which divide 1 axis as evenly as may be.

    Parameters
    ----------
    output_size : int or sequence of int
        The number of windows along each axis of the argument, of shape
        (n, c, length); None keeps the axis.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 4)
    >>> torch.nn.AdaptiveMaxPool1d(2)(x)
    tensor([[5., 4.]])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(AdaptiveMaxPool):
    """The largest elements of so many windows, which divide 2 axes as evenly as may be.

    Parameters
    ----------
    output_size : int or sequence of int
        The number of windows along each axis of the argument, of shape
        (n, c, height, width); None keeps the axis.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 4)
    >>> torch.nn.AdaptiveMaxPool2d((1, 2))(x)
    tensor([[[5., 4.]]])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(AdaptiveMaxPool):
    """The largest elements of so many windows, which divide 3 axes as evenly as may be.

    Parameters
    ----------
    output_size : int or sequence of int
        The number of windows along each axis of the argument, of shape
        (n, c, depth, height, width); None keeps the axis.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 1, 4)
    >>> torch.nn.AdaptiveMaxPool3d((1, 1, 2))(x)
    tensor([[[[5., 4.]]]])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class AdaptiveAvgPool(Layer):
    """The base of layers that take the mean of each of so many windows.

    Parameters
    ----------
    output_size : int or sequence of int
        The number of windows along each axis; None keeps the axis.
    """

    _shown = ("output_size",)

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size


class AdaptiveAvgPool1d(AdaptiveAvgPool):
    """The means of so many windows, which divide 1 axis as evenly as may be.

    Parameters
    ----------
    output_size : int or sequence of int
        The number of windows along each axis of the argument, of shape
        (n, c, length); None keeps the axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 4)
    >>> torch.nn.AdaptiveAvgPool1d(2)(x)
    tensor([[3., 3.]])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(AdaptiveAvgPool):
    """The means of so many windows, which divide 2 axes as evenly as may be.

    Parameters
    ----------
    output_size : int or sequence of int
        The number of windows along each axis of the argument, of shape
        (n, c, height, width); None keeps the axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 4)
    >>> torch.nn.AdaptiveAvgPool2d((1, 2))(x)
    tensor([[[3., 3.]]])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(AdaptiveAvgPool):
    """The means of so many windows, which divide 3 axes as evenly as may be.

    Parameters
    ----------
    output_size : int or sequence of int
        The number of windows along each axis of the argument, of shape
        (n, c, depth, height, width); None keeps the axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape(1, 1, 1, 4)
    >>> torch.nn.AdaptiveAvgPool3d((1, 1, 2))(x)
    tensor([[[[3., 3.]]]])
    """

    def forward(self, input: Any) -> Any:
        return F.adaptive_avg_pool3d(input, self.output_size)
