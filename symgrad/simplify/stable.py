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
from symgrad.expr.node import ArrayExpr, Leaf, as_expr, is_const
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.exponential import (  # fmt: skip
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
)
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
from symgrad.simplify.rewrite import stable_form

__all__ = [
    "component_over_length", "cross_entropy_of_logits", "exponential_of_logarithm",
    "log1p_of_exponential", "log_of_exponentials", "log_softmax_of_difference", "log_to_a_base",
    "logistic_function", "one_over_cosh", "one_over_one_and_square", "root_of_one_and_square",
    "root_of_squares", "sin_over_itself", "softmax_of_difference", "square_of_length",
    "tail_of_expm1", "tails_of_sigmoid", "tails_of_tanh", "weights_that_add_up",
]  # fmt: skip

_X, _Y = Leaf("x", (3, 3)), Leaf("y", (3, 3))


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


def _logarithms() -> list[Any]:
    e = exp(_X)
    return [
        log(1 + e), log(sigmoid(_X)), log(1 - sigmoid(_X)), log(e + exp(_Y)),
        log(sum(e, (1,), False)), log(softmax(_X, 1)), log(cosh(_X)), log(erfc(_X)),
    ]  # fmt: skip


@stable_form(log, samples=_logarithms)
def log_of_exponentials(node: Any) -> ArrayExpr | None:
    """The logarithm of what is made of exponentials is a function that never overflows."""
    return _log(node)


def _log(node: Any) -> ArrayExpr | None:
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


@stable_form(log2, log10, samples=lambda: [log2(1 + exp(_X)), log10(cosh(_X))])
def log_to_a_base(node: ArrayExpr) -> ArrayExpr | None:
    """A logarithm to base 2 or 10 is a multiple of the stable form of the natural one."""
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


@stable_form(exp, samples=lambda: [exp(_X - logsumexp(_X, (1,), True))])
def softmax_of_difference(node: exp) -> ArrayExpr | None:
    """The exponential of `x - logsumexp(x)` is the softmax of x."""
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


@stable_form(
    sub,
    samples=lambda: [_X - logsumexp(_X, (1,), True), logsumexp(_X, (1,), True) - _X],
)
def log_softmax_of_difference(node: sub) -> ArrayExpr | None:
    """What `x`, or an element of it, is more or less than `logsumexp(x)` is a log_softmax."""
    if not node.dtype.is_floating_point:
        return None
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


@stable_form(sub, samples=lambda: [_Y * _X - logsigmoid(_X), _Y * _X - 2 * logsigmoid(_X)])
def cross_entropy_of_logits(node: sub) -> ArrayExpr | None:
    """The cross entropy `c*x - w*logsigmoid(x)` has a gradient of terms that do not cancel."""
    if not node.dtype.is_floating_point:
        return None
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


@stable_form(logsumexp, samples=lambda: [logsumexp(_X, (1,), False), logsumexp(_X, (0, 1), True)])
def weights_that_add_up(node: logsumexp) -> ArrayExpr | None:
    """The weights in the derivative of `logsumexp` add up to one also where it is rounded."""
    return _steady_logsumexp(node)


def _steady_logsumexp(node: logsumexp) -> ArrayExpr | None:
    (x,) = node.operands
    if x.dtype.category != Category.FLOAT:
        return None
    return steady_logsumexp.of(x, node.axis, node.keepdims)


@stable_form(log1p, samples=lambda: [log1p(exp(_X)), log1p(-sigmoid(_X))])
def log1p_of_exponential(node: log1p) -> ArrayExpr | None:
    """The logarithm of one and an exponential never overflows."""
    inner = peel(node.operands[0])
    if type(inner) is exp and not node.dtype.is_complex:
        return log1pexp.of(inner.operands[0])
    if type(inner) is neg:
        u = _logistic_of(inner.operands[0])
        if u is not None:
            return neg.of(log1pexp.of(u))
    return None


def _logistic_functions() -> list[Any]:
    e = exp(-_X)
    return [1 / (1 + e), reciprocal(e + 1), (1 + e) ** -1, exp(_X) / (1 + exp(_X))]


