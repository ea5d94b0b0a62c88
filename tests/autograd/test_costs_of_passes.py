"""What a backward pass costs for the first time grows with the graph alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear
from tests.autograd.support import tensor
from tests.expr.test_costs import steps


def _masks_beside_shared_memory(n: int) -> Any:
    shared = symgrad.from_numpy(np.array([1.0, 2.0]))
    y = tensor([0.3, 0.4])
    for _ in range(n):
        y = (shared * y).tanh()
        y = y * (y > 0)
    return y.sum()


def _logarithms_of_a_growing_sum(n: int) -> Any:
    x = tensor([0.3, 0.4])
    y, total = x.exp(), x * 0
    for i in range(n):
        y = y + (x * (1 + i / 1000)).exp()
        total = total + y.log()
    return total.sum()


def _divided_by_rounded_values(n: int) -> Any:
    y = tensor([0.3, 0.4])
    for _ in range(n):
        y = (1.5 - y.sigmoid()).log() + 1 / (2 - y.tanh())
    return y.sum()


@pytest.mark.parametrize(
    "made", [_masks_beside_shared_memory, _logarithms_of_a_growing_sum, _divided_by_rounded_values]
)
def test_a_first_pass_takes_steps_that_grow_with_the_graph(made: Callable[[int], Any]) -> None:
    costs = []
    for n in (40, 160):
        made(n).backward()  # what is made once for all
        cache_clear()
        y = made(n)
        costs.append(steps(y.backward))
    assert costs[1] <= 1.3 * 4 * costs[0]  # a square would be 16 times
