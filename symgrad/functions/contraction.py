"""What PyTorch's graph shows of contractions that no public function named."""

from __future__ import annotations

from symgrad.ops.contraction import contract
from symgrad.ops.equations import is_rearranged, parse, sums
from symgrad.ops.primitive import Primitive
from symgrad.record.face import shows

_NAMES = {"ab,bc->ac": "Mm", "ab,b->a": "Mv", "a,a->": "Dot", "abc,acd->abd": "Bmm"}


def _contract(node: Primitive) -> str:
    spec = parse(node.spec)
    if is_rearranged(spec):
        return "Permute"
    if len(spec.inputs) == 1:
        return "SumBackward1"
    return _NAMES.get(node.spec) or ("View" if sums(spec) else "Mul")


shows(contract, name=_contract)
