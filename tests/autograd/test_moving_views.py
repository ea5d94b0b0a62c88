"""Graphs that differ in the places of views alone have one plan, with the gradients of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear, cache_info
from tests.each import each

_VALUES = np.linspace(-1.0, 1.4, 60).reshape(10, 6)
_ZEROS = np.where(np.arange(60).reshape(10, 6) % 3, np.abs(_VALUES), 0.0)


def _written(x: Any, k: int) -> Any:
    y = x * 1.0
    y[k] = x[k].sin()
    y[k].mul_(3)
    return y * x


#: Programs of a matrix and a place, and whether the graphs of all places have one plan.
_PROGRAMS: dict[str, tuple[Callable[[Any, int], Any], bool]] = {
    "row": (lambda x, k: x[k] * 2, True),
    "row and another": (lambda x, k: x[k] * x[0] + x[9 - k], True),
    "row of all": (lambda x, k: x[k] * x, True),
    "row twice": (lambda x, k: x[k] @ x[k], True),
    "column": (lambda x, k: x[:, k % 6].exp(), True),
    "element": (lambda x, k: x[k, 5 - k % 6] * x, True),
    "element of a row": (lambda x, k: x[k][2].sin(), True),
    "last": (lambda x, k: x[-k - 1, -1] * x[k], True),
    "rows": (lambda x, k: x[k : k + 2].prod(), True),
    "every second": (lambda x, k: x[k : k + 4 : 2] * x[:2], True),
    "row and columns": (lambda x, k: x[k, 1:3].exp(), True),
    "select": (lambda x, k: x.select(1, k % 6), True),
    "narrow": (lambda x, k: x.narrow(0, k, 2).sum(0), True),
    "root": (lambda x, k: x.abs().sqrt()[k], True),
    "masked root": (lambda x, k: symgrad.where(x > 0, x.sqrt(), 0)[k] * x[k], True),
    "length": (lambda x, k: symgrad.linalg.vector_norm(x[k]) * x[0, 0], True),
    "complex": (lambda x, k: (x[k] * (1 + 2j)).abs() ** 2, True),
    "block": (lambda x, k: x[k : k + 2, 1:4] * 3, False),  # two slices
    "written": (_written, False),
}


def _gradient(f: Callable[[Any, int], Any], values: np.ndarray, k: int) -> Any:
    x = symgrad.tensor(values, requires_grad=True)
    y = f(x, k)
    y.backward(symgrad.ones_like(y) * 0.7)
    return x.grad.numpy()


@each("name", list(_PROGRAMS))
def test_each_place_has_its_gradient(name: str) -> None:
    f, one_plan = _PROGRAMS[name]
    for values in (_VALUES, _ZEROS):
        cache_clear()
        places = [*range(8), 3, 0, 7]
        found = [_gradient(f, values, k) for k in places]
        if one_plan:
            assert cache_info().misses < 8
        for k, gradient in zip(places, found, strict=True):
            cache_clear()
            np.testing.assert_array_equal(gradient, _gradient(f, values, k), strict=True)


def test_what_is_recorded_or_shown_has_plans_of_its_own() -> None:
    cache_clear()
    for k in range(8):
        x = symgrad.tensor(_VALUES, requires_grad=True)
        (first,) = symgrad.autograd.grad((x[k] ** 3).sum(), x, create_graph=True)
        (second,) = symgrad.autograd.grad(first.sum(), x)
        wanted = np.zeros_like(_VALUES)
        wanted[k] = 6 * _VALUES[k]
        np.testing.assert_allclose(second.numpy(), wanted, rtol=1e-14)
        assert str(symgrad.explain((2 * x[k]).sum()).gradients["x"]).count(str(k)) >= (k > 0)


def test_hooks_and_kept_gradients() -> None:
    seen: list[Any] = []
    for k in range(8):
        x = symgrad.tensor(_VALUES, requires_grad=True)
        row = x[k]
        row.retain_grad()
        row.register_hook(lambda g: seen.append(g.tolist()) or 2 * g)
        (row * row).sum().backward()
        np.testing.assert_allclose(row.grad.numpy(), 4 * _VALUES[k])
        np.testing.assert_allclose(x.grad.numpy()[k], 4 * _VALUES[k])
        assert not x.grad.numpy()[k + 1 :].any()
    assert len(seen) == 8


def test_a_view_at_other_places_knows_them() -> None:
    x = symgrad.tensor(_VALUES, requires_grad=True)
    for k in range(6):
        assert x[k].grad_fn._saved_index == k and x[k].grad_fn.name() == "SelectBackward0"
        assert x[k : k + 3].grad_fn._saved_start == k
        assert x[:, k].stride() == (6,) and x[k].storage_offset() == 6 * k
    with pytest.raises(IndexError):
        x[10]
