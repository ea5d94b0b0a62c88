"""Caches with a limit on their bytes, whose look-up costs no more than that of a dict.

Entries that are in use stay, by two generations: when the present tables hold half of the limit,
they become the former generation and empty tables replace them. An entry of the former generation
that is looked up moves to the present one; the rest is dropped at the next change of generation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

V = TypeVar("V")

#: All caches, which are cleared when the default dtype changes.
everything_remembered: list[Remembered[Any]] = []


class Remembered(Generic[V]):
    """Tables that together hold at most a number of bytes.

    Parameters
    ----------
    most : int
        The limit in bytes, as counted by `weigh`.
    weigh : callable
        Returns the approximate number of bytes that an entry alone holds.
    """

    def __init__(self, most: int, weigh: Callable[[V], int]) -> None:
        self.most = most
        self.weigh = weigh
        #: The bytes of the present generation.
        self.held = 0
        self._tables: dict[Any, dict[Any, V]] = {}
        self._former: dict[Any, dict[Any, V]] = {}
        everything_remembered.append(self)

    def table(self, name: Any = None) -> dict[Any, V]:
        """Return the present table of a name, which stays the same dict object."""
        found = self._tables.get(name)
        if found is None:
            found = self._tables.setdefault(name, {})
        return found

    def recall(self, key: Hashable, name: Any = None) -> V | None:
        """Return an entry of the former generation, moved to the present one; None without one."""
        former = self._former.get(name)
        found = None if former is None else former.get(key)
        return None if found is None else self.keep(key, found, name)

    def keep(self, key: Hashable, value: V, name: Any = None) -> V:
        """Enter a value under a key, and return it, or the one that another thread has entered."""
        weight = self.weigh(value)
        if self.held + weight > self.most // 2:
            self._begin()
        self.held += weight
        return self.table(name).setdefault(key, value)

    def _begin(self) -> None:
        """Begin a new generation with empty tables."""
        self.held = 0
        for name, table in list(self._tables.items()):
            self._former[name] = dict(table)
            table.clear()  # in place: whoever looks into it often holds the table itself

    def clear(self) -> None:
        """Drop all entries."""
        self._former.clear()
        for table in list(self._tables.values()):
            table.clear()
        self.held = 0

    def __len__(self) -> int:
        return sum(map(len, (*self._tables.values(), *self._former.values())))
