"""Adamax."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_betas, check_lr, descent


class Adamax(Optimizer):
    """Adam with a decaying maximum of the gradients in the place of the mean of squares.

    Parameters
    ----------
    params : iterable
        Tensors, or groups of them.
    lr : float or Tensor
        The length of a step.
    betas : tuple of float
        How much of the mean and of the maximum stays in each step.
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
    >>> print(torch.optim.Adamax([w]).formula())
    exp_avg = exp_avg + (1 - beta1) * (g - exp_avg)
    exp_inf = maximum(beta2 * exp_inf, abs(g) + eps)
    p = p - lr / (1 - beta1**t) * exp_avg / exp_inf
    """

    usual = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_lr(lr)
        check(lr >= 0.0, "learning rate", lr)
        check(eps >= 0.0, "epsilon value", eps)
        check_betas(betas)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        settings = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
            "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, settings)

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        return {"exp_avg": 0.0, "exp_inf": 0.0}

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        g = descent(p, g, s, h)
        s.exp_avg = s.exp_avg + (1 - h.beta1) * (g - s.exp_avg)
        s.exp_inf = (h.beta2 * s.exp_inf).maximum(g.abs() + h.eps)
        return p - h.lr / (1 - h.beta1**h.t) * s.exp_avg / s.exp_inf
