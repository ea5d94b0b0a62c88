"""Rewrites of sums, products and quotients: their numbers, signs and broadcast operands."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

import numpy as np

from symgrad.expr.atoms import ArrayConst, Const, Leaf, is_const
from symgrad.expr.dtypes import Category, bool_, complex128, dtype, float32, float64, promote
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.complex_parts import conj
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.logic import logical_and, logical_or
from symgrad.ops.powers import pow
from symgrad.simplify.depth import is_deep
from symgrad.simplify.rewrite import rewrite

_X, _Y = Leaf("x", (3, 3)), Leaf("y", (3, 3))
_M = Leaf("m", (3, 3), bool_)

# For a float of so many bytes, the largest integer with which products and sums are exact and far
# from overflow.
_EXACT = {2: 1 << 11, 4: 1 << 20, 8: 1 << 20, 16: 1 << 20}
_SMALL = _EXACT[8]
# How far from 1 a product of numbers is: what it multiplies overflows only where the whole does.
_LARGEST = {2: 2.0**11, 4: 2.0**100, 8: 2.0**100, 16: 2.0**100}


def _leaves_type(c: Const, x: Any) -> bool:
    """Return whether an operation of `c` with `x` has the shape and dtype of `x`."""
    if x.weak:  # two weak numbers give a weak one; a strong constant gives its dtype to `x`
        return False
    if c.weak:
        return bool(c.dtype.category <= x.dtype.category)
    if x.shape:
        return bool(c.dtype.category <= x.dtype.category)
    return promote(c.dtype, x.dtype) is x.dtype


def is_small(x: Any) -> TypeGuard[Const]:
    """Return whether `x` is a small integer, of whatever dtype."""
    if type(x) is not Const or type(x.value) not in (int, float):
        return False
    return bool(-_SMALL <= x.value <= _SMALL and x.value == int(x.value))


def _is_small_complex(x: Const) -> bool:
    """Return whether the parts of a complex number are small integers."""
    given = type(x.value) is complex
    return given and all(is_small(Const(part)) for part in (x.value.real, x.value.imag))


def _is_number(x: Any) -> TypeGuard[Const]:
    """Return whether `x` is a finite real number other than 0."""
    return type(x) is Const and type(x.value) in (int, float) and 0 < abs(x.value) < math.inf


def _is_half(x: Any) -> bool:
    """Return whether `x` is a weak number whose double is a small integer: sums are exact."""
    return _is_number(x) and x.weak and abs(x.value) < _SMALL and float(2 * x.value).is_integer()


def _is_power_of_two(c: Const) -> bool:
    """Return whether a number only moves the exponent of a float that it multiplies or divides."""
    return 1 / _SMALL <= abs(c.value) <= _SMALL and math.frexp(c.value)[0] in (0.5, -0.5)


def _folded(a: Any, b: Any, kind: dtype, divide: bool = False) -> Const | None:
    """Return the product or quotient of numbers to replace both in a formula of a dtype.

    Return None unless one of them, and of a quotient the second one, is a power of two, so that no
    bit of the result changes.
    """
    if not (_is_number(a) and _is_number(b)) or kind.category < Category.FLOAT:
        return None
    if not (_is_power_of_two(b) or (not divide and _is_power_of_two(a))):
        return None
    c, d = a.value_in(kind), b.value_in(kind)
    value = c / d if divide else c * d
    largest = _LARGEST[kind.itemsize]
    if not 1 / largest <= abs(value) <= largest:
        return None
    if not a.weak or not b.weak:
        return Const(value, mul.infer(a, b)[1])
    return Const(value)


def _quotient(above: ArrayExpr, below: Const | None) -> ArrayExpr | None:
    """Return a quotient by a number, of which an integer is written as such."""
    if below is None:
        return None
    return div.of(above, Const(int(below.value)) if below.weak and is_small(below) else below)


def _factor(x: Any) -> tuple[Any, Any]:
    """Return the number of a product, and the other factor; None and the node of another."""
    if type(x) is mul:
        a, b = x.operands
        if type(a) is Const:
            return a, b
        if type(b) is Const:
            return b, a
    return None, x


def _one_constant(a: Const, b: Const, value: Any) -> Const | None:
    """Return the constant `value`, of the weakness and dtype of a sum or product of `a` and `b`.

    Return None where the dtype does not hold the value.
    """
    if a.weak and b.weak:
        return Const(value)
    kind = add.infer(a, b)[1]
    return Const(value, kind) if _holds(kind, value) else None


def _holds(kind: dtype, value: Any) -> bool:
    """Return whether arithmetic with the integer `value` in that dtype is far from its limits."""
    if kind.category < Category.FLOAT:
        return kind.itemsize == 8
    return bool(abs(value) <= _EXACT[kind.itemsize])


def is_countable(times: int, x: ArrayExpr) -> bool:
    """Return whether `times * x` may replace a sum of so many terms `x`, in the dtype of `x`."""
    return x.dtype.category >= Category.FLOAT and (x.dtype.itemsize > 2 or _holds(x.dtype, times))


def _if_same_type(
    made: ArrayExpr | None, cls: type[Elementwise], x: Any, y: Any
) -> ArrayExpr | None:
    """Return `made` to replace `cls(x, y)`; None where their dtype or weakness differs."""
    if made is not None and made.dtype is cls.infer(x, y)[1] and made.weak is (x.weak and y.weak):
        return made
    return None


def _scaled_term(x: Any) -> tuple[Const, Any] | None:
    """Return the small integer factor of a floating product, and the other factor.

    Return None for another node, and for a product of integers, which may wrap around.
    """
    if type(x) is mul and x.dtype.category >= Category.FLOAT:
        a, b = x.operands
        if is_small(a):
            return a, b
        if is_small(b):
            return b, a
    return None


def _is_negated(x: Any) -> bool:
    """Return whether `x` is `-y` of floats; unsigned integers, which wrap around, keep the sign."""
    return type(x) is neg and x.dtype.category >= Category.FLOAT


# ------------------------------------------------------------------ numbers


@rewrite(
    add,
    among=(Const,),
    samples=lambda: [_X + 0, 0 + _X, add(1, Const(2, float64)), add(Const(0.5), 1)],
)
def add_numbers(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    """Small integers and halves are added; `x + 0` is `x` if the 0 changes no shape or dtype."""
    if type(x) is Const:
        if is_small(x) and is_small(y):
            return _one_constant(x, y, x.value + y.value)
        if _is_half(x) and _is_half(y):
            return Const(float(x.value + y.value))
        if is_const(x, 0) and _leaves_type(x, y):
            return y
    elif type(y) is Const and is_const(y, 0) and _leaves_type(y, x):
        return x
    return None


@rewrite(
    sub,
    among=(Const,),
    samples=lambda: [_X - 0, 0 - _X, sub(1, Const(2, float64))],
)
def subtract_numbers(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    """Small integers are subtracted; `x - 0` is `x`, and `0 - x` is `-x`."""
    if type(y) is Const:
        if is_small(x) and is_small(y):
            return _one_constant(x, y, x.value - y.value)
        if is_const(y, 0) and _leaves_type(y, x):
            return x
    elif type(x) is Const and is_const(x, 0) and _leaves_type(x, y):
        return neg.of(y)
    return None


@rewrite(
    mul,
    among=(Const,),
    samples=lambda: [
        1 * _X,
        -1 * _X,
        _X * 3,
        3 * (4 * _X),
        2 * (0.1 * _X),
        mul(2, Const(3, float64)),
        mul(2, Const(0.1, float64)),
        mul(Const(2, float64), Const(0.1, float32)),
        mul(2, Const(1j, complex128)),
        2 * (_X / 4 * _Y),
    ],
)
def multiply_by_number(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    """Numbers are one factor in front; `1*x` is `x`, and `-1*x` is `-x`.

    They are multiplied where both are small integers, or one is a power of two; also with the one
    of a quotient that is a factor, as in `2 * (x/4 * y)`.
    """
    if type(x) is not Const:
        return mul.of(y, x) if type(y) is Const else None
    if is_small(x):
        if is_small(y):
            return _one_constant(x, y, x.value * y.value)
        if x.value == 1 and _leaves_type(x, y):
            return y
        if x.value == -1 and _leaves_type(x, y) and y.dtype.category >= Category.FLOAT:
            return neg.of(y)
        inner = _scaled_term(y)
        if inner is not None and x.value and inner[0].value and not is_deep(inner[1]):
            c = _one_constant(x, inner[0], x.value * inner[0].value)
            if is_small(c) and _holds(y.dtype, c.value):
                return _if_same_type(mul.of(c, inner[1]), mul, x, y)
    if type(y) is Const:
        if is_small(x) and _is_small_complex(y):
            # Without a sign of a zero part, which no number is written with.
            parts = [x.value * part or 0.0 for part in (y.value.real, y.value.imag)]
            return _if_same_type(_one_constant(x, y, complex(*parts)), mul, x, y)
        folded = _folded(x, y, mul.infer(x, y)[1])
        return _if_same_type(folded, mul, x, y)
    if type(y) is not mul or not _is_number(x) or is_deep(y):
        return None
    made = _absorbed(x, y)
    if made is None and _is_power_of_two(x):
        a, b = y.operands
        first = _absorbed(x, a)
        second = _absorbed(x, b) if first is None else None
        if first is not None or second is not None:
            made = mul.of(a if first is None else first, b if second is None else second)
    return _if_same_type(made, mul, x, y)


def _absorbed(x: Const, y: Any) -> ArrayExpr | None:
    """Return `x * y` of a product or a quotient whose own number becomes another one."""
    if type(y) is div:
        return multiply_quotient_by_number(x, y)
    number, rest = _factor(y)
    folded = _folded(x, number, y.dtype)
    return None if folded is None else mul.of(folded, rest)


_ONE = Const(1)


@rewrite(mul, among=(mul,), samples=lambda: [(2 * _X) * _Y, (2 * _X) * (3 * _Y)])
def merge_factors(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    """`(c*x) * (d*y)` is `(c*d) * (x*y)` for integers c and d.

    The integer stays small, so that the product of the other factors overflows only where the
    whole product is within that one small factor of overflow.
    """
    if type(x) is Const:
        return None
    in_x, in_y = _scaled_term(x), _scaled_term(y)
    if in_x is in_y is None:
        return None
    (c, a), (d, b) = in_x or (_ONE, x), in_y or (_ONE, y)
    # Where x * y overflows, (0*x) * y is 0, but 0 * (x*y) is nan.
    if not (c.value and d.value) or is_deep(a) or is_deep(b):
        return None
    if _scaled_term(a) is not None or _scaled_term(b) is not None:
        return None  # both factors have numbers, which were too large to be merged
    factor = d if in_x is None else c if in_y is None else _one_constant(c, d, c.value * d.value)
    if not is_small(factor):
        return None
    product = mul.of(a, b)
    inner = _scaled_term(product)
    if inner is not None:
        both = _one_constant(factor, inner[0], factor.value * inner[0].value)
        if not is_small(both) or not _holds(product.dtype, both.value):
            return None
    if product.dtype is not mul.infer(x, y)[1]:
        return None
    return _if_same_type(mul.of(factor, product), mul, x, y)


# Longer arrays stay as they are: one more copy of each, and its digest, cost more than a product.
_LONGEST = 1024
_TABLE = ArrayConst(np.array([[0.5, -2.0, 3.0]]))


@rewrite(
    mul,
    div,
    among=(ArrayConst,),
    by_class=True,
    samples=lambda: [mul(0.3, _TABLE), mul(_TABLE, -2), div(_TABLE, 3)],
)
def scale_constant_array(cls: Any, x: Any, y: Any) -> ArrayExpr | None:
    """A weak number times a short constant array, or an array by a number, is one array."""
    array, number = (x, y) if type(x) is ArrayConst else (y, x)
    if type(array) is not ArrayConst or not _is_number(number) or array.size > _LONGEST:
        return None
    if (cls is div and array is y) or not _leaves_type(number, array):
        return None
    return ArrayConst(cls(x, y).evaluate())


@rewrite(div, among=(Const,), samples=lambda: [_X / 1])
def divide_by_one(x: Any, y: Any) -> ArrayExpr | None:
    """`x / 1` is `x`."""
    if is_const(y, 1) and x.dtype.category >= Category.FLOAT and _leaves_type(y, x):
        return x  # type: ignore[no-any-return]
    return None


@rewrite(
    div,
    among=(Const,),
    samples=lambda: [
        (_X / 3) / 2,
        (2 * _X) / 4,
        (0.1 * _X) / 2,
        (6 * _X) / 4,
        div(Const(1, float64), 4),
        div(Const(0.1, float32), Const(-1, float64)),
    ],
)
def divide_by_power_of_two(x: Any, y: Any) -> ArrayExpr | None:
    """`(x/c)/d` is `x/(c*d)`, and `(c*x)/d` is in lowest terms, where d is a power of two."""
    if not _is_number(y) or not _is_power_of_two(y) or y.value == 1:
        return None
    if type(x) is Const:
        folded = _folded(x, y, div.infer(x, y)[1], divide=True)
        return _if_same_type(folded, div, x, y)
    if type(x) is div and type(x.operands[1]) is Const and not is_deep(x.operands[0]):
        above, below = x.operands
        return _if_same_type(_quotient(above, _folded(below, y, x.dtype)), div, x, y)
    number, rest = _factor(x)
    folded = None if is_deep(rest) else _folded(number, y, x.dtype, divide=True)
    if folded is None:
        return None
    if is_small(number) and is_small(y) and not is_small(folded):  # a quotient of integers
        common = math.gcd(int(number.value), int(y.value))
        if common == 1:
            return None
        c, d = [Const(n.value // common, None if n.weak else n.dtype) for n in (number, y)]
        return _if_same_type(div.of(mul.of(c, rest), d), div, x, y)
    return _if_same_type(mul.of(folded, rest), div, x, y)


@rewrite(div, among=(div,), samples=lambda: [(_X / 5) / 3])
def divide_quotient_by_number(x: Any, y: Any) -> ArrayExpr | None:
    """`x / c / d` is `x / (c*d)` for integers c and d."""
    if type(x) is not div or x.dtype.category < Category.FLOAT or not is_small(y):
        return None
    above, c = x.operands
    if not is_small(c) or not c.value or not y.value or is_deep(above):
        return None
    both = _one_constant(c, y, c.value * y.value)
    if not is_small(both) or not _holds(x.dtype, both.value):
        return None
    return _if_same_type(div.of(above, both), div, x, y)


@rewrite(pow, among=(Const,), samples=lambda: [_X**1])
def power_of_one(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
    """`x**1` is `x`."""
    return x if type(y) is Const and is_const(y, 1) and _leaves_type(y, x) else None


@rewrite(add, samples=lambda: [_X + _X, 2 * _X + _X, 2 * _X + 3 * _X])
def add_equal_terms(x: Any, y: Any) -> ArrayExpr | None:
    """Equal terms are counted: `c*x + d*x` is `(c + d)*x`."""
    if y.dtype.category < Category.FLOAT:
        return None
    cx, ex = _weakly_scaled(x)
    cy, ey = _weakly_scaled(y)
    if ex is not ey or not _holds(y.dtype, cx + cy):
        return None
    return _if_same_type(mul.of(Const(cx + cy), ex), add, x, y)


def _weakly_scaled(x: Any) -> tuple[int, Any]:
    scaled = _scaled_term(x)
    return (scaled[0].value, scaled[1]) if scaled is not None and scaled[0].weak else (1, x)


# ------------------------------------------------------------------ signs and quotients


@rewrite(neg, among=(neg,), samples=lambda: [neg(-_X)])
def negate_negated(x: Any) -> ArrayExpr | None:
    """`-(-x)` is `x`."""
    return x.operands[0]  # type: ignore[no-any-return]


@rewrite(neg, among=(Const,), samples=lambda: [neg(Const(2, float64))])
def negate_number(x: Any) -> ArrayExpr | None:
    """The negative of a number is a number."""
    return None if isinstance(x.value, bool) else Const(-x.value, None if x.weak else x.dtype)


@rewrite(neg, among=(broadcast_to,), samples=lambda: [-(Leaf("v", (3,)).broadcast_to((3, 3)))])
def negate_repeated(x: Any) -> ArrayExpr | None:
    """The negative of a broadcast is the broadcast of the negative, of fewer elements."""
    return None if is_deep(x) else broadcast_to.of(neg.of(x.operands[0]), x.shape)


@rewrite(add, among=(neg,), samples=lambda: [_X + (-_Y), (-_X) + _Y])
def add_negated(x: Any, y: Any) -> ArrayExpr | None:
    """`x + (-y)` is `x - y`."""
    if _is_negated(y):
        return sub.of(x, y.operands[0])
    return sub.of(y, x.operands[0]) if _is_negated(x) else None


@rewrite(sub, among=(neg,), samples=lambda: [_X - (-_Y)])
def subtract_negated(x: Any, y: Any) -> ArrayExpr | None:
    """`x - (-y)` is `x + y`."""
    return add.of(x, y.operands[0]) if _is_negated(y) else None


@rewrite(mul, among=(neg,), samples=lambda: [(-_X) * _Y, _X * (-_Y)])
def multiply_negated(x: Any, y: Any) -> ArrayExpr | None:
    """`(-x) * y` and `x * (-y)` are `-(x*y)`."""
    if _is_negated(x):
        return None if is_deep(x) else neg.of(mul.of(x.operands[0], y))
    if _is_negated(y):
        return None if is_deep(y) else neg.of(mul.of(x, y.operands[0]))
    return None


@rewrite(div, among=(neg,), samples=lambda: [(-_X) / _Y])
def divide_negated(x: Any, y: Any) -> ArrayExpr | None:
    """`(-x) / y` is `-(x/y)`."""
    if _is_negated(x) and not is_deep(x):
        return neg.of(div.of(x.operands[0], y))
    return None


@rewrite(neg, among=(div,), samples=lambda: [neg(2 / _X)])
def negate_quotient_of_number(x: Any) -> ArrayExpr | None:
    """`-(c/x)` is `(-c)/x` for a number c."""
    above, below = x.operands
    if type(above) is not Const or isinstance(above.value, bool):
        return None
    return _if_same_type(div.of(neg.of(above), below), div, above, below)


@rewrite(
    mul,
    among=(div,),
    samples=lambda: [
        _X * (1 / _Y),
        (1 / _X) * _Y,
        Const(1, float64).broadcast_to((3, 3)) * (1 / _Y),
    ],
)
def multiply_by_reciprocal(x: Any, y: Any) -> ArrayExpr | None:
    """`x * (1/y)` is `x / y`."""
    for a, b in ((x, y), (y, x)):
        if type(b) is not div or not is_const(b.operands[0], 1):
            continue
        # A reciprocal of a narrower dtype is rounded to it, as it was written.
        if b.weak or b.dtype is mul.infer(x, y)[1]:
            return _if_same_type(div.of(a, b.operands[1]), mul, x, y)
    return None


@rewrite(
    mul,
    among=(div,),
    samples=lambda: [2 * (_X / 4), 6 * (_X / 4), 4 * (_X / 2), 0.1 * (_X / 2), 0.5 * (_X / 3)],
)
def multiply_quotient_by_number(x: Any, y: Any) -> ArrayExpr | None:
    """`c * (x/d)` is reduced to lowest terms: `2 * (x/4)` is `x / 2`, for integers c and d.

    `0.1 * (x/2)` is `0.05 * x`, and `0.5 * (x/3)` is `x / 6`: a power of two changes no digits.
    """
    if type(y) is not div or not _is_number(x) or not _is_number(y.operands[1]):
        return None
    above, below = y.operands
    if is_deep(above):
        return None
    if not is_small(x) or not is_small(below):
        folded = _folded(x, below, y.dtype, divide=True)
        if folded is not None:
            return _if_same_type(mul.of(folded, above), mul, x, y)
        return _if_same_type(_quotient(above, _folded(below, x, y.dtype, divide=True)), mul, x, y)
    common = math.gcd(int(x.value), int(below.value))
    if not x.value or common in (0, 1) or y.dtype.category < Category.FLOAT or is_deep(above):
        return None
    c, d = [Const(n.value // common, None if n.weak else n.dtype) for n in (x, below)]
    made = above if is_const(d, 1) else div.of(above, d)
    return _if_same_type(mul.of(c, made), mul, x, y)


@rewrite(conj, among=(conj,), samples=lambda: [conj(conj(Leaf("z", (), complex128)))])
def conj_of_conj(x: Any) -> ArrayExpr | None:
    """The conjugate of a conjugate is the number itself."""
    return x.operands[0]  # type: ignore[no-any-return]


@rewrite(conj, among=(Const,), samples=lambda: [conj(Const(1 + 2j, complex128))])
def conj_of_number(x: Any) -> ArrayExpr | None:
    """The conjugate of a number is a number."""
    if not (x.dtype.is_complex and x.is_number):  # real, or a named size
        return x  # type: ignore[no-any-return]
    return Const(x.value.conjugate(), None if x.weak else x.dtype)


@rewrite(conj, among=(div,), samples=lambda: [conj(1 / _X)])
def conj_of_reciprocal(x: Any) -> ArrayExpr | None:
    """`conj(1/x)` is `1/conj(x)`, so that a product with it becomes a quotient."""
    if is_const(x.operands[0], 1):
        return div.of(x.operands[0], conj.of(x.operands[1]))
    return None


# ------------------------------------------------------------------ broadcasts


def _of_constants(cls: Any, x: Any, y: Any, shape: Any) -> ArrayExpr | None:
    """Return an operation on two constants, one of them broadcast, as one broadcast constant."""
    a, b = (z.operands[0] if type(z) is broadcast_to else z for z in (x, y))
    both = cls.of(a, b)
    # A product -2 * 0 is -0.0, which no integer constant can stand for.
    if type(both) is not Const or (both.value == 0 and (a.value < 0 or b.value < 0)):
        return None
    return _if_same_type(broadcast_to.of(both, shape), cls, x, y)


def _repeated() -> list[ArrayExpr]:
    v = Leaf("v", (3,)).broadcast_to((3, 3))
    w = Leaf("w", (3,)).broadcast_to((3, 3))
    numbers = Const(2, float64).broadcast_to((3, 3)) * Const(3, float64)
    masks = [
        cls(_M, Leaf("n", (3,), bool_).broadcast_to((3, 3))) for cls in (logical_and, logical_or)
    ]
    return [_X + v, v + w, v - _X, _X * v, v / w, v * Leaf("s"), numbers, *masks]


@rewrite(
    add, sub, mul, div, logical_and, logical_or,
    among=(broadcast_to,), by_class=True, samples=_repeated,
)  # fmt: skip
def broadcast_after(cls: Any, x: Any, y: Any) -> ArrayExpr | None:
    """An operation on broadcast operands is done before the broadcast, on fewer elements."""
    a, b = (z.operands[0] if type(z) is broadcast_to else z for z in (x, y))
    if a is x and b is y:
        return None
    shape = broadcast_shapes(x.shape, y.shape)
    if type(a) is type(b) is Const and (a is x or b is y):
        return _of_constants(cls, x, y, shape)
    return _if_same_type(broadcast_to.of(cls.of(a, b), shape), cls, x, y)
