"""Locks: free in a forked process, and taken again by the thread that holds them."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.backward import plan
from symgrad.random import Generator
from symgrad.record.modes import state
from symgrad.support import locks
from tests import signals
from tests.autograd.interrupted import at_place, places
from tests.each import each

SECONDS = 600  # a child that hangs is ended


def all_locks() -> list[Any]:
    living = list(locks._locks)
    assert len(living) > 5
    return living


def test_every_lock_is_reentrant() -> None:
    for lock in all_locks():
        assert lock.acquire(blocking=False)
        assert lock.acquire(blocking=False)
        lock.release()
        lock.release()


# ---------------------------------------------------------------- forked processes


def work() -> None:
    """Take each kind of lock: draw, intern, make signatures, plan, run, accumulate, define."""
    x = symgrad.tensor(np.linspace(0.1, 1.0, 3), requires_grad=True)
    y = (x.exp() * 3.75 + symgrad.rand(3) * x[:2].sum()).sum()
    y.backward()
    y = (x * x).sum()
    (g,) = symgrad.autograd.grad(y, x, create_graph=True)
    g.sum().backward()
    symgrad.autograd.cache_info()
    Generator(1).normal((3,))


def work_in_modes() -> None:
    """Take those of modes, too, which handlers leave alone: they meet those of the thread."""
    work()
    x = symgrad.tensor([1.0, 2.0], requires_grad=True)
    symgrad.vmap(lambda row: row.sin())(x.reshape(2, 1).detach())
    with warnings.catch_warnings(action="ignore"), symgrad.autograd.detect_anomaly():
        x.sin().sum().backward()
    with symgrad.autograd.forward_ad.dual_level():
        symgrad.autograd.forward_ad.make_dual(x.detach(), symgrad.ones_like(x)).sin()


def exit_of_child(act: Callable[[], None]) -> int:
    """Run `act` in a forked process and return its status; it is ended when it hangs."""
    with warnings.catch_warnings(action="ignore"):  # that there are threads
        child = os.fork()
    if child == 0:
        status = 1
        try:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.alarm(SECONDS)
            act()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="a system that does not fork")


@forks
def test_locks_that_other_threads_hold_are_free_in_a_child() -> None:
    held, done = threading.Event(), threading.Event()
    thresholds = gc.get_threshold()

    def hold() -> None:
        taken = [*all_locks(), *locks._adopted]
        for lock in taken:
            lock.acquire()
        held.set()
        done.wait()
        for lock in taken:
            lock.release()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait()
    try:
        assert exit_of_child(work_in_modes) == 0
    finally:
        done.set()
        thread.join()
    work_in_modes()
    assert gc.get_threshold() == thresholds


@forks
def test_locks_that_the_forking_thread_holds_stay_its_own() -> None:
    def act() -> None:
        for lock in taken:
            lock.release()
        work()

    taken = all_locks()
    for lock in taken:
        lock.acquire()
    try:
        assert exit_of_child(act) == 0
    finally:
        for lock in taken:
            lock.release()


@forks
def test_collections_that_another_thread_holds_off_start_again_in_a_child() -> None:
    inside, done = threading.Event(), threading.Event()
    thresholds = gc.get_threshold()

    def build() -> None:
        inside.set()
        done.wait()

    from symgrad.backward.collector import held_off

    thread = threading.Thread(target=held_off, args=(build,))
    thread.start()
    inside.wait()

    def act() -> None:
        assert gc.get_threshold() == thresholds

    try:
        assert gc.get_threshold()[0] == 0
        assert exit_of_child(act) == 0
    finally:
        done.set()
        thread.join()
    assert gc.get_threshold() == thresholds


def work_anew() -> None:
    """Work as a process does that has no plan yet."""
    plan.cache_clear()
    work()


def stand_at(at: int, stands: threading.Event, goes_on: threading.Event) -> None:
    """Work, and stand still at one place until somebody says to go on."""

    def stand() -> None:
        stands.set()
        goes_on.wait()

    try:
        assert at_place(work_anew, at, stand) is not None
    finally:
        stands.set()


@forks
@pytest.mark.parametrize("count", [8, pytest.param(120, marks=pytest.mark.slow)])
def test_a_child_does_not_hang_wherever_a_thread_of_its_parent_stands(count: int) -> None:
    """It stands where it holds a lock, each time at another place."""
    work_anew()
    known = all_locks()
    with signals.uncollected():
        held = places(work_anew, lambda: any(lock._is_owned() for lock in known))
        numbers = sorted(held.values())
        assert len(numbers) > 20
        step = max(1, len(numbers) // count)
        for at in numbers[step // 2 :: step]:
            stands, goes_on = threading.Event(), threading.Event()
            thread = threading.Thread(target=stand_at, args=(at, stands, goes_on))
            thread.start()
            stands.wait()
            try:
                assert exit_of_child(work_in_modes) == 0
            finally:
                goes_on.set()
                thread.join()


# ---------------------------------------------------------------- signal handlers


def interrupting(call: Callable[[], Any], act: Callable[[], Any], every: int) -> Any:
    """Run `call`, and `act` as a handler would, at each `every`-th place where signals are seen."""
    count = 0

    def look(frame: Any, event: str, arg: Any) -> None:
        nonlocal count
        if event in ("call", "c_return"):
            count += 1
            if count % every == 0:
                sys.setprofile(None)
                act()
                sys.setprofile(look)

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        return call()
    finally:
        sys.setprofile(before)


DRAWS: dict[str, Callable[[Generator], Any]] = {
    "uniform": lambda g: g.uniform((40,), np.float64),
    "normal": lambda g: g.normal((5,), np.float64),
    "normals": lambda g: g.normal((40,), np.float64),
    "integers": lambda g: g.integers_above(0, 2**63, (9,)),
    "permutation": lambda g: g.permutation(9),
    "state": lambda g: g.clone_state().uniform((2,), np.float64),
}
#: Of these, no number comes twice.
NUMBERS = ("uniform", "normal", "normals", "integers")


@each("inner", list(NUMBERS))
@each("outer", list(DRAWS))
@each("every", [1, 2, 3])
def test_a_handler_may_draw_while_the_thread_draws(outer: str, inner: str, every: int) -> None:
    g = Generator(3)
    seen: list[float] = []

    def handler() -> None:
        seen.extend(DRAWS[inner](g).tolist())

    for _ in range(4):
        found = interrupting(lambda: DRAWS[outer](g), handler, every)
        if outer in NUMBERS:
            seen.extend(found.tolist())
        if outer == "permutation":
            assert sorted(found.tolist()) == list(range(9))
    assert len(set(seen)) == len(seen) > 10


def test_a_handler_may_differentiate_while_the_thread_differentiates() -> None:
    plan.cache_clear()
    x = symgrad.tensor([1.0, 2.0], requires_grad=True)

    def outer() -> None:
        (x * x).exp().sum().backward()

    def handler() -> None:
        (x * 3.0).sum().backward()

    count = 0

    def counted() -> None:
        nonlocal count
        count += 1
        handler()

    interrupting(outer, counted, every=37)
    expected = 2 * x.detach().numpy() * np.exp(x.detach().numpy() ** 2) + 3.0 * count
    assert count > 20
    np.testing.assert_allclose(x.grad.numpy(), expected, rtol=1e-6)


def test_a_handler_may_compute_inside_a_kernel() -> None:
    """A kernel that is written in Python runs in the thread's context, which is entered once."""
    x = symgrad.tensor([1.0, 2.0], requires_grad=True)
    plain = symgrad.tensor([1.0, 2.0])

    def handler() -> None:
        plain.add_(1)
        plain.mul_(plain)
        (x.exp() * x + plain).sum().backward()

    state.state.run(handler)
    assert plain.tolist() == [4.0, 9.0]
    np.testing.assert_allclose(x.grad, np.exp([1.0, 2.0]) * [2.0, 3.0], rtol=1e-6)


@pytest.mark.parametrize("most", [20, pytest.param(1_000, marks=pytest.mark.slow)])
def test_a_handler_may_do_anything_at_any_time(most: int) -> None:
    for _ in range(6):  # plans are interpreted, then compiled, then found
        work()
    found = signals.places(work)
    step = max(1, len(found) // most)
    chosen = found[step // 2 :: step]
    assert len(chosen) >= 20
    assert all(signals.signalled(work, at, work) for at in chosen)
