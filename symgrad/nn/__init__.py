"""PyTorch's `nn`: what exists of it is in `symgrad.nn.functional`."""

from symgrad.nn import functional

__all__ = ["functional"]
