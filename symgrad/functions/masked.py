"""PyTorch's face of `symgrad.ops.masked`."""

from symgrad.ops.masked import masked
from symgrad.record.face import shows

shows(masked, name="Where")
