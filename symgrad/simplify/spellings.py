"""What a formula is, however it is written: sums, differences, reciprocals and squares.

In a formula read from a record, values of the forward pass stand inside `forward_value`. A pattern
matches their formulas (`formula_of`), but returns the `forward_value` nodes themselves, so that
what is built of them reads the saved values.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, TypeAlias

from symgrad.expr.atoms import ArrayConst, Const, is_const
from symgrad.expr.node import ArrayExpr
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.composite import Pointwise
from symgrad.ops.identity import forward_value, named
from symgrad.ops.masks import formula_of
from symgrad.ops.powers import pow, reciprocal, square
from symgrad.ops.primitive import Primitive
from symgrad.ops.zeros import Zeros

#: The most nodes of a sum that are looked at. Without a limit, looking at all partial sums of n
#: terms would take time quadratic in n.
MOST_NODES = 32


def number_of(x: Any) -> Any:
    """Return the finite real number that `x` is everywhere, exactly; None where it is none."""
    if type(x) not in _CONSTANTS:
        return None
    if type(x) is broadcast_to:
        x = x.operands[0]
    if type(x) is ArrayConst and x.value.size and (x.value == x.value.flat[0]).all():
        x = Const(x.value.flat[0])
    if type(x) is not Const or type(x.value) not in (int, float) or not math.isfinite(x.value):
        return None
    return x.value if type(x.value) is int else Fraction(x.value)


#: A number, and terms that are added to it: a factor and an expression each.
_Sum: TypeAlias = tuple[Any, list[tuple[Any, ArrayExpr]]]


def sum_of(x: Any, most: int, kind: type[ArrayExpr] | None = None) -> _Sum | None:
    """Return `x` as a number and at most so many terms, of one class if given; None if it is not.

    However it is written, a sum has the same terms: `1 - u`, `-(u - 1)`, `add(1, u, alpha=-1)`
    and `u * -1 + 1` are 1 and (-1, u). The numbers are exact, since 1 + 1e-20 is not 1: who adds
    1e-20 to a difference wants it there.
    """
    number: Any = 0
    terms: list[tuple[Any, ArrayExpr]] = []
    pending: list[tuple[Any, Any]] = [(1, x)]
    for _ in range(MOST_NODES):
        factor, part = pending.pop()
        inner = formula_of(part)
        if isinstance(inner, Pointwise):
            formula: Any = inner.expanded()
            inner = formula if type(formula) in _SUMS else inner
        root = type(inner)
        if root is add or root is sub:
            first, second = inner.operands
            pending += (factor, first), (factor if root is add else -factor, second)
        elif root is neg:
            pending.append((-factor, inner.operands[0]))
        elif root is mul and (value := number_of(inner.operands[0])) is not None:
            pending.append((factor * value, inner.operands[1]))
        elif root is mul and (value := number_of(inner.operands[1])) is not None:
            pending.append((factor * value, inner.operands[0]))
        elif root is div and (value := number_of(inner.operands[1])):
            pending.append((Fraction(factor) / value, inner.operands[0]))
        elif (value := number_of(inner)) is not None:
            number += factor * value
        elif len(terms) == most:
            return None
        elif _is_without_effect(inner):
            pending.append((factor, inner.operands[0]))
        elif kind is not None and root is not kind:
            return None
        else:
            terms.append((factor, part))
        if not pending:
            return number, terms
    return None


def _is_without_effect(x: Any) -> bool:
    """Return whether an operation gives the values of its first operand."""
    if type(x) is pow:
        return is_const(x.operands[1], 1)
    return (
        getattr(x, "keeps_zeros", None) is Zeros.MOVED
        and x.with_operands(x.operands) is x.operands[0]
    )


_SUMS = frozenset((add, sub, mul, div))
_CONSTANTS = frozenset((ArrayConst, Const, broadcast_to))


def beside(number: int, x: ArrayExpr, factor: int = 1) -> ArrayExpr | None:
    """Return u where `x` is `number + factor*u`, however written."""
    return term_of(number, sum_of(x, 1), x, factor)


def term_of(number: int, found: _Sum | None, x: ArrayExpr, factor: int = 1) -> ArrayExpr | None:
    """Return u where what was `found` of `x` is `number + factor*u`."""
    if found is None or found[0] != number or len(found[1]) != 1 or found[1][0][0] != factor:
        return None
    u = found[1][0][1]
    return u if u.shape == x.shape and u.dtype is x.dtype else None


def _may_be_negative(x: ArrayExpr) -> bool:
    """Return whether `x` may be written as the negative of something: a look that costs little."""
    inner: Any = x.operands[0] if type(x) in (forward_value, named) else x
    kind = type(inner)
    if kind is mul or kind is div or kind is pow:
        a, b = inner.operands
        one = (1, -1)
        return (type(b) is Const and b.value in one) or (type(a) is Const and a.value in one)
    return kind is neg or (isinstance(inner, Primitive) and inner.keeps_zeros is Zeros.MOVED)


def difference_of(x: Any) -> tuple[ArrayExpr, ArrayExpr] | None:
    """Return a and b where `x` is `a - b`, or a sum of `a` and `-b`, however that is written."""
    if type(x) is sub:
        first, second = x.operands
        return first, second
    if type(x) is add:
        for i in (1, 0):
            negative = x.operands[i]
            b = beside(0, negative, -1) if _may_be_negative(negative) else None
            if b is not None:
                return x.operands[1 - i], b
    return None


def below_one(x: Any) -> ArrayExpr | None:
    """Return y where `x` is 1 / y, however written."""
    if type(x) is div and number_of(formula_of(x.operands[0])) == 1:
        return x.operands[1]
    if type(x) is reciprocal or (type(x) is pow and is_const(x.operands[1], -1)):
        return x.operands[0]
    return None


def root_of_square(node: Any) -> ArrayExpr | None:
    """Return y where `node` is the square of y, however written."""
    if type(node) is square:
        return node.operands[0]
    if type(node) is pow and is_const(node.operands[1], 2):
        return node.operands[0]
    if type(node) is mul and formula_of(node.operands[0]) is formula_of(node.operands[1]):
        return node.operands[0]
    return None


# The most nodes that are looked at to find that a value is never negative.
_MOST_NODES = 64


def is_nonnegative(root: Any) -> bool:
    """Whether the formula of a real value shows that it is never negative."""
    stack = [root]
    for _ in range(_MOST_NODES):
        if not stack:
            return True
        x = formula_of(stack.pop())
        if x.dtype.is_complex:
            return False
        if isinstance(x, Const):
            if not (isinstance(x.value, (int, float)) and x.value >= 0):
                return False
            continue
        how = getattr(x, "nonnegative", None)
        if how == "operands" and root_of_square(x) is None:
            stack += x.operands
        elif how is None and not _is_even_power(x):
            return False
    return False


def _is_even_power(x: Any) -> bool:
    p = x.operands[1] if type(x) is pow else None
    return isinstance(p, Const) and isinstance(p.value, (int, float)) and p.value % 2 == 0
