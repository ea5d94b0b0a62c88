"""Labels of axes, which say what a product does to its factors.

A product has an *output label* for each axis of its value, and each factor labels of its own axes:

    an output label that no factor has      repeats (a broadcast)
    an output label that stands twice       is a diagonal (a Kronecker delta)
    another order of labels                 is a transpose
    UNIT in the place of a label            is an axis of length one, at which nothing happens
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

UNIT = -1
Labels = tuple[int, ...]
L = TypeVar("L", bound=Hashable)

#: The most orders of labels that are tried where their places do not tell them apart.
MOST_ORDERS = 24


def axis_labels(shape: Sequence[int]) -> Labels:
    """Return the labels of an array that neither repeats nor has zeros off a diagonal.

    They are 0, 1, …; axes of length one have UNIT.
    """
    if 1 not in shape:
        return tuple(range(len(shape)))
    count = itertools.count()
    return tuple([UNIT if n == 1 else next(count) for n in shape])


def right(shape: Sequence[int], rank: int) -> range:
    """Return the labels with which a shape is broadcast to an array of `rank` axes."""
    return range(rank - len(shape), rank)


def has_delta(labels: Sequence[Any]) -> bool:
    """Return whether a label stands twice, so that there are zeros off a diagonal."""
    count = len(labels)
    if count == 2:  # nearly all that have more than one
        return bool(labels[0] == labels[1] != UNIT)
    return count > 1 and len(set(labels)) < count - max(0, labels.count(UNIT) - 1)


def distinct(labels: Iterable[Any]) -> tuple[Any, ...]:
    """Return the labels that axes longer than one have, each once, in the order given."""
    return tuple([k for k in dict.fromkeys(labels) if k != UNIT])


def broadcast_labels(a: Labels, b: Labels) -> Labels | None:
    """Return the labels of the product of two arrays as NumPy broadcasts them.

    None where their axes do not lie above one another.
    """
    if a == b:
        return a
    rank = max(len(a), len(b))
    a, b = (UNIT,) * (rank - len(a)) + a, (UNIT,) * (rank - len(b)) + b
    made = []
    for j, k in zip(a, b, strict=True):
        if j != k and j != UNIT and k != UNIT:
            return None
        made.append(k if j == UNIT else j)
    return None if has_delta(made) else tuple(made)


def lies_in(labels: Labels, target: Sequence[int]) -> bool:
    """Return whether an array broadcasts to one with the labels `target` as it is."""
    return len(labels) <= len(target) and all(
        j in (UNIT, k) for j, k in zip(labels[::-1], target[::-1], strict=False)
    )


def in_canonical_order(
    groups: Sequence[Sequence[L]],
    places: Callable[[Mapping[L, int]], Mapping[L, Any]],
    written: Callable[[Mapping[L, int]], Any],
) -> tuple[list[list[L]], Any]:
    """Return labels in the orders that depend on the structure alone, and the structure in them.

    The labels are told apart by their places, then by the places of the labels beside them. Among
    the orders of those that are still alike, of which at most `MOST_ORDERS` are tried, those
    count in which the structure is written smallest; there are several if it is symmetric. Where
    there are more to try, equal structures may be taken for different ones.

    Parameters
    ----------
    groups : sequence of sequence of labels
        The labels, in groups whose order is given.
    places : callable
        Returns what can be compared of the places of each label, given a number for each label,
        which is the same for those that are alike.
    written : callable
        Returns the structure in numbers of labels.
    """
    for _ in range(2):
        if all(len(g) == 1 for g in groups):
            break
        color = {k: i for i, g in enumerate(groups) for k in g}
        found = places(color)
        groups = [
            list(alike)
            for g in groups
            for _, alike in itertools.groupby(sorted(g, key=found.__getitem__), found.__getitem__)
        ]
    best: list[list[L]] = []
    structure: Any = None
    choices = itertools.product(*map(itertools.permutations, groups))
    for choice in itertools.islice(choices, MOST_ORDERS):
        order = [k for g in choice for k in g]
        made = written({k: i for i, k in enumerate(order)})
        if structure is None or made < structure:
            best, structure = [order], made
        elif made == structure:
            best.append(order)
    return best, structure


def as_one(pairs: Iterable[tuple[L, L]], labels: Collection[L]) -> dict[L, L]:
    """Return for each label the one that stands for it, where pairs are made equal."""
    first = {k: k for k in labels}
    members: dict[L, list[L]] = {}
    for a, b in pairs:
        a, b = first[a], first[b]
        if a != b:
            moved = members.pop(b, [b])
            members.setdefault(a, [a]).extend(moved)
            first.update(dict.fromkeys(moved, a))
    return first
