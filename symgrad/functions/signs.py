"""PyTorch's face of `symgrad.ops.signs`."""

from symgrad.ops.signs import copysign, sgn
from symgrad.record.face import numbered, shows

shows(sgn, keeps=(0, 1), frees=True)
shows(copysign, name=numbered("Copysign", 1, number=1, tensor=0), keeps=(0,), frees=True)
