"""Hooks are called as if each node with hooks ran by itself, whatever they do."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear, cache_info
from symgrad.backward import calling
from symgrad.backward.stages import Pass
from tests.autograd.support import tensor
from tests.each import each

OPERATIONS: tuple[Callable[[Any, Any], Any], ...] = (
    lambda a, b: a * b,
    lambda a, b: a + b,
    lambda a, b: a.sin(),
    lambda a, b: (0.3 * a).exp(),
    lambda a, b: a.tanh() - 2 * b,
)
_FRACTION = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")
KINDS = (
    *["look"] * 6, "change", "same", "write", "in place", "gradients of leaves", "register",
    "register on a node", "another pass", "remove",
)  # fmt: skip


class Program:
    """Random operations on two leaves, with random hooks on results, and what the hooks saw."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.seen: list[Any] = []
        self.handles: list[Any] = []
        self.leaves = [tensor([self.random.uniform(0.2, 2) for _ in range(3)]) for _ in range(2)]
        self.values = list(self.leaves)
        self.written = symgrad.zeros(3, dtype=symgrad.float64)
        for _ in range(self.random.randint(3, 9)):
            a, b = [self.random.choice(self.values) for _ in range(2)]
            self.values.append(self.random.choice(OPERATIONS)(a, b))
        for i in range(len(self.values)):
            for _ in range(self.random.choice([0, 0, 1, 1, 2]) if i > 1 else seed % 4 == i):
                hook = self.hook(self.random.choice(KINDS), i)
                self.handles.append(self.values[i].register_hook(hook))
            if i > 1 and self.random.random() < 0.2:
                self.values[i].retain_grad()

    def hook(self, kind: str, i: int) -> Callable[[Any], Any]:
        def call(g: Any) -> Any:
            self.seen.append((kind, i, g.tolist()))
            before = self.values[i - i % 3]
            if kind == "change":
                return g / 2
            if kind == "same":
                return g
            if kind == "write":
                self.written.add_(g.detach())
            elif kind == "in place":
                g.mul_(2.0)
            elif kind == "gradients of leaves":
                self.seen.append([x.grad.tolist() for x in self.leaves if x.grad is not None])
            elif kind == "register":
                self.handles.append(before.register_hook(self.hook("look", i - i % 3)))
            elif kind == "register on a node" and before.grad_fn is not None:
                log = self.seen.append
                self.handles.append(before.grad_fn.register_prehook(lambda gs: log(gs[0].tolist())))
            elif kind == "another pass":
                with symgrad.enable_grad():
                    (self.leaves[0].detach().requires_grad_() ** 2).sum().backward()
            elif kind == "remove" and self.handles:
                self.handles.pop().remove()
            return None

        return call

    def run(self) -> list[Any]:
        """Return all that hooks saw in three passes, and all gradients."""
        y = (1.5 * self.values[-1]).sum() + (2 * self.values[-2]).sum()
        targets = [*self.leaves, self.values[2]]
        y.backward(retain_graph=True)
        found = symgrad.autograd.grad(y, targets, create_graph=True, allow_unused=True)
        self.seen.append([g is not None and g.tolist() for g in found])
        y.backward()
        retained = [x for x in self.values[2:] if x.retains_grad]
        left = [x.grad for x in (*self.leaves, *retained)]
        return [*self.seen, [g is not None and g.tolist() for g in left], self.written.tolist()]


def numbers_apart(seen: list[Any]) -> tuple[str, list[float]]:
    """Return a record without its fractions, and these: what is one plan is rounded elsewhere."""
    text = repr(seen)
    return _FRACTION.sub("", text), [float(x) for x in _FRACTION.findall(text)]


