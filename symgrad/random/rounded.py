"""Elementary functions with the rounding of PyTorch's vectorised kernels on x86-64.

The random streams (`symgrad.random.streams`) are PyTorch's bit for bit. They need fused
multiply-adds; the functions of the Cephes library (S. L. Moshier), with which PyTorch computes
normals of single precision; and the functions of the C library for normals of double precision.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[Any]
_F32: TypeAlias = npt.NDArray[np.float32]
_F64: TypeAlias = npt.NDArray[np.float64]

#: The number of elements computed at a time: a multiple of 16, small enough for the cache.
BLOCK = 1 << 14

# ------------------------------------------------------------------ exact arithmetic


def _two_sum(a: Array, b: Array | np.float64) -> tuple[_F64, _F64]:
    """Return ``a + b`` and its rounding error (Knuth, The Art of Computer Programming, 4.2.2)."""
    total: _F64 = a + b
    back = total - a
    error: _F64 = (a - (total - back)) + (b - back)
    return total, error


def _add_to_odd(a: _F64, b: _F64 | np.float64) -> _F64:
    """Return ``a + b`` rounded to odd, which a second rounding rounds as the exact sum."""
    total, error = _two_sum(a, b)
    bits = total.view(np.int64)
    # An inexact sum with an even significand moves one step towards the exact value, which is
    # away from zero exactly when the error has the sum's sign.
    step = np.where((error > 0) == (total > 0), 1, -1)
    bits += np.where((error != 0) & (bits & 1 == 0), step, 0)
    return total


def _split(a: Array | np.float64) -> tuple[Any, Any]:
    """Return two halves of 26 bits of which doubles are the sums (Veltkamp's splitting)."""
    scaled = a * np.float64(2**27 + 1)
    high = scaled - (scaled - a)
    return high, a - high


def _fma32(x: Array, scale: np.float32, shift: np.float32) -> Array:
    product = x.astype(np.float64) * np.float64(scale)  # exact
    return _add_to_odd(product, np.float64(shift)).astype(np.float32)


def _fma64(x: Array, scale: np.float64, shift: np.float64) -> Array:
    """Return ``x * scale + shift``, rounded once.

    The product is exact as a sum of two doubles (Dekker), and the sum of three is rounded once by
    rounding to odd: S. Boldo and G. Melquiond, "Emulation of a FMA and correctly rounded sums",
    IEEE Transactions on Computers 57, 2008.
    """
    product = x * scale
    (x_high, x_low), (s_high, s_low) = _split(x), _split(scale)
    error = ((x_high * s_high - product) + x_high * s_low + x_low * s_high) + x_low * s_low
    low, low_error = _two_sum(error, shift)
    total, total_error = _two_sum(product, low)
    return total + _add_to_odd(low_error, total_error)


def scale_and_shift(x: Array, scale: float, shift: float) -> None:
    """Replace a flat array by ``x * scale + shift``, rounded once as in a fused multiply-add."""
    exact = scale == 1 or shift == 0  # only one of the two operations rounds
    huge = not max(abs(float(scale)), abs(float(shift))) < 1e300  # or nan
    scale, shift = x.dtype.type(scale), x.dtype.type(shift)
    if exact or huge:
        x *= scale
        x += shift
        return
    fma: Callable[[Array, Any, Any], Array] = _fma32 if x.dtype == np.float32 else _fma64
    for start in range(0, x.size, BLOCK):
        block = x[start : start + BLOCK]
        block[...] = fma(block, scale, shift)


# ------------------------------------------------------------------ elementary functions

# Coefficients of the single-precision Cephes functions, as doubles that are exact floats.
_LOG_POLYNOMIAL, _LOG2_PARTS, _PI_4_PARTS, _SIN_POLYNOMIAL, _COS_POLYNOMIAL = (
    [float(np.float32(value)) for value in values]
    for values in (
        # log(1 + x) = x - x²/2 + x³ P(x)
        (
            7.0376836292e-2,
            -1.1514610310e-1,
            1.1676998740e-1,
            -1.2420140846e-1,
            1.4249322787e-1,
            -1.6668057665e-1,
            2.0000714765e-1,
            -2.4999993993e-1,
            3.3333331174e-1,
        ),
        # log 2 = high + low
        (0.693359375, -2.12194440e-4),
        # -π/4 in three parts
        (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8),
        # sin x = x + x³ P(x²),  cos x = 1 - x²/2 + x⁴ P(x²)
        (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1),
        (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2),
    )
)
_SQRT_HALF = np.float32(0.707106781186547524)
_FOUR_OVER_PI = np.float32(1.27323954473516)
_HALF, _ONE, _TWO = np.float32(0.5), np.float32(1), np.float32(2)


def _fused(a: _F32, b: _F64 | float, c: _F32 | float) -> _F32:
    """Return ``a * b + c`` in single precision; the product of two floats is exact in double.

    The sum is rounded twice. This could differ from a fused multiply-add in one of 2**30 cases; it
    does not for any of the 2**24 arguments with which the functions below are called.
    """
    result = a.astype(np.float64)
    result *= b
    result += c
    return result.astype(np.float32)


def _horner(coefficients: Sequence[float], x: _F64) -> _F32:
    result = np.full(x.shape, coefficients[0], np.float32)
    for coefficient in coefficients[1:]:
        result = _fused(result, x, coefficient)
    return result


def _log32(x: _F32) -> _F32:
    """Return the logarithm of normal positive floats."""
    mantissa, exponent = np.frexp(x)
    low = mantissa < _SQRT_HALF
    power = (exponent - low).astype(np.float32)
    x = np.where(low, mantissa + mantissa, mantissa) - _ONE
    x64 = x.astype(np.float64)
    square = x * x
    log2_high, log2_low = _LOG2_PARTS
    y = _horner(_LOG_POLYNOMIAL, x64) * x
    y = _fused(y, square.astype(np.float64), power * np.float32(log2_low))
    y -= square * _HALF
    return _fused(power, log2_high, x + y)


def _sincos32(x: _F32) -> tuple[_F32, _F32]:
    """Return the sine and cosine of non-negative floats."""
    octant = ((x * _FOUR_OVER_PI).astype(np.int32) + 1) & ~1
    quarter = octant.astype(np.float32)
    for part in _PI_4_PARTS:
        x = _fused(quarter, part, x)
    square = x * x
    square64 = square.astype(np.float64)
    cosine = _horner(_COS_POLYNOMIAL, square64) * square
    cosine = _fused(cosine, square64, -(square * _HALF)) + _ONE
    sine = _horner(_SIN_POLYNOMIAL, square64) * square
    sine = _fused(sine, x.astype(np.float64), x)
    swap = octant & 2 != 0
    sine, cosine = np.where(swap, cosine, sine), np.where(swap, sine, cosine)
    np.negative(sine, out=sine, where=octant & 4 != 0)
    np.negative(cosine, out=cosine, where=(octant - 2) & 4 == 0)
    return sine, cosine


# The intervals of the arguments of functions; sine and cosine have angles from 0 to 2π.
_PROBED = {
    "exp": (-50.0, 50.0),
    "log": (0.0, 1.0),
    "log1p": (-1.0, 0.0),
    "tan": (-math.pi / 2, math.pi / 2),
}


@functools.cache
def libm(name: str) -> Callable[[_F64], _F64]:
    """Return the C library's function of that name over arrays of doubles.

    Where NumPy uses wide vector instructions, its function differs in the last place. Then the
    function of the C library is called for each element.
    """
    ufunc: Callable[[_F64], _F64] = getattr(np, name)
    scalar: Callable[[float], float] = getattr(math, name)

    def mapped(x: _F64) -> _F64:
        return np.fromiter(map(scalar, x.ravel().tolist()), np.float64, x.size).reshape(x.shape)

    least, most = _PROBED.get(name, (0.0, 2 * math.pi))
    probe = np.random.RandomState(0).random_sample(4096)
    for points in (probe, least + (most - least) * probe):
        if not np.array_equal(ufunc(points), mapped(points)):
            return mapped
    return ufunc


def box_muller(pairs: Array) -> None:
    """Replace rows of 8 + 8 uniforms u and v by normals (floats or doubles).

    They are sqrt(-2 log(1 - u)) times cos(2πv) and sin(2πv): G. E. P. Box and M. E. Muller, Annals
    of Mathematical Statistics 29, 1958.
    """
    first = 1 - pairs[:, :8]  # in (0, 1], for the logarithm
    second = np.ascontiguousarray(pairs[:, 8:])
    radius: Array
    sine: Array
    cosine: Array
    if pairs.dtype == np.float32:
        radius = np.sqrt(-_TWO * _log32(first))
        sine, cosine = _sincos32(np.float32(2 * math.pi) * second)
    else:
        radius = np.sqrt(-2.0 * libm("log")(first))
        angle = 2 * math.pi * second
        sine, cosine = libm("sin")(angle), libm("cos")(angle)
    np.multiply(radius, cosine, out=pairs[:, :8])
    np.multiply(radius, sine, out=pairs[:, 8:])
