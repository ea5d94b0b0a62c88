"""Small vectors and matrices of which each element is a formula by itself, written as such.

What is made of the elements of a vector one by one, as `x[0] * x[1]`, has derivatives of which a
book writes each element. The derivative of such an array is that of each of its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

import numpy as np

from symgrad.expr.atoms import ArrayConst, Const
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.ops.broadcasting import broadcast_to, is_zeros
from symgrad.ops.joining import stack
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several

#: The most elements of an array that is written by its rows.
_MOST = 36


def rows_of(e: ArrayExpr) -> Sequence[ArrayExpr] | None:
    """Return the parts of a small array along its first axis, where these stand in its formula.

    None where one part is repeated: that is an array by itself.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (2,))
    >>> rows_of(-symgrad.stack([x[0], x[1] ** 2]))
    [-x[0], -x[1]**2]
    >>> rows_of(-x) is None
    True
    """
    if not 0 < size_of(e.shape) <= _MOST or not e.shape or is_zeros(e):
        return None
    known: dict[ArrayExpr, Sequence[ArrayExpr] | None] = {}
    for x in toposort([e]):
        if not isinstance(x, Primitive) or isinstance(x, Several):
            continue
        if x.shape and 0 < size_of(x.shape) <= _MOST:
            known[x] = x.rows(known.get)
    return None if type(e) is broadcast_to else known.get(e)


def by_rows(e: ArrayExpr) -> ArrayExpr:
    """Return a small array as the stack of its rows, where these stand in its formula.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (2,))
    >>> by_rows(-symgrad.stack([x[0], x[1]]))
    stack([-x[0], -x[1]])
    """
    rows = rows_of(e)
    if rows is None:
        return e
    rows = [_zeros(x) if x.shape and is_zeros(x) else by_rows(x) for x in rows]
    values = [x.number if isinstance(x, Const) else x.value for x in rows if _is_constant(x)]
    if len(values) == len(rows):
        return ArrayConst(np.array(values, e.dtype.numpy))
    made = stack.of(*rows, 0)
    return made if made.dtype is e.dtype else e


def _is_constant(x: ArrayExpr) -> TypeGuard[Const | ArrayConst]:
    return isinstance(x, (Const, ArrayConst))


def _zeros(x: ArrayExpr) -> ArrayConst:
    return ArrayConst(np.zeros(x.shape, x.dtype.numpy))
