"""The singular value decomposition `x = U diag(s) Vh` of matrices.

Its three parts are the results of one operation. The derivatives are those of J. Townsend,
"Differentiating the singular value decomposition" (2016): with `P = Uh dx V`, off the diagonal

    Uh dU = F * (P S + S Ph),    Vh dV = F * (S P + Ph S),    F[i, j] = 1 / (s[j]**2 - s[i]**2),

and the parts of `dx` outside of the spaces of U and V change these spaces. The phases of
singular vectors of complex matrices are free: here the first entry of each row of Vh is positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from numeric.kernel import Kernel
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import ArrayConst, Placeholder
from symgrad.expr.dtypes import dtype, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence, Text
from symgrad.expr.shapes import Shape
from symgrad.ops.frechet import KnownFunction, singular_frechet
from symgrad.ops.linear_algebra import LinAlgError, MatrixOperation, adjoint, over_stack
from symgrad.ops.primitive import Cotangents
from symgrad.ops.results import Several
from symgrad.ops.samples import TABLE
from symgrad.ops.selection import definitions
from symgrad.ops.solving import solve
from symgrad.ops.spectra import (
    Moved,
    Spectral,
    WithLimits,
    all_alike,
    between,
    divided,
    off_diagonal,
    phases_kept,
    total,
    with_real_rows,
)
from symgrad.ops.where import where


def decomposed(x):  # type: ignore[no-untyped-def]
    """Return the parts U, S and Vh of matrices."""
    if not np.isfinite(x).all():
        raise LinAlgError(
            "linalg.svd: The algorithm failed to converge because the input matrix contained "
            "non-finite values."
        )
    u, s, vh = over_stack(lambda x: np.linalg.svd(x, False), x)  # type: ignore[no-untyped-call]
    if x.dtype.kind == "c" and x.shape[-1]:
        first = vh[..., :1]
        phase = np.where(first == 0, 1, first / np.where(first == 0, 1, np.abs(first)))
        u, vh = u * phase.swapaxes(-1, -2), vh / phase
    return u, s, vh


#: What a kernel needs that calls it.
DECOMPOSED = definitions(
    over_stack, decomposed, prelude=("class LinAlgError(RuntimeError):\n    pass\n",)
)

_STACK = np.arange(12.0).reshape(2, 3, 2) ** 1.5 / 7 - 2
_WIDE = np.array([[1.0, 2.0, -0.5], [0.3, -1.0, 2.0]])


class singular_spectral(Spectral):
    """`U diag(g) Vh`, the cotangent of a matrix for the cotangent g of its singular values.

    Where the matrix moves along dx, with `P = Uh dx V`, it moves by `U (D * S + E * K) Vh` with the
    Hermitian and the other part of P, the divided differences D of g, and the sums of g over those
    of the singular values E; and outside of the spaces of U and V by the quotients of g.
    """

    unreached: ClassVar[tuple[int, ...]] = (1, 2, 3)

    @classmethod
    def composed(cls, g: Any, u: Any, s: Any, vh: Any, *rest: Any) -> Any:
        return u @ (g.unsqueeze(-1) * vh)

    def moved_by(self, dx: Any) -> Any:
        g, u, s, vh, *_ = self.operands
        back, v = adjoint(u), adjoint(vh)
        along: Any = back @ dx @ v
        limit = self.limit()
        sums = divided(g, s, limit, plus=True)
        inner = off_diagonal(divided(g, s, limit)) * (along + adjoint(along))
        made: Any = u @ (inner + sums * (along - adjoint(along))) @ vh / 2
        over = sums.diagonal(0, -2, -1)
        if u.shape[-2] > s.shape[-1]:
            made = made + (over.unsqueeze(-2) * (dx @ v - u @ along)) @ vh
        if vh.shape[-1] > s.shape[-1]:
            made = made + u @ (over.unsqueeze(-1) * (back @ dx - along @ vh))
        return made

    def notation(self) -> Notation:
        levels = (Precedence.ATOM, Precedence.PRODUCT, 0, Precedence.PRODUCT + 1)
        if all_alike(self.operands[0], 1):
            return Notation("{1} @ {3}", "{1} {3}", Precedence.PRODUCT, levels)
        return Notation(
            "{1} @ ({0}[..., None] * {3})",
            r"{1} \operatorname{{diag}}\left({0}\right) {3}",
            Precedence.PRODUCT,
            levels,
        )


class singular_spectral_with_limits(WithLimits, singular_spectral):
    """`U diag(g) Vh`, whose tangent can be computed of arrays."""

    unreached: ClassVar[tuple[int, ...]] = (1, 2, 3, 4)


singular_spectral.with_limits = singular_spectral_with_limits


class function_by_singular_vectors(KnownFunction, singular_spectral):
    """The same, where each element of g is a function of the same singular value alone."""

    at_values = 2
    at_matrix = 4
    unreached: ClassVar[tuple[int, ...]] = (0, 1, 2, 3)
    derivative = singular_frechet


singular_spectral.known = function_by_singular_vectors


class moved_singular(Moved):
    """The tangent of the singular values of a matrix."""

    unreached: ClassVar[tuple[int, ...]] = (1, 2, 3)
    pulls_back_as = singular_spectral

    @classmethod
    def composed(cls, dx: Any, u: Any, s: Any, vh: Any, x: Any) -> Any:
        return between(u, dx, adjoint(vh))

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Any:
        dx, u, _, vh, _ = self.operands
        again, left, _, right, _ = tangents
        return total(
            [
                None if again is None else self.of(again, *self.operands[1:]),
                None if left is None else between(left, dx, adjoint(vh)),
                None if right is None else between(u, dx, adjoint(right)),
            ]
        )


singular_spectral.pulls_back_as = moved_singular


class thin_svd(MatrixOperation, Several):
    """The parts of `x = U diag(S) Vh` for the matrices of the last two axes, the largest S first."""

    called = "linalg.svd"
    kernel_name = "linalg_svd_cpu"
    of_squares = False
    results = ("U", "S", "Vh")
    #: Which results are matrices of vectors.
    vectors: ClassVar[tuple[int, ...]] = (0, 2)
    keeps = (0,)  # which derivatives of derivatives read
    kernel = Kernel.from_function(decomposed, prelude=DECOMPOSED[:-1])

    def public_text(self) -> Text:
        return Text("linalg.svd({0}, full_matrices=False)")

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        (m, n), k = size, min(size)
        return ((*lead, m, k), (*lead, k), (*lead, k, n)), (kind, to_real(kind), kind)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        u, of_values, vh = cts
        found: Any = None
        if of_values is not None:
            found = singular_spectral.function(of_values, *self, x)
        if u is not None or vh is not None:
            dx = Placeholder("dx", x.shape, x.dtype)
            given = [(self._pushed(i, dx), ct) for i, ct in ((0, u), (2, vh)) if ct is not None]
            tangents, cotangents = zip(*given, strict=True)
            (back,) = vjp(tangents, cotangents, [dx])
            found = back if found is None else found + back
        return (found,)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Sequence[ArrayExpr | None]:
        (dx,) = tangents
        return [None if dx is None else self._pushed(i, dx) for i in range(3)]

    def _pushed(self, index: int, dx: ArrayExpr) -> ArrayExpr:
        """Return the tangent of a result where the matrix moves along `dx`."""
        u, s, vh = self
        if index == 1:
            values: ArrayExpr = moved_singular.of(dx, *self, *self.operands)
            return values
        moved: Any = adjoint(u) @ dx @ adjoint(vh)  # between the singular vectors
        made: ArrayExpr = (_right_pushed if index else _left_pushed)(u, s, vh, moved, dx)
        return made

    samples = [(TABLE,), (_WIDE,), (_STACK,)]


def _gaps(s: Any) -> ArrayExpr:
    """Return `1 / (s[j]**2 - s[i]**2)` off the diagonal, and 0 on it."""
    on = ArrayConst(np.eye(s.shape[-1], dtype=bool))
    columns, rows = s.unsqueeze(-2), s.unsqueeze(-1)
    # The difference of squares as a product keeps the digits of values that are close.
    apart = (columns - rows) * (columns + rows)
    return where.of(on, 0, 1 / where.of(on, 1, apart))


def _left_pushed(u: Any, s: Any, vh: Any, p: Any, dx: Any) -> Any:
    """Return the tangent of U."""
    rows, columns = s.unsqueeze(-1), s.unsqueeze(-2)
    turned = _gaps(s) * (p * columns + rows * adjoint(p))
    if p.dtype.is_complex and vh.shape[-1]:  # rows without elements have no phases
        _, phases = _turned_right(u, s, vh, p, dx)
        phases = p.diagonal(0, -2, -1).imag / s - phases.squeeze(-1)
        turned = turned + 1j * phases.diag_embed()
    made = u @ turned
    if u.shape[-2] > s.shape[-1]:  # the part outside of the space of U
        made = made + (dx @ adjoint(vh) - u @ p) / columns
    return made


def _right_pushed(u: Any, s: Any, vh: Any, p: Any, dx: Any) -> Any:
    """Return the tangent of Vh."""
    made, phases = _turned_right(u, s, vh, p, dx)
    return made if phases is None else made + 1j * phases * vh


def _turned_right(u: Any, s: Any, vh: Any, p: Any, dx: Any) -> tuple[Any, Any]:
    """Return the tangent of Vh for constant phases, and the change of the phases."""
    rows, columns = s.unsqueeze(-1), s.unsqueeze(-2)
    # Vh is the adjoint of V, so the rotation of V stands on the left, with the other sign.
    made: Any = -(_gaps(s) * (rows * p + adjoint(p) * columns)) @ vh
    if vh.shape[-1] > s.shape[-1]:  # the part outside of the space of V
        made = made + (adjoint(u) @ dx - p @ vh) / rows
    if not (vh.dtype.is_complex and vh.shape[-1]):
        return made, None
    first = vh[..., :1].real
    return made, where.of(first.eq(0), 0, -made[..., :1].imag / where.of(first.eq(0), 1, first))


# ------------------------------------------------------------------ complements


def _complement(x):  # type: ignore[no-untyped-def]
    whole, _ = np.linalg.qr(x, mode="complete")
    return with_real_rows(whole[..., x.shape[-1] :])  # type: ignore[no-untyped-call]


class complement(MatrixOperation):
    """Orthonormal columns N that are orthogonal to those of a matrix, which are independent.

    Several columns may be rotated into others that serve as well. The derivative is that of columns
    that do not turn among themselves: `dN = -X (Xh X)^-1 dXh N`. Functions that no rotation changes
    have it right.
    """

    internal = True
    called = "linalg.svd"
    of_squares = False
    kernel = Kernel.from_function(_complement, prelude=definitions(with_real_rows))

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        m, n = size
        return (*lead, m, m - n), kind

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        dx: Any = Placeholder("dx", x.shape, x.dtype)
        return vjp([self._pushed(dx)], [ct], [dx])

    def jvp(self, tangents: Sequence[Any]) -> Any:
        (dx,) = tangents
        return None if dx is None else self._pushed(dx)

    def _pushed(self, dx: Any) -> Any:
        x: Any = self.operands[0]
        return phases_kept(self, -(x @ solve.of(adjoint(x) @ x, adjoint(dx) @ self)))

    samples = [(TABLE.T,), (_STACK,)]
