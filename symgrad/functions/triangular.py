"""PyTorch's face of `symgrad.ops.triangular`."""

from symgrad.ops.triangular import diagonal_copy
from symgrad.record.face import shows

shows(diagonal_copy, name="DiagonalBackward0_copy")
