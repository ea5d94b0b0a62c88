"""PyTorch's `backends.cudnn`: NVIDIA's library of layers, which symgrad does not ask for."""

from symgrad.around.constant import answer

__all__ = ["is_available", "version"]

is_available = answer("backends.cudnn", "is_available", False, "Return that it is not used")
version = answer("backends.cudnn", "version", None, "Return None, the version of what is not used")
enabled = True
benchmark = False
benchmark_limit = 10
deterministic = False
allow_tf32 = True
