"""Locks for objects that threads share.

A thread may acquire a lock that it holds: a finaliser or a signal handler may record, draw or
differentiate at any moment. A process that is forked while another thread holds a lock has the
lock, but not the thread that would release it; therefore all locks are released in the child.
"""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

#: What `new_lock` returns, for annotations.
Lock = Any

_locks: weakref.WeakSet[Any] = weakref.WeakSet()
# Locks of NumPy, which are held inside single calls of NumPy only.
_adopted: weakref.WeakSet[Any] = weakref.WeakSet()


def new_lock() -> Lock:
    """Return a new lock, which must be held for moments only."""
    lock = threading.RLock()
    _locks.add(lock)
    return lock


def adopt(lock: Lock) -> None:
    """Release a lock of NumPy in forked processes; no signal handler runs while it is held."""
    _adopted.add(lock)


def _release_all() -> None:
    """Release, in a forked process, the locks of threads that the process does not have.

    The objects under the locks are as a signal handler would find them, and are valid: they are
    changed by single stores. Python's own modules release their locks in the same way.
    """
    for lock in list(_locks):
        held: Any = lock
        if not held._is_owned():  # the thread that forks releases its own locks
            held._at_fork_reinit()
    for lock in list(_adopted):
        lock._at_fork_reinit()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_release_all)

#: Held while a vertex, its hooks or its version is made or counted. A second thread finds what the
#: first has made; if both made one, hooks, changes in place or gradients would be lost.
making = new_lock()
