"""The safe rewrites (see `symgrad.simplify` for what is allowed), one function each."""

from __future__ import annotations

from typing import Any, TypeGuard

from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr, Const, is_const
from symgrad.expr.shapes import broadcast_shapes, size_of
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to, sum_to
from symgrad.ops.casting import cast
from symgrad.ops.complex_parts import conj, conj_physical
from symgrad.ops.norms import distance, norm
from symgrad.ops.permuting import permute
from symgrad.ops.powers import pow
from symgrad.ops.reduction import sum
from symgrad.ops.reshaping import reshape
from symgrad.ops.where import where
from symgrad.primitive import Elementwise
from symgrad.simplify import rewrites
from symgrad.zero_places import is_deep, is_nothing

# Integers up to here multiply and add exactly, and far from overflow, by the bytes of a number.
_EXACT = {2: 1 << 11, 4: 1 << 20, 8: 1 << 20, 16: 1 << 20}
_SMALL = _EXACT[8]


def _absorbed(c: Const, x: Any) -> bool:
    """Whether an operation of `c` with `x` has the shape and dtype of `x`."""
    if x.weak:  # numbers alone give a number; beside a constant with a dtype, they take that
        return False
    if c.weak:
        return bool(c.dtype.category <= x.dtype.category)
    return c.dtype is x.dtype or bool(x.shape and c.dtype.category <= x.dtype.category)


def _small(x: Any) -> TypeGuard[Const]:
    if type(x) is not Const or type(x.value) not in (int, float):
        return False
    return bool(-_SMALL <= x.value <= _SMALL and x.value == int(x.value))


def _merged(a: Const, b: Const, value: Any) -> Const | None:
    """A constant from two: strong where one is, of the dtype that they promote to."""
    if a.weak and b.weak:
        return Const(value)
    kind = add.infer(a, b)[1]
    return Const(value, kind) if _holds(kind, value) else None


def _holds(kind: dtype, value: Any) -> bool:
    """Whether arithmetic with the integer `value` in that dtype is far from its limits."""
    if kind.category < Category.FLOAT:
        return kind.itemsize == 8
    return bool(abs(value) <= _EXACT[kind.itemsize])


def _like(made: ArrayExpr, cls: type[Elementwise], x: Any, y: Any) -> ArrayExpr | None:
    """Return `made` in the place of `cls(x, y)`, unless that would be of another dtype."""
    if made.dtype is cls.infer(x, y)[1] and made.weak is (x.weak and y.weak):
        return made
    return None


def _scaled_term(x: Any) -> tuple[Const, Any] | None:
    """Return the small integer factor of a product, and what it multiplies.

    None of integers, which wrap around.
    """
    if type(x) is mul and x.dtype.category >= Category.FLOAT:
        a, b = x.operands
        if _small(a):
            return a, b
        if _small(b):
            return b, a
    return None


