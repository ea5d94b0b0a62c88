"""Results of nothing, and of what is unknown, that `tests/oracle` does not record."""

from __future__ import annotations

import math

import pytest

import symgrad
from symgrad.nn import functional as F


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0,)])
def test_the_mean_cross_entropy_of_nothing_is_nan(shape: tuple[int, ...]) -> None:
    assert math.isnan(F.cross_entropy(symgrad.zeros(shape), symgrad.zeros(shape)).item())


@pytest.mark.parametrize("way", ["linear", "lower", "higher", "midpoint", "nearest"])
def test_the_quantile_of_a_row_with_nan_is_that_element(way: str) -> None:
    nan = math.nan
    x = symgrad.tensor([[1.0, nan, 3.0], [1.0, 2.0, 3.0], [0.0, 4.0, nan]], requires_grad=True)
    y = x.quantile(0.5, 1, interpolation=way)
    y.backward(symgrad.tensor([1.0, 10.0, 100.0]))
    assert y.isnan().tolist() == [True, False, True]
    assert x.grad is not None
    assert x.grad.tolist() == [[0, 1, 0], [0, 10, 0], [0, 0, 100]]
