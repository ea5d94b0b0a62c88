"""PyTorch's face of `symgrad.ops.powers`."""

from __future__ import annotations

from symgrad.ops.powers import pow, square
from symgrad.ops.primitive import Primitive
from symgrad.record.face import shows


def _pow(node: Primitive) -> str:
    x, y = node.operands
    return f"PowBackward{0 if y.weak else 2 if x.weak else 1}"


shows(pow, name=_pow, frees=True, saved=("self", "exponent"))
shows(square, name="Pow", saved=("self", "exponent"))
