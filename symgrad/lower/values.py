"""The value of a leaf: what a user gives for it, as an array of the leaf's dtype and shape."""

from __future__ import annotations

from decimal import Decimal
from numbers import Complex, Integral, Real
from typing import Any

import numpy as np
from sympy import Basic, Symbol
from sympy.logic.boolalg import BooleanAtom

from symgrad.expr.atoms import Leaf
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from symgrad.support.quiet import quietly
from symgrad.support.untraceable import UntraceableArray, UntraceableValue, is_traced


def as_value(x: ArrayExpr, value: Any) -> np.ndarray[Any, Any]:
    """Return `value` as an array of the dtype and shape of the leaf `x`; of any shape if 0-d."""
    assert isinstance(x, Leaf)
    if x.facts is not None:
        array = _as_value(x, value)
        x.facts.check(x.name, array, _precision(x, value))
        return array
    return _as_value(x, value)


def _precision(x: Leaf, value: Any) -> float:
    """Return the relative precision of a value, before and after its conversion."""
    kinds = [array.dtype for array in (array_of(x, value), np.empty(0, x.dtype.numpy))]
    return max([float(np.finfo(kind).eps) for kind in kinds if kind.kind in "fc"], default=0.0)


def _as_value(x: Leaf, value: Any) -> np.ndarray[Any, Any]:
    kind = x.dtype.numpy
    if type(value) is np.ndarray and value.dtype == kind and value.shape == x.shape:
        return value
    array = array_of(x, value)
    if array.dtype.kind == "O" and array.size:
        array = np.array([_as_number(x, y) for y in array.flat]).reshape(array.shape)
    if array.dtype.kind not in "biufc" and array.size:
        raise TypeError(f"the value of {x.name!r} holds {array.dtype}, not numbers")
    if x.shape and array.shape != x.shape:
        raise ValueError(f"{x.name!r} has shape {x.shape}, but its value has shape {array.shape}")
    if array.size and not _converts(array, kind):
        raise TypeError(f"{x.name!r} is {x.dtype.name}, but its value is {array.dtype}")
    if array.dtype == kind:
        return array.astype(kind, copy=False)
    converted: np.ndarray[Any, Any] = quietly(array.astype, kind)
    lost = converted != array if kind.kind in "iu" else np.isinf(converted) & ~np.isinf(array)
    if lost.any():
        raise ValueError(f"{x.name!r} is {x.dtype.name}, which cannot hold {array[lost][0]}")
    return converted


def array_of(x: ArrayExpr, value: Any) -> np.ndarray[Any, Any]:
    """Return what is given for the leaf `x` as an array, of whatever dtype and shape."""
    if isinstance(value, ArrayExpr):
        if leaves(value) or is_traced():
            raise _asks_for_value(x, value)
        value = value.evaluate()
    detach = getattr(value, "detach", None)
    if detach is not None:  # a tensor that requires a gradient gives no array otherwise
        value = detach()
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"the value of {str(x)!r} is no array: {error}") from None
    except UntraceableArray:  # a list with a formula in it
        raise _asks_for_value(x, value) from None


def _as_number(x: Leaf, value: Any) -> complex:
    """Return Python's number for one of SymPy's, a fraction, a decimal or a very long integer."""
    if isinstance(value, BooleanAtom):
        return bool(value)
    if isinstance(value, Integral) or getattr(value, "is_Integer", False):
        return int(value) if -(2**63) <= value < 2**64 else float(value)
    if isinstance(value, Basic):
        if not value.is_number:
            raise _asks_for_value(x, value)
        number = complex(value)
        return number if value.is_extended_real is False else number.real
    if isinstance(value, (Real, Decimal)):
        return float(value)
    if isinstance(value, Complex):
        return complex(value)
    raise TypeError(f"the value of {x.name!r} holds {type(value).__name__}, not numbers")


def _asks_for_value(x: Any, value: Any) -> UntraceableValue:
    kind = "leaf" if isinstance(value, Leaf) else "symbol"
    what = f"the {kind} {value.name!r}" if isinstance(value, (Leaf, Symbol)) else "a formula"
    return UntraceableValue(
        f"the value of {x.name!r} is {what}, not numbers: give a number or an array, or put the "
        f"formula in the place of the leaf with e.subs({x.name!r}, ...)"
    )


def _converts(array: np.ndarray[Any, Any], target: np.dtype[Any]) -> bool:
    """Return whether values keep their kind: no complex to real, no float to integer."""
    order = "biufc".replace("u", "")
    kind = array.dtype.kind.replace("u", "i")
    return order.index(kind) <= order.index(target.kind.replace("u", "i"))
