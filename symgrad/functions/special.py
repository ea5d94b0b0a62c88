"""PyTorch's face of `symgrad.ops.special`."""

from symgrad.ops.special import erfinv, gelu_tanh
from symgrad.record.face import shows

shows(erfinv, keeps_result=False)
shows(gelu_tanh, name="Gelu")
