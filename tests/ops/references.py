"""What the accuracy law knows of an operation whose class does not say all of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

Point = tuple[float, ...]
Scalar = Callable[..., Any]


def anywhere(*point: float) -> bool:
    return True


def off_zero(*point: float) -> bool:
    return all(x != 0 for x in point)


def positive(*point: float) -> bool:
    return all(x > 0 for x in point)


class Reference(NamedTuple):
    """What is computed, and where the law holds."""

    formula: Callable[[Point], Scalar] | None = None
    within: Callable[..., bool] = anywhere
    constants: dict[int, Any] = {}
    params: tuple[Any, ...] = ()
    moving: tuple[int, ...] | None = None