@each("seed", range(60))
def test_hooks_see_what_they_see_where_each_node_runs_by_itself(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calling.forget()
    found = Program(seed).run()
    again = Program(seed).run()  # what changes gradients is known now
    with monkeypatch.context() as patch:
        patch.setattr(Pass, "_is_observed", lambda self, v: False)
        expected = Program(seed).run()
    text, numbers = numbers_apart(expected)
    for seen in (found, again):
        assert numbers_apart(seen) == (text, pytest.approx(numbers, rel=1e-12, abs=1e-12))


def test_hooks_that_only_look_leave_a_graph_one_plan() -> None:
    x, seen = tensor(np.arange(3.0)), []
    cache_clear()
    for _ in range(2):
        y = x
        for _ in range(20):
            y = (y + x).sin()
            y.register_hook(seen.append)
        y.sum().backward()
    assert len(seen) == 40
    assert cache_info().misses <= 2


def _write(g: Any) -> None:
    g.detach().numpy()[:] = 3.0


def _multiply(g: Any) -> None:
    memory = np.asarray(g)
    np.multiply(memory, 3.0, out=memory)


@each("hook, factor", {"fill": (_write, 3.0), "multiply": (_multiply, 6.0)})
def test_writes_through_numpy_count(hook: Callable[[Any], None], factor: float) -> None:
    calling.forget()
    x, weights = tensor([1.0, 2.0]), symgrad.tensor([2.0, 2.0], dtype=symgrad.float64)
    for _ in range(2):
        x.grad = None
        y = x * x
        y.register_hook(hook)
        (y * weights).sum().backward()
        assert x.grad.tolist() == [2 * factor, 4 * factor]


def test_gradients_that_hooks_see_are_part_of_their_graph() -> None:
    x, seen, inner = tensor([1.0, 2.0]), [], []
    y = x * x
    y.register_hook(seen.append)
    y.register_hook(lambda g: g.register_hook(lambda h: inner.append(h.tolist())) and None)
    (g,) = symgrad.autograd.grad((y**3).sum(), x, create_graph=True)
    (by_seen,) = symgrad.autograd.grad((g * g).sum(), seen[0], retain_graph=True)
    assert by_seen.tolist() == [24.0, 1536.0]
    assert inner == [[24.0, 1536.0]]


def test_a_hook_may_have_the_gradient_of_an_earlier_value_retained() -> None:
    x = tensor([1.0, 2.0])
    y = x * x
    z = y.sin() * 3
    z.register_hook(lambda g: y.retain_grad())
    z.sum().backward()
    np.testing.assert_allclose(y.grad.numpy(), 3 * np.cos([1.0, 4.0]))
    np.testing.assert_allclose(x.grad.numpy(), 3 * np.cos([1.0, 4.0]) * [2.0, 4.0])


class _Pieces(symgrad.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x[0] * 1, x[1] * 2, x[2] * 3

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        return symgrad.stack([g * (i + 1) for i, g in enumerate(gradients)])


PIECES: dict[str, Callable[[Any], Any]] = {
    "unbind": lambda y: y.unbind(),
    "split": lambda y: y.split(1),
    "sort": lambda y: y.sort().values.unbind(),
    "extremes": lambda y: (y.max(0).values, y.min(0).values, y.topk(2).values[1]),
    "function": _Pieces.apply,
}


@each("pieces", PIECES)
@each("numbers", [(0,), (1,), (0, 2), (2, 1, 0)])
def test_a_hook_may_register_hooks_on_results_of_one_operation(
    pieces: Callable[[Any], Any], numbers: tuple[int, ...]
) -> None:
    x, seen = tensor([1.0, 2.0, 3.0]), {}
    y = 2 * x
    p = pieces(y)
    z = (p[0] * p[1] + p[2]).sin()
    expected = symgrad.autograd.grad(z.sum(), p, retain_graph=True)
    parts = [symgrad.autograd.grad(v, x, g * (3 if i in numbers else 1), retain_graph=True)[0]
             for i, (v, g) in enumerate(zip(p, expected, strict=True))]  # fmt: skip

    def register(g: Any) -> None:
        for i in numbers:
            p[i].register_hook(lambda g, i=i: 3 * seen.setdefault(i, g))

    z.register_hook(register)
    z.sum().backward()
    assert {i: g.item() for i, g in seen.items()} == {i: expected[i].item() for i in numbers}
    np.testing.assert_allclose(x.grad.numpy(), sum(parts).numpy(), rtol=1e-12)


def test_hooks_are_called_before_a_later_node_fails() -> None:
    x, w, seen = tensor([1.0, 2.0]), tensor([3.0, 4.0]), []
    y = x * w
    z = y + 1
    z.register_hook(lambda g: seen.append("z"))
    y.register_hook(lambda g: seen.append("y"))
    loss = (z * 2 + w).sum()
    with symgrad.no_grad():
        w.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    assert seen == ["z", "y"]


def test_a_hook_that_takes_the_place_of_another_on_a_leaf_is_called_once() -> None:
    x, seen = tensor([1.0, 2.0]), []
    handle = x.register_hook(lambda g: seen.append("first"))
    y = x.sin()
    y.register_hook(lambda g: x.register_hook(lambda g: seen.append("second")) and None)
    z = y.tanh() * 2  # a gradient arrives at y within a stretch
    z.grad_fn.register_prehook(lambda gradients: handle.remove())
    z.sum().backward()
    assert seen == ["second"]
