"""What users call of `symgrad.ops.bounds`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.bounds import _within, within
from symgrad.ops.values import every_value

__all__ = ["checked"]


def checked(
    x: Any, low: int, high: int, error: type[Exception], message: str, ignored: int | None = None
) -> Any:
    """Return `x`, whose values lie between `low` and `high`.

    Parameters
    ----------
    x : Tensor or ArrayExpr
        What is checked now, or as soon as a formula has values.
    error : {IndexError, RuntimeError}
        What is raised.
    message : str
        Its text, with a `{}` for the first value that lies outside.
    ignored : int, optional
        A value that is allowed as well.
    """
    values = every_value(x)
    if values is None:
        return within.of(x, low, high, error.__name__, message, ignored)
    _within(values, low=low, high=high, error=error.__name__, message=message, ignored=ignored)
    return x