@stable_form(div, reciprocal, pow, samples=_logistic_functions)
def logistic_function(node: ArrayExpr) -> ArrayExpr | None:
    """The logistic function, however written, does not overflow in the tails."""
    u = _logistic_of(node)
    return None if u is None else logistic.of(u)


@stable_form(sigmoid, samples=lambda: [sigmoid(_X)])
def tails_of_sigmoid(node: sigmoid) -> ArrayExpr | None:
    """The derivative of `sigmoid(x)` keeps the tails that `y*(1 - y)` rounds away."""
    if node.dtype.is_complex:
        return None
    return steady_sigmoid.of(node.operands[0], node)


@stable_form(
    div, reciprocal, pow, samples=lambda: [1 / cosh(_X), reciprocal(cosh(_X)), cosh(_X) ** -1]
)
def one_over_cosh(node: Any) -> ArrayExpr | None:
    """The derivative of `1/cosh(x)` has no square of cosh, which overflows."""
    below = _below_one(node)
    inner: Any = None if below is None else peel(below)
    if type(inner) is not cosh or node.dtype.is_complex or node.dtype is not inner.dtype:
        return None
    return sech.of(inner.operands[0]) if node.shape == inner.shape else None


@stable_form(tanh, samples=lambda: [tanh(_X)])
def tails_of_tanh(node: tanh) -> ArrayExpr | None:
    """The derivative of `tanh(x)` keeps the tails that `1 - tanh(x)**2` rounds away."""
    if node.dtype.is_complex:
        return None
    return steady_tanh.of(node.operands[0], node)


@stable_form(div, samples=lambda: [sin(_X) / _X])
def sin_over_itself(node: div) -> ArrayExpr | None:
    """The function `sin(x)/x` is smooth at 0."""
    above, below = node.operands
    inner = peel(above)
    if type(inner) is sin and not node.dtype.is_complex:
        x = inner.operands[0]
        if peel(x) is peel(below):
            return sinoverx.of(x, 0)
    return None


@stable_form(div, samples=lambda: [_X / hypot(_X, _Y), _Y / hypot(_X, _Y)])
def component_over_length(node: div) -> ArrayExpr | None:
    """The quotient rule gives a difference of almost equal numbers for `x / hypot(x, y)`."""
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


@stable_form(
    div,
    reciprocal,
    pow,
    samples=lambda: [1 / (1 + _X**2), reciprocal(_X * _X + 1), (1 + _X**2) ** -1],
)
def one_over_one_and_square(node: Any) -> ArrayExpr | None:
    """The derivative of `1 / (1 + y**2)` has no fourth power, which overflows."""
    below = _below_one(node)
    y = None if below is None else _one_and_square(below)
    return None if y is None else pow.of(hypot.of(1.0, y), -2)


@stable_form(sqrt, pow, samples=lambda: [sqrt(1 + _X**2), (1 + square(_X)) ** 0.5])
def root_of_one_and_square(node: Any) -> ArrayExpr | None:
    """The root of `1 + y**2` is computed without the square, which overflows."""
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


def _squares() -> list[Any]:
    length, spread = norm(_X, 2, (1,), False), std(_X, 1, (1,), False)
    return [abs(_X) ** 2, square(abs(_X)), abs(_X) * abs(_X), length**2, length * length, spread**2]


@stable_form(pow, square, mul, samples=_squares)
def square_of_length(node: ArrayExpr) -> ArrayExpr | None:
    """The square of `abs(x)` or of a norm is a sum of squares, smooth through 0.

    That of a standard deviation is the variance.
    """
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


@stable_form(exp, samples=lambda: [exp(2.5 * log(_X)), exp(xlogy(_Y, _X)), exp(log(_X) / 2)])
def exponential_of_logarithm(node: exp) -> ArrayExpr | None:
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


@stable_form(expm1, samples=lambda: [expm1(_X)])
def tail_of_expm1(node: expm1) -> ArrayExpr:
    """The derivative of `expm1(x)` keeps the tail that `expm1(x) + 1` rounds away."""
    return steady_expm1.of(node.operands[0], node)


@stable_form(
    sqrt, pow, samples=lambda: [sqrt(sum(_X * _X, (1,), False)), sum(_X**2, (1,), False) ** 0.5]
)
def root_of_squares(node: Any) -> ArrayExpr | None:
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
