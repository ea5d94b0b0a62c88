"""The larger or smaller of two: `maximum`, `minimum`, and `fmax`, `fmin`, which ignore nan.

The extremes along axes are in `extrema`, bounds on values in `clipping`.
"""

from __future__ import annotations

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.ops.kinds import Choosing
from symgrad.ops.samples import ANY, COLUMN
from symgrad.ops.where import where


class _OfTwo(Choosing, abstract=True):
    """A function that selects one of two ordered numbers."""

    arity = 2
    refuses = (Category.COMPLEX,)

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        return RuntimeError(f"{cls.__name__} not implemented for complex tensors.")

    samples = [(ANY, COLUMN), (np.array([1.0, 2.0]), np.array([1.0, 3.0])), (ANY, np.array(0.1))]


class _Extreme(_OfTwo, abstract=True):
    """The larger or smaller of two; at a tie each gets half of the cotangent."""

    in_place = "none"

    def loses(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        """Where `x` is not chosen over `y`."""
        raise NotImplementedError

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        x, y = self.operands
        shared = where.of(x.eq(y), t / 2, t)  # the same node for both operands
        return where.of(self.loses(y, x) if i else self.loses(x, y), 0, shared)


class maximum(_Extreme):
    """Return the larger of `input` and `other`, nan where either is; equals share the gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 5.0], requires_grad=True)
    >>> torch.maximum(x, torch.tensor([1.0, 2.0])).sum().backward()
    >>> x.grad
    tensor([0.5000, 1.0000])
    """

    nonnegative = "operands"
    ulps = 0
    scalar = of_sympy = sympy.Max
    kernel = Kernel.from_ufunc(np.maximum)

    def loses(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        return x < y


class minimum(_Extreme):
    """Return the smaller of `input` and `other`, nan where either is; equals share the gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.minimum(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
    tensor([1., nan])
    """

    ulps = 0
    scalar = of_sympy = sympy.Min
    kernel = Kernel.from_ufunc(np.minimum)

    def loses(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        return x > y


class _Preferred(_OfTwo, abstract=True):
    """The larger or smaller of two that is a number; a tie goes to the first."""

    in_place = "none"

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        x, y = self.operands
        first = self.beats(x, y).logical_or(y.isnan())
        return where.of(first, t, 0) if i == 0 else where.of(first, 0, t)

    def beats(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        """Where `x` is chosen over `y`, neither being nan."""
        raise NotImplementedError


class fmax(_Preferred):
    """Return the larger of `input` and `other`, broadcast; the other one where one is nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fmax(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
    tensor([3., 2.])
    """

    ulps = 0
    scalar = sympy.Max
    kernel = Kernel.from_ufunc(np.fmax)

    def beats(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        return x >= y


class fmin(_Preferred):
    """Return the smaller of `input` and `other`, broadcast; the other one where one is nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fmin(torch.tensor([1.0, float("nan")]), torch.tensor([3.0, 2.0]))
    tensor([1., 2.])
    """

    ulps = 0
    scalar = sympy.Min
    kernel = Kernel.from_ufunc(np.fmin)

    def beats(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        return x <= y
