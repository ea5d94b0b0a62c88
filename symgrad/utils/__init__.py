"""Helpers around the core, under PyTorch's names: `utils.hooks`, `utils.checkpoint`."""

from symgrad.utils import hooks

__all__ = ["hooks"]
