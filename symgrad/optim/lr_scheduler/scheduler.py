"""The base class of schedulers: when rates change, and how they are kept; not what they become."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from symgrad.optim.optimizer import Optimizer
from symgrad.optim.settings import number
from symgrad.record.modes import recording
from symgrad.record.record import Recorded

_EPOCH = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if "
    "epoch is different from None, the closed form is used instead of the new chainable form, "
    "where available. Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)
_PAGE = "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"


class LRScheduler:
    """The base class of schedulers, which set the learning rates of an optimiser.

    A subclass states its rates in `get_lr`.

    Parameters
    ----------
    optimizer : Optimizer
        Its rates at this moment are the ones that a schedule starts from, `initial_lr`.
    last_epoch : int
        How many steps a schedule that is resumed has taken; -1 starts a new one.

    Raises
    ------
    TypeError
        If `optimizer` is none.
    KeyError
        If a schedule is resumed and a group has no `initial_lr`.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Halved(torch.optim.lr_scheduler.LRScheduler):
    ...     def get_lr(self):
    ...         return [rate / 2**self.last_epoch for rate in self.base_lrs]
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
    >>> scheduler = Halved(optimizer)
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(scheduler.get_last_lr())
    [0.5]
    [0.25]
    [0.125]
    """

    _get_lr_called_within_step = False
    _is_initial = False

    optimizer: Optimizer
    last_epoch: int
    _last_lr: list[Any]

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming "
                    "scheduler with last_epoch >= 0; load the state of the optimizer first"
                )
        self.base_lrs = setting(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        optimizer._opt_called = bool(optimizer._opt_called)
        optimizer._replaced_step = vars(optimizer).get("step")
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._flagged("_is_initial", self.step)

    def _flagged(self, flag: str, f: Callable[[], Any]) -> Any:
        """Return what `f` returns while a flag is set."""
        setattr(self, flag, True)
        try:
            return f()
        finally:
            setattr(self, flag, False)

    def state_dict(self) -> dict[str, Any]:
        """Return all of a scheduler but its optimiser; of functions, what objects keep.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> state = scheduler.state_dict()
        >>> state["gamma"], state["last_epoch"], state["base_lrs"]
        (0.5, 0, [1.0])
        """
        return {name: x for name, x in vars(self).items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take what `state_dict` returned; the optimiser loads its rates itself.

        Parameters
        ----------
        state_dict : dict
            The state of a scheduler of the same class.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> scheduler.load_state_dict({"gamma": 0.1, "last_epoch": 7})
        >>> scheduler.gamma, scheduler.last_epoch
        (0.1, 7)
        """
        vars(self).update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """Return the rates of all groups as the last step has set them.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> torch.optim.lr_scheduler.LinearLR(optimizer, start_factor=0.5).get_last_lr()
        [0.5]
        """
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """Compute the rates that a step sets; `get_last_lr` returns those that it has set.

        Examples
        --------
        >>> import symgrad as torch
        >>> class Constant(torch.optim.lr_scheduler.LRScheduler):
        ...     def get_lr(self):
        ...         return self.base_lrs
        >>> Constant(torch.optim.SGD([torch.zeros(2)], lr=0.5)).get_lr()
        [0.5]
        """
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use "
                "`get_last_lr()`.",
                stacklevel=2,
            )
        return self._rates()

    def _rates(self) -> list[Any]:
        """Return the next rates: of each group by itself."""
        return [self._next(i, rate) for i, rate in enumerate(setting(self.optimizer, "lr"))]

    def _next(self, i: int, rate: Any) -> Any:
        """Return what comes after a rate of group `i`."""
        raise NotImplementedError

    def _base(self, i: int) -> Any:
        """Return the rate with which group `i` began.

        Raises
        ------
        ValueError
            If the group was added after the scheduler was made.
        """
        if i >= len(self.base_lrs):
            raise ValueError(
                f"{type(self).__name__} knows the first rates of {len(self.base_lrs)} param "
                f"groups, but the optimizer has {len(self.optimizer.param_groups)}"
            )
        return self.base_lrs[i]

    def _closed_form(self) -> list[Any] | None:
        """Return the rates as `last_epoch` alone gives them; None where they need those before."""
        return None

    def step(self, epoch: int | None = None) -> None:
        """Set the next rates; after a step of the optimiser.

        Parameters
        ----------
        epoch : int, optional
            The number of the step, if it is not the next one. PyTorch deprecates it.

        Warns
        -----
        UserWarning
            If the optimiser has not stepped before, or with `epoch`.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0)
        >>> scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
        >>> optimizer.step()
        >>> scheduler.step()
        >>> optimizer.param_groups[0]["lr"]
        0.5
        """
        if self._step_count == 1:
            self._check_order()
        self._step_count += 1
        if epoch is not None:
            warn_of_epoch(3)
        self._update_lr(epoch)

    def _check_order(self) -> None:
        """Warn at the second step, the first of a user, if the optimiser's does not come before."""
        if vars(self.optimizer).get("step") is not self.optimizer._replaced_step:
            warnings.warn(
                "Seems like `optimizer.step()` has been overridden after learning rate scheduler "
                "initialization. Please, make sure to call `optimizer.step()` before "
                f"`lr_scheduler.step()`. See more details at {_PAGE}",
                stacklevel=3,
            )
        elif self.optimizer._opt_called is False:
            warnings.warn(
                "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch "
                "1.1.0 and later, you should call them in the opposite order: `optimizer.step()` "
                "before `lr_scheduler.step()`.  Failure to do this will result in PyTorch skipping "
                f"the first value of the learning rate schedule. See more details at {_PAGE}",
                stacklevel=3,
            )

    def _update_lr(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        rates = None if epoch is None else self._closed_form()
        if rates is None:
            rates = self._flagged("_get_lr_called_within_step", self.get_lr)
        self._set(rates)

    def _set(self, rates: Sequence[Any]) -> None:
        """Set the rates of all groups."""
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            assign(group, "lr", rate)
        self._last_lr = setting(self.optimizer, "lr")


class _LRScheduler(LRScheduler):
    """An old name of `LRScheduler`."""


def check_optimizer(optimizer: Any) -> None:
    """Raise PyTorch's error for what is no optimiser."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def warn_of_epoch(stacklevel: int) -> None:
    """Warn that a number of a step is given."""
    warnings.warn(_EPOCH, stacklevel=stacklevel + 1)


def copied(x: Any) -> Any:
    """Return a setting, a tensor as a copy."""
    return x.detach().clone() if isinstance(x, Recorded) else x  # type: ignore[attr-defined]


def setting(optimizer: Optimizer, name: str) -> list[Any]:
    """Return a setting of each group."""
    return [copied(group[name]) for group in optimizer.param_groups]


def assign(group: dict[str, Any], name: str, value: Any) -> None:
    """Change a setting of a group: a tensor stays, with another value."""
    known = group[name]
    if isinstance(known, Recorded):
        with recording(False):
            known.fill_(number(value))  # type: ignore[attr-defined]
    else:
        group[name] = value


def per_group(name: str, optimizer: Optimizer, given: Any) -> list[Any]:
    """Return one value for each group: those that are given, or the same for all.

    Raises
    ------
    ValueError
        If there are more or fewer of them than groups.
    """
    count = len(optimizer.param_groups)
    if not isinstance(given, (list, tuple)):
        given = [given] * count
    if len(given) != count:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(given)} "
            f"values, param_groups has {count}."
        )
    return [copied(x) for x in given]


def function_state(f: Any) -> dict[str, Any] | None:
    """Return what an object that is called keeps; None for a function, which keeps nothing."""
    return None if isinstance(f, type(function_state)) else dict(vars(f))


def set_function_state(f: Any, state: dict[str, Any] | None) -> None:
    """Give an object that is called what `function_state` returned."""
    if state is not None:
        vars(f).update(state)
