"""PyTorch's `backends`: answers of libraries that are not used.

Flags can be read and set, and change nothing.
"""

from symgrad.backends import cpu, cuda, cudnn, mkl, mkldnn, mps, openmp, opt_einsum
from symgrad.support.absent import refused

__all__ = ["cpu", "cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp", "opt_einsum"]

__getattr__ = refused("backends")
