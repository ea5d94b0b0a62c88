"""What the tables of operations offer, declared for type checkers and editors.

Written by `python -m tools.stubs`; not to be edited.
"""

from typing import Any

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
    "add",
    "addbmm",
    "addcdiv",
    "addcmul",
    "addmm",
    "addmv",
    "addmv_",
    "addr",
    "adjoint",
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
    "baddbmm",
    "bilinear",
    "bitwise_and",
    "bitwise_left_shift",
    "bitwise_not",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
    "bmm",
    "broadcast_shapes",
    "broadcast_tensors",
    "broadcast_to",
    "cartesian_prod",
    "cat",
    "ceil",
    "ceil_",
    "chain_matmul",
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
    "complex",
    "concat",
    "concatenate",
    "conj",
    "conj_physical",
    "conj_physical_",
    "conjugate",
    "copysign",
    "cos",
    "cos_",
    "cosh",
    "cosh_",
    "count_nonzero",
    "cummax",
    "cummin",
    "cumprod",
    "cumsum",
    "deg2rad",
    "deg2rad_",
    "detach",
    "detach_",
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal",
    "diagonal_scatter",
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
    "expit",
    "expm1",
    "expm1_",
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
    "gather",
    "gcd",
    "gcd_",
    "ge",
    "ger",
    "greater",
    "greater_equal",
    "gt",
    "heaviside",
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
    "is_conj",
    "is_neg",
    "isclose",
    "isfinite",
    "isinf",
    "isnan",
    "isreal",
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
    "logcumsumexp",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "logit",
    "logit_",
    "logsumexp",
    "lt",
    "masked_fill",
    "masked_scatter",
    "masked_select",
    "matmul",
    "max",
    "maximum",
    "mean",
    "median",
    "meshgrid",
    "min",
    "minimum",
    "mm",
    "moveaxis",
    "movedim",
    "msort",
    "mul",
    "multiply",
    "mv",
    "mvlgamma",
    "nan_to_num",
    "nan_to_num_",
    "nanmean",
    "nansum",
    "narrow",
    "narrow_copy",
    "ne",
    "neg",
    "neg_",
    "negative",
    "negative_",
    "nextafter",
    "nonzero",
    "norm",
    "not_equal",
    "outer",
    "permute",
    "polar",
    "polygamma",
    "positive",
    "pow",
    "prod",
    "put",
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
    "select",
    "select_scatter",
    "sgn",
    "sigmoid",
    "sigmoid_",
    "sign",
    "sin",
    "sin_",
    "sinc",
    "sinc_",
    "sinh",
    "sinh_",
    "slice_scatter",
    "softmax",
    "sort",
    "split",
    "split_with_sizes",
    "sqrt",
    "sqrt_",
    "square",
    "square_",
    "squeeze",
    "stack",
    "std",
    "std_mean",
    "sub",
    "subtract",
    "sum",
    "swapaxes",
    "swapdims",
    "t",
    "take",
    "take_along_dim",
    "tan",
    "tan_",
    "tanh",
    "tanh_",
    "tensor_split",
    "tensordot",
    "tile",
    "topk",
    "trace",
    "transpose",
    "tril",
    "triu",
    "true_divide",
    "trunc",
    "trunc_",
    "unbind",
    "unflatten",
    "unsqueeze",
    "vander",
    "var",
    "var_mean",
    "vdot",
    "view_as_complex",
    "view_as_real",
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

def abs(input: Any) -> Any:
    """Return the modulus of each element of `input`; its derivative at 0 is 0."""

def abs_(input: Any) -> Any:
    """Replace this tensor by its `abs`, in place, and return it."""

def absolute(input: Any) -> Any:
    """Return the modulus of each element of `input`; its derivative at 0 is 0."""

def acos(input: Any) -> Any:
    """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

def acos_(input: Any) -> Any:
    """Replace this tensor by its `acos`, in place, and return it."""

def acosh(input: Any) -> Any:
    """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

def acosh_(input: Any) -> Any:
    """Replace this tensor by its `acosh`, in place, and return it."""

def add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Return `input + alpha * other`, broadcast."""

def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * bmm(batch1, batch2).sum(0)`."""

def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """Return `input + value * tensor1 / tensor2`."""

def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
    """Return `input + value * tensor1 * tensor2`."""

def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * (mat1 @ mat2)`."""

def addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * (mat @ vec)`."""

def addmv_(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Replace this tensor by its `addmv`, in place, and return it."""

