"""Checkpoints: what they keep, what they compute again, and the formulas beside."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad as torch
from symgrad.record.tape import Node
from symgrad.utils.checkpoint import checkpoint, checkpoint_sequential

SIZE = 100_000
BYTES = 8 * SIZE


def block(x: Any) -> Any:
    return x.sin().exp().tanh().cos()


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), dtype=torch.float64, requires_grad=True)


def large() -> Any:
    return torch.full((SIZE,), 0.5, dtype=torch.float64, requires_grad=True)


def through(count: int, call: Callable[..., Any]) -> Callable[[Any], Any]:
    def network(x: Any) -> Any:
        for _ in range(count):
            x = call(block, x)
        return x.sum()

    return network


plain = through(10, lambda f, x: f(x))
checkpointed = through(10, lambda f, x: checkpoint(f, x, use_reentrant=False))
reentrant = through(10, lambda f, x: checkpoint(f, x, use_reentrant=True))


def held(network: Callable[[Any], Any]) -> float:
    """How many arrays of the size of the input are alive after the forward pass."""
    x = large()
    network(x)  # what is known of operations is remembered
    gc.collect()
    tracemalloc.start()
    try:
        y = network(x)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] / BYTES
    finally:
        tracemalloc.stop()
        del y


def peak(network: Callable[[Any], Any]) -> float:
    """How many are alive at most, in both passes."""
    x = large()
    network(x).backward()  # plans are made
    gc.collect()
    tracemalloc.start()
    try:
        network(x).backward()
        return tracemalloc.get_traced_memory()[1] / BYTES
    finally:
        tracemalloc.stop()


def test_what_is_saved_inside_is_not_kept() -> None:
    assert held(plain) > 30
    # One argument for each of the ten.
    assert held(checkpointed) < 11
    assert held(reentrant) < 11


def test_the_backward_pass_computes_one_region_at_a_time() -> None:
    assert peak(plain) > 30
    assert peak(checkpointed) < 20
    assert peak(reentrant) < 20


def test_nested_checkpoints_keep_less_still() -> None:
    def outer(x: Any) -> Any:
        for _ in range(10):
            x = checkpoint(block, x, use_reentrant=False)
        return x

    x = large()
    gc.collect()
    tracemalloc.start()
    try:
        y = checkpoint(outer, x, use_reentrant=False).sum()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] / BYTES < 2
    finally:
        tracemalloc.stop()
    y.backward()
    assert x.grad is not None


def test_the_region_goes_when_its_graph_has_been_used() -> None:
    class Function:
        def __call__(self, x: Any) -> Any:
            return x.exp().sin()

    f, x = Function(), leaf(0.5)
    ref = weakref.ref(f)
    y = checkpoint(f, x, use_reentrant=False).sum()
    del f
    assert ref() is not None
    y.backward()
    assert ref() is None


def test_gradients_are_exactly_those_without() -> None:
    values = np.linspace(-2, 2, 50)
    found = []
    for network in (plain, checkpointed, reentrant):
        x = torch.tensor(values, requires_grad=True)
        network(x).backward()
        found.append(x.grad.numpy())
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_allclose(found[0], found[2], rtol=1e-14)


def test_formulas_do_not_run_the_function() -> None:
    runs = []

    def f(x: Any) -> Any:
        runs.append(0)
        return x.sin() * x

    x = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True, name="x")
    y = checkpoint(f, x, use_reentrant=False).sum()
    explanation = torch.explain(y)
    assert str(y.expr) == "sum(sin(x) * x)"
    formula = explanation.gradients[x]
    derivative = torch.derive(y, x)
    assert len(runs) == 1
    y.backward()
    for found in (formula, derivative):
        np.testing.assert_array_equal(found.evaluate({"x": x.detach().numpy()}), x.grad.numpy())


def test_derivatives_of_a_region_take_stable_forms() -> None:
    x = leaf(800.0, -800.0)
    y = checkpoint(lambda x: torch.log(1 + torch.exp(x)), x, use_reentrant=False)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 0.0]


def test_regions_of_one_structure_share_a_plan() -> None:
    torch.autograd.cache_clear()
    x = leaf(0.5, 1.0)
    checkpointed(x).backward()
    before = torch.autograd.cache_info()
    checkpointed(x).backward()
    after = torch.autograd.cache_info()
    assert after.misses == before.misses
    assert before.misses <= 3  # the sum, the first regions, the last
    assert before.hits >= 8


def test_a_hook_inside_a_region_costs_no_second_run() -> None:
    runs = []

    def f(x: Any) -> Any:
        runs.append(0)
        y = x.sin()
        y.register_hook(lambda g: 2 * g)
        return y.exp().cos()

    x = leaf(0.5, 1.0)
    checkpoint(f, x, use_reentrant=False).sum().backward()
    assert len(runs) == 2


def test_a_branch_that_is_not_asked_for_is_not_computed() -> None:
    runs = []

    def f(x: Any) -> Any:
        runs.append(0)
        return x.sin()

    x, w = leaf(0.5), leaf(2.0)
    a, b = checkpoint(f, x, use_reentrant=False), checkpoint(torch.exp, w, use_reentrant=False)
    runs.clear()
    torch.autograd.grad((a + b).sum(), w)
    assert runs == []


def test_a_node_of_a_region_can_be_called() -> None:
    x = leaf(0.5)
    y = checkpoint(torch.exp, x, use_reentrant=False)
    gradient = y.grad_fn(torch.ones(1, dtype=torch.float64))
    np.testing.assert_array_equal(gradient.detach(), y.detach())


def test_nothing_is_observed_outside() -> None:
    from symgrad.record.modes import state

    x = leaf(0.5)
    y = checkpoint(block, x, use_reentrant=False)
    assert not state.state.special
    with pytest.raises(KeyError):
        checkpoint({}.__getitem__, x, use_reentrant=False)
    assert not state.state.special
    y.backward()
    assert not state.state.special


def test_batches_of_cotangents() -> None:
    x = leaf(0.5, 1.0)
    rows = torch.eye(2, dtype=torch.float64)
    y = checkpoint(block, x, use_reentrant=False)
    (found,) = torch.autograd.grad(y, x, rows, is_grads_batched=True)
    (expected,) = torch.autograd.grad(block(x), x, rows, is_grads_batched=True)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_the_graph_is_that_of_the_function() -> None:
    x = leaf(0.5)
    y = checkpoint(lambda x: x.sin().exp(), x, use_reentrant=False)
    assert isinstance(y.grad_fn._vertex, Node)
    names = [y.grad_fn.name(), y.grad_fn.next_functions[0][0].name()]
    assert names == ["ExpBackward0", "SinBackward0"]


def test_segments_of_a_sequence() -> None:
    x = leaf(0.5, 1.0)
    runs: list[int] = []

    def step(n: int) -> Callable[[Any], Any]:
        def f(x: Any) -> Any:
            runs.append(n)
            return (n * x).sin()

        return f

    y = checkpoint_sequential([step(n) for n in range(6)], 3, x, use_reentrant=False)
    runs.clear()
    y.sum().backward()
    assert runs == [2, 3, 0, 1]
