"""What error messages know of the user's program: names of variables, and places in it."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from symgrad.autograd.cuts import user_frame
from symgrad.autograd.tape import Alone, Boundary, Leaf, Node, accumulator

__all__ = ["called", "node_of", "variable"]


def variable(holds: Callable[[Any], bool]) -> str:
    """Return the name of the user's variable for whose value `holds` is true, or an empty string.

    The frames of the call are searched from the innermost on, then the globals of that one. Names
    with an underscore in front are nobody's choice of a name.
    """
    frame = here = user_frame()
    while frame is not None:
        found = _name_in(frame.f_locals, holds)
        _forget_snapshot(frame)
        if found:
            return found
        frame = frame.f_back
    return "" if here is None else _name_in(here.f_globals, holds)


def _name_in(scope: Mapping[str, Any], holds: Callable[[Any], bool]) -> str:
    for name, value in list(scope.items()):
        if name.isidentifier() and not name.startswith("_") and holds(value):
            return name
    return ""


def _forget_snapshot(frame: FrameType) -> None:
    """Empty what `f_locals` left behind in a frame: it would keep alive what the user deletes.

    Before Python 3.13 it is a copy of the local variables, which the frame holds on to; where the
    user has it as well, from `locals()`, it stays.
    """
    scope: Any = frame.f_locals
    is_copy = frame.f_code.co_flags & inspect.CO_OPTIMIZED and type(scope) is dict
    if is_copy and sys.getrefcount(scope) <= _REFERENCES:
        scope.clear()


# The frame's own reference, the variable's, and the argument's.
_REFERENCES = 3


def called(tensor: Any) -> str:
    """Return what the user calls a tensor: its own name, or that of a variable; else nothing."""
    return tensor._name or variable(lambda value: value is tensor)


def node_of(vertex: Any) -> Any:
    """Return the node that users see for a vertex: that of a leaf accumulates its gradient."""
    if isinstance(vertex, (Alone, Boundary)):
        vertex = vertex.vertex
    if isinstance(vertex, Leaf):
        return accumulator(vertex)
    return vertex.result[0] if isinstance(vertex, Node) else vertex
