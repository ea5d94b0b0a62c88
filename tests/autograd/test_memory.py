"""Nothing of a graph outlives what the user holds, by reference counts alone."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.backward import plan as plans
from symgrad.record import aval, naming, record, signature
from tests.autograd.support import data, each, living_nodes, tensor, without_collector


def test_dropping_the_result_frees_the_graph() -> None:
    x = tensor([1.0, 2.0])
    with without_collector():
        before = living_nodes()
        y = (x.sin() * x).tanh().sum()
        assert living_nodes() == before + 4
        del y
        assert living_nodes() == before


@pytest.mark.parametrize("retain", [False, True])
def test_backward_frees_just_what_was_saved(retain: bool) -> None:
    x = tensor([1.0, 2.0])
    with without_collector():
        inner = x.exp()
        saved = weakref.ref(data(inner))
        y = inner.tanh().sum()
        del inner
        assert saved() is not None
        y.backward(retain_graph=retain)
        assert (saved() is None) != retain
        if retain:
            y.backward()
            assert saved() is None


def test_the_graph_dies_with_its_result_after_backward() -> None:
    x = tensor([1.0, 2.0])
    with without_collector():
        before = living_nodes()
        y = (x.exp() * x).sum()
        y.backward(retain_graph=True)
        y.backward()
        node = weakref.ref(y.grad_fn._vertex)
        del y
        assert node() is None
        assert living_nodes() == before


def test_create_graph_leaves_no_cycle() -> None:
    x = tensor([1.0, 2.0])
    with without_collector():
        before = living_nodes()
        y = (x.exp() * x).sum()
        y.backward(create_graph=True)
        assert x.grad.grad_fn is not None
        held = weakref.ref(x.grad.grad_fn._vertex)
        x.grad.sum().backward()
        x.grad = None
        del y
        assert held() is None
        assert living_nodes() == before


def test_a_leaf_dies_with_its_own_differentiable_gradient() -> None:
    """PyTorch warns that this leaks: the gradient's graph refers to the leaf that holds it."""
    with without_collector():
        before = living_nodes()
        x = tensor([1.0, 2.0])
        leaf = weakref.ref(x)
        (x**3).sum().backward(create_graph=True)
        del x
        assert leaf() is None
        assert living_nodes() == before


def test_derivatives_of_third_order_leave_nothing() -> None:
    x = tensor(0.5)
    with without_collector():
        before = living_nodes()
        g = x.sin()
        for _ in range(3):
            (g,) = symgrad.autograd.grad(g, x, create_graph=True)
        assert g.item() == pytest.approx(-0.8775825618903728)
        del g
        assert living_nodes() == before


def _wrong_gradient(x: Any) -> None:
    (x.exp() * x).backward(tensor([1.0, 2.0, 3.0]))


def _second_time(x: Any) -> None:
    y = x.exp().sum()
    y.backward()
    y.backward()


def _no_scalar(x: Any) -> None:
    x.exp().backward()


def _unused(x: Any) -> None:
    symgrad.autograd.grad(x.exp().sum(), tensor(1.0))


@pytest.mark.parametrize("call", [_wrong_gradient, _second_time, _no_scalar, _unused])
def test_a_call_that_fails_keeps_nothing(call: Any) -> None:
    x = tensor([1.0, 2.0])
    with without_collector():
        before = living_nodes()
        with pytest.raises(RuntimeError) as caught:
            call(x)
        del caught  # its traceback holds the frames
        assert living_nodes() == before


def test_training_does_not_grow() -> None:
    w = tensor([0.1, 0.2])
    with without_collector():
        counts = []
        for _ in range(30):
            ((w * 3.0).tanh() - 1.0).square().sum().backward()
            w.grad = None
            counts.append(living_nodes())
    assert len(set(counts)) == 1


def test_a_gradient_holds_no_graph() -> None:
    x = tensor([1.0, 2.0])
    y = x.exp()
    value = weakref.ref(data(y))
    y.sum().backward()
    with without_collector():
        del y
        assert value() is None
    assert x.grad.grad_fn is None


