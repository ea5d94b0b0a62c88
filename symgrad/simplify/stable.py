"""Stable forms: equal functions that are differentiated in the place of written formulas.

A stable form is the same mathematical function as the node that it stands for. The user gets the
value of the formula as written; the derivative is that of the stable form, which is correct also
where parts of the written formula overflow, vanish or cancel. For example, `log(1 + exp(x))` at
x = 1000 is inf in floats, and its derivative exp(x)/(1 + exp(x)) is nan; the derivative of the
stable form `log1pexp(x)` is `logistic(x)`, 1. `tests/ops/test_elementwise_stable.py` proves each
identity with SymPy.

What a part of a written formula is, however it is written, is read by `symgrad.simplify.spellings`.
A form is built of the values of the forward pass that stand in the formula, so that the program
reads the saved values.

Sources of the formulas: for `log1pexp`, M. Mächler, "Accurately Computing log(1 - exp(-|a|))",
vignette of the R package Rmpfr, 2012; for `logsumexp` and `softmax`, P. Blanchard, D. J. Higham and
N. J. Higham, "Accurately computing the log-sum-exp and softmax functions", IMA Journal of Numerical
Analysis 41, 2021. The other identities are elementary, and stand with the forms.
"""

from __future__ import annotations

import math
from typing import Any

from symgrad.expr.atoms import Leaf, as_expr, is_const
from symgrad.expr.dtypes import Category, complex128
from symgrad.expr.node import ArrayExpr
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.complex_parts import conj, real
from symgrad.ops.error_functions import log_erfc
from symgrad.ops.exponential import exp, expm1, log, log1p, log2, log10, steady_expm1
from symgrad.ops.gathering import gather
from symgrad.ops.joining import stack
from symgrad.ops.logarithms import logaddexp, logcosh, xlogy
from symgrad.ops.masks import formula_of
from symgrad.ops.norms import norm, root_length
from symgrad.ops.powers import direction, hypot, pow, power_of_positive, reciprocal, sqrt, square
from symgrad.ops.primitive import Primitive
from symgrad.ops.reduction import sum
from symgrad.ops.reshaping import reshape
from symgrad.ops.sigmoid import log1pexp, logistic, logits_loss, logsigmoid, sigmoid, steady_sigmoid
from symgrad.ops.signs import abs, root_modulus, same_modulus
from symgrad.ops.softmax import log_softmax, logsumexp, softmax, steady_logsumexp
from symgrad.ops.special import erfc
from symgrad.ops.statistics import std, var
from symgrad.ops.trigonometric import cosh, sech, sin, sinoverx, steady_tanh, tanh
from symgrad.simplify.rewrite import stable_form
from symgrad.simplify.spellings import (
    MOST_NODES,
    below_one,
    beside,
    difference_of,
    is_nonnegative,
    root_of_square,
    sum_of,
    term_of,
)

_X, _Y, _Z = Leaf("x", (3, 3)), Leaf("y", (3, 3)), Leaf("z", (3, 3), complex128)


def _exponent(x: Any) -> ArrayExpr | None:
    """Return u where `x` is `exp(u)`; None also of None."""
    x = None if x is None else formula_of(x)
    return x.operands[0] if type(x) is exp and not x.dtype.is_complex else None


def _logistic_of(x: Any) -> ArrayExpr | None:
    """Return u where `x` is the logistic function of u, however written; None also of None."""
    if x is None:
        return None
    x = formula_of(x)
    if type(x) in (sigmoid, logistic) and not x.dtype.is_complex:
        inner: ArrayExpr = x.operands[0]
        return inner
    if type(x) is div:
        above: Any = formula_of(x.operands[0])
        if type(above) is exp and _exponent(beside(1, x.operands[1])) is above.operands[0]:
            exponent: ArrayExpr = above.operands[0]
            return exponent
    below = below_one(x)
    u = None if below is None else _exponent(beside(1, below))
    return None if u is None else neg.of(u)


def _logarithms() -> list[Any]:
    e = exp(_X)
    return [
        log(1 + e), log(sigmoid(_X)), log(1 - sigmoid(_X)), log(e + exp(_Y)),
        log(sum(e, (1,), False)), log(softmax(_X, 1)), log(cosh(_X)), log(erfc(_X)),
    ]  # fmt: skip


