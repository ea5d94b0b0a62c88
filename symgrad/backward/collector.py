"""Holding off Python's cyclic garbage collector while a large plan is built.

Building makes several objects for each operation, and they stay: the collector, which runs the
more often the more objects appear, would look through all of them time and again and find nothing.
On graphs of 10,000 operations and more that is half of the time and more.
"""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["held_off"]

R = TypeVar("R")

# The thresholds that threads which hold it off have found.
_found: dict[int, tuple[int, int, int]] = {}


def held_off(make: Callable[..., R], *args: Any) -> R:
    """Call a function, in which no collection starts.

    The threshold is raised to never, and the collector not disabled: whoever disables or enables it
    meanwhile, or sets other thresholds, has the last word. Of several threads the first one to end
    lets it start again.
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
    """Let it start in a forked process, which does not have the threads that held it off."""
    mine = _found.pop(threading.get_ident(), None)
    others = list(_found.values())
    _found.clear()
    if mine is not None:
        _found[threading.get_ident()] = mine
    elif others and not gc.get_threshold()[0]:
        gc.set_threshold(*others[0])


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)
