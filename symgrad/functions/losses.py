"""PyTorch's face of `symgrad.ops.losses`."""

from __future__ import annotations

from symgrad.ops.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    mse_loss,
    nll_loss,
)
from symgrad.ops.primitive import Primitive
from symgrad.record.face import shows

shows(mse_loss, frees=True, saved=("self", "target"))
shows(
    binary_cross_entropy,
    keeps=(0, 1),
    passes=lambda i, kind: i < 2,
    saved=("self", "target", "weight"),
)
shows(
    binary_cross_entropy_with_logits,
    keeps=(0, 1),
    passes=lambda i, kind: i < 2,
    saved=("self", "target", "weight", "pos_weight"),
)


def _nll_loss(node: Primitive) -> str:
    return "NllLossBackward0" if node.operands[0].ndim < 3 else "NllLoss2DBackward0"


shows(
    nll_loss,
    name=_nll_loss,
    keeps=(0,),
    passes=lambda i, kind: i == 0,
    saved=("self", "target", "weight"),
)
