"""Quantities that formulas show by their names (`symgrad.named`), in formulas derived from others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr


def names_of(nodes: Iterable[ArrayExpr]) -> dict[ArrayExpr, ArrayExpr]:
    """Return, for each formula that has a name among nodes, the node that has it.

    A leaf and a number are not shown by another name than their own.
    """
    found: dict[ArrayExpr, ArrayExpr] = {}
    for x in nodes:
        if x.is_known_by_name and _is_computed(x.operands[0]):
            found.setdefault(x.operands[0], x)
    return found


def by_name(es: Sequence[ArrayExpr], source: Iterable[ArrayExpr]) -> list[ArrayExpr]:
    """Return formulas with what has a name in others under this name.

    The rule of an operation reads the result of the operation, which has no name.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> print(by_name([x.exp() * 2], [symgrad.named(x.exp(), "h")])[0])
    h = exp(x)
    h * 2
    """
    names = names_of(toposort(source))
    if not names:
        return list(es)

    def visit(x: Any, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if x.is_known_by_name or not x.operands:
            return x  # type: ignore[no-any-return]
        found = names.get(x, names.get(x.as_read()))
        if found is not None or operands == x.operands:
            return x if found is None else found  # type: ignore[no-any-return]
        return x.func(*operands, *x.args[len(operands) :])

    return rebuild(es, visit)


def _is_computed(x: ArrayExpr) -> bool:
    return bool(x.operands) and not x.is_known_by_name
