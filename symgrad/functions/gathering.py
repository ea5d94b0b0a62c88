"""PyTorch's face of `symgrad.ops.gathering`."""

from symgrad.ops.gathering import (
    gather,
    index_add,
    index_fill_tensor,
    index_select,
    masked_select,
    put,
    scatter_add,
    scatter_number,
    take,
)
from symgrad.record.face import shows

shows(scatter_number, name="ScatterBackward1")
shows(index_fill_tensor, name="IndexFillBackward1")
shows(put, keeps=(1,), saved=("self", "source", "index"))
shows(gather, index_select, take, saved=("self", "index"))
shows(index_add, saved=("self", "source", "index"))
shows(masked_select, saved=("self", "mask"))
shows(scatter_add, saved=("self", "src", "index"))
