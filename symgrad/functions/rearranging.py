"""PyTorch's face of `symgrad.ops.rearranging`."""

from symgrad.ops.rearranging import constant_pad_nd
from symgrad.record.face import shows

shows(constant_pad_nd, name="ConstantPadNd")
