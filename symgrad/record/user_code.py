"""The user's program, as error messages know it: names of its variables, and places in it."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

#: Where the library's own code is; with the separator, so that a neighbour is not taken for it.
#: Code that it generates is between angle brackets.
PACKAGE = (f"{Path(__file__).parents[1]}{os.sep}", "<symgrad")


def user_frame() -> FrameType | None:
    """Return the innermost frame that is not the library's own."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame


def line_of(code: CodeType, at: int) -> str:
    """Return file and line of an instruction, as "train.py:12"; empty where there is no line."""
    for start, end, line in code.co_lines():
        if start <= at < end and line is not None:
            return f"{Path(code.co_filename).name}:{line}"
    return ""


def variable(holds: Callable[[Any], bool]) -> str:
    """Return the name of the user's variable for whose value `holds` is true, or an empty string.

    The frames of the call are searched from the innermost on, then the globals of that one. Names
    with an underscore in front are nobody's choice of a name. Frames that a debugger may be
    stopped in are left alone.
    """
    frame = here = user_frame()
    traced = sys.gettrace() is not None or sys.getprofile() is not None
    while frame is not None:
        traced = traced or frame.f_trace is not None
        if not _is_copied(frame):
            found = _name_in(frame.f_locals, holds)
        elif traced:
            found = ""
        else:
            found = _name_in(frame.f_locals, holds)
            _forget_snapshot(frame)
        if found:
            return found
        frame = frame.f_back
    return "" if here is None else _name_in(here.f_globals, holds)


def _is_copied(frame: FrameType) -> bool:
    """Return whether `f_locals` of a frame copies its variables, as it does before Python 3.13.

    The frame keeps the copy, and when a trace function that was called for it returns, Python
    writes the copy back into the variables. So whoever asks for a new copy meanwhile undoes what
    a debugger has assigned, and whoever empties it deletes the variables.
    """
    return sys.version_info < (3, 13) and bool(frame.f_code.co_flags & inspect.CO_OPTIMIZED)


def _name_in(scope: Mapping[str, Any], holds: Callable[[Any], bool]) -> str:
    for name, value in list(scope.items()):
        if name.isidentifier() and not name.startswith("_") and holds(value):
            return name
    return ""


def _forget_snapshot(frame: FrameType) -> None:
    """Empty what `f_locals` left behind in a frame: it would keep alive what the user deletes.

    Where the user has it as well, from `locals()`, it stays.
    """
    scope: Any = frame.f_locals
    if sys.getrefcount(scope) <= _REFERENCES:
        scope.clear()


# The frame's own reference, the variable's, and the argument's.
_REFERENCES = 3


def called(tensor: Any) -> str:
    """Return what the user calls a tensor: its own name, or that of a variable; else nothing."""
    return tensor._name or variable(lambda value: value is tensor)
