"""What programs reach for in PyTorch's `torch._C`."""

from symgrad.dispatch import takes_no_part as _disabled_torch_function_impl
from symgrad.overrides import DisableTorchFunctionSubclass
from symgrad.overrides import DisableTorchFunctionSubclass as DisableTorchFunction
from symgrad.subclassing import TensorType as _TensorMeta

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "_TensorMeta",
    "_disabled_torch_function_impl",
]
