"""The factorisation of matrices into an orthogonal and a triangular one.

With `W = Qh dA R1^-1`, R1 the square part of R, the tangents are

    dR = Qh dA - T R,    dQ = (dA1 - Q dR1) R1^-1,

where T, which is `Qh dQ`, is skew-Hermitian and has the lower triangle of W. (F. Sebastian et al.,
"On the differentiation of the QR decomposition", 2017.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Placeholder
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.linear_algebra import STACK, THREE, MatrixOperation, adjoint
from symgrad.ops.primitive import Cotangents
from symgrad.ops.results import Several
from symgrad.ops.solving import solve_triangular
from symgrad.ops.triangular import tril


class qr(MatrixOperation, Several):
    """The factors of `A = Q R`: orthonormal columns, and an upper triangular matrix.

    The diagonal of R is real; its signs are those that LAPACK gives.
    """

    called = "linalg.qr"
    kernel_name = "geqrf_cpu"
    of_squares = False
    results = ("Q", "R")
    kernel = Kernel("qr", lambda x: tuple(np.linalg.qr(x)), "tuple(np.linalg.qr({0}))")

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        (m, n), k = size, min(size)
        return ((*lead, m, k), (*lead, k, n)), (kind, kind)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        dx = Placeholder("dx", x.shape, x.dtype)
        given = [(y, ct) for y, ct in zip(self._pushed(dx), cts, strict=True) if ct is not None]
        tangents, cotangents = zip(*given, strict=True)
        return vjp(tangents, cotangents, [dx])

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Sequence[ArrayExpr | None]:
        (dx,) = tangents
        return [None, None] if dx is None else self._pushed(dx)

    def _pushed(self, dx: Any) -> Sequence[Any]:
        q, r = self
        k = q.shape[-1]
        square: Any = r[..., :k]
        across: Any = adjoint(q) @ dx
        turned = _divided(across[..., :k], square)
        below = tril.of(turned, -1)
        skew: Any = below - adjoint(below)
        if q.dtype.is_complex:
            skew = skew + 1j * turned.diagonal(0, -2, -1).imag.diag_embed()
        moved = across - skew @ r
        return [_divided(dx[..., :k] - q @ moved[..., :k], square), moved]

    samples = [(THREE,), (THREE[:, :2],), (STACK[:, :1],)]


def _divided(x: Any, r: Any) -> Any:
    """Return `X R^-1` for upper triangular R."""
    return adjoint(solve_triangular.of(adjoint(r), adjoint(x), False, False))