@stable_form(log, samples=_logarithms)
def log_of_exponentials(node: Any) -> ArrayExpr | None:
    """The logarithm of a formula of exponentials is one function that does not overflow.

    With `log1pexp(u) = log(1 + exp(u))` the forms are:

    - `log(1 + exp(u))` is `log1pexp(u)`
    - `log(sigmoid(u))` is `-log1pexp(-u)`, `log(1 - sigmoid(u))` is `-log1pexp(u)`
    - `log(sum(exp(u)))` is `logsumexp(u)`, `log(exp(a) + exp(b))` is `logaddexp(a, b)`
    - `log(softmax(u))` is `log_softmax(u)`
    - `log(cosh(u))` is `logcosh(u)`, `log(erfc(u))` is `log_erfc(u)`
    """
    if node.dtype.is_complex:
        return None
    (x,) = node.operands
    found = sum_of(x, 1)
    if found is None:
        return _log_of_sum(x)
    u = _exponent(term_of(1, found, x))
    if u is not None:
        return log1pexp.of(u)
    u = _logistic_of(x)
    if u is not None:
        return neg.of(log1pexp.of(neg.of(u)))
    u = _logistic_of(term_of(1, found, x, -1))
    if u is not None:
        return neg.of(log1pexp.of(u))
    inner = formula_of(x)
    if type(inner) is sum:
        terms = formula_of(inner.operands[0])
        if type(terms) is exp:
            return _logsumexp_of(terms.operands[0], inner.axis, inner.keepdims)
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
    form = log_of_exponentials(log.of(node.operands[0]))
    if form is None or form.dtype is not node.dtype:
        return None
    return form / math.log(2 if type(node) is log2 else 10)


def _log_of_sum(total: Any) -> ArrayExpr | None:
    """Return the form of log(exp(a) + exp(b) + …), in which a term 1 is exp(0)."""
    number, found = sum_of(total, MOST_NODES, exp) or (-1, [])
    if number not in (0, 1) or any(factor != 1 for factor, _ in found):
        return None
    exponents: list[ArrayExpr] = [formula_of(x).operands[0] for _, x in found]
    exponents += [as_expr(0.0)] * (number == 1)
    kinds = {x.dtype for x in exponents if not x.weak}
    if kinds != {total.dtype}:
        return None
    if len(exponents) == 2:
        form = logaddexp.of(*exponents)
        return form if form.shape == total.shape else None
    terms = [x.to(total.dtype).broadcast_to(total.shape) for x in exponents]
    return _logsumexp_of(stack.of(*terms, 0), (0,), False)


@stable_form(exp, samples=lambda: [exp(_X - logsumexp(_X, (1,), True))])
def softmax_of_difference(node: exp) -> ArrayExpr | None:
    """`exp(x - logsumexp(x))` is `softmax(x)`."""
    difference = difference_of(formula_of(node.operands[0]))
    if difference is None or node.dtype.is_complex:
        return None
    x, below = difference
    total = _total_of_exponentials(below)
    if total is None or total.operands[0] is not x or not _is_beside_slices(below, total):
        return None
    return softmax.of(x, total.axes[0])


def _total_of_exponentials(x: Any) -> logsumexp | None:
    """Return the `logsumexp` over one axis that `x` equals, up to axes of length one; else None."""
    x = formula_of(x)
    if isinstance(x, reshape):
        x = formula_of(x.operands[0])
    form = log_of_exponentials(x) if type(x) is log else x
    return form if isinstance(form, logsumexp) and len(form.axes) == 1 else None


def _is_beside_slices(x: ArrayExpr, total: logsumexp) -> bool:
    """Return whether `x`, a reshaped `total`, broadcasts the sum of each slice to its elements."""
    (axis,) = total.axes
    summed = total.operands[0].shape
    shape = (1,) * (len(summed) - len(x.shape)) + x.shape
    return shape == (*summed[:axis], 1, *summed[axis + 1 :])


