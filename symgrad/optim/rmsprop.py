"""RMSprop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_lr, descent


class RMSprop(Optimizer):
    """Steps along the gradient over the root of a mean of its squares.

    Parameters
    ----------
    params : iterable
        Tensors, or groups of them.
    lr : float or Tensor
        The length of a step.
    alpha : float
        How much of the mean stays in each step.
    eps : float
        What is added to the divisor.
    weight_decay : float
        The factor of the parameter that is added to its gradient.
    momentum : float
        What part of the last step is done again.
    centered : bool
        Whether the divisor is a deviation from the mean gradient.
    capturable, foreach : bool, optional
        As in PyTorch, where they choose an implementation; here there is one.
    maximize : bool
        Whether to go uphill.
    differentiable : bool
        Whether the step is recorded.

    Raises
    ------
    ValueError
        For settings out of their range.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> print(torch.optim.RMSprop([w]).formula())
    square_avg = alpha * square_avg + (1 - alpha) * g**2
    p = p - lr * g / (sqrt(square_avg) + eps)
    """

    usual = {"momentum": 0, "centered": False, "foreach": None, "maximize": False} | {
        "differentiable": False, "capturable": False,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check(lr >= 0.0, "learning rate", lr)
        check(eps >= 0.0, "epsilon value", eps)
        check(momentum >= 0.0, "momentum value", momentum)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        check(alpha >= 0.0, "alpha value", alpha)
        settings = {
            "lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
            "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, settings)

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        found = {"square_avg": 0.0}
        if group["momentum"] > 0:
            found["momentum_buffer"] = 0.0
        if group["centered"]:
            found["grad_avg"] = 0.0
        return found

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        g = descent(p, g, s, h)
        s.square_avg = h.alpha * s.square_avg + (1 - h.alpha) * g**2
        square = s.square_avg
        if h.centered:
            s.grad_avg = s.grad_avg + (1 - h.alpha) * (g - s.grad_avg)
            square = square - s.grad_avg**2
        length = square.sqrt() + h.eps
        if not h.on("momentum"):
            return p - h.lr * g / length
        s.momentum_buffer = h.momentum * s.momentum_buffer + g / length
        return p - h.lr * s.momentum_buffer
