"""PyTorch's `backends.mkl`: Intel's library of linear algebra, which symgrad does not ask for."""

from symgrad.around.constant import answer

__all__ = ["is_available"]

is_available = answer("backends.mkl", "is_available", False, "Return that it is not used")
