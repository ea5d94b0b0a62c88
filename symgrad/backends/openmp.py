"""PyTorch's `backends.openmp`: the threads of OpenMP, which symgrad does not ask for."""

from symgrad.around.constant import answer

__all__ = ["is_available"]

is_available = answer("backends.openmp", "is_available", False, "Return that it is not used")
