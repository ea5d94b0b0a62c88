"""PyTorch's face of `symgrad.ops.maximum`."""

from symgrad.ops.maximum import fmax, fmin, maximum, minimum
from symgrad.record.face import shows

shows(maximum, minimum, fmax, fmin, frees=True)
