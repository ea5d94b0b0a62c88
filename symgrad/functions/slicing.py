"""PyTorch's face of `symgrad.ops.slicing`."""

from symgrad.ops.slicing import (
    part,
    select,
    select_scatter,
    split,
    split_with_sizes,
    unbind,
    updated,
)
from symgrad.record.face import shows

shows(part, name="Slice")
shows(select, name="Select")
shows(split, name="Split")
shows(split_with_sizes, name="SplitWithSizes")
shows(unbind, name="Unbind")
shows(updated, name="SliceScatter")
shows(select_scatter, name="SelectScatter")
