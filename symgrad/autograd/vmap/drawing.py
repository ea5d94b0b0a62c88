"""Random numbers inside `vmap`: refused, different for each entry, or the same for all of them.

The argument `randomness` of `vmap` decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.autograd.vmap.levels import BatchLevel
from symgrad.autograd.vmap.value import all_entries, batched, unbatched
from symgrad.expr.shapes import Shape
from symgrad.record.chance import REFUSED
from symgrad.record.record import wrap

Array = np.ndarray[Any, Any]

_SAME = (
    "Vmap does not currently support same randomness with a batched tensor input. Please file an "
    "issue with functorch"
)


def draw(level: BatchLevel | None, shape: Shape, make: Callable[[Shape], Array]) -> Any:
    """Return a tensor of random numbers.

    Parameters
    ----------
    level : BatchLevel or None
        The innermost `vmap`.
    shape : tuple of int
        The shape of one entry.
    make : callable
        Draws an array of a shape, which may have more axes in front.

    Raises
    ------
    RuntimeError
        If the `randomness` of the `vmap` is "error".
    """
    if level is None:
        return wrap(make(shape))
    _check(level)
    if level.randomness == "same":
        return draw(level.outer, shape, make)
    return batched(level, draw(level.outer, (level.size, *shape), make))


def draw_from(level: BatchLevel | None, x: Any, make: Callable[[Array], Array]) -> Any:
    """Return random numbers that depend on a tensor, element by element, as `draw` does.

    Raises
    ------
    RuntimeError
        If randomness is 'same' but `x` differs from entry to entry.
    """
    if level is None:
        return wrap(make(x._data))
    _check(level)
    if level.randomness == "same":
        if unbatched(x, level)[1] is not None:
            raise RuntimeError(_SAME)
        return draw_from(level.outer, x, make)
    return batched(level, draw_from(level.outer, all_entries(x, level), make))


def _check(level: BatchLevel) -> None:
    if level.randomness == "error":
        raise RuntimeError(REFUSED)


def check_randomness(randomness: str) -> None:
    """Raise where random numbers may not differ from entry to entry of what they depend on."""
    if randomness != "different":
        raise RuntimeError(REFUSED if randomness == "error" else _SAME)


def copy_for_entries(made: Any, like: Any) -> Any:
    """Return `made`, copied for each entry of `like` where `like` is batched and `made` is not."""
    value = like._data
    level = getattr(value, "level", None)
    if level is None or unbatched(made, level)[1] is not None:
        return made
    entries = made.unsqueeze(0).expand((level.size, *made._aval.shape)).clone()
    return batched(level, copy_for_entries(entries, value.tensor))
