"""Backward passes inside hooks of backward passes, however deep, and the threads that they take.

Python's stack has an end, and a pass takes a dozen of its calls. As PyTorch does, passes that are
nested deep go on in another thread, whose stack is empty, while the thread that waits for it does
nothing. What holds in a thread, such as its grad mode and its hooks for saved tensors, holds there
as well.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

__all__ = ["carried", "in_fresh_thread", "is_deep"]

T = TypeVar("T")
L = TypeVar("L", bound=threading.local)

# So many passes inside one another are in one thread.
_IN_ONE_THREAD = 30

_carried: list[threading.local] = []


def carried(place: L) -> L:
    """Declare that what is in `place` holds in the threads that passes of a thread go on in."""
    _carried.append(place)
    return place


def is_deep(depth: int) -> bool:
    """Return whether a pass inside `depth` others goes on in another thread."""
    return depth > 0 and depth % _IN_ONE_THREAD == 0


def in_fresh_thread(call: Callable[[], T]) -> T:
    """Call `call` in another thread, where all holds that holds in this one, and wait for it."""
    held = [(place, dict(vars(place))) for place in _carried]

    def run() -> T:
        for place, known in held:
            vars(place).update(known)
        return call()

    context = contextvars.copy_context()
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(context.run, run).result()
