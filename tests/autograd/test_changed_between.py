"""Values that change between two runs of the same formula, and formulas that keep them apart."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad

FORMULAS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "exp": (lambda w: w.exp(), np.exp),
    "sin of a multiple": (lambda w: (w * 2).sin(), lambda w: 2 * np.cos(2 * w)),
    "tanh": (lambda w: w.tanh(), lambda w: 1 - np.tanh(w) ** 2),
    "log of a sum": (lambda w: (w * w + 1).log(), lambda w: 2 * w / (w * w + 1)),
}


def _step_under_no_grad(w: Any) -> None:
    with symgrad.no_grad():
        w.sub_(1)


def _step_of_data(w: Any) -> None:
    w.data.sub_(1)


def _step_by_new_data(w: Any) -> None:
    w.data = w.data - 1


# A formula that saves the leaf itself allows just the step that leaves the saved array alone.
CASES = [
    (name, step)
    for name in FORMULAS
    for step in (_step_under_no_grad, _step_of_data, _step_by_new_data)
    if name != "log of a sum" or step is _step_by_new_data
]


@pytest.mark.parametrize(("name", "step"), CASES)
def test_each_run_is_differentiated_where_it_was_computed(name: str, step: Any) -> None:
    f, slope = FORMULAS[name]
    w = symgrad.tensor([1.0, 2.0], dtype=symgrad.float64, requires_grad=True)
    for _ in range(7):  # interpreted, then compiled
        w.grad = None
        start = w.detach().numpy().copy()
        first = f(w)
        step(w)
        (first + f(w)).sum().backward()
        np.testing.assert_allclose(w.grad.numpy(), slope(start) + slope(start - 1), rtol=1e-12)


def test_a_plan_for_one_value_is_not_used_for_two() -> None:
    w = symgrad.tensor([1.0, 2.0], dtype=symgrad.float64, requires_grad=True)
    (w.exp() + w.exp()).sum().backward()  # the plan may take the two for one
    np.testing.assert_allclose(w.grad.numpy(), 2 * np.exp([1.0, 2.0]))
    w.grad = None
    first = w.exp()
    _step_under_no_grad(w)
    (first + w.exp()).sum().backward()
    np.testing.assert_allclose(w.grad.numpy(), np.exp([1.0, 2.0]) + np.exp([0.0, 1.0]))


def test_an_operand_kept_for_a_stable_form_may_change() -> None:
    x = symgrad.tensor([1.0, -2.0], dtype=symgrad.float64, requires_grad=True)
    u = x * 1.5
    value = (1 + u.exp()).log().sum()
    u.mul_(2)
    value.backward()
    e = np.exp(1.5 * np.array([1.0, -2.0]))
    np.testing.assert_allclose(x.grad.numpy(), 1.5 * e / (1 + e))


@pytest.mark.parametrize(
    "f",
    [lambda x: x.relu(), lambda x: x.abs(), lambda x: x.clamp(-1, 1)],
    ids=["relu", "abs", "clamp"],
)
def test_piecewise_linear_gradients_have_a_second_derivative_of_zero(f: Any) -> None:
    x = symgrad.tensor([0.5, -2.0, 3.0], requires_grad=True)
    (slope,) = symgrad.autograd.grad(f(x).sum(), x, create_graph=True)
    (second,) = symgrad.autograd.grad(slope.sum(), x)
    assert second.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("f", [lambda x: x.max(), lambda x: x.amin(0), lambda x: x.median()])
def test_the_gradient_of_an_extreme_has_no_history(f: Any) -> None:
    """As in PyTorch, which compares with the extreme beside the graph."""
    x = symgrad.tensor([0.5, -2.0, 3.0], requires_grad=True)
    (slope,) = symgrad.autograd.grad(f(x), x, create_graph=True)
    assert not slope.requires_grad


def test_accumulation_under_create_graph_keeps_its_history_inside_no_grad() -> None:
    x = symgrad.tensor([0.5, -2.0], requires_grad=True)
    y, z = (x**3).sum(), (x**3).sum()
    with symgrad.no_grad():
        y.backward(create_graph=True)
        z.backward(create_graph=True)
    assert x.grad.requires_grad


def test_a_value_as_written_keeps_its_nan() -> None:
    x, b = symgrad.leaf("x"), symgrad.leaf("b")
    values = {"x": -1.0, "b": np.inf}
    assert np.isnan((symgrad.where(x > 0, x, 0) * b).evaluate(values))
