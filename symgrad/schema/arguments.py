"""Arguments as PyTorch reads them, with its messages: sizes, dtypes, flags, devices.

What an argument means stands with the functions that take it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.node import refusal_of
from symgrad.expr.shapes import Shape
from symgrad.schema.kinds import has_values, type_name
from symgrad.support.refusals import MAX_AXES, too_many_axes

__all__ = [
    "check_flag",
    "check_shape",
    "real",
    "tensor_argument",
]


def check_flag(call: str, name: str, value: Any, position: int | None = None) -> bool:
    """Return a flag; TypeError for what is no bool."""
    if not isinstance(value, (bool, np.bool_)):
        where = "" if position is None else f" (position {position})"
        raise TypeError(
            f"{call}(): argument '{name}'{where} must be bool, not {type(value).__name__}"
        )
    return bool(value)


def tensor_argument(call: str, value: Any, name: str = "input", position: int = 1) -> Any:
    """Return a tensor; TypeError for anything else."""
    if not has_values(value):
        raise refusal_of(value)(
            f"{call}(): argument '{name}' (position {position}) must be Tensor, not "
            f"{type(value).__name__}"
        )
    return value


def real(call: str, name: str, position: int, value: Any) -> float:
    """Return a real argument as a float; a 0-d tensor of real numbers without gradient counts."""
    if isinstance(value, (int, float, np.integer, np.floating, np.bool_)):
        return float(value)
    constant = has_values(value) and value._aval.shape == () and not value._rg
    if constant and not value._aval.dtype.is_complex:
        return float(value._data)
    raise TypeError(
        f"{call}(): argument '{name}' (position {position}) must be float, not {type_name(value)}"
    )


def check_shape(call: str, shape: Shape) -> None:
    """Raise RuntimeError for lengths of axes that no tensor has, and for too many axes."""
    if len(shape) > MAX_AXES:
        raise RuntimeError(f"{call}(): {too_many_axes(len(shape))}")
    for n in shape:
        if n < 0:
            raise RuntimeError(
                f"{call}: Dimension size must be non-negative."
                if call == "zeros"
                else f"Trying to create tensor with negative dimension {n}: {list(shape)}"
            )
