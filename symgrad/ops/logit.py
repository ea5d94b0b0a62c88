"""`logit`, the inverse of `sigmoid`, with and without bounds on its argument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence, of_elements
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.kinds import Tuned
from symgrad.ops.where import where


def _log_odds(x):  # type: ignore[no-untyped-def]
    # Next to the root 1/2 the quotient is nearly 1, less of which has no rounding.
    near = np.abs(x - 0.5) < 0.25
    return np.where(near, np.log1p((2 * x - 1) / (1 - x)), np.log(x / (1 - x)))


_LOG_ODDS = Kernel.from_function(_log_odds, rows=local)


class logit(Elementwise):
    """`log(x / (1 - x))`."""

    ulps = 4
    internal = True
    result = "float"
    refuses = (Category.COMPLEX,)
    scalar = lambda x: sympy.log(x / (1 - x))  # noqa: E731
    kernel = _LOG_ODDS

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: logit_slope.of(x),)

    samples = [(np.array([0.3, 0.9, 0.5]),), (np.array(0.7),)]


def _logit_slope(x):  # type: ignore[no-untyped-def]
    below = x * (1 - x)
    return np.where(below < 0, np.nan, 1 / below)


class logit_slope(Elementwise):
    """`1 / (x * (1 - x))`, the derivative of `logit`; nan outside of [0, 1], and so are its derivatives."""

    ulps = 8
    internal = True
    result = "float"
    refuses = (Category.COMPLEX,)
    scalar = lambda x: 1 / (x * (1 - x))  # noqa: E731
    kernel = Kernel.from_function(_logit_slope, rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: self * (2 * x - 1) * self,)

    def notation(self) -> Notation:
        # The text is a choice, since `1 / (x * (1 - x))` has other values outside of [0, 1].
        tight = Precedence.UNARY + 1
        latex = r"\frac{{1}}{{{0} \, \left(1 - {0}\right)}}"
        each = r"1 \oslash \left({0} \odot \left(1 - {0}\right)\right)"
        return Notation(
            "where({0} * (1 - {0}) < 0, nan, 1 / ({0} * (1 - {0})))",
            latex,
            operands=(tight,),
            typeset=Latex(latex, Precedence.UNARY, (tight,)),
            of_arrays=of_elements(each, Precedence.ODOT, tight),
        )

    samples = [(np.array([0.3, 0.9, 0.5]),), (np.array(0.7),)]


def _bounded(x, eps):  # type: ignore[no-untyped-def]
    z = np.where(x < eps, eps, np.where(x > 1 - eps, 1 - eps, x))
    return _log_odds(z)  # type: ignore[no-untyped-call]


def _bounded_scalar(x: Any, eps: Any) -> Any:
    z = sympy.Piecewise((eps, x < eps), (1 - eps, x > 1 - eps), (x, True))
    return sympy.log(z / (1 - z))


class logit_within(Tuned):
    """`logit` of `x` cut off at `eps` and `1 - eps`; outside of these its derivative is 0."""

    ulps = 4
    result = "float"
    refuses = (Category.COMPLEX,)
    kernel_name = "logit_cpu"
    scalar = _bounded_scalar
    kernel = Kernel.from_function(_bounded, prelude=_LOG_ODDS.prelude, rows=local)
    printed = Notation("logit({0}, {1})", r"\operatorname{{logit}}_{{{1}}}\left({0}\right)")

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        x, eps = self.operands
        inside = (x >= eps).logical_and(x <= 1 - eps)
        return where.of(inside, t * logit_slope.of(where.of(inside, x, 0.5)), 0)

    samples = [(np.array([0.3, 0.95, -0.5]), 0.1), (np.array(0.7), 1e-6)]
