"""The errors of tracing: a function needs the values of an array, and a formula has none.

A function that raises one of these errors when it is traced has no formula. Every other error is a
mistake or deliberate, and reaches the user unchanged.
"""

from __future__ import annotations

import linecache
import traceback
from typing import NamedTuple

from symgrad.support.frames import is_of_libraries

__all__ = [
    "Untraceable",
    "UntraceableMember",
    "UntraceableShape",
    "UntraceableValue",
    "Untraced",
    "cause_of",
    "place_of",
]


class Untraceable(Exception):  # noqa: N818 - it says what a formula is not
    """A function needs more of a symbolic array than its formula."""


class UntraceableValue(Untraceable, TypeError):
    """A function needs the elements of a symbolic array, as `bool(x)` does."""


class UntraceableShape(Untraceable, IndexError):
    """The shape of a result depends on elements of a symbolic array, as that of `x[mask]` does."""


class UntraceableMember(Untraceable, AttributeError):
    """A function uses an attribute that tensors have and symbolic arrays have not."""


class Untraced(NamedTuple):
    """Why a function has no formula.

    Attributes
    ----------
    function : str
        Its name in formulas.
    reason : str
        What tracing cannot do.
    place : str
        The line of the function that asks for it, with its file.
    """

    function: str
    reason: str
    place: str

    def __str__(self) -> str:
        where = f"\n    {self.place}" if self.place else ""
        return f"{self.function} has no formula: {self.reason}{where}"


def cause_of(error: BaseException) -> Untraceable | None:
    """Return the `Untraceable` that is an error or its cause; None where there is none.

    NumPy, for example, raises its own error after a symbolic array refused to become a number.
    """
    found: BaseException | None = error
    seen: set[int] = set()
    while found is not None and id(found) not in seen:
        if isinstance(found, Untraceable):
            return found
        seen.add(id(found))
        found = found.__cause__ or found.__context__
    return None


def place_of(error: BaseException) -> str:
    """Return the line of the user's program that raised an error, as "train.py:12: y = bool(x)"."""
    frames = [
        (frame.f_code.co_filename, line)
        for one in (error, error.__context__)
        if one is not None
        for frame, line in traceback.walk_tb(one.__traceback__)
    ]
    for file, line in reversed(frames):
        if not is_of_libraries(file):
            text = linecache.getline(file, line).strip()
            return f"{file}:{line}" + (f": {text}" if text else "")
    return ""
