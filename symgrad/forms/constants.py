"""Constants of derivatives as a reader knows them: identities, exact numbers, sure choices."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
import sympy

from symgrad.expr.atoms import ArrayConst, Const, Leaf, is_const
from symgrad.expr.dtypes import dtype, float64
from symgrad.expr.graph import rebuild, replace_nodes, toposort
from symgrad.expr.named_sizes import NamedSize
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.expr.sizing import size_names
from symgrad.forms.exact import exact_number
from symgrad.ops.arithmetic import mul
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.casting import cast
from symgrad.ops.contraction import delta
from symgrad.ops.exponential import log
from symgrad.ops.masked import masked
from symgrad.ops.where import where

#: The most elements, and the most nodes, of a condition that is computed.
_MOST_ELEMENTS, _MOST_NODES = 1 << 16, 50


def with_known_constants(
    es: Sequence[ArrayExpr], written: Sequence[ArrayExpr]
) -> tuple[list[ArrayExpr], list[ArrayExpr]]:
    """Return formulas, and those that a user wrote, with constants as they are known.

    An array of equal numbers on the diagonal is a multiple of the identity matrix. A float that is
    the nearest to a root, or to a fraction of pi, is that. The logarithm of a number is that.

    Examples
    --------
    >>> import math
    >>> import numpy as np
    >>> import symgrad
    >>> x = symgrad.leaf("x")
    >>> es, _ = with_known_constants([math.pi * x, x / math.sqrt(8), np.eye(3) * x, 0.1 * x], [])
    >>> es
    [pi * x, x / (2*2**0.5), eye(3, dtype=float64) * x, 0.1 * x]
    """
    known: dict[ArrayExpr, ArrayExpr] = {}
    for x in toposort([*es, *written]):
        made = _known(x)
        if made is not None:
            known[x] = made
    if not known:
        return list(es), list(written)
    return replace_nodes(es, known), replace_nodes(written, known)


def _known(x: ArrayExpr) -> ArrayExpr | None:
    """Return a constant as it is known, None where that is no other one."""
    if isinstance(x, ArrayConst):
        return _multiple_of_identity(x, x.dtype)
    if type(x) is cast:
        inner = x.operands[0]
        return _multiple_of_identity(inner, x.dtype) if isinstance(inner, ArrayConst) else None
    if isinstance(x, Const) and x.weak and isinstance(x.value, sympy.Basic):
        return _by_logarithms(x.value)
    is_float = isinstance(x, Const) and type(x.value) is float
    if not is_float or not (x.weak or x.dtype is float64):
        return None
    made = exact_number(x.value, float64)
    if made.is_Rational or made.is_Float or not made.is_finite:
        return None
    return Const(made, None if x.weak else x.dtype)


def _by_logarithms(value: sympy.Basic) -> ArrayExpr | None:
    """Return a product of powers of logarithms of whole numbers as one; None for others."""
    number, rest = value.as_coeff_Mul()
    if not number.is_Integer or not value.has(sympy.log):
        return None
    above: Any = Const(int(number))
    below: Any = Const(1)
    for factor in sympy.Mul.make_args(rest):
        base, n = factor.as_base_exp()
        if not (isinstance(base, sympy.log) and base.args[0].is_Integer and n.is_Integer):
            return None
        power = log.of(Const(int(base.args[0]))) ** abs(int(n))
        if n > 0:
            above = power if is_const(above, 1) else above * power
        else:
            below = power if is_const(below, 1) else below * power
    return above if is_const(below, 1) else above / below  # type: ignore[no-any-return]


def _multiple_of_identity(x: ArrayConst, kind: dtype) -> ArrayExpr | None:
    """Return a constant as a number times an identity matrix of a dtype; None where it is none."""
    a = x.value
    if not (a.ndim == 2 and a.shape[0] == a.shape[1] > 1 and kind.is_floating_point):
        return None
    c = a[0, 0].item()
    if not c or type(c) is not float or not np.array_equal(a, c * np.eye(len(a))):
        return None
    identity = delta(a.shape[:1], kind)
    return identity if c == 1 else mul(Const(int(c) if c.is_integer() else c), identity)


def without_sure_choices(
    es: Sequence[ArrayExpr], written: Collection[ArrayExpr] = ()
) -> list[ArrayExpr]:
    """Return formulas without choices by conditions that hold everywhere, or nowhere.

    These are made of constants alone. Nodes that are `written` stay.

    Examples
    --------
    >>> import numpy as np
    >>> import symgrad
    >>> x = symgrad.leaf("x", (2,))
    >>> without_sure_choices([symgrad.where(np.array([True, True]), x, 0)])
    [x]
    """

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made: Any = x if operands == x.operands else x.func(*operands, *x.args[len(operands) :])
        if x in written or type(made) not in (where, masked):
            return made  # type: ignore[no-any-return]
        if type(made) is where:
            condition, on, off = made.operands
        else:
            (on, condition, *_), off = made.operands, Const(0)
        truth = _everywhere(condition)
        if truth is None:
            return made  # type: ignore[no-any-return]
        chosen = on if truth else off
        if chosen.dtype is not made.dtype:
            chosen = cast.of(chosen, made.dtype)
        return chosen if chosen.shape == made.shape else broadcast_to.of(chosen, made.shape)

    return rebuild(es, visit)


def _everywhere(condition: ArrayExpr) -> bool | None:
    """Return the truth value of all elements, None if they differ or are not known."""
    nodes = toposort([condition])
    if len(nodes) > _MOST_NODES or any(isinstance(x, Leaf) for x in nodes):
        return None
    if size_names([condition]) or any(type(n) is NamedSize for n in condition.shape):
        return None
    if size_of(condition.shape) > _MOST_ELEMENTS:
        return None
    values = np.asarray(condition.evaluate({}))
    if not values.size or values.all() == values.any():
        return bool(values.all()) if values.size else None
    return None
