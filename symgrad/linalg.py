"""`symgrad.linalg`: linear algebra under PyTorch's names."""

from symgrad.public import SPACES

__all__ = sorted(SPACES["linalg"])

globals().update(SPACES["linalg"])
