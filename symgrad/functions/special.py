"""What users call of `symgrad.ops.special`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from symgrad.ops.special import erfinv
from symgrad.record.face import shows

shows(erfinv, keeps_result=False)
