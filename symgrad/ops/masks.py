"""Values known to be zero outside a mask, whatever they are multiplied by.

A masked-out element contributes nothing: `0 * inf` would make a nan of it. Within one formula the
rewrites of derivatives push factors inside `where`; a gradient that was recorded is a value of the
forward pass for the next order, so its mask is remembered beside it. Products with it are masked as
a whole, by `masked`.

`support` reads from a formula where its value may differ from zero.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from symgrad.expr.dtypes import bool_, dtype
from symgrad.expr.node import ArrayExpr, Const
from symgrad.expr.shapes import broadcast_axes
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, is_zeros, sum_to
from symgrad.ops.casting import cast
from symgrad.ops.comparison import gt
from symgrad.ops.complex_parts import conj, real
from symgrad.ops.contraction import contract, parse
from symgrad.ops.gathering import gather, scatter, scatter_add
from symgrad.ops.identity import clone, recorded
from symgrad.ops.indexing import index, index_put
from symgrad.ops.kinds import Fixed
from symgrad.ops.logic import logical_and, logical_not, logical_or
from symgrad.ops.masked import masked
from symgrad.ops.permuting import permute
from symgrad.ops.powers import pow
from symgrad.ops.primitive import deriving
from symgrad.ops.rearranging import flip, roll
from symgrad.ops.reduction import any as any_of
from symgrad.ops.reduction import mean
from symgrad.ops.reduction import sum as sum_of
from symgrad.ops.reshaping import reshape
from symgrad.ops.scans import cumsum
from symgrad.ops.slicing import part, updated
from symgrad.ops.softmax import centred, uncentred
from symgrad.ops.triangular import diag_embed, diagonal, diagonal_scatter, tril, triu
from symgrad.ops.where import masked_fill, where

__all__ = [
    "CARRYING",
    "intersection",
    "is_nothing",
    "masked",
    "note",
    "peel",
    "stating",
    "support",
    "unmasked",
]


#: Where a value may differ from zero, as a union of intersections of conditions.
Support = tuple[tuple[ArrayExpr, ...], ...]

_EVERYWHERE: Support = ((),)
_NOWHERE: Support = ()

# How many conditions a support has; more of them are one condition, which is not looked into.
_MOST = 8


def support(x: Any) -> ArrayExpr | None:
    """Return where a value may differ from zero; None is everywhere.

    Of a value of the forward pass that is what was noted beside it.
    """
    return _stated(_support_of(x))


def is_nothing(x: Any) -> bool:
    """Return whether masks leave nothing of a value, which is not just written as zero."""
    return _support_of(x) == _NOWHERE and not is_zeros(x)


def intersection(a: ArrayExpr | None, b: ArrayExpr | None) -> ArrayExpr | None:
    """Return where two masks hold; None is everywhere."""
    if a is None or b is None or a is b:
        return b if a is None else a
    return _condition(_both(_support_of(a), _support_of(b)))


def _support_of(root: Any) -> Support:
    """Find the support of a node, and keep it there: it follows from those of its operands."""
    stack = [root] if root._support is None else []
    while stack:
        x = stack[-1]
        rule = _rule_of(x)
        if rule is None:
            x._support = _of_other(x)
        else:
            known = len(stack)
            for y in x.operands:
                if y._support is None:
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
    return None if x.dtype is bool_ and type(x) not in _LOGIC else _RULES[type(x)]


def _of_other(x: Any) -> Support:
    """Return the support of what is not looked into: a condition is true where it holds."""
    if isinstance(x, Const):
        return _EVERYWHERE if x.value != 0 else _NOWHERE
    return ((x,),) if x.dtype is bool_ else _EVERYWHERE


def _both(a: Support, b: Support) -> Support:
    if a == b or b == _EVERYWHERE:
        return a
    if a == _EVERYWHERE:
        return b
    return _bounded([tuple(dict.fromkeys(p + q)) for p in a for q in b])


def _either(a: Support, b: Support) -> Support:
    return a if a == b else _bounded([*a, *b])


def _bounded(cases: Sequence[tuple[ArrayExpr, ...]]) -> Support:
    """Leave out cases that are part of others."""
    kept: list[tuple[ArrayExpr, ...]] = []
    for case in sorted(cases, key=len):  # stable: a formula is the same in every process
        members = set(case)
        if not any(members.issuperset(wider) for wider in kept):
            kept.append(case)
    made = tuple(kept)
    return made if sum(map(len, made)) <= _MOST else ((_condition(made),),)


def _condition(found: Support) -> ArrayExpr:
    """Return a support as one condition."""
    if found in (_EVERYWHERE, _NOWHERE):
        return Const(found == _EVERYWHERE)
    every = [functools.reduce(logical_and.of, case) for case in found]
    return functools.reduce(logical_or.of, every)


def _stated(found: Support) -> ArrayExpr | None:
    # What is zero everywhere has no mask to apply.
    return None if found in (_EVERYWHERE, _NOWHERE) else _condition(found)


# -- the support of what operations give ---------------------------------------------------------


def _of_product(x: Any) -> Support:
    a, b = [y._support for y in x.operands]
    # A number 0 among the factors is none of a mask's zeros: what it multiplies may be nan.
    return a if b == _NOWHERE else b if a == _NOWHERE else _both(a, b)


def _of_sum(x: Any) -> Support:
    a, b = x.operands
    return _either(a._support, b._support)


def _of_first(x: Any) -> Support:
    return x.operands[0]._support  # type: ignore[no-any-return]


def _of_power(x: Any) -> Support:
    base, exponent = x.operands
    positive = isinstance(exponent, Const) and not exponent.dtype.is_complex and exponent.value > 0
    return base._support if positive else _EVERYWHERE


def _of_choice(x: Any) -> Support:
    return _of_chosen(x.operands[0], x.operands[1]._support, x.operands[2]._support)


def _of_filled(x: Any) -> Support:
    kept, mask, value = x.operands
    return _of_chosen(mask, value._support, kept._support)


def _of_chosen(condition: Any, p: Support, q: Support) -> Support:
    if p == q:
        return p
    in_p = condition._support
    in_q = ((logical_not.of(condition),),)
    if p == _EVERYWHERE:
        return _either(in_p, q)
    if q == _EVERYWHERE:
        return _either(in_q, p)
    return _either(_both(in_p, p), _both(in_q, q))


def _of_moved(x: Any) -> Support:
    """Move the conditions as the values are moved."""
    count = x.linear if isinstance(x, Fixed) else len(x.operands)
    values, rest = x.operands[:count], x.operands[count:]
    found = [v._support for v in values]
    if found.count(found[0]) == len(found) and found[0] in (_EVERYWHERE, _NOWHERE):
        return found[0]  # type: ignore[no-any-return]
    return _of_other(x.with_operands([*map(_everywhere_on, found, values), *rest]))


def _everywhere_on(found: Support, x: ArrayExpr) -> ArrayExpr:
    """Return a support as a condition of the shape of `x`."""
    return broadcast_to.of(_condition(found), x.shape)


def _of_total(x: Any) -> Support:
    """A sum is zero where all of its terms are.

    Of a sum of everything that says something only if nothing is left at all; all products with it
    would have to be masked for that.
    """
    (inner,) = x.operands
    found = inner._support
    if found in (_EVERYWHERE, _NOWHERE):
        return found  # type: ignore[no-any-return]
    if x.size == 1:
        return _EVERYWHERE
    condition = _everywhere_on(found, inner)
    if type(x) is sum_to:
        axes = broadcast_axes(x.shape, inner.shape)
        return _of_other(reshape.of(any_of.of(condition, axes, False), x.shape))
    return _of_other(any_of.of(condition, *x.param_values))


def _of_contraction(x: Any) -> Support:
    """A sum of products is zero where all terms of one of the factors are."""
    inputs, output = parse(x.spec)
    found = _EVERYWHERE
    if x.size == 1 or len(set(output)) < len(output):
        return found
    for y, labels in zip(x.operands, inputs, strict=True):
        known = y._support
        if known in (_EVERYWHERE, _NOWHERE) or len(set(labels)) < len(labels):
            continue
        summed = tuple([i for i, label in enumerate(labels) if label not in output])
        condition = _everywhere_on(known, y)
        if summed:
            condition = any_of.of(condition, summed, False)
        kept = [label for label in labels if label in output]
        condition = permute.of(condition, tuple([kept.index(a) for a in output if a in kept]))
        shape = tuple([n if a in kept else 1 for a, n in zip(output, x.shape, strict=True)])
        found = _both(found, _of_other(reshape.of(condition, shape)))
    return found


def _of_rows(x: Any) -> Support:
    """What is computed along an axis is zero where all of the first operand along it is."""
    inner = x.operands[0]
    found = inner._support
    if found in (_EVERYWHERE, _NOWHERE) or not x.shape:
        return found  # type: ignore[no-any-return]
    anything = any_of.of(_everywhere_on(found, inner), (x.axis,), True)
    return _of_other(broadcast_to.of(anything, x.shape))


def _of_running_total(x: Any) -> Support:
    (inner,) = x.operands
    found = inner._support
    if found in (_EVERYWHERE, _NOWHERE):
        return found  # type: ignore[no-any-return]
    return _of_other(gt.of(cumsum.of(_everywhere_on(found, inner), *x.param_values), 0))


_PRODUCTS = frozenset((mul, div))
_LOGIC = frozenset((logical_and, logical_or))
_MOVES = (
    broadcast_to, clone, diag_embed, diagonal, diagonal_scatter, flip, gather, index, index_put,
    part, permute, reshape, roll, scatter, scatter_add, tril, triu, updated,
)  # fmt: skip


class _ByClass(dict[type[Any], Any]):
    """What holds for a class and those that are derived from it; None for others."""

    def __missing__(self, cls: type[Any]) -> Any:
        self[cls] = found = next((self[c] for c in cls.__mro__[1:] if c in self), None)
        return found


_RULES = _ByClass(
    {
        **dict.fromkeys((add, sub, logical_or), _of_sum),
        **dict.fromkeys((div, neg, cast, conj, real), _of_first),
        **dict.fromkeys((sum_of, mean, sum_to), _of_total),
        **dict.fromkeys((centred, uncentred), _of_rows),
        **dict.fromkeys(_MOVES, _of_moved),
        contract: _of_contraction,
        cumsum: _of_running_total,
        logical_and: lambda x: _both(*[y._support for y in x.operands]),
        masked: lambda x: x.operands[1]._support,  # which is all that is known of `x`
        masked_fill: _of_filled,
        mul: _of_product,
        pow: _of_power,
        where: _of_choice,
    }
)
#: The types of what may be zero by a mask.
CARRYING = frozenset(_RULES)

_READING = _ByClass(
    {
        where: slice(0, 1),
        masked: slice(1, 2),
        masked_fill: slice(1, 2),
        **{cls: slice(cls.linear, None) for cls in (index_put, scatter, index, gather)},
    }
)


def is_exact(x: Any, operands: Callable[[ArrayExpr], bool]) -> bool:
    """Whether a value is zero outside its support, as computed, if its operands are.

    A product may be nan there.
    """
    cls = type(x)
    return cls is masked or (cls not in _PRODUCTS and all(map(operands, x.operands)))


def stating(cls: type[Any], kinds: Sequence[dtype | None]) -> tuple[int, ...]:
    """Return which operands of an operation say where its result is zero.

    These are its conditions and indices, and truth values among its factors and terms.

    Parameters
    ----------
    cls : type
        The operation.
    kinds : sequence of dtype or None
        The dtypes of its operands; None for a constant.
    """
    if _RULES[cls] is None:
        return ()
    where = _READING[cls]
    chosen = () if where is None else range(len(kinds))[where]
    return tuple([i for i, k in enumerate(kinds) if k is not None and (k is bool_ or i in chosen)])


def unmasked(x: ArrayExpr) -> ArrayExpr:
    """Return a value without the note of its mask."""
    return x.operands[0] if type(x) is masked else x


def note(x: ArrayExpr) -> bool:
    """Whether a node only says of a value of the forward pass what it is, and where it is zero."""
    return isinstance(unmasked(x), recorded)


def peel(x: Any) -> Any:
    """Return what a value of the forward pass was computed as, where it still is that.

    That it is one has to be seen to whenever what follows from it is computed: it is noted among
    `deriving.read`.
    """
    while type(value := unmasked(x)) is recorded:
        if deriving.read is not None:
            deriving.read.append(value)
        x = value.operands[0]
        if x.is_known_by_formula:
            x = x.expanded()
    return x