def test_what_is_no_longer_used_is_not_remembered() -> None:
    gc.collect()
    shapes = len(aval._avals)
    for n in range(1000, 1100):
        symgrad.tensor(np.zeros(n), name=f"name_{n}")
    assert len(aval._avals) < shapes + 10
    assert not [name for name in naming._given if name.startswith("name_1")]
    x = tensor([1.0])
    y = x
    for i in range(200):
        y = y * (0.5 + i)
    y.backward()
    plans.cache_clear()
    gc.collect()
    assert len(signature._number_leaves) < 100


def test_views_are_counted_in_linear_time(monkeypatch: pytest.MonkeyPatch) -> None:
    x = symgrad.ones(4000)
    looked = 0

    class Counted(weakref.ref):  # type: ignore[type-arg]
        def __call__(self) -> Any:
            nonlocal looked
            looked += 1
            return super().__call__()

    monkeypatch.setattr(record.weakref, "ref", Counted)
    rows = [x[i] for i in range(4000)]
    assert looked < 3 * len(rows)
    del rows
    for i in range(4096):
        x[i % 4000]
    assert x._views is not None and len(x._views) < 100


def test_the_tape_does_not_keep_a_leaf_alive() -> None:
    x = tensor([1.0, 2.0])
    y = (x * 2).sum()
    held = weakref.ref(x)
    del x
    assert held() is None
    y.backward()  # nobody is left to see the gradient


class _Exp(symgrad.autograd.Function):
    """Keeps its result."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        result = x.exp()
        ctx.save_for_backward(result)
        return result

    @staticmethod
    def backward(ctx: Any, ct: Any) -> Any:
        (result,) = ctx.saved_tensors
        return ct * result


def _saved_on_cpu(x: Any) -> Any:
    with symgrad.autograd.graph.save_on_cpu():
        return _Exp.apply(x.exp()).sum()


def _function(x: Any) -> Any:
    return _Exp.apply(x.sin()).sum()


def _hooked(x: Any) -> Any:
    y = x.exp()
    y.register_hook(lambda g: 2 * g)
    y.grad_fn.register_prehook(lambda cts: cts)
    y.retain_grad()
    return y.sum()


def _changed_through_a_view(x: Any) -> Any:
    y = x.clone()
    y[:1].mul_(3)
    y[1].sin_()
    return y.sum()


def _checkpointed(x: Any) -> Any:
    checkpoint = symgrad.utils.checkpoint.checkpoint
    return checkpoint(lambda z: z.exp().sin(), x, use_reentrant=False).sum()


def _with_anomaly_mode(x: Any) -> Any:
    with symgrad.autograd.set_detect_anomaly(True):
        return (x.exp() * x).sum()


def _moving(x: Any) -> Any:
    with symgrad.autograd.forward_ad.dual_level():
        return symgrad.autograd.forward_ad.make_dual(x, x.detach()).exp().sum()


def _mutable(x: Any) -> Any:
    with symgrad.autograd.graph.allow_mutation_on_saved_tensors():
        y = x.exp()
        y.zero_()
    return y.sum()


@each("backward", [False, True])
@each("compute", [
        _saved_on_cpu, _function, _hooked, _changed_through_a_view, _checkpointed,
        _with_anomaly_mode, _moving, _mutable,
    ])  # fmt: skip
def test_a_graph_made_in_any_mode_dies_with_its_result(compute: Any, backward: bool) -> None:
    x = tensor([1.0, 2.0])
    compute(x)  # what is made once for all
    with without_collector():
        before = living_nodes()
        y = compute(x)
        assert living_nodes() > before
        if backward and compute is not _mutable:
            y.backward(retain_graph=True)
            symgrad.autograd.grad(y, x, create_graph=True)
            y.backward()
        del y
        assert living_nodes() == before


def test_what_may_be_changed_is_let_go_of_with_its_graph() -> None:
    x = tensor([1.0, 2.0])
    with symgrad.autograd.graph.allow_mutation_on_saved_tensors() as kept, without_collector():
        y = x.exp()
        assert len(kept.original) == 1
        del y
        assert not kept.original
