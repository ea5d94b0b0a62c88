"""The factors of symmetric and Hermitian matrices by LAPACK's routines, of SciPy: `symgrad[special]`.

`A = L D L^T`, where D has blocks of one or two rows, and L is a product of interchanges of rows and of
triangular matrices. PyTorch has no derivative of them, and so has none here.
(J. R. Bunch and L. Kaufman, "Some stable methods for calculating inertia and solving symmetric linear
systems", 1977.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, int32
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.elimination import scipy_linalg
from symgrad.ops.linear_algebra import STACK, THREE, TWO, MatrixOperation, check_matrices
from symgrad.ops.primitive import Cotangents
from symgrad.ops.results import Several
from symgrad.ops.selection import definitions


def ldl_factors(x, linalg, *, hermitian):  # type: ignore[no-untyped-def]
    """Return the factors in one matrix, the interchanges of rows, and the first zero block of D."""
    n, lead = x.shape[-1], x.shape[:-2]
    x = np.tril(x)
    lost = np.isnan(x).any((-2, -1))
    made = np.where(lost[..., None, None], np.eye(n, dtype=x.dtype), x)
    pivots = np.zeros((*lead, n), np.int32)
    info = np.zeros(lead, np.int32)
    kind = "he" if hermitian and x.dtype.kind == "c" else "sy"
    routine, room = linalg.get_lapack_funcs((f"{kind}trf", f"{kind}trf_lwork"), dtype=x.dtype)
    length = max(1, int(room(n, lower=1)[0].real)) if n else 0
    for place in np.ndindex(lead if n else (0,)):
        whole, pivots[place], info[place] = routine(made[place], lower=1, lwork=length)
        made[place] = np.tril(whole)
    made[lost] = np.nan
    return made, pivots, info


def check_interchanges(pivots):  # type: ignore[no-untyped-def]
    """Raise RuntimeError for interchanges of rows that no factorisation makes.

    A positive number belongs to a block of one row, and a negative one, twice, to a block of two rows.
    It names the last row of the block, or one below, which that row was exchanged with.
    """
    n, k = len(pivots), 0
    while k < n:
        row, size = int(pivots[k]), 1
        if row < 0:
            row, size = -row, 2
            row = row if k + 1 < n and pivots[k + 1] == pivots[k] else 0
        if not k + size <= row <= n:
            raise RuntimeError(
                f"torch.linalg.ldl_solve: pivots[{k}] is {pivots[k]}, which a factorization of a "
                f"{n} by {n} matrix does not make: pass on what torch.linalg.ldl_factor returns"
            )
        k += size


def ldl_solution(x, pivots, b, linalg, *, hermitian):  # type: ignore[no-untyped-def]
    """Return the solutions of equations, given the factors of the matrices."""
    n, lead = x.shape[-1], np.broadcast_shapes(x.shape[:-2], b.shape[:-2])
    for place in np.ndindex(pivots.shape[:-1]):
        check_interchanges(pivots[place])  # type: ignore[no-untyped-call]
    x = np.broadcast_to(x, (*lead, n, n))
    rows = np.broadcast_to(pivots, (*lead, n)).astype(np.int32)
    made = np.broadcast_to(b, (*lead, *b.shape[-2:])).copy()
    kind = "he" if hermitian and x.dtype.kind == "c" else "sy"
    (routine,) = linalg.get_lapack_funcs((f"{kind}trs",), dtype=x.dtype)
    for place in np.ndindex(lead if made.size else (0,)):
        made[place], _ = routine(x[place], rows[place], made[place], lower=1)
    return made


def _factors_of_formulas(x: Any, *, hermitian: bool) -> NoReturn:
    raise TypeError("the factors of a symmetric matrix are no formulas of its elements")


def _solution_of_formulas(x: Any, pivots: Any, b: Any, *, hermitian: bool) -> NoReturn:
    raise TypeError(
        "the solution from factors of a symmetric matrix is no formula of their elements"
    )


class _Symmetric(MatrixOperation, abstract=True):
    """What is known of symmetric matrices, or with `hermitian` of Hermitian ones.

    The triangle above the diagonal is not read.
    """

    params = ("hermitian",)
    hermitian: bool
    converts = False

    def missing_derivative(self) -> str:
        return f"aten::linalg_{type(self).__name__}"

    def vjp(self, ct: Any, needs: Sequence[bool]) -> Cotangents:
        raise self._underived()

    def jvp(self, tangents: Sequence[Any]) -> Any:
        raise self._underived()

    def _underived(self) -> RuntimeError:
        return RuntimeError(f"derivative for {self.missing_derivative()} is not implemented")


class ldl_factor_ex(_Symmetric, Several):
    """The factors L, below the diagonal, and D of `A = L D L^T`, interchanges of rows, and the info.

    The interchange is that of the last row of a block of D, counted from 1; it is positive for a block
    of one row, and negative, and there twice, for one of two rows. The info is 0, or the number of the
    first block that is zero.
    """

    called = "torch.linalg.ldl_factor_ex"
    kernel_name = "ldl_factor_kernel_cpu"
    results = ("LD", "pivots", "info")
    kernel = Kernel(
        "ldl_factor_ex",
        lambda x, *, hermitian: ldl_factors(  # type: ignore[no-untyped-call]
            x, scipy_linalg("ldl_factor_ex"), hermitian=hermitian
        ),
        "ldl_factors({0}, scipy.linalg, hermitian={hermitian})",
        Kernel.from_function(ldl_factors).prelude,
        ("import scipy.linalg",),
        number_systems=dict.fromkeys(("sympy", "elements"), _factors_of_formulas),
    )

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return ((*lead, *size), (*lead, size[0]), lead), (kind, int32, int32)

    samples = [
        (THREE, False),
        (THREE - 2 * np.diag(np.diag(THREE)), True),
        (np.array([[0.0, 2.0], [2.0, 0.0]]), False),
        (STACK, True),
    ]


class ldl_solve(_Symmetric):
    """The solutions X of `A X = B`, for matrices B, given what `ldl_factor_ex` returns of A."""

    called = "torch.linalg.ldl_solve"
    kernel_name = "ldl_solve_kernel_cpu"
    kernel = Kernel(
        "ldl_solve",
        lambda x, pivots, b, *, hermitian: ldl_solution(  # type: ignore[no-untyped-call]
            x, pivots, b, scipy_linalg("ldl_solve"), hermitian=hermitian
        ),
        "ldl_solution({operands}, scipy.linalg, hermitian={hermitian})",
        definitions(check_interchanges, ldl_solution),
        ("import scipy.linalg",),
        number_systems=dict.fromkeys(("sympy", "elements"), _solution_of_formulas),
    )

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        x, pivots, b = args[:3]
        name = cls.called
        check_matrices(name, x.shape, cls.of_squares)
        if x.dtype.category < Category.FLOAT:
            cls.check_kind(x.dtype)
        if x.dtype is not b.dtype:
            raise RuntimeError(
                "Expected b and A to have the same dtype, but found b of type "
                f"{b.dtype.scalar_name} and A of type {x.dtype.scalar_name} instead."
            )
        if len(b.shape) < 2:
            raise IndexError(
                f"{name}: B has at least 2 dimensions, and counts matrices with those before; got "
                f"the shape {tuple(b.shape)}"
            )
        (n, _), (p, k) = x.shape[-2:], b.shape[-2:]
        if n != p:
            raise RuntimeError(
                f"Incompatible matrix sizes for {name}: each A matrix is {n} by {n} but each b "
                f"matrix is {p} by {k}"
            )
        if tuple(pivots.shape) != tuple(x.shape[:-1]):
            raise RuntimeError(
                f"{name}: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots "
                f"with shape {list(pivots.shape)} instead"
            )
        if pivots.dtype.category != Category.INT:
            raise RuntimeError(
                f"{name}: Expected pivots to be integers. Got {pivots.dtype.scalar_name}"
            )
        lead = broadcast_shapes(x.shape[:-2], b.shape[:-2])
        cls.check_kind(x.dtype)
        return (*lead, p, k), x.dtype

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> Any:
        x, pivots, b = operands
        own_x, own_pivots, own_b = [y.shape for y in self.operands]
        rank = max(len(own_x), len(own_b))
        if batched[0] or batched[1]:
            between = (1,) * (rank - len(own_x))
            x = x if batched[0] else x.expand((size, *own_x))
            pivots = pivots if batched[1] else pivots.expand((size, *own_pivots))
            x = x.reshape((size, *between, *own_x))
            pivots = pivots.reshape((size, *between, *own_pivots))
        if batched[2]:
            b = b.reshape((size, *(1,) * (rank - len(own_b)), *own_b))
        return self.with_operands([x, pivots, b])

    samples = [
        (THREE, np.array([3, 3, 3]), THREE[:, :2], False),
        (STACK, np.array([[2, 2], [2, 2]]), TWO, False),
        (TWO, np.array([-2, -2]), STACK, True),
    ]