@rewrites(add, among=(Const,))
def _add_constants(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    if type(x) is Const:
        if _small(x) and _small(y):
            return _merged(x, y, x.value + y.value)
        if is_const(x, 0) and _absorbed(x, y):
            return y
    elif type(y) is Const and is_const(y, 0) and _absorbed(y, x):
        return x
    return None


@rewrites(mul, among=(Const, mul))
def _mul_constants(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    if type(y) is Const and type(x) is not Const:
        return mul.of(y, x)
    if type(x) is Const:
        if _small(x):
            if _small(y):
                return _merged(x, y, x.value * y.value)
            if x.value == 1 and _absorbed(x, y):
                return y
            if x.value == -1 and _absorbed(x, y) and y.dtype.category >= Category.FLOAT:
                return neg.of(y)
            inner = _scaled_term(y)
            if inner is not None and x.value and inner[0].value and not is_deep(inner[1]):
                c = _merged(x, inner[0], x.value * inner[0].value)
                if _small(c) and _holds(y.dtype, c.value):
                    return _like(mul.of(c, inner[1]), mul, x, y)
        return None
    return _scaled_product(x, y)


_ONE = Const(1)


def _scaled_product(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    """Return a product with the integers among its factors in front, as one.

    Together they stay small: what they multiply is as far from overflow as the product, but for
    that one factor, however many products are made of it.
    """
    in_x, in_y = _scaled_term(x), _scaled_term(y)
    if in_x is in_y is None:
        return None
    (c, a), (d, b) = in_x or (_ONE, x), in_y or (_ONE, y)
    # 0 * x is 0 where x * y would overflow.
    if not (c.value and d.value) or is_deep(a) or is_deep(b):
        return None
    if _scaled_term(a) is not None or _scaled_term(b) is not None:
        return None  # these could not be merged
    factor = d if in_x is None else c if in_y is None else _merged(c, d, c.value * d.value)
    if not _small(factor):
        return None
    product = mul.of(a, b)
    inner = _scaled_term(product)
    if inner is not None:
        both = _merged(factor, inner[0], factor.value * inner[0].value)
        if not _small(both) or not _holds(product.dtype, both.value):
            return None
    if product.dtype is not mul.infer(x, y)[1]:
        return None
    return _like(mul.of(factor, product), mul, x, y)


def _dropped(x: Any, others: tuple[Any, ...], shape: Any) -> Any:
    """`x` without its broadcast, where the other operands bring the result to `shape` anyway."""
    if type(x) is broadcast_to:
        inner = x.operands[0]
        if broadcast_shapes(inner.shape, *[o.shape for o in others]) == shape:
            return inner
    return x


def _of_constants(cls: Any, x: Any, y: Any, shape: Any) -> ArrayExpr | None:
    """Return an operation of two constants, one of them broadcast, as one that is broadcast."""
    a, b = (z.operands[0] if type(z) is broadcast_to else z for z in (x, y))
    both = cls.of(a, b)
    # A zero is negative where one of its factors is, which an integer does not say.
    if type(both) is not Const or (both.value == 0 and (a.value < 0 or b.value < 0)):
        return None
    return _like(broadcast_to.of(both, shape), cls, x, y)


def _binary_broadcast(cls: Any) -> Any:
    def rule(x: Any, y: Any) -> ArrayExpr | None:
        if type(x) is not broadcast_to and type(y) is not broadcast_to:
            return None
        if type(x) is broadcast_to and type(y) is broadcast_to and x.shape == y.shape:
            a, b = x.operands[0], y.operands[0]
            both = cls.of(a, b)
            return _like(broadcast_to.of(both, x.shape), cls, x, y)
        shape = broadcast_shapes(x.shape, y.shape)
        for a, b in ((x, y), (y, x)):
            if type(a) is broadcast_to and type(a.operands[0]) is type(b) is Const:
                return _of_constants(cls, x, y, shape)
        new_x = _dropped(x, (y,), shape)
        new_y = _dropped(y, (new_x,), shape)
        if new_x is x and new_y is y:
            return None
        return _like(cls.of(new_x, new_y), cls, x, y)

    return rule


for _cls in (add, sub, mul, div):
    rewrites(_cls, among=(broadcast_to,))(_binary_broadcast(_cls))


@rewrites(mul, among=(neg, div))
def _mul_signs_and_quotients(x: Any, y: Any) -> ArrayExpr | None:
    if _is_negated(x):
        return None if is_deep(x) else neg.of(mul.of(x.operands[0], y))
    if _is_negated(y):
        return None if is_deep(y) else neg.of(mul.of(x, y.operands[0]))
    for a, b in ((x, y), (y, x)):
        if type(b) is not div or not is_const(b.operands[0], 1):
            continue
        if b.weak or b.dtype is mul.infer(x, y)[1]:  # else the reciprocal is rounded as written
            return _like(div.of(a, b.operands[1]), mul, x, y)
    return None


def _is_negated(x: Any) -> bool:
    """Whether a sign stands before `x` that may stand elsewhere: unsigned integers wrap around."""
    return type(x) is neg and x.dtype.category >= Category.FLOAT


@rewrites(conj_physical, values=True)
def _conj_plain(x: Any) -> ArrayExpr:
    return conj.of(x)


@rewrites(distance, values=True)
def _distance_plain(*args: Any) -> ArrayExpr:
    return norm.of(*args)


@rewrites(conj, among=(div,))
def _conj_of_reciprocal(x: Any) -> ArrayExpr | None:
    """Leave a reciprocal a reciprocal, so that what it multiplies is divided."""
    if type(x) is div and is_const(x.operands[0], 1):
        return div.of(x.operands[0], conj.of(x.operands[1]))
    return None


@rewrites(mul, among=(where,))
def _mul_masked(x: Any, y: Any) -> ArrayExpr | None:
    """Push a factor inside `where`, so that the branch not taken cannot give 0 * inf."""
    for a, b in ((x, y), (y, x)):
        if type(a) is where and a.shape == broadcast_shapes(a.shape, b.shape):
            if is_deep(a):
                return None
            if is_nothing(a) and mul.infer(a, b)[1] is a.dtype:
                return a
            condition, p, q = a.operands
            if is_const(q, 0):
                return where.of(condition, mul.of(p, b), q)
            if is_const(p, 0):
                return where.of(condition, p, mul.of(q, b))
    return None


@rewrites(add, among=(where,))
def _add_masked(x: Any, y: Any) -> ArrayExpr | None:
    """Join two masked terms whose masks are complements."""
    if type(x) is where and type(y) is where and x.operands[0] is y.operands[0]:
        condition, p, q = x.operands
        _, r, s = y.operands
        # The same mask stays outside the sum, for the factors that are still to come.
        if x.shape != y.shape or is_deep(x):
            return None
        if is_const(q, 0) and is_const(s, 0):
            return where.of(condition, add.of(p, r), q)
        if is_const(p, 0) and is_const(r, 0):
            return where.of(condition, p, add.of(q, s))
        if is_const(p, 0) and is_const(s, 0) and r.shape == q.shape:
            return where.of(condition, r, q)
        if is_const(q, 0) and is_const(r, 0) and p.shape == s.shape:
            return where.of(condition, p, s)
    return None


@rewrites(div, among=(where,))
def _div_masked(x: Any, y: Any) -> ArrayExpr | None:
    if type(x) is where and x.shape == broadcast_shapes(x.shape, y.shape):
        if is_deep(x):
            return None
        if is_nothing(x) and div.infer(x, y)[1] is x.dtype:
            return x
        condition, p, q = x.operands
        if is_const(q, 0):
            return where.of(condition, div.of(p, y), q)
        if is_const(p, 0):
            return where.of(condition, p, div.of(q, y))
    return None


@rewrites(neg, among=(neg, Const, where, broadcast_to))
def _neg_inside(x: Any) -> ArrayExpr | None:
    if type(x) is neg:
        return x.operands[0]
    if type(x) is Const and not isinstance(x.value, bool):
        return Const(-x.value, None if x.weak else x.dtype)
    if type(x) is where and not is_deep(x):
        condition, p, q = x.operands
        if is_const(q, 0):
            return where.of(condition, neg.of(p), q)
        if is_const(p, 0):
            return where.of(condition, p, neg.of(q))
    if type(x) is broadcast_to and not is_deep(x):
        return broadcast_to.of(neg.of(x.operands[0]), x.shape)
    return None


@rewrites(add, among=(neg,))
def _add_negated(x: Any, y: Any) -> ArrayExpr | None:
    if _is_negated(y):
        return sub.of(x, y.operands[0])
    if _is_negated(x):
        return sub.of(y, x.operands[0])
    return None


@rewrites(add)
def _add_equal(x: Any, y: Any) -> ArrayExpr | None:
    """Collect equal terms: x + x is 2*x, and 2*x + x is 3*x."""
    if y.dtype.category < Category.FLOAT:
        return None
    cx, ex = _weakly_scaled(x)
    cy, ey = _weakly_scaled(y)
    if ex is not ey or not _holds(y.dtype, cx + cy):
        return None
    return _like(mul.of(Const(cx + cy), ex), add, x, y)


def _weakly_scaled(x: Any) -> tuple[int, Any]:
    found = _scaled_term(x)
    return (found[0].value, found[1]) if found is not None and found[0].weak else (1, x)


@rewrites(sub, among=(Const, neg))
def _sub_constants(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    if type(y) is Const:
        if _small(x) and _small(y):
            return _merged(x, y, x.value - y.value)
        if is_const(y, 0) and _absorbed(y, x):
            return x
    elif type(x) is Const and is_const(x, 0) and _absorbed(x, y):
        return neg.of(y)
    if _is_negated(y):
        return add.of(x, y.operands[0])
    return None


@rewrites(div, among=(Const, neg))
def _div_constants(x: Any, y: Any) -> ArrayExpr | None:
    if type(y) is Const and is_const(y, 1) and x.dtype.category >= Category.FLOAT:
        return x if _absorbed(y, x) else None
    if _is_negated(x) and not is_deep(x):
        return neg.of(div.of(x.operands[0], y))
    return None


@rewrites(pow, among=(Const,))
def _pow_one(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    if type(y) is Const and is_const(y, 1) and _absorbed(y, x):
        return x
    return None


@rewrites(broadcast_to, reshape, sum_to, values=True)
def _shape_same(x: Any, shape: Any) -> ArrayExpr | None:
    return x if x.shape == shape and not x.weak else None


@rewrites(broadcast_to)
def _broadcast_twice(x: Any, shape: Any) -> ArrayExpr | None:
    if type(x) is broadcast_to and not is_deep(x):
        return broadcast_to.of(x.operands[0], shape)
    return None


@rewrites(sum_to)
def _sum_to_broadcast(x: Any, shape: Any) -> ArrayExpr | None:
    if type(x) is sum_to:
        return None if is_deep(x) else sum_to.of(x.operands[0], shape)
    if type(x) is broadcast_to:
        inner = x.operands[0]
        common = broadcast_shapes(inner.shape, shape)
        if common == shape and size_of(shape):
            times = size_of(x.shape) // size_of(shape)
            if is_countable(times, inner):
                return broadcast_to.of(mul.of(Const(times), inner), shape)
    return None


def is_countable(times: int, x: ArrayExpr) -> bool:
    """Whether so many equal terms are their number times the term, also in the dtype of `x`."""
    return x.dtype.category >= Category.FLOAT and (x.dtype.itemsize > 2 or _holds(x.dtype, times))


@rewrites(sum)
def _sum_nothing(x: Any, axis: Any, keepdims: bool) -> ArrayExpr | None:
    nothing = (axis == () or not x.shape) and not x.weak
    return x if nothing and x.dtype.category >= Category.FLOAT else None


@rewrites(reshape)
def _reshape_twice(x: Any, shape: Any) -> ArrayExpr | None:
    if type(x) is reshape:
        return None if is_deep(x) else reshape.of(x.operands[0], shape)
    if type(x) is broadcast_to and not x.operands[0].shape:
        return broadcast_to.of(x.operands[0], shape)
    return None


@rewrites(permute, values=True)
def _permute_twice(x: Any, axes: Any) -> ArrayExpr | None:
    if axes == tuple(range(len(axes))):
        return None if x.weak else x
    if type(x) is permute:
        return permute.of(x.operands[0], tuple(x.axes[a] for a in axes))
    return None


@rewrites(cast, values=True)
def _cast_same(x: Any, to_dtype: Any) -> ArrayExpr | None:
    return x if x.dtype is to_dtype and not x.weak else None


def _converts(x: Const, kind: dtype) -> bool:
    """Whether a constant is the same number in another dtype, or has no dtype to be rounded to."""
    if type(x.value) is complex or kind.category < Category.FLOAT:
        return False
    return x.weak or x.dtype.category < Category.FLOAT or _small(x)


@rewrites(cast)
def _cast_inside(x: Any, to_dtype: Any) -> ArrayExpr | None:
    if type(x) is Const:
        return Const(x.value, to_dtype) if _converts(x, to_dtype) else None
    if type(x) is broadcast_to and not is_deep(x):
        return broadcast_to.of(cast.of(x.operands[0], to_dtype), x.shape)
    return None


# Tried after those above.
from symgrad import rewrites_movement  # noqa: E402, F401, I001
from symgrad import rewrites_masks  # noqa: E402, F401
