"""Muon."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from symgrad.expr.dtypes import default_dtype
from symgrad.optim.formula import StepFormula
from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check_lr
from symgrad.optim.whole import WholeSteps, structure_of
from symgrad.record.record import wrap


class Muon(Optimizer):
    """Steps along a mean of gradients, made nearly orthogonal, for parameters that are matrices.

    The singular values of the mean are brought near 1 by some steps of a polynomial that is odd.
    The arithmetic is that of the parameter, where PyTorch's is that of `bfloat16`.

    Parameters
    ----------
    params : iterable
        Tensors of two axes, or groups of them.
    lr : float or Tensor
        The length of a step.
    weight_decay : float
        What part of the parameter, times `lr`, is taken away.
    momentum : float
        What part of the mean stays in each step.
    nesterov : bool
        Whether the step is along the mean as it will be.
    ns_coefficients : tuple of float
        The coefficients of the powers 1, 3 and 5 in the polynomial.
    eps : float
        The least norm by which the mean is divided.
    ns_steps : int
        How often the polynomial is applied; less than 100.
    adjust_lr_fn : str, optional
        How `lr` depends on the shape: `"original"`, by the root of the ratio of rows to columns
        where it is over 1, or `"match_rms_adamw"`, by the root of the longer axis.

    Raises
    ------
    ValueError
        For settings out of their range, and for a parameter that is no matrix.

    References
    ----------
    K. Jordan, "Muon: An optimizer for hidden layers in neural networks" (2024).

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> print(torch.optim.Muon([w], ns_steps=1).formula())
    momentum_buffer = momentum_buffer + (1 - momentum) * (g - momentum_buffer)
    change = g + momentum * (momentum_buffer - g)
    change = change / clamp(sqrt(sum(change**2)), min=eps)
    gram = change @ change.T
    change = ns_coefficient1 * change + (ns_coefficient2 * gram + ns_coefficient3 * (gram @ gram)) \
@ change
    p = p * (1 - lr * weight_decay) - lr * change
    """

    counts_steps = False
    _UNREAD: ClassVar[frozenset[str]] = Optimizer._UNREAD | {"ns_steps"}
    _steps: Any

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-3,
        weight_decay: float = 0.1,
        momentum: float = 0.95,
        nesterov: bool = True,
        ns_coefficients: tuple[float, float, float] = (3.4445, -4.775, 2.0315),
        eps: float = 1e-7,
        ns_steps: int = 5,
        adjust_lr_fn: str | None = None,
    ) -> None:
        check_lr(lr)
        for value, name in [
            (lr, "Learning rate"), (momentum, "momentum"), (weight_decay, "weight decay"),
        ]:  # fmt: skip
            if not value >= 0.0:
                raise ValueError(f"{name} should be >= 0 but is: {value}")
        if adjust_lr_fn not in (None, "original", "match_rms_adamw"):
            raise ValueError(f"Adjust learning rate function {adjust_lr_fn} is not supported")
        settings = {
            "lr": lr, "weight_decay": weight_decay, "momentum": momentum, "nesterov": nesterov,
            "ns_coefficients": ns_coefficients, "eps": eps, "ns_steps": ns_steps,
            "adjust_lr_fn": adjust_lr_fn,
        }  # fmt: skip
        super().__init__(params, settings)
        for p in [p for group in self.param_groups for p in group["params"]]:
            if p.ndim != 2:
                raise ValueError(
                    f"Muon only supports 2D parameters whereas we found a parameter with size: "
                    f"{p.size()}"
                )

    def _prepare(self) -> None:
        super()._prepare()
        self._steps = WholeSteps()

    def state_shapes(self, p: Any) -> dict[str, tuple[int, ...]]:
        """Return the names and the shapes of the states of a parameter.

        Parameters
        ----------
        p : Tensor
            The parameter.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.zeros(2, 3)
        >>> torch.optim.Muon([w]).state_shapes(w)
        {'momentum_buffer': (2, 3)}
        """
        if p._aval.dtype.is_complex:
            raise RuntimeError("Muon does not support complex parameters")
        if len(p._aval.shape) != 2:
            raise ValueError("Param gradient must be a 2D matrix")
        return {"momentum_buffer": tuple(p._aval.shape)}

    def phase(self, group: dict[str, Any], t: float, first: bool) -> dict[str, Any]:
        if group["ns_steps"] >= 100:
            raise ValueError("Number of steps must be less than 100 for computational efficiency")
        if len(group["ns_coefficients"]) != 3:
            raise ValueError("Coefficients must be a tuple of exactly 3 values")
        return {"steps": group["ns_steps"]}

    def formula(self, group: int = 0, t: float = math.inf) -> StepFormula:
        """Return the formula of a step of the first parameter: those of others have other shapes.

        Parameters
        ----------
        group : int
            The number of the group, whose settings the formula depends on.
        t : float
            The number of the step, on which it does not depend.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.Muon([torch.zeros(2, 3)])
        >>> optimizer.formula()["momentum_buffer"]
        momentum_buffer + (1 - momentum) * (g - momentum_buffer)
        """
        own = self.param_groups[group]
        params = own["params"] or [wrap(np.zeros((2, 2), default_dtype().numpy))]
        return StepFormula(structure_of(self, own, params[0], t)[0])

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        if h.on("momentum"):
            s.momentum_buffer = s.momentum_buffer + (1 - h.momentum) * (g - s.momentum_buffer)
            ahead = g + h.momentum * (s.momentum_buffer - g) if h.nesterov else s.momentum_buffer
        else:
            ahead = s.momentum_buffer = g
        rows, columns = p.shape
        # Of both products of a matrix with its transpose, the smaller.
        s.change = ahead.mT if rows > columns else ahead
        s.change = s.change / (s.change**2).sum().sqrt().clamp(min=h.eps)
        for _ in range(h.steps):
            s.gram = s.change @ s.change.mT
            powers = h.ns_coefficient2 * s.gram + h.ns_coefficient3 * (s.gram @ s.gram)
            s.change = h.ns_coefficient1 * s.change + powers @ s.change
        step = s.change.mT if rows > columns else s.change
        kept = p * (1 - h.lr * h.weight_decay) if h.on("weight_decay") else p
        return kept - _rate(h, rows, columns) * step


def _rate(h: Any, rows: int, columns: int) -> Any:
    """Return the length of a step for a shape."""
    if h.adjust_lr_fn == "match_rms_adamw":
        return h.lr * (0.2 * math.sqrt(max(rows, columns)))
    return h.lr * math.sqrt(rows / columns) if rows > columns else h.lr
