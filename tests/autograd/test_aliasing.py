"""Gradients own their memory, and accumulate by PyTorch's rules of identity."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import backward, grad
from tests.autograd.support import data, each, tensor


def _distinct(*tensors: Any) -> None:
    arrays = [data(t) for t in tensors]
    for i, a in enumerate(arrays):
        assert a.flags.writeable
        for b in arrays[:i]:
            assert not np.shares_memory(a, b)


@each(
    "f",
    [
        lambda x, w: x + w,
        lambda x, w: x - (-w),
        lambda x, w: (x + 0) + (w + 0),
        lambda x, w: x.reshape(3, 2).reshape(2, 3) + w,
        lambda x, w: x.transpose(0, 1).transpose(0, 1) + w,
        lambda x, w: (x.transpose(0, 1) + w.transpose(0, 1)).transpose(0, 1),
    ],
)
@each("create_graph", [False, True])
def test_two_leaves_and_the_passed_gradient(f: Any, create_graph: bool) -> None:
    x, w = tensor(np.ones((2, 3))), tensor(np.ones((2, 3)))
    g = symgrad.tensor(np.arange(6.0).reshape(2, 3), dtype=symgrad.float64)
    for _ in range(7):  # interpreted, then compiled
        x.grad = w.grad = None
        y = f(x, w)
        y.backward(g, create_graph=create_graph)
        assert x.grad.tolist() == w.grad.tolist() == g.tolist()
        _distinct(x.grad, w.grad, g, x, w, y)


def test_results_of_grad_are_distinct_too() -> None:
    x, w = tensor([1.0, 2.0]), tensor([3.0, 4.0])
    a, b = grad(((x + w) * 1.0).sum(), [x, w])
    c, d = grad((x * w).sum(), [x, x])
    _distinct(a, b, c, d, x, w)


def test_the_gradient_of_a_product_is_not_the_other_factor() -> None:
    x, w = tensor([1.0, 2.0]), tensor([3.0, 4.0])
    (x * w).sum().backward()
    assert x.grad.tolist() == [3.0, 4.0]
    _distinct(x.grad, w.grad, x, w)
    x.grad.zero_()
    assert w.tolist() == [3.0, 4.0]


def test_a_leaf_as_root() -> None:
    x = tensor([1.0, 2.0])
    g = symgrad.tensor([5.0, 6.0], dtype=symgrad.float64)
    x.backward(g)
    assert x.grad.tolist() == [5.0, 6.0]
    _distinct(x.grad, g, x)


def test_broadcast_gradients_are_whole_arrays() -> None:
    x = tensor(np.ones((3, 4)))
    x.sum().backward()
    assert data(x.grad).strides == (32, 8)
    x.grad[0, 0] = 7.0
    assert float(data(x.grad).sum()) == 18.0


def test_without_create_graph_accumulation_is_in_place() -> None:
    x = tensor([1.0, 2.0])
    (x * 3).sum().backward()
    first = x.grad
    memory = data(first)
    (x * 4).sum().backward()
    assert x.grad is first
    assert data(first) is memory
    assert first.tolist() == [7.0, 7.0]


def test_with_create_graph_the_gradient_is_replaced() -> None:
    x = tensor([1.0, 2.0])
    (x * 3).sum().backward()
    first = x.grad
    (x**2).sum().backward(create_graph=True)
    assert x.grad is not first
    assert first.tolist() == [3.0, 3.0]
    assert x.grad.tolist() == [5.0, 7.0]
    assert x.grad.requires_grad


def test_a_gradient_that_the_user_has_set_is_added_to() -> None:
    x = tensor([1.0, 2.0])
    mine = symgrad.tensor([10.0, 20.0], dtype=symgrad.float64)
    x.grad = mine
    (x * 3).sum().backward()
    assert x.grad is mine
    assert mine.tolist() == [13.0, 23.0]


def test_grad_leaves_the_attribute_alone() -> None:
    x = tensor([1.0, 2.0])
    (g,) = grad((x * x).sum(), x)
    assert x.grad is None
    x.grad = g
    (h,) = grad((x * x).sum(), x)
    assert h is not g
    assert g.tolist() == [2.0, 4.0]


def test_several_roots_are_summed_before_accumulating() -> None:
    x = tensor([1.0, 2.0])
    backward([(x * 2).sum(), (x * 3).sum(), x.sum()])
    assert x.grad.tolist() == [6.0, 6.0]


def test_one_leaf_twice_among_the_inputs() -> None:
    x = tensor([1.0, 2.0])
    (x * 2).sum().backward(inputs=[x])
    a, b = grad((x * 2).sum(), [x, x])
    _distinct(a, b, x.grad)
    assert a.tolist() == b.tolist() == [2.0, 2.0]


def test_a_gradient_in_memory_that_is_read_only_is_not_added_to() -> None:
    frozen = np.ones(2)
    frozen.flags.writeable = False
    x = tensor([1.0, 2.0])
    x.grad = symgrad.from_dlpack(frozen)
    with pytest.raises(RuntimeError, match="the memory of this tensor is read-only"):
        (x * 2).sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
