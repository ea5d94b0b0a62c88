"""The choice among equal elements that PyTorch's selection algorithms happen to make.

PyTorch selects without a full sort, and so finds others than the first of equal elements. Indices
and gradients depend on which. These functions repeat the algorithms on the ranks of a row: `topk` those
of the GNU C++ library, `kthvalue` PyTorch's own quick selection. They run only on rows in which
ties matter; for all others a sort is enough, and faster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel

#: Pairs of rank and place. Ranks are compared, places only carried along.
Queue = list[tuple[int, int]]


def sift(queue: Queue, hole: int, count: int, item: Any) -> None:
    """Put an item into a heap with a hole (std::__adjust_heap)."""
    top = child = hole
    while child < (count - 1) // 2:
        child = 2 * (child + 1)
        if queue[child][0] < queue[child - 1][0]:
            child -= 1
        queue[hole] = queue[child]
        hole = child
    if count % 2 == 0 and child == (count - 2) // 2:
        child = 2 * child + 1
        queue[hole] = queue[child]
        hole = child
    while hole > top and queue[(hole - 1) // 2][0] < item[0]:
        queue[hole] = queue[(hole - 1) // 2]
        hole = (hole - 1) // 2
    queue[hole] = item


def heap_select(queue: Queue, count: int) -> None:
    """Make the first `count` a heap of the least (std::__heap_select)."""
    for i in reversed(range(count // 2)):
        sift(queue, i, count, queue[i])
    for i in range(count, len(queue)):
        if queue[i][0] < queue[0][0]:
            item, queue[i] = queue[i], queue[0]
            sift(queue, 0, count, item)


def partial_sort(queue: Queue, count: int) -> None:
    """Put the first `count` in their places (std::partial_sort)."""
    heap_select(queue, count)
    for i in reversed(range(1, count)):
        item, queue[i] = queue[i], queue[0]
        sift(queue, 0, i, item)


def partition(queue: Queue, first: int, end: int) -> int:
    """Part a stretch by the median of three; return where the second part begins."""
    a, b, c = first + 1, first + (end - first) // 2, end - 1
    if queue[a][0] < queue[b][0]:
        chosen = b if queue[b][0] < queue[c][0] else c if queue[a][0] < queue[c][0] else a
    else:
        chosen = a if queue[a][0] < queue[c][0] else c if queue[b][0] < queue[c][0] else b
    queue[first], queue[chosen] = queue[chosen], queue[first]
    pivot, i, j = queue[first][0], first + 1, end - 1
    while True:
        while queue[i][0] < pivot:
            i += 1
        while pivot < queue[j][0]:
            j -= 1
        if i >= j:
            return i
        queue[i], queue[j] = queue[j], queue[i]
        i, j = i + 1, j - 1


def insertion_sort(queue: Queue, first: int, end: int) -> None:
    """Sort a stretch; equal items stay in their order."""
    for i in range(first + 1, end):
        item, j = queue[i], i
        while j > first and item[0] < queue[j - 1][0]:
            queue[j] = queue[j - 1]
            j -= 1
        queue[j] = item


def nth_element(queue: Queue, nth: int) -> None:
    """Put the `nth` in its place (std::nth_element), by a heap where partitions do not shrink."""
    first, end = 0, len(queue)
    for _ in range(2 * (end.bit_length() - 1)):
        if end - first <= 3:
            break
        cut = partition(queue, first, end)
        first, end = (cut, end) if cut <= nth else (first, cut)
    if end - first > 3:
        rest = queue[first:end]
        heap_select(rest, nth + 1 - first)
        rest[0], rest[nth - first] = rest[nth - first], rest[0]
        queue[first:end] = rest
    else:
        insertion_sort(queue, first, end)


def sort_first(queue: Queue, end: int) -> None:
    """Sort the first `end` (std::sort): partitions down to sixteen, then one insertion sort."""
    stretches = [(0, end, 2 * (end.bit_length() - 1))]
    while stretches:
        first, last, depth = stretches.pop()
        while last - first > 16 and depth:
            depth -= 1
            cut = partition(queue, first, last)
            stretches.append((first, cut, depth))
            first = cut
        if last - first > 16:
            rest = queue[first:last]
            partial_sort(rest, len(rest))
            queue[first:last] = rest
    insertion_sort(queue, 0, end)


def tied_rows(x: Any, places: Any, first: int, end: int) -> Iterator[tuple[Any, list[int]]]:
    """Yield each row with equal elements from `first` to `end` of its order, and its ranks."""
    window = np.take_along_axis(x, places[:, first : end + 1], -1)
    former, later = window[:, :-1], window[:, 1:]
    tied = (former == later) | ((former != former) & (later != later))
    for row in np.flatnonzero(tied.any(-1)):
        line = x[row, places[row]]
        new = (line[1:] != line[:-1]) & ((line == line)[1:] | (line == line)[:-1])
        ranks = np.zeros(len(line), np.int64)
        ranks[places[row, 1:]] = np.cumsum(new)
        yield row, ranks.tolist()


def settled_topk(x: Any, places: Any, k: int) -> Any:
    """Return the first `k` of the `places` of rows in order, with ties as `torch.topk` has them."""
    found = places[:, :k].copy()
    for row, ranks in tied_rows(x, places, 0, k):
        queue = list(zip(ranks, range(len(ranks)), strict=True))
        if k * 64 <= len(queue):
            partial_sort(queue, k)
        elif k:
            nth_element(queue, k - 1)
            sort_first(queue, k - 1)
        found[row] = [place for _, place in queue[:k]]
    return found


def quick_select(queue: Queue, nth: int) -> None:
    """Put the `nth` in its place, as PyTorch's quick_select_template does."""

    def order(i: int, j: int) -> None:
        if queue[i][0] > queue[j][0]:
            queue[i], queue[j] = queue[j], queue[i]

    first, last = 0, len(queue) - 1
    while last > first + 1:
        middle, i, j = first + (last - first) // 2, first + 1, last
        queue[middle], queue[i] = queue[i], queue[middle]
        order(i, last)
        order(first, last)
        order(i, first)
        pivot = queue[first][0]
        while True:
            i, j = i + 1, j - 1
            while pivot > queue[i][0]:
                i += 1
            while queue[j][0] > pivot:
                j -= 1
            if j < i:
                break
            queue[i], queue[j] = queue[j], queue[i]
        queue[first], queue[j] = queue[j], queue[first]
        first, last = i if j <= nth else first, j - 1 if j >= nth else last
    if last == first + 1:
        order(first, last)


def settled_kth(x: Any, places: Any, k: int) -> Any:
    """Return the `k`-th of the `places` of rows in order, as `torch.kthvalue` finds it."""
    found = places[:, k - 1].copy()
    for row, ranks in tied_rows(x, places, max(k - 2, 0), k):
        queue = list(zip(ranks, range(len(ranks)), strict=True))
        quick_select(queue, k - 1)
        found[row] = queue[k - 1][1]
    return found


def definitions(
    *functions: Callable[..., Any], prelude: Sequence[str] = (), imports: tuple[str, ...] = ()
) -> Sequence[str]:
    """Return the source of functions that a kernel calls; each may call those before it."""
    for function in functions:
        prelude = Kernel.from_function(function, prelude=prelude, imports=imports).prelude
    return prelude


#: What kernels that call `settled_topk`, or `settled_kth`, need.
TOPK = definitions(
    tied_rows, sift, heap_select, partial_sort, partition, insertion_sort, nth_element, sort_first,
    settled_topk,
)  # fmt: skip
KTH = definitions(tied_rows, quick_select, settled_kth)
