"""The number that a formula without leaves is, for `float`, `round`, `format` and others."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from symgrad.expr.sizing import size_names
from symgrad.support.untraceable import UntraceableValue, is_traced

#: How many leaves an error names.
_NAMED = 3


def has_value(e: ArrayExpr) -> bool:
    """Return whether a formula has a value: it has no leaves, and no function is being traced.

    Nor are its sizes names.
    """
    # A function that is traced may run with other values.
    return not is_traced() and not leaves(e) and not size_names([e])


def no_value(e: ArrayExpr, what: str, instead: str = "") -> UntraceableValue:
    """Return the error for a call that asks for the value of a formula that has none.

    Parameters
    ----------
    e : ArrayExpr
        The formula.
    what : str
        The function of Python's that was called.
    instead : str
        Another way out than to compute the value, for the end of the message.
    """
    asked = f"{what}() asks for the value of a symbolic array"
    end = f", or {instead}" if instead else ""
    if is_traced():
        return UntraceableValue(
            f"{asked}, which is not known while its function is traced"
            + (instead and f": {instead}")
        )
    names = [x.name for x in leaves(e)]
    given = ", ".join([f"{name!r}: ..." for name in names[:_NAMED]])
    more = ", ..." if len(names) > _NAMED else ""
    return UntraceableValue(
        f"{asked}, which it has once its leaves have values: compute it with "
        f"e.evaluate({{{given}{more}}}){end}"
    )


def _number(e: ArrayExpr, what: str, instead: str = "") -> Any:
    """Return the number of Python's that a formula is."""
    if not has_value(e):
        raise no_value(e, what, instead)
    value = e.evaluate()
    if value.size != 1:
        raise TypeError(f"{what}() takes a number, and this formula has the shape {e.shape}")
    return value.item()


def _asked_by(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method by which a function of Python's asks a formula for its number."""

    def method(self: ArrayExpr, *args: Any) -> Any:
        return call(_number(self, call.__name__), *args)

    method.__name__ = method.__qualname__ = f"__{call.__name__}__"
    return method


def _index(self: ArrayExpr) -> int:
    """Return the integer that the formula is, for `range(e)` and `a_list[e]`."""
    instead = "for a list times an array, make an array of the list with np.array"
    return operator.index(_number(self, "operator.index", instead))


def _format(self: ArrayExpr, spec: str) -> str:
    return format(_number(self, "format"), spec) if spec else str(self)


#: The methods of formulas that Python's functions call for a number. SymPy's own would compute one.
NUMBERS: dict[str, Callable[..., Any]] = {
    "__format__": _format,
    "__index__": _index,
    **{
        f"__{call.__name__}__": _asked_by(call)
        for call in (float, int, complex, round, math.trunc, math.floor, math.ceil)
    },
}
