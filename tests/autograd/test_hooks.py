"""Hooks on large graphs, on gradients of compiled plans, and beside every operation."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.backward import running, stretch
from symgrad.ops.primitive import Primitive
from tests.autograd.support import each, tensor
from tests.autograd.test_scale import shallow_stack
from tests.each import in_part
from tests.kinds import apply, kinds

pytestmark = pytest.mark.versions

saved_tensors_hooks = symgrad.autograd.graph.saved_tensors_hooks


class Work:
    """Counts what backward passes in stages walk, and how many plans they run."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.vertices = self.runs = 0
        walk, run_plan = stretch.walk, stretch.run_plan

        def counted_walk(*args: Any, **how: Any) -> Any:
            found = walk(*args, **how)
            self.vertices += len(found.order)
            return found

        def counted_run(*args: Any, **how: Any) -> Any:
            self.runs += 1
            return run_plan(*args, **how)

        for module in (running, stretch):  # a node by itself, and the stretches of a graph
            monkeypatch.setattr(module, "walk", counted_walk)
            monkeypatch.setattr(module, "run_plan", counted_run)

    def of(self, program: Callable[[int], Any], n: int) -> tuple[int, int]:
        y = program(n)
        self.vertices = self.runs = 0
        with shallow_stack(80):
            y.backward()
        return self.vertices, self.runs


def hooked_tensors(n: int) -> Any:
    x = y = tensor([1.0, 2.0])
    for _ in range(n):
        y = (y * x).sin()
        y.register_hook(lambda g: None)
    return y.sum()


def hooked_nodes(n: int) -> Any:
    y = tensor([1.0, 2.0])
    for _ in range(n):
        y = y.sin()
        y.grad_fn.register_hook(lambda i, o: None)
    return y.sum()


def packed_nodes(n: int) -> Any:
    y = tensor([1.0, 2.0])
    with saved_tensors_hooks(lambda t: t, lambda t: t):
        for _ in range(n):
            y = y.sin()
    return y.sum()


def one_sum(n: int) -> Any:
    leaves = [tensor(float(i)) for i in range(n)]
    for x in leaves[::7]:
        x.register_hook(lambda g: None)
    one_sum.leaves = leaves  # type: ignore[attr-defined]
    return symgrad.stack(leaves).sum()


def sums(n: int) -> Any:
    leaves = [tensor(float(i)) for i in range(n)]
    for x in leaves[::7]:
        x.register_hook(lambda g: None)
    sums.leaves = leaves  # type: ignore[attr-defined]
    y = leaves[0]
    for x in leaves[1:]:
        y = y + x
    return y


