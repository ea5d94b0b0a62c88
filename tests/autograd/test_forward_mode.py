"""Forward mode: agrees with reverse mode on random programs, leaves nothing behind, is linear."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import symgrad as torch
from symgrad.autograd import forward_ad as mode
from symgrad.autograd.functional import hessian, jacobian
from symgrad.backward import tangents
from symgrad.record.dual_level import forward_mode
from symgrad.record.modes import state
from tests.expr.test_costs import steps

from .programs import RandomProgram, random_programs


def vector(*values: float, **keywords: Any) -> Any:
    return torch.tensor(list(values), dtype=torch.float64, **keywords)


def leaves(program: RandomProgram) -> list[Any]:
    return [torch.from_numpy(a) for a in program.arrays()]


@settings(max_examples=60)
@given(random_programs)
def test_tangents_are_gradients_times_directions(program: RandomProgram) -> None:
    rng = np.random.default_rng(program.seed)
    given_leaves = leaves(program)
    directions = [torch.from_numpy(np.asarray(rng.normal(size=x.shape))) for x in given_leaves]
    with mode.dual_level():
        duals = [mode.make_dual(x, t) for x, t in zip(given_leaves, directions, strict=True)]
        found = mode.unpack_dual(program.run(duals)).tangent
    required = [x.clone().requires_grad_() for x in given_leaves]
    gradients = torch.autograd.grad(program.run(required), required, materialize_grads=True)
    expected = sum(float((g * t).sum().item()) for g, t in zip(gradients, directions, strict=True))
    scale = sum(
        float((g * t).abs().sum().item()) for g, t in zip(gradients, directions, strict=True)
    )
    assert found.item() == pytest.approx(expected, rel=1e-9, abs=1e-9 * (1 + scale))


@settings(max_examples=30)
@given(random_programs)
def test_hessians_of_both_modes_agree(program: RandomProgram) -> None:
    xs = tuple(leaves(program))
    expected = hessian(lambda *xs: program.run(xs), xs)
    found = hessian(
        lambda *xs: program.run(xs), xs, vectorize=True, outer_jacobian_strategy="forward-mode"
    )
    for row, expected_row in zip(found, expected, strict=True):
        for block, expected_block in zip(row, expected_row, strict=True):
            wanted = expected_block.numpy()
            np.testing.assert_allclose(
                block.detach().numpy(),
                wanted,
                rtol=1e-8,
                atol=1e-8 * (1 + np.abs(wanted).max(initial=0)),
            )


@settings(max_examples=30)
@given(random_programs)
def test_gradients_of_tangents_are_hessians_times_directions(program: RandomProgram) -> None:
    required = [x.requires_grad_() for x in leaves(program)]
    rng = np.random.default_rng(program.seed)
    directions = [torch.from_numpy(np.asarray(rng.normal(size=x.shape))) for x in required]
    with mode.dual_level():
        duals = [mode.make_dual(x, t) for x, t in zip(required, directions, strict=True)]
        y = program.run(duals)
        tangent = mode.unpack_dual(y).tangent
        forward_over_reverse = [
            None if g is None else mode.unpack_dual(g).tangent
            for g in torch.autograd.grad(y, required, allow_unused=True, retain_graph=True)
        ]
    if not tangent.requires_grad:
        assert all(t is None or not t.numpy().any() for t in forward_over_reverse)
        return
    reverse_over_forward = torch.autograd.grad(
        tangent, required, allow_unused=True, retain_graph=True
    )
    for x, a, b in zip(required, reverse_over_forward, forward_over_reverse, strict=True):
        zeros = np.zeros(tuple(x.shape))
        a, b = (zeros if part is None else part.detach().numpy() for part in (a, b))
        np.testing.assert_allclose(a, b, rtol=1e-8, atol=1e-8 * (1 + np.abs(a).max(initial=0)))


# ---------------------------------------------------------------- what a level leaves behind


def test_nothing_is_observed_outside_a_level() -> None:
    inside = []

    def raising() -> None:
        with mode.dual_level():
            inside.append(not state.state.special)
            raise ValueError("of the block")

    assert not state.state.special
    with pytest.raises(ValueError, match="of the block"):
        raising()
    assert inside == [False]
    assert not state.state.special
    assert forward_mode.level is None


def test_other_observers_stay() -> None:
    kept = []

    def pack(x: Any) -> Any:
        kept.append(x)
        return x

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda x: x):
        before = state.state.observers()
        w = torch.ones(2, dtype=torch.float64, requires_grad=True)
        with mode.dual_level():
            x = mode.make_dual(w, vector(2.0, 3.0))
            assert len(state.state.observers()) == 2
            (x.exp(), x.sin())
        assert state.state.observers() == before
    assert any(np.array_equal(t.detach(), w.detach().exp()) for t in kept)
    assert any(np.array_equal(t.detach(), w.detach()) for t in kept)
    assert not state.state.observers()


def test_levels_are_those_of_a_thread() -> None:
    found = []

    def work(k: int) -> None:
        try:
            with mode.dual_level():
                barrier.wait()
                x = mode.make_dual(vector(1.0 + k), vector(1.0))
                for _ in range(50):
                    x = x * 1.01
                barrier.wait()
                found.append((k, mode.unpack_dual(x * x).tangent.item()))
        except BaseException:
            barrier.abort()  # the others wait for nobody
            raise

    barrier = threading.Barrier(4)
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sorted(found) == [(k, pytest.approx(2 * (1.0 + k) * 1.01**100)) for k in range(4)]


def test_tangents_are_freed_at_the_end_of_their_level() -> None:
    with mode.dual_level():
        x = mode.make_dual(vector(1.0, 2.0, requires_grad=True), vector(1.0, 1.0))
        y = (x * x).exp()
        tangent = weakref.ref(mode.unpack_dual(y).tangent)
        assert tangent() is not None
    gc.collect()
    assert tangent() is None
    assert y.requires_grad


def test_tangents_are_freed_with_their_tensors() -> None:
    gc.disable()
    try:
        with mode.dual_level():
            x = mode.make_dual(vector(1.0, 2.0), vector(1.0, 1.0))
            y = x.exp()
            tangent = weakref.ref(mode.unpack_dual(y).tangent)
            data = weakref.ref(x)
            del y, x
            assert tangent() is None
            assert data() is None
    finally:
        gc.enable()


def test_a_rule_is_derived_once_for_each_signature() -> None:
    def run() -> None:
        with mode.dual_level():
            x = mode.make_dual(torch.rand(3), torch.rand(3))
            for _ in range(10):
                x = (x * 0.3 + torch.rand(1).item()).sigmoid()

    run()
    before = len(tangents._rules.rules)
    run()
    assert len(tangents._rules.rules) == before > 0


# ---------------------------------------------------------------- size


def test_a_long_chain_takes_linear_time() -> None:
    def multiply(count: int) -> None:
        with mode.dual_level():
            x = mode.make_dual(vector(1.0, requires_grad=True), vector(1.0))
            for _ in range(count):
                x = x * 0.9999
            assert mode.unpack_dual(x).tangent.item() == pytest.approx(0.9999**count)

    multiply(10_000)
    assert steps(lambda: multiply(2_000)) < 10.5 * steps(lambda: multiply(200))


def test_all_directions_cost_one_call() -> None:
    calls = []

    def f(x: Any) -> Any:
        calls.append(1)
        return (x.sin() * x.sum()).cumsum(0)

    x = torch.rand(200, dtype=torch.float64)
    found = jacobian(f, x, vectorize=True, strategy="forward-mode")
    assert calls == [1]
    np.testing.assert_allclose(found.numpy(), jacobian(f, x, vectorize=True).numpy(), rtol=1e-12)


def test_the_default_dtype_may_change_between_levels() -> None:
    def slope() -> Any:
        with mode.dual_level():
            x = mode.make_dual(torch.tensor([1, 2]) * 1.5, torch.tensor([1, 0]) * 1.0)
            return mode.unpack_dual(x * 0.5).tangent

    assert slope().dtype is torch.float32
    torch.set_default_dtype(torch.float64)
    try:
        assert slope().dtype is torch.float64
    finally:
        torch.set_default_dtype(torch.float32)
