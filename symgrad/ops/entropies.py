"""Products with logarithms: entropies and divergences of elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, bool_
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence, of_elements
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.samples import ANY, POSITIVE
from symgrad.ops.special import Special
from symgrad.ops.where import where

_PAIRS = [(POSITIVE, POSITIVE.reshape(3, 1)), (np.array(0.7), np.array(0.3)), (2.0, POSITIVE)]


def _entr(x):  # type: ignore[no-untyped-def]
    return np.where(x > 0, -x * np.log(np.where(x > 0, x, 1)), np.where(x < 0, -np.inf, x * 0))


class entr(Elementwise):
    """Return `-x * log(x)` of each element of `input`: 0 at 0, and -inf below.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.entr(torch.tensor([0.0, 0.5, 1.0, -1.0]))
    tensor([0.0000, 0.3466, -0.0000,   -inf])
    """

    ulps = 4
    space = "special"
    result = "float"
    refuses = (Category.COMPLEX,)
    scalar = lambda x: -x * sympy.log(x)  # noqa: E731
    kernel = Kernel.from_function(_entr, rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -x.log() - 1,)

    samples = [(POSITIVE,), (np.array(0.7),)]


def _xlog1py(x, y, *, to):  # type: ignore[no-untyped-def]
    return np.where(np.equal(x, 0) & np.equal(y, y), 0, x * np.log1p(np.asarray(y, to))).astype(to)


class xlog1py(Elementwise):
    """Return `input * log1p(other)`, and 0 where `input` is 0; the derivatives at (0, -1) are 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.xlog1py(torch.tensor([0.0, 2.0]), torch.tensor([-1.0, 1e-10]))
    tensor([0.0000e+00, 2.0000e-10])
    """

    ulps = 4
    space = "special"
    numbers = "either"
    receives = "all"
    result = "float"
    refuses = (Category.COMPLEX,)
    scalar = lambda x, y: x * sympy.log(1 + y)  # noqa: E731
    kernel = Kernel.from_function(_xlog1py, rows=local)
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        if y.dtype is bool_:  # whose logarithm NumPy computes in half precision
            y = y.to(self.dtype)
        return (
            lambda: where.of(x.eq(0).logical_and(y <= -1), 0, y.log1p()),
            lambda: where.of(x.eq(0).logical_and(y.eq(-1)), 0, x / (1 + y)),
        )

    samples = [(ANY, POSITIVE.reshape(3, 1)), (np.array(0.7), np.array(0.3)), (2.0, POSITIVE)]


def _log_ratio(x, y, *, to):  # type: ignore[no-untyped-def]
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    ratio = x / y
    close = (ratio > 0.5) & (ratio < 2)
    within = (np.abs(ratio) > 1e-30) & (np.abs(ratio) < 1e30)
    near = np.log1p(np.where(close, (x - y) / y, 0))
    far = np.where(within, np.log(ratio), np.log(x) - np.log(y))
    return np.asarray(np.where(close, near, far), to)


class log_ratio(Special):
    """`log(x / y)`, also where the quotient overflows."""

    ulps = 4
    arity = 2
    internal = True
    scalar = lambda x, y: sympy.log(x / y)  # noqa: E731
    kernel = Kernel.from_function(_log_ratio, rows=local)
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: 1 / x, lambda: -1 / y

    printed = Notation(
        "log({0} / {1})",
        r"\log\left({0} / {1}\right)",
        Precedence.ATOM,
        (Precedence.PRODUCT, Precedence.PRODUCT + 1),
        of_arrays=of_elements(
            r"\log\left({0} \oslash {1}\right)",
            Precedence.ATOM,
            Precedence.ODOT,
            Precedence.ODOT + 1,
        ),
    )
    samples = _PAIRS


class rel_entr(Special, scipy="rel_entr"):
    """Return `x * log(x / y)` of each two elements: 0 where `x` is 0, inf where one is negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.rel_entr(torch.tensor([0.0, 0.5, 1.0]), torch.tensor([1.0, 0.25, -1.0]))
    tensor([0.0000, 0.3466,    inf])
    """

    calculates_with_bools = True
    ulps = 4
    arity = 2
    space = "special"
    operand_names = ("x", "y")
    scalar = lambda x, y: x * sympy.log(x / y)  # noqa: E731

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: log_ratio.of(x, y) + 1, lambda: -x / y

    samples = _PAIRS


def _kl_div(x, y, *, to):  # type: ignore[no-untyped-def]
    # With t = (x - y)/y and r = t/(2 + t), log(1 + t) is 2*atanh(r): then nothing cancels in the sum
    # t*r + 2*(1 + t)*(r**3/3 + r**5/5 + ...), the divergence over y, where x and y are close.
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    inside = (x > 0) & (y > 0)
    p, q = np.where(inside, x, 1), np.where(inside, y, 1)
    close = (p < 2 * q) & (q < 2 * p)
    t = np.where(close, (p - q) / q, 0)
    r = t / (2 + t)
    tail = np.zeros(r.shape)
    for k in range(35, 1, -2):
        tail = (tail + 1 / k) * r * r
    near = q * (t * r + 2 * (1 + t) * r * tail)
    ratio = np.where(close, 1, p / q)
    vast = (ratio < 1e-300) | (ratio > 1e300)
    log = np.where(vast, np.log(p) - np.log(q), np.log(np.where(vast, 1, ratio)))
    far = p * log - p + q
    beside = np.where((x == 0) & (y >= 0), y, np.where(np.isnan(x) | np.isnan(y), np.nan, np.inf))
    return np.asarray(np.where(inside, np.where(close, near, far), beside), to)


class kullback_leibler(Special):
    """`x * log(x / y) - x + y` of each two elements."""

    ulps = 8
    arity = 2
    internal = True
    scalar = lambda x, y: x * sympy.log(x / y) - x + y  # noqa: E731
    kernel = Kernel.from_function(_kl_div, rows=local)
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: log_ratio.of(x, y), lambda: 1 - x / y

    printed = Notation(
        "{0} * log({0} / {1}) - {0} + {1}",
        r"{0} \, \log\left({0} / {1}\right) - {0} + {1}",
        Precedence.SUM,
        (Precedence.PRODUCT, Precedence.PRODUCT + 1),
    )
    samples = _PAIRS
