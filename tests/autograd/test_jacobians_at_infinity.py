"""Jacobians where some derivatives are infinite: the zeros of other rows stay zeros."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad

jacobian, hessian = symgrad.autograd.functional.jacobian, symgrad.autograd.functional.hessian

# What is infinitely steep at 0, and its derivatives at 1 and at 4.
_STEEP: dict[str, tuple[Callable[[Any], Any], list[float], list[float]]] = {
    "sqrt": (symgrad.sqrt, [0.5, 0.25], [-0.25, -1 / 32]),
    "log": (symgrad.log, [1, 0.25], [-1, -1 / 16]),
    "x**0.5": (lambda x: x**0.5, [0.5, 0.25], [-0.25, -1 / 32]),
    "1 / x": (lambda x: 1 / x, [-1, -1 / 16], [2, 2 / 64]),
}


def _expected(slopes: list[float], got: Any) -> Any:
    """A diagonal that begins with an infinity."""
    return np.diag([np.copysign(np.inf, got[0, 0]), *slopes])


@pytest.mark.parametrize("create_graph", [False, True])
@pytest.mark.parametrize("name", _STEEP)
def test_elements_that_do_not_count_are_zero(name: str, create_graph: bool) -> None:
    f, slopes, curvatures = _STEEP[name]
    x = symgrad.tensor([0.0, 1.0, 4.0], dtype=symgrad.float64)
    found = jacobian(f, x, create_graph=create_graph).detach().numpy()
    np.testing.assert_allclose(found, _expected(slopes, found))
    found = hessian(lambda v: f(v).sum(), x, create_graph=create_graph).detach().numpy()
    np.testing.assert_allclose(found, _expected(curvatures, found))


def test_of_matrices_and_of_several_inputs() -> None:
    x = symgrad.tensor([[0.0, 4.0]], dtype=symgrad.float64)
    w = symgrad.tensor([1.0, 0.0], dtype=symgrad.float64)
    in_x, in_w = jacobian(lambda a, b: symgrad.sqrt(a).T * symgrad.sqrt(b), (x, w))
    assert in_x.shape == (2, 2, 1, 2) and in_w.shape == (2, 2, 2)
    roots = [np.sqrt(v.numpy().ravel()) for v in (x, w)]
    for i in range(2):
        for j in range(2):
            others = [in_x[i, j, 0, 1 - i], in_w[i, j, 1 - j]]
            assert [v.item() for v in others] == [0, 0]
            with np.errstate(all="ignore"):
                wanted = [roots[1][j] / (2 * roots[0][i]), roots[0][i] / (2 * roots[1][j])]
            np.testing.assert_array_equal([in_x[i, j, 0, i], in_w[i, j, j]], wanted)


def test_twice_masked_roots_of_tiny_numbers() -> None:
    def f(u: Any) -> Any:
        q = symgrad.where(u > 0, symgrad.sqrt(u), u)
        return symgrad.where(q > 0, symgrad.sqrt(q), q).sum()

    found = hessian(f, symgrad.tensor([1e-300, 1.0], dtype=symgrad.float64)).numpy()
    np.testing.assert_allclose(found, [[-np.inf, 0], [0, -3 / 16]])


def test_a_nan_of_the_function_stays() -> None:
    x = symgrad.tensor([-1.0, 4.0], dtype=symgrad.float64)
    found = jacobian(symgrad.sqrt, x).numpy()
    np.testing.assert_array_equal(found, [[np.nan, 0], [0, 0.25]])
