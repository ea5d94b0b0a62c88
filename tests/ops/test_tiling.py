"""An array put together from parts has the value of the sum of what each part transposes to."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad.expr.atoms import as_expr
from symgrad.ops.slicing import basic_key, part_shape
from symgrad.ops.tiling import assembled

SHAPES = [(1,), (7,), (3, 4), (2, 3, 4), (0, 3)]


def _entry(pick: random.Random, n: int) -> Any:
    if n and pick.random() < 0.4:
        return pick.randrange(n)
    start = pick.randint(0, n)
    return start, pick.randint(start, n), pick.choice([1, 1, 1, 2, 3])


def _keys(pick: random.Random, shape: tuple[int, ...]) -> list[Any]:
    """Keys of parts that may overlap, be equal or empty, and leave gaps."""
    first = [(0, n, 1) for n in shape]
    found = []
    for _ in range(pick.randint(1, 6)):
        rank = pick.randint(0, len(shape))
        full = pick.randint(0, rank)  # as pieces along a later axis are
        found.append((*first[:full], *[_entry(pick, n) for n in shape[full:rank]]))
    return found


@pytest.mark.parametrize("shape", SHAPES)
def test_the_value_is_the_sum_of_the_parts(shape: tuple[int, ...]) -> None:
    pick = random.Random(7)
    for _ in range(150):
        keys = _keys(pick, shape)
        want = np.zeros(shape)
        values = []
        for k, key in enumerate(keys, 1):
            inner = part_shape(shape, key)
            value = np.arange(1.0, 1 + math.prod(inner)).reshape(inner) * 10**k
            want[basic_key(key, shape)] += value
            values.append(as_expr(value))
        found = assembled(shape, keys, values)
        assert found.shape == shape
        assert np.array_equal(found.evaluate(), want), keys


@pytest.mark.parametrize(
    ("rows", "taken", "text"),
    [
        (3, lambda x: x.unbind(0), "stack([t, t, t])"),
        (3, lambda x: x.unbind(1), "stack([t, t], dim=1)"),
        (3, lambda x: x.split(2), "cat([t, t])"),
        (
            2,
            lambda x: [v for row in x for v in row],
            "stack([stack([t, t]), stack([t, t])])",
        ),
    ],
)
def test_the_gradient_of_pieces_is_read_as_what_joins_them(
    rows: int, taken: Any, text: str
) -> None:
    x = symgrad.ones(rows, 2, dtype=symgrad.float64, requires_grad=True)
    y = sum((p**2).sum() * (k + 2) for k, p in enumerate(taken(x)))
    shown = repr(symgrad.explain(y)).rpartition("= ")[2]
    assert re.sub(r"\d+ \* (t\d+|x\[[^]]*\])", "t", shown) == text
