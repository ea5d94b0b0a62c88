"""PyTorch's `autograd.profiler`: how often each operation ran, and how long it took.

Operations do not know of profilers. While one is at work, Python tells it of each function that is
called, and it reads which of them record an operation or run a backward pass. The program is slower
then, what it does outside of operations more than these.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from time import perf_counter_ns
from types import FrameType
from typing import Any, Self

from symgrad.backward.engine import compute_gradients
from symgrad.ops.primitive import Primitive
from symgrad.record.record import record
from symgrad.record.short_forms import binary, unary
from symgrad.support.homes import at_home
from symgrad.support.scopes import Block, Scope, together
from symgrad.tensor.in_place.short_forms import change_in_place
from symgrad.tensor.short_subscripts import read_view

__all__ = ["EventList", "FunctionEvent", "profile", "record_function"]


@dataclass
class FunctionEvent:
    """An operation that ran, or the sum of all of one name. Times are in microseconds.

    Attributes
    ----------
    key : str
        The name of the operation, or of the part that `record_function` names.
    cpu_time_total, self_cpu_time_total : float
        How long it took, with and without other events inside it.
    count : int
        How often it ran.
    start : float
        When it began.

    Examples
    --------
    >>> from symgrad.autograd.profiler import FunctionEvent
    >>> FunctionEvent("sin", 4.0, 3.0, count=2).cpu_time
    2.0
    """

    key: str
    cpu_time_total: float
    self_cpu_time_total: float
    count: int = 1
    start: float = 0.0

    @property
    def name(self) -> str:
        """The `key`.

        Examples
        --------
        >>> from symgrad.autograd.profiler import FunctionEvent
        >>> FunctionEvent("sin", 4.0, 3.0).name
        'sin'
        """
        return self.key

    @property
    def cpu_time(self) -> float:
        """How long it took on average.

        Examples
        --------
        >>> from symgrad.autograd.profiler import FunctionEvent
        >>> FunctionEvent("sin", 4.0, 3.0, count=2).cpu_time
        2.0
        """
        return self.cpu_time_total / self.count


class EventList(list[FunctionEvent]):
    """Events, which are shown as a table.

    Examples
    --------
    >>> from symgrad.autograd.profiler import EventList, FunctionEvent
    >>> len(EventList([FunctionEvent("sin", 4.0, 3.0)]))
    1
    """

    def key_averages(self) -> EventList:
        """Return one event for each name, which has the sums of times.

        Examples
        --------
        >>> from symgrad.autograd.profiler import EventList, FunctionEvent
        >>> events = EventList([FunctionEvent("sin", 4.0, 3.0), FunctionEvent("sin", 2.0, 2.0)])
        >>> events.key_averages()[0].count
        2
        """
        found: dict[str, FunctionEvent] = {}
        for event in self:
            total = found.setdefault(event.key, FunctionEvent(event.key, 0.0, 0.0, 0, event.start))
            total.cpu_time_total += event.cpu_time_total
            total.self_cpu_time_total += event.self_cpu_time_total
            total.count += event.count
        return EventList(found.values())

    def table(self, sort_by: str | None = None, row_limit: int = 100, **options: Any) -> str:
        """Return the events as lines of text.

        Parameters
        ----------
        sort_by : str, optional
            An attribute of events, as "cpu_time_total"; the greatest comes first.
        row_limit : int
            How many lines there are; all for -1.
        **options
            Ignored.

        Examples
        --------
        >>> from symgrad.autograd.profiler import EventList, FunctionEvent
        >>> print(EventList([FunctionEvent("sin", 4.0, 3.0)]).table())
        Name    Self CPU    CPU total    CPU time avg    # of Calls
        ----    --------    ---------    ------------    ----------
        sin      3.000us      4.000us         4.000us             1
        Self CPU time total: 3.000us
        """
        rows = list(self)
        if sort_by is not None:
            rows.sort(key=lambda event: getattr(event, sort_by), reverse=True)
        lines = [["Name", "Self CPU", "CPU total", "CPU time avg", "# of Calls"]]
        lines.append(["-" * len(head) for head in lines[0]])
        for event in rows if row_limit < 0 else rows[:row_limit]:
            times = (event.self_cpu_time_total, event.cpu_time_total, event.cpu_time)
            lines.append([event.key, *map(_time, times), str(event.count)])
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [
            "    ".join([name.ljust(widths[0]), *map(str.rjust, rest, widths[1:])])
            for name, *rest in lines
        ]
        return "\n".join([*text, f"Self CPU time total: {_time(self.self_cpu_time_total)}"])

    @property
    def self_cpu_time_total(self) -> float:
        """How long all events took, in microseconds.

        Examples
        --------
        >>> from symgrad.autograd.profiler import EventList, FunctionEvent
        >>> EventList([FunctionEvent("sin", 4.0, 3.0)]).self_cpu_time_total
        3.0
        """
        return sum([event.self_cpu_time_total for event in self])

    def export_chrome_trace(self, path: str) -> None:
        """Write the events into a file that Chrome's viewer of traces reads.

        Parameters
        ----------
        path : str
            The file.

        Examples
        --------
        >>> import os, tempfile
        >>> from symgrad.autograd.profiler import EventList, FunctionEvent
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "trace.json")
        ...     EventList([FunctionEvent("sin", 4.0, 3.0)]).export_chrome_trace(path)
        ...     os.path.exists(path)
        True
        """
        events = [
            {"name": e.key, "ph": "X", "ts": e.start, "dur": e.cpu_time_total, "pid": 0, "tid": 0}
            for e in self
        ]
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"traceEvents": events}, file)


def _time(microseconds: float) -> str:
    for unit, scale in (("s", 1e6), ("ms", 1e3)):
        if microseconds >= scale:
            return f"{microseconds / scale:.3f}{unit}"
    return f"{microseconds:.3f}us"


class Recorder:
    """Takes the times of what begins and ends."""

    def __init__(self) -> None:
        self.events: list[FunctionEvent] = []
        self._open: list[list[Any]] = []

    def begin(self, name: str, frame: object = None) -> None:
        """Note that an event begins."""
        self._open.append([name, frame, 0.0, perf_counter_ns() / 1000])

    def end(self) -> None:
        """Note that the last event that began ends."""
        if not self._open:
            return
        name, _, inside, start = self._open.pop()
        took = perf_counter_ns() / 1000 - start
        if self._open:
            self._open[-1][2] += took
        self.events.append(FunctionEvent(name, took, took - inside, start=start))

    def hear(self, frame: FrameType, event: str, argument: object) -> None:
        """Take what Python tells: a function is called, or returns."""
        if event == "call":
            name = _NAMED.get(frame.f_code)
            # The short form of an operation may go the long way.
            if name is not None and not (self._open and self._open[-1][1] is frame.f_back):
                self.begin(name(frame), frame)
        elif event == "return" and self._open and self._open[-1][1] is frame:
            self.end()


def _operation(frame: FrameType) -> str:
    cls: type[Primitive] = frame.f_locals["cls"]
    return cls.__name__


def _operation_of_signature(frame: FrameType) -> str:
    found: str = frame.f_locals["sig"].cls.__name__
    return found


def _backward(frame: FrameType) -> str:
    return "backward"


def _short_forms() -> Iterable[Any]:
    """Return the code of the short forms of operations."""
    for make in (unary, binary):
        yield from [x for x in make.__code__.co_consts if getattr(x, "co_name", "") == "apply"]


#: How the event of a function is called, by its code.
_NAMED: dict[Any, Callable[[FrameType], str]] = {
    record.__code__: _operation,
    change_in_place.__code__: _operation_of_signature,
    read_view.__code__: _operation_of_signature,
    compute_gradients.__code__: _backward,
    **dict.fromkeys(_short_forms(), _operation),
}

#: The recorder of each thread.
_active = threading.local()


class profile(Scope):  # noqa: N801 - PyTorch's name
    """Take the times of the operations of a `with` block, those of this thread.

    Parameters
    ----------
    enabled : bool
        Whether the block has this effect.
    **options
        Ignored, as what else PyTorch records.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.autograd.profiler.profile() as times:
    ...     x.sin().sum().backward()
    >>> sorted(event.key for event in times.key_averages())
    ['backward', 'sin', 'sum']
    """

    def __init__(self, enabled: bool = True, **options: Any) -> None:
        super().__init__()
        self.enabled = enabled
        self._recorder = Recorder()

    def __enter__(self) -> Self:
        undo, end = self._undo, len(self._undo)
        if self.enabled:
            back = together(partial(sys.setprofile, sys.getprofile()), *self._at_end())
            undo[end:] = (back,)
            _active.__dict__["recorder"] = self._recorder
            sys.setprofile(self._recorder.hear)
        else:
            undo[end:] = (bool,)  # does nothing
        return self

    def _at_end(self) -> list[Callable[[], Any]]:
        before = _active.__dict__.get("recorder")
        return [partial(_active.__dict__.__setitem__, "recorder", before)]

    def events(self) -> EventList:
        """Return what ran, in the order in which it ended.

        Examples
        --------
        >>> import symgrad as torch
        >>> with torch.autograd.profiler.profile() as times:
        ...     y = torch.ones(2).sin()
        >>> times.events()[0].count
        1
        """
        return EventList(self._recorder.events)

    @property
    def function_events(self) -> EventList:
        """What ran, as `events` returns it.

        Examples
        --------
        >>> import symgrad as torch
        >>> with torch.autograd.profiler.profile() as times:
        ...     y = torch.ones(2).sin()
        >>> times.function_events == times.events()
        True
        """
        return self.events()

    def key_averages(self, group_by_input_shape: bool = False, **options: Any) -> EventList:
        """Return one event for each name, which has the sums of times.

        Parameters
        ----------
        group_by_input_shape : bool
            Ignored: shapes are not recorded.
        **options
            Ignored.

        Examples
        --------
        >>> import symgrad as torch
        >>> with torch.autograd.profiler.profile() as times:
        ...     y = torch.ones(2).sin().sin()
        >>> times.key_averages()[0].count
        2
        """
        return self.events().key_averages()

    def table(self, sort_by: str | None = None, **options: Any) -> str:
        """Return what ran as lines of text.

        Parameters
        ----------
        sort_by, **options
            As `EventList.table` takes them.

        Examples
        --------
        >>> import symgrad as torch
        >>> with torch.autograd.profiler.profile() as times:
        ...     y = torch.ones(2).sin()
        >>> times.table(sort_by="count").startswith("Name")
        True
        """
        return self.events().table(sort_by, **options)

    def export_chrome_trace(self, path: str) -> None:
        """Write what ran into a file that Chrome's viewer of traces reads.

        Parameters
        ----------
        path : str
            The file.

        Examples
        --------
        >>> import os, tempfile
        >>> import symgrad as torch
        >>> with torch.autograd.profiler.profile() as times:
        ...     y = torch.ones(2).sin()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "trace.json")
        ...     times.export_chrome_trace(path)
        ...     os.path.exists(path)
        True
        """
        self.events().export_chrome_trace(path)

    @property
    def self_cpu_time_total(self) -> float:
        """How long all operations took, in microseconds.

        Examples
        --------
        >>> import symgrad as torch
        >>> with torch.autograd.profiler.profile() as times:
        ...     y = torch.ones(2).sin()
        >>> times.self_cpu_time_total > 0
        True
        """
        return self.events().self_cpu_time_total


class record_function(Block):  # noqa: N801 - PyTorch's name
    """Give a `with` block, or the calls of a decorated function, a name in a profile.

    Parameters
    ----------
    name : str
        The name.
    args : str, optional
        Ignored.

    Examples
    --------
    >>> import symgrad as torch
    >>> with torch.autograd.profiler.profile() as times:
    ...     with torch.autograd.profiler.record_function("waves"):
    ...         y = torch.ones(2).sin()
    >>> [event.key for event in times.events()]
    ['sin', 'waves']
    """

    def __init__(self, name: str, args: str | None = None) -> None:
        super().__init__()
        self.name, self.args = name, args

    def __enter__(self) -> Self:
        undo, end = self._undo, len(self._undo)
        recorder: Recorder | None = _active.__dict__.get("recorder")
        if recorder is None:
            undo[end:] = (bool,)  # does nothing
            return self
        undo[end:] = (recorder.end,)
        recorder.begin(self.name)
        return self


at_home(__name__, **{name: globals()[name] for name in __all__})
