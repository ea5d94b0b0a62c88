"""Row rules: what one block of rows of a result needs of its operands.

A rule belongs to a kernel and is asked once per instruction, with shapes and
parameters. What is done with the answer (blocks, threads) lives elsewhere.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Any, TypeAlias

Shape: TypeAlias = tuple[int, ...]


class RowUse(Enum):
    """How an instruction relates to the leading axis of its operands."""

    LOCAL = "local"
    """Rows i..j of the result need only rows i..j of the operands."""
    ACCUMULATE = "accumulate"
    """The results of blocks of rows add up to the result."""
    WHOLE = "whole"
    """The operands are needed whole."""


RowRule: TypeAlias = Callable[[Sequence[Shape], Mapping[str, Any]], RowUse]


def local(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """The rule of elementwise kernels, broadcasting included.

    An operand without the leading axis of the result, or with extent one
    there, is the same for every block; the others are cut.
    """
    return RowUse.LOCAL


def whole(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """The rule that promises nothing, hence the default."""
    return RowUse.WHOLE


def reduces(axis_param: str = "axis") -> RowRule:
    """The rule of a reduction whose blocks add up, such as a sum.

    Parameters
    ----------
    axis_param
        The parameter that holds the reduced axes: an int, a tuple of ints, or
        None for all of them. A missing parameter means all.

    Examples
    --------
    >>> rule = reduces()
    >>> rule([(5, 3)], {"axis": 1}), rule([(5, 3)], {"axis": -2})
    (<RowUse.LOCAL: 'local'>, <RowUse.ACCUMULATE: 'accumulate'>)
    """
    return partial(_reduces, axis_param)


def _reduces(axis_param: str, operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    rank = len(operand_shapes[0])
    axis = params.get(axis_param)
    if axis is None:
        leading = rank > 0
    else:
        axes = axis if isinstance(axis, tuple) else (axis,)
        leading = any(a in (0, -rank) for a in axes)
    return RowUse.ACCUMULATE if leading else RowUse.LOCAL
