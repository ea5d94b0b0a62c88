"""Many threads: plans, interned formulas and shared leaves."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear, cache_info
from tests.autograd.support import tensor

THREADS = 8


@pytest.fixture(autouse=True)
def _switch_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def _in_threads(work: Callable[[int], Any]) -> list[Any]:
    """Run `work` in threads that begin at the same moment; raise what any of them raised."""
    start = threading.Barrier(THREADS)
    results: list[Any] = [None] * THREADS
    errors: list[BaseException] = []

    def run(i: int) -> None:
        start.wait()
        try:
            results[i] = work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def test_one_structure() -> None:
    for _ in range(10):
        cache_clear()

        def work(i: int) -> Any:
            x = tensor([0.1 * i, 1.0])
            for _ in range(10):
                x.grad = None
                (x.sin() * x).sum().backward()
            return x.grad.numpy()

        for i, g in enumerate(_in_threads(work)):
            a = np.array([0.1 * i, 1.0])
            np.testing.assert_allclose(g, np.cos(a) * a + np.sin(a), rtol=1e-14)
        assert cache_info().currsize == 1
        assert cache_info().hits + cache_info().misses == 10 * THREADS


def test_different_structures() -> None:
    def work(i: int) -> Any:
        found = []
        for k in range(30):
            x = tensor([0.5, 1.0])
            y = x
            for _ in range((i + k) % 9 + 1):
                y = y.sin() * x
            y.sum().backward()
            found.append(((i + k) % 9 + 1, x.grad.numpy().tobytes()))
        return found

    results = [pair for found in _in_threads(work) for pair in found]
    assert len(set(results)) == 9
    assert cache_info().currsize == 9


@pytest.mark.parametrize("size", [4, 200_000])
@pytest.mark.parametrize("create_graph", [False, True])
def test_a_shared_leaf_accumulates_every_gradient(size: int, create_graph: bool) -> None:
    rounds = 20
    x = tensor(np.ones(size))

    def work(i: int) -> None:
        for _ in range(rounds):
            (x * (i + 1)).sum().backward(create_graph=create_graph)

    _in_threads(work)
    assert set(x.grad.detach().numpy().tolist()) == {rounds * sum(range(1, THREADS + 1))}


def test_a_leaf_that_threads_meet_first_is_one_leaf() -> None:
    for _ in range(100):
        x = tensor([2.0, 3.0])

        def work(i: int, x: Any = x) -> Any:
            (g,) = symgrad.autograd.grad((x * x).sum(), x)
            return g.tolist()

        assert _in_threads(work) == [[4.0, 6.0]] * THREADS


def test_one_graph_from_many_threads() -> None:
    x = tensor([0.5, 1.5])
    y = (x.sin() * x).sum()
    y.backward(retain_graph=True)
    once, x.grad = x.grad.numpy(), None

    def work(i: int) -> None:
        y.backward(retain_graph=True)

    _in_threads(work)
    np.testing.assert_allclose(x.grad.numpy(), THREADS * once, rtol=1e-15)


def test_the_grad_mode_belongs_to_its_thread() -> None:
    def work(i: int) -> bool:
        x = tensor(1.0)
        if i % 2:
            with symgrad.no_grad():
                return bool(x.sin().requires_grad)
        return bool(x.sin().requires_grad)

    assert _in_threads(work) == [i % 2 == 0 for i in range(THREADS)]


def test_numpy_does_not_warn_in_any_thread() -> None:
    def work(i: int) -> float:
        x = tensor(0.0)
        y = x.log()
        y.backward()
        assert y.item() == -np.inf
        return float(x.grad.item())

    assert _in_threads(work) == [np.inf] * THREADS
