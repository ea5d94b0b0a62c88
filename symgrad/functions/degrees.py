"""Degrees and orders that are whole numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import Category, int64
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops import signs
from symgrad.ops.arithmetic import add, mul, sub
from symgrad.ops.casting import cast


def whole(name: str, argument: str, value: Any) -> Any:
    """Return a degree as it is, a float without a fraction as an integer.

    A formula of floats has to be one of whole numbers, as the degrees are that derivatives compute.

    Raises
    ------
    TypeError
        If it has a fraction, or is a tensor or another formula of floats.
    """
    if isinstance(value, ArrayExpr) and _is_of_whole_numbers(value):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and _is_whole(value):
        return int(value)
    kind = getattr(value, "dtype", None)
    if isinstance(value, int) or (kind is not None and kind.category <= Category.INT):
        return value
    got = f"one of {kind}; convert with .to(torch.int64)" if kind is not None else repr(value)
    raise TypeError(
        f"{name}() takes a whole number or a tensor of integers as {argument}, not {got}"
    )


def widened(x: Any) -> Any:
    """Return integers in 64 bits, which hold doubles, neighbours and powers; others as they are."""
    kind = getattr(x, "dtype", None)
    return x.to(int64) if kind is not None and kind.category <= Category.INT else x


def _is_whole(number: Any) -> bool:
    return isinstance(number, int) or (isinstance(number, float) and number.is_integer())


def _is_of_whole_numbers(degree: ArrayExpr) -> bool:
    """Return whether a formula adds and multiplies integers, in whatever dtype."""
    return all(
        _is_whole_by_itself(x) or isinstance(x, (signs.abs, add, cast, mul, sub))
        for x in toposort([degree], stop=_is_whole_by_itself)
    )


def _is_whole_by_itself(x: ArrayExpr) -> bool:
    return x.dtype.category <= Category.INT or (type(x) is Const and _is_whole(x.value))
