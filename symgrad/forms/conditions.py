"""Conditions that are numbers, said once: before a formula, and not in each of its terms."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from typing import Any

from symgrad.expr.atoms import Const, is_const
from symgrad.expr.dtypes import bool_
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.arithmetic import add, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, is_zeros, zeros
from symgrad.ops.casting import cast
from symgrad.ops.clipping import relu
from symgrad.ops.comparison import eq, gt, le, lt
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.logic import logical_and, logical_not, logical_or, parts_of_condition
from symgrad.ops.masked import masked
from symgrad.ops.primitive import Primitive
from symgrad.ops.reduction import Quantifier
from symgrad.ops.results import Several
from symgrad.ops.where import where
from symgrad.ops.zeros import Zeros

#: The most conditions of a formula that are said once.
_MOST = 3
#: The most conditions of which it is tried.
_MOST_TRIED = 8
#: The most nodes that are looked at within a choice.
_MOST_WALKED = 200


def said_once(e: ArrayExpr, written: Collection[ArrayExpr] = ()) -> ArrayExpr:
    """Return a formula in which no choice by a number stands within another one by this number.

    What is chosen by one number in several places is one choice. Zeros are zeros there, whatever
    they are multiplied by. Nodes that are `written` stay.

    Examples
    --------
    >>> import symgrad
    >>> n, a, b = symgrad.symbols("n a b")
    >>> there = n.ne(0)
    >>> said_once(symgrad.where(there, a, 0) * b + symgrad.where(there, b / n, 0))
    where(ne(n, 0), a * b + b / n, 0)
    """

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = _remade(x, operands)
        other = made.as_choice() if isinstance(made, Primitive) and x not in written else None
        return made if other is None else other

    (e,) = rebuild([e], visit)
    return _split(e, _MOST)


# ------------------------------------------------------------------ conditions on elements


def with_masks_joined(
    es: Sequence[ArrayExpr], written: Collection[ArrayExpr] = ()
) -> list[ArrayExpr]:
    """Return formulas in which no choice by a mask stands beside or within another one by the same.

    A sum of what is chosen by one condition on the elements of an array is one choice. Nodes that
    are `written` stay.

    Examples
    --------
    >>> import symgrad
    >>> x, y = symgrad.leaf("x", (2,)), symgrad.leaf("y", (2,))
    >>> with_masks_joined([symgrad.where(x > 0, x, 0) - symgrad.where(x > 0, y, 0)])
    [where(x > 0, x - y, 0)]
    """

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = _remade(x, operands)
        return made if x in written else _one_mask(made)

    return [x if x in written else _as_truth(x) for x in rebuild(es, visit)]


def _as_truth(x: ArrayExpr) -> ArrayExpr:
    """Return a choice between 0 and 1 as the truth value that it is, which joins no others."""
    if type(x) is not where:
        return x
    condition, chosen, other = x.operands
    if condition.shape == x.shape and is_const(chosen, 0) and is_const(other, 1):
        return cast.of(logical_not.of(condition), x.dtype)
    return x


def with_ties_apart(
    es: Sequence[ArrayExpr], written: Collection[ArrayExpr] = ()
) -> list[ArrayExpr]:
    """Return formulas in which choices by `a < b` and by `b < a` are one choice of three.

    The derivative of a maximum of two has both, and shares what is equal between them. Nodes that
    are `written` stay.

    Examples
    --------
    >>> import symgrad
    >>> a, b, x, y = [symgrad.leaf(name, (2,)) for name in "abxy"]
    >>> with_ties_apart([symgrad.where(a < b, 0, x) + symgrad.where(b < a, 0, y)])
    [where(a < b, y, where(b < a, x, x + y))]
    """

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = _remade(x, operands)
        if x in written or type(made) not in (add, sub):
            return made
        first, second = made.operands
        if type(first) is not where or type(second) is not where:
            return made
        (less, *_, f), (more, *_, g) = first.operands, second.operands
        is_strict = type(less) in (lt, gt) and type(more) is type(less)
        if not is_strict or less.operands != more.operands[::-1] or first.shape != second.shape:
            return made
        if not (_is_nothing(first.operands[1]) and _is_nothing(second.operands[1])):
            return made
        f, g, both = f, _joined(made, Const(0), g), made.func(f, g)
        for equal in (eq.of(*less.operands), eq.of(*more.operands)):
            f, g = [_chosen(part, equal, False) for part in (f, g)]
            both = _chosen(both, equal, True)
        other: ArrayExpr = where.of(less, g, where.of(more, f, both))
        return other if (other.shape, other.dtype) == (made.shape, made.dtype) else made

    return rebuild(es, visit)


def _one_mask(x: ArrayExpr) -> ArrayExpr:
    """Return a node whose operands are choices, as one choice where the conditions are the same."""
    if isinstance(x, Several):
        return x
    if type(x) is le and type(x.operands[0]) is relu and is_const(x.operands[1], 0):
        return le.of(x.operands[0].operands[0], x.operands[1])
    if type(x) in (where, masked) and (x.shape or _is_made_of_others(_choice(x)[0])):
        condition, chosen, other = _choice(x)
        if is_const(chosen, 1) and is_const(other, 0) and condition.shape == x.shape:
            return cast.of(condition, x.dtype)
        if type(condition) is logical_not and condition.operands[0].shape == condition.shape:
            condition, chosen, other = condition.operands[0], other, chosen
        on, off = _chosen(chosen, condition, True), _chosen(other, condition, False)
        made: ArrayExpr = where.of(condition, on, off)
        return made if (made.shape, made.dtype) == (x.shape, x.dtype) else x
    if type(x) in (add, sub):
        a, b = [_scaled_inside(y) for y in x.operands]
        alike = type(a) is where and type(b) is where and a.operands[0] is b.operands[0]
        if alike and a.shape == b.shape:
            pairs = list(zip(a.operands[1:], b.operands[1:], strict=True))
            return where.of(a.operands[0], *[_joined(x, y, z) for y, z in pairs])
    if isinstance(x, Quantifier) and x.operands[0].shape == x.shape and x.dtype is bool_:
        return x.operands[0]  # over axes of one element
    return x


def _scaled_inside(x: ArrayExpr) -> ArrayExpr:
    """Return a number times a choice as a choice of products."""
    if type(x) is mul and type(x.operands[0]) is Const and type(x.operands[1]) is where:
        c, (condition, chosen, other) = x.operands[0], x.operands[1].operands
        scaled: ArrayExpr = where.of(condition, mul.of(c, chosen), mul.of(c, other))
        return scaled if (scaled.shape, scaled.dtype) == (x.shape, x.dtype) else x
    return x


def _is_nothing(x: ArrayExpr) -> bool:
    return is_zeros(x) or is_const(x, 0)


def _joined(x: ArrayExpr, a: ArrayExpr, b: ArrayExpr) -> ArrayExpr:
    """Return the sum or the difference of two operands, without one that is zero."""
    if _is_nothing(b):
        return a
    if not _is_nothing(a):
        return x.func(a, b)  # type: ignore[no-any-return]
    return b if type(x) is add else neg.of(b)


def _choice(x: ArrayExpr) -> tuple[ArrayExpr, ...]:
    """Return the condition of a choice, what it chooses where that holds, and elsewhere."""
    return x.operands if type(x) is where else (x.operands[1], x.operands[0], Const(0))


def _chosen(e: ArrayExpr, condition: ArrayExpr, holds: bool) -> ArrayExpr:
    """Return what a condition on elements chooses, without choices by the condition within.

    These stand along operations on elements alone, which keep the places of elements. So do choices
    by those of which the condition is made, where these have a truth value with it.
    """
    parts = _parts(condition, holds)
    known: dict[ArrayExpr, ArrayExpr] = {}
    stack = [e]
    while stack:
        x = stack[-1]
        inner: Sequence[ArrayExpr] = x.operands if isinstance(x, Elementwise) else ()
        if type(x) in (where, masked) and _parts(_choice(x)[0], holds) <= parts:
            inner = [_choice(x)[1 if holds else 2]]
        missing = [y for y in inner if y not in known]
        if missing and len(known) + len(stack) < _MOST_WALKED:
            stack += missing
            continue
        made = tuple([known.get(y, y) for y in inner])
        if len(inner) == len(x.operands):
            known[x] = _remade(x, made)
        else:
            known[x] = made[0] if inner and made[0].dtype is x.dtype else x
        stack.pop()
    return known[e]


def _parts(condition: ArrayExpr, holds: bool) -> Set[ArrayExpr]:
    """Return the conditions that hold, or do not, wherever one that is made of them does."""
    return parts_of_condition(condition, logical_and if holds else logical_or).keys()


def _remade(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
    same = operands == x.operands
    return x if same else x.func(*operands, *x.args[len(operands) :])


def _split(e: ArrayExpr, most: int) -> ArrayExpr:
    """Return a formula as a choice by its first condition, and so on in both parts."""
    choices = _count(e)
    if not most or not choices:
        return e
    for condition in list(filter(_is_condition, toposort([e])))[:_MOST_TRIED]:
        on, off = [_assumed(e, condition, holds) for holds in (True, False)]
        if is_zeros(off) or max(_count(on), _count(off)) < choices - 1:
            return where.of(condition, _split(on, most - 1), _split(off, most - 1))
    return e


def _count(e: ArrayExpr) -> int:
    """Return the number of choices in a formula."""
    return sum(type(x) in (where, masked) for x in toposort([e]))


def _is_condition(x: ArrayExpr) -> bool:
    """Return whether a node is a truth value, and not one that is made of others."""
    if isinstance(x, Several) or x.shape or x.dtype is not bool_ or not x.operands:
        return False
    return not _is_made_of_others(x)


def _is_made_of_others(x: ArrayExpr) -> bool:
    """Return whether a node is a truth value that is made of others."""
    return type(x) in (logical_and, logical_not, logical_or)


def _assumed(e: ArrayExpr, condition: ArrayExpr, holds: bool) -> ArrayExpr:
    """Return a formula for a condition that holds, or does not, with its zeros seen."""

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if x is condition:
            return Const(holds)
        if isinstance(x, Several):
            return _remade(x, operands)
        if type(x) is where or type(x) is masked:
            truth, chosen, other = _choice(_remade(x, operands))
            known = _known(truth)
            if known is None:
                return _remade(x, operands)
            made = chosen if known else other
            if is_zeros(made):
                return zeros(x.shape, x.dtype)
            made = made.to(x.dtype)
            return made if made.shape == x.shape else broadcast_to.of(made, x.shape)
        if x.dtype is bool_ and operands:
            found = _truth(x, [_known(y) for y in operands])
            if found is not None:
                return Const(found) if not x.shape else broadcast_to.of(Const(found), x.shape)
        return zeros(x.shape, x.dtype) if _is_zero(x, operands) else _remade(x, operands)

    return rebuild([e], visit)[0]  # type: ignore[no-any-return]


def _known(x: ArrayExpr) -> bool | None:
    """Return the truth value that an array has at each of its places, if it is written."""
    if type(x) is broadcast_to:
        x = x.operands[0]
    return x.value if type(x) is Const and type(x.value) is bool else None


def _truth(x: Any, operands: Sequence[bool | None]) -> bool | None:
    """Return the truth value of a node at each place from those of its operands."""
    if type(x) is logical_not:
        return None if operands[0] is None else not operands[0]
    if type(x) in (logical_and, logical_or):
        decisive = type(x) is logical_or
        if decisive in operands:
            return decisive
        return None if None in operands else not decisive
    moves = isinstance(x, Quantifier) or getattr(x, "keeps_zeros", None) is Zeros.MOVED
    has_elements = all(0 not in y.shape for y in x.operands)
    return operands[0] if moves and has_elements and len(operands) == 1 else None


def _is_zero(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> bool:
    """Return whether zeros among the operands make a result that is zero everywhere."""
    how = getattr(x, "keeps_zeros", None)
    if how in (Zeros.FIRST, Zeros.QUOTIENT):
        return is_zeros(operands[0])
    if how in (Zeros.PRODUCT, Zeros.CONTRACTION):
        return any(map(is_zeros, operands))
    alone = how in (Zeros.MOVED, Zeros.TOTAL, Zeros.BROADCAST) and len(operands) == 1
    return (alone or how is Zeros.TERMS) and all(map(is_zeros, operands))
