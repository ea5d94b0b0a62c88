"""PyTorch's face of `symgrad.ops.extrema`."""

from symgrad.ops.extrema import Located, max, max_dim, min, min_dim
from symgrad.record.face import shows

shows(Located, frees=True)
shows(max, name="MaxBackward1")
shows(min, name="MinBackward1")
shows(max_dim, name="MaxBackward0")
shows(min_dim, name="MinBackward0")
