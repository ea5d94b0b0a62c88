"""Products with logarithms: entropies and divergences of elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, bool_
from symgrad.expr.node import ArrayExpr
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.samples import ANY, POSITIVE
from symgrad.ops.where import where


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
