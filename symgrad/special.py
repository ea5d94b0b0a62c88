"""`symgrad.special`: special functions under PyTorch's names, and under SciPy's beyond those."""

from symgrad.functions import elementwise  # noqa: F401 - enters functions
from symgrad.schema.public import SPACES

__all__ = sorted(SPACES["special"])

globals().update(SPACES["special"])
