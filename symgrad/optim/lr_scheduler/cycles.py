"""Schedulers that lead rates and momenta up and down between two values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Literal

from symgrad.optim.lr_scheduler.scheduler import (
    LRScheduler,
    assign,
    check_optimizer,
    function_state,
    per_group,
    set_function_state,
)
from symgrad.optim.optimizer import Optimizer


class _WithMomentum(LRScheduler):
    """A scheduler that may change momenta, against the rates: of those with betas, the first."""

    cycle_momentum: bool
    use_beta1: bool

    def _start_momentum(self, base: Any, largest: Any, last_epoch: int) -> tuple[list[Any], ...]:
        """Return the least and the greatest momenta of groups, which begin with the greatest."""
        known = self.optimizer.defaults
        if "momentum" not in known and "betas" not in known:
            raise ValueError(
                "optimizer must support momentum or beta1 with `cycle_momentum` option enabled"
            )
        self.use_beta1 = "betas" in known
        least = per_group("base_momentum", self.optimizer, base)
        greatest = per_group("max_momentum", self.optimizer, largest)
        if last_epoch == -1:
            for group, low, high in zip(self.optimizer.param_groups, least, greatest, strict=True):
                self._set_momentum(group, high)
                group["max_momentum"], group["base_momentum"] = high, low
        return least, greatest

    def _set_momentum(self, group: dict[str, Any], value: Any) -> None:
        if self.use_beta1:
            group["betas"] = (value, *group["betas"][1:])
        else:
            group["momentum"] = value


class CyclicLR(_WithMomentum):
    """Rates that go up and down in straight lines, in cycles.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    base_lr, max_lr : float or list of float
        The least and the greatest rate; one for all groups, or one for each.
    step_size_up, step_size_down : int
        The numbers of steps up and down, which are the same if the second is not given.
    mode : {"triangular", "triangular2", "exp_range"}
        Whether cycles are as high as the first, half as high as the one before, or lower with each
        step by the factor `gamma`.
    gamma : float
        That factor.
    scale_fn : callable, optional
        Returns the height of a cycle itself, in the place of `mode`.
    scale_mode : {"cycle", "iterations"}
        Whether `scale_fn` takes the number of the cycle, from one on, or of the step.
    cycle_momentum : bool
        Whether momenta go down while rates go up.
    base_momentum, max_momentum : float or list of float
        The least and the greatest momentum.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Raises
    ------
    ValueError
        For an unknown mode, lists of other lengths, or an optimiser without momentum.

    References
    ----------
    L. N. Smith, "Cyclical Learning Rates for Training Neural Networks" (2017).

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0, momentum=0.9)
    >>> scheduler = torch.optim.lr_scheduler.CyclicLR(optimizer, 0.5, 1.0, step_size_up=2)
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(*scheduler.get_last_lr(), round(optimizer.param_groups[0]["momentum"], 6))
    0.75 0.85
    1.0 0.8
    0.75 0.85
    """

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: float | list[float],
        max_lr: float | list[float],
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: Literal["triangular", "triangular2", "exp_range"] = "triangular",
        gamma: float = 1.0,
        scale_fn: Callable[[float], float] | None = None,
        scale_mode: Literal["cycle", "iterations"] = "cycle",
        cycle_momentum: bool = True,
        base_momentum: float = 0.8,
        max_momentum: float = 0.9,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        least = per_group("base_lr", optimizer, base_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, least, strict=True):
                assign(group, "lr", rate)
        self.max_lrs = per_group("max_lr", optimizer, max_lr)
        up = float(step_size_up)
        self.total_size = up + (up if step_size_down is None else float(step_size_down))
        self.step_ratio = up / self.total_size
        if scale_fn is None and mode not in ("triangular", "triangular2", "exp_range"):
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom: Any = scale_fn
        self.scale_mode = scale_mode
        if scale_fn is None:
            self.scale_mode = "iterations" if mode == "exp_range" else "cycle"
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self.base_momentums, self.max_momentums = self._start_momentum(
                base_momentum, max_momentum, last_epoch
            )
        super().__init__(optimizer, last_epoch)
        self.base_lrs = least

    def scale_fn(self, x: float) -> float:
        """Return the height of a cycle, over that of the first one.

        Parameters
        ----------
        x : float
            The number of the cycle, from one on, or of the step, as `scale_mode` says.

        Examples
        --------
        >>> import symgrad as torch
        >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0, momentum=0.9)
        >>> scheduler = torch.optim.lr_scheduler.CyclicLR(optimizer, 0.5, 1.0, mode="triangular2")
        >>> [scheduler.scale_fn(x) for x in (1, 2, 3)]
        [1.0, 0.5, 0.25]
        """
        if self._scale_fn_custom is not None:
            height: float = self._scale_fn_custom(x)
            return height
        if self.mode == "exp_range":
            return float(self.gamma**x)
        return 1.0 if self.mode == "triangular" else 0.5 ** (x - 1)

    def _rates(self) -> list[Any]:
        cycles = self.last_epoch / self.total_size
        number = math.floor(1 + cycles)
        x = 1.0 + cycles - number
        rises = x <= self.step_ratio
        height = x / self.step_ratio if rises else (1 - x) / (1 - self.step_ratio)
        scale = self.scale_fn(number if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            momenta = zip(
                self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True
            )
            for group, low, high in momenta:
                self._set_momentum(group, high - (high - low) * height * scale)
        pairs = zip(self.base_lrs, self.max_lrs, strict=True)
        return [low + (high - low) * height * scale for low, high in pairs]

    def state_dict(self) -> dict[str, Any]:
        state = super().state_dict()
        custom = state.pop("_scale_fn_custom")
        return state | {"_scale_fn_custom": None if custom is None else function_state(custom)}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        custom = state_dict["_scale_fn_custom"]
        super().load_state_dict({k: x for k, x in state_dict.items() if k != "_scale_fn_custom"})
        set_function_state(self._scale_fn_custom, custom)


class OneCycleLR(_WithMomentum):
    """Rates that go up to the greatest one, and then down to a very small one.

    Parameters
    ----------
    optimizer : Optimizer
        The optimiser of which the rates are set.
    max_lr : float or list of float
        The greatest rate; one for all groups, or one for each.
    total_steps : int, optional
        The number of steps; otherwise it is `epochs * steps_per_epoch`.
    epochs, steps_per_epoch : int, optional
        The factors of the number of steps.
    pct_start : float
        What part of the steps goes up.
    anneal_strategy : {"cos", "linear"}
        Whether rates follow a cosine or straight lines.
    cycle_momentum : bool
        Whether momenta go down while rates go up.
    base_momentum, max_momentum : float or list of float
        The least and the greatest momentum.
    div_factor : float
        The greatest rate over the first one.
    final_div_factor : float
        The first rate over the last one.
    three_phase : bool
        Whether rates go down as slowly as up, and then from the first rate to the last one.
    last_epoch : int
        How many steps a schedule that is resumed has taken.

    Raises
    ------
    ValueError
        For settings out of their range, or an optimiser without momentum.

    References
    ----------
    L. N. Smith and N. Topin, "Super-Convergence: Very Fast Training of Neural Networks Using Large
    Learning Rates" (2018).

    Examples
    --------
    >>> import symgrad as torch
    >>> optimizer = torch.optim.SGD([torch.zeros(2)], lr=1.0, momentum=0.9)
    >>> scheduler = torch.optim.lr_scheduler.OneCycleLR(
    ...     optimizer, max_lr=1.0, total_steps=5, pct_start=0.6, anneal_strategy="linear"
    ... )
    >>> for _ in range(3):
    ...     optimizer.step()
    ...     scheduler.step()
    ...     print(round(scheduler.get_last_lr()[0], 6))
    0.52
    1.0
    0.500002
    """

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: float | list[float],
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        cycle_momentum: bool = True,
        base_momentum: float | list[float] = 0.85,
        max_momentum: float | list[float] = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        if total_steps is not None:
            self.total_steps = _positive("total_steps", total_steps)
        elif epochs is None or steps_per_epoch is None:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        else:
            per_epoch = ("steps_per_epoch", steps_per_epoch)
            self.total_steps = _positive("epochs", epochs) * _positive(*per_epoch)
        part: Any = pct_start
        if not (isinstance(part, float) and 0 <= part <= 1):
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._schedule_phases = list(_phases(self.total_steps, pct_start, three_phase))
        self._anneal_func_type = anneal_strategy
        greatest = per_group("max_lr", optimizer, max_lr)
        if last_epoch == -1:
            for group, rate in zip(optimizer.param_groups, greatest, strict=True):
                first = rate / div_factor
                group |= {"initial_lr": first, "max_lr": rate, "min_lr": first / final_div_factor}
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._start_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _rates(self) -> list[Any]:
        t = self.last_epoch
        if t > self.total_steps:
            raise ValueError(
                f"Tried to step {t} times. The specified number of total steps is "
                f"{self.total_steps}"
            )
        start, phase = 0.0, self._schedule_phases[0]
        for following in self._schedule_phases[1:]:
            if t > phase["end_step"]:
                start, phase = phase["end_step"], following
        part = (t - start) / (phase["end_step"] - start)
        left = (1 + math.cos(math.pi * part)) / 2 if self._anneal_func_type == "cos" else 1 - part

        def between(group: dict[str, Any], what: str) -> Any:
            first, last = group[phase[f"start_{what}"]], group[phase[f"end_{what}"]]
            return last + (first - last) * left

        if self.cycle_momentum:
            for group in self.optimizer.param_groups:
                self._set_momentum(group, between(group, "momentum"))
        return [between(group, "lr") for group in self.optimizer.param_groups]


def _positive(name: str, value: Any) -> int:
    if isinstance(value, int) and value > 0:
        return value
    raise ValueError(f"Expected positive integer {name}, but got {value}")


def _phases(steps: int, part: float, three: bool) -> Iterator[dict[str, Any]]:
    """Yield the last step of each phase, and between which settings of a group it leads."""
    up = float(part * steps)
    ends = [up - 1, 2 * up - 2, steps - 1] if three else [up - 1, steps - 1]
    rates = ["initial_lr", "max_lr", *(["initial_lr"] if three else []), "min_lr"]
    momenta = ["max_momentum", "base_momentum", "max_momentum", "max_momentum"]
    for i, end in enumerate(ends):
        yield {
            "end_step": end, "start_lr": rates[i], "end_lr": rates[i + 1],
            "start_momentum": momenta[i], "end_momentum": momenta[i + 1],
        }  # fmt: skip
