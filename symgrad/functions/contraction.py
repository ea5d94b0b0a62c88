"""What PyTorch's graph shows of contractions that no public function named."""

from __future__ import annotations

from typing import Any

from symgrad.functions.products import BMM, DOT, MM, MV
from symgrad.ops.contraction import contract
from symgrad.ops.equations import is_rearranged, parse, sums
from symgrad.ops.primitive import Primitive
from symgrad.record.face import shows

_NAMES: dict[str, Any] = {spec: face.name for spec, face in (MM, MV, DOT, BMM)}


def _contract(node: Primitive) -> str:
    spec = parse(node.spec)
    if is_rearranged(spec):
        return "Permute"
    if len(spec.inputs) == 1:
        return "SumBackward1"
    name: str | None = _NAMES.get(node.spec)
    return name or ("View" if sums(spec) else "Mul")


shows(contract, name=_contract)
