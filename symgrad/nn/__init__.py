"""PyTorch's `nn`: the functions of `symgrad.nn.functional`, parameters and buffers."""

from symgrad.nn import functional, parameter
from symgrad.nn.parameter import Buffer, Parameter

__all__ = ["Buffer", "Parameter", "functional", "parameter"]
