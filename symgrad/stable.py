"""Stable forms: what is differentiated in the place of a formula whose own derivative overflows.

A form is an equal function. Its value is never computed for the user, whose own formula it is;
its derivatives are those of the mathematical function also where parts of the written formula
overflow, vanish or cancel. `tests/ops/test_elementwise_stable.py` proves each with SymPy.

In the formula of a record, values of the forward pass stand inside `recorded`. A pattern looks
through it with `peel`, and the form takes its operands as they stand, closed or not, so that the
saved value is found.
"""

from __future__ import annotations

import math
from typing import Any

from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr, as_expr, is_const
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.exponential import (
    exp,
    expm1,
    log,
    log1p,
    log1pexp,
    log2,
    log10,
    logaddexp,
    logcosh,
    logistic,
    logits_loss,
    logsigmoid,
    sigmoid,
    steady_expm1,
    steady_sigmoid,
    xlogy,
)  # fmt: skip
from symgrad.ops.gathering import gather
from symgrad.ops.indexing import index
from symgrad.ops.joining import stack
from symgrad.ops.masks import peel
from symgrad.ops.norms import norm
from symgrad.ops.powers import direction, hypot, pow, power_of_positive, reciprocal, sqrt, square
from symgrad.ops.reduction import sum
from symgrad.ops.reshaping import reshape
from symgrad.ops.signs import abs
from symgrad.ops.slicing import part
from symgrad.ops.softmax import log_softmax, logsumexp, softmax, steady_logsumexp
from symgrad.ops.special import erfc, log_erfc
from symgrad.ops.statistics import std, var
from symgrad.ops.trigonometric import cosh, sech, sin, sinoverx, steady_tanh, tanh
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
    if type(x) is div:
        above: Any = peel(x.operands[0])
        if type(above) is exp and _one_plus_exp(x.operands[1]) is above.operands[0]:
            exponent: ArrayExpr = above.operands[0]
            return exponent
    below = _below_one(x)
    u = None if below is None else _one_plus_exp(below)
    return None if u is None else neg.of(u)


def _below_one(x: Any) -> ArrayExpr | None:
    """Return y where `x` is 1 / y, however written."""
    if type(x) is div and _is_one(x.operands[0]):
        return x.operands[1]
    if type(x) is reciprocal or (type(x) is pow and is_const(x.operands[1], -1)):
        return x.operands[0]
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
            return _logsumexp_of(terms.operands[0], inner.axis, inner.keepdims)
    if type(inner) is add:
        return _log_of_exponentials(inner)
    if type(inner) is softmax:
        return log_softmax.of(inner.operands[0], inner.axis)
    if type(inner) is cosh:
        return logcosh.of(inner.operands[0])
    if type(inner) is erfc:
        return log_erfc.of(inner.operands[0])
    return None


@stabilises(log2, log10)
def _log_to_a_base(node: ArrayExpr) -> ArrayExpr | None:
    form = _log(log.of(node.operands[0]))
    if form is None or form.dtype is not node.dtype:
        return None
    return form / math.log(2 if type(node) is log2 else 10)


#: Of how many terms a sum may be that is looked into: each of many logarithms of a growing sum is.
_MOST_TERMS = 16


def _log_of_exponentials(total: add) -> ArrayExpr | None:
    """log(exp(a) + exp(b) + …), and what is written as 1 is the exponential of 0."""
    exponents: list[ArrayExpr] = []
    pending: list[Any] = [total]
    while pending:
        if len(exponents) + len(pending) > _MOST_TERMS:
            return None
        x = peel(pending.pop())
        if type(x) is add:
            pending += x.operands
            continue
        if type(x) is not exp and not _is_one(x):
            return None
        exponents.append(x.operands[0] if type(x) is exp else as_expr(0.0))
    kinds = {x.dtype for x in exponents if not x.weak}
    if kinds != {total.dtype}:
        return None
    if len(exponents) == 2:
        return logaddexp.of(*exponents)
    whole = [x.to(total.dtype).broadcast_to(total.shape) for x in exponents]
    return _logsumexp_of(stack.of(*whole, 0), (0,), False)


