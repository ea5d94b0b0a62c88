"""What the schemas offer, declared for type checkers and editors.

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

__all__ = [
    "BoolTensor",
    "ByteTensor",
    "CharTensor",
    "DoubleTensor",
    "FloatTensor",
    "HalfTensor",
    "IntTensor",
    "LongTensor",
    "ShortTensor",
    "abs",
    "abs_",
    "absolute",
    "acos",
    "acos_",
    "acosh",
    "acosh_",
    "adaptive_avg_pool1d",
    "add",
    "addbmm",
    "addcdiv",
    "addcmul",
    "addmm",
    "addmv",
    "addmv_",
    "addr",
    "adjoint",
    "alias_copy",
    "all",
    "allclose",
    "amax",
    "amin",
    "aminmax",
    "angle",
    "any",
    "arccos",
    "arccos_",
    "arccosh",
    "arccosh_",
    "arcsin",
    "arcsin_",
    "arcsinh",
    "arcsinh_",
    "arctan",
    "arctan2",
    "arctan_",
    "arctanh",
    "arctanh_",
    "argmax",
    "argmin",
    "argsort",
    "argwhere",
    "as_strided",
    "as_strided_",
    "as_strided_copy",
    "asin",
    "asin_",
    "asinh",
    "asinh_",
    "atan",
    "atan2",
    "atan_",
    "atanh",
    "atanh_",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "avg_pool1d",
    "baddbmm",
    "bilinear",
    "bincount",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "block_diag",
    "bmm",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "bucketize",
    "cartesian_prod",
    "cat",
    "cdist",
    "ceil",
    "ceil_",
    "chain_matmul",
    "channel_shuffle",
    "cholesky",
    "cholesky_inverse",
    "cholesky_solve",
    "chunk",
    "clamp",
    "clamp_",
    "clamp_max",
    "clamp_max_",
    "clamp_min",
    "clamp_min_",
    "clip",
    "clip_",
    "clone",
    "column_stack",
    "combinations",
    "complex",
    "concat",
    "concatenate",
    "conj",
    "conj_physical",
    "conj_physical_",
    "conjugate",
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_tbc",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "copysign",
    "corrcoef",
    "cos",
    "cos_",
    "cosh",
    "cosh_",
    "cosine_similarity",
    "count_nonzero",
    "cov",
    "cross",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "cumulative_trapezoid",
    "deg2rad",
    "deg2rad_",
    "det",
    "detach",
    "detach_",
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal",
    "diagonal_copy",
    "diagonal_scatter",
    "diff",
    "digamma",
    "dist",
    "div",
    "divide",
    "dot",
    "dsplit",
    "dstack",
    "einsum",
    "elementwise",
    "eq",
    "erf",
    "erf_",
    "erfc",
    "erfc_",
    "erfinv",
    "exp",
    "exp2",
    "exp2_",
    "exp_",
    "expand_copy",
    "expit",
    "expm1",
    "expm1_",
    "fill",
    "fill_",
    "fix",
    "fix_",
    "flatten",
    "flip",
    "fliplr",
    "flipud",
    "float_power",
    "floor",
    "floor_",
    "floor_divide",
    "fmax",
    "fmin",
    "fmod",
    "frac",
    "frac_",
    "frexp",
    "from_sympy",
    "gather",
    "gcd",
    "gcd_",
    "ge",
    "ger",
    "gradient",
    "greater",
    "greater_equal",
    "gt",
    "hardshrink",
    "heaviside",
    "histc",
    "histogram",
    "hsplit",
    "hstack",
    "hypot",
    "i0",
    "i0_",
    "igamma",
    "igammac",
    "imag",
    "index_add",
    "index_copy",
    "index_fill",
    "index_put",
    "index_put_",
    "index_reduce",
    "index_select",
    "inner",
    "inverse",
    "is_conj",
    "is_neg",
    "isclose",
    "isfinite",
    "isin",
    "isinf",
    "isnan",
    "isneginf",
    "isposinf",
    "isreal",
    "istft",
    "kron",
    "kthvalue",
    "lcm",
    "lcm_",
    "ldexp",
    "ldexp_",
    "le",
    "lerp",
    "less",
    "less_equal",
    "lgamma",
    "linear",
    "log",
    "log10",
    "log10_",
    "log1p",
    "log1p_",
    "log2",
    "log2_",
    "log_",
    "log_softmax",
    "logaddexp",
    "logaddexp2",
    "logcumsumexp",
    "logdet",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logit",
    "logit_",
    "logsumexp",
    "lt",
    "lu",
    "lu_solve",
    "lu_unpack",
    "masked_fill",
    "masked_scatter",
    "masked_select",
    "matmul",
    "matrix_exp",
    "matrix_power",
    "max",
    "maximum",
    "mean",
    "median",
    "meshgrid",
    "min",
    "minimum",
    "mm",
    "mode",
    "moveaxis",
    "movedim",
    "msort",
    "mul",
    "multiply",
    "mv",
    "mvlgamma",
    "named",
    "nan_to_num",
    "nan_to_num_",
    "nanmean",
    "nanmedian",
    "nanquantile",
    "nansum",
    "narrow",
    "narrow_copy",
    "native_channel_shuffle",
    "ne",
    "neg",
    "neg_",
    "negative",
    "negative_",
    "nextafter",
    "nonzero",
    "norm",
    "not_equal",
    "orgqr",
    "ormqr",
    "outer",
    "pairwise_distance",
    "pca_lowrank",
    "pdist",
    "permute",
    "permute_copy",
    "pinverse",
    "pixel_shuffle",
    "pixel_unshuffle",
    "polar",
    "polygamma",
    "positive",
    "pow",
    "prelu",
    "prod",
    "put",
    "qr",
    "quantile",
    "rad2deg",
    "rad2deg_",
    "ravel",
    "real",
    "reciprocal",
    "reciprocal_",
    "relu",
    "relu_",
    "remainder",
    "renorm",
    "repeat_interleave",
    "reshape",
    "resize_as_",
    "resolve_conj",
    "resolve_neg",
    "roll",
    "rot90",
    "round",
    "round_",
    "row_stack",
    "rsqrt",
    "rsqrt_",
    "rsub",
    "scatter",
    "scatter_add",
    "scatter_reduce",
    "searchsorted",
    "select",
    "select_copy",
    "select_scatter",
    "sgn",
    "sigmoid",
    "sigmoid_",
    "sign",
    "signbit",
    "sin",
    "sin_",
    "sinc",
    "sinc_",
    "sinh",
    "sinh_",
    "slice_copy",
    "slice_scatter",
    "slogdet",
    "softmax",
    "sort",
    "split",
    "split_copy",
    "split_with_sizes",
    "split_with_sizes_copy",
    "sqrt",
    "sqrt_",
    "square",
    "square_",
    "squeeze",
    "squeeze_copy",
    "stack",
    "std",
    "std_mean",
    "stft",
    "sub",
    "subtract",
    "sum",
    "svd",
    "svd_lowrank",
    "swapaxes",
    "swapdims",
    "t",
    "t_copy",
    "take",
    "take_along_dim",
    "tan",
    "tan_",
    "tanh",
    "tanh_",
    "tensor_split",
    "tensordot",
    "tile",
    "to_sympy",
    "topk",
    "trace",
    "transpose",
    "transpose_copy",
    "trapezoid",
    "trapz",
    "triangular_solve",
    "tril",
    "triu",
    "true_divide",
    "trunc",
    "trunc_",
    "unbind",
    "unbind_copy",
    "unflatten",
    "unfold_copy",
    "unique",
    "unique_consecutive",
    "unravel_index",
    "unsafe_chunk",
    "unsafe_split",
    "unsafe_split_with_sizes",
    "unsqueeze",
    "unsqueeze_copy",
    "vander",
    "var",
    "var_mean",
    "vdot",
    "view_as_complex",
    "view_as_complex_copy",
    "view_as_real",
    "view_as_real_copy",
    "view_copy",
    "vsplit",
    "vstack",
    "where",
    "xlogy",
    "xlogy_",
    "zero_",
]

BoolTensor: Any
ByteTensor: Any
CharTensor: Any
DoubleTensor: Any
FloatTensor: Any
HalfTensor: Any
IntTensor: Any
LongTensor: Any
ShortTensor: Any

def abs(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modulus of each element of `input`; its derivative at 0 is 0."""

def abs_(input: Tensor) -> Tensor:
    """Replace this tensor by its `abs`, in place, and return it."""

