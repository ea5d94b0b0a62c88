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
    "affine_grid",
    "alpha_dropout",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "celu",
    "celu_",
    "channel_shuffle",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_tbc",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "cosine_embedding_loss",
    "cosine_similarity",
    "cross_entropy",
    "ctc_loss",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "elu",
    "elu_",
    "embedding",
    "embedding_bag",
    "feature_alpha_dropout",
    "fold",
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d",
    "fractional_max_pool3d_with_indices",
    "gaussian_nll_loss",
    "gelu",
    "glu",
    "grid_sample",
    "group_norm",
    "gumbel_softmax",
    "hardshrink",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hardtanh_",
    "hinge_embedding_loss",
    "huber_loss",
    "instance_norm",
    "interpolate",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "leaky_relu_",
    "linear_cross_entropy",
    "local_response_norm",
    "log_softmax",
    "logsigmoid",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "margin_ranking_loss",
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
    "mish",
    "mse_loss",
    "multi_head_attention_forward",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "native_channel_shuffle",
    "nll_loss",
    "normalize",
    "one_hot",
    "pad",
    "pairwise_distance",
    "pixel_shuffle",
    "pixel_unshuffle",
    "poisson_nll_loss",
    "prelu",
    "relu",
    "relu6",
    "relu_",
    "rms_norm",
    "rrelu",
    "rrelu_",
    "scaled_dot_product_attention",
    "selu",
    "selu_",
    "silu",
    "smooth_l1_loss",
    "soft_margin_loss",
    "softmax",
    "softmin",
    "softplus",
    "softshrink",
    "softsign",
    "tanhshrink",
    "threshold",
    "threshold_",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
    "unfold",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
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

def affine_grid(theta: _T, size: Sequence[builtins.int], align_corners: builtins.bool | None = None) -> _T:
    """Return the grid for `grid_sample` that an affine map makes of the places of an image."""

def alpha_dropout(input: _T, p: builtins.float = 0.5, training: Any = False, inplace: Any = False) -> _T:
    """Return `input` with elements set, with probability `p`, to the least value of `selu`."""

def avg_pool1d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True) -> _T:
    """Return the mean of each window of one axis."""

def avg_pool2d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: builtins.int | None = None) -> _T:
    """Return the mean of each window of 2 axes."""

def avg_pool3d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True, divisor_override: builtins.int | None = None) -> _T:
    """Return the mean of each window of 3 axes."""

def batch_norm(input: _T, running_mean: _Operand | None, running_var: _Operand | None, weight: _Operand | None = None, bias: _Operand | None = None, training: builtins.bool = False, momentum: builtins.float = 0.1, eps: builtins.float = 1e-05) -> _T:
    """Return `input` less the mean and over the standard deviation of each channel, axis 1."""

