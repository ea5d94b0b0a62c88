"""PyTorch's face of `symgrad.ops.reduction`."""

from symgrad.ops.reduction import mean, sum
from symgrad.record.face import along_axis, shows

shows(sum, name=along_axis("Sum"))
shows(mean, name=along_axis("Mean"))
