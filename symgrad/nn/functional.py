"""Functions of PyTorch's `nn.functional`; those of the top level appear here under both names."""

from symgrad.functions import in_place  # noqa: F401 - enters functions
from symgrad.schema.public import FUNCTIONS, SPACES
from symgrad.support.absent import refused

_SHARED = ("bilinear", "linear", "pdist", "sigmoid", "tanh")
_FOUND = {**SPACES["nn.functional"], **{name: FUNCTIONS[name] for name in _SHARED}}

__all__ = sorted(SPACES["nn.functional"])

globals().update(_FOUND)

__getattr__ = refused("nn.functional")
