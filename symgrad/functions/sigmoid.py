"""What users call of `symgrad.ops.sigmoid`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.primitive import bind
from symgrad.ops.sigmoid import logistic, logsigmoid, silu, softplus
from symgrad.record.face import shows
from symgrad.schema.arguments import tensor_argument
from symgrad.schema.public import public

shows(logistic, name="Sigmoid")
# PyTorch keeps `exp(-abs(x))` beside the operand.
shows(logsigmoid, name="LogSigmoid", facts=lambda node: {"buffer": (-abs(node.operands[0])).exp()})
shows(softplus, saved=("self", "beta", "threshold"))


@public("nn.functional.softplus(Tensor input, Real beta=1, Real threshold=20) -> Tensor")
def softplus_function(input: Any, beta: float = 1, threshold: float = 20) -> Any:
    """Return `log(1 + exp(beta*x)) / beta`; `x` itself where `beta*x > threshold`.

    Parameters
    ----------
    beta, threshold : float

    Returns
    -------
    Tensor or ArrayExpr
        Of the shape and dtype of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.softplus(torch.tensor([-1.0, 0.0, 1000.0]))
    tensor([3.1326e-01, 6.9315e-01, 1.0000e+03])
    """
    return bind(softplus, (input, beta, threshold))


@public("nn.functional.logsigmoid(Tensor input) -> Tensor", call="log_sigmoid")
def logsigmoid_function(input: Any) -> Any:
    """Return `log(sigmoid(input))`, accurate in both tails.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.logsigmoid(torch.tensor([-1000.0, 0.0, 20.0]))
    tensor([-1.0000e+03, -6.9315e-01, -2.0612e-09])
    """
    return bind(logsigmoid, (input,))


@public("nn.functional.silu(Tensor input, object inplace=False) -> Tensor", python=True)
def silu_function(input: Any, inplace: bool = False) -> Any:
    """Return `input * sigmoid(input)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.silu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-0.2689,  0.0000,  1.7616])
    """
    if not inplace:
        return bind(silu, (input,))
    return tensor_argument("silu_", input)._changed("silu", lambda: bind(silu, (input,)))
