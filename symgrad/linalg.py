"""`symgrad.linalg`: linear algebra under PyTorch's names."""

from symgrad.functions import elementwise as _functions  # noqa: F401 - enters functions
from symgrad.ops.linear_algebra import LinAlgError
from symgrad.schema.public import SPACES as _SPACES

__all__ = ["LinAlgError", *sorted(_SPACES["linalg"])]

globals().update(_SPACES["linalg"])
