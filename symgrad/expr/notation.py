"""The printed form that an operation states, with which `symgrad.expr.printing` writes formulas."""

from __future__ import annotations

from typing import NamedTuple

#: The parameters of each public function, by its name. The text of an operation is a call of the
#: public function of its name if that has the same parameters. Public functions enter themselves.
PUBLIC_PARAMETERS: dict[str, frozenset[str]] = {}


class Precedence:
    """Precedences: an operand with a lower one than its place needs gets parentheses."""

    LOGIC = 10
    COMPARE = 20
    SUM = 30
    PRODUCT = 40
    UNARY = 50
    POWER = 60
    ATOM = 100


class Notation(NamedTuple):
    """The printed form of a node: templates over its operands `{0}`, `{1}` and on.

    Attributes
    ----------
    text, latex : str
        Templates for `str.format` over the printed operands.
    level : int
        The precedence of the printed form.
    operands : tuple of int
        The lowest precedence with which each operand has no parentheses.
    """

    text: str
    latex: str
    level: int = Precedence.ATOM
    operands: tuple[int, ...] = ()


def braces(text: str) -> str:
    """Return `text` with doubled braces, which `str.format` makes single again."""
    return text.replace("{", "{{").replace("}", "}}")
