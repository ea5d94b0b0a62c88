"""Transforms of functions, as in `torch.func`."""

from symgrad.autograd.vmap.transform import vmap

__all__ = ["vmap"]
