"""The functions of `symgrad.linalg`, declared.

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

from symgrad.ops.linear_algebra import LinAlgError as LinAlgError
__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "ldl_factor",
    "ldl_factor_ex",
    "ldl_solve",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]

def cholesky(input: _T, *, upper: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the lower triangular L of `A = L @ L.mH`, or the upper triangular `L.mH`."""

def cholesky_ex(input: _T, *, upper: builtins.bool = False, check_errors: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.linalg_cholesky_ex[_T]:
    """Return the factor L of `A = L @ L.mH`, and whether there is one."""

@overload
def cond(input: _T, p: _Number | None = None, *, out: Tensor | None = None) -> _T:
    """Return the condition numbers of matrices: how much a solution may grow an error."""
@overload
def cond(input: _T, p: builtins.str, *, out: Tensor | None = None) -> _T:
    """Return the condition numbers of matrices: how much a solution may grow an error."""

@overload
def cross(input: _T, other: _Operand, *, dim: builtins.int = -1, out: Tensor | None = None) -> _T:
    """Return the cross products of vectors of three elements along an axis."""
@overload
def cross(input: _T, other: _Operand, *, axis: builtins.int = -1, out: Tensor | None = None) -> _T:
    """Return the cross products of vectors of three elements along an axis."""

def det(A: _T, *, out: Tensor | None = None) -> _T:
    """Return the determinants of square matrices; leading axes count matrices."""

def diagonal(A: _T, *, offset: builtins.int = 0, dim1: builtins.int = -2, dim2: builtins.int = -1) -> _T:
    """Return a diagonal of two axes as a new last axis; a view, as `diagonal` gives."""

def eig(input: _T, *, out: Sequence[Tensor] | None = None) -> _return_types.linalg_eig[_T]:
    """Return the eigenvalues and eigenvectors of square matrices, which are complex."""

def eigh(input: _T, UPLO: builtins.str = 'L', *, out: Sequence[Tensor] | None = None) -> _return_types.linalg_eigh[_T]:
    """Return the eigenvalues and eigenvectors of Hermitian matrices; leading axes count matrices."""

def eigvals(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the eigenvalues of square matrices, which are complex, in no order."""

def eigvalsh(input: _T, UPLO: builtins.str = 'L', *, out: Tensor | None = None) -> _T:
    """Return the eigenvalues of Hermitian matrices, the smallest first."""

def householder_product(input: _T, tau: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the first columns of a product of reflections `1 - tau[i] * outer(v, v.conj())`."""

def inv(A: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverses of square matrices; leading axes count matrices."""

def inv_ex(A: _T, *, check_errors: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.linalg_inv_ex[_T]:
    """Return the inverses of square matrices, and for each whether there is one."""

def ldl_factor(input: _T, *, hermitian: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.linalg_ldl_factor[_T]:
    """Return the factors of symmetric matrices `L D L^T` in one matrix, and interchanges of rows."""

def ldl_factor_ex(input: _T, *, hermitian: builtins.bool = False, check_errors: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.linalg_ldl_factor_ex[_T]:
    """Return what `ldl_factor` does, and which block of D is zero."""

def ldl_solve(LD: _T, pivots: _Operand, B: _Operand, *, hermitian: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the solutions X of `A X = B`, given the factors of the symmetric matrices A."""

def lstsq(input: _T, b: _Operand, rcond: builtins.float | None = None, *, driver: builtins.str | None = None, out: Sequence[Tensor] | None = None) -> _return_types.linalg_lstsq[_T]:
    """Return the X for which the norm of `input @ X - b` is least, and of these the shortest."""

def lu(A: _T, *, pivot: builtins.bool = True, out: Sequence[Tensor] | None = None) -> _return_types.linalg_lu[_T]:
    """Return the factors of `A = P @ L @ U`: a permutation, and triangular matrices."""

def lu_factor(A: _T, *, pivot: builtins.bool = True, out: Sequence[Tensor] | None = None) -> _return_types.linalg_lu_factor[_T]:
    """Return the triangular factors of matrices in one matrix, and which rows were exchanged."""

def lu_factor_ex(A: _T, *, pivot: builtins.bool = True, check_errors: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.linalg_lu_factor_ex[_T]:
    """Return what `lu_factor` does, and which pivot is zero."""

def lu_solve(LU: _T, pivots: _Operand, B: _Operand, *, left: builtins.bool = True, adjoint: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the solution X of `A X = B`, or of `X A = B`, given the triangular factors of A."""

def matmul(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the product of matrices or vectors, as `matmul` does."""

def matrix_exp(input: _T) -> _T:
    """Return the exponentials of square matrices: `1 + A + A @ A / 2 + ...`."""

@overload
def matrix_norm(input: _T, ord: _Number, dim: Sequence[builtins.int] = ..., keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the norms of matrices."""
@overload
def matrix_norm(input: _T, ord: _Number, *, axis: Sequence[builtins.int] = ..., keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the norms of matrices."""
@overload
def matrix_norm(input: _T, ord: builtins.str = 'fro', dim: Sequence[builtins.int] = ..., keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the norms of matrices."""
@overload
def matrix_norm(input: _T, ord: builtins.str = 'fro', *, axis: Sequence[builtins.int] = ..., keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the norms of matrices."""

def matrix_power(input: _T, n: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return the n-th power of square matrices; of a negative n that of the inverses."""

@overload
def matrix_rank(input: _T, *, atol: _Operand | None = None, rtol: _Operand | None = None, hermitian: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return how many singular values of matrices are not zero."""
@overload
def matrix_rank(input: _T, *, atol: builtins.float | None = None, rtol: builtins.float | None = None, hermitian: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return how many singular values of matrices are not zero."""
@overload
def matrix_rank(input: _T, tol: _Operand, hermitian: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return how many singular values of matrices are not zero."""
@overload
def matrix_rank(input: _T, tol: builtins.float, hermitian: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return how many singular values of matrices are not zero."""

def multi_dot(tensors: Sequence[_T], *, out: Tensor | None = None) -> _T:
    """Return the product of two or more matrices, in the order that takes the fewest products."""

@overload
def norm(input: _T, ord: _Number | None = None, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return a norm of vectors, or of matrices where `ord` is given for two axes."""
@overload
def norm(input: _T, ord: _Number | None = None, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return a norm of vectors, or of matrices where `ord` is given for two axes."""
@overload
def norm(input: _T, ord: builtins.str, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return a norm of vectors, or of matrices where `ord` is given for two axes."""
@overload
def norm(input: _T, ord: builtins.str, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return a norm of vectors, or of matrices where `ord` is given for two axes."""

@overload
def pinv(input: _T, *, atol: _Operand | None = None, rtol: _Operand | None = None, hermitian: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the pseudo-inverses of matrices."""
@overload
def pinv(input: _T, *, atol: builtins.float | None = None, rtol: builtins.float | None = None, hermitian: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the pseudo-inverses of matrices."""
@overload
def pinv(input: _T, rcond: _Operand, hermitian: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the pseudo-inverses of matrices."""
@overload
def pinv(input: _T, rcond: builtins.float, hermitian: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the pseudo-inverses of matrices."""

def qr(A: _T, mode: builtins.str = 'reduced', *, out: Sequence[Tensor] | None = None) -> _return_types.linalg_qr[_T]:
    """Return the factors of `A = Q @ R`: orthonormal columns, and an upper triangular matrix."""

def slogdet(A: _T, *, out: Sequence[Tensor] | None = None) -> _return_types.linalg_slogdet[_T]:
    """Return the sign and the logarithm of the modulus of the determinants of square matrices."""

def solve(A: _T, B: _Operand, *, left: builtins.bool = True, out: Tensor | None = None) -> _T:
    """Return the solution X of `A X = B`, or of `X A = B`; leading axes count equations."""

def solve_ex(A: _T, B: _Operand, *, left: builtins.bool = True, check_errors: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.linalg_solve_ex[_T]:
    """Return the solution X of `A X = B`, or of `X A = B`, and where there is none."""

def solve_triangular(input: _T, B: _Operand, *, upper: builtins.bool, left: builtins.bool = True, unitriangular: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the solution X of `A X = B`, or of `X A = B`, for triangular matrices A."""

def svd(A: _T, full_matrices: builtins.bool = True, *, driver: builtins.str | None = None, out: Sequence[Tensor] | None = None) -> _return_types.linalg_svd[_T]:
    """Return the singular value decomposition `A = U @ diag(S) @ Vh`; leading axes count matrices."""

def svdvals(A: _T, *, driver: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the singular values of matrices, the largest first."""

def tensorinv(input: _T, ind: builtins.int = 2, *, out: Tensor | None = None) -> _T:
    """Return the inverse of the map that `tensordot` makes of a tensor."""

def tensorsolve(input: _T, other: _Operand, dims: Sequence[builtins.int] | None = None, *, out: Tensor | None = None) -> _T:
    """Return X such that `tensordot(input, X, X.ndim)` is `other`."""

def vander(x: _T, *, N: builtins.int | None = None) -> _T:
    """Return the matrices of Vandermonde: the powers 0, 1, 2 and so on of the elements."""

@overload
def vecdot(x: _T, y: _Operand, *, dim: builtins.int = -1, out: Tensor | None = None) -> _T:
    """Return the dot products of vectors along an axis, the first ones conjugated."""
@overload
def vecdot(x: _T, y: _Operand, *, axis: builtins.int = -1, out: Tensor | None = None) -> _T:
    """Return the dot products of vectors along an axis, the first ones conjugated."""

@overload
def vector_norm(input: _T, ord: _Number = 2, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the p-norm of the elements, over all axes or some."""
@overload
def vector_norm(input: _T, ord: _Number = 2, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the p-norm of the elements, over all axes or some."""
