"""Conditions that are numbers, said once: before a formula, and not in each of its terms."""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence, Set
from typing import Any

from symgrad.expr.atoms import Const, is_const
from symgrad.expr.dtypes import bool_
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, is_zeros, zeros
from symgrad.ops.casting import cast
from symgrad.ops.clipping import relu
from symgrad.ops.comparison import eq, gt, le, lt, ne
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
#: The largest number, and part of one, that each dtype of floats has beside the others.
_MOST_PLAIN = 16
#: The most choices of a formula in which those within others are looked for.
_MOST_NESTED = 40
#: The most conditions of which it is tried.
_MOST_TRIED = 8
#: The most factors of a product, and terms of a sum, that are looked at.
_MOST_TERMS = 16
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
    (e,) = with_choices([e], written)
    return _split(_without_nested(e, written), _MOST)


def with_choices(es: Sequence[ArrayExpr], written: Collection[ArrayExpr] = ()) -> list[ArrayExpr]:
    """Return formulas in which operations that are choices are those; what is `written` stays."""

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = _remade(x, operands)
        other = made.as_choice() if isinstance(made, Primitive) and x not in written else None
        return made if other is None else other

    return rebuild(es, visit)


def with_one_order(es: Sequence[ArrayExpr], written: Collection[ArrayExpr] = ()) -> list[ArrayExpr]:
    """Return formulas in which operands that may be exchanged stand in the order that comes first.

    Nodes that are `written` stay.

    Examples
    --------
    >>> import symgrad
    >>> x, y = symgrad.symbols("x y")
    >>> with_one_order([symgrad.hypot(y, x), symgrad.hypot(x, y)])
    [hypot(y, x), hypot(y, x)]
    """
    first: dict[Any, ArrayExpr] = {}

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = _remade(x, operands)
        if not (isinstance(made, Elementwise) and made.commutes):
            return made
        known = first.setdefault((type(made), frozenset(made.operands)), made)
        return made if x in written else known

    return rebuild(es, visit)


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

    return rebuild(es, visit)


def with_plain_choices(
    es: Sequence[ArrayExpr], written: Collection[ArrayExpr] = ()
) -> list[ArrayExpr]:
    """Return formulas in which a choice between numbers has plain ones, or is a truth value.

    One number that not each dtype of floats has keeps its dtype. Nodes that are `written` stay.

    Examples
    --------
    >>> import symgrad
    >>> from symgrad.expr.atoms import Const
    >>> x = symgrad.leaf("x")
    >>> one, zero, few = [Const(c, symgrad.float64) for c in (1, 0, 0.1)]
    >>> with_plain_choices([symgrad.where(x > 0, one, zero), symgrad.where(x > 0, one, few)])
    [(x > 0).to(float64), where(x > 0, 1, array(0.1))]
    """

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = _remade(x, operands)
        if x in written or not made.dtype.is_floating_point:
            return made
        if type(made) in (add, sub):
            other = _joined(made, *made.operands)
            return other if (other.shape, other.dtype) == (made.shape, made.dtype) else made
        if type(made) is not where:
            return made
        condition, *chosen = made.operands
        if all(map(_is_nothing, chosen)):
            return zeros(made.shape, made.dtype)
        numbers = [_plain_number(y) for y in chosen]
        if condition.shape != made.shape or {*map(_is_typed, chosen)} == {False}:
            return made
        for truth, (a, b) in ((condition, numbers), (logical_not.of(condition), numbers[::-1])):
            if a is not None and b is not None and is_const(a, 1) and is_const(b, 0):
                return cast.of(truth, made.dtype)
        if None not in numbers:
            return cast.of(where.of(condition, *numbers), made.dtype)
        plain = where.of(condition, *[b or a for a, b in zip(chosen, numbers, strict=True)])
        return plain if plain.dtype is made.dtype else made

    return rebuild(es, visit)


def _is_typed(x: ArrayExpr) -> bool:
    """Return whether an operand is a number with a dtype, or a choice between numbers."""
    return (type(x) is Const and not x.weak) or (type(x) is cast and type(x.operands[0]) is where)