@stable_form(
    sub,
    samples=lambda: [_X - logsumexp(_X, (1,), True), logsumexp(_X, (1,), True) - _X],
)
def log_softmax_of_difference(node: sub) -> ArrayExpr | None:
    """`x - logsumexp(x)` is `log_softmax(x)`, and so for chosen elements of `x`."""
    if not node.dtype.is_floating_point:
        return None
    for i in (0, 1):
        x, total = node.operands[i], node.operands[1 - i]
        below = _total_of_exponentials(total)
        if below is None:
            continue
        (logits,) = below.operands
        if x is logits:
            if not _is_beside_slices(total, below):
                continue
            form: ArrayExpr = log_softmax.of(logits, below.axes[0])
        else:
            selected = _log_softmax_elements(x, logits, below)
            if selected is None:
                continue
            form = selected
        if form.shape == node.shape and form.dtype is node.dtype:
            return neg.of(form) if i else form
    return None


def _log_softmax_elements(x: ArrayExpr, logits: ArrayExpr, total: logsumexp) -> ArrayExpr | None:
    """Return the elements of `log_softmax(logits)` that `x` selects of `logits`.

    Return None unless `x` has one element of each slice that `total` sums: there is one slice, or
    `x` gathers along its axis.
    """
    steps: list[Any] = []
    while x is not logits:
        inner = formula_of(x)
        if not (isinstance(inner, Primitive) and (inner.selects or inner.moves)):
            return None
        steps.append(inner)
        x = inner.operands[0]
    selections = [step for step in steps if not step.moves]
    (axis,) = total.axes
    if logits.ndim > 1 and not (
        len(selections) == 1
        and selections[0] is steps[-1]
        and type(selections[0]) is gather
        and selections[0].axis == axis
        and selections[0].shape == (*logits.shape[:axis], 1, *logits.shape[axis + 1 :])
    ):
        return None
    form: ArrayExpr = log_softmax.of(logits, axis)
    for step in reversed(steps):
        form = step.with_operands((form, *step.operands[1:]))
    return form


@stable_form(sub, samples=lambda: [_Y * _X - logsigmoid(_X), _Y * _X - 2 * logsigmoid(_X)])
def cross_entropy_of_logits(node: sub) -> ArrayExpr | None:
    """`c*x - w*logsigmoid(x)` is a function of its own, whose gradient does not cancel.

    Its derivative is `c*sigmoid(x) - (w - c)*sigmoid(-x)`. Differentiated term by term it is
    `c - w*sigmoid(-x)`, which loses all digits for c = w and large negative x.
    """
    if not node.dtype.is_floating_point:
        return None
    product, log = formula_of(node.operands[0]), formula_of(node.operands[1])
    if type(product) is not mul:
        return None
    weight: Any = as_expr(1.0)
    if type(log) is mul:
        weight, log = log.operands[0], formula_of(log.operands[1])
    if type(log) is not logsigmoid or log.operands[0] not in product.operands:
        return None
    x = log.operands[0]
    c = product.operands[0 if product.operands[1] is x else 1]
    return logits_loss.of(c, x, weight)


@stable_form(
    add,
    samples=lambda: [_X + -logsumexp(_X, (1,), True), -logsigmoid(_X) + _Y * _X],
)
def sum_with_negative(node: add) -> ArrayExpr | None:
    """`a + -b` has the stable form of `a - b`."""
    difference = difference_of(node)
    if difference is None:
        return None
    written: Any = sub(*difference)
    form = log_softmax_of_difference(written)
    return cross_entropy_of_logits(written) if form is None else form


def _logsumexp_of(x: ArrayExpr, axis: Any, keepdims: bool) -> ArrayExpr:
    """Return `logsumexp` with the derivative softmax(x), whose weights add up to one.

    `exp(x - logsumexp(x))`, with the rounded result, has weights with a relative error of about
    eps * |logsumexp(x)|, which is large for large elements.
    """
    plain: Any = logsumexp.of(x, axis, keepdims)
    steady = weights_that_add_up(plain)
    return plain if steady is None else steady


@stable_form(logsumexp, samples=lambda: [logsumexp(_X, (1,), False), logsumexp(_X, (0, 1), True)])
def weights_that_add_up(node: logsumexp) -> ArrayExpr | None:
    """The derivative of `logsumexp(x)` is `softmax(x)`, not `exp(x - logsumexp(x))`."""
    (x,) = node.operands
    if x.dtype.category != Category.FLOAT:
        return None
    return steady_logsumexp.of(x, node.axis, node.keepdims)


