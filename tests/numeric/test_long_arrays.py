"""Functions of long arrays are right everywhere, however arrays lie in memory."""

from __future__ import annotations

from typing import Any

import mpmath
import numpy as np
import pytest

import symgrad
from numeric import long_arrays
from numeric.long_arrays import FEWEST
from symgrad.ops.trigonometric import _OfPeriod
from tests.each import each

Array = np.ndarray[Any, Any]
WAYS = {
    "sine": (long_arrays._sine, np.sin, mpmath.sin),
    "cosine": (long_arrays._cosine, np.cos, mpmath.cos),
}
_RNG = np.random.default_rng(20261130)
_QUARTERS = np.arange(1, 300) * (np.pi / 2)
POINTS = {
    "near 0": _RNG.uniform(-10, 10, 1500),
    "far": _RNG.uniform(-1e6, 1e6, 300),
    "of all sizes": np.exp(_RNG.uniform(-700, 700, 500)),
    "at zeros and extremes": np.concatenate(
        [_QUARTERS, np.nextafter(_QUARTERS, np.inf), -np.nextafter(_QUARTERS, 0)]
    ),
    "near the least": np.array([5e-324, -1e-310, 2.3e-308, -1e-160, 1e-155]),
}


@each("way", list(WAYS))
@each("points", POINTS)
def test_it_is_right_to_four_units_in_the_last_place(points: Array, way: str) -> None:
    compute, _, exact = WAYS[way]
    with mpmath.workdps(340):
        for x, got in zip(points.tolist(), compute(points).tolist(), strict=True):
            want = exact(mpmath.mpf(x))
            assert abs(mpmath.mpf(got) - want) <= 4 * np.spacing(abs(float(want))), x


@each("way", list(WAYS))
@np.errstate(invalid="ignore")
def test_what_is_no_ordinary_number_is_as_numpy_has_it(way: str) -> None:
    compute, usual, _ = WAYS[way]
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
    np.testing.assert_array_equal(compute(x), usual(x))
    np.testing.assert_array_equal(np.signbit(compute(x[:2])), np.signbit(usual(x[:2])))


def _hypotenuse_of_equal(x: Any, out: Any = None) -> Any:
    return long_arrays._hypotenuse(x, x, out)


@each("compute", [*[way[0] for way in WAYS.values()], _hypotenuse_of_equal])
def test_a_result_does_not_depend_on_memory(compute: Any) -> None:
    x = _RNG.uniform(-9, 9, (90, 130))
    want = compute(x)
    for given, expected in (
        (x.T, want.T), (x[::-2, 1::3], want[::-2, 1::3]), (np.asfortranarray(x), want),
        (np.broadcast_to(x[:, :1], x.shape), np.broadcast_to(want[:, :1], x.shape)),
        (x[:0], want[:0]), (x[3, 4], want[3, 4]),
    ):  # fmt: skip
        found = compute(given)
        assert np.array_equal(found, expected)
        if given.ndim > 1 and given.strides[-1] and given.size:
            assert found.flags.f_contiguous is np.sin(given).flags.f_contiguous
    over = x.copy()
    assert compute(over, out=over) is over
    assert np.array_equal(over, want)
    n = x.size
    for read, written in (
        (slice(n), slice(1, n + 1)), (slice(1, n + 1), slice(n)),
        (slice(0, 2 * n, 2), slice(1, 2 * n, 2)), (slice(0, 2 * n, 2), slice(2, 2 * n + 2, 2)),
        (slice(n, 0, -1), slice(n, 0, -1)), (slice(n, 0, -1), slice(n)),
        (slice(n, 0, -1), slice(n + 1, 2 * n + 1)), (slice(n), slice(n, 0, -1)),
    ):  # fmt: skip
        memory = np.zeros(2 * n + 2)
        memory[read] = x.ravel()
        given, out = memory[read], memory[written]
        assert compute(given, out=out) is out
        assert np.array_equal(out.reshape(x.shape), want), (read, written)


@np.errstate(over="ignore")
def test_a_hypotenuse_is_right_to_about_a_unit_in_the_last_place() -> None:
    x, y = np.exp(_RNG.uniform(-400, 350, (2, 2000)))
    x[:500] = y[:500] * _RNG.uniform(0, 2, 500)
    edges = np.array([0.0, -0.0, 5e-324, 1e-160, 1e-140, 1e150, 1e308, 3.0])
    x, y = np.concatenate([x, -np.repeat(edges, 8)]), np.concatenate([y, np.tile(edges, 8)])
    with mpmath.workdps(60):
        for a, b, got in zip(
            x.tolist(), y.tolist(), long_arrays._hypotenuse(x, y).tolist(), strict=True
        ):
            want = mpmath.hypot(mpmath.mpf(a), mpmath.mpf(b))
            assert got == float(want) or abs(got - want) <= 1.22 * np.spacing(float(want)), (a, b)
    odd = np.array([np.inf, -np.inf, np.nan, 1.0])
    found = long_arrays._hypotenuse(odd[:, None], odd)
    np.testing.assert_array_equal(found, np.hypot(odd[:, None], odd))


@each("name", ["sin", "cos"])
def test_long_arrays_are_computed_by_it_where_it_is_quick(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = _RNG.uniform(-9, 9, FEWEST)
    for quick in (True, False):
        with monkeypatch.context() as patch:
            patch.setattr(_OfPeriod, "quicker", staticmethod(lambda quick=quick: quick))
            for n in (FEWEST - 1, FEWEST):
                x = symgrad.leaf(f"x{n}{quick}", (n,))
                found = getattr(symgrad, name)(x).evaluate({x: values[:n]})
                compute, usual, _ = WAYS["sine" if name == "sin" else "cosine"]
                way = compute if quick and n == FEWEST else usual
                assert np.array_equal(found, way(values[:n]))
