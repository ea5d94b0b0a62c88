"""Schedulers set the rates and momenta that PyTorch's set, warn as these do, and keep the same."""

from __future__ import annotations

import copy
import json
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.optim import lr_scheduler
from tests.each import each
from tests.optim import schedules
from tests.optim.record import SCHEDULES

RECORDED = json.loads(SCHEDULES.read_text(encoding="utf-8"))


def close(found: Any, expected: Any) -> None:
    """Compare rates, but for those that are errors of rounding in the place of zero."""
    for one, other in zip(found, expected, strict=True):
        if isinstance(other, str):
            assert one == other
        else:
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)


def optimizer() -> Any:
    return symgrad.optim.SGD([symgrad.ones(2, requires_grad=True)], lr=1.0)


def test_all_are_recorded() -> None:
    assert list(RECORDED) == schedules.ALL, "record again"
    kinds = {schedules.CASES[x][0] if x in schedules.CASES else x.split()[0] for x in RECORDED}
    assert kinds == {*lr_scheduler.__all__, "SWALR"} - {"LRScheduler"}


@each("name", schedules.ALL)
def test_rates_are_those_of_pytorch(name: str) -> None:
    found = schedules.run(symgrad, name)
    for kind, expected in RECORDED[name]["run"].items():
        close(found[kind], expected)


@each("name", schedules.ALL)
def test_rates_that_are_tensors(name: str) -> None:
    close(schedules.with_tensors(symgrad, name), RECORDED[name]["run"]["SGD"][1:])


@each("name", schedules.RESUMED)
def test_schedules_that_start_later(name: str) -> None:
    close(schedules.resumed(symgrad, name), RECORDED[name]["resumed"])


@each("name", schedules.RESUMED)
def test_steps_whose_numbers_are_given(name: str) -> None:
    close(schedules.jumped(symgrad, name), RECORDED[name]["jumped"])


@each("name", schedules.ALL)
def test_a_state_has_the_form_of_pytorchs(name: str) -> None:
    found = json.loads(json.dumps(schedules.state(symgrad, name)))
    for key in ("state", "groups"):
        same(found[key], RECORDED[name][key])


def same(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for key, value in expected.items():
            same(found[key], value)
    elif isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    elif isinstance(expected, float):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-15)
    else:
        assert found == expected


@each("name", schedules.ALL)
def test_a_state_is_continued(name: str) -> None:
    """By a scheduler that is made anew, after the rates of the optimiser are loaded."""
    old = schedules.optimizer_of(symgrad, "SGD")
    scheduler = schedules.scheduler_of(symgrad, old, name)
    for _ in schedules.take(symgrad, old, scheduler, range(1, 4)):
        pass
    # What is called is an object of the case, which both have.
    new = schedules.optimizer_of(symgrad, "SGD")
    other = schedules.scheduler_of(symgrad, new, name)
    other.load_state_dict(copy.deepcopy(scheduler.state_dict()))
    new.load_state_dict(old.state_dict())
    rest = schedules.take(symgrad, new, other, range(4, schedules.STEPS))
    close(list(rest), RECORDED[name]["run"]["SGD"][4:])


# ---------------------------------------------------------------- warnings


def test_the_wrong_order_is_warned_of() -> None:
    scheduler = lr_scheduler.StepLR(optimizer(), 1)
    with pytest.warns(UserWarning, match=r"Detected call of `lr_scheduler.step\(\)` before"):
        scheduler.step()
    scheduler.step()  # once
    other = optimizer()
    other.step()  # without a scheduler
    scheduler = lr_scheduler.StepLR(other, 1)
    with pytest.warns(UserWarning, match="Detected call") as said:
        scheduler.step()
    assert said[0].filename == __file__
    second = lr_scheduler.ExponentialLR(other, 0.5)
    other.step()
    lr_scheduler.ExponentialLR(other, 0.5)
    second.step()


def test_a_step_that_is_replaced_is_warned_of() -> None:
    own = optimizer()
    scheduler = lr_scheduler.StepLR(own, 1)
    original = own.step
    own.step = lambda: original()
    own.step()
    with pytest.warns(UserWarning, match=r"Seems like `optimizer.step\(\)` has been overridden"):
        scheduler.step()


