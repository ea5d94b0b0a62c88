"""Threads for backward passes that run inside hooks of other backward passes, nested deeply.

Python limits the depth of calls, and a pass takes about a dozen of them. As in PyTorch, a deeply
nested pass runs in another thread, whose stack is empty, while the first thread waits. The modes of
the first thread, such as its grad mode and its hooks for saved tensors, hold there as well.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import TypeVar

from symgrad.support.untraceable import running_trace

T = TypeVar("T")
L = TypeVar("L", bound=threading.local)

# The number of nested passes in one thread.
_IN_ONE_THREAD = 30

# A pass inside a traced function belongs to the trace.
_carried: list[threading.local] = [running_trace]


def carried(place: L) -> L:
    """Declare that the attributes of `place` hold in threads that continue nested passes, too."""
    _carried.append(place)
    return place


def is_deep(depth: int) -> bool:
    """Return whether a pass inside `depth` others is to run in another thread."""
    return depth > 0 and depth % _IN_ONE_THREAD == 0


def in_fresh_thread(call: Callable[[], T]) -> T:
    """Call `call` in another thread with the modes of this thread, and return its result."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - few passes are so deep

    held = [(place, dict(vars(place))) for place in _carried]

    def run() -> T:
        for place, known in held:
            vars(place).update(known)
        return call()

    context = contextvars.copy_context()
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(context.run, run).result()
