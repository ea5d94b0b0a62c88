"""What users call of `symgrad.ops.entropies` by another name than that of the operation."""

from __future__ import annotations

from typing import Any

from symgrad.ops.entropies import kullback_leibler
from symgrad.ops.primitive import bind
from symgrad.schema.public import public


@public("special.kl_div(Tensor x, Tensor y) -> Tensor", numbers=True)
def _kl_div(x: Any, y: Any) -> Any:
    """Return `x * log(x / y) - x + y`, the Kullback-Leibler divergence of each two elements.

    It is `y` where `x` is 0, and inf where one is negative. Nothing cancels where both are close.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 0.5, 1.0], requires_grad=True)
    >>> y = torch.special.kl_div(x, torch.tensor([1.0, 0.25, 1.0]))
    >>> y
    tensor([1.0000, 0.0966, 0.0000], grad_fn=<KullbackLeiblerBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([  -inf, 0.6931, 0.0000])
    """
    return bind(kullback_leibler, (x, y))
