"""Adafactor."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from symgrad.expr.dtypes import default_dtype
from symgrad.optim.formula import StepFormula, Structure
from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check_lr
from symgrad.optim.whole import WholeSteps, structure_of
from symgrad.record.record import wrap


class Adafactor(Optimizer):
    """Steps over the root of a mean of squares, of which a matrix keeps only rows and columns.

    The mean of squares of a matrix is estimated by the product of the means of its rows and of its
    columns; this takes less memory than the means of all elements.

    Parameters
    ----------
    params : iterable
        Tensors, or groups of them.
    lr : float or Tensor
        The greatest length of a step, over the size of the parameter.
    beta2_decay : float
        The exponent by which the part that is new in the means falls with the steps.
    eps : tuple of float
        The least root of a mean, by default that of the dtype, and the least size of a parameter.
    d : float
        The greatest size of a step, before its length is applied.
    weight_decay : float
        What part of the parameter, times `lr`, is taken away.
    foreach : bool, optional
        As in PyTorch, where it chooses an implementation; here there is one.
    maximize : bool
        Whether to go uphill.

    Raises
    ------
    ValueError
        For settings out of their range.

    References
    ----------
    N. Shazeer and M. Stern, "Adafactor: Adaptive Learning Rates with Sublinear Memory Cost" (2018).

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    >>> optimizer = torch.optim.Adafactor([w], lr=0.1)
    >>> (w * w).sum().backward()
    >>> optimizer.step()
    >>> [name for name in optimizer.state_dict()["state"][0]]
    ['step', 'row_var', 'col_var']
    >>> print(torch.optim.Adafactor([torch.zeros(2)]).formula())
    size = clamp(sqrt(mean(p**2)), min=eps2)
    variance = variance + t**beta2_decay * (g**2 - variance)
    change = g / sqrt(clamp(variance, min=eps1**2))
    p = p - size * clamp(1 / sqrt(t), max=lr) / clamp(sqrt(mean(change**2)) / d, min=1.0) * change
    """

    usual = {"foreach": None}
    _steps: Any

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        check_lr(lr)
        _check(lr >= 0.0, "Learning rate should be >= 0", lr)
        _check(beta2_decay <= 0.0, "beta2_decay should be <= 0", beta2_decay)
        _check(eps[0] is None or eps[0] >= 0.0, "epsilon1 should be >= 0", eps[0])
        _check(eps[1] >= 0.0, "epsilon2 should be >= 0", eps[1])
        _check(d >= 1.0, "Clipping threshold d should be >= 1", d)
        _check(weight_decay >= 0.0, "weight_decay should be >= 0", weight_decay)
        settings = {
            "lr": lr, "beta2_decay": beta2_decay, "eps": eps, "d": d, "weight_decay": weight_decay,
            "foreach": foreach, "maximize": maximize,
        }  # fmt: skip
        super().__init__(params, settings)

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
        >>> torch.optim.Adafactor([w]).state_shapes(w)
        {'row_var': (2, 1), 'col_var': (1, 3)}
        """
        if p._aval.dtype.is_complex:
            raise RuntimeError("Adafactor does not support complex parameters")
        shape = tuple(p._aval.shape)
        if len(shape) < 2:
            return {"variance": shape}
        return {"row_var": (*shape[:-1], 1), "col_var": (*shape[:-2], 1, shape[-1])}

    def _structure(
        self, group: dict[str, Any], kind: Any, phase: Mapping[str, Any]
    ) -> tuple[Structure, dict[str, float]]:
        least, size = group["eps"]
        if least is None:  # as in PyTorch, that of the first parameter holds for a group
            kinds = [p._aval.dtype for p in group["params"] if p._grad is not None]
            least = float(np.finfo((kinds or [kind])[0].numpy).eps)
        return super()._structure({**group, "eps": (least, size)}, kind, phase)

    def formula(self, group: int = 0, t: float = math.inf) -> StepFormula:
        """Return the formula of a step of the first parameter: those of others have other shapes.

        Parameters
        ----------
        group : int
            The number of the group, whose settings the formula depends on.
        t : float
            The number of the step.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.Adafactor([torch.zeros(2, 3)])
        >>> optimizer.formula()["row_var"]
        row_var + t**beta2_decay * (mean(g**2, dim=1, keepdim=True) - row_var)
        """
        own = self.param_groups[group]
        params = own["params"] or [wrap(np.zeros(2, default_dtype().numpy))]
        return StepFormula(structure_of(self, own, params[0], t)[0])

    @staticmethod
    def update(p: Any, g: Any, s: Any, h: Any) -> Any:
        if h.maximize:
            s.g = -g
        s.size = (p**2).mean().sqrt().clamp(min=h.eps2)
        if h.on("weight_decay"):
            s.p = p * (1 - h.lr * h.weight_decay)
        part = h.t**h.beta2_decay
        square = s.g**2
        if len(p.shape) > 1:
            s.row_var = s.row_var + part * (square.mean(-1, keepdim=True) - s.row_var)
            s.col_var = s.col_var + part * (square.mean(-2, keepdim=True) - s.col_var)
            rows = s.row_var / s.row_var.mean(-2, keepdim=True).clamp(min=h.eps1)
            s.square = rows * s.col_var
            square = s.square
        else:
            s.variance = s.variance + part * (square - s.variance)
            square = s.variance
        s.change = s.g / square.clamp(min=h.eps1**2).sqrt()
        excess = ((s.change**2).mean().sqrt() / h.d).clamp(min=1.0)
        return s.p - s.size * (1 / h.t.sqrt()).clamp(max=h.lr) / excess * s.change


def _check(valid: Any, what: str, value: Any) -> None:
    """Raise PyTorch's error for a setting that is out of its range."""
    if not valid:
        raise ValueError(f"{what} but is: {value}")
