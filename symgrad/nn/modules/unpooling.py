"""Layers that put largest elements back, or find them in windows at random places."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.layer import Layer, for_each_axis
from symgrad.nn.modules.module import Module


class MaxUnpool(Layer):
    """The base of layers that put elements back where `MaxPool` took them from.

    Parameters
    ----------
    axes : int
        The number of axes.
    kernel_size, stride, padding
        As those of `MaxPool`.
    """

    _shown = ("kernel_size", "stride", "padding")

    def __init__(self, axes: int, kernel_size: Any, stride: Any, padding: Any) -> None:
        super().__init__()
        self.kernel_size = for_each_axis(kernel_size, axes)
        self.stride = for_each_axis(kernel_size if stride is None else stride, axes)
        self.padding = for_each_axis(padding, axes)


class MaxUnpool1d(MaxUnpool):
    """Elements put back where `MaxPool1d` took them from, with zeros between.

    Parameters
    ----------
    kernel_size, stride, padding : int or sequence of int
        As those of `MaxPool1d`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape((1, 4))
    >>> largest, indices = torch.nn.MaxPool1d(2, return_indices=True)(x)
    >>> torch.nn.MaxUnpool1d(2)(largest, indices)
    tensor([[0., 5., 0., 4.]])
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__(1, kernel_size, stride, padding)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        """Return `nn.functional.max_unpool1d` of these arguments.

        Parameters
        ----------
        input, indices, output_size
            As those of `nn.functional.max_unpool1d`.

        Examples
        --------
        >>> import symgrad as torch
        >>> x, indices = torch.ones(1, 1), torch.zeros(1, 1, dtype=torch.int64)
        >>> torch.nn.MaxUnpool1d(2).forward(x, indices).shape
        torch.Size([1, 2])
        """
        return F.max_unpool1d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool2d(MaxUnpool):
    """Elements put back where `MaxPool2d` took them from, with zeros between.

    Parameters
    ----------
    kernel_size, stride, padding : int or sequence of int
        As those of `MaxPool2d`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape((1, 2, 2))
    >>> largest, indices = torch.nn.MaxPool2d(2, return_indices=True)(x)
    >>> torch.nn.MaxUnpool2d(2)(largest, indices)
    tensor([[[0., 5.],
             [0., 0.]]])
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__(2, kernel_size, stride, padding)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        """Return `nn.functional.max_unpool2d` of these arguments.

        Parameters
        ----------
        input, indices, output_size
            As those of `nn.functional.max_unpool2d`.

        Examples
        --------
        >>> import symgrad as torch
        >>> x, indices = torch.ones(1, 1, 1), torch.zeros(1, 1, 1, dtype=torch.int64)
        >>> torch.nn.MaxUnpool2d(2).forward(x, indices).shape
        torch.Size([1, 2, 2])
        """
        return F.max_unpool2d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool3d(MaxUnpool):
    """Elements put back where `MaxPool3d` took them from, with zeros between.

    Parameters
    ----------
    kernel_size, stride, padding : int or sequence of int
        As those of `MaxPool3d`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0, 2.0, 4.0]).reshape((1, 1, 2, 2))
    >>> largest, indices = torch.nn.MaxPool3d((1, 2, 2), return_indices=True)(x)
    >>> torch.nn.MaxUnpool3d((1, 2, 2))(largest, indices)
    tensor([[[[0., 5.],
              [0., 0.]]]])
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0) -> None:
        super().__init__(3, kernel_size, stride, padding)

    def forward(self, input: Any, indices: Any, output_size: Any = None) -> Any:
        """Return `nn.functional.max_unpool3d` of these arguments.

        Parameters
        ----------
        input, indices, output_size
            As those of `nn.functional.max_unpool3d`.

        Examples
        --------
        >>> import symgrad as torch
        >>> x, indices = torch.ones(1, 1, 1, 1), torch.zeros(1, 1, 1, 1, dtype=torch.int64)
        >>> torch.nn.MaxUnpool3d(2).forward(x, indices).shape
        torch.Size([1, 2, 2, 2])
        """
        return F.max_unpool3d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class FractionalMaxPool(Module):
    """The base of layers that find the largest elements of windows at random places.

    Parameters
    ----------
    axes : int
        The number of axes.
    kernel_size, output_size, output_ratio, return_indices, _random_samples
        As those of `nn.functional.fractional_max_pool2d`.
    """

    _random_samples: Any

    def __init__(
        self, axes: int, kernel_size: Any, output_size: Any, output_ratio: Any,
        return_indices: bool, samples: Any,
    ) -> None:  # fmt: skip
        super().__init__()
        name = type(self).__name__
        if axes == 3 and min(for_each_axis(kernel_size, axes)) <= 0:
            raise ValueError(f"kernel_size must be greater than 0, but got {kernel_size}")
        self.kernel_size = for_each_axis(kernel_size, axes)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", samples)
        self.output_size = None if output_size is None else for_each_axis(output_size, axes)
        self.output_ratio = None if output_ratio is None else for_each_axis(output_ratio, axes)
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"{name} requires specifying either an output size, or a pooling ratio"
            )
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < part < 1 for part in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")


class FractionalMaxPool2d(FractionalMaxPool):
    """The largest element of each of so many windows of 2 axes, which lie at random places.

    Parameters
    ----------
    kernel_size, output_size : int or sequence of int
        The lengths of windows, and their number along each axis.
    output_ratio : float or sequence of float, optional
        Their number over the length of the axis, where `output_size` is not given.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    _random_samples : Tensor, optional
        Numbers from 0 to 1 that say where windows lie, of shape (n, c, axes); by default drawn.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.FractionalMaxPool2d(2, output_ratio=0.5)(torch.randn(1, 8, 8)).shape
    torch.Size([1, 4, 4])
    """

    def __init__(
        self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
        return_indices: bool = False, _random_samples: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(2, kernel_size, output_size, output_ratio, return_indices, _random_samples)

    def forward(self, input: Any) -> Any:
        return F.fractional_max_pool2d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
            _random_samples=self._random_samples,
        )  # fmt: skip


class FractionalMaxPool3d(FractionalMaxPool):
    """The largest element of each of so many windows of 3 axes, which lie at random places.

    Parameters
    ----------
    kernel_size, output_size : int or sequence of int
        The lengths of windows, and their number along each axis.
    output_ratio : float or sequence of float, optional
        Their number over the length of the axis, where `output_size` is not given.
    return_indices : bool
        Whether to return also where each element stands in the flattened plane.
    _random_samples : Tensor, optional
        Numbers from 0 to 1 that say where windows lie, of shape (n, c, axes); by default drawn.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.FractionalMaxPool3d(2, output_ratio=0.5)(torch.randn(1, 8, 8, 8)).shape
    torch.Size([1, 4, 4, 4])
    """

    def __init__(
        self, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
        return_indices: bool = False, _random_samples: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(3, kernel_size, output_size, output_ratio, return_indices, _random_samples)

    def forward(self, input: Any) -> Any:
        return F.fractional_max_pool3d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices,
            _random_samples=self._random_samples,
        )  # fmt: skip
