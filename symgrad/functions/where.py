"""PyTorch's face of `symgrad.ops.where`."""

from symgrad.ops.where import masked_fill, where
from symgrad.record.face import numbered, shows

shows(where, numbers="all", passes=lambda i, kind: i > 0, saved=("condition", "self", "other"))
shows(
    masked_fill,
    name=numbered("MaskedFill", 2, number=0, tensor=1),
    passes=lambda i, kind: i != 1,
    saved=("self", "mask"),
)
