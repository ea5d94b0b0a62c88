"""PyTorch's face of `symgrad.ops.complexes`."""

from symgrad.ops.complexes import from_parts, polar
from symgrad.record.face import shows

shows(from_parts, name="Complex", frees=True)
shows(polar, name="Polar")
