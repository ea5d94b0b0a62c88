"""Products with matrices of weights are sums of weighted elements, of those taken alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.ops import resampling
from symgrad.ops.primitive import bind
from tests.each import each

#: Ways of few taps and of many, to longer lines and shorter ones, of several blocks each.
WAYS = [
    (way, n, made)
    for way in ("nearest", "middle", "linear", "cubic", "tent", "bump", "lanczos")
    for n, made in ((70, 150), (150, 70), (5, 200), (200, 3))
]


def image(*shape: int) -> Any:
    return np.random.default_rng(3).standard_normal(shape)


def taps(x: Any, n: int, made: int, way: str) -> Any:
    found = resampling._taps(n, made, 0.0, False, way, np.float64)
    total = np.zeros((*x.shape[:-1], made))
    for places, weights in found:
        total += np.where(places < 0, 0, x[..., places] * (1 if weights is None else weights))
    return total


@each("way, n, made", WAYS)
def test_blocks_give_the_sums_of_taps(way: str, n: int, made: int) -> None:
    x = image(2, 3, n)
    expected = taps(x, n, made, way)
    given = symgrad.tensor(x, requires_grad=True)
    y = bind(resampling.resample, (given,), ((made,), (0.0,), False, way))
    np.testing.assert_allclose(y.detach().numpy(), expected, rtol=1e-12, atol=1e-12)
    ct = image(2, 3, made)
    (g,) = symgrad.autograd.grad(y, given, symgrad.tensor(ct))
    np.testing.assert_allclose((g.numpy() * x).sum(), (ct * expected).sum(), rtol=1e-9)
    matrix = taps(np.eye(n), n, made, way)
    np.testing.assert_allclose(g.numpy(), ct @ matrix.T, rtol=1e-12, atol=1e-12)


@each("way, n, made", WAYS)
@np.errstate(invalid="ignore")
def test_what_is_not_finite_reaches_those_alone_that_it_is_taken_for(
    way: str, n: int, made: int
) -> None:
    x = image(1, 2, n)
    x[0, 1, n // 3], x[0, 0, n // 2] = np.nan, np.inf
    y = bind(resampling.resample, (symgrad.tensor(x),), ((made,), (0.0,), False, way))
    np.testing.assert_allclose(y.numpy(), taps(x, n, made, way), rtol=1e-12, atol=1e-12)
    given = symgrad.zeros(1, 2, n, dtype=symgrad.float64, requires_grad=True)
    ct = image(1, 2, made)
    ct[0, 0, made // 2] = np.nan
    y = bind(resampling.resample, (given,), ((made,), (0.0,), False, way))
    (g,) = symgrad.autograd.grad(y, given, symgrad.tensor(ct))
    matrix = taps(np.eye(n), n, made, way)
    reached = np.zeros(n, bool)
    for places, _ in resampling._taps(n, made, 0.0, False, way, np.float64):
        reached[places[made // 2]] |= places[made // 2] >= 0
    np.testing.assert_array_equal(np.isnan(g.numpy()[0, 0]), reached)
    np.testing.assert_allclose(g.numpy()[0, 1], matrix @ ct[0, 1], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", [symgrad.float16, symgrad.float32])
def test_short_numbers_are_rounded_once(kind: Any) -> None:
    x = symgrad.tensor(image(1, 1, 4, 5)).to(kind)
    y = symgrad.nn.functional.interpolate(x, (7, 9), mode="bilinear")
    wide = symgrad.nn.functional.interpolate(x.float(), (7, 9), mode="bilinear")
    assert y.dtype is kind and y.equal(wide.to(kind))