def _plain_number(x: ArrayExpr) -> ArrayExpr | None:
    """Return a number that each dtype of floats has, or a choice between such; None for others."""
    if type(x) is cast:
        (inner,) = x.operands
        return inner if type(inner) is where and _is_between_numbers(inner) else None
    if type(x) is not Const or type(x.value) not in (int, float):
        return None
    value = float(x.value)
    if abs(value) > _MOST_PLAIN or not (value * _MOST_PLAIN).is_integer():
        return None
    return Const(int(value) if value.is_integer() else value)


def _is_between_numbers(x: ArrayExpr) -> bool:
    """Return whether a choice is between numbers without dtypes, or choices between these."""
    pending = [x]
    for y in pending:
        if type(y) is where:
            pending += y.operands[1:]
        elif type(y) is not Const or not y.weak:
            return False
    return True


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
    if type(x) in (logical_and, logical_or):
        return _joined_truth(x)
    if type(x) is le and type(x.operands[0]) is relu and is_const(x.operands[1], 0):
        return le.of(x.operands[0].operands[0], x.operands[1])
    if type(x) in (where, masked) and (x.shape or _is_made_of_others(_choice(x)[0])):
        condition, chosen, other = _choice(x)
        if is_const(chosen, 1) and is_const(other, 0) and condition.shape == x.shape:
            return cast.of(condition, x.dtype)
        if type(condition) is logical_not and condition.operands[0].shape == condition.shape:
            condition, chosen, other = condition.operands[0], other, chosen
        if type(condition) is eq and _is_nothing(chosen):
            condition, chosen, other = ne.of(*condition.operands), other, chosen
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


def _joined_truth(x: ArrayExpr) -> ArrayExpr:
    """Return a condition of two without one that decides nothing, as what is known or the other."""
    a, b = x.operands
    decisive = type(x) is logical_or
    for one, other in ((a, b), (b, a)):
        known = _known(one)
        if (known is not None and known != decisive) or one is other:
            return other if other.shape == x.shape and other.dtype is bool_ else x
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
    """Return the conditions that hold, or do not, wherever one that is made of them does.

    Where a product is not 0, no factor is.
    """
    parts = parts_of_condition(condition, logical_and if holds else logical_or).keys()
    products = [x for x in parts if holds and type(x) is ne and is_const(x.operands[1], 0)]
    return {*parts, *[ne.of(y, 0) for x in products for y in _factors(x.operands[0])]}


def _factors(x: ArrayExpr) -> list[ArrayExpr]:
    """Return the factors of a product, and their factors; none of another node."""
    found = [x]
    for y in found:
        if type(y) is mul and len(found) < _MOST_TERMS:
            found += y.operands
    return found[1:]


