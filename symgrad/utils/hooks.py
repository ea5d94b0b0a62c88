"""PyTorch's `torch.utils.hooks`."""

from symgrad.support.hooks import RemovableHandle, unserializable_hook, warn_if_has_hooks

__all__ = ["RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]
