"""Version counters of storages, by a clock that numbers records and modifications.

The tape stores no version with each residual. A node has the time at which it was recorded, and a
storage the times of its last modifications; so the version at the time of the record is known.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable

from symgrad.support.locks import making

#: Numbers operations and modifications in the order in which they happen.
clock = itertools.count(1).__next__

# How many changes in place of one storage are remembered, for messages.
_REMEMBERED_CHANGES = 1024


class Newest:
    """What is known of all storages together, so that most records need no check of their own.

    It is an object, and no attributes of the class `Storage`: to set one of a class makes Python
    look up all its attributes anew.

    Attributes
    ----------
    modified : int
        When any storage was modified last.
    written : int
        When any storage was written last.
    exposed : bool
        Whether any storage was ever exposed.
    """

    __slots__ = ("exposed", "modified", "written")

    def __init__(self) -> None:
        self.modified = 0
        self.written = 0
        self.exposed = False


newest = Newest()


class Storage:
    """The version of an array that tensors share: how often, and when last, it was modified.

    Attributes
    ----------
    version : int
        How often the memory was modified.
    modified : int
        When the memory was last modified.
    written : int
        When elements were last written, by a modification that counts or by another write.
    exposed : bool
        Whether the memory may be written without a count: by NumPy, or by a tensor with a counter
        of its own.
    modifier : str
        The name of the node of the last recorded change.
    by : str
        The call that made the last change, where it is known.
    """

    __slots__ = ("_writes", "by", "exposed", "modified", "modifier", "version", "written")

    def __init__(self) -> None:
        self.version = 0
        self.modified = 0
        self.written = 0
        self.exposed = False
        self.modifier = ""
        self.by = ""
        # When each write began, when it ended, and whether it counts. The operations that an
        # operation in place is made of run between the two times, and read the old value.
        self._writes: deque[tuple[int, int, bool]] | None = None

    def bump(self, time: int, modifier: str = "") -> None:
        """Count a modification at `time`, by the recorded operation `modifier` if it was one."""
        with making:
            self._bump(time, modifier)

    def _bump(self, time: int, modifier: str = "") -> None:
        self.version += 1
        # Another thread may have begun earlier and come later.
        if time > self.modified:
            self.modified = time
            if time > newest.modified:
                newest.modified = time
        if modifier:
            self.modifier = modifier
        self.by = ""
        self._note_write(time, True)

    def write(self) -> None:
        """Enter a write at the present time that does not count as a modification."""
        with making:
            self._note_write(clock(), False)

    def _note_write(self, time: int, counted: bool) -> None:
        if time > self.written:
            self.written = time
            if time > newest.written:
                newest.written = time
        writes = self._writes
        if writes is None:
            writes = self._writes = deque(maxlen=_REMEMBERED_CHANGES)
        writes.append((time, clock(), counted))

    def expose(self) -> None:
        """Enter that from now on the memory may be written without a count."""
        self.exposed = newest.exposed = True

    def version_at(self, time: int) -> int:
        """Return the version just before `time`, as far back as modifications are remembered."""
        later = [began for began, _, counted in self._writes or () if counted and began >= time]
        return self.version - len(later)

    def last_write(self, since: int, until: int) -> int:
        """Return when the last write was done that began after `since`, before `until`; else 0."""
        writes = [(began, done) for began, done, _ in self._writes or ()]
        return max([done for began, done in writes if began > since and done < until], default=0)


def bump_all(storages: Iterable[Storage], time: int) -> None:
    """Count a modification of several storages at one time."""
    with making:
        for storage in storages:
            storage._bump(time)