@pytest.mark.parametrize("program", [hooked_tensors, hooked_nodes, packed_nodes, one_sum, sums])
def test_the_work_grows_with_the_graph(
    program: Callable[[int], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work(monkeypatch)
    small, large = work.of(program, 1000), work.of(program, 4000)
    for a, b in zip(small, large, strict=True):
        assert b <= 4 * a + 8


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_thousands_of_hooks_run_latest_first(count: int) -> None:
    calls: list[int] = []
    y = tensor([1.0, 2.0])
    for i in range(count):
        y = y * 1.0001
        y.register_hook(lambda g, i=i: calls.append(i))
    with shallow_stack(80):
        y.sum().backward()
    assert calls == list(range(count - 1, -1, -1))


@pytest.mark.parametrize("count", [5_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_hooks_on_some_of_many_inputs(count: int) -> None:
    calls: list[Any] = []
    leaves = [tensor(float(i)) for i in range(count)]
    for x in leaves[::1000]:
        x.register_hook(lambda g: calls.append(g.item()) or g * 2)
    symgrad.stack(leaves).sum().backward()
    assert calls == [1.0] * (count // 1000)
    assert [leaves[i].grad.item() for i in (0, 1, 1000, count - 1)] == [2.0, 1.0, 2.0, 1.0]


def test_a_hook_keeps_its_place_when_plans_are_compiled() -> None:
    for step in range(8):
        x = tensor([0.3, 0.7])
        seen: list[np.ndarray[Any, Any]] = []
        h = (x * (1.0 + step)).sin()
        h.register_hook(lambda g, seen=seen: seen.append(g.numpy(force=True)) or 3 * g)
        (h.exp() * h).sum().backward()
        a = np.array([0.3, 0.7]) * (1.0 + step)
        s = np.sin(a)
        np.testing.assert_allclose(seen[0], np.exp(s) * (s + 1), rtol=1e-12)
        expected = 3 * np.exp(s) * (s + 1) * np.cos(a) * (1.0 + step)
        np.testing.assert_allclose(x.grad.numpy(), expected, rtol=1e-12)


# ---------------------------------------------------------------- every operation


def _samples() -> list[Any]:
    found = []
    for name, cls in kinds().items():
        if not cls.__module__.startswith("symgrad.") or not cls.differentiable:
            continue
        with contextlib.suppress(NotImplementedError):
            found += [
                pytest.param(cls, args, id=f"{name}-{i}") for i, args in enumerate(cls.samples)
            ]
    return found


def _gradients(cls: type[Primitive], args: Any, hooks: Any, node_hook: bool) -> list[Any]:
    split = len(args) - len(cls.params)
    leaves: list[Any] = []
    operands: list[Any] = []
    for x in args[:split]:
        if isinstance(x, np.ndarray):
            t = symgrad.tensor(x.copy())
            if t.dtype.differentiable:
                t.requires_grad_()
                leaves.append(t)
            x = t
        operands.append(x)
    if not leaves:
        pytest.skip("nothing to differentiate")
    with hooks:
        y = apply(cls, operands, tuple(args[split:]))
    if not y.requires_grad:
        pytest.skip("no derivative")
    if node_hook:
        y.grad_fn.register_hook(lambda i, o: None)
    ct = symgrad.linspace(0.5, 1.5, y.numel(), dtype=symgrad.float64).reshape(y.shape).to(y.dtype)
    try:
        first = symgrad.autograd.grad(y, leaves, ct, create_graph=True, allow_unused=True)
    except RuntimeError as error:
        if "not implemented" not in str(error) and "is not supported" not in str(error):
            raise
        pytest.skip("PyTorch has no derivative")
    differentiable = [g for g in first if g is not None and g.requires_grad]
    ones = [symgrad.ones_like(g) for g in differentiable]
    second = (
        symgrad.autograd.grad(differentiable, leaves, ones, allow_unused=True)
        if differentiable
        else ()
    )
    return [None if g is None else g.numpy(force=True) for g in (*first, *second)]


@each("cls, args", in_part(_samples(), among=3))
def test_gradients_are_the_same_with_hooks(cls: type[Primitive], args: Any) -> None:
    plain = _gradients(cls, args, contextlib.nullcontext(), False)
    hooked = _gradients(cls, args, contextlib.nullcontext(), True)
    packing = saved_tensors_hooks(
        lambda t: np.array(t.numpy(force=True), order="C"), symgrad.from_numpy
    )
    packed = _gradients(cls, args, packing, False)
    for other in (hooked, packed):
        for a, b in zip(plain, other, strict=True):
            assert (a is None) == (b is None)
            if a is not None:
                np.testing.assert_allclose(b, a, rtol=1e-9, atol=1e-12)


class _Doubled(symgrad.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        ctx.save_for_backward(a)
        return a * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2


_OF_TWO: dict[str, Callable[[Any, Any], Any]] = {
    "mul": lambda a, w: a * w,
    "div": lambda a, w: a / w,
    "where": lambda a, w: symgrad.where(a > 3, a, w),
    "matmul": lambda a, w: a.reshape(2, 2) @ w.reshape(2, 2),
    "cat": lambda a, w: symgrad.cat([a, w]),
    "exp of one": lambda a, w: a.exp() * w,
    "several": lambda a, w: sum(x * x for x in (a + w).unbind()),
}


@each("chosen", ["a", "w", "aw"])
@each("name", list(_OF_TWO))
def test_a_node_with_hooks_is_alone_whatever_its_operands_come_from(name: str, chosen: str) -> None:
    """Beyond an operand may be a custom function, which is no part of a plan, wanted or not."""

    def gradients(doubled: Callable[[Any], Any], hooks: bool) -> list[Any]:
        x, w = tensor([0.5, 1.0, 2.0, 3.0]), tensor([1.5, 2.0, -1.0, 0.5])
        y = _OF_TWO[name](doubled(x), w)
        if hooks:
            y.register_hook(lambda g: g * 3)
            assert y.grad_fn is not None
            y.grad_fn.register_hook(lambda gs, _: gs)
            other = x.clone()
            other.add_(1)  # from here on every pass asks what has been modified
        wanted = [{"a": x, "w": w}[c] for c in chosen]
        return [g.numpy() for g in symgrad.autograd.grad(y.sum(), wanted)]

    got = gradients(_Doubled.apply, True)
    plain = gradients(lambda a: a * 2, False)
    for g, p in zip(got, plain, strict=True):
        np.testing.assert_allclose(g, 3 * p)
