"""Conversion to other element types: `to` in all its forms, and the methods named after dtypes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr import dtypes
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.expr.shapes import Shape
from symgrad.expr.written import parameter_text
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Computation, Primitive
from symgrad.ops.samples import GRID
from symgrad.ops.zeros import Zeros


def converted(x: Any, to: np.dtype[Any]) -> Any:
    """Return an array or number as an array of another dtype; integers wrap around."""
    x = np.asarray(x)
    x = x.real if x.dtype.kind == "c" and to.kind in "iuf" else x
    # An axis of stride 0, with order="K", would become the first one in memory.
    return x.astype(to, order="C" if 0 in x.strides else "K")


CONVERT = Kernel("astype", converted, "np.asarray({0}).astype({to})", rows=local)
# NumPy would warn that the imaginary part is dropped; the public function gives PyTorch's warning.
CONVERT_REAL = Kernel("astype", converted, "np.real({0}).astype({to})", rows=local)


class cast(Elementwise):
    """Conversion to another dtype."""

    keeps_zeros = Zeros.FIRST
    poles = ()
    ulps = 0
    params = ("to_dtype",)
    layout = "first"
    converts = False
    cut = (
        "a conversion{at} to a dtype that has no gradient, which",
        "Keep a floating-point or complex dtype.",
    )

    @classmethod
    def infer(cls, x: Any, to_dtype: dtype) -> tuple[Shape, dtype]:
        return x.shape, to_dtype

    kernel = CONVERT

    def implementation(self) -> Computation:
        kernel = self.kernel
        if self.operands[0].dtype.is_complex and self.to_dtype.category in (
            Category.INT,
            Category.FLOAT,
        ):
            kernel = CONVERT_REAL
        return kernel, {"to": self.to_dtype.numpy}, self.operands

    def sums_to_one(self) -> bool:
        (x,) = self.operands
        return isinstance(x, Primitive) and x.sums_to_one()

    def element(self, *operands: Any) -> Any:
        (x,), kind, given = operands, self.dtype, self.operands[0].dtype
        if kind is given or kind.category > given.category > Category.BOOL:
            return x
        if given is dtypes.bool_:
            return sympy.Piecewise((1, x), (0, True))
        if given.is_complex and not kind.is_complex:
            x = sympy.re(x)
        if kind is dtypes.bool_:
            return sympy.Ne(x, 0)
        if kind.category == Category.INT and given.category == Category.INT:
            # A number that `kind` is too short for wraps around.
            low = -(1 << 8 * kind.itemsize - 1) if kind.is_signed else 0
            return sympy.Mod(x - low, 1 << 8 * kind.itemsize) + low
        if kind.category == Category.INT:
            return sympy.sign(x) * sympy.floor(sympy.Abs(x))
        return x

    def notation(self) -> Notation:
        text = f"{{0}}.to({parameter_text(self.to_dtype)})"
        return Notation(text, "", operands=(Precedence.ATOM,), typeset=self._on_paper())

    def _on_paper(self) -> Latex:
        """Return the form in LaTeX, which shows what happens to values and not how they are kept."""
        given, kind = self.operands[0].dtype, self.to_dtype
        if given is not kind and kind.category == Category.BOOL:
            return Latex(r"{0} \neq 0", Precedence.COMPARE, (Precedence.COMPARE + 1,))
        if given is not kind and given.category == Category.BOOL:
            return Latex(r"\left[{0}\right]")
        if given.is_complex and not kind.is_complex:
            whole = r"\operatorname{{re}}\left({0}\right)"
            return Latex(
                rf"\operatorname{{{{trunc}}}}\left({whole}\right)"
                if kind.category == Category.INT
                else whole
            )
        if given.category > kind.category:
            return Latex(r"\operatorname{{trunc}}\left({0}\right)")
        return Latex("{0}")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (1 if self.to_dtype.differentiable else 0,)

    samples = [(GRID, dtypes.float64), (GRID, dtypes.float32)]


def _is_array(x: Any) -> bool:
    return isinstance(getattr(x, "dtype", None), dtype)
