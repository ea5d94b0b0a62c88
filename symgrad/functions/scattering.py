"""PyTorch's face of `symgrad.ops.scattering`."""

from symgrad.ops.scattering import index_reduce, scatter_reduce
from symgrad.record.face import shows

shows(scatter_reduce, keeps=(0, 1, 3), frees=True, saved=("self", "src", "index"))
shows(index_reduce, saved=("self", "source", "index"))
