"""The formula by which a tensor was computed, as it was written: its `expr`."""

from __future__ import annotations

import sys
from typing import Any

from symgrad.backward.reading import read_formulas
from symgrad.backward.walking import Walk, walk
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.graph import free_name
from symgrad.expr.node import ArrayExpr
from symgrad.ops.identity import written
from symgrad.record.naming import leaf_exprs, name_after_variables, named_after_variables
from symgrad.record.tape import LeafVertex, Number


def expression_of(tensor: Any) -> ArrayExpr:
    """Return the formula by which a tensor was computed, as it was written.

    Every tensor that takes part and was not computed under record is a leaf of it.
    """
    vertex = tensor._vertex or tensor._leaf()
    walked = walk([vertex])
    return read_formula(walked, vertex, named_leaves(walked))[0]


def read_formula(
    walked: Walk, root: Any, made: dict[Any, Leaf]
) -> tuple[ArrayExpr, dict[Any, Leaf]]:
    """Return the formula of a walked graph, and the leaves of values that were written over."""
    written_over = _WrittenOver(made)
    read = read_formulas(
        walked.order,
        walked.position,
        lambda _, vertex: _display(made, vertex),
        opaque=False,
        used=written_over,
    )
    formula = written_over(root, None, read.exprs[walked.position[root]])
    return formula, written_over.leaves


class _WrittenOver:
    """Gives a leaf to each value of a tensor that was written over between two uses.

    Parameters
    ----------
    made : dict
        The leaf of the value of each leaf vertex at its first use.
    """

    def __init__(self, made: dict[Any, Leaf]) -> None:
        self.leaves: dict[Any, Leaf] = {}
        self._made = made
        self._first: dict[Any, int] = {}

    def __call__(self, vertex: Any, user: Any, formula: ArrayExpr) -> ArrayExpr:
        storage = getattr(vertex, "storage", None)
        if storage is None or isinstance(vertex, Number):
            return formula
        until = sys.maxsize if user is None else user.seq
        last = storage.last_write(vertex.seq, until)
        if isinstance(vertex, LeafVertex):
            if last == self._first.setdefault(vertex, last):
                return formula
        elif not last:
            return formula
        leaf = self.leaves.get((vertex, last))
        if leaf is None:
            known = self._made.get(vertex)
            name = free_name(
                "value" if known is None else known.name,
                [*self._made.values(), *self.leaves.values()],
            )
            leaf = Leaf(name, formula.shape, formula.dtype)
            self.leaves[vertex, last] = leaf
        return written(leaf, formula)


def named_leaves(walked: Walk) -> dict[Any, Leaf]:
    """Return the formula leaf of each leaf vertex, under the name of its tensor.

    Those without a name are named after the user's variables that hold them, if no other tensor is,
    and the rest are numbered in the order in which a reader of the formula meets them.
    """
    vertices = [v for v in walked.order if isinstance(v, LeafVertex)]
    unnamed = [v for v in vertices if not (v.name or v.auto)]
    if unnamed:
        name_after_variables(vertices, named_after_variables)
    if len(unnamed) > 1:
        leaf_exprs(_in_reading_order(walked.order[0]))
    return dict(zip(vertices, leaf_exprs(vertices), strict=True))


def _in_reading_order(root: Any) -> list[LeafVertex]:
    """Return the leaf vertices of a graph in the order of their places in the formula."""
    found: dict[Any, None] = {}
    stack = [root]
    while stack:
        vertex = stack.pop()
        if vertex not in found:
            found[vertex] = None
            stack += reversed(vertex.inputs)
    return [v for v in found if isinstance(v, LeafVertex)]


def _display(made: dict[Any, Leaf], vertex: Any) -> ArrayExpr:
    return Const(vertex.saved[0]) if isinstance(vertex, Number) else made[vertex]