@stabilises(exp)
def _exp(node: exp) -> ArrayExpr | None:
    """exp(x - logsumexp(x)), the weights of a softmax."""
    inner = peel(node.operands[0])
    if type(inner) is not sub or node.dtype.is_complex:
        return None
    x = inner.operands[0]
    total = _total_of_exponentials(inner.operands[1])
    if total is None or total.operands[0] is not x or not _beside(inner.operands[1], total):
        return None
    return softmax.of(x, total.axes[0])


def _total_of_exponentials(x: Any) -> logsumexp | None:
    """Return the logsumexp that `x` is, however written, beside axes of length one."""
    x = peel(x)
    if isinstance(x, reshape):
        x = peel(x.operands[0])
    found = _log(x) if type(x) is log else x
    return found if isinstance(found, logsumexp) else None


def _beside(x: ArrayExpr, total: logsumexp) -> bool:
    """Whether `x`, which is `total`, is beside each element what belongs to its own slice."""
    if len(total.axes) != 1:
        return False
    (axis,) = total.axes
    whole = total.operands[0].shape
    shape = (1,) * (len(whole) - len(x.shape)) + x.shape
    return shape == (*whole[:axis], 1, *whole[axis + 1 :])


@stabilises(sub)
def _sub(node: sub) -> ArrayExpr | None:
    if not node.dtype.is_floating_point:
        return None
    form = _log_of_share(node)
    return _loss_of_logits(node) if form is None else form


def _log_of_share(node: sub) -> ArrayExpr | None:
    """X - logsumexp(x) is a log_softmax; so is one element of it, and what it is less, negated."""
    for i in (0, 1):
        x, total = node.operands[i], node.operands[1 - i]
        below = _total_of_exponentials(total)
        if below is None or len(below.axes) != 1:
            continue
        (whole,) = below.operands
        if x is whole:
            if not _beside(total, below):
                continue
            form: ArrayExpr = log_softmax.of(whole, below.axes[0])
        else:
            picked = _picked(x, whole, below)
            if picked is None:
                continue
            form = picked
        if form.shape == node.shape and form.dtype is node.dtype:
            return neg.of(form) if i else form
    return None


# What takes elements out and moves them, each unchanged.
_PICKING = (gather, index, part, reshape)


def _picked(x: ArrayExpr, whole: ArrayExpr, total: logsumexp) -> ArrayExpr | None:
    """Return the same elements of the log_softmax as `x` is of `whole`, one of each slice.

    Either there is one slice, or they are gathered along its axis.
    """
    steps: list[Any] = []
    while x is not whole:
        inner = peel(x)
        if not isinstance(inner, _PICKING):
            return None
        steps.append(inner)
        x = inner.operands[0]
    along = [step for step in steps if not isinstance(step, reshape)]
    axis = total.axes[0]
    if whole.ndim > 1 and not (
        len(along) == 1
        and along[0] is steps[-1]
        and type(along[0]) is gather
        and along[0].axis == axis
        and along[0].shape == (*whole.shape[:axis], 1, *whole.shape[axis + 1 :])
    ):
        return None
    form: ArrayExpr = log_softmax.of(whole, axis)
    for step in reversed(steps):
        form = step.with_operands((form, *step.operands[1:]))
    return form


def _loss_of_logits(node: sub) -> ArrayExpr | None:
    """c*x - w*logsigmoid(x), the cross entropy: its gradient is a sum of what does not cancel."""
    product, log = peel(node.operands[0]), peel(node.operands[1])
    if type(product) is not mul:
        return None
    weight: Any = as_expr(1.0)
    if type(log) is mul:
        weight, log = log.operands[0], peel(log.operands[1])
    if type(log) is not logsigmoid or log.operands[0] not in product.operands:
        return None
    x = log.operands[0]
    c = product.operands[0 if product.operands[1] is x else 1]
    return logits_loss.of(c, x, weight)


def _logsumexp_of(x: ArrayExpr, axis: Any, keepdims: bool) -> ArrayExpr:
    """Return the logsumexp whose derivative adds up to one also where its result is rounded."""
    plain: Any = logsumexp.of(x, axis, keepdims)
    steady = _steady_logsumexp(plain)
    return plain if steady is None else steady