def test_get_lr_is_warned_of() -> None:
    scheduler = lr_scheduler.StepLR(optimizer(), 1)
    with pytest.warns(UserWarning, match=r"please use `get_last_lr\(\)`") as said:
        assert scheduler.get_lr() == [1.0]
    assert said[0].filename == __file__


def test_copies() -> None:
    own = optimizer()
    scheduler = lr_scheduler.ExponentialLR(own, 0.5)
    for other in (copy.deepcopy(scheduler), pickle.loads(pickle.dumps(scheduler))):
        other.optimizer.step()
        other.step()
        assert other.get_last_lr() == [0.5] and other.optimizer.param_groups[0]["lr"] == 0.5
    assert scheduler.get_last_lr() == [1.0]


def test_a_period_begins_at_the_sum_of_those_before() -> None:
    """PyTorch finds the period by a logarithm, which is rounded down where a fifth one begins."""
    scheduler = lr_scheduler.CosineAnnealingWarmRestarts(optimizer(), 1, 3)
    scheduler.step(121)
    assert scheduler.T_cur == 0 and scheduler.T_i == 243 and scheduler.get_last_lr() == [1.0]


# ---------------------------------------------------------------- errors


def refused(error: type[Exception], text: str, kind: str, *args: Any, **given: Any) -> None:
    with pytest.raises(error, match=text):
        getattr(lr_scheduler, kind)(*args, **given)


def test_what_is_refused() -> None:
    own = optimizer()
    adagrad = symgrad.optim.Adagrad([symgrad.ones(2)])
    step = lr_scheduler.StepLR(own, 1)
    plateau = lr_scheduler.ReduceLROnPlateau(own)
    cycle = {"base_lr": 0.1, "max_lr": 1.0}
    refused(TypeError, "int is not an Optimizer", "StepLR", 3, 1)
    refused(TypeError, "int is not an Optimizer", "ReduceLROnPlateau", 3)
    refused(TypeError, "int is not an Optimizer", "OneCycleLR", 3, 1)
    refused(TypeError, "int is not an Optimizer", "CyclicLR", 3, **cycle)
    refused(KeyError, "param 'initial_lr' is not specified", "StepLR", adagrad, 1, last_epoch=2)
    refused(ValueError, "Expected 1 lr_lambdas, but got 2", "LambdaLR", own, [abs, abs])
    refused(TypeError, "should be a function, but got int", "MultiplicativeLR", own, 3)
    refused(ValueError, "expected to be between 0 and 1", "ConstantLR", own, 2.0)
    refused(ValueError, "greater than 0 and less or equal to 1", "LinearLR", own, 0)
    refused(ValueError, "Ending multiplicative", "LinearLR", own, 1, 2)
    refused(
        ValueError,
        "Expected positive integer T_0, but got 0",
        "CosineAnnealingWarmRestarts",
        own,
        0,
    )
    refused(ValueError, "Expected integer T_mult >= 1", "CosineAnnealingWarmRestarts", own, 1, 0)
    refused(ValueError, "float or int eta_min", "CosineAnnealingWarmRestarts", own, 1, eta_min="0")
    with pytest.raises(ValueError, match="Expected non-negative epoch, but got -1"):
        lr_scheduler.CosineAnnealingWarmRestarts(own, 1).step(-1)
    refused(ValueError, "mode is invalid", "CyclicLR", own, **cycle, mode="round")
    refused(ValueError, "max_lr must have the same length", "CyclicLR", own, 0.1, [1, 2])
    refused(ValueError, "must support momentum or beta1", "CyclicLR", adagrad, **cycle)
    refused(ValueError, "must support momentum or beta1", "OneCycleLR", adagrad, 1.0, 5)
    refused(ValueError, "integer total_steps, but got 0", "OneCycleLR", own, 1.0, 0)
    refused(ValueError, "integer epochs, but got 0", "OneCycleLR", own, 1.0, None, 0, 1)
    refused(ValueError, "steps_per_epoch, but got 0", "OneCycleLR", own, 1.0, None, 1, 0)
    refused(ValueError, "You must define either total_steps", "OneCycleLR", own, 1.0)
    refused(
        ValueError, "between 0 and 1 pct_start, but got 2", "OneCycleLR", own, 1.0, 5, pct_start=2
    )
    refused(ValueError, "instead got x", "OneCycleLR", own, 1.0, 5, anneal_strategy="x")
    refused(ValueError, "Factor should be < 1.0", "ReduceLROnPlateau", own, factor=1.0)
    refused(ValueError, "expected 1 min_lrs, got 2", "ReduceLROnPlateau", own, min_lr=[1, 2])
    refused(ValueError, "mode x is unknown", "ReduceLROnPlateau", own, "x")
    refused(ValueError, "threshold mode x is unknown", "ReduceLROnPlateau", own, threshold_mode="x")
    for kind, before, after in (("SequentialLR", (own,), ([],)), ("ChainedScheduler", (), ())):
        refused(ValueError, "but got no scheduler", kind, *before, [], *after)
        refused(TypeError, "index 1 should have `optimizer`", kind, *before, [step, 3], *after)
        refused(ValueError, "not support `ReduceLROnPlateau`", kind, *before, [plateau], *after)
        foreign = lr_scheduler.StepLR(adagrad, 1)
        refused(ValueError, "belong to the same optimizer", kind, *before, [step, foreign], *after)
    refused(ValueError, "number of milestones to be equal to 1", "SequentialLR", own, [step], [3])


