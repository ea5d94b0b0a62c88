"""Graphs that differ in the places of views alone, as the row of `P[u]`, and their common plan.

A view at other places is another operation, so each graph of such views has a plan of its own,
whose gradient writes into one part. Where graphs that are alike but for the places were met a few
times, a plan is made that is given the places: there a view is indexed by arrays of a run.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from symgrad.backward.walking import Walk
from symgrad.expr.atoms import ArrayConst, Placeholder
from symgrad.expr.dtypes import int64
from symgrad.expr.node import ArrayExpr
from symgrad.ops.indexing import index
from symgrad.record.signature import Signature
from symgrad.record.tape import Node
from symgrad.support.locks import new_lock

#: From how many graphs on that are alike they have a common plan, and the most views of one.
_FEW, _MOST_VIEWS = 4, 8
#: How many kinds of graphs are counted.
_MOST_KINDS = 256

#: What a plan has whose views stand where they stood.
NO_VIEWS: Mapping[int, int] = MappingProxyType({})


class Moving(NamedTuple):
    """The views of a graph whose places a plan may be given.

    Attributes
    ----------
    key : tuple
        The key of the plan, which graphs have in common that differ in these places.
    views : dict
        For the position of each of these views, where its first place stands among the values.
    places : list of numpy.ndarray
        The places, in the order of the values.
    """

    key: tuple[Any, ...]
    views: dict[int, int]
    places: list[Any]


def moving_views(walked: Walk, key: tuple[Any, ...]) -> Moving | None:
    """Return the views that may move, given the key of the plan of a graph; None if none may."""
    views: dict[int, int] = {}
    places: list[int] = []
    for i, vertex in enumerate(walked.order):
        if vertex.__class__ is Node and vertex.sig.__class__ is Signature and vertex.sig.family:
            if len(views) == _MOST_VIEWS:
                return None
            views[i] = len(walked.values) + len(places)
            places += vertex.sig.places
    if not views:
        return None
    common = [x.family or x if x.__class__ is Signature else x for x in key]
    return Moving(("moving", *common), views, [np.array(k) for k in places])


class _Met:
    """How many graphs of each kind were met."""

    def __init__(self) -> None:
        self._counts: OrderedDict[Any, int] = OrderedDict()
        self._lock = new_lock()

    def often(self, key: Any) -> bool:
        """Count a graph, and return whether enough of its kind were met."""
        with self._lock:
            count = self._counts.pop(key, 0) + 1
            self._counts[key] = count
            while len(self._counts) > _MOST_KINDS:
                self._counts.popitem(last=False)
        return count > _FEW

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._counts.clear()


met = _Met()


def view_at(x: ArrayExpr, sig: Signature, first: int, given: dict[ArrayExpr, int]) -> ArrayExpr:
    """Return the formula of a view at given places, which are entered in `given`.

    Parameters
    ----------
    x : ArrayExpr
        The operand.
    first : int
        Where its first place stands among the values.
    """
    assert sig.family is not None
    indices: list[Any] = []
    spec: list[bool] = []
    for entry in sig.family.pattern:
        moves = entry is None or len(entry) == 2
        spec.append(moves)
        if not moves:
            continue
        place: Any = Placeholder(f"p{first + len(indices)}", (), int64)
        given[place] = first + len(indices)
        if entry is not None:
            length, step = entry
            place = ArrayConst(np.arange(0, length * step, step)) + place
        indices.append(place)
    while not spec[-1]:
        spec.pop()
    return index.of(x, *indices, tuple(spec), (0,) * len(indices))
