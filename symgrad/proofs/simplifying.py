"""Whether SymPy brings the difference of two formulas to zero, element by element."""

from __future__ import annotations

from typing import Any

import sympy

from symgrad.expr.dtypes import bool_, dtype
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.explicit import explicit_form
from symgrad.proofs.elements import Refused, as_fraction
from symgrad.proofs.running import count_elements

#: The most elements of the arrays of both formulas, and the most operations in one element.
_MAX_ELEMENTS, _MAX_OPERATIONS = 100, 60
#: What SymPy does to a difference, one after the other; `simplify` may take minutes.
_STEPS = (sympy.expand, sympy.powsimp, sympy.expand_func, sympy.gammasimp)


def simplifies(a: ArrayExpr, b: ArrayExpr) -> bool:
    """Return whether SymPy brings the difference of two formulas to zero.

    Raises
    ------
    Refused
        If the formulas are too large for SymPy, or it has none for them, or they make choices, of
        which SymPy takes long to decide little.
    """
    if count_elements([a, b]) > _MAX_ELEMENTS:
        raise Refused("so many elements")
    if any(x.dtype is bool_ for x in toposort([a, b])):
        raise Refused("functions by cases")
    pairs = zip(*[_elements(e) for e in (a, b)], strict=True)
    return all(_is_zero(x - y) for x, y in pairs)


def _is_zero(rest: Any) -> bool:
    if sympy.count_ops(rest) > _MAX_OPERATIONS:
        raise Refused("so many operations")
    if rest.has(sympy.Piecewise, sympy.nan, sympy.oo, sympy.zoo):
        raise Refused("functions by cases")
    for step in _STEPS:
        if rest == 0:
            break
        rest = step(rest)
    return bool(rest == 0)


def _elements(e: ArrayExpr) -> list[Any]:
    try:
        form = explicit_form(e, lambda x: x.symbol, _number)
    except (ValueError, AttributeError) as error:
        raise Refused(str(error)) from None
    found = list(sympy.flatten(form)) if e.shape else [form]
    if not all(isinstance(x, sympy.Expr) for x in found):
        raise Refused("truth values")
    return found


def _number(value: Any, kind: dtype) -> Any:
    if isinstance(value, sympy.Basic):
        return value
    if isinstance(value, bool):
        return sympy.true if value else sympy.false
    return sympy.Rational(*as_fraction(value).as_integer_ratio())
