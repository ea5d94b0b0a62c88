"""Adadelta."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_lr, descent


class Adadelta(Optimizer):
    """Steps along the gradient, by the ratio of two means: of squares of steps and of gradients.

    Parameters
    ----------
    params : iterable
        Tensors, or groups of them.
    lr : float or Tensor
        The length of a step.
    rho : float
        How much of the means stays in each step.
    eps : float
        What is added to the divisor.
    weight_decay : float
        The factor of the parameter that is added to its gradient.
    foreach, capturable : bool, optional
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
    >>> print(torch.optim.Adadelta([w]).formula())
    square_avg = rho * square_avg + (1 - rho) * g**2
    delta = sqrt(acc_delta + eps) / sqrt(square_avg + eps) * g
    p = p - lr * delta
    acc_delta = rho * acc_delta + (1 - rho) * delta**2
    """

    usual = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check(lr >= 0.0, "learning rate", lr)
        check(0.0 <= rho <= 1.0, "rho value", rho)
        check(eps >= 0.0, "epsilon value", eps)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        settings = {
            "lr": lr, "rho": rho, "eps": eps, "weight_decay": weight_decay,
            "maximize": maximize, "capturable": capturable, "foreach": foreach,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, settings)

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        return {"square_avg": 0.0, "acc_delta": 0.0}

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        g = descent(p, g, s, h)
        s.square_avg = h.rho * s.square_avg + (1 - h.rho) * g**2
        s.delta = (s.acc_delta + h.eps).sqrt() / (s.square_avg + h.eps).sqrt() * g
        s.p = p - h.lr * s.delta
        s.acc_delta = h.rho * s.acc_delta + (1 - h.rho) * s.delta**2
        return s.p
