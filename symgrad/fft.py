"""`symgrad.fft`: discrete Fourier transforms under PyTorch's names."""

from symgrad.functions import elementwise  # noqa: F401 - enters functions
from symgrad.schema.public import SPACES

__all__ = sorted(SPACES["fft"])

globals().update(SPACES["fft"])
