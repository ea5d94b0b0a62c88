"""Many threads: plans, interned formulas and shared leaves.

The threads take turns, so that a fault is met in each run or in none.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear, cache_info
from symgrad.backward import accumulate
from tests.autograd.support import each, tensor
from tests.turns import in_turns

THREADS = 4
#: After how many places another thread goes on. If they are few, many threads are inside something.
PACES = (1, 2, 3, 5, 7, 11, 17, 29, 97)

InThreads = Callable[[Callable[[int], Any]], list[Any]]


@pytest.fixture(params=PACES)
def in_threads(request: pytest.FixtureRequest) -> InThreads:
    """Call a function with the number of each thread, and return what it returns."""

    def run(work: Callable[[int], Any]) -> list[Any]:
        return in_turns([partial(work, i) for i in range(THREADS)], request.param)

    return run


def test_one_structure(in_threads: InThreads) -> None:
    cache_clear()

    def work(i: int) -> Any:
        x = tensor([0.1 * i, 1.0])
        for _ in range(3):
            x.grad = None
            (x.sin() * x).sum().backward()
        return x.grad.numpy()

    for i, g in enumerate(in_threads(work)):
        a = np.array([0.1 * i, 1.0])
        np.testing.assert_allclose(g, np.cos(a) * a + np.sin(a), rtol=1e-14)
    assert cache_info().currsize == 1
    assert cache_info().hits + cache_info().misses == 3 * THREADS


def test_different_structures(in_threads: InThreads) -> None:
    def work(i: int) -> Any:
        found = []
        for k in range(4):
            x = tensor([0.5, 1.0])
            y = x
            for _ in range((i + k) % 4 + 1):
                y = y.sin() * x
            y.sum().backward()
            found.append(((i + k) % 4 + 1, x.grad.numpy().tobytes()))
        return found

    results = [pair for found in in_threads(work) for pair in found]
    assert len(set(results)) == 4
    assert cache_info().currsize == 4


@each("create_graph", [False, True])
def test_a_shared_leaf_accumulates_every_gradient(
    in_threads: InThreads, create_graph: bool
) -> None:
    rounds = 3
    x = tensor(np.ones(4))

    def work(i: int) -> None:
        for _ in range(rounds):
            (x * (i + 1)).sum().backward(create_graph=create_graph)

    in_threads(work)
    assert set(x.grad.detach().numpy().tolist()) == {rounds * sum(range(1, THREADS + 1))}


@pytest.mark.parametrize("add", ["_add_in_place", "_total"])
def test_a_gradient_is_added_under_a_lock(monkeypatch: pytest.MonkeyPatch, add: str) -> None:
    """NumPy lets other threads run in the middle of a long sum, where none takes its turn here."""
    held = []
    function = getattr(accumulate, add)

    def observed(*args: Any) -> Any:
        held.append(accumulate._adding._is_owned())
        return function(*args)

    monkeypatch.setattr(accumulate, add, observed)
    x = tensor([1.0, 2.0])
    for _ in range(3):
        (x * 2).sum().backward(create_graph=add == "_total")
    assert len(held) >= 2 and all(held)


def test_a_leaf_that_threads_meet_first_is_one_leaf(in_threads: InThreads) -> None:
    x = tensor([2.0, 3.0])

    def work(i: int) -> Any:
        (g,) = symgrad.autograd.grad((x * x).sum(), x)
        return g.tolist()

    assert in_threads(work) == [[4.0, 6.0]] * THREADS


def test_one_graph_from_many_threads(in_threads: InThreads) -> None:
    x = tensor([0.5, 1.5])
    y = (x.sin() * x).sum()
    y.backward(retain_graph=True)
    once, x.grad = x.grad.numpy(), None

    def work(i: int) -> None:
        y.backward(retain_graph=True)

    in_threads(work)
    np.testing.assert_allclose(x.grad.numpy(), THREADS * once, rtol=1e-15)


def test_the_grad_mode_belongs_to_its_thread(in_threads: InThreads) -> None:
    def work(i: int) -> bool:
        x = tensor(1.0)
        if i % 2:
            with symgrad.no_grad():
                return bool(x.sin().requires_grad)
        return bool(x.sin().requires_grad)

    assert in_threads(work) == [i % 2 == 0 for i in range(THREADS)]


def test_numpy_does_not_warn_in_any_thread(in_threads: InThreads) -> None:
    def work(i: int) -> float:
        x = tensor(0.0)
        y = x.log()
        y.backward()
        assert y.item() == -np.inf
        return float(x.grad.item())

    assert in_threads(work) == [np.inf] * THREADS


# ------------------------------------------------------------------ what several meet first


@pytest.mark.parametrize("make", [lambda x: x, lambda x: x * 2], ids=["leaf", "result"])
def test_hooks_registered_at_once_all_run(
    in_threads: InThreads, make: Callable[[Any], Any]
) -> None:
    y = make(tensor([1.0]))
    seen: list[int] = []

    def work(i: int) -> None:
        y.register_hook(lambda g: seen.append(i))

    in_threads(work)
    y.sum().backward()
    assert sorted(seen) == list(range(THREADS))


def test_a_leaf_has_one_accumulator(in_threads: InThreads) -> None:
    y = tensor([1.0]) * tensor([2.0])
    nodes = in_threads(lambda i: y.grad_fn.next_functions)
    assert len({id(node) for found in nodes for node, _ in found}) == 2


def test_a_tensor_is_named_once(in_threads: InThreads) -> None:
    x = tensor([1.0])
    assert len(set(in_threads(lambda i: x.expr))) == 1


def test_views_made_at_once_share_a_version(in_threads: InThreads) -> None:
    x = symgrad.zeros(THREADS)
    views = in_threads(lambda i: x[i : i + 1])
    x.add_(1)
    assert [v._version for v in views] == [1] * THREADS


def test_views_made_at_once_all_follow_their_base(in_threads: InThreads) -> None:
    y = tensor(np.ones(THREADS)) * 1

    def work(i: int) -> list[Any]:
        return [y[i : i + 1] for _ in range(6)]

    views = [v for found in in_threads(work) for v in found]
    y.mul_(3.0)
    assert {v.grad_fn.name() for v in views} == {"AsStridedBackward0"}


@each("operation", ["add_", "x[0] = 1", "exp_", "backward"])
def test_every_change_is_counted(in_threads: InThreads, operation: str) -> None:
    x = symgrad.zeros(2)
    leaf = tensor([1.0, 1.0])
    leaf.grad = symgrad.zeros(2, dtype=symgrad.float64)
    leaf.grad[0:1].zero_()  # a version is counted for what has views

    def work(i: int) -> None:
        for _ in range(3):
            if operation == "x[0] = 1":
                x[0] = 1.0
            elif operation == "backward":
                leaf.sum().backward()
            else:
                getattr(x, operation)(*[0.0][: operation == "add_"])

    in_threads(work)
    counted = leaf.grad._version - 1 if operation == "backward" else x._version
    assert counted == 3 * THREADS


# ------------------------------------------------------------------ hooks


def test_hooks_run_in_every_thread(in_threads: InThreads) -> None:
    rounds = 3
    x = tensor([1.0, 2.0])
    seen: list[str] = []

    def doubled(g: Any) -> Any:
        seen.append("hook")
        return g * 2

    x.register_hook(doubled)
    x.register_post_accumulate_grad_hook(lambda t: seen.append("accumulated"))

    def work(i: int) -> None:
        for _ in range(rounds):
            (x * (i + 1)).sum().backward()

    in_threads(work)
    assert seen.count("hook") == seen.count("accumulated") == rounds * THREADS
    assert x.grad.tolist() == [2 * rounds * sum(range(1, THREADS + 1))] * 2


def test_hooks_come_and_go_while_others_differentiate(in_threads: InThreads) -> None:
    x = tensor([1.0])

    def work(i: int) -> None:
        for _ in range(5):
            if i % 2:
                x.register_hook(lambda g: g).remove()
            else:
                (x * 2).sum().backward()

    in_threads(work)
    assert x.grad.item() == 2 * 5 * THREADS // 2


def test_a_gradient_may_be_dropped_while_others_add(in_threads: InThreads) -> None:
    x = tensor([1.0])

    def work(i: int) -> None:
        for _ in range(5):
            if i:
                (x * x).sum().backward()
            else:
                x.grad = None

    in_threads(work)
    assert x.grad is None or 0 < x.grad.item() <= 2 * 5 * (THREADS - 1)


# ------------------------------------------------------------------ streams, copies, classes


@each("draw", ["rand", "randn"])
def test_no_number_is_drawn_twice(in_threads: InThreads, draw: str) -> None:
    def drawn() -> bytes:
        return bytes(getattr(symgrad, draw)(64).numpy().tobytes())

    symgrad.manual_seed(0)
    expected = [drawn() for _ in range(2 * THREADS)]
    symgrad.manual_seed(0)
    found = in_threads(lambda i: [drawn() for _ in range(2)])
    assert sorted(block for blocks in found for block in blocks) == sorted(expected)


def test_answers_are_switched_off_in_one_thread_only(in_threads: InThreads) -> None:
    class Metres(symgrad.Tensor):
        pass

    x = Metres([1.0])

    def work(i: int) -> bool:
        if i % 2:
            with symgrad.overrides.DisableTorchFunctionSubclass():
                return all(type(x + 1) is symgrad.Tensor for _ in range(5))
        return all(type(x + 1) is Metres for _ in range(5))

    assert in_threads(work) == [True] * THREADS


def test_copies_are_taken_while_gradients_arrive(in_threads: InThreads) -> None:
    x = tensor(np.ones(100_000))

    def work(i: int) -> None:
        for _ in range(3):
            if i % 2:
                (x * 1).sum().backward()
            else:
                d = copy.deepcopy(x)
                assert d.grad is not x.grad or d.grad is None

    in_threads(work)
    assert set(x.grad.tolist()) == {3.0 * THREADS / 2}


def test_retained_gradients_of_a_shared_part_add_up(in_threads: InThreads) -> None:
    shared = tensor(np.ones(3)).exp()
    shared.retain_grad()

    def work(i: int) -> None:
        for _ in range(3):
            (shared * (i + 1)).sum().backward(retain_graph=True)

    in_threads(work)
    assert set(shared.grad.tolist()) == {3.0 * THREADS * (THREADS + 1) / 2}
