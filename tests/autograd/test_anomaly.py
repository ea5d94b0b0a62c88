"""Anomaly mode: it names what gave nan for every operation, in linear time, and keeps nothing."""

from __future__ import annotations

import gc
import threading
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.backward.plan import cache_info
from symgrad.ops.primitive import Primitive
from tests.autograd.support import each
from tests.autograd.test_cycles import FAMILIES, one_of_each
from tests.kinds import apply
from tests.ops.test_laws import SAMPLES, differentiable, with_slow
from tests.oracle import observe
from tests.oracle.cases import CASES

NAN = float("nan")


def message_of(call: Callable[[], Any]) -> str:
    """Return the message of the error that a pass in anomaly mode raises."""
    with warnings.catch_warnings(action="ignore"), symgrad.autograd.set_detect_anomaly(True):
        try:
            call()
        except RuntimeError as error:
            return str(error)
    raise AssertionError("nothing was raised")


def recorded(cls: type[Primitive], args: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Return the result of an operation on tensors, and those that require a gradient."""
    split = len(args) - len(cls.params)
    operands = [
        symgrad.tensor(
            np.array(x, order="C"), requires_grad=x.dtype.kind in "fc" and i not in cls.underived
        )
        if isinstance(x, np.ndarray)
        else x
        for i, x in enumerate(args[:split])
    ]
    out = apply(cls, operands, tuple(args[split:]))
    return out, [x for x in operands if isinstance(x, symgrad.Tensor) and x.requires_grad]


@each("name", with_slow([n for n, given in SAMPLES.items() if differentiable(*given)]))
def test_the_function_is_named_for_every_operation(name: str) -> None:
    out, leaves = recorded(*SAMPLES[name])
    nan = symgrad.full_like(out.detach(), NAN)

    def gradients(**options: Any) -> Any:
        return symgrad.autograd.grad(out, leaves, nan, allow_unused=True, **options)

    holds_nan = any(
        g is not None and np.isnan(g.numpy()).any() for g in gradients(retain_graph=True)
    )
    if not holds_nan:
        with symgrad.autograd.set_detect_anomaly(True):
            gradients()
        return
    first, *more = message_of(gradients).splitlines()
    assert first.startswith(f"Function '{out.grad_fn.name()}' returned nan values in its ")
    assert more


# ---------------------------------------------------------------- formula and values


def test_values_are_those_of_the_element() -> None:
    x = symgrad.tensor([4.0, 1.0, 0.0], requires_grad=True, name="x")
    w = symgrad.tensor([1.0, 2.0, 0.0], requires_grad=True, name="w")
    lines = message_of(lambda: (w * x.sqrt()).sum().backward()).splitlines()
    assert lines == [
        "Function 'SqrtBackward0' returned nan values in its 0th output.",
        "It comes up at [2] of this part of the gradient's formula:",
        "    w / (2 * sqrt(x))",
        "which there is div(0.0, 0.0), with",
        "    w = 0.0",
        "    x = 0.0",
    ]


def test_values_of_operands_that_were_broadcast() -> None:
    x = symgrad.tensor([[1.0, 0.0], [4.0, 9.0]], requires_grad=True, name="x")
    scale = symgrad.tensor(0.0, name="scale")
    lines = message_of(lambda: (scale * x.sqrt()).sum().backward()).splitlines()
    assert lines[1] == "It comes up at [0, 1] of this part of the gradient's formula:"
    assert "    scale = 0.0" in lines
    assert "    x = 0.0" in lines


def test_a_cotangent_has_a_name() -> None:
    x = symgrad.tensor([0.0, 1.0], requires_grad=True, name="x")
    lines = message_of(lambda: x.sqrt().backward(symgrad.tensor([0.0, 1.0]))).splitlines()
    assert "    grad_output = 0.0" in lines


def test_nan_that_came_in() -> None:
    x = symgrad.tensor([1.0, NAN], requires_grad=True, name="x")
    lines = message_of(lambda: (x * x).sum().backward()).splitlines()
    assert lines == [
        "Function 'MulBackward0' returned nan values in its 0th output.",
        "Nan at [1] was there before: x",
    ]


def test_a_variable_gives_its_name() -> None:
    weight = symgrad.tensor([0.0, 1.0], requires_grad=True)
    lines = message_of(lambda: (weight.sqrt() * 0).sum().backward()).splitlines()
    assert lines[-1] == "    weight = 0.0"


def test_a_value_changed_since_is_not_shown() -> None:
    x = symgrad.tensor([0.0, 1.0], requires_grad=True, name="x")
    loss = (x.sqrt() * 0).sum()
    with symgrad.no_grad():
        x.fill_(7.0)
    assert "x = " not in message_of(loss.backward)


def test_long_formulas_are_cut_short() -> None:
    x = symgrad.tensor([0.0, 1.0], requires_grad=True, name="x")
    y = x
    for _ in range(300):
        y = (y * x + x).sin()
    text = message_of(lambda: (y.sqrt() * 0).sum().backward())
    assert text.startswith("Function 'SqrtBackward0' returned")
    assert len(text) < 2_000


def test_batches_of_cotangents() -> None:
    x = symgrad.tensor([0.0, 1.0], requires_grad=True, name="x")
    y = x.sqrt()
    cts = symgrad.tensor([[1.0, 1.0], [0.0, 1.0]])
    text = message_of(lambda: symgrad.autograd.grad(y, x, cts, is_grads_batched=True))
    assert text.startswith("Function 'SqrtBackward0' returned nan values in its 0th output.\n")


# ---------------------------------------------------------------- costs


@pytest.mark.parametrize("length", [3_000])
def test_long_chains_are_gone_through_node_by_node(length: int) -> None:
    x = symgrad.tensor([0.0, 1.0], requires_grad=True)
    y = x.sqrt()
    for _ in range(length):
        y = y * 1.5
    before = cache_info()
    text = message_of(lambda: (y * 0).sum().backward())
    after = cache_info()
    assert text.startswith("Function 'SqrtBackward0' returned")
    # One plan of the whole; then each node once, of which there are a handful of kinds.
    assert after.hits + after.misses - before.hits - before.misses <= length + 10
    assert after.misses - before.misses <= 6


def test_tracebacks_are_of_the_user_alone() -> None:
    x = symgrad.ones(2, requires_grad=True)
    with symgrad.autograd.set_detect_anomaly(True):
        y = x.exp()
    assert "x.exp()" in y.grad_fn.metadata["traceback_"][-1]


def test_the_mode_keeps_no_graph() -> None:
    x = symgrad.tensor([0.0, 1.0], requires_grad=True)

    def run() -> weakref.ref[Any]:
        y = x.sqrt()
        message_of(lambda: (y * 0).sum().backward())
        return weakref.ref(y.grad_fn._vertex)

    gc.disable()
    try:
        ref = run()
        assert ref() is None
    finally:
        gc.enable()


def test_threads_come_and_go_while_the_mode_changes() -> None:
    wrong: list[str] = []
    leave = threading.Event()

    def work() -> None:
        x = symgrad.ones(2, requires_grad=True)
        while not leave.is_set():
            with symgrad.no_grad():
                pass
            if not (x * 2).requires_grad:
                wrong.append("not recorded")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for i in range(200):
        symgrad.autograd.set_detect_anomaly(i % 2 == 0)
    symgrad.autograd.set_detect_anomaly(False)
    leave.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert list((symgrad.ones(2, requires_grad=True) * 2).grad_fn.metadata) == []


# ------------------------------------------------------------------ the mode only looks on


def assert_unchanged(family: str) -> None:
    """Compare both gradients of a case of each function with those without the mode."""
    wrong = []
    for case in one_of_each([case for case in CASES if case.family == family]):
        for look in (observe.first, observe.second):
            found = []
            for on in (False, True):
                with symgrad.autograd.set_detect_anomaly(on, check_nan=False):
                    try:  # hints of errors tell of the mode
                        found.append(repr(look(symgrad, case)).partition("Hint:")[0])
                    except Exception as error:
                        found.append(f"{type(error).__name__}: {observe.first_line(error)}")
            wrong += [] if found[0] == found[1] else [f"{case.id}, {look.__name__}: {found}"]
    assert wrong == []


@pytest.mark.parametrize("family", ["where", "reduction", "comparison"])
def test_gradients_are_those_without_the_mode(family: str) -> None:
    assert_unchanged(family)


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_gradients_of_every_function_are_those_without_the_mode(family: str) -> None:
    assert_unchanged(family)


def test_the_error_is_raised_where_warnings_are_errors(capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings(action="ignore"), symgrad.autograd.detect_anomaly():
        warnings.simplefilter("error")
        x = symgrad.tensor([1.0, 2.0], requires_grad=True)
        y = x + 1
        loss = (y**2).sum()
        y.mul_(2)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            loss.backward()
    assert "UserWarning: Error detected in PowBackward0." in capsys.readouterr().err
