"""PyTorch's face of `symgrad.ops.floats`."""

from symgrad.ops.floats import ldexp
from symgrad.record.face import shows

shows(ldexp, keeps=(1, 2))
