"""Whether SymPy brings the difference of two formulas to zero, element by element."""

from __future__ import annotations

from typing import Any

import sympy

from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.ops.explicit import explicit_form
from symgrad.proofs.elements import Refused, as_fraction

#: The most elements that SymPy is asked of, and the most operations in each.
_MAX_ELEMENTS, _MAX_OPERATIONS = 9, 60
#: Functions of which a difference is not simplified: SymPy takes long, or decides too much.
_NOT_TRIED = (sympy.Piecewise, sympy.Max, sympy.Min, sympy.Mod)


def simplifies(a: ArrayExpr, b: ArrayExpr) -> bool:
    """Return whether SymPy brings the difference of two formulas to zero.

    Raises
    ------
    Refused
        If the formulas are too large for SymPy, or it has none for them.
    """
    if a.size > _MAX_ELEMENTS:
        raise Refused("so many elements")
    pairs = zip(*[_elements(e) for e in (a, b)], strict=True)
    rests = [x - y for x, y in pairs]
    for rest in rests:
        if sympy.count_ops(rest) > _MAX_OPERATIONS:
            raise Refused("so many operations")
        if rest.has(*_NOT_TRIED) or rest.has(sympy.nan, sympy.oo, sympy.zoo):
            raise Refused("functions by cases")
    return all(rest == 0 or sympy.simplify(rest) == 0 for rest in rests)


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
