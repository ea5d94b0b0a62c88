"""The triangular factors of matrices by Gaussian elimination, computed by SciPy: `symgrad[special]`.

With `M = L1^-1 P^T dA1 U1^-1`, where L1, U1 and A1 are the square parts, the tangents of the square
parts are `L1 tril(M, -1)` and `triu(M) U1`; those of the others follow from `P^T A = L U`.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import ArrayConst, Placeholder
from symgrad.expr.dtypes import Category, dtype, float64, int32
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.joining import cat
from symgrad.ops.linear_algebra import STACK, THREE, MatrixOperation, adjoint
from symgrad.ops.primitive import Cotangents, Primitive
from symgrad.ops.results import Several
from symgrad.ops.solving import solve_triangular
from symgrad.ops.triangular import tril, triu


def scipy_linalg(name: str) -> Any:
    """Return `scipy.linalg` for `name`; ImportError names the extra that brings it."""
    try:
        return importlib.import_module("scipy.linalg")
    except ImportError:
        raise ImportError(
            f"{name} is computed by SciPy, which is not installed: pip install 'symgrad[special]'"
        ) from None


def eliminated(x, linalg):  # type: ignore[no-untyped-def]
    """Return the factors in one matrix, the rows exchanged at each step, and the first zero pivot."""
    (m, n), lead = x.shape[-2:], x.shape[:-2]
    made = np.where(np.isnan(x).any((-2, -1), keepdims=True), np.array(np.nan, x.dtype), x)
    pivots = np.zeros((*lead, min(m, n)), np.int32)
    info = np.zeros(lead, np.int32)
    for place in np.ndindex(lead):
        if m and n:
            (routine,) = linalg.get_lapack_funcs(("getrf",), (x[place],))
            made[place], pivots[place], info[place] = routine(made[place])
    return made, pivots + np.int32(1), info


class lu_factor_ex(MatrixOperation, Several):
    """The factors L, below the diagonal, and U of `P^T A`, the rows exchanged, and the info.

    Row i was exchanged with row `pivots[i]`, where rows count from 1. The info is 0, or the number of
    the first pivot that is zero.
    """

    called = "linalg.lu_factor"
    kernel_name = "lu_cpu"
    refuses = (Category.BOOL, Category.INT)
    of_squares = False
    results = ("LU", "pivots", "info")
    kernel = Kernel(
        "lu_factor_ex",
        lambda x: eliminated(x, scipy_linalg("lu_factor_ex")),  # type: ignore[no-untyped-call]
        "eliminated({0}, scipy.linalg)",
        Kernel.from_function(eliminated).prelude,
        ("import scipy.linalg",),
    )

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return ((*lead, *size), (*lead, min(size)), lead), (kind, int32, int32)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        dx = Placeholder("dx", x.shape, x.dtype)
        assert cts[0] is not None, "rows have no derivative"
        return vjp([self._pushed(dx)], [cts[0]], [dx])

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Sequence[ArrayExpr | None]:
        (dx,) = tangents
        return [None if dx is None else self._pushed(dx), None, None]

    def _pushed(self, dx: Any) -> Any:
        whole, pivots, _ = self
        (m, n), k = whole.shape[-2:], min(whole.shape[-2:])
        turned: Any = permutation.of(pivots, m).to(whole.dtype).mT @ dx
        lower, upper = unpacked(whole)
        left, right = lower[..., :k, :], upper[..., :k]
        middle: Any = _after(left, _before(turned[..., :k, :k], right))
        below, above = tril.of(middle, -1), triu.of(middle, 0)
        moved: Any = left @ below + above @ right
        if m > k:
            rest = _before(turned[..., k:, :] - lower[..., k:, :] @ above @ right, right)
            return concatenated([moved, rest], -2)
        if n > k:
            rest = _after(left, turned[..., k:]) - below @ upper[..., k:]
            return concatenated([moved, rest], -1)
        return moved

    samples = [(THREE,), (THREE[:, :2],), (THREE[:2],), (STACK,)]


def concatenated(parts: Sequence[Any], axis: int) -> Any:
    """Return matrices beside one another."""
    return cat.of(*parts, len(parts[0].shape) + axis)


def unpacked(x: Any) -> tuple[Any, Any]:
    """Return the factors L and U that stand in one matrix."""
    m, k = x.shape[-2], min(x.shape[-2:])
    unit = ArrayConst(np.eye(m, k, dtype=x.dtype.numpy))
    return tril.of(x[..., :k], -1) + unit, triu.of(x[..., :k, :], 0)


def _before(x: Any, upper: Any) -> Any:
    """Return `X U^-1`."""
    return adjoint(solve_triangular.of(adjoint(upper), adjoint(x), False, False))


def _after(lower: Any, x: Any) -> Any:
    """Return `L^-1 X` for L with ones on the diagonal."""
    return solve_triangular.of(lower, x, False, True)


def _permutation(pivots, *, size):  # type: ignore[no-untyped-def]
    lead = pivots.shape[:-1]
    made = np.zeros((*lead, size, size))
    for place in np.ndindex(lead):
        rows = np.arange(size)
        for i, k in enumerate(pivots[place]):
            rows[[i, k - 1]] = rows[[k - 1, i]]
        made[(*place, rows, np.arange(size))] = 1
    return made


class permutation(Primitive):
    """The matrices P of rows that were exchanged, as `lu_factor_ex` tells them."""

    internal = True
    differentiable = False
    params = ("size",)
    kernel = Kernel.from_function(_permutation)

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        pivots, size = args
        return (*pivots.shape[:-1], size, size), float64

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> Any:
        return self.with_operands(operands)

    samples = [(np.array([2, 3, 3]), 3), (np.array([[1, 2], [2, 2]]), 3)]
