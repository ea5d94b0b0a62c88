"""Functions of PyTorch's `nn.functional`; those of the top level appear here under both names."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.arguments import check_flag, real, tensor_argument
from symgrad.creation.making import drawn, laid_out_like
from symgrad.dispatch import overridable
from symgrad.expr.shapes import Shape
from symgrad.ops.activations import elu_function as elu
from symgrad.ops.activations import hardtanh_function as hardtanh
from symgrad.ops.activations import leaky_relu_function as leaky_relu
from symgrad.ops.activations import relu6, selu
from symgrad.ops.activations import threshold_function as threshold
from symgrad.ops.arguments import changeable
from symgrad.ops.exponential import logsigmoid_function as logsigmoid
from symgrad.ops.exponential import silu_function as silu
from symgrad.ops.exponential import softplus_function as softplus
from symgrad.ops.losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    l1_loss,
    nll_loss,
    normalize,
    one_hot,
)
from symgrad.ops.losses import mse_loss_function as mse_loss
from symgrad.ops.rearranging import pad
from symgrad.ops.special import gelu_function as gelu
from symgrad.public import FUNCTIONS
from symgrad.random import default_generator

__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cross_entropy", "dropout",
    "elu", "elu_", "gelu", "hardtanh", "hardtanh_", "l1_loss", "leaky_relu", "leaky_relu_",
    "logsigmoid", "mse_loss", "nll_loss", "normalize", "one_hot", "pad", "relu", "relu6",
    "relu_", "selu", "selu_", "silu", "softplus", "threshold", "threshold_",
]  # fmt: skip

_SHARED = (
    "bilinear", "linear", "log_softmax", "sigmoid", "softmax", "tanh",
)  # fmt: skip
globals().update({name: FUNCTIONS[name] for name in _SHARED if name in FUNCTIONS})


def relu(input: Any, inplace: bool = False) -> Any:
    """Return the positive part of each element of `input`; its derivative at 0 is 0.

    Parameters
    ----------
    input : Tensor or ArrayExpr
    inplace : bool
        Whether to change `input` itself.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> torch.nn.functional.relu(x, inplace=True)
    tensor([0., 2.])
    >>> x
    tensor([0., 2.])
    """
    return changeable(input, "relu").relu_() if inplace else FUNCTIONS["relu"](input)


def _in_place(f: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return the form of a function that changes its argument, under its own name."""

    def changed(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs, inplace=True)

    signature = inspect.signature(f)
    taken = [p for p in signature.parameters.values() if p.name != "inplace"]
    changed.__signature__ = signature.replace(parameters=taken)  # type: ignore[attr-defined]
    changed.__name__ = name
    summary = f"Replace `input` by its `{name[:-1]}`, in place, and return it."
    changed.__doc__ = f"{summary}\n\n{inspect.getdoc(f)}"
    return changed


elu_ = _in_place(elu, "elu_")
hardtanh_ = _in_place(hardtanh, "hardtanh_")
leaky_relu_ = _in_place(leaky_relu, "leaky_relu_")
relu_ = _in_place(relu, "relu_")
selu_ = _in_place(selu, "selu_")
threshold_ = _in_place(threshold, "threshold_")


def dropout(input: Any, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    """Return `input` with each element zero with probability `p`, the others over `1 - p`.

    Parameters
    ----------
    input : Tensor
    p : float
    training : bool
        Without it nothing is left out.
    inplace : bool
        Whether to change `input` itself.

    Raises
    ------
    ValueError
        If `p` is no probability.
    TypeError
        If `input` is no tensor: what is left out is drawn, and a formula draws nothing.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.ones(3)
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.functional.dropout(x, 0.5)
    tensor([0., 0., 2.])
    >>> torch.nn.functional.dropout(x, 0.5, training=False) is x
    True
    """
    p = real("dropout", "p", 2, p)
    training, inplace = check_flag("dropout", "train", training, 3), bool(inplace)
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if not training or p == 0:
        return input
    x = tensor_argument("dropout", input)
    kind = x._aval.dtype.numpy

    def factors(shape: Shape) -> np.ndarray[Any, Any]:
        kept = default_generator.bernoulli(1 - p, shape, kind)
        return kept if p == 1 else kept / kept.dtype.type(1 - p)

    noise = laid_out_like(x, lambda shape: drawn(shape, factors))
    return input.mul_(noise) if inplace else input * noise


for name in __all__:
    globals()[name].__qualname__ = name  # what Python's own errors call it

# Those that stand here alone, and so outside the tables, whose functions arguments may answer.
globals().update(
    {
        name: overridable(f"torch.nn.functional.{name}")(globals()[name])
        for name in __all__
        if globals()[name] not in FUNCTIONS.values()
    }
)
