"""Row rules: which rows of its operands a kernel reads for one block of rows of its result.

A rule belongs to a kernel. It is called once for each instruction, with the shapes of the operands
and the parameters. How programs run by blocks or in threads is not decided here.
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
    """Each row of the result may need all rows of the operands."""


RowRule: TypeAlias = Callable[[Sequence[Shape], Mapping[str, Any]], RowUse]


def local(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """Return the rule of elementwise kernels, broadcasting included.

    An operand without the leading axis of the result, or of length one along it, is the same for
    every block; the other operands are cut.
    """
    return RowUse.LOCAL


def whole_operands(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """Return the rule of kernels of which nothing is known, the default."""
    return RowUse.WHOLE


def reduces(axis_param: str = "axis") -> RowRule:
    """Return the rule of a reduction whose blocks add up, such as a sum.

    Parameters
    ----------
    axis_param
        The parameter that holds the reduced axes: an int, a tuple of ints, or None for all axes.
        Without that parameter all axes are reduced.

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
