"""PyTorch's `xpu`: answers for a machine without GPUs of Intel's."""

from symgrad.around.constant import answer, seeding
from symgrad.support.absent import refused

__all__ = ["device_count", "is_available", "is_initialized", "manual_seed", "manual_seed_all"]

is_available = answer("xpu", "is_available", False, "Return that there is no GPU of Intel's")
is_initialized = answer("xpu", "is_initialized", False, "Return that no GPU is in use")
device_count = answer("xpu", "device_count", 0, "Return 0, the number of GPUs")
manual_seed = seeding("xpu", "manual_seed")
manual_seed_all = seeding("xpu", "manual_seed_all")

__getattr__ = refused("xpu")
