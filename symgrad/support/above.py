"""Functions that one layer calls and a layer above it states: the only way to call upwards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

__all__ = ["FromAbove", "everything_from_above"]

F = TypeVar("F", bound=Callable[..., Any])
G = TypeVar("G", bound=Callable[..., Any])

#: Every one that was made, for the test that all are stated.
everything_from_above: list[FromAbove[Any]] = []


class FromAbove(Generic[F]):
    """The place of a function that a layer above states, once, when it is imported.

    Parameters
    ----------
    module : str
        Which module states it.

    Attributes
    ----------
    call : callable
        The function.

    Examples
    --------
    >>> from symgrad.support.above import everything_from_above
    >>> all(place.call.__module__ == place.module for place in everything_from_above)
    True
    """

    call: F

    def __init__(self, module: str) -> None:
        self.module = module
        everything_from_above.append(self)

    def state(self, f: G) -> G:
        """Have `f` called here."""
        self.call = f  # type: ignore[assignment]
        return f
