"""The support of a value: the condition outside of which masks make it zero.

An element that a mask left out contributes nothing to a derivative, whatever it is multiplied by;
in floats, 0 * inf would be nan. Within one formula the rewrites of derivatives move factors inside
`where` (`symgrad.simplify.zeros`). A recorded gradient has no `where` to move into, since it is a
value of the forward pass for the next order. It is therefore wrapped as `masked(value, support)`,
and a product with it is masked as a whole.

`support` derives the condition from a formula. With S(x) for the support of x:

    S(x * y) = S(x) and S(y)                S(x + y) = S(x) or S(y)
    S(x / y) = S(x)                         S(x**c)  = S(x) for c > 0
    S(where(c, x, y)) = (c and S(x)) or (not c and S(y))
    S(move(x)) = move(S(x))                 S(sum(x, axis)) = any(S(x), axis)

What masks make zero has derivatives of zero, too. A condition outside of which only the value is
known to be zero, as the gradient of a length is where that is 0, is marked in a support: `ByValue`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from symgrad.expr.atoms import Const, is_const
from symgrad.expr.dtypes import bool_, dtype, float64
from symgrad.expr.node import EVERYWHERE, NOWHERE, ArrayExpr
from symgrad.expr.shapes import broadcast_axes
from symgrad.ops.broadcasting import broadcast_to, is_zeros
from symgrad.ops.comparison import gt
from symgrad.ops.deriving import deriving
from symgrad.ops.equations import parse
from symgrad.ops.identity import forward_value, named
from symgrad.ops.kinds import Fixed
from symgrad.ops.logic import logical_and, logical_not, logical_or, parts_of_condition
from symgrad.ops.permuting import permute
from symgrad.ops.reduction import any as any_of
from symgrad.ops.reshaping import reshape
from symgrad.ops.scans import cumsum
from symgrad.ops.zeros import Zeros

#: A condition in disjunctive normal form: a value may differ from zero where, for one of the tuples,
#: all conditions in it hold. `EVERYWHERE` is one empty tuple, `NOWHERE` no tuple.
Support = tuple[tuple[Any, ...], ...]


# The most conditions of a support in normal form; a longer one becomes a single condition.
_MOST_CONDITIONS = 8


class ByValue(NamedTuple):
    """A condition outside of which a value is zero, but not its derivatives."""

    condition: ArrayExpr


class Mask(NamedTuple):
    """Where a value may differ from zero, and where its derivatives may: operands of `masked`."""

    condition: ArrayExpr
    of_derivatives: ArrayExpr


def mask_of(x: Any) -> Mask | None:
    """Return where `x` may differ from zero, and its derivatives; None for everywhere.

    For a value of the forward pass, wrapped in `masked`, these are the conditions of `masked`.
    """
    return _mask_of(_support_of(x))


def mask_of_product(*factors: Any) -> Mask | None:
    """Return where a product may differ from zero by the masks of some of its factors."""
    # A factor 0 that the user wrote is no mask: 0 * nan stays nan.
    known = [found for found in map(_support_of, factors) if found != NOWHERE]
    return _mask_of(functools.reduce(_both, known, EVERYWHERE))


def is_masked_out(x: Any) -> bool:
    """Return whether masks make all elements of a value zero, which is not written as zeros."""
    return _support_of(x) == NOWHERE and not is_zeros(x)


def _support_of(root: Any) -> Support:
    """Return the support of a node, from those of its operands, and keep it on the node."""
    # The slot is read, not the property, since this runs for each node that is differentiated.
    if root._known_support is not None:
        return root._support  # type: ignore[no-any-return]
    stack = [root]
    while stack:
        x = stack[-1]
        rule = _rule_of(x)
        if rule is None:
            x._support = _of_other(x)
        else:
            known = len(stack)
            for y in x.operands:
                if y._known_support is None:
                    if _rule_of(y) is None:
                        y._support = _of_other(y)
                    else:
                        stack.append(y)
            if len(stack) > known:
                continue
            x._support = rule(x)
        stack.pop()
    return root._support  # type: ignore[no-any-return]


def _rule_of(x: Any) -> Callable[[Any], Support] | None:
    how = x.keeps_zeros
    return None if how is None or (x.dtype is bool_ and how not in _LOGIC) else _RULES[how]


def _of_other(x: Any) -> Support:
    """Return the support of a node without a rule; the support of a condition is the condition."""
    if x.dtype is not bool_:
        return EVERYWHERE
    if type(x) is broadcast_to:
        (x,) = x.operands
    if type(x) is Const:
        return EVERYWHERE if x.value else NOWHERE
    return ((x,),)


def _both(a: Support, b: Support) -> Support:
    if a == b or b == EVERYWHERE:
        return a
    if a == EVERYWHERE:
        return b
    return _bounded([tuple(dict.fromkeys(p + q)) for p in a for q in b])


def _either(a: Support, b: Support) -> Support:
    return a if a == b else _bounded([*a, *b])


def _bounded(cases: Sequence[tuple[ArrayExpr, ...]]) -> Support:
    """Return a union without the intersections that another one contains."""
    kept: list[tuple[ArrayExpr, ...]] = []
    for case in sorted(cases, key=len):  # stable: a formula is the same in every process
        conditions = set(case)
        if not any(conditions.issuperset(wider) for wider in kept):
            kept.append(case)
    made = tuple(kept)
    if sum(map(len, made)) <= _MOST_CONDITIONS:
        return made
    return _carried([made], _first)


def _is_by_value(found: Support) -> bool:
    """Whether a support has conditions outside of which derivatives may differ from zero."""
    return any(type(condition) is ByValue for case in found for condition in case)


def _of_derivatives(found: Support) -> Support:
    """Return the support of the derivatives of a value, from that of the value."""
    return _bounded([tuple([c for c in case if type(c) is not ByValue]) for case in found])


def _carried(found: Sequence[Support], carry: Callable[[Sequence[Any]], ArrayExpr]) -> Support:
    """Return the support of a result, for a function that returns its condition from given ones."""
    made = carry([_condition(x) for x in found])
    if not any(map(_is_by_value, found)):
        return _of_other(made)
    of_derivatives = [_of_derivatives(x) for x in found]
    if all(x == EVERYWHERE for x in of_derivatives):
        return ((ByValue(made),),)
    return ((carry([_condition(x) for x in of_derivatives]), ByValue(made)),)


def _first(conditions: Sequence[ArrayExpr]) -> ArrayExpr:
    return conditions[0]


def _condition(found: Support) -> ArrayExpr:
    """Return a support as one condition."""
    if found in (EVERYWHERE, NOWHERE):
        return Const(found == EVERYWHERE)
    every = [functools.reduce(logical_and.of, map(_plain, case)) for case in found]
    return functools.reduce(logical_or.of, every)


def _plain(condition: Any) -> ArrayExpr:
    return condition.condition if type(condition) is ByValue else condition


def _mask_of(found: Support) -> Mask | None:
    # A value that is zero everywhere needs no mask.
    if found in (EVERYWHERE, NOWHERE):
        return None
    condition = _condition(found)
    if not _is_by_value(found):
        return Mask(condition, condition)
    return Mask(condition, _condition(_of_derivatives(found)))


def _of_product(x: Any) -> Support:
    a, b = [y._support for y in x.operands]
    # A factor 0 that the user wrote is no mask: 0 * nan stays nan.
    return a if b == NOWHERE else b if a == NOWHERE else _both(a, b)


def _of_sum(x: Any) -> Support:
    a, b = x.operands
    return _either(a._support, b._support)


def _of_first(x: Any) -> Support:
    return x.operands[0]._support  # type: ignore[no-any-return]


def _of_power(x: Any) -> Support:
    base, exponent = x.operands
    positive = isinstance(exponent, Const) and not exponent.dtype.is_complex and exponent.value > 0
    return base._support if positive else EVERYWHERE


def _of_choice(x: Any) -> Support:
    return _of_chosen(x.operands[0], x.operands[1]._support, x.operands[2]._support)


def _of_fill(x: Any) -> Support:
    kept, mask, value = x.operands
    return _of_chosen(mask, value._support, kept._support)


def _of_chosen(condition: Any, p: Support, q: Support) -> Support:
    if p == q:
        return p
    in_p = condition._support
    in_q = (tuple([logical_not.of(c) for c in parts_of_condition(condition, logical_or)]),)
    if p == EVERYWHERE:
        return _either(in_p, q)
    if q == EVERYWHERE:
        return _either(in_q, p)
    return _either(_both(in_p, p), _both(in_q, q))


def _of_moved(x: Any) -> Support:
    """Return the support of a moved value: the moved support."""
    count = x.linear if isinstance(x, Fixed) else len(x.operands)
    values, rest = x.operands[:count], x.operands[count:]
    found = [v._support for v in values]
    if found.count(found[0]) == len(found) and found[0] in (EVERYWHERE, NOWHERE):
        return found[0]  # type: ignore[no-any-return]
    return _carried(found, lambda c: x.with_operands([*map(_everywhere_on, c, values), *rest]))


def _everywhere_on(condition: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    """Return a condition in the shape of `x`."""
    return broadcast_to.of(condition, x.shape)


def _of_added(x: Any) -> Support:
    """Return the support of sums of elements: where some of them are in the support."""
    first, *rest = x.operands
    found = first._support
    if found == EVERYWHERE or not all(is_const(y, 0) for y in rest):
        return EVERYWHERE
    if found == NOWHERE:
        return found  # type: ignore[no-any-return]

    def added(conditions: Sequence[ArrayExpr]) -> ArrayExpr:
        counted: Any = _everywhere_on(conditions[0], first)
        return gt.of(x.with_operands([counted.to(float64), *rest]), 0)

    return _carried([found], added)


def _of_total(x: Any) -> Support:
    """Return the support of a sum, which is zero where all of its terms are.

    The sum over all elements is taken to differ from zero. It is zero only where a mask leaves no
    element at all, and every product with such a sum would need a mask for that case.
    """
    (inner,) = x.operands
    found = inner._support
    if found in (EVERYWHERE, NOWHERE):
        return found  # type: ignore[no-any-return]
    if x.size == 1:
        return EVERYWHERE

    def total(conditions: Sequence[ArrayExpr]) -> ArrayExpr:
        condition = _everywhere_on(conditions[0], inner)
        if x.keeps_zeros is Zeros.BROADCAST:
            axes = broadcast_axes(x.shape, inner.shape)
            return reshape.of(any_of.of(condition, axes, False), x.shape)
        return any_of.of(condition, *x.param_values)

    return _carried([found], total)


def _of_contraction(x: Any) -> Support:
    """Return the support of a contraction, which is zero where one factor is zero in all terms."""
    inputs, output = parse(x.spec)
    found = EVERYWHERE
    if x.size == 1:
        return found
    for y, labels in zip(x.operands, inputs, strict=True):
        known = y._support
        if known in (EVERYWHERE, NOWHERE) or len(set(labels)) < len(labels):
            continue
        contract = functools.partial(_contracted, x, y, labels, output)
        found = _both(found, _carried([known], contract))
    return found


def _contracted(
    x: Any, y: ArrayExpr, labels: str, output: str, conditions: Sequence[ArrayExpr]
) -> ArrayExpr:
    """Return the condition of a factor of a contraction as one of the result."""
    summed = tuple([i for i, label in enumerate(labels) if label not in output])
    condition = _everywhere_on(conditions[0], y)
    if summed:
        condition = any_of.of(condition, summed, False)
    kept = [label for label in labels if label in output]
    places = "".join(dict.fromkeys(output))
    condition = permute.of(condition, tuple([kept.index(a) for a in places if a in kept]))
    sizes = dict(zip(output, x.shape, strict=True))
    condition = reshape.of(condition, tuple([sizes[a] if a in kept else 1 for a in places]))
    if len(places) == len(output):
        return condition
    # Axes that share a label have zeros off their diagonal.
    condition = broadcast_to.of(condition, tuple([sizes[a] for a in places]))
    made: ArrayExpr = x.of(condition, f"{places}->{output}")
    return made


def _of_rows(x: Any) -> Support:
    """Return the support of a result along axes: zero where all of the first operand is."""
    inner = x.operands[0]
    found = inner._support
    if found in (EVERYWHERE, NOWHERE) or not x.shape:
        return found  # type: ignore[no-any-return]

    def anything(conditions: Sequence[ArrayExpr]) -> ArrayExpr:
        axes = x.axis if type(x.axis) is tuple else (x.axis,)
        somewhere = any_of.of(_everywhere_on(conditions[0], inner), axes, True)
        return broadcast_to.of(somewhere, x.shape)

    return _carried([found], anything)


def _of_running_total(x: Any) -> Support:
    (inner,) = x.operands
    found = inner._support
    if found in (EVERYWHERE, NOWHERE):
        return found  # type: ignore[no-any-return]

    def begun(conditions: Sequence[ArrayExpr]) -> ArrayExpr:
        return gt.of(cumsum.of(_everywhere_on(conditions[0], inner), *x.param_values), 0)

    return _carried([found], begun)


def _of_masked(x: Any) -> Support:
    """Return the support of a masked value: its conditions, since of the value none is known."""
    _, condition, of_derivatives = x.operands
    if condition is of_derivatives:
        return condition._support  # type: ignore[no-any-return]
    by_value: Support = ((ByValue(condition),),)
    return by_value if of_derivatives is Const(True) else _both(of_derivatives._support, by_value)


_RULES: dict[Zeros, Callable[[Any], Support]] = {
    Zeros.FIRST: _of_first,
    Zeros.TERMS: _of_sum,
    Zeros.PRODUCT: _of_product,
    Zeros.QUOTIENT: _of_first,
    Zeros.POWER: _of_power,
    Zeros.AND: lambda x: _both(*[y._support for y in x.operands]),
    Zeros.OR: _of_sum,
    Zeros.MOVED: _of_moved,
    Zeros.ADDED: _of_added,
    Zeros.TOTAL: _of_total,
    Zeros.BROADCAST: _of_total,
    Zeros.ALONG: _of_rows,
    Zeros.RUNNING: _of_running_total,
    Zeros.CONTRACTION: _of_contraction,
    Zeros.CHOICE: _of_choice,
    Zeros.FILL: _of_fill,
    Zeros.MASK: _of_masked,
    Zeros.WITHIN: lambda x: _both(x.operands[0]._support, ((ByValue(x.operands[1]),),)),
}
_LOGIC = (Zeros.AND, Zeros.OR)
_PRODUCTS = (Zeros.PRODUCT, Zeros.QUOTIENT, Zeros.WITHIN)


def is_exact(x: Any, operands: Callable[[ArrayExpr], bool]) -> bool:
    """Whether the computed `x` is exactly zero outside its support, provided that operands are.

    A product may be nan there, as 0 * inf is.
    """
    if x.keeps_zeros is Zeros.MASK:
        return True
    return x.keeps_zeros not in _PRODUCTS and all(map(operands, x.operands))


def condition_operands(cls: type[Any], kinds: Sequence[dtype | None]) -> tuple[int, ...]:
    """Return the positions of the operands that determine where the result is zero.

    These are conditions and indices, and truth values among factors and terms.

    Parameters
    ----------
    cls : type
        The operation.
    kinds : sequence of dtype or None
        The dtypes of its operands; None for a constant.
    """
    how = cls.keeps_zeros
    if how is None:
        return ()
    chosen: Sequence[int] = ()
    if how is Zeros.CHOICE:
        chosen = (0,)
    elif how in (Zeros.FILL, Zeros.WITHIN):
        chosen = (1,)
    elif how is Zeros.MASK:
        chosen = (1, 2)
    elif how is Zeros.MOVED and issubclass(cls, Fixed):
        chosen = range(cls.linear, len(kinds))
    return tuple([i for i, k in enumerate(kinds) if k is not None and (k is bool_ or i in chosen)])


def unmasked(x: ArrayExpr) -> ArrayExpr:
    """Return the value that `masked` wraps; another node as it is."""
    return x.operands[0] if x.keeps_zeros is Zeros.MASK else x


def is_forward_value(x: ArrayExpr) -> bool:
    """Return whether a node stands for a value of the forward pass, with or without its mask."""
    return isinstance(unmasked(x), forward_value)


def formula_of(x: Any) -> Any:
    """Return the formula of a value of the forward pass or of a named one; another node as it is.

    A user may have overwritten the value since. So the value is entered in `Planning.read`, and
    whoever uses a derivative made with the formula checks that the value is still that of it.
    """
    plan = deriving.plan
    while type(value := unmasked(x)) in (forward_value, named):
        if plan is not None:
            plan.read.append(value)
        x = value.operands[0]
        if x.is_known_by_formula:
            x = x.expanded()
    return x
