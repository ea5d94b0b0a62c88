"""The place where a result was cut off from a graph, for the message of a later error.

A `Cut` is made only where an operation on a tensor that requires a gradient gives one that does
not, and it is passed on to the results computed from that. Recorded operations never read cuts.
"""

from __future__ import annotations

import weakref
from types import CodeType
from typing import Any

from symgrad.record.modes import state
from symgrad.record.user_code import line_of, user_frame


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
    words : tuple of str or None
        What an error says of it, as in `Primitive.cut`; None of a primitive, which says it.
    made : str
        The name of the node that had made it; empty for a leaf.
    code, at : code and int
        The user's code that called the operation, and the offset in it; None where not searched.
    """

    __slots__ = ("at", "code", "how", "made", "mode", "source", "words")

    def __init__(self, how: str, mode: str = "", source: Any = None) -> None:
        self.how = how
        self.mode = mode
        self.source = None if source is None else weakref.ref(source)
        self.made = ""
        self.words: tuple[str, str] | None = None
        self.code: CodeType | None = None
        self.at = 0

    def place(self) -> str:
        """Return file and line, as "train.py:12"; empty where they are not known."""
        return "" if self.code is None else line_of(self.code, self.at)


def cut_by(how: str, source: Any, words: tuple[str, str] | None = None) -> Cut:
    """Return the cut by an operation without derivative that was applied to `source`."""
    cut = Cut(how, source=source)
    cut.words = words
    cut.made = getattr(getattr(source._vertex, "sig", None), "name", "")
    frame = user_frame()
    if frame is not None:
        cut.code, cut.at = frame.f_code, frame.f_lasti
    return cut


# One cut for each operation and mode: evaluation makes no notes of its own. The `forward` of a
# custom function has a table of its own, which tells what was computed in it.
_under_mode: dict[tuple[str, bool], Cut] = {}


def cut_under_mode(how: str) -> Cut:
    """Return the cut by an operation that was not recorded because of the grad mode."""
    inference: bool = state.state.inference
    notes: dict[tuple[str, bool], Cut] = state.state.special.get("cuts", _under_mode)
    found = notes.get((how, inference))
    if found is None:
        made = Cut(how, "inference_mode" if inference else "no_grad")
        found = notes.setdefault((how, inference), made)
    return found
