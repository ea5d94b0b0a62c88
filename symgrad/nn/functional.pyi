"""The functions of `symgrad.nn.functional`, declared.

Written by `python -m tools.stubs`; not to be edited.
"""

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar, overload

import numpy as np
from numpy import ndarray
import sympy
from sympy.core.basic import Basic

from symgrad import return_types as _return_types
from symgrad.expr.atoms import Leaf
from symgrad.expr.devices import device as _device
from symgrad.expr.dtypes import dtype as _dtype
from symgrad.expr.node import ArrayExpr
from symgrad.tensor.layout import layout as _layout
from symgrad.random import Generator as _Generator
from symgrad.expr.size import Size as _Size
from symgrad.tensor.tensor import Tensor

#: What computes, and what may stand beside it.
_T = TypeVar("_T", Tensor, ArrayExpr)
_Number = builtins.int | builtins.float | builtins.complex
_Operand = Tensor | ArrayExpr | ndarray[Any, Any]

from symgrad._declared import bilinear as bilinear
from symgrad._declared import linear as linear
from symgrad._declared import pdist as pdist
from symgrad._declared import sigmoid as sigmoid
from symgrad._declared import tanh as tanh
__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool1d_with_indices",
    "adaptive_max_pool2d",
    "adaptive_max_pool2d_with_indices",
    "adaptive_max_pool3d",
    "adaptive_max_pool3d_with_indices",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "cross_entropy",
    "dropout",
    "elu",
    "elu_",
    "fold",
    "gelu",
    "hardtanh",
    "hardtanh_",
    "l1_loss",
    "leaky_relu",
    "leaky_relu_",
    "log_softmax",
    "logsigmoid",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
    "mse_loss",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "relu",
    "relu6",
    "relu_",
    "selu",
    "selu_",
    "silu",
    "softmax",
    "softmin",
    "softplus",
    "threshold",
    "threshold_",
    "unfold",
]

def adaptive_avg_pool1d(input: _T, output_size: builtins.int | Sequence[builtins.int]) -> _T:
    """Return the means of so many windows, which divide the axes as evenly as may be."""

def adaptive_avg_pool2d(input: _T, output_size: Any) -> _T:
    """Return the means of so many windows, which divide the axes as evenly as may be."""

def adaptive_avg_pool3d(input: _T, output_size: Any) -> _T:
    """Return the means of so many windows, which divide the axes as evenly as may be."""

def adaptive_max_pool1d(input: _T, output_size: Any, return_indices: builtins.bool = False) -> _T:
    """Return the largest elements of so many windows, which divide the axes as evenly as may be."""

def adaptive_max_pool1d_with_indices(input: _T, output_size: Any, return_indices: builtins.bool = False) -> tuple[_T, _T]:
    """Return what `adaptive_max_pool1d` does with `return_indices`, which is not looked at here."""

def adaptive_max_pool2d(input: _T, output_size: Any, return_indices: builtins.bool = False) -> _T:
    """Return the largest elements of so many windows, which divide the axes as evenly as may be."""

def adaptive_max_pool2d_with_indices(input: _T, output_size: Any, return_indices: builtins.bool = False) -> tuple[_T, _T]:
    """Return what `adaptive_max_pool2d` does with `return_indices`, which is not looked at here."""

def adaptive_max_pool3d(input: _T, output_size: Any, return_indices: builtins.bool = False) -> _T:
    """Return the largest elements of so many windows, which divide the axes as evenly as may be."""

def adaptive_max_pool3d_with_indices(input: _T, output_size: Any, return_indices: builtins.bool = False) -> tuple[_T, _T]:
    """Return what `adaptive_max_pool3d` does with `return_indices`, which is not looked at here."""

def avg_pool1d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True) -> _T:
    """Return the mean of each window of one axis."""

def avg_pool2d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: builtins.int | None = None) -> _T:
    """Return the mean of each window of 2 axes."""

def avg_pool3d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: builtins.int | None = None) -> _T:
    """Return the mean of each window of 3 axes."""

