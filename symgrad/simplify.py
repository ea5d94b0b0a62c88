"""Rewrites of expressions, as tables of two kinds that are never mixed.

A *value* is computed as it was written: a rewrite that applies to it may rename an operation or
leave out one that does nothing, so that NumPy gives the same bits in the same memory order.
Rewrites of *derivatives* apply while a derivative is built. They may not change a finite result
beyond rounding, nor turn a number into nan, nor hide a nan of the function itself, nor compute in a
narrower dtype. `tests/ops/test_rewrites.py` holds every one of them to that.

`rewrites(op)` enters a rule that `op.of` tries when a node is made. `stabilises(op)` enters a
stable form: an equal expression that is differentiated in the place of a node whose own derivative
overflows or cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from symgrad.expr.node import ArrayExpr
from symgrad.primitive import Primitive

__all__ = ["rewrites", "stabilises"]

Rule = TypeVar("Rule", bound=Callable[..., ArrayExpr | None])


def rewrites(
    *classes: type[Primitive], among: Iterable[type[ArrayExpr]] = (), values: bool = False
) -> Callable[[Rule], Rule]:
    """Enter a rewrite: called with the operands and parameter values, it returns None to pass.

    It is tried where an operand is of one of the types `among`; for all operands if there are none.
    With `values` it applies to what users write as well, not to formulas of derivatives alone.
    """
    types = frozenset(among)

    def enter(rule: Rule) -> Rule:
        for cls in classes:
            cls.derivative_rules.enter(rule, types)
            if values:
                cls.rules.enter(rule, types)
        return rule

    return enter


def stabilises(*classes: type[Primitive]) -> Callable[[Rule], Rule]:
    """Enter a stable form: called with the node, it returns None to pass."""

    def enter(rule: Rule) -> Rule:
        for cls in classes:
            cls.stable_forms.append(rule)
        return rule

    return enter
