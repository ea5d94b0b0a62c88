"""Which rewrites a new node is offered to: `RewriteTable`."""

from __future__ import annotations

from collections.abc import Callable

from symgrad.expr.node import ArrayExpr

Rule = Callable[..., ArrayExpr | None]

#: Whether a type of operands has some fact.
Among = Callable[[type[ArrayExpr]], bool]

# The number of combinations of operand types for which a table keeps the list of rules to try.
_REMEMBERED = 4096


class RewriteTable(dict[tuple[type[ArrayExpr], ...], tuple[Rule, ...]]):
    """The rewrites of a primitive, by the types of its operands, in the order of entry.

    Most rules apply only to an operand of a certain type, which most nodes do not have; for such
    nodes no rule is called.
    """

    def __init__(self) -> None:
        super().__init__()
        self.entered: list[tuple[Rule, Among | None]] = []

    def enter(self, rule: Rule, among: Among | None) -> None:
        """Enter `rule` for nodes with an operand of a type for which `among` holds; None is all."""
        self.entered.append((rule, among))
        self.clear()

    def __missing__(self, types: tuple[type[ArrayExpr], ...]) -> tuple[Rule, ...]:
        if len(self) >= _REMEMBERED:
            self.clear()
        found = tuple([r for r, among in self.entered if among is None or any(map(among, types))])
        self[types] = found
        return found
