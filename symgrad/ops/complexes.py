"""Complex numbers made of real ones, and seen as pairs of real ones.

Conjugates are computed at once: what PyTorch calls a conjugated or negated view does not exist.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.atoms import as_expr
from symgrad.expr.dtypes import Category, complex64, complex128, dtype, float32, float64, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.entries import Index, Indices, Reading, by_cases
from symgrad.ops.primitive import Cotangents, Linear
from symgrad.ops.samples import ANY
from symgrad.ops.zeros import Zeros

_COMPLEX_OF = {float32: complex64, float64: complex128}
_Z = np.array([1.5 - 0.5j, 0.25 + 2j])


def _from_parts(re, im):  # type: ignore[no-untyped-def]
    out = np.empty(np.broadcast_shapes(re.shape, im.shape), np.result_type(re, 1j))
    out.real, out.imag = re, im
    return out


class from_parts(Elementwise):
    """The complex numbers with the given real and imaginary parts."""

    keeps_zeros = Zeros.TERMS
    layout = "first"
    internal = True
    scalar = lambda x, y: x + sympy.I * y  # noqa: E731
    kernel = Kernel.from_function(
        _from_parts,
        rows=local,
        number_systems={"sympy": lambda x, y: x + np.frompyfunc(lambda v: sympy.I * v, 1, 1)(y)},
    )
    converts = False
    printed = Notation(
        "complex({0}, {1})",
        r"{0} + \mathrm{{i}} \, {1}",
        Precedence.ATOM,
        typeset=Latex(
            r"{0} + \mathrm{{i}} \, {1}",
            Precedence.SUM,
            (Precedence.SUM, Precedence.PRODUCT + 1),
        ),
    )

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, y = operands
        if x.dtype not in _COMPLEX_OF or y.dtype not in _COMPLEX_OF:
            raise RuntimeError(
                "Expected both inputs to be Half, Float or Double tensors but got "
                f"{x.dtype.scalar_name} and {y.dtype.scalar_name}"
            )
        if x.dtype is not y.dtype:
            raise RuntimeError(
                f"Expected object of scalar type {x.dtype.scalar_name} but got scalar type "
                f"{y.dtype.scalar_name} for second argument"
            )
        return broadcast_shapes(x.shape, y.shape), _COMPLEX_OF[x.dtype]

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return ct.real if needs[0] else None, ct.imag if needs[1] else None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        if tangents[0] is None and tangents[1] is None:
            return None
        zero = as_expr(np.zeros((), to_real(self.dtype).numpy))
        return from_parts.of(*[zero if t is None else t for t in tangents])

    samples = [(ANY, np.array([[1.5], [-0.4]])), (np.array(0.5), np.array(0.25))]


def _polar_form(size, angle):  # type: ignore[no-untyped-def]
    out = np.empty(np.broadcast_shapes(np.shape(size), np.shape(angle)), np.result_type(size, 1j))
    out.real, out.imag = size * np.cos(angle), size * np.sin(angle)
    return out


class polar(from_parts):
    """The complex numbers of the given moduli and angles."""

    internal = True
    scalar = lambda x, y: x * sympy.exp(sympy.I * y)  # noqa: E731
    kernel = Kernel.from_function(
        _polar_form,
        rows=local,
        number_systems={"sympy": np.frompyfunc(lambda x, y: x * sympy.exp(sympy.I * y), 2, 1)},
    )
    printed = Notation("polar({0}, {1})", r"\operatorname{{polar}}\left({0}, {1}\right)")

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        _, angle = self.operands
        along = ct.real * angle.cos() + ct.imag * angle.sin() if needs[0] else None
        return along, (self.conj() * ct).imag if needs[1] else None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        _, angle = self.operands
        out, turned = tangents
        along = None if out is None else polar.of(out, angle)
        across = None if turned is None else self * (turned * 1j)
        return along if across is None else across if along is None else along + across


class _View(Linear, abstract=True):
    """The same numbers under the other type, in the same memory."""

    internal = True
    is_view = True


def _as_real(z):  # type: ignore[no-untyped-def]
    parts = np.asarray(z).real
    strides = (*parts.strides, parts.itemsize)
    return np.lib.stride_tricks.as_strided(parts, (*parts.shape, 2), strides)


def _as_complex(x):  # type: ignore[no-untyped-def]
    if x.strides[-1] != x.itemsize or not x.dtype.isnative:
        # A derivative, or an array of another library, may lie in another order in memory: it is copied.
        x = np.ascontiguousarray(x, x.dtype.type)
    return x.view(np.result_type(x, 1j))[..., 0]


def _parts_of_formulas(z: Any) -> Any:
    return np.stack([np.frompyfunc(f, 1, 1)(z) for f in (sympy.re, sympy.im)], -1)


class view_as_real(_View):
    """Complex numbers as pairs of real ones along a new last axis."""

    kernel = Kernel.from_function(_as_real, view=True, number_systems={"sympy": _parts_of_formulas})

    @classmethod
    def infer(cls, z: Any) -> tuple[Shape, dtype]:
        if not z.dtype.is_complex:
            raise RuntimeError("view_as_real is only supported for complex tensors")
        return (*z.shape, 2), to_real(z.dtype)

    def entry(self, index: Index, b: Indices) -> Reading:
        *outer, part = index
        z = yield self.operands[0], outer
        return by_cases([(sympy.re(z), sympy.Eq(part, 0)), (sympy.im(z), True)])

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return view_as_complex.of(ct)

    samples = [(_Z,), (np.array(1 - 2j),)]


class view_as_complex(_View):
    """Pairs of real numbers along the last axis as complex ones."""

    kernel = Kernel.from_function(
        _as_complex,
        view=True,
        number_systems={"sympy": lambda x: x[..., 0] + x[..., 1] * sympy.I},
    )

    @classmethod
    def infer(cls, x: Any) -> tuple[Shape, dtype]:
        if x.dtype.category != Category.FLOAT:
            raise RuntimeError(
                "view_as_complex is only supported for half, float and double tensors, but got a "
                f"tensor of scalar type: {x.dtype.scalar_name}"
            )
        if not x.shape:
            raise RuntimeError("Input tensor must have one or more dimensions")
        if x.shape[-1] != 2:
            raise RuntimeError("Tensor must have a last dimension of size 2")
        return x.shape[:-1], _COMPLEX_OF[x.dtype]

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        real = yield x, [*index, 0]
        return real + sympy.I * (yield x, [*index, 1])

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return view_as_real.of(ct)

    samples = [(np.array([[0.5, 1.0], [-2.0, 0.25]]),), (np.array([0.5, -1.0]),)]
