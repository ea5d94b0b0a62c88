"""Logarithms of sums of exponentials and of hyperbolic functions, and multiples of logarithms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.atoms import Const, as_expr
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.comparison import isnan
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.exponential import _COMPLEX_LOG1P, OnReals, _complex_log1p
from symgrad.ops.kinds import Passing
from symgrad.ops.masked import zero_unless
from symgrad.ops.samples import ANY, COLUMN, POSITIVE
from symgrad.ops.sigmoid import logistic
from symgrad.ops.where import where


def _logcosh(x):  # type: ignore[no-untyped-def]
    size = abs(x)
    # From the nearer of two forms: the second cancels at 0, where log1p(cosh - 1) is exact.
    near = 2 * np.square(np.sinh(np.minimum(size, 1) / 2))
    return np.where(
        size < 1, np.log1p(near), size + (np.log1p(np.exp(-2 * size)) - 0.6931471805599453)
    )


class logcosh(OnReals):
    """`log(cosh(x))`."""

    ulps = 16
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x: sympy.log(sympy.cosh(x))  # noqa: E731
    kernel = Kernel.from_function(_logcosh, rows=local)

    printed = Notation(
        f"logaddexp({{0}}, -{{0}}) - {math.log(2)!r}",
        r"\log \cosh\left({0}\right)",
        Precedence.SUM,
        (Precedence.UNARY,),
        Latex(r"\log \cosh\left({0}\right)", Precedence.ATOM, (Precedence.CASES,)),
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.tanh(),)


def complex_logaddexp(x: Any, y: Any) -> Any:
    """Return `log(exp(x) + exp(y))` of complex arrays, from the term of larger modulus."""
    low, high = np.where(x.real < y.real, x, y), np.where(x.real < y.real, y, x)
    far = np.exp(np.where(np.isinf(high.real), -np.inf, low - high))
    return high + _complex_log1p(far)


COMPLEX_LOGADDEXP = Kernel.from_function(
    complex_logaddexp, prelude=_COMPLEX_LOG1P.prelude, rows=local
)


class logaddexp(Elementwise):
    """Return `log(exp(input) + exp(other))` without overflow, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logaddexp(torch.tensor([0.0, 1000.0]), torch.tensor([0.0, 1000.0]))
    tensor([6.9315e-01, 1.0007e+03])
    """

    calculates_with_bools = True
    in_place = "none"
    ulps = 8
    refuses = (Category.BOOL, Category.INT)
    scalar = lambda x, y: sympy.log(sympy.exp(x) + sympy.exp(y))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logaddexp)
    kernels = {Category.COMPLEX: COMPLEX_LOGADDEXP}

    def result_layout(self) -> str:
        return "first" if self.dtype.is_complex else "kernel"

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: self._share(x, y), lambda: self._share(y, x)

    def _share(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        # At equal infinities both terms weigh the same, and inf - inf is nan.
        return logistic.of(where.of(x.eq(y).logical_and(x.isinf()), 0, x - y))

    samples = [(ANY, COLUMN), (np.array(0.7), np.array(0.7))]


class logaddexp2(Elementwise):
    """Return `log2(2**input + 2**other)` without overflow, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logaddexp2(torch.tensor([0.0, 9000.0]), torch.tensor([0.0, 9000.0]))
    tensor([1.0000e+00, 9.0010e+03])
    """

    calculates_with_bools = True
    in_place = "none"
    ulps = 8
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    scalar = lambda x, y: sympy.log(2**x + 2**y, 2)  # noqa: E731
    kernel = Kernel.from_ufunc(np.logaddexp2)

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: self._share(x, y), lambda: self._share(y, x)

    def _share(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        # At equal infinities both terms weigh the same, and inf - inf is nan.
        apart = where.of(x.eq(y).logical_and(x.isinf()), 0, x - y)
        return logistic.of(apart * sympy.log(2))

    samples = [(ANY, COLUMN), (np.array(0.7), np.array(0.7))]


def _xlogy(x: Any, y: Any, *, to: Any) -> Any:
    return np.where(np.equal(x, 0) & np.equal(y, y), 0, x * np.log(y)).astype(to)


class xlogy(Passing):
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.xlogy(torch.tensor([0.0, 2.0]), torch.tensor([0.0, 3.0]))
    tensor([0.0000, 2.1972])
    """

    aliases = ("special.xlogy",)
    in_place = "function"
    ulps = 4
    numbers = "either"
    receives = "all"
    result = "float"
    refuses = (Category.COMPLEX,)
    scalar = lambda x, y: sympy.Piecewise((0, sympy.Eq(x, 0)), (x * sympy.log(y), True))  # noqa: E731
    kernel = Kernel.from_function(_xlogy, rows=local)
    kernel_takes_dtype = True

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr:
        x, y = self.operands
        nothing = x.eq(0)
        if i == 1:
            return t * where.of(nothing.logical_and(y.eq(0)), 0, x / y)
        below = y <= 0
        product = t * as_expr(y).log()
        if not isinstance(t.operands[0] if type(t) is broadcast_to else t, Const):
            # As in PyTorch this is xlogy(t, y): an element of t that is 0 contributes 0, but nan.
            product = zero_unless(product, t.ne(0).logical_or(isnan.of(y)))
        return where.of(nothing.logical_and(below), 0, product)

    samples = [(ANY, POSITIVE.reshape(3, 1)), (np.array(0.7), np.array(0.3)), (2.0, POSITIVE)]
