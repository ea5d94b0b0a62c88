"""The parts of complex numbers: real and imaginary part, conjugate, angle.

The modulus is in `signs`; how complex numbers are made of parts is in `complexes`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import dtype, to_float, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.ops.kinds import Passing
from symgrad.ops.primitive import Computation
from symgrad.ops.terms import Terms
from symgrad.ops.where import where
from symgrad.ops.zeros import Zeros


class conj(Passing):
    """The complex conjugate."""

    keeps_zeros = Zeros.FIRST
    poles = ()
    ulps = 0
    scalar = sympy.conjugate
    kernel = Kernel.from_ufunc(np.conjugate, name="conj")
    printed = Notation("conj({0})", r"\overline{{{0}}}")

    def passed(self, i: int, t: ArrayExpr) -> Any:
        return t.conj()

    def scalable_operand(self) -> int | None:
        return 0  # the number is real

    def terms(self, b: Terms) -> Any:
        (x,) = self.operands
        form = b.operand(x, self.dtype)
        return b.of_each_term(form, conj.of) if form.is_sparse() else None

    samples = [(np.array([0.3 - 0.4j, -1.0 + 2j]),), (np.array(1j),)]


class _OfComplex(Passing, abstract=True):
    """A real function of complex numbers.

    Of a real formula it is written where SymPy does not know that the formula is real.
    """

    poles: ClassVar[tuple[int, ...] | None] = ()
    converts = False

    @classmethod
    def result_kind(cls, promoted: dtype) -> dtype:
        return to_real(promoted)

    samples = [(np.array([0.3 - 0.4j, -1.0 + 2j]),), (np.array(1 + 1j),)]


class _Part(_OfComplex, abstract=True):
    """The real or the imaginary part."""

    ulps = 0
    internal = True
    is_view = True

    def call_text(self, operation: bool = False) -> str:
        if self.operands[0].dtype.is_complex:
            return super().call_text(operation)
        # Of a real formula the public functions are that formula, and an error.
        return f"elementwise(sympy.{self.scalar.__name__})({{0}})"


class real(_Part):
    """The real part."""

    keeps_zeros = Zeros.FIRST
    scalar = of_sympy = sympy.re
    kernel = Kernel("real", np.real, "np.real({0})", view=True, rows=local)

    def passed(self, i: int, t: ArrayExpr) -> Any:
        return t.real

    def pulled(self, i: int, ct: ArrayExpr) -> Any:
        return ct.to(self.operands[0].dtype)


class imag(_Part):
    """The imaginary part."""

    keeps_zeros = Zeros.FIRST
    scalar = of_sympy = sympy.im
    kernel = Kernel("imag", np.imag, "np.imag({0})", view=True, rows=local)

    def passed(self, i: int, t: ArrayExpr) -> Any:
        return t.imag if t.dtype.is_complex else None

    def pulled(self, i: int, ct: ArrayExpr) -> Any:
        kind = self.operands[0].dtype
        return ct.to(kind) * 1j if kind.is_complex else None


class angle(_OfComplex):
    """Return the argument of each element of `input`; of real ones 0 or pi, nan for nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.angle(torch.tensor([1j, -1 + 0j, 1 - 1j]))
    tensor([ 1.5708,  3.1416, -0.7854])
    >>> torch.angle(torch.tensor([2.0, -2.0]))
    tensor([0.0000, 3.1416])
    """

    in_place = "none"
    ulps = 4
    scalar = sympy.arg

    def result_layout(self) -> str:
        return "axes" if self.operands[0].dtype.is_complex else "kernel"

    kernel = Kernel("angle", np.angle, "np.angle({0})", rows=local)

    @classmethod
    def result_kind(cls, promoted: dtype) -> dtype:
        return to_real(to_float(promoted))

    def implementation(self) -> Computation:
        if self.operands[0].dtype.is_complex:
            return self.kernel, {}, self.operands
        return _REAL_ANGLE, {"to": self.dtype.numpy}, self.operands

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        (x,) = self.operands
        return where.of(x.eq(0), 0, (t / x).imag) if x.dtype.is_complex else None

    def pulled(self, i: int, ct: ArrayExpr) -> ArrayExpr | None:
        (x,) = self.operands
        return where.of(x.eq(0), 0, ct * 1j / x.conj()) if x.dtype.is_complex else None


_REAL_ANGLE = Kernel(
    "angle",
    lambda x, to: np.where(np.isnan(x), x, np.where(x < 0, np.pi, 0)).astype(to),
    "np.where(np.isnan({0}), {0}, np.where({0} < 0, np.pi, 0)).astype({to})",
    rows=local,
)
