"""Dual levels: who has which tangent, as long as a level of forward mode is entered.

How tangents are computed stands in `symgrad.autograd.tangents`.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

from symgrad.autograd.nesting import carried

__all__ = ["ITSELF", "Dual", "Level", "forward"]


#: Stands for the tensor that says so, which would keep itself alive.
ITSELF: Any = object()


class Dual:
    """What a level knows of one tensor.

    Attributes
    ----------
    level : Level
        The level that knows it.
    value : Tensor or None
        The tangent.
    origin : Tensor, ITSELF or None
        Of views: the tensor whose tangent is theirs as well. None stands for the base of the view,
        `ITSELF` for a view that moves on its own, as a dual tensor does: the tensor that it was
        made of, whose memory it shares, does not move.
    """

    __slots__ = ("__weakref__", "level", "origin", "value")

    def __init__(self, level: Level, value: Any, origin: Any) -> None:
        self.level = level
        self.value = value
        self.origin = origin


class Level:
    """Everything that moves between `enter` and `leave`.

    Attributes
    ----------
    size : int or None
        The length of a leading axis that all tangents have, one for each direction; None if there
        is one direction, and tangents have the shapes of their tensors.
    by_vertex : WeakKeyDictionary
        The tangents of values that the tape knows: those that a backward pass reads.
    """

    __slots__ = ("_known", "by_vertex", "size")

    def __init__(self, size: int | None = None) -> None:
        self.size = size
        self.by_vertex: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
        self._known: weakref.WeakSet[Dual] = weakref.WeakSet()

    def know(self, x: Any, value: Any, origin: Any) -> None:
        """Note what is known of `x`."""
        x._dual = found = Dual(self, value, origin)
        self._known.add(found)

    def forget(self) -> None:
        """Let go of all tangents."""
        for dual in self._known:
            dual.value = dual.origin = None
        self._known.clear()
        self.by_vertex.clear()


class _Forward(threading.local):
    """What is entered in a thread.

    Attributes
    ----------
    level : Level or None
        The level that is entered.
    enabled : bool
        Whether tangents are seen at all.
    """

    level: Level | None = None
    enabled = True


forward = carried(_Forward())
