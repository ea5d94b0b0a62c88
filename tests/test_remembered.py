"""What is remembered holds no more memory than it may."""

from __future__ import annotations

import gc
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import symgrad
from symgrad.autograd import forward_ad
from symgrad.backward import plan
from symgrad.ops.deriving import deriving
from symgrad.record.signatures import _signatures
from symgrad.support.remembered import Remembered, everything_remembered
from tests.autograd.support import tensor

# ---------------------------------------------------------------- tables


def test_a_table_holds_no_more_than_it_may() -> None:
    found: Remembered[Any] = Remembered(1_000, lambda value: 10)
    everything_remembered.remove(found)
    for i in range(5_000):
        assert found.keep(i, str(i), i % 7) == str(i)
        assert found.keep(i, "another", i % 7) == str(i)
        assert len(found) <= 100
    assert len(found) > 40


def test_what_is_in_use_stays() -> None:
    found: Remembered[Any] = Remembered(1_000, lambda value: 10)
    everything_remembered.remove(found)
    found.keep("used", value := object())
    table = found.table()
    for i in range(5_000):
        found.keep(i, i)
        assert (table.get("used") or found.recall("used")) is value
        assert found.table() is table


def test_another_default_dtype_forgets_everything() -> None:
    (tensor(1.0) * 0.3).backward()
    assert len(_signatures)
    symgrad.set_default_dtype(symgrad.float64)
    symgrad.set_default_dtype(symgrad.float32)
    assert not any(map(len, everything_remembered))


def test_derivatives_outside_of_plans_leave_no_notes() -> None:
    x = symgrad.leaf("x", (3,))
    t = tensor([0.5, 0.25])
    symgrad.derive(x.sigmoid().log().sum() + x.tanh().sum(), x, order=2)
    symgrad.explain((t.exp() + 1).log().sum())
    t.sigmoid().log().sum().backward()
    is_left = deriving.plan is not None  # which may be too large to be shown
    assert not is_left


# ---------------------------------------------------------------- memory


def traced(run: Callable[[], None]) -> int:
    """Return how many bytes a run leaves."""
    gc.collect()
    tracemalloc.start()
    try:
        run()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def products(x: Any, steps: int) -> Any:
    y = x
    for _ in range(steps):
        y = y * x
    return y


def sines(x: Any, steps: int) -> Any:
    y = x
    for _ in range(steps):
        y = y.sin()
    return y


def numbers(x: Any, steps: int) -> Any:
    y = x
    for i in range(steps):
        y = y + (0.37 + i)
    return y


def slices(x: Any, steps: int) -> Any:
    y = x
    for _ in range(steps):
        y = symgrad.cat([y, x])[:2]
    return y


def matrices(x: Any, steps: int) -> Any:
    y = x
    for _ in range(steps // 4):
        y = (y @ y).tanh() * x
    return y


def alone(call: str) -> None:
    """Check what a process holds that does nothing else.

    In one that has done much a table of all nodes may grow, and what it holds anew is of no plan.
    """
    done = subprocess.run(
        [sys.executable, "-c", f"from {__name__} import *; {call}"],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


CHAINS = [products, sines, numbers, slices, matrices]


@pytest.mark.parametrize("steps", [40, pytest.param(800, marks=pytest.mark.slow)])
def test_a_plan_holds_what_it_is_counted_as(steps: int) -> None:
    chains = "CHAINS" if steps > 40 else "CHAINS[::2]"
    alone(f"[hold_what_is_counted(chain, {steps}) for chain in {chains}]")


def hold_what_is_counted(chain: Callable[..., Any], steps: int) -> None:
    def run(times: int) -> None:
        for _ in range(times):
            chain(tensor([0.5, 0.25]), steps).sum().backward()

    def held_by_plan() -> int:
        plan.cache_clear()
        return traced(lambda: run(6))  # interpreted, then compiled

    run(1)
    # A table of the interpreter's own, such as that of its strings, may grow once.
    held = min(held_by_plan(), held_by_plan())
    (found,) = plan._plans.values()
    assert held < 1.5 * found.bytes + 50_000
    assert found.bytes < 4 * held + 50_000
    assert traced(plan.cache_clear) < 50_000


def test_plans_together_hold_what_they_may() -> None:
    alone("hold_together_what_they_may()")


def hold_together_what_they_may() -> None:
    most = plan._MAX_BYTES = 2**20

    def run() -> None:
        for steps in (3, 40, 150, 300, 5, 350):
            for chain in (products, slices):
                chain(tensor([0.5, 0.25]), steps).sum().backward()

    run()
    plan.cache_clear()
    assert traced(run) < 1.5 * most
    assert sum([p.bytes for p in plan._plans.values()]) <= most


def of_a_length(n: int) -> None:
    x = symgrad.ones(n, requires_grad=True)
    (x.exp() * 0.5 + x.sin() * x - x.tanh()).sum()


def tangents_of_a_length(n: int) -> None:
    with forward_ad.dual_level():
        x = forward_ad.make_dual(symgrad.ones(n), symgrad.ones(n))
        (x.exp() * x + x.sin()).sum()


def maps_of_a_length(n: int) -> None:
    symgrad.vmap(lambda x: (x.exp() * x + x.sin()).sum())(symgrad.ones(2, n))


def gradients_of_a_length(n: int) -> None:
    x = symgrad.ones(n, requires_grad=True)
    (x.exp() * x).sum().backward()


def hold_for_ever_new_shapes(use: Callable[[int], None]) -> None:
    def run(count: int) -> None:
        for n in range(count):
            use(n + 3)

    run(5)  # which imports what makes further tables
    most = plan._MAX_BYTES = 2**17
    for found in everything_remembered:
        found.most = most
    few, many = traced(lambda: run(30)), traced(lambda: run(240))
    # Three kinds of rules and the plans; without a bound it would be eight times the former.
    assert many < 4 * 2 * most
    assert many < 6 * few
    for found in everything_remembered:
        assert found.held <= most


@pytest.mark.parametrize(
    "use",
    [
        gradients_of_a_length,
        *(
            pytest.param(f, marks=pytest.mark.slow)
            for f in (tangents_of_a_length, of_a_length, maps_of_a_length)
        ),
    ],
)
def test_ever_new_shapes_hold_no_more_than_the_tables_may(use: Callable[[int], None]) -> None:
    alone(f"hold_for_ever_new_shapes({use.__name__})")
