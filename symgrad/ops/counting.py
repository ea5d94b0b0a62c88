"""How many elements lie between the bounds of a histogram, and which of them occur among others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, bool_, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.expr.shapes import Shape
from symgrad.ops import symbols
from symgrad.ops.comparison import eq
from symgrad.ops.joining import stack
from symgrad.ops.primitive import Primitive
from symgrad.ops.reduction import any as any_
from symgrad.ops.reshaping import reshape

_X = np.array([[0.5, -2.0, 3.0], [2.0, 0.1, -1.0]])


def _histc(x, *, bins, low, high):  # type: ignore[no-untyped-def]
    x = x.reshape(-1)
    low, high = x.dtype.type(low), x.dtype.type(high)
    if low == high and x.size:
        low, high = x.min(), x.max()
    if not (np.isfinite(low) and np.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low}, {high}] is not finite")
    if low == high:
        low, high = low - 1, high + 1
    found = np.zeros(bins, x.dtype)
    x = x[(x >= low) & (x <= high)]
    places = ((x - low) * bins / (high - low)).astype(np.int64)
    counts = np.bincount(np.minimum(places, bins - 1))
    found[: counts.size] = counts
    return found


def _histc_of_formulas(x: Any, *, bins: int, low: Any, high: Any) -> Any:
    elements = [*x.flat]
    low, high = sympy.sympify(low), sympy.sympify(high)
    if low == high and elements:
        low, high = symbols.smallest(elements), symbols.largest(elements)
    if low == high:
        low, high = low - 1, high + 1
    elif not (low.is_number and high.is_number):
        equal = 1 - symbols.step(high - low, 0)
        low, high = low - equal, high + equal
    found = np.empty(bins + 1, object)
    for k in range(bins + 1):  # how many are below an edge
        edge = low + (high - low) * sympy.Rational(k, bins)
        found[k] = sympy.Add(*[symbols.step(edge - x, int(k == bins)) for x in elements])
    return found[1:] - found[:-1]


class histc(Primitive):
    """How many elements lie in each of `bins` equal parts of the line from `low` to `high`.

    Where these are equal, the line goes from the least element to the greatest.
    """

    params = ("bins", "low", "high")
    real_params = ("low", "high")
    bins: int
    low: float
    high: float
    differentiable = False
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    kernel_name = "histogram_cpu"
    kernel = Kernel.from_function(_histc, number_systems={"sympy": _histc_of_formulas})

    @classmethod
    def infer(cls, x: Any, bins: int, low: float, high: float) -> tuple[Shape, dtype]:
        cls.refuse(x.dtype)
        return (bins,), x.dtype

    def notation(self) -> Notation:
        text = f"histc({{0}}, {self.bins}, {self.low}, {self.high})"
        return super().notation()._replace(text=text)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        made: ArrayExpr = stack.of(*[histc.of(x[i], *self.param_values) for i in range(size)], 0)
        return made

    samples = [
        (_X, 4, 0.0, 0.0),
        (_X, 3, -1.0, 2.5),
        (np.array(0.5), 2, 0.0, 0.0),
        (np.zeros(3), 2, 0.0, 0.0),
    ]


def _isin(x, y):  # type: ignore[no-untyped-def]
    return np.isin(x, y)


def _isin_of_formulas(x: Any, y: Any) -> Any:
    found = np.empty(x.shape, object)
    for place in np.ndindex(x.shape):
        found[place] = sympy.Or(*[sympy.Eq(x[place], value) for value in y.flat])
    return found


class isin(Primitive):
    """Whether each element is equal to one of others."""

    differentiable = False
    kernel = Kernel.from_function(_isin, number_systems={"sympy": _isin_of_formulas})

    @classmethod
    def infer(cls, x: Any, y: Any) -> tuple[Shape, dtype]:
        for kind in (x.dtype, y.dtype):
            if kind.category in (Category.BOOL, Category.COMPLEX):
                raise RuntimeError(
                    f"Unsupported input type encountered for isin(): {kind.scalar_name}"
                )
        return x.shape, bool_

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x, y = operands
        if not batched[1]:
            return isin.of(x, y)
        x = x if batched[0] else x.expand((size, *x.shape))
        rows = reshape.of(x, (size, -1, 1)), reshape.of(y, (size, 1, -1))
        made: ArrayExpr = reshape.of(any_.of(eq.of(*rows), (2,), False), (size, *self.shape))
        return made

    samples = [
        (_X, np.array([2.0, 0.5])), (np.array(0.1), _X), (_X, np.array(-1.0)), (_X, np.zeros(0)),
        (np.array(0.5), np.array([0.5])),
    ]  # fmt: skip
