"""What rules of derivatives know of the derivatives that their thread is building."""

from __future__ import annotations

import functools
import threading
from typing import Any, NamedTuple

from symgrad.support.scopes import Scope


class Planning(NamedTuple):
    """What rules know of the plan whose derivatives are being built, and leave for it.

    Attributes
    ----------
    given : collection of ArrayExpr
        The nodes whose values a run provides.
    boundaries : collection of ArrayExpr
        The leaves for values that were computed of others, elsewhere.
    read : list of ArrayExpr
        The values of the forward pass for which a rule used the formula, and which must therefore
        still have the value of the formula.
    replaced : list of ArrayExpr
        The nodes in whose place a stable form was differentiated.
    """

    given: Any
    boundaries: Any
    read: list[Any]
    replaced: list[Any]


class _Deriving(threading.local):
    """The derivatives that this thread is building.

    Attributes
    ----------
    depth : int
        How many derivatives are being built, one inside the other.
    again : bool
        Whether the derivatives may be differentiated in turn.
    graph : object or None
        What the innermost sweep knows of the graph that is differentiated.
    plan : Planning or None
        The plan that is being built.
    """

    depth = 0
    again = False
    graph: Any = None
    plan: Planning | None = None


deriving = _Deriving()


class as_written(Scope):  # noqa: N801 - it is read as a participle
    """In a block, apply the rewrites of values to new nodes, and not those of derivatives."""

    def __enter__(self) -> None:
        undo, end = self._undo, len(self._undo)
        undo[end:] = (functools.partial(setattr, deriving, "depth", deriving.depth),)
        deriving.depth = 0


class differentiated_again(Scope):  # noqa: N801 - it is read as a participle
    """In a block, derive formulas that may be differentiated in turn."""

    def __enter__(self) -> None:
        undo, end = self._undo, len(self._undo)
        undo[end:] = (functools.partial(setattr, deriving, "again", deriving.again),)
        deriving.again = True
