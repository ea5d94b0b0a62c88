"""A scheduler that makes rates smaller when a measure does not become better."""

from __future__ import annotations

import math
from typing import Any, Literal

from symgrad.optim.lr_scheduler.scheduler import (
    LRScheduler,
    assign,
    check_optimizer,
    setting,
    warn_of_epoch,
)
from symgrad.optim.optimizer import Optimizer


class ReduceLROnPlateau(LRScheduler):
    """Rates that are multiplied by a factor when a measure has not become better for long.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    mode : {"min", "max"}
        Whether smaller or greater measures are better.
    factor : float
        The factor, below one.
    patience : int
        After how many steps without a better measure the next one makes rates smaller.
    threshold : float
        By how much a measure must be better.
    threshold_mode : {"rel", "abs"}
        Whether that is a part of the best measure, or an amount.
    cooldown : int
        How many steps are not counted after rates became smaller.
    min_lr : float or list of float
        The least rate; one for all groups, or one for each.
    eps : float
        Changes of a rate that are not greater than this are not made.

    Raises
    ------
    ValueError
        For settings out of their range.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.5, patience=1)
    >>> for loss in (3.0, 2.0, 2.0, 2.0):
    ...     optimizer.step()
    ...     scheduler.step(loss)
    ...     print(*scheduler.get_last_lr())
    1.0
    1.0
    1.0
    0.5
    """

    def __init__(
        self,
        optimizer: Optimizer,
        mode: Literal["min", "max"] = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: Literal["rel", "abs"] = "rel",
        cooldown: int = 0,
        min_lr: list[float] | float = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        check_optimizer(optimizer)
        count = len(optimizer.param_groups)
        several = isinstance(min_lr, (list, tuple))
        self.factor = factor
        self.optimizer = optimizer
        self.default_min_lr = None if several else min_lr
        self.min_lrs: list[Any] = list(min_lr) if several else [min_lr] * count  # type: ignore[arg-type]
        if len(self.min_lrs) != count:
            raise ValueError(f"expected {count} min_lrs, got {len(self.min_lrs)}")
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = setting(optimizer, "lr")
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.best: float = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    def step(self, metrics: Any, epoch: int | None = None) -> None:  # type: ignore[override]
        """Look whether a measure is better than all before, and set rates if none was for long.

        Parameters
        ----------
        metrics : float or Tensor
            The measure.
        epoch : int, optional
            The number of the step, if it is not the next one. PyTorch deprecates it.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
        >>> scheduler.step(torch.tensor(2.0))
        >>> scheduler.best, scheduler.num_bad_epochs
        (2.0, 0)
        """
        measure = float(metrics)
        if epoch is not None:
            warn_of_epoch(2)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        better = self._is_better(measure, self.best)
        if better:
            self.best = measure
        self.num_bad_epochs = 0 if better else self.num_bad_epochs + 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = setting(self.optimizer, "lr")

    @property
    def in_cooldown(self) -> bool:
        """Whether steps are not counted, since rates became smaller.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer).in_cooldown
        False
        """
        return self.cooldown_counter > 0

    def _is_better(self, measure: float, best: float) -> bool:
        sign = 1 if self.mode == "max" else -1
        if self.threshold_mode == "rel":
            needed = best * (1 + sign * self.threshold)
        else:
            needed = best + sign * self.threshold
        return measure > needed if self.mode == "max" else measure < needed

    def _reduce(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"The number of param groups in the `optimizer` ({len(groups)}) differs from "
                    f"when `ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due "
                    "to a new param group being added to the optimizer. Please modify the "
                    "`min_lrs` field to match the length of the `optimizer` param groups."
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs, strict=True):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                assign(group, "lr", new)
