"""The singular value decomposition `x = U diag(s) Vh` of matrices.

Its three parts are the results of one operation. The derivatives are those of J. Townsend,
"Differentiating the singular value decomposition" (2016): with `P = Uh dx V`, off the diagonal

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
from symgrad.expr.dtypes import to_real
from symgrad.expr.node import ArrayExpr
from symgrad.ops.linear_algebra import LinAlgError, adjoint, check_decomposed
from symgrad.ops.primitive import Cotangents
from symgrad.ops.results import Several
from symgrad.ops.samples import TABLE
from symgrad.ops.selection import definitions
from symgrad.ops.where import where


def decomposed(x):  # type: ignore[no-untyped-def]
    """Return the parts U, S and Vh of matrices."""
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
    return u, s, vh


#: What a kernel needs that calls it.
DECOMPOSED = definitions(decomposed, prelude=("class LinAlgError(RuntimeError):\n    pass\n",))

_STACK = np.arange(12.0).reshape(2, 3, 2) ** 1.5 / 7 - 2
_WIDE = np.array([[1.0, 2.0, -0.5], [0.3, -1.0, 2.0]])


class svd(Several):
    """The parts of `x = U diag(S) Vh` for the matrices of the last two axes, the largest S first."""

    internal = True
    results = ("U", "S", "Vh")
    kernel = Kernel.from_function(decomposed, prelude=DECOMPOSED[:-1])

    @classmethod
    def infer(cls, *args: Any) -> tuple[Any, Any]:
        (x,) = args
        check_decomposed("linalg.svd", x.dtype)
        *lead, m, n = x.shape
        k = min(m, n)
        return ((*lead, m, k), (*lead, k), (*lead, k, n)), (x.dtype, to_real(x.dtype), x.dtype)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        dx = Placeholder("dx", x.shape, x.dtype)
        given = [(self._pushed(i, dx), ct) for i, ct in enumerate(cts) if ct is not None]
        tangents, cotangents = zip(*given, strict=True)
        return vjp(tangents, cotangents, [dx])

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Sequence[ArrayExpr | None]:
        (dx,) = tangents
        return [None if dx is None else self._pushed(i, dx) for i in range(3)]

    def _pushed(self, index: int, dx: ArrayExpr) -> ArrayExpr:
        """Return the tangent of a result where the matrix moves along `dx`."""
        u, s, vh = self
        moved: Any = adjoint(u) @ dx @ adjoint(vh)  # between the singular vectors
        if index == 1:
            values: ArrayExpr = moved.diagonal(0, -2, -1)
            return values.real if values.dtype.is_complex else values
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
    if p.dtype.is_complex:
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
    if not vh.dtype.is_complex:
        return made, None
    first = vh[..., :1].real
    return made, where.of(first.eq(0), 0, -made[..., :1].imag / where.of(first.eq(0), 1, first))
