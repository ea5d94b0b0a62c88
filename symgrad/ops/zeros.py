"""How zeros of operands lead to zeros of a result, and how a node places an operand among zeros."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import NamedTuple

from symgrad.expr.node import ArrayExpr


class Zeros(enum.Enum):
    """What `symgrad.ops.masks` may conclude of a result from where the operands are zero."""

    # An enumeration's own hash is slow, and each node that is made asks for the hash.
    __hash__ = object.__hash__

    #: Zero where the first operand is.
    FIRST = enum.auto()
    #: Zero where all operands are.
    TERMS = enum.auto()
    #: Zero where an operand is.
    PRODUCT = enum.auto()
    #: Zero where the first operand is, though nan where both are.
    QUOTIENT = enum.auto()
    #: Zero where the base is, if the exponent is a positive number.
    POWER = enum.auto()
    #: A truth value, true where both operands are.
    AND = enum.auto()
    #: A truth value, true where an operand is.
    OR = enum.auto()
    #: Elements of its linear operands elsewhere, and zeros between them.
    MOVED = enum.auto()
    #: Sums of elements of the first operand, each counted once, and of constants in the others.
    ADDED = enum.auto()
    #: A sum: zero where all of its terms are.
    TOTAL = enum.auto()
    #: A sum over the axes that a broadcast repeats: zero where all of its terms are.
    BROADCAST = enum.auto()
    #: Computed along axes: zero where all of the first operand along them is.
    ALONG = enum.auto()
    #: A running total: zero as long as all terms are.
    RUNNING = enum.auto()
    #: A sum of products: zero where all terms of a factor are.
    CONTRACTION = enum.auto()
    #: The second operand where the first one holds, else the third.
    CHOICE = enum.auto()
    #: The third operand where the second one holds, else the first.
    FILL = enum.auto()
    #: Zero where the second operand, a condition, does not hold.
    MASK = enum.auto()
    #: Zero where the first operand is, and, but for its derivatives, where the second, a condition,
    #: does not hold.
    WITHIN = enum.auto()


class Fill(NamedTuple):
    """The elements of an operand among zeros, as a node of this kind places them.

    Attributes
    ----------
    place : int
        The position of the operand.
    read : callable or None
        Returns the elements of another array, which broadcasts to the shape of the node, at the
        places of the operand; None where the operand has all places of the node.
    write : callable
        Returns the node with another value in the place of the operand.
    adds : bool
        Whether several elements of the operand may be added at one place.
    """

    place: int
    read: Callable[[ArrayExpr], ArrayExpr] | None
    write: Callable[[ArrayExpr], ArrayExpr]
    adds: bool = False
