"""PyTorch's face of `symgrad.ops.bessel`."""

from symgrad.ops.bessel import i1
from symgrad.record.face import shows

shows(i1, name="SpecialI1")
