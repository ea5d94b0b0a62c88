"""PyTorch's `cuda`: answers for a machine without GPUs."""

from symgrad.around.constant import answer, refusal, seeding
from symgrad.cuda import amp
from symgrad.support.absent import refused

__all__ = [
    "amp", "current_device", "current_stream", "device_count", "empty_cache", "get_arch_list",
    "get_device_capability", "get_device_name", "get_device_properties", "get_rng_state",
    "get_rng_state_all", "initial_seed", "is_available", "is_bf16_supported", "is_initialized",
    "manual_seed", "manual_seed_all", "max_memory_allocated", "max_memory_reserved", "mem_get_info",
    "memory_allocated", "memory_reserved", "seed", "seed_all", "synchronize",
]  # fmt: skip

_WITHOUT = "Torch not compiled with CUDA enabled"
_USED = "Return 0, the bytes in use"

is_available = answer("cuda", "is_available", False, "Return that there is no GPU")
is_initialized = answer("cuda", "is_initialized", False, "Return that no GPU is in use")
is_bf16_supported = answer("cuda", "is_bf16_supported", False, "Return that no GPU has bfloat16")
device_count = answer("cuda", "device_count", 0, "Return 0, the number of GPUs")
get_arch_list = answer("cuda", "get_arch_list", [], "Return the kinds of GPUs, none")
get_rng_state_all = answer("cuda", "get_rng_state_all", [], "Return the states of GPUs, none")
memory_allocated = answer("cuda", "memory_allocated", 0, _USED)
memory_reserved = answer("cuda", "memory_reserved", 0, _USED)
max_memory_allocated = answer("cuda", "max_memory_allocated", 0, _USED)
max_memory_reserved = answer("cuda", "max_memory_reserved", 0, _USED)
empty_cache = answer("cuda", "empty_cache", None, "Do nothing, as no memory is held")
seed = answer("cuda", "seed", None, "Do nothing, as no stream is seeded")
seed_all = answer("cuda", "seed_all", None, "Do nothing, as no stream is seeded")
manual_seed = seeding("cuda", "manual_seed")
manual_seed_all = seeding("cuda", "manual_seed_all")
current_device = refusal("cuda", "current_device", AssertionError, _WITHOUT)
current_stream = refusal("cuda", "current_stream", AssertionError, _WITHOUT)
get_device_capability = refusal("cuda", "get_device_capability", AssertionError, _WITHOUT)
get_device_name = refusal("cuda", "get_device_name", AssertionError, _WITHOUT)
get_device_properties = refusal("cuda", "get_device_properties", AssertionError, _WITHOUT)
get_rng_state = refusal("cuda", "get_rng_state", AssertionError, _WITHOUT)
initial_seed = refusal("cuda", "initial_seed", AssertionError, _WITHOUT)
mem_get_info = refusal("cuda", "mem_get_info", AssertionError, _WITHOUT)
synchronize = refusal("cuda", "synchronize", AssertionError, _WITHOUT)

__getattr__ = refused("cuda")
