"""The functions of `symgrad.special`, declared.

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
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "exp2",
    "expit",
    "expm1",
    "gammainc",
    "gammaincc",
    "gammaln",
    "i0",
    "log1p",
    "log_softmax",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "multigammaln",
    "polygamma",
    "psi",
    "round",
    "sinc",
    "softmax",
    "xlogy",
]

def digamma(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the derivative of `lgamma` at each element of `input`; nan at negative integers."""

def erf(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the error function of each element of `input`."""

def erfc(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `1 - erf` of each element of `input`, accurate where that is small."""

def erfinv(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse of the error function of each element of `input`; nan outside [-1, 1]."""

def exp2(input: _T, *, out: Tensor | None = None) -> _T:
    """Return 2 to the power of each element of `input`."""

def expit(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

def expm1(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `exp(x) - 1` of each element of `input`, accurate near 0."""

def gammainc(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the lower incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

def gammaincc(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the upper incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

def gammaln(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the absolute value of the gamma function of each element of `input`."""

def i0(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of order 0 of each element of `input`."""

def log1p(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `log(1 + x)` of each element of `input`, accurate near 0."""

@overload
def log_softmax(input: _T, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of `softmax`, with full relative accuracy; see there."""
@overload
def log_softmax(input: _T, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the logarithm of `softmax`, with full relative accuracy; see there."""

def logit(input: _T, eps: builtins.float | None = None, *, out: Tensor | None = None) -> _T:
    """Return `log(x / (1 - x))` of each element of `input`; nan outside of [0, 1]."""

@overload
def logsumexp(input: _T, dim: builtins.int | Sequence[builtins.int], keepdim: builtins.bool = False, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the sum of exponentials over axes, without overflow."""
@overload
def logsumexp(input: _T, *, axis: builtins.int | Sequence[builtins.int], keepdims: builtins.bool = False, out: Tensor | None = None) -> _T:
    """Return the logarithm of the sum of exponentials over axes, without overflow."""

def modified_bessel_i0(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of order 0 of each element of `input`."""

def multigammaln(input: _T, p: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the multivariate gamma function of dimension `p`."""

def polygamma(n: builtins.int, input: _T, *, out: Tensor | None = None) -> _T:
    """Return the derivative of order `n` of `digamma` at each element of `input`."""

def psi(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the derivative of `lgamma` at each element of `input`; nan at negative integers."""

@overload
def round(input: _T, *, out: Tensor | None = None) -> _T:
    """Round to the nearest multiple of `10**-decimals`, halves to even."""
@overload
def round(input: _T, *, decimals: builtins.int, out: Tensor | None = None) -> _T:
    """Round to the nearest multiple of `10**-decimals`, halves to even."""

def sinc(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `sin(pi*x) / (pi*x)` of each element of `input`, and 1 of 0."""

@overload
def softmax(input: _T, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, *, out: Tensor | None = None) -> _T:
    """Return exponentials divided by their sum along `dim`, without overflow."""
@overload
def softmax(input: _T, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return exponentials divided by their sum along `dim`, without overflow."""

@overload
def xlogy(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""
@overload
def xlogy(input: _Number, other: _T, *, out: Tensor | None = None) -> _T:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""
@overload
def xlogy(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""
