"""Arguments as PyTorch reads them, with its messages: sizes, dtypes, flags, devices.

What an argument means stands with the functions that take it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.expr.dtypes import number_as
from symgrad.expr.named_sizes import whole
from symgrad.expr.node import refusal_of
from symgrad.expr.shapes import Shape
from symgrad.schema.kinds import has_values, is_tensor, kind_of
from symgrad.schema.messages import wrong_element, wrong_kind
from symgrad.support.refusals import MAX_AXES, too_many_axes


def check_flag(call: str, name: str, value: Any, position: int | None = None) -> bool:
    """Return a flag; TypeError for what is no bool."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(wrong_kind(call, name, "bool", value, position))
    return bool(value)


def tensor_argument(call: str, value: Any, name: str = "input", position: int = 1) -> Any:
    """Return a tensor; TypeError for anything else."""
    if not has_values(value):
        raise refusal_of(value)(wrong_kind(call, name, "Tensor", value, position))
    return value


def real(call: str, name: str, position: int, value: Any) -> float:
    """Return a real argument as a float; a 0-d tensor of real numbers without gradient counts."""
    if not kind_of("float").fits(value):
        raise TypeError(wrong_kind(call, name, "float", value, position))
    return float(value)


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


def plain_number(value: Any) -> Any:
    """Return a scalar of NumPy's, or a tensor that counts as a number, as a Python number.

    Of NumPy's truth values PyTorch makes floats. Anything else comes back as it is.
    """
    if isinstance(value, np.bool_):
        return float(value)
    return value.item() if isinstance(value, np.generic) or _holds_number(value) else value


def fill_value(value: Any, dtype: Any) -> Any:
    """Return what a tensor of a dtype can be filled with: a number that it holds, or 0-d values."""
    if isinstance(value, np.generic) or not hasattr(value, "shape"):
        return number_as(value, dtype)
    if tuple(value.shape):
        raise RuntimeError(
            "fill_ only supports 0-dimension value tensor but got tensor with "
            f"{len(value.shape)} dimensions."
        )
    return value


def check_listed(tensors: Sequence[Any], place: int = 0, optional: bool = False) -> None:
    """Raise PyTorch's error where an element of the argument at `place`, a list, is no tensor."""
    for i, x in enumerate(tensors):
        if not (is_tensor(x) or isinstance(x, np.ndarray) or (optional and x is None)):
            raise TypeError(wrong_element(i, place, x))


def is_real_number(value: Any) -> bool:
    """Whether `value` is a complex tensor, 0-d and real: a formula would not know its value."""
    return has_values(value) and value.shape == () and not value.item().imag


def _holds_number(value: Any) -> bool:
    """Whether `value` is a tensor that PyTorch takes for a number: 0-d, and with no gradient."""
    return has_values(value) and value.shape == () and not value.requires_grad


def sizes_of(sizes: Sequence[Any]) -> Shape:
    """Return the sizes of a call that takes them one by one or as one sequence."""
    if len(sizes) == 1 and not hasattr(sizes[0], "__index__") and hasattr(sizes[0], "__iter__"):
        sizes = tuple(sizes[0])
    return tuple([n if type(n) is int else whole(n) for n in sizes])
