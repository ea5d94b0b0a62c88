"""PyTorch's face of `symgrad.ops.assignment`."""

from symgrad.ops.assignment import copied, filled, zeroed
from symgrad.record.face import numbered, shows

shows(copied, name="torch::autograd::CopyBackwards")
shows(filled, name=numbered("Fill", 1, number=2, tensor=3))
shows(zeroed, name="Zero")
