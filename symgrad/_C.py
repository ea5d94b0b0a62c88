"""What programs reach for in PyTorch's `torch._C`."""

from symgrad.functions.overriding import DisableTorchFunctionSubclass
from symgrad.functions.overriding import DisableTorchFunctionSubclass as DisableTorchFunction
from symgrad.ops.linear_algebra import LinAlgError as _LinAlgError
from symgrad.schema.dispatch import takes_no_part as _disabled_torch_function_impl
from symgrad.tensor.subclassing import TensorType as _TensorMeta

__all__ = [
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
    "_LinAlgError",
    "_TensorMeta",
    "_disabled_torch_function_impl",
]
