"""Linear equations: solutions, of triangular matrices too, and the factorisation of Cholesky."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, int32
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.composite import Composite
from symgrad.ops.contraction import contract, delta
from symgrad.ops.deriving import as_written
from symgrad.ops.inverses import det, inv
from symgrad.ops.linear_algebra import (
    ERRORS,
    STACK,
    THREE,
    TWO,
    MatrixOperation,
    adjoint,
    by_adjugate,
    check_matrices,
    dependent_columns,
    nan_for_nan,
    of_each_matrix,
    of_stacks,
    refused,
)
from symgrad.ops.matrices import Matrices, MatrixReading, NoMatrix, read
from symgrad.ops.primitive import Cotangents
from symgrad.ops.results import Several
from symgrad.ops.selection import definitions
from symgrad.ops.triangular import tril, triu

_COLUMNS = np.array([[0.5, 1.0], [-0.3, 0.9], [2.0, -1.6]])
_VECTORS = np.array([[0.7, -0.2], [1.3, 0.4]])


# ------------------------------------------------------------------ solutions


def _solve(a, b):  # type: ignore[no-untyped-def]
    vector = b.ndim == 1 or b.shape == a.shape[:-1]
    right = b[..., None] if vector else b
    try:
        found = nan_for_nan(lambda x: np.linalg.solve(x, right), a, 2)  # type: ignore[no-untyped-call]
    except np.linalg.LinAlgError:
        raise refused(  # type: ignore[no-untyped-call]
            "torch.linalg.solve",
            dependent_columns(a),  # type: ignore[no-untyped-call]
            "The solver failed because the input matrix is singular.",
        ) from None
    return found[..., 0] if vector else found


def _solve_formulas(a: Any, b: Any) -> Any:
    vector = _Solution.takes_vectors(a.shape, b.shape)
    found = _SOLVED["sympy"](a, b[..., None] if vector else b)
    return found[..., 0] if vector else found


def _solve_by_adjugate(adjugate: Any, det: Any, b: Any) -> Any:
    vector = _Solution.takes_vectors(adjugate.shape, b.shape)
    found = adjugate @ (b[..., None] if vector else b) / det[..., None, None]
    return found[..., 0] if vector else found


_SOLVED = of_each_matrix(lambda a, b: a.LUsolve(b).tolist())


class _Solution(MatrixOperation, abstract=True):
    """The solutions X of `A X = B`: a subclass states `solved`, with the adjoint of A."""

    converts = False
    called = "linalg.solve"
    kernel_name = "lu_cpu"

    @classmethod
    def takes_vectors(cls, a: Shape, b: Shape) -> bool:
        """Return whether an array of shape `b` counts as vectors, beside matrices of shape `a`."""
        return len(b) == 1 or b == a[:-1]

    @classmethod
    def infer(cls, *args: Any) -> tuple[Any, Any]:
        a, b = args[:2]
        check_matrices(cls.called, a.shape, cls.of_squares)
        cls.check_kind(a.dtype)
        if a.dtype is not b.dtype:
            raise RuntimeError(
                f"{cls.called}: Expected A and B to have the same dtype, but found A of type "
                f"{a.dtype.scalar_name} and B of type {b.dtype.scalar_name} instead"
            )
        vector = cls.takes_vectors(a.shape, b.shape)
        shape = (*b.shape, 1) if vector else b.shape
        check_matrices(cls.called, shape, operand="B")
        (m, n), (p, k) = a.shape[-2:], shape[-2:]
        if n != p:
            raise RuntimeError(
                f"{cls.called}: Incompatible shapes of A and B for the equation AX = B "
                f"({m}x{n} and {p}x{k})"
            )
        if vector:
            return a.shape[:-1], a.dtype
        return (*broadcast_shapes(a.shape[:-2], b.shape[:-2]), *b.shape[-2:]), a.dtype

    def solved(self, ct: ArrayExpr) -> ArrayExpr:
        """Return the solution of the equation with the adjoint of A, and `ct` on the right."""
        raise NotImplementedError(f"{type(self).__name__} states no solved()")

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> Any:
        (a, b), (own_a, own_b) = operands, [x.shape for x in self.operands]
        a = a if batched[0] else a.expand((size, *own_a))
        first = size if batched[1] else 1
        if self.takes_vectors(own_a, own_b):
            b = b.reshape((first, *(1,) * (len(own_a) - 1 - len(own_b)), *own_b))
            return self.with_operands([a, b.expand((size, *own_a[:-1]))])
        rank = max(len(own_a), len(own_b))
        a = a.reshape((size, *(1,) * (rank - len(own_a)), *own_a))
        return self.with_operands([a, b.reshape((first, *(1,) * (rank - len(own_b)), *own_b))])

    def pulled_back(self, x: Any, ct: ArrayExpr) -> Cotangents:
        """Return the cotangents of A and B from that of the solution `x`."""
        back: Any = self.solved(ct)
        if not self.takes_vectors(*[y.shape for y in self.operands]):
            return -(back @ adjoint(x)), back
        lead = "abcdefgh"[: len(back.shape) - 1]
        across = x.conj() if x.dtype.is_complex else x
        return -contract.of(back, across, f"{lead}i,{lead}j->{lead}ij"), back


class solve(_Solution):
    """The solutions X of `A X = B`, for matrices B, or for vectors."""

    kernel = Kernel.from_function(
        _solve,
        prelude=ERRORS,
        rows=of_stacks,
        number_systems={"sympy": _solve_formulas, **by_adjugate(_solve_by_adjugate)},
    )
    printed = Notation(
        "solve({0}, {1})",
        "{0}^{{-1}} {1}",
        typeset=Latex(
            "{0}^{{-1}} {1}", Precedence.PRODUCT, (Precedence.ATOM, Precedence.PRODUCT + 1)
        ),
    )

    def solved(self, ct: ArrayExpr) -> ArrayExpr:
        return solve.of(adjoint(self.operands[0]), ct)

    def singular(self) -> Sequence[tuple[str, ArrayExpr]]:
        return (("pole", det.of(self.operands[0])),)

    def matrix(self, m: Matrices) -> MatrixReading:
        a, b = self.operands
        if a.ndim > 2:
            raise NoMatrix
        with as_written():
            made = inv.of(a) @ b
        return read(made)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return self.pulled_back(self, ct)

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> Any:
        (a, b), (own_a, own_b) = operands, [x.shape for x in self.operands]
        if batched[0] or len(own_a) > 2 or len(own_b) > 2:
            return super().batch(size, operands, batched)
        # One factorisation serves all right-hand sides.
        if len(own_b) == 1:
            return solve.of(a, b.mT).mT
        n, k = own_b
        columns = b.permute(1, 0, 2).reshape((n, size * k))
        return solve.of(a, columns).reshape((n, size, k)).permute(1, 0, 2)

    samples = [(THREE, _COLUMNS), (TWO, np.array([0.7, -0.2])), (STACK, _VECTORS), (STACK, TWO)]


def where_regular(a, b):  # type: ignore[no-untyped-def]
    """Return the solutions, nan where a matrix is singular, and which pivot of it is zero."""
    info = dependent_columns(a)  # type: ignore[no-untyped-call]
    regular = (info == 0)[..., None, None]
    found = np.linalg.solve(np.where(regular, a, np.eye(a.shape[-1], dtype=a.dtype)), b)
    return np.where(regular, found, np.array(np.nan, a.dtype)), info


def _solve_ex(a, b):  # type: ignore[no-untyped-def]
    vector = b.ndim == 1 or b.shape == a.shape[:-1]
    right = b[..., None] if vector else b
    found, info = nan_for_nan(lambda x: where_regular(x, right), a, 2)  # type: ignore[no-untyped-call]
    return (found[..., 0] if vector else found), info


class solve_ex(_Solution, Several):
    """The solutions of `solve`, nan where A is singular, and which pivot of A is zero, 0 if none."""

    results = ("result", "info")
    kernel = Kernel.from_function(
        _solve_ex, prelude=definitions(nan_for_nan, dependent_columns, where_regular)
    )

    @classmethod
    def infer(cls, *args: Any) -> tuple[Any, Any]:
        shape, kind = super().infer(*args)
        return (shape, args[0].shape[:-2]), (kind, int32)

    def solved(self, ct: ArrayExpr) -> ArrayExpr:
        return solve.of(adjoint(self.operands[0]), ct)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        assert cts[0] is not None, "where a pivot is zero has no derivative"
        return self.pulled_back(self[0], cts[0])

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> Any:
        result, info = super().batch(size, operands, batched)
        return result, info.reshape((size, *self.operands[0].shape[:-2]))

    samples = [(THREE, _COLUMNS), (TWO, np.array([0.7, -0.2])), (STACK, _VECTORS), (STACK, TWO)]


# ------------------------------------------------------------------ triangular matrices


def substituted(a, b):  # type: ignore[no-untyped-def]
    """Return the solutions for upper triangular matrices, row by row from the last."""
    made = np.array(
        np.broadcast_to(b, np.broadcast_shapes(a.shape[:-2], b.shape[:-2]) + b.shape[-2:])
    )
    for i in reversed(range(a.shape[-1])):
        below = (a[..., i : i + 1, i + 1 :] @ made[..., i + 1 :, :])[..., 0, :]
        made[..., i, :] = (made[..., i, :] - below) / a[..., i, i, None]
    return made


def _solve_triangular(a, b, *, upper, unitriangular):  # type: ignore[no-untyped-def]
    if not upper:  # rows and columns in the other order
        a, b = a[..., ::-1, ::-1], b[..., ::-1, :]
    a = np.triu(a)
    if unitriangular:
        a = np.where(np.eye(a.shape[-1], dtype=bool), np.array(1, a.dtype), a)
    # Elimination leaves an upper triangular matrix as it is, so that what follows is substitution,
    # with its digits; but the zeros beside infinities would become nan, and pivots be exchanged.
    finite = np.count_nonzero(np.isfinite(a)) == a.size and np.isfinite(b).all()
    solved = np.linalg.solve if finite else substituted
    zeros = a.diagonal(0, -2, -1) == 0
    if np.count_nonzero(zeros):
        singular = zeros.any(-1)[..., None, None]
        found = solved(np.where(singular, np.eye(a.shape[-1], dtype=a.dtype), a), b)
        found = np.where(singular, np.array(np.nan, a.dtype), found)
    else:
        found = solved(a, b)
    return found if upper else found[..., ::-1, :]


def _solve_triangular_formulas(a: Any, b: Any, *, upper: bool, unitriangular: bool) -> Any:
    def solved(m: Any, r: Any) -> Any:
        if unitriangular:
            m = sympy.Matrix(*m.shape, lambda i, j: 1 if i == j else m[i, j])
        made = m.upper_triangular() if upper else m.lower_triangular()
        return (made.upper_triangular_solve if upper else made.lower_triangular_solve)(r).tolist()

    return of_each_matrix(solved)["sympy"](a, b)


class solve_triangular(_Solution):
    """The solutions X of `A X = B` for triangular matrices, of which one triangle is read.

    They are nan where an element of the diagonal is zero. With `unitriangular` the diagonal is not
    read, and is 1.
    """

    called = "linalg.solve_triangular"
    kernel_name = "triangular_solve_cpu"
    refuses = (Category.BOOL, Category.INT)
    params = ("upper", "unitriangular")
    upper: bool
    unitriangular: bool

    @classmethod
    def takes_vectors(cls, a: Shape, b: Shape) -> bool:
        return False

    kernel = Kernel.from_function(
        _solve_triangular,
        prelude=definitions(substituted),
        rows=of_stacks,
        number_systems={"sympy": _solve_triangular_formulas},
    )

    def solved(self, ct: ArrayExpr) -> ArrayExpr:
        a = adjoint(self.operands[0])
        return solve_triangular.of(a, ct, not self.upper, self.unitriangular)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        of_a, of_b = self.pulled_back(self, ct)
        triangle, side = (triu, 1) if self.upper else (tril, -1)
        return triangle.of(of_a, side if self.unitriangular else 0), of_b

    samples = [
        (THREE, _COLUMNS, True, False), (THREE, _COLUMNS, False, True), (STACK, TWO, False, False)
    ]  # fmt: skip


# ------------------------------------------------------------------ Cholesky


def definite(x):  # type: ignore[no-untyped-def]
    """Return the factors of matrices; with nan, or infinities beside the diagonal, none is definite."""
    found = np.linalg.cholesky(x)
    if np.count_nonzero(np.isfinite(found)) < found.size and (
        np.isnan(found).any() or np.isinf(np.tril(x, -1)).any()
    ):
        raise np.linalg.LinAlgError
    return found


def indefinite_minors(x):  # type: ignore[no-untyped-def]
    """Return for each matrix the order of the first leading minor that is not positive, else 0."""
    info = np.zeros(x.shape[:-2], np.int32)
    for place in np.ndindex(info.shape):
        for k in range(1, x.shape[-1] + 1):
            try:
                definite(x[place][:k, :k])  # type: ignore[no-untyped-call]
            except np.linalg.LinAlgError:
                info[place] = k
                break
    return info


def _cholesky(x):  # type: ignore[no-untyped-def]
    x = (x + x.conj().swapaxes(-1, -2)) / 2
    try:
        return definite(x)  # type: ignore[no-untyped-call]
    except np.linalg.LinAlgError:
        raise refused(  # type: ignore[no-untyped-call]
            "linalg.cholesky",
            indefinite_minors(x),  # type: ignore[no-untyped-call]
            "The factorization could not be completed because the input is not positive-definite "
            "(the leading minor of order {} is not positive-definite).",
        ) from None


_POSITIVE_TWO = np.array([[4.0, 1.0], [1.0, 3.0]])
_POSITIVE_THREE = THREE @ THREE.T + np.eye(3)


def _cholesky_pulled_back(factor: Any, ct: ArrayExpr) -> ArrayExpr:
    """Return the cotangent of A from that of its factor L.

    It is `L^-H S L^-1 / 2`, where S is Hermitian and has the lower triangle of `L^H ct` below the
    diagonal. (I. Murray, "Differentiation of the Cholesky decomposition", 2016.)
    """
    across = adjoint(factor)
    product: Any = across @ ct
    below = (tril.of(product, 0) + tril.of(product, -1)) / 2
    half = solve_triangular.of(across, below + adjoint(below), True, False)
    made: ArrayExpr = adjoint(solve_triangular.of(across, adjoint(half), True, False)) / 2
    return made


def _cholesky_of_formulas(m: Any) -> Any:
    m = (m + m.H) / 2
    # SymPy looks for signs where it knows that a matrix is to be Hermitian.
    return m.cholesky(hermitian=m.has(sympy.I)).tolist()


class cholesky(MatrixOperation):
    """The lower triangular L, with a positive diagonal, of `A = L L^H`, A the Hermitian part of x."""

    called = "linalg.cholesky"
    kernel_name = "cholesky_cpu"
    kernel = Kernel.from_function(
        _cholesky,
        prelude=definitions(definite, indefinite_minors, prelude=ERRORS),
        rows=of_stacks,
        number_systems=of_each_matrix(_cholesky_of_formulas),
    )

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (_cholesky_pulled_back(self, ct),)

    samples = [
        (_POSITIVE_TWO,),
        (_POSITIVE_THREE,),
        (np.stack([_POSITIVE_TWO, 2 * _POSITIVE_TWO]),),
    ]


def _cholesky_ex(x):  # type: ignore[no-untyped-def]
    x = (x + x.conj().swapaxes(-1, -2)) / 2
    info = indefinite_minors(x)  # type: ignore[no-untyped-call]
    regular = (info == 0)[..., None, None]
    found = np.linalg.cholesky(np.where(regular, x, np.eye(x.shape[-1], dtype=x.dtype)))
    return np.where(regular, found, np.array(np.nan, x.dtype)), info


class cholesky_ex(MatrixOperation, Several):
    """The factors of `cholesky`, nan where there is none, and the order of the first such minor."""

    called = "linalg.cholesky"
    kernel_name = "cholesky_cpu"
    results = ("L", "info")
    kernel = Kernel.from_function(_cholesky_ex, prelude=definitions(definite, indefinite_minors))

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return ((*lead, *size), lead), (kind, int32)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        assert cts[0] is not None, "the order of a minor has no derivative"
        return (_cholesky_pulled_back(self[0], cts[0]),)

    samples = cholesky.samples


class cholesky_solve(Composite):
    """The solutions X of `A X = B` for the Cholesky factors of matrices A."""

    params = ("upper",)

    @classmethod
    def composed(cls, b: Any, factor: Any, upper: bool) -> Any:
        lower, above = (adjoint(factor), factor) if upper else (factor, adjoint(factor))
        return solve_triangular.of(above, solve_triangular.of(lower, b, False, False), True, False)

    samples = [(_COLUMNS, THREE, False), (_COLUMNS, THREE, True)]


class cholesky_inverse(Composite):
    """The inverses of matrices, from their Cholesky factors."""

    params = ("upper",)

    @classmethod
    def composed(cls, factor: Any, upper: bool) -> Any:
        unit = delta(factor.shape[-1:], factor.dtype).expand(factor.shape)
        return cholesky_solve.composed(unit, factor, upper)

    samples = [(THREE, False), (STACK, True)]
