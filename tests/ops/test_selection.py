"""Selection puts one element in its place, the lesser before and the greater behind, always."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from symgrad.ops.ordering import _order, topk
from symgrad.ops.selection import nth_element, settled_topk, sort_first
from tests.each import each


def killer(n: int) -> list[int]:
    """Ranks at which the median of three parts off two elements at a time (Musser, 1997)."""
    half = n // 2
    odd = [i if i % 2 else half + i - 1 for i in range(1, half + 1)]
    return odd + [2 * i for i in range(1, half + 1)]


def check(ranks: list[int], nth: int) -> None:
    queue = [(rank, place) for place, rank in enumerate(ranks)]
    nth_element(queue, nth)
    assert sorted(queue) == sorted((rank, place) for place, rank in enumerate(ranks))
    found = [rank for rank, _ in queue]
    assert found[nth] == sorted(ranks)[nth]
    assert max(found[:nth], default=found[nth]) <= found[nth] <= min(found[nth:])


@given(st.lists(st.integers(0, 6), min_size=1, max_size=40), st.data())
def test_an_element_is_put_in_its_place(ranks: list[int], data: st.DataObject) -> None:
    check(ranks, data.draw(st.integers(0, len(ranks) - 1)))


@each("n", [8, 16, 64, 200])
def test_where_partitions_do_not_shrink_a_heap_does_it(n: int) -> None:
    for nth in range(n):
        check(killer(n), nth)
        check([*killer(n), *killer(n)[::-1]], nth)


@given(st.lists(st.integers(0, 6), min_size=1, max_size=60), st.data())
def test_the_first_are_sorted(ranks: list[int], data: st.DataObject) -> None:
    end = data.draw(st.integers(0, len(ranks)))
    queue = [(rank, place) for place, rank in enumerate(ranks)]
    sort_first(queue, end)
    assert [rank for rank, _ in queue] == sorted(ranks[:end]) + ranks[end:]


@each("descending", [False, True])
@each("k", [0, 1, 5, 60])
@each("n", [2000, 5003])
def test_the_first_of_long_rows_are_those_of_all_in_order(descending: bool, k: int, n: int) -> None:
    """Also where rows have ties, are infinite, or are not numbers."""
    x = np.random.default_rng(2).normal(size=(7, n))
    x[1], x[2, 5], x[3, ::3], x[4, -1] = np.round(x[1], 1), np.nan, np.nan, np.nan
    x[5, :2], x[6] = [np.inf, -np.inf], 1
    values, places = topk.kernel.call(x, axis=1, descending=descending, k=k)
    order = _order(x, axis=1, descending=descending)
    np.testing.assert_array_equal(places, settled_topk(x, order, k))
    np.testing.assert_array_equal(values, np.take_along_axis(x, places, 1))
    nothing, _ = topk.kernel.call(x[:0], axis=1, descending=descending, k=k)
    assert nothing.shape == (0, k)
