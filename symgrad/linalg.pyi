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
    "det",
    "inv",
    "inv_ex",
    "norm",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "vector_norm",
]

def cholesky(input: _T, *, upper: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the lower triangular L of `A = L @ L.mH`, or the upper triangular `L.mH`."""

def cholesky_ex(input: _T, *, upper: builtins.bool = False, check_errors: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.linalg_cholesky_ex[_T]:
    """Return the factor L of `A = L @ L.mH`, and whether there is one."""

def det(A: _T, *, out: Tensor | None = None) -> _T:
    """Return the determinants of square matrices; leading axes count matrices."""

def inv(A: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverses of square matrices; leading axes count matrices."""

def inv_ex(A: _T, *, check_errors: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.linalg_inv_ex[_T]:
    """Return the inverses of square matrices, and for each whether there is one."""

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

def slogdet(A: _T, *, out: Sequence[Tensor] | None = None) -> _return_types.linalg_slogdet[_T]:
    """Return the sign and the logarithm of the modulus of the determinants of square matrices."""

def solve(A: _T, B: _Operand, *, left: builtins.bool = True, out: Tensor | None = None) -> _T:
    """Return the solution X of `A X = B`, or of `X A = B`; leading axes count equations."""

def solve_ex(A: _T, B: _Operand, *, left: builtins.bool = True, check_errors: builtins.bool = False, out: Sequence[Tensor] | None = None) -> _return_types.linalg_solve_ex[_T]:
    """Return the solution X of `A X = B`, or of `X A = B`, and where there is none."""

def solve_triangular(input: _T, B: _Operand, *, upper: builtins.bool, left: builtins.bool = True, unitriangular: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the solution X of `A X = B`, or of `X A = B`, for triangular matrices A."""

@overload
def vector_norm(input: _T, ord: _Number = 2, dim: builtins.int | Sequence[builtins.int] | None = None, keepdim: builtins.bool = False, *, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the p-norm of the elements, over all axes or some."""
@overload
def vector_norm(input: _T, ord: _Number = 2, *, axis: builtins.int | Sequence[builtins.int] | None = None, keepdims: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the p-norm of the elements, over all axes or some."""
