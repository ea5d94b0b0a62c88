"""Numbers that a dtype cannot hold, refused where they would be written into a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category

_LARGEST = float(np.finfo(np.float32).max)


def number_in_range(value: Any, kind: Any) -> Any:
    """Return a number to be written into elements of dtype `kind`.

    A float becomes an integer for an integer dtype; -1 to -255 wrap around for uint8, as in PyTorch.

    Raises
    ------
    RuntimeError
        PyTorch's, where the dtype cannot hold the number.
    """
    if isinstance(value, complex) and not kind.is_complex and kind.category != Category.BOOL:
        raise RuntimeError(f"value cannot be converted to type {kind.c_name} without overflow")
    if kind.name in ("float32", "complex64") and isinstance(value, (float, complex)):
        largest = max(abs(value.real), abs(value.imag))
        if np.isfinite(largest) and largest > _LARGEST:
            raise RuntimeError(f"value cannot be converted to type {kind.c_name} without overflow")
    if kind.category == Category.INT:
        if isinstance(value, float) and not np.isfinite(value):
            raise RuntimeError(f"value cannot be converted to type {kind.c_name} without overflow")
        value = int(value)
        limits = np.iinfo(kind.numpy)
        if kind.name == "uint8" and -255 <= value < 0:
            return value % 256
        if not limits.min <= value <= limits.max:
            raise RuntimeError(f"value cannot be converted to type {kind.c_name} without overflow")
    return value
