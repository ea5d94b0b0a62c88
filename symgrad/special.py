"""`symgrad.special`: special functions under PyTorch's names, and under SciPy's beyond those."""

from symgrad.functions import elementwise as _functions  # noqa: F401 - enters functions
from symgrad.schema.public import SPACES as _SPACES

__all__ = sorted(_SPACES["special"])

globals().update(_SPACES["special"])
