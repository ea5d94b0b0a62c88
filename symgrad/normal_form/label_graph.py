"""Products of values with labels, contracted label by label in an algebra.

A product of vectors and matrices is a graph: labels are its vertices, matrices its edges, and
vectors lie on vertices. A label that is summed over is a product of two matrices, or of a matrix
and a vector. So the graph is contracted, label by label, to a number, a vector or a matrix. What
has more axes is an array that is summed over some of them, or `einsum`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from symgrad.normal_form.algebra import Algebra, Chain
from symgrad.normal_form.labels import UNIT, Labels, distinct, has_delta

_SYMMETRIC = 0  # not transposed, and neither is it in the transpose of the product


class Powers:
    """Powers of values with the same labels, above and below the bar."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.above: list[tuple[Any, int]] = []
        self.below: list[tuple[Any, int]] = []

    def add(self, value: Any, p: int, q: int) -> None:
        if p:
            self.above.append((value, p))
        if q:
            self.below.append((value, q))


class Edge(NamedTuple):
    """A matrix from the vertex `i` to `j`."""

    i: int
    j: int
    chain: Chain

    def towards(self, k: int) -> tuple[Chain, int]:
        """Return the matrix whose columns are at the vertex `k`, and the vertex of its rows."""
        return (self.chain, self.i) if self.j == k else (turned(self.chain), self.j)


def turned(chain: Chain) -> Chain:
    """Return the transpose of a product of matrices."""
    return tuple([(x, not t if type(t) is bool else t) for x, t in chain[::-1]])


def _turns(chain: Chain) -> int:
    """Return how many more transposes a product of matrices has than its transpose."""
    return sum([1 if t else -1 for _, t in chain if type(t) is bool])


