"""The functions of `symgrad.masked`, declared.

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
    "amax",
    "amin",
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "log_softmax",
    "logaddexp",
    "logsumexp",
    "mean",
    "median",
    "norm",
    "normalize",
    "prod",
    "softmax",
    "softmin",
    "std",
    "sum",
    "var",
]

def amax(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the largest of the elements that the mask keeps; of none the least number of the dtype."""

def amin(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the smallest of the elements that the mask keeps; of none the greatest number of the dtype."""

def argmax(input: _T, dim: builtins.int | None = None, *, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return where the largest of the elements that the mask keeps stands."""

def argmin(input: _T, dim: builtins.int | None = None, *, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return where the smallest of the elements that the mask keeps stands."""

def cumprod(input: _T, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return running products of the elements that the mask keeps."""

def cumsum(input: _T, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return running sums of the elements that the mask keeps."""

def log_softmax(input: _T, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the logarithms of what `masked.softmax` gives."""

def logaddexp(input: _T, other: _Operand, *, dtype: _dtype | builtins.type[Any] | None = None, input_mask: _Operand | None = None, other_mask: _Operand | None = None) -> _T:
    """Return the logarithm of the sum of the exponentials of those of two elements that are kept."""

def logsumexp(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, keepdim: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the logarithm of the sum of the exponentials of the elements that the mask keeps."""

def mean(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the mean of the elements that the mask keeps; of none of them nan."""

def median(input: _T, dim: builtins.int = -1, *, keepdim: builtins.bool = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the lower median of the elements that the mask keeps; of none of them nan."""

def norm(input: _T, ord: builtins.float | None = 2.0, dim: builtins.int | Sequence[builtins.int] | None = None, *, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the length of the vector of the elements that the mask keeps."""

def normalize(input: _T, ord: builtins.float, dim: builtins.int, *, eps: builtins.float = 1e-12, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the elements that the mask keeps, divided by their length along an axis; 0 for others."""

def prod(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the product of the elements that the mask keeps; of none of them 1."""

def softmax(input: _T, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the shares of the exponentials of the elements that the mask keeps; 0 for others."""

def softmin(input: _T, dim: builtins.int, *, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the shares of the exponentials of the negative elements that the mask keeps."""

def std(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, unbiased: builtins.bool | None = None, *, correction: _Number | None = None, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the standard deviation of the elements that the mask keeps."""

def sum(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, *, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the sum of the elements that the mask keeps; of none of them 0."""

def var(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None, unbiased: builtins.bool | None = None, *, correction: _Number | None = None, keepdim: builtins.bool | None = False, dtype: _dtype | builtins.type[Any] | None = None, mask: _Operand | None = None) -> _T:
    """Return the variance of the elements that the mask keeps."""
