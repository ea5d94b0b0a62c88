"""PyTorch's `torch.overrides`."""

from symgrad.functions.overriding import (
    DisableTorchFunctionSubclass,
    get_default_nowrap_functions,
    handle_torch_function,
    has_torch_function,
    has_torch_function_unary,
    has_torch_function_variadic,
    is_tensor_like,
    is_tensor_method_or_property,
    resolve_name,
    wrap_torch_function,
)
from symgrad.support.homes import at_home

__all__ = [
    "DisableTorchFunctionSubclass",
    "get_default_nowrap_functions",
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "resolve_name",
    "wrap_torch_function",
]

at_home(__name__, **{name: globals()[name] for name in __all__})
