"""Taylor coefficients, and the arithmetic in which operations state their recurrences.

With x(t) = x[0] + x[1]*t + x[2]*t**2 + … for each operand, the result of an operation is such a
series in t. A recurrence gives its coefficient of order k from those of the operands up to order k
and its own below k (A. Griewank, A. Walther, "Evaluating Derivatives", 2nd edition, 2008, chapter
13). `symgrad.differentiate.jet` finds the coefficients of all nodes of a formula.

A coefficient is an expression of the shape of the node, an exact number where the node is 0-d, or
None, a structural zero.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction

import numpy as np

from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr

Term = ArrayExpr | int | Fraction

Coefficient = Term | None

Series = Sequence[Coefficient]

#: Returns the coefficient of order k >= 1, given k, the series of the operands and its own below k.
Recurrence = Callable[[int, Sequence[Series], Series], Coefficient]


def exact(x: ArrayExpr) -> Coefficient:
    """Return a coefficient, as an exact number where it is a real and finite constant."""
    if isinstance(x, Const) and not x.dtype.is_complex:
        value = float(x.value)
        return Fraction(value) if math.isfinite(value) else x
    return x


def number(c: int | Fraction) -> int | float:
    """Return the Python number nearest to an exact one: a float where integers are inexact."""
    if c == int(c) and -(2**53) <= c <= 2**53:
        return int(c)
    try:
        return float(c)
    except OverflowError:
        return math.copysign(math.inf, c)


def plus(a: Coefficient, b: Coefficient) -> Coefficient:
    """Return the sum of two coefficients."""
    if a is None or b is None:
        return b if a is None else a
    return _combined(operator.add, a, b)


def minus(a: Coefficient, b: Coefficient) -> Coefficient:
    """Return the difference of two coefficients."""
    if b is None:
        return a
    return -b if a is None else _combined(operator.sub, a, b)


def times(a: Coefficient, b: Coefficient) -> Coefficient:
    """Return the product of two coefficients, by elements."""
    if a is None or b is None:
        return None
    if isinstance(a, ArrayExpr) and not isinstance(b, ArrayExpr):
        a, b = b, a  # a number comes first
    if not isinstance(a, ArrayExpr) and isinstance(b, ArrayExpr) and abs(a) == 1:
        return b if a == 1 else -b
    return _combined(operator.mul, a, b)


def derivative(c: Coefficient, k: int) -> Coefficient:
    """Return `k! * c`, the derivative of order k, by factors which the dtype of `c` holds."""
    if not isinstance(c, ArrayExpr):
        return times(math.factorial(k), c)
    largest, factor = int(np.finfo(c.dtype.numpy).max), 1
    for j in range(2, k + 1):
        if factor * j > largest:
            c, factor = times(factor, c), 1
        factor *= j
    return times(factor, c)


def over(a: Coefficient, b: Coefficient) -> Coefficient:
    """Return the quotient of two coefficients, by elements, of which the second is not None."""
    assert b is not None
    if a is None or (not isinstance(b, ArrayExpr) and b == 1):
        return a
    if isinstance(a, ArrayExpr) or isinstance(b, ArrayExpr):
        return _combined(operator.truediv, a, b)
    return Fraction(a) / Fraction(b)


def _combined(f: Callable[..., Coefficient], a: Term, b: Term) -> Coefficient:
    if isinstance(a, ArrayExpr) or isinstance(b, ArrayExpr):
        return f(*[x if isinstance(x, ArrayExpr) else number(x) for x in (a, b)])
    return f(a, b)


def total(terms: Iterable[Coefficient]) -> Coefficient:
    """Return the sum of coefficients."""
    found: Coefficient = None
    for term in terms:
        found = plus(found, term)
    return found


def dot(a: Iterable[Coefficient], b: Iterable[Coefficient]) -> Coefficient:
    """Return the sum of the products of the coefficients of two sequences of one length."""
    return total(times(x, y) for x, y in zip(a, b, strict=True))


def product(a: Series, b: Series, k: int) -> Coefficient:
    """Return the coefficient of order k of a product, `sum(a[j]*b[k - j])`.

    In that of a square, the terms that are equal are computed once.
    """
    if a is not b:
        return dot(a[: k + 1], reversed(b[: k + 1]))
    return _of_square(a, 0, k)


def inner_square(a: Series, k: int) -> Coefficient:
    """Return `sum(a[j]*a[k - j] for j in range(1, k))`."""
    return _of_square(a, 1, k)


def _of_square(a: Series, first: int, k: int) -> Coefficient:
    twice = times(2, dot(a[first : (k + 1) // 2], reversed(a[k // 2 + 1 : k + 1 - first])))
    middle = k // 2
    return plus(twice, times(a[middle], a[middle]) if k % 2 == 0 and middle >= first else None)


def multilinear(
    f: Callable[[Sequence[ArrayExpr | float]], ArrayExpr],
    k: int,
    operands: Sequence[Series],
    own: Series,
) -> Coefficient:
    """Return the coefficient of order k of a function that is linear in each of its operands."""
    terms = []
    for orders in _compositions(k, len(operands)):
        chosen = [x[i] for x, i in zip(operands, orders, strict=True)]
        given = [c if isinstance(c, ArrayExpr) else number(c) for c in chosen if c is not None]
        if len(given) == len(chosen):
            terms.append(f(given))
    return total(terms)


def _compositions(k: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Return the ways to write k as a sum of so many integers from 0 on, in order."""
    if parts == 1:
        yield (k,)
        return
    for first in range(k + 1):
        for rest in _compositions(k - first, parts - 1):
            yield first, *rest


