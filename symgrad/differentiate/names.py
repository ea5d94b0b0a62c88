"""Quantities that formulas show by their names (`symgrad.named`), in what is derived of these."""

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
        if not x.is_known_by_name and x.operands:
            found = names.get(x, names.get(x.as_read()))
            if found is not None:
                return found
            if operands != x.operands:
                return _on(x, operands)
        return x  # type: ignore[no-any-return]

    return rebuild(es, visit)


def without_names(es: Sequence[ArrayExpr]) -> list[ArrayExpr]:
    """Return formulas in which nothing is shown by a name that a user gave it.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> without_names([symgrad.named(x.exp(), "h") * 2])
    [exp(x) * 2]
    """

    def visit(x: Any, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if x.is_known_by_name:
            return operands[0]
        return x if operands == x.operands else _on(x, operands)

    return rebuild(es, visit)


def _on(x: Any, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
    return x.func(*operands, *x.args[len(operands) :])  # type: ignore[no-any-return]


def _is_computed(x: ArrayExpr) -> bool:
    return bool(x.operands) and not x.is_known_by_name
