"""The accuracy law: every elementwise operation, its derivatives up to the fourth, in ulps.

The references have been computed to many digits (`record_accuracy`). What is allowed is the bound
that stands beside the operation, `ulps`, and what one ulp in the operands makes of the result. A
result beyond the largest float is infinite; one below the smallest normal number is no larger.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import PRIMITIVES, bind
from tests.each import each, in_part
from tests.ops.accuracy import CASES, FORMS, OF_SLICES, Case, points_of
from tests.ops.record_accuracy import RECORDS

pytestmark = pytest.mark.versions

DTYPES = {"float64": symgrad.float64, "float32": symgrad.float32}


def derivatives(case: Case, points: Any, dtype: Any) -> dict[tuple[int, ...], Any]:
    """Return what symgrad computes at each point, for each order; None where it is zero."""
    leaves = [symgrad.tensor(c, dtype=dtype, requires_grad=True) for c in points.T]
    left = iter(leaves)
    count = len(leaves) + len(case.constants)
    operands = [case.constants[i] if i in case.constants else next(left) for i in range(count)]
    params = tuple(dtype if p is symgrad.float64 else p for p in case.params)
    made: dict[tuple[int, ...], Any] = {}

    def of(order: tuple[int, ...]) -> Any:
        if order in made:
            return made[order]
        if not any(order):
            made[order] = (
                case.form.write(*leaves) if case.form else bind(case.cls, operands, params)
            )
        else:
            i = max(j for j, k in enumerate(order) if k)
            below = of(tuple(k - (j == i) for j, k in enumerate(order)))
            found = None
            if below is not None and below.requires_grad:
                (found,) = symgrad.autograd.grad(
                    below.sum(), leaves[i], create_graph=True, allow_unused=True
                )
            made[order] = found
        return made[order]

    orders = case.orders()
    zero = np.zeros(len(points), dtype.numpy)
    with np.errstate(all="ignore"):
        return {o: zero if of(o) is None else of(o).detach().numpy() for o in orders}


def errors(got: Any, exact: Any, sensitivity: Any) -> Any:
    """Return by how many ulps each result is off, beyond what an ulp in the operands makes."""
    info = np.finfo(got.dtype)
    largest, least = float(info.max), float(info.tiny)
    off = np.zeros(len(exact))
    with np.errstate(all="ignore"):
        for i, (g, r, s) in enumerate(zip(got.astype(np.float64), exact, sensitivity, strict=True)):
            if np.isnan(r):
                continue
            slack = s * float(info.eps)
            if np.isnan(g):
                off[i] = np.inf
            elif abs(r) > largest:
                off[i] = 0 if g == np.copysign(np.inf, r) or abs(r) - slack <= largest else np.inf
            elif np.isinf(g):
                near = abs(r) + slack > largest and np.sign(g) == np.sign(r)
                off[i] = 0 if near else np.inf
            elif abs(r) < least and abs(g) <= least:
                off[i] = 0
            else:
                # Next to a root an ulp is nothing: there the operands' ulps are the measure.
                unit = max(float(np.spacing(got.dtype.type(abs(r)))), slack / 8)
                off[i] = max(abs(g - r) - slack, 0) / unit
    return off


def measured(name: str, kind: str) -> dict[tuple[int, ...], tuple[float, Any, Any, Any]]:
    """Return for each order the largest error in ulps, where it is, what is there and should be."""
    case, dtype = CASES[name], DTYPES[kind]
    recorded = RECORDS[name]
    points = recorded["x"]
    with np.errstate(over="ignore"):
        fits = np.all(points.astype(dtype.numpy) == points, axis=1)
    found = derivatives(case, points[fits], dtype)
    out: dict[tuple[int, ...], tuple[float, Any, Any, Any]] = {}
    rows = zip(found.items(), recorded["d"], recorded["c"], strict=True)
    for (order, got), exact_row, sensitivity_row in rows:
        exact, sensitivity = exact_row[fits], sensitivity_row[fits]
        off = errors(got, exact, sensitivity)
        worst = int(np.argmax(off))
        out[order] = float(off[worst]), points[fits][worst], got[worst], exact[worst]
    return out


def bounds(case: Case) -> tuple[int, ...]:
    """Return what each order is allowed."""
    if case.form is not None:
        return (0, *case.form.ulps)
    cls = case.cls
    assert cls.ulps is not None, f"{cls.__name__} states no `ulps`"
    return cls.ulps if isinstance(cls.ulps, tuple) else (cls.ulps,) * 5


def test_every_operation_that_gives_floats_is_held() -> None:
    held = {case.cls for case in CASES.values() if case.form is None}
    elementwise = {cls for cls in PRIMITIVES.values() if issubclass(cls, Elementwise)}
    exact = {cls.__name__ for cls in elementwise - held}
    assert {"lt", "gcd", "where", "bitwise_not", "isnan"} <= exact and len(held) > 2 * len(exact)
    for name in CASES:
        np.testing.assert_array_equal(RECORDS[name]["x"], points_of(name), err_msg=name)


def test_every_stable_form_of_elements_is_held() -> None:
    rules = {rule.__name__ for cls in PRIMITIVES.values() for rule in cls.stable_forms}
    held = {form.rules for form in FORMS.values()}
    assert rules - held == OF_SLICES
    assert held <= rules


@each("name", list(CASES))
def test_bounds_are_stated_with_their_reasons(name: str) -> None:
    case = CASES[name]
    assert len(bounds(case)) == 5
    if case.form is None:
        assert bool(case.cls.why_ulps) is (max(bounds(case)) > 16)


@each("kind", ["float64", pytest.param("float32", marks=pytest.mark.slow)])
@each("name", in_part(list(CASES), group=str, among=2))
def test_law(name: str, kind: str) -> None:
    case = CASES[name]
    for order, (off, point, got, exact) in measured(name, kind).items():
        allowed = bounds(case)[min(sum(order), 4)]
        assert off <= allowed, (
            f"{name} of {kind}, order {order}, at {point}: {got!r} for {exact!r}, {off:.3g} ulps "
            f"where {allowed} are allowed"
        )


def test_the_measure_is_in_ulps() -> None:
    """The law can fail: a result that is one ulp off is one off, and what overflows is infinite."""
    exact = np.array([1.0, 1.0, 1.0, 1e-310, 1e300, np.inf, np.inf, 0.5, np.nan])
    got = np.array([1.0, 1 + 2.0**-51, 1.25, 0.0, np.inf, np.inf, 1e308, np.nan, 7.0])
    found = errors(got, exact, np.zeros(9))
    np.testing.assert_array_equal(found, [0, 2, 2.0**50, 0, np.inf, 0, np.inf, np.inf, 0])
    # An operand that is an ulp off changes the result by this much.
    assert errors(np.array([1 + 2.0**-51]), np.array([1.0]), np.array([2.0]))[0] == 0
    # In single precision, what is beyond its range is infinite or nothing.
    got32 = np.array([np.inf, 3e38, 0.0, 1e-30], np.float32)
    exact32 = np.array([1e39, 1e39, 1e-40, 1e-40])
    found32 = errors(got32, exact32, np.zeros(4))
    assert list(found32[:3]) == [0, np.inf, 0] and found32[3] > 1e6
