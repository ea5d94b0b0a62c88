"""Where formulas are not smooth, by their operations."""

from __future__ import annotations

from typing import Any

import numpy as np

import symgrad as sg
from symgrad import leaf
from symgrad.ops.primitive import Primitive
from tests.each import each
from tests.expr.samples import node_of
from tests.kinds import kinds

x, y, v, A = leaf("x"), leaf("y"), leaf("v", (3,)), leaf("A", (2, 2))

#: A formula, and what is found of it.
FOUND: dict[str, tuple[Any, list[str]]] = {
    "absolute value": (abs(x), ["kink of abs(x) where x == 0"]),
    "quotient": (1 / (x - y), ["pole of 1 / (x - y) where x - y == 0"]),
    "logarithm": (sg.log(x), ["pole of log(x) where x == 0"]),
    "root": (x.sqrt(), ["root of sqrt(x) where x == 0"]),
    "power": (x**2.5, []),
    "rectified": (sg.relu(x), ["kink of relu(x) where x == 0"]),
    "larger": (sg.maximum(x, y), ["kink of maximum(x, y) where x == y"]),
    "step": (x.sign(), ["jump of sign(x) where x == 0"]),
    "choice": (sg.where(x > 1, x, y), ["jump of x > 1 where x == 1"]),
    "length": (v.norm(), ["kink of norm(v) where norm(v) == 0"]),
    "inverse": (sg.linalg.inv(A), ["pole of inv(A) where det(A) == 0"]),
    "smooth": (sg.sin(x * y).exp() + sg.sigmoid(x), []),
}


@each("e, texts", FOUND)
def test_places_that_are_not_smooth(e: Any, texts: list[str]) -> None:
    assert [str(s) for s in sg.singularities(e)] == texts


def test_only_those_that_are_met_are_returned_for_values() -> None:
    e = abs(x) + sg.log(y) + v.amax()
    at = {"x": 0.0, "y": 2.0, "v": np.array([1.0, 2.0, 3.0])}
    assert [s.kind for s in sg.singularities(e, at)] == ["kink"]
    ties = {"x": 1.0, "y": 2.0, "v": np.array([1.0, 3.0, 3.0])}
    (tie,) = sg.singularities(e, ties)
    assert tie.part is v.amax()
    assert not sg.singularities(e, {**at, "x": 1.0})


@each("cls", kinds())
def test_the_places_of_every_operation_have_formulas(cls: type[Primitive]) -> None:
    """Formulas of the node's leaves, which are evaluated beside them."""
    e, values = node_of(cls, cls.samples[0])
    for s in sg.singularities(e):
        assert set(s.zero.leaves) <= set(e.leaves)
        s.zero.evaluate({k: values[k.name] for k in s.zero.leaves})
        assert str(s).startswith(s.kind)
