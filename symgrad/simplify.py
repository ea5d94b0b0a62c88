"""Rewrites of expressions, as tables.

`rewrites(op)` enters a rule that `op.of` tries when a node is made; it must be safe: it may not
change a finite result beyond rounding, and may not turn a number into nan nor hide a nan of the
function itself. `stabilises(op)` enters a stable form: an equal expression that is differentiated
in the place of a node whose own derivative overflows or cancels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from symgrad.expr.node import ArrayExpr
from symgrad.primitive import Primitive

__all__ = ["rewrites", "stabilises"]

Rule = TypeVar("Rule", bound=Callable[..., ArrayExpr | None])


def rewrites(
    *classes: type[Primitive], among: Iterable[type[ArrayExpr]] = (), derivatives: bool = False
) -> Callable[[Rule], Rule]:
    """Enter a rewrite: called with the operands and parameter values, it returns None to pass.

    It is tried where an operand is of one of the types `among`; for all operands if there are none.
    With `derivatives` it applies to formulas of derivatives only: there a masked-out element is an
    exact zero whatever it is multiplied by, while a value `0 * inf` is the nan that was written.
    """
    types = frozenset(among)

    def enter(rule: Rule) -> Rule:
        for cls in classes:
            cls.derivative_rules.enter(rule, types)
            if not derivatives:
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
