"""The former wrapper of tensors, under PyTorch's name of the module."""

from symgrad.support.homes import at_home
from symgrad.tensor.legacy import Variable

__all__ = ["Variable"]

at_home(__name__, Variable=Variable)
