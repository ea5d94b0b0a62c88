"""PyTorch's face of `symgrad.ops.ordering`."""

from symgrad.ops.ordering import kthvalue, median, median_dim
from symgrad.record.face import shows

shows(kthvalue, name="Kthvalue")
shows(median_dim, name="MedianBackward1")
shows(median, frees=True)
