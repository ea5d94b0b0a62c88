"""Stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_implementation, check_lr, descent


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum where it is asked for.

    Parameters
    ----------
    params : iterable
        Tensors, or groups of them.
    lr : float or Tensor
        The length of a step.
    momentum : float
        What part of the last step is done again.
    dampening : float
        What part of the gradient the momentum leaves out.
    weight_decay : float
        The factor of the parameter that is added to its gradient.
    nesterov : bool
        Whether the momentum is applied ahead.
    maximize : bool
        Whether to go uphill.
    foreach, fused : bool, optional
        As in PyTorch, where they choose an implementation; here there is one.
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
    >>> optimizer = torch.optim.SGD([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.8000, 1.6000], requires_grad=True)
    >>> optimizer.formula()
    p = p - lr * g
    """

    counts_steps = False
    usual = {"nesterov": False, "maximize": False, "foreach": None, "differentiable": False} | {
        "fused": False
    }

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: Any = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_lr(lr)
        check(not lr < 0.0, "learning rate", lr)
        check(not momentum < 0.0, "momentum value", momentum)
        check(not weight_decay < 0.0, "weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        settings = {
            "lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
            "nesterov": nesterov, "maximize": maximize, "foreach": foreach,
            "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, settings)
        check_implementation(fused, foreach, differentiable)

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        return {"momentum_buffer": 0.0} if group["momentum"] != 0 else {}

    def phase(self, group: dict[str, Any], t: float, first: bool) -> dict[str, Any]:
        return {"first": first}

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        g = descent(p, g, s, h)
        if h.on("momentum"):
            added = (1 - h.dampening) * g if h.on("dampening") else g
            s.momentum_buffer = g if h.first else h.momentum * s.momentum_buffer + added
            g = g + h.momentum * s.momentum_buffer if h.nesterov else s.momentum_buffer
        return p - h.lr * g
