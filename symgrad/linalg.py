"""`symgrad.linalg`: linear algebra under PyTorch's names."""

from symgrad.functions import elementwise  # noqa: F401 - enters functions
from symgrad.ops.linear_algebra import LinAlgError
from symgrad.schema.public import SPACES

__all__ = ["LinAlgError", *sorted(SPACES["linalg"])]

globals().update(SPACES["linalg"])
