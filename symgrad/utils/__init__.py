"""Helpers around the core, under PyTorch's names: `utils.hooks`, `utils.checkpoint` and others."""

from symgrad.utils import hooks

__all__ = ["checkpoint", "dlpack", "hooks"]
