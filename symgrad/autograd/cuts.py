"""Where a result was cut off from a graph, noted as it happens for an error message later on.

A note is made only where a tensor that requires a gradient gives one that does not, and handed on
to what is computed from that; recorded operations never look at notes.
"""

from __future__ import annotations

import os
import sys
import weakref
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from symgrad.autograd.modes import state

__all__ = ["PACKAGE", "Cut", "cut_by", "cut_under_mode", "user_frame"]

#: Where the library's own code is; with the separator, so that a neighbour is not taken for it.
PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"


def user_frame() -> FrameType | None:
    """Return the innermost frame that is not the library's own."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame


class Cut:
    """How, and from what, something was cut off from its graph.

    Attributes
    ----------
    how : str
        The operation, as in "detach" or "argmax".
    mode : str
        "no_grad" or "inference_mode", where this is the reason; else empty.
    source : weakref or None
        The tensor that required a gradient.
    made : str
        The name of the node that had made it; empty for a leaf.
    code, at : code and int
        The user's code that did it, and where in it; None where it was not looked for.
    """

    __slots__ = ("at", "code", "how", "made", "mode", "source")

    def __init__(self, how: str, mode: str = "", source: Any = None) -> None:
        self.how = how
        self.mode = mode
        self.source = None if source is None else weakref.ref(source)
        self.made = ""
        self.code: CodeType | None = None
        self.at = 0

    def place(self) -> str:
        """Return file and line, as "train.py:12"; empty where they are not known."""
        if self.code is None:
            return ""
        for start, end, line in self.code.co_lines():
            if start <= self.at < end and line is not None:
                return f"{Path(self.code.co_filename).name}:{line}"
        return ""


def cut_by(how: str, source: Any) -> Cut:
    """Return a note that an operation without derivative was applied to `source`."""
    cut = Cut(how, source=source)
    cut.made = getattr(getattr(source._vertex, "sig", None), "name", "")
    frame = user_frame()
    if frame is not None:
        cut.code, cut.at = frame.f_code, frame.f_lasti
    return cut


# One for each operation and mode: evaluation makes no notes of its own.
_under_mode: dict[tuple[str, bool], Cut] = {}


def cut_under_mode(how: str) -> Cut:
    """Return the note of an operation that was not recorded, as the mode did not want it."""
    inference: bool = state.state.inference
    found = _under_mode.get((how, inference))
    if found is None:
        made = Cut(how, "inference_mode" if inference else "no_grad")
        found = _under_mode.setdefault((how, inference), made)
    return found