def addr(input: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * outer(vec1, vec2)`."""

def adjoint(input: Any) -> Any:
    """Return the conjugate of the array with its last two axes exchanged."""

def all(input: Any, dim: Any = ..., keepdim: Any = False) -> Any:
    """Return whether all elements along the axes are not zero; all axes where none are given."""

def allclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Return whether all elements are close, as `isclose` says."""

def amax(input: Any, dim: Any = ..., keepdim: Any = False) -> Any:
    """Return the largest element along axes; equal ones share the gradient evenly."""

def amin(input: Any, dim: Any = ..., keepdim: Any = False) -> Any:
    """Return the smallest element along axes; equal ones share the gradient evenly."""

def aminmax(input: Any, *, dim: Any = None, keepdim: Any = False) -> Any:
    """Return the smallest and the largest element of all, or along one axis."""

def angle(input: Any) -> Any:
    """Return the argument of each element of `input`; of real ones 0 or pi, nan for nan."""

def any(input: Any, dim: Any = ..., keepdim: Any = False) -> Any:
    """Return whether any element along the axes is not zero; all axes where none are given."""

def arccos(input: Any) -> Any:
    """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

def arccos_(input: Any) -> Any:
    """Replace this tensor by its `arccos`, in place, and return it."""

def arccosh(input: Any) -> Any:
    """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

def arccosh_(input: Any) -> Any:
    """Replace this tensor by its `arccosh`, in place, and return it."""

def arcsin(input: Any) -> Any:
    """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

def arcsin_(input: Any) -> Any:
    """Replace this tensor by its `arcsin`, in place, and return it."""

def arcsinh(input: Any) -> Any:
    """Return the inverse hyperbolic sine of each element of `input`."""

def arcsinh_(input: Any) -> Any:
    """Replace this tensor by its `arcsinh`, in place, and return it."""

def arctan(input: Any) -> Any:
    """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

def arctan2(input: Any, other: Any) -> Any:
    """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

def arctan_(input: Any) -> Any:
    """Replace this tensor by its `arctan`, in place, and return it."""

def arctanh(input: Any) -> Any:
    """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

def arctanh_(input: Any) -> Any:
    """Replace this tensor by its `arctanh`, in place, and return it."""

def argmax(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """Return where the (first) largest element stands, in the flattened array without `dim`."""

def argmin(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """Return where the (first) smallest element stands, in the flattened array without `dim`."""

def argsort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    """Return where the elements along `dim` stand that `sort` puts in order."""

def argwhere(input: Any) -> Any:
    """Return the indices of the elements that are not zero, one row each."""

def as_strided(input: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """Return a view of the memory of `input` with given lengths and strides of the axes."""

def as_strided_(self: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    """Show the memory with other lengths and strides of the axes, in place."""

def asin(input: Any) -> Any:
    """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

def asin_(input: Any) -> Any:
    """Replace this tensor by its `asin`, in place, and return it."""

def asinh(input: Any) -> Any:
    """Return the inverse hyperbolic sine of each element of `input`."""

def asinh_(input: Any) -> Any:
    """Replace this tensor by its `asinh`, in place, and return it."""

def atan(input: Any) -> Any:
    """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

def atan2(input: Any, other: Any) -> Any:
    """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

def atan_(input: Any) -> Any:
    """Replace this tensor by its `atan`, in place, and return it."""

def atanh(input: Any) -> Any:
    """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

def atanh_(input: Any) -> Any:
    """Replace this tensor by its `atanh`, in place, and return it."""

def atleast_1d(*tensors: Any) -> Any:
    """Return each of `tensors` with at least 1 axes."""

def atleast_2d(*tensors: Any) -> Any:
    """Return each of `tensors` with at least 2 axes."""

def atleast_3d(*tensors: Any) -> Any:
    """Return each of `tensors` with at least 3 axes."""

def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """Return `beta * input + alpha * bmm(batch1, batch2)`."""

def bilinear(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """Return `input1[i] * weight[o, i, j] * input2[j]` summed over i and j, plus `bias`."""

def bitwise_and(input: Any, other: Any) -> Any:
    """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold."""

def bitwise_left_shift(input: Any, other: Any) -> Any:
    """Return the bits of `input`, moved up by `other` places: times `2**other`."""

def bitwise_not(input: Any) -> Any:
    """Return the complement of the bits of `input`: `-x - 1` of signed integers; of bools, `not x`."""

def bitwise_or(input: Any, other: Any) -> Any:
    """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds."""

def bitwise_right_shift(input: Any, other: Any) -> Any:
    """Return the bits of `input`, moved down by `other` places; the sign stays."""

def bitwise_xor(input: Any, other: Any) -> Any:
    """Return the bits set in just one of `input` and `other`, broadcast."""

def bmm(input: Any, mat2: Any) -> Any:
    """Multiply two stacks of matrices, one by one."""

def broadcast_shapes(*shapes: Any) -> Any:
    """Return the common shape of arrays of the given shapes."""

def broadcast_tensors(*tensors: Any) -> Any:
    """Return the operands, each repeated to their common shape."""

def broadcast_to(input: Any, size: Any) -> Any:
    """Repeat `input` along new and length-one axes to `size`, without copying."""

def cartesian_prod(*tensors: Any) -> Any:
    """Return all combinations of elements of 1-D tensors, one in each row."""

def cat(tensors: Any, dim: Any = 0) -> Any:
    """Join arrays along an axis."""

def ceil(input: Any) -> Any:
    """Return the least integers not below the elements of `input`; the derivative is zero."""

def ceil_(input: Any) -> Any:
    """Replace this tensor by its `ceil`, in place, and return it."""

def chain_matmul(*matrices: Any) -> Any:
    """Multiply two or more matrices, in the order that takes the fewest multiplications."""

def chunk(input: Any, chunks: Any, dim: Any = 0) -> Any:
    """Take an array apart along an axis into at most `chunks` pieces of equal length."""

def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """Clip to the interval from `min` to `max`; the derivative at a bound is that inside."""

def clamp_(input: Any, min: Any = None, max: Any = None) -> Any:
    """Replace this tensor by its `clamp`, in place, and return it."""

def clamp_max(input: Any, max: Any) -> Any:
    """Return the smaller of each element and `max`."""

def clamp_max_(input: Any, max: Any) -> Any:
    """Replace this tensor by its `clamp_max`, in place, and return it."""

def clamp_min(input: Any, min: Any) -> Any:
    """Return the larger of each element and `min`."""

def clamp_min_(input: Any, min: Any) -> Any:
    """Replace this tensor by its `clamp_min`, in place, and return it."""

def clip(input: Any, min: Any = None, max: Any = None) -> Any:
    """Clip to the interval from `min` to `max`; the derivative at a bound is that inside."""

def clip_(input: Any, min: Any = None, max: Any = None) -> Any:
    """Replace this tensor by its `clip`, in place, and return it."""

def clone(input: Any, *, memory_format: Any = None) -> Any:
    """Return a copy through which gradients flow."""

def column_stack(tensors: Any) -> Any:
    """Join along the second axis, vectors as columns."""

def complex(real: Any, imag: Any) -> Any:
    """Return the complex numbers with the given real and imaginary parts, broadcast."""

def concat(tensors: Any, dim: Any = 0) -> Any:
    """Join arrays along an axis."""

def concatenate(tensors: Any, dim: Any = 0) -> Any:
    """Join arrays along an axis."""

def conj(input: Any) -> Any:
    """Return the complex conjugate; real tensors themselves."""

def conj_physical(input: Any) -> Any:
    """Return the complex conjugate, in memory of its own; real tensors themselves."""

def conj_physical_(input: Any) -> Any:
    """Replace this tensor by its `conj_physical`, in place, and return it."""

def conjugate(input: Any) -> Any:
    """Return the complex conjugate; real tensors themselves."""

def copysign(input: Any, other: Any) -> Any:
    """Return `input` with the sign of `other`, broadcast; a zero has a sign, too."""

def cos(input: Any) -> Any:
    """Return the cosine of each element of `input`, in radians."""

def cos_(input: Any) -> Any:
    """Replace this tensor by its `cos`, in place, and return it."""

def cosh(input: Any) -> Any:
    """Return the hyperbolic cosine of each element of `input`."""

def cosh_(input: Any) -> Any:
    """Replace this tensor by its `cosh`, in place, and return it."""

def count_nonzero(input: Any, dim: Any = ...) -> Any:
    """Return how many elements along the axes are not zero, as int64."""

def cummax(input: Any, dim: Any) -> Any:
    """Return the largest elements so far along `dim`, and where they stand (the last of equals)."""

def cummin(input: Any, dim: Any) -> Any:
    """Return the smallest elements so far along `dim`, and where they stand; as `cummax`."""

def cumprod(input: Any, dim: Any, *, dtype: Any = None) -> Any:
    """Return running products along `dim`; derivatives of any order are right at zeros too."""

def cumsum(input: Any, dim: Any, *, dtype: Any = None) -> Any:
    """Return running sums along `dim`; integers add up to int64."""

def deg2rad(input: Any) -> Any:
    """Return angles given in degrees in radians."""

def deg2rad_(input: Any) -> Any:
    """Replace this tensor by its `deg2rad`, in place, and return it."""

def detach(input: Any) -> Any:
    """Return the same values, sharing memory, as a constant to derivatives."""

def detach_(self: Any) -> Any:
    """Cut this tensor from its graph, in place."""

def diag(input: Any, diagonal: Any = 0) -> Any:
    """Return the diagonal of a matrix, or the matrix with a vector on its diagonal."""

def diag_embed(input: Any, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    """Place the last axis on a diagonal of two new axes."""

def diagflat(input: Any, offset: Any = 0) -> Any:
    """Return the matrix with the elements on its diagonal."""

def diagonal(input: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
    """Return a diagonal of two axes as a new last axis; a view."""

def diagonal_scatter(input: Any, src: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
    """Return `input` with `src` on a diagonal of two axes."""

def digamma(input: Any) -> Any:
    """Return the derivative of `lgamma` at each element of `input`; nan at negative integers."""

def dist(input: Any, other: Any, p: Any = 2) -> Any:
    """Return the p-norm of `input - other` over all axes."""

def div(input: Any, other: Any, *, rounding_mode: Any = ...) -> Any:
    """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""

def divide(input: Any, other: Any, *, rounding_mode: Any = ...) -> Any:
    """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""

def dot(input: Any, tensor: Any) -> Any:
    """Return the sum of the products of two vectors' elements."""

def dsplit(input: Any, indices_or_sections: Any) -> Any:
    """Take an array apart along its third axis."""

def dstack(tensors: Any) -> Any:
    """Join along the third axis."""

def einsum(*args: Any) -> Any:
    """Sum products of operands along labelled axes."""

def elementwise(function: Any) -> Any:
    """Make an operation on each element from a SymPy function."""

def eq(input: Any, other: Any) -> Any:
    """Return where `input` and `other` are equal, broadcast; nan equals nothing."""

def erf(input: Any) -> Any:
    """Return the error function of each element of `input`."""

def erf_(input: Any) -> Any:
    """Replace this tensor by its `erf`, in place, and return it."""

def erfc(input: Any) -> Any:
    """Return `1 - erf` of each element of `input`, accurate where that is small."""

def erfc_(input: Any) -> Any:
    """Replace this tensor by its `erfc`, in place, and return it."""

def erfinv(input: Any) -> Any:
    """Return the inverse of the error function of each element of `input`; nan outside [-1, 1]."""

def exp(input: Any) -> Any:
    """Return the exponential of each element of `input`."""

def exp2(input: Any) -> Any:
    """Return 2 to the power of each element of `input`."""

def exp2_(input: Any) -> Any:
    """Replace this tensor by its `exp2`, in place, and return it."""

def exp_(input: Any) -> Any:
    """Replace this tensor by its `exp`, in place, and return it."""

def expit(input: Any) -> Any:
    """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

def expm1(input: Any) -> Any:
    """Return `exp(x) - 1` of each element of `input`, accurate near 0."""

def expm1_(input: Any) -> Any:
    """Replace this tensor by its `expm1`, in place, and return it."""

def fill_(self: Any, value: Any) -> Any:
    """Fill with a number or a 0-d tensor, in place."""

def fix(input: Any) -> Any:
    """Return each element of `input` without its fraction; the derivative is zero."""

def fix_(input: Any) -> Any:
    """Replace this tensor by its `fix`, in place, and return it."""

def flatten(input: Any, start_dim: Any = 0, end_dim: Any = -1) -> Any:
    """Join the axes from `start_dim` to `end_dim` into one."""

def flip(input: Any, *dims: Any, **keywords: Any) -> Any:
    """Reverse the order of the elements along axes."""

def fliplr(input: Any) -> Any:
    """Reverse the second axis."""

def flipud(input: Any) -> Any:
    """Reverse the first axis."""

def float_power(input: Any, exponent: Any) -> Any:
    """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones."""

def floor(input: Any) -> Any:
    """Return the greatest integers not above the elements of `input`; the derivative is zero."""

def floor_(input: Any) -> Any:
    """Replace this tensor by its `floor`, in place, and return it."""

def floor_divide(input: Any, other: Any) -> Any:
    """Return `input // other`, rounded down and broadcast; it has no derivative."""

def fmax(input: Any, other: Any) -> Any:
    """Return the larger of `input` and `other`, broadcast; the other one where one is nan."""

def fmin(input: Any, other: Any) -> Any:
    """Return the smaller of `input` and `other`, broadcast; the other one where one is nan."""

def fmod(input: Any, other: Any) -> Any:
    """Return `input` less `trunc(input / other)` times `other`, which has the sign of `input`."""

def frac(input: Any) -> Any:
    """Return what `trunc` leaves of each element of `input`; the derivative is one."""

def frac_(input: Any) -> Any:
    """Replace this tensor by its `frac`, in place, and return it."""

def gather(input: Any, dim: Any, index: Any, *, sparse_grad: Any = False) -> Any:
    """Pick elements along an axis: `out[i][j] = input[index[i][j]][j]` for `dim=0`."""

def gcd(input: Any, other: Any) -> Any:
    """Return the greatest common divisor of `input` and `other`, broadcast; it is not negative."""

def gcd_(input: Any, other: Any) -> Any:
    """Replace this tensor by its `gcd`, in place, and return it."""

def ge(input: Any, other: Any) -> Any:
    """Return where `input` is at least `other`, broadcast."""

def ger(input: Any, vec2: Any) -> Any:
    """Return the products of every element of a vector with every element of another."""

def greater(input: Any, other: Any) -> Any:
    """Return where `input` is greater than `other`, broadcast."""

def greater_equal(input: Any, other: Any) -> Any:
    """Return where `input` is at least `other`, broadcast."""

def gt(input: Any, other: Any) -> Any:
    """Return where `input` is greater than `other`, broadcast."""

def heaviside(input: Any, values: Any) -> Any:
    """Return 1 where `input` is positive, 0 where it is negative or nan, `values` where it is 0."""

def hsplit(input: Any, indices_or_sections: Any) -> Any:
    """Take an array apart along its second axis, a vector along its only one."""

def hstack(tensors: Any) -> Any:
    """Join along the second axis, vectors along the first."""

def hypot(input: Any, other: Any) -> Any:
    """Return `sqrt(input**2 + other**2)` without overflow; the derivative at the origin is 0."""

def i0(input: Any) -> Any:
    """Return the modified Bessel function of order 0 of each element of `input`."""

def i0_(input: Any) -> Any:
    """Replace this tensor by its `i0`, in place, and return it."""

def igamma(input: Any, other: Any) -> Any:
    """Return the lower incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

def igammac(input: Any, other: Any) -> Any:
    """Return the upper incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

def imag(input: Any) -> Any:
    """Return the imaginary part of a complex tensor."""

def index_add(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """Add the slices of `source`, times `alpha`, to the slices of `input` that `index` names."""

def index_copy(input: Any, dim: Any, index: Any, source: Any) -> Any:
    """Return `input` with the slices of `source` in place of those that `index` names."""

def index_fill(input: Any, dim: Any, index: Any, value: Any) -> Any:
    """Return `input` with `value` in the slices that `index` names."""

def index_put(input: Any, indices: Any, values: Any, accumulate: Any = False) -> Any:
    """Return `input` with `values` where `indices` say; added with `accumulate`."""

def index_put_(input: Any, indices: Any, values: Any, accumulate: Any = False) -> Any:
    """Replace this tensor by its `index_put`, in place, and return it."""

def index_reduce(input: Any, dim: Any, index: Any, source: Any, reduce: Any, *, include_self: Any = True) -> Any:
    """Reduce the slices of `source` into the slices of `input` that `index` names."""

def index_select(input: Any, dim: Any, index: Any) -> Any:
    """Return the slices of an axis that a vector of indices names."""

def inner(input: Any, other: Any) -> Any:
    """Sum the products along the last axes; multiply where one operand is a number."""

def is_conj(input: Any) -> Any:
    """Return False: no tensor waits to be conjugated."""

def is_neg(input: Any) -> Any:
    """Return False: no tensor waits to be negated."""

def isclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Return where `|input - other| <= atol + rtol*|other|`."""

def isfinite(input: Any) -> Any:
    """Return where `input` is neither infinite nor nan."""

def isinf(input: Any) -> Any:
    """Return where `input` is inf or -inf."""

def isnan(input: Any) -> Any:
    """Return where `input` is nan."""

def isreal(input: Any) -> Any:
    """Return where `input` has no imaginary part."""

def kthvalue(input: Any, k: Any, dim: Any = -1, keepdim: Any = False) -> Any:
    """Return the `k`-th smallest element along `dim`, and where it stands."""

def lcm(input: Any, other: Any) -> Any:
    """Return the least common multiple of `input` and `other`, broadcast; it is not negative."""

def lcm_(input: Any, other: Any) -> Any:
    """Replace this tensor by its `lcm`, in place, and return it."""

def ldexp(input: Any, other: Any) -> Any:
    """Return `input * 2**other`, broadcast; exact of floats and integer exponents."""

def ldexp_(input: Any, other: Any) -> Any:
    """Replace this tensor by its `ldexp`, in place, and return it."""

def le(input: Any, other: Any) -> Any:
    """Return where `input` is at most `other`, broadcast."""

def lerp(input: Any, end: Any, weight: Any) -> Any:
    """Return `input + weight * (end - input)`."""

def less(input: Any, other: Any) -> Any:
    """Return where `input` is less than `other`, broadcast."""

def less_equal(input: Any, other: Any) -> Any:
    """Return where `input` is at most `other`, broadcast."""

def lgamma(input: Any) -> Any:
    """Return the logarithm of the absolute value of the gamma function of each element of `input`."""

def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """Return `input @ weight.T + bias`."""

def log(input: Any) -> Any:
    """Return the natural logarithm of each element of `input`; nan of negative numbers."""

def log10(input: Any) -> Any:
    """Return the logarithm to base 10 of each element of `input`."""

def log10_(input: Any) -> Any:
    """Replace this tensor by its `log10`, in place, and return it."""

def log1p(input: Any) -> Any:
    """Return `log(1 + x)` of each element of `input`, accurate near 0."""

def log1p_(input: Any) -> Any:
    """Replace this tensor by its `log1p`, in place, and return it."""

def log2(input: Any) -> Any:
    """Return the logarithm to base 2 of each element of `input`."""

def log2_(input: Any) -> Any:
    """Replace this tensor by its `log2`, in place, and return it."""

def log_(input: Any) -> Any:
    """Replace this tensor by its `log`, in place, and return it."""

def log_softmax(input: Any, dim: Any, dtype: Any = None) -> Any:
    """Return the logarithm of `softmax`, with full relative accuracy; see there."""

def logaddexp(input: Any, other: Any) -> Any:
    """Return `log(exp(input) + exp(other))` without overflow, broadcast."""

def logcumsumexp(input: Any, dim: Any) -> Any:
    """Return the logarithms of running sums of exponentials along `dim`, without overflow."""

def logical_and(input: Any, other: Any) -> Any:
    """Return where both `input` and `other` are not zero, broadcast."""

def logical_not(input: Any) -> Any:
    """Return where `input` is zero."""

def logical_or(input: Any, other: Any) -> Any:
    """Return where `input`, `other` or both are not zero, broadcast."""

def logical_xor(input: Any, other: Any) -> Any:
    """Return where just one of `input` and `other` is not zero, broadcast."""

def logit(input: Any, eps: Any = None) -> Any:
    """Return `log(x / (1 - x))` of each element of `input`; nan outside of [0, 1]."""

def logit_(input: Any, eps: Any = None) -> Any:
    """Replace this tensor by its `logit`, in place, and return it."""

def logsumexp(input: Any, dim: Any, keepdim: Any = False) -> Any:
    """Return the logarithm of the sum of exponentials over axes, without overflow."""

def lt(input: Any, other: Any) -> Any:
    """Return where `input` is less than `other`, broadcast."""

def masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """Return `input` with `value` where `mask` holds; the filled elements get no gradient."""

def masked_scatter(input: Any, mask: Any, source: Any) -> Any:
    """Write the elements of `source`, in order, where `mask` holds."""

def masked_select(input: Any, mask: Any) -> Any:
    """Return the elements where `mask` holds, in one axis; operands are broadcast."""

def matmul(input: Any, other: Any) -> Any:
    """Multiply matrices, vectors, and stacks of matrices whose leading axes broadcast."""

def max(input: Any, dim: Any = ..., keepdim: Any = False, *, other: Any = None) -> Any:
    """Return the largest element, the largest along an axis, or the larger of two."""

def maximum(input: Any, other: Any) -> Any:
    """Return the larger of `input` and `other`, nan where either is; equals share the gradient."""

def mean(input: Any, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
    """Return the mean over axes; the arguments are those of `sum`."""

def median(input: Any, dim: Any = ..., keepdim: Any = False) -> Any:
    """Return the median of all elements, or along an axis; of two in the middle the smaller."""

def meshgrid(*tensors: Any, indexing: Any = None) -> Any:
    """Repeat vectors over the grid that they span; `indexing` is 'ij' or 'xy'."""

def min(input: Any, dim: Any = ..., keepdim: Any = False, *, other: Any = None) -> Any:
    """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""

def minimum(input: Any, other: Any) -> Any:
    """Return the smaller of `input` and `other`, nan where either is; equals share the gradient."""

def mm(input: Any, mat2: Any) -> Any:
    """Multiply two matrices."""

def moveaxis(input: Any, source: Any, destination: Any) -> Any:
    """Move axes to other places; the others keep their order."""

def movedim(input: Any, source: Any, destination: Any) -> Any:
    """Move axes to other places; the others keep their order."""

def msort(input: Any) -> Any:
    """Return the elements along the first axis in order."""

def mul(input: Any, other: Any) -> Any:
    """Return `input * other`, broadcast."""

def multiply(input: Any, other: Any) -> Any:
    """Return `input * other`, broadcast."""

def mv(input: Any, vec: Any) -> Any:
    """Multiply a matrix with a vector."""

def mvlgamma(input: Any, p: Any) -> Any:
    """Return the logarithm of the multivariate gamma function of dimension `p`."""

def nan_to_num(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Replace nan, inf and -inf, by default by 0 and the largest finite numbers."""

def nan_to_num_(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """Replace this tensor by its `nan_to_num`, in place, and return it."""

def nanmean(input: Any, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
    """Return the mean over axes of the elements that are not nan."""

def nansum(input: Any, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
    """Return the sum over axes of the elements that are not nan."""

def narrow(input: Any, dim: Any, start: Any, length: Any) -> Any:
    """Return `length` elements along an axis from `start` on; a view."""

def narrow_copy(input: Any, dim: Any, start: Any, length: Any) -> Any:
    """Return `length` elements along an axis from `start` on, in memory of their own."""

def ne(input: Any, other: Any) -> Any:
    """Return where `input` and `other` differ, broadcast; nan differs from everything."""

def neg(input: Any) -> Any:
    """Return `-input`; of bools, RuntimeError."""

def neg_(input: Any) -> Any:
    """Replace this tensor by its `neg`, in place, and return it."""

def negative(input: Any) -> Any:
    """Return `-input`; of bools, RuntimeError."""

def negative_(input: Any) -> Any:
    """Replace this tensor by its `negative`, in place, and return it."""

def nextafter(input: Any, other: Any) -> Any:
    """Return the number next to `input` in the direction of `other`, broadcast."""

def nonzero(input: Any, *, as_tuple: Any = False) -> Any:
    """Return the indices of the elements that are not zero, one row each."""

def norm(input: Any, p: Any = 'fro', dim: Any = None, keepdim: Any = False, out: Any = None, dtype: Any = None) -> Any:
    """Return the p-norm of the elements, over all axes or some."""

def not_equal(input: Any, other: Any) -> Any:
    """Return where `input` and `other` differ, broadcast; nan differs from everything."""

def outer(input: Any, vec2: Any) -> Any:
    """Return the products of every element of a vector with every element of another."""

def permute(input: Any, *dims: Any, **keywords: Any) -> Any:
    """Reorder the axes."""

def polar(abs: Any, angle: Any) -> Any:
    """Return the complex numbers of the given moduli and angles."""

def polygamma(n: Any, input: Any) -> Any:
    """Return the derivative of order `n` of `digamma` at each element of `input`."""

def positive(input: Any) -> Any:
    """Return `input` itself; of bools, RuntimeError."""

def pow(input: Any, exponent: Any) -> Any:
    """Return `input` to the power `exponent`, elementwise and broadcast."""

def prod(input: Any, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
    """Return the product of all elements, or along one axis; integers give int64."""

def put(input: Any, index: Any, source: Any, accumulate: Any = False) -> Any:
    """Write elements by their position in the flattened array; negative ones from the end."""

def quantile(input: Any, q: Any, dim: Any = None, keepdim: Any = False, *, interpolation: Any = 'linear') -> Any:
    """Return the `q`-quantiles of all elements, or along an axis."""

def rad2deg(input: Any) -> Any:
    """Return angles given in radians in degrees."""

def rad2deg_(input: Any) -> Any:
    """Replace this tensor by its `rad2deg`, in place, and return it."""

def ravel(input: Any) -> Any:
    """Return the elements in one axis."""

def real(input: Any) -> Any:
    """Return the real part; real tensors themselves."""

def reciprocal(input: Any) -> Any:
    """Return `1 / x` of each element of `input`."""

def reciprocal_(input: Any) -> Any:
    """Replace this tensor by its `reciprocal`, in place, and return it."""

def relu(input: Any) -> Any:
    """Return the positive part of each element of `input`; its derivative at 0 is 0."""

def relu_(input: Any) -> Any:
    """Replace this tensor by its `relu`, in place, and return it."""

def remainder(input: Any, other: Any) -> Any:
    """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`."""

def renorm(input: Any, p: Any, dim: Any, maxnorm: Any) -> Any:
    """Shorten the slices along `dim` whose norm is larger than `maxnorm` to that norm."""

def repeat_interleave(input: Any, repeats: Any = None, dim: Any = None, *, output_size: Any = None) -> Any:
    """Repeat each element in place, by one number or by one number for each."""

def reshape(input: Any, *shape: Any, **keywords: Any) -> Any:
    """Return the elements in another shape, in the same order; one length may be -1."""

def resize_as_(self: Any, the_template: Any, *, memory_format: Any = None) -> Any:
    """Give the tensor the shape of another one, as `resize_` does."""

def resolve_conj(input: Any) -> Any:
    """Return `input`, of which every conjugation has been computed."""

def resolve_neg(input: Any) -> Any:
    """Return `input`, of which every negation has been computed."""

def roll(input: Any, shifts: Any, dims: Any = ...) -> Any:
    """Move the elements along axes, or through the flattened array where none are given."""

def rot90(input: Any, k: Any = 1, dims: Any = ...) -> Any:
    """Turn the plane of two axes by `k` quarters, from the first towards the second."""

def round(input: Any, *, decimals: Any = None) -> Any:
    """Round to the nearest multiple of `10**-decimals`, halves to even."""

def round_(input: Any, *, decimals: Any = None) -> Any:
    """Replace this tensor by its `round`, in place, and return it."""

def row_stack(tensors: Any) -> Any:
    """Join along the first axis, vectors as rows."""

def rsqrt(input: Any) -> Any:
    """Return `1 / sqrt(x)` of each element of `input`."""

def rsqrt_(input: Any) -> Any:
    """Replace this tensor by its `rsqrt`, in place, and return it."""

def rsub(input: Any, other: Any, alpha: Any = 1) -> Any:
    """Return `other - alpha * input`, broadcast."""

def scatter(input: Any, dim: Any, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None) -> Any:
    """Write elements along an axis: `out[index[i][j]][j] = src[i][j]` for `dim=0`."""

def scatter_add(input: Any, dim: Any, index: Any, src: Any) -> Any:
    """Add elements along an axis: `out[index[i][j]][j] += src[i][j]` for `dim=0`."""

def scatter_reduce(input: Any, dim: Any, index: Any, src: Any, reduce: Any, *, include_self: Any = True) -> Any:
    """Reduce the elements of `src` that `index` sends to the same place along an axis."""

def select(input: Any, dim: Any, index: Any) -> Any:
    """Return the slice at `index` of an axis; a view."""

def select_scatter(input: Any, src: Any, dim: Any, index: Any) -> Any:
    """Return `input` with `src` at `index` of an axis."""

def sgn(input: Any) -> Any:
    """Return the sign `x / |x|` of each element of `input`, and 0 of 0."""

def sigmoid(input: Any) -> Any:
    """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

def sigmoid_(input: Any) -> Any:
    """Replace this tensor by its `sigmoid`, in place, and return it."""

def sign(input: Any) -> Any:
    """Return -1, 0 or 1 for each element of `input`; the derivative is zero, also at 0."""

def sin(input: Any) -> Any:
    """Return the sine of each element of `input`, in radians."""

def sin_(input: Any) -> Any:
    """Replace this tensor by its `sin`, in place, and return it."""

def sinc(input: Any) -> Any:
    """Return `sin(pi*x) / (pi*x)` of each element of `input`, and 1 of 0."""

def sinc_(input: Any) -> Any:
    """Replace this tensor by its `sinc`, in place, and return it."""

def sinh(input: Any) -> Any:
    """Return the hyperbolic sine of each element of `input`."""

def sinh_(input: Any) -> Any:
    """Replace this tensor by its `sinh`, in place, and return it."""

def slice_scatter(input: Any, src: Any, dim: Any = 0, start: Any = None, end: Any = None, step: Any = 1) -> Any:
    """Return `input` with `src` at a slice of an axis."""

def softmax(input: Any, dim: Any, dtype: Any = None) -> Any:
    """Return exponentials divided by their sum along `dim`, without overflow."""

def sort(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    """Return the elements along `dim` in order, and where they stood."""

def split(tensor: Any, split_size_or_sections: Any, dim: Any = 0) -> Any:
    """Take an array apart along an axis, into pieces of one length or of given lengths."""

def split_with_sizes(input: Any, split_sizes: Any, dim: Any = 0) -> Any:
    """Take an array apart along an axis into pieces of given lengths."""

def sqrt(input: Any) -> Any:
    """Return the square root of each element of `input`; nan of negative numbers."""

def sqrt_(input: Any) -> Any:
    """Replace this tensor by its `sqrt`, in place, and return it."""

def square(input: Any) -> Any:
    """Return the square of each element of `input`."""

def square_(input: Any) -> Any:
    """Replace this tensor by its `square`, in place, and return it."""

def squeeze(input: Any, dim: Any = None) -> Any:
    """Drop axes of length one: all, or those given."""

def stack(tensors: Any, dim: Any = 0) -> Any:
    """Join arrays of one shape along a new axis."""

def std(input: Any, dim: Any = ..., unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
    """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""

def std_mean(input: Any, dim: Any = ..., unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
    """Return the standard deviation and the mean over axes, as `std` and `mean` do."""

def sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Return `input - alpha * other`, broadcast."""

def subtract(input: Any, other: Any, alpha: Any = 1) -> Any:
    """Return `input - alpha * other`, broadcast; `sub` under another name."""

def sum(input: Any, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
    """Return the sum over axes."""

def swapaxes(input: Any, axis0: Any, axis1: Any) -> Any:
    """Exchange two axes."""

def swapdims(input: Any, dim0: Any, dim1: Any) -> Any:
    """Exchange two axes, as `transpose` does."""

def t(input: Any) -> Any:
    """Return the transpose of a matrix; vectors and numbers are left as they are."""

def take(input: Any, index: Any) -> Any:
    """Return elements by their position in the flattened array; negative ones from the end."""

def take_along_dim(input: Any, indices: Any, dim: Any = None) -> Any:
    """Pick elements along an axis, broadcasting the others; without `dim` from the flat array."""

def tan(input: Any) -> Any:
    """Return the tangent of each element of `input`, in radians."""

def tan_(input: Any) -> Any:
    """Replace this tensor by its `tan`, in place, and return it."""

def tanh(input: Any) -> Any:
    """Return the hyperbolic tangent of each element of `input`."""

def tanh_(input: Any) -> Any:
    """Replace this tensor by its `tanh`, in place, and return it."""

def tensor_split(input: Any, indices_or_sections: Any = None, dim: Any = 0, *, indices: Any = None, sections: Any = None, tensor_indices_or_sections: Any = None) -> Any:
    """Take an array apart into nearly equal pieces, or at given places."""

def tensordot(a: Any, b: Any, dims: Any = 2, out: Any = None) -> Any:
    """Sum products along several axes of both."""

def tile(input: Any, *dims: Any) -> Any:
    """Repeat the whole array; axes in front that are not named are left alone."""

def topk(input: Any, k: Any, dim: Any = -1, largest: Any = True, sorted: Any = True) -> Any:
    """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand."""

def trace(input: Any) -> Any:
    """Return the sum of the diagonal of a matrix."""

def transpose(input: Any, dim0: Any = None, dim1: Any = None) -> Any:
    """Exchange two axes."""

def tril(input: Any, diagonal: Any = 0) -> Any:
    """Return the lower triangle of the last two axes, up to `diagonal` above the main one."""

def triu(input: Any, diagonal: Any = 0) -> Any:
    """Return the upper triangle of the last two axes, from `diagonal` above the main one."""

def true_divide(input: Any, other: Any) -> Any:
    """Return `input / other`, broadcast."""

def trunc(input: Any) -> Any:
    """Return each element of `input` without its fraction; the derivative is zero."""

def trunc_(input: Any) -> Any:
    """Replace this tensor by its `trunc`, in place, and return it."""

def unbind(input: Any, dim: Any = 0) -> Any:
    """Return the slices along an axis, without that axis."""

def unflatten(input: Any, dim: Any, sizes: Any) -> Any:
    """Split one axis into several; one length may be -1."""

def unsqueeze(input: Any, dim: Any) -> Any:
    """Add an axis of length one at `dim`."""

def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    """Return powers of the elements of a 1-D tensor, from the highest unless `increasing`."""

def var(input: Any, dim: Any = ..., unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
    """Return the variance over axes."""

def var_mean(input: Any, dim: Any = ..., unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
    """Return the variance and the mean over axes, as `var` and `mean` do."""

def vdot(input: Any, other: Any) -> Any:
    """Return the dot product of the conjugate of a vector with another one."""

def view_as_complex(input: Any) -> Any:
    """Return the pairs of real numbers along the last axis as complex ones."""

def view_as_real(input: Any) -> Any:
    """Return complex numbers as pairs of real ones along a new last axis."""

def vsplit(input: Any, indices_or_sections: Any) -> Any:
    """Take an array apart along its first axis."""

def vstack(tensors: Any) -> Any:
    """Join along the first axis, vectors as rows."""

def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """Choose `input` where `condition` holds, else `other`."""

def xlogy(input: Any, other: Any) -> Any:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""

def xlogy_(input: Any, other: Any) -> Any:
    """Replace this tensor by its `xlogy`, in place, and return it."""

def zero_(self: Any) -> Any:
    """Fill with zeros, in place."""

class Methods:
    def __abs__(self) -> Any:
        """Return the modulus of each element of `input`; its derivative at 0 is 0."""

    def __add__(self, other: Any) -> Any:
        ...

    def __and__(self, other: Any) -> Any:
        ...

    def __floordiv__(self, other: Any) -> Any:
        ...

    def __ge__(self, other: Any) -> Any:
        ...

    def __getitem__(self, key: Any) -> Any:
        """Return the elements that `key` names, as PyTorch's tensors do."""

    def __gt__(self, other: Any) -> Any:
        ...

    def __invert__(self) -> Any:
        """Return `~input`; PyTorch's operator refuses in words of its own."""

    def __le__(self, other: Any) -> Any:
        ...

    def __lshift__(self, other: Any) -> Any:
        ...

    def __lt__(self, other: Any) -> Any:
        ...

    def __matmul__(self, other: Any) -> Any:
        ...

    def __mod__(self, other: Any) -> Any:
        ...

    def __mul__(self, other: Any) -> Any:
        ...

    def __neg__(self) -> Any:
        """Return `-input`; of bools, RuntimeError."""

    def __or__(self, other: Any) -> Any:
        ...

    def __pow__(self, other: Any) -> Any:
        ...

    def __radd__(self, other: Any) -> Any:
        ...

    def __rand__(self, other: Any) -> Any:
        ...

    def __rfloordiv__(self, other: Any) -> Any:
        ...

    def __rlshift__(self, other: Any) -> Any:
        ...

    def __rmatmul__(self, other: Any) -> Any:
        ...

    def __rmod__(self, other: Any) -> Any:
        ...

    def __rmul__(self, other: Any) -> Any:
        ...

    def __ror__(self, other: Any) -> Any:
        ...

    def __rpow__(self, other: Any) -> Any:
        ...

    def __rrshift__(self, other: Any) -> Any:
        ...

    def __rshift__(self, other: Any) -> Any:
        ...

    def __rsub__(self, other: Any) -> Any:
        ...

    def __rtruediv__(self, other: Any) -> Any:
        ...

    def __rxor__(self, other: Any) -> Any:
        ...

    def __sub__(self, other: Any) -> Any:
        ...

    def __truediv__(self, other: Any) -> Any:
        ...

    def __xor__(self, other: Any) -> Any:
        ...

    def abs(self) -> Any:
        """Return the modulus of each element of `input`; its derivative at 0 is 0."""

    def abs_(self) -> Any:
        """Replace this tensor by its `abs`, in place, and return it."""

    def absolute(self) -> Any:
        """Return the modulus of each element of `input`; its derivative at 0 is 0."""

    def absolute_(self) -> Any:
        """Replace this tensor by its `absolute`, in place, and return it."""

    def acos(self) -> Any:
        """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

    def acos_(self) -> Any:
        """Replace this tensor by its `acos`, in place, and return it."""

    def acosh(self) -> Any:
        """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

    def acosh_(self) -> Any:
        """Replace this tensor by its `acosh`, in place, and return it."""

    def add(self, other: Any, *, alpha: Any = 1) -> Any:
        """Return `input + alpha * other`, broadcast."""

    def add_(self, other: Any, *, alpha: Any = 1) -> Any:
        """Replace this tensor by its `add`, in place, and return it."""

    def addbmm(self, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Return `beta * input + alpha * bmm(batch1, batch2).sum(0)`."""

    def addbmm_(self, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Replace this tensor by its `addbmm`, in place, and return it."""

    def addcdiv(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
        """Return `input + value * tensor1 / tensor2`."""

    def addcdiv_(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
        """Replace this tensor by its `addcdiv`, in place, and return it."""

    def addcmul(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
        """Return `input + value * tensor1 * tensor2`."""

    def addcmul_(self, tensor1: Any, tensor2: Any, *, value: Any = 1) -> Any:
        """Replace this tensor by its `addcmul`, in place, and return it."""

    def addmm(self, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Return `beta * input + alpha * (mat1 @ mat2)`."""

    def addmm_(self, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Replace this tensor by its `addmm`, in place, and return it."""

    def addmv(self, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Return `beta * input + alpha * (mat @ vec)`."""

    def addmv_(self, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Replace this tensor by its `addmv`, in place, and return it."""

    def addr(self, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Return `beta * input + alpha * outer(vec1, vec2)`."""

    def addr_(self, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Replace this tensor by its `addr`, in place, and return it."""

    def adjoint(self) -> Any:
        """Return the conjugate of the array with its last two axes exchanged."""

    def all(self, dim: Any = ..., keepdim: Any = False) -> Any:
        """Return whether all elements along the axes are not zero; all axes where none are given."""

    def allclose(self, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
        """Return whether all elements are close, as `isclose` says."""

    def amax(self, dim: Any = ..., keepdim: Any = False) -> Any:
        """Return the largest element along axes; equal ones share the gradient evenly."""

    def amin(self, dim: Any = ..., keepdim: Any = False) -> Any:
        """Return the smallest element along axes; equal ones share the gradient evenly."""

    def aminmax(self, *, dim: Any = None, keepdim: Any = False) -> Any:
        """Return the smallest and the largest element of all, or along one axis."""

    def angle(self) -> Any:
        """Return the argument of each element of `input`; of real ones 0 or pi, nan for nan."""

    def any(self, dim: Any = ..., keepdim: Any = False) -> Any:
        """Return whether any element along the axes is not zero; all axes where none are given."""

    def apply_(self, callable: Any, /) -> Any:
        """Replace each element by what a function makes of it, in place."""

    def arccos(self) -> Any:
        """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

    def arccos_(self) -> Any:
        """Replace this tensor by its `arccos`, in place, and return it."""

    def arccosh(self) -> Any:
        """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

    def arccosh_(self) -> Any:
        """Replace this tensor by its `arccosh`, in place, and return it."""

    def arcsin(self) -> Any:
        """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

    def arcsin_(self) -> Any:
        """Replace this tensor by its `arcsin`, in place, and return it."""

    def arcsinh(self) -> Any:
        """Return the inverse hyperbolic sine of each element of `input`."""

    def arcsinh_(self) -> Any:
        """Replace this tensor by its `arcsinh`, in place, and return it."""

    def arctan(self) -> Any:
        """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

    def arctan2(self, other: Any) -> Any:
        """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

    def arctan2_(self, other: Any) -> Any:
        """Replace this tensor by its `arctan2`, in place, and return it."""

    def arctan_(self) -> Any:
        """Replace this tensor by its `arctan`, in place, and return it."""

    def arctanh(self) -> Any:
        """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

    def arctanh_(self) -> Any:
        """Replace this tensor by its `arctanh`, in place, and return it."""

    def argmax(self, dim: Any = None, keepdim: Any = False) -> Any:
        """Return where the (first) largest element stands, in the flattened array without `dim`."""

    def argmin(self, dim: Any = None, keepdim: Any = False) -> Any:
        """Return where the (first) smallest element stands, in the flattened array without `dim`."""

    def argsort(self, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
        """Return where the elements along `dim` stand that `sort` puts in order."""

    def argwhere(self) -> Any:
        """Return the indices of the elements that are not zero, one row each."""

    def as_strided(self, size: Any, stride: Any, storage_offset: Any = None) -> Any:
        """Return a view of the memory of `input` with given lengths and strides of the axes."""

    def as_strided_(self, size: Any, stride: Any, storage_offset: Any = None) -> Any:
        """Show the memory with other lengths and strides of the axes, in place."""

    def asin(self) -> Any:
        """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

    def asin_(self) -> Any:
        """Replace this tensor by its `asin`, in place, and return it."""

    def asinh(self) -> Any:
        """Return the inverse hyperbolic sine of each element of `input`."""

    def asinh_(self) -> Any:
        """Replace this tensor by its `asinh`, in place, and return it."""

    def atan(self) -> Any:
        """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

    def atan2(self, other: Any) -> Any:
        """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

    def atan2_(self, other: Any) -> Any:
        """Replace this tensor by its `atan2`, in place, and return it."""

    def atan_(self) -> Any:
        """Replace this tensor by its `atan`, in place, and return it."""

    def atanh(self) -> Any:
        """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

    def atanh_(self) -> Any:
        """Replace this tensor by its `atanh`, in place, and return it."""

    def baddbmm(self, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Return `beta * input + alpha * bmm(batch1, batch2)`."""

    def baddbmm_(self, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
        """Replace this tensor by its `baddbmm`, in place, and return it."""

    def bernoulli(self, p: Any = None, *, generator: Any = None, out: Any = None) -> Any:
        """Return ones with the probabilities in `input` (or all with `p`), zeros otherwise."""

    def bernoulli_(self, p: Any = 0.5, *, generator: Any = None) -> Any:
        """Fill with ones with probability `p` and zeros otherwise, in place."""

    def bitwise_and(self, other: Any) -> Any:
        """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold."""

    def bitwise_and_(self, other: Any) -> Any:
        """Replace this tensor by its `bitwise_and`, in place, and return it."""

    def bitwise_left_shift(self, other: Any) -> Any:
        """Return the bits of `input`, moved up by `other` places: times `2**other`."""

    def bitwise_left_shift_(self, other: Any) -> Any:
        """Replace this tensor by its `bitwise_left_shift`, in place, and return it."""

    def bitwise_not(self) -> Any:
        """Return the complement of the bits of `input`: `-x - 1` of signed integers; of bools, `not x`."""

    def bitwise_not_(self) -> Any:
        """Replace this tensor by its `bitwise_not`, in place, and return it."""

    def bitwise_or(self, other: Any) -> Any:
        """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds."""

    def bitwise_or_(self, other: Any) -> Any:
        """Replace this tensor by its `bitwise_or`, in place, and return it."""

    def bitwise_right_shift(self, other: Any) -> Any:
        """Return the bits of `input`, moved down by `other` places; the sign stays."""

    def bitwise_right_shift_(self, other: Any) -> Any:
        """Replace this tensor by its `bitwise_right_shift`, in place, and return it."""

    def bitwise_xor(self, other: Any) -> Any:
        """Return the bits set in just one of `input` and `other`, broadcast."""

    def bitwise_xor_(self, other: Any) -> Any:
        """Replace this tensor by its `bitwise_xor`, in place, and return it."""

    def bmm(self, mat2: Any) -> Any:
        """Multiply two stacks of matrices, one by one."""

    def bool(self) -> Any:
        """Convert to bool."""

    def broadcast_to(self, size: Any) -> Any:
        """Repeat `input` along new and length-one axes to `size`, without copying."""

    def byte(self) -> Any:
        """Convert to uint8."""

    def cauchy_(self, median: Any = 0.0, sigma: Any = 1.0, *, generator: Any = None) -> Any:
        """Fill with numbers drawn from a Cauchy distribution, in place."""

    def cdouble(self) -> Any:
        """Convert to complex128."""

    def ceil(self) -> Any:
        """Return the least integers not below the elements of `input`; the derivative is zero."""

    def ceil_(self) -> Any:
        """Replace this tensor by its `ceil`, in place, and return it."""

    def cfloat(self) -> Any:
        """Convert to complex64."""

    def char(self) -> Any:
        """Convert to int8."""

    def chunk(self, chunks: Any, dim: Any = 0) -> Any:
        """Take an array apart along an axis into at most `chunks` pieces of equal length."""

    def clamp(self, min: Any = None, max: Any = None) -> Any:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that inside."""

    def clamp_(self, min: Any = None, max: Any = None) -> Any:
        """Replace this tensor by its `clamp`, in place, and return it."""

    def clamp_max(self, max: Any) -> Any:
        """Return the smaller of each element and `max`."""

    def clamp_max_(self, max: Any) -> Any:
        """Replace this tensor by its `clamp_max`, in place, and return it."""

    def clamp_min(self, min: Any) -> Any:
        """Return the larger of each element and `min`."""

    def clamp_min_(self, min: Any) -> Any:
        """Replace this tensor by its `clamp_min`, in place, and return it."""

    def clip(self, min: Any = None, max: Any = None) -> Any:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that inside."""

    def clip_(self, min: Any = None, max: Any = None) -> Any:
        """Replace this tensor by its `clip`, in place, and return it."""

    def clone(self, *, memory_format: Any = None) -> Any:
        """Return a copy through which gradients flow."""

    def conj(self) -> Any:
        """Return the complex conjugate; real tensors themselves."""

    def conj_physical(self) -> Any:
        """Return the complex conjugate, in memory of its own; real tensors themselves."""

    def conj_physical_(self) -> Any:
        """Replace this tensor by its `conj_physical`, in place, and return it."""

    def conjugate(self) -> Any:
        """Return the complex conjugate; real tensors themselves."""

    def contiguous(self, memory_format: Any = None) -> Any:
        """Return the values in the memory order of their axes: the same object where they are."""

    def copy_(self, src: Any, non_blocking: Any = False) -> Any:
        """Copy the values of a tensor, converted and broadcast, into this one."""

    def copysign(self, other: Any) -> Any:
        """Return `input` with the sign of `other`, broadcast; a zero has a sign, too."""

    def copysign_(self, other: Any) -> Any:
        """Replace this tensor by its `copysign`, in place, and return it."""

    def cos(self) -> Any:
        """Return the cosine of each element of `input`, in radians."""

    def cos_(self) -> Any:
        """Replace this tensor by its `cos`, in place, and return it."""

    def cosh(self) -> Any:
        """Return the hyperbolic cosine of each element of `input`."""

    def cosh_(self) -> Any:
        """Replace this tensor by its `cosh`, in place, and return it."""

    def count_nonzero(self, dim: Any = ...) -> Any:
        """Return how many elements along the axes are not zero, as int64."""

    def cpu(self) -> Any:
        """Return the tensor itself, which is on the CPU."""

    def cuda(self, device: Any = None) -> Any:
        """Raise AssertionError: there is no CUDA device."""

    def cummax(self, dim: Any) -> Any:
        """Return the largest elements so far along `dim`, and where they stand (the last of equals)."""

    def cummin(self, dim: Any) -> Any:
        """Return the smallest elements so far along `dim`, and where they stand; as `cummax`."""

    def cumprod(self, dim: Any, *, dtype: Any = None) -> Any:
        """Return running products along `dim`; derivatives of any order are right at zeros too."""

    def cumprod_(self, dim: Any, *, dtype: Any = None) -> Any:
        """Replace this tensor by its `cumprod`, in place, and return it."""

    def cumsum(self, dim: Any, *, dtype: Any = None) -> Any:
        """Return running sums along `dim`; integers add up to int64."""

    def cumsum_(self, dim: Any, *, dtype: Any = None) -> Any:
        """Replace this tensor by its `cumsum`, in place, and return it."""

    def deg2rad(self) -> Any:
        """Return angles given in degrees in radians."""

    def deg2rad_(self) -> Any:
        """Replace this tensor by its `deg2rad`, in place, and return it."""

    def detach(self) -> Any:
        """Return the same values, sharing memory, as a constant to derivatives."""

    def diag(self, diagonal: Any = 0) -> Any:
        """Return the diagonal of a matrix, or the matrix with a vector on its diagonal."""

    def diag_embed(self, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
        """Place the last axis on a diagonal of two new axes."""

    def diagflat(self, offset: Any = 0) -> Any:
        """Return the matrix with the elements on its diagonal."""

    def diagonal(self, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
        """Return a diagonal of two axes as a new last axis; a view."""

    def diagonal_scatter(self, src: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
        """Return `input` with `src` on a diagonal of two axes."""

    def digamma(self) -> Any:
        """Return the derivative of `lgamma` at each element of `input`; nan at negative integers."""

    def digamma_(self) -> Any:
        """Replace this tensor by its `digamma`, in place, and return it."""

    def dist(self, other: Any, p: Any = 2) -> Any:
        """Return the p-norm of `input - other` over all axes."""

    def div(self, other: Any, *, rounding_mode: Any = ...) -> Any:
        """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""

    def div_(self, other: Any, *, rounding_mode: Any = ...) -> Any:
        """Replace this tensor by its `div`, in place, and return it."""

    def divide(self, other: Any, *, rounding_mode: Any = ...) -> Any:
        """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""

    def divide_(self, other: Any, *, rounding_mode: Any = ...) -> Any:
        """Replace this tensor by its `divide`, in place, and return it."""

    def dot(self, tensor: Any) -> Any:
        """Return the sum of the products of two vectors' elements."""

    def double(self) -> Any:
        """Convert to float64."""

    def dsplit(self, indices_or_sections: Any) -> Any:
        """Take an array apart along its third axis."""

    def eq(self, other: Any) -> Any:
        """Return where `input` and `other` are equal, broadcast; nan equals nothing."""

    def eq_(self, other: Any) -> Any:
        """Replace this tensor by its `eq`, in place, and return it."""

    def erf(self) -> Any:
        """Return the error function of each element of `input`."""

    def erf_(self) -> Any:
        """Replace this tensor by its `erf`, in place, and return it."""

    def erfc(self) -> Any:
        """Return `1 - erf` of each element of `input`, accurate where that is small."""

    def erfc_(self) -> Any:
        """Replace this tensor by its `erfc`, in place, and return it."""

    def erfinv(self) -> Any:
        """Return the inverse of the error function of each element of `input`; nan outside [-1, 1]."""

    def erfinv_(self) -> Any:
        """Replace this tensor by its `erfinv`, in place, and return it."""

    def exp(self) -> Any:
        """Return the exponential of each element of `input`."""

    def exp2(self) -> Any:
        """Return 2 to the power of each element of `input`."""

    def exp2_(self) -> Any:
        """Replace this tensor by its `exp2`, in place, and return it."""

    def exp_(self) -> Any:
        """Replace this tensor by its `exp`, in place, and return it."""

    def expand(self, *sizes: Any, implicit: Any = False, **hints: Any) -> Any:
        """Repeat `input` along new and length-one axes, without copying; -1 keeps a length."""

    def expand_as(self, other: Any) -> Any:
        """Repeat `input` to the shape of `other`."""

    def expit(self) -> Any:
        """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

    def expm1(self) -> Any:
        """Return `exp(x) - 1` of each element of `input`, accurate near 0."""

    def expm1_(self) -> Any:
        """Replace this tensor by its `expm1`, in place, and return it."""

    def exponential_(self, lambd: Any = 1.0, *, generator: Any = None) -> Any:
        """Fill with numbers drawn from an exponential distribution, in place."""

    def fill_(self, value: Any) -> Any:
        """Fill with a number or a 0-d tensor, in place."""

    def fill_diagonal_(self, fill_value: Any, wrap: Any = False) -> Any:
        """Fill the main diagonal with a number, in place."""

    def fix(self) -> Any:
        """Return each element of `input` without its fraction; the derivative is zero."""

    def fix_(self) -> Any:
        """Replace this tensor by its `fix`, in place, and return it."""

    def flatten(self, start_dim: Any = 0, end_dim: Any = -1) -> Any:
        """Join the axes from `start_dim` to `end_dim` into one."""

    def flip(self, *dims: Any, **keywords: Any) -> Any:
        """Reverse the order of the elements along axes."""

    def fliplr(self) -> Any:
        """Reverse the second axis."""

    def flipud(self) -> Any:
        """Reverse the first axis."""

    def float(self) -> Any:
        """Convert to float32."""

    def float_power(self, exponent: Any) -> Any:
        """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones."""

    def float_power_(self, exponent: Any) -> Any:
        """Replace this tensor by its `float_power`, in place, and return it."""

    def floor(self) -> Any:
        """Return the greatest integers not above the elements of `input`; the derivative is zero."""

    def floor_(self) -> Any:
        """Replace this tensor by its `floor`, in place, and return it."""

    def floor_divide(self, other: Any) -> Any:
        """Return `input // other`, rounded down and broadcast; it has no derivative."""

    def floor_divide_(self, other: Any) -> Any:
        """Replace this tensor by its `floor_divide`, in place, and return it."""

    def fmax(self, other: Any) -> Any:
        """Return the larger of `input` and `other`, broadcast; the other one where one is nan."""

    def fmin(self, other: Any) -> Any:
        """Return the smaller of `input` and `other`, broadcast; the other one where one is nan."""

    def fmod(self, other: Any) -> Any:
        """Return `input` less `trunc(input / other)` times `other`, which has the sign of `input`."""

    def fmod_(self, other: Any) -> Any:
        """Replace this tensor by its `fmod`, in place, and return it."""

    def frac(self) -> Any:
        """Return what `trunc` leaves of each element of `input`; the derivative is one."""

    def frac_(self) -> Any:
        """Replace this tensor by its `frac`, in place, and return it."""

    def gather(self, dim: Any, index: Any, *, sparse_grad: Any = False) -> Any:
        """Pick elements along an axis: `out[i][j] = input[index[i][j]][j]` for `dim=0`."""

    def gcd(self, other: Any) -> Any:
        """Return the greatest common divisor of `input` and `other`, broadcast; it is not negative."""

    def gcd_(self, other: Any) -> Any:
        """Replace this tensor by its `gcd`, in place, and return it."""

    def ge(self, other: Any) -> Any:
        """Return where `input` is at least `other`, broadcast."""

    def ge_(self, other: Any) -> Any:
        """Replace this tensor by its `ge`, in place, and return it."""

    def geometric_(self, p: Any, *, generator: Any = None) -> Any:
        """Fill with how many trials it takes to the first success of probability `p`, in place."""

    def ger(self, vec2: Any) -> Any:
        """Return the products of every element of a vector with every element of another."""

    def greater(self, other: Any) -> Any:
        """Return where `input` is greater than `other`, broadcast."""

    def greater_(self, other: Any) -> Any:
        """Replace this tensor by its `greater`, in place, and return it."""

    def greater_equal(self, other: Any) -> Any:
        """Return where `input` is at least `other`, broadcast."""

    def greater_equal_(self, other: Any) -> Any:
        """Replace this tensor by its `greater_equal`, in place, and return it."""

    def gt(self, other: Any) -> Any:
        """Return where `input` is greater than `other`, broadcast."""

    def gt_(self, other: Any) -> Any:
        """Replace this tensor by its `gt`, in place, and return it."""

    def half(self) -> Any:
        """Convert to float16."""

    def heaviside(self, values: Any) -> Any:
        """Return 1 where `input` is positive, 0 where it is negative or nan, `values` where it is 0."""

    def heaviside_(self, values: Any) -> Any:
        """Replace this tensor by its `heaviside`, in place, and return it."""

    def hsplit(self, indices_or_sections: Any) -> Any:
        """Take an array apart along its second axis, a vector along its only one."""

    def hypot(self, other: Any) -> Any:
        """Return `sqrt(input**2 + other**2)` without overflow; the derivative at the origin is 0."""

    def hypot_(self, other: Any) -> Any:
        """Replace this tensor by its `hypot`, in place, and return it."""

    def i0(self) -> Any:
        """Return the modified Bessel function of order 0 of each element of `input`."""

    def i0_(self) -> Any:
        """Replace this tensor by its `i0`, in place, and return it."""

    def igamma(self, other: Any) -> Any:
        """Return the lower incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

    def igamma_(self, other: Any) -> Any:
        """Replace this tensor by its `igamma`, in place, and return it."""

    def igammac(self, other: Any) -> Any:
        """Return the upper incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

    def igammac_(self, other: Any) -> Any:
        """Replace this tensor by its `igammac`, in place, and return it."""

    def index_add(self, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Any:
        """Add the slices of `source`, times `alpha`, to the slices of `input` that `index` names."""

    def index_add_(self, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Any:
        """Replace this tensor by its `index_add`, in place, and return it."""

    def index_copy(self, dim: Any, index: Any, source: Any) -> Any:
        """Return `input` with the slices of `source` in place of those that `index` names."""

    def index_copy_(self, dim: Any, index: Any, source: Any) -> Any:
        """Replace this tensor by its `index_copy`, in place, and return it."""

    def index_fill(self, dim: Any, index: Any, value: Any) -> Any:
        """Return `input` with `value` in the slices that `index` names."""

    def index_fill_(self, dim: Any, index: Any, value: Any) -> Any:
        """Replace this tensor by its `index_fill`, in place, and return it."""

    def index_put(self, indices: Any, values: Any, accumulate: Any = False) -> Any:
        """Return `input` with `values` where `indices` say; added with `accumulate`."""

    def index_put_(self, indices: Any, values: Any, accumulate: Any = False) -> Any:
        """Replace this tensor by its `index_put`, in place, and return it."""

    def index_reduce(self, dim: Any, index: Any, source: Any, reduce: Any, *, include_self: Any = True) -> Any:
        """Reduce the slices of `source` into the slices of `input` that `index` names."""

    def index_reduce_(self, dim: Any, index: Any, source: Any, reduce: Any, *, include_self: Any = True) -> Any:
        """Replace this tensor by its `index_reduce`, in place, and return it."""

    def index_select(self, dim: Any, index: Any) -> Any:
        """Return the slices of an axis that a vector of indices names."""

    def inner(self, other: Any) -> Any:
        """Sum the products along the last axes; multiply where one operand is a number."""

    def int(self) -> Any:
        """Convert to int32."""

    def is_conj(self) -> Any:
        """Return False: no tensor waits to be conjugated."""

    def is_neg(self) -> Any:
        """Return False: no tensor waits to be negated."""

    def isclose(self, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
        """Return where `|input - other| <= atol + rtol*|other|`."""

    def isfinite(self) -> Any:
        """Return where `input` is neither infinite nor nan."""

    def isinf(self) -> Any:
        """Return where `input` is inf or -inf."""

    def isnan(self) -> Any:
        """Return where `input` is nan."""

    def isreal(self) -> Any:
        """Return where `input` has no imaginary part."""

    def kthvalue(self, k: Any, dim: Any = -1, keepdim: Any = False) -> Any:
        """Return the `k`-th smallest element along `dim`, and where it stands."""

    def lcm(self, other: Any) -> Any:
        """Return the least common multiple of `input` and `other`, broadcast; it is not negative."""

    def lcm_(self, other: Any) -> Any:
        """Replace this tensor by its `lcm`, in place, and return it."""

    def ldexp(self, other: Any) -> Any:
        """Return `input * 2**other`, broadcast; exact of floats and integer exponents."""

    def ldexp_(self, other: Any) -> Any:
        """Replace this tensor by its `ldexp`, in place, and return it."""

    def le(self, other: Any) -> Any:
        """Return where `input` is at most `other`, broadcast."""

    def le_(self, other: Any) -> Any:
        """Replace this tensor by its `le`, in place, and return it."""

    def lerp(self, end: Any, weight: Any) -> Any:
        """Return `input + weight * (end - input)`."""

    def lerp_(self, end: Any, weight: Any) -> Any:
        """Replace this tensor by its `lerp`, in place, and return it."""

    def less(self, other: Any) -> Any:
        """Return where `input` is less than `other`, broadcast."""

    def less_(self, other: Any) -> Any:
        """Replace this tensor by its `less`, in place, and return it."""

    def less_equal(self, other: Any) -> Any:
        """Return where `input` is at most `other`, broadcast."""

    def less_equal_(self, other: Any) -> Any:
        """Replace this tensor by its `less_equal`, in place, and return it."""

    def lgamma(self) -> Any:
        """Return the logarithm of the absolute value of the gamma function of each element of `input`."""

    def lgamma_(self) -> Any:
        """Replace this tensor by its `lgamma`, in place, and return it."""

    def log(self) -> Any:
        """Return the natural logarithm of each element of `input`; nan of negative numbers."""

    def log10(self) -> Any:
        """Return the logarithm to base 10 of each element of `input`."""

    def log10_(self) -> Any:
        """Replace this tensor by its `log10`, in place, and return it."""

    def log1p(self) -> Any:
        """Return `log(1 + x)` of each element of `input`, accurate near 0."""

    def log1p_(self) -> Any:
        """Replace this tensor by its `log1p`, in place, and return it."""

    def log2(self) -> Any:
        """Return the logarithm to base 2 of each element of `input`."""

    def log2_(self) -> Any:
        """Replace this tensor by its `log2`, in place, and return it."""

    def log_(self) -> Any:
        """Replace this tensor by its `log`, in place, and return it."""

    def log_normal_(self, mean: Any = 1.0, std: Any = 2.0, *, generator: Any = None) -> Any:
        """Fill with numbers whose logarithm is drawn from a normal distribution, in place."""

    def log_softmax(self, dim: Any, dtype: Any = None) -> Any:
        """Return the logarithm of `softmax`, with full relative accuracy; see there."""

    def logaddexp(self, other: Any) -> Any:
        """Return `log(exp(input) + exp(other))` without overflow, broadcast."""

    def logcumsumexp(self, dim: Any) -> Any:
        """Return the logarithms of running sums of exponentials along `dim`, without overflow."""

    def logical_and(self, other: Any) -> Any:
        """Return where both `input` and `other` are not zero, broadcast."""

    def logical_and_(self, other: Any) -> Any:
        """Replace this tensor by its `logical_and`, in place, and return it."""

    def logical_not(self) -> Any:
        """Return where `input` is zero."""

    def logical_not_(self) -> Any:
        """Replace this tensor by its `logical_not`, in place, and return it."""

    def logical_or(self, other: Any) -> Any:
        """Return where `input`, `other` or both are not zero, broadcast."""

    def logical_or_(self, other: Any) -> Any:
        """Replace this tensor by its `logical_or`, in place, and return it."""

    def logical_xor(self, other: Any) -> Any:
        """Return where just one of `input` and `other` is not zero, broadcast."""

    def logical_xor_(self, other: Any) -> Any:
        """Replace this tensor by its `logical_xor`, in place, and return it."""

    def logit(self, eps: Any = None) -> Any:
        """Return `log(x / (1 - x))` of each element of `input`; nan outside of [0, 1]."""

    def logit_(self, eps: Any = None) -> Any:
        """Replace this tensor by its `logit`, in place, and return it."""

    def logsumexp(self, dim: Any, keepdim: Any = False) -> Any:
        """Return the logarithm of the sum of exponentials over axes, without overflow."""

    def long(self) -> Any:
        """Convert to int64."""

    def lt(self, other: Any) -> Any:
        """Return where `input` is less than `other`, broadcast."""

    def lt_(self, other: Any) -> Any:
        """Replace this tensor by its `lt`, in place, and return it."""

    def map2_(self, x: Any, y: Any, callable: Any) -> Any:
        """Replace each element by what a function makes of it and those of two tensors, in place."""

    def map_(self, other: Any, callable: Any) -> Any:
        """Replace each element by what a function makes of it and one of another tensor, in place."""

    def masked_fill(self, mask: Any, value: Any) -> Any:
        """Return `input` with `value` where `mask` holds; the filled elements get no gradient."""

    def masked_fill_(self, mask: Any, value: Any) -> Any:
        """Replace this tensor by its `masked_fill`, in place, and return it."""

    def masked_scatter(self, mask: Any, source: Any) -> Any:
        """Write the elements of `source`, in order, where `mask` holds."""

    def masked_scatter_(self, mask: Any, source: Any) -> Any:
        """Replace this tensor by its `masked_scatter`, in place, and return it."""

    def masked_select(self, mask: Any) -> Any:
        """Return the elements where `mask` holds, in one axis; operands are broadcast."""

    def matmul(self, other: Any) -> Any:
        """Multiply matrices, vectors, and stacks of matrices whose leading axes broadcast."""

    def max(self, dim: Any = ..., keepdim: Any = False, *, other: Any = None) -> Any:
        """Return the largest element, the largest along an axis, or the larger of two."""

    def maximum(self, other: Any) -> Any:
        """Return the larger of `input` and `other`, nan where either is; equals share the gradient."""

    def mean(self, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
        """Return the mean over axes; the arguments are those of `sum`."""

    def median(self, dim: Any = ..., keepdim: Any = False) -> Any:
        """Return the median of all elements, or along an axis; of two in the middle the smaller."""

    def min(self, dim: Any = ..., keepdim: Any = False, *, other: Any = None) -> Any:
        """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""

    def minimum(self, other: Any) -> Any:
        """Return the smaller of `input` and `other`, nan where either is; equals share the gradient."""

    def mm(self, mat2: Any) -> Any:
        """Multiply two matrices."""

    def moveaxis(self, source: Any, destination: Any) -> Any:
        """Move axes to other places; the others keep their order."""

    def movedim(self, source: Any, destination: Any) -> Any:
        """Move axes to other places; the others keep their order."""

    def msort(self) -> Any:
        """Return the elements along the first axis in order."""

    def mul(self, other: Any) -> Any:
        """Return `input * other`, broadcast."""

    def mul_(self, other: Any) -> Any:
        """Replace this tensor by its `mul`, in place, and return it."""

    def multiply(self, other: Any) -> Any:
        """Return `input * other`, broadcast."""

    def multiply_(self, other: Any) -> Any:
        """Replace this tensor by its `multiply`, in place, and return it."""

    def mv(self, vec: Any) -> Any:
        """Multiply a matrix with a vector."""

    def mvlgamma(self, p: Any) -> Any:
        """Return the logarithm of the multivariate gamma function of dimension `p`."""

    def mvlgamma_(self, p: Any) -> Any:
        """Replace this tensor by its `mvlgamma`, in place, and return it."""

    def nan_to_num(self, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
        """Replace nan, inf and -inf, by default by 0 and the largest finite numbers."""

    def nan_to_num_(self, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
        """Replace this tensor by its `nan_to_num`, in place, and return it."""

    def nanmean(self, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
        """Return the mean over axes of the elements that are not nan."""

    def nansum(self, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
        """Return the sum over axes of the elements that are not nan."""

    def narrow(self, dim: Any, start: Any, length: Any) -> Any:
        """Return `length` elements along an axis from `start` on; a view."""

    def narrow_copy(self, dim: Any, start: Any, length: Any) -> Any:
        """Return `length` elements along an axis from `start` on, in memory of their own."""

    def ne(self, other: Any) -> Any:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""

    def ne_(self, other: Any) -> Any:
        """Replace this tensor by its `ne`, in place, and return it."""

    def neg(self) -> Any:
        """Return `-input`; of bools, RuntimeError."""

    def neg_(self) -> Any:
        """Replace this tensor by its `neg`, in place, and return it."""

    def negative(self) -> Any:
        """Return `-input`; of bools, RuntimeError."""

    def negative_(self) -> Any:
        """Replace this tensor by its `negative`, in place, and return it."""

    def new_empty(self, *size: Any, dtype: Any = None, requires_grad: Any = False, device: Any = None, layout: Any = None, pin_memory: Any = False, **keywords: Any) -> Any:
        """Return `empty` of the dtype of this tensor, unless told another."""

    def new_full(self, size: Any, fill_value: Any, *, dtype: Any = None, requires_grad: Any = False, device: Any = None, layout: Any = None, pin_memory: Any = False) -> Any:
        """Return `full` of the dtype of this tensor, unless told another."""

    def new_ones(self, *size: Any, dtype: Any = None, requires_grad: Any = False, device: Any = None, layout: Any = None, pin_memory: Any = False, **keywords: Any) -> Any:
        """Return `ones` of the dtype of this tensor, unless told another."""

    def new_tensor(self, data: Any, *, dtype: Any = None, requires_grad: Any = False, device: Any = None, layout: Any = None, pin_memory: Any = False) -> Any:
        """Return a tensor of a copy of `data`, of the dtype of this one, unless told another."""

    def new_zeros(self, *size: Any, dtype: Any = None, requires_grad: Any = False, device: Any = None, layout: Any = None, pin_memory: Any = False, **keywords: Any) -> Any:
        """Return `zeros` of the dtype of this tensor, unless told another."""

    def nextafter(self, other: Any) -> Any:
        """Return the number next to `input` in the direction of `other`, broadcast."""

    def nextafter_(self, other: Any) -> Any:
        """Replace this tensor by its `nextafter`, in place, and return it."""

    def nonzero(self, *, as_tuple: Any = False) -> Any:
        """Return the indices of the elements that are not zero, one row each."""

    def norm(self, p: Any = 'fro', dim: Any = None, keepdim: Any = False, out: Any = None, dtype: Any = None) -> Any:
        """Return the p-norm of the elements, over all axes or some."""

    def normal_(self, mean: Any = 0.0, std: Any = 1.0, *, generator: Any = None) -> Any:
        """Fill with numbers drawn from a normal distribution, in place."""

    def not_equal(self, other: Any) -> Any:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""

    def not_equal_(self, other: Any) -> Any:
        """Replace this tensor by its `not_equal`, in place, and return it."""

    def outer(self, vec2: Any) -> Any:
        """Return the products of every element of a vector with every element of another."""

    def permute(self, *dims: Any, **keywords: Any) -> Any:
        """Reorder the axes."""

    def polygamma(self, n: Any) -> Any:
        """Return the derivative of order `n` of `digamma` at each element."""

    def polygamma_(self, n: Any) -> Any:
        """Replace this tensor by its `polygamma`, in place, and return it."""

    def positive(self) -> Any:
        """Return `input` itself; of bools, RuntimeError."""

    def pow(self, exponent: Any) -> Any:
        """Return `input` to the power `exponent`, elementwise and broadcast."""

    def pow_(self, exponent: Any) -> Any:
        """Replace this tensor by its `pow`, in place, and return it."""

    def prod(self, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
        """Return the product of all elements, or along one axis; integers give int64."""

    def put(self, index: Any, source: Any, accumulate: Any = False) -> Any:
        """Write elements by their position in the flattened array; negative ones from the end."""

    def put_(self, index: Any, source: Any, accumulate: Any = False) -> Any:
        """Replace this tensor by its `put`, in place, and return it."""

    def quantile(self, q: Any, dim: Any = None, keepdim: Any = False, *, interpolation: Any = 'linear') -> Any:
        """Return the `q`-quantiles of all elements, or along an axis."""

    def rad2deg(self) -> Any:
        """Return angles given in radians in degrees."""

    def rad2deg_(self) -> Any:
        """Replace this tensor by its `rad2deg`, in place, and return it."""

    def random_(self, *bounds: Any, generator: Any = None, **keywords: Any) -> Any:
        """Fill with integers drawn from [low, high), in place: ``random_([[low,] high])``."""

    def ravel(self) -> Any:
        """Return the elements in one axis."""

    def reciprocal(self) -> Any:
        """Return `1 / x` of each element of `input`."""

    def reciprocal_(self) -> Any:
        """Replace this tensor by its `reciprocal`, in place, and return it."""

    def relu(self) -> Any:
        """Return the positive part of each element of `input`; its derivative at 0 is 0."""

    def relu_(self) -> Any:
        """Replace this tensor by its `relu`, in place, and return it."""

    def remainder(self, other: Any) -> Any:
        """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`."""

    def remainder_(self, other: Any) -> Any:
        """Replace this tensor by its `remainder`, in place, and return it."""

    def renorm(self, p: Any, dim: Any, maxnorm: Any) -> Any:
        """Shorten the slices along `dim` whose norm is larger than `maxnorm` to that norm."""

    def renorm_(self, p: Any, dim: Any, maxnorm: Any) -> Any:
        """Replace this tensor by its `renorm`, in place, and return it."""

    def repeat(self, *repeats: Any, **keywords: Any) -> Any:
        """Repeat the whole array along each axis."""

    def repeat_interleave(self, repeats: Any = None, dim: Any = None, *, output_size: Any = None) -> Any:
        """Repeat each element in place, by one number or by one number for each."""

    def reshape(self, *shape: Any, **keywords: Any) -> Any:
        """Return the elements in another shape, in the same order; one length may be -1."""

    def reshape_as(self, other: Any) -> Any:
        """Reshape to the shape of `other`."""

    def resize_(self, *size: Any, memory_format: Any = None, **keywords: Any) -> Any:
        """Give the tensor another shape, and show its memory in the order of the axes from then on."""

    def resize_as_(self, the_template: Any, *, memory_format: Any = None) -> Any:
        """Give the tensor the shape of another one, as `resize_` does."""

    def resolve_conj(self) -> Any:
        """Return `input`, of which every conjugation has been computed."""

    def resolve_neg(self) -> Any:
        """Return `input`, of which every negation has been computed."""

    def roll(self, shifts: Any, dims: Any = ...) -> Any:
        """Move the elements along axes, or through the flattened array where none are given."""

    def rot90(self, k: Any = 1, dims: Any = ...) -> Any:
        """Turn the plane of two axes by `k` quarters, from the first towards the second."""

    def round(self, *, decimals: Any = None) -> Any:
        """Round to the nearest multiple of `10**-decimals`, halves to even."""

    def round_(self, *, decimals: Any = None) -> Any:
        """Replace this tensor by its `round`, in place, and return it."""

    def rsqrt(self) -> Any:
        """Return `1 / sqrt(x)` of each element of `input`."""

    def rsqrt_(self) -> Any:
        """Replace this tensor by its `rsqrt`, in place, and return it."""

    def rsub(self, other: Any, alpha: Any = 1) -> Any:
        """Return `other - alpha * input`, broadcast."""

    def scatter(self, dim: Any, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None) -> Any:
        """Write elements along an axis: `out[index[i][j]][j] = src[i][j]` for `dim=0`."""

    def scatter_(self, dim: Any, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None) -> Any:
        """Replace this tensor by its `scatter`, in place, and return it."""

    def scatter_add(self, dim: Any, index: Any, src: Any) -> Any:
        """Add elements along an axis: `out[index[i][j]][j] += src[i][j]` for `dim=0`."""

    def scatter_add_(self, dim: Any, index: Any, src: Any) -> Any:
        """Replace this tensor by its `scatter_add`, in place, and return it."""

    def scatter_reduce(self, dim: Any, index: Any, src: Any, reduce: Any, *, include_self: Any = True) -> Any:
        """Reduce the elements of `src` that `index` sends to the same place along an axis."""

    def scatter_reduce_(self, dim: Any, index: Any, src: Any, reduce: Any, *, include_self: Any = True) -> Any:
        """Replace this tensor by its `scatter_reduce`, in place, and return it."""

    def select(self, dim: Any, index: Any) -> Any:
        """Return the slice at `index` of an axis; a view."""

    def select_scatter(self, src: Any, dim: Any, index: Any) -> Any:
        """Return `input` with `src` at `index` of an axis."""

    def set_(self, source: Any = None, storage_offset: Any = None, size: Any = None, stride: Any = None) -> Any:
        """Show the memory of another tensor from now on, in place; none without a `source`."""

    def sgn(self) -> Any:
        """Return the sign `x / |x|` of each element of `input`, and 0 of 0."""

    def sgn_(self) -> Any:
        """Replace this tensor by its `sgn`, in place, and return it."""

    def short(self) -> Any:
        """Convert to int16."""

    def sigmoid(self) -> Any:
        """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

    def sigmoid_(self) -> Any:
        """Replace this tensor by its `sigmoid`, in place, and return it."""

    def sign(self) -> Any:
        """Return -1, 0 or 1 for each element of `input`; the derivative is zero, also at 0."""

    def sign_(self) -> Any:
        """Replace this tensor by its `sign`, in place, and return it."""

    def sin(self) -> Any:
        """Return the sine of each element of `input`, in radians."""

    def sin_(self) -> Any:
        """Replace this tensor by its `sin`, in place, and return it."""

    def sinc(self) -> Any:
        """Return `sin(pi*x) / (pi*x)` of each element of `input`, and 1 of 0."""

    def sinc_(self) -> Any:
        """Replace this tensor by its `sinc`, in place, and return it."""

    def sinh(self) -> Any:
        """Return the hyperbolic sine of each element of `input`."""

    def sinh_(self) -> Any:
        """Replace this tensor by its `sinh`, in place, and return it."""

    def slice_scatter(self, src: Any, dim: Any = 0, start: Any = None, end: Any = None, step: Any = 1) -> Any:
        """Return `input` with `src` at a slice of an axis."""

    def softmax(self, dim: Any, dtype: Any = None) -> Any:
        """Return exponentials divided by their sum along `dim`, without overflow."""

    def sort(self, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
        """Return the elements along `dim` in order, and where they stood."""

    def split(self, split_size_or_sections: Any, dim: Any = 0) -> Any:
        """Take an array apart along an axis, into pieces of one length or of given lengths."""

    def split_with_sizes(self, split_sizes: Any, dim: Any = 0) -> Any:
        """Take an array apart along an axis into pieces of given lengths."""

    def sqrt(self) -> Any:
        """Return the square root of each element of `input`; nan of negative numbers."""

    def sqrt_(self) -> Any:
        """Replace this tensor by its `sqrt`, in place, and return it."""

    def square(self) -> Any:
        """Return the square of each element of `input`."""

    def square_(self) -> Any:
        """Replace this tensor by its `square`, in place, and return it."""

    def squeeze(self, dim: Any = None) -> Any:
        """Drop axes of length one: all, or those given."""

    def squeeze_(self, dim: Any = None) -> Any:
        """Give this tensor the shape of its `squeeze`, in place, and return it."""

    def std(self, dim: Any = ..., unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""

    def std_mean(self, dim: Any = ..., unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""

    def sub(self, other: Any, *, alpha: Any = 1) -> Any:
        """Return `input - alpha * other`, broadcast."""

    def sub_(self, other: Any, *, alpha: Any = 1) -> Any:
        """Replace this tensor by its `sub`, in place, and return it."""

    def subtract(self, other: Any, alpha: Any = 1) -> Any:
        """Return `input - alpha * other`, broadcast; `sub` under another name."""

    def subtract_(self, other: Any, alpha: Any = 1) -> Any:
        """Replace this tensor by its `subtract`, in place, and return it."""

    def sum(self, dim: Any = ..., keepdim: Any = False, *, dtype: Any = None) -> Any:
        """Return the sum over axes."""

    def sum_to(self, size: Any) -> Any:
        """Sum over the axes along which `size` would be broadcast to the shape of `input`."""

    def sum_to_size(self, *size: Any) -> Any:
        """Return the sum over the axes along which `size` would be broadcast to the present shape."""

    def swapaxes(self, axis0: Any, axis1: Any) -> Any:
        """Exchange two axes."""

    def swapaxes_(self, axis0: Any, axis1: Any) -> Any:
        """Give this tensor the shape of its `swapaxes`, in place, and return it."""

    def swapdims(self, dim0: Any, dim1: Any) -> Any:
        """Exchange two axes, as `transpose` does."""

    def swapdims_(self, dim0: Any, dim1: Any) -> Any:
        """Give this tensor the shape of its `swapdims`, in place, and return it."""

    def t(self) -> Any:
        """Return the transpose of a matrix; vectors and numbers are left as they are."""

    def t_(self) -> Any:
        """Give this tensor the shape of its `t`, in place, and return it."""

    def take(self, index: Any) -> Any:
        """Return elements by their position in the flattened array; negative ones from the end."""

    def take_along_dim(self, indices: Any, dim: Any = None) -> Any:
        """Pick elements along an axis, broadcasting the others; without `dim` from the flat array."""

    def tan(self) -> Any:
        """Return the tangent of each element of `input`, in radians."""

    def tan_(self) -> Any:
        """Replace this tensor by its `tan`, in place, and return it."""

    def tanh(self) -> Any:
        """Return the hyperbolic tangent of each element of `input`."""

    def tanh_(self) -> Any:
        """Replace this tensor by its `tanh`, in place, and return it."""

    def tensor_split(self, indices_or_sections: Any = None, dim: Any = 0, *, indices: Any = None, sections: Any = None, tensor_indices_or_sections: Any = None) -> Any:
        """Take an array apart into nearly equal pieces, or at given places."""

    def tile(self, *dims: Any) -> Any:
        """Repeat the whole array; axes in front that are not named are left alone."""

    def to(self, *args: Any, **keywords: Any) -> Any:
        """Convert to the dtype given, or to that of another tensor."""

    def to_sympy(self, form: Any = 'scalar') -> Any:
        """Return a formula in plain SymPy classes."""

    def topk(self, k: Any, dim: Any = -1, largest: Any = True, sorted: Any = True) -> Any:
        """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand."""

    def trace(self) -> Any:
        """Return the sum of the diagonal of a matrix."""

    def transpose(self, dim0: Any = None, dim1: Any = None) -> Any:
        """Exchange two axes."""

    def transpose_(self, dim0: Any = None, dim1: Any = None) -> Any:
        """Give this tensor the shape of its `transpose`, in place, and return it."""

    def tril(self, diagonal: Any = 0) -> Any:
        """Return the lower triangle of the last two axes, up to `diagonal` above the main one."""

    def tril_(self, diagonal: Any = 0) -> Any:
        """Replace this tensor by its `tril`, in place, and return it."""

    def triu(self, diagonal: Any = 0) -> Any:
        """Return the upper triangle of the last two axes, from `diagonal` above the main one."""

    def triu_(self, diagonal: Any = 0) -> Any:
        """Replace this tensor by its `triu`, in place, and return it."""

    def true_divide(self, other: Any) -> Any:
        """Return `input / other`, broadcast."""

    def true_divide_(self, other: Any) -> Any:
        """Replace this tensor by its `true_divide`, in place, and return it."""

    def trunc(self) -> Any:
        """Return each element of `input` without its fraction; the derivative is zero."""

    def trunc_(self) -> Any:
        """Replace this tensor by its `trunc`, in place, and return it."""

    def type(self, dtype: Any = None, non_blocking: Any = False) -> Any:
        """Convert to a dtype or tensor type; without one return the name of the present type."""

    def type_as(self, other: Any) -> Any:
        """Convert to the dtype of `other`."""

    def unbind(self, dim: Any = 0) -> Any:
        """Return the slices along an axis, without that axis."""

    def unflatten(self, dim: Any, sizes: Any) -> Any:
        """Split one axis into several; one length may be -1."""

    def unfold(self, dimension: Any, size: Any, step: Any) -> Any:
        """Return windows along an axis as a new last axis; a view."""

    def uniform_(self, from_: Any = 0.0, /, to: Any = 1.0, *, generator: Any = None, **keywords: Any) -> Any:
        """Fill with numbers drawn uniformly from [from, to), in place."""

    def unsqueeze(self, dim: Any) -> Any:
        """Add an axis of length one at `dim`."""

    def unsqueeze_(self, dim: Any) -> Any:
        """Give this tensor the shape of its `unsqueeze`, in place, and return it."""

    def var(self, dim: Any = ..., unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
        """Return the variance over axes."""

    def var_mean(self, dim: Any = ..., unbiased: Any = None, keepdim: Any = False, *, correction: Any = None) -> Any:
        """Return the variance and the mean over axes, as `var` and `mean` do."""

    def vdot(self, other: Any) -> Any:
        """Return the dot product of the conjugate of a vector with another one."""

    def view(self, *shape: Any, **keywords: Any) -> Any:
        """Return the elements in another shape, sharing memory."""

    def view_as(self, other: Any) -> Any:
        """Return a view in the shape of `other`."""

    def vsplit(self, indices_or_sections: Any) -> Any:
        """Take an array apart along its first axis."""

    def where(self, condition: Any, other: Any) -> Any:
        """Keep the elements where `condition` holds; take `other` elsewhere."""

    def xlogy(self, other: Any) -> Any:
        """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""

    def xlogy_(self, other: Any) -> Any:
        """Replace this tensor by its `xlogy`, in place, and return it."""

    def zero_(self) -> Any:
        """Fill with zeros, in place."""

    @property
    def H(self) -> Any:
        """The conjugate transpose of a matrix."""

    @property
    def T(self) -> Any:
        """The array with its axes in reverse order."""

    @property
    def imag(self) -> Any:
        """Return the imaginary part of a complex tensor."""

    @property
    def mH(self) -> Any:
        """The conjugate of the array with its last two axes exchanged."""

    @property
    def mT(self) -> Any:
        """The array with its last two axes exchanged."""

    @property
    def real(self) -> Any:
        """Return the real part; real tensors themselves."""
