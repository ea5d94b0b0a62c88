"""`symgrad.masked`: reductions, scans and normalisations of those elements that a mask keeps."""

from symgrad.functions import elementwise  # noqa: F401 - enters functions
from symgrad.schema.public import SPACES

__all__ = sorted(SPACES["masked"])

globals().update(SPACES["masked"])
