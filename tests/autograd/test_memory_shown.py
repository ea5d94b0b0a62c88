"""`resize_`, `as_strided_` and `set_` where memory ends, and where views follow."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad as torch


def test_new_elements_are_zero_and_old_ones_stay() -> None:
    x = torch.arange(4.0)
    x.resize_(2, 3)
    assert x.tolist() == [[0.0, 1.0, 2.0], [3.0, 0.0, 0.0]]


def test_grown_memory_is_the_tensors_own() -> None:
    array = np.arange(4.0)
    x = torch.from_numpy(array)
    view = x[:2]
    x.resize_(6).fill_(7.0)
    assert array.tolist() == [0.0, 1.0, 2.0, 3.0]
    assert view.tolist() == [0.0, 1.0]


def test_a_view_that_grows_keeps_what_lies_behind_it() -> None:
    v = torch.arange(6.0)[2:4]
    assert v.resize_(6).tolist() == [2.0, 3.0, 4.0, 5.0, 0.0, 0.0]


@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_memory_of_any_order_is_shown(axes: tuple[int, ...]) -> None:
    array = np.empty_like(np.zeros((2, 3, 4)).transpose(axes))
    array[...] = np.arange(24.0).reshape(array.shape)
    x = torch.from_numpy(array)
    x.resize_(24)
    assert x.tolist() == array.ravel("K").tolist()


def test_views_of_what_was_resized_follow_its_changes() -> None:
    x, w = torch.arange(6.0), torch.tensor([2.0, 3.0], requires_grad=True)
    before = x[:2]
    x.resize_(2)
    x.mul_(w)
    (gradient,) = torch.autograd.grad(before.sum(), w)
    assert gradient.tolist() == [0.0, 1.0]


def test_a_view_that_was_resized_follows_its_base() -> None:
    x, w = torch.arange(6.0), torch.tensor(2.0, requires_grad=True)
    v = x[1:]
    v.resize_(2, 2)
    x.mul_(w)
    (gradient,) = torch.autograd.grad(v.sum(), w)
    assert gradient.item() == 1 + 2 + 3 + 4


def test_views_stay_with_the_memory_that_a_tensor_leaves() -> None:
    a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    x = a * a
    v = x[1:]
    x.set_(torch.zeros(2))
    (gradient,) = torch.autograd.grad(v.sum(), a)
    assert gradient.tolist() == [0.0, 4.0, 6.0]


def test_a_part_of_a_part() -> None:
    a = torch.arange(6.0).requires_grad_()
    x = a * 2
    v = x[1:]
    x.as_strided_((3,), (2,))
    x.mul_(torch.tensor([1.0, 10.0, 100.0]))
    assert x.tolist() == [0.0, 40.0, 800.0]
    assert v.tolist() == [2.0, 40.0, 6.0, 800.0, 10.0]
    (gradient,) = torch.autograd.grad(v.sum(), a)
    assert gradient.tolist() == [0.0, 2.0, 20.0, 2.0, 200.0, 2.0]


def test_memory_is_not_made_longer_by_set() -> None:
    x, source = torch.zeros(2), torch.arange(4.0)
    with pytest.raises(RuntimeError, match=r"out of bounds for storage of size 16"):
        x.set_(source, 3, (2,), (2,))
    assert x.tolist() == [0.0, 0.0]


@pytest.mark.parametrize("change", ["apply_", "fill_"])
def test_elements_that_share_a_place_are_not_written(change: str) -> None:
    x = torch.ones(1).expand(3)
    with pytest.raises(RuntimeError, match="single memory location"):
        x.apply_(abs) if change == "apply_" else x.fill_(2.0)


def test_a_window_that_overlaps_itself_can_be_read() -> None:
    x = torch.arange(4.0).as_strided_((3, 2), (1, 1))
    assert x.tolist() == [[0.0, 1.0], [1.0, 2.0], [2.0, 3.0]]
    with pytest.raises(RuntimeError, match="single memory location"):
        x.zero_()


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.resize_(2),
        lambda x: x.as_strided_((2,), (1,)),
        lambda x: x.set_(torch.zeros(4)),
        lambda x: x.apply_(abs),
    ],
    ids=["resize_", "as_strided_", "set_", "apply_"],
)
def test_inside_vmap_there_is_no_memory(change: Any) -> None:
    with pytest.raises((RuntimeError, NotImplementedError), match="storage"):
        torch.vmap(lambda x: change(x * 1))(torch.zeros(3, 4))


def test_what_apply_changed_is_another_value_for_formulas() -> None:
    w = torch.tensor([2.0, 3.0], requires_grad=True, name="w")
    c = torch.tensor([5.0, 7.0])
    before = w * c
    c.apply_(lambda a: a + 1)
    after = w * c
    assert before.expr != after.expr
    (gradient,) = torch.autograd.grad(after.sum(), w)
    assert gradient.tolist() == [6.0, 8.0]
