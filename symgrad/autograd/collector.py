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
# How many threads hold it off, and whether it ran before the first of them.
_holders = 0
_was_enabled = False


@contextlib.contextmanager
def held_off() -> Iterator[None]:
    """Let no collection start in a `with` block; overlapping blocks of threads are one."""
    global _holders, _was_enabled
    with _lock:
        if not _holders:
            _was_enabled = gc.isenabled()
            gc.disable()
        _holders += 1
    try:
        yield
    finally:
        with _lock:
            _holders -= 1
            if not _holders and _was_enabled:
                gc.enable()
