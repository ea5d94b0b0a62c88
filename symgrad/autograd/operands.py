"""What an operation is applied to, as rules meet it: tensors, numbers that vary, constants.

Rules that compute something beside an operation, its tangent or its value over one more axis, are
formulas over the leaves that stand for its operands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symgrad.autograd.record import Recorded, is_structural, number_kind, wrap
from symgrad.autograd.signature import NumberKind, number_leaf
from symgrad.autograd.tape import Number
from symgrad.expr.node import ArrayExpr, Const, Placeholder
from symgrad.primitive import Primitive

__all__ = ["operand_leaf", "read_operand", "spec_of"]


def read_operand(
    cls: type[Primitive], i: int, x: Any, operands: Sequence[Any], params: tuple[Any, ...]
) -> Any:
    """Return an operand as formulas meet it: a tensor, a number of the structure, or a `Number`."""
    if isinstance(x, (Recorded, Number)):
        return x
    if isinstance(x, np.ndarray):
        return wrap(x)
    if isinstance(x, np.generic):
        x = float(x) if isinstance(x, np.bool_) else x.item()
    if is_structural(cls, i, x, operands, params):
        return Const(x)
    return Number(number_kind(type(x)), x)


def spec_of(x: Any) -> Any:
    """Return what the structure says of an operand that was read."""
    return x._aval if isinstance(x, Recorded) else x.sig if isinstance(x, Number) else x


def operand_leaf(i: int, spec: Any) -> ArrayExpr:
    """Return the leaf of a formula that stands for operand `i`; a constant for itself."""
    if isinstance(spec, Const):
        return spec
    if isinstance(spec, NumberKind):
        return number_leaf(i, spec)
    return Placeholder(f"x{i}", spec.shape, spec.dtype)
