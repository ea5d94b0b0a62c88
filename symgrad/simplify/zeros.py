"""What is zero by construction stays zero, whatever it is multiplied by.

A mask, the transpose of an index, a triangle or a diagonal fill in zeros. A factor goes to the
value beside them (`Primitive.filled`), so that it never meets the zeros: where the derivative of
`sqrt` is infinite at an element that was left out, 0 * inf would be a nan. Where there is no such
place, since a value was recorded or is a sum of others, the product is masked as a whole, by its
support (`symgrad.ops.masks`).
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import bool_, dtype, float32
from symgrad.expr.node import ArrayExpr, Const, Leaf, is_const
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, is_zeros, zeros
from symgrad.ops.casting import cast
from symgrad.ops.contraction import contract
from symgrad.ops.masks import CARRYING, intersection, is_nothing, masked, support, unmasked
from symgrad.ops.permuting import permute
from symgrad.ops.primitive import PRIMITIVES, Filled, Primitive
from symgrad.ops.slicing import updated
from symgrad.ops.triangular import tril, triu
from symgrad.ops.where import where
from symgrad.simplify.layers import is_deep
from symgrad.simplify.rewrite import rewrite

__all__ = [
    "add_complements",
    "add_inside",
    "cast_inside",
    "divide_inside",
    "mask_inside",
    "multiply_inside",
    "negate_inside",
]

_X, _Y = Leaf("x", (3, 3)), Leaf("y", (3, 3))
_M = Leaf("m", (3, 3), bool_)
_P, _Q, _V = Leaf("p", (2, 3)), Leaf("q", (2, 3)), Leaf("v", (3,))
_SUM = where(_M, _X, 0) + where(Leaf("n", (3, 3), bool_), _Y, 0)

#: The operations that say what they hold beside zeros.
_FILLING = frozenset(c for c in PRIMITIVES.values() if c.filled is not Primitive.filled)
_MOVING = frozenset(c for c in PRIMITIVES.values() if c.moves)


def _written(value: ArrayExpr) -> Any:
    """Return two rows among zeros."""
    return updated(zeros((3, 3), value.dtype), value, ((1, 3, 1),))


def _diagonal(value: ArrayExpr) -> Any:
    return contract(value, "a->aa")


def _filled(x: Any) -> Filled | None:
    """Return what a node holds beside zeros, also behind moves; None where too much lies around."""
    if type(x) in _FILLING:
        return None if is_deep(x) else x.filled()
    if type(x) not in _MOVING or is_deep(x):
        return None
    inner: Any = x
    while type(inner) in _MOVING:
        inner = inner.operands[0]
    held = inner.filled() if type(inner) in _FILLING else None
    if held is None:
        return None
    node: Any = x
    return Filled(
        0,
        lambda b: node.transposed(broadcast_to.of(b, node.shape)),  # by which the move is undone
        lambda v: node.of(v, *node.param_values),
        held.adds,
    )


def _within(cls: Any, held: Filled | None, x: Any, y: Any, swapped: bool) -> ArrayExpr | None:
    """Return `cls(x, y)`, or with `swapped` `cls(y, x)`, computed on what `x` holds."""
    if held is None:
        return None
    shape, kind = cls.infer(x, y)
    value = x.operands[held.place]
    if is_zeros(value) and (shape, kind) == (x.shape, x.dtype):
        return x  # type: ignore[no-any-return]
    # Where several values are added at one place: inf times a sum is no sum of infinities. A mask
    # stays as small as it is, for what is divided by a value of its shape later.
    if held.adds or shape != x.shape:
        return None
    inner = y if held.read is None or not y.shape else held.read(y)
    made = held.write(cls.of(inner, value) if swapped else cls.of(value, inner))
    return made if made.dtype is kind else None


# ------------------------------------------------------------------ products


def _mask(x: Any, other: Any) -> ArrayExpr | None:
    """Return the mask of a factor; None for one that is not masked, or if the other is a number."""
    cls = type(x)
    if cls is mul or cls is div:
        a, b = x.operands
        if not (a.weak or b.weak or type(a) is Const or type(b) is Const):
            return None  # with a mask it would be masked since it was made
    elif cls not in CARRYING:
        return None
    return None if other.weak or type(other) is Const else support(x)


def _nothing(cls: Any, x: Any, other: Any) -> ArrayExpr | None:
    """Return a factor for the product if masks leave nothing of it; else None."""
    if type(x) not in CARRYING or other.weak or type(other) is Const or not is_nothing(x):
        return None
    shape, kind = cls.infer(x, other)
    return broadcast_to.of(x, shape) if x.dtype is kind else None


def _products() -> list[Any]:
    return [
        where(_M, _X, 0) * _Y, _Y * where(_M, 0, _X), where(_M, _X, 0) * tril(_Y, 0),
        _X * permute(where(_M, _Y, 0), (1, 0)), _written(_P) * _Y, _diagonal(_V) * _X,
        _SUM * _X, masked(_X, _M) * _Y,
    ]  # fmt: skip


@rewrite(mul, among=CARRYING | _FILLING, samples=_products)
def multiply_inside(x: Any, y: Any) -> ArrayExpr | None:
    """A factor goes to the value beside zeros, or the product is masked where a factor is zero."""
    held, other = _filled(x), _filled(y)
    # Of two values to the smaller one, and rather not behind a move.
    y_first = other is not None and (
        held is None
        or (y.operands[other.place].size, y.moves) < (x.operands[held.place].size, x.moves)
    )
    for at_y in (y_first, not y_first):
        found = _within(mul, other, y, x, True) if at_y else _within(mul, held, x, y, False)
        if found is not None:
            return found
    nothing = _nothing(mul, x, y)
    if nothing is None:
        nothing = _nothing(mul, y, x)
    if nothing is not None:
        return nothing
    in_x, in_y = _mask(x, y), _mask(y, x)
    if in_x is in_y is None:
        return None
    return masked.of(mul(unmasked(x), unmasked(y)), intersection(in_x, in_y))


def _quotients() -> list[Any]:
    return [
        where(_M, _X, 0) / _Y, permute(where(_M, _Y, 0), (1, 0)) / _X, _written(_P) / _Y,
        triu(_X, 1) / _Y, _diagonal(_V) / _X, _SUM / _X, masked(_X, _M) / _Y,
    ]  # fmt: skip


@rewrite(div, among=CARRYING | _FILLING, samples=_quotients)
def divide_inside(x: Any, y: Any) -> ArrayExpr | None:
    """A divisor goes to the value beside zeros, or the quotient is masked where it is zero."""
    found = _within(div, _filled(x), x, y, False)
    if found is None:
        found = _nothing(div, x, y)
    if found is not None:
        return found
    mask = _mask(x, y)
    return None if mask is None else masked.of(div(unmasked(x), y), mask)


# ------------------------------------------------------------------ signs, conversions and sums


@rewrite(
    neg,
    among=_FILLING,
    samples=lambda: [-where(_M, _X, 0), -_written(_P), -tril(_X, 0), -_diagonal(_V)],
)
def negate_inside(x: Any) -> ArrayExpr | None:
    """A sign goes to the value beside zeros."""
    held = None if is_deep(x) else x.filled()
    return None if held is None else held.write(neg.of(x.operands[held.place]))


@rewrite(
    cast,
    among=_FILLING,
    samples=lambda: [cast(x, float32) for x in (where(_M, _X, 0), _written(_P), _diagonal(_V))],
)
def cast_inside(x: Any, to_dtype: Any) -> ArrayExpr | None:
    """A conversion goes to the value beside zeros."""
    held = x.filled() if to_dtype.differentiable and not is_deep(x) else None
    if held is None or held.adds:
        return None
    made = held.write(cast.of(x.operands[held.place], to_dtype))
    return made if made.dtype is to_dtype else None


def _sums() -> list[Any]:
    return [
        where(_M, _X, 0) + where(_M, _Y, 0), _written(_P) + _written(_Q), tril(_X, 0) + tril(_Y, 0),
        _diagonal(_V) - _diagonal(Leaf("w", (3,))),
    ]  # fmt: skip


@rewrite(add, sub, among=_FILLING, by_class=True, samples=_sums)
def add_inside(cls: Any, x: Any, y: Any) -> ArrayExpr | None:
    """Values beside the same zeros are added there, for the factors that are still to come."""
    if type(x) is not type(y) or x.shape != y.shape or x.param_values != y.param_values:
        return None
    held, other = _filled(x), _filled(y)
    if held is None or other is None or held.place != other.place:
        return None
    a, b = x.operands[held.place], y.operands[held.place]
    rest = zip(x.operands, y.operands, strict=True)
    if any(p is not q for i, (p, q) in enumerate(rest) if i != held.place):
        return None
    made = held.write(cls.of(a, b))
    kind: dtype = cls.infer(x, y)[1]
    return made if made.dtype is kind and made.shape == x.shape else None


@rewrite(add, among=(where,), samples=lambda: [where(_M, _X, 0) + where(_M, 0, _Y)])
def add_complements(x: Any, y: Any) -> ArrayExpr | None:
    """Terms of a mask and of its complement are a choice."""
    if type(x) is not where or type(y) is not where or x.operands[0] is not y.operands[0]:
        return None
    condition, p, q = x.operands
    _, r, s = y.operands
    if x.shape != y.shape or is_deep(x):
        return None
    if is_const(p, 0) and is_const(s, 0) and r.shape == q.shape:
        return where.of(condition, r, q)
    if is_const(q, 0) and is_const(r, 0) and p.shape == s.shape:
        return where.of(condition, p, s)
    return None


@rewrite(
    where,
    among=_FILLING - {where},
    samples=lambda: [
        where(_M, _written(_P), 0), where(_M, 0, tril(_X, 0)), where(_M, _diagonal(_V), 0),
    ],
)  # fmt: skip
def mask_inside(condition: Any, x: Any, y: Any) -> ArrayExpr | None:
    """A mask goes to the value beside zeros, so that such terms still meet in sums."""
    left_out, kept = (x, y) if is_zeros(x) else (y, x)
    if type(kept) not in _FILLING or type(kept) is where or left_out.shape or is_deep(kept):
        return None
    held: Filled | None = kept.filled()
    if held is None or not is_zeros(left_out):
        return None
    value = kept.operands[held.place]
    if value.dtype is not kept.dtype or kept.shape != broadcast_shapes(condition.shape, kept.shape):
        return None
    if held.read is not None and condition.shape:
        condition = held.read(condition)
    chosen = (left_out, value) if left_out is x else (value, left_out)
    return held.write(where.of(condition, *chosen))
