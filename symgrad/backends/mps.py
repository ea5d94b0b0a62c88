"""PyTorch's `backends.mps` on a machine without GPUs of Apple's."""

from symgrad.around.constant import answer

__all__ = ["is_available", "is_built"]

is_available = answer("backends.mps", "is_available", False, "Return that there is no such GPU")
is_built = answer("backends.mps", "is_built", False, "Return that no such GPU could be used")
