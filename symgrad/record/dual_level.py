"""Dual levels: the tangents of tensors while a level of forward mode is entered.

`symgrad.backward.tangents` computes the tangents.
"""

from __future__ import annotations

import weakref
from typing import Any

from symgrad.record.modes import state
from symgrad.support.scopes import Scope, back_to, together

#: Stands for the tensor itself as its own `Dual.origin`; a reference would keep it alive.
ITSELF: Any = object()


class Dual:
    """The tangent of one tensor at a level, or where to find it.

    Attributes
    ----------
    level : DualLevel
        The level to which the tangent belongs.
    value : Tensor or None
        The tangent.
    origin : Tensor, ITSELF or None
        For a view: the tensor of whose tangent the tangent of the view is a view. None stands for
        the base of the view, `ITSELF` for a view with a tangent of its own. Such a view is a dual
        tensor: it shows the memory of the tensor from which it was made, which has no tangent.
    """

    __slots__ = ("__weakref__", "level", "origin", "value")

    def __init__(self, level: DualLevel, value: Any, origin: Any) -> None:
        self.level = level
        self.value = value
        self.origin = origin


class DualLevel:
    """The tangents of all tensors from the beginning to the end of a dual level.

    Attributes
    ----------
    size : int or None
        The length of a leading axis that all tangents have, one for each direction; None if there
        is one direction, and tangents have the shapes of their tensors.
    by_vertex : WeakKeyDictionary
        The tangents of vertices, which a backward pass reads.
    """

    __slots__ = ("_duals", "by_vertex", "size")

    def __init__(self, size: int | None = None) -> None:
        self.size = size
        self.by_vertex: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()
        self._duals: weakref.WeakSet[Dual] = weakref.WeakSet()

    def set_tangent(self, x: Any, value: Any, origin: Any) -> None:
        """Enter the tangent of `x`, or the tensor of whose tangent it is a view."""
        x._dual = found = Dual(self, value, origin)
        self._duals.add(found)

    def forget(self) -> None:
        """Release all tangents."""
        for dual in self._duals:
            dual.value = dual.origin = None
        self._duals.clear()
        self.by_vertex.clear()


class _ForwardMode:
    """The dual level that is entered in a thread."""

    __slots__ = ()

    @property
    def level(self) -> DualLevel | None:
        """The level that is entered, or None."""
        found: DualLevel | None = state.state.special.get("level")
        return found

    @property
    def enabled(self) -> bool:
        """Whether operations compute tangents."""
        found: bool = state.state.special.get("tangents", True)
        return found


forward_mode = _ForwardMode()


class entered(Scope):  # noqa: N801 - it is read as a participle
    """Compute tangents in a block, and forget them at its end.

    Parameters
    ----------
    level : DualLevel
        The level that holds the tangents.
    """

    def __init__(self, level: DualLevel) -> None:
        super().__init__()
        self.level = level

    def __enter__(self) -> None:
        special, undo, end = state.state.special, self._undo, len(self._undo)
        back = together(back_to(special, "level"), self.level.forget)
        undo[end:] = (back,)
        special["level"] = self.level
