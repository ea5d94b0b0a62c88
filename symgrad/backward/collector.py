"""Holding off Python's cyclic garbage collector while a plan is built.

Building a plan makes several objects for each operation, and all of them stay until it is built.
The collector runs the more often the more objects are made: it would search all of them repeatedly,
and free none. On graphs of 100 operations that takes a tenth of the time, on those of 10,000 and
more at least half.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar

R = TypeVar("R")

# For each thread that holds the collector off, the thresholds before.
_found: dict[int, tuple[int, int, int]] = {}


def held_off(make: Callable[..., R], *args: Any) -> R:
    """Call a function during which no collection starts.

    The thresholds are set to zero, which means never, and the collector is not disabled: if other
    code disables or enables the collector or sets thresholds meanwhile, that stays. Of several
    threads the first one to end lets collections start again.
    """
    before = gc.get_threshold()
    if not before[0]:
        return make(*args)
    here = threading.get_ident()
    untouched = True
    try:
        _found[here] = before
        gc.set_threshold(0, *before[1:])
        return make(*args)
    finally:
        try:
            untouched = not gc.get_threshold()[0]
        finally:  # also where a signal came just now
            if untouched:
                gc.set_threshold(*before)
            _found.pop(here, None)


def _let_go() -> None:
    """Let collections start in a forked process, which lacks the threads that held them off."""
    mine = _found.pop(threading.get_ident(), None)
    others = list(_found.values())
    _found.clear()
    if mine is not None:
        _found[threading.get_ident()] = mine
    elif others and not gc.get_threshold()[0]:
        gc.set_threshold(*others[0])


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
