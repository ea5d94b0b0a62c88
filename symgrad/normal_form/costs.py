"""What formulas cost to compute, and in which order factors are multiplied at the least cost."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.normal_form.labels import Labels
from symgrad.ops.contraction import contract
from symgrad.ops.equations import parse
from symgrad.ops.results import Several
from symgrad.ops.triangular import parted

#: What a call of NumPy takes, in the time that it takes for an element.
_CALL = 200
#: So many products of a matrix product take the time of an element.
_PRODUCTS = 8
#: The most factors of which all orders are tried.
_MOST_IN_ALL_ORDERS = 4


def cost(roots: Sequence[ArrayExpr], given: Collection[ArrayExpr] = ()) -> int:
    """Return about how long formulas take to compute, in elements; each call counts as some."""
    total = 0
    for x in toposort(roots, given.__contains__, _read):
        if x.operands and x not in given and not getattr(x, "is_view", False):
            total += _CALL + work(x)
    return total


def _read(x: Any) -> Sequence[ArrayExpr]:
    """Return the operands that the kernel of a node reads."""
    return x.operands[1:] if type(x) is parted else x.operands


def work(x: Any) -> int:
    """Return the number of elements; of a contraction also that of products, several for one."""
    if type(x) is parted and not getattr(x.operands[1], "is_view", True):
        return size_of(x.operands[2].shape)  # written over the others
    if type(x) is not contract or len(x.operands) == 1:
        return sum(map(size_of, x.shapes if isinstance(x, Several) else (x.shape,)))
    sizes: dict[str, int] = {}
    for labels, y in zip(parse(x.spec).inputs, x.operands, strict=True):
        sizes.update(zip(labels, y.shape, strict=True))
    products, made = size_of(sizes.values()), size_of(x.shape)
    return made if products == made else made + products // _PRODUCTS


def cheapest_pair(
    labels: Sequence[Labels], output: Iterable[int], sizes: Mapping[int, int], first: int = 0
) -> tuple[int, int]:
    """Return which two factors of a contraction to multiply first, in ascending order.

    Of few factors all orders are tried; of many, the pair is the one with the least products and
    elements of the result, less those of the factors. While there are any of the `first` factors,
    one of these is among the two.
    """
    factors, wanted = tuple([frozenset(ks) for ks in labels]), frozenset(output)
    if len(factors) == 2:
        return 0, 1
    if len(factors) <= _MOST_IN_ALL_ORDERS:
        known = tuple([(k, sizes[k]) for k in sorted(frozenset().union(*factors))])
        return _cheapest_order(factors, wanted, known, first)[1]

    def price(pair: tuple[int, int]) -> Any:
        a, b = [factors[i] for i in pair]
        union, left = _multiplied(factors, wanted, pair)
        size = _size(union, sizes) + _size(left, sizes) - _size(a, sizes) - _size(b, sizes)
        return a.isdisjoint(b), size, pair

    return min(_pairs(factors, first), key=price)


def _pairs(factors: Sequence[Any], first: int) -> list[tuple[int, int]]:
    return [p for p in itertools.combinations(range(len(factors)), 2) if not first or p[0] < first]


@lru_cache(maxsize=1024)
def _cheapest_order(
    factors: tuple[frozenset[int], ...],
    wanted: frozenset[int],
    known: tuple[tuple[int, int], ...],
    first: int,
) -> tuple[int, tuple[int, int]]:
    """Return what the best order of a few products costs, as `work` counts, and its first pair."""
    sizes = dict(known)
    found: list[tuple[int, bool, tuple[int, int]]] = []
    for pair in _pairs(factors, first):
        union, left = _multiplied(factors, wanted, pair)
        made, products = _size(left, sizes), _size(union, sizes)
        total = made if left == union else made + products // _PRODUCTS
        if len(factors) > 2:
            rest = (*[x for k, x in enumerate(factors) if k not in pair], left)
            total += _cheapest_order(rest, wanted, known, first - sum(k < first for k in pair))[0]
        found.append((total, factors[pair[0]].isdisjoint(factors[pair[1]]), pair))
    total, _, pair = min(found)
    return total, pair


def _multiplied(
    factors: Sequence[frozenset[int]], wanted: frozenset[int], pair: tuple[int, int]
) -> tuple[frozenset[int], frozenset[int]]:
    """Return the labels of a product of two factors, and those that are not summed over then."""
    union = factors[pair[0]] | factors[pair[1]]
    others = wanted.union(*[ks for k, ks in enumerate(factors) if k not in pair])
    return union, union & others


def _size(labels: Iterable[int], sizes: Mapping[int, int]) -> int:
    return math.prod([sizes[k] for k in labels])
