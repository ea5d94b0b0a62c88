"""Schedulers that follow a cosine from the rate of the beginning to the least one."""

from __future__ import annotations

import math
from typing import Any

from symgrad.optim.lr_scheduler.scheduler import LRScheduler
from symgrad.optim.optimizer import Optimizer


def descent(t: float, period: float) -> float:
    """Return what is left after `t` steps of a fall over `period`, from two to zero."""
    return 1 + math.cos(math.pi * t / period)


class CosineAnnealingLR(LRScheduler):
    """Rates that follow a cosine, down in `T_max` steps and up again.

    The rate after `t` steps is `eta_min + (initial_lr - eta_min) * (1 + cos(pi * t / T_max)) / 2`,
    if only this scheduler sets it. From other rates a step goes on by the ratio of such values.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    T_max : int
        The number of steps to the least rate.
    eta_min : float
        The least rate.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    References
    ----------
    I. Loshchilov and F. Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2)
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(round(scheduler.get_last_lr()[0], 6))
    0.5
    0.0
    0.5
    """

    def __init__(
        self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def _next(self, i: int, rate: Any) -> Any:
        t = self.last_epoch
        if self._is_initial:
            return rate
        if (t - 1 - self.T_max) % (2 * self.T_max) == 0:  # after the least rate: no ratio
            rise = (1 - math.cos(math.pi / self.T_max)) / 2
            return rate + (self._base(i) - self.eta_min) * rise
        ratio = descent(t, self.T_max) / descent(t - 1, self.T_max)
        return ratio * (rate - self.eta_min) + self.eta_min

    def _closed_form(self) -> list[Any]:
        left = descent(self.last_epoch, self.T_max) / 2
        return [self.eta_min + (base - self.eta_min) * left for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Rates that follow a cosine down, time and again, over periods that may become longer.

    `T_cur` steps after a beginning the rate is
    `eta_min + (initial_lr - eta_min) * (1 + cos(pi * T_cur / T_i)) / 2`.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    T_0 : int
        The number of steps of the first period.
    T_mult : int
        By what each period is longer than the one before.
    eta_min : float
        The least rate.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Raises
    ------
    ValueError
        For settings out of their range.

    References
    ----------
    I. Loshchilov and F. Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(round(scheduler.get_last_lr()[0], 6))
    0.5
    1.0
    0.5
    """

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        last_epoch: int = -1,
    ) -> None:
        if T_0 <= 0 or not isinstance(T_0, int):
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if T_mult < 1 or not isinstance(T_mult, int):
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, (float, int)):
            raise ValueError(
                f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}"
            )
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def _next(self, i: int, rate: Any) -> Any:
        left = descent(self.T_cur, self.T_i) / 2
        return self.eta_min + (self._base(i) - self.eta_min) * left

    def step(self, epoch: float | None = None) -> None:
        """Set the next rates; after a step of the optimiser.

        Parameters
        ----------
        epoch : float, optional
            The number of the step, if it is not the next one; it may lie between two.

        Raises
        ------
        ValueError
            If it is below zero.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> scheduler = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
        >>> scheduler.step(3)
        >>> round(scheduler.get_last_lr()[0], 6)
        0.5
        """
        if epoch is None and self.last_epoch >= 0:
            self.last_epoch += 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            self._start_at(epoch or 0)
        self._set(self._flagged("_get_lr_called_within_step", self.get_lr))

    def _start_at(self, epoch: float) -> None:
        """Find the period of a step, and how much of it has passed."""
        if epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        self.last_epoch = math.floor(epoch)
        if self.T_mult == 1:
            self.T_cur = epoch % self.T_0
            return
        self.T_cur, self.T_i = epoch, self.T_0
        while self.T_cur >= self.T_i:
            self.T_cur -= self.T_i
            self.T_i *= self.T_mult
