"""Errors that name variables leave the variables of a program that is being debugged alone.

A trace function runs while the program stands at a line. Before Python 3.13 a copy of the local
variables is then written back when it returns: whoever empties the copy deletes the variables, and
whoever has it made anew undoes what the debugger has assigned.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import symgrad


def leaf() -> symgrad.Tensor:
    return symgrad.tensor([1.0, 2.0], requires_grad=True)


def cut() -> None:
    leaf().detach().sum().backward()


def unused() -> None:
    symgrad.autograd.grad(leaf().sum(), leaf())


def modified() -> None:
    x = leaf()
    y = x.exp()
    z = y.sin().sum()
    y.add_(1.0)
    z.backward()


def freed() -> None:
    y = leaf().exp().sum()
    y.backward()
    y.backward()


def nan() -> None:
    with warnings.catch_warnings(action="ignore"), symgrad.autograd.detect_anomaly():
        (0 * (leaf() - 1).sqrt()).sum().backward()


FAILING = [cut, unused, modified, freed, nan]


def fail(call: Callable[[], None]) -> None:
    with pytest.raises(RuntimeError):
        call()


def debugged(a: int) -> tuple[int, list[int], Any]:
    b = [a]
    c = "as it was"
    stop_here = True
    return a, b, c if stop_here else None


def outer(call: Callable[[], None]) -> tuple[Any, ...]:
    d = 3
    found = debugged(1)
    return (d, call, *found)


def stopping_at(name: str, act: Callable[[Any], None]) -> Callable[..., Any]:
    """Return a trace function that acts once `name` is set in `debugged`."""
    done = []

    def trace(frame: Any, event: str, arg: Any) -> Any:
        if frame.f_code is debugged.__code__ and not done and name in frame.f_locals:
            done.append(event)
            act(frame)
        return trace

    return trace


@pytest.fixture
def untraced() -> Any:
    trace, profile = sys.gettrace(), sys.getprofile()
    yield
    sys.settrace(trace)
    sys.setprofile(profile)


@pytest.mark.parametrize("install", [sys.settrace, sys.setprofile])
@pytest.mark.parametrize("call", FAILING)
def test_an_error_inside_a_trace_function_leaves_the_variables(
    call: Callable[[], None], install: Callable[[Any], None], untraced: None
) -> None:
    install(stopping_at("c" if install is sys.settrace else "a", lambda frame: fail(call)))
    found = outer(call)
    install(None)
    assert found == (3, call, 1, [1], "as it was")


@pytest.mark.parametrize("call", FAILING)
def test_what_a_debugger_assigned_stays(call: Callable[[], None], untraced: None) -> None:
    def act(frame: Any) -> None:
        scope = frame.f_locals
        scope["c"] = "assigned"
        fail(call)

    sys.settrace(stopping_at("stop_here", act))
    found = outer(call)
    sys.settrace(None)
    assert found == (3, call, 1, [1], "assigned")


@pytest.mark.parametrize("call", FAILING)
def test_a_debugger_that_switches_itself_off_is_one_still(
    call: Callable[[], None], untraced: None
) -> None:
    def act(frame: Any) -> None:
        sys.settrace(None)
        fail(call)

    sys.settrace(stopping_at("c", act))
    assert outer(call) == (3, call, 1, [1], "as it was")


def test_names_are_found_where_they_may_be_read(untraced: None) -> None:
    """The module's variables are no copy; those of functions are not, from Python 3.13 on."""
    namespace: dict[str, Any] = {"symgrad": symgrad, "sys": sys}
    program = """
def trace(frame, event, arg):
    return trace
sys.settrace(trace)
w = symgrad.tensor([1.0, 2.0])
try:
    w.sum().backward(), w.backward()
except RuntimeError:
    pass
try:
    w.backward(symgrad.ones(2))
except RuntimeError as error:
    said = str(error)
sys.settrace(None)
"""
    exec(compile(program, "program.py", "exec"), namespace)
    assert "'w'" in namespace["said"]
