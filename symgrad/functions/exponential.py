"""What users call of `symgrad.ops.exponential`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from symgrad.ops.exponential import log1p
from symgrad.record.face import shows

shows(log1p, name="Log1P")
