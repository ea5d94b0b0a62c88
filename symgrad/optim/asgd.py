"""ASGD."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_lr, descent
from symgrad.optim.settings import number


class ASGD(Optimizer):
    """Stochastic gradient descent that also keeps the mean of the parameters, `ax`.

    Parameters
    ----------
    params : iterable
        Tensors, or groups of them.
    lr : float or Tensor
        The length of a step.
    lambd : float
        How fast parameters decay.
    alpha : float
        With what power of their number steps get shorter.
    t0 : float
        After which step the mean begins.
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
    >>> print(torch.optim.ASGD([w]).formula(t=1))
    p = p * (1 - lambd * eta) - eta * g
    ax = p
    eta = lr / (1 + lambd * lr * t)**alpha
    mu = 1.0
    """

    usual = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check_lr(lr)
        check(lr >= 0.0, "learning rate", lr)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        settings = {
            "lr": lr, "lambd": lambd, "alpha": alpha, "t0": t0, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize, "differentiable": differentiable,
            "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, settings)

    def numbers(self, group: dict[str, Any]) -> dict[str, float]:
        return {"eta": number(group["lr"]), "mu": 1.0}

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        return {"ax": 0.0}

    def phase(self, group: dict[str, Any], t: float, first: bool) -> dict[str, Any]:
        return {"averaged": t - 1 - group["t0"] > 1, "counted": t - group["t0"] > 1}

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        g = descent(p, g, s, h)
        s.p = p * (1 - h.lambd * s.eta) - s.eta * g
        s.ax = s.ax + s.mu * (s.p - s.ax) if h.averaged else s.p
        s.eta = h.lr / (1 + h.lambd * h.lr * h.t) ** h.alpha
        s.mu = 1 / (h.t - h.t0) if h.counted else 1.0
        return s.p
