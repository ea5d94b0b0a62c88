"""Functions of the representation of floats: exponents of two, neighbours, double precision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, bool_, dtype, int32, no_kernel
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.elementwise import scaled
from symgrad.ops.kinds import Choosing, Passing
from symgrad.ops.primitive import Computation, Cotangents
from symgrad.ops.results import Several
from symgrad.ops.samples import ANY, COLUMN
from symgrad.ops.where import where


class ldexp(Passing):
    """Return `input * 2**other`, broadcast; exact of floats and integer exponents.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.ldexp(torch.tensor([1.0, 3.0]), torch.tensor([3, -1]))
    tensor([8.0000, 1.5000])
    >>> torch.ldexp(torch.tensor([1e-30]), torch.tensor([200]))
    tensor([1.6069e+30])
    """

    in_place = "function"
    ulps = 4
    result = "float"
    scalar = lambda x, y: x * 2**y  # noqa: E731
    kernel = Kernel("ldexp", lambda x, y: x * 2.0**y, "{0} * 2.0**{1}", rows=local)

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, y = operands
        if x.dtype.is_floating_point and y.dtype.category == Category.BOOL:
            raise no_kernel("ldexp_cpu_exp", bool_)
        return super().infer(*operands)

    @property
    def _exact(self) -> bool:
        """Whether a float is scaled by an integer power."""
        x, y = self.operands
        whole = y.dtype.category == Category.INT
        return whole and x.dtype is self.dtype and self.dtype.is_floating_point

    def compute_dtype(self) -> dtype | None:
        return None if self._exact else self.dtype

    def implementation(self) -> Computation:
        return (_EXACT if self._exact else self.kernel), {}, self.operands

    def _raised(self, t: ArrayExpr, exponent: ArrayExpr) -> ArrayExpr:
        # A weak number has no precision of its own, and would get the default one beside an integer.
        return ldexp.of(t.to(self.dtype) if t.weak else t, exponent)

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        return self._raised(t, self.operands[1]) if i == 0 else t * (self * sympy.log(2))

    def pulled(self, i: int, ct: ArrayExpr) -> ArrayExpr | None:
        y = self.operands[1]
        if i == 1:
            return scaled(ct, self * sympy.log(2), conjugate=True)
        return self._raised(ct, y.conj() if y.dtype.is_complex else y)

    samples = [(ANY, COLUMN), (ANY, np.array([3, 0, -2])), (np.array(0.7), np.array(1.3))]


_EXACT = Kernel.from_ufunc(np.ldexp)


class nextafter(Choosing):
    """Return the number next to `input` in the direction of `other`, broadcast.

    The derivative with respect to `input` is 1, and 0 where both are equal.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 1.0])
    >>> torch.nextafter(x, torch.tensor([2.0, 0.0])) - x
    tensor([ 1.1921e-07, -5.9605e-08])
    """

    ulps = 0
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    kernel = Kernel.from_ufunc(np.nextafter)

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        x, y = self.operands
        return None if i else where.of(x.eq(y), 0, t)

    samples = [(ANY, COLUMN), (np.array([0.7, 1.5]), np.array(1.5))]


def _frexp(x):  # type: ignore[no-untyped-def]
    mantissa, exponent = np.frexp(x)
    # What C makes of the exponent of a number that is not finite is left to it.
    return mantissa, exponent * np.isfinite(x)


class frexp(Several):
    """The mantissa of floats, from a half up to but without one in size, and the exponent of two."""

    results = ("mantissa", "exponent")
    layout = "kernel"
    kernel = Kernel.from_function(_frexp, rows=local)

    @classmethod
    def infer(cls, x: Any) -> tuple[Any, Any]:
        if not x.dtype.is_floating_point:
            raise RuntimeError("torch.frexp() only supports floating-point dtypes")
        return (x.shape, x.shape), (x.dtype, int32)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        ct = cts[0]
        assert ct is not None, "exponents have no derivative"
        return (ct * (-self[1]).to(ct.dtype).exp2(),)

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> Any:
        return frexp(*operands)

    samples = [(ANY,), (np.array(0.7),)]
