"""The errors of tracing: a function needs the values of an array, and a formula has none.

A function that raises one of these errors when it is traced has no formula, even if it catches the
error. Every other error is a mistake or deliberate, and reaches the user unchanged.
"""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple, Protocol

from symgrad.support.frames import is_of_libraries


class Untraceable(Exception):  # noqa: N818 - it says what a formula is not
    """A function needs more of a symbolic array than its formula.

    Attributes
    ----------
    place : tuple or None
        File and line of the function that led to the error; None outside of traces.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.place: tuple[str, int] | None = None
        if running_trace.errors is not None:
            self.place = traced_place(sys._getframe(1))
            running_trace.errors.append(self)


class UntraceableValue(Untraceable, TypeError):
    """A function needs the elements of a symbolic array, as `bool(x)` does."""


class UntraceableArray(Untraceable, TypeError):
    """NumPy needs an array of the elements of a symbolic array, as `np.asarray(x)` does."""


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
    return next((found for found in _causes(error) if isinstance(found, Untraceable)), None)


def _causes(error: BaseException) -> list[BaseException]:
    """Return an error, its cause, the cause of that, and so on."""
    causes = [error]
    while (found := causes[-1].__cause__ or causes[-1].__context__) and found not in causes:
        causes.append(found)
    return causes


def place_of(error: Untraceable) -> str:
    """Return the line of the user's program that led to an error, as "train.py:12: y = bool(x)"."""
    return "" if error.place is None else shown_line(*error.place)


def shown_line(file: str, line: int) -> str:
    """Return a line of a program with its place, as "train.py:12: y = bool(x)"."""
    text = linecache.getline(file, line).strip()
    return f"{file}:{line}" + (f": {text}" if text else "")


class TensorsAround(Protocol):
    """The tensors that a traced function reads from around it."""

    def formula(self, x: Any) -> Any:
        """Return what stands for a tensor in formulas."""

    def holds(self, x: Any) -> bool:
        """Return whether an object is a tensor from around the function, whose value may change."""

    def note_elements(self, x: Any) -> None:
        """Note that the function reads the elements of a tensor."""


def is_around(x: Any) -> bool:
    """Return whether an object is a tensor from around a function that is being compiled."""
    return running_trace.tensors is not None and running_trace.tensors.holds(x)


def note_elements(x: Any) -> None:
    """Note that Python, and not a formula, reads the elements of a tensor."""
    if running_trace.tensors is not None:
        running_trace.tensors.note_elements(x)


class _Trace(threading.local):
    """The innermost trace of this thread.

    Attributes
    ----------
    errors : list or None
        The errors of the trace, in their order; None outside of traces.
    tensors : TensorsAround or None
        What the traced function reads from around it, where that is to be found anew at each call.
    """

    errors: list[Untraceable] | None = None
    tensors: TensorsAround | None = None


#: Carried into the threads of nested passes (`symgrad.record.nesting`).
running_trace = _Trace()


def is_traced() -> bool:
    """Return whether a user's function is being called on formulas for its formula."""
    return running_trace.errors is not None


def in_trace() -> str:
    """Return what an error begins with where a function is traced; "" elsewhere."""
    return "while its function is traced, " if is_traced() else ""


def is_asked_by_traced_code() -> bool:
    """Return whether the caller of the caller is code of the user's that is being traced."""
    return running_trace.errors is not None and not is_of_libraries(
        sys._getframe(2).f_code.co_filename
    )


def traced(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Call a user's function on formulas.

    Raises
    ------
    Untraceable
        The first that was raised meanwhile, even if the function caught it: the branch that it then
        took need not be the one that it takes with values.
    """
    outer = running_trace.errors
    errors: list[Untraceable] = []
    running_trace.errors = errors
    try:
        result = f(*args, **kwargs)
    except Exception as error:
        if errors and errors[0] not in _causes(error):
            raise _caught(errors[0]) from error
        raise
    finally:
        running_trace.errors = outer
    if errors:
        raise _caught(errors[0])
    return result


def _caught(error: Untraceable) -> Untraceable:
    error.add_note(f"The function caught this error at {place_of(error)}")
    return error


def traced_place(frame: FrameType | None) -> tuple[str, int] | None:
    """Return file and line of the innermost frame of the user's function that is being traced.

    Parameters
    ----------
    frame : frame or None
        Where to begin; the frames that called it follow.
    """
    while frame is not None and frame.f_code is not traced.__code__:
        if not is_of_libraries(frame.f_code.co_filename):
            return frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back
    return None
