"""Whatever interrupts a program, modes are what they were, and it runs again."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from symgrad.backward import plan
from symgrad.record import modes
from symgrad.support.scopes import Scope
from tests import signals
from tests.autograd import interrupted
from tests.autograd.interrupted import ADDS, PROGRAMS, arguments, check, outcome, tables
from tests.autograd.support import each
from tests.each import in_part

# At how many of its places each program is interrupted, in ordinary runs and in slow ones; only the
# longest programs have more.
SOME, MOST = 40, 500


@pytest.fixture(autouse=True)
def finalisers_may_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Python reports an error in a finaliser, and goes on."""
    monkeypatch.setattr(plan, "_LARGE", 20)  # what is done for large plans may be interrupted, too
    lost: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda found: lost.append(found.exc_type))
    yield
    assert all(issubclass(kind, KeyboardInterrupt) for kind in lost)
    for table in tables():
        table.clear()


def wrong_with(name: str, most: int) -> list[str]:
    """Interrupt a program at so many of its places; return what is wrong afterwards."""
    f = PROGRAMS[name]
    outcome(f, arguments())  # what is made once for all
    plan.cache_clear()
    expected = outcome(f, arguments())
    values = interrupted.trajectory(f)
    # A gradient is what it was or what it becomes, and nothing in between.
    assert all(len(found) <= 1 + ADDS.get(name, 1) for found in values)
    plan.cache_clear()
    args = arguments()
    torch.manual_seed(5)
    numbers = sorted(interrupted.places(lambda: interrupted.silently(f, *args)).values())
    assert len(numbers) > 20
    step = max(1, len(numbers) // most)
    return [text for at in numbers[step // 2 :: step] for text in check(name, at, values, expected)]


@each("name", in_part(list(PROGRAMS), group=str, among=2))
def test_an_interrupted_program_leaves_no_mode_behind(name: str) -> None:
    assert wrong_with(name, SOME) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_may_be_interrupted_wherever_signals_are_seen(name: str) -> None:
    assert wrong_with(name, MOST) == []


def test_a_mode_that_is_left_behind_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Unrecorded:
        def __enter__(self) -> None:
            modes.state.state.special["grad_mode"] = False

        def __exit__(self, *error: object) -> None:
            del modes.state.state.special["grad_mode"]

    def program(x: Any, w: Any) -> Any:
        with Unrecorded():
            (x * 2, w.sin(), x.exp(), x + w, (x * w).sum(), w.tanh(), x.cos(), x - w)
        return x * 1

    monkeypatch.setitem(PROGRAMS, "left", program)
    assert any("grad mode" in text for text in wrong_with("left", MOST))
    assert any("grad mode" in text for text in wrong_after_signals("left"))


# ---------------------------------------------------------------- writes

#: Each changes its first argument; the second is a constant of its shape.
WRITES: dict[str, Any] = {
    "number": lambda t, c: t.mul_(3),
    "tensor": lambda t, c: t.add_(c),
    "function": lambda t, c: t.exp_(),
    "computed": lambda t, c: t.clamp_(0.1, 0.2),
    "zero": lambda t, c: t.zero_(),
    "copy": lambda t, c: t.copy_(c),
    "masked": lambda t, c: t.masked_fill_(t > 0, 7.0),
    "drawn": lambda t, c: t.uniform_(),
    "item": lambda t, c: t.__setitem__(1, 9.0),
    "slice": lambda t, c: t.__setitem__(slice(1, None), c[1:]),
    "indices": lambda t, c: t.__setitem__([0, 2], 5.0),
    "mask": lambda t, c: t.__setitem__(c > 0, 5.0),
    "view": lambda t, c: t[1:].add_(1.0),
    "view of a view": lambda t, c: t.view(3, 1)[0].mul_(2.0),
    "out": lambda t, c: torch.add(t, c, out=t),
    "out of another": lambda t, c: torch.mul(c, 2, out=t),
    "index_add": lambda t, c: t.index_add_(0, torch.tensor([0, 0]), c[:2]),
}


@each("name", list(WRITES))
def test_an_interrupted_write_is_counted_or_was_not_done(name: str) -> None:
    """What was saved is as it was, or backward refuses it: never a value that changed unseen."""
    write = WRITES[name]
    constant = torch.tensor([1.5, -0.5, 2.0], dtype=torch.float64)
    values = np.array([0.5, 1.5, -0.25])

    def made() -> tuple[Any, Any, Any]:
        x = torch.ones(3, dtype=torch.float64, requires_grad=True)
        t = torch.tensor(values)
        return x, t, (x * t).sum()

    _, t, _ = made()
    changed = refused = 0
    for at in sorted(interrupted.places(partial(write, t, constant)).values()):
        x, t, y = made()
        before = t._version
        interrupted.interrupted(partial(write, t, constant), at)
        if not np.array_equal(t.numpy(), values):
            changed += 1
            assert t._version > before, f"written unseen, interrupted at {at}"
        if _is_refused(y):
            refused += 1
        else:
            np.testing.assert_array_equal(x.grad.numpy(), values)
    assert refused >= changed
    assert refused


#: Each changes its first argument under record, by a short form when it is called again.
RECORDED_WRITES: dict[str, Any] = {
    "function": lambda t, c: t.sin_(),
    "number": lambda t, c: t.mul_(1.5),
    "tensor": lambda t, c: t.add_(c),
    "itself": lambda t, c: t.mul_(t),
    "view": lambda t, c: t[1:].mul_(2.0),
    "element": lambda t, c: t[0].sin_(),
}


@each("name", list(RECORDED_WRITES))
def test_an_interrupted_recorded_write_is_counted_or_was_not_done(name: str) -> None:
    write = RECORDED_WRITES[name]
    constant = torch.tensor([1.5, -0.5, 2.0], dtype=torch.float64)
    values = np.array([0.5, 1.5, -0.25])

    def made() -> tuple[Any, Any, Any]:
        x = torch.tensor(values, requires_grad=True)
        t = x * 1
        return x, t, (t * t).sum()

    for _ in range(3):
        write(made()[1], constant)
    _, t, _ = made()
    changed = refused = 0
    for at in sorted(interrupted.places(partial(write, t, constant)).values()):
        x, t, y = made()
        before = t._version
        interrupted.interrupted(partial(write, t, constant), at)
        if not np.array_equal(t.detach().numpy(), values):
            changed += 1
            assert t._version > before, f"written unseen, interrupted at {at}"
        if _is_refused(y):
            refused += 1
        else:
            np.testing.assert_array_equal(x.grad.numpy(), 2 * values)
    assert refused >= changed
    assert refused


def _is_refused(y: Any) -> bool:
    """Whether backward is refused, since something that it reads was modified."""
    try:
        y.backward()
    except RuntimeError as error:
        return "modified by an inplace operation" in str(error)
    return False


def test_an_interrupted_accumulation_is_counted_or_was_not_done() -> None:
    def made() -> tuple[Any, Any, Any]:
        x = torch.ones(3, dtype=torch.float64, requires_grad=True)
        w = torch.ones(3, dtype=torch.float64, requires_grad=True)
        (x * 2).sum().backward()
        return x, w, (w * x.grad.detach()).sum()

    def add(x: Any) -> None:
        (x * 3).sum().backward()

    x, _, _ = made()
    changed = 0
    for at in sorted(interrupted.places(partial(add, x)).values()):
        x, w, y = made()
        interrupted.interrupted(partial(add, x), at)
        added = x.grad.tolist() == [5.0] * 3
        assert added or x.grad.tolist() == [2.0] * 3
        changed += added
        if not _is_refused(y):
            assert not added
            assert w.grad.tolist() == [2.0] * 3
    assert changed


# ---------------------------------------------------------------- blocks


class Entry(Scope):
    """A block in which a table has an entry."""

    def __init__(self, table: dict[str, Any], value: Any) -> None:
        super().__init__()
        self.table = table
        self.value = value

    def __enter__(self) -> None:
        self._put(self.table, "entry", self.value, usual=0)


def test_a_block_takes_back_its_own_change() -> None:
    table: dict[str, Any] = {}
    outer, inner = Entry(table, 1), Entry(table, 2)
    with outer, inner:
        with outer:  # entered a second time
            assert table == {"entry": 1}
        assert table == {"entry": 2}
        with Entry(table, 0):
            assert table == {}
        assert table == {"entry": 2}
    assert table == {}


def test_a_block_lets_errors_through() -> None:
    table: dict[str, Any] = {"entry": 3}
    with pytest.raises(ZeroDivisionError), Entry(table, 1):
        raise ZeroDivisionError
    assert table == {"entry": 3}


def test_blocks_may_be_entered_by_hand_and_in_stacks() -> None:
    table: dict[str, Any] = {}
    block = Entry(table, 1)
    block.__enter__()
    assert table == {"entry": 1}
    block.__exit__(None, None, None)
    assert table == {}
    with ExitStack() as stack:
        stack.enter_context(block)
        assert table == {"entry": 1}
    assert table == {}


def test_a_subclass_may_say_more_of_its_end() -> None:
    seen: list[Any] = []

    class Told(torch.no_grad):
        def __exit__(self, *error: Any) -> None:  # type: ignore[override]
            super().__exit__(*error)
            seen.append(torch.is_grad_enabled())

    with Told():
        assert not torch.is_grad_enabled()
    assert seen == [True]


# ---------------------------------------------------------------- real signals


def wrong_after_signals(name: str, most: int | None = None) -> list[str]:
    """Let a signal's handler interrupt a program at so many of its places, or at each.

    Return what is wrong afterwards. The program has run before: what it does is remembered.
    """
    f = PROGRAMS[name]
    for _ in range(6):  # plans are interpreted, then compiled, then found
        expected = outcome(f, arguments())

    def run_again() -> Any:
        args = arguments()
        torch.manual_seed(5)
        return partial(interrupted.silently, f, *args)

    def interrupt() -> None:
        raise interrupted.Interrupt

    found = signals.places(run_again())
    assert len(found) > 100
    step = max(1, len(found) // (most or len(found)))
    chosen = found[step // 2 :: step]
    wrong = []
    arrived = 0
    for at in chosen:
        run, before = run_again(), interrupted.modes_of_thread()
        arrived += signals.signalled(run, at, interrupt)
        after = interrupted.modes_of_thread()
        wrong += [f"{at}: {k}: {v} for {before[k]}" for k, v in after.items() if v != before[k]]
        for table in tables():  # one failure is not the next one's
            table.clear()
    # What an interrupted run had no time to remember is made by the next one, which goes elsewhere.
    assert arrived > 0.9 * len(chosen)
    pairs = zip(outcome(f, arguments()), expected, strict=True)
    if not all(np.allclose(a, b, 1e-9, equal_nan=True) for a, b in pairs):
        wrong.append(f"afterwards not {expected}")
    return wrong


_SIGNALLED = [name for name in PROGRAMS if name not in interrupted.AT_ONCE]


@each("name", in_part(list(_SIGNALLED), group=str, among=2))
def test_signals_leave_no_mode_behind(name: str) -> None:
    assert wrong_after_signals(name, 2 * SOME) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", _SIGNALLED)
def test_a_signal_may_arrive_anywhere(name: str) -> None:
    assert wrong_after_signals(name) == []
