"""What an operation is applied to, as rules meet it: tensors, numbers that vary, constants.

Rules that compute something beside an operation, its tangent or its value over one more axis, are
formulas over the leaves that stand for its operands.
"""

from __future__ import annotations

from typing import Any

from symgrad.autograd.record import Recorded
from symgrad.autograd.signature import NumberKind, number_leaf
from symgrad.autograd.tape import Number
from symgrad.expr.node import ArrayExpr, Const, Placeholder

__all__ = ["operand_leaf", "spec_of"]


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
