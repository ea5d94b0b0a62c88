"""The locks under which what threads share is made, counted or found.

A thread may take a lock again that it holds: a finaliser or a signal handler may record, draw or
differentiate in the middle of anything. And a process that is forked while another thread holds a
lock has that lock, but not the thread that would let go of it: there all locks are free.
"""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

__all__ = ["Lock", "adopt", "making", "new_lock"]

#: What `new_lock` returns, for annotations.
Lock = Any

_locks: weakref.WeakSet[Any] = weakref.WeakSet()
# Locks of NumPy's that are held inside single calls of it only.
_adopted: weakref.WeakSet[Any] = weakref.WeakSet()


def new_lock() -> Lock:
    """Return a lock of its own, held for moments."""
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def adopt(lock: Lock) -> None:
    """Free a lock of NumPy's in a child as well; no signal is seen while a thread holds it."""
    _adopted.add(lock)


def _let_go() -> None:
    """Free the locks that threads held which a forked process does not have.

    What they were changing is as a signal would have found it, and so in order: it is changed by
    single stores. Python's own modules free their locks in the same way.
    """
    for lock in list(_locks):
        held: Any = lock
        if not held._is_owned():  # that of the thread that forks, in a handler, is its own to free
            held._at_fork_reinit()
    for lock in list(_adopted):
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)

#: Held while a vertex, its hooks or its version is made or counted. Whoever comes second finds what
#: the first has made; two of a kind would lose hooks, changes in place or gradients.
making = new_lock()
