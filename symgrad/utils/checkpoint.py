"""PyTorch's `torch.utils.checkpoint`."""

from symgrad.autograd.checkpoint import (
    CheckpointError,
    GraphExecGroup,
    check_backward_validity,
    checkpoint,
    checkpoint_sequential,
    detach_variable,
    noop_context_fn,
    set_checkpoint_debug_enabled,
    set_checkpoint_early_stop,
)
from symgrad.support.homes import at_home

__all__ = [
    "CheckpointError",
    "GraphExecGroup",
    "check_backward_validity",
    "checkpoint",
    "checkpoint_sequential",
    "detach_variable",
    "noop_context_fn",
    "set_checkpoint_debug_enabled",
    "set_checkpoint_early_stop",
]

at_home(__name__, **{name: globals()[name] for name in __all__})
