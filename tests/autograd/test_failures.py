"""A call that fails changes nothing: no `.grad`, no graph, no mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import backward, grad
from tests.autograd.support import data, each, tensor

pytestmark = pytest.mark.tiny


class _Scene:
    """Two leaves with gradients, a graph that is whole and one that has been freed."""

    def __init__(self) -> None:
        self.x, self.w = tensor([1.0, 2.0]), tensor([3.0, 4.0])
        (self.x * self.w).sum().backward()
        self.whole = (self.x.exp() * self.w).sum()
        self.vector = self.x.exp() * self.w
        self.freed = (self.x * self.w).sum()
        grad(self.freed, self.x)
        self.before = [(t.grad, t.grad.tolist()) for t in (self.x, self.w)]

    def check(self) -> None:
        for t, (same, value) in zip((self.x, self.w), self.before, strict=True):
            assert t.grad is same
            assert t.grad.tolist() == value
        assert symgrad.is_grad_enabled()
        self.x.grad = self.w.grad = None
        backward([self.whole, self.vector.sum()])
        np.testing.assert_allclose(self.w.grad.numpy(), 2 * np.exp([1.0, 2.0]), rtol=1e-15)


_CALLS: dict[str, tuple[type[Exception], str, Callable[[_Scene], Any]]] = {
    "shape": (
        RuntimeError,
        "Mismatch in shape: grad_output[0] has a shape of torch.Size([3])",
        lambda s: s.vector.backward(symgrad.ones(3, dtype=symgrad.float64)),
    ),
    "no scalar": (
        RuntimeError,
        "grad can be implicitly created only for scalar outputs",
        lambda s: s.vector.backward(),
    ),
    "complex for real": (
        RuntimeError,
        "For complex Tensors, both grad_output and output are required to have the same dtype",
        lambda s: s.vector.backward(symgrad.tensor([1j, 2j])),
    ),
    "freed": (RuntimeError, "Trying to backward through the graph a second time",
              lambda s: s.freed.backward()),
    "one root of two freed": (
        RuntimeError,
        "Trying to backward through the graph a second time",
        lambda s: backward([s.whole, s.freed], retain_graph=True),
    ),
    "freed under create_graph": (
        RuntimeError,
        "Trying to backward through the graph a second time",
        lambda s: backward([s.whole, s.freed], create_graph=True),
    ),
    "too few gradients": (
        RuntimeError, "got 2 tensors and 1 gradients", lambda s: backward([s.whole] * 2, [None])
    ),
    "no root that requires grad": (
        RuntimeError,
        "element 1 of tensors does not require grad and does not have a grad_fn",
        lambda s: backward([s.whole, symgrad.tensor(1.0)]),
    ),
    "unused input": (
        RuntimeError,
        "The differentiated Tensor at index 1 appears to not have been used in the graph",
        lambda s: grad(s.whole, [s.x, tensor(1.0)]),
    ),
    "input without grad": (
        RuntimeError,
        "One of the differentiated Tensors does not require grad",
        lambda s: grad(s.whole, [s.x, symgrad.tensor(1.0)]),
    ),
    "target without grad": (
        RuntimeError,
        "can't retain_grad on Tensor that has requires_grad=False",
        lambda s: s.whole.backward(inputs=[s.x, symgrad.tensor(1.0)]),
    ),
    "a string": (
        TypeError,
        "gradients can be either Tensors or None, but got str",
        lambda s: s.vector.backward("a"),
    ),
    "modified": (
        RuntimeError,
        "one of the variables needed for gradient computation has been modified by an inplace",
        lambda s: _modified(s).backward(),
    ),
}  # fmt: skip


def _modified(s: _Scene) -> Any:
    inner = s.x.exp()
    y = (inner * s.w).sum() + s.whole
    inner.add_(1)
    return y


@each("case", list(_CALLS))
def test_a_failure_changes_nothing(case: str) -> None:
    kind, message, call = _CALLS[case]
    scene = _Scene()
    with pytest.raises(kind) as caught:
        call(scene)
    assert message in str(caught.value)
    scene.check()


def test_a_kernel_that_fails_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever goes wrong in the middle of a program, no leaf has its gradient before another."""
    from symgrad.backward.plan import Plan

    scene = _Scene()

    def run(plan: Plan, values: Any) -> Any:
        raise MemoryError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(Plan, "run", run)
        with pytest.raises(MemoryError):
            scene.whole.backward()
    scene.check()


def test_failing_to_build_a_plan_leaves_the_cache_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from symgrad.autograd import cache_info
    from symgrad.backward import plan

    scene = _Scene()
    size = cache_info().currsize

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise MemoryError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(plan, "vjp", refuse)
        with pytest.raises(MemoryError):
            scene.whole.backward()
    assert cache_info().currsize == size
    scene.check()


# -- versions ------------------------------------------------------------------------------------


def test_a_saved_result_that_was_modified_is_refused() -> None:
    x = tensor([1.0, 2.0])
    y = x.tanh()
    z = y.sum()
    y.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()
    assert x.grad is None


def test_modifying_what_nobody_reads_is_allowed() -> None:
    x = tensor([1.0, 2.0])
    y = x + 1
    z = y.sum()
    y.mul_(2)
    z.backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_a_saved_constant_that_was_modified_is_refused() -> None:
    x, c = tensor([1.0, 2.0]), symgrad.tensor([3.0, 4.0], dtype=symgrad.float64)
    y = (x * c).sum()
    c.zero_()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_leaf_updated_between_passes_is_refused_and_its_data_is_not() -> None:
    w = tensor([1.0, 2.0])
    y = (w * w).sum()
    with symgrad.no_grad():
        w -= 0.5
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()
    z = (w * w).sum()
    w.data.mul_(2)  # PyTorch does not notice either
    z.backward()
    assert w.grad.tolist() == [2.0, 6.0]


def test_training_by_updates_in_place() -> None:
    w = tensor([1.0, -2.0])
    for _ in range(200):
        w.grad = None
        ((w - 3.0) ** 2).sum().backward()
        with symgrad.no_grad():
            w -= 0.1 * w.grad
    np.testing.assert_allclose(data(w), [3.0, 3.0], rtol=1e-12)
