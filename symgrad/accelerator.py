"""PyTorch's `accelerator`: answers for a machine without one."""

from symgrad.around.constant import answer, refusal
from symgrad.support.absent import refused

__all__ = [
    "current_accelerator", "current_device_index", "device_count", "empty_cache", "is_available",
    "synchronize",
]  # fmt: skip

_NONE = "Cannot access accelerator device when none is available."

is_available = answer("accelerator", "is_available", False, "Return that there is no accelerator")
device_count = answer("accelerator", "device_count", 0, "Return 0, the number of accelerators")
current_accelerator = answer("accelerator", "current_accelerator", None, "Return None, no device")
current_device_index = refusal("accelerator", "current_device_index", RuntimeError, _NONE)
empty_cache = refusal("accelerator", "empty_cache", RuntimeError, _NONE)
synchronize = refusal("accelerator", "synchronize", RuntimeError, _NONE)

__getattr__ = refused("accelerator")
