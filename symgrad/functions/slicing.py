"""PyTorch's face of `symgrad.ops.slicing`."""

from symgrad.ops.slicing import (
    part,
    split,
    split_with_sizes,
    unbind,
    updated,
)
from symgrad.record.face import shows

shows(part, name="Slice")
shows(split, name="Split")
shows(split_with_sizes, name="SplitWithSizes")
shows(unbind, name="Unbind")
shows(updated, name="SliceScatter")
