"""The members of formulas, declared.

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

class Formulas:
    @property
    def H(self) -> ArrayExpr:
        """The conjugate transpose of a matrix."""

    @property
    def T(self) -> ArrayExpr:
        """The array with its axes in reverse order."""

    def __abs__(self) -> ArrayExpr: ...

    def __add__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __and__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __floordiv__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __ge__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __getitem__(self, key: Any) -> ArrayExpr: ...

    def __gt__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __invert__(self) -> ArrayExpr: ...

    def __le__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __lshift__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __lt__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __matmul__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __mod__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __mul__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __neg__(self) -> ArrayExpr: ...

    def __or__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __pos__(self) -> ArrayExpr: ...

    def __pow__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __radd__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rand__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rfloordiv__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rlshift__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rmatmul__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rmod__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rmul__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __ror__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rpow__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rrshift__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rshift__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __rsub__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rtruediv__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __rxor__(self, other: ndarray[Any, Any] | _Number) -> ArrayExpr: ...

    def __sub__(self, other: _Operand | _Number) -> ArrayExpr: ...

    @property
    def __sympy__(self) -> builtins.bool | None:
        ...

    def __truediv__(self, other: _Operand | _Number) -> ArrayExpr: ...

    def __xor__(self, other: _Operand | _Number) -> ArrayExpr: ...

    @property
    def _diff_wrt(self) -> builtins.bool:
        """Return whether SymPy may differentiate by the formula: no, unless it is a leaf."""

    def abs(self) -> ArrayExpr:
        """Return the modulus of each element of `input`; its derivative at 0 is 0."""

    def absolute(self) -> ArrayExpr:
        """Return the modulus of each element of `input`; its derivative at 0 is 0."""

    def acos(self) -> ArrayExpr:
        """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

    def acosh(self) -> ArrayExpr:
        """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

    def add(self, other: _Operand | _Number, *, alpha: _Number = 1) -> ArrayExpr:
        """Return `input + alpha * other`, broadcast."""

    def addbmm(self, batch1: _Operand, batch2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> ArrayExpr:
        """Return `beta * input + alpha * bmm(batch1, batch2).sum(0)`."""

    def addcdiv(self, tensor1: _Operand, tensor2: _Operand, *, value: _Number = 1) -> ArrayExpr:
        """Return `input + value * tensor1 / tensor2`."""

    def addcmul(self, tensor1: _Operand, tensor2: _Operand, *, value: _Number = 1) -> ArrayExpr:
        """Return `input + value * tensor1 * tensor2`."""

    def addmm(self, mat1: _Operand, mat2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> ArrayExpr:
        """Return `beta * input + alpha * (mat1 @ mat2)`."""

    def addmv(self, mat: _Operand, vec: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> ArrayExpr:
        """Return `beta * input + alpha * (mat @ vec)`."""

    def addr(self, vec1: _Operand, vec2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> ArrayExpr:
        """Return `beta * input + alpha * outer(vec1, vec2)`."""

    def adjoint(self) -> ArrayExpr:
        """Return the conjugate of the array with its last two axes exchanged."""

    @overload
    def all(self) -> ArrayExpr:
        """Return whether all elements along the axes are not zero; all axes where none are given."""
    @overload
    def all(self, dim: Sequence[builtins.int] | None = None, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return whether all elements along the axes are not zero; all axes where none are given."""
    @overload
    def all(self, *, axis: Sequence[builtins.int] | None = None, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return whether all elements along the axes are not zero; all axes where none are given."""
    @overload
    def all(self, dim: builtins.int, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return whether all elements along the axes are not zero; all axes where none are given."""
    @overload
    def all(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return whether all elements along the axes are not zero; all axes where none are given."""

    def allclose(self, other: _Operand, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False) -> builtins.bool:
        """Return whether all elements are close, as `isclose` says."""

    @overload
    def amax(self, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False) -> ArrayExpr:
        """Return the largest element along axes; equal ones share the gradient evenly."""
    @overload
    def amax(self, *, axis: builtins.int | Sequence[builtins.int] = ..., keepdims: builtins.bool = False) -> ArrayExpr:
        """Return the largest element along axes; equal ones share the gradient evenly."""

    @overload
    def amin(self, dim: builtins.int | Sequence[builtins.int] = ..., keepdim: builtins.bool = False) -> ArrayExpr:
        """Return the smallest element along axes; equal ones share the gradient evenly."""
    @overload
    def amin(self, *, axis: builtins.int | Sequence[builtins.int] = ..., keepdims: builtins.bool = False) -> ArrayExpr:
        """Return the smallest element along axes; equal ones share the gradient evenly."""

    @overload
    def aminmax(self, *, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> _return_types.aminmax[ArrayExpr]:
        """Return the smallest and the largest element of all, or along one axis."""
    @overload
    def aminmax(self, *, axis: builtins.int | None = None, keepdims: builtins.bool = False) -> _return_types.aminmax[ArrayExpr]:
        """Return the smallest and the largest element of all, or along one axis."""

    def angle(self) -> ArrayExpr:
        """Return the argument of each element of `input`; of real ones 0 or pi, nan for nan."""

    @overload
    def any(self) -> ArrayExpr:
        """Return whether any element along the axes is not zero; all axes where none are given."""
    @overload
    def any(self, dim: Sequence[builtins.int] | None = None, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return whether any element along the axes is not zero; all axes where none are given."""
    @overload
    def any(self, *, axis: Sequence[builtins.int] | None = None, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return whether any element along the axes is not zero; all axes where none are given."""
    @overload
    def any(self, dim: builtins.int, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return whether any element along the axes is not zero; all axes where none are given."""
    @overload
    def any(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return whether any element along the axes is not zero; all axes where none are given."""

    def arccos(self) -> ArrayExpr:
        """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1]."""

    def arccosh(self) -> ArrayExpr:
        """Return the inverse hyperbolic cosine of each element of `input`; nan below 1."""

    def arcsin(self) -> ArrayExpr:
        """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

    def arcsinh(self) -> ArrayExpr:
        """Return the inverse hyperbolic sine of each element of `input`."""

    def arctan(self) -> ArrayExpr:
        """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

    def arctan2(self, other: _Operand) -> ArrayExpr:
        """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

    def arctanh(self) -> ArrayExpr:
        """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

    @overload
    def argmax(self, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return where the (first) largest element stands, in the flattened array without `dim`."""
    @overload
    def argmax(self, *, axis: builtins.int | None = None, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return where the (first) largest element stands, in the flattened array without `dim`."""

    @overload
    def argmin(self, dim: builtins.int | None = None, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return where the (first) smallest element stands, in the flattened array without `dim`."""
    @overload
    def argmin(self, *, axis: builtins.int | None = None, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return where the (first) smallest element stands, in the flattened array without `dim`."""

    @overload
    def argsort(self, *, stable: builtins.bool, dim: builtins.int = -1, descending: builtins.bool = False) -> ArrayExpr:
        """Return where the elements along `dim` stand that `sort` puts in order."""
    @overload
    def argsort(self, *, stable: builtins.bool, axis: builtins.int = -1, descending: builtins.bool = False) -> ArrayExpr:
        """Return where the elements along `dim` stand that `sort` puts in order."""
    @overload
    def argsort(self, dim: builtins.int = -1, descending: builtins.bool = False) -> ArrayExpr:
        """Return where the elements along `dim` stand that `sort` puts in order."""
    @overload
    def argsort(self, *, axis: builtins.int = -1, descending: builtins.bool = False) -> ArrayExpr:
        """Return where the elements along `dim` stand that `sort` puts in order."""

    def argwhere(self) -> ArrayExpr:
        """Return the indices of the elements that are not zero, one row each."""

    def as_strided(self, size: Sequence[builtins.int], stride: Sequence[builtins.int], storage_offset: builtins.int | None = None) -> ArrayExpr:
        """Return a view of the memory of `input` with given lengths and strides of the axes."""

    def asin(self) -> ArrayExpr:
        """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1]."""

    def asinh(self) -> ArrayExpr:
        """Return the inverse hyperbolic sine of each element of `input`."""

    def atan(self) -> ArrayExpr:
        """Return the arc tangent of each element of `input`, from -pi/2 to pi/2."""

    def atan2(self, other: _Operand) -> ArrayExpr:
        """Return the angle of the point (`other`, `input`); the derivative at the origin is 0."""

    def atanh(self) -> ArrayExpr:
        """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1."""

    def atoms(self, *types: Any) -> set[Basic]:
        """Return the leaves and constants, or the parts of the given types."""

    def baddbmm(self, batch1: _Operand, batch2: _Operand, *, beta: _Number = 1, alpha: _Number = 1) -> ArrayExpr:
        """Return `beta * input + alpha * bmm(batch1, batch2)`."""

    def bincount(self, weights: _Operand | None = None, minlength: builtins.int = 0) -> ArrayExpr:
        """Return how often each number from 0 on occurs, or the sum of the weights of where it does."""

    @overload
    def bitwise_and(self, other: _Operand) -> ArrayExpr:
        """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold."""
    @overload
    def bitwise_and(self, other: _Number) -> ArrayExpr:
        """Return the bits set in both `input` and `other`, broadcast; of bools, where both hold."""

    @overload
    def bitwise_left_shift(self, other: _Operand) -> ArrayExpr:
        """Return the bits of `input`, moved up by `other` places: times `2**other`."""
    @overload
    def bitwise_left_shift(self, other: _Number) -> ArrayExpr:
        """Return the bits of `input`, moved up by `other` places: times `2**other`."""

    def bitwise_not(self) -> ArrayExpr:
        """Return the complement of the bits of `input`: `-x - 1` of signed integers; of bools, `not x`."""

    @overload
    def bitwise_or(self, other: _Operand) -> ArrayExpr:
        """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds."""
    @overload
    def bitwise_or(self, other: _Number) -> ArrayExpr:
        """Return the bits set in `input`, `other` or both, broadcast; of bools, where any holds."""

    @overload
    def bitwise_right_shift(self, other: _Operand) -> ArrayExpr:
        """Return the bits of `input`, moved down by `other` places; the sign stays."""
    @overload
    def bitwise_right_shift(self, other: _Number) -> ArrayExpr:
        """Return the bits of `input`, moved down by `other` places; the sign stays."""

    @overload
    def bitwise_xor(self, other: _Operand) -> ArrayExpr:
        """Return the bits set in just one of `input` and `other`, broadcast."""
    @overload
    def bitwise_xor(self, other: _Number) -> ArrayExpr:
        """Return the bits set in just one of `input` and `other`, broadcast."""

    def bmm(self, mat2: _Operand) -> ArrayExpr:
        """Multiply two stacks of matrices, one by one."""

    def bool(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to bool."""

    @overload
    def broadcast_to(self, *size: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Repeat `input` along new and length-one axes to `size`, without copying."""
    @overload
    def broadcast_to(self, *, size: Sequence[builtins.int]) -> ArrayExpr:
        """Repeat `input` along new and length-one axes to `size`, without copying."""

    def byte(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to uint8."""

    def cdouble(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to complex128."""

    def ceil(self) -> ArrayExpr:
        """Return the least integers not below the elements of `input`; the derivative is zero."""

    def cfloat(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to complex64."""

    def char(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to int8."""

    def cholesky(self, upper: builtins.bool = False) -> ArrayExpr:
        """Return the factor L of `A = L @ L.mH`, as `linalg.cholesky` does."""

    def cholesky_inverse(self, upper: builtins.bool = False) -> ArrayExpr:
        """Return the inverse of A, given its Cholesky factor."""

    def cholesky_solve(self, input2: _Operand, upper: builtins.bool = False) -> ArrayExpr:
        """Return the solution X of `A X = input`, given the Cholesky factor of A."""

    @overload
    def chunk(self, chunks: builtins.int, dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart along an axis into at most `chunks` pieces of equal length."""
    @overload
    def chunk(self, chunks: builtins.int, *, axis: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart along an axis into at most `chunks` pieces of equal length."""

    @overload
    def clamp(self, min: _Operand | None = None, max: _Operand | None = None) -> ArrayExpr:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""
    @overload
    def clamp(self, min: _Number | None = None, max: _Number | None = None) -> ArrayExpr:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""

    @overload
    def clamp_max(self, max: _Operand) -> ArrayExpr:
        """Return the smaller of each element and `max`."""
    @overload
    def clamp_max(self, max: _Number) -> ArrayExpr:
        """Return the smaller of each element and `max`."""

    @overload
    def clamp_min(self, min: _Operand) -> ArrayExpr:
        """Return the larger of each element and `min`."""
    @overload
    def clamp_min(self, min: _Number) -> ArrayExpr:
        """Return the larger of each element and `min`."""

    @overload
    def clip(self, min: _Operand | None = None, max: _Operand | None = None) -> ArrayExpr:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""
    @overload
    def clip(self, min: _Number | None = None, max: _Number | None = None) -> ArrayExpr:
        """Clip to the interval from `min` to `max`; the derivative at a bound is that of values inside."""

    def clone(self, *, memory_format: Any = None) -> ArrayExpr:
        """Return a copy through which gradients flow."""

    def combinations(self, r: builtins.int = 2, with_replacement: builtins.bool = False) -> ArrayExpr:
        """Return all choices of `r` elements of a vector, one in each row."""

    def conj(self) -> ArrayExpr:
        """Return the complex conjugate; real tensors themselves."""

    def conj_physical(self) -> ArrayExpr:
        """Return the complex conjugate, in memory of its own; real tensors themselves."""

    def conjugate(self) -> ArrayExpr:
        """Return the complex conjugate; real tensors themselves."""

    def contiguous(self, *, memory_format: Any = 0) -> ArrayExpr:
        """Return the values in the memory order of their axes: the same object where they are."""

    @overload
    def copysign(self, other: _Operand) -> ArrayExpr:
        """Return `input` with the sign of `other`, broadcast; a zero has a sign, too."""
    @overload
    def copysign(self, other: _Number) -> ArrayExpr:
        """Return `input` with the sign of `other`, broadcast; a zero has a sign, too."""

    def corrcoef(self) -> ArrayExpr:
        """Return the correlation of variables, whose observations are rows of a matrix."""

    def cos(self) -> ArrayExpr:
        """Return the cosine of each element of `input`, in radians."""

    def cosh(self) -> ArrayExpr:
        """Return the hyperbolic cosine of each element of `input`."""

    def could_extract_minus_sign(self) -> builtins.bool:
        ...

    def count(self, query: Any) -> builtins.int:
        """Return how many parts a query finds; a shared part counts once."""

    @overload
    def count_nonzero(self, dim: builtins.int | None = None) -> ArrayExpr:
        """Return how many elements along the axes are not zero, as int64."""
    @overload
    def count_nonzero(self, *, axis: builtins.int | None = None) -> ArrayExpr:
        """Return how many elements along the axes are not zero, as int64."""
    @overload
    def count_nonzero(self, *dim: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Return how many elements along the axes are not zero, as int64."""
    @overload
    def count_nonzero(self, *, dim: Sequence[builtins.int]) -> ArrayExpr:
        """Return how many elements along the axes are not zero, as int64."""
    @overload
    def count_nonzero(self, *, axis: Sequence[builtins.int]) -> ArrayExpr:
        """Return how many elements along the axes are not zero, as int64."""

    def count_ops(self, visual: builtins.bool | None = None) -> Any:
        """Return how many operations compute the formula; a shared operation counts once."""

    def cov(self, *, correction: builtins.int = 1, fweights: _Operand | None = None, aweights: _Operand | None = None) -> ArrayExpr:
        """Return the covariance of variables, whose observations are rows of a matrix."""

    def cpu(self, *, memory_format: Any = None) -> ArrayExpr:
        """Return the tensor itself, which is on the CPU."""

    @overload
    def cross(self, other: _Operand, dim: builtins.int | None = None) -> ArrayExpr:
        """Return the cross products of vectors of three elements along an axis."""
    @overload
    def cross(self, other: _Operand, *, axis: builtins.int | None = None) -> ArrayExpr:
        """Return the cross products of vectors of three elements along an axis."""

    def cuda(self, device: Any = None, non_blocking: builtins.bool = False, *, memory_format: Any = None) -> ArrayExpr:
        """Raise AssertionError: there is no CUDA device."""

    @overload
    def cummax(self, dim: builtins.int) -> _return_types.cummax[ArrayExpr]:
        """Return the largest elements so far along `dim`, and where they stand (the last of equals)."""
    @overload
    def cummax(self, *, axis: builtins.int) -> _return_types.cummax[ArrayExpr]:
        """Return the largest elements so far along `dim`, and where they stand (the last of equals)."""

    @overload
    def cummin(self, dim: builtins.int) -> _return_types.cummin[ArrayExpr]:
        """Return the smallest elements so far along `dim`, and where they stand; as `cummax`."""
    @overload
    def cummin(self, *, axis: builtins.int) -> _return_types.cummin[ArrayExpr]:
        """Return the smallest elements so far along `dim`, and where they stand; as `cummax`."""

    @overload
    def cumprod(self, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return running products along `dim`; derivatives of any order are right at zeros too."""
    @overload
    def cumprod(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return running products along `dim`; derivatives of any order are right at zeros too."""

    @overload
    def cumsum(self, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return running sums along `dim`; integers add up to int64."""
    @overload
    def cumsum(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return running sums along `dim`; integers add up to int64."""

    @property
    def data(self) -> Any:
        ...

    def deg2rad(self) -> ArrayExpr:
        """Return angles given in degrees in radians."""

    def det(self) -> ArrayExpr:
        """Return the determinants of square matrices, as `linalg.det` does."""

    def detach(self) -> ArrayExpr:
        """Return the same values, sharing memory, as a constant to derivatives."""

    @property
    def device(self) -> _device:
        """Where the tensor is: the CPU."""

    def diag(self, diagonal: builtins.int = 0) -> ArrayExpr:
        """Return the diagonal of a matrix, or the matrix with a vector on its diagonal."""

    def diag_embed(self, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1) -> ArrayExpr:
        """Place the last axis on a diagonal of two new axes."""

    def diagflat(self, offset: builtins.int = 0) -> ArrayExpr:
        """Return the matrix with the elements on its diagonal."""

    def diagonal(self, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> ArrayExpr:
        """Return a diagonal of two axes as a new last axis; a view."""

    def diagonal_scatter(self, src: _Operand, offset: builtins.int = 0, dim1: builtins.int = 0, dim2: builtins.int = 1) -> ArrayExpr:
        """Return `input` with `src` on a diagonal of two axes."""

    def diff(self, *symbols: Any, **assumptions: Any) -> Any:
        """Return the derivative with respect to leaves, one after the other, as SymPy's `diff` does."""

    def digamma(self) -> ArrayExpr:
        """Return the derivative of `lgamma` at each element of `input`; nan at negative integers."""

    def dist(self, other: _Operand, p: _Number = 2) -> ArrayExpr:
        """Return the p-norm of `input - other` over all axes."""

    @overload
    def div(self, other: _Operand | _Number) -> ArrayExpr:
        """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""
    @overload
    def div(self, other: _Operand | _Number, *, rounding_mode: builtins.str | None) -> ArrayExpr:
        """Return `input / other`, broadcast; a rounded quotient has zero derivatives."""

    @overload
    def divide(self, other: _Operand | _Number) -> ArrayExpr:
        """Return `input / other`, as `div`."""
    @overload
    def divide(self, other: _Operand | _Number, *, rounding_mode: builtins.str | None) -> ArrayExpr:
        """Return `input / other`, as `div`."""

    def doit(self, **_: Any) -> ArrayExpr:
        """Return the formula itself, in which no operation is unevaluated."""

    def dot(self, *args: Any, **kwargs: Any) -> Any:
        """Return the picture of the formula as a graph, in the DOT language; with an operand, `e @ x`."""

    def double(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to float64."""

    @overload
    def dsplit(self, sections: builtins.int) -> tuple[ArrayExpr, ...]:
        """Take an array apart along its third axis."""
    @overload
    def dsplit(self, *indices: builtins.int | Sequence[builtins.int]) -> tuple[ArrayExpr, ...]:
        """Take an array apart along its third axis."""
    @overload
    def dsplit(self, *, indices: Sequence[builtins.int]) -> tuple[ArrayExpr, ...]:
        """Take an array apart along its third axis."""

    def element_size(self) -> builtins.int:
        """Return the bytes of one element."""

    @overload
    def eq(self, other: _Operand) -> ArrayExpr:
        """Return where `input` and `other` are equal, broadcast; nan equals nothing."""
    @overload
    def eq(self, other: _Number) -> ArrayExpr:
        """Return where `input` and `other` are equal, broadcast; nan equals nothing."""

    def equals(self, other: Any, **flags: Any) -> builtins.bool | None:
        """Return whether another formula has the same values; None where that is not decided."""

    def erf(self) -> ArrayExpr:
        """Return the error function of each element of `input`."""

    def erfc(self) -> ArrayExpr:
        """Return `1 - erf` of each element of `input`, accurate where that is small."""

    def erfinv(self) -> ArrayExpr:
        """Return the inverse of the error function of each element of `input`; nan outside [-1, 1]."""

    def evalf(self, n: builtins.int = 15, subs: Any = None, **options: Any) -> Any:
        """Return the formula with exact numbers such as pi or 1/3 as floats, and numbers computed."""

    def evaluate(self, values: Mapping[Any, Any] | None = None) -> np.ndarray[Any, Any]:
        """Return the value of the expression as a new NumPy array."""

    def exp(self) -> ArrayExpr:
        """Return the exponential of each element of `input`."""

    def exp2(self) -> ArrayExpr:
        """Return 2 to the power of each element of `input`."""

    def expand(self, *sizes: Any, **hints: Any) -> Any:
        """Return the formula with products of sums multiplied out; with sizes, PyTorch's `expand`."""

    def expand_as(self, other: _Operand) -> ArrayExpr:
        """Repeat `input` to the shape of `other`."""

    def expit(self) -> ArrayExpr:
        """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

    def expm1(self) -> ArrayExpr:
        """Return `exp(x) - 1` of each element of `input`, accurate near 0."""

    @property
    def expr(self) -> Any:
        ...

    def find(self, query: Any, group: builtins.bool = False) -> Any:
        """Return the parts that a query finds: a type, an operation, a part, or a function of a part."""

    def fix(self) -> ArrayExpr:
        """Return each element of `input` without its fraction; the derivative is zero."""

    def flatten(self, start_dim: builtins.int = 0, end_dim: builtins.int = -1) -> ArrayExpr:
        """Join the axes from `start_dim` to `end_dim` into one."""

    @overload
    def flip(self, *dims: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Reverse the order of the elements along axes."""
    @overload
    def flip(self, *, dims: Sequence[builtins.int]) -> ArrayExpr:
        """Reverse the order of the elements along axes."""

    def fliplr(self) -> ArrayExpr:
        """Reverse the second axis."""

    def flipud(self) -> ArrayExpr:
        """Reverse the first axis."""

    def float(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to float32."""

    @overload
    def float_power(self, exponent: _Operand) -> ArrayExpr:
        """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones."""
    @overload
    def float_power(self, exponent: _Number) -> ArrayExpr:
        """Return `input` to the power `exponent`, computed in float64, or complex128 of complex ones."""

    def floor(self) -> ArrayExpr:
        """Return the greatest integers not above the elements of `input`; the derivative is zero."""

    def floor_divide(self, other: _Operand | _Number) -> ArrayExpr:
        """Return `input // other`, rounded down and broadcast; it has no derivative."""

    def fmax(self, other: _Operand) -> ArrayExpr:
        """Return the larger of `input` and `other`, broadcast; the other one where one is nan."""

    def fmin(self, other: _Operand) -> ArrayExpr:
        """Return the smaller of `input` and `other`, broadcast; the other one where one is nan."""

    @overload
    def fmod(self, other: _Operand) -> ArrayExpr:
        """Return `input` less `trunc(input / other)` times `other`, which has the sign of `input`."""
    @overload
    def fmod(self, other: _Number) -> ArrayExpr:
        """Return `input` less `trunc(input / other)` times `other`, which has the sign of `input`."""

    def formula(self, digits: builtins.int | None = None) -> str:
        """Return the formula as it stands in a book, in Python that computes it."""

    def frac(self) -> ArrayExpr:
        """Return what `trunc` leaves of each element of `input`; the derivative is one."""

    @property
    def free_symbols(self) -> set[Leaf]:
        ...

    def frexp(self) -> _return_types.frexp[ArrayExpr]:
        """Return `mantissa` and `exponent`, of which `input` is `mantissa * 2**exponent`."""

    @overload
    def gather(self, dim: builtins.int, index: _Operand, *, sparse_grad: builtins.bool = False) -> ArrayExpr:
        """Pick elements along an axis: `result[i][j] = input[index[i][j]][j]` for `dim=0`."""
    @overload
    def gather(self, *, axis: builtins.int, index: _Operand, sparse_grad: builtins.bool = False) -> ArrayExpr:
        """Pick elements along an axis: `result[i][j] = input[index[i][j]][j]` for `dim=0`."""

    def gcd(self, other: _Operand) -> ArrayExpr:
        """Return the greatest common divisor of `input` and `other`, broadcast; it is not negative."""

    @overload
    def ge(self, other: _Operand) -> ArrayExpr:
        """Return where `input` is at least `other`, broadcast."""
    @overload
    def ge(self, other: _Number) -> ArrayExpr:
        """Return where `input` is at least `other`, broadcast."""

    def ger(self, vec2: _Operand) -> ArrayExpr:
        """Return the products of every element of a vector with every element of another."""

    def get_device(self) -> builtins.int:
        """Return -1, which stands for the CPU."""

    @property
    def grad(self) -> Any:
        ...

    @property
    def grad_dtype(self) -> Any:
        ...

    @overload
    def greater(self, other: _Operand) -> ArrayExpr:
        """Return where `input` is greater than `other`, broadcast."""
    @overload
    def greater(self, other: _Number) -> ArrayExpr:
        """Return where `input` is greater than `other`, broadcast."""

    @overload
    def greater_equal(self, other: _Operand) -> ArrayExpr:
        """Return where `input` is at least `other`, broadcast."""
    @overload
    def greater_equal(self, other: _Number) -> ArrayExpr:
        """Return where `input` is at least `other`, broadcast."""

    @overload
    def gt(self, other: _Operand) -> ArrayExpr:
        """Return where `input` is greater than `other`, broadcast."""
    @overload
    def gt(self, other: _Number) -> ArrayExpr:
        """Return where `input` is greater than `other`, broadcast."""

    def half(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to float16."""

    def hardshrink(self, lambd: _Number = 0.5) -> ArrayExpr:
        """Return `x` where its modulus is greater than `lambd`, else 0."""

    def has(self, *patterns: Any) -> builtins.bool:
        """Return whether any of the patterns occurs: parts, symbols, names of leaves, operations."""

    def has_free(self, *patterns: Any) -> builtins.bool:
        """Return whether any of the patterns occurs: parts, symbols, names of leaves, operations."""

    def has_xfree(self, patterns: Iterable[Any]) -> builtins.bool:
        """Return whether any of a set of parts occurs."""

    def heaviside(self, values: _Operand) -> ArrayExpr:
        """Return 1 where `input` is positive, 0 where it is negative or nan, `values` where it is 0."""

    def histc(self, bins: builtins.int = 100, min: builtins.float = 0, max: builtins.float = 0) -> ArrayExpr:
        """Return how many elements lie in each of equal parts of the line from `min` to `max`."""

    @overload
    def histogram(self, bins: _Operand, *, weight: _Operand | None = None, density: builtins.bool = False) -> _return_types.histogram[ArrayExpr]:
        """Return how many elements lie between edges on a line, and the edges."""
    @overload
    def histogram(self, bins: builtins.int = 100, *, range: Sequence[builtins.float] | None = None, weight: _Operand | None = None, density: builtins.bool = False) -> _return_types.histogram[ArrayExpr]:
        """Return how many elements lie between edges on a line, and the edges."""

    @overload
    def hsplit(self, sections: builtins.int) -> tuple[ArrayExpr, ...]:
        """Take an array apart along its second axis, a vector along its only one."""
    @overload
    def hsplit(self, *indices: builtins.int | Sequence[builtins.int]) -> tuple[ArrayExpr, ...]:
        """Take an array apart along its second axis, a vector along its only one."""
    @overload
    def hsplit(self, *, indices: Sequence[builtins.int]) -> tuple[ArrayExpr, ...]:
        """Take an array apart along its second axis, a vector along its only one."""

    def hypot(self, other: _Operand) -> ArrayExpr:
        """Return `sqrt(input**2 + other**2)` without overflow; the derivative at the origin is 0."""

    def i0(self) -> ArrayExpr:
        """Return the modified Bessel function of order 0 of each element of `input`."""

    def igamma(self, other: _Operand) -> ArrayExpr:
        """Return the lower incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

    def igammac(self, other: _Operand) -> ArrayExpr:
        """Return the upper incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

    @property
    def imag(self) -> ArrayExpr:
        """Return the imaginary part of a complex tensor."""

    @overload
    def index_add(self, dim: builtins.int, index: _Operand, source: _Operand, *, alpha: _Number = 1) -> ArrayExpr:
        """Add the slices of `source`, times `alpha`, to the slices of `input` that `index` names."""
    @overload
    def index_add(self, *, axis: builtins.int, index: _Operand, source: _Operand, alpha: _Number = 1) -> ArrayExpr:
        """Add the slices of `source`, times `alpha`, to the slices of `input` that `index` names."""

    @overload
    def index_copy(self, dim: builtins.int, index: _Operand, source: _Operand) -> ArrayExpr:
        """Return `input` with the slices of `source` in place of those that `index` names."""
    @overload
    def index_copy(self, *, axis: builtins.int, index: _Operand, source: _Operand) -> ArrayExpr:
        """Return `input` with the slices of `source` in place of those that `index` names."""

    @overload
    def index_fill(self, dim: builtins.int, index: _Operand, value: _Operand) -> ArrayExpr:
        """Return `input` with `value` in the slices that `index` names."""
    @overload
    def index_fill(self, *, axis: builtins.int, index: _Operand, value: _Operand) -> ArrayExpr:
        """Return `input` with `value` in the slices that `index` names."""
    @overload
    def index_fill(self, dim: builtins.int, index: _Operand, value: _Number) -> ArrayExpr:
        """Return `input` with `value` in the slices that `index` names."""
    @overload
    def index_fill(self, *, axis: builtins.int, index: _Operand, value: _Number) -> ArrayExpr:
        """Return `input` with `value` in the slices that `index` names."""

    def index_put(self, indices: Sequence[_Operand | None], values: _Operand, accumulate: builtins.bool = False) -> ArrayExpr:
        """Return `input` with `values` where `indices` say; added with `accumulate`."""

    @overload
    def index_reduce(self, dim: builtins.int, index: _Operand, source: _Operand, reduce: builtins.str, *, include_self: builtins.bool = True) -> ArrayExpr:
        """Reduce the slices of `source` into the slices of `input` that `index` names."""
    @overload
    def index_reduce(self, *, axis: builtins.int, index: _Operand, source: _Operand, reduce: builtins.str, include_self: builtins.bool = True) -> ArrayExpr:
        """Reduce the slices of `source` into the slices of `input` that `index` names."""

    @overload
    def index_select(self, dim: builtins.int, index: _Operand) -> ArrayExpr:
        """Return the slices of an axis that a vector of indices names."""
    @overload
    def index_select(self, *, axis: builtins.int, index: _Operand) -> ArrayExpr:
        """Return the slices of an axis that a vector of indices names."""

    def inner(self, other: _Operand) -> ArrayExpr:
        """Sum the products along the last axes; multiply where one operand is a number."""

    def int(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to int32."""

    def inverse(self) -> ArrayExpr:
        """Return the inverses of square matrices, as `linalg.inv` does."""

    @property
    def is_Add(self) -> Any:
        ...

    @property
    def is_Function(self) -> Any:
        ...

    @property
    def is_Matrix(self) -> builtins.bool:
        """Return False, and refuse an array to formulas of matrices, which have no place for it."""

    @property
    def is_Mul(self) -> Any:
        ...

    @property
    def is_Order(self) -> builtins.bool:
        """Return True, so that `cse` within `lambdify` does not take a formula apart; else refuse."""

    @property
    def is_Pow(self) -> Any:
        ...

    @property
    def is_Relational(self) -> Any:
        ...

    @property
    def is_algebraic(self) -> Any:
        ...

    @property
    def is_antihermitian(self) -> Any:
        ...

    @property
    def is_composite(self) -> Any:
        ...

    def is_conj(self) -> builtins.bool:
        """Return False: no tensor waits to be conjugated."""

    def is_constant(self, *wrt: Any, **flags: Any) -> builtins.bool | None:
        """Return whether the value is the same for all values of `wrt`, or else of all leaves."""

    @property
    def is_cpu(self) -> builtins.bool:
        """Whether the elements are in the memory of the CPU: always."""

    @property
    def is_cuda(self) -> builtins.bool:
        """Whether the elements are in the memory of a GPU: never."""

    @property
    def is_even(self) -> Any:
        ...

    @property
    def is_extended_negative(self) -> Any:
        ...

    @property
    def is_extended_nonnegative(self) -> Any:
        ...

    @property
    def is_extended_nonpositive(self) -> Any:
        ...

    @property
    def is_extended_nonzero(self) -> Any:
        ...

    @property
    def is_extended_positive(self) -> Any:
        ...

    @property
    def is_extended_real(self) -> Any:
        ...

    @property
    def is_finite(self) -> Any:
        ...

    def is_floating_point(self) -> builtins.bool:
        """Return whether the elements are real floating-point numbers."""

    @property
    def is_hermitian(self) -> Any:
        ...

    @property
    def is_imaginary(self) -> Any:
        ...

    @property
    def is_infinite(self) -> Any:
        ...

    @property
    def is_integer(self) -> Any:
        ...

    @property
    def is_ipu(self) -> builtins.bool:
        """Whether the elements are on a device of Graphcore's: never."""

    @property
    def is_irrational(self) -> Any:
        ...

    @property
    def is_maia(self) -> builtins.bool:
        """Whether the elements are on a device of Microsoft's: never."""

    @property
    def is_meta(self) -> builtins.bool:
        """Whether there are no elements, but a shape and a dtype alone: never."""

    @property
    def is_mkldnn(self) -> builtins.bool:
        """Whether the elements lie as a library of Intel's has them: never."""

    @property
    def is_mps(self) -> builtins.bool:
        """Whether the elements are on a device of Apple's: never."""

    @property
    def is_mtia(self) -> builtins.bool:
        """Whether the elements are on a device of Meta's: never."""

    def is_neg(self) -> builtins.bool:
        """Return False: no tensor waits to be negated."""

    @property
    def is_negative(self) -> Any:
        ...

    @property
    def is_nested(self) -> builtins.bool:
        """Whether the entries are tensors of different lengths: never."""

    @property
    def is_noninteger(self) -> Any:
        ...

    @property
    def is_nonnegative(self) -> Any:
        ...

    @property
    def is_nonpositive(self) -> Any:
        ...

    @property
    def is_nonzero(self) -> Any:
        ...

    @property
    def is_odd(self) -> Any:
        ...

    @property
    def is_polar(self) -> Any:
        ...

    @property
    def is_positive(self) -> Any:
        ...

    @property
    def is_prime(self) -> Any:
        ...

    @property
    def is_quantized(self) -> builtins.bool:
        """Whether the elements are integers that stand for real numbers: never."""

    @property
    def is_rational(self) -> Any:
        ...

    @property
    def is_real(self) -> Any:
        ...

    def is_same_size(self, other: _Operand) -> builtins.bool:
        """Return whether the shapes are equal."""

    def is_signed(self) -> builtins.bool:
        """Return whether the elements may be negative."""

    @property
    def is_sparse(self) -> builtins.bool:
        """Whether zeros have no place in memory: never."""

    @property
    def is_sparse_csr(self) -> builtins.bool:
        """Whether rows are kept without their zeros: never."""

    @property
    def is_transcendental(self) -> Any:
        ...

    @property
    def is_vulkan(self) -> builtins.bool:
        """Whether the elements are on a device driven by Vulkan: never."""

    @property
    def is_xla(self) -> builtins.bool:
        """Whether the elements are on a device driven by XLA: never."""

    @property
    def is_xpu(self) -> builtins.bool:
        """Whether the elements are on a device of Intel's: never."""

    @property
    def is_zero(self) -> Any:
        ...

    def isclose(self, other: _Operand, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08, equal_nan: builtins.bool = False) -> ArrayExpr:
        """Return where `|input - other| <= atol + rtol*|other|`."""

    def isfinite(self) -> ArrayExpr:
        """Return where `input` is neither infinite nor nan."""

    def isinf(self) -> ArrayExpr:
        """Return where `input` is inf or -inf."""

    def isnan(self) -> ArrayExpr:
        """Return where `input` is nan."""

    def isneginf(self) -> ArrayExpr:
        """Return where `input` is -inf."""

    def isposinf(self) -> ArrayExpr:
        """Return where `input` is inf."""

    def isreal(self) -> ArrayExpr:
        """Return where `input` has no imaginary part."""

    def istft(self, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: _Operand | None = None, center: builtins.bool = True, normalized: builtins.bool = False, onesided: builtins.bool | None = None, length: builtins.int | None = None, return_complex: builtins.bool = False) -> ArrayExpr:
        """Return the signal that has given Fourier transforms of its parts, as `stft` returns them."""

    @property
    def itemsize(self) -> builtins.int:
        """The bytes of one element."""

    @property
    def kind(self) -> Any:
        ...

    def kron(self, other: _Operand) -> ArrayExpr:
        """Return the Kronecker product: `other` once for each element of `input`, times that element."""

    @overload
    def kthvalue(self, k: builtins.int, dim: builtins.int = -1, keepdim: builtins.bool = False) -> _return_types.kthvalue[ArrayExpr]:
        """Return the `k`-th smallest element along `dim`, and where it stands."""
    @overload
    def kthvalue(self, k: builtins.int, *, axis: builtins.int = -1, keepdims: builtins.bool = False) -> _return_types.kthvalue[ArrayExpr]:
        """Return the `k`-th smallest element along `dim`, and where it stands."""

    def lambdify(self, inputs: Iterable[Any] | None = None) -> Callable[..., np.ndarray[Any, Any]]:
        """Return a Python function of the leaves that computes the expression."""

    def latex(self) -> str:
        """Return the formula as LaTeX: one formula, or an `aligned` block with its definitions."""

    def lcm(self, other: _Operand) -> ArrayExpr:
        """Return the least common multiple of `input` and `other`, broadcast; it is not negative."""

    def ldexp(self, other: _Operand) -> ArrayExpr:
        """Return `input * 2**other`, broadcast; exact of floats and integer exponents."""

    @overload
    def le(self, other: _Operand) -> ArrayExpr:
        """Return where `input` is at most `other`, broadcast."""
    @overload
    def le(self, other: _Number) -> ArrayExpr:
        """Return where `input` is at most `other`, broadcast."""

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        ...

    @overload
    def lerp(self, end: _Operand, weight: _Operand) -> ArrayExpr:
        """Return `input + weight * (end - input)`."""
    @overload
    def lerp(self, end: _Operand, weight: _Number) -> ArrayExpr:
        """Return `input + weight * (end - input)`."""

    @overload
    def less(self, other: _Operand) -> ArrayExpr:
        """Return where `input` is less than `other`, broadcast."""
    @overload
    def less(self, other: _Number) -> ArrayExpr:
        """Return where `input` is less than `other`, broadcast."""

    @overload
    def less_equal(self, other: _Operand) -> ArrayExpr:
        """Return where `input` is at most `other`, broadcast."""
    @overload
    def less_equal(self, other: _Number) -> ArrayExpr:
        """Return where `input` is at most `other`, broadcast."""

    def lgamma(self) -> ArrayExpr:
        """Return the logarithm of the absolute value of the gamma function of each element of `input`."""

    def log(self) -> ArrayExpr:
        """Return the natural logarithm of each element of `input`; nan of negative numbers."""

    def log10(self) -> ArrayExpr:
        """Return the logarithm to base 10 of each element of `input`."""

    def log1p(self) -> ArrayExpr:
        """Return `log(1 + x)` of each element of `input`, accurate near 0."""

    def log2(self) -> ArrayExpr:
        """Return the logarithm to base 2 of each element of `input`."""

    @overload
    def log_softmax(self, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the logarithm of `softmax`, also where that is 0; see there."""
    @overload
    def log_softmax(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the logarithm of `softmax`, also where that is 0; see there."""

    def logaddexp(self, other: _Operand) -> ArrayExpr:
        """Return `log(exp(input) + exp(other))` without overflow, broadcast."""

    def logaddexp2(self, other: _Operand) -> ArrayExpr:
        """Return `log2(2**input + 2**other)` without overflow, broadcast."""

    @overload
    def logcumsumexp(self, dim: builtins.int) -> ArrayExpr:
        """Return the logarithms of running sums of exponentials along `dim`, without overflow."""
    @overload
    def logcumsumexp(self, *, axis: builtins.int) -> ArrayExpr:
        """Return the logarithms of running sums of exponentials along `dim`, without overflow."""

    def logdet(self) -> ArrayExpr:
        """Return the logarithms of the determinants of square matrices."""

    def logical_and(self, other: _Operand) -> ArrayExpr:
        """Return where both `input` and `other` are not zero, broadcast."""

    def logical_not(self) -> ArrayExpr:
        """Return where `input` is zero."""

    def logical_or(self, other: _Operand) -> ArrayExpr:
        """Return where `input`, `other` or both are not zero, broadcast."""

    def logical_xor(self, other: _Operand) -> ArrayExpr:
        """Return where just one of `input` and `other` is not zero, broadcast."""

    def logit(self, eps: builtins.float | None = None) -> ArrayExpr:
        """Return `log(x / (1 - x))` of each element of `input`; nan outside of [0, 1]."""

    @overload
    def logsumexp(self, dim: builtins.int | Sequence[builtins.int], keepdim: builtins.bool = False) -> ArrayExpr:
        """Return the logarithm of the sum of exponentials over axes, without overflow."""
    @overload
    def logsumexp(self, *, axis: builtins.int | Sequence[builtins.int], keepdims: builtins.bool = False) -> ArrayExpr:
        """Return the logarithm of the sum of exponentials over axes, without overflow."""

    def long(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to int64."""

    @overload
    def lt(self, other: _Operand) -> ArrayExpr:
        """Return where `input` is less than `other`, broadcast."""
    @overload
    def lt(self, other: _Number) -> ArrayExpr:
        """Return where `input` is less than `other`, broadcast."""

    def lu(self, pivot: builtins.bool = True, get_infos: builtins.bool = False) -> _return_types.lu[ArrayExpr]:
        """Return what `linalg.lu_factor` does; `linalg.lu` parts the factors."""

    def lu_solve(self, LU_data: _Operand, LU_pivots: _Operand) -> ArrayExpr:
        """Return the solution X of `A X = input`, as `linalg.lu_solve` does."""

    @property
    def mH(self) -> ArrayExpr:
        """The conjugate of the array with its last two axes exchanged."""

    @property
    def mT(self) -> ArrayExpr:
        """The array with its last two axes exchanged."""

    @overload
    def masked_fill(self, mask: _Operand, value: _Operand) -> ArrayExpr:
        """Return `input` with `value` where `mask` holds; the filled elements get no gradient."""
    @overload
    def masked_fill(self, mask: _Operand, value: _Number) -> ArrayExpr:
        """Return `input` with `value` where `mask` holds; the filled elements get no gradient."""

    def masked_scatter(self, mask: _Operand, source: _Operand) -> ArrayExpr:
        """Write the elements of `source`, in order, where `mask` holds."""

    def masked_select(self, mask: _Operand) -> ArrayExpr:
        """Return the elements where `mask` holds, in one axis; operands are broadcast."""

    def matmul(self, other: _Operand) -> ArrayExpr:
        """Multiply matrices, vectors, and stacks of matrices whose leading axes broadcast."""

    def matrix_exp(self) -> ArrayExpr:
        """Return the exponentials of square matrices, as `linalg.matrix_exp` does."""

    def matrix_power(self, n: builtins.int) -> ArrayExpr:
        """Return the n-th power of square matrices, as `linalg.matrix_power` does."""

    @overload
    def max(self) -> ArrayExpr:
        """Return the largest element, the largest along an axis, or the larger of two."""
    @overload
    def max(self, other: _Operand) -> ArrayExpr:
        """Return the largest element, the largest along an axis, or the larger of two."""
    @overload
    def max(self, dim: builtins.int, keepdim: builtins.bool = False) -> _return_types.max[ArrayExpr]:
        """Return the largest element, the largest along an axis, or the larger of two."""
    @overload
    def max(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> _return_types.max[ArrayExpr]:
        """Return the largest element, the largest along an axis, or the larger of two."""

    def maximum(self, other: _Operand) -> ArrayExpr:
        """Return the larger of `input` and `other`, nan where either is; equals share the gradient."""

    @overload
    def mean(self, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the mean over axes; the arguments are those of `sum`."""
    @overload
    def mean(self, dim: builtins.int | Sequence[builtins.int] | None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the mean over axes; the arguments are those of `sum`."""
    @overload
    def mean(self, *, axis: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the mean over axes; the arguments are those of `sum`."""

    @overload
    def median(self) -> ArrayExpr:
        """Return the median of all elements, or along an axis; of two in the middle the smaller."""
    @overload
    def median(self, dim: builtins.int, keepdim: builtins.bool = False) -> _return_types.median[ArrayExpr]:
        """Return the median of all elements, or along an axis; of two in the middle the smaller."""
    @overload
    def median(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> _return_types.median[ArrayExpr]:
        """Return the median of all elements, or along an axis; of two in the middle the smaller."""

    @overload
    def min(self) -> ArrayExpr:
        """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""
    @overload
    def min(self, other: _Operand) -> ArrayExpr:
        """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""
    @overload
    def min(self, dim: builtins.int, keepdim: builtins.bool = False) -> _return_types.min[ArrayExpr]:
        """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""
    @overload
    def min(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> _return_types.min[ArrayExpr]:
        """Return the smallest element, the smallest along an axis, or the smaller of two, as `max`."""

    def minimum(self, other: _Operand) -> ArrayExpr:
        """Return the smaller of `input` and `other`, nan where either is; equals share the gradient."""

    def mm(self, mat2: _Operand) -> ArrayExpr:
        """Multiply two matrices."""

    @overload
    def mode(self, dim: builtins.int = -1, keepdim: builtins.bool = False) -> _return_types.mode[ArrayExpr]:
        """Return the element that is there most often along `dim`, the least of such, and its last index."""
    @overload
    def mode(self, *, axis: builtins.int = -1, keepdims: builtins.bool = False) -> _return_types.mode[ArrayExpr]:
        """Return the element that is there most often along `dim`, the least of such, and its last index."""

    @overload
    def moveaxis(self, source: builtins.int, destination: builtins.int) -> ArrayExpr:
        """Move axes to other places; the others keep their order."""
    @overload
    def moveaxis(self, source: Sequence[builtins.int], destination: Sequence[builtins.int]) -> ArrayExpr:
        """Move axes to other places; the others keep their order."""

    @overload
    def movedim(self, source: builtins.int, destination: builtins.int) -> ArrayExpr:
        """Move axes to other places; the others keep their order."""
    @overload
    def movedim(self, source: Sequence[builtins.int], destination: Sequence[builtins.int]) -> ArrayExpr:
        """Move axes to other places; the others keep their order."""

    def msort(self) -> ArrayExpr:
        """Return the elements along the first axis in order."""

    def mul(self, other: _Operand | _Number) -> ArrayExpr:
        """Return `input * other`, broadcast."""

    def multiply(self, other: _Operand | _Number) -> ArrayExpr:
        """Return `input * other`, broadcast."""

    def mv(self, vec: _Operand) -> ArrayExpr:
        """Multiply a matrix with a vector."""

    def mvlgamma(self, p: builtins.int) -> ArrayExpr:
        """Return the logarithm of the multivariate gamma function of dimension `p`."""

    def n(self, n: builtins.int = 15, subs: Any = None, **options: Any) -> Any:
        """Return the formula with exact numbers such as pi or 1/3 as floats, and numbers computed."""

    @property
    def name(self) -> Any:
        ...

    def nan_to_num(self, nan: builtins.float | None = None, posinf: builtins.float | None = None, neginf: builtins.float | None = None) -> ArrayExpr:
        """Replace nan, inf and -inf, by default by 0 and the largest finite numbers."""

    @overload
    def nanmean(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the mean over axes of the elements that are not nan."""
    @overload
    def nanmean(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the mean over axes of the elements that are not nan."""

    @overload
    def nanmedian(self) -> ArrayExpr:
        """Return the median of the elements that are not nan, of all or along an axis, as `median` does."""
    @overload
    def nanmedian(self, dim: builtins.int, keepdim: builtins.bool = False) -> _return_types.nanmedian[ArrayExpr]:
        """Return the median of the elements that are not nan, of all or along an axis, as `median` does."""
    @overload
    def nanmedian(self, *, axis: builtins.int, keepdims: builtins.bool = False) -> _return_types.nanmedian[ArrayExpr]:
        """Return the median of the elements that are not nan, of all or along an axis, as `median` does."""

    @overload
    def nanquantile(self, q: _Operand, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear') -> ArrayExpr:
        """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""
    @overload
    def nanquantile(self, q: _Operand, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear') -> ArrayExpr:
        """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""
    @overload
    def nanquantile(self, q: builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear') -> ArrayExpr:
        """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""
    @overload
    def nanquantile(self, q: builtins.float, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear') -> ArrayExpr:
        """Return the `q`-quantiles of the elements that are not nan, of all or along an axis."""

    @overload
    def nansum(self, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the sum over axes of the elements that are not nan."""
    @overload
    def nansum(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the sum over axes of the elements that are not nan."""

    @overload
    def narrow(self, dim: builtins.int, start: _Operand, length: builtins.int) -> ArrayExpr:
        """Return `length` elements along an axis from `start` on; a view."""
    @overload
    def narrow(self, *, axis: builtins.int, start: _Operand, length: builtins.int) -> ArrayExpr:
        """Return `length` elements along an axis from `start` on; a view."""
    @overload
    def narrow(self, dim: builtins.int, start: builtins.int, length: builtins.int) -> ArrayExpr:
        """Return `length` elements along an axis from `start` on; a view."""
    @overload
    def narrow(self, *, axis: builtins.int, start: builtins.int, length: builtins.int) -> ArrayExpr:
        """Return `length` elements along an axis from `start` on; a view."""

    @overload
    def narrow_copy(self, dim: builtins.int, start: builtins.int, length: builtins.int) -> ArrayExpr:
        """Return `length` elements along an axis from `start` on, in memory of their own."""
    @overload
    def narrow_copy(self, *, axis: builtins.int, start: builtins.int, length: builtins.int) -> ArrayExpr:
        """Return `length` elements along an axis from `start` on, in memory of their own."""

    @property
    def nbytes(self) -> builtins.int:
        """The bytes of all elements."""

    def ndimension(self) -> builtins.int:
        """Return the number of axes."""

    @overload
    def ne(self, other: _Operand) -> ArrayExpr:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""
    @overload
    def ne(self, other: _Number) -> ArrayExpr:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""

    def neg(self) -> ArrayExpr:
        """Return `-input`; of bools, RuntimeError."""

    def negative(self) -> ArrayExpr:
        """Return `-input`; of bools, RuntimeError."""

    def nelement(self) -> builtins.int:
        """Return the number of elements."""

    @overload
    def new_empty(self, *size: builtins.int | Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> ArrayExpr:
        """Return `empty` of the dtype of this tensor, unless told another."""
    @overload
    def new_empty(self, *, size: Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> ArrayExpr:
        """Return `empty` of the dtype of this tensor, unless told another."""

    def new_full(self, size: Sequence[builtins.int], fill_value: _Number, *, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> ArrayExpr:
        """Return `full` of the dtype of this tensor, unless told another."""

    @overload
    def new_ones(self, *size: builtins.int | Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> ArrayExpr:
        """Return `ones` of the dtype of this tensor, unless told another."""
    @overload
    def new_ones(self, *, size: Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> ArrayExpr:
        """Return `ones` of the dtype of this tensor, unless told another."""

    def new_tensor(self, data: Any, *, dtype: _dtype | builtins.type[Any] | None = None, device: _device | builtins.str | builtins.int | None = None, requires_grad: builtins.bool = False) -> ArrayExpr:
        """Return a tensor of a copy of `data`, of the dtype of this one, unless told another."""

    @overload
    def new_zeros(self, *size: builtins.int | Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> ArrayExpr:
        """Return `zeros` of the dtype of this tensor, unless told another."""
    @overload
    def new_zeros(self, *, size: Sequence[builtins.int], dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> ArrayExpr:
        """Return `zeros` of the dtype of this tensor, unless told another."""

    def nextafter(self, other: _Operand) -> ArrayExpr:
        """Return the number next to `input` in the direction of `other`, broadcast."""

    @overload
    def nonzero(self) -> ArrayExpr:
        """Return the indices of the elements that are not zero, one row each."""
    @overload
    def nonzero(self, *, as_tuple: builtins.bool) -> ArrayExpr:
        """Return the indices of the elements that are not zero, one row each."""

    def norm(self, p: builtins.float | builtins.str | None = 'fro', dim: Any = None, keepdim: Any = False, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the p-norm of the elements, over all axes or some."""

    @overload
    def not_equal(self, other: _Operand) -> ArrayExpr:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""
    @overload
    def not_equal(self, other: _Number) -> ArrayExpr:
        """Return where `input` and `other` differ, broadcast; nan differs from everything."""

    def orgqr(self, input2: _Operand) -> ArrayExpr:
        """Return what `linalg.householder_product` does."""

    def ormqr(self, input2: _Operand, input3: _Operand, left: builtins.bool = True, transpose: builtins.bool = False) -> ArrayExpr:
        """Return the product of a matrix with a product Q of reflections, as `geqrf` gives those."""

    def outer(self, vec2: _Operand) -> ArrayExpr:
        """Return the products of every element of a vector with every element of another."""

    @overload
    def permute(self, *dims: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Reorder the axes."""
    @overload
    def permute(self, *, dims: Sequence[builtins.int]) -> ArrayExpr:
        """Reorder the axes."""

    def pinverse(self, rcond: builtins.float = 1e-15) -> ArrayExpr:
        """Return the pseudo-inverses of matrices, as `linalg.pinv` does."""

    def polygamma(self, n: builtins.int) -> ArrayExpr:
        """Return the derivative of order `n` of `digamma` at each element."""

    def positive(self) -> ArrayExpr:
        """Return `input` itself; of bools, RuntimeError."""

    @overload
    def pow(self, exponent: _Operand) -> ArrayExpr:
        """Return `input` to the power `exponent`, elementwise and broadcast."""
    @overload
    def pow(self, exponent: _Number) -> ArrayExpr:
        """Return `input` to the power `exponent`, elementwise and broadcast."""

    def prelu(self, weight: _Operand) -> ArrayExpr:
        """Return `x` where it is positive, else `weight*x`."""

    @overload
    def prod(self, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the product of all elements, or along one axis; integers give int64."""
    @overload
    def prod(self, dim: builtins.int, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the product of all elements, or along one axis; integers give int64."""
    @overload
    def prod(self, *, axis: builtins.int, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the product of all elements, or along one axis; integers give int64."""

    def put(self, index: _Operand, source: _Operand, accumulate: builtins.bool = False) -> ArrayExpr:
        """Write elements by their position in the flattened array; negative ones from the end."""

    def qr(self, some: builtins.bool = True) -> _return_types.qr[ArrayExpr]:
        """Return the factors of `input = Q @ R`; `linalg.qr` is the newer function."""

    @overload
    def quantile(self, q: _Operand, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear') -> ArrayExpr:
        """Return the `q`-quantiles of all elements, or along an axis."""
    @overload
    def quantile(self, q: _Operand, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear') -> ArrayExpr:
        """Return the `q`-quantiles of all elements, or along an axis."""
    @overload
    def quantile(self, q: builtins.float, dim: builtins.int | None = None, keepdim: builtins.bool = False, *, interpolation: builtins.str = 'linear') -> ArrayExpr:
        """Return the `q`-quantiles of all elements, or along an axis."""
    @overload
    def quantile(self, q: builtins.float, *, axis: builtins.int | None = None, keepdims: builtins.bool = False, interpolation: builtins.str = 'linear') -> ArrayExpr:
        """Return the `q`-quantiles of all elements, or along an axis."""

    def rad2deg(self) -> ArrayExpr:
        """Return angles given in radians in degrees."""

    def ravel(self) -> ArrayExpr:
        """Return the elements in one axis."""

    @property
    def real(self) -> ArrayExpr:
        """Return the real part; real tensors themselves."""

    def reciprocal(self) -> ArrayExpr:
        """Return `1 / x` of each element of `input`."""

    def relu(self) -> ArrayExpr:
        """Return the positive part of each element of `input`; its derivative at 0 is 0."""

    @overload
    def remainder(self, other: _Operand) -> ArrayExpr:
        """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`."""
    @overload
    def remainder(self, other: _Number) -> ArrayExpr:
        """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`."""

    @overload
    def renorm(self, p: _Number, dim: builtins.int, maxnorm: _Number) -> ArrayExpr:
        """Shorten the slices along `dim` whose norm is larger than `maxnorm` to that norm."""
    @overload
    def renorm(self, p: _Number, *, axis: builtins.int, maxnorm: _Number) -> ArrayExpr:
        """Shorten the slices along `dim` whose norm is larger than `maxnorm` to that norm."""

    @overload
    def repeat(self, *repeats: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Repeat the whole array along each axis."""
    @overload
    def repeat(self, *, repeats: Sequence[builtins.int]) -> ArrayExpr:
        """Repeat the whole array along each axis."""

    @overload
    def repeat_interleave(self, repeats: _Operand, dim: builtins.int | None = None, *, output_size: builtins.int | None = None) -> ArrayExpr:
        """Repeat each element in place, by one number or by one number for each."""
    @overload
    def repeat_interleave(self, repeats: _Operand, *, axis: builtins.int | None = None, output_size: builtins.int | None = None) -> ArrayExpr:
        """Repeat each element in place, by one number or by one number for each."""
    @overload
    def repeat_interleave(self, repeats: builtins.int, dim: builtins.int | None = None, *, output_size: builtins.int | None = None) -> ArrayExpr:
        """Repeat each element in place, by one number or by one number for each."""
    @overload
    def repeat_interleave(self, repeats: builtins.int, *, axis: builtins.int | None = None, output_size: builtins.int | None = None) -> ArrayExpr:
        """Repeat each element in place, by one number or by one number for each."""

    def replace(self, query: Any, value: Any, map: builtins.bool = False, **_: Any) -> ArrayExpr | tuple[ArrayExpr, dict[ArrayExpr, ArrayExpr]]:
        """Return the formula with every part that a query finds replaced, operands first."""

    @property
    def requires_grad(self) -> Any:
        ...

    @overload
    def reshape(self, *shape: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Return the elements in another shape, in the same order; one length may be -1."""
    @overload
    def reshape(self, *, shape: Sequence[builtins.int]) -> ArrayExpr:
        """Return the elements in another shape, in the same order; one length may be -1."""

    def reshape_as(self, other: _Operand) -> ArrayExpr:
        """Reshape to the shape of `other`."""

    def resize(self, *sizes: Any) -> ArrayExpr:
        """Return the elements in another shape, with a warning: the name is an old one of `view`."""

    def resize_as(self, tensor: _Operand) -> ArrayExpr:
        """Return the elements in the shape of a tensor, with a warning: the name is an old one."""

    def resolve_conj(self) -> ArrayExpr:
        """Return `input`, of which every conjugation has been computed."""

    def resolve_neg(self) -> ArrayExpr:
        """Return `input`, of which every negation has been computed."""

    def roll(self, shifts: builtins.int | Sequence[builtins.int], dims: builtins.int | Sequence[builtins.int] = ...) -> ArrayExpr:
        """Move the elements along axes, or through the flattened array where none are given."""

    def rot90(self, k: builtins.int = 1, dims: Sequence[builtins.int] = ...) -> ArrayExpr:
        """Rotate by `k` quarter turns in the plane of two axes, from the first towards the second."""

    @overload
    def round(self) -> ArrayExpr:
        """Round to the nearest multiple of `10**-decimals`, halves to even."""
    @overload
    def round(self, *, decimals: builtins.int) -> ArrayExpr:
        """Round to the nearest multiple of `10**-decimals`, halves to even."""

    def rsqrt(self) -> ArrayExpr:
        """Return `1 / sqrt(x)` of each element of `input`."""

    @overload
    def rsub(self, other: _Operand, *, alpha: _Number = 1) -> ArrayExpr:
        """Return `other - alpha * input`, broadcast."""
    @overload
    def rsub(self, other: _Number, alpha: _Number = 1) -> ArrayExpr:
        """Return `other - alpha * input`, broadcast."""

    @overload
    def scatter(self, dim: builtins.int, index: _Operand, src: _Operand) -> ArrayExpr:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, *, axis: builtins.int, index: _Operand, src: _Operand) -> ArrayExpr:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, dim: builtins.int, index: _Operand, src: _Operand, *, reduce: builtins.str) -> ArrayExpr:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, *, axis: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str) -> ArrayExpr:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, dim: builtins.int, index: _Operand, value: _Number) -> ArrayExpr:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, *, axis: builtins.int, index: _Operand, value: _Number) -> ArrayExpr:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, dim: builtins.int, index: _Operand, value: _Number, *, reduce: builtins.str) -> ArrayExpr:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""
    @overload
    def scatter(self, *, axis: builtins.int, index: _Operand, value: _Number, reduce: builtins.str) -> ArrayExpr:
        """Write elements along an axis: `result[index[i][j]][j] = src[i][j]` for `dim=0`."""

    @overload
    def scatter_add(self, dim: builtins.int, index: _Operand, src: _Operand) -> ArrayExpr:
        """Add elements along an axis: `result[index[i][j]][j] += src[i][j]` for `dim=0`."""
    @overload
    def scatter_add(self, *, axis: builtins.int, index: _Operand, src: _Operand) -> ArrayExpr:
        """Add elements along an axis: `result[index[i][j]][j] += src[i][j]` for `dim=0`."""

    @overload
    def scatter_reduce(self, dim: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str, *, include_self: builtins.bool = True) -> ArrayExpr:
        """Reduce the elements of `src` that `index` sends to the same place along an axis."""
    @overload
    def scatter_reduce(self, *, axis: builtins.int, index: _Operand, src: _Operand, reduce: builtins.str, include_self: builtins.bool = True) -> ArrayExpr:
        """Reduce the elements of `src` that `index` sends to the same place along an axis."""

    @overload
    def select(self, dim: builtins.int, index: builtins.int) -> ArrayExpr:
        """Return the slice at `index` of an axis; a view."""
    @overload
    def select(self, *, axis: builtins.int, index: builtins.int) -> ArrayExpr:
        """Return the slice at `index` of an axis; a view."""

    @overload
    def select_scatter(self, src: _Operand, dim: builtins.int, index: builtins.int) -> ArrayExpr:
        """Return `input` with `src` at `index` of an axis."""
    @overload
    def select_scatter(self, src: _Operand, *, axis: builtins.int, index: builtins.int) -> ArrayExpr:
        """Return `input` with `src` at `index` of an axis."""

    def sgn(self) -> ArrayExpr:
        """Return the sign `x / |x|` of each element of `input`, and 0 of 0."""

    def short(self, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to int16."""

    def sigmoid(self) -> ArrayExpr:
        """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

    def sign(self) -> ArrayExpr:
        """Return -1, 0 or 1 for each element of `input`; the derivative is zero, also at 0."""

    def signbit(self) -> ArrayExpr:
        """Return where the sign of `input` is minus, also that of a zero."""

    def simplify(self, **options: Any) -> ArrayExpr:
        """Return what SymPy makes of the scalar form, as a formula of the same leaves."""

    def sin(self) -> ArrayExpr:
        """Return the sine of each element of `input`, in radians."""

    def sinc(self) -> ArrayExpr:
        """Return `sin(pi*x) / (pi*x)` of each element of `input`, and 1 of 0."""

    def sinh(self) -> ArrayExpr:
        """Return the hyperbolic sine of each element of `input`."""

    def sized(self, **sizes: builtins.int) -> ArrayExpr:
        """Return the formula where sizes that are names are numbers."""

    @overload
    def slice_scatter(self, src: _Operand, dim: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1) -> ArrayExpr:
        """Return `input` with `src` at a slice of an axis."""
    @overload
    def slice_scatter(self, src: _Operand, *, axis: builtins.int = 0, start: builtins.int | None = None, end: builtins.int | None = None, step: builtins.int = 1) -> ArrayExpr:
        """Return `input` with `src` at a slice of an axis."""

    def slogdet(self) -> _return_types.slogdet[ArrayExpr]:
        """Return the sign and the logarithm of the modulus of determinants, as `linalg.slogdet` does."""

    @overload
    def softmax(self, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return exponentials divided by their sum along `dim`, without overflow."""
    @overload
    def softmax(self, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return exponentials divided by their sum along `dim`, without overflow."""

    @overload
    def sort(self, *, stable: builtins.bool | None, dim: builtins.int = -1, descending: builtins.bool = False) -> _return_types.sort[ArrayExpr]:
        """Return the elements along `dim` in order, and where they stood."""
    @overload
    def sort(self, *, stable: builtins.bool | None, axis: builtins.int = -1, descending: builtins.bool = False) -> _return_types.sort[ArrayExpr]:
        """Return the elements along `dim` in order, and where they stood."""
    @overload
    def sort(self, dim: builtins.int = -1, descending: builtins.bool = False) -> _return_types.sort[ArrayExpr]:
        """Return the elements along `dim` in order, and where they stood."""
    @overload
    def sort(self, *, axis: builtins.int = -1, descending: builtins.bool = False) -> _return_types.sort[ArrayExpr]:
        """Return the elements along `dim` in order, and where they stood."""

    def sort_key(self, order: Any = None) -> Any:
        ...

    def source(self, name: str = 'f', inputs: Iterable[Any] | None = None) -> str:
        """Return the source of a function of the leaves that computes the expression."""

    def split(self, split_size: builtins.int | Sequence[builtins.int], dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take the tensor apart along an axis, into pieces of one length or of given lengths."""

    @overload
    def split_with_sizes(self, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart along an axis into pieces of given lengths."""
    @overload
    def split_with_sizes(self, split_sizes: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart along an axis into pieces of given lengths."""

    def sqrt(self) -> ArrayExpr:
        """Return the square root of each element of `input`; nan of negative numbers."""

    def square(self) -> ArrayExpr:
        """Return the square of each element of `input`."""

    @overload
    def squeeze(self) -> ArrayExpr:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, dim: builtins.int) -> ArrayExpr:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, *, axis: builtins.int) -> ArrayExpr:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, *dim: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, *, dim: Sequence[builtins.int]) -> ArrayExpr:
        """Drop axes of length one: all, or those given."""
    @overload
    def squeeze(self, *, axis: Sequence[builtins.int]) -> ArrayExpr:
        """Drop axes of length one: all, or those given."""

    @overload
    def std(self, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
    @overload
    def std(self, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
    @overload
    def std(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
    @overload
    def std(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""
    @overload
    def std(self, unbiased: builtins.bool = True) -> ArrayExpr:
        """Return the standard deviation over axes; its gradient at a constant is 0. As `var`."""

    @overload
    def std_mean(self, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
    @overload
    def std_mean(self, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
    @overload
    def std_mean(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
    @overload
    def std_mean(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""
    @overload
    def std_mean(self, unbiased: builtins.bool = True) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the standard deviation and the mean over axes, as `std` and `mean` do."""

    def stft(self, n_fft: builtins.int, hop_length: builtins.int | None = None, win_length: builtins.int | None = None, window: _Operand | None = None, center: builtins.bool = True, pad_mode: builtins.str = 'reflect', normalized: builtins.bool = False, onesided: builtins.bool | None = None, return_complex: builtins.bool | None = None, align_to_window: builtins.bool | None = None) -> ArrayExpr:
        """Return the Fourier transforms of the parts of a signal: of each frequency over time."""

    def sub(self, other: _Operand | _Number, *, alpha: _Number = 1) -> ArrayExpr:
        """Return `input - alpha * other`, broadcast."""

    def subs(self, *args: Any, simultaneous: builtins.bool = False, **_: Any) -> ArrayExpr:
        """Return the formula with parts replaced."""

    def subtract(self, other: _Operand | _Number, *, alpha: _Number = 1) -> ArrayExpr:
        """Return `input - alpha * other`, broadcast; `sub` under another name."""

    @overload
    def sum(self, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the sum over axes."""
    @overload
    def sum(self, dim: builtins.int | Sequence[builtins.int] | None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the sum over axes."""
    @overload
    def sum(self, *, axis: builtins.int | Sequence[builtins.int] | None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None) -> ArrayExpr:
        """Return the sum over axes."""

    @overload
    def sum_to(self, *size: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Sum over the axes along which `size` would be broadcast to the shape of `input`."""
    @overload
    def sum_to(self, *, size: Sequence[builtins.int]) -> ArrayExpr:
        """Sum over the axes along which `size` would be broadcast to the shape of `input`."""

    @overload
    def sum_to_size(self, *size: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Return the sum over the axes along which `size` would be broadcast to the present shape."""
    @overload
    def sum_to_size(self, *, size: Sequence[builtins.int]) -> ArrayExpr:
        """Return the sum over the axes along which `size` would be broadcast to the present shape."""

    def svd(self, some: builtins.bool = True, compute_uv: builtins.bool = True) -> _return_types.svd[ArrayExpr]:
        """Return U, S and V of `input = U @ diag(S) @ V.mH`; `linalg.svd` is the newer function."""

    def swapaxes(self, axis0: builtins.int, axis1: builtins.int) -> ArrayExpr:
        """Exchange two axes."""

    def swapdims(self, dim0: builtins.int, dim1: builtins.int) -> ArrayExpr:
        """Exchange two axes, as `transpose` does."""

    @property
    def symbols(self) -> dict[Leaf, sympy.Symbol]:
        """Return the symbols that stand for the leaves of a formula in `to_sympy`."""

    def t(self) -> ArrayExpr:
        """Return the transpose of a matrix; vectors and numbers are left as they are."""

    def take(self, index: _Operand) -> ArrayExpr:
        """Return elements by their position in the flattened array; negative ones from the end."""

    @overload
    def take_along_dim(self, indices: _Operand, dim: builtins.int | None = None) -> ArrayExpr:
        """Pick elements along an axis, broadcasting the others; without `dim` from the flat array."""
    @overload
    def take_along_dim(self, indices: _Operand, *, axis: builtins.int | None = None) -> ArrayExpr:
        """Pick elements along an axis, broadcasting the others; without `dim` from the flat array."""

    def tan(self) -> ArrayExpr:
        """Return the tangent of each element of `input`, in radians."""

    def tanh(self) -> ArrayExpr:
        """Return the hyperbolic tangent of each element of `input`."""

    @overload
    def tensor_split(self, indices: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, indices: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, tensor_indices_or_sections: _Operand, dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, tensor_indices_or_sections: _Operand, *, axis: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, sections: builtins.int, dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""
    @overload
    def tensor_split(self, sections: builtins.int, *, axis: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Take an array apart into nearly equal pieces, or at given places."""

    @overload
    def tile(self, *dims: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Repeat the whole array; leading axes that are not named are not repeated."""
    @overload
    def tile(self, *, dims: Sequence[builtins.int]) -> ArrayExpr:
        """Repeat the whole array; leading axes that are not named are not repeated."""

    @overload
    def to(self, device: _device | builtins.str | builtins.int | None = None, dtype: _dtype | builtins.type[Any] | None = None, non_blocking: builtins.bool = False, copy: builtins.bool = False, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to the dtype given, or to that of another tensor."""
    @overload
    def to(self, dtype: _dtype | builtins.type[Any], non_blocking: builtins.bool = False, copy: builtins.bool = False, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to the dtype given, or to that of another tensor."""
    @overload
    def to(self, tensor: _Operand, non_blocking: builtins.bool = False, copy: builtins.bool = False, *, memory_format: Any = None) -> ArrayExpr:
        """Convert to the dtype given, or to that of another tensor."""

    def to_sympy(self, form: Any = 'scalar', symbols: Any = None, exact: builtins.bool = False, expand: builtins.bool = False) -> Any:
        """Return a formula in plain SymPy classes."""

    @overload
    def topk(self, k: builtins.int, dim: builtins.int = -1, largest: builtins.bool = True, sorted: builtins.bool = True) -> _return_types.topk[ArrayExpr]:
        """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand."""
    @overload
    def topk(self, k: builtins.int, *, axis: builtins.int = -1, largest: builtins.bool = True, sorted: builtins.bool = True) -> _return_types.topk[ArrayExpr]:
        """Return the `k` largest (or smallest) elements along `dim` in order, and where they stand."""

    def trace(self) -> ArrayExpr:
        """Return the sum of the diagonal of a matrix."""

    def transpose(self, dim0: builtins.int, dim1: builtins.int) -> ArrayExpr:
        """Exchange two axes."""

    def triangular_solve(self, A: _Operand, upper: builtins.bool = True, transpose: builtins.bool = False, unitriangular: builtins.bool = False) -> _return_types.triangular_solve[ArrayExpr]:
        """Return the solution X of `A X = input` for triangular matrices A, and A."""

    def tril(self, diagonal: builtins.int = 0) -> ArrayExpr:
        """Return the lower triangle of the last two axes, up to `diagonal` above the main one."""

    def triu(self, diagonal: builtins.int = 0) -> ArrayExpr:
        """Return the upper triangle of the last two axes, from `diagonal` above the main one."""

    def true_divide(self, other: _Operand | _Number) -> ArrayExpr:
        """Return `input / other`, broadcast."""

    def trunc(self) -> ArrayExpr:
        """Return each element of `input` without its fraction; the derivative is zero."""

    @overload
    def type(self) -> builtins.str:
        """Convert to a dtype or tensor type; without one return the name of the present type."""
    @overload
    def type(self, dtype: Any, non_blocking: builtins.bool = False) -> ArrayExpr:
        """Convert to a dtype or tensor type; without one return the name of the present type."""

    def type_as(self, other: _Operand) -> ArrayExpr:
        """Convert to the dtype of `other`."""

    @overload
    def unbind(self, dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Return the slices along an axis, without that axis."""
    @overload
    def unbind(self, *, axis: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Return the slices along an axis, without that axis."""

    @overload
    def unflatten(self, dim: builtins.int, sizes: Sequence[builtins.int]) -> ArrayExpr:
        """Split one axis into several; one length may be -1."""
    @overload
    def unflatten(self, *, axis: builtins.int, sizes: Sequence[builtins.int]) -> ArrayExpr:
        """Split one axis into several; one length may be -1."""

    def unfold(self, dimension: builtins.int, size: builtins.int, step: builtins.int) -> ArrayExpr:
        """Return windows along an axis as a new last axis; a view."""

    def unique(self, sorted: builtins.bool = True, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, dim: builtins.int | None = None) -> Any:
        """Return the distinct elements, or slices along an axis, in ascending order."""

    def unique_consecutive(self, return_inverse: builtins.bool = False, return_counts: builtins.bool = False, dim: builtins.int | None = None) -> Any:
        """Return the elements, or slices along an axis, without those that are equal to the one before."""

    @overload
    def unsafe_chunk(self, chunks: builtins.int, dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Return what `chunk` does, each piece as if it had memory of its own."""
    @overload
    def unsafe_chunk(self, chunks: builtins.int, *, axis: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Return what `chunk` does, each piece as if it had memory of its own."""

    @overload
    def unsafe_split(self, split_size: builtins.int, dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Return what `split` does, each piece as if it had memory of its own."""
    @overload
    def unsafe_split(self, split_size: builtins.int, *, axis: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Return what `split` does, each piece as if it had memory of its own."""

    @overload
    def unsafe_split_with_sizes(self, split_sizes: Sequence[builtins.int], dim: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Return what `split_with_sizes` does, each piece as if it had memory of its own."""
    @overload
    def unsafe_split_with_sizes(self, split_sizes: Sequence[builtins.int], *, axis: builtins.int = 0) -> tuple[ArrayExpr, ...]:
        """Return what `split_with_sizes` does, each piece as if it had memory of its own."""

    @overload
    def unsqueeze(self, dim: builtins.int) -> ArrayExpr:
        """Add an axis of length one at `dim`."""
    @overload
    def unsqueeze(self, *, axis: builtins.int) -> ArrayExpr:
        """Add an axis of length one at `dim`."""

    @overload
    def var(self, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return the variance over axes."""
    @overload
    def var(self, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return the variance over axes."""
    @overload
    def var(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> ArrayExpr:
        """Return the variance over axes."""
    @overload
    def var(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> ArrayExpr:
        """Return the variance over axes."""
    @overload
    def var(self, unbiased: builtins.bool = True) -> ArrayExpr:
        """Return the variance over axes."""

    @overload
    def var_mean(self, dim: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdim: builtins.bool = False) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""
    @overload
    def var_mean(self, *, axis: builtins.int | Sequence[builtins.int] | None, unbiased: builtins.bool = True, keepdims: builtins.bool = False) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""
    @overload
    def var_mean(self, dim: builtins.int | Sequence[builtins.int] | None = None, *, correction: _Number | None = None, keepdim: builtins.bool = False) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""
    @overload
    def var_mean(self, *, axis: builtins.int | Sequence[builtins.int] | None = None, correction: _Number | None = None, keepdims: builtins.bool = False) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""
    @overload
    def var_mean(self, unbiased: builtins.bool = True) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the variance and the mean over axes, as `var` and `mean` do."""

    def vdot(self, other: _Operand) -> ArrayExpr:
        """Return the dot product of the conjugate of a vector with another one."""

    @overload
    def view(self, dtype: _dtype | builtins.type[Any]) -> ArrayExpr:
        """Return the elements in another shape, sharing memory."""
    @overload
    def view(self, *size: builtins.int | Sequence[builtins.int]) -> ArrayExpr:
        """Return the elements in another shape, sharing memory."""
    @overload
    def view(self, *, size: Sequence[builtins.int]) -> ArrayExpr:
        """Return the elements in another shape, sharing memory."""

    def view_as(self, other: _Operand) -> ArrayExpr:
        """Return a view in the shape of `other`."""

    @overload
    def vsplit(self, sections: builtins.int) -> tuple[ArrayExpr, ...]:
        """Take an array apart along its first axis."""
    @overload
    def vsplit(self, *indices: builtins.int | Sequence[builtins.int]) -> tuple[ArrayExpr, ...]:
        """Take an array apart along its first axis."""
    @overload
    def vsplit(self, *, indices: Sequence[builtins.int]) -> tuple[ArrayExpr, ...]:
        """Take an array apart along its first axis."""

    @overload
    def where(self, condition: _Operand, other: _Operand) -> ArrayExpr:
        """Keep the elements where `condition` holds; take `other` elsewhere."""
    @overload
    def where(self, condition: _Operand, other: _Number) -> ArrayExpr:
        """Keep the elements where `condition` holds; take `other` elsewhere."""

    @overload
    def xlogy(self, other: _Operand) -> ArrayExpr:
        """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""
    @overload
    def xlogy(self, other: _Number) -> ArrayExpr:
        """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""

    def xreplace(self, rule: Mapping[Any, Any]) -> ArrayExpr:
        """Return the formula with the nodes of a mapping replaced, all at once."""
