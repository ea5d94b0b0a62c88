"""Functions of PyTorch's `nn.functional`; those of the top level appear here under both names."""

from __future__ import annotations

from symgrad.ops.exponential import logsigmoid_function as logsigmoid
from symgrad.ops.exponential import silu_function as silu
from symgrad.ops.exponential import softplus_function as softplus
from symgrad.ops.rearranging import pad
from symgrad.ops.special import gelu_function as gelu
from symgrad.public import FUNCTIONS

__all__ = ["gelu", "logsigmoid", "pad", "silu", "softplus"]

_SHARED = (
    "linear", "log_softmax", "relu", "sigmoid", "softmax", "tanh",
)  # fmt: skip
globals().update({name: FUNCTIONS[name] for name in _SHARED if name in FUNCTIONS})