def _remade(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
    same = operands == x.operands
    return x if same else x.func(*operands, *x.args[len(operands) :])


def _without_nested(e: ArrayExpr, written: Collection[ArrayExpr]) -> ArrayExpr:
    """Return a formula in which no choice by a number stands within one by the same number.

    What is zero elsewhere takes the factors beside it, and has one condition.
    """
    if _count(e) > _MOST_NESTED:
        return e

    conditions = _Conditions()

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = _remade(x, operands)
        other = None if x in written else _outermost_choice(made, conditions)
        alike = other is not None and (other.shape, other.dtype) == (made.shape, made.dtype)
        return other if other is not None and alike else made

    return rebuild([e], visit)[0]  # type: ignore[no-any-return]


class _Conditions:
    """Makes one condition of several, the same one of the same."""

    def __init__(self) -> None:
        self._known: dict[frozenset[ArrayExpr], ArrayExpr] = {}

    def both(self, a: ArrayExpr, b: ArrayExpr) -> ArrayExpr:
        """Return the condition that two hold, one of which may say the other."""
        parts, others = _parts(a, True), _parts(b, True)
        if b in parts:
            return a
        if a in others:
            return b
        return self._known.setdefault(frozenset((*parts, *others)), logical_and.of(a, b))


def _outermost_choice(x: ArrayExpr, conditions: _Conditions) -> ArrayExpr | None:
    """Return a node whose operands may be choices as one choice by a number; None without one."""
    if type(x) in (mul, div, neg):
        parts = [_unless_zero(y) for y in x.operands[: 1 if type(x) is div else None]]
        found = [part[0] for part in parts if part is not None]
        if not found:
            return None
        inner = [part[1] if part else y for part, y in zip(parts, x.operands, strict=False)]
        value = x.func.of(*inner, *x.operands[len(inner) :])
        return where.of(functools.reduce(conditions.both, found), value, Const(0))
    if type(x) not in (where, masked) or _choice(x)[0].shape:
        return None
    condition, *chosen = _choice(x)
    for i, holds in enumerate((True, False)):
        for known in _parts(condition, holds):
            chosen[i] = _assumed(chosen[i], known, holds)
    if type(condition) is eq and _is_nothing(chosen[0]):
        condition, chosen = ne.of(*condition.operands), chosen[::-1]
    if not _is_nothing(chosen[1]):
        return where.of(condition, *chosen)
    if _is_nothing(chosen[0]):
        return zeros(x.shape, x.dtype)
    if type(condition) is logical_or:
        apart = _chosen_apart(chosen[0], _parts(condition, False))
        if apart is not None:
            return apart
    inside = _unless_zero(chosen[0])
    if inside is not None:
        condition, chosen[0] = conditions.both(condition, inside[0]), inside[1]
    return where.of(condition, *chosen)


def _unless_zero(x: ArrayExpr) -> tuple[ArrayExpr, ArrayExpr] | None:
    """Return the number by which there is zero, or another value, and this; None of others."""
    if type(x) not in (where, masked):
        return None
    condition, chosen, other = _choice(x)
    is_one = not condition.shape and _is_nothing(other) and chosen.shape == x.shape
    return (condition, chosen) if is_one else None


def _chosen_apart(e: ArrayExpr, conditions: Set[ArrayExpr]) -> ArrayExpr | None:
    """Return a multiple of a sum of choices by some conditions as a sum of choices of multiples.

    It is zero where no condition holds, whatever the choices are multiplied by. None for others.
    """
    total: ArrayExpr | None = None
    # A part of the sum, the products around it from the inside out, and its sign.
    pending: list[tuple[ArrayExpr, tuple[ArrayExpr, ...], int]] = [(e, (), 1)]
    for _ in range(_MOST_TERMS):
        x, around, sign = pending.pop()
        found = _unless_zero(x)
        if found is not None and not conditions.isdisjoint(_parts(found[0], True)):
            condition, term = found
            for y in around:
                term = y.func.of(term, y.operands[1])
            term = where.of(condition, term, Const(0))
            if total is None:
                total = term if sign > 0 else neg.of(term)
            else:
                total = (add if sign > 0 else sub).of(total, term)
        elif type(x) in (add, sub):
            first, second = x.operands
            pending += (second, around, sign if type(x) is add else -sign), (first, around, sign)
        elif type(x) is neg:
            pending.append((x.operands[0], around, -sign))
        elif type(x) in (mul, div):
            pending.append((x.operands[0], (x, *around), sign))
        else:
            return None
        if not pending:
            return total
    return None


def _split(e: ArrayExpr, most: int) -> ArrayExpr:
    """Return a formula as a choice by its first condition, and so on in both parts.

    It has fewer choices then.
    """
    choices = _count(e)
    if not most or not choices:
        return e
    for condition in list(filter(_is_condition, toposort([e])))[:_MOST_TRIED]:
        on, off = [_assumed(e, condition, holds) for holds in (True, False)]
        if is_zeros(off) or _count(on) + _count(off) < choices - 1:
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
    opposites: dict[Any, Any] = {eq: ne, ne: eq}
    opposite = opposites.get(type(condition))
    converse = None if opposite is None else opposite.of(*condition.operands)

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        if x is condition or x is converse:
            return Const(holds is (x is condition))
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
            if type(x) in (logical_and, logical_or):
                return _joined_truth(_remade(x, operands))
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
