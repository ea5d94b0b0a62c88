"""Python numbers that are written into a tensor: what its dtype can hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category

__all__ = ["held"]


def held(value: Any, kind: Any) -> Any:
    """Return a number as one that `kind` can hold."""
    if isinstance(value, complex) and not kind.is_complex:
        raise RuntimeError(f"value cannot be converted to type {_c_name(kind)} without overflow")
    if kind.category == Category.INT:
        if isinstance(value, float) and not np.isfinite(value):
            raise RuntimeError(
                f"value cannot be converted to type {_c_name(kind)} without overflow"
            )
        value = int(value)
        limits = np.iinfo(kind.numpy)
        if kind.name == "uint8" and -255 <= value < 0:
            return value % 256
        if not limits.min <= value <= limits.max:
            raise RuntimeError(
                f"value cannot be converted to type {_c_name(kind)} without overflow"
            )
    return value


def _c_name(kind: Any) -> str:
    return {"float32": "float", "float64": "double", "float16": "at::Half"}.get(
        kind.name, f"{kind.name}_t"
    )
