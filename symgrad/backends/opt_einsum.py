"""PyTorch's `backends.opt_einsum`: orders of contractions, which symgrad finds itself."""

from symgrad.around.constant import answer

__all__ = ["is_available"]

is_available = answer("backends.opt_einsum", "is_available", False, "Return that it is not used")
enabled = False
strategy = None
