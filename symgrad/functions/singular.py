"""PyTorch's face of `symgrad.ops.singular`."""

from symgrad.ops.singular import svd
from symgrad.record.face import shows

shows(svd, name="LinalgSvd", saved=("A",))
