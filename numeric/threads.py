"""Threads that run blocks of rows side by side, and how many there are."""

import os
import threading
from collections.abc import Callable
from contextvars import copy_context


class _Setting:
    """What was set for all programs of a process; 0 for the default."""

    given = 0


_setting = _Setting()


def number_of_threads() -> int:
    """Return what was set, or else ``OMP_NUM_THREADS``, or else the number of processors.

    Examples
    --------
    >>> number_of_threads() >= 1
    True
    """
    asked = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0]
    return _setting.given or int(asked or 0) or os.cpu_count() or 1


def threads_for_blocks() -> int:
    """Return how many threads run blocks of rows: one, unless a number was set.

    Two threads that share a core, or the memory of a small machine, are slower than one.

    Examples
    --------
    >>> threads_for_blocks()
    1
    """
    return _setting.given or 1


def set_number_of_threads(n: int) -> None:
    """Set how many threads run blocks of rows.

    Parameters
    ----------
    n
        A positive number; 0 for the default.

    Examples
    --------
    >>> set_number_of_threads(2)
    >>> number_of_threads()
    2
    >>> set_number_of_threads(0)
    """
    _setting.given = n


def run_together(work: Callable[[], None], threads: int) -> None:
    """Call a function in several threads at once, this one among them, and wait for all.

    Each has a copy of the context of this thread, in which NumPy warns as it does here.

    Raises
    ------
    Exception
        One that a call raised.

    Examples
    --------
    >>> found = []
    >>> run_together(lambda: found.append(1), 3)
    >>> len(found)
    3
    """
    errors: list[BaseException] = []

    def call() -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001 - it is raised where all threads have ended
            errors.append(error)

    others = [threading.Thread(target=copy_context().run, args=(call,)) for _ in range(threads - 1)]
    for thread in others:
        thread.start()
    try:
        work()
    finally:
        for thread in others:
            thread.join()
    if errors:
        del errors[1:]
        raise errors.pop()
