"""Functions that a layer calls although a layer above it defines them.

The lower layer declares a `FromAbove` and calls it; the module above states its function when it is
imported, which the first call sees to. No module imports from a layer above it.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, Generic, TypeVar

F = TypeVar("F", bound=Callable[..., Any])
G = TypeVar("G", bound=Callable[..., Any])

#: All places that were declared, for the test that a function is stated for each.
everything_from_above: list[FromAbove[Any]] = []


class FromAbove(Generic[F]):
    """The place of a function that a layer above states, once, when it is imported.

    Parameters
    ----------
    module : str
        The module that states the function. It is imported when the function is first asked for,
        unless it was before.

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

    def __getattr__(self, name: str) -> Any:
        if name != "call":
            raise AttributeError(name)
        importlib.import_module(self.module)
        return vars(self)["call"]

    def state(self, f: G) -> G:
        """State `f` as the function that `call` calls."""
        self.call = f  # type: ignore[assignment]
        return f