def absolute(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modulus of each element of `input`; its derivative at 0 is 0."""

def acos(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

def acos_(input: Tensor) -> Tensor:
    """Replace this tensor by its `acos`, in place, and return it."""

def acosh(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

def acosh_(input: Tensor) -> Tensor:
    """Replace this tensor by its `acosh`, in place, and return it."""

def adaptive_avg_pool1d(input: _T, output_size: builtins.int | Sequence[builtins.int]) -> _T:
    """Return the means of so many windows, which divide the axes as evenly as may be."""

def add(input: _T, other: _Operand | _Number, *, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `input + alpha * other`, broadcast."""

def addbmm(input: _T, batch1: _Operand, batch2: _Operand, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `beta * input + alpha * bmm(batch1, batch2).sum(0)`."""

def addcdiv(input: _T, tensor1: _Operand, tensor2: _Operand, *, value: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `input + value * tensor1 / tensor2`."""

def addcmul(input: _T, tensor1: _Operand, tensor2: _Operand, *, value: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `input + value * tensor1 * tensor2`."""

@overload
def addmm(input: _T, mat1: _Operand, mat2: _Operand, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `beta * input + alpha * (mat1 @ mat2)`."""
@overload
def addmm(input: _T, mat1: _Operand, mat2: _Operand, out_dtype: _dtype | builtins.type[Any], *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `beta * input + alpha * (mat1 @ mat2)`."""

def addmv(input: _T, mat: _Operand, vec: _Operand, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `beta * input + alpha * (mat @ vec)`."""

def addmv_(input: Tensor, mat: Tensor, vec: Tensor, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
    """Replace this tensor by its `addmv`, in place, and return it."""

def addr(input: _T, vec1: _Operand, vec2: _Operand, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `beta * input + alpha * outer(vec1, vec2)`."""

def adjoint(input: _T) -> _T:
    """Return the conjugate of the array with its last two axes exchanged."""

def alias_copy(input: _T, *, out: Tensor | None = None) -> _T:
    """Return a copy through which gradients flow, as `clone` does."""

@overload
def all(input: _T, *, out: Tensor | None = None) -> _T:
    """Return whether all elements along the axes are not zero; all axes where none are given."""
@overload
def all(input: _T, dim: Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return whether all elements along the axes are not zero; all axes where none are given."""
@overload
def all(input: _T, *, axis: Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return whether all elements along the axes are not zero; all axes where none are given."""
@overload
def all(input: _T, dim: builtins.int, keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return whether all elements along the axes are not zero; all axes where none are given."""
@overload
def all(input: _T, *, axis: builtins.int, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return whether all elements along the axes are not zero; all axes where none are given."""

def allclose(input: _T, other: _Operand, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False) -> builtins.bool:
    """Return whether all elements are close, as `isclose` says."""

@overload
def amax(input: _T, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the largest element along axes; equal ones share the gradient evenly."""
@overload
def amax(input: _T, *, axis: builtins.int | Sequence[builtins.int] = ..., keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the largest element along axes; equal ones share the gradient evenly."""

@overload
def amin(input: _T, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the smallest element along axes; equal ones share the gradient evenly."""
@overload
def amin(input: _T, *, axis: builtins.int | Sequence[builtins.int] = ..., keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the smallest element along axes; equal ones share the gradient evenly."""

@overload
def aminmax(input: _T, *, dim: builtins.int | None = None, keepdim: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.aminmax[_T]:
    """Return the smallest and the largest element of all, or along one axis."""
@overload
def aminmax(input: _T, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.aminmax[_T]:
    """Return the smallest and the largest element of all, or along one axis."""

def angle(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the argument of each element of `input`; of real ones 0 or pi, nan for nan."""

@overload
def any(input: _T, *, out: Tensor | None = None) -> _T:
    """Return whether any element along the axes is not zero; all axes where none are given."""
@overload
def any(input: _T, dim: Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return whether any element along the axes is not zero; all axes where none are given."""
@overload
def any(input: _T, *, axis: Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return whether any element along the axes is not zero; all axes where none are given."""
@overload
def any(input: _T, dim: builtins.int, keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return whether any element along the axes is not zero; all axes where none are given."""
@overload
def any(input: _T, *, axis: builtins.int, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return whether any element along the axes is not zero; all axes where none are given."""

def arccos(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

def arccos_(input: Tensor) -> Tensor:
    """Replace this tensor by its `arccos`, in place, and return it."""

def arccosh(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

def arccosh_(input: Tensor) -> Tensor:
    """Replace this tensor by its `arccosh`, in place, and return it."""

def arcsin(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

def arcsin_(input: Tensor) -> Tensor:
    """Replace this tensor by its `arcsin`, in place, and return it."""

def arcsinh(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse hyperbolic sine of each element of `input`."""

def arcsinh_(input: Tensor) -> Tensor:
    """Replace this tensor by its `arcsinh`, in place, and return it."""

def arctan(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

def arctan2(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

def arctan_(input: Tensor) -> Tensor:
    """Replace this tensor by its `arctan`, in place, and return it."""

def arctanh(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

def arctanh_(input: Tensor) -> Tensor:
    """Replace this tensor by its `arctanh`, in place, and return it."""

@overload
def argmax(input: _T, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return where the (first) largest element stands, in the flattened array without `dim`."""
@overload
def argmax(input: _T, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return where the (first) largest element stands, in the flattened array without `dim`."""

@overload
def argmin(input: _T, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return where the (first) smallest element stands, in the flattened array without `dim`."""
@overload
def argmin(input: _T, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return where the (first) smallest element stands, in the flattened array without `dim`."""

@overload
def argsort(input: _T, *, stable: builtins.bool, dim: builtins.int = -1, descending: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return where the elements along `dim` stand that `sort` puts in order."""
@overload
def argsort(input: _T, *, stable: builtins.bool, axis: builtins.int = -1, descending: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return where the elements along `dim` stand that `sort` puts in order."""
@overload
def argsort(input: _T, dim: builtins.int = -1, descending: builtins.bool = False) -> _T:
    """Return where the elements along `dim` stand that `sort` puts in order."""
@overload
def argsort(input: _T, *, axis: builtins.int = -1, descending: builtins.bool = False) -> _T:
    """Return where the elements along `dim` stand that `sort` puts in order."""

def argwhere(input: _T) -> _T:
    """Return the indices of the elements that are not zero, one row each."""

def as_strided(input: _T, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> _T:
    """Return a view of the memory of `input` with given lengths and strides of the axes."""

def as_strided_(input: Tensor, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> Tensor:
    """Show the memory with other lengths and strides of the axes, in place."""

def as_strided_copy(input: _T, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None, *, out: Tensor | None = None) -> _T:
    """Return what `as_strided` shows, in memory of its own."""

def asin(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

def asin_(input: Tensor) -> Tensor:
    """Replace this tensor by its `asin`, in place, and return it."""

def asinh(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse hyperbolic sine of each element of `input`."""

def asinh_(input: Tensor) -> Tensor:
    """Replace this tensor by its `asinh`, in place, and return it."""

def atan(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

def atan2(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

def atan_(input: Tensor) -> Tensor:
    """Replace this tensor by its `atan`, in place, and return it."""

def atanh(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

def atanh_(input: Tensor) -> Tensor:
    """Replace this tensor by its `atanh`, in place, and return it."""

def atleast_1d(*tensors: _T | Sequence[_T]) -> Any:
    """Return each of `tensors` with at least 1 axes."""

def atleast_2d(*tensors: _T | Sequence[_T]) -> Any:
    """Return each of `tensors` with at least 2 axes."""

def atleast_3d(*tensors: _T | Sequence[_T]) -> Any:
    """Return each of `tensors` with at least 3 axes."""

def avg_pool1d(input: _T, kernel_size: builtins.int | Sequence[builtins.int], stride: builtins.int | Sequence[builtins.int] | None = None, padding: builtins.int | Sequence[builtins.int] = 0, ceil_mode: builtins.bool = False, count_include_pad: builtins.bool = True) -> _T:
    """Return the mean of each window of one axis."""

@overload
def baddbmm(input: _T, batch1: _Operand, batch2: _Operand, *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `beta * input + alpha * bmm(batch1, batch2)`."""
@overload
def baddbmm(input: _T, batch1: _Operand, batch2: _Operand, out_dtype: _dtype | builtins.type[Any], *, beta: _Number = 1, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `beta * input + alpha * bmm(batch1, batch2)`."""

def bilinear(input1: _T, input2: _Operand, weight: _Operand, bias: _Operand | None = None) -> _T:
    """Return `input1[i] * weight[o, i, j] * input2[j]` summed over i and j, plus `bias`."""

def bincount(input: _T, weights: _Operand | None = None, minlength: builtins.int = 0) -> _T:
    """Return how often each number from 0 on occurs, or the sum of the weights of where it does."""

@overload
def bitwise_and(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold."""
@overload
def bitwise_and(input: _Number, other: _T) -> _T:
    """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold."""
@overload
def bitwise_and(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold."""

@overload
def bitwise_left_shift(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the bits of `input`, moved up by `other` places: times `2**other`."""
@overload
def bitwise_left_shift(input: _Number, other: _T) -> _T:
    """Return the bits of `input`, moved up by `other` places: times `2**other`."""
@overload
def bitwise_left_shift(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return the bits of `input`, moved up by `other` places: times `2**other`."""

def bitwise_not(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the complement of the bits of `input`: `-x - 1` of signed integers; of bools, `not x`."""

@overload
def bitwise_or(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds."""
@overload
def bitwise_or(input: _Number, other: _T) -> _T:
    """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds."""
@overload
def bitwise_or(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds."""

@overload
def bitwise_right_shift(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the bits of `input`, moved down by `other` places; the sign stays."""
@overload
def bitwise_right_shift(input: _Number, other: _T) -> _T:
    """Return the bits of `input`, moved down by `other` places; the sign stays."""
@overload
def bitwise_right_shift(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return the bits of `input`, moved down by `other` places; the sign stays."""

@overload
def bitwise_xor(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the bits set in just one of `input` and `other`, broadcast."""
@overload
def bitwise_xor(input: _Number, other: _T) -> _T:
    """Return the bits set in just one of `input` and `other`, broadcast."""
@overload
def bitwise_xor(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return the bits set in just one of `input` and `other`, broadcast."""

def block_diag(*tensors: _T) -> _T:
    """Return a matrix with matrices on its diagonal, and zeros beside them."""

@overload
def bmm(input: _T, mat2: _Operand, *, out: Tensor | None = None) -> _T:
    """Multiply two stacks of matrices, one by one."""
@overload
def bmm(input: _T, mat2: _Operand, out_dtype: _dtype | builtins.type[Any], *, out: Tensor | None = None) -> _T:
    """Multiply two stacks of matrices, one by one."""

def broadcast_shapes(*shapes: Any) -> _Size:
    """Return the common shape of arrays of the given shapes."""

def broadcast_tensors(*tensors: _T) -> tuple[_T, ...]:
    """Return the operands, each repeated to their common shape."""

def broadcast_to(input: _T, size: Sequence[builtins.int]) -> _T:
    """Repeat `input` along new and length-one axes to `size`, without copying."""

@overload
def bucketize(input: _T, boundaries: _Operand, *, out_int32: builtins.bool = False, right: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return between which of sorted boundaries each number lies."""
@overload
def bucketize(input: _Number, boundaries: _T, *, out_int32: builtins.bool = False, right: builtins.bool = False) -> _T:
    """Return between which of sorted boundaries each number lies."""

def cartesian_prod(*tensors: _T) -> _T:
    """Return all combinations of elements of 1-D tensors, one in each row."""

@overload
def cat(tensors: Sequence[_T], dim: builtins.int = 0, *, out: Tensor | None = None) -> _T:
    """Join arrays along an axis."""
@overload
def cat(tensors: Sequence[_T], *, axis: builtins.int = 0, out: Tensor | None = None) -> _T:
    """Join arrays along an axis."""

def cdist(x1: _T, x2: _Operand, p: builtins.float = 2.0, compute_mode: builtins.str = 'use_mm_for_euclid_dist_if_necessary') -> _T:
    """Return the distance of each row of `x1` from each row of `x2`."""

def ceil(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the least integers not below the elements of `input`; the derivative is zero."""

def ceil_(input: Tensor) -> Tensor:
    """Replace this tensor by its `ceil`, in place, and return it."""

def chain_matmul(*matrices: _T) -> _T:
    """Multiply two or more matrices, in the order that takes the fewest multiplications."""

def channel_shuffle(input: _T, groups: builtins.int) -> _T:
    """Return the channels in another order: the first of each group, then the second of each."""

def cholesky(input: _T, upper: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the factor L of `A = L @ L.mH`, as `linalg.cholesky` does."""

def cholesky_inverse(input: _T, upper: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the inverse of A, given its Cholesky factor."""

def cholesky_solve(input: _T, input2: _Operand, upper: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the solution X of `A X = input`, given the Cholesky factor of A."""

@overload
def chunk(input: _T, chunks: builtins.int, dim: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart along an axis into at most `chunks` pieces of equal length."""
@overload
def chunk(input: _T, chunks: builtins.int, *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart along an axis into at most `chunks` pieces of equal length."""

@overload
def clamp(input: _T, min: _Operand | None = None, max: _Operand | None = None, *, out: Tensor | None = None) -> _T:
    """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""
@overload
def clamp(input: _T, min: _Number | None = None, max: _Number | None = None, *, out: Tensor | None = None) -> _T:
    """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""

@overload
def clamp_(input: Tensor, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """Replace this tensor by its `clamp`, in place, and return it."""
@overload
def clamp_(input: Tensor, min: _Number | None = None, max: _Number | None = None) -> Tensor:
    """Replace this tensor by its `clamp`, in place, and return it."""

@overload
def clamp_max(input: _T, max: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the smaller of each element and `max`."""
@overload
def clamp_max(input: _T, max: _Number, *, out: Tensor | None = None) -> _T:
    """Return the smaller of each element and `max`."""

@overload
def clamp_max_(input: Tensor, max: Tensor) -> Tensor:
    """Replace this tensor by its `clamp_max`, in place, and return it."""
@overload
def clamp_max_(input: Tensor, max: _Number) -> Tensor:
    """Replace this tensor by its `clamp_max`, in place, and return it."""

@overload
def clamp_min(input: _T, min: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the larger of each element and `min`."""
@overload
def clamp_min(input: _T, min: _Number, *, out: Tensor | None = None) -> _T:
    """Return the larger of each element and `min`."""

@overload
def clamp_min_(input: Tensor, min: Tensor) -> Tensor:
    """Replace this tensor by its `clamp_min`, in place, and return it."""
@overload
def clamp_min_(input: Tensor, min: _Number) -> Tensor:
    """Replace this tensor by its `clamp_min`, in place, and return it."""

@overload
def clip(input: _T, min: _Operand | None = None, max: _Operand | None = None, *, out: Tensor | None = None) -> _T:
    """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""
@overload
def clip(input: _T, min: _Number | None = None, max: _Number | None = None, *, out: Tensor | None = None) -> _T:
    """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""

@overload
def clip_(input: Tensor, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
    """Replace this tensor by its `clip`, in place, and return it."""
@overload
def clip_(input: Tensor, min: _Number | None = None, max: _Number | None = None) -> Tensor:
    """Replace this tensor by its `clip`, in place, and return it."""

def clone(input: _T, *, memory_format: Any = None) -> _T:
    """Return a copy through which gradients flow."""

def column_stack(tensors: Sequence[_T], *, out: Tensor | None = None) -> _T:
    """Join along the second axis, vectors as columns."""

def combinations(input: _T, r: builtins.int = 2, with_replacement: builtins.bool = False) -> _T:
    """Return all choices of `r` elements of a vector, one in each row."""

def complex(real: _T, imag: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the complex numbers with the given real and imaginary parts, broadcast."""

@overload
def concat(tensors: Sequence[_T], dim: builtins.int = 0, *, out: Tensor | None = None) -> _T:
    """Join arrays along an axis."""
@overload
def concat(tensors: Sequence[_T], *, axis: builtins.int = 0, out: Tensor | None = None) -> _T:
    """Join arrays along an axis."""

@overload
def concatenate(tensors: Sequence[_T], dim: builtins.int = 0, *, out: Tensor | None = None) -> _T:
    """Join arrays along an axis."""
@overload
def concatenate(tensors: Sequence[_T], *, axis: builtins.int = 0, out: Tensor | None = None) -> _T:
    """Join arrays along an axis."""

def conj(input: _T) -> _T:
    """Return the complex conjugate; real tensors themselves."""

def conj_physical(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the complex conjugate, in memory of its own; real tensors themselves."""

def conj_physical_(input: Tensor) -> Tensor:
    """Replace this tensor by its `conj_physical`, in place, and return it."""

def conjugate(input: _T) -> _T:
    """Return the complex conjugate; real tensors themselves."""

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

@overload
def copysign(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input` with the sign of `other`, broadcast; a zero has a sign, too."""
@overload
def copysign(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input` with the sign of `other`, broadcast; a zero has a sign, too."""

def corrcoef(input: _T) -> _T:
    """Return the correlation of variables, whose observations are rows of a matrix."""

def cos(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the cosine of each element of `input`, in radians."""

def cos_(input: Tensor) -> Tensor:
    """Replace this tensor by its `cos`, in place, and return it."""

def cosh(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the hyperbolic cosine of each element of `input`."""

def cosh_(input: Tensor) -> Tensor:
    """Replace this tensor by its `cosh`, in place, and return it."""

@overload
def cosine_similarity(x1: _T, x2: _Operand, dim: builtins.int = 1, eps: builtins.float = 1e-08) -> _T:
    """Return the cosine of the angle between vectors along an axis."""
@overload
def cosine_similarity(x1: _T, x2: _Operand, *, axis: builtins.int = 1, eps: builtins.float = 1e-08) -> _T:
    """Return the cosine of the angle between vectors along an axis."""

@overload
def count_nonzero(input: _T, dim: builtins.int | None = None) -> _T:
    """Return how many elements along the axes are not zero, as int64."""
@overload
def count_nonzero(input: _T, *, axis: builtins.int | None = None) -> _T:
    """Return how many elements along the axes are not zero, as int64."""
@overload
def count_nonzero(input: _T, dim: Sequence[builtins.int]) -> _T:
    """Return how many elements along the axes are not zero, as int64."""
@overload
def count_nonzero(input: _T, *, axis: Sequence[builtins.int]) -> _T:
    """Return how many elements along the axes are not zero, as int64."""

def cov(input: _T, *, correction: builtins.int = 1, fweights: _Operand | None = None, aweights: _Operand | None = None) -> _T:
    """Return the covariance of variables, whose observations are rows of a matrix."""

@overload
def cross(input: _T, other: _Operand, dim: builtins.int | None = None, *, out: Tensor | None = None) -> _T:
    """Return the cross products of vectors of three elements along an axis."""
@overload
def cross(input: _T, other: _Operand, *, axis: builtins.int | None = None, out: Tensor | None = None) -> _T:
    """Return the cross products of vectors of three elements along an axis."""

@overload
def cummax(input: _T, dim: builtins.int, *, out: Sequence[Tensor] | None = None) -> _return_types.cummax[_T]:
    """Return the largest elements so far along `dim`, and where they stand (the last of equals)."""
@overload
def cummax(input: _T, *, axis: builtins.int, out: Sequence[Tensor] | None = None) -> _return_types.cummax[_T]:
    """Return the largest elements so far along `dim`, and where they stand (the last of equals)."""

@overload
def cummin(input: _T, dim: builtins.int, *, out: Sequence[Tensor] | None = None) -> _return_types.cummin[_T]:
    """Return the smallest elements so far along `dim`, and where they stand; as `cummax`."""
@overload
def cummin(input: _T, *, axis: builtins.int, out: Sequence[Tensor] | None = None) -> _return_types.cummin[_T]:
    """Return the smallest elements so far along `dim`, and where they stand; as `cummax`."""

@overload
def cumprod(input: _T, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return running products along `dim`; derivatives of any order are right at zeros too."""
@overload
def cumprod(input: _T, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return running products along `dim`; derivatives of any order are right at zeros too."""

@overload
def cumsum(input: _T, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return running sums along `dim`; integers add up to int64."""
@overload
def cumsum(input: _T, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return running sums along `dim`; integers add up to int64."""

@overload
def cumulative_trapezoid(y: _T, x: _Operand, *, dim: builtins.int = -1) -> _T:
    """Return the integral of samples up to each place but the first, by the trapezoidal rule."""
@overload
def cumulative_trapezoid(y: _T, x: _Operand, *, axis: builtins.int = -1) -> _T:
    """Return the integral of samples up to each place but the first, by the trapezoidal rule."""
@overload
def cumulative_trapezoid(y: _T, *, dx: _Number = 1, dim: builtins.int = -1) -> _T:
    """Return the integral of samples up to each place but the first, by the trapezoidal rule."""
@overload
def cumulative_trapezoid(y: _T, *, dx: _Number = 1, axis: builtins.int = -1) -> _T:
    """Return the integral of samples up to each place but the first, by the trapezoidal rule."""

def deg2rad(input: _T, *, out: Tensor | None = None) -> _T:
    """Return angles given in degrees in radians."""

def deg2rad_(input: Tensor) -> Tensor:
    """Replace this tensor by its `deg2rad`, in place, and return it."""

def det(input: _T) -> _T:
    """Return the determinants of square matrices, as `linalg.det` does."""

def detach(input: _T) -> _T:
    """Return the same values, sharing memory, as a constant to derivatives."""

def detach_(input: Tensor) -> Tensor:
    """Cut this tensor from its graph, in place, and let it have no tangent."""

def diag(input: _T, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> _T:
    """Return the diagonal of a matrix, or the matrix with a vector on its diagonal."""

def diag_embed(input: _T, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1) -> _T:
    """Place the last axis on a diagonal of two new axes."""

def diagflat(input: _T, offset: builtins.int = 0) -> _T:
    """Return the matrix with the elements on its diagonal."""

def diagonal(input: _T, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> _T:
    """Return a diagonal of two axes as a new last axis; a view."""

def diagonal_copy(input: _T, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1, *, out: Tensor | None = None) -> _T:
    """Return what `diagonal` shows, in memory of its own."""

def diagonal_scatter(input: _T, src: _Operand, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> _T:
    """Return `input` with `src` on a diagonal of two axes."""

@overload
def diff(input: _T, n: builtins.int = 1, dim: builtins.int = -1, prepend: _Operand | None = None, append: _Operand | None = None, *, out: Tensor | None = None) -> _T:
    """Return the difference of each element along `dim` and the next one, `n` times over."""
@overload
def diff(input: _T, n: builtins.int = 1, *, axis: builtins.int = -1, prepend: _Operand | None = None, append: _Operand | None = None, out: Tensor | None = None) -> _T:
    """Return the difference of each element along `dim` and the next one, `n` times over."""

def digamma(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the derivative of `lgamma` at each element of `input`; nan at negative integers."""

def dist(input: _T, other: _Operand, p: _Number = 2) -> _T:
    """Return the p-norm of `input - other` over all axes."""

@overload
def div(input: _T, other: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""
@overload
def div(input: _T, other: _Operand | _Number, *, rounding_mode: builtins.str | None, out: Tensor | None = None) -> _T:
    """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""

@overload
def divide(input: _T, other: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `input / other`, as `div`."""
@overload
def divide(input: _T, other: _Operand | _Number, *, rounding_mode: builtins.str | None, out: Tensor | None = None) -> _T:
    """Return `input / other`, as `div`."""

def dot(input: _T, tensor: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the sum of the products of two vectors' elements."""

@overload
def dsplit(input: _T, sections: builtins.int) -> tuple[_T, ...]:
    """Take an array apart along its third axis."""
@overload
def dsplit(input: _T, indices: Sequence[builtins.int]) -> tuple[_T, ...]:
    """Take an array apart along its third axis."""

def dstack(tensors: Sequence[_T], *, out: Tensor | None = None) -> _T:
    """Join along the third axis."""

def einsum(*args: Any) -> Tensor:
    """Sum products of operands along labelled axes."""

def elementwise(function: Any) -> Any:
    """Make an operation on each element from a SymPy function."""

@overload
def eq(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` and `other` are equal, broadcast; nan equals nothing."""
@overload
def eq(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` and `other` are equal, broadcast; nan equals nothing."""

def erf(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the error function of each element of `input`."""

def erf_(input: Tensor) -> Tensor:
    """Replace this tensor by its `erf`, in place, and return it."""

def erfc(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `1 - erf` of each element of `input`, accurate where that is small."""

def erfc_(input: Tensor) -> Tensor:
    """Replace this tensor by its `erfc`, in place, and return it."""

def erfinv(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse of the error function of each element of `input`; nan outside [-1, 1]."""

def exp(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the exponential of each element of `input`."""

def exp2(input: _T, *, out: Tensor | None = None) -> _T:
    """Return 2 to the power of each element of `input`."""

def exp2_(input: Tensor) -> Tensor:
    """Replace this tensor by its `exp2`, in place, and return it."""

def exp_(input: Tensor) -> Tensor:
    """Replace this tensor by its `exp`, in place, and return it."""

def expand_copy(input: _T, size: Sequence[builtins.int], *, implicit: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return what `expand` shows, in memory of its own."""

def expit(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

def expm1(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `exp(x) - 1` of each element of `input`, accurate near 0."""

def expm1_(input: Tensor) -> Tensor:
    """Replace this tensor by its `expm1`, in place, and return it."""

@overload
def fill(input: _T, value: _Operand) -> _T:
    """Return `value` in the shape and dtype of `input`, whose elements do not matter."""
@overload
def fill(input: _T, value: _Number) -> _T:
    """Return `value` in the shape and dtype of `input`, whose elements do not matter."""

@overload
def fill_(input: Tensor, value: Tensor) -> Tensor:
    """Fill with a number or a 0-d tensor, in place."""
@overload
def fill_(input: Tensor, value: _Number) -> Tensor:
    """Fill with a number or a 0-d tensor, in place."""

def fix(input: _T, *, out: Tensor | None = None) -> _T:
    """Return each element of `input` without its fraction; the derivative is zero."""

def fix_(input: Tensor) -> Tensor:
    """Replace this tensor by its `fix`, in place, and return it."""

def flatten(input: _T, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> _T:
    """Join the axes from `start_dim` to `end_dim` into one."""

def flip(input: _T, dims: Sequence[builtins.int]) -> _T:
    """Reverse the order of the elements along axes."""

def fliplr(input: _T) -> _T:
    """Reverse the second axis."""

def flipud(input: _T) -> _T:
    """Reverse the first axis."""

@overload
def float_power(input: _T, exponent: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones."""
@overload
def float_power(input: _Number, exponent: _T, *, out: Tensor | None = None) -> _T:
    """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones."""
@overload
def float_power(input: _T, exponent: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones."""

def floor(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the greatest integers not above the elements of `input`; the derivative is zero."""

def floor_(input: Tensor) -> Tensor:
    """Replace this tensor by its `floor`, in place, and return it."""

def floor_divide(input: _T, other: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `input // other`, rounded down and broadcast; it has no derivative."""

def fmax(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the larger of `input` and `other`, broadcast; the other one where one is nan."""

def fmin(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the smaller of `input` and `other`, broadcast; the other one where one is nan."""

@overload
def fmod(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input` less `trunc(input / other)` times `other`, which has the sign of `input`."""
@overload
def fmod(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input` less `trunc(input / other)` times `other`, which has the sign of `input`."""

def frac(input: _T, *, out: Tensor | None = None) -> _T:
    """Return what `trunc` leaves of each element of `input`; the derivative is one."""

def frac_(input: Tensor) -> Tensor:
    """Replace this tensor by its `frac`, in place, and return it."""

def frexp(input: _T, *, out: Sequence[Tensor] | None = None) -> _return_types.frexp[_T]:
    """Return `mantissa` and `exponent`, of which `input` is `mantissa * 2**exponent`."""

def from_sympy(expr: Any, mapping: Any = None, *, leaves: Any = None, indices: Any = None) -> Any:
    """Return a formula of SymPy as an expression, or compute it on tensors."""

@overload
def gather(input: _T, dim: builtins.int, index: _Operand, *, sparse_grad: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Pick elements along an axis: `result[i][j] = input[index[i][j]][j]` for `dim=0`."""
@overload
def gather(input: _T, *, axis: builtins.int, index: _Operand, sparse_grad: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Pick elements along an axis: `result[i][j] = input[index[i][j]][j]` for `dim=0`."""

def gcd(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the greatest common divisor of `input` and `other`, broadcast; it is not negative."""

def gcd_(input: Tensor, other: Tensor) -> Tensor:
    """Replace this tensor by its `gcd`, in place, and return it."""

@overload
def ge(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` is at least `other`, broadcast."""
@overload
def ge(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` is at least `other`, broadcast."""

def ger(input: _T, vec2: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the products of every element of a vector with every element of another."""

@overload
def gradient(input: _T, *, dim: Sequence[builtins.int], edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, axis: Sequence[builtins.int], edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: _Number, dim: Sequence[builtins.int], edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: _Number, axis: Sequence[builtins.int], edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: _Number | None = None, dim: builtins.int | None = None, edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: _Number | None = None, axis: builtins.int | None = None, edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: Sequence[_Number], dim: builtins.int | None = None, edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: Sequence[_Number], axis: builtins.int | None = None, edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: Sequence[_Number], dim: Sequence[builtins.int], edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: Sequence[_Number], axis: Sequence[builtins.int], edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: Sequence[_Operand], dim: builtins.int | None = None, edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: Sequence[_Operand], axis: builtins.int | None = None, edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: Sequence[_Operand], dim: Sequence[builtins.int], edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""
@overload
def gradient(input: _T, *, spacing: Sequence[_Operand], axis: Sequence[builtins.int], edge_order: builtins.int = 1) -> tuple[_T, ...]:
    """Return the slopes of samples along each axis, by differences of second order."""

@overload
def greater(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` is greater than `other`, broadcast."""
@overload
def greater(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` is greater than `other`, broadcast."""

@overload
def greater_equal(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` is at least `other`, broadcast."""
@overload
def greater_equal(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` is at least `other`, broadcast."""

@overload
def gt(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` is greater than `other`, broadcast."""
@overload
def gt(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` is greater than `other`, broadcast."""

def hardshrink(input: _T, lambd: _Number = 0.5) -> _T:
    """Return `x` where its modulus is greater than `lambd`, else 0."""

def heaviside(input: _T, values: _Operand, *, out: Tensor | None = None) -> _T:
    """Return 1 where `input` is positive, 0 where it is negative or nan, `values` where it is 0."""

def histc(input: _T, bins: builtins.int = 100, min: builtins.float = 0, max: builtins.float = 0, *, out: Tensor | None = None) -> _T:
    """Return how many elements lie in each of equal parts of the line from `min` to `max`."""

@overload
def histogram(input: _T, bins: _Operand, *, weight: _Operand | None = None, density: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.histogram[_T]:
    """Return how many elements lie between edges on a line, and the edges."""
@overload
def histogram(input: _T, bins: builtins.int = 100, *, range: Sequence[builtins.float] | None = None, weight: _Operand | None = None, density: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.histogram[_T]:
    """Return how many elements lie between edges on a line, and the edges."""

@overload
def hsplit(input: _T, sections: builtins.int) -> tuple[_T, ...]:
    """Take an array apart along its second axis, a vector along its only one."""
@overload
def hsplit(input: _T, indices: Sequence[builtins.int]) -> tuple[_T, ...]:
    """Take an array apart along its second axis, a vector along its only one."""

def hstack(tensors: Sequence[_T], *, out: Tensor | None = None) -> _T:
    """Join along the second axis, vectors along the first."""

def hypot(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `sqrt(input**2 + other**2)` without overflow; the derivative at the origin is 0."""

def i0(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of order 0 of each element of `input`."""

def i0_(input: Tensor) -> Tensor:
    """Replace this tensor by its `i0`, in place, and return it."""

def igamma(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the lower incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

def igammac(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the upper incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

def imag(input: _T) -> _T:
    """Return the imaginary part of a complex tensor."""

@overload
def index_add(input: _T, dim: builtins.int, index: _Operand, source: _Operand, *, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Add the slices of `source`, times `alpha`, to the slices of `input` that `index` names."""
@overload
def index_add(input: _T, *, axis: builtins.int, index: _Operand, source: _Operand, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Add the slices of `source`, times `alpha`, to the slices of `input` that `index` names."""

@overload
def index_copy(input: _T, dim: builtins.int, index: _Operand, source: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input` with the slices of `source` in place of those that `index` names."""
@overload
def index_copy(input: _T, *, axis: builtins.int, index: _Operand, source: _Operand, out: Tensor | None = None) -> _T:
    """Return `input` with the slices of `source` in place of those that `index` names."""

@overload
def index_fill(input: _T, dim: builtins.int, index: _Operand, value: _Operand) -> _T:
    """Return `input` with `value` in the slices that `index` names."""
@overload
def index_fill(input: _T, *, axis: builtins.int, index: _Operand, value: _Operand) -> _T:
    """Return `input` with `value` in the slices that `index` names."""
@overload
def index_fill(input: _T, dim: builtins.int, index: _Operand, value: _Number) -> _T:
    """Return `input` with `value` in the slices that `index` names."""
@overload
def index_fill(input: _T, *, axis: builtins.int, index: _Operand, value: _Number) -> _T:
    """Return `input` with `value` in the slices that `index` names."""

def index_put(input: _T, indices: Sequence[_Operand | None], values: _Operand, accumulate: builtins.bool = False) -> _T:
    """Return `input` with `values` where `indices` say; added with `accumulate`."""

def index_put_(input: Tensor, indices: Sequence[_Operand | None], values: Tensor, accumulate: builtins.bool = False) -> Tensor:
    """Replace this tensor by its `index_put`, in place, and return it."""

@overload
def index_reduce(input: _T, dim: builtins.int, index: _Operand, source: _Operand, reduce: builtins.str, *, include_self: builtins.bool = True, out: Tensor | None = None) -> _T:
    """Reduce the slices of `source` into the slices of `input` that `index` names."""
@overload
def index_reduce(input: _T, *, axis: builtins.int, index: _Operand, source: _Operand, reduce: builtins.str, include_self: builtins.bool = True, out: Tensor | None = None) -> _T:
    """Reduce the slices of `source` into the slices of `input` that `index` names."""

@overload
def index_select(input: _T, dim: builtins.int, index: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the slices of an axis that a vector of indices names."""
@overload
def index_select(input: _T, *, axis: builtins.int, index: _Operand, out: Tensor | None = None) -> _T:
    """Return the slices of an axis that a vector of indices names."""

def inner(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Sum the products along the last axes; multiply where one operand is a number."""

def inverse(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverses of square matrices, as `linalg.inv` does."""

def is_conj(input: _T) -> builtins.bool:
    """Return False: no tensor waits to be conjugated."""

def is_neg(input: _T) -> builtins.bool:
    """Return False: no tensor waits to be negated."""

def isclose(input: _T, other: _Operand, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False) -> _T:
    """Return where `|input - other| <= atol + rtol*|other|`."""

def isfinite(input: _T) -> _T:
    """Return where `input` is neither infinite nor nan."""

@overload
def isin(elements: _T, test_elements: _Operand, *, assume_unique: builtins.bool = False, invert: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return where an element is equal to one of others."""
@overload
def isin(element: _Number, test_elements: _T, *, assume_unique: builtins.bool = False, invert: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return where an element is equal to one of others."""
@overload
def isin(elements: _T, test_element: _Number, *, assume_unique: builtins.bool = False, invert: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return where an element is equal to one of others."""

def isinf(input: _T) -> _T:
    """Return where `input` is inf or -inf."""

def isnan(input: _T) -> _T:
    """Return where `input` is nan."""

def isneginf(input: _T, *, out: Tensor | None = None) -> _T:
    """Return where `input` is -inf."""

def isposinf(input: _T, *, out: Tensor | None = None) -> _T:
    """Return where `input` is inf."""

def isreal(input: _T) -> _T:
    """Return where `input` has no imaginary part."""

def istft(input: _T, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: _Operand | None = None, center: builtins.bool = True, normalized: builtins.bool = False, onesided: builtins.bool | None = None, length: builtins.int | None = None, return_complex: builtins.bool = False) -> _T:
    """Return the signal that has given Fourier transforms of its parts, as `stft` returns them."""

def kron(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the Kronecker product: `other` once for each element of `input`, times that element."""

@overload
def kthvalue(input: _T, k: builtins.int, dim: builtins.int = -1, keepdim: builtins.bool = False, *, out: Sequence[Tensor] | None = None) -> _return_types.kthvalue[_T]:
    """Return the `k`-th smallest element along `dim`, and where it stands."""
@overload
def kthvalue(input: _T, k: builtins.int, *, axis: builtins.int = -1, keepdims: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.kthvalue[_T]:
    """Return the `k`-th smallest element along `dim`, and where it stands."""

def lcm(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the least common multiple of `input` and `other`, broadcast; it is not negative."""

def lcm_(input: Tensor, other: Tensor) -> Tensor:
    """Replace this tensor by its `lcm`, in place, and return it."""

def ldexp(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input * 2**other`, broadcast; exact of floats and integer exponents."""

def ldexp_(input: Tensor, other: Tensor) -> Tensor:
    """Replace this tensor by its `ldexp`, in place, and return it."""

@overload
def le(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` is at most `other`, broadcast."""
@overload
def le(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` is at most `other`, broadcast."""

@overload
def lerp(input: _T, end: _Operand, weight: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input + weight * (end - input)`."""
@overload
def lerp(input: _T, end: _Operand, weight: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input + weight * (end - input)`."""

@overload
def less(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` is less than `other`, broadcast."""
@overload
def less(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` is less than `other`, broadcast."""

@overload
def less_equal(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` is at most `other`, broadcast."""
@overload
def less_equal(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` is at most `other`, broadcast."""

def lgamma(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the absolute value of the gamma function of each element of `input`."""

def linear(input: _T, weight: _Operand, bias: _Operand | None = None) -> _T:
    """Return `input @ weight.T + bias`."""

def log(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the natural logarithm of each element of `input`; nan of negative numbers."""

def log10(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the logarithm to base 10 of each element of `input`."""

def log10_(input: Tensor) -> Tensor:
    """Replace this tensor by its `log10`, in place, and return it."""

def log1p(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `log(1 + x)` of each element of `input`, accurate near 0."""

def log1p_(input: Tensor) -> Tensor:
    """Replace this tensor by its `log1p`, in place, and return it."""

def log2(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the logarithm to base 2 of each element of `input`."""

def log2_(input: Tensor) -> Tensor:
    """Replace this tensor by its `log2`, in place, and return it."""

def log_(input: Tensor) -> Tensor:
    """Replace this tensor by its `log`, in place, and return it."""

@overload
def log_softmax(input: _T, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of `softmax`, also where that is 0; see there."""
@overload
def log_softmax(input: _T, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the logarithm of `softmax`, also where that is 0; see there."""

def logaddexp(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `log(exp(input) + exp(other))` without overflow, broadcast."""

def logaddexp2(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `log2(2**input + 2**other)` without overflow, broadcast."""

@overload
def logcumsumexp(input: _T, dim: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return the logarithms of running sums of exponentials along `dim`, without overflow."""
@overload
def logcumsumexp(input: _T, *, axis: builtins.int, out: Tensor | None = None) -> _T:
    """Return the logarithms of running sums of exponentials along `dim`, without overflow."""

def logdet(input: _T) -> _T:
    """Return the logarithms of the determinants of square matrices."""

def logical_and(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where both `input` and `other` are not zero, broadcast."""

def logical_not(input: _T, *, out: Tensor | None = None) -> _T:
    """Return where `input` is zero."""

def logical_or(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input`, `other` or both are not zero, broadcast."""

def logical_xor(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where just one of `input` and `other` is not zero, broadcast."""

def logit(input: _T, eps: builtins.float | None = None, *, out: Tensor | None = None) -> _T:
    """Return `log(x / (1 - x))` of each element of `input`; nan outside of [0, 1]."""

def logit_(input: Tensor, eps: builtins.float | None = None) -> Tensor:
    """Replace this tensor by its `logit`, in place, and return it."""

@overload
def logsumexp(input: _T, dim: builtins.int | Sequence[builtins.int], keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the sum of exponentials over axes, without overflow."""
@overload
def logsumexp(input: _T, *, axis: builtins.int | Sequence[builtins.int], keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the logarithm of the sum of exponentials over axes, without overflow."""

@overload
def lt(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` is less than `other`, broadcast."""
@overload
def lt(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` is less than `other`, broadcast."""

def lu(input: _T, pivot: builtins.bool = True, get_infos: builtins.bool = False) -> _return_types.lu[_T]:
    """Return what `linalg.lu_factor` does; `linalg.lu` parts the factors."""

def lu_solve(input: _T, LU_data: _Operand, LU_pivots: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the solution X of `A X = input`, as `linalg.lu_solve` does."""

def lu_unpack(LU_data: _T, LU_pivots: _Operand, unpack_data: builtins.bool = True, unpack_pivots: builtins.bool = True, *, out: Sequence[Tensor] | None = None) -> _return_types.lu_unpack[_T]:
    """Return the factors P, L and U that `linalg.lu_factor` gives in one matrix."""

@overload
def masked_fill(input: _T, mask: _Operand, value: _Operand) -> _T:
    """Return `input` with `value` where `mask` holds; the filled elements get no gradient."""
@overload
def masked_fill(input: _T, mask: _Operand, value: _Number) -> _T:
    """Return `input` with `value` where `mask` holds; the filled elements get no gradient."""

def masked_scatter(input: _T, mask: _Operand, source: _Operand) -> _T:
    """Write the elements of `source`, in order, where `mask` holds."""

def masked_select(input: _T, mask: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the elements where `mask` holds, in one axis; operands are broadcast."""

def matmul(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Multiply matrices, vectors, and stacks of matrices whose leading axes broadcast."""

def matrix_exp(input: _T) -> _T:
    """Return the exponentials of square matrices, as `linalg.matrix_exp` does."""

def matrix_power(input: _T, n: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return the n-th power of square matrices, as `linalg.matrix_power` does."""

@overload
def max(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the largest element, the largest along an axis, or the larger of two."""
@overload
def max(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the largest element, the largest along an axis, or the larger of two."""
@overload
def max(input: _T, dim: builtins.int, keepdim: builtins.bool = False, *, out: Sequence[Tensor] | None = None) -> _return_types.max[_T]:
    """Return the largest element, the largest along an axis, or the larger of two."""
@overload
def max(input: _T, *, axis: builtins.int, keepdims: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.max[_T]:
    """Return the largest element, the largest along an axis, or the larger of two."""

def maximum(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the larger of `input` and `other`, nan where either is; equals share the gradient."""

@overload
def mean(input: _T, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the mean over axes; the arguments are those of `sum`."""
@overload
def mean(input: _T, dim: builtins.int | Sequence[builtins.int] | None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the mean over axes; the arguments are those of `sum`."""
@overload
def mean(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the mean over axes; the arguments are those of `sum`."""

@overload
def median(input: _T) -> _T:
    """Return the median of all elements, or along an axis; of two in the middle the smaller."""
@overload
def median(input: _T, dim: builtins.int, keepdim: builtins.bool = False, *, out: Sequence[Tensor] | None = None) -> _return_types.median[_T]:
    """Return the median of all elements, or along an axis; of two in the middle the smaller."""
@overload
def median(input: _T, *, axis: builtins.int, keepdims: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.median[_T]:
    """Return the median of all elements, or along an axis; of two in the middle the smaller."""

def meshgrid(*tensors: _T | Sequence[_T], indexing: builtins.str | None = None) -> tuple[_T, ...]:
    """Repeat vectors over the grid that they span; `indexing` is 'ij' or 'xy'."""

@overload
def min(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""
@overload
def min(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""
@overload
def min(input: _T, dim: builtins.int, keepdim: builtins.bool = False, *, out: Sequence[Tensor] | None = None) -> _return_types.min[_T]:
    """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""
@overload
def min(input: _T, *, axis: builtins.int, keepdims: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.min[_T]:
    """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""

def minimum(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the smaller of `input` and `other`, nan where either is; equals share the gradient."""

@overload
def mm(input: _T, mat2: _Operand, *, out: Tensor | None = None) -> _T:
    """Multiply two matrices."""
@overload
def mm(input: _T, mat2: _Operand, out_dtype: _dtype | builtins.type[Any], *, out: Tensor | None = None) -> _T:
    """Multiply two matrices."""

@overload
def mode(input: _T, dim: builtins.int = -1, keepdim: builtins.bool = False, *, out: Sequence[Tensor] | None = None) -> _return_types.mode[_T]:
    """Return the element that is there most often along `dim`, the least of such, and its last index."""
@overload
def mode(input: _T, *, axis: builtins.int = -1, keepdims: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.mode[_T]:
    """Return the element that is there most often along `dim`, the least of such, and its last index."""

@overload
def moveaxis(input: _T, source: builtins.int, destination: builtins.int) -> _T:
    """Move axes to other places; the others keep their order."""
@overload
def moveaxis(input: _T, source: Sequence[builtins.int], destination: Sequence[builtins.int]) -> _T:
    """Move axes to other places; the others keep their order."""

@overload
def movedim(input: _T, source: builtins.int, destination: builtins.int) -> _T:
    """Move axes to other places; the others keep their order."""
@overload
def movedim(input: _T, source: Sequence[builtins.int], destination: Sequence[builtins.int]) -> _T:
    """Move axes to other places; the others keep their order."""

def msort(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the elements along the first axis in order."""

def mul(input: _T, other: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `input * other`, broadcast."""

def multiply(input: _T, other: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `input * other`, broadcast."""

def mv(input: _T, vec: _Operand, *, out: Tensor | None = None) -> _T:
    """Multiply a matrix with a vector."""

def mvlgamma(input: _T, p: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the multivariate gamma function of dimension `p`."""

def named(input: _T, name: builtins.str) -> _T:
    """Return the same values, sharing memory, as a quantity that formulas show by its name."""

def nan_to_num(input: _T, nan: builtins.float | None = None, posinf: builtins.float | None = None, neginf: builtins.float | None = None, *, out: Tensor | None = None) -> _T:
    """Replace nan, inf and -inf, by default by 0 and the largest finite numbers."""

def nan_to_num_(input: Tensor, nan: builtins.float | None = None, posinf: builtins.float | None = None, neginf: builtins.float | None = None) -> Tensor:
    """Replace this tensor by its `nan_to_num`, in place, and return it."""

@overload
def nanmean(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the mean over axes of the elements that are not nan."""
@overload
def nanmean(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the mean over axes of the elements that are not nan."""

@overload
def nanmedian(input: _T) -> _T:
    """Return the median of the elements that are not nan, of all or along an axis, as `median` does."""
@overload
def nanmedian(input: _T, dim: builtins.int, keepdim: builtins.bool = False, *, out: Sequence[Tensor] | None = None) -> _return_types.nanmedian[_T]:
    """Return the median of the elements that are not nan, of all or along an axis, as `median` does."""
@overload
def nanmedian(input: _T, *, axis: builtins.int, keepdims: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.nanmedian[_T]:
    """Return the median of the elements that are not nan, of all or along an axis, as `median` does."""

@overload
def nanquantile(input: _T, q: _Operand, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear', out: Tensor | None = None) -> _T:
    """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""
@overload
def nanquantile(input: _T, q: _Operand, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear', out: Tensor | None = None) -> _T:
    """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""
@overload
def nanquantile(input: _T, q: builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear', out: Tensor | None = None) -> _T:
    """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""
@overload
def nanquantile(input: _T, q: builtins.float, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear', out: Tensor | None = None) -> _T:
    """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""

@overload
def nansum(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the sum over axes of the elements that are not nan."""
@overload
def nansum(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the sum over axes of the elements that are not nan."""

@overload
def narrow(input: _T, dim: builtins.int, start: _Operand, length: builtins.int) -> _T:
    """Return `length` elements along an axis from `start` on; a view."""
@overload
def narrow(input: _T, *, axis: builtins.int, start: _Operand, length: builtins.int) -> _T:
    """Return `length` elements along an axis from `start` on; a view."""
@overload
def narrow(input: _T, dim: builtins.int, start: builtins.int, length: builtins.int) -> _T:
    """Return `length` elements along an axis from `start` on; a view."""
@overload
def narrow(input: _T, *, axis: builtins.int, start: builtins.int, length: builtins.int) -> _T:
    """Return `length` elements along an axis from `start` on; a view."""

@overload
def narrow_copy(input: _T, dim: builtins.int, start: builtins.int, length: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return `length` elements along an axis from `start` on, in memory of their own."""
@overload
def narrow_copy(input: _T, *, axis: builtins.int, start: builtins.int, length: builtins.int, out: Tensor | None = None) -> _T:
    """Return `length` elements along an axis from `start` on, in memory of their own."""

def native_channel_shuffle(input: _T, groups: builtins.int) -> _T:
    """Return what `channel_shuffle` does, by PyTorch's name of its kernel."""

@overload
def ne(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` and `other` differ, broadcast; nan differs from everything."""
@overload
def ne(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` and `other` differ, broadcast; nan differs from everything."""

def neg(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `-input`; of bools, RuntimeError."""

def neg_(input: Tensor) -> Tensor:
    """Replace this tensor by its `neg`, in place, and return it."""

def negative(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `-input`; of bools, RuntimeError."""

def negative_(input: Tensor) -> Tensor:
    """Replace this tensor by its `negative`, in place, and return it."""

def nextafter(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the number next to `input` in the direction of `other`, broadcast."""

@overload
def nonzero(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the indices of the elements that are not zero, one row each."""
@overload
def nonzero(input: _T, *, as_tuple: builtins.bool) -> _T:
    """Return the indices of the elements that are not zero, one row each."""

def norm(input: _T, p: builtins.float | builtins.str | None = 'fro', dim: Any = None, keepdim: Any = False, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None) -> _T:
    """Return the p-norm of the elements, over all axes or some."""

@overload
def not_equal(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return where `input` and `other` differ, broadcast; nan differs from everything."""
@overload
def not_equal(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return where `input` and `other` differ, broadcast; nan differs from everything."""

def orgqr(input: _T, input2: _Operand) -> _T:
    """Return what `linalg.householder_product` does."""

def ormqr(input: _T, input2: _Operand, input3: _Operand, left: builtins.bool = True, transpose: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the product of a matrix with a product Q of reflections, as `geqrf` gives those."""

def outer(input: _T, vec2: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the products of every element of a vector with every element of another."""

def pairwise_distance(x1: _T, x2: _Operand, p: builtins.float = 2, eps: builtins.float = 1e-06, keepdim: builtins.bool = False) -> _T:
    """Return the length of the difference of vectors, which lie along the last axis."""

def pca_lowrank(A: _T, q: builtins.int | None = None, center: builtins.bool = True, niter: builtins.int = 2) -> _return_types.pca_lowrank[_T]:
    """Return the principal components of the rows of matrices, by random directions."""

def pdist(input: _T, p: builtins.float = 2.0) -> _T:
    """Return the distance of each row of a matrix from each row after it, in one axis."""

def permute(input: _T, dims: Sequence[builtins.int]) -> _T:
    """Reorder the axes."""

def permute_copy(input: _T, dims: Sequence[builtins.int], *, out: Tensor | None = None) -> _T:
    """Return what `permute` shows, in memory of its own."""

def pinverse(input: _T, rcond: builtins.float = 1e-15) -> _T:
    """Return the pseudo-inverses of matrices, as `linalg.pinv` does."""

def pixel_shuffle(input: _T, upscale_factor: builtins.int) -> _T:
    """Return an image of more pixels, made of several channels of one of fewer."""

def pixel_unshuffle(input: _T, downscale_factor: builtins.int) -> _T:
    """Return what `pixel_shuffle` makes `input` of."""

def polar(abs: _T, angle: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the complex numbers of the given moduli and angles."""

def polygamma(n: builtins.int, input: _T, *, out: Tensor | None = None) -> _T:
    """Return the derivative of order `n` of `digamma` at each element of `input`."""

def positive(input: _T) -> _T:
    """Return `input` itself; of bools, RuntimeError."""

@overload
def pow(input: _T, exponent: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input` to the power `exponent`, elementwise and broadcast."""
@overload
def pow(input: _Number, exponent: _T, *, out: Tensor | None = None) -> _T:
    """Return `input` to the power `exponent`, elementwise and broadcast."""
@overload
def pow(input: _T, exponent: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input` to the power `exponent`, elementwise and broadcast."""

def prelu(input: _T, weight: _Operand) -> _T:
    """Return `x` where it is positive, else `weight*x`."""

@overload
def prod(input: _T, *, dtype: _dtype | builtins.type[Any] | None = None) -> _T:
    """Return the product of all elements, or along one axis; integers give int64."""
@overload
def prod(input: _T, dim: builtins.int, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the product of all elements, or along one axis; integers give int64."""
@overload
def prod(input: _T, *, axis: builtins.int, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the product of all elements, or along one axis; integers give int64."""

def put(input: _T, index: _Operand, source: _Operand, accumulate: builtins.bool = False) -> _T:
    """Write elements by their position in the flattened array; negative ones from the end."""

def qr(input: _T, some: builtins.bool = True, *, out: Sequence[Tensor] | None = None) -> _return_types.qr[_T]:
    """Return the factors of `input = Q @ R`; `linalg.qr` is the newer function."""

@overload
def quantile(input: _T, q: _Operand, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear', out: Tensor | None = None) -> _T:
    """Return the `q`-quantiles of all elements, or along an axis."""
@overload
def quantile(input: _T, q: _Operand, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear', out: Tensor | None = None) -> _T:
    """Return the `q`-quantiles of all elements, or along an axis."""
@overload
def quantile(input: _T, q: builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear', out: Tensor | None = None) -> _T:
    """Return the `q`-quantiles of all elements, or along an axis."""
@overload
def quantile(input: _T, q: builtins.float, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear', out: Tensor | None = None) -> _T:
    """Return the `q`-quantiles of all elements, or along an axis."""

def rad2deg(input: _T, *, out: Tensor | None = None) -> _T:
    """Return angles given in radians in degrees."""

def rad2deg_(input: Tensor) -> Tensor:
    """Replace this tensor by its `rad2deg`, in place, and return it."""

def ravel(input: _T) -> _T:
    """Return the elements in one axis."""

def real(input: _T) -> _T:
    """Return the real part; real tensors themselves."""

def reciprocal(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `1 / x` of each element of `input`."""

def reciprocal_(input: Tensor) -> Tensor:
    """Replace this tensor by its `reciprocal`, in place, and return it."""

def relu(input: _T) -> _T:
    """Return the positive part of each element of `input`; its derivative at 0 is 0."""

def relu_(input: Tensor) -> Tensor:
    """Replace this tensor by its `relu`, in place, and return it."""

@overload
def remainder(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`."""
@overload
def remainder(input: _Number, other: _T) -> _T:
    """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`."""
@overload
def remainder(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`."""

@overload
def renorm(input: _T, p: _Number, dim: builtins.int, maxnorm: _Number, *, out: Tensor | None = None) -> _T:
    """Shorten the slices along `dim` whose norm is larger than `maxnorm` to that norm."""
@overload
def renorm(input: _T, p: _Number, *, axis: builtins.int, maxnorm: _Number, out: Tensor | None = None) -> _T:
    """Shorten the slices along `dim` whose norm is larger than `maxnorm` to that norm."""

@overload
def repeat_interleave(input: _T, repeats: _Operand, dim: builtins.int | None = None, *, output_size: builtins.int | None = None) -> _T:
    """Repeat each element in place, by one number or by one number for each."""
@overload
def repeat_interleave(input: _T, repeats: _Operand, *, axis: builtins.int | None = None, output_size: builtins.int | None = None) -> _T:
    """Repeat each element in place, by one number or by one number for each."""
@overload
def repeat_interleave(repeats: _T, *, output_size: builtins.int | None = None) -> _T:
    """Repeat each element in place, by one number or by one number for each."""
@overload
def repeat_interleave(input: _T, repeats: builtins.int, dim: builtins.int | None = None, *, output_size: builtins.int | None = None) -> _T:
    """Repeat each element in place, by one number or by one number for each."""
@overload
def repeat_interleave(input: _T, repeats: builtins.int, *, axis: builtins.int | None = None, output_size: builtins.int | None = None) -> _T:
    """Repeat each element in place, by one number or by one number for each."""

def reshape(input: _T, shape: Sequence[builtins.int]) -> _T:
    """Return the elements in another shape, in the same order; one length may be -1."""

def resize_as_(input: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    """Give the tensor the shape of another one, as `resize_` does."""

def resolve_conj(input: _T) -> _T:
    """Return `input`, of which every conjugation has been computed."""

def resolve_neg(input: _T) -> _T:
    """Return `input`, of which every negation has been computed."""

def roll(input: _T, shifts: builtins.int | Sequence[builtins.int], dims: builtins.int | Sequence[builtins.int] = ...) -> _T:
    """Move the elements along axes, or through the flattened array where none are given."""

def rot90(input: _T, k: builtins.int = 1, dims: Sequence[builtins.int] = ...) -> _T:
    """Rotate by `k` quarter turns in the plane of two axes, from the first towards the second."""

@overload
def round(input: _T, *, out: Tensor | None = None) -> _T:
    """Round to the nearest multiple of `10**-decimals`, halves to even."""
@overload
def round(input: _T, *, decimals: builtins.int, out: Tensor | None = None) -> _T:
    """Round to the nearest multiple of `10**-decimals`, halves to even."""

@overload
def round_(input: Tensor) -> Tensor:
    """Replace this tensor by its `round`, in place, and return it."""
@overload
def round_(input: Tensor, *, decimals: builtins.int) -> Tensor:
    """Replace this tensor by its `round`, in place, and return it."""

def row_stack(tensors: Sequence[_T], *, out: Tensor | None = None) -> _T:
    """Join along the first axis, vectors as rows."""

def rsqrt(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `1 / sqrt(x)` of each element of `input`."""

def rsqrt_(input: Tensor) -> Tensor:
    """Replace this tensor by its `rsqrt`, in place, and return it."""

@overload
def rsub(input: _T, other: _Operand, *, alpha: _Number = 1) -> _T:
    """Return `other - alpha * input`, broadcast."""
@overload
def rsub(input: _T, other: _Number, alpha: _Number = 1) -> _T:
    """Return `other - alpha * input`, broadcast."""

@overload
def scatter(input: _T, dim: builtins.int, index: _Operand, src: _Operand, *, out: Tensor | None = None) -> _T:
    """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
@overload
def scatter(input: _T, *, axis: builtins.int, index: _Operand, src: _Operand, out: Tensor | None = None) -> _T:
    """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
@overload
def scatter(input: _T, dim: builtins.int, index: _Operand, src: _Operand, *, reduce: builtins.str, out: Tensor | None = None) -> _T:
    """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
@overload
def scatter(input: _T, *, axis: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str, out: Tensor | None = None) -> _T:
    """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
@overload
def scatter(input: _T, dim: builtins.int, index: _Operand, value: _Number, *, out: Tensor | None = None) -> _T:
    """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
@overload
def scatter(input: _T, *, axis: builtins.int, index: _Operand, value: _Number, out: Tensor | None = None) -> _T:
    """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
@overload
def scatter(input: _T, dim: builtins.int, index: _Operand, value: _Number, *, reduce: builtins.str, out: Tensor | None = None) -> _T:
    """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
@overload
def scatter(input: _T, *, axis: builtins.int, index: _Operand, value: _Number, reduce: builtins.str, out: Tensor | None = None) -> _T:
    """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""

@overload
def scatter_add(input: _T, dim: builtins.int, index: _Operand, src: _Operand, *, out: Tensor | None = None) -> _T:
    """Add elements along an axis: `result[index[i][j]][j] += src[i][j]` for `dim=0`."""
@overload
def scatter_add(input: _T, *, axis: builtins.int, index: _Operand, src: _Operand, out: Tensor | None = None) -> _T:
    """Add elements along an axis: `result[index[i][j]][j] += src[i][j]` for `dim=0`."""

@overload
def scatter_reduce(input: _T, dim: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str, *, include_self: builtins.bool = True, out: Tensor | None = None) -> _T:
    """Reduce the elements of `src` that `index` sends to the same place along an axis."""
@overload
def scatter_reduce(input: _T, *, axis: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str, include_self: builtins.bool = True, out: Tensor | None = None) -> _T:
    """Reduce the elements of `src` that `index` sends to the same place along an axis."""

@overload
def searchsorted(sorted_sequence: _T, input: _Operand, *, out_int32: builtins.bool = False, right: builtins.bool = False, side: builtins.str | None = None, sorter: _Operand | None = None, out: Tensor | None = None) -> _T:
    """Return where each number would stand in sorted ones: before those that are equal, or behind."""
@overload
def searchsorted(sorted_sequence: _T, input: _Number, *, out_int32: builtins.bool = False, right: builtins.bool = False, side: builtins.str | None = None, sorter: _Operand | None = None, out: Tensor | None = None) -> _T:
    """Return where each number would stand in sorted ones: before those that are equal, or behind."""

@overload
def select(input: _T, dim: builtins.int, index: builtins.int) -> _T:
    """Return the slice at `index` of an axis; a view."""
@overload
def select(input: _T, *, axis: builtins.int, index: builtins.int) -> _T:
    """Return the slice at `index` of an axis; a view."""

@overload
def select_copy(input: _T, dim: builtins.int, index: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return what `select` shows at `index`, in memory of its own."""
@overload
def select_copy(input: _T, *, axis: builtins.int, index: builtins.int, out: Tensor | None = None) -> _T:
    """Return what `select` shows at `index`, in memory of its own."""

@overload
def select_scatter(input: _T, src: _Operand, dim: builtins.int, index: builtins.int) -> _T:
    """Return `input` with `src` at `index` of an axis."""
@overload
def select_scatter(input: _T, src: _Operand, *, axis: builtins.int, index: builtins.int) -> _T:
    """Return `input` with `src` at `index` of an axis."""

def sgn(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the sign `x / |x|` of each element of `input`, and 0 of 0."""

def sigmoid(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

def sigmoid_(input: Tensor) -> Tensor:
    """Replace this tensor by its `sigmoid`, in place, and return it."""

def sign(input: _T, *, out: Tensor | None = None) -> _T:
    """Return -1, 0 or 1 for each element of `input`; the derivative is zero, also at 0."""

def signbit(input: _T, *, out: Tensor | None = None) -> _T:
    """Return where the sign of `input` is minus, also that of a zero."""

def sin(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the sine of each element of `input`, in radians."""

def sin_(input: Tensor) -> Tensor:
    """Replace this tensor by its `sin`, in place, and return it."""

def sinc(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `sin(pi*x) / (pi*x)` of each element of `input`, and 1 of 0."""

def sinc_(input: Tensor) -> Tensor:
    """Replace this tensor by its `sinc`, in place, and return it."""

def sinh(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the hyperbolic sine of each element of `input`."""

def sinh_(input: Tensor) -> Tensor:
    """Replace this tensor by its `sinh`, in place, and return it."""

@overload
def slice_copy(input: _T, dim: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1, *, out: Tensor | None = None) -> _T:
    """Return the elements along an axis from `start` up to but without `end`, in memory of their own."""
@overload
def slice_copy(input: _T, *, axis: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1, out: Tensor | None = None) -> _T:
    """Return the elements along an axis from `start` up to but without `end`, in memory of their own."""

@overload
def slice_scatter(input: _T, src: _Operand, dim: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1, *, out: Tensor | None = None) -> _T:
    """Return `input` with `src` at a slice of an axis."""
@overload
def slice_scatter(input: _T, src: _Operand, *, axis: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1, out: Tensor | None = None) -> _T:
    """Return `input` with `src` at a slice of an axis."""

def slogdet(input: _T, *, out: Sequence[Tensor] | None = None) -> _return_types.slogdet[_T]:
    """Return the sign and the logarithm of the modulus of determinants, as `linalg.slogdet` does."""

@overload
def softmax(input: _T, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, *, out: Tensor | None = None) -> _T:
    """Return exponentials divided by their sum along `dim`, without overflow."""
@overload
def softmax(input: _T, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return exponentials divided by their sum along `dim`, without overflow."""

@overload
def sort(input: _T, *, stable: builtins.bool | None, dim: builtins.int = -1, descending: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.sort[_T]:
    """Return the elements along `dim` in order, and where they stood."""
@overload
def sort(input: _T, *, stable: builtins.bool | None, axis: builtins.int = -1, descending: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.sort[_T]:
    """Return the elements along `dim` in order, and where they stood."""
@overload
def sort(input: _T, dim: builtins.int = -1, descending: builtins.bool = False, *, out: Sequence[Tensor] | None = None) -> _return_types.sort[_T]:
    """Return the elements along `dim` in order, and where they stood."""
@overload
def sort(input: _T, *, axis: builtins.int = -1, descending: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.sort[_T]:
    """Return the elements along `dim` in order, and where they stood."""

def split(tensor: _T, split_size_or_sections: builtins.int | Sequence[builtins.int], dim: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart along an axis, into pieces of one length or of given lengths."""

@overload
def split_copy(input: _T, split_size: builtins.int, dim: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `split` shows, in memory of its own."""
@overload
def split_copy(input: _T, split_size: builtins.int, *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `split` shows, in memory of its own."""

@overload
def split_with_sizes(input: _T, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart along an axis into pieces of given lengths."""
@overload
def split_with_sizes(input: _T, split_sizes: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart along an axis into pieces of given lengths."""

@overload
def split_with_sizes_copy(input: _T, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `split_with_sizes` shows, in memory of its own."""
@overload
def split_with_sizes_copy(input: _T, split_sizes: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `split_with_sizes` shows, in memory of its own."""

def sqrt(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the square root of each element of `input`; nan of negative numbers."""

def sqrt_(input: Tensor) -> Tensor:
    """Replace this tensor by its `sqrt`, in place, and return it."""

def square(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the square of each element of `input`."""

def square_(input: Tensor) -> Tensor:
    """Replace this tensor by its `square`, in place, and return it."""

@overload
def squeeze(input: _T) -> _T:
    """Drop axes of length one: all, or those given."""
@overload
def squeeze(input: _T, dim: builtins.int) -> _T:
    """Drop axes of length one: all, or those given."""
@overload
def squeeze(input: _T, *, axis: builtins.int) -> _T:
    """Drop axes of length one: all, or those given."""
@overload
def squeeze(input: _T, dim: Sequence[builtins.int]) -> _T:
    """Drop axes of length one: all, or those given."""
@overload
def squeeze(input: _T, *, axis: Sequence[builtins.int]) -> _T:
    """Drop axes of length one: all, or those given."""

@overload
def squeeze_copy(input: _T, *, out: Tensor | None = None) -> _T:
    """Return what `squeeze` shows, in memory of its own."""
@overload
def squeeze_copy(input: _T, dim: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return what `squeeze` shows, in memory of its own."""
@overload
def squeeze_copy(input: _T, *, axis: builtins.int, out: Tensor | None = None) -> _T:
    """Return what `squeeze` shows, in memory of its own."""
@overload
def squeeze_copy(input: _T, dim: Sequence[builtins.int], *, out: Tensor | None = None) -> _T:
    """Return what `squeeze` shows, in memory of its own."""
@overload
def squeeze_copy(input: _T, *, axis: Sequence[builtins.int], out: Tensor | None = None) -> _T:
    """Return what `squeeze` shows, in memory of its own."""

@overload
def stack(tensors: Sequence[_T], dim: builtins.int = 0, *, out: Tensor | None = None) -> _T:
    """Join arrays of one shape along a new axis."""
@overload
def stack(tensors: Sequence[_T], *, axis: builtins.int = 0, out: Tensor | None = None) -> _T:
    """Join arrays of one shape along a new axis."""

@overload
def std(input: _T, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
@overload
def std(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
@overload
def std(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
@overload
def std(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
@overload
def std(input: _T, unbiased: builtins.bool = True) -> _T:
    """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""

@overload
def std_mean(input: _T, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> tuple[_T, _T]:
    """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
@overload
def std_mean(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> tuple[_T, _T]:
    """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
@overload
def std_mean(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> tuple[_T, _T]:
    """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
@overload
def std_mean(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> tuple[_T, _T]:
    """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
@overload
def std_mean(input: _T, unbiased: builtins.bool = True) -> tuple[_T, _T]:
    """Return the standard deviation and the mean over axes, as `std` and `mean` do."""

def stft(input: _T, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: _Operand | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect', normalized: builtins.bool = False, onesided: builtins.bool | None = None, return_complex: builtins.bool | None = None, align_to_window: builtins.bool | None = None) -> _T:
    """Return the Fourier transforms of the parts of a signal: of each frequency over time."""

def sub(input: _T, other: _Operand | _Number, *, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `input - alpha * other`, broadcast."""

def subtract(input: _T, other: _Operand | _Number, *, alpha: _Number = 1, out: Tensor | None = None) -> _T:
    """Return `input - alpha * other`, broadcast; `sub` under another name."""

@overload
def sum(input: _T, *, dtype: _dtype | builtins.type[Any] | None = None) -> _T:
    """Return the sum over axes."""
@overload
def sum(input: _T, dim: builtins.int | Sequence[builtins.int] | None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the sum over axes."""
@overload
def sum(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the sum over axes."""

def svd(input: _T, some: builtins.bool = True, compute_uv: builtins.bool = True, *, out: Sequence[Tensor] | None = None) -> _return_types.svd[_T]:
    """Return U, S and V of `input = U @ diag(S) @ V.mH`; `linalg.svd` is the newer function."""

def svd_lowrank(A: _T, q: builtins.int | None = 6, niter: builtins.int | None = 2, M: _Operand | None = None) -> _return_types.svd_lowrank[_T]:
    """Return nearly the largest singular values of matrices, and their vectors, by random directions."""

def swapaxes(input: _T, axis0: builtins.int, axis1: builtins.int) -> _T:
    """Exchange two axes."""

def swapdims(input: _T, dim0: builtins.int, dim1: builtins.int) -> _T:
    """Exchange two axes, as `transpose` does."""

def t(input: _T) -> _T:
    """Return the transpose of a matrix; vectors and numbers are left as they are."""

def t_copy(input: _T, *, out: Tensor | None = None) -> _T:
    """Return what `t` shows, in memory of its own."""

def take(input: _T, index: _Operand, *, out: Tensor | None = None) -> _T:
    """Return elements by their position in the flattened array; negative ones from the end."""

@overload
def take_along_dim(input: _T, indices: _Operand, dim: builtins.int | None = None, *, out: Tensor | None = None) -> _T:
    """Pick elements along an axis, broadcasting the others; without `dim` from the flat array."""
@overload
def take_along_dim(input: _T, indices: _Operand, *, axis: builtins.int | None = None, out: Tensor | None = None) -> _T:
    """Pick elements along an axis, broadcasting the others; without `dim` from the flat array."""

def tan(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the tangent of each element of `input`, in radians."""

def tan_(input: Tensor) -> Tensor:
    """Replace this tensor by its `tan`, in place, and return it."""

def tanh(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the hyperbolic tangent of each element of `input`."""

def tanh_(input: Tensor) -> Tensor:
    """Replace this tensor by its `tanh`, in place, and return it."""

@overload
def tensor_split(input: _T, indices: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart into nearly equal pieces, or at given places."""
@overload
def tensor_split(input: _T, indices: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart into nearly equal pieces, or at given places."""
@overload
def tensor_split(input: _T, tensor_indices_or_sections: _Operand, dim: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart into nearly equal pieces, or at given places."""
@overload
def tensor_split(input: _T, tensor_indices_or_sections: _Operand, *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart into nearly equal pieces, or at given places."""
@overload
def tensor_split(input: _T, sections: builtins.int, dim: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart into nearly equal pieces, or at given places."""
@overload
def tensor_split(input: _T, sections: builtins.int, *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Take an array apart into nearly equal pieces, or at given places."""

def tensordot(a: _T, b: _Operand, dims: builtins.int | _Operand | Sequence[builtins.int] | Sequence[Any] = 2, out: Tensor | None = None) -> _T:
    """Sum products along several axes of both."""

def tile(input: _T, dims: Sequence[builtins.int]) -> _T:
    """Repeat the whole array; leading axes that are not named are not repeated."""

def to_sympy(input: _T, form: Any = 'scalar', symbols: Any = None, exact: builtins.bool = False, expand: builtins.bool = False) -> Any:
    """Return a formula in plain SymPy classes."""

@overload
def topk(input: _T, k: builtins.int, dim: builtins.int = -1, largest: builtins.bool = True, sorted: builtins.bool = True, *, out: Sequence[Tensor] | None = None) -> _return_types.topk[_T]:
    """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand."""
@overload
def topk(input: _T, k: builtins.int, *, axis: builtins.int = -1, largest: builtins.bool = True, sorted: builtins.bool = True, out: Sequence[Tensor] | None = None) -> _return_types.topk[_T]:
    """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand."""

def trace(input: _T) -> _T:
    """Return the sum of the diagonal of a matrix."""

def transpose(input: _T, dim0: builtins.int, dim1: builtins.int) -> _T:
    """Exchange two axes."""

def transpose_copy(input: _T, dim0: builtins.int, dim1: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return what `transpose` shows, in memory of its own."""

@overload
def trapezoid(y: _T, x: _Operand, *, dim: builtins.int = -1) -> _T:
    """Return the integral of samples along `dim` by the trapezoidal rule."""
@overload
def trapezoid(y: _T, x: _Operand, *, axis: builtins.int = -1) -> _T:
    """Return the integral of samples along `dim` by the trapezoidal rule."""
@overload
def trapezoid(y: _T, *, dx: _Number = 1, dim: builtins.int = -1) -> _T:
    """Return the integral of samples along `dim` by the trapezoidal rule."""
@overload
def trapezoid(y: _T, *, dx: _Number = 1, axis: builtins.int = -1) -> _T:
    """Return the integral of samples along `dim` by the trapezoidal rule."""

@overload
def trapz(y: _T, *, dx: builtins.float = 1, dim: builtins.int = -1) -> _T:
    """Return the integral of samples along `dim` by the trapezoidal rule."""
@overload
def trapz(y: _T, *, dx: builtins.float = 1, axis: builtins.int = -1) -> _T:
    """Return the integral of samples along `dim` by the trapezoidal rule."""
@overload
def trapz(y: _T, x: _Operand, *, dim: builtins.int = -1) -> _T:
    """Return the integral of samples along `dim` by the trapezoidal rule."""
@overload
def trapz(y: _T, x: _Operand, *, axis: builtins.int = -1) -> _T:
    """Return the integral of samples along `dim` by the trapezoidal rule."""

def triangular_solve(input: _T, A: _Operand, upper: builtins.bool = True, transpose: builtins.bool = False, unitriangular: builtins.bool = False, *, out: Sequence[Tensor] | None = None) -> _return_types.triangular_solve[_T]:
    """Return the solution X of `A X = input` for triangular matrices A, and A."""

def tril(input: _T, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> _T:
    """Return the lower triangle of the last two axes, up to `diagonal` above the main one."""

def triu(input: _T, diagonal: builtins.int = 0, *, out: Tensor | None = None) -> _T:
    """Return the upper triangle of the last two axes, from `diagonal` above the main one."""

def true_divide(input: _T, other: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `input / other`, broadcast."""

def trunc(input: _T, *, out: Tensor | None = None) -> _T:
    """Return each element of `input` without its fraction; the derivative is zero."""

def trunc_(input: Tensor) -> Tensor:
    """Replace this tensor by its `trunc`, in place, and return it."""

@overload
def unbind(input: _T, dim: builtins.int = 0) -> tuple[_T, ...]:
    """Return the slices along an axis, without that axis."""
@overload
def unbind(input: _T, *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Return the slices along an axis, without that axis."""

@overload
def unbind_copy(input: _T, dim: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `unbind` shows, in memory of its own."""
@overload
def unbind_copy(input: _T, *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `unbind` shows, in memory of its own."""

@overload
def unflatten(input: _T, dim: builtins.int, sizes: Sequence[builtins.int]) -> _T:
    """Split one axis into several; one length may be -1."""
@overload
def unflatten(input: _T, *, axis: builtins.int, sizes: Sequence[builtins.int]) -> _T:
    """Split one axis into several; one length may be -1."""

def unfold_copy(input: _T, dimension: builtins.int, size: builtins.int, step: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return what `unfold` shows, in memory of its own."""

def unique(input: _T, sorted: builtins.bool = True, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, dim: builtins.int | None = None) -> Any:
    """Return the distinct elements, or slices along an axis, in ascending order."""

def unique_consecutive(input: _T, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, dim: builtins.int | None = None) -> Any:
    """Return the elements, or slices along an axis, without those that are equal to the one before."""

def unravel_index(indices: _T, shape: Any) -> tuple[_T, ...]:
    """Return the place along each axis of elements that are counted row by row."""

@overload
def unsafe_chunk(input: _T, chunks: builtins.int, dim: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `chunk` does, each piece as if it had memory of its own."""
@overload
def unsafe_chunk(input: _T, chunks: builtins.int, *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `chunk` does, each piece as if it had memory of its own."""

@overload
def unsafe_split(input: _T, split_size: builtins.int, dim: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `split` does, each piece as if it had memory of its own."""
@overload
def unsafe_split(input: _T, split_size: builtins.int, *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `split` does, each piece as if it had memory of its own."""

@overload
def unsafe_split_with_sizes(input: _T, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `split_with_sizes` does, each piece as if it had memory of its own."""
@overload
def unsafe_split_with_sizes(input: _T, split_sizes: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[_T, ...]:
    """Return what `split_with_sizes` does, each piece as if it had memory of its own."""

@overload
def unsqueeze(input: _T, dim: builtins.int) -> _T:
    """Add an axis of length one at `dim`."""
@overload
def unsqueeze(input: _T, *, axis: builtins.int) -> _T:
    """Add an axis of length one at `dim`."""

@overload
def unsqueeze_copy(input: _T, dim: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return what `unsqueeze` shows, in memory of its own."""
@overload
def unsqueeze_copy(input: _T, *, axis: builtins.int, out: Tensor | None = None) -> _T:
    """Return what `unsqueeze` shows, in memory of its own."""

def vander(x: _T, N: builtins.int | None = None, increasing: builtins.bool = False) -> _T:
    """Return powers of the elements of a 1-D tensor, from the highest unless `increasing`."""

@overload
def var(input: _T, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the variance over axes."""
@overload
def var(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the variance over axes."""
@overload
def var(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the variance over axes."""
@overload
def var(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the variance over axes."""
@overload
def var(input: _T, unbiased: builtins.bool = True) -> _T:
    """Return the variance over axes."""

@overload
def var_mean(input: _T, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> tuple[_T, _T]:
    """Return the variance and the mean over axes, as `var` and `mean` do."""
@overload
def var_mean(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> tuple[_T, _T]:
    """Return the variance and the mean over axes, as `var` and `mean` do."""
@overload
def var_mean(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> tuple[_T, _T]:
    """Return the variance and the mean over axes, as `var` and `mean` do."""
@overload
def var_mean(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> tuple[_T, _T]:
    """Return the variance and the mean over axes, as `var` and `mean` do."""
@overload
def var_mean(input: _T, unbiased: builtins.bool = True) -> tuple[_T, _T]:
    """Return the variance and the mean over axes, as `var` and `mean` do."""

def vdot(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the dot product of the conjugate of a vector with another one."""

def view_as_complex(input: _T) -> _T:
    """Return the pairs of real numbers along the last axis as complex ones."""

def view_as_complex_copy(input: _T, *, out: Tensor | None = None) -> _T:
    """Return what `view_as_complex` shows, in memory of its own."""

def view_as_real(input: _T) -> _T:
    """Return complex numbers as pairs of real ones along a new last axis."""

def view_as_real_copy(input: _T, *, out: Tensor | None = None) -> _T:
    """Return what `view_as_real` shows, in memory of its own."""

@overload
def view_copy(input: _T, dtype: _dtype | builtins.type[Any], *, out: Tensor | None = None) -> _T:
    """Return what `view` shows, in memory of its own."""
@overload
def view_copy(input: _T, size: Sequence[builtins.int], *, out: Tensor | None = None) -> _T:
    """Return what `view` shows, in memory of its own."""

@overload
def vsplit(input: _T, sections: builtins.int) -> tuple[_T, ...]:
    """Take an array apart along its first axis."""
@overload
def vsplit(input: _T, indices: Sequence[builtins.int]) -> tuple[_T, ...]:
    """Take an array apart along its first axis."""

def vstack(tensors: Sequence[_T], *, out: Tensor | None = None) -> _T:
    """Join along the first axis, vectors as rows."""

@overload
def where(condition: _T) -> tuple[_T, ...]:
    """Choose `input` where `condition` holds, else `other`."""
@overload
def where(condition: _T, input: _Operand, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Choose `input` where `condition` holds, else `other`."""
@overload
def where(condition: _T, input: _Number, other: _Operand) -> _T:
    """Choose `input` where `condition` holds, else `other`."""
@overload
def where(condition: _T, input: _Operand, other: _Number) -> _T:
    """Choose `input` where `condition` holds, else `other`."""
@overload
def where(condition: _T, input: _Number, other: _Number) -> _T:
    """Choose `input` where `condition` holds, else `other`."""

@overload
def xlogy(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""
@overload
def xlogy(input: _Number, other: _T, *, out: Tensor | None = None) -> _T:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""
@overload
def xlogy(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""

@overload
def xlogy_(input: Tensor, other: Tensor) -> Tensor:
    """Replace this tensor by its `xlogy`, in place, and return it."""
@overload
def xlogy_(input: Tensor, other: _Number) -> Tensor:
    """Replace this tensor by its `xlogy`, in place, and return it."""

def zero_(input: Tensor) -> Tensor:
    """Fill with zeros, in place."""

class Methods:
    def abs(self) -> Tensor:
        """Return the modulus of each element of `input`; its derivative at 0 is 0."""

    def abs_(self) -> Tensor:
        """Replace this tensor by its `abs`, in place, and return it."""

    def absolute(self) -> Tensor:
        """Return the modulus of each element of `input`; its derivative at 0 is 0."""

    def absolute_(self) -> Tensor:
        """Replace this tensor by its `absolute`, in place, and return it."""

    def acos(self) -> Tensor:
        """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

    def acos_(self) -> Tensor:
        """Replace this tensor by its `acos`, in place, and return it."""

    def acosh(self) -> Tensor:
        """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

    def acosh_(self) -> Tensor:
        """Replace this tensor by its `acosh`, in place, and return it."""

    def add(self, other: _Operand | _Number, *, alpha: _Number = 1) -> Tensor:
        """Return `input + alpha * other`, broadcast."""

    def add_(self, other: _Operand | _Number, *, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `add`, in place, and return it."""

    def addbmm(self, batch1: _Operand, batch2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Return `beta * input + alpha * bmm(batch1, batch2).sum(0)`."""

    def addbmm_(self, batch1: _Operand, batch2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `addbmm`, in place, and return it."""

    def addcdiv(self, tensor1: _Operand, tensor2: _Operand, *, value: _Number = 1) -> Tensor:
        """Return `input + value * tensor1 / tensor2`."""

    def addcdiv_(self, tensor1: _Operand, tensor2: _Operand, *, value: _Number = 1) -> Tensor:
        """Replace this tensor by its `addcdiv`, in place, and return it."""

    def addcmul(self, tensor1: _Operand, tensor2: _Operand, *, value: _Number = 1) -> Tensor:
        """Return `input + value * tensor1 * tensor2`."""

    def addcmul_(self, tensor1: _Operand, tensor2: _Operand, *, value: _Number = 1) -> Tensor:
        """Replace this tensor by its `addcmul`, in place, and return it."""

    def addmm(self, mat1: _Operand, mat2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Return `beta * input + alpha * (mat1 @ mat2)`."""

    def addmm_(self, mat1: _Operand, mat2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `addmm`, in place, and return it."""

    def addmv(self, mat: _Operand, vec: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Return `beta * input + alpha * (mat @ vec)`."""

    def addmv_(self, mat: _Operand, vec: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `addmv`, in place, and return it."""

    def addr(self, vec1: _Operand, vec2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Return `beta * input + alpha * outer(vec1, vec2)`."""

    def addr_(self, vec1: _Operand, vec2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `addr`, in place, and return it."""

    def adjoint(self) -> Tensor:
        """Return the conjugate of the array with its last two axes exchanged."""

    @overload
    def all(self) -> Tensor:
        """Return whether all elements along the axes are not zero; all axes where none are given."""
    @overload
    def all(self, dim: Sequence[builtins.int] | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return whether all elements along the axes are not zero; all axes where none are given."""
    @overload
    def all(self, *, axis: Sequence[builtins.int] | None = None, keepdims: builtins.bool = False) -> Tensor:
        """Return whether all elements along the axes are not zero; all axes where none are given."""
    @overload
    def all(self, dim: builtins.int, keepdim: builtins.bool = False) -> Tensor:
        """Return whether all elements along the axes are not zero; all axes where none are given."""
    @overload
    def all(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> Tensor:
        """Return whether all elements along the axes are not zero; all axes where none are given."""

    def allclose(self, other: _Operand, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False) -> builtins.bool:
        """Return whether all elements are close, as `isclose` says."""

    @overload
    def amax(self, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False) -> Tensor:
        """Return the largest element along axes; equal ones share the gradient evenly."""
    @overload
    def amax(self, *, axis: builtins.int | Sequence[builtins.int] = ..., keepdims: builtins.bool = False) -> Tensor:
        """Return the largest element along axes; equal ones share the gradient evenly."""

    @overload
    def amin(self, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False) -> Tensor:
        """Return the smallest element along axes; equal ones share the gradient evenly."""
    @overload
    def amin(self, *, axis: builtins.int | Sequence[builtins.int] = ..., keepdims: builtins.bool = False) -> Tensor:
        """Return the smallest element along axes; equal ones share the gradient evenly."""

    @overload
    def aminmax(self, *, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> _return_types.aminmax[Tensor]:
        """Return the smallest and the largest element of all, or along one axis."""
    @overload
    def aminmax(self, *, axis: builtins.int | None = None, keepdims: builtins.bool = False) -> _return_types.aminmax[Tensor]:
        """Return the smallest and the largest element of all, or along one axis."""

    def angle(self) -> Tensor:
        """Return the argument of each element of `input`; of real ones 0 or pi, nan for nan."""

    @overload
    def any(self) -> Tensor:
        """Return whether any element along the axes is not zero; all axes where none are given."""
    @overload
    def any(self, dim: Sequence[builtins.int] | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return whether any element along the axes is not zero; all axes where none are given."""
    @overload
    def any(self, *, axis: Sequence[builtins.int] | None = None, keepdims: builtins.bool = False) -> Tensor:
        """Return whether any element along the axes is not zero; all axes where none are given."""
    @overload
    def any(self, dim: builtins.int, keepdim: builtins.bool = False) -> Tensor:
        """Return whether any element along the axes is not zero; all axes where none are given."""
    @overload
    def any(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> Tensor:
        """Return whether any element along the axes is not zero; all axes where none are given."""

    def apply_(self, callable: Any) -> Tensor:
        """Replace each element by what a function makes of it, in place."""

    def arccos(self) -> Tensor:
        """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

    def arccos_(self) -> Tensor:
        """Replace this tensor by its `arccos`, in place, and return it."""

    def arccosh(self) -> Tensor:
        """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

    def arccosh_(self) -> Tensor:
        """Replace this tensor by its `arccosh`, in place, and return it."""

    def arcsin(self) -> Tensor:
        """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

    def arcsin_(self) -> Tensor:
        """Replace this tensor by its `arcsin`, in place, and return it."""

    def arcsinh(self) -> Tensor:
        """Return the inverse hyperbolic sine of each element of `input`."""

    def arcsinh_(self) -> Tensor:
        """Replace this tensor by its `arcsinh`, in place, and return it."""

    def arctan(self) -> Tensor:
        """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

    def arctan2(self, other: _Operand) -> Tensor:
        """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

    def arctan2_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `arctan2`, in place, and return it."""

    def arctan_(self) -> Tensor:
        """Replace this tensor by its `arctan`, in place, and return it."""

    def arctanh(self) -> Tensor:
        """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

    def arctanh_(self) -> Tensor:
        """Replace this tensor by its `arctanh`, in place, and return it."""

    @overload
    def argmax(self, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return where the (first) largest element stands, in the flattened array without `dim`."""
    @overload
    def argmax(self, *, axis: builtins.int | None = None, keepdims: builtins.bool = False) -> Tensor:
        """Return where the (first) largest element stands, in the flattened array without `dim`."""

    @overload
    def argmin(self, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return where the (first) smallest element stands, in the flattened array without `dim`."""
    @overload
    def argmin(self, *, axis: builtins.int | None = None, keepdims: builtins.bool = False) -> Tensor:
        """Return where the (first) smallest element stands, in the flattened array without `dim`."""

    @overload
    def argsort(self, *, stable: builtins.bool, dim: builtins.int = -1, descending: builtins.bool = False) -> Tensor:
        """Return where the elements along `dim` stand that `sort` puts in order."""
    @overload
    def argsort(self, *, stable: builtins.bool, axis: builtins.int = -1, descending: builtins.bool = False) -> Tensor:
        """Return where the elements along `dim` stand that `sort` puts in order."""
    @overload
    def argsort(self, dim: builtins.int = -1, descending: builtins.bool = False) -> Tensor:
        """Return where the elements along `dim` stand that `sort` puts in order."""
    @overload
    def argsort(self, *, axis: builtins.int = -1, descending: builtins.bool = False) -> Tensor:
        """Return where the elements along `dim` stand that `sort` puts in order."""

    def argwhere(self) -> Tensor:
        """Return the indices of the elements that are not zero, one row each."""

    def as_strided(self, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> Tensor:
        """Return a view of the memory of `input` with given lengths and strides of the axes."""

    def as_strided_(self, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> Tensor:
        """Show the memory with other lengths and strides of the axes, in place."""

    def asin(self) -> Tensor:
        """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

    def asin_(self) -> Tensor:
        """Replace this tensor by its `asin`, in place, and return it."""

    def asinh(self) -> Tensor:
        """Return the inverse hyperbolic sine of each element of `input`."""

    def asinh_(self) -> Tensor:
        """Replace this tensor by its `asinh`, in place, and return it."""

    def atan(self) -> Tensor:
        """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

    def atan2(self, other: _Operand) -> Tensor:
        """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

    def atan2_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `atan2`, in place, and return it."""

    def atan_(self) -> Tensor:
        """Replace this tensor by its `atan`, in place, and return it."""

    def atanh(self) -> Tensor:
        """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

    def atanh_(self) -> Tensor:
        """Replace this tensor by its `atanh`, in place, and return it."""

    def baddbmm(self, batch1: _Operand, batch2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Return `beta * input + alpha * bmm(batch1, batch2)`."""

    def baddbmm_(self, batch1: _Operand, batch2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `baddbmm`, in place, and return it."""

    @overload
    def bernoulli(self, *, generator: _Generator | None = None) -> Tensor:
        """Return ones with the probabilities in `input` (or all with `p`), zeros otherwise."""
    @overload
    def bernoulli(self, p: builtins.float, *, generator: _Generator | None = None) -> Tensor:
        """Return ones with the probabilities in `input` (or all with `p`), zeros otherwise."""

    @overload
    def bernoulli_(self, p: _Operand, *, generator: _Generator | None = None) -> Tensor:
        """Fill with ones with probability `p` and zeros otherwise, in place."""
    @overload
    def bernoulli_(self, p: builtins.float = 0.5, *, generator: _Generator | None = None) -> Tensor:
        """Fill with ones with probability `p` and zeros otherwise, in place."""

    def bincount(self, weights: _Operand | None = None, minlength: builtins.int = 0) -> Tensor:
        """Return how often each number from 0 on occurs, or the sum of the weights of where it does."""

    @overload
    def bitwise_and(self, other: _Operand) -> Tensor:
        """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold."""
    @overload
    def bitwise_and(self, other: _Number) -> Tensor:
        """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold."""

    @overload
    def bitwise_and_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `bitwise_and`, in place, and return it."""
    @overload
    def bitwise_and_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `bitwise_and`, in place, and return it."""

    @overload
    def bitwise_left_shift(self, other: _Operand) -> Tensor:
        """Return the bits of `input`, moved up by `other` places: times `2**other`."""
    @overload
    def bitwise_left_shift(self, other: _Number) -> Tensor:
        """Return the bits of `input`, moved up by `other` places: times `2**other`."""

    @overload
    def bitwise_left_shift_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `bitwise_left_shift`, in place, and return it."""
    @overload
    def bitwise_left_shift_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `bitwise_left_shift`, in place, and return it."""

    def bitwise_not(self) -> Tensor:
        """Return the complement of the bits of `input`: `-x - 1` of signed integers; of bools, `not x`."""

    def bitwise_not_(self) -> Tensor:
        """Replace this tensor by its `bitwise_not`, in place, and return it."""

    @overload
    def bitwise_or(self, other: _Operand) -> Tensor:
        """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds."""
    @overload
    def bitwise_or(self, other: _Number) -> Tensor:
        """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds."""

    @overload
    def bitwise_or_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `bitwise_or`, in place, and return it."""
    @overload
    def bitwise_or_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `bitwise_or`, in place, and return it."""

    @overload
    def bitwise_right_shift(self, other: _Operand) -> Tensor:
        """Return the bits of `input`, moved down by `other` places; the sign stays."""
    @overload
    def bitwise_right_shift(self, other: _Number) -> Tensor:
        """Return the bits of `input`, moved down by `other` places; the sign stays."""

    @overload
    def bitwise_right_shift_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `bitwise_right_shift`, in place, and return it."""
    @overload
    def bitwise_right_shift_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `bitwise_right_shift`, in place, and return it."""

    @overload
    def bitwise_xor(self, other: _Operand) -> Tensor:
        """Return the bits set in just one of `input` and `other`, broadcast."""
    @overload
    def bitwise_xor(self, other: _Number) -> Tensor:
        """Return the bits set in just one of `input` and `other`, broadcast."""

    @overload
    def bitwise_xor_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `bitwise_xor`, in place, and return it."""
    @overload
    def bitwise_xor_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `bitwise_xor`, in place, and return it."""

    def bmm(self, mat2: _Operand) -> Tensor:
        """Multiply two stacks of matrices, one by one."""

    def bool(self, *, memory_format: Any = None) -> Tensor:
        """Convert to bool."""

    @overload
    def broadcast_to(self, *size: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Repeat `input` along new and length-one axes to `size`, without copying."""
    @overload
    def broadcast_to(self, *, size: Sequence[builtins.int]) -> Tensor:
        """Repeat `input` along new and length-one axes to `size`, without copying."""

    def byte(self, *, memory_format: Any = None) -> Tensor:
        """Convert to uint8."""

    def cauchy_(self, median: builtins.float = 0.0, sigma: builtins.float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill with numbers drawn from a Cauchy distribution, in place."""

    def cdouble(self, *, memory_format: Any = None) -> Tensor:
        """Convert to complex128."""

    def ceil(self) -> Tensor:
        """Return the least integers not below the elements of `input`; the derivative is zero."""

    def ceil_(self) -> Tensor:
        """Replace this tensor by its `ceil`, in place, and return it."""

    def cfloat(self, *, memory_format: Any = None) -> Tensor:
        """Convert to complex64."""

    def char(self, *, memory_format: Any = None) -> Tensor:
        """Convert to int8."""

    def cholesky(self, upper: builtins.bool = False) -> Tensor:
        """Return the factor L of `A = L @ L.mH`, as `linalg.cholesky` does."""

    def cholesky_inverse(self, upper: builtins.bool = False) -> Tensor:
        """Return the inverse of A, given its Cholesky factor."""

    def cholesky_solve(self, input2: _Operand, upper: builtins.bool = False) -> Tensor:
        """Return the solution X of `A X = input`, given the Cholesky factor of A."""

    @overload
    def chunk(self, chunks: builtins.int, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart along an axis into at most `chunks` pieces of equal length."""
    @overload
    def chunk(self, chunks: builtins.int, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart along an axis into at most `chunks` pieces of equal length."""

    @overload
    def clamp(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""
    @overload
    def clamp(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""

    @overload
    def clamp_(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """Replace this tensor by its `clamp`, in place, and return it."""
    @overload
    def clamp_(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """Replace this tensor by its `clamp`, in place, and return it."""

    @overload
    def clamp_max(self, max: _Operand) -> Tensor:
        """Return the smaller of each element and `max`."""
    @overload
    def clamp_max(self, max: _Number) -> Tensor:
        """Return the smaller of each element and `max`."""

    @overload
    def clamp_max_(self, max: _Operand) -> Tensor:
        """Replace this tensor by its `clamp_max`, in place, and return it."""
    @overload
    def clamp_max_(self, max: _Number) -> Tensor:
        """Replace this tensor by its `clamp_max`, in place, and return it."""

    @overload
    def clamp_min(self, min: _Operand) -> Tensor:
        """Return the larger of each element and `min`."""
    @overload
    def clamp_min(self, min: _Number) -> Tensor:
        """Return the larger of each element and `min`."""

    @overload
    def clamp_min_(self, min: _Operand) -> Tensor:
        """Replace this tensor by its `clamp_min`, in place, and return it."""
    @overload
    def clamp_min_(self, min: _Number) -> Tensor:
        """Replace this tensor by its `clamp_min`, in place, and return it."""

    @overload
    def clip(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""
    @overload
    def clip(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""

    @overload
    def clip_(self, min: _Operand | None = None, max: _Operand | None = None) -> Tensor:
        """Replace this tensor by its `clip`, in place, and return it."""
    @overload
    def clip_(self, min: _Number | None = None, max: _Number | None = None) -> Tensor:
        """Replace this tensor by its `clip`, in place, and return it."""

    def clone(self, *, memory_format: Any = None) -> Tensor:
        """Return a copy through which gradients flow."""

    def combinations(self, r: builtins.int = 2, with_replacement: builtins.bool = False) -> Tensor:
        """Return all choices of `r` elements of a vector, one in each row."""

    def conj(self) -> Tensor:
        """Return the complex conjugate; real tensors themselves."""

    def conj_physical(self) -> Tensor:
        """Return the complex conjugate, in memory of its own; real tensors themselves."""

    def conj_physical_(self) -> Tensor:
        """Replace this tensor by its `conj_physical`, in place, and return it."""

    def conjugate(self) -> Tensor:
        """Return the complex conjugate; real tensors themselves."""

    def contiguous(self, *, memory_format: Any = 0) -> Tensor:
        """Return the values in the memory order of their axes: the same object where they are."""

    def copy_(self, other: _Operand | _Number, non_blocking: builtins.bool = False) -> Tensor:
        """Copy the values of a tensor, converted and broadcast, into this one."""

    @overload
    def copysign(self, other: _Operand) -> Tensor:
        """Return `input` with the sign of `other`, broadcast; a zero has a sign, too."""
    @overload
    def copysign(self, other: _Number) -> Tensor:
        """Return `input` with the sign of `other`, broadcast; a zero has a sign, too."""

    @overload
    def copysign_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `copysign`, in place, and return it."""
    @overload
    def copysign_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `copysign`, in place, and return it."""

    def corrcoef(self) -> Tensor:
        """Return the correlation of variables, whose observations are rows of a matrix."""

    def cos(self) -> Tensor:
        """Return the cosine of each element of `input`, in radians."""

    def cos_(self) -> Tensor:
        """Replace this tensor by its `cos`, in place, and return it."""

    def cosh(self) -> Tensor:
        """Return the hyperbolic cosine of each element of `input`."""

    def cosh_(self) -> Tensor:
        """Replace this tensor by its `cosh`, in place, and return it."""

    @overload
    def count_nonzero(self, dim: builtins.int | None = None) -> Tensor:
        """Return how many elements along the axes are not zero, as int64."""
    @overload
    def count_nonzero(self, *, axis: builtins.int | None = None) -> Tensor:
        """Return how many elements along the axes are not zero, as int64."""
    @overload
    def count_nonzero(self, *dim: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Return how many elements along the axes are not zero, as int64."""
    @overload
    def count_nonzero(self, *, dim: Sequence[builtins.int]) -> Tensor:
        """Return how many elements along the axes are not zero, as int64."""
    @overload
    def count_nonzero(self, *, axis: Sequence[builtins.int]) -> Tensor:
        """Return how many elements along the axes are not zero, as int64."""

    def cov(self, *, correction: builtins.int = 1, fweights: _Operand | None = None, aweights: _Operand | None = None) -> Tensor:
        """Return the covariance of variables, whose observations are rows of a matrix."""

    def cpu(self, *, memory_format: Any = None) -> Tensor:
        """Return the tensor itself, which is on the CPU."""

    @overload
    def cross(self, other: _Operand, dim: builtins.int | None = None) -> Tensor:
        """Return the cross products of vectors of three elements along an axis."""
    @overload
    def cross(self, other: _Operand, *, axis: builtins.int | None = None) -> Tensor:
        """Return the cross products of vectors of three elements along an axis."""

    def cuda(self, device: Any = None, non_blocking: builtins.bool = False, *, memory_format: Any = None) -> Tensor:
        """Raise AssertionError: there is no CUDA device."""

    @overload
    def cummax(self, dim: builtins.int) -> _return_types.cummax[Tensor]:
        """Return the largest elements so far along `dim`, and where they stand (the last of equals)."""
    @overload
    def cummax(self, *, axis: builtins.int) -> _return_types.cummax[Tensor]:
        """Return the largest elements so far along `dim`, and where they stand (the last of equals)."""

    @overload
    def cummin(self, dim: builtins.int) -> _return_types.cummin[Tensor]:
        """Return the smallest elements so far along `dim`, and where they stand; as `cummax`."""
    @overload
    def cummin(self, *, axis: builtins.int) -> _return_types.cummin[Tensor]:
        """Return the smallest elements so far along `dim`, and where they stand; as `cummax`."""

    @overload
    def cumprod(self, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return running products along `dim`; derivatives of any order are right at zeros too."""
    @overload
    def cumprod(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return running products along `dim`; derivatives of any order are right at zeros too."""

    @overload
    def cumprod_(self, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Replace this tensor by its `cumprod`, in place, and return it."""
    @overload
    def cumprod_(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Replace this tensor by its `cumprod`, in place, and return it."""

    @overload
    def cumsum(self, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return running sums along `dim`; integers add up to int64."""
    @overload
    def cumsum(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return running sums along `dim`; integers add up to int64."""

    @overload
    def cumsum_(self, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Replace this tensor by its `cumsum`, in place, and return it."""
    @overload
    def cumsum_(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Replace this tensor by its `cumsum`, in place, and return it."""

    def deg2rad(self) -> Tensor:
        """Return angles given in degrees in radians."""

    def deg2rad_(self) -> Tensor:
        """Replace this tensor by its `deg2rad`, in place, and return it."""

    def det(self) -> Tensor:
        """Return the determinants of square matrices, as `linalg.det` does."""

    def detach(self) -> Tensor:
        """Return the same values, sharing memory, as a constant to derivatives."""

    def diag(self, diagonal: builtins.int = 0) -> Tensor:
        """Return the diagonal of a matrix, or the matrix with a vector on its diagonal."""

    def diag_embed(self, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1) -> Tensor:
        """Place the last axis on a diagonal of two new axes."""

    def diagflat(self, offset: builtins.int = 0) -> Tensor:
        """Return the matrix with the elements on its diagonal."""

    def diagonal(self, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
        """Return a diagonal of two axes as a new last axis; a view."""

    def diagonal_scatter(self, src: _Operand, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> Tensor:
        """Return `input` with `src` on a diagonal of two axes."""

    @overload
    def diff(self, n: builtins.int = 1, dim: builtins.int = -1, prepend: _Operand | None = None, append: _Operand | None = None) -> Tensor:
        """Return the difference of each element along `dim` and the next one, `n` times over."""
    @overload
    def diff(self, n: builtins.int = 1, *, axis: builtins.int = -1, prepend: _Operand | None = None, append: _Operand | None = None) -> Tensor:
        """Return the difference of each element along `dim` and the next one, `n` times over."""

    def digamma(self) -> Tensor:
        """Return the derivative of `lgamma` at each element of `input`; nan at negative integers."""

    def digamma_(self) -> Tensor:
        """Replace this tensor by its `digamma`, in place, and return it."""

    def dist(self, other: _Operand, p: _Number = 2) -> Tensor:
        """Return the p-norm of `input - other` over all axes."""

    @overload
    def div(self, other: _Operand | _Number) -> Tensor:
        """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""
    @overload
    def div(self, other: _Operand | _Number, *, rounding_mode: builtins.str | None) -> Tensor:
        """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""

    @overload
    def div_(self, other: _Operand | _Number) -> Tensor:
        """Replace this tensor by its `div`, in place, and return it."""
    @overload
    def div_(self, other: _Operand | _Number, *, rounding_mode: builtins.str | None) -> Tensor:
        """Replace this tensor by its `div`, in place, and return it."""

    @overload
    def divide(self, other: _Operand | _Number) -> Tensor:
        """Return `input / other`, as `div`."""
    @overload
    def divide(self, other: _Operand | _Number, *, rounding_mode: builtins.str | None) -> Tensor:
        """Return `input / other`, as `div`."""

    @overload
    def divide_(self, other: _Operand | _Number) -> Tensor:
        """Replace this tensor by its `divide`, in place, and return it."""
    @overload
    def divide_(self, other: _Operand | _Number, *, rounding_mode: builtins.str | None) -> Tensor:
        """Replace this tensor by its `divide`, in place, and return it."""

    def dot(self, tensor: _Operand) -> Tensor:
        """Return the sum of the products of two vectors' elements."""

    def double(self, *, memory_format: Any = None) -> Tensor:
        """Convert to float64."""

    @overload
    def dsplit(self, sections: builtins.int) -> tuple[Tensor, ...]:
        """Take an array apart along its third axis."""
    @overload
    def dsplit(self, *indices: builtins.int | Sequence[builtins.int]) -> tuple[Tensor, ...]:
        """Take an array apart along its third axis."""
    @overload
    def dsplit(self, *, indices: Sequence[builtins.int]) -> tuple[Tensor, ...]:
        """Take an array apart along its third axis."""

    @overload
    def eq(self, other: _Operand) -> Tensor:
        """Return where `input` and `other` are equal, broadcast; nan equals nothing."""
    @overload
    def eq(self, other: _Number) -> Tensor:
        """Return where `input` and `other` are equal, broadcast; nan equals nothing."""

    @overload
    def eq_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `eq`, in place, and return it."""
    @overload
    def eq_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `eq`, in place, and return it."""

    def erf(self) -> Tensor:
        """Return the error function of each element of `input`."""

    def erf_(self) -> Tensor:
        """Replace this tensor by its `erf`, in place, and return it."""

    def erfc(self) -> Tensor:
        """Return `1 - erf` of each element of `input`, accurate where that is small."""

    def erfc_(self) -> Tensor:
        """Replace this tensor by its `erfc`, in place, and return it."""

    def erfinv(self) -> Tensor:
        """Return the inverse of the error function of each element of `input`; nan outside [-1, 1]."""

    def erfinv_(self) -> Tensor:
        """Replace this tensor by its `erfinv`, in place, and return it."""

    def exp(self) -> Tensor:
        """Return the exponential of each element of `input`."""

    def exp2(self) -> Tensor:
        """Return 2 to the power of each element of `input`."""

    def exp2_(self) -> Tensor:
        """Replace this tensor by its `exp2`, in place, and return it."""

    def exp_(self) -> Tensor:
        """Replace this tensor by its `exp`, in place, and return it."""

    @overload
    def expand(self, *size: builtins.int | Sequence[builtins.int], implicit: builtins.bool = False) -> Tensor:
        """Repeat `input` along new and length-one axes, without copying; -1 keeps a length."""
    @overload
    def expand(self, *, size: Sequence[builtins.int], implicit: builtins.bool = False) -> Tensor:
        """Repeat `input` along new and length-one axes, without copying; -1 keeps a length."""

    def expand_as(self, other: _Operand) -> Tensor:
        """Repeat `input` to the shape of `other`."""

    def expit(self) -> Tensor:
        """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

    def expm1(self) -> Tensor:
        """Return `exp(x) - 1` of each element of `input`, accurate near 0."""

    def expm1_(self) -> Tensor:
        """Replace this tensor by its `expm1`, in place, and return it."""

    def exponential_(self, lambd: builtins.float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill with numbers drawn from an exponential distribution, in place."""

    @overload
    def fill_(self, value: _Operand) -> Tensor:
        """Fill with a number or a 0-d tensor, in place."""
    @overload
    def fill_(self, value: _Number) -> Tensor:
        """Fill with a number or a 0-d tensor, in place."""

    def fill_diagonal_(self, fill_value: _Number, wrap: builtins.bool = False) -> Tensor:
        """Fill the main diagonal with a number, in place."""

    def fix(self) -> Tensor:
        """Return each element of `input` without its fraction; the derivative is zero."""

    def fix_(self) -> Tensor:
        """Replace this tensor by its `fix`, in place, and return it."""

    def flatten(self, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> Tensor:
        """Join the axes from `start_dim` to `end_dim` into one."""

    @overload
    def flip(self, *dims: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Reverse the order of the elements along axes."""
    @overload
    def flip(self, *, dims: Sequence[builtins.int]) -> Tensor:
        """Reverse the order of the elements along axes."""

    def fliplr(self) -> Tensor:
        """Reverse the second axis."""

    def flipud(self) -> Tensor:
        """Reverse the first axis."""

    def float(self, *, memory_format: Any = None) -> Tensor:
        """Convert to float32."""

    @overload
    def float_power(self, exponent: _Operand) -> Tensor:
        """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones."""
    @overload
    def float_power(self, exponent: _Number) -> Tensor:
        """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones."""

    @overload
    def float_power_(self, exponent: _Operand) -> Tensor:
        """Replace this tensor by its `float_power`, in place, and return it."""
    @overload
    def float_power_(self, exponent: _Number) -> Tensor:
        """Replace this tensor by its `float_power`, in place, and return it."""

    def floor(self) -> Tensor:
        """Return the greatest integers not above the elements of `input`; the derivative is zero."""

    def floor_(self) -> Tensor:
        """Replace this tensor by its `floor`, in place, and return it."""

    def floor_divide(self, other: _Operand | _Number) -> Tensor:
        """Return `input // other`, rounded down and broadcast; it has no derivative."""

    def floor_divide_(self, other: _Operand | _Number) -> Tensor:
        """Replace this tensor by its `floor_divide`, in place, and return it."""

    def fmax(self, other: _Operand) -> Tensor:
        """Return the larger of `input` and `other`, broadcast; the other one where one is nan."""

    def fmin(self, other: _Operand) -> Tensor:
        """Return the smaller of `input` and `other`, broadcast; the other one where one is nan."""

    @overload
    def fmod(self, other: _Operand) -> Tensor:
        """Return `input` less `trunc(input / other)` times `other`, which has the sign of `input`."""
    @overload
    def fmod(self, other: _Number) -> Tensor:
        """Return `input` less `trunc(input / other)` times `other`, which has the sign of `input`."""

    @overload
    def fmod_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `fmod`, in place, and return it."""
    @overload
    def fmod_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `fmod`, in place, and return it."""

    def frac(self) -> Tensor:
        """Return what `trunc` leaves of each element of `input`; the derivative is one."""

    def frac_(self) -> Tensor:
        """Replace this tensor by its `frac`, in place, and return it."""

    def frexp(self) -> _return_types.frexp[Tensor]:
        """Return `mantissa` and `exponent`, of which `input` is `mantissa * 2**exponent`."""

    @overload
    def gather(self, dim: builtins.int, index: _Operand, *, sparse_grad: builtins.bool = False) -> Tensor:
        """Pick elements along an axis: `result[i][j] = input[index[i][j]][j]` for `dim=0`."""
    @overload
    def gather(self, *, axis: builtins.int, index: _Operand, sparse_grad: builtins.bool = False) -> Tensor:
        """Pick elements along an axis: `result[i][j] = input[index[i][j]][j]` for `dim=0`."""

    def gcd(self, other: _Operand) -> Tensor:
        """Return the greatest common divisor of `input` and `other`, broadcast; it is not negative."""

    def gcd_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `gcd`, in place, and return it."""

    @overload
    def ge(self, other: _Operand) -> Tensor:
        """Return where `input` is at least `other`, broadcast."""
    @overload
    def ge(self, other: _Number) -> Tensor:
        """Return where `input` is at least `other`, broadcast."""

    @overload
    def ge_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `ge`, in place, and return it."""
    @overload
    def ge_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `ge`, in place, and return it."""

    def geometric_(self, p: builtins.float, *, generator: _Generator | None = None) -> Tensor:
        """Fill with how many trials it takes to the first success of probability `p`, in place."""

    def ger(self, vec2: _Operand) -> Tensor:
        """Return the products of every element of a vector with every element of another."""

    @overload
    def greater(self, other: _Operand) -> Tensor:
        """Return where `input` is greater than `other`, broadcast."""
    @overload
    def greater(self, other: _Number) -> Tensor:
        """Return where `input` is greater than `other`, broadcast."""

    @overload
    def greater_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `greater`, in place, and return it."""
    @overload
    def greater_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `greater`, in place, and return it."""

    @overload
    def greater_equal(self, other: _Operand) -> Tensor:
        """Return where `input` is at least `other`, broadcast."""
    @overload
    def greater_equal(self, other: _Number) -> Tensor:
        """Return where `input` is at least `other`, broadcast."""

    @overload
    def greater_equal_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `greater_equal`, in place, and return it."""
    @overload
    def greater_equal_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `greater_equal`, in place, and return it."""

    @overload
    def gt(self, other: _Operand) -> Tensor:
        """Return where `input` is greater than `other`, broadcast."""
    @overload
    def gt(self, other: _Number) -> Tensor:
        """Return where `input` is greater than `other`, broadcast."""

    @overload
    def gt_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `gt`, in place, and return it."""
    @overload
    def gt_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `gt`, in place, and return it."""

    def half(self, *, memory_format: Any = None) -> Tensor:
        """Convert to float16."""

    def hardshrink(self, lambd: _Number = 0.5) -> Tensor:
        """Return `x` where its modulus is greater than `lambd`, else 0."""

    def heaviside(self, values: _Operand) -> Tensor:
        """Return 1 where `input` is positive, 0 where it is negative or nan, `values` where it is 0."""

    def heaviside_(self, values: _Operand) -> Tensor:
        """Replace this tensor by its `heaviside`, in place, and return it."""

    def histc(self, bins: builtins.int = 100, min: builtins.float = 0, max: builtins.float = 0) -> Tensor:
        """Return how many elements lie in each of equal parts of the line from `min` to `max`."""

    @overload
    def histogram(self, bins: _Operand, *, weight: _Operand | None = None, density: builtins.bool = False) -> _return_types.histogram[Tensor]:
        """Return how many elements lie between edges on a line, and the edges."""
    @overload
    def histogram(self, bins: builtins.int = 100, *, range: Sequence[builtins.float] | None = None, weight: _Operand | None = None, density: builtins.bool = False) -> _return_types.histogram[Tensor]:
        """Return how many elements lie between edges on a line, and the edges."""

    @overload
    def hsplit(self, sections: builtins.int) -> tuple[Tensor, ...]:
        """Take an array apart along its second axis, a vector along its only one."""
    @overload
    def hsplit(self, *indices: builtins.int | Sequence[builtins.int]) -> tuple[Tensor, ...]:
        """Take an array apart along its second axis, a vector along its only one."""
    @overload
    def hsplit(self, *, indices: Sequence[builtins.int]) -> tuple[Tensor, ...]:
        """Take an array apart along its second axis, a vector along its only one."""

    def hypot(self, other: _Operand) -> Tensor:
        """Return `sqrt(input**2 + other**2)` without overflow; the derivative at the origin is 0."""

    def hypot_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `hypot`, in place, and return it."""

    def i0(self) -> Tensor:
        """Return the modified Bessel function of order 0 of each element of `input`."""

    def i0_(self) -> Tensor:
        """Replace this tensor by its `i0`, in place, and return it."""

    def igamma(self, other: _Operand) -> Tensor:
        """Return the lower incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

    def igamma_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `igamma`, in place, and return it."""

    def igammac(self, other: _Operand) -> Tensor:
        """Return the upper incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

    def igammac_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `igammac`, in place, and return it."""

    @overload
    def index_add(self, dim: builtins.int, index: _Operand, source: _Operand, *, alpha: _Number = 1) -> Tensor:
        """Add the slices of `source`, times `alpha`, to the slices of `input` that `index` names."""
    @overload
    def index_add(self, *, axis: builtins.int, index: _Operand, source: _Operand, alpha: _Number = 1) -> Tensor:
        """Add the slices of `source`, times `alpha`, to the slices of `input` that `index` names."""

    @overload
    def index_add_(self, dim: builtins.int, index: _Operand, source: _Operand, *, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `index_add`, in place, and return it."""
    @overload
    def index_add_(self, *, axis: builtins.int, index: _Operand, source: _Operand, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `index_add`, in place, and return it."""

    @overload
    def index_copy(self, dim: builtins.int, index: _Operand, source: _Operand) -> Tensor:
        """Return `input` with the slices of `source` in place of those that `index` names."""
    @overload
    def index_copy(self, *, axis: builtins.int, index: _Operand, source: _Operand) -> Tensor:
        """Return `input` with the slices of `source` in place of those that `index` names."""

    @overload
    def index_copy_(self, dim: builtins.int, index: _Operand, source: _Operand) -> Tensor:
        """Replace this tensor by its `index_copy`, in place, and return it."""
    @overload
    def index_copy_(self, *, axis: builtins.int, index: _Operand, source: _Operand) -> Tensor:
        """Replace this tensor by its `index_copy`, in place, and return it."""

    @overload
    def index_fill(self, dim: builtins.int, index: _Operand, value: _Operand) -> Tensor:
        """Return `input` with `value` in the slices that `index` names."""
    @overload
    def index_fill(self, *, axis: builtins.int, index: _Operand, value: _Operand) -> Tensor:
        """Return `input` with `value` in the slices that `index` names."""
    @overload
    def index_fill(self, dim: builtins.int, index: _Operand, value: _Number) -> Tensor:
        """Return `input` with `value` in the slices that `index` names."""
    @overload
    def index_fill(self, *, axis: builtins.int, index: _Operand, value: _Number) -> Tensor:
        """Return `input` with `value` in the slices that `index` names."""

    @overload
    def index_fill_(self, dim: builtins.int, index: _Operand, value: _Operand) -> Tensor:
        """Replace this tensor by its `index_fill`, in place, and return it."""
    @overload
    def index_fill_(self, *, axis: builtins.int, index: _Operand, value: _Operand) -> Tensor:
        """Replace this tensor by its `index_fill`, in place, and return it."""
    @overload
    def index_fill_(self, dim: builtins.int, index: _Operand, value: _Number) -> Tensor:
        """Replace this tensor by its `index_fill`, in place, and return it."""
    @overload
    def index_fill_(self, *, axis: builtins.int, index: _Operand, value: _Number) -> Tensor:
        """Replace this tensor by its `index_fill`, in place, and return it."""

    def index_put(self, indices: Sequence[_Operand | None], values: _Operand, accumulate: builtins.bool = False) -> Tensor:
        """Return `input` with `values` where `indices` say; added with `accumulate`."""

    def index_put_(self, indices: Sequence[_Operand | None], values: _Operand, accumulate: builtins.bool = False) -> Tensor:
        """Replace this tensor by its `index_put`, in place, and return it."""

    @overload
    def index_reduce(self, dim: builtins.int, index: _Operand, source: _Operand, reduce: builtins.str, *, include_self: builtins.bool = True) -> Tensor:
        """Reduce the slices of `source` into the slices of `input` that `index` names."""
    @overload
    def index_reduce(self, *, axis: builtins.int, index: _Operand, source: _Operand, reduce: builtins.str, include_self: builtins.bool = True) -> Tensor:
        """Reduce the slices of `source` into the slices of `input` that `index` names."""

    @overload
    def index_reduce_(self, dim: builtins.int, index: _Operand, source: _Operand, reduce: builtins.str, *, include_self: builtins.bool = True) -> Tensor:
        """Replace this tensor by its `index_reduce`, in place, and return it."""
    @overload
    def index_reduce_(self, *, axis: builtins.int, index: _Operand, source: _Operand, reduce: builtins.str, include_self: builtins.bool = True) -> Tensor:
        """Replace this tensor by its `index_reduce`, in place, and return it."""

    @overload
    def index_select(self, dim: builtins.int, index: _Operand) -> Tensor:
        """Return the slices of an axis that a vector of indices names."""
    @overload
    def index_select(self, *, axis: builtins.int, index: _Operand) -> Tensor:
        """Return the slices of an axis that a vector of indices names."""

    def inner(self, other: _Operand) -> Tensor:
        """Sum the products along the last axes; multiply where one operand is a number."""

    def int(self, *, memory_format: Any = None) -> Tensor:
        """Convert to int32."""

    def inverse(self) -> Tensor:
        """Return the inverses of square matrices, as `linalg.inv` does."""

    def is_conj(self) -> builtins.bool:
        """Return False: no tensor waits to be conjugated."""

    def is_neg(self) -> builtins.bool:
        """Return False: no tensor waits to be negated."""

    def isclose(self, other: _Operand, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False) -> Tensor:
        """Return where `|input - other| <= atol + rtol*|other|`."""

    def isfinite(self) -> Tensor:
        """Return where `input` is neither infinite nor nan."""

    def isinf(self) -> Tensor:
        """Return where `input` is inf or -inf."""

    def isnan(self) -> Tensor:
        """Return where `input` is nan."""

    def isneginf(self) -> Tensor:
        """Return where `input` is -inf."""

    def isposinf(self) -> Tensor:
        """Return where `input` is inf."""

    def isreal(self) -> Tensor:
        """Return where `input` has no imaginary part."""

    def istft(self, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: _Operand | None = None, center: builtins.bool = True, normalized: builtins.bool = False, onesided: builtins.bool | None = None, length: builtins.int | None = None, return_complex: builtins.bool = False) -> Tensor:
        """Return the signal that has given Fourier transforms of its parts, as `stft` returns them."""

    def kron(self, other: _Operand) -> Tensor:
        """Return the Kronecker product: `other` once for each element of `input`, times that element."""

    @overload
    def kthvalue(self, k: builtins.int, dim: builtins.int = -1, keepdim: builtins.bool = False) -> _return_types.kthvalue[Tensor]:
        """Return the `k`-th smallest element along `dim`, and where it stands."""
    @overload
    def kthvalue(self, k: builtins.int, *, axis: builtins.int = -1, keepdims: builtins.bool = False) -> _return_types.kthvalue[Tensor]:
        """Return the `k`-th smallest element along `dim`, and where it stands."""

    def lcm(self, other: _Operand) -> Tensor:
        """Return the least common multiple of `input` and `other`, broadcast; it is not negative."""

    def lcm_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `lcm`, in place, and return it."""

    def ldexp(self, other: _Operand) -> Tensor:
        """Return `input * 2**other`, broadcast; exact of floats and integer exponents."""

    def ldexp_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `ldexp`, in place, and return it."""

    @overload
    def le(self, other: _Operand) -> Tensor:
        """Return where `input` is at most `other`, broadcast."""
    @overload
    def le(self, other: _Number) -> Tensor:
        """Return where `input` is at most `other`, broadcast."""

    @overload
    def le_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `le`, in place, and return it."""
    @overload
    def le_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `le`, in place, and return it."""

    @overload
    def lerp(self, end: _Operand, weight: _Operand) -> Tensor:
        """Return `input + weight * (end - input)`."""
    @overload
    def lerp(self, end: _Operand, weight: _Number) -> Tensor:
        """Return `input + weight * (end - input)`."""

    @overload
    def lerp_(self, end: _Operand, weight: _Operand) -> Tensor:
        """Replace this tensor by its `lerp`, in place, and return it."""
    @overload
    def lerp_(self, end: _Operand, weight: _Number) -> Tensor:
        """Replace this tensor by its `lerp`, in place, and return it."""

    @overload
    def less(self, other: _Operand) -> Tensor:
        """Return where `input` is less than `other`, broadcast."""
    @overload
    def less(self, other: _Number) -> Tensor:
        """Return where `input` is less than `other`, broadcast."""

    @overload
    def less_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `less`, in place, and return it."""
    @overload
    def less_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `less`, in place, and return it."""

    @overload
    def less_equal(self, other: _Operand) -> Tensor:
        """Return where `input` is at most `other`, broadcast."""
    @overload
    def less_equal(self, other: _Number) -> Tensor:
        """Return where `input` is at most `other`, broadcast."""

    @overload
    def less_equal_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `less_equal`, in place, and return it."""
    @overload
    def less_equal_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `less_equal`, in place, and return it."""

    def lgamma(self) -> Tensor:
        """Return the logarithm of the absolute value of the gamma function of each element of `input`."""

    def lgamma_(self) -> Tensor:
        """Replace this tensor by its `lgamma`, in place, and return it."""

    def log(self) -> Tensor:
        """Return the natural logarithm of each element of `input`; nan of negative numbers."""

    def log10(self) -> Tensor:
        """Return the logarithm to base 10 of each element of `input`."""

    def log10_(self) -> Tensor:
        """Replace this tensor by its `log10`, in place, and return it."""

    def log1p(self) -> Tensor:
        """Return `log(1 + x)` of each element of `input`, accurate near 0."""

    def log1p_(self) -> Tensor:
        """Replace this tensor by its `log1p`, in place, and return it."""

    def log2(self) -> Tensor:
        """Return the logarithm to base 2 of each element of `input`."""

    def log2_(self) -> Tensor:
        """Replace this tensor by its `log2`, in place, and return it."""

    def log_(self) -> Tensor:
        """Replace this tensor by its `log`, in place, and return it."""

    def log_normal_(self, mean: builtins.float = 1.0, std: builtins.float = 2.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill with numbers whose logarithm is drawn from a normal distribution, in place."""

    @overload
    def log_softmax(self, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the logarithm of `softmax`, also where that is 0; see there."""
    @overload
    def log_softmax(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the logarithm of `softmax`, also where that is 0; see there."""

    def logaddexp(self, other: _Operand) -> Tensor:
        """Return `log(exp(input) + exp(other))` without overflow, broadcast."""

    def logaddexp2(self, other: _Operand) -> Tensor:
        """Return `log2(2**input + 2**other)` without overflow, broadcast."""

    @overload
    def logcumsumexp(self, dim: builtins.int) -> Tensor:
        """Return the logarithms of running sums of exponentials along `dim`, without overflow."""
    @overload
    def logcumsumexp(self, *, axis: builtins.int) -> Tensor:
        """Return the logarithms of running sums of exponentials along `dim`, without overflow."""

    def logdet(self) -> Tensor:
        """Return the logarithms of the determinants of square matrices."""

    def logical_and(self, other: _Operand) -> Tensor:
        """Return where both `input` and `other` are not zero, broadcast."""

    def logical_and_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `logical_and`, in place, and return it."""

    def logical_not(self) -> Tensor:
        """Return where `input` is zero."""

    def logical_not_(self) -> Tensor:
        """Replace this tensor by its `logical_not`, in place, and return it."""

    def logical_or(self, other: _Operand) -> Tensor:
        """Return where `input`, `other` or both are not zero, broadcast."""

    def logical_or_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `logical_or`, in place, and return it."""

    def logical_xor(self, other: _Operand) -> Tensor:
        """Return where just one of `input` and `other` is not zero, broadcast."""

    def logical_xor_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `logical_xor`, in place, and return it."""

    def logit(self, eps: builtins.float | None = None) -> Tensor:
        """Return `log(x / (1 - x))` of each element of `input`; nan outside of [0, 1]."""

    def logit_(self, eps: builtins.float | None = None) -> Tensor:
        """Replace this tensor by its `logit`, in place, and return it."""

    @overload
    def logsumexp(self, dim: builtins.int | Sequence[builtins.int], keepdim: builtins.bool = False) -> Tensor:
        """Return the logarithm of the sum of exponentials over axes, without overflow."""
    @overload
    def logsumexp(self, *, axis: builtins.int | Sequence[builtins.int], keepdims: builtins.bool = False) -> Tensor:
        """Return the logarithm of the sum of exponentials over axes, without overflow."""

    def long(self, *, memory_format: Any = None) -> Tensor:
        """Convert to int64."""

    @overload
    def lt(self, other: _Operand) -> Tensor:
        """Return where `input` is less than `other`, broadcast."""
    @overload
    def lt(self, other: _Number) -> Tensor:
        """Return where `input` is less than `other`, broadcast."""

    @overload
    def lt_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `lt`, in place, and return it."""
    @overload
    def lt_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `lt`, in place, and return it."""

    def lu(self, pivot: builtins.bool = True, get_infos: builtins.bool = False) -> _return_types.lu[Tensor]:
        """Return what `linalg.lu_factor` does; `linalg.lu` parts the factors."""

    def lu_solve(self, LU_data: _Operand, LU_pivots: _Operand) -> Tensor:
        """Return the solution X of `A X = input`, as `linalg.lu_solve` does."""

    def map2_(self, x: _Operand, y: _Operand, callable: Any) -> Tensor:
        """Replace each element by what a function makes of it and those of two tensors, in place."""

    def map_(self, other: _Operand, callable: Any) -> Tensor:
        """Replace each element by what a function makes of it and one of another tensor, in place."""

    @overload
    def masked_fill(self, mask: _Operand, value: _Operand) -> Tensor:
        """Return `input` with `value` where `mask` holds; the filled elements get no gradient."""
    @overload
    def masked_fill(self, mask: _Operand, value: _Number) -> Tensor:
        """Return `input` with `value` where `mask` holds; the filled elements get no gradient."""

    @overload
    def masked_fill_(self, mask: _Operand, value: _Operand) -> Tensor:
        """Replace this tensor by its `masked_fill`, in place, and return it."""
    @overload
    def masked_fill_(self, mask: _Operand, value: _Number) -> Tensor:
        """Replace this tensor by its `masked_fill`, in place, and return it."""

    def masked_scatter(self, mask: _Operand, source: _Operand) -> Tensor:
        """Write the elements of `source`, in order, where `mask` holds."""

    def masked_scatter_(self, mask: _Operand, source: _Operand) -> Tensor:
        """Replace this tensor by its `masked_scatter`, in place, and return it."""

    def masked_select(self, mask: _Operand) -> Tensor:
        """Return the elements where `mask` holds, in one axis; operands are broadcast."""

    def matmul(self, other: _Operand) -> Tensor:
        """Multiply matrices, vectors, and stacks of matrices whose leading axes broadcast."""

    def matrix_exp(self) -> Tensor:
        """Return the exponentials of square matrices, as `linalg.matrix_exp` does."""

    def matrix_power(self, n: builtins.int) -> Tensor:
        """Return the n-th power of square matrices, as `linalg.matrix_power` does."""

    @overload
    def max(self) -> Tensor:
        """Return the largest element, the largest along an axis, or the larger of two."""
    @overload
    def max(self, other: _Operand) -> Tensor:
        """Return the largest element, the largest along an axis, or the larger of two."""
    @overload
    def max(self, dim: builtins.int, keepdim: builtins.bool = False) -> _return_types.max[Tensor]:
        """Return the largest element, the largest along an axis, or the larger of two."""
    @overload
    def max(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> _return_types.max[Tensor]:
        """Return the largest element, the largest along an axis, or the larger of two."""

    def maximum(self, other: _Operand) -> Tensor:
        """Return the larger of `input` and `other`, nan where either is; equals share the gradient."""

    @overload
    def mean(self, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the mean over axes; the arguments are those of `sum`."""
    @overload
    def mean(self, dim: builtins.int | Sequence[builtins.int] | None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the mean over axes; the arguments are those of `sum`."""
    @overload
    def mean(self, *, axis: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the mean over axes; the arguments are those of `sum`."""

    @overload
    def median(self) -> Tensor:
        """Return the median of all elements, or along an axis; of two in the middle the smaller."""
    @overload
    def median(self, dim: builtins.int, keepdim: builtins.bool = False) -> _return_types.median[Tensor]:
        """Return the median of all elements, or along an axis; of two in the middle the smaller."""
    @overload
    def median(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> _return_types.median[Tensor]:
        """Return the median of all elements, or along an axis; of two in the middle the smaller."""

    @overload
    def min(self) -> Tensor:
        """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""
    @overload
    def min(self, other: _Operand) -> Tensor:
        """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""
    @overload
    def min(self, dim: builtins.int, keepdim: builtins.bool = False) -> _return_types.min[Tensor]:
        """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""
    @overload
    def min(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> _return_types.min[Tensor]:
        """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""

    def minimum(self, other: _Operand) -> Tensor:
        """Return the smaller of `input` and `other`, nan where either is; equals share the gradient."""

    def mm(self, mat2: _Operand) -> Tensor:
        """Multiply two matrices."""

    @overload
    def mode(self, dim: builtins.int = -1, keepdim: builtins.bool = False) -> _return_types.mode[Tensor]:
        """Return the element that is there most often along `dim`, the least of such, and its last index."""
    @overload
    def mode(self, *, axis: builtins.int = -1, keepdims: builtins.bool = False) -> _return_types.mode[Tensor]:
        """Return the element that is there most often along `dim`, the least of such, and its last index."""

    @overload
    def moveaxis(self, source: builtins.int, destination: builtins.int) -> Tensor:
        """Move axes to other places; the others keep their order."""
    @overload
    def moveaxis(self, source: Sequence[builtins.int], destination: Sequence[builtins.int]) -> Tensor:
        """Move axes to other places; the others keep their order."""

    @overload
    def movedim(self, source: builtins.int, destination: builtins.int) -> Tensor:
        """Move axes to other places; the others keep their order."""
    @overload
    def movedim(self, source: Sequence[builtins.int], destination: Sequence[builtins.int]) -> Tensor:
        """Move axes to other places; the others keep their order."""

    def msort(self) -> Tensor:
        """Return the elements along the first axis in order."""

    def mul(self, other: _Operand | _Number) -> Tensor:
        """Return `input * other`, broadcast."""

    def mul_(self, other: _Operand | _Number) -> Tensor:
        """Replace this tensor by its `mul`, in place, and return it."""

    def multinomial(self, num_samples: builtins.int, replacement: builtins.bool = False, *, generator: _Generator | None = None) -> Tensor:
        """Return indices that are drawn each with a probability in proportion to its weight."""

    def multiply(self, other: _Operand | _Number) -> Tensor:
        """Return `input * other`, broadcast."""

    def multiply_(self, other: _Operand | _Number) -> Tensor:
        """Replace this tensor by its `multiply`, in place, and return it."""

    def mv(self, vec: _Operand) -> Tensor:
        """Multiply a matrix with a vector."""

    def mvlgamma(self, p: builtins.int) -> Tensor:
        """Return the logarithm of the multivariate gamma function of dimension `p`."""

    def mvlgamma_(self, p: builtins.int) -> Tensor:
        """Replace this tensor by its `mvlgamma`, in place, and return it."""

    def nan_to_num(self, nan: builtins.float | None = None, posinf: builtins.float | None = None, neginf: builtins.float | None = None) -> Tensor:
        """Replace nan, inf and -inf, by default by 0 and the largest finite numbers."""

    def nan_to_num_(self, nan: builtins.float | None = None, posinf: builtins.float | None = None, neginf: builtins.float | None = None) -> Tensor:
        """Replace this tensor by its `nan_to_num`, in place, and return it."""

    @overload
    def nanmean(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the mean over axes of the elements that are not nan."""
    @overload
    def nanmean(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the mean over axes of the elements that are not nan."""

    @overload
    def nanmedian(self) -> Tensor:
        """Return the median of the elements that are not nan, of all or along an axis, as `median` does."""
    @overload
    def nanmedian(self, dim: builtins.int, keepdim: builtins.bool = False) -> _return_types.nanmedian[Tensor]:
        """Return the median of the elements that are not nan, of all or along an axis, as `median` does."""
    @overload
    def nanmedian(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> _return_types.nanmedian[Tensor]:
        """Return the median of the elements that are not nan, of all or along an axis, as `median` does."""

    @overload
    def nanquantile(self, q: _Operand, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear') -> Tensor:
        """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""
    @overload
    def nanquantile(self, q: _Operand, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear') -> Tensor:
        """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""
    @overload
    def nanquantile(self, q: builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear') -> Tensor:
        """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""
    @overload
    def nanquantile(self, q: builtins.float, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear') -> Tensor:
        """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""

    @overload
    def nansum(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the sum over axes of the elements that are not nan."""
    @overload
    def nansum(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the sum over axes of the elements that are not nan."""

    @overload
    def narrow(self, dim: builtins.int, start: _Operand, length: builtins.int) -> Tensor:
        """Return `length` elements along an axis from `start` on; a view."""
    @overload
    def narrow(self, *, axis: builtins.int, start: _Operand, length: builtins.int) -> Tensor:
        """Return `length` elements along an axis from `start` on; a view."""
    @overload
    def narrow(self, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
        """Return `length` elements along an axis from `start` on; a view."""
    @overload
    def narrow(self, *, axis: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
        """Return `length` elements along an axis from `start` on; a view."""

    @overload
    def narrow_copy(self, dim: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
        """Return `length` elements along an axis from `start` on, in memory of their own."""
    @overload
    def narrow_copy(self, *, axis: builtins.int, start: builtins.int, length: builtins.int) -> Tensor:
        """Return `length` elements along an axis from `start` on, in memory of their own."""

    @overload
    def ne(self, other: _Operand) -> Tensor:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""
    @overload
    def ne(self, other: _Number) -> Tensor:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""

    @overload
    def ne_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `ne`, in place, and return it."""
    @overload
    def ne_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `ne`, in place, and return it."""

    def neg(self) -> Tensor:
        """Return `-input`; of bools, RuntimeError."""

    def neg_(self) -> Tensor:
        """Replace this tensor by its `neg`, in place, and return it."""

    def negative(self) -> Tensor:
        """Return `-input`; of bools, RuntimeError."""

    def negative_(self) -> Tensor:
        """Replace this tensor by its `negative`, in place, and return it."""

    @overload
    def new_empty(self, *size: builtins.int | Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
        """Return `empty` of the dtype of this tensor, unless told another."""
    @overload
    def new_empty(self, *, size: Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
        """Return `empty` of the dtype of this tensor, unless told another."""

    def new_full(self, size: Sequence[builtins.int], fill_value: _Number, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
        """Return `full` of the dtype of this tensor, unless told another."""

    @overload
    def new_ones(self, *size: builtins.int | Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
        """Return `ones` of the dtype of this tensor, unless told another."""
    @overload
    def new_ones(self, *, size: Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
        """Return `ones` of the dtype of this tensor, unless told another."""

    def new_tensor(self, data: Any, *, dtype: _dtype | builtins.type[Any] | None = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False) -> Tensor:
        """Return a tensor of a copy of `data`, of the dtype of this one, unless told another."""

    @overload
    def new_zeros(self, *size: builtins.int | Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
        """Return `zeros` of the dtype of this tensor, unless told another."""
    @overload
    def new_zeros(self, *, size: Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
        """Return `zeros` of the dtype of this tensor, unless told another."""

    def nextafter(self, other: _Operand) -> Tensor:
        """Return the number next to `input` in the direction of `other`, broadcast."""

    def nextafter_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `nextafter`, in place, and return it."""

    @overload
    def nonzero(self) -> Tensor:
        """Return the indices of the elements that are not zero, one row each."""
    @overload
    def nonzero(self, *, as_tuple: builtins.bool) -> Tensor:
        """Return the indices of the elements that are not zero, one row each."""

    def norm(self, p: builtins.float | builtins.str | None = 'fro', dim: Any = None, keepdim: Any = False, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the p-norm of the elements, over all axes or some."""

    def normal_(self, mean: builtins.float = 0.0, std: builtins.float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill with numbers drawn from a normal distribution, in place."""

    @overload
    def not_equal(self, other: _Operand) -> Tensor:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""
    @overload
    def not_equal(self, other: _Number) -> Tensor:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""

    @overload
    def not_equal_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `not_equal`, in place, and return it."""
    @overload
    def not_equal_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `not_equal`, in place, and return it."""

    def orgqr(self, input2: _Operand) -> Tensor:
        """Return what `linalg.householder_product` does."""

    def ormqr(self, input2: _Operand, input3: _Operand, left: builtins.bool = True, transpose: builtins.bool = False) -> Tensor:
        """Return the product of a matrix with a product Q of reflections, as `geqrf` gives those."""

    def outer(self, vec2: _Operand) -> Tensor:
        """Return the products of every element of a vector with every element of another."""

    @overload
    def permute(self, *dims: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Reorder the axes."""
    @overload
    def permute(self, *, dims: Sequence[builtins.int]) -> Tensor:
        """Reorder the axes."""

    def pinverse(self, rcond: builtins.float = 1e-15) -> Tensor:
        """Return the pseudo-inverses of matrices, as `linalg.pinv` does."""

    def polygamma(self, n: builtins.int) -> Tensor:
        """Return the derivative of order `n` of `digamma` at each element."""

    def polygamma_(self, n: builtins.int) -> Tensor:
        """Replace this tensor by its `polygamma`, in place, and return it."""

    def positive(self) -> Tensor:
        """Return `input` itself; of bools, RuntimeError."""

    @overload
    def pow(self, exponent: _Operand) -> Tensor:
        """Return `input` to the power `exponent`, elementwise and broadcast."""
    @overload
    def pow(self, exponent: _Number) -> Tensor:
        """Return `input` to the power `exponent`, elementwise and broadcast."""

    @overload
    def pow_(self, exponent: _Operand) -> Tensor:
        """Replace this tensor by its `pow`, in place, and return it."""
    @overload
    def pow_(self, exponent: _Number) -> Tensor:
        """Replace this tensor by its `pow`, in place, and return it."""

    def prelu(self, weight: _Operand) -> Tensor:
        """Return `x` where it is positive, else `weight*x`."""

    @overload
    def prod(self, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the product of all elements, or along one axis; integers give int64."""
    @overload
    def prod(self, dim: builtins.int, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the product of all elements, or along one axis; integers give int64."""
    @overload
    def prod(self, *, axis: builtins.int, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the product of all elements, or along one axis; integers give int64."""

    def put(self, index: _Operand, source: _Operand, accumulate: builtins.bool = False) -> Tensor:
        """Write elements by their position in the flattened array; negative ones from the end."""

    def put_(self, index: _Operand, source: _Operand, accumulate: builtins.bool = False) -> Tensor:
        """Replace this tensor by its `put`, in place, and return it."""

    def qr(self, some: builtins.bool = True) -> _return_types.qr[Tensor]:
        """Return the factors of `input = Q @ R`; `linalg.qr` is the newer function."""

    @overload
    def quantile(self, q: _Operand, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear') -> Tensor:
        """Return the `q`-quantiles of all elements, or along an axis."""
    @overload
    def quantile(self, q: _Operand, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear') -> Tensor:
        """Return the `q`-quantiles of all elements, or along an axis."""
    @overload
    def quantile(self, q: builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear') -> Tensor:
        """Return the `q`-quantiles of all elements, or along an axis."""
    @overload
    def quantile(self, q: builtins.float, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear') -> Tensor:
        """Return the `q`-quantiles of all elements, or along an axis."""

    def rad2deg(self) -> Tensor:
        """Return angles given in radians in degrees."""

    def rad2deg_(self) -> Tensor:
        """Replace this tensor by its `rad2deg`, in place, and return it."""

    @overload
    def random_(self, *, generator: _Generator | None = None) -> Tensor:
        """Fill with integers drawn from [low, high), in place: ``random_([[low,] high])``."""
    @overload
    def random_(self, from_: builtins.int, to: builtins.int | None, *, generator: _Generator | None = None) -> Tensor:
        """Fill with integers drawn from [low, high), in place: ``random_([[low,] high])``."""
    @overload
    def random_(self, to: builtins.int, *, generator: _Generator | None = None) -> Tensor:
        """Fill with integers drawn from [low, high), in place: ``random_([[low,] high])``."""

    def ravel(self) -> Tensor:
        """Return the elements in one axis."""

    def reciprocal(self) -> Tensor:
        """Return `1 / x` of each element of `input`."""

    def reciprocal_(self) -> Tensor:
        """Replace this tensor by its `reciprocal`, in place, and return it."""

    def relu(self) -> Tensor:
        """Return the positive part of each element of `input`; its derivative at 0 is 0."""

    def relu_(self) -> Tensor:
        """Replace this tensor by its `relu`, in place, and return it."""

    @overload
    def remainder(self, other: _Operand) -> Tensor:
        """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`."""
    @overload
    def remainder(self, other: _Number) -> Tensor:
        """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`."""

    @overload
    def remainder_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `remainder`, in place, and return it."""
    @overload
    def remainder_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `remainder`, in place, and return it."""

    @overload
    def renorm(self, p: _Number, dim: builtins.int, maxnorm: _Number) -> Tensor:
        """Shorten the slices along `dim` whose norm is larger than `maxnorm` to that norm."""
    @overload
    def renorm(self, p: _Number, *, axis: builtins.int, maxnorm: _Number) -> Tensor:
        """Shorten the slices along `dim` whose norm is larger than `maxnorm` to that norm."""

    @overload
    def renorm_(self, p: _Number, dim: builtins.int, maxnorm: _Number) -> Tensor:
        """Replace this tensor by its `renorm`, in place, and return it."""
    @overload
    def renorm_(self, p: _Number, *, axis: builtins.int, maxnorm: _Number) -> Tensor:
        """Replace this tensor by its `renorm`, in place, and return it."""

    @overload
    def repeat(self, *repeats: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Repeat the whole array along each axis."""
    @overload
    def repeat(self, *, repeats: Sequence[builtins.int]) -> Tensor:
        """Repeat the whole array along each axis."""

    @overload
    def repeat_interleave(self, repeats: _Operand, dim: builtins.int | None = None, *, output_size: builtins.int | None = None) -> Tensor:
        """Repeat each element in place, by one number or by one number for each."""
    @overload
    def repeat_interleave(self, repeats: _Operand, *, axis: builtins.int | None = None, output_size: builtins.int | None = None) -> Tensor:
        """Repeat each element in place, by one number or by one number for each."""
    @overload
    def repeat_interleave(self, repeats: builtins.int, dim: builtins.int | None = None, *, output_size: builtins.int | None = None) -> Tensor:
        """Repeat each element in place, by one number or by one number for each."""
    @overload
    def repeat_interleave(self, repeats: builtins.int, *, axis: builtins.int | None = None, output_size: builtins.int | None = None) -> Tensor:
        """Repeat each element in place, by one number or by one number for each."""

    @overload
    def reshape(self, *shape: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Return the elements in another shape, in the same order; one length may be -1."""
    @overload
    def reshape(self, *, shape: Sequence[builtins.int]) -> Tensor:
        """Return the elements in another shape, in the same order; one length may be -1."""

    def reshape_as(self, other: _Operand) -> Tensor:
        """Reshape to the shape of `other`."""

    def resize(self, *sizes: Any) -> Tensor:
        """Return the elements in another shape, with a warning: the name is an old one of `view`."""

    @overload
    def resize_(self, *size: builtins.int | Sequence[builtins.int], memory_format: Any = None) -> Tensor:
        """Give the tensor another shape, and show its memory in the order of the axes from then on."""
    @overload
    def resize_(self, *, size: Sequence[builtins.int], memory_format: Any = None) -> Tensor:
        """Give the tensor another shape, and show its memory in the order of the axes from then on."""

    def resize_as(self, tensor: _Operand) -> Tensor:
        """Return the elements in the shape of a tensor, with a warning: the name is an old one."""

    def resize_as_(self, the_template: _Operand, *, memory_format: Any = None) -> Tensor:
        """Give the tensor the shape of another one, as `resize_` does."""

    def resolve_conj(self) -> Tensor:
        """Return `input`, of which every conjugation has been computed."""

    def resolve_neg(self) -> Tensor:
        """Return `input`, of which every negation has been computed."""

    def roll(self, shifts: builtins.int | Sequence[builtins.int], dims: builtins.int | Sequence[builtins.int] = ...) -> Tensor:
        """Move the elements along axes, or through the flattened array where none are given."""

    def rot90(self, k: builtins.int = 1, dims: Sequence[builtins.int] = ...) -> Tensor:
        """Rotate by `k` quarter turns in the plane of two axes, from the first towards the second."""

    @overload
    def round(self) -> Tensor:
        """Round to the nearest multiple of `10**-decimals`, halves to even."""
    @overload
    def round(self, *, decimals: builtins.int) -> Tensor:
        """Round to the nearest multiple of `10**-decimals`, halves to even."""

    @overload
    def round_(self) -> Tensor:
        """Replace this tensor by its `round`, in place, and return it."""
    @overload
    def round_(self, *, decimals: builtins.int) -> Tensor:
        """Replace this tensor by its `round`, in place, and return it."""

    def rsqrt(self) -> Tensor:
        """Return `1 / sqrt(x)` of each element of `input`."""

    def rsqrt_(self) -> Tensor:
        """Replace this tensor by its `rsqrt`, in place, and return it."""

    @overload
    def rsub(self, other: _Operand, *, alpha: _Number = 1) -> Tensor:
        """Return `other - alpha * input`, broadcast."""
    @overload
    def rsub(self, other: _Number, alpha: _Number = 1) -> Tensor:
        """Return `other - alpha * input`, broadcast."""

    @overload
    def scatter(self, dim: builtins.int, index: _Operand, src: _Operand) -> Tensor:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, *, axis: builtins.int, index: _Operand, src: _Operand) -> Tensor:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, dim: builtins.int, index: _Operand, src: _Operand, *, reduce: builtins.str) -> Tensor:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, *, axis: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str) -> Tensor:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, dim: builtins.int, index: _Operand, value: _Number) -> Tensor:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, *, axis: builtins.int, index: _Operand, value: _Number) -> Tensor:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, dim: builtins.int, index: _Operand, value: _Number, *, reduce: builtins.str) -> Tensor:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, *, axis: builtins.int, index: _Operand, value: _Number, reduce: builtins.str) -> Tensor:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""

    @overload
    def scatter_(self, dim: builtins.int, index: _Operand, src: _Operand) -> Tensor:
        """Replace this tensor by its `scatter`, in place, and return it."""
    @overload
    def scatter_(self, *, axis: builtins.int, index: _Operand, src: _Operand) -> Tensor:
        """Replace this tensor by its `scatter`, in place, and return it."""
    @overload
    def scatter_(self, dim: builtins.int, index: _Operand, src: _Operand, *, reduce: builtins.str) -> Tensor:
        """Replace this tensor by its `scatter`, in place, and return it."""
    @overload
    def scatter_(self, *, axis: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str) -> Tensor:
        """Replace this tensor by its `scatter`, in place, and return it."""
    @overload
    def scatter_(self, dim: builtins.int, index: _Operand, value: _Number) -> Tensor:
        """Replace this tensor by its `scatter`, in place, and return it."""
    @overload
    def scatter_(self, *, axis: builtins.int, index: _Operand, value: _Number) -> Tensor:
        """Replace this tensor by its `scatter`, in place, and return it."""
    @overload
    def scatter_(self, dim: builtins.int, index: _Operand, value: _Number, *, reduce: builtins.str) -> Tensor:
        """Replace this tensor by its `scatter`, in place, and return it."""
    @overload
    def scatter_(self, *, axis: builtins.int, index: _Operand, value: _Number, reduce: builtins.str) -> Tensor:
        """Replace this tensor by its `scatter`, in place, and return it."""

    @overload
    def scatter_add(self, dim: builtins.int, index: _Operand, src: _Operand) -> Tensor:
        """Add elements along an axis: `result[index[i][j]][j] += src[i][j]` for `dim=0`."""
    @overload
    def scatter_add(self, *, axis: builtins.int, index: _Operand, src: _Operand) -> Tensor:
        """Add elements along an axis: `result[index[i][j]][j] += src[i][j]` for `dim=0`."""

    @overload
    def scatter_add_(self, dim: builtins.int, index: _Operand, src: _Operand) -> Tensor:
        """Replace this tensor by its `scatter_add`, in place, and return it."""
    @overload
    def scatter_add_(self, *, axis: builtins.int, index: _Operand, src: _Operand) -> Tensor:
        """Replace this tensor by its `scatter_add`, in place, and return it."""

    @overload
    def scatter_reduce(self, dim: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str, *, include_self: builtins.bool = True) -> Tensor:
        """Reduce the elements of `src` that `index` sends to the same place along an axis."""
    @overload
    def scatter_reduce(self, *, axis: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str, include_self: builtins.bool = True) -> Tensor:
        """Reduce the elements of `src` that `index` sends to the same place along an axis."""

    @overload
    def scatter_reduce_(self, dim: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str, *, include_self: builtins.bool = True) -> Tensor:
        """Replace this tensor by its `scatter_reduce`, in place, and return it."""
    @overload
    def scatter_reduce_(self, *, axis: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str, include_self: builtins.bool = True) -> Tensor:
        """Replace this tensor by its `scatter_reduce`, in place, and return it."""

    @overload
    def select(self, dim: builtins.int, index: builtins.int) -> Tensor:
        """Return the slice at `index` of an axis; a view."""
    @overload
    def select(self, *, axis: builtins.int, index: builtins.int) -> Tensor:
        """Return the slice at `index` of an axis; a view."""

    @overload
    def select_scatter(self, src: _Operand, dim: builtins.int, index: builtins.int) -> Tensor:
        """Return `input` with `src` at `index` of an axis."""
    @overload
    def select_scatter(self, src: _Operand, *, axis: builtins.int, index: builtins.int) -> Tensor:
        """Return `input` with `src` at `index` of an axis."""

    @overload
    def set_(self) -> Tensor:
        """Show the memory of another tensor from now on, in place; none without a `source`."""
    @overload
    def set_(self, source: _Operand) -> Tensor:
        """Show the memory of another tensor from now on, in place; none without a `source`."""
    @overload
    def set_(self, source: _Operand, storage_offset: builtins.int, size: Sequence[builtins.int], stride: Sequence[builtins.int] | None = None) -> Tensor:
        """Show the memory of another tensor from now on, in place; none without a `source`."""

    def sgn(self) -> Tensor:
        """Return the sign `x / |x|` of each element of `input`, and 0 of 0."""

    def sgn_(self) -> Tensor:
        """Replace this tensor by its `sgn`, in place, and return it."""

    def short(self, *, memory_format: Any = None) -> Tensor:
        """Convert to int16."""

    def sigmoid(self) -> Tensor:
        """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

    def sigmoid_(self) -> Tensor:
        """Replace this tensor by its `sigmoid`, in place, and return it."""

    def sign(self) -> Tensor:
        """Return -1, 0 or 1 for each element of `input`; the derivative is zero, also at 0."""

    def sign_(self) -> Tensor:
        """Replace this tensor by its `sign`, in place, and return it."""

    def signbit(self) -> Tensor:
        """Return where the sign of `input` is minus, also that of a zero."""

    def sin(self) -> Tensor:
        """Return the sine of each element of `input`, in radians."""

    def sin_(self) -> Tensor:
        """Replace this tensor by its `sin`, in place, and return it."""

    def sinc(self) -> Tensor:
        """Return `sin(pi*x) / (pi*x)` of each element of `input`, and 1 of 0."""

    def sinc_(self) -> Tensor:
        """Replace this tensor by its `sinc`, in place, and return it."""

    def sinh(self) -> Tensor:
        """Return the hyperbolic sine of each element of `input`."""

    def sinh_(self) -> Tensor:
        """Replace this tensor by its `sinh`, in place, and return it."""

    @overload
    def slice_scatter(self, src: _Operand, dim: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1) -> Tensor:
        """Return `input` with `src` at a slice of an axis."""
    @overload
    def slice_scatter(self, src: _Operand, *, axis: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1) -> Tensor:
        """Return `input` with `src` at a slice of an axis."""

    def slogdet(self) -> _return_types.slogdet[Tensor]:
        """Return the sign and the logarithm of the modulus of determinants, as `linalg.slogdet` does."""

    @overload
    def softmax(self, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return exponentials divided by their sum along `dim`, without overflow."""
    @overload
    def softmax(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return exponentials divided by their sum along `dim`, without overflow."""

    @overload
    def sort(self, *, stable: builtins.bool | None, dim: builtins.int = -1, descending: builtins.bool = False) -> _return_types.sort[Tensor]:
        """Return the elements along `dim` in order, and where they stood."""
    @overload
    def sort(self, *, stable: builtins.bool | None, axis: builtins.int = -1, descending: builtins.bool = False) -> _return_types.sort[Tensor]:
        """Return the elements along `dim` in order, and where they stood."""
    @overload
    def sort(self, dim: builtins.int = -1, descending: builtins.bool = False) -> _return_types.sort[Tensor]:
        """Return the elements along `dim` in order, and where they stood."""
    @overload
    def sort(self, *, axis: builtins.int = -1, descending: builtins.bool = False) -> _return_types.sort[Tensor]:
        """Return the elements along `dim` in order, and where they stood."""

    def split(self, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take the tensor apart along an axis, into pieces of one length or of given lengths."""

    @overload
    def split_with_sizes(self, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart along an axis into pieces of given lengths."""
    @overload
    def split_with_sizes(self, split_sizes: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart along an axis into pieces of given lengths."""

    def sqrt(self) -> Tensor:
        """Return the square root of each element of `input`; nan of negative numbers."""

    def sqrt_(self) -> Tensor:
        """Replace this tensor by its `sqrt`, in place, and return it."""

    def square(self) -> Tensor:
        """Return the square of each element of `input`."""

    def square_(self) -> Tensor:
        """Replace this tensor by its `square`, in place, and return it."""

    @overload
    def squeeze(self) -> Tensor:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, dim: builtins.int) -> Tensor:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, *, axis: builtins.int) -> Tensor:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, *dim: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, *, dim: Sequence[builtins.int]) -> Tensor:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, *, axis: Sequence[builtins.int]) -> Tensor:
        """Drop axes of length one: all, or those given."""

    @overload
    def squeeze_(self) -> Tensor:
        """Give this tensor the shape of its `squeeze`, in place, and return it."""
    @overload
    def squeeze_(self, dim: builtins.int) -> Tensor:
        """Give this tensor the shape of its `squeeze`, in place, and return it."""
    @overload
    def squeeze_(self, *, axis: builtins.int) -> Tensor:
        """Give this tensor the shape of its `squeeze`, in place, and return it."""
    @overload
    def squeeze_(self, *dim: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Give this tensor the shape of its `squeeze`, in place, and return it."""
    @overload
    def squeeze_(self, *, dim: Sequence[builtins.int]) -> Tensor:
        """Give this tensor the shape of its `squeeze`, in place, and return it."""
    @overload
    def squeeze_(self, *, axis: Sequence[builtins.int]) -> Tensor:
        """Give this tensor the shape of its `squeeze`, in place, and return it."""

    @overload
    def std(self, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> Tensor:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
    @overload
    def std(self, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> Tensor:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
    @overload
    def std(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
    @overload
    def std(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> Tensor:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
    @overload
    def std(self, unbiased: builtins.bool = True) -> Tensor:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""

    @overload
    def std_mean(self, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
    @overload
    def std_mean(self, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
    @overload
    def std_mean(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
    @overload
    def std_mean(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
    @overload
    def std_mean(self, unbiased: builtins.bool = True) -> tuple[Tensor, Tensor]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""

    def stft(self, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: _Operand | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect', normalized: builtins.bool = False, onesided: builtins.bool | None = None, return_complex: builtins.bool | None = None, align_to_window: builtins.bool | None = None) -> Tensor:
        """Return the Fourier transforms of the parts of a signal: of each frequency over time."""

    def sub(self, other: _Operand | _Number, *, alpha: _Number = 1) -> Tensor:
        """Return `input - alpha * other`, broadcast."""

    def sub_(self, other: _Operand | _Number, *, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `sub`, in place, and return it."""

    def subtract(self, other: _Operand | _Number, *, alpha: _Number = 1) -> Tensor:
        """Return `input - alpha * other`, broadcast; `sub` under another name."""

    def subtract_(self, other: _Operand | _Number, *, alpha: _Number = 1) -> Tensor:
        """Replace this tensor by its `subtract`, in place, and return it."""

    @overload
    def sum(self, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the sum over axes."""
    @overload
    def sum(self, dim: builtins.int | Sequence[builtins.int] | None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the sum over axes."""
    @overload
    def sum(self, *, axis: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> Tensor:
        """Return the sum over axes."""

    @overload
    def sum_to(self, *size: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Sum over the axes along which `size` would be broadcast to the shape of `input`."""
    @overload
    def sum_to(self, *, size: Sequence[builtins.int]) -> Tensor:
        """Sum over the axes along which `size` would be broadcast to the shape of `input`."""

    @overload
    def sum_to_size(self, *size: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Return the sum over the axes along which `size` would be broadcast to the present shape."""
    @overload
    def sum_to_size(self, *, size: Sequence[builtins.int]) -> Tensor:
        """Return the sum over the axes along which `size` would be broadcast to the present shape."""

    def svd(self, some: builtins.bool = True, compute_uv: builtins.bool = True) -> _return_types.svd[Tensor]:
        """Return U, S and V of `input = U @ diag(S) @ V.mH`; `linalg.svd` is the newer function."""

    def swapaxes(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """Exchange two axes."""

    def swapaxes_(self, axis0: builtins.int, axis1: builtins.int) -> Tensor:
        """Give this tensor the shape of its `swapaxes`, in place, and return it."""

    def swapdims(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Exchange two axes, as `transpose` does."""

    def swapdims_(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Give this tensor the shape of its `swapdims`, in place, and return it."""

    def t(self) -> Tensor:
        """Return the transpose of a matrix; vectors and numbers are left as they are."""

    def t_(self) -> Tensor:
        """Give this tensor the shape of its `t`, in place, and return it."""

    def take(self, index: _Operand) -> Tensor:
        """Return elements by their position in the flattened array; negative ones from the end."""

    @overload
    def take_along_dim(self, indices: _Operand, dim: builtins.int | None = None) -> Tensor:
        """Pick elements along an axis, broadcasting the others; without `dim` from the flat array."""
    @overload
    def take_along_dim(self, indices: _Operand, *, axis: builtins.int | None = None) -> Tensor:
        """Pick elements along an axis, broadcasting the others; without `dim` from the flat array."""

    def tan(self) -> Tensor:
        """Return the tangent of each element of `input`, in radians."""

    def tan_(self) -> Tensor:
        """Replace this tensor by its `tan`, in place, and return it."""

    def tanh(self) -> Tensor:
        """Return the hyperbolic tangent of each element of `input`."""

    def tanh_(self) -> Tensor:
        """Replace this tensor by its `tanh`, in place, and return it."""

    @overload
    def tensor_split(self, indices: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, indices: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, tensor_indices_or_sections: _Operand, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, tensor_indices_or_sections: _Operand, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, sections: builtins.int, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, sections: builtins.int, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""

    @overload
    def tile(self, *dims: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Repeat the whole array; leading axes that are not named are not repeated."""
    @overload
    def tile(self, *, dims: Sequence[builtins.int]) -> Tensor:
        """Repeat the whole array; leading axes that are not named are not repeated."""

    @overload
    def to(self, device: _device | builtins.str | builtins.int | None = None, dtype: _dtype | builtins.type[Any] | None = None, non_blocking: builtins.bool = False, copy: builtins.bool = False, *, memory_format: Any = None) -> Tensor:
        """Convert to the dtype given, or to that of another tensor."""
    @overload
    def to(self, dtype: _dtype | builtins.type[Any], non_blocking: builtins.bool = False, copy: builtins.bool = False, *, memory_format: Any = None) -> Tensor:
        """Convert to the dtype given, or to that of another tensor."""
    @overload
    def to(self, tensor: _Operand, non_blocking: builtins.bool = False, copy: builtins.bool = False, *, memory_format: Any = None) -> Tensor:
        """Convert to the dtype given, or to that of another tensor."""

    def to_sympy(self, form: Any = 'scalar', symbols: Any = None, exact: builtins.bool = False, expand: builtins.bool = False) -> Any:
        """Return a formula in plain SymPy classes."""

    @overload
    def topk(self, k: builtins.int, dim: builtins.int = -1, largest: builtins.bool = True, sorted: builtins.bool = True) -> _return_types.topk[Tensor]:
        """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand."""
    @overload
    def topk(self, k: builtins.int, *, axis: builtins.int = -1, largest: builtins.bool = True, sorted: builtins.bool = True) -> _return_types.topk[Tensor]:
        """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand."""

    def trace(self) -> Tensor:
        """Return the sum of the diagonal of a matrix."""

    def transpose(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Exchange two axes."""

    def transpose_(self, dim0: builtins.int, dim1: builtins.int) -> Tensor:
        """Give this tensor the shape of its `transpose`, in place, and return it."""

    def triangular_solve(self, A: _Operand, upper: builtins.bool = True, transpose: builtins.bool = False, unitriangular: builtins.bool = False) -> _return_types.triangular_solve[Tensor]:
        """Return the solution X of `A X = input` for triangular matrices A, and A."""

    def tril(self, diagonal: builtins.int = 0) -> Tensor:
        """Return the lower triangle of the last two axes, up to `diagonal` above the main one."""

    def tril_(self, diagonal: builtins.int = 0) -> Tensor:
        """Replace this tensor by its `tril`, in place, and return it."""

    def triu(self, diagonal: builtins.int = 0) -> Tensor:
        """Return the upper triangle of the last two axes, from `diagonal` above the main one."""

    def triu_(self, diagonal: builtins.int = 0) -> Tensor:
        """Replace this tensor by its `triu`, in place, and return it."""

    def true_divide(self, other: _Operand | _Number) -> Tensor:
        """Return `input / other`, broadcast."""

    def true_divide_(self, other: _Operand | _Number) -> Tensor:
        """Replace this tensor by its `true_divide`, in place, and return it."""

    def trunc(self) -> Tensor:
        """Return each element of `input` without its fraction; the derivative is zero."""

    def trunc_(self) -> Tensor:
        """Replace this tensor by its `trunc`, in place, and return it."""

    @overload
    def type(self) -> builtins.str:
        """Convert to a dtype or tensor type; without one return the name of the present type."""
    @overload
    def type(self, dtype: Any, non_blocking: builtins.bool = False) -> Tensor:
        """Convert to a dtype or tensor type; without one return the name of the present type."""

    def type_as(self, other: _Operand) -> Tensor:
        """Convert to the dtype of `other`."""

    @overload
    def unbind(self, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Return the slices along an axis, without that axis."""
    @overload
    def unbind(self, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Return the slices along an axis, without that axis."""

    @overload
    def unflatten(self, dim: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
        """Split one axis into several; one length may be -1."""
    @overload
    def unflatten(self, *, axis: builtins.int, sizes: Sequence[builtins.int]) -> Tensor:
        """Split one axis into several; one length may be -1."""

    def unfold(self, dimension: builtins.int, size: builtins.int, step: builtins.int) -> Tensor:
        """Return windows along an axis as a new last axis; a view."""

    def uniform_(self, from_: builtins.float = 0.0, to: builtins.float = 1.0, *, generator: _Generator | None = None) -> Tensor:
        """Fill with numbers drawn uniformly from [from, to), in place."""

    def unique(self, sorted: builtins.bool = True, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, dim: builtins.int | None = None) -> Any:
        """Return the distinct elements, or slices along an axis, in ascending order."""

    def unique_consecutive(self, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, dim: builtins.int | None = None) -> Any:
        """Return the elements, or slices along an axis, without those that are equal to the one before."""

    @overload
    def unsafe_chunk(self, chunks: builtins.int, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Return what `chunk` does, each piece as if it had memory of its own."""
    @overload
    def unsafe_chunk(self, chunks: builtins.int, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Return what `chunk` does, each piece as if it had memory of its own."""

    @overload
    def unsafe_split(self, split_size: builtins.int, dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Return what `split` does, each piece as if it had memory of its own."""
    @overload
    def unsafe_split(self, split_size: builtins.int, *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Return what `split` does, each piece as if it had memory of its own."""

    @overload
    def unsafe_split_with_sizes(self, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[Tensor, ...]:
        """Return what `split_with_sizes` does, each piece as if it had memory of its own."""
    @overload
    def unsafe_split_with_sizes(self, split_sizes: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[Tensor, ...]:
        """Return what `split_with_sizes` does, each piece as if it had memory of its own."""

    @overload
    def unsqueeze(self, dim: builtins.int) -> Tensor:
        """Add an axis of length one at `dim`."""
    @overload
    def unsqueeze(self, *, axis: builtins.int) -> Tensor:
        """Add an axis of length one at `dim`."""

    @overload
    def unsqueeze_(self, dim: builtins.int) -> Tensor:
        """Give this tensor the shape of its `unsqueeze`, in place, and return it."""
    @overload
    def unsqueeze_(self, *, axis: builtins.int) -> Tensor:
        """Give this tensor the shape of its `unsqueeze`, in place, and return it."""

    @overload
    def var(self, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> Tensor:
        """Return the variance over axes."""
    @overload
    def var(self, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> Tensor:
        """Return the variance over axes."""
    @overload
    def var(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> Tensor:
        """Return the variance over axes."""
    @overload
    def var(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> Tensor:
        """Return the variance over axes."""
    @overload
    def var(self, unbiased: builtins.bool = True) -> Tensor:
        """Return the variance over axes."""

    @overload
    def var_mean(self, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""
    @overload
    def var_mean(self, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""
    @overload
    def var_mean(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""
    @overload
    def var_mean(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> tuple[Tensor, Tensor]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""
    @overload
    def var_mean(self, unbiased: builtins.bool = True) -> tuple[Tensor, Tensor]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""

    def vdot(self, other: _Operand) -> Tensor:
        """Return the dot product of the conjugate of a vector with another one."""

    @overload
    def view(self, dtype: _dtype | builtins.type[Any]) -> Tensor:
        """Return the elements in another shape, sharing memory."""
    @overload
    def view(self, *size: builtins.int | Sequence[builtins.int]) -> Tensor:
        """Return the elements in another shape, sharing memory."""
    @overload
    def view(self, *, size: Sequence[builtins.int]) -> Tensor:
        """Return the elements in another shape, sharing memory."""

    def view_as(self, other: _Operand) -> Tensor:
        """Return a view in the shape of `other`."""

    @overload
    def vsplit(self, sections: builtins.int) -> tuple[Tensor, ...]:
        """Take an array apart along its first axis."""
    @overload
    def vsplit(self, *indices: builtins.int | Sequence[builtins.int]) -> tuple[Tensor, ...]:
        """Take an array apart along its first axis."""
    @overload
    def vsplit(self, *, indices: Sequence[builtins.int]) -> tuple[Tensor, ...]:
        """Take an array apart along its first axis."""

    @overload
    def where(self, condition: _Operand, other: _Operand) -> Tensor:
        """Keep the elements where `condition` holds; take `other` elsewhere."""
    @overload
    def where(self, condition: _Operand, other: _Number) -> Tensor:
        """Keep the elements where `condition` holds; take `other` elsewhere."""

    @overload
    def xlogy(self, other: _Operand) -> Tensor:
        """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""
    @overload
    def xlogy(self, other: _Number) -> Tensor:
        """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""

    @overload
    def xlogy_(self, other: _Operand) -> Tensor:
        """Replace this tensor by its `xlogy`, in place, and return it."""
    @overload
    def xlogy_(self, other: _Number) -> Tensor:
        """Replace this tensor by its `xlogy`, in place, and return it."""

    def zero_(self) -> Tensor:
        """Fill with zeros, in place."""

    def __abs__(self) -> Tensor: ...

    def __add__(self, other: _Operand | _Number) -> Tensor: ...

    def __and__(self, other: _Operand | _Number) -> Tensor: ...

    def __floordiv__(self, other: _Operand | _Number) -> Tensor: ...

    def __ge__(self, other: _Operand | _Number) -> Tensor: ...

    def __getitem__(self, key: Any) -> Tensor: ...

    def __gt__(self, other: _Operand | _Number) -> Tensor: ...

    def __invert__(self) -> Tensor: ...

    def __le__(self, other: _Operand | _Number) -> Tensor: ...

    def __lshift__(self, other: _Operand | _Number) -> Tensor: ...

    def __lt__(self, other: _Operand | _Number) -> Tensor: ...

    def __matmul__(self, other: _Operand | _Number) -> Tensor: ...

    def __mod__(self, other: _Operand | _Number) -> Tensor: ...

    def __mul__(self, other: _Operand | _Number) -> Tensor: ...

    def __neg__(self) -> Tensor: ...

    def __or__(self, other: _Operand | _Number) -> Tensor: ...

    def __pow__(self, other: _Operand | _Number) -> Tensor: ...

    def __radd__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rand__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rfloordiv__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rlshift__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rmatmul__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rmod__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rmul__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __ror__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rpow__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rrshift__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rshift__(self, other: _Operand | _Number) -> Tensor: ...

    def __rsub__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rtruediv__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __rxor__(self, other: ndarray[Any, Any] | _Number) -> Tensor: ...

    def __sub__(self, other: _Operand | _Number) -> Tensor: ...

    def __truediv__(self, other: _Operand | _Number) -> Tensor: ...

    def __xor__(self, other: _Operand | _Number) -> Tensor: ...

    @property
    def H(self) -> Tensor:
        """The conjugate transpose of a matrix."""

    @property
    def T(self) -> Tensor:
        """The array with its axes in reverse order."""

    @property
    def imag(self) -> Tensor:
        """Return the imaginary part of a complex tensor."""

    @property
    def mH(self) -> Tensor:
        """The conjugate of the array with its last two axes exchanged."""

    @property
    def mT(self) -> Tensor:
        """The array with its last two axes exchanged."""

    @property
    def real(self) -> Tensor:
        """Return the real part; real tensors themselves."""
