"""Runs of schedulers, written for a module `m`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tests.optim.runs import listed

STEPS = 20


def half_at_odd(t: int) -> float:
    return 0.5 if t % 2 else 1.25


class Power:
    """A function that keeps something."""

    def __init__(self, exponent: float) -> None:
        self.exponent = exponent

    def __call__(self, t: float) -> float:
        return (1.0 + t) ** -self.exponent


#: Schedulers with their options.
CASES: dict[str, tuple[str, dict[str, Any]]] = {
    "LambdaLR": ("LambdaLR", {"lr_lambda": half_at_odd}),
    "LambdaLR several": ("LambdaLR", {"lr_lambda": [Power(0.5), half_at_odd]}),
    "MultiplicativeLR": ("MultiplicativeLR", {"lr_lambda": half_at_odd}),
    "MultiplicativeLR several": ("MultiplicativeLR", {"lr_lambda": (Power(0.1), Power(0.2))}),
    "StepLR": ("StepLR", {"step_size": 3, "gamma": 0.5}),
    "StepLR zero": ("StepLR", {"step_size": 1, "gamma": 0.0}),
    "MultiStepLR": ("MultiStepLR", {"milestones": [11, 2, 5, 5], "gamma": 0.3}),
    "MultiStepLR first": ("MultiStepLR", {"milestones": [0, 1]}),
    "ConstantLR": ("ConstantLR", {}),
    "ConstantLR never": ("ConstantLR", {"factor": 0.25, "total_iters": 0}),
    "LinearLR": ("LinearLR", {}),
    "LinearLR to zero": ("LinearLR", {"start_factor": 1.0, "end_factor": 0.0, "total_iters": 7}),
    "LinearLR never": ("LinearLR", {"total_iters": 0}),
    "ExponentialLR": ("ExponentialLR", {"gamma": 0.9}),
    "ExponentialLR zero": ("ExponentialLR", {"gamma": 0.0}),
    "ExponentialLR greater": ("ExponentialLR", {"gamma": 1.5}),
    "PolynomialLR": ("PolynomialLR", {}),
    "PolynomialLR power": ("PolynomialLR", {"total_iters": 12, "power": 2.5}),
    "PolynomialLR never": ("PolynomialLR", {"total_iters": 0}),
    "CosineAnnealingLR": ("CosineAnnealingLR", {"T_max": 6}),
    "CosineAnnealingLR least": ("CosineAnnealingLR", {"T_max": 5, "eta_min": 0.01}),
    "CosineAnnealingLR one": ("CosineAnnealingLR", {"T_max": 1, "eta_min": 0.01}),
    "CosineAnnealingWarmRestarts": ("CosineAnnealingWarmRestarts", {"T_0": 3}),
    "CosineAnnealingWarmRestarts longer": (
        "CosineAnnealingWarmRestarts", {"T_0": 2, "T_mult": 2, "eta_min": 0.01},
    ),
    "CyclicLR": ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.3, "step_size_up": 4}),
    "CyclicLR lower": (
        "CyclicLR", {
            "base_lr": [0.01, 0.02], "max_lr": [0.3, 0.4], "step_size_up": 3, "step_size_down": 2,
            "mode": "triangular2", "base_momentum": [0.5, 0.6],
        },
    ),
    "CyclicLR by steps": (
        "CyclicLR", {
            "base_lr": 0.01, "max_lr": 0.3, "step_size_up": 3, "mode": "exp_range", "gamma": 0.9,
            "cycle_momentum": False,
        },
    ),
    "CyclicLR own": (
        "CyclicLR", {"base_lr": 0.01, "max_lr": 0.3, "step_size_up": 2, "scale_fn": Power(2)},
    ),
    "CyclicLR own by steps": (
        "CyclicLR", {
            "base_lr": 0.01, "max_lr": 0.3, "step_size_up": 2, "scale_fn": half_at_odd,
            "scale_mode": "iterations",
        },
    ),
    "OneCycleLR": ("OneCycleLR", {"max_lr": 0.5, "total_steps": 20}),
    "OneCycleLR linear": (
        "OneCycleLR", {
            "max_lr": [0.5, 0.25], "epochs": 4, "steps_per_epoch": 5, "anneal_strategy": "linear",
            "pct_start": 0.45, "cycle_momentum": False,
        },
    ),
    "OneCycleLR three": (
        "OneCycleLR", {
            "max_lr": 0.5, "total_steps": 20, "three_phase": True, "div_factor": 10.0,
            "final_div_factor": 100.0, "base_momentum": [0.5, 0.6], "max_momentum": 0.9,
        },
    ),
    "ReduceLROnPlateau": ("ReduceLROnPlateau", {"patience": 1, "factor": 0.5}),
    "ReduceLROnPlateau most": (
        "ReduceLROnPlateau", {
            "mode": "max", "patience": 2, "threshold": 0.1, "threshold_mode": "abs", "cooldown": 2,
            "min_lr": [0.01, 0.001],
        },
    ),
    "ReduceLROnPlateau amount": (
        "ReduceLROnPlateau", {
            "patience": 0, "threshold": 0.25, "threshold_mode": "abs", "eps": 1e-3, "min_lr": 0.004,
        },
    ),
    "ReduceLROnPlateau part": (
        "ReduceLROnPlateau", {"mode": "max", "patience": 1, "threshold": 0.2, "factor": 0.75},
    ),
    "SWALR": ("SWALR", {"swa_lr": 0.5, "anneal_epochs": 7}),
    "SWALR linear": (
        "SWALR", {"swa_lr": [0.5, 0.01], "anneal_epochs": 5, "anneal_strategy": "linear"},
    ),
    "SWALR at once": ("SWALR", {"swa_lr": 0.5, "anneal_epochs": 0}),
}  # fmt: skip

#: Combinations: which, of which cases, and the steps at which they change.
COMBINED: dict[str, tuple[str, list[str], list[int]]] = {
    "SequentialLR": ("SequentialLR", ["ConstantLR", "ExponentialLR"], [4]),
    "SequentialLR closed": ("SequentialLR", ["LinearLR", "PolynomialLR", "StepLR"], [3, 9]),
    "SequentialLR cosine": (
        "SequentialLR", ["LinearLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts"], [5, 12],
    ),
    "SequentialLR functions": (
        "SequentialLR", ["MultiplicativeLR", "LambdaLR", "MultiStepLR"], [2, 8],
    ),
    "SequentialLR cycles": ("SequentialLR", ["ExponentialLR", "CyclicLR"], [6]),
    "SequentialLR at once": ("SequentialLR", ["ExponentialLR", "StepLR", "ConstantLR"], [4, 4]),
    "SequentialLR chained": ("SequentialLR", ["ChainedScheduler", "StepLR"], [6]),
    "SequentialLR averaged": ("SequentialLR", ["ExponentialLR", "SWALR"], [5]),
    "SequentialLR in itself": ("SequentialLR", ["SequentialLR", "StepLR"], [11]),
    "ChainedScheduler": ("ChainedScheduler", ["ConstantLR", "ExponentialLR"], []),
    "ChainedScheduler several": (
        "ChainedScheduler", ["CosineAnnealingLR", "LinearLR", "StepLR", "MultiStepLR"], [],
    ),
}  # fmt: skip

ALL = [*CASES, *COMBINED]


def optimizer_of(m: Any, kind: str, rate: Callable[[float], Any] = float) -> Any:
    """Return an optimiser with two groups."""
    params = [m.tensor([1.0, 2.0], requires_grad=True), m.tensor([3.0], requires_grad=True)]
    groups = [{"params": params[:1]}, {"params": params[1:], "lr": rate(0.2)}]
    more = {"momentum": 0.9} if kind == "SGD" else {}
    return getattr(m.optim, kind)(groups, lr=rate(0.05), **more)


def scheduler_of(m: Any, optimizer: Any, name: str, **more: Any) -> Any:
    """Return the scheduler of a case, without warnings; `made` with them."""
    with warnings.catch_warnings(action="ignore"):
        return made(m, optimizer, name, **more)


def made(m: Any, optimizer: Any, name: str, **more: Any) -> Any:
    if name in COMBINED:
        kind, parts, milestones = COMBINED[name]
        schedulers = [made(m, optimizer, part) for part in parts]
        if kind == "SequentialLR":
            return m.optim.lr_scheduler.SequentialLR(optimizer, schedulers, milestones)
        return m.optim.lr_scheduler.ChainedScheduler(schedulers)
    kind, given = CASES[name]
    home = m.optim.swa_utils if kind == "SWALR" else m.optim.lr_scheduler
    return getattr(home, kind)(optimizer, **given, **more)


def shown(optimizer: Any, scheduler: Any) -> list[Any]:
    """Return the rates and the momenta of all groups."""
    rates = [float(group["lr"]) for group in optimizer.param_groups]
    assert [float(x) for x in scheduler.get_last_lr()] == rates
    momenta = [group.get("momentum", group.get("betas", [0])) for group in optimizer.param_groups]
    return [*rates, *[float(x[0] if isinstance(x, (tuple, list)) else x) for x in momenta]]


def measure(t: int) -> float:
    return float(2 / (1 + t) + np.cos(t) / 4)


def take(m: Any, optimizer: Any, scheduler: Any, steps: range) -> Iterator[list[Any]]:
    """Yield what is shown after each step, and how many warnings there are."""
    plateau = isinstance(scheduler, m.optim.lr_scheduler.ReduceLROnPlateau)
    for t in steps:
        optimizer.step()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            scheduler.step(*[measure(t)] if plateau else [])
        yield [*shown(optimizer, scheduler), len(said)]


def run(m: Any, name: str) -> dict[str, Any]:
    """Return the rates and momenta of all steps, of two optimisers."""
    found: dict[str, Any] = {}
    for kind in ("SGD", "Adam"):
        optimizer = optimizer_of(m, kind)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            scheduler = made(m, optimizer, name)
        first = shown(optimizer, scheduler)
        found[kind] = [[*first, len(said)], *take(m, optimizer, scheduler, range(1, STEPS))]
    return found


def plain(x: Any) -> Any:
    """Return a state as JSON has it."""
    if isinstance(x, dict):
        return {str(k): plain(v) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return [plain(v) for v in x]
    return listed(x)


def state(m: Any, name: str) -> dict[str, Any]:
    """Return the state after three steps, of the scheduler and of groups."""
    optimizer = optimizer_of(m, "SGD")
    scheduler = scheduler_of(m, optimizer, name)
    for _ in take(m, optimizer, scheduler, range(1, 4)):
        pass
    groups = optimizer.state_dict()["param_groups"]
    return {"state": plain(scheduler.state_dict()), "groups": plain(groups)}


#: Schedulers that can start at a step, with the number that they take.
RESUMED = [name for name, (kind, _) in CASES.items() if kind != "ReduceLROnPlateau"]


def resumed(m: Any, name: str) -> list[Any]:
    """Return the rates of a schedule that is resumed after five steps, without its state."""
    optimizer = optimizer_of(m, "SGD")
    first = scheduler_of(m, optimizer, name)
    for _ in take(m, optimizer, first, range(1, 6)):
        pass
    second = scheduler_of(m, optimizer, name, last_epoch=5)
    return [shown(optimizer, second), *take(m, optimizer, second, range(7, 12))]


def jumped(m: Any, name: str) -> list[Any]:
    """Return the rates of steps whose numbers are given, and of those that follow."""
    optimizer = optimizer_of(m, "SGD")
    scheduler = scheduler_of(m, optimizer, name)
    found = []
    for epoch in (4, None, 9, 0, None):
        optimizer.step()
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            try:
                scheduler.step(epoch)
            except ZeroDivisionError as error:
                return [*found, type(error).__name__]
        found.append([*shown(optimizer, scheduler), len(said), scheduler.last_epoch])
    return found


def with_tensors(m: Any, name: str) -> list[Any]:
    """Return the rates where they are tensors, in double precision, which stay the same ones.

    They are those that are numbers otherwise, in PyTorch, too.
    """
    optimizer = optimizer_of(m, "SGD", lambda x: m.tensor(x, dtype=m.float64))
    before = [group["lr"] for group in optimizer.param_groups]
    scheduler = scheduler_of(m, optimizer, name)
    found = list(take(m, optimizer, scheduler, range(1, STEPS)))
    assert all(group["lr"] is x for group, x in zip(optimizer.param_groups, before, strict=True))
    return found


#: Schedulers of which none was given something for each group.
GROWING = [
    name for name, (_, given) in CASES.items()
    if name in RESUMED and not any(isinstance(x, (list, tuple)) for x in given.values())
]  # fmt: skip


def growing(m: Any, name: str) -> Any:
    """Return the rates where a group is added after two steps, or the error."""
    optimizer = optimizer_of(m, "SGD")
    scheduler = scheduler_of(m, optimizer, name)
    for _ in take(m, optimizer, scheduler, range(1, 3)):
        pass
    optimizer.add_param_group({"params": [m.tensor([5.0], requires_grad=True)], "lr": 0.125})
    try:
        return list(take(m, optimizer, scheduler, range(3, 10)))
    except (ValueError, KeyError) as error:
        return type(error).__name__


def record(m: Any, name: str) -> dict[str, Any]:
    """Return all that is recorded of a case."""
    found = {"run": run(m, name), **state(m, name)}
    np.testing.assert_allclose(with_tensors(m, name), found["run"]["SGD"][1:], rtol=1e-12)
    if name in RESUMED:
        found |= {"resumed": resumed(m, name), "jumped": jumped(m, name)}
    if name in GROWING:
        found["growing"] = growing(m, name)
    return found
