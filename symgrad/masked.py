"""`symgrad.masked`: reductions, scans and normalisations of those elements that a mask keeps."""

from symgrad.functions import elementwise as _functions  # noqa: F401 - enters functions
from symgrad.schema.public import SPACES as _SPACES

__all__ = sorted(_SPACES["masked"])

globals().update(_SPACES["masked"])
