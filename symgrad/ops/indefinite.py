"""The factors of symmetric matrices by Bunch and Kaufman, computed by SciPy: `symgrad[special]`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import dtype, int32
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.elimination import scipy_linalg
from symgrad.ops.linear_algebra import MatrixOperation
from symgrad.ops.primitive import Cotangents, Primitive
from symgrad.ops.results import Several

_SYMMETRIC = np.array([[0.0, 1.0, 2.0], [1.0, 3.0, 4.0], [2.0, 4.0, 1.0]])
_FACTORS = np.array([[0.0, 0.0, 0.0], [2.0, 1.0, 0.0], [1.75, 0.5, -0.75]])


def indefinite(x, linalg, hermitian):  # type: ignore[no-untyped-def]
    """Return the factors in one matrix, the blocks and exchanges as LAPACK tells them, and the info."""
    made = np.tril(x)
    pivots = np.zeros(x.shape[:-1], np.int32)
    info = np.zeros(x.shape[:-2], np.int32)
    name = "hetrf" if hermitian and x.dtype.kind == "c" else "sytrf"
    for place in np.ndindex(x.shape[:-2]):
        if x.shape[-1]:
            (routine,) = linalg.get_lapack_funcs((name,), (x[place],))
            found, pivots[place], info[place] = routine(x[place], lower=1)
            made[place] = np.tril(found)
    return made, pivots, info


def indefinite_solution(factors, pivots, b, linalg, hermitian):  # type: ignore[no-untyped-def]
    """Return the solutions of equations, from the factors of their matrices."""
    lead = np.broadcast_shapes(factors.shape[:-2], b.shape[:-2])
    factors = np.broadcast_to(factors, lead + factors.shape[-2:])
    pivots = np.broadcast_to(pivots, lead + pivots.shape[-1:])
    made = np.array(np.broadcast_to(b, lead + b.shape[-2:]))
    name = "hetrs" if hermitian and made.dtype.kind == "c" else "sytrs"
    n = made.shape[-2]
    for place in np.ndindex(lead):
        k = 0
        while k < n:  # LAPACK trusts the pivots
            pair = pivots[place][k : k + (1 if pivots[place][k] > 0 else 2)].tolist()
            if abs(pair[0]) not in range(1, n + 1) or (
                pair[0] < 0 and (len(pair) < 2 or pair[1] != pair[0])
            ):
                raise RuntimeError(
                    f"torch.linalg.ldl_solve: pivots are those of ldl_factor, got {pivots[place]}"
                )
            k += len(pair)
        if made.shape[-1] and n:
            (routine,) = linalg.get_lapack_funcs((name,), (factors[place],))
            made[place] = routine(factors[place], pivots[place], made[place], lower=1)[0]
    return made


class ldl_factor_ex(MatrixOperation, Several):
    """The factors L and D of a symmetric matrix `P L D L^T P^T`, the pivots, and the info.

    D has blocks of one and two rows; where a pivot is negative it belongs to a block of two. The info
    is 0, or the number of the first block that is zero. There is no derivative.
    """

    called = "linalg.ldl_factor_ex"
    results = ("LD", "pivots", "info")
    params = ("hermitian",)
    hermitian: bool
    kernel = Kernel(
        "ldl_factor_ex",
        lambda x, hermitian: indefinite(x, scipy_linalg("ldl_factor_ex"), hermitian),  # type: ignore[no-untyped-call]
        "indefinite({0}, scipy.linalg, {hermitian})",
        Kernel.from_function(indefinite).prelude,
        ("import scipy.linalg",),
    )

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return ((*lead, *size), (*lead, size[-1]), lead), (kind, int32, int32)

    def missing_derivative(self) -> str:
        return "aten::linalg_ldl_factor_ex"

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        raise RuntimeError(f"derivative for {self.missing_derivative()} is not implemented")

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Sequence[ArrayExpr | None]:
        raise RuntimeError(f"derivative for {self.missing_derivative()} is not implemented")

    samples = [(_SYMMETRIC, False), (np.stack([_SYMMETRIC, 2 * _SYMMETRIC]), True)]


class ldl_solve(Primitive):
    """The solutions of equations with a symmetric matrix, from what `ldl_factor_ex` tells.

    There is a derivative by the right sides alone.
    """

    params = ("hermitian",)
    hermitian: bool
    underived: ClassVar = {0: "LD"}
    kernel = Kernel(
        "ldl_solve",
        lambda factors, pivots, b, hermitian: indefinite_solution(  # type: ignore[no-untyped-call]
            factors, pivots, b, scipy_linalg("ldl_solve"), hermitian
        ),
        "indefinite_solution({0}, {1}, {2}, scipy.linalg, {hermitian})",
        Kernel.from_function(indefinite_solution).prelude,
        ("import scipy.linalg",),
    )

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        factors, pivots, b, _ = args
        lead = broadcast_shapes(factors.shape[:-2], pivots.shape[:-1], b.shape[:-2])
        return (*lead, *b.shape[-2:]), b.dtype

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        if needs[0]:
            raise NotImplementedError("the derivative for 'ldl_solve: LD' is not implemented.")
        return None, None, self._of(ct)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        if tangents[0] is not None:
            raise NotImplementedError("the derivative for 'ldl_solve: LD' is not implemented.")
        factors, pivots, _ = self.operands
        b = tangents[2]
        return None if b is None else ldl_solve.of(factors, pivots, b, self.hermitian)

    def _of(self, ct: ArrayExpr) -> ArrayExpr:
        """Return the solution with the adjoint matrix."""
        factors, pivots, _ = self.operands
        if self.hermitian or not self.dtype.is_complex:
            made: ArrayExpr = ldl_solve.of(factors, pivots, ct, self.hermitian)
            return made
        turned: ArrayExpr = ldl_solve.of(factors, pivots, ct.conj(), False).conj()
        return turned

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> Any:
        rank = len(self.shape)
        aligned = [
            x.reshape((size, *(1,) * (rank - len(own.shape) - short), *own.shape)) if new else x
            for x, own, new, short in zip(operands, self.operands, batched, (0, 1, 0), strict=True)
        ]
        return self.with_operands(aligned)

    samples = [
        (_FACTORS, np.array([-3, -3, 3], np.int32), np.array([[1.0, 0.5], [2.0, -1.0], [0.3, 4.0]]), False),
    ]  # fmt: skip
