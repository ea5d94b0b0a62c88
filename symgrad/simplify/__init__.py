"""From a formula to an equal formula: one table of rewrites, of kinds that are never mixed.

A *value* is computed as it was written: a rewrite that applies to it may rename an operation or
leave out one that does nothing, so that NumPy gives the same bits in the same memory order.
Rewrites of *derivatives* apply while a derivative is built. They may not change a finite result
beyond rounding, nor turn a number into nan, nor hide a nan of the function itself, nor compute in a
narrower dtype. A *stable form* is differentiated in the place of a node whose own derivative
overflows or cancels.

`TABLE` states all of them in the order in which they are tried. An operation that is defined
elsewhere has its own tried after those: `rewrites(op)` enters a rule that `op.of` tries when a node
is made, and `stabilises(op)` a stable form. `tests/simplify` holds every rewrite to what it may do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import Primitive
from symgrad.simplify.rewrite import Kind, Rewrite, Types
from symgrad.simplify.table import TABLE

__all__ = ["TABLE", "Kind", "Rewrite", "rewrites", "stabilises"]

Rule = TypeVar("Rule", bound=Callable[..., ArrayExpr | None])


def rewrites(
    *classes: type[Primitive], among: Types = (), values: bool = False
) -> Callable[[Rule], Rule]:
    """Enter a function as a rewrite of nodes of `classes`.

    The function is called with the operands and parameter values of a node, and returns an equal
    formula, or None where it does not apply. It is called only for a node with an operand of one of
    the types `among`, or of a type of which the function `among` is true, and for every node where
    `among` is left out. The rewrite applies to formulas of derivatives, and with `values` also to
    the formulas that users write.
    """
    return _entered(classes, among, Kind.VALUE if values else Kind.DERIVATIVE)


def stabilises(*classes: type[Primitive]) -> Callable[[Rule], Rule]:
    """Enter a function that returns the stable form of a node of `classes`, or None without one."""
    return _entered(classes, (), Kind.STABLE)


def _entered(
    classes: tuple[type[Primitive], ...], among: Types, kind: Kind
) -> Callable[[Rule], Rule]:
    def enter(rule: Rule) -> Rule:
        Rewrite(rule, kind, classes, among, by_class=False, samples=tuple).enter()
        return rule

    return enter
