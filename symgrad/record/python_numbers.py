"""Python numbers as operands: parts of the structure of formulas, or inputs of their plans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.expr.dtypes import check_word, default_dtype
from symgrad.ops.primitive import Primitive
from symgrad.record.signature import NumberKind

#: The classes of Python's numbers.
NUMBERS = frozenset((int, float, bool, complex))

#: Integers up to here are part of a formula's structure; other numbers are its inputs.
_STRUCTURAL = 64


def is_structural(
    cls: type[Primitive], i: int, x: Any, operands: Sequence[Any], params: tuple[Any, ...] = ()
) -> bool:
    """Return whether a number is part of the structure of formulas, and not an input of plans.

    Small integers are, and numbers of which the operation says so.

    Raises
    ------
    OverflowError
        For an integer that no word of 64 bits holds, signed or not.
    """
    if x.__class__ is int and not -(2**63) <= x < 2**64:
        check_word(x)
    if x.__class__ is bool or cls.is_structural(i, x, operands, params):
        return True
    if x.__class__ is complex:
        return False
    return bool(-_STRUCTURAL <= x <= _STRUCTURAL and x == int(x))


def number_kind(kind: type[Any]) -> NumberKind:
    """Return the one `NumberKind` of a Python type under the present default dtype."""
    key = (kind, default_dtype())
    found = _kinds.get(key)
    if found is None:
        found = _kinds.setdefault(key, NumberKind(kind))
    return found


_kinds: dict[Any, NumberKind] = {}
