"""Mixed second derivatives do not depend on the order in which they are taken, kinks included."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Const, Leaf, as_expr
from symgrad.expr.dtypes import float64
from symgrad.expr.graph import leaves
from symgrad.ops.elementwise import Elementwise
from tests.each import each
from tests.ops.accuracy import CASES

#: Where operations have their masks, and beside it.
SPECIAL = [0.0, 1.0, -1.0, 0.5, 2.0, -2.0, 23.0]

OF_SEVERAL = [name for name, case in CASES.items() if case.form is None and len(case.moving) > 1]

#: Where PyTorch calls a part constant on the edge of the domain, and it is not beside the edge.
CONVENTIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "xlogy": lambda x, y: (x == 0) & (y < 0),  # nan beside it
    "xlog1py": lambda x, y: (x == 0) & (y < -1),
    "bernoulli_loss": lambda p, target: (p <= 0) | (p >= 1),  # logarithms end at -100
}


def mixed(name: str) -> tuple[np.ndarray, dict[tuple[int, int], np.ndarray]]:
    """Return points, and there the second derivatives by two operands, for each order of them."""
    case = CASES[name]
    points = np.array(list(itertools.product(SPECIAL, repeat=case.arity)))
    variables = [Leaf(f"x{i}", (len(points),), float64) for i in range(case.arity)]
    left = iter(variables)
    given = [
        as_expr(case.constants[i]) if i in case.constants else next(left)
        for i in range(case.arity + len(case.constants))
    ]
    node = case.cls.of(*given, *case.params)
    ones = Const(1.0, float64).broadcast_to(node.shape)
    columns = dict(zip(variables, points.T, strict=True))

    def slopes(y: Any) -> list[Any]:
        return [None] * case.arity if y is None else list(vjp([y], [ones], variables))

    found = {}
    for i, first in enumerate(slopes(node)):
        for j, second in enumerate(slopes(first)):
            value = 0.0
            if second is not None:
                value = second.evaluate({x: columns[x] for x in leaves(second)})
            found[i, j] = np.broadcast_to(value, len(points))
    return points, found


@each("name", OF_SEVERAL)
def test_either_order_gives_the_same(name: str) -> None:
    points, found = mixed(name)
    for i, j in itertools.combinations(range(CASES[name].arity), 2):
        near = np.isclose(found[i, j], found[j, i], rtol=1e-9, atol=1e-12, equal_nan=True)
        if name in CONVENTIONS:
            near |= CONVENTIONS[name](*points.T)
        told = list(zip(points[~near], found[i, j][~near], found[j, i][~near], strict=True))
        assert near.all(), told[:8]


def test_powers_are_among_them() -> None:
    assert {"pow", "power_of_positive", "power_derivative 1 0"} <= set(OF_SEVERAL)
    assert all(issubclass(CASES[name].cls, Elementwise) for name in OF_SEVERAL)


@pytest.mark.parametrize("name", ["pow", "power_of_positive"])
@pytest.mark.parametrize(
    ("point", "wanted"), [((23.0, 0.0), 1 / 23), ((0.0, 1.0), -np.inf), ((0.0, 0.5), -np.inf)]
)
def test_mixed_derivatives_of_powers(name: str, point: tuple[float, float], wanted: float) -> None:
    points, found = mixed(name)
    (place,) = np.flatnonzero((points == point).all(1))
    assert found[0, 1][place] == pytest.approx(wanted, rel=1e-15)
