"""The user's program, as error messages know it: names of its variables, and places in it."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

#: How the file names of the library's own code begin: with its folder and a separator, so that no
#: folder of a longer name counts, or, for code that the library generates, with an angle bracket.
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

    Names that begin with an underscore do not count, since users do not mean them to be shown.
    """
    return next((name for name, value in _variables() if holds(value)), "")


def variables(values: Iterable[Any]) -> dict[int, str]:
    """Return the names of the user's variables that hold some objects, by the `id` of these."""
    found: dict[int, str] = {}
    wanted = {id(value) for value in values}
    for name, value in _variables():
        if id(value) in wanted:
            found.setdefault(id(value), name)
            if len(found) == len(wanted):
                break
    return found


def _variables() -> Iterator[tuple[str, Any]]:
    """Yield the user's variables by their names, but for names that begin with an underscore.

    They are those of the frames of the call from the innermost outwards, then the globals of the
    innermost. Frames in which a debugger may have stopped are not searched.
    """
    frame = here = user_frame()
    traced = sys.gettrace() is not None or sys.getprofile() is not None
    while frame is not None:
        traced = traced or frame.f_trace is not None
        if not _is_copied(frame):
            yield from _shown(frame.f_locals)
        elif not traced:
            shown = _shown(frame.f_locals)
            _forget_snapshot(frame)
            yield from shown
        frame = frame.f_back
    if here is not None:
        yield from _shown(here.f_globals)


def _is_copied(frame: FrameType) -> bool:
    """Return whether `f_locals` of a frame copies its variables, as it does before Python 3.13.

    The frame keeps the copy, and when a trace function that was called for the frame returns,
    Python writes the copy back into the variables. So a new copy that is made meanwhile undoes what
    a debugger has assigned, and a copy that is emptied deletes the variables.
    """
    return sys.version_info < (3, 13) and bool(frame.f_code.co_flags & inspect.CO_OPTIMIZED)


def _shown(scope: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [
        (name, value)
        for name, value in list(scope.items())
        if name.isidentifier() and not name.startswith("_")
    ]


def _forget_snapshot(frame: FrameType) -> None:
    """Empty the copy that `f_locals` left in a frame, which would keep alive what the user deletes.

    A copy that the user holds as well, from `locals()`, stays as it is.
    """
    scope: Any = frame.f_locals
    if sys.getrefcount(scope) <= _REFERENCES:
        scope.clear()


# The frame's own reference, the variable's, and the argument's.
_REFERENCES = 3


def users_name(tensor: Any) -> str:
    """Return the name of a tensor, or of the user's variable that holds it, or an empty string."""
    return tensor._name or variable(lambda value: value is tensor)
