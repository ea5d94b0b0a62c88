"""Stable forms: what is differentiated in the place of a formula whose own derivative overflows.

A form is an equal function. Its value is never computed for the user, whose own formula it is;
its derivatives are those of the mathematical function also where parts of the written formula
overflow, vanish or cancel. `tests/ops/test_elementwise_stable.py` proves each with SymPy.

In the formula of a record, values of the forward pass stand inside `recorded`. A pattern looks
through it with `peel`, and the form takes its operands as they stand, closed or not, so that the
saved value is found.
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.node import ArrayExpr, as_expr, is_const
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.exponential import (
    exp,
    expm1,
    log,
    log1p,
    log1pexp,
    logcosh,
    logistic,
    sigmoid,
    xlogy,
)
from symgrad.ops.masks import peel
from symgrad.ops.norms import norm
from symgrad.ops.powers import pow, power_of_positive, reciprocal, sqrt, square
from symgrad.ops.reduction import sum
from symgrad.ops.signs import abs
from symgrad.ops.softmax import log_softmax, logsumexp, softmax
from symgrad.ops.special import erfc, log_erfc
from symgrad.ops.trigonometric import cosh, sin, sinoverx
from symgrad.primitive import deriving
from symgrad.simplify import stabilises


def _is_one(x: ArrayExpr) -> bool:
    x = peel(x)
    if type(x) is broadcast_to:
        x = x.operands[0]
    return is_const(x, 1)


def _with_one(x: Any) -> ArrayExpr | None:
    """Return the other term of `1 + other` or `other + 1`."""
    if type(x) is add:
        a, b = x.operands
        if _is_one(a):
            return b
        if _is_one(b):
            return a
    return None


def _one_plus_exp(x: ArrayExpr) -> ArrayExpr | None:
    """Return u where `x` is `1 + exp(u)`."""
    inner = _with_one(peel(x))
    if inner is not None:
        inner = peel(inner)
        if type(inner) is exp and not inner.dtype.is_complex:
            return inner.operands[0]
    return None


def _logistic_of(x: Any) -> ArrayExpr | None:
    """Return u where `x` is the logistic function of u, however written."""
    x = peel(x)
    if type(x) in (sigmoid, logistic) and not x.dtype.is_complex:
        inner: ArrayExpr = x.operands[0]
        return inner
    below: ArrayExpr | None = None
    if type(x) is div and _is_one(x.operands[0]):
        below = x.operands[1]
    elif type(x) is reciprocal or (type(x) is pow and is_const(x.operands[1], -1)):
        below = x.operands[0]
    if below is not None:
        u = _one_plus_exp(below)
        return None if u is None else neg.of(u)
    return None


@stabilises(log)
def _log(node: log) -> ArrayExpr | None:
    if node.dtype.is_complex:
        return None
    (x,) = node.operands
    u = _one_plus_exp(x)
    if u is not None:
        return log1pexp.of(u)
    u = _logistic_of(x)
    if u is not None:
        return neg.of(log1pexp.of(neg.of(u)))
    inner = peel(x)
    if type(inner) is sub and _is_one(inner.operands[0]):
        u = _logistic_of(inner.operands[1])
        if u is not None:
            return neg.of(log1pexp.of(u))
    if type(inner) is sum:
        terms = peel(inner.operands[0])
        if type(terms) is exp:
            return logsumexp.of(terms.operands[0], inner.axis, inner.keepdims)
    if type(inner) is softmax:
        return log_softmax.of(inner.operands[0], inner.axis)
    if type(inner) is cosh:
        return logcosh.of(inner.operands[0])
    if type(inner) is erfc:
        return log_erfc.of(inner.operands[0])
    return None


@stabilises(log1p)
def _log1p(node: log1p) -> ArrayExpr | None:
    inner = peel(node.operands[0])
    if type(inner) is exp and not node.dtype.is_complex:
        return log1pexp.of(inner.operands[0])
    if type(inner) is neg:
        u = _logistic_of(inner.operands[0])
        if u is not None:
            return neg.of(log1pexp.of(u))
    return None


@stabilises(div, reciprocal, pow)
def _logistic(node: ArrayExpr) -> ArrayExpr | None:
    u = _logistic_of(node)
    return None if u is None else logistic.of(u)


@stabilises(div)
def _sin_over(node: div) -> ArrayExpr | None:
    above, below = node.operands
    inner = peel(above)
    if type(inner) is sin and not node.dtype.is_complex:
        x = inner.operands[0]
        if peel(x) is peel(below):
            return sinoverx.of(x, 0)
    return None


def _squared(node: Any) -> ArrayExpr | None:
    """Return y where `node` is the square of y, however written."""
    if type(node) is square:
        return node.operands[0]
    if type(node) is pow and is_const(node.operands[1], 2):
        return node.operands[0]
    if type(node) is mul and peel(node.operands[0]) is peel(node.operands[1]):
        return node.operands[0]
    return None


@stabilises(pow, square, mul)
def _square_of_abs(node: ArrayExpr) -> ArrayExpr | None:
    """|x|**2 is x*x, smooth through 0, and the square of a norm the sum of these."""
    y = _squared(node)
    inner: Any = None if y is None else peel(y)
    if type(inner) not in (abs, norm) or inner.operands[0].dtype.is_complex:
        return None
    x = inner.operands[0]
    if type(inner) is abs:
        return mul.of(x, x)
    return sum.of(mul.of(x, x), inner.axis, inner.keepdims) if inner.has_order(2) else None


@stabilises(exp)
def _power(node: exp) -> ArrayExpr | None:
    """The exponential of a multiple of a logarithm is a power, as are its derivatives at 0."""
    inner: Any = peel(node.operands[0])
    factor: Any = as_expr(1)
    if type(inner) is xlogy:
        factor, x = inner.operands
    else:
        if type(inner) is mul and any(y.weak for y in inner.operands):
            factor, inner = sorted(inner.operands, key=lambda y: not y.weak)
        elif type(inner) is div and inner.operands[1].weak:
            inner, divisor = inner.operands
            factor = 1 / divisor
        logarithm: Any = peel(inner)
        if type(logarithm) is not log:
            return None
        (x,) = logarithm.operands
    if node.dtype.is_complex or is_const(factor, 0):
        return None
    form = power_of_positive.of(x, factor)
    return form if form.dtype is node.dtype and form.shape == node.shape else None


@stabilises(expm1)
def _tail_of_expm1(node: expm1) -> ArrayExpr:
    """`exp(x) - 1`, whose derivative keeps the tail that `expm1(x) + 1` rounds away."""
    deriving.read.append(node)  # whose own derivative is that of the value, whatever became of it
    return exp.of(node.operands[0]) - 1


@stabilises(sqrt, pow)
def _root_of_squares(node: Any) -> ArrayExpr | None:
    """The root of a sum of squares is a norm, whose derivative at 0 is 0."""
    if type(node) is pow and not is_const(node.operands[1], 0.5):
        return None
    total = peel(node.operands[0])
    if type(total) is not sum or node.dtype.is_complex:
        return None
    y = _squared(peel(total.operands[0]))
    if y is None or y.shape != total.operands[0].shape or y.dtype is not node.dtype:
        return None
    return norm.of(y, 2, total.axis, total.keepdims)
