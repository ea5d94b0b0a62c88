"""What was worked out once and is kept for the next time, as long as there is room.

A table is a plain dict, so that to find something in it costs no more than that. What is in use
stays by generations: when half of the room is taken, the tables become the former ones, new ones
begin empty, and what is then looked for comes over from the former ones, which are forgotten when
the room is taken the next time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

__all__ = ["Remembered", "everything_remembered"]

V = TypeVar("V")

#: Every one that was made: all are cleared when the default dtype changes.
everything_remembered: list[Remembered[Any]] = []


class Remembered(Generic[V]):
    """Tables that hold no more than a number of bytes together.

    Parameters
    ----------
    most : int
        That number, as `weigh` counts.
    weigh : callable
        Returns about how many bytes an entry of a table holds, of which nothing else holds part.
    """

    def __init__(self, most: int, weigh: Callable[[V], int]) -> None:
        self.most = most
        self.weigh = weigh
        #: The bytes that the present tables hold.
        self.held = 0
        self._tables: dict[Any, dict[Any, V]] = {}
        self._former: dict[Any, dict[Any, V]] = {}
        everything_remembered.append(self)

    def table(self, name: Any = None) -> dict[Any, V]:
        """Return the table of a name: the same one always, where entries are looked for."""
        found = self._tables.get(name)
        if found is None:
            found = self._tables.setdefault(name, {})
        return found

    def recall(self, key: Hashable, name: Any = None) -> V | None:
        """Return what is not in the table any more, and enter it again; None if it is forgotten."""
        former = self._former.get(name)
        found = None if former is None else former.get(key)
        return None if found is None else self.keep(key, found, name)

    def keep(self, key: Hashable, value: V, name: Any = None) -> V:
        """Enter something under a key; what another thread has entered stands."""
        weight = self.weigh(value)
        if self.held + weight > self.most // 2:
            self._begin()
        self.held += weight
        return self.table(name).setdefault(key, value)

    def _begin(self) -> None:
        """Begin with empty tables."""
        self.held = 0
        for name, table in list(self._tables.items()):
            self._former[name] = dict(table)
            table.clear()  # in place: whoever looks into it often holds the table itself

    def clear(self) -> None:
        """Forget everything."""
        self._former.clear()
        for table in list(self._tables.values()):
            table.clear()
        self.held = 0

    def __len__(self) -> int:
        return sum(map(len, (*self._tables.values(), *self._former.values())))
