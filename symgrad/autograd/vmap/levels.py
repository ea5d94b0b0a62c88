"""Levels of `vmap`: one for each that runs, the innermost of which is a mode of the thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from symgrad.record.modes import holding, state
from symgrad.support.above import FromAbove
from symgrad.support.scopes import Scope, back_to, together

#: Returns the `batching` mode of a level.
mode_of: FromAbove[Callable[[BatchLevel], Any]] = FromAbove("symgrad.autograd.vmap.batching")


class BatchLevel:
    """One running `vmap`, nested in those that began earlier.

    Attributes
    ----------
    depth : int
        The number of levels of this thread, this one included.
    size : int
        The length of the axis that is mapped over.
    randomness : str
        "error", "different" or "same": what random operations do.
    outer : BatchLevel or None
        The level around this one.
    is_pass : bool
        Whether a backward pass of several cotangents, and no `vmap` of a user, began the level.
        Custom functions inside it need no rule of `vmap`.
    alive : bool
        Whether the level still runs.
    """

    __slots__ = ("alive", "depth", "is_pass", "outer", "randomness", "size")

    def __init__(
        self, size: int, randomness: str, outer: BatchLevel | None, is_pass: bool = False
    ) -> None:
        self.depth: int = 1 if outer is None else outer.depth + 1
        self.size = size
        self.randomness = randomness
        self.outer = outer
        self.is_pass = is_pass
        self.alive = True


def at_level(level: BatchLevel | None) -> holding:
    """Run a block inside `level`, or, where it is None, inside no `vmap`."""
    return holding(batching=None if level is None else mode_of.call(level))


class entered(Scope):  # noqa: N801 - it is read as a participle
    """Begin a `vmap` over `size` entries inside those that run, in a block.

    Parameters
    ----------
    size : int
        The number of entries.
    randomness : str
        Whether random numbers differ among the entries, as for `vmap`.
    is_pass : bool
        Whether the entries are the cotangents of a backward pass.
    """

    def __init__(self, size: int, randomness: str, is_pass: bool = False) -> None:
        super().__init__()
        self._how = size, randomness, is_pass

    def __enter__(self) -> BatchLevel:
        special, undo, end = state.state.special, self._undo, len(self._undo)
        around = special.get("batching")
        size, randomness, is_pass = self._how
        level = BatchLevel(size, randomness, None if around is None else around.level, is_pass)
        batching = mode_of.call(level)
        back = together(back_to(special, "batching"), partial(setattr, level, "alive", False))
        undo[end:] = (back,)
        special["batching"] = batching
        return level