@stable_form(log1p, samples=lambda: [log1p(exp(_X)), log1p(-sigmoid(_X))])
def log1p_of_exponential(node: log1p) -> ArrayExpr | None:
    """`log1p(exp(u))` is `log1pexp(u)`, and `log1p(-sigmoid(u))` is `-log1pexp(u)`."""
    inner = formula_of(node.operands[0])
    if type(inner) is exp and not node.dtype.is_complex:
        return log1pexp.of(inner.operands[0])
    u = _logistic_of(beside(0, inner, -1))
    return None if u is None else neg.of(log1pexp.of(u))


def _logistic_functions() -> list[Any]:
    e = exp(-_X)
    return [1 / (1 + e), reciprocal(e + 1), (1 + e) ** -1, exp(_X) / (1 + exp(_X))]


@stable_form(div, reciprocal, pow, samples=_logistic_functions)
def logistic_function(node: ArrayExpr) -> ArrayExpr | None:
    """`1 / (1 + exp(-u))` and `exp(u) / (1 + exp(u))` are `logistic(u)`."""
    u = _logistic_of(node)
    return None if u is None else logistic.of(u)


@stable_form(sigmoid, samples=lambda: [sigmoid(_X)])
def tails_of_sigmoid(node: sigmoid) -> ArrayExpr | None:
    """The derivative of `y = sigmoid(x)` is not `y*(1 - y)`, which rounds the tail at large x away.

    It is `sigmoid(x) * sigmoid(-x)`, about exp(-|x|) in both tails.
    """
    if node.dtype.is_complex:
        return None
    return steady_sigmoid.of(node.operands[0], node)


@stable_form(
    div, reciprocal, pow, samples=lambda: [1 / cosh(_X), reciprocal(cosh(_X)), cosh(_X) ** -1]
)
def one_over_cosh(node: Any) -> ArrayExpr | None:
    """`1/cosh(x)` is `sech(x)`: its derivative `-sech(x)*tanh(x)` has no square to overflow."""
    below = below_one(node)
    inner: Any = None if below is None else formula_of(below)
    if type(inner) is not cosh or node.dtype.is_complex or node.dtype is not inner.dtype:
        return None
    return sech.of(inner.operands[0]) if node.shape == inner.shape else None


@stable_form(tanh, samples=lambda: [tanh(_X)])
def tails_of_tanh(node: tanh) -> ArrayExpr | None:
    """The derivative of `tanh(x)` is `1/cosh(x)**2`; `1 - tanh(x)**2` rounds the tails away."""
    if node.dtype.is_complex:
        return None
    return steady_tanh.of(node.operands[0], node)


@stable_form(div, samples=lambda: [sin(_X) / _X])
def sin_over_itself(node: div) -> ArrayExpr | None:
    """`sin(x)/x` is `sinoverx(x)`, which is smooth at 0: `1 - x**2/6 + …`."""
    above, below = node.operands
    inner = formula_of(above)
    if type(inner) is sin and not node.dtype.is_complex:
        x = inner.operands[0]
        if formula_of(x) is formula_of(below):
            return sinoverx.of(x, 0)
    return None


@stable_form(div, samples=lambda: [_X / hypot(_X, _Y), _Y / hypot(_X, _Y)])
def component_over_length(node: div) -> ArrayExpr | None:
    """`x / hypot(x, y)` is `direction(x, y)`, whose derivatives do not cancel.

    With `r = hypot(x, y)` its derivative by x is `y**2 / r**3`; the quotient rule gives
    `1/r - x**2/r**3`, a difference of almost equal numbers where y is small.
    """
    above, below = node.operands[0], formula_of(node.operands[1])
    if type(below) is hypot and below.shape == node.shape:
        for x, y in (below.operands, below.operands[::-1]):
            if x is above:
                return direction.of(x, y)
    return None


def _one_and_square(x: Any) -> ArrayExpr | None:
    """Return y where `x` is `1 + y**2`, of real numbers."""
    inner = beside(1, x)
    y = None if inner is None else root_of_square(formula_of(inner))
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
    """`1 / (1 + y**2)` is `hypot(1, y)**-2`: its derivative has no fourth power to overflow."""
    below = below_one(node)
    y = None if below is None else _one_and_square(below)
    return None if y is None else pow.of(hypot.of(1.0, y), -2)


