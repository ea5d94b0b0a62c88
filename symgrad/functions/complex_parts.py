"""PyTorch's face of `symgrad.ops.complex_parts`."""

from symgrad.ops.complex_parts import angle, imag, real
from symgrad.record.face import shows

shows(real, imag, name="Select")  # PyTorch takes them from a view as pairs
shows(angle, frees=True)
