"""SparseAdam, which has nothing to do where all gradients are dense."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_betas, check_lr
from symgrad.record.modes import recording


class SparseAdam(Optimizer):
    """Adam for gradients that leave zeros out: there are none in symgrad, and others are refused.

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
    maximize : bool
        Whether to go uphill.

    Raises
    ------
    ValueError
        For settings out of their range, and for complex parameters.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> w.sum().backward()
    >>> torch.optim.SparseAdam([w]).step()
    Traceback (most recent call last):
        ...
    RuntimeError: SparseAdam does not support dense gradients, please consider Adam instead
    """

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        maximize: bool = False,
    ) -> None:
        check_lr(lr)
        check(lr > 0.0, "learning rate", lr)
        check(eps > 0.0, "epsilon value", eps)
        check_betas(betas)
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "maximize": maximize})
        places = [
            [i, k]
            for i, group in enumerate(self.param_groups)
            for k, p in enumerate(group["params"])
            if p.is_complex()
        ]
        if places:
            raise ValueError(
                f"Complex params at indices {places}: SparseAdam does not support complex "
                "parameters"
            )

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Refuse gradients, as all are dense; do nothing where there are none.

        Parameters
        ----------
        closure : callable, optional
            Computes the loss anew, with its gradients, before the step; its result is returned.

        Raises
        ------
        RuntimeError
            If a parameter has a gradient.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.optim.SparseAdam([torch.ones(2)]).step()
        """
        loss = None
        if closure is not None:
            with recording(True):
                loss = closure()
        if any(p.grad is not None for group in self.param_groups for p in group["params"]):
            raise RuntimeError(
                "SparseAdam does not support dense gradients, please consider Adam instead"
            )
        return loss
