"""Schedulers that multiply rates by factors: by those of functions, and by known ones."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from symgrad.optim.lr_scheduler.scheduler import (
    LRScheduler,
    function_state,
    set_function_state,
)
from symgrad.optim.optimizer import Optimizer


class _Functions(LRScheduler):
    """A scheduler with a function for each group."""

    def __init__(
        self,
        optimizer: Optimizer,
        lr_lambda: Callable[[int], float] | list[Callable[[int], float]],
        last_epoch: int = -1,
    ) -> None:
        count = len(optimizer.param_groups)
        several = isinstance(lr_lambda, (list, tuple))
        self.lr_lambdas: list[Any] = list(lr_lambda) if several else [lr_lambda] * count  # type: ignore[arg-type]
        if len(self.lr_lambdas) != count:
            raise ValueError(f"Expected {count} lr_lambdas, but got {len(self.lr_lambdas)}")
        self._check_functions()
        super().__init__(optimizer, last_epoch)

    def _check_functions(self) -> None:
        pass

    def state_dict(self) -> dict[str, Any]:
        return super().state_dict() | {"lr_lambdas": [function_state(f) for f in self.lr_lambdas]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        states = state_dict["lr_lambdas"]
        super().load_state_dict({k: x for k, x in state_dict.items() if k != "lr_lambdas"})
        for f, state in zip(self.lr_lambdas, states, strict=False):
            set_function_state(f, state)


class LambdaLR(_Functions):
    """Rates that are those of the beginning times what a function returns.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    lr_lambda : callable or list of callable
        Returns the factor from the number of the step; one for all groups, or one for each.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Raises
    ------
    ValueError
        If there are more or fewer functions than groups.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda t: 1 / (1 + t))
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def _next(self, i: int, rate: Any) -> Any:
        return self._base(i) * self.lr_lambdas[i](self.last_epoch)


class MultiplicativeLR(_Functions):
    """Rates that are multiplied in each step by what a function returns.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    lr_lambda : callable or list of callable
        Returns the factor from the number of the step; one for all groups, or one for each.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Raises
    ------
    ValueError
        If there are more or fewer functions than groups.
    TypeError
        If one is no function.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.MultiplicativeLR(optimizer, lambda t: 0.5)
    >>> optimizer.step()
    >>> scheduler.step()
    >>> scheduler.get_last_lr()
    [0.5]
    """

    def _check_functions(self) -> None:
        for f in self.lr_lambdas:
            if not callable(f):
                raise TypeError(f"lr_lambda should be a function, but got {type(f).__name__}")

    def _next(self, i: int, rate: Any) -> Any:
        self._base(i)  # which there is where there is a function
        return rate if self._is_initial else rate * self.lr_lambdas[i](self.last_epoch)


class _Factors(LRScheduler):
    """A scheduler that is a function of the number of the step, times the rate of the beginning.

    A step multiplies the rate that is there, whoever has set it, so that several can be chained.
    """

    def _ratio(self, t: int) -> float:
        """Return the rate at step `t` over that of the beginning."""
        raise NotImplementedError

    def _factor(self, t: int) -> float:
        """Return the rate at step `t` over that of the step before."""
        raise NotImplementedError

    def _next(self, i: int, rate: Any) -> Any:
        factor = self._factor(self.last_epoch)
        return rate if factor == 1 else rate * factor

    def _closed_form(self) -> list[Any]:
        return [base * self._ratio(self.last_epoch) for base in self.base_lrs]


class StepLR(_Factors):
    """Rates that are multiplied by `gamma` at every step whose number `step_size` divides.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    step_size : int
        How many steps have the same rate.
    gamma : float
        The factor.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    >>> for _ in range(4):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(*scheduler.get_last_lr())
    1.0
    0.5
    0.5
    0.25
    """

    def __init__(
        self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, t: int) -> float:
        return 1.0 if t == 0 or t % self.step_size else self.gamma

    def _ratio(self, t: int) -> float:
        return self.gamma ** (t // self.step_size)


class MultiStepLR(_Factors):
    """Rates that are multiplied by `gamma` at given steps.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    milestones : iterable of int
        The numbers of these steps; at one that is there twice, the factor is applied twice.
    gamma : float
        The factor.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [1, 3], gamma=0.5)
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(*scheduler.get_last_lr())
    0.5
    0.5
    0.25
    """

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, t: int) -> float:
        return self.gamma ** self.milestones.get(t, 0)

    def _ratio(self, t: int) -> float:
        return self.gamma ** bisect_right(sorted(self.milestones.elements()), t)


class ConstantLR(_Factors):
    """Rates that are made smaller by one factor, until a given step.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    factor : float
        The factor, between zero and one.
    total_iters : int
        The number of the step from which on it is not applied.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Raises
    ------
    ValueError
        If the factor is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=2)
    >>> for _ in range(2):
    ...     print(*scheduler.get_last_lr())
    ...     optimizer.step()
    ...     scheduler.step()
    0.5
    0.5
    >>> scheduler.get_last_lr()
    [1.0]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 <= factor <= 1:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _factor(self, t: int) -> float:
        if t == 0:
            return self.factor
        return 1 / self.factor if t == self.total_iters else 1.0

    def _ratio(self, t: int) -> float:
        return self.factor if t < self.total_iters else 1.0


class _Ramp(_Factors):
    """A scheduler whose ratio is known for each step until the last one, `total_iters`."""

    total_iters: int

    def _factor(self, t: int) -> float:
        if t == 0:
            return self._ratio(0)
        if self._is_initial or t > self.total_iters:
            return 1.0
        return self._ratio(t) / self._ratio(t - 1)


class LinearLR(_Ramp):
    """Rates whose factor changes from one value to another by the same amount in each step.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    start_factor, end_factor : float
        The factors of the beginning and of the end, between zero and one.
    total_iters : int
        The number of the step that has the last factor, which then stays.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Raises
    ------
    ValueError
        If a factor is out of its range.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, 0.5, 1.0, total_iters=2)
    >>> for _ in range(3):
    ...     print(*scheduler.get_last_lr())
    ...     optimizer.step()
    ...     scheduler.step()
    0.5
    0.75
    1.0
    """

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal "
                "to 1."
            )
        if not 0 <= end_factor <= 1:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _ratio(self, t: int) -> float:
        if t == 0:
            return self.start_factor
        part = min(t, self.total_iters) / self.total_iters
        return self.start_factor + (self.end_factor - self.start_factor) * part


class ExponentialLR(_Factors):
    """Rates that are multiplied by `gamma` in each step.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    gamma : float
        The factor.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> for _ in range(2):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(*scheduler.get_last_lr())
    0.5
    0.25
    """

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def _factor(self, t: int) -> float:
        return 1.0 if self._is_initial else self.gamma

    def _ratio(self, t: int) -> float:
        return self.gamma**t


class PolynomialLR(_Ramp):
    """Rates that fall to zero as a power: with the factor `(1 - t / total_iters) ** power`.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    total_iters : int
        The number of the step at which they are zero.
    power : float
        The exponent.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.PolynomialLR(optimizer, total_iters=2, power=2.0)
    >>> for _ in range(2):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(*scheduler.get_last_lr())
    0.25
    0.0
    """

    def __init__(
        self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _ratio(self, t: int) -> float:
        left = 1 - min(t, self.total_iters) / self.total_iters if t else 1.0
        ratio: float = left**self.power
        return ratio
