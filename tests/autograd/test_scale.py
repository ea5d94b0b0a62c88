"""Deep and wide graphs: nothing recurses, nothing is quadratic."""

from __future__ import annotations

import contextlib
import gc
import inspect
import sys
import tracemalloc
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.backward import collector, plan
from tests.autograd.support import tensor

DEEP = 100_000


@contextlib.contextmanager
def shallow_stack(room: int = 60) -> Iterator[None]:
    """Leave a little room on the stack, so that what recurses over a graph fails early."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + room)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _chain(x: Any, steps: int) -> Any:
    y = x
    for _ in range(steps // 2):
        y = (y * x).sin()
    return y


of_each_size = pytest.mark.parametrize(
    "size", [DEEP // 10, pytest.param(DEEP, marks=pytest.mark.slow)]
)


@of_each_size
def test_a_deep_graph(size: int) -> None:
    x = tensor([0.5, 1.5])
    value, slope = np.array([0.5, 1.5]), np.ones(2)
    for _ in range(size // 2):
        slope = np.cos(value * [0.5, 1.5]) * (slope * [0.5, 1.5] + value)
        value = np.sin(value * [0.5, 1.5])
    with shallow_stack():
        y = _chain(x, size)
        y.sum().backward()
        formula = y.expr
        assert formula.shape == (2,)
        del formula, y
    np.testing.assert_allclose(x.grad.numpy(), slope, rtol=1e-9)


def test_a_deep_graph_when_compiled() -> None:
    x = tensor([0.5, 1.5])
    found = []
    for _ in range(7):
        _chain(x, 5_000).sum().backward()
        found.append(x.grad.numpy().copy())
        x.grad = None
    assert all(np.array_equal(g, found[0]) for g in found)


@of_each_size
def test_a_wide_graph(size: int) -> None:
    leaves = [tensor(float(i % 7)) for i in range(size)]
    with shallow_stack():
        layer = [x * x for x in leaves]
        while len(layer) > 1:
            layer = [a + b for a, b in zip(layer[::2], layer[1::2], strict=False)] + (
                [layer[-1]] if len(layer) % 2 else []
            )
        (total,) = layer
        total.backward()
        assert len(symgrad.explain(total + leaves[0]).gradients) == size
        del total, layer
    assert [x.grad.item() for x in leaves[:10]] == [2.0 * (i % 7) for i in range(10)]
    assert sum(x.grad.item() for x in leaves) == 2.0 * sum(i % 7 for i in range(size))


def test_a_graph_with_exponentially_many_paths() -> None:
    x = tensor(1.0)
    y = x
    for _ in range(60):
        y = y + y
    y.backward()
    assert x.grad.item() == 2.0**60


def test_create_graph_through_a_deep_graph() -> None:
    x = tensor(1.0)
    y = x
    for _ in range(2_000):
        y = (y * 1.0001).sin()
    with shallow_stack():
        (g,) = symgrad.autograd.grad(y, x, create_graph=True)
        (h,) = symgrad.autograd.grad(g, x)
        del y, g
    assert np.isfinite(h.item())
    assert h.item() < 0


@pytest.mark.parametrize("enabled", [True, False])
def test_building_a_large_plan_leaves_the_collector_as_it_was(
    monkeypatch: pytest.MonkeyPatch, enabled: bool
) -> None:
    during = []

    def build(*args: Any) -> Any:
        during.append(gc.isenabled() and gc.get_threshold()[0] > 0)
        raise MemoryError("no room")

    monkeypatch.setattr(plan, "_build", build)
    before, thresholds = gc.isenabled(), gc.get_threshold()
    (gc.enable if enabled else gc.disable)()
    try:
        for steps in (10, 5_000):
            with pytest.raises(MemoryError):
                _chain(tensor(1.0), steps).backward()
            assert gc.isenabled() == enabled
            assert gc.get_threshold() == thresholds
    finally:
        (gc.enable if before else gc.disable)()
    assert during == [enabled, False]


@pytest.mark.parametrize("meanwhile", [gc.disable, lambda: gc.set_threshold(500, 5, 5)])
def test_what_others_ask_of_the_collector_meanwhile_stays(meanwhile: Any) -> None:
    before, thresholds = gc.isenabled(), gc.get_threshold()
    try:
        gc.enable()
        asked = collector.held_off(lambda: meanwhile() or (gc.isenabled(), gc.get_threshold()))
        if asked[1][0] == 0:  # only switched off
            asked = asked[0], thresholds
        assert (gc.isenabled(), gc.get_threshold()) == asked
    finally:
        (gc.enable if before else gc.disable)()
        gc.set_threshold(*thresholds)


def _memory_of_views(count: int) -> int:
    """Return how many bytes a chain of views of views takes that are all held.

    The least of a few: a table of the whole process that happens to grow meanwhile is not theirs.
    """
    return min([_memory_taken(count) for _ in range(5)])


def _memory_taken(count: int) -> int:
    x = tensor([0.5, 1.5])
    tracemalloc.start()
    try:
        chain = [x]
        for _ in range(count):
            chain.append(chain[-1].view(2))
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_a_view_of_a_view_takes_no_more_than_the_first() -> None:
    _memory_of_views(2)  # what is made once for all
    assert _memory_of_views(4_000) < 2.5 * _memory_of_views(2_000)


def test_writes_through_views_of_views_grow_with_their_number_alone() -> None:
    def size(steps: int) -> int:
        w = tensor([0.5])
        x = symgrad.zeros(4) * w.sum()
        for i in range(steps):
            x = x.view(2, 2).t().t()[0:].view(4)
            x[i % 4] = w[0] * i
        return _vertices(x._leaf())

    assert size(200) < 2.5 * size(100)


def _vertices(vertex: Any) -> int:
    seen, stack = set(), [vertex]
    while stack:
        v = stack.pop()
        if v not in seen:
            seen.add(v)
            stack += v.inputs
    return len(seen)


@of_each_size
def test_a_deep_chain_of_views(size: int) -> None:
    x = tensor([0.5, 1.5])
    with shallow_stack():
        y = x
        for _ in range(size):
            y = y.view(2)
        y.sum().backward()
        del y
    assert x.grad.tolist() == [1.0, 1.0]
