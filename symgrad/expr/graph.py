"""Walks over expressions, which all use `toposort`.

A walk is iterative and visits a shared node once. So its time is proportional to the number of
nodes, whatever their depth and the number of paths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from numeric.identifiers import fresh_name
from symgrad.expr.atoms import Leaf
from symgrad.expr.node import ArrayExpr


def toposort(
    roots: Iterable[ArrayExpr],
    stop: Callable[[ArrayExpr], bool] | None = None,
    below: Callable[[ArrayExpr], Sequence[ArrayExpr]] | None = None,
) -> list[ArrayExpr]:
    """Return the nodes of formulas, operands before the nodes that use them.

    A node for which `stop` is true is included, but the walk does not go on below it. `below`
    returns the nodes below a node, by default the operands.
    """
    done: dict[ArrayExpr, None] = {}
    # Nodes entered and not yet left, each with its operands that are still to be looked at; below
    # them all the roots, as if they were operands of one node.
    path: list[tuple[Any, Iterator[ArrayExpr]]] = []
    node: Any = None
    rest = iter(roots)
    while True:
        for x in rest:
            if x not in done:
                if stop is not None and stop(x):
                    done[x] = None
                    continue
                operands = x.operands if below is None else below(x)
                if not operands:
                    done[x] = None
                    continue
                path.append((node, rest))
                node, rest = x, iter(operands)
                break
        else:
            if not path:
                return list(done)
            done[node] = None
            node, rest = path.pop()


def leaves(*roots: ArrayExpr) -> tuple[Leaf, ...]:
    """Return the distinct leaves of formulas, in the order of the walk."""
    return tuple(x for x in toposort(roots) if isinstance(x, Leaf))


def free_name(name: str, taken: Iterable[Leaf]) -> str:
    """Return `name`, with underscores after it while a leaf of `taken` has the name."""
    return fresh_name(name, {x.name for x in taken})


def use_counts(roots: Iterable[ArrayExpr]) -> dict[ArrayExpr, int]:
    """Return, for each node, how often it is an operand or a root."""
    roots = list(roots)
    counts = dict.fromkeys(toposort(roots), 0)
    for node in counts:
        for x in node.operands:
            counts[x] += 1
    for x in roots:
        counts[x] += 1
    return counts


def rebuild(
    roots: Iterable[ArrayExpr],
    visit: Callable[[ArrayExpr, tuple[Any, ...]], Any],
) -> list[Any]:
    """Return the results of a function for the roots.

    `visit` is called with each node and the results for its operands, operands first.
    """
    roots = list(roots)
    made: dict[ArrayExpr, Any] = {}
    for node in toposort(roots):
        made[node] = visit(node, tuple([made[x] for x in node.operands]))
    return [made[x] for x in roots]


def replace_nodes(
    roots: Iterable[ArrayExpr], mapping: Mapping[ArrayExpr, ArrayExpr]
) -> list[ArrayExpr]:
    """Return `roots` with nodes replaced; the nodes above are rebuilt without rewrites."""

    def visit(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        new = mapping.get(node)
        if new is not None:
            return new
        if operands == node.operands:
            return node
        return node.func(*operands, *node.args[len(operands) :])  # type: ignore[no-any-return]

    return rebuild(roots, visit)