class LabelGraph:
    """A product of values with labels, which is contracted label by label."""

    def __init__(
        self,
        algebra: Algebra,
        wanted: Labels,
        inner: Sequence[int],
        eyes: Sequence[tuple[Any, Labels]],
        symmetric: Collection[int] = (),
    ) -> None:
        self.a, self.wanted, self.inner, self.eyes = algebra, wanted, list(inner), eyes
        self.numbers = Powers(())
        self.vectors: dict[int, Powers] = {}
        self.edges: list[Edge] = []
        self.arrays: dict[frozenset[int], Powers] = {}
        self._symmetric = symmetric

    def product(self, parts: Iterable[tuple[Any, Labels, int, int]]) -> tuple[Any, Labels]:
        """Return the product, and the labels of its axes in the order that is wanted."""
        for value, labels, p, q in parts:
            self._enter(value, labels, p, q)
        for powers in list(self.arrays.values()):
            self._sum_alone(powers)
        self._enter_edges()
        while self._contract_one():
            pass
        return self._result()

    def _enter(self, value: Any, labels: Labels, p: int, q: int) -> None:
        a, own = self.a, distinct(labels)
        if has_delta(labels):
            axes = [(i, k) for i, k in enumerate(labels) if k != UNIT]
            named = tuple([k if k == UNIT else i for i, k in enumerate(labels)])
            value = a.moved(value, named, [i for i, _ in axes])
            if len(axes) == 2:
                value = a.diagonal(value)
            else:
                value = a.einsum([(value, tuple([k for _, k in axes]))], own)
        elif own != labels:
            value = a.moved(value, labels, own)
        if not own:
            self.numbers.add(value, p, q)
        elif len(own) == 1:
            self.vectors.setdefault(own[0], Powers(own)).add(value, p, q)
        else:
            powers = self.arrays.setdefault(frozenset(own), Powers(own))
            if own != powers.labels:
                value = a.moved(value, own, powers.labels)
            powers.add(value, p, q)

    def _value(self, powers: Powers) -> Any:
        return self.a.ratio(powers.above, powers.below)

    def _sum_alone(self, powers: Powers) -> None:
        """Sum an array of more than two axes over the labels that nothing else has."""
        labels = powers.labels
        if len(labels) < 3:
            return
        others = {k for key in self.arrays if key != frozenset(labels) for k in key}
        over = [k for k in labels if k in self.inner and k not in others and k not in self.vectors]
        if over:
            del self.arrays[frozenset(labels)]
            self.inner = [k for k in self.inner if k not in over]
            rest = tuple([k for k in labels if k not in over])
            self._enter(self.a.summed(self._value(powers), labels, over), rest, 1, 0)

    def _enter_edges(self) -> None:
        for key, powers in list(self.arrays.items()):
            if len(key) == 2:
                del self.arrays[key]
                i, j = powers.labels
                if len(powers.above) == 1 and not powers.below and powers.above[0][1] == 1:
                    ((value, _),) = powers.above
                    turns = _SYMMETRIC if id(value) in self._symmetric else False
                    chain: Chain = ((value, turns),)
                else:
                    chain = ((self._value(powers), False),)
                self.edges.append(Edge(i, j, chain))

    def _contract_one(self) -> bool:
        """Sum over a label, if there is one that two matrices at most have."""
        blocked = {k for key in self.arrays for k in key}
        counts = {k: sum(k in e[:2] for e in self.edges) for k in self.inner if k not in blocked}
        k = min(counts, key=lambda k: (counts[k], self._turns_towards(k, counts[k])), default=None)
        if k is None or counts[k] > 2:
            return False
        a = self.a
        self.inner.remove(k)
        here = [e for e in self.edges if k in e[:2]]
        self.edges = [e for e in self.edges if k not in e[:2]]
        weights = self.vectors.pop(k, None)
        if not here:
            assert weights is not None
            if weights.below:
                number = a.summed(self._value(weights), (k,), (k,))
            else:
                number = a.dot(weights.above)
            self.numbers.add(number, 1, 0)
        elif len(here) == 1:
            chain, i = here[0].towards(k)
            if weights is None and self._is_free(i):
                self.inner.remove(i)
                self.numbers.add(a.summed(a.chain(chain), (i, k), (i, k)), 1, 0)
                return True
            vector = a.apply(chain, None if weights is None else self._value(weights))
            self.vectors.setdefault(i, Powers((i,))).add(vector, 1, 0)
        else:
            left, i = here[0].towards(k)
            right, j = here[1].towards(k)
            middle: Chain = () if weights is None else ((self._value(weights), None),)
            self._enter_edge(Edge(i, j, (*left, *middle, *turned(right))))
        return True

    def _turns_towards(self, k: int, count: int) -> int:
        """Return how many transposes a matrix has of which the columns are summed over, if any."""
        here = [e.towards(k)[0] for e in self.edges if k in e[:2]] if count == 1 else []
        return sum(map(_turns, here))

    def _enter_edge(self, edge: Edge) -> None:
        """Enter a product of matrices."""
        a, (i, j, chain) = self.a, edge
        if i == j:
            if self._is_free(i):
                self.inner.remove(i)
                self.numbers.add(a.trace(turned(chain) if _turns(chain) > 0 else chain), 1, 0)
            else:
                self.vectors.setdefault(i, Powers((i,))).add(a.diagonal(a.chain(chain)), 1, 0)
            return
        same = next((e for e in self.edges if {e.i, e.j} == {i, j}), None)
        if same is None:
            self.edges.append(edge)
            return
        self.edges.remove(same)
        back = chain if same.i == j else turned(chain)
        cycle = (*back, *same.chain)
        is_alike = same.i == j or len({t for _, t in cycle if type(t) is bool}) < 2
        if is_alike and self._is_free(i) and self._is_free(j):
            self.inner.remove(same.i)
            self._enter_edge(Edge(same.j, same.j, cycle))
        else:
            value = a.ratio([(a.chain(same.chain), 1), (a.chain(turned(back)), 1)], [])
            self.edges.append(Edge(same.i, same.j, ((value, False),)))

    def _is_free(self, k: int) -> bool:
        """Return whether a label is summed over that nothing has any more."""
        arrays = any(k in key for key in self.arrays)
        edges = any(k in e[:2] for e in self.edges)
        return k in self.inner and k not in self.vectors and not arrays and not edges

    def _result(self) -> tuple[Any, Labels]:
        a = self.a
        known = {*self.vectors, *[k for e in self.edges for k in e[:2]]}
        known.update([k for key in [*self.arrays, *[ks for _, ks in self.eyes]] for k in key])
        labels = tuple([k for k in self.wanted if k in known])
        value: Any
        if not known:
            return self._value(self.numbers), ()
        if self.inner or self.arrays or self.eyes or len(labels) > 2:
            value = self._by_indices(labels)
        elif len(labels) == 1:
            above, below = self.vectors[labels[0]].above, self.vectors[labels[0]].below
            numbers = self.numbers
            return a.ratio([*numbers.above, *above], [*numbers.below, *below]), labels
        else:
            value = self._matrix(*labels)
        numbers = self.numbers
        if numbers.above or numbers.below:
            value = a.ratio([*numbers.above, (value, 1)], numbers.below)
        return value, labels

    def _matrix(self, i: int, j: int) -> Any:
        a = self.a
        left, right = [self.vectors.get(k) for k in (i, j)]
        if not self.edges:
            assert left is not None and right is not None
            if left.above and right.above:
                return a.outer(self._value(left), self._value(right))
            return a.ratio(
                [(a.moved(x, v.labels, (i, j)), n) for v in (left, right) for x, n in v.above],
                [(a.moved(x, v.labels, (i, j)), n) for v in (left, right) for x, n in v.below],
            )
        ((u, _, chain),) = self.edges
        chain = chain if u == i else turned(chain)
        before: Chain = () if left is None else ((self._value(left), None),)
        after: Chain = () if right is None else ((self._value(right), None),)
        return a.chain((*before, *chain, *after))

    def _by_indices(self, labels: Labels) -> Any:
        """Return what is left as a product of each element, or by the labels of its axes."""
        a = self.a
        parts: list[tuple[Any, Labels]] = [
            *self.eyes,
            *[(self._value(powers), powers.labels) for powers in self.arrays.values()],
        ]
        for i, j, chain in self.edges:
            if len(chain) == 1:
                ((value, is_turned),) = chain
                parts.append((value, (j, i) if is_turned else (i, j)))
            else:
                parts.append((a.chain(chain), (i, j)))
        parts += [(self._value(powers), powers.labels) for powers in self.vectors.values()]
        if self.inner or not any(set(labels) == set(ks) for _, ks in parts):
            return a.einsum(parts, labels)
        return a.ratio([(a.moved(value, ks, labels), 1) for value, ks in parts], [])
