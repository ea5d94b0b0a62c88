"""PyTorch's face of `symgrad.ops.gathering`."""

from symgrad.ops.gathering import gather, put, scatter_add, take
from symgrad.record.face import shows

shows(put, keeps=(1,), saved=("self", "source", "index"))
shows(gather, take, saved=("self", "index"))
shows(scatter_add, saved=("self", "src", "index"))
