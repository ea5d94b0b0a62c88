"""PyTorch's `distributed`: answers for a program of one process."""

from symgrad.around.constant import answer
from symgrad.support.absent import refused

__all__ = ["is_available", "is_initialized"]

is_available = answer("distributed", "is_available", False, "Return that one process computes")
is_initialized = answer("distributed", "is_initialized", False, "Return that one process computes")

__getattr__ = refused("distributed")
