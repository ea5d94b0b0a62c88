"""PyTorch's face of `symgrad.ops.exponential`."""

from __future__ import annotations

from symgrad.ops.exponential import log1p, logistic, logsigmoid, xlogy
from symgrad.ops.primitive import Primitive
from symgrad.record.face import shows

shows(log1p, name="Log1P")
shows(logistic, name="Sigmoid")
shows(logsigmoid, name="LogSigmoid")


def _xlogy(node: Primitive) -> str:
    x, y = node.operands
    return f"XlogyBackward{1 if x.weak else 2 if y.weak else 0}"


shows(xlogy, name=_xlogy)
