"""Whether code of SymPy's asks something of a formula: which part of SymPy, and for which call.

What such code is answered is stated in `door` and `plain_form`.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any

import sympy

from symgrad.lower.lambdify import kept

_SYMPY = os.path.dirname(sympy.__file__) + os.sep
LAMBDIFY = sys.modules["sympy.utilities.lambdify"].__file__

#: The parts of SymPy that compute with formulas. The others hold, print and visit them as trees.
ALGORITHMS = frozenset(
    ("calculus", "concrete", "functions", "integrals", "polys", "series", "simplify", "solvers")
)
#: The other parts that take an object for a symbol or a condition by its class.
ASKING_CLASSES = ALGORITHMS | {
    "assumptions",
    "geometry",
    "logic",
    "sets",
    "stats",
    "tensor",
    "vector",
}


@functools.lru_cache(maxsize=1024)
def _part_of(file: str) -> str:
    if not file.startswith(_SYMPY) or file == LAMBDIFY:
        return ""
    return file[len(_SYMPY) :].partition(os.sep)[0]


def asking(frame: FrameType | None) -> str:
    """Return the part of SymPy whose code runs in a frame, such as "solvers"; "" if it is none.

    SymPy's `lambdify` is none, which reads formulas as trees.
    """
    return "" if frame is None or kept.on else _part_of(frame.f_code.co_filename)


def is_user(frame: FrameType) -> bool:
    """Whether a frame runs code of a user's: not of SymPy's, to which `lambdify` belongs here."""
    return not kept.on and not frame.f_code.co_filename.startswith(_SYMPY)


def frames_of_call(frame: FrameType | None) -> Iterator[FrameType]:
    """Return the frames of SymPy's code that lead to a frame, from the last call to the first."""
    while frame is not None and asking(frame):
        yield frame
        frame = frame.f_back


def arguments(frame: FrameType) -> list[Any]:
    """Return the arguments of the call that runs in a frame, as far as they still have names."""
    code = frame.f_code
    count = code.co_argcount + code.co_kwonlyargcount
    count += bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)  # *args and **kwargs
    values = frame.f_locals
    return [values[name] for name in code.co_varnames[:count] if name in values]


def name_of_call(frames: Sequence[FrameType]) -> str:
    """Return the name of what a user called, from the frames of SymPy's code that it led to."""
    names = [frame.f_code.co_name for frame in frames]
    place = max([i for i, name in enumerate(names) if name != "wrapper"], default=0)
    if names[place] == "__new__":
        return str(arguments(frames[place])[0].__name__)
    return names[place]
