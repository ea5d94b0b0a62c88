"""Random programs: backward against finite differences, against the formulas, against itself."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

import symgrad
from symgrad.autograd import cache_clear, cache_info
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Const
from tests.autograd.programs import RandomProgram, random_programs
from tests.autograd.support import evaluate, latest_plan, repeated, tensor

_few = settings(max_examples=60)


def _gradients(leaves: list[Any]) -> list[Any]:
    return [None if x.grad is None else x.grad.numpy() for x in leaves]


def _compare(got: list[Any], wanted: list[Any], leaves: list[Any], rtol: float) -> None:
    for g, w, x in zip(got, wanted, leaves, strict=True):
        assert (g is None) == (w is None)
        if g is not None:
            assert g.shape == tuple(x.shape)
            assert g.dtype == np.float64
            w = np.broadcast_to(w, g.shape)
            np.testing.assert_allclose(g, w, rtol=rtol, atol=rtol * _scale(wanted))


def _scale(arrays: list[Any]) -> float:
    return max([1.0, *(float(np.abs(a).max(initial=0)) for a in arrays if a is not None)])


@_few
@given(random_programs)
def test_backward_is_the_slope(program: RandomProgram) -> None:
    arrays = program.arrays()
    leaves = [tensor(a) for a in arrays]
    program.run(leaves).backward()
    rng = np.random.default_rng(program.seed + 1)
    directions = [rng.uniform(-1, 1, a.shape) for a in arrays]
    slope = sum(
        float(np.sum(g * d))
        for g, d in zip(_gradients(leaves), directions, strict=True)
        if g is not None
    )
    h = 1e-5
    ahead = program.value([a + h * d for a, d in zip(arrays, directions, strict=True)])
    behind = program.value([a - h * d for a, d in zip(arrays, directions, strict=True)])
    scale = max(1.0, abs(slope), abs(ahead))
    assert abs((ahead - behind) / (2 * h) - slope) <= 1e-6 * scale


@_few
@given(random_programs)
def test_backward_is_the_derivative_of_the_formula(program: RandomProgram) -> None:
    """The plan reads saved values; the formula of the value, differentiated, reads leaves only."""
    leaves = [tensor(a) for a in program.arrays()]
    masks: list[Any] = []
    y = program.run(leaves, masks)
    formula = y.expr
    wrt = [x.expr for x in leaves]
    values = {x.expr: x.detach().numpy() for x in (*leaves, *masks)}
    np.testing.assert_allclose(evaluate([formula], values)[0], y.item(), rtol=1e-12)
    found = vjp([formula], [Const(1, formula.dtype)], wrt)
    made = iter(evaluate([f for f in found if f is not None], values))
    y.backward()
    _compare(_gradients(leaves), [None if f is None else next(made) for f in found], leaves, 1e-10)


@_few
@given(random_programs)
def test_explain_shows_the_program_that_runs(program: RandomProgram) -> None:
    leaves = [tensor(a) for a in program.arrays()]
    masks: list[Any] = []
    y = program.run(leaves, masks)
    cache_clear()
    shown = symgrad.explain(y)
    before = cache_info()
    y.backward()
    assert cache_info() == before._replace(hits=before.hits + 1)
    ran = latest_plan().program
    assert shown.program.instrs is ran.instrs
    assert [slot for slot, _ in shown.program.inputs] == [slot for slot, _ in ran.inputs]
    values = {x.expr: x.detach().numpy() for x in (*leaves, *masks)}
    formulas = [shown.gradients.get(x) for x in leaves]
    made = iter(evaluate([f for f in formulas if f is not None], values))
    _compare(
        _gradients(leaves), [None if f is None else next(made) for f in formulas], leaves, 1e-10
    )


@_few
@given(random_programs)
def test_every_run_gives_the_same_bits(program: RandomProgram) -> None:
    """The first runs are interpreted, later ones compiled."""
    cache_clear()
    found = []
    for _ in range(7):
        leaves = [tensor(a) for a in program.arrays()]
        program.run(leaves).backward()
        found.append(_gradients(leaves))
    assert cache_info().misses == 1
    assert latest_plan().is_compiled
    for later in found[1:]:
        for g, first in zip(later, found[0], strict=True):
            assert (g is None) == (first is None)
            if g is not None:
                assert g.dtype == first.dtype
                assert g.tobytes() == first.tobytes()


@_few
@given(random_programs)
def test_gradients_own_their_memory_and_nothing_is_computed_twice(program: RandomProgram) -> None:
    arrays = program.arrays()
    leaves = [tensor(a) for a in arrays]
    program.run(leaves).backward()
    assert repeated(latest_plan().program) == []
    grads = [g for g in _gradients(leaves) if g is not None]
    for i, g in enumerate(grads):
        assert g.flags.writeable
        assert not any(np.shares_memory(g, other) for other in grads[:i])
        assert not any(np.shares_memory(g, x.detach().numpy()) for x in leaves)
    for x, a in zip(leaves, arrays, strict=True):  # operands are never written to
        assert x.detach().numpy().tobytes() == a.tobytes()


@settings(max_examples=30)
@given(random_programs, st.integers(0, 5))
def test_the_second_derivative_is_the_slope_of_the_first(program: RandomProgram, seed: int) -> None:
    rng = np.random.default_rng(seed)
    arrays = program.arrays()
    directions = [rng.uniform(-1, 1, a.shape) for a in arrays]

    def slope(at: list[Any], create: bool) -> Any:
        leaves = [tensor(a) for a in at]
        found = symgrad.autograd.grad(
            program.run(leaves), leaves, create_graph=create, allow_unused=True
        )
        total = sum(
            ((g * symgrad.from_numpy(d)).sum() for g, d in zip(found, directions, strict=True)
             if g is not None),
            start=tensor(0.0) * 0.0,
        )  # fmt: skip
        return leaves, total

    leaves, total = slope(arrays, create=True)
    second = symgrad.autograd.grad(total, leaves, allow_unused=True)
    curvature = sum(
        float(np.sum(g.numpy() * d))
        for g, d in zip(second, directions, strict=True)
        if g is not None
    )
    h = 1e-5
    ahead = slope([a + h * d for a, d in zip(arrays, directions, strict=True)], create=False)[1]
    behind = slope([a - h * d for a, d in zip(arrays, directions, strict=True)], create=False)[1]
    scale = max(1.0, abs(curvature), abs(total.item()))
    assert abs((ahead.item() - behind.item()) / (2 * h) - curvature) <= 1e-6 * scale
