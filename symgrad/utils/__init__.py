"""Helpers around the core, under PyTorch's names: `utils.hooks`, `utils.checkpoint`, `utils.dlpack`."""

from symgrad.utils import hooks

__all__ = ["checkpoint", "hooks"]
