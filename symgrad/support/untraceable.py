"""What tracing cannot do: the errors of formulas that are asked for what only values have.

A function that meets one of these errors has no formula. Every other error is a mistake, or raised
on purpose, and reaches the user as it is.
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
    """Return what tracing cannot do and led to an error: the error itself, or what caused it.

    NumPy, for one, raises an error of its own where a symbolic array refused to become a number.
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
