"""The functions of `symgrad.fft`, declared.

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
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "hfft2",
    "hfftn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]

@overload
def fft(input: _T, n: builtins.int | None = None, dim: builtins.int = -1, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the discrete Fourier transform along an axis: `sum_k x[k] exp(-2 pi i j k / n)`."""
@overload
def fft(input: _T, n: builtins.int | None = None, *, axis: builtins.int = -1, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the discrete Fourier transform along an axis: `sum_k x[k] exp(-2 pi i j k / n)`."""

@overload
def fft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the discrete Fourier transform over two axes, by default the last two."""
@overload
def fft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the discrete Fourier transform over two axes, by default the last two."""

def fftfreq(n: builtins.int, d: builtins.float = 1.0, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the frequency of each entry of a spectrum: first 0 and those above, then those below."""

@overload
def fftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the discrete Fourier transform over several axes, by default all."""
@overload
def fftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the discrete Fourier transform over several axes, by default all."""

@overload
def fftshift(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None) -> _T:
    """Move the entry of frequency 0 from the start into the middle of each axis."""
@overload
def fftshift(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None = None) -> _T:
    """Move the entry of frequency 0 from the start into the middle of each axis."""

@overload
def hfft(input: _T, n: builtins.int | None = None, dim: builtins.int = -1, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the real transform of numbers of which the other half is conjugate."""
@overload
def hfft(input: _T, n: builtins.int | None = None, *, axis: builtins.int = -1, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the real transform of numbers of which the other half is conjugate."""

@overload
def hfft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the real transform over two axes of numbers of which the other half is conjugate."""
@overload
def hfft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the real transform over two axes of numbers of which the other half is conjugate."""

@overload
def hfftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the real transform of numbers of which the other half is conjugate, over all axes."""
@overload
def hfftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the real transform of numbers of which the other half is conjugate, over all axes."""

@overload
def ifft(input: _T, n: builtins.int | None = None, dim: builtins.int = -1, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the inverse discrete Fourier transform along an axis."""
@overload
def ifft(input: _T, n: builtins.int | None = None, *, axis: builtins.int = -1, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the inverse discrete Fourier transform along an axis."""

@overload
def ifft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the inverse discrete Fourier transform over two axes, by default the last two."""
@overload
def ifft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the inverse discrete Fourier transform over two axes, by default the last two."""

@overload
def ifftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the inverse discrete Fourier transform over several axes, by default all."""
@overload
def ifftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the inverse discrete Fourier transform over several axes, by default all."""

@overload
def ifftshift(input: _T, dim: builtins.int | Sequence[builtins.int] | None = None) -> _T:
    """Move the entry in the middle of each axis to the start, as `fftshift` had it before."""
@overload
def ifftshift(input: _T, *, axis: builtins.int | Sequence[builtins.int] | None = None) -> _T:
    """Move the entry in the middle of each axis to the start, as `fftshift` had it before."""

@overload
def ihfft(input: _T, n: builtins.int | None = None, dim: builtins.int = -1, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return half of the inverse transform of real numbers, of which `hfft` gives them back."""
@overload
def ihfft(input: _T, n: builtins.int | None = None, *, axis: builtins.int = -1, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return half of the inverse transform of real numbers, of which `hfft` gives them back."""

@overload
def ihfft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return half of the inverse transform of real numbers over two axes."""
@overload
def ihfft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return half of the inverse transform of real numbers over two axes."""

@overload
def ihfftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return half of the inverse transform of real numbers over several axes, by default all."""
@overload
def ihfftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return half of the inverse transform of real numbers over several axes, by default all."""

@overload
def irfft(input: _T, n: builtins.int | None = None, dim: builtins.int = -1, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the real numbers whose half of a spectrum, as `rfft` gives it, is `input`."""
@overload
def irfft(input: _T, n: builtins.int | None = None, *, axis: builtins.int = -1, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the real numbers whose half of a spectrum, as `rfft` gives it, is `input`."""

@overload
def irfft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the real numbers whose half of a spectrum over two axes is `input`."""
@overload
def irfft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the real numbers whose half of a spectrum over two axes is `input`."""

@overload
def irfftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the real numbers whose half of a spectrum over several axes is `input`."""
@overload
def irfftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the real numbers whose half of a spectrum over several axes is `input`."""

@overload
def rfft(input: _T, n: builtins.int | None = None, dim: builtins.int = -1, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return the half of the spectrum of real numbers that says the whole: `n // 2 + 1` entries."""
@overload
def rfft(input: _T, n: builtins.int | None = None, *, axis: builtins.int = -1, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return the half of the spectrum of real numbers that says the whole: `n // 2 + 1` entries."""

@overload
def rfft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return half of the spectrum of real numbers over two axes, by default the last two."""
@overload
def rfft2(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] = ..., norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return half of the spectrum of real numbers over two axes, by default the last two."""

def rfftfreq(n: builtins.int, d: builtins.float = 1.0, *, out: Tensor | None = None, dtype: _dtype | builtins.type[Any] | None = None, layout: _layout | None = None, device: _device | builtins.str | builtins.int | None = None, pin_memory: builtins.bool | None = False, requires_grad: builtins.bool | None = False) -> Tensor:
    """Return the frequency of each entry of half a spectrum, as `rfft` gives it."""

@overload
def rfftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, dim: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, *, out: Tensor | None = None) -> _T:
    """Return half of the spectrum of real numbers over several axes, by default all."""
@overload
def rfftn(input: _T, s: builtins.int | Sequence[builtins.int] | None = None, *, axis: builtins.int | Sequence[builtins.int] | None = None, norm: builtins.str | None = None, out: Tensor | None = None) -> _T:
    """Return half of the spectrum of real numbers over several axes, by default all."""
