"""What a node states of its printed form; `symgrad.expr.printing` writes formulas with it."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PUBLIC_PARAMETERS", "Precedence", "Notation", "braces"]

#: The parameters of each public function, by its name: formulas call the function where it takes
#: what the operation of that name does. Public functions enter themselves.
PUBLIC_PARAMETERS: dict[str, frozenset[str]] = {}


class Precedence:
    """How tightly a printed form binds: an operand that binds less gets parentheses."""

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
        How tightly the whole binds.
    operands : tuple of int
        How tightly each operand must bind to go without parentheses (0: anything does).
    """

    text: str
    latex: str
    level: int = Precedence.ATOM
    operands: tuple[int, ...] = ()


def braces(text: str) -> str:
    """Double the braces of `text`, so that `str.format` leaves them."""
    return text.replace("{", "{{").replace("}", "}}")
