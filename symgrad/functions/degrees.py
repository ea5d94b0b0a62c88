"""Degrees and orders that are whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.atoms import Leaf
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr


def whole(name: str, argument: str, value: Any) -> Any:
    """Return a degree as it is, a float without a fraction as an integer.

    A formula may be of floats, as the degrees are that derivatives compute, but for a leaf alone.

    Raises
    ------
    TypeError
        If it has a fraction, or is a tensor or a leaf of floats.
    """
    if isinstance(value, ArrayExpr) and not isinstance(value, Leaf):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        return int(value)
    kind = getattr(value, "dtype", None)
    if isinstance(value, int) or (kind is not None and kind.category <= Category.INT):
        return value
    got = f"one of {kind}; convert with .to(torch.int64)" if kind is not None else repr(value)
    raise TypeError(
        f"{name}() takes a whole number or a tensor of integers as {argument}, not {got}"
    )
