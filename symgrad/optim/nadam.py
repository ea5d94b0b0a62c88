"""NAdam."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_betas, check_lr, decayed


class NAdam(Optimizer):
    """Adam with Nesterov's momentum, which is applied ahead.

    Parameters
    ----------
    params : iterable
        Tensors, or groups of them.
    lr : float or Tensor
        The length of a step.
    betas : tuple of float
        How much of the two means stays in each step.
    eps : float
        What is added to the divisor.
    weight_decay : float
        The factor of the parameter that is added to its gradient.
    momentum_decay : float
        How fast the momentum grows to its full size.
    decoupled_weight_decay : bool
        Whether the parameter is made smaller itself, apart from its gradient.
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
    >>> print(torch.optim.NAdam([w]).formula())
    mu = beta1 * (1 - 0.5 * 0.96**(t * momentum_decay))
    mu_next = beta1 * (1 - 0.5 * 0.96**((t + 1) * momentum_decay))
    mu_product = mu_product * mu
    exp_avg = exp_avg + (1 - beta1) * (g - exp_avg)
    exp_avg_sq = beta2 * exp_avg_sq + (1 - beta2) * g**2
    length = sqrt(exp_avg_sq / (1 - beta2**t)) + eps
    p = p - lr * (1 - mu) / (1 - mu_product) * g / length
    p = p - lr * mu_next / (1 - mu_product * mu_next) * exp_avg / length
    """

    usual = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
        "decoupled_weight_decay": False,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check(lr >= 0.0, "learning rate", lr)
        check(eps >= 0.0, "epsilon value", eps)
        check_betas(betas)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        check(momentum_decay >= 0.0, "momentum_decay value", momentum_decay)
        settings = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "momentum_decay": momentum_decay, "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, settings)

    def numbers(self, group: dict[str, Any]) -> dict[str, float]:
        return {"mu_product": 1.0}

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        return {"exp_avg": 0.0, "exp_avg_sq": 0.0}

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        p, g = decayed(p, g, s, h)
        s.mu = h.beta1 * (1 - 0.5 * 0.96 ** (h.t * h.momentum_decay))
        s.mu_next = h.beta1 * (1 - 0.5 * 0.96 ** ((h.t + 1) * h.momentum_decay))
        s.mu_product = s.mu_product * s.mu
        s.exp_avg = s.exp_avg + (1 - h.beta1) * (g - s.exp_avg)
        s.exp_avg_sq = h.beta2 * s.exp_avg_sq + (1 - h.beta2) * g**2
        s.length = (s.exp_avg_sq / (1 - h.beta2**h.t)).sqrt() + h.eps
        s.p = p - h.lr * (1 - s.mu) / (1 - s.mu_product) * g / s.length
        return s.p - h.lr * s.mu_next / (1 - s.mu_product * s.mu_next) * s.exp_avg / s.length
