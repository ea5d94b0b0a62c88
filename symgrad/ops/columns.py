"""Windows of images as columns of matrices, `im2col`, and the sums of columns back, `col2im`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, braces
from symgrad.expr.shapes import Shape
from symgrad.ops.convolution import _windows
from symgrad.ops.primitive import Linear
from symgrad.ops.selection import definitions
from symgrad.ops.zeros import Zeros


def _im2col(x, *, kernel, sizes, stride, padding, dilation):  # type: ignore[no-untyped-def]
    images = x if x.ndim == 4 else x[None]
    windows = _windows(images, kernel, sizes, stride, padding, dilation)
    rows = images.shape[1] * int(np.prod(kernel))
    return np.array(windows, order="C").reshape(*x.shape[:-3], rows, int(np.prod(sizes)))


def _col2im(x, *, lengths, kernel, sizes, stride, padding, dilation):  # type: ignore[no-untyped-def]
    axes = list(zip(lengths, kernel, sizes, stride, padding, dilation, strict=True))
    reach = [max((m - 1) * s + (k - 1) * d + 1, p + n) for n, k, m, s, p, d in axes]
    lead, channels = x.shape[:-2], x.shape[-2] // int(np.prod(kernel))
    padded = np.zeros((*lead, channels, *reach), x.dtype)
    columns = x.reshape((*lead, channels, *kernel, *sizes))
    for k in np.ndindex(*kernel):
        places = [slice(i * d, i * d + (m - 1) * s + 1, s) for i, (_, _, m, s, _, d) in zip(k, axes, strict=True)]  # fmt: skip
        padded[(..., *places)] += columns[(..., *k, slice(None), slice(None))]  # type: ignore[arg-type]
    inside = [slice(p, p + n) for n, _, _, _, p, _ in axes]
    return np.ascontiguousarray(padded[(..., *inside)])  # type: ignore[arg-type]


_IMAGES = np.cos(1.7 * np.arange(24.0)).reshape(1, 2, 3, 4).round(2)


def _said(node: Any) -> str:
    return f"dilation={node.dilation}, padding={node.padding}, stride={node.stride}"


class im2col(Linear):
    """The elements of each window, channel by channel, in a column, for an image or several."""

    keeps_zeros = Zeros.ADDED
    internal = True
    params = ("kernel_", "sizes", "stride", "padding", "dilation")
    kernel_: Shape
    sizes: Shape
    stride: Shape
    padding: Shape
    dilation: Shape
    kernel = Kernel.from_function(_im2col, prelude=definitions(_windows))

    @classmethod
    def infer(cls, x: Any, kernel: Shape, sizes: Shape, *rest: Any) -> tuple[Shape, dtype]:
        return (*x.shape[:-3], x.shape[-3] * math.prod(kernel), math.prod(sizes)), x.dtype

    def implementation(self) -> Any:
        names = [name.rstrip("_") for name in self.params]
        return self.kernel, dict(zip(names, self.param_values, strict=True)), self.operands

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return col2im.of(ct, self.operands[0].shape[-2:], *self.param_values)

    def batch(self, size: int, operands: Any, batched: Any) -> ArrayExpr:
        return _of_each(self, operands[0])

    def notation(self) -> Notation:
        text = f"unfold({{0}}, {self.kernel_}, {_said(self)})"
        name = braces(rf"\operatorname{{unfold}}_{{{self.kernel_}}}")
        return Notation(text, name + r"\left({0}\right)")

    samples = [
        (_IMAGES, (2, 2), (2, 3), (1, 1), (0, 0), (1, 1)),
        (_IMAGES, (2, 1), (2, 2), (2, 3), (1, 0), (2, 1)),
        (_IMAGES[0], (2, 2), (2, 3), (1, 1), (0, 0), (1, 1)),
    ]


class col2im(Linear):
    """Columns added back to the windows that they were taken from; `im2col` transposed."""

    keeps_zeros = Zeros.ADDED
    internal = True
    params = ("lengths", "kernel_", "sizes", "stride", "padding", "dilation")
    lengths: Shape
    kernel_: Shape
    sizes: Shape
    stride: Shape
    padding: Shape
    dilation: Shape
    kernel = Kernel.from_function(_col2im)

    @classmethod
    def infer(cls, x: Any, lengths: Shape, kernel: Shape, *rest: Any) -> tuple[Shape, dtype]:
        return (*x.shape[:-2], x.shape[-2] // math.prod(kernel), *lengths), x.dtype

    implementation = im2col.implementation

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return im2col.of(ct, *self.param_values[1:])

    def batch(self, size: int, operands: Any, batched: Any) -> ArrayExpr:
        return _of_each(self, operands[0])

    def notation(self) -> Notation:
        text = f"fold({{0}}, {self.lengths}, {self.kernel_}, {_said(self)})"
        name = braces(rf"\operatorname{{fold}}_{{{self.kernel_}}}")
        return Notation(text, name + r"\left({0}\right)")

    samples = [
        (np.arange(48.0).reshape(1, 8, 6), (3, 4), (2, 2), (2, 3), (1, 1), (0, 0), (1, 1)),
        (np.arange(16.0).reshape(1, 4, 4), (3, 4), (2, 1), (2, 2), (2, 3), (1, 0), (2, 1)),
        (np.arange(24.0).reshape(4, 6), (3, 4), (2, 2), (2, 3), (1, 1), (0, 0), (1, 1)),
    ]


def _of_each(node: Any, x: ArrayExpr) -> ArrayExpr:
    """Return the operation for each entry of a first axis, which joins that of the images."""
    if x.ndim == len(node.samples[0][0].shape):  # or becomes that of the images
        alone: ArrayExpr = node.of(x, *node.param_values)
        return alone
    made = node.of(x.reshape((x.shape[0] * x.shape[1], *x.shape[2:])), *node.param_values)
    found: ArrayExpr = made.reshape((*x.shape[:2], *made.shape[1:]))
    return found