def binary_cross_entropy(input: _T, target: _Operand, weight: _Operand | None = None, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the cross entropy of probabilities of one of two classes."""

def binary_cross_entropy_with_logits(input: _T, target: _Operand, weight: _Operand | None = None, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean', pos_weight: _Operand | None = None) -> _T:
    """Return the cross entropy of one of two classes from logits, accurate in both tails."""

@overload
def conv1d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> _T:
    """Return the sums of products of each window of 1 axis with `weight`, plus `bias`."""
@overload
def conv1d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str = 'valid', dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> _T:
    """Return the sums of products of each window of 1 axis with `weight`, plus `bias`."""

@overload
def conv2d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> _T:
    """Return the sums of products of each window of 2 axes with `weight`, plus `bias`."""
@overload
def conv2d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str = 'valid', dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> _T:
    """Return the sums of products of each window of 2 axes with `weight`, plus `bias`."""

@overload
def conv3d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> _T:
    """Return the sums of products of each window of 3 axes with `weight`, plus `bias`."""
@overload
def conv3d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.str = 'valid', dilation: builtins.int | Sequence[builtins.int] = 1, groups: builtins.int = 1) -> _T:
    """Return the sums of products of each window of 3 axes with `weight`, plus `bias`."""

def conv_transpose1d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: builtins.int | Sequence[builtins.int] = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return the transpose of `conv1d` by its input: `weight` added at each place, times `input`."""

def conv_transpose2d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: builtins.int | Sequence[builtins.int] = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return the transpose of `conv2d` by its input: `weight` added at each place, times `input`."""

def conv_transpose3d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: builtins.int | Sequence[builtins.int] = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return the transpose of `conv3d` by its input: `weight` added at each place, times `input`."""

def cross_entropy(input: _T, target: _Operand, weight: _Operand | None = None, size_average: Any = None, ignore_index: builtins.int = -100, reduce: Any = None, reduction: builtins.str = 'mean', label_smoothing: builtins.float = 0.0) -> _T:
    """Return the cross entropy of classes, or of probabilities, from logits."""

def dropout(input: _T, p: builtins.float = 0.5, training: Any = True, inplace: Any = False) -> _T:
    """Return `input` with each element zero with probability `p`, the others over `1 - p`."""

def elu(input: _T, alpha: builtins.float = 1.0, inplace: Any = False) -> _T:
    """Return `x` where it is positive, else `alpha*(exp(x) - 1)`."""

def elu_(input: _T, alpha: builtins.float = 1.0) -> _T:
    """Replace `input` by its `elu`, in place, and return it."""

def fold(input: _T, output_size: builtins.int | Sequence[builtins.int], kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, stride: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return images to which columns are added where `unfold` takes them from."""

def gelu(input: _T, *, approximate: builtins.str = 'none') -> _T:
    """Return `input` times the standard normal distribution function of it."""

def hardtanh(input: _T, min_val: builtins.float = -1.0, max_val: builtins.float = 1.0, inplace: Any = False) -> _T:
    """Return `input` cut off at `min_val` and `max_val`, where the derivative is 0."""

def hardtanh_(input: _T, min_val: builtins.float = -1.0, max_val: builtins.float = 1.0) -> _T:
    """Replace `input` by its `hardtanh`, in place, and return it."""

def l1_loss(input: _T, target: _Operand, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean', weight: _Operand | None = None) -> _T:
    """Return the mean of absolute differences; the arguments are those of `mse_loss`."""

def leaky_relu(input: _T, negative_slope: builtins.float = 0.01, inplace: Any = False) -> _T:
    """Return `x` where it is positive, else `negative_slope*x`."""

def leaky_relu_(input: _T, negative_slope: builtins.float = 0.01) -> _T:
    """Replace `input` by its `leaky_relu`, in place, and return it."""

def log_softmax(input: _T, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> _T:
    """Return the logarithm of `softmax`, with full relative accuracy."""

def logsigmoid(input: _T) -> _T:
    """Return `log(sigmoid(input))`, accurate in both tails."""

def lp_pool1d(input: _T, norm_type: builtins.float, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, ceil_mode: builtins.bool = False) -> _T:
    """Return the norm of each window: the sum of powers, and the root of it."""

def lp_pool2d(input: _T, norm_type: builtins.float, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, ceil_mode: builtins.bool = False) -> _T:
    """Return the norm of each window: the sum of powers, and the root of it."""

def lp_pool3d(input: _T, norm_type: builtins.float, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, ceil_mode: builtins.bool = False) -> _T:
    """Return the norm of each window: the sum of powers, and the root of it."""

def max_pool1d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: builtins.bool = False) -> _T:
    """Return the largest element of each window of one axis."""

def max_pool1d_with_indices(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: builtins.bool = False) -> tuple[_T, _T]:
    """Return what `max_pool1d` does with `return_indices`, which is not looked at here."""

def max_pool2d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: builtins.bool = False) -> _T:
    """Return the largest element of each window of 2 axes."""

def max_pool2d_with_indices(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: builtins.bool = False) -> tuple[_T, _T]:
    """Return what `max_pool2d` does with `return_indices`, which is not looked at here."""

def max_pool3d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: builtins.bool = False) -> _T:
    """Return the largest element of each window of 3 axes."""

def max_pool3d_with_indices(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, dilation: builtins.int | Sequence[builtins.int] = 1, ceil_mode: builtins.bool = False, return_indices: builtins.bool = False) -> tuple[_T, _T]:
    """Return what `max_pool3d` does with `return_indices`, which is not looked at here."""

def mse_loss(input: _T, target: _Operand, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean', weight: _Operand | None = None) -> _T:
    """Return the mean of squared differences (or their sum, or each of them)."""

def nll_loss(input: _T, target: _Operand, weight: _Operand | None = None, size_average: Any = None, ignore_index: builtins.int = -100, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the negative log-likelihood of classes."""

def normalize(input: _T, p: builtins.float = 2.0, dim: builtins.int = 1, eps: builtins.float = 1e-12, out: Tensor | None = None) -> _T:
    """Return `input` divided by its p-norm along `dim`, or by `eps` where that is greater."""

def one_hot(input: _T, num_classes: builtins.int = -1) -> _T:
    """Return 1 at the class of each element along a new last axis, else 0."""

def pad(input: _T, pad: Sequence[builtins.int], mode: builtins.str = 'constant', value: builtins.float | None = None) -> _T:
    """Add elements around an array; `nn.functional.pad`."""

def relu(input: _T, inplace: Any = False) -> _T:
    """Return the positive part of each element of `input`; its derivative at 0 is 0."""

def relu6(input: _T, inplace: Any = False) -> _T:
    """Return `input` cut off at 0 and 6, where the derivative is 0."""

def relu_(input: _T) -> _T:
    """Replace `input` by its `relu`, in place, and return it."""

def selu(input: _T, inplace: Any = False) -> _T:
    """Return the self-normalising `elu`, whose two constants are fixed."""

def selu_(input: _T) -> _T:
    """Replace `input` by its `selu`, in place, and return it."""

def silu(input: _T, inplace: Any = False) -> _T:
    """Return `input * sigmoid(input)`."""

def softmax(input: _T, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> _T:
    """Return exponentials divided by their sum along `dim`, without overflow."""

def softmin(input: _T, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> _T:
    """Return `softmax` of the negative."""

def softplus(input: _T, beta: builtins.float = 1, threshold: builtins.float = 20) -> _T:
    """Return `log(1 + exp(beta*x)) / beta`; `x` itself where `beta*x > threshold`."""

def threshold(input: _T, threshold: builtins.float, value: builtins.float, inplace: Any = False) -> _T:
    """Return `x` where it is greater than `threshold`, else `value`."""

def threshold_(input: _T, threshold: builtins.float, value: builtins.float) -> _T:
    """Replace `input` by its `threshold`, in place, and return it."""

def unfold(input: _T, kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, stride: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return the elements of each window of images, channel by channel, as a column."""
