"""Schedulers of schedulers: one after the other, and all in each step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

from symgrad.optim.lr_scheduler.plateau import ReduceLROnPlateau
from symgrad.optim.lr_scheduler.scheduler import LRScheduler, assign, setting
from symgrad.optim.optimizer import Optimizer


class _Combined(LRScheduler):
    """A scheduler with others, `_schedulers`, all of one optimiser."""

    _schedulers: Sequence[Any]

    def state_dict(self) -> dict[str, Any]:
        return super().state_dict() | {"_schedulers": [s.state_dict() for s in self._schedulers]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        states = state_dict["_schedulers"]
        super().load_state_dict({k: x for k, x in state_dict.items() if k != "_schedulers"})
        for scheduler, state in zip(self._schedulers, states, strict=False):
            scheduler.load_state_dict(state)

    def _check(self, schedulers: Sequence[Any], optimizer: Optimizer | None, use: str) -> Any:
        """Return the optimiser of all schedulers.

        Raises
        ------
        ValueError, TypeError
            If there is none, or one that cannot be combined with the others.
        """
        own = type(self).__name__
        if len(schedulers) < 1:
            raise ValueError(f"{own} expects at least one scheduler{use}, but got no scheduler.")
        optimizer = optimizer or schedulers[0].optimizer
        for i, scheduler in enumerate(schedulers):
            if not hasattr(scheduler, "optimizer"):
                raise TypeError(f"{own} at index {i} should have `optimizer` as its attribute.")
            if isinstance(scheduler, ReduceLROnPlateau):
                raise ValueError(
                    f"{own} does not support `ReduceLROnPlateau` scheduler as it requires "
                    "additional kwargs to be specified when calling `step`, but got one at index "
                    f"{i} in the given schedulers sequence."
                )
            if optimizer is not scheduler.optimizer:
                raise ValueError(
                    f"{own} expects all schedulers to belong to the same optimizer, but got "
                    f"scheduler {type(scheduler).__name__} at index {i} has "
                    f"{scheduler.optimizer}, which is different from {type(optimizer).__name__}."
                )
        return optimizer


class SequentialLR(_Combined):
    """Schedulers of which each one follows another, at given steps.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of all schedulers.
    schedulers : list of LRScheduler
        The schedulers, in their order.
    milestones : list of int
        The numbers of the steps with which all but the first begin.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Raises
    ------
    ValueError, TypeError
        If there is no scheduler, one of another optimiser or one that needs more for a step; or if
        the number of steps is another.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> first = torch.optim.lr_scheduler.ConstantLR(optimizer, factor=0.5, total_iters=9)
    >>> second = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.1)
    >>> scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [first, second], [2])
    >>> for _ in range(4):
    ...     print(*scheduler.get_last_lr())
    ...     optimizer.step()
    ...     scheduler.step()
    0.5
    0.5
    1.0
    0.1
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: list[Any],
        milestones: list[int],
        last_epoch: int = -1,
    ) -> None:
        self.optimizer = self._check(schedulers, optimizer, "")
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than "
                "the number of milestone points, but got number of schedulers "
                f"{len(schedulers)} and the number of milestones to be equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        for group in optimizer.param_groups:
            assign(group, "lr", group["initial_lr"])
        self.recursive_undo()
        first = self._current(0)
        first._initial_step()
        self._last_lr = first.get_last_lr()

    def _current(self, t: int) -> Any:
        """Return the scheduler of a step."""
        return self._schedulers[bisect_right(self._milestones, t)]

    def recursive_undo(self, sched: Any = None) -> None:
        """Take back the first step of all schedulers, which they take when they are made.

        Parameters
        ----------
        sched : LRScheduler, optional
            One of them, whose step alone is taken back.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> first = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.1)
        >>> scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [first], [])
        >>> scheduler.recursive_undo()
        >>> first.last_epoch
        -1
        """
        scheduler = self if sched is None else sched
        if hasattr(scheduler, "_schedulers"):
            for inner in scheduler._schedulers:
                self.recursive_undo(inner)
        elif hasattr(scheduler, "last_epoch"):
            scheduler.last_epoch -= 1

    def step(self) -> None:  # type: ignore[override]
        """Take a step of the scheduler whose turn it is.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> first = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> scheduler = torch.optim.lr_scheduler.SequentialLR(optimizer, [first], [])
        >>> optimizer.step()
        >>> scheduler.step()
        >>> scheduler.get_last_lr()
        [0.5]
        """
        self.last_epoch += 1
        scheduler = self._current(self.last_epoch)
        if self.last_epoch in self._milestones:
            scheduler._update_lr(0)
        else:
            scheduler.step()
        self._last_lr = scheduler.get_last_lr()


class ChainedScheduler(_Combined):
    """Schedulers that all take a step in each step, one after the other.

    Parameters
    ----------
    schedulers : sequence of LRScheduler
        The schedulers; what each sets is what the next one begins from.
    optimizer : Optimizer, optional
        The optimiser of all of them.

    Raises
    ------
    ValueError, TypeError
        If there is no scheduler, one of another optimiser or one that needs more for a step.

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> first = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
    >>> second = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    >>> scheduler = torch.optim.lr_scheduler.ChainedScheduler([first, second])
    >>> for _ in range(2):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(*scheduler.get_last_lr())
    0.5
    0.125
    """

    def __init__(self, schedulers: Sequence[Any], optimizer: Optimizer | None = None) -> None:
        self.optimizer = self._check(schedulers, optimizer, " to be chained")
        self._schedulers = schedulers
        self._last_lr = setting(self.optimizer, "lr")

    def step(self) -> None:  # type: ignore[override]
        """Take a step of each scheduler.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> first = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> scheduler = torch.optim.lr_scheduler.ChainedScheduler([first])
        >>> optimizer.step()
        >>> scheduler.step()
        >>> scheduler.get_last_lr()
        [0.5]
        """
        for scheduler in self._schedulers:
            scheduler.step()
        self._last_lr = setting(self.optimizer, "lr")
