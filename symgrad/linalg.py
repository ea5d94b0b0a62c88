"""`symgrad.linalg`: linear algebra under PyTorch's names."""

from symgrad.functions import elementwise  # noqa: F401 - enters functions
from symgrad.schema.public import SPACES

__all__ = sorted(SPACES["linalg"])

globals().update(SPACES["linalg"])
