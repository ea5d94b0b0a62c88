"""Windows as columns, and columns as sums over windows: `unfold` and `fold`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.expr.dtypes import Category, no_kernel
from symgrad.expr.shapes import Shape, canonical_axis
from symgrad.functions.pooling import _check_axes
from symgrad.ops.columns import col2im, im2col
from symgrad.ops.pooling import pooled_sizes
from symgrad.ops.primitive import bind
from symgrad.record.face import nothing, shows
from symgrad.schema.public import public

shows(im2col, name="Im2Col", facts=nothing)


shows(col2im, name="Col2Im", facts=nothing)


def _pair(name: str, value: Any) -> tuple[int, int]:
    given = tuple(value) if isinstance(value, (tuple, list)) else (value, value)
    if len(given) != 2:
        raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(given)}")
    return int(given[0]), int(given[1])


def _pairs(**values: Any) -> list[tuple[int, int]]:
    """Return what is given for the height and the width, by name."""
    return [_pair(name, value) for name, value in values.items()]


def _blocks(
    plane: Sequence[int], kernel: Shape, dilation: Shape, padding: Shape, stride: Shape
) -> Shape:
    words = {"kernel_size": kernel, "dilation": dilation, "stride": stride}
    names = {"kernel_size": "kernel"}
    for name, (first, second) in words.items():
        if min(first, second) <= 0:
            word = names.get(name, name)
            raise RuntimeError(
                f"{name.replace('_', ' ')} should be greater than zero, but got {word}_height: "
                f"{first} {word}_width: {second}"
            )
    if min(padding) < 0:
        raise RuntimeError(
            f"padding should be non-negative, but got pad_height: {padding[0]} pad_width: "
            f"{padding[1]}"
        )
    sizes = pooled_sizes(tuple(plane), kernel, stride, padding, dilation, False)
    if min(sizes) < 1:
        raise RuntimeError(
            f"Given input with spatial size {tuple(plane)}, kernel_size={kernel}, dilation="
            f"{dilation}, padding={padding}, calculated shape of the array of sliding blocks as "
            f"{sizes}, but its components must be at least one."
        )
    return sizes


@public(
    "nn.functional.unfold(Tensor input, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1) -> Tensor",
    python=True,
)
def _unfold(
    input: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Any:
    """Return the elements of each window of images, channel by channel, as a column.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c, height, width), or without the axis of samples.
    kernel_size, dilation, padding, stride : int or (int, int)
        As those of `conv2d`.

    Raises
    ------
    RuntimeError
        If no window fits.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.unfold(torch.arange(6.0).reshape(1, 2, 3), 2)
    tensor([[0., 1.],
            [1., 2.],
            [3., 4.],
            [4., 5.]])
    """
    kernel, dilation, padding, stride = _pairs(
        kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride
    )
    canonical_axis(2, len(input.shape))  # which PyTorch reads first
    _check_axes("im2col", input, 2)
    sizes = _blocks(input.shape[-2:], kernel, dilation, padding, stride)
    if input.dtype.category in (Category.INT,):
        raise no_kernel("im2col_out_cpu", input.dtype)
    return bind(im2col, (input,), (kernel, sizes, stride, padding, dilation))


@public(
    "nn.functional.fold(Tensor input, int[2] output_size, int[2] kernel_size, int[2] dilation=1, int[2] padding=0, int[2] stride=1) -> Tensor",
    python=True,
)
def _fold(
    input: Any, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0,
    stride: Any = 1,
) -> Any:  # fmt: skip
    """Return images to which columns are added where `unfold` takes them from.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (n, c * elements of a window, windows), or without the axis of samples.
    output_size : int or (int, int)
        The height and the width of the images.
    kernel_size, dilation, padding, stride : int or (int, int)
        As those of `unfold`.

    Raises
    ------
    RuntimeError
        If the number of windows or their elements do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.fold(torch.ones(4, 2), (2, 3), 2)
    tensor([[[1., 2., 1.],
             [1., 2., 1.]]])
    """
    kernel, dilation, padding, stride = _pairs(
        kernel_size=kernel_size, dilation=dilation, padding=padding, stride=stride
    )
    lengths, shape = _pair("output_size", output_size), list(input.shape)
    if len(shape) not in (2, 3):
        raise RuntimeError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and "
            f"non-zero dimensions for input, but got: {shape}"
        )
    count, number = shape[-2:]
    if count % (kernel[0] * kernel[1]):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, "
            f"but got input.size(1)={count} and kernel_size={kernel}."
        )
    sizes = _blocks(lengths, kernel, dilation, padding, stride)
    if number != sizes[0] * sizes[1]:
        raise RuntimeError(
            f"Given output_size={lengths}, kernel_size={kernel}, dilation={dilation}, padding="
            f"{padding}, stride={stride}, expected size of input's dimension 2 to match the "
            f"calculated number of sliding blocks {sizes[0]} * {sizes[1]} = {sizes[0] * sizes[1]}, "
            f"but got input.size(2)={number}."
        )
    if input.dtype.category in (Category.INT,):
        raise no_kernel("col2im_out_cpu", input.dtype)
    return bind(col2im, (input,), (lengths, kernel, sizes, stride, padding, dilation))
