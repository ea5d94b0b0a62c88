"""What operations look up in the values of their operands: bounds, counts, layouts.

A formula has none, and a tensor inside `vmap` has those of every entry: they can be checked, but
decide no shape.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.node import ArrayConst

__all__ = ["counted_values", "data_of", "every_value", "stands_for_many"]


def data_of(x: Any) -> np.ndarray[Any, Any] | None:
    """Return the values of a tensor, a constant or an array; None where they are not known."""
    if isinstance(x, np.ndarray):
        return x
    if isinstance(x, ArrayConst):
        return x.value
    return getattr(x, "_data", None)


def every_value(x: Any) -> np.ndarray[Any, Any] | None:
    """Return the values that a check has to look at, in any order; None where not known."""
    data = data_of(x)
    found: np.ndarray[Any, Any] | None = getattr(data, "every", data)
    return found


def stands_for_many(x: Any) -> bool:
    """Return whether a tensor is that of each entry inside `vmap`."""
    return hasattr(data_of(x), "refuse_to_count")


def counted_values(x: Any, call: str) -> np.ndarray[Any, Any] | None:
    """Return the values that decide the shape of what `call` gives; None where not known.

    Raises
    ------
    RuntimeError
        For a tensor inside `vmap`, whose entries would give different shapes.
    """
    data = data_of(x)
    refuse = getattr(data, "refuse_to_count", None)
    if refuse is not None:
        refuse(call)
    return data
