"""L-BFGS: steps along Newton's direction, with a Hessian that is estimated from the last steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from symgrad.optim.line_search import Point, strong_wolfe
from symgrad.optim.optimizer import Optimizer
from symgrad.optim.rules import check, check_lr
from symgrad.optim.settings import number
from symgrad.optim.stepping import refuse_batching
from symgrad.record.modes import recording
from symgrad.record.record import Recorded, wrap
from symgrad.schema.public import FUNCTIONS

#: Steps whose product with the change of the gradient is not greater tell nothing about the curve.
_LEAST_CURVATURE = 1e-10


class LBFGS(Optimizer):
    """Steps along Newton's direction, with a Hessian that is estimated from the last steps.

    Parameters
    ----------
    params : iterable
        Tensors; there is one group.
    lr : float or Tensor
        The part of a step that is taken, or tried first by the line search.
    max_iter : int
        How many steps a call of `step` takes at most.
    max_eval : int, optional
        How often it computes the loss at most; by default a quarter more than `max_iter`.
    tolerance_grad : float
        It ends where no element of the gradient is greater.
    tolerance_change : float
        It ends where neither the loss nor a parameter changes by more.
    history_size : int
        From how many steps the Hessian is estimated.
    line_search_fn : {None, "strong_wolfe"}
        How the length of a step is found.

    Raises
    ------
    ValueError
        For settings out of their range, or several groups.

    References
    ----------
    J. Nocedal and S. J. Wright, "Numerical Optimization" (2006), algorithms 7.4, 3.5 and 3.6.

    Examples
    --------
    >>> import symgrad as torch
    >>> w = torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True)
    >>> optimizer = torch.optim.LBFGS([w], line_search_fn="strong_wolfe")
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = ((w - 3) ** 2).sum() + w.exp().sum()
    ...     loss.backward()
    ...     return loss
    >>> optimizer.step(closure)
    tensor(15.1073, dtype=torch.float64, grad_fn=<AddBackward0>)
    >>> (2 * (w - 3) + w.exp()).abs().max().item() < 1e-4
    True
    """

    counts_steps = False

    def __init__(
        self,
        params: Iterable[Any],
        lr: Any = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check_lr(lr)
        check(lr >= 0.0, "learning rate", lr)
        settings = {
            "lr": lr, "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad, "tolerance_change": tolerance_change,
            "history_size": history_size, "line_search_fn": line_search_fn,
        }  # fmt: skip
        super().__init__(params, settings)
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")

    def step(self, closure: Callable[[], Any]) -> Any:  # type: ignore[override]
        """Take steps until one of the tolerances or the greatest number is reached.

        Parameters
        ----------
        closure : callable
            Computes the loss anew, with its gradients; its first result is returned.

        Raises
        ------
        RuntimeError
            For an unknown line search.

        Examples
        --------
        >>> import symgrad as torch
        >>> w = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> optimizer = torch.optim.LBFGS([w])
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = (w * w).sum()
        ...     loss.backward()
        ...     return loss
        >>> optimizer.step(closure)
        tensor(5., grad_fn=<SumBackward0>)
        >>> w.abs().max().item() < 1e-6
        True
        """
        refuse_batching()
        with recording(False):
            return self._minimise(closure)

    def _minimise(self, closure: Callable[[], Any]) -> Any:
        (group,) = self.param_groups
        rate, steps, evaluations = number(group["lr"]), group["max_iter"], group["max_eval"]
        state = self.state[group["params"][0]]
        first = _call(closure)
        state["func_evals"] = state.get("func_evals", 0) + 1
        state.setdefault("n_iter", 0)
        here = Point(0.0, _value(first), self._gradient())
        if here.is_flat(group["tolerance_grad"]):
            return first
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        evaluated = 1
        for taken in range(1, steps + 1):
            state["n_iter"] += 1
            d = _direction(state, here.gradient, group["history_size"])
            state |= {"d": d, "prev_flat_grad": here.gradient, "prev_loss": here.loss}
            state["t"] = rate
            if state["n_iter"] == 1:
                state["t"] = min(1.0, 1.0 / here.gradient.abs().sum().item()) * rate
            slope = here.gradient.dot(d).item()
            if slope > -group["tolerance_change"]:
                break
            before, count = here.loss, 0
            if group["line_search_fn"] is None:
                self._move(state["t"], d)
                if taken != steps:
                    here, count = Point(0.0, _value(_call(closure)), self._gradient()), 1
            else:
                here, count = strong_wolfe(
                    self._along(closure, d), here._replace(t=0.0, slope=slope), d, state["t"],
                    evaluations - evaluated,
                )  # fmt: skip
                state["t"] = here.t
                self._move(here.t, d)
            evaluated += count
            state["func_evals"] += count
            if (
                evaluated >= evaluations
                or here.is_flat(group["tolerance_grad"])
                or (d * state["t"]).abs().max().item() <= group["tolerance_change"]
                or abs(here.loss - before) < group["tolerance_change"]
            ):
                break
        return first

    def _along(self, closure: Callable[[], Any], d: Any) -> Callable[[float], Point]:
        """Return the loss as a function of the length of a step; parameters stay as they are."""
        params = self.param_groups[0]["params"]
        start = [p.clone() for p in params]

        def evaluate(t: float) -> Point:
            self._move(t, d)
            loss, gradient = _value(_call(closure)), self._gradient()
            for p, value in zip(params, start, strict=True):
                p.copy_(value)
            return Point(t, loss, gradient, gradient.dot(d).item())

        return evaluate

    def _gradient(self) -> Any:
        """Return the gradients of all parameters in one array, without those of other arrays."""
        found = []
        for p in self.param_groups[0]["params"]:
            g = wrap(np.zeros_like(p._data)) if p.grad is None else p.grad.detach()
            found.append(_real(g).reshape(-1))
        return FUNCTIONS["cat"](found)

    def _move(self, t: float, d: Any) -> None:
        """Add a multiple of an array to all parameters."""
        start = 0
        for p in self.param_groups[0]["params"]:
            own = _real(p)
            end = start + own.numel()
            own.add_(d[start:end].reshape(own.shape), alpha=t)
            start = end


def _call(closure: Callable[[], Any]) -> Any:
    with recording(True):
        return closure()


def _value(loss: Any) -> float:
    tensor: Any = loss
    return float(tensor.detach() if isinstance(loss, Recorded) else loss)


def _real(x: Any) -> Any:
    return FUNCTIONS["view_as_real"](x) if x._aval.dtype.is_complex else x


def _direction(state: dict[str, Any], gradient: Any, size: int) -> Any:
    """Return Newton's direction, by the recursion of two loops over the last steps."""
    if state["n_iter"] == 1:
        state |= {"old_dirs": [], "old_stps": [], "ro": [], "H_diag": 1}
        return -gradient
    changes, steps, ro = state["old_dirs"], state["old_stps"], state["ro"]
    y, s = gradient - state["prev_flat_grad"], state["d"] * state["t"]
    curvature = y.dot(s)
    if curvature.item() > _LEAST_CURVATURE:
        if len(changes) == size:
            for kept in (changes, steps, ro):
                kept.pop(0)
        changes.append(y)
        steps.append(s)
        ro.append(1.0 / curvature)
        state["H_diag"] = curvature / y.dot(y)
    parts = state.setdefault("al", [None] * size)
    d = -gradient
    for i in reversed(range(len(changes))):
        parts[i] = steps[i].dot(d) * ro[i]
        d = d - changes[i] * parts[i]
    d = d * state["H_diag"]
    for i in range(len(changes)):
        d = d + steps[i] * (parts[i] - changes[i].dot(d) * ro[i])
    return d
