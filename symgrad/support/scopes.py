"""Changes that last for a `with` block, and are undone even if a signal handler raises an error.

A handler of Ctrl-C, an alarm or another signal may raise an error. Python runs handlers only at the
start of a Python function, after a call, and at the jump back of a loop. So no handler runs between
two stores, and a `finally` that begins with a store is safe. An `__exit__` written in Python is not
safe: the error may come before its first line, and Python does not call `__exit__` again.
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


class _Leave(io.IOBase):
    """The end of a block, which runs no Python code.

    It inherits the `__exit__` of Python's files, which is written in C and calls `close`; `close`
    undoes the last change.
    """

    __slots__ = ("close",)

    #: Nothing is to be done when the object is freed.
    closed = True


_new = object.__new__


class _Exit:
    """The `__exit__` of a scope, looked up when the block begins, and called at its end."""

    def __get__(self, scope: Any, owner: Any = None) -> Callable[..., None]:
        if scope is None:
            return self
        leave: Any = _Leave.__new__(_Leave)
        # Calls the undoing that is popped; its result must not suppress an error in the block.
        last = islice(map(call, iter(scope._undo.pop, None)), 1)
        leave.close = partial(deque, last, 0)
        exit: Callable[..., None] = leave.__exit__
        return exit

    def __call__(self, scope: Scope, *error: Any) -> None:
        self.__get__(scope)(*error)


class Scope:
    """The base class of changes that last for a `with` block.

    An `__enter__` ends with `_put`, or with two stores: the first appends the undoing of the change
    to `_undo`, the second makes the change. There is no call between the two.
    """

    #: The callables, written in C, that undo the changes, in the order of the changes.
    _undo: list[Callable[[], Any]]

    def __init__(self) -> None:
        self._undo = []

    def _put(self, table: dict[str, Any], name: str, value: Any, usual: Any = None) -> None:
        """Set an entry of a table for the block; the `usual` value is not stored, but removed."""
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
    """Return a callable that calls several callables in order, as one step of `_undo`."""
    return partial(deque, map(call, back), 0)


class Block(Scope, ContextDecorator):
    """The base class of scopes that also decorate functions, as those of `contextmanager` do."""


def back_to(table: dict[str, Any], name: str) -> Callable[[], Any]:
    """Return a callable that sets an entry of a table back to its present value."""
    if name in table:
        return partial(table.__setitem__, name, table[name])
    return partial(table.pop, name, None)
