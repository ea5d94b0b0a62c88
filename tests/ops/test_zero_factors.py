"""Factors that are zero by their value, not by a mask, whose derivatives are not zero.

Whatever multiplies them, the product is 0; its derivative is not. Each program is differentiated by
every combination of modes, and a factor beside a length of zero against what it is by its square.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import grad
from symgrad.autograd.functional import hessian
from tests.each import each


def _number(value: float) -> Any:
    return symgrad.tensor(value, dtype=symgrad.float64)


#: Each with the point where factors of its derivatives are zero.
PROGRAMS: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "power": (lambda v: v[0] ** v[1], [2.0, 0.0]),
    "power of an exponent of 1": (lambda v: v[0] ** v[1] * v[0], [2.0, 1.0]),
    "powers side by side": (lambda v: (v.roll(1) ** v).prod(), [2.0, 0.0, 3.0]),
    "xlogy": (lambda v: (symgrad.xlogy(v, 2 * v + 2) * v).sum(), [0.0, 0.5]),
    "product of xlogy": (lambda v: symgrad.xlogy(v, v.detach() + 2).prod(), [0.0, 0.5]),
    "cumprod": (lambda v: v.cumprod(0).sum(), [2.0, 0.0, 3.0]),
    "prod": (lambda v: v.prod() * v.sum(), [2.0, 0.0, 3.0]),
    "masked power": (lambda v: symgrad.where(v > -1, v.flip(0) ** v, 0).sum(), [2.0, 0.0]),
    "taken power": (lambda v: (v.flip(0) ** v)[[1, 0]].cumprod(0).sum(), [2.0, 0.0]),
}


def _reverse(f: Callable[[Any], Any], x: Any) -> Any:
    (g,) = grad(f(x), x, create_graph=True)
    rows = [grad(g[i], x, retain_graph=True, materialize_grads=True)[0] for i in range(len(x))]
    return symgrad.stack(rows)


MODES: dict[str, Callable[[Callable[[Any], Any], Any], Any]] = {
    "forward over reverse": lambda f, x: hessian(
        f, x, vectorize=True, outer_jacobian_strategy="forward-mode"
    ),
    "reverse over reverse, of a batch": lambda f, x: hessian(f, x, vectorize=True),
}


@each("mode", list(MODES))
@each("name", list(PROGRAMS))
def test_all_modes_agree(name: str, mode: str) -> None:
    f, point = PROGRAMS[name]
    x = symgrad.tensor(point, dtype=symgrad.float64, requires_grad=True)
    wanted = _reverse(f, x).numpy()
    np.testing.assert_allclose(MODES[mode](f, x).detach().numpy(), wanted, rtol=1e-12, atol=1e-14)


LENGTHS: dict[str, Callable[[Any], Any]] = {
    "norm": symgrad.linalg.norm,
    "abs": lambda v: v.abs().sum(),
    "hypot": lambda v: symgrad.hypot(v[0], v[0] * 0),
    "root": lambda v: (v * v).sum().sqrt(),
}


@each("length", list(LENGTHS))
def test_such_a_factor_beside_a_length_of_zero(length: str) -> None:
    """A factor that vanishes with the length n, times n: the second derivative is that of n**2."""
    x = symgrad.tensor([0.0], dtype=symgrad.float64, requires_grad=True)
    w = symgrad.tensor(1.7, dtype=symgrad.float64, requires_grad=True)
    n = LENGTHS[length](x)
    (power,) = grad(w**n, w, create_graph=True)
    products = {
        "xlogy": (symgrad.xlogy(n, _number(1.3)) * n, 2 * np.log(1.3)),
        "recorded power": (power * n, 2 / 1.7),
        "cumprod": (symgrad.stack([n, w, n]).cumprod(0)[-1], 2 * 1.7),
    }
    for name, (product, wanted) in products.items():
        (first,) = grad(product, x, create_graph=True)
        (second,) = grad(first[0], x, retain_graph=True)
        assert second.tolist() == pytest.approx([wanted], rel=1e-14), name
