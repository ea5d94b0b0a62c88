"""Threads that take turns, of counted lengths: what they do is the same in each run.

Python lets another thread go on where it looks for signals, of which these places are taken: where
a function begins, and after a call of a function written in C. A thread keeps its turn while it
holds a lock, for which another one would wait; where a lock is missing, another one goes on.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from symgrad.support import locks

#: Functions of Python's own that hold a lock of Python's while they call others.
_LOCKED = ("<frozen importlib._bootstrap>", "functools.py")


def in_turns(works: Sequence[Callable[[], Any]], pace: int) -> list[Any]:
    """Call functions in threads that take turns of `pace` places; return what they return.

    Raises
    ------
    BaseException
        What the first of them raises that fails.
    """
    go_on = [threading.Semaphore(0) for _ in works]
    waiting = deque(range(len(works)))
    known = list(locks._locks)
    results: list[Any] = [None] * len(works)
    errors: list[BaseException] = []

    def run(i: int) -> None:
        left = pace

        def look(frame: Any, event: str, arg: Any) -> None:
            nonlocal left
            if event != "call" and event != "c_return":
                return
            left -= 1
            if left <= 0 and waiting and not holds_lock(known, frame):
                left = pace
                waiting.append(i)
                go_on[waiting.popleft()].release()
                go_on[i].acquire()

        go_on[i].acquire()
        sys.setprofile(look)
        try:
            results[i] = works[i]()
        except BaseException as error:
            errors.append(error)
        finally:
            sys.setprofile(None)
            if waiting:
                go_on[waiting.popleft()].release()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(works))]
    for thread in threads:
        thread.start()
    go_on[waiting.popleft()].release()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return results


def holds_lock(known: Sequence[Any], frame: Any) -> bool:
    """Whether this thread holds one of some locks, or one of Python's."""
    if any(lock._is_owned() for lock in known):
        return True
    while frame is not None:
        if frame.f_code.co_filename.endswith(_LOCKED):
            return True
        frame = frame.f_back
    return False