@stable_form(sqrt, pow, samples=lambda: [sqrt(1 + _X**2), (1 + square(_X)) ** 0.5])
def root_of_one_and_square(node: Any) -> ArrayExpr | None:
    """`sqrt(1 + y**2)` is `hypot(1, y)`, without the square, which overflows."""
    if type(node) is pow and not is_const(node.operands[1], 0.5):
        return None
    y = _one_and_square(node.operands[0])
    return None if y is None else hypot.of(1.0, y)


def _squares() -> list[Any]:
    length, spread = norm(_X, 2, (1,), False), std(_X, 1, (1,), False)
    return [
        abs(_X) ** 2, square(abs(_X)), abs(_X) * abs(_X), length**2, length * length, spread**2,
        abs(_Z) ** 2, norm(_Z, 2, (1,), False) ** 2,
    ]  # fmt: skip


@stable_form(pow, square, mul, samples=_squares)
def square_of_length(node: ArrayExpr) -> ArrayExpr | None:
    """The square of `abs(x)` is `x*x`, that of a norm `sum(x*x)`: both are smooth at 0.

    Of complex numbers it is `real(x*conj(x))`; that of a standard deviation is the variance.
    """
    y = root_of_square(node)
    inner: Any = None if y is None else formula_of(y)
    if isinstance(inner, std):
        return var.of(*inner.operands, *inner.param_values)
    if type(inner) not in (abs, norm):
        return None
    x = inner.operands[0]
    squares = real.of(mul.of(x, conj.of(x))) if x.dtype.is_complex else mul.of(x, x)
    if type(inner) is abs:
        return squares
    return sum.of(squares, inner.axis, inner.keepdims) if inner.has_order(2) else None


@stable_form(abs, samples=lambda: [abs(_X * _X), abs(norm(_X, 2, (1,), False)), abs(abs(_X) / 2)])
def modulus_of_nonnegative(node: abs) -> ArrayExpr | None:
    """`abs(y)` is `y` where y is never negative, and has its derivatives where it is 0, too."""
    (y,) = node.operands
    return same_modulus.of(y, node) if is_nonnegative(y) else None


@stable_form(exp, samples=lambda: [exp(2.5 * log(_X)), exp(xlogy(_Y, _X)), exp(log(_X) / 2)])
def exponential_of_logarithm(node: exp) -> ArrayExpr | None:
    """`exp(c*log(x))` is `x**c`, whose derivative at 0 needs no infinite derivative of log."""
    inner: Any = formula_of(node.operands[0])
    factor: Any = as_expr(1)
    if type(inner) is xlogy:
        factor, x = inner.operands
    else:
        if type(inner) is mul and any(y.weak for y in inner.operands):
            factor, inner = sorted(inner.operands, key=lambda y: not y.weak)
        elif type(inner) is div and inner.operands[1].weak:
            inner, divisor = inner.operands
            factor = 1 / divisor
        logarithm: Any = formula_of(inner)
        if type(logarithm) is not log:
            return None
        (x,) = logarithm.operands
    if node.dtype.is_complex or is_const(factor, 0):
        return None
    form = power_of_positive.of(x, factor)
    return form if form.dtype is node.dtype and form.shape == node.shape else None


@stable_form(expm1, samples=lambda: [expm1(_X)])
def tail_of_expm1(node: expm1) -> ArrayExpr:
    """The derivative of `expm1(x)` is `exp(x)`, not `expm1(x) + 1`, which loses the tail."""
    return steady_expm1.of(node.operands[0], node)


@stable_form(
    sqrt, pow, samples=lambda: [sqrt(sum(_X * _X, (1,), False)), sum(_X**2, (1,), False) ** 0.5]
)
def root_of_squares(node: Any) -> ArrayExpr | None:
    """`sqrt(sum(x**2))` is a norm and `sqrt(x**2)` is `abs(x)`: their derivatives at 0 are 0."""
    if type(node) is pow and not is_const(node.operands[1], 0.5):
        return None
    total = formula_of(node.operands[0])
    if node.dtype.is_complex:
        return None
    if type(total) is not sum:
        y = root_of_square(total)
        if y is None or y.shape != node.shape or y.weak:
            return None
        return (same_modulus if is_nonnegative(y) else root_modulus).of(y, node)
    y = root_of_square(formula_of(total.operands[0]))
    if y is None or y.shape != total.operands[0].shape or y.dtype is not node.dtype:
        return None
    return root_length.of(y, node, total.axis, total.keepdims)
