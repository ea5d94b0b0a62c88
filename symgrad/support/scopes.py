"""Changes for the time of a `with` block, which are taken back whatever happens.

Ctrl-C, an alarm or any other signal handler may raise an error. Python calls handlers where one of
its functions begins, after a call, and where a loop goes round, and nowhere else. So between two
stores nothing comes, a `finally` that begins with a store is safe, and an `__exit__` written in
Python is not: the error may come before its first line, and nobody calls it again.
"""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable
from contextlib import ContextDecorator
from functools import partial
from itertools import islice
from operator import call
from typing import Any

__all__ = ["Block", "Scope", "back_to", "together"]


class _Leave(io.IOBase):
    """The end of a block, without a step that is written in Python.

    The `__exit__` of Python's files is written in C, and calls `close`. This one takes back what
    was changed last.
    """

    __slots__ = ("close",)

    #: Nothing is left to be done when it is freed.
    closed = True


_new = object.__new__


class _Exit:
    """The `__exit__` of a scope: what Python finds when the block begins, and calls at its end."""

    def __get__(self, scope: Any, owner: Any = None) -> Callable[..., None]:
        if scope is None:
            return self
        leave: Any = _Leave.__new__(_Leave)
        # Calls what is popped; what that returns is not the answer to an error in the block.
        last = islice(map(call, iter(scope._undo.pop, None)), 1)
        leave.close = partial(deque, last, 0)
        exit: Callable[..., None] = leave.__exit__
        return exit

    def __call__(self, scope: Scope, *error: Any) -> None:
        self.__get__(scope)(*error)


class Scope:
    """The base of what changes something for a `with` block.

    An `__enter__` ends with `_put`, or with stores: first what takes the change back is put at the
    end of `_undo`, then the change is made. Between the two there is no call.
    """

    #: What takes each change back, in the order of the changes: callables written in C.
    _undo: list[Callable[[], Any]]

    def __init__(self) -> None:
        self._undo = []

    def _put(self, table: dict[str, Any], name: str, value: Any, usual: Any = None) -> None:
        """Set an entry of a table for the block; a value that is usual is not entered at all."""
        undo, end = self._undo, len(self._undo)
        back = back_to(table, name)
        special = value is not usual
        undo[end:] = (back,)
        if special:
            table[name] = value
        elif name in table:
            del table[name]

    def __enter__(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} states no __enter__")

    __exit__ = _Exit()


def together(*back: Callable[[], Any]) -> Callable[[], Any]:
    """Return what calls one after the other, as one step of `_undo`."""
    return partial(deque, map(call, back), 0)


class Block(Scope, ContextDecorator):
    """The base of those that decorate functions as well, as what `contextmanager` makes."""


def back_to(table: dict[str, Any], name: str) -> Callable[[], Any]:
    """Return what sets an entry of a table to what it is now."""
    if name in table:
        return partial(table.__setitem__, name, table[name])
    return partial(table.pop, name, None)
