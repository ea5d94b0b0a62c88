"""PyTorch's face of `symgrad.ops.norms`."""

from symgrad.ops.norms import norm, renorm
from symgrad.record.face import shows

shows(
    norm,
    name="LinalgVectorNorm",
    frees=True,
    # A count has no gradient, where that of `floor` is zero.
    undefined=lambda node: node.has_order(0),
)
shows(renorm, frees=True)
