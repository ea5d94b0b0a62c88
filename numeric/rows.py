"""Row rules: which rows of its operands a kernel reads for one block of rows of its result.

A rule belongs to a kernel. It is called once for each instruction, with the shapes of the operands
and the parameters. How programs run by blocks or in threads is not decided here.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Any, NamedTuple, TypeAlias

Shape: TypeAlias = tuple[int, ...]


class RowUse(Enum):
    """How an instruction relates to the leading axis of its operands."""

    LOCAL = "local"
    """Rows i..j of the result need only rows i..j of the operands."""
    ACCUMULATE = "accumulate"
    """The results of blocks of rows add up to the result."""
    WHOLE = "whole"
    """Each row of the result may need all rows of the operands."""


class Rows(NamedTuple):
    """How an instruction relates to rows, where its use alone does not say it.

    Attributes
    ----------
    use
        As a rule returns it.
    params
        The parameters with which a block of rows is computed, whatever its length.
    cut
        Which operands have rows, of which a block reads some. By default it is the first one alone,
        or where `rows` is `local` those that broadcasting says.
    """

    use: RowUse
    params: Mapping[str, Any]
    cut: tuple[bool, ...] = (True,)


RowRule: TypeAlias = Callable[[Sequence[Shape], Mapping[str, Any]], RowUse | Rows]


def rows_of(rule: RowRule, operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> Rows:
    """Return what a rule says of an instruction.

    Examples
    --------
    >>> rows_of(local, [(2, 3)], {}).use
    <RowUse.LOCAL: 'local'>
    """
    found = rule(operand_shapes, params)
    return found if isinstance(found, Rows) else Rows(found, params)


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


def keeps_rows(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse | Rows:
    """Return the rule of what gives an array another ``shape`` by rows, where it keeps these.

    Examples
    --------
    >>> keeps_rows([(5, 6)], {"shape": (5, 2, 3)}).params, keeps_rows([(5, 6)], {"shape": (6, 5)})
    ({'shape': (-1, 2, 3)}, <RowUse.WHOLE: 'whole'>)
    """
    (shape,), made = operand_shapes, params["shape"]
    if not shape or not made or shape[0] != made[0] or 0 in made:
        return RowUse.WHOLE
    return Rows(RowUse.LOCAL, {**params, "shape": (-1, *made[1:])})
