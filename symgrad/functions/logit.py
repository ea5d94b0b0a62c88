"""PyTorch's face of `symgrad.ops.logit`."""

from symgrad.ops.logit import logit_within
from symgrad.record.face import shows

shows(logit_within, name="Logit")
