"""Transforms of functions, as in `torch.func`."""

from symgrad.batched.transform import vmap

__all__ = ["vmap"]
