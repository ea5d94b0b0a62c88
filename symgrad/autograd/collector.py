"""Holding off Python's cyclic garbage collector while a large plan is built.

Building makes several objects for each operation, and they stay: the collector, which runs the
more often the more objects appear, would look through all of them time and again and find nothing.
On graphs of 10,000 operations and more that is half of the time and more.
"""

from __future__ import annotations

import contextlib
import gc
import threading
from collections.abc import Iterator

__all__ = ["held_off"]

_lock = threading.Lock()
# How many threads hold it off, and the thresholds before the first of them.
_holders = 0
_before = (0, 0, 0)


@contextlib.contextmanager
def held_off() -> Iterator[None]:
    """Let no collection start in a `with` block; overlapping blocks of threads are one.

    The threshold is raised to never, and the collector not disabled: whoever disables or enables it
    meanwhile, or sets other thresholds, has the last word.
    """
    global _holders, _before
    with _lock:
        if not _holders:
            _before = gc.get_threshold()
            gc.set_threshold(0, *_before[1:])
        _holders += 1
    try:
        yield
    finally:
        with _lock:
            _holders -= 1
            if not _holders and gc.get_threshold() == (0, *_before[1:]):
                gc.set_threshold(*_before)
