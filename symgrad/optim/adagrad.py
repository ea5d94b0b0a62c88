"""Adagrad."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_implementation, check_lr, descent


class Adagrad(Optimizer):
    """Steps along the gradient over the root of the sum of all its squares.

    Parameters
    ----------
    params : iterable
        Tensors, or groups of them.
    lr : float or Tensor
        The length of a step.
    lr_decay : float
        By which factor of its number each step is shorter.
    weight_decay : float
        The factor of the parameter that is added to its gradient.
    initial_accumulator_value : float
        The sum of squares in the beginning.
    eps : float
        What is added to the divisor.
    foreach, fused : bool, optional
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
    >>> print(torch.optim.Adagrad([w], lr_decay=0.1).formula())
    sum = sum + g**2
    p = p - lr / (1 + (t - 1) * lr_decay) * g / (sqrt(sum) + eps)
    """

    usual = {"foreach": None, "maximize": False, "differentiable": False, "fused": None}

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check_lr(lr)
        check(lr >= 0.0, "learning rate", lr)
        check(lr_decay >= 0.0, "lr_decay value", lr_decay)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        check(
            initial_accumulator_value >= 0.0,
            "initial_accumulator_value value",
            initial_accumulator_value,
        )
        check(eps >= 0.0, "epsilon value", eps)
        settings = {
            "lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
            "initial_accumulator_value": initial_accumulator_value, "foreach": foreach,
            "maximize": maximize, "differentiable": differentiable, "fused": fused,
        }  # fmt: skip
        super().__init__(params, settings)
        check_implementation(fused, foreach, differentiable)
        for group in self.param_groups:
            for p in group["params"]:
                self._make_states(group, p)

    def share_memory(self) -> None:
        """Do nothing: there is one process.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.optim.Adagrad([torch.zeros(2)]).share_memory()
        """

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        return {"sum": group["initial_accumulator_value"]}

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        g = descent(p, g, s, h)
        s.sum = s.sum + g**2
        lr = h.lr / (1 + (h.t - 1) * h.lr_decay) if h.on("lr_decay") else h.lr
        return p - lr * g / (s.sum.sqrt() + h.eps)
