"""What a backward pass costs for the first time grows with the graph alone."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.autograd import cache_clear
from symgrad.schema.public import SCHEMAS
from tests.autograd.support import each, latest_plan, tensor
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


#: An array of `n` rows taken apart in proportion to `n`, by functions with a number of results that
#: depends on their arguments, and by subscripts.
_APART: dict[str, Callable[[Any, int], Any]] = {
    "unbind": lambda x, n: x.unbind(0),
    "split": lambda x, n: x.split(1),
    "split_with_sizes": lambda x, n: x.split_with_sizes([1, 3] * (n // 4)),
    "chunk": lambda x, n: x.chunk(n),
    "tensor_split": lambda x, n: x.tensor_split(n),
    "hsplit": lambda x, n: x.reshape(1, n, 5).hsplit(n),
    "vsplit": lambda x, n: x.vsplit(n),
    "dsplit": lambda x, n: x.reshape(1, 5, n).dsplit(n),
    "gradient": lambda x, n: symgrad.gradient(x),
    "split_copy": lambda x, n: symgrad.split_copy(x, 1),
    "split_with_sizes_copy": lambda x, n: symgrad.split_with_sizes_copy(x, [1] * n),
    "unbind_copy": lambda x, n: symgrad.unbind_copy(x),
    "unsafe_chunk": lambda x, n: x.unsafe_chunk(n),
    "unsafe_split": lambda x, n: x.unsafe_split(1),
    "unsafe_split_with_sizes": lambda x, n: x.unsafe_split_with_sizes([1] * n),
    "iteration": lambda x, n: list(x),
    "iteration of rows": lambda x, n: [value for row in x for value in row],
    "columns": lambda x, n: x.T.unbind(1),
    "half of the rows": lambda x, n: x.unbind(0)[::2],
    "subscripts": lambda x, n: [x[i] for i in range(n)],
    "subscripts of slices": lambda x, n: [x[i : i + 2] for i in range(n)],
    "rows twice": lambda x, n: [*x.unbind(0), *x.split(2)],
}


def _elements(order: int, apart: Callable[[Any, int], Any], n: int) -> int:
    """Return how many elements the last of some backward passes writes, over all instructions."""
    x = tensor(np.linspace(0.1, 0.9, n * 5).reshape(n, 5))
    value = symgrad.tensor(0.0)
    for i, y in enumerate(apart(x, n)):
        value = value + (y**3 * (1 + i % 7)).sum()
    for _ in range(order):
        (found,) = symgrad.autograd.grad(value, [x], create_graph=True)
        value = (found * found).sum()
    instrs = latest_plan().program.instrs
    return sum(math.prod(t.shape or ()) for i in instrs if not i.kernel.view for t in i.types)


def test_every_function_with_a_varying_number_of_results_is_taken_apart() -> None:
    found = {
        name
        for (name, _), schema in SCHEMAS.items()
        for text in schema.texts
        if re.search(r"\(Tensor (self|tensor)\b.* -> Tensor\[\]$", text)
    }
    assert len(found) >= 8
    assert found <= set(_APART)


@each("order", [1, 2])
@pytest.mark.parametrize("apart", _APART.values(), ids=_APART)
def test_the_gradient_of_pieces_is_written_once(
    apart: Callable[[Any, int], Any], order: int
) -> None:
    costs = [_elements(order, apart, n) for n in (8, 64)]
    assert costs[1] <= 1.1 * 8 * costs[0]  # the sum of an array for each piece would be 64 times