def test_steps_beyond_the_end() -> None:
    own = symgrad.optim.SGD([symgrad.ones(2)], lr=1.0, momentum=0.5)
    scheduler = lr_scheduler.OneCycleLR(own, 1.0, total_steps=2)
    own.step()
    scheduler.step()
    scheduler.step()
    with pytest.raises(ValueError, match="Tried to step 3 times"):
        scheduler.step()


def test_groups_that_are_added() -> None:
    own = optimizer()
    one, several = (lr_scheduler.ReduceLROnPlateau(own, patience=0, min_lr=x) for x in (0.0, [0.0]))
    own.add_param_group({"params": [symgrad.ones(1)]})
    for scheduler in (one, several):
        scheduler.step(1.0)
    one.step(1.0)
    np.testing.assert_allclose(one.get_last_lr(), [0.1, 0.1])
    with pytest.raises(RuntimeError, match="differs from when `ReduceLROnPlateau` was initialized"):
        several.step(1.0)


@pytest.mark.parametrize("name", schedules.GROWING)
def test_a_group_that_is_added_is_scheduled(name: str) -> None:
    """If that needs nothing of the beginning; otherwise it is an error, as in PyTorch."""
    found, expected = schedules.growing(symgrad, name), RECORDED[name]["growing"]
    if isinstance(expected, str):
        assert found == expected
    else:
        close(found, expected)


def test_schedulers_of_users() -> None:
    class Own(lr_scheduler.LRScheduler):
        def get_lr(self) -> list[Any]:
            return [rate / (1 + self.last_epoch) for rate in self.base_lrs]

    own = optimizer()
    scheduler = Own(own)
    assert scheduler.get_last_lr() == [1.0] and isinstance(scheduler, lr_scheduler.LRScheduler)
    own.step()
    with pytest.warns(UserWarning, match="The epoch parameter"):
        scheduler.step(3)
    assert scheduler.get_last_lr() == [0.25]
    with pytest.raises(NotImplementedError):
        lr_scheduler.LRScheduler(own)
    assert issubclass(lr_scheduler._LRScheduler, lr_scheduler.LRScheduler)
    assert lr_scheduler._LRScheduler.__name__ == "_LRScheduler"


def test_a_step_with_scheduled_rates_is_that_with_these_rates() -> None:
    found = []
    for scheduled in (True, False):
        x = symgrad.tensor([1.0, -2.0], requires_grad=True)
        own = symgrad.optim.Adam([x], lr=0.5)
        scheduler = lr_scheduler.ExponentialLR(own, 0.5)
        for t in range(4):
            x.grad = x.detach() * 2
            if not scheduled:
                own.param_groups[0]["lr"] = 0.5 ** (t + 1)
            own.step()
            if scheduled:
                with warnings.catch_warnings(action="error"):
                    scheduler.step()
        found.append(x.tolist())
    assert found[0] == found[1]
