"""PyTorch's face of `symgrad.ops.rounding`."""

from __future__ import annotations

from symgrad.ops.primitive import Primitive
from symgrad.ops.rounding import clamp, clamp_max, clamp_min, fmod, quotient, remainder, round
from symgrad.record.face import numbered, shows


def _round(node: Primitive) -> str:
    return "RoundBackward0" if node.decimals is None else "RoundBackward1"


shows(round, name=_round)
shows(quotient, name="DivBackward2", frees=True)
shows(remainder, name=numbered("Remainder", 1, number=0, tensor=1))
shows(fmod, name=numbered("Fmod", 1, number=0, tensor=1))
shows(
    clamp, name=numbered("Clamp", 1, number=1, tensor=0), frees=True, saved=("self", "min", "max")
)
shows(clamp_min, name=numbered("ClampMin", 1, number=0, tensor=1), frees=True)
shows(clamp_max, name=numbered("ClampMax", 1, number=0, tensor=1), frees=True)
