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
    "airy",
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "beta",
    "betainc",
    "betaincc",
    "betainccinv",
    "betaincinv",
    "betaln",
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "dawsn",
    "digamma",
    "ellipe",
    "ellipeinc",
    "ellipk",
    "ellipkinc",
    "ellipkm1",
    "entr",
    "erf",
    "erfc",
    "erfcx",
    "erfinv",
    "eval_chebyt",
    "eval_chebyu",
    "eval_gegenbauer",
    "eval_genlaguerre",
    "eval_hermite",
    "eval_hermitenorm",
    "eval_jacobi",
    "eval_laguerre",
    "eval_legendre",
    "eval_sh_chebyt",
    "eval_sh_chebyu",
    "eval_sh_legendre",
    "exp1",
    "exp2",
    "expi",
    "expit",
    "expm1",
    "expn",
    "fresnel",
    "gammainc",
    "gammaincc",
    "gammainccinv",
    "gammaincinv",
    "gammaln",
    "hankel1",
    "hankel1e",
    "hankel2",
    "hankel2e",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "hyp0f1",
    "hyp1f1",
    "hyp2f1",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "iv",
    "ive",
    "ivp",
    "jv",
    "jvp",
    "kl_div",
    "kv",
    "kve",
    "kvp",
    "laguerre_polynomial_l",
    "lambertw",
    "legendre_polynomial_p",
    "log1p",
    "log_ndtr",
    "log_softmax",
    "loggamma",
    "logit",
    "logsumexp",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "modstruve",
    "multigammaln",
    "ndtr",
    "ndtri",
    "polygamma",
    "psi",
    "rel_entr",
    "round",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "shichi",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
    "sici",
    "sinc",
    "softmax",
    "spence",
    "spherical_bessel_j0",
    "spherical_in",
    "spherical_jn",
    "spherical_kn",
    "spherical_yn",
    "struve",
    "xlog1py",
    "xlogy",
    "yv",
    "yvp",
    "zeta",
]

def airy(z: _T) -> tuple[_T, _T, _T, _T]:
    """Return the Airy functions Ai and Bi and their derivatives at each `z`."""

def airy_ai(x: _T, *, out: Tensor | None = None) -> _T:
    """Return the Airy function Ai of each element of `x`."""

