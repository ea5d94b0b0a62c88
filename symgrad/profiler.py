"""PyTorch's `profiler`: times of operations on the CPU, also of some steps of a loop alone."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from symgrad.autograd.profiler import profile as _profile
from symgrad.autograd.profiler import record_function
from symgrad.support.absent import refused

__all__ = [
    "ProfilerAction", "ProfilerActivity", "profile", "record_function", "schedule",
    "supported_activities",
]  # fmt: skip


class ProfilerActivity(enum.Enum):
    """What is profiled: here the CPU.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.profiler.ProfilerActivity.CPU.name
    'CPU'
    """

    CPU = 0
    XPU = 1
    CUDA = 2


class ProfilerAction(enum.Enum):
    """What a profiler does in a step.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.profiler.ProfilerAction.RECORD.value
    2
    """

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def supported_activities() -> set[ProfilerActivity]:
    """Return what can be profiled: the CPU.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.profiler.supported_activities()
    {<ProfilerActivity.CPU: 0>}
    """
    return {ProfilerActivity.CPU}


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0
) -> Callable[[int], ProfilerAction]:
    """Return the function of a step's number that says what a profiler does in that step.

    Parameters
    ----------
    wait, warmup, active : int
        How many steps of a cycle are left out, come before, and are recorded.
    repeat : int
        How many cycles there are; 0 for as many as there are steps.
    skip_first : int
        How many steps come before the first cycle.

    Examples
    --------
    >>> import symgrad as torch
    >>> action = torch.profiler.schedule(wait=1, warmup=0, active=2)
    >>> [action(step).name for step in range(4)]
    ['NONE', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise AssertionError("Invalid profiler schedule arguments")
    length = wait + warmup + active

    def action(step: int) -> ProfilerAction:
        if step < 0:
            raise AssertionError(f"Step must be non-negative. Got {step}.")
        cycle, place = divmod(step - skip_first, length)
        if cycle < 0 or (repeat and cycle >= repeat) or place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        last = place == length - 1
        return ProfilerAction.RECORD_AND_SAVE if last else ProfilerAction.RECORD

    return action


def _always(step: int) -> ProfilerAction:
    return ProfilerAction.RECORD


class profile(_profile):  # noqa: N801 - PyTorch's name
    """Take the times of the operations of a `with` block, those of this thread.

    Parameters
    ----------
    activities : iterable of ProfilerActivity, optional
        Ignored: the CPU is profiled.
    schedule : callable, optional
        Says by the number of a step what is done in it; by default all is recorded.
    on_trace_ready : callable, optional
        Is called with the profile when steps were recorded, and at the end.
    **options
        Ignored, as what else PyTorch records.

    Examples
    --------
    >>> import symgrad as torch
    >>> with torch.profiler.profile() as times:
    ...     y = torch.ones(2).sin()
    >>> times.key_averages()[0].key
    'sin'
    """

    def __init__(
        self,
        *,
        activities: Iterable[ProfilerActivity] | None = None,
        schedule: Callable[[int], ProfilerAction] | None = None,
        on_trace_ready: Callable[[Any], Any] | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self._schedule = schedule or _always
        self._begin_step()

    def _begin_step(self) -> None:
        self.current_action = self._schedule(self.step_num)
        self._first = len(self._recorder.events)

    def _end_step(self, last: bool) -> None:
        """Drop what was not to be recorded, and hand over what was."""
        recorded = self.current_action.value >= ProfilerAction.RECORD.value
        if not recorded:
            del self._recorder.events[self._first :]
        saves = self.current_action is ProfilerAction.RECORD_AND_SAVE or (last and recorded)
        if saves and self.on_trace_ready is not None:
            self.on_trace_ready(self)
            if not last:
                self._recorder.events.clear()

    def _at_end(self) -> list[Callable[[], Any]]:
        return [*super()._at_end(), partial(self._end_step, True)]

    def step(self) -> None:
        """Say that a step of the loop is at its end.

        Examples
        --------
        >>> import symgrad as torch
        >>> plan = torch.profiler.schedule(wait=1, warmup=0, active=1, repeat=1)
        >>> with torch.profiler.profile(schedule=plan) as times:
        ...     for _ in range(4):
        ...         y = torch.ones(2).sin()
        ...         times.step()
        >>> len(times.events())
        1
        """
        self.step_num += 1
        self._end_step(False)
        self._begin_step()

    def start(self) -> None:
        """Begin, without a `with` block.

        Examples
        --------
        >>> import symgrad as torch
        >>> times = torch.profiler.profile()
        >>> times.start()
        >>> y = torch.ones(2).sin()
        >>> times.stop()
        >>> len(times.events())
        1
        """
        self.__enter__()

    def stop(self) -> None:
        """End what `start` began.

        Examples
        --------
        >>> import symgrad as torch
        >>> times = torch.profiler.profile()
        >>> times.start()
        >>> times.stop()
        """
        self.__exit__(None, None, None)


__getattr__ = refused("profiler")
