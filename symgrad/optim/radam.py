"""RAdam."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_betas, check_lr, decayed
from symgrad.optim.settings import number


class RAdam(Optimizer):
    """Adam that divides by the mean of squares only from where its variance is bounded.

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
    >>> print(torch.optim.RAdam([w]).formula(t=1))
    exp_avg = exp_avg + (1 - beta1) * (g - exp_avg)
    exp_avg_sq = beta2 * exp_avg_sq + (1 - beta2) * g**2
    p = p - lr / (1 - beta1**t) * exp_avg
    """

    usual = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
        "decoupled_weight_decay": False,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
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
        settings = {
            "lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay,
            "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay, "differentiable": differentiable,
        }  # fmt: skip
        super().__init__(params, settings)

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        return {"exp_avg": 0.0, "exp_avg_sq": 0.0}

    def phase(self, group: dict[str, Any], t: float, first: bool) -> dict[str, Any]:
        beta = number(group["betas"][1])
        power = beta**t
        # As t grows, what is subtracted from the length of the mean vanishes.
        rho = 2 / (1 - beta) - 1 - (2 * t * power / (1 - power) if power else 0.0)
        return {"rectified": rho > 5.0}

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        p, g = decayed(p, g, s, h)
        s.exp_avg = s.exp_avg + (1 - h.beta1) * (g - s.exp_avg)
        s.exp_avg_sq = h.beta2 * s.exp_avg_sq + (1 - h.beta2) * g**2
        mean = h.lr / (1 - h.beta1**h.t) * s.exp_avg
        if not h.rectified:
            return p - mean
        s.longest = 2 / (1 - h.beta2) - 1
        s.rho = s.longest - 2 * h.t * h.beta2**h.t / (1 - h.beta2**h.t)
        ratio = (s.rho - 4) * (s.rho - 2) / ((s.longest - 4) * (s.longest - 2))
        s.rectified = (ratio * s.longest / s.rho).sqrt() * (1 - h.beta2**h.t).sqrt()
        return p - s.rectified * mean / (s.exp_avg_sq.sqrt() + h.eps)
