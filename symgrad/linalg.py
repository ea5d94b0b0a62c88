"""`symgrad.linalg`: linear algebra under PyTorch's names."""

from __future__ import annotations

from symgrad.ops.norms import linalg_norm as norm
from symgrad.ops.norms import vector_norm

__all__ = ["norm", "vector_norm"]
