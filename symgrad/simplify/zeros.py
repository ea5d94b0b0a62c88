"""Elements that are zero by construction stay zero, whatever they are multiplied by.

A mask, the transpose of an index, a triangle and a diagonal are *fills*: they put a value among
zeros (`Primitive.as_fill`). These rewrites move an operation from the fill to its value:
`fill(v) * y` becomes `fill(v * y')`, where `y'` are the elements of `y` at the places of `v`. So
the zeros are never multiplied; where the derivative of `sqrt` is infinite at an element that a mask
left out, 0 * inf would be nan.

A factor that is a recorded value, or a sum of fills, has no single value to move the operation to.
Then the product is masked as a whole, by the support of the factor (`symgrad.ops.masks`):
`x * y` becomes `where(support(x), x * y, 0)`.
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.atoms import Const, Leaf, is_const
from symgrad.expr.dtypes import bool_, dtype, float32
from symgrad.expr.node import EVERYWHERE, ArrayExpr
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, is_zeros, zeros
from symgrad.ops.casting import cast
from symgrad.ops.contraction import contract
from symgrad.ops.logic import logical_and, logical_or, parts_of_condition
from symgrad.ops.masked import masked
from symgrad.ops.masks import is_masked_out, mask_of, mask_of_product, unmasked
from symgrad.ops.permuting import permute
from symgrad.ops.primitive import Primitive
from symgrad.ops.slicing import updated
from symgrad.ops.triangular import tril, triu
from symgrad.ops.where import where
from symgrad.ops.zeros import Fill, Zeros
from symgrad.simplify.depth import is_deep
from symgrad.simplify.rewrite import rewrite

_X, _Y = Leaf("x", (3, 3)), Leaf("y", (3, 3))
_M, _N = Leaf("m", (3, 3), bool_), Leaf("n", (3, 3), bool_)
_P, _Q, _V = Leaf("p", (2, 3)), Leaf("q", (2, 3)), Leaf("v", (3,))
# Formulas get their operators later, so that `+` would be SymPy's here.
_SUM = add(where(_M, _X, 0), where(_N, _Y, 0))


def _may_fill(cls: type[ArrayExpr]) -> bool:
    """Return whether nodes of a class may be fills."""
    return issubclass(cls, Primitive) and cls.as_fill is not Primitive.as_fill


def _may_have_zeros(cls: type[ArrayExpr]) -> bool:
    """Return whether nodes of a class may be fills, or have a support that is a mask."""
    return cls.keeps_zeros is not None or _may_fill(cls)


def _may_fill_by_place(cls: type[ArrayExpr]) -> bool:
    """Return whether nodes of a class may be fills that do not choose by a condition."""
    return cls.keeps_zeros is not Zeros.CHOICE and _may_fill(cls)


def _among_zeros(value: ArrayExpr) -> Any:
    """Return a matrix of zeros with `value` in two of its rows."""
    return updated(zeros((3, 3), value.dtype), value, ((1, 3, 1),))


def _diagonal(value: ArrayExpr) -> Any:
    return contract(value, "a->aa")


def _fill_of(x: Any) -> Fill | None:
    """Return the `Fill` of a fill or a moved fill; None for another node and for a deep one."""
    if not isinstance(x, Primitive):
        return None
    if not x.moves:
        fill = x.as_fill()
        return None if fill is None or is_deep(x) else fill
    if is_deep(x):
        return None
    inner: Any = x
    while isinstance(inner, Primitive) and inner.moves:
        inner = inner.operands[0]
    fill = inner.as_fill() if isinstance(inner, Primitive) else None
    if fill is None:
        return None
    node: Any = x
    return Fill(
        0,
        lambda b: node.transposed(broadcast_to.of(b, node.shape)),  # by which the move is undone
        lambda v: node.of(v, *node.param_values),
        fill.adds,
    )


def _on_fill(cls: Any, fill: Fill | None, x: Any, y: Any, swapped: bool) -> ArrayExpr | None:
    """Return `cls(x, y)`, or with `swapped` `cls(y, x)`, computed on the value of the fill `x`.

    Return None where `x` is no fill, or the result would have another shape or dtype.
    """
    if fill is None:
        return None
    shape, kind = cls.infer(x, y)
    value = x.operands[fill.place]
    if is_zeros(value) and (shape, kind) == (x.shape, x.dtype):
        return x  # type: ignore[no-any-return]
    # A fill that adds several values at one place is left alone, since `inf * (a + b)` is not
    # `inf*a + inf*b`: with a = 2 and b = -1 the one is inf, the other nan. A fill that broadcasts
    # is left alone as well: it would become larger for an operation that follows.
    if fill.adds or shape != x.shape:
        return None
    inner = y if fill.read is None or not y.shape else fill.read(y)
    made = fill.write(cls.of(inner, value) if swapped else cls.of(value, inner))
    return made if made.dtype is kind else None


# ------------------------------------------------------------------ products


def _counts(x: Any, other: Any) -> bool:
    """Whether the product of `x` and `other` is masked by the support of `x`.

    It is not where `x` has none, and where `other` is a number, which is finite.
    """
    return x._known_support is not EVERYWHERE and not (other.weak or type(other) is Const)


def _if_masked_out(cls: Any, x: Any, other: Any) -> ArrayExpr | None:
    """Return `x` as the value of `cls(x, other)` where masks leave no element of `x`; else None."""
    if x.keeps_zeros is None or other.weak or type(other) is Const or not is_masked_out(x):
        return None
    shape, kind = cls.infer(x, other)
    return broadcast_to.of(x, shape) if x.dtype is kind else None


def _products() -> list[Any]:
    return [
        where(_M, _X, 0) * _Y, _Y * where(_M, 0, _X), where(_M, _X, 0) * tril(_Y, 0),
        _X * permute(where(_M, _Y, 0), (1, 0)), _among_zeros(_P) * _Y, _diagonal(_V) * _X,
        _SUM * _X, masked(_X, _M, _M) * _Y, masked(_X, _M, True) * _Y,
    ]  # fmt: skip


@rewrite(mul, among=_may_have_zeros, samples=_products)
def multiply_fill(x: Any, y: Any) -> ArrayExpr | None:
    """`fill(v) * y` is `fill(v * y)`, and a product with another masked factor is masked."""
    fill, other = _fill_of(x), _fill_of(y)
    if fill is not None or other is not None:
        # Where both factors are fills, move the product to the smaller value, then to the unmoved.
        y_first = other is not None and (
            fill is None
            or (y.operands[other.place].size, y.moves) < (x.operands[fill.place].size, x.moves)
        )
        for at_y in (y_first, not y_first):
            found = _on_fill(mul, other, y, x, True) if at_y else _on_fill(mul, fill, x, y, False)
            if found is not None:
                return found
    if x._known_support is EVERYWHERE is y._known_support:
        return None
    nothing = _if_masked_out(mul, x, y)
    if nothing is None:
        nothing = _if_masked_out(mul, y, x)
    if nothing is not None:
        return nothing
    mask = mask_of_product(*[a for a, b in ((x, y), (y, x)) if _counts(a, b)])
    return None if mask is None else masked.of(mul(unmasked(x), unmasked(y)), *mask)


def _quotients() -> list[Any]:
    return [
        where(_M, _X, 0) / _Y, permute(where(_M, _Y, 0), (1, 0)) / _X, _among_zeros(_P) / _Y,
        triu(_X, 1) / _Y, _diagonal(_V) / _X, _SUM / _X,
        masked(_X, _M, _M) / _Y, masked(_X, _M, True) / _Y,
    ]  # fmt: skip


@rewrite(div, among=_may_have_zeros, samples=_quotients)
def divide_fill(x: Any, y: Any) -> ArrayExpr | None:
    """`fill(v) / y` is `fill(v / y)`, and a quotient with another masked dividend is masked."""
    found = _on_fill(div, _fill_of(x), x, y, False)
    if found is None and x._known_support is not EVERYWHERE:
        found = _if_masked_out(div, x, y)
    if found is not None or x._known_support is EVERYWHERE:
        return found
    mask = mask_of(x) if _counts(x, y) else None
    return None if mask is None else masked.of(div(unmasked(x), y), *mask)


# ------------------------------------------------------------------ signs, conversions and sums


@rewrite(
    neg,
    among=_may_fill,
    samples=lambda: [-where(_M, _X, 0), -_among_zeros(_P), -tril(_X, 0), -_diagonal(_V)],
)
def negate_fill(x: Any) -> ArrayExpr | None:
    """`-fill(v)` is `fill(-v)`."""
    fill = None if is_deep(x) else x.as_fill()
    return None if fill is None else fill.write(neg.of(x.operands[fill.place]))


@rewrite(
    cast,
    among=_may_fill,
    samples=lambda: [cast(x, float32) for x in (where(_M, _X, 0), _among_zeros(_P), _diagonal(_V))],
)
def cast_fill(x: Any, to_dtype: Any) -> ArrayExpr | None:
    """A conversion of `fill(v)` converts `v`."""
    fill = x.as_fill() if to_dtype.differentiable and not is_deep(x) else None
    if fill is None or fill.adds:
        return None
    made = fill.write(cast.of(x.operands[fill.place], to_dtype))
    return made if made.dtype is to_dtype else None


def _sums() -> list[Any]:
    return [
        where(_M, _X, 0) + where(_M, _Y, 0), _among_zeros(_P) + _among_zeros(_Q),
        tril(_X, 0) + tril(_Y, 0),
        _diagonal(_V) - _diagonal(Leaf("w", (3,))),
    ]  # fmt: skip


@rewrite(add, sub, among=_may_fill, by_class=True, samples=_sums)
def add_fills(cls: Any, x: Any, y: Any) -> ArrayExpr | None:
    """`fill(v) + fill(w)` is `fill(v + w)` for two equal fills, so that it stays one fill."""
    if type(x) is not type(y) or x.shape != y.shape or x.param_values != y.param_values:
        return None
    fill, other = _fill_of(x), _fill_of(y)
    if fill is None or other is None or fill.place != other.place:
        return None
    a, b = x.operands[fill.place], y.operands[fill.place]
    rest = zip(x.operands, y.operands, strict=True)
    if any(p is not q for i, (p, q) in enumerate(rest) if i != fill.place):
        return None
    made = fill.write(cls.of(a, b))
    kind: dtype = cls.infer(x, y)[1]
    return made if made.dtype is kind and made.shape == x.shape else None


@rewrite(add, among=(where,), samples=lambda: [where(_M, _X, 0) + where(_M, 0, _Y)])
def add_complements(x: Any, y: Any) -> ArrayExpr | None:
    """`where(c, x, 0) + where(c, 0, y)` is `where(c, x, y)`."""
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
    among=(where,),
    samples=lambda: [where(_M, 0, where(_N, 0, _X)), where(_M, where(_N, _X, 0), 0)],
)
def join_masks(condition: Any, x: Any, y: Any) -> ArrayExpr | None:
    """`where(c, 0, where(d, 0, v))` is `where(d or c, 0, v)`, and with `and` on the other side."""
    zero, chosen = (x, y) if is_zeros(x) else (y, x)
    if type(chosen) is not where or zero.shape or not is_zeros(zero):
        return None
    other, *branches = chosen.operands
    if branches[zero is y] is not zero or condition.shape != other.shape:
        return None
    if condition.dtype is not bool_ or other.dtype is not bool_:
        return None  # of integers, any that is not 0 holds
    join = logical_or if zero is x else logical_and
    ours, theirs = [parts_of_condition(c, join).keys() for c in (condition, other)]
    if ours <= theirs:
        return chosen
    return where.of(condition if theirs <= ours else join.of(other, condition), *branches)


@rewrite(logical_and, logical_or, samples=lambda: [logical_and(_M, _M), logical_or(_M, _M)])
def condition_twice(x: Any, y: Any) -> ArrayExpr | None:
    """`c and c`, and `c or c`, are `c`."""
    return x if x is y and x.dtype is bool_ else None


@rewrite(
    where,
    among=_may_fill_by_place,
    samples=lambda: [
        where(_M, _among_zeros(_P), 0), where(_M, 0, tril(_X, 0)), where(_M, _diagonal(_V), 0),
    ],
)  # fmt: skip
def mask_fill(condition: Any, x: Any, y: Any) -> ArrayExpr | None:
    """`where(c, fill(v), 0)` is `fill(where(c, v, 0))`, so that equal fills meet in sums."""
    zero, filling = (x, y) if is_zeros(x) else (y, x)
    if not _may_fill_by_place(type(filling)) or zero.shape or is_deep(filling):
        return None
    fill: Fill | None = filling.as_fill()
    if fill is None or not is_zeros(zero):
        return None
    value = filling.operands[fill.place]
    shape = broadcast_shapes(condition.shape, filling.shape)
    if value.dtype is not filling.dtype or filling.shape != shape:
        return None
    if fill.read is not None and condition.shape:
        condition = fill.read(condition)
    chosen = (zero, value) if zero is x else (value, zero)
    return fill.write(where.of(condition, *chosen))
