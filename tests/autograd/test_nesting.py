"""Backward passes inside hooks and custom functions, nested deeper than Python's stack goes."""

from __future__ import annotations

import gc
import sys
import threading
from typing import Any

import pytest

import symgrad as torch
from symgrad.record.nesting import _IN_ONE_THREAD, _carried

DEEP = 1_000


def _nested(depth: int, visit: Any = None, fail: bool = False) -> list[float]:
    """Run a pass in a hook of a pass, and so on; return what leaves were given, innermost first."""
    found: list[float] = []

    def go(level: int) -> None:
        with torch.enable_grad():
            x = torch.tensor(1.0 + level, requires_grad=True)
            y = x * 2
            z = y * y

        def hook(g: Any) -> None:
            if visit is not None:
                visit(level)
            if level < depth:
                go(level + 1)
            elif fail:
                raise ValueError("at the bottom")

        y.register_hook(hook)
        z.backward()
        found.append(x.grad.item())

    go(0)
    return found


def test_hooks_nest_as_deep_as_they_like() -> None:
    assert sys.getrecursionlimit() // 12 < DEEP
    found = _nested(DEEP)
    assert found == [8.0 * (1 + level) for level in range(DEEP, -1, -1)]


def test_threads_are_taken_for_depth_alone() -> None:
    seen: list[int] = []
    _nested(_IN_ONE_THREAD - 1, lambda level: seen.append(threading.get_ident()))
    assert set(seen) == {threading.get_ident()}
    seen.clear()
    before = threading.active_count()
    _nested(3 * _IN_ONE_THREAD, lambda level: seen.append(threading.get_ident()))
    assert len(dict.fromkeys(seen)) == 4
    assert threading.active_count() == before


def test_what_is_raised_at_the_bottom_arrives_at_the_top() -> None:
    with pytest.raises(ValueError, match="at the bottom"):
        _nested(5 * _IN_ONE_THREAD, fail=True)
    assert _nested(2) == [24.0, 16.0, 8.0]


def test_what_holds_in_a_thread_holds_below() -> None:
    packed: list[Any] = []
    seen: list[tuple[bool, bool, bool]] = []

    def visit(level: int) -> None:
        seen.append(
            (torch.is_grad_enabled(), torch.is_anomaly_enabled(), torch.is_inference_mode_enabled())
        )

    def pack(x: Any) -> Any:
        packed.append(threading.get_ident())
        return x

    with pytest.warns(UserWarning, match="Anomaly Detection"):
        anomaly = torch.autograd.detect_anomaly(check_nan=False)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x), anomaly:
        _nested(2 * _IN_ONE_THREAD + 1, visit)
    assert set(seen) == {(False, True, False)}
    assert len(set(packed)) == 3
    assert torch.is_grad_enabled()


def test_what_holds_in_a_thread_is_declared() -> None:
    """Each such place of the library is known here, so that none is forgotten."""
    gc.collect()
    gc.unfreeze()  # what has been there from the beginning (`conftest.py`)
    places = {
        type(x).__module__ + "." + type(x).__name__
        for x in gc.get_objects()
        if issubclass(type(x), threading.local) and type(x).__module__.startswith("symgrad.")
    }
    gc.freeze()
    carried = {type(x).__module__ + "." + type(x).__name__ for x in _carried}
    # What a derivative is built with ends before anybody's code is called.
    assert places == carried | {
        "symgrad.ops.deriving._Deriving",
        "symgrad.lower.lambdify._Kept",  # while SymPy prints, which calls no function of a user
    }


def test_custom_functions_nest() -> None:
    class Again(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, level: int) -> Any:
            ctx.save_for_backward(x)
            ctx.level = level
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            if not ctx.level:
                return 2 * g, None
            with torch.enable_grad():
                x = ctx.saved_tensors[0].detach().requires_grad_()
                (inner,) = torch.autograd.grad(Again.apply(x, ctx.level - 1), x, g)
            return inner + g, None

    x = torch.tensor(1.0, requires_grad=True)
    Again.apply(x, 300).backward()
    assert x.grad == 302
