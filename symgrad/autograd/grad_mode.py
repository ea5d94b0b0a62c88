"""PyTorch's module of grad modes, by its name."""

from symgrad.record.inference import inference_mode
from symgrad.record.modes import (
    enable_grad,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from symgrad.support.homes import at_home

__all__ = [
    "enable_grad",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]

at_home(
    __name__,
    enable_grad=enable_grad,
    inference_mode=inference_mode,
    no_grad=no_grad,
    set_grad_enabled=set_grad_enabled,
    set_multithreading_enabled=set_multithreading_enabled,
)
