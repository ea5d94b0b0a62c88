"""Errors for the limits of NumPy, in place of the errors that NumPy itself raises for them.

An error is deliberate if a `raise` statement of symgrad or the user's code raised it. Any other
error has leaked from NumPy or Python. If it is due to a limit on memory, axes or numbers, an error
that names the limit replaces it; otherwise it stays as it is.
"""

from __future__ import annotations

import dis
import functools
import re
import sys
import warnings
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, TypeVar

from symgrad.support.frames import OWN, is_of_libraries

F = TypeVar("F", bound=Callable[..., Any])

#: How many axes an array of NumPy's can have.
MAX_AXES = 64


def too_many_axes(count: int) -> str:
    """Return the message for a tensor with more axes than NumPy's arrays can have."""
    return f"a tensor has at most {MAX_AXES} dimensions, as NumPy's arrays, got {count}"


#: NumPy's messages for arrays that are too large.
_TOO_LARGE = re.compile(
    r"^(Maximum allowed (dimension|size) exceeded|array is too big|negative dimensions are not|"
    r"broadcast dimensions too large|iterator is too large|cannot fit 'int' into an index|"
    r"object too deep)"
)
_TOO_MANY_AXES = re.compile(
    r"^(maximum supported dimension for an ndarray is|this function only supports up to|"
    r"ndmin must be <=|number of dimensions must be within)"
)


def leaked(error: BaseException) -> bool:
    """Return whether an error was raised neither by a `raise` of symgrad nor by the user's code."""
    last: TracebackType | None = error.__traceback__
    if last is None:
        return False
    while True:
        if not is_of_libraries(last.tb_frame.f_code.co_filename):
            return False
        if last.tb_next is None:
            break
        last = last.tb_next
    code = last.tb_frame.f_code
    if not code.co_filename.startswith(OWN):
        return True
    return dis.opname[code.co_code[last.tb_lasti]] != "RAISE_VARARGS"


def limit(error: Exception, call: str) -> Exception | None:
    """Return the error for a limit of NumPy's that the body of a function met; None for another."""
    return _limit(error, call) if leaked(error) else None


def _limit(error: Exception, call: str) -> Exception | None:
    """Return the error for the limit that was met; None if no limit was."""
    text = str(error)
    axes = _TOO_MANY_AXES.match(text)
    if axes is not None:
        found = re.search(r"(?:found|array has) (\d+)", text)
        return RuntimeError(f"{call}(): {too_many_axes(int(found[1]) if found else MAX_AXES + 1)}")
    if text.startswith("when no subspace is given"):
        return RuntimeError(
            f"{call}(): elements are taken along an axis of at most 63 dimensions, as of NumPy's "
            "arrays"
        )
    if isinstance(error, MemoryError) or _TOO_LARGE.match(text):
        return RuntimeError(f"{call}(): not enough memory for a tensor of that size")
    if isinstance(error, OverflowError) and "int" in text:
        return ValueError("Overflow when unpacking long long")
    if isinstance(error, OverflowError):
        return RuntimeError(f"{call}(): value cannot be converted without overflow: {text}")
    return None


def limited(call: str) -> Callable[[F], F]:
    """Let the calls of the decorated function fail with errors that are raised on purpose.

    Parameters
    ----------
    call : str
        The function, as messages name it.
    """

    def decorate(f: F) -> F:
        @functools.wraps(f)
        def checked(*args: Any, **kwargs: Any) -> Any:
            try:
                return f(*args, **kwargs)
            except Exception as error:
                other = limit(error, call)
                if other is None:
                    raise
            try:
                raise other
            finally:
                del other  # the traceback of an error holds the variables

        return checked  # type: ignore[return-value]

    return decorate


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn of the line of the user's program that led here, however many calls lie between."""
    level = 1
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code.co_filename.startswith((*OWN, "<symgrad")):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