def binary_cross_entropy(input: _T, target: _Operand, weight: _Operand | None = None, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the cross entropy of probabilities of one of two classes."""

def binary_cross_entropy_with_logits(input: _T, target: _Operand, weight: _Operand | None = None, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean', pos_weight: _Operand | None = None) -> _T:
    """Return the cross entropy of one of two classes from logits, accurate in both tails."""

def celu(input: _T, alpha: builtins.float = 1.0, inplace: Any = False) -> _T:
    """Return `x` where it is positive, else `alpha*(exp(x/alpha) - 1)`."""

def celu_(input: _T, alpha: builtins.float = 1.0) -> _T:
    """Replace `input` by its `celu`, in place, and return it."""

def channel_shuffle(input: _T, groups: builtins.int) -> _T:
    """Return the channels in another order: the first of each group, then the second of each."""

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

def conv_tbc(input: _T, weight: _Operand, bias: _Operand, pad: builtins.int = 0) -> _T:
    """Return the convolution of sequences whose axes are time, batch and channels."""

def conv_transpose1d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: builtins.int | Sequence[builtins.int] = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return the transpose of `conv1d` by its input: `weight` added at each place, times `input`."""

def conv_transpose2d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: builtins.int | Sequence[builtins.int] = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return the transpose of `conv2d` by its input: `weight` added at each place, times `input`."""

def conv_transpose3d(input: _T, weight: _Operand, bias: _Operand | None = None, stride: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, output_padding: builtins.int | Sequence[builtins.int] = 0, groups: builtins.int = 1, dilation: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return the transpose of `conv3d` by its input: `weight` added at each place, times `input`."""

def cosine_embedding_loss(input1: _T, input2: _Operand, target: _Operand, margin: builtins.float = 0, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the mean of `1 - cos` of like pairs, and of `cos - margin` of unlike ones."""

@overload
def cosine_similarity(x1: _T, x2: _Operand, dim: builtins.int = 1, eps: builtins.float = 1e-08) -> _T:
    """Return the cosine of the angle between vectors along an axis."""
@overload
def cosine_similarity(x1: _T, x2: _Operand, *, axis: builtins.int = 1, eps: builtins.float = 1e-08) -> _T:
    """Return the cosine of the angle between vectors along an axis."""

def cross_entropy(input: _T, target: _Operand, weight: _Operand | None = None, size_average: Any = None, ignore_index: builtins.int = -100, reduce: Any = None, reduction: builtins.str = 'mean', label_smoothing: builtins.float = 0.0) -> _T:
    """Return the cross entropy of classes, or of probabilities, from logits."""

def ctc_loss(log_probs: _T, targets: _Operand, input_lengths: Any, target_lengths: Any, blank: builtins.int = 0, reduction: builtins.str = 'mean', zero_infinity: builtins.bool = False) -> _T:
    """Return how unlikely target sequences are, over all ways to align them with the input."""

def dropout(input: _T, p: builtins.float = 0.5, training: Any = True, inplace: Any = False) -> _T:
    """Return `input` with each element zero with probability `p`, the others over `1 - p`."""

def dropout1d(input: _T, p: builtins.float = 0.5, training: Any = True, inplace: Any = False) -> _T:
    """Return `input` with each channel zero with probability `p`, the others over `1 - p`."""

def dropout2d(input: _T, p: builtins.float = 0.5, training: Any = True, inplace: Any = False) -> _T:
    """Return `input` with each channel zero with probability `p`, the others over `1 - p`."""

def dropout3d(input: _T, p: builtins.float = 0.5, training: Any = True, inplace: Any = False) -> _T:
    """Return `input` with each channel zero with probability `p`, the others over `1 - p`."""

def elu(input: _T, alpha: builtins.float = 1.0, inplace: Any = False) -> _T:
    """Return `x` where it is positive, else `alpha*(exp(x) - 1)`."""

def elu_(input: _T, alpha: builtins.float = 1.0) -> _T:
    """Replace `input` by its `elu`, in place, and return it."""

def embedding(input: _T, weight: _Operand, padding_idx: builtins.int | None = None, max_norm: builtins.float | None = None, norm_type: builtins.float = 2.0, scale_grad_by_freq: builtins.bool = False, sparse: builtins.bool = False) -> _T:
    """Return the rows of `weight` that `input` names."""

def embedding_bag(input: _T, weight: _Operand, offsets: _Operand | None = None, max_norm: builtins.float | None = None, norm_type: builtins.float = 2, scale_grad_by_freq: builtins.bool = False, mode: builtins.str = 'mean', sparse: builtins.bool = False, per_sample_weights: _Operand | None = None, include_last_offset: builtins.bool = False, padding_idx: builtins.int | None = None) -> _T:
    """Return the mean, the sum or the maximum of rows of `weight`, for each of several bags of them."""

def feature_alpha_dropout(input: _T, p: builtins.float = 0.5, training: Any = False, inplace: Any = False) -> _T:
    """Return what `alpha_dropout` does, with whole channels, axis 1, in the place of elements."""

def fold(input: _T, output_size: builtins.int | Sequence[builtins.int], kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, stride: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return images to which columns are added where `unfold` takes them from."""

def fractional_max_pool2d(input: _T, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: builtins.bool = False, _random_samples: _Operand | None = None) -> _T:
    """Return the largest element of each of so many windows, which lie at random places."""

def fractional_max_pool2d_with_indices(input: _T, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: builtins.bool = False, _random_samples: _Operand | None = None) -> tuple[_T, _T]:
    """Return the largest element of each of so many windows, which lie at random places."""

def fractional_max_pool3d(input: _T, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: builtins.bool = False, _random_samples: _Operand | None = None) -> _T:
    """Return the largest element of each of so many windows, which lie at random places."""

def fractional_max_pool3d_with_indices(input: _T, kernel_size: Any, output_size: Any = None, output_ratio: Any = None, return_indices: builtins.bool = False, _random_samples: _Operand | None = None) -> tuple[_T, _T]:
    """Return the largest element of each of so many windows, which lie at random places."""

def gaussian_nll_loss(input: _T, target: _Operand | builtins.float | _Number, var: _Operand | builtins.float | _Number, full: Any = False, eps: builtins.float = 1e-06, reduction: builtins.str = 'mean') -> _T:
    """Return the mean negative log-likelihood by the normal distribution."""

def gelu(input: _T, *, approximate: builtins.str = 'none') -> _T:
    """Return `input` times the standard normal distribution function of it."""

def glu(input: _T, dim: builtins.int = -1) -> _T:
    """Return the first half of `input` along an axis times the sigmoid of the second half."""

def grid_sample(input: _T, grid: _Operand, mode: builtins.str = 'bilinear', padding_mode: builtins.str = 'zeros', align_corners: builtins.bool | None = None) -> _T:
    """Return what images have at the places that a grid names."""

def group_norm(input: _T, num_groups: builtins.int, weight: _Operand | None = None, bias: _Operand | None = None, eps: builtins.float = 1e-05) -> _T:
    """Return `input` less the mean and over the standard deviation of groups of channels."""

def gumbel_softmax(logits: _T, tau: builtins.float = 1, hard: Any = False, eps: builtins.float = 1e-10, dim: builtins.int = -1) -> _T:
    """Return a sample of probabilities by the Gumbel-softmax distribution."""

def hardshrink(input: _T, lambd: _Number = 0.5) -> _T:
    """Return `x` where its modulus is greater than `lambd`, else 0."""

def hardsigmoid(input: _T, inplace: Any = False) -> _T:
    """Return `relu6(x + 3)/6`."""

def hardswish(input: _T, inplace: Any = False) -> _T:
    """Return `x*relu6(x + 3)/6`."""

def hardtanh(input: _T, min_val: builtins.float = -1.0, max_val: builtins.float = 1.0, inplace: Any = False) -> _T:
    """Return `input` cut off at `min_val` and `max_val`, where the derivative is 0."""

def hardtanh_(input: _T, min_val: builtins.float = -1.0, max_val: builtins.float = 1.0) -> _T:
    """Replace `input` by its `hardtanh`, in place, and return it."""

def hinge_embedding_loss(input: _T, target: _Operand, margin: builtins.float = 1.0, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the mean of distances of like pairs, and of what unlike ones lack to the margin."""

def huber_loss(input: _T, target: _Operand, reduction: builtins.str = 'mean', delta: builtins.float = 1.0, weight: _Operand | None = None) -> _T:
    """Return the mean of `d**2 / 2` where `abs(d) <= delta`, else of `delta*(abs(d) - delta/2)`."""

def instance_norm(input: _T, running_mean: _Operand | None = None, running_var: _Operand | None = None, weight: _Operand | None = None, bias: _Operand | None = None, use_input_stats: builtins.bool = True, momentum: builtins.float = 0.1, eps: builtins.float = 1e-05) -> _T:
    """Return `input` less the mean and over the standard deviation of each channel of each entry."""

def interpolate(input: _T, size: Any = None, scale_factor: Any = None, mode: builtins.str = 'nearest', align_corners: builtins.bool | None = None, recompute_scale_factor: builtins.bool | None = None, antialias: builtins.bool = False) -> _T:
    """Return images of another size, the elements of which are means of those nearby."""

def kl_div(input: _T, target: _Operand, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean', log_target: builtins.bool = False) -> _T:
    """Return the divergence of probabilities from those that `input` has the logarithms of."""

def l1_loss(input: _T, target: _Operand, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean', weight: _Operand | None = None) -> _T:
    """Return the mean of absolute differences; the arguments are those of `mse_loss`."""

def layer_norm(input: _T, normalized_shape: Sequence[builtins.int], weight: _Operand | None = None, bias: _Operand | None = None, eps: builtins.float = 1e-05) -> _T:
    """Return `input` less its mean and over its standard deviation, along the last axes."""

def leaky_relu(input: _T, negative_slope: builtins.float = 0.01, inplace: Any = False) -> _T:
    """Return `x` where it is positive, else `negative_slope*x`."""

def leaky_relu_(input: _T, negative_slope: builtins.float = 0.01) -> _T:
    """Replace `input` by its `leaky_relu`, in place, and return it."""

def linear_cross_entropy(input: _T, linear_weight: _Operand, target: _Operand, *, linear_bias: _Operand | None = None, weight: _Operand | None = None, reduction: builtins.str = 'mean', ignore_index: builtins.int | None = None, label_smoothing: builtins.float = 0.0, options: Any = None) -> _T:
    """Return `cross_entropy(linear(input, linear_weight, linear_bias), target)`."""

def local_response_norm(input: _T, size: builtins.int, alpha: builtins.float = 0.0001, beta: builtins.float = 0.75, k: builtins.float = 1.0) -> _T:
    """Return `input` over a power of `k` plus the mean square of the channels around each."""

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

def margin_ranking_loss(input1: _T, input2: _Operand, target: _Operand, margin: builtins.float = 0, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the mean of what the difference of scores lacks to the margin."""

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

def max_unpool1d(input: _T, indices: _Operand, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> _T:
    """Return the elements put back where `max_pool1d` took them from, and zeros elsewhere."""

def max_unpool2d(input: _T, indices: _Operand, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> _T:
    """Return the elements put back where `max_pool2d` took them from, and zeros elsewhere."""

def max_unpool3d(input: _T, indices: _Operand, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None) -> _T:
    """Return the elements put back where `max_pool3d` took them from, and zeros elsewhere."""

def mish(input: _T, inplace: Any = False) -> _T:
    """Return `x*tanh(log(1 + exp(x)))`."""

def mse_loss(input: _T, target: _Operand, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean', weight: _Operand | None = None) -> _T:
    """Return the mean of squared differences (or their sum, or each of them)."""

def multi_head_attention_forward(query: _T, key: _Operand, value: _Operand, embed_dim_to_check: builtins.int, num_heads: builtins.int, in_proj_weight: _Operand | None, in_proj_bias: _Operand | None, bias_k: _Operand | None, bias_v: _Operand | None, add_zero_attn: builtins.bool, dropout_p: builtins.float, out_proj_weight: _Operand, out_proj_bias: _Operand | None, training: builtins.bool = True, key_padding_mask: _Operand | None = None, need_weights: builtins.bool = True, attn_mask: _Operand | None = None, use_separate_proj_weight: builtins.bool = False, q_proj_weight: _Operand | None = None, k_proj_weight: _Operand | None = None, v_proj_weight: _Operand | None = None, static_k: _Operand | None = None, static_v: _Operand | None = None, average_attn_weights: builtins.bool = True, is_causal: builtins.bool = False) -> tuple[_T, _T]:
    """Return weighted means of projected values, by how queries fit keys, and the weights or None."""

def multi_margin_loss(input: _T, target: _Operand, p: builtins.int = 1, margin: _Number = 1.0, weight: _Operand | None = None, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the mean of what the score of the right class lacks to the margin above the others."""

def multilabel_margin_loss(input: _T, target: _Operand, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the mean of what scores of right classes lack to 1 above those of wrong ones."""

def multilabel_soft_margin_loss(input: _T, target: _Operand | builtins.float, weight: _Operand | None = None, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the mean cross entropy of classes, of which several may be right, from logits."""

def native_channel_shuffle(input: _T, groups: builtins.int) -> _T:
    """Return what `channel_shuffle` does, by PyTorch's name of its kernel."""

def nll_loss(input: _T, target: _Operand, weight: _Operand | None = None, size_average: Any = None, ignore_index: builtins.int = -100, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the negative log-likelihood of classes."""

def normalize(input: _T, p: builtins.float = 2.0, dim: builtins.int = 1, eps: builtins.float = 1e-12, out: Tensor | None = None) -> _T:
    """Return `input` divided by its p-norm along `dim`, or by `eps` where that is greater."""

def one_hot(input: _T, num_classes: builtins.int = -1) -> _T:
    """Return 1 at the class of each element along a new last axis, else 0."""

def pad(input: _T, pad: Sequence[builtins.int], mode: builtins.str = 'constant', value: builtins.float | None = None) -> _T:
    """Add elements around an array; `nn.functional.pad`."""

def pairwise_distance(x1: _T, x2: _Operand, p: builtins.float = 2, eps: builtins.float = 1e-06, keepdim: builtins.bool = False) -> _T:
    """Return the length of the difference of vectors, which lie along the last axis."""

def pixel_shuffle(input: _T, upscale_factor: builtins.int) -> _T:
    """Return an image of more pixels, made of several channels of one of fewer."""

def pixel_unshuffle(input: _T, downscale_factor: builtins.int) -> _T:
    """Return what `pixel_shuffle` makes `input` of."""

def poisson_nll_loss(input: _T, target: _Operand, log_input: builtins.bool = True, full: builtins.bool = False, size_average: Any = None, eps: builtins.float = 1e-08, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the mean negative log-likelihood of counts by the Poisson distribution."""

def prelu(input: _T, weight: _Operand) -> _T:
    """Return `x` where it is positive, else `weight*x`."""

def relu(input: _T, inplace: Any = False) -> _T:
    """Return the positive part of each element of `input`; its derivative at 0 is 0."""

def relu6(input: _T, inplace: Any = False) -> _T:
    """Return `input` cut off at 0 and 6, where the derivative is 0."""

def relu_(input: _T) -> _T:
    """Replace `input` by its `relu`, in place, and return it."""

def rms_norm(input: _T, normalized_shape: Sequence[builtins.int], weight: _Operand | None = None, eps: builtins.float | None = None) -> _T:
    """Return `input` over the root of its mean square, along the last axes."""

def rrelu(input: _T, lower: builtins.float = 0.125, upper: builtins.float = 0.3333333333333333, training: builtins.bool = False, inplace: Any = False) -> _T:
    """Return `x` where it is positive, else x times a slope, which is drawn in training."""

def rrelu_(input: _T, lower: builtins.float = 0.125, upper: builtins.float = 0.3333333333333333, training: builtins.bool = False) -> _T:
    """Replace `input` by its `rrelu`, in place, and return it."""

def scaled_dot_product_attention(query: _T, key: _Operand, value: _Operand, attn_mask: _Operand | None = None, dropout_p: builtins.float = 0.0, is_causal: builtins.bool = False, *, scale: builtins.float | None = None, enable_gqa: builtins.bool = False) -> _T:
    """Return `softmax(query @ key.mT * scale) @ value`."""

def selu(input: _T, inplace: Any = False) -> _T:
    """Return the self-normalising `elu`, whose two constants are fixed."""

def selu_(input: _T) -> _T:
    """Replace `input` by its `selu`, in place, and return it."""

def silu(input: _T, inplace: Any = False) -> _T:
    """Return `input * sigmoid(input)`."""

def smooth_l1_loss(input: _T, target: _Operand, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean', beta: builtins.float = 1.0) -> _T:
    """Return the mean of `d**2 / (2*beta)` where `abs(d) < beta`, else of `abs(d) - beta/2`."""

def soft_margin_loss(input: _T, target: _Operand, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the mean of `log(1 + exp(-target * input))`."""

def softmax(input: _T, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> _T:
    """Return exponentials divided by their sum along `dim`, without overflow."""

def softmin(input: _T, dim: Any = None, _stacklevel: Any = 3, dtype: Any = None) -> _T:
    """Return `softmax` of the negative."""

def softplus(input: _T, beta: builtins.float = 1, threshold: builtins.float = 20) -> _T:
    """Return `log(1 + exp(beta*x)) / beta`; `x` itself where `beta*x > threshold`."""

def softshrink(input: _T, lambd: builtins.float = 0.5) -> _T:
    """Return `x` moved by `lambd` towards 0, and 0 where it would pass that."""

def softsign(input: _T) -> _T:
    """Return `x/(1 + abs(x))`."""

def tanhshrink(input: _T) -> _T:
    """Return `x - tanh(x)`."""

def threshold(input: _T, threshold: builtins.float, value: builtins.float, inplace: Any = False) -> _T:
    """Return `x` where it is greater than `threshold`, else `value`."""

def threshold_(input: _T, threshold: builtins.float, value: builtins.float) -> _T:
    """Replace `input` by its `threshold`, in place, and return it."""

def triplet_margin_loss(anchor: _T, positive: _Operand, negative: _Operand, margin: builtins.float = 1.0, p: builtins.float = 2, eps: builtins.float = 1e-06, swap: builtins.bool = False, size_average: Any = None, reduce: Any = None, reduction: builtins.str = 'mean') -> _T:
    """Return the mean of what the distance of unlike ones lacks to the margin above that of like ones."""

def triplet_margin_with_distance_loss(anchor: _T, positive: _Operand, negative: _Operand, *, distance_function: Any = None, margin: builtins.float = 1.0, swap: Any = False, reduction: builtins.str = 'mean') -> _T:
    """Return what `triplet_margin_loss` does, with a distance of the user's."""

def unfold(input: _T, kernel_size: builtins.int | Sequence[builtins.int], dilation: builtins.int | Sequence[builtins.int] = 1, padding: builtins.int | Sequence[builtins.int] = 0, stride: builtins.int | Sequence[builtins.int] = 1) -> _T:
    """Return the elements of each window of images, channel by channel, as a column."""

def upsample(input: _T, size: Any = None, scale_factor: Any = None, mode: builtins.str = 'nearest', align_corners: builtins.bool | None = None) -> _T:
    """Return `interpolate` of these arguments, with a warning: the name is an old one."""

def upsample_bilinear(input: _T, size: Any = None, scale_factor: Any = None) -> _T:
    """Return `interpolate` in the mode 'bilinear', corners aligned, with a warning: the name is old."""

def upsample_nearest(input: _T, size: Any = None, scale_factor: Any = None) -> _T:
    """Return `interpolate` in the mode 'nearest', with a warning: the name is an old one."""
