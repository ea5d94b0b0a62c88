"""The plan cache: what is one structure, how much is kept."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear, cache_info
from symgrad.backward import plan
from symgrad.expr import node
from symgrad.record.signatures import _signatures
from tests.autograd.support import each, tensor


def _misses(run: Callable[[], object]) -> int:
    before = cache_info().misses
    run()
    return cache_info().misses - before


def test_a_structure_that_returns_is_found() -> None:
    for i in range(5):
        x = tensor([1.0 + i, 2.0])
        (x.sin() * x).sum().backward()
    info = cache_info()
    assert (info.hits, info.misses, info.currsize) == (4, 1, 1)


def test_clear() -> None:
    tensor(1.0).sin().backward()
    assert cache_info().currsize == 1
    cache_clear()
    assert cache_info()[:2] == (0, 0)
    assert cache_info().currsize == 0


@each(
    "f",
    [
        lambda x, c: x * c,
        lambda x, c: c * x,
        lambda x, c: x + c,
        lambda x, c: c - x,
        lambda x, c: x / c,
        lambda x, c: c / x,
        lambda x, c: (x * c).sin() * c,
    ],
)
@each("numbers", [[0.125, 0.3, -7.75, 1e-30, np.pi], [100, 1_000, -65, 12345, 2**40]])
def test_numbers_that_vary_share_a_plan(f: Any, numbers: list[float]) -> None:
    x = tensor([0.5, 2.0])
    for c in numbers:
        f(x, c).sum().backward()
        got, x.grad = x.grad.numpy().copy(), None
        y = f(x, tensor(c))  # as a tensor it is an input too
        (want,) = symgrad.autograd.grad(y.sum(), x)
        np.testing.assert_allclose(got, want.numpy(), rtol=1e-15)
    assert cache_info().misses == 2


@pytest.mark.parametrize(
    ("f", "numbers"),
    [
        (lambda x, c: x * c, [2, 3, -1, 64]),
        (lambda x, c: x**c, [2, 3, 0.5, 2.5]),
        (lambda x, c: x**c, [101, 102]),
    ],
)
def test_small_integers_and_exponents_are_structure(f: Any, numbers: list[Any]) -> None:
    x = tensor([0.5, 2.0])
    for c in numbers:
        f(x, c).sum().backward()
    assert cache_info().misses == len(numbers)


def test_what_tells_structures_apart() -> None:
    x, y = tensor([1.0, 2.0]), tensor([3.0, 4.0])
    fixed = symgrad.tensor([3.0, 4.0], dtype=symgrad.float64)
    single = symgrad.tensor([1.0, 2.0], requires_grad=True)
    seen = [
        lambda: (x * y).sum().backward(),
        lambda: (x * x).sum().backward(),
        lambda: (x * fixed).sum().backward(),
        lambda: (single * fixed).sum().backward(),
        lambda: (x.sin() + y).sum().backward(),
        lambda: (x + y.sin()).sum().backward(),
        lambda: (x.sin() * y).backward(fixed),
        lambda: symgrad.autograd.grad((x * y).sum(), x),
        lambda: symgrad.autograd.grad((x * y).sum(), y),
        lambda: symgrad.autograd.grad((x * y).sum(), [y, x]),
        lambda: tensor([[1.0, 2.0]]).sin().sum().backward(),
    ]
    assert [_misses(run) for run in seen] == [1] * len(seen)
    assert [_misses(run) for run in seen] == [0] * len(seen)


def test_the_gradient_flag_of_a_shared_leaf_is_structure() -> None:
    """The same op on the same shapes, where another leaf needs no gradient."""
    x, y = tensor([1.0, 2.0]), tensor([3.0, 4.0])
    (x * y).sum().backward()
    y.requires_grad_(False)
    x.grad = y.grad = None
    (x * y).sum().backward()
    assert x.grad.tolist() == [3.0, 4.0]
    assert y.grad is None


def test_the_number_of_plans_is_bounded() -> None:
    x = tensor(1.0)
    limit = cache_info().maxsize
    for i in range(limit + 40):
        (x * (i % 60 - 30) + (i // 60)).backward()
        assert cache_info().currsize <= limit
    assert cache_info().currsize == limit
    x.grad = None
    (x * -30 + 0).backward()  # forgotten, and built again
    assert x.grad.item() == -30.0


def test_what_plans_hold_together_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "_MAX_BYTES", 300_000)

    def run(steps: int) -> None:
        y = x = tensor(1.0)
        for _ in range(steps):
            y = y.sin() * x
        y.backward()

    for steps in range(1, 12):
        run(steps)
        assert cache_info().currsize >= 1
        assert sum([p.bytes for p in plan._plans.values()]) <= 300_000
    held = cache_info().currsize
    assert 1 < held < 11
    run(400)  # holds more than all of them may, serves its pass, and drives out nothing
    assert cache_info().currsize == held
    assert _misses(lambda: run(400)) == 1
    assert _misses(lambda: run(11)) == 0


def test_a_plan_keeps_formulas_for_those_alone_who_read_them() -> None:
    def run(count: int, read: bool) -> Any:
        x = symgrad.tensor(0.5, requires_grad=True, name="x")
        y = x
        for _ in range(count):
            y = (y * x).sin()
        shown = symgrad.explain(y) if read else None
        y.backward()
        return x.grad.item(), shown

    run(3, read=False)
    gc.collect()
    before = len(node._nodes)
    without = [run(n, read=False)[0] for n in range(10, 20)]
    gc.collect()
    assert len(node._nodes) <= before + 10  # placeholders that later plans share
    read = [run(n, read=True) for n in range(10, 20)]
    assert [number for number, _ in read] == without
    assert _misses(lambda: run(12, read=True)) == 0
    shown = read[0][1]
    wanted = symgrad.derive(shown.expr, "x").evaluate({"x": 0.5})
    np.testing.assert_allclose(shown.gradients["x"].evaluate({"x": 0.5}), wanted, rtol=1e-14)


def test_a_structure_does_not_hold_its_tensors() -> None:
    import weakref

    x = tensor([1.0, 2.0])
    x.sin().sum().backward()
    held = weakref.ref(x)
    array = weakref.ref(x._data)
    del x
    assert held() is None
    assert array() is None


def test_signatures_follow_the_default_dtype():
    x = symgrad.tensor([1, 2])
    assert (x * 1.5).dtype is symgrad.float32
    assert x.exp().dtype is symgrad.float32
    symgrad.set_default_dtype(symgrad.float64)
    try:
        assert (x * 1.5).dtype is symgrad.float64
        assert x.exp().dtype is symgrad.float64
        assert symgrad.leaf("n", (), symgrad.int64).exp().dtype is symgrad.float64
    finally:
        symgrad.set_default_dtype(symgrad.float32)
    assert x.exp().dtype is symgrad.float32


@pytest.mark.parametrize("f", [lambda x: x ** float("nan"), lambda x: x * float("nan")])
def test_nan_is_one_number(f: Any) -> None:
    x = tensor([2.0])
    f(x)
    counts = {cls: len(table) for cls, table in _signatures._tables.items()}
    for _ in range(5):
        f(x)
    assert counts == {cls: len(table) for cls, table in _signatures._tables.items()}


def test_signed_zeros_are_different_numbers():
    x = symgrad.tensor([1.0, -2.0], requires_grad=True)
    for zero, sign in ((0.0, 1.0), (-0.0, -1.0), (0.0, 1.0)):
        (slope,) = symgrad.autograd.grad((x / zero).sum(), x)
        assert slope.tolist() == [sign * float("inf")] * 2


def test_a_step_size_that_varies_shares_a_plan() -> None:
    """The factor of `add` in a loop that is differentiated, as optimisers are written."""
    for rate in (0.1, 0.05, 0.025):
        w = tensor([1.0, 2.0])
        v = w
        for _ in range(3):
            v = v.add(v.sin(), alpha=-rate)
        v.sum().backward()
    assert cache_info()[:2] == (2, 1)