# ------------------------------------------------------------------ recurrences


def signed_sum(signs: Sequence[int]) -> Recurrence:
    """Return the recurrence of a sum of operands, each with a sign."""

    def coefficient(k: int, operands: Sequence[Series], own: Series) -> Coefficient:
        found: Coefficient = None
        for sign, a in zip(signs, operands, strict=True):
            found = plus(found, a[k]) if sign > 0 else minus(found, a[k])
        return found

    return coefficient


def quotient(k: int, operands: Sequence[Series], own: Series) -> Coefficient:
    """Return the coefficient of order k of `y = a / b`, from `b*y = a`."""
    a, b = operands
    return over(minus(a[k], dot(b[1 : k + 1], reversed(own[:k]))), b[0])


def reciprocal(k: int, operands: Sequence[Series], own: Series) -> Coefficient:
    """Return the coefficient of order k of `y = 1 / a`, from `a*y = 1`."""
    (a,) = operands
    return minus(None, times(dot(a[1 : k + 1], reversed(own[:k])), own[0]))


def root(k: int, operands: Sequence[Series], own: Series) -> Coefficient:
    """Return the coefficient of order k of `y = sqrt(a)`, from `y*y = a`."""
    (a,) = operands
    return over(minus(a[k], inner_square(own, k)), times(2, own[0]))


def logarithm(k: int, a: Series, own: Series, below: ArrayExpr) -> Coefficient:
    """Return the coefficient of order k of `y`, whose derivative is `a' / below`.

    From `below * y' = a'`, where `below` is `a` and a constant.
    """
    inner = dot([times(j, own[j]) for j in range(1, k)], reversed(a[1:k]))
    if a[k] is None:
        return minus(None, over(over(inner, below), k))
    return over(minus(a[k], over(inner, k)), below)


def power(k: int, a: Series, own: Series, exponent: int | float | Fraction) -> Coefficient:
    """Return the coefficient of order k of `y = a**exponent`, from `a*y' = exponent*a'*y`."""
    p = Fraction(exponent)
    factors = [(j, p * j - (k - j)) for j in range(1, k + 1)]
    terms = (times(times(c, a[j]), own[k - j]) for j, c in factors if c)
    return over(total(terms), times(k, a[0]))


class Hypotenuse:
    """The recurrence of `y = sqrt(a**2 + c**2)` for a constant c that is not 0, without cancelling.

    y' is `a'*d` with `d = a/y`, and d' is `a'*g` with `g = c**2 * (a**2 + c**2)**(-3/2)`.
    """

    def __init__(self, place: int, c: ArrayExpr) -> None:
        self._place = place
        self._c = c
        self._squares: list[Coefficient] = []
        self._g: list[Coefficient] = []
        self._d: list[Coefficient] = []

    def __call__(self, k: int, operands: Sequence[Series], own: Series) -> Coefficient:
        a = operands[self._place]
        if not self._d:
            self._d.append(over(a[0], own[0]))
        for m in range(len(self._g), k - 1):
            square = product(a, a, m)
            self._squares.append(plus(square, self._c * self._c) if m == 0 else square)
            self._g.append(
                power(m, self._squares, self._g, Fraction(-3, 2)) if m else self._first(own[0])
            )
        for m in range(len(self._d), k):
            self._d.append(self._rate(m, a, self._g))
        return self._rate(k, a, self._d)

    def _first(self, y: Coefficient) -> Coefficient:
        part = over(self._c, y)
        return over(times(part, part), y)

    @staticmethod
    def _rate(k: int, a: Series, slope: Series) -> Coefficient:
        """Return the coefficient of order k of what has the derivative `a' * slope`."""
        return over(dot([times(j, a[j]) for j in range(1, k + 1)], reversed(slope[:k])), k)