@stabilises(logsumexp)
def _steady_logsumexp(node: logsumexp) -> ArrayExpr | None:
    (x,) = node.operands
    if x.dtype.category != Category.FLOAT:
        return None
    return steady_logsumexp.of(x, node.axis, node.keepdims)


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


@stabilises(sigmoid)
def _sigmoid(node: sigmoid) -> ArrayExpr | None:
    if node.dtype.is_complex:
        return None
    return steady_sigmoid.of(node.operands[0], node)


@stabilises(div, reciprocal, pow)
def _over_cosh(node: Any) -> ArrayExpr | None:
    """1 / cosh(x), whose square in the derivative overflows."""
    below = _below_one(node)
    inner: Any = None if below is None else peel(below)
    if type(inner) is not cosh or node.dtype.is_complex or node.dtype is not inner.dtype:
        return None
    return sech.of(inner.operands[0]) if node.shape == inner.shape else None


@stabilises(tanh)
def _tanh(node: tanh) -> ArrayExpr | None:
    """tanh(x), whose derivative keeps the tails that `1 - tanh(x)**2` rounds away."""
    if node.dtype.is_complex:
        return None
    return steady_tanh.of(node.operands[0], node)


@stabilises(div)
def _sin_over(node: div) -> ArrayExpr | None:
    above, below = node.operands
    inner = peel(above)
    if type(inner) is sin and not node.dtype.is_complex:
        x = inner.operands[0]
        if peel(x) is peel(below):
            return sinoverx.of(x, 0)
    return None


@stabilises(div)
def _direction(node: div) -> ArrayExpr | None:
    """X / hypot(x, y), of which the quotient rule gives a difference of equal numbers."""
    above, below = node.operands[0], peel(node.operands[1])
    if type(below) is hypot and below.shape == node.shape:
        for x, y in (below.operands, below.operands[::-1]):
            if x is above:
                return direction.of(x, y)
    return None


def _one_and_square(x: Any) -> ArrayExpr | None:
    """Return y where `x` is `1 + y**2`, of real numbers."""
    inner = _with_one(peel(x))
    y = None if inner is None else _squared(peel(inner))
    if y is None or y.weak or not y.dtype.is_floating_point or y.shape != x.shape:
        return None
    return y


@stabilises(div, reciprocal, pow)
def _over_one_and_square(node: Any) -> ArrayExpr | None:
    """1 / (1 + y**2), whose square in the derivative overflows."""
    below = _below_one(node)
    y = None if below is None else _one_and_square(below)
    return None if y is None else pow.of(hypot.of(1.0, y), -2)


@stabilises(sqrt, pow)
def _root_of_one_and_square(node: Any) -> ArrayExpr | None:
    """sqrt(1 + y**2) without the square, which overflows."""
    if type(node) is pow and not is_const(node.operands[1], 0.5):
        return None
    y = _one_and_square(node.operands[0])
    return None if y is None else hypot.of(1.0, y)


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
    """|x|**2 is x*x, smooth through 0, that of a norm the sum of these, of `std` the variance."""
    y = _squared(node)
    inner: Any = None if y is None else peel(y)
    if isinstance(inner, std):
        return var.of(*inner.operands, *inner.param_values)
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
    """expm1(x), whose derivative keeps the tail that `expm1(x) + 1` rounds away."""
    return steady_expm1.of(node.operands[0], node)


@stabilises(sqrt, pow)
def _root_of_squares(node: Any) -> ArrayExpr | None:
    """The root of a sum of squares is a norm, whose derivative at 0 is 0."""
    if type(node) is pow and not is_const(node.operands[1], 0.5):
        return None
    total = peel(node.operands[0])
    if node.dtype.is_complex:
        return None
    if type(total) is not sum:
        y = _squared(total)
        return None if y is None or y.shape != node.shape or y.weak else abs.of(y)
    y = _squared(peel(total.operands[0]))
    if y is None or y.shape != total.operands[0].shape or y.dtype is not node.dtype:
        return None
    return norm.of(y, 2, total.axis, total.keepdims)
