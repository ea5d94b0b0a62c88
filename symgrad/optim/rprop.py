"""Rprop."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_lr
from symgrad.optim.settings import number


class Rprop(Optimizer):
    """Steps by the signs of gradients, of which each element has a length of its own.

    Parameters
    ----------
    params : iterable
        Tensors, or groups of them.
    lr : float or Tensor
        The length of the first step.
    etas : tuple of float
        By what a length is multiplied when its sign changes, and when it stays.
    step_sizes : tuple of float
        The least and the greatest length.
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
    >>> print(torch.optim.Rprop([w]).formula())
    change = g * prev
    step_size = clamp(where(change < 0, eta1 * step_size, where(change > 0, eta2 * step_size, ...
    prev = masked_fill(g, change < 0, 0.0)
    p = p - sign(prev) * step_size
    """

    usual = {
        "foreach": None, "maximize": False, "differentiable": False, "capturable": False,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check_lr(lr)
        check(lr >= 0.0, "learning rate", lr)
        check(0.0 < etas[0] < 1.0 < etas[1], "eta values", f"{etas[0]}, {etas[1]}")
        settings = {
            "lr": lr, "etas": etas, "step_sizes": step_sizes, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "capturable": capturable,
        }  # fmt: skip
        super().__init__(params, settings)

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        return {"prev": 0.0, "step_size": number(group["lr"])}

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        if h.maximize:
            s.g = -g
        s.change = s.g * s.prev
        longer = (h.eta2 * s.step_size).where(s.change > 0, s.step_size)
        step = (h.eta1 * s.step_size).where(s.change < 0, longer)
        s.step_size = step.clamp(h.step_size1, h.step_size2)
        s.prev = s.g.masked_fill(s.change < 0, 0.0)
        return p - s.prev.sign() * s.step_size
