"""Dual levels: who has which tangent, as long as a level of forward mode is entered.

How tangents are computed stands in `symgrad.backward.tangents`.
"""

from __future__ import annotations

import weakref
from typing import Any

from symgrad.record.modes import state
from symgrad.support.scopes import Scope, back_to, together

__all__ = ["ITSELF", "Dual", "Level", "entered", "forward"]


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


class _Forward:
    """What is entered in a thread."""

    __slots__ = ()

    @property
    def level(self) -> Level | None:
        """The level that is entered."""
        found: Level | None = state.state.special.get("level")
        return found

    @property
    def enabled(self) -> bool:
        """Whether tangents are seen at all."""
        found: bool = state.state.special.get("tangents", True)
        return found


forward = _Forward()


class entered(Scope):  # noqa: N801 - it is read as a participle
    """Compute tangents in a block, and forget them at its end.

    Parameters
    ----------
    level : Level
        What knows them.
    """

    def __init__(self, level: Level) -> None:
        super().__init__()
        self.level = level

    def __enter__(self) -> None:
        special, undo, end = state.state.special, self._undo, len(self._undo)
        back = together(back_to(special, "level"), self.level.forget)
        undo[end:] = (back,)
        special["level"] = self.level
