"""PyTorch's face of `symgrad.ops.arithmetic`."""

from __future__ import annotations

from symgrad.ops.arithmetic import add, add_scaled, div, mul, sub, sub_scaled
from symgrad.record.face import shows

shows(add, numbers="all")
shows(
    sub,
    name=lambda node: "RsubBackward1" if node.operands[0].weak else "SubBackward0",
    numbers="last",
)
shows(mul, numbers="all", frees=True)
# PyTorch multiplies a number by the reciprocal.
shows(
    div,
    name=lambda node: "MulBackward0" if node.operands[0].weak else "DivBackward0",
    numbers="last",
    frees=True,
    keeps_result=False,
)
shows(add_scaled, name="Add")
shows(sub_scaled, name="Sub")
