"""Adam and AdamW."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_betas, check_implementation, check_lr, decayed
from symgrad.record.record import Recorded


class Adam(Optimizer):
    """Steps along a mean of gradients, over the root of a mean of their squares.

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
    amsgrad : bool
        Whether the greatest mean of squares so far is the divisor.
    foreach, capturable, fused : bool, optional
        As in PyTorch, where they choose an implementation; here there is one.
    maximize : bool
        Whether to go uphill.
    differentiable : bool
        Whether the step is recorded.
    decoupled_weight_decay : bool
        Whether the parameter is made smaller itself, as by `AdamW`.

    Raises
    ------
    ValueError
        For settings out of their range.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> optimizer = torch.optim.Adam([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> w
    tensor([0.9000, 1.9000], requires_grad=True)
    >>> optimizer.formula()
    exp_avg = exp_avg + (1 - beta1) * (g - exp_avg)
    exp_avg_sq = beta2 * exp_avg_sq + (1 - beta2) * g**2
    p = p - lr / (1 - beta1**t) * exp_avg / (sqrt(exp_avg_sq) / sqrt(1 - beta2**t) + eps)
    """

    usual = {"amsgrad": False, "maximize": False, "foreach": None, "capturable": False} | {
        "differentiable": False, "decoupled_weight_decay": False, "fused": None,
    }  # fmt: skip

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check_lr(lr, foreach, capturable)
        check(lr >= 0.0, "learning rate", lr)
        check(eps >= 0.0, "epsilon value", eps)
        check_betas(betas)
        check(weight_decay >= 0.0, "weight_decay value", weight_decay)
        kinds = {Recorded if isinstance(beta, Recorded) else type(beta) for beta in betas}
        if kinds not in ({float}, {Recorded}):
            raise ValueError("betas must be either both floats or both Tensors")
        settings = {
            "lr": lr, "betas": tuple(betas), "eps": eps, "weight_decay": weight_decay,
            "amsgrad": amsgrad, "maximize": maximize, "foreach": foreach, "capturable": capturable,
            "differentiable": differentiable, "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }  # fmt: skip
        super().__init__(params, settings)
        check_implementation(fused, foreach, differentiable)

    def states(self, group: dict[str, Any]) -> dict[str, float]:
        largest = {"max_exp_avg_sq": 0.0} if group["amsgrad"] else {}
        return {"exp_avg": 0.0, "exp_avg_sq": 0.0, **largest}

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        p, g = decayed(p, g, s, h)
        s.exp_avg = s.exp_avg + (1 - h.beta1) * (g - s.exp_avg)
        s.exp_avg_sq = h.beta2 * s.exp_avg_sq + (1 - h.beta2) * g**2
        square = s.exp_avg_sq
        if h.amsgrad:
            s.max_exp_avg_sq = s.max_exp_avg_sq.maximum(square)
            square = s.max_exp_avg_sq
        length = square.sqrt() / (1 - h.beta2**h.t).sqrt() + h.eps
        return p - h.lr / (1 - h.beta1**h.t) * s.exp_avg / length


class AdamW(Adam):
    """Adam, of which the decay of weights is apart from the means.

    Parameters
    ----------
    params, lr, betas, eps, weight_decay, amsgrad
        As of `Adam`.
    maximize, foreach, capturable, differentiable, fused
        As of `Adam`.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> print(torch.optim.AdamW([w]).formula())
    p = p * (1 - lr * weight_decay)
    exp_avg = exp_avg + (1 - beta1) * (g - exp_avg)
    exp_avg_sq = beta2 * exp_avg_sq + (1 - beta2) * g**2
    p = p - lr / (1 - beta1**t) * exp_avg / (sqrt(exp_avg_sq) / sqrt(1 - beta2**t) + eps)
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        betas: tuple[Any, Any] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            group["decoupled_weight_decay"] = True
