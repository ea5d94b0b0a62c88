"""PyTorch's `torch.utils.hooks`."""

from symgrad.support.homes import at_home
from symgrad.support.hooks import RemovableHandle, unserializable_hook, warn_if_has_hooks

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]

at_home(__name__, **{name: globals()[name] for name in __all__})
