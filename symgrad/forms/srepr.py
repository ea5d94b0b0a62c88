"""Source that makes a formula again: `sympy.srepr` writes a table, and `from_table` reads it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy
from sympy.core.basic import Basic

from numeric.literal import array_literal, literal
from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import bool_, dtype
from symgrad.expr.graph import toposort
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import BESIDE, PRIMITIVES


def srepr(e: ArrayExpr) -> str:
    """Return Python source that makes the same node, from a table with an entry for each node.

    The source uses the names `symgrad`, `np` and, for exact numbers, those of SymPy.

    Examples
    --------
    >>> import numpy as np
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> source = srepr(x.exp())
    >>> source
    "symgrad.forms.srepr.from_table([('leaf', 'x', (), symgrad.float64), ('exp', (0,), ())])"
    """
    number: dict[ArrayExpr, int] = {}
    entries: list[str] = []
    for node in toposort([e]):
        number[node] = len(number)
        if isinstance(node, Leaf):
            _, given = node.made_of()
            entries.append(f"('leaf', {', '.join(map(_value, given))})")
        elif isinstance(node, Const):
            kind = "None" if node.weak else _value(node.dtype)
            entries.append(f"('const', {_value(node.value)}, {kind})")
        elif isinstance(node, ArrayConst):
            entries.append(f"('array', {array_literal(node.value)})")
        else:
            operands = tuple(number[x] for x in node.operands)
            params = _value(tuple(p.value for p in node.args[len(operands) :]))
            entries.append(f"({node.constructor()}, {operands!r}, {params})")
    return f"symgrad.forms.srepr.from_table([{', '.join(entries)}])"


def _value(value: Any) -> str:
    """Return the source of a parameter or a number."""
    if isinstance(value, dtype):
        return "symgrad.bool_" if value is bool_ else f"symgrad.{value.name}"
    if isinstance(value, Basic):
        return str(sympy.srepr(value))
    if type(value) is NamedSize:
        return f"symgrad.forms.srepr.NamedSize({sympy.srepr(value.formula)})"
    if type(value) is tuple:  # parameters nest only as deep as an index does
        return f"({', '.join(map(_value, value))}{',' if len(value) == 1 else ''})"
    return literal(value)


def from_table(table: Sequence[tuple[Any, ...]]) -> ArrayExpr:
    """Return the formula of a table that `sympy.srepr` wrote, in which operands come first.

    Raises
    ------
    ValueError
        If an entry names no operation.
    """
    atoms: dict[str, Any] = {"leaf": Leaf, "const": Const, "array": ArrayConst}
    made: list[ArrayExpr] = []
    for kind, *rest in table:
        if kind in atoms:
            made.append(atoms[kind](*rest))
            continue
        cls = PRIMITIVES.get(kind) or BESIDE.get(kind) if isinstance(kind, str) else kind
        if cls is None:
            raise ValueError(f"there is no operation {kind!r}")
        operands, params = rest
        made.append(cls(*[made[i] for i in operands], *params))
    return made[-1]


def _sympyrepr(e: ArrayExpr, printer: Any) -> str:
    return srepr(e)


#: The method that SymPy's printer of source calls.
REPR: dict[str, Any] = {"_sympyrepr": _sympyrepr}
