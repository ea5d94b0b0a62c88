"""Functions of PyTorch's `nn.functional`; those of the top level appear here under both names."""

from __future__ import annotations

from symgrad.ops.rearranging import pad
from symgrad.public import FUNCTIONS

__all__ = ["pad"]

_SHARED = (
    "linear", "log_softmax", "logsigmoid", "relu", "sigmoid", "softmax", "softplus", "tanh",
)  # fmt: skip
globals().update({name: FUNCTIONS[name] for name in _SHARED if name in FUNCTIONS})
