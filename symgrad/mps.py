"""PyTorch's `mps`: answers for a machine without GPUs of Apple's."""

from symgrad.around.constant import answer, refusal, seeding
from symgrad.support.absent import refused

__all__ = ["device_count", "empty_cache", "is_available", "manual_seed"]

_WITHOUT = "Cannot execute emptyCache() without MPS backend."

is_available = answer("mps", "is_available", False, "Return that there is no GPU of Apple's")
device_count = answer("mps", "device_count", 0, "Return 0, the number of GPUs")
manual_seed = seeding("mps", "manual_seed")
empty_cache = refusal("mps", "empty_cache", RuntimeError, _WITHOUT)

__getattr__ = refused("mps")
