"""Formulas in many digits: of every operation the value of the floats, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest

import symgrad as sg
from symgrad.checks.exactly import NotExact, difference, values_of
from symgrad.ops.primitive import Primitive
from tests.each import each
from tests.expr.samples import node_of
from tests.kinds import kinds


@each("cls", kinds())
def test_an_operation_has_the_value_of_the_floats(cls: type[Primitive]) -> None:
    e, values = node_of(cls, cls.samples[0])
    point = {x: values[x.name] for x in e.leaves}
    if not e.dtype.is_floating_point or not all(
        np.isfinite(v).all() for v in point.values() if np.asarray(v).dtype.kind in "fc"
    ):
        return
    try:
        (found,) = values_of([e], point)
    except NotExact:
        return
    want = e.evaluate(point)
    got = np.array([complex(x) for x in found.flat]).reshape(found.shape)
    np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12, equal_nan=True)


def test_most_operations_that_formulas_have_are_computed() -> None:
    x, w = sg.leaf("x", (2,)), sg.leaf("w")
    point = {x: np.array([0.5, 1.5]), w: np.array(1.25)}
    for e in (
        sg.tanh(x),
        sg.sigmoid(x),
        sg.expm1(x),
        x**w,
        sg.special.betainc(2.0, 3.0, x / 2) * w,
    ):
        for order in (1, 2):
            values_of([sg.derive(e.sum(), x, order), sg.derive(e.sum(), w)], point)


def test_differences_have_many_digits() -> None:
    x = sg.leaf("x")
    at = {x: np.array(0.5)}
    for order, e in ((1, x.exp()), (2, x.sin()), (3, x**5)):
        want = values_of([sg.derive(e, x, order)], at)[0].item()
        assert abs(difference(e, at, [{x: np.array(1.0)}] * order) - want) < 1e-20


def test_what_has_no_such_value_is_refused() -> None:
    A = sg.leaf("A", (2, 2))
    with pytest.raises(NotExact):
        values_of([sg.linalg.svdvals(A)], {A: np.eye(2)})
