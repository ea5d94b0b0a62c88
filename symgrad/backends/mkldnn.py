"""PyTorch's `backends.mkldnn`: Intel's library of layers, which symgrad does not ask for."""

from symgrad.around.constant import answer

__all__ = ["is_available"]

is_available = answer("backends.mkldnn", "is_available", False, "Return that it is not used")
enabled = True
deterministic = False
allow_tf32 = True
