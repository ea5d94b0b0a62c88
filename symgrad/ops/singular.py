"""The singular value decomposition `x = U diag(s) Vh` of matrices.

Each of its three parts is a primitive. The derivatives are those of J. Townsend, "Differentiating
the singular value decomposition" (2016): with `P = Uh dx V`, off the diagonal

    Uh dU = F * (P S + S Ph),    Vh dV = F * (S P + Ph S),    F[i, j] = 1 / (s[j]**2 - s[i]**2),

and the parts of `dx` outside of the spaces of U and V change these spaces. The phases of
singular vectors of complex matrices are free: here the first entry of each row of Vh is positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import ArrayConst, Placeholder
from symgrad.expr.dtypes import Category, dtype, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.primitive import Computation, Cotangents, Primitive
from symgrad.ops.samples import TABLE
from symgrad.ops.where import where


class LinAlgError(RuntimeError):
    """Raised where a matrix cannot be decomposed."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"  # the name of the class in PyTorch


def check_decomposed(name: str, kind: dtype) -> None:
    """Raise PyTorch's error for a dtype whose matrices are not decomposed."""
    if kind.category < Category.FLOAT:
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {kind.scalar_name}"
        )
    if kind.itemsize == 2:
        raise RuntimeError(f"{name}: Low precision dtypes not supported. Got {kind.scalar_name}")


def _singular(x, *, part):  # type: ignore[no-untyped-def]
    if not np.isfinite(x).all():
        raise LinAlgError(
            "linalg.svd: The algorithm failed to converge because the input matrix contained "
            "non-finite values."
        )
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    if x.dtype.kind == "c" and x.shape[-1]:
        first = vh[..., :1]
        phase = np.where(first == 0, 1, first / np.where(first == 0, 1, np.abs(first)))
        u, vh = u * phase.swapaxes(-1, -2), vh / phase
    return (u, s, vh)[part]


_STACK = np.arange(12.0).reshape(2, 3, 2) ** 1.5 / 7 - 2
_WIDE = np.array([[1.0, 2.0, -0.5], [0.3, -1.0, 2.0]])


class _Singular(Primitive, abstract=True):
    """One part of the decomposition of the matrices of the last two axes."""

    internal = True
    kernel = Kernel.from_function(
        _singular, prelude=("class LinAlgError(RuntimeError):\n    pass\n",)
    )
    part: int

    @classmethod
    def infer(cls, x: Any) -> tuple[Shape, dtype]:
        check_decomposed("linalg.svd", x.dtype)
        *lead, m, n = x.shape
        return (*lead, *cls.shape_of(m, n, min(m, n))), cls.dtype_of(x.dtype)

    @classmethod
    def shape_of(cls, m: int, n: int, k: int) -> Shape:
        raise NotImplementedError

    @classmethod
    def dtype_of(cls, kind: dtype) -> dtype:
        return kind

    def implementation(self) -> Computation:
        return self.kernel, {"part": self.part}, self.operands

    def pushed(self, x: ArrayExpr, dx: ArrayExpr) -> ArrayExpr:
        """Return the tangent of this part where the matrix moves along `dx`."""
        raise NotImplementedError

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        dx = Placeholder("dx", x.shape, x.dtype)
        return vjp([self.pushed(x, dx)], [ct], [dx])

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        (dx,) = tangents
        return None if dx is None else self.pushed(self.operands[0], dx)

    samples = [(TABLE,), (_WIDE,), (_STACK,)]


def _adjoint(x: Any) -> Any:
    turned = x.mT
    return turned.conj() if x.dtype.is_complex else turned


def _inner(u: ArrayExpr, dx: ArrayExpr, vh: ArrayExpr) -> ArrayExpr:
    """Return the matrix of `dx` between the singular vectors."""
    made: ArrayExpr = _adjoint(u) @ dx @ _adjoint(vh)
    return made


def _gaps(s: Any) -> ArrayExpr:
    """Return `1 / (s[j]**2 - s[i]**2)` off the diagonal, and 0 on it."""
    on = ArrayConst(np.eye(s.shape[-1], dtype=bool))
    columns, rows = s.unsqueeze(-2), s.unsqueeze(-1)
    # The difference of squares as a product keeps the digits of values that are close.
    apart = (columns - rows) * (columns + rows)
    return where.of(on, 0, 1 / where.of(on, 1, apart))


class singular_values(_Singular):
    """The singular values, the largest first."""

    part = 1

    @classmethod
    def shape_of(cls, m: int, n: int, k: int) -> Shape:
        return (k,)

    @classmethod
    def dtype_of(cls, kind: dtype) -> dtype:
        return to_real(kind)

    def pushed(self, x: ArrayExpr, dx: ArrayExpr) -> ArrayExpr:
        moved: Any = _inner(left_singular.of(x), dx, right_singular.of(x))
        found: ArrayExpr = moved.diagonal(0, -2, -1)
        return found.real if found.dtype.is_complex else found


class left_singular(_Singular):
    """The left singular vectors, as columns."""

    part = 0

    @classmethod
    def shape_of(cls, m: int, n: int, k: int) -> Shape:
        return m, k

    def pushed(self, x: ArrayExpr, dx: ArrayExpr) -> ArrayExpr:
        u, vh = left_singular.of(x), right_singular.of(x)
        s: Any = singular_values.of(x)
        p: Any = _inner(u, dx, vh)
        rows, columns = s.unsqueeze(-1), s.unsqueeze(-2)
        turned = _gaps(s) * (p * columns + rows * _adjoint(p))
        if p.dtype.is_complex:
            _, phases = _right_pushed(u, s, vh, p, dx)
            phases = p.diagonal(0, -2, -1).imag / s - phases.squeeze(-1)
            turned = turned + 1j * phases.diag_embed()
        made: Any = u @ turned
        if x.shape[-2] > s.shape[-1]:  # the part outside of the space of U
            across: Any = dx @ _adjoint(vh)
            made = made + (across - u @ p) / columns
        return made  # type: ignore[no-any-return]


class right_singular(_Singular):
    """The right singular vectors, adjoint: as rows."""

    part = 2

    @classmethod
    def shape_of(cls, m: int, n: int, k: int) -> Shape:
        return k, n

    def pushed(self, x: ArrayExpr, dx: ArrayExpr) -> ArrayExpr:
        u, vh = left_singular.of(x), right_singular.of(x)
        s: Any = singular_values.of(x)
        made, phases = _right_pushed(u, s, vh, _inner(u, dx, vh), dx)
        return made if phases is None else made + 1j * phases * vh  # type: ignore[no-any-return]


def _right_pushed(u: Any, s: Any, vh: Any, p: Any, dx: Any) -> tuple[Any, Any]:
    """Return the tangent of Vh for constant phases, and the change of the phases."""
    rows, columns = s.unsqueeze(-1), s.unsqueeze(-2)
    # Vh is the adjoint of V, so the rotation of V stands on the left, with the other sign.
    made: Any = -(_gaps(s) * (rows * p + _adjoint(p) * columns)) @ vh
    if vh.shape[-1] > s.shape[-1]:  # the part outside of the space of V
        across: Any = _adjoint(u) @ dx
        made = made + (across - p @ vh) / rows
    if not vh.dtype.is_complex:
        return made, None
    first = vh[..., :1].real
    return made, where.of(first.eq(0), 0, -made[..., :1].imag / where.of(first.eq(0), 1, first))
