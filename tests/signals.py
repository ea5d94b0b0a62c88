"""Signals that arrive before a chosen instruction of a call; no clock is read.

Python runs the handler of a signal where it looks for signals next: where a function begins, after
a call of what is written in C, and where a loop goes round. That is left to Python here: the
handler runs wherever it would.
"""

from __future__ import annotations

import _thread
import dis
import gc
import operator
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

#: An instruction: the code, and the place in it.
Place = tuple[CodeType, int]

#: What may be followed by a look for signals, in this function or in its caller.
_LOOKS = ("CALL", "RETURN", "EXTENDED_ARG")


class _Arrival:
    """Lets SIGINT arrive where its negative is taken, in the main thread.

    After a call, Python would look for signals at once, and find this one in the tracing function.
    """

    __neg__ = _thread.interrupt_main


_arrival: Any = _Arrival()


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep cycles: when they would be collected depends on all that was made before."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _traced(run: Callable[[], Any], called: Any) -> None:
    """Call `run`, and a tracing function where a function begins."""
    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # Python 3.12 asks for it before it traces
    sys.settrace(called)
    try:
        operator.call(run)  # it is written in C: a signal that has arrived is seen after it
    finally:
        sys.settrace(before)


def places(run: Callable[[], Any]) -> list[Place]:
    """Return the instructions of a call that may bring a look for signals, as they are met."""
    found: dict[Place, None] = {}

    def look(frame: Any, event: str, arg: Any) -> Any:
        frame.f_trace_opcodes = True  # Python 3.13 asks for it in a frame that is traced
        found[frame.f_code, frame.f_lasti] = None
        return look

    with uncollected():
        _traced(run, look)
    return [place for place in found if _looks(*place)]


def _looks(code: CodeType, at: int) -> bool:
    name = dis.opname[code.co_code[at]] if at >= 0 else ""
    return name.startswith(_LOOKS) or "BACKWARD" in name


def signalled(run: Callable[[], Any], at: Place, handle: Callable[[], Any]) -> bool:
    """Call `run`, in which a signal arrives when an instruction is met, and `handle` handles it.

    What `handle` raises ends `run`, and no more. Return whether the signal arrived: it does not
    where the instruction is not met.
    """
    code, place = at
    arrived = False
    raised: list[BaseException] = []

    def called(frame: Any, event: str, arg: Any) -> Any:
        if frame.f_code is not code:
            return None
        return look(frame, event, arg)

    def look(frame: Any, event: str, arg: Any) -> Any:
        frame.f_trace_opcodes = True  # Python 3.13 asks for it in a frame that is traced
        if frame.f_lasti == place:
            sys.settrace(None)
            _ = -_arrival
        return look

    def handler(number: int, frame: Any) -> None:
        nonlocal arrived
        arrived = True
        try:
            handle()
        except BaseException as error:
            raised.append(error)
            raise

    before = signal.signal(signal.SIGINT, handler)
    try:
        with uncollected():
            _traced(run, called)
    except BaseException as error:
        if not any(error is known for known in raised):
            raise
    finally:
        signal.signal(signal.SIGINT, before)
    return arrived
