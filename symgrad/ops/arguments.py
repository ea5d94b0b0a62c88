"""How functions read their arguments that are numbers or sizes, with PyTorch's errors.

Axes are read in `axes`, subscripts in `subscripts`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr, refusal_of
from symgrad.expr.shapes import Shape

__all__ = [
    "changeable", "check_listed", "is_real_number", "number_as",
    "plain_number", "sizes_of",

]  # fmt: skip


def plain_number(value: Any) -> Any:
    """Return a scalar of NumPy's, or a tensor that counts as a number, as a Python number.

    Of NumPy's truth values PyTorch makes floats. Anything else comes back as it is.
    """
    if isinstance(value, np.bool_):
        return float(value)
    return value.item() if isinstance(value, np.generic) or _holds_number(value) else value


def check_listed(tensors: Sequence[Any]) -> None:
    """Raise PyTorch's error where one of the tensors that a function takes as a list is none."""
    for i, x in enumerate(tensors):
        if not hasattr(type(x), "_record") and not isinstance(x, (ArrayExpr, np.ndarray)):
            raise TypeError(
                f"expected Tensor as element {i} in argument 0, but got {type(x).__name__}"
            )


def changeable(x: Any, function: str) -> Any:
    """Return what a function is to change in place; TypeError for what is no tensor."""
    if not hasattr(type(x), "_record"):
        raise refusal_of(x)(
            f"{function}_(): argument 'input' (position 1) must be Tensor, not {type(x).__name__}"
        )
    return x


def number_as(value: Any, kind: dtype) -> Any:
    """Return a number as PyTorch takes it beside elements of `kind`: real or whole where they are.

    Raises its error for an imaginary part that would be lost, and for what is no integer at all.
    """
    if isinstance(value, complex) and not kind.is_complex and not value.imag:
        value = value.real
    whole = not kind.differentiable
    if (isinstance(value, complex) and not kind.is_complex) or (whole and not np.isfinite(value)):
        raise RuntimeError(f"value cannot be converted to type {kind.c_name} without overflow")
    return int(value) if whole or isinstance(value, bool) else value


def is_real_number(value: Any) -> bool:
    """Whether `value` is a complex tensor, 0-d and real: a formula would not know its value."""
    return hasattr(type(value), "_record") and value.shape == () and not value.item().imag


def _holds_number(value: Any) -> bool:
    """Whether `value` is a tensor that PyTorch takes for a number: 0-d, and with no gradient."""
    return hasattr(type(value), "_record") and value.shape == () and not value.requires_grad


def sizes_of(sizes: Sequence[Any]) -> Shape:
    """Return the sizes of a call that takes them one by one or as one sequence."""
    if len(sizes) == 1 and not hasattr(sizes[0], "__index__") and hasattr(sizes[0], "__iter__"):
        sizes = tuple(sizes[0])
    return tuple([operator.index(n) for n in sizes])
