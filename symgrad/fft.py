"""`symgrad.fft`: discrete Fourier transforms under PyTorch's names."""

from symgrad.functions import elementwise as _functions  # noqa: F401 - enters functions
from symgrad.schema.public import SPACES as _SPACES

__all__ = sorted(_SPACES["fft"])

globals().update(_SPACES["fft"])
