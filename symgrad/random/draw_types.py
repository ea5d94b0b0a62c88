"""The dtypes of random numbers: the numbers that each holds, and PyTorch's errors for others."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from symgrad.expr.dtypes import DTYPES
from symgrad.support.quiet import quietly

Array: TypeAlias = npt.NDArray[Any]
_F64: TypeAlias = npt.NDArray[np.float64]

_MAX_INT64 = 2**63 - 1

#: The names of dtypes in messages: in C++, and PyTorch's own.
C_NAMES = {
    **{kind.name: (kind.cpp_name, kind.scalar_name) for kind in DTYPES},
    "uint16": ("short unsigned int", "UInt16"),
    "uint32": ("unsigned int", "UInt32"),
    "uint64": ("long unsigned int", "UInt64"),
}


def not_implemented(kernel: str, dtype: np.dtype[Any]) -> NotImplementedError:
    """Return PyTorch's error for a dtype for which a kernel is not implemented."""
    name = C_NAMES.get(dtype.name, ("", dtype.name))[1]
    return NotImplementedError(f"\"{kernel}\" not implemented for '{name}'")


def check_bounds(name: str, value: float, least: float, most: float, dtype: np.dtype[Any]) -> None:
    """Raise PyTorch's error for a bound outside the numbers of a dtype."""
    if not least <= value <= most:
        raise RuntimeError(f"{name} is out of bounds for {C_NAMES[dtype.name][0]}")


def check_probability(holds: bool) -> None:
    """Raise PyTorch's error unless it `holds` that all probabilities are in [0, 1]."""
    if not holds:
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")


def from_double(values: _F64, dtype: np.dtype[Any]) -> Array:
    """Convert doubles as C++ does, which rounds to float before it rounds to half."""
    if dtype == np.float16:
        values = quietly(values.astype, np.float32)
    return values if values.dtype == dtype else quietly(values.astype, dtype)


def least_in(dtype: np.dtype[Any], low: int) -> int:
    """Return `low`, or a bound above it, so that rounding to a float dtype gives nothing below."""
    rounded = _rounded(dtype, low + 1)
    return rounded + _spacing(dtype, low + 1) if rounded < low else low


def _rounded(dtype: np.dtype[Any], value: int) -> int:
    unit = _spacing(dtype, value)
    return round(Fraction(value, unit)) * unit


def _spacing(dtype: np.dtype[Any], value: int) -> int:
    return 1 << max(abs(value).bit_length() - int(np.finfo(dtype).nmant + 1), 0)


def bounds_in(dtype: np.dtype[Any], low: int, high: int) -> tuple[int, int]:
    """Return narrower integer bounds, which are not left by rounding to a float dtype."""
    low = least_in(dtype, low)
    if high <= _rounded(dtype, high - 1) <= _MAX_INT64:  # 2**63 is a negative number to PyTorch
        high = _rounded(dtype, high - 1) - _spacing(dtype, high - 1)
    if low >= high:
        raise RuntimeError(
            "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, "
            f"but got from={low} >= to={high}"
        )
    return low, high


def check_integers(low: int, last: int, dtype: np.dtype[Any]) -> None:
    """Raise PyTorch's error for integers outside a dtype; warn if a float dtype rounds them."""
    named = (("from", low), ("to - 1", last))
    if dtype.kind == "f":
        most, digits = float(np.finfo(dtype).max), np.finfo(dtype).nmant + 1
        for name, value in named:
            check_bounds(name, value, -most, most, dtype)
        for name, value in named:
            if abs(value) > 2**digits:
                warnings.warn(
                    f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision "
                    f"limitations {C_NAMES[dtype.name][0]} can support discrete uniform "
                    "distribution only within this range.",
                    stacklevel=3,
                )
    elif dtype.kind in "biu":
        info = None if dtype.kind == "b" else np.iinfo(dtype)
        least, most = (0, 1) if info is None else (int(info.min), min(int(info.max), _MAX_INT64))
        for name, value in named:
            check_bounds(name, value, least, most, dtype)
    else:
        raise RuntimeError(
            "check_random_bounds handles only integral, floating-point and boolean types"
        )
