"""Transforms of functions, as in `torch.func`."""

from symgrad.autograd.taylor import jet
from symgrad.autograd.vmap.transform import vmap

__all__ = ["jet", "vmap"]
