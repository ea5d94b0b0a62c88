"""PyTorch's face of `symgrad.ops.gamma`."""

from symgrad.ops.gamma import polygamma
from symgrad.record.face import shows

shows(polygamma, saved=("n", "self"))
