"""What PyTorch's graph shows of `symgrad.ops.logarithms`."""

from __future__ import annotations

from symgrad.ops.logarithms import xlogy
from symgrad.ops.primitive import Primitive
from symgrad.record.face import shows


def _name_of_xlogy(node: Primitive) -> str:
    x, y = node.operands
    return f"XlogyBackward{1 if x.weak else 2 if y.weak else 0}"


shows(xlogy, name=_name_of_xlogy)
