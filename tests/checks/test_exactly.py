"""Formulas in many digits: of every operation the value of the floats, or a refusal."""

from __future__ import annotations

import numpy as np
import pytest

import symgrad as sg
from numeric.long_arrays import FEWEST
from symgrad.checks.exactly import NotExact, difference, values_of
from symgrad.expr.atoms import as_expr
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES, Primitive
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


@each("cls", {name: cls for name, cls in PRIMITIVES.items() if issubclass(cls, Elementwise)})
def test_kernels_of_each_precision_and_size_have_the_same_number_systems(
    cls: type[Elementwise],
) -> None:
    split = len(cls.samples[0]) - len(cls.params)
    operands, params = cls.samples[0][:split], cls.samples[0][split:]
    if not node_of(cls, cls.samples[0])[0].dtype.is_floating_point:
        return

    def systems(kind: sg.dtype, n: int) -> set[str]:
        given = []
        for i, x in enumerate(operands):
            if isinstance(x, np.ndarray):
                own = kind if x.dtype.kind == "f" else from_numpy_dtype(x.dtype)
                x = sg.leaf(f"x{i}", (n,) * min(x.ndim, 1), own)
            given.append(as_expr(x))
        kernel, _, _ = cls(*given, *params).implementation()
        return set(() if kernel is None else kernel.number_systems)

    usual = systems(sg.float64, 1)
    for kind in (sg.float64, sg.float32, sg.float16):
        for n in (1, FEWEST):
            assert systems(kind, n) == usual, (kind, n)


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
