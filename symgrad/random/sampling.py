"""Draws from further distributions, bit for bit those of PyTorch on a CPU.

Exponential, geometric, log-normal and Cauchy numbers are computed in double precision, from
uniforms or normals of the stream, and then rounded to their dtype. Integers without an upper bound
are words of the stream.

Some builds of PyTorch draw exponential numbers with Intel's MKL on some processors, which gives
other numbers. The numbers here are those of PyTorch's own generator.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.random.draw_types import (
    C_NAMES,
    check_integers,
    from_double,
    least_in,
    not_implemented,
)
from symgrad.random.rounded import libm, scale_and_shift
from symgrad.random.streams import Generator
from symgrad.support.quiet import quietly

Array: TypeAlias = npt.NDArray[Any]
_F64: TypeAlias = npt.NDArray[np.float64]

_CONTINUOUS = "distribution is a continuous probability distribution. dtype must be a floating"
_LARGEST_EXPONENT = math.log(sys.float_info.max)


def _uniforms(generator: Generator, shape: Sequence[int]) -> _F64:
    return generator.uniform((math.prod(shape),), np.float64)


def _log(values: _F64) -> _F64:
    """Return logarithms. The logarithm of zero is -inf; the function of Python would raise."""
    zero = values == 0
    found = libm("log")(np.where(zero, 1.0, values))
    found[zero] = -math.inf
    return found


def _exp(values: _F64) -> _F64:
    """Return exponentials. Those that overflow are inf; the function of Python would raise."""
    beyond = values > _LARGEST_EXPONENT
    found = libm("exp")(np.where(beyond, 0.0, values))
    found[beyond] = math.inf
    return found


def exponential(
    generator: Generator, shape: Sequence[int], dtype: npt.DTypeLike, rate: float = 1.0
) -> Array:
    """Draw from the exponential distribution, whose mean is ``1 / rate``.

    Parameters
    ----------
    generator
        The stream.
    shape
        The shape of the result.
    dtype
        A floating type.
    rate
        A positive number.

    Raises
    ------
    RuntimeError
        For another type, or a rate that is not positive.

    Examples
    --------
    >>> exponential(Generator(0), (3,), np.float64)
    array([3.50832619, 1.23038476, 0.61504409])
    """
    kind = np.dtype(dtype)
    if not rate > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate:g}")
    if not math.prod(shape):
        return np.empty(shape, kind)
    if kind.kind != "f":
        name = C_NAMES[kind.name][1]
        raise RuntimeError(f"Exponential {_CONTINUOUS} point but you specified {name}")
    values = -1.0 / rate * libm("log1p")(-_uniforms(generator, shape))
    return from_double(values, kind).reshape(shape)


def geometric(generator: Generator, shape: Sequence[int], dtype: npt.DTypeLike, p: float) -> Array:
    """Draw the number of trials up to the first success, which has probability `p` in each trial.

    Parameters
    ----------
    generator
        The stream.
    shape
        The shape of the result.
    dtype
        A floating or integer type. A short integer type contains the low bits of large numbers.
    p
        A number between 0 and 1, both excluded.

    Raises
    ------
    RuntimeError
        If `p` is outside these bounds.
    NotImplementedError
        For another type.

    Examples
    --------
    >>> geometric(Generator(0), (6,), np.int64, 0.3)
    array([1, 1, 3, 1, 2, 1])
    """
    kind = np.dtype(dtype)
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if not math.prod(shape):
        return np.empty(shape, kind)
    if kind.kind not in "fiu":
        raise not_implemented("geometric_cpu", kind)
    values = np.ceil(_log(_uniforms(generator, shape)) / math.log1p(-p))
    if kind.kind != "f":  # C++ first converts to an integer of 32 or 64 bits
        values = quietly(values.astype, np.int64 if kind.itemsize == 8 else np.int32)
    return _narrowed(values, kind).reshape(shape)


def _narrowed(values: Array, kind: np.dtype[Any]) -> Array:
    return from_double(values, kind) if kind.kind == "f" else values.astype(kind)


def log_normal(
    generator: Generator,
    shape: Sequence[int],
    dtype: npt.DTypeLike,
    mean: float = 1.0,
    std: float = 2.0,
) -> Array:
    """Draw numbers whose logarithm has the normal distribution.

    Parameters
    ----------
    generator
        The stream.
    shape
        The shape of the result.
    dtype
        A floating type.
    mean, std
        The mean and the standard deviation of the logarithm.

    Raises
    ------
    RuntimeError
        If `std` is not positive.
    NotImplementedError
        For another type.

    Examples
    --------
    >>> log_normal(Generator(0), (2,), np.float32)
    array([59.263416,  1.51156 ], dtype=float32)
    """
    kind = np.dtype(dtype)
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    if not math.prod(shape):
        return np.empty(shape, kind)
    if kind.kind != "f":
        raise not_implemented("log_normal_cpu", kind)
    normals = generator.normal((math.prod(shape),), np.float64, mean, std, contiguous=False)
    return from_double(_exp(normals), kind).reshape(shape)


def cauchy(
    generator: Generator,
    shape: Sequence[int],
    dtype: npt.DTypeLike,
    median: float = 0.0,
    scale: float = 1.0,
) -> Array:
    """Draw from the Cauchy distribution.

    Parameters
    ----------
    generator
        The stream.
    shape
        The shape of the result.
    dtype
        A floating type.
    median, scale
        The centre, and half the width between the quartiles.

    Raises
    ------
    RuntimeError
        For another type, or a scale that is not positive.

    Examples
    --------
    >>> cauchy(Generator(0), (2,), np.float64)
    array([10.59772933,  0.76476726])
    """
    kind = np.dtype(dtype)
    if not scale > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={scale:g}")
    if kind.kind != "f":
        name = C_NAMES[kind.name][0]
        raise RuntimeError(f"Cauchy {_CONTINUOUS} point but you specified {name}")
    values = libm("tan")(math.pi * (_uniforms(generator, shape) - 0.5))
    quietly(scale_and_shift, values, scale, median)
    return from_double(values, kind).reshape(shape)


# ------------------------------------------------------------------ integers without upper bound


def integers(generator: Generator, shape: Sequence[int], dtype: npt.DTypeLike) -> Array:
    """Draw integers from 0 to the greatest integer up to which a type has all integers.

    Parameters
    ----------
    generator
        The stream.
    shape
        The shape of the result.
    dtype
        A real type.

    Raises
    ------
    NotImplementedError
        For a complex type.

    Examples
    --------
    >>> integers(Generator(0), (3,), np.int8)
    array([ 44,  47, 117], dtype=int8)
    """
    kind = np.dtype(dtype)
    if not math.prod(shape):
        return np.empty(shape, kind)
    if kind.kind == "c":
        raise not_implemented("random_kernel_cpu", kind)
    bits = 64 if kind.itemsize == 8 else 32
    return generator.integers_above(0, _last(kind) + 1, shape, kind, bits=bits)


def integers_from(
    generator: Generator, low: int, shape: Sequence[int], dtype: npt.DTypeLike
) -> Array:
    """Draw integers from `low` to the greatest integer up to which a type has all integers.

    Parameters
    ----------
    generator
        The stream.
    low
        An integer of 64 bits. The least one means that all integers of 64 bits are drawn.
    shape
        The shape of the result.
    dtype
        A real type.

    Raises
    ------
    RuntimeError
        If the type does not have the number `low`, or is complex.

    Examples
    --------
    >>> integers_from(Generator(0), 100, (3,), np.int8)
    array([104, 103, 121], dtype=int8)
    """
    kind = np.dtype(dtype)
    if low == -(2**63):
        return _of_64_bits(generator, shape, kind)
    if kind.kind == "c":
        raise RuntimeError(
            "random_from_to_impl handles only integral, floating-point and boolean types"
        )
    last = _last(kind)
    if kind.kind == "f":
        low = least_in(kind, low)
        if last <= low <= float(np.finfo(kind).max):
            raise RuntimeError(
                "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' "
                f"casted to dtype, but got from={low} > to_inc={last}"
            )
    check_integers(low, last, kind)
    return generator.integers_above(low, last - low + 1, shape, kind)


def _of_64_bits(generator: Generator, shape: Sequence[int], kind: np.dtype[Any]) -> Array:
    kernel = "random_full_64_bits_range_kernel_cpu"
    if not math.prod(shape):
        return np.empty(shape, kind)
    if kind.kind in "bc" or kind == np.float16:
        raise not_implemented(kernel, kind)
    if kind.kind != "f" and kind.itemsize < 8:
        raise RuntimeError(f"{kernel} handles only int64, double, float and bfloat16")
    return generator.integers_above(0, 2**64, shape, kind)


def _last(kind: np.dtype[Any]) -> int:
    """Return the greatest integer up to which a type has all integers."""
    if kind.kind == "f":
        return 1 << int(np.finfo(kind).nmant + 1)
    return 1 if kind.kind == "b" else int(np.iinfo(kind).max)
