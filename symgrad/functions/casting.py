"""PyTorch's face of `symgrad.ops.casting`."""

from symgrad.ops.casting import cast
from symgrad.record.face import shows

shows(cast, name="ToCopy")