def bessel_j0(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the Bessel function of the first kind of order 0 of each element of `x`."""

def bessel_j1(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the Bessel function of the first kind of order 1 of each element of `x`."""

def bessel_y0(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the Bessel function of the second kind of order 0 of each element of `x`."""

def bessel_y1(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the Bessel function of the second kind of order 1 of each element of `x`."""

def beta(a: _T, b: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the beta function `gamma(a) * gamma(b) / gamma(a + b)`."""

def betainc(a: _T, b: _Operand | _Number, x: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the regularized incomplete beta function of `a` and `b`, up to each `x` from 0 to 1."""

def betaincc(a: _T, b: _Operand | _Number, x: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `1 - betainc(a, b, x)`, accurate where that is small."""

def betainccinv(a: _T, b: _Operand | _Number, y: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the number `x` for which `betaincc(a, b, x)` is `y`."""

def betaincinv(a: _T, b: _Operand | _Number, y: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the number `x` for which `betainc(a, b, x)` is `y`."""

def betaln(a: _T, b: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the absolute value of the beta function of `a` and `b`."""

@overload
def chebyshev_polynomial_t(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the first kind, of degree `n`, at each element of `x`."""
@overload
def chebyshev_polynomial_t(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the first kind, of degree `n`, at each element of `x`."""
@overload
def chebyshev_polynomial_t(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the first kind, of degree `n`, at each element of `x`."""

@overload
def chebyshev_polynomial_u(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the second kind, of degree `n`, at each element of `x`."""
@overload
def chebyshev_polynomial_u(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the second kind, of degree `n`, at each element of `x`."""
@overload
def chebyshev_polynomial_u(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the second kind, of degree `n`, at each element of `x`."""

@overload
def chebyshev_polynomial_v(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the third kind, of degree `n`, at each element of `x`."""
@overload
def chebyshev_polynomial_v(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the third kind, of degree `n`, at each element of `x`."""
@overload
def chebyshev_polynomial_v(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the third kind, of degree `n`, at each element of `x`."""

@overload
def chebyshev_polynomial_w(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the fourth kind, of degree `n`, at each element of `x`."""
@overload
def chebyshev_polynomial_w(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the fourth kind, of degree `n`, at each element of `x`."""
@overload
def chebyshev_polynomial_w(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the Chebyshev polynomial of the fourth kind, of degree `n`, at each element of `x`."""

def dawsn(x: _T, *, out: Tensor | None = None) -> _T:
    """Return Dawson's integral of each `x`: `exp(-x**2)` times that of `exp(t**2)` from 0."""

def digamma(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the derivative of `lgamma` at each element of `input`; nan at negative integers."""

def ellipe(m: _T, *, out: Tensor | None = None) -> _T:
    """Return the complete elliptic integral of the second kind of each parameter `m`; nan right of 1."""

def ellipeinc(phi: _T, m: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the elliptic integral of the second kind up to `phi`, of the parameter `m`."""

def ellipk(m: _T, *, out: Tensor | None = None) -> _T:
    """Return the complete elliptic integral of the first kind of each parameter `m`; nan right of 1."""

def ellipkinc(phi: _T, m: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the elliptic integral of the first kind up to `phi`, of the parameter `m`."""

def ellipkm1(p: _T, *, out: Tensor | None = None) -> _T:
    """Return the complete elliptic integral of the first kind of `1 - p`, accurate where `p` is small."""

def entr(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `-x * log(x)` of each element of `input`: 0 at 0, and -inf below."""

def erf(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the error function of each element of `input`."""

def erfc(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `1 - erf` of each element of `input`, accurate where that is small."""

def erfcx(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `exp(x**2) * erfc(x)` of each element of `input`."""

def erfinv(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse of the error function of each element of `input`; nan outside [-1, 1]."""

def eval_chebyt(n: _T, x: _Operand | _Number) -> _T:
    """Return the first Chebyshev polynomial of degree `n` at each `x`."""

def eval_chebyu(n: _T, x: _Operand | _Number) -> _T:
    """Return the second Chebyshev polynomial of degree `n` at each `x`."""

def eval_gegenbauer(n: _T, alpha: _Operand | _Number, x: _Operand | _Number) -> _T:
    """Return the Gegenbauer polynomial of degree `n` at each `x`."""

def eval_genlaguerre(n: _T, alpha: _Operand | _Number, x: _Operand | _Number) -> _T:
    """Return the generalized Laguerre polynomial of degree `n` at each `x`."""

def eval_hermite(n: _T, x: _Operand | _Number) -> _T:
    """Return the physicist's Hermite polynomial of degree `n` at each `x`."""

def eval_hermitenorm(n: _T, x: _Operand | _Number) -> _T:
    """Return the probabilist's Hermite polynomial of degree `n` at each `x`."""

def eval_jacobi(n: _T, alpha: _Operand | _Number, beta: _Operand | _Number, x: _Operand | _Number) -> _T:
    """Return the Jacobi polynomial of degree `n` at each `x`."""

def eval_laguerre(n: _T, x: _Operand | _Number) -> _T:
    """Return the Laguerre polynomial of degree `n` at each `x`."""

def eval_legendre(n: _T, x: _Operand | _Number) -> _T:
    """Return the Legendre polynomial of degree `n` at each `x`."""

def eval_sh_chebyt(n: _T, x: _Operand | _Number) -> _T:
    """Return the shifted first Chebyshev polynomial of degree `n` at each `x`."""

def eval_sh_chebyu(n: _T, x: _Operand | _Number) -> _T:
    """Return the shifted second Chebyshev polynomial of degree `n` at each `x`."""

def eval_sh_legendre(n: _T, x: _Operand | _Number) -> _T:
    """Return the shifted Legendre polynomial of degree `n` at each `x`."""

def exp1(x: _T, *, out: Tensor | None = None) -> _T:
    """Return the exponential integral E1, that of `exp(-t) / t` from each `x` on; nan below 0."""

def exp2(input: _T, *, out: Tensor | None = None) -> _T:
    """Return 2 to the power of each element of `input`."""

def expi(x: _T, *, out: Tensor | None = None) -> _T:
    """Return the exponential integral Ei, the integral of `exp(t) / t` up to each `x`."""

def expit(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`."""

def expm1(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `exp(x) - 1` of each element of `input`, accurate near 0."""

def expn(n: _T, x: _Operand | _Number) -> _T:
    """Return the exponential integral of order `n`, that of `exp(-x*t) / t**n` from 1 on; nan below 0."""

def fresnel(z: _T) -> tuple[_T, _T]:
    """Return the Fresnel integrals of each element of `z`."""

def gammainc(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the lower incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

def gammaincc(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the upper incomplete gamma function of order `input` at `other`, over `gamma(input)`."""

def gammainccinv(a: _T, y: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the number `x` for which `gammaincc(a, x)` is `y`."""

def gammaincinv(a: _T, y: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the number `x` for which `gammainc(a, x)` is `y`."""

def gammaln(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the absolute value of the gamma function of each element of `input`."""

def hankel1(v: _T, z: _Operand | _Number) -> _T:
    """Return the Hankel function `jv(v, z) + 1j*yv(v, z)`."""

def hankel1e(v: _T, z: _Operand | _Number) -> _T:
    """Return the Hankel function `hankel1(v, z) * exp(-1j*z)`."""

def hankel2(v: _T, z: _Operand | _Number) -> _T:
    """Return the Hankel function `jv(v, z) - 1j*yv(v, z)`."""

def hankel2e(v: _T, z: _Operand | _Number) -> _T:
    """Return the Hankel function `hankel2(v, z) * exp(1j*z)`."""

@overload
def hermite_polynomial_h(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the physicist's Hermite polynomial of degree `n` at each element of `x`."""
@overload
def hermite_polynomial_h(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the physicist's Hermite polynomial of degree `n` at each element of `x`."""
@overload
def hermite_polynomial_h(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the physicist's Hermite polynomial of degree `n` at each element of `x`."""

@overload
def hermite_polynomial_he(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the probabilist's Hermite polynomial of degree `n` at each element of `x`."""
@overload
def hermite_polynomial_he(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the probabilist's Hermite polynomial of degree `n` at each element of `x`."""
@overload
def hermite_polynomial_he(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the probabilist's Hermite polynomial of degree `n` at each element of `x`."""

def hyp0f1(v: _T, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the confluent hypergeometric limit function 0F1 of the parameter `v` at each `z`."""

def hyp1f1(a: _T, b: _Operand | _Number, x: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the confluent hypergeometric function 1F1 of the parameters `a` and `b` at each `x`."""

def hyp2f1(a: _T, b: _Operand | _Number, c: _Operand | _Number, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the hypergeometric function 2F1 of the parameters `a`, `b` and `c` at each `z`."""

def i0(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of order 0 of each element of `input`."""

def i0e(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `exp(-abs(x)) * i0(x)` of each element of `input`."""

def i1(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of order 1 of each element of `input`."""

def i1e(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `exp(-abs(x)) * i1(x)` of each element of `input`."""

def iv(v: _T, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of the first kind of the real order `v` at each `z`."""

def ive(v: _T, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `exp(-abs(z)) * iv(v, z)`."""

def ivp(v: _T, z: _Operand | _Number, n: builtins.int = 1) -> _T:
    """Return the derivative of order `n` of `iv` in its argument."""

def jv(v: _T, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the Bessel function of the first kind of the real order `v` at each `z`."""

def jvp(v: _T, z: _Operand | _Number, n: builtins.int = 1) -> _T:
    """Return the derivative of order `n` of `jv` in its argument."""

def kl_div(x: _T, y: _Operand | _Number) -> _T:
    """Return `x * log(x / y) - x + y`, the Kullback-Leibler divergence of each two elements."""

def kv(v: _T, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of the second kind of the real order `v` at each `z`."""

def kve(v: _T, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `exp(z) * kv(v, z)`."""

def kvp(v: _T, z: _Operand | _Number, n: builtins.int = 1) -> _T:
    """Return the derivative of order `n` of `kv` in its argument."""

@overload
def laguerre_polynomial_l(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the Laguerre polynomial of degree `n` at each element of `x`."""
@overload
def laguerre_polynomial_l(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the Laguerre polynomial of degree `n` at each element of `x`."""
@overload
def laguerre_polynomial_l(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the Laguerre polynomial of degree `n` at each element of `x`."""

def lambertw(z: _T, k: builtins.int = 0) -> _T:
    """Return a real branch of Lambert's W function, which solves `w * exp(w) = z`, at each `z`."""

@overload
def legendre_polynomial_p(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the Legendre polynomial of degree `n` at each element of `x`."""
@overload
def legendre_polynomial_p(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the Legendre polynomial of degree `n` at each element of `x`."""
@overload
def legendre_polynomial_p(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the Legendre polynomial of degree `n` at each element of `x`."""

def log1p(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `log(1 + x)` of each element of `input`, accurate near 0."""

def log_ndtr(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `log(ndtr(x))` of each element of `input`, without underflow."""

@overload
def log_softmax(input: _T, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of `softmax`, also where that is 0; see there."""
@overload
def log_softmax(input: _T, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return the logarithm of `softmax`, also where that is 0; see there."""

def loggamma(z: _T, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the gamma function of each element of `z`; nan below 0, as complex."""

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

def modified_bessel_i1(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of order 1 of each element of `input`."""

def modified_bessel_k0(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of the second kind of order 0 of each element of `input`."""

def modified_bessel_k1(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the modified Bessel function of the second kind of order 1 of each element of `input`."""

def modstruve(v: _T, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the modified Struve function of the real order `v` at each `z`."""

def multigammaln(input: _T, p: builtins.int, *, out: Tensor | None = None) -> _T:
    """Return the logarithm of the multivariate gamma function of dimension `p`."""

def ndtr(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the distribution function of the normal distribution at each element of `input`."""

def ndtri(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the inverse of `ndtr`, the quantile of the normal distribution; nan outside [0, 1]."""

def polygamma(n: builtins.int, input: _T, *, out: Tensor | None = None) -> _T:
    """Return the derivative of order `n` of `digamma` at each element of `input`."""

def psi(input: _T, *, out: Tensor | None = None) -> _T:
    """Return the derivative of `lgamma` at each element of `input`; nan at negative integers."""

def rel_entr(x: _T, y: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return `x * log(x / y)` of each two elements: 0 where `x` is 0, inf where one is negative."""

@overload
def round(input: _T, *, out: Tensor | None = None) -> _T:
    """Round to the nearest multiple of `10**-decimals`, halves to even."""
@overload
def round(input: _T, *, decimals: builtins.int, out: Tensor | None = None) -> _T:
    """Round to the nearest multiple of `10**-decimals`, halves to even."""

def scaled_modified_bessel_k0(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `exp(x) * modified_bessel_k0(x)` of each element of `x`."""

def scaled_modified_bessel_k1(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `exp(x) * modified_bessel_k1(x)` of each element of `x`."""

def shichi(x: _T) -> tuple[_T, _T]:
    """Return the hyperbolic sine integral and the hyperbolic cosine integral of each element of `x`."""

@overload
def shifted_chebyshev_polynomial_t(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the first Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""
@overload
def shifted_chebyshev_polynomial_t(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the first Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""
@overload
def shifted_chebyshev_polynomial_t(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the first Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""

@overload
def shifted_chebyshev_polynomial_u(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the second Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""
@overload
def shifted_chebyshev_polynomial_u(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the second Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""
@overload
def shifted_chebyshev_polynomial_u(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the second Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""

@overload
def shifted_chebyshev_polynomial_v(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the third Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""
@overload
def shifted_chebyshev_polynomial_v(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the third Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""
@overload
def shifted_chebyshev_polynomial_v(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the third Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""

@overload
def shifted_chebyshev_polynomial_w(x: _T, n: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the fourth Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""
@overload
def shifted_chebyshev_polynomial_w(x: _Number, n: _T, *, out: Tensor | None = None) -> _T:
    """Return the fourth Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""
@overload
def shifted_chebyshev_polynomial_w(x: _T, n: _Number, *, out: Tensor | None = None) -> _T:
    """Return the fourth Chebyshev polynomial of degree `n` at `2*x - 1` of each `x`."""

def sici(x: _T) -> tuple[_T, _T]:
    """Return the sine integral and the cosine integral of each element of `x`."""

def sinc(input: _T, *, out: Tensor | None = None) -> _T:
    """Return `sin(pi*x) / (pi*x)` of each element of `input`, and 1 of 0."""

@overload
def softmax(input: _T, dim: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, *, out: Tensor | None = None) -> _T:
    """Return exponentials divided by their sum along `dim`, without overflow."""
@overload
def softmax(input: _T, *, axis: builtins.int, dtype: _dtype | builtins.type[Any] | None = None, out: Tensor | None = None) -> _T:
    """Return exponentials divided by their sum along `dim`, without overflow."""

def spence(z: _T, *, out: Tensor | None = None) -> _T:
    """Return Spence's function of each `z`, the integral of `log(t) / (1 - t)` from 1; nan below 0."""

def spherical_bessel_j0(x: _T, *, out: Tensor | None = None) -> _T:
    """Return the spherical Bessel function of order 0, `sin(x) / x`, of each element of `x`."""

def spherical_in(n: _T, z: _Operand | _Number) -> _T:
    """Return the modified spherical Bessel function of the first kind of order `n` at each `z`."""

def spherical_jn(n: _T, z: _Operand | _Number) -> _T:
    """Return the spherical Bessel function of the first kind of order `n` at each `z`."""

def spherical_kn(n: _T, z: _Operand | _Number) -> _T:
    """Return the modified spherical Bessel function of the second kind of order `n` at each `z`."""

def spherical_yn(n: _T, z: _Operand | _Number) -> _T:
    """Return the spherical Bessel function of the second kind of order `n` at each `z`."""

def struve(v: _T, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the Struve function of the real order `v` at each `z`."""

@overload
def xlog1py(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input * log1p(other)`, and 0 where `input` is 0; the derivatives at (0, -1) are 0."""
@overload
def xlog1py(input: _Number, other: _T, *, out: Tensor | None = None) -> _T:
    """Return `input * log1p(other)`, and 0 where `input` is 0; the derivatives at (0, -1) are 0."""
@overload
def xlog1py(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input * log1p(other)`, and 0 where `input` is 0; the derivatives at (0, -1) are 0."""

@overload
def xlogy(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""
@overload
def xlogy(input: _Number, other: _T, *, out: Tensor | None = None) -> _T:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""
@overload
def xlogy(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0."""

def yv(v: _T, z: _Operand | _Number, *, out: Tensor | None = None) -> _T:
    """Return the Bessel function of the second kind of the real order `v` at each `z`."""

def yvp(v: _T, z: _Operand | _Number, n: builtins.int = 1) -> _T:
    """Return the derivative of order `n` of `yv` in its argument."""

@overload
def zeta(input: _T, other: _Operand, *, out: Tensor | None = None) -> _T:
    """Return the Hurwitz zeta function of the exponent `input` at each element of `other`."""
@overload
def zeta(input: _Number, other: _T, *, out: Tensor | None = None) -> _T:
    """Return the Hurwitz zeta function of the exponent `input` at each element of `other`."""
@overload
def zeta(input: _T, other: _Number, *, out: Tensor | None = None) -> _T:
    """Return the Hurwitz zeta function of the exponent `input` at each element of `other`."""
