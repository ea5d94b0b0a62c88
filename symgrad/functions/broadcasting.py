"""PyTorch's face of `symgrad.ops.broadcasting`."""

from symgrad.ops.broadcasting import broadcast_to
from symgrad.record.face import shows

shows(broadcast_to, name="Expand")
