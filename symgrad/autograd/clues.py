"""What error messages know of the user's program: names of variables, and places in it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from symgrad.autograd.tape import Alone, Boundary, Leaf, Node, accumulator

__all__ = ["called", "node_of", "user_frame", "variable"]

_PACKAGE = str(Path(__file__).parents[1])


def user_frame() -> FrameType | None:
    """Return the innermost frame that is not the library's own."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame


def variable(holds: Callable[[Any], bool]) -> str:
    """Return the name of the user's variable for whose value `holds` is true, or an empty string.

    The frames of the call are searched from the innermost on, then the globals of that one. Names
    with an underscore in front are nobody's choice of a name.
    """
    for scope in _scopes(user_frame()):
        for name, value in list(scope.items()):
            if not name.startswith("_") and holds(value):
                return name
    return ""


def _scopes(frame: FrameType | None) -> Iterator[dict[str, Any]]:
    here = frame
    while frame is not None:
        yield frame.f_locals
        frame = frame.f_back
    if here is not None:
        yield here.f_globals


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
