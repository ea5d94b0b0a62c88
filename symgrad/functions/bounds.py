"""What users call of `symgrad.ops.bounds`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.ops.bounds import _within, within
from symgrad.ops.operand_values import every_value


def check_bounds(
    x: Any, low: int, high: int, error: type[Exception], message: str, ignored: int | None = None
) -> Any:
    """Return `x` after a check that its elements lie between `low` and `high`.

    Parameters
    ----------
    x : Tensor or ArrayExpr
        A tensor is checked now. For a formula, the result is a node that checks its value whenever
        it is computed.
    error : {IndexError, RuntimeError}
        The class of the error.
    message : str
        The text of the error, with a `{}` for the first element outside the bounds.
    ignored : int, optional
        A value that is allowed as well.
    """
    values = every_value(x)
    if values is None:
        return within.of(x, low, high, error.__name__, message, ignored)
    _within(values, low=low, high=high, error=error.__name__, message=message, ignored=ignored)
    return x
