"""What formulas cost to compute, and in which order factors are multiplied at the least cost."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
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

    The price is the number of products and of elements of the result, less those of the factors.
    While there are any of the `first` factors, one of these is among the two.
    """

    def price(pair: tuple[int, int]) -> Any:
        a, b = [set(labels[i]) for i in pair]
        others = [ks for i, ks in enumerate(labels) if i not in pair]
        union = a | b
        left = union.intersection(set(output).union(*others))
        size = math.prod([sizes[k] for k in union]) + math.prod([sizes[k] for k in left])
        size -= math.prod([sizes[k] for k in a]) + math.prod([sizes[k] for k in b])
        return a.isdisjoint(b), size, pair

    pairs = itertools.combinations(range(len(labels)), 2)
    return min([(i, j) for i, j in pairs if not first or i < first], key=price)
