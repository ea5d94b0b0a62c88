"""PyTorch's face of `symgrad.ops.singular`."""

from symgrad.ops.singular import left_singular, right_singular, singular_values
from symgrad.record.face import shows

shows(singular_values, left_singular, right_singular, name="LinalgSvd")
