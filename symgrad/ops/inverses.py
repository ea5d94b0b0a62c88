"""The inverse and the determinant of square matrices, which formulas of SymPy name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.expr.shapes import Shape
from symgrad.ops.primitive import Cotangents, Primitive
from symgrad.ops.singular import check_decomposed

_TWO = np.array([[2.0, -1.0], [0.5, 1.5]])
_THREE = np.array([[1.0, 2.0, 0.5], [-0.5, 1.5, 1.0], [0.25, -1.0, 2.0]])
_STACK = np.stack([_TWO, _TWO.T + 1])


def _of_each_matrix(f: Callable[[Any], Any]) -> dict[str, Callable[..., Any]]:
    """Return the number system in which `f` maps each matrix of a stack, a matrix of SymPy's."""

    def compute(x: Any) -> Any:
        rows = x.shape[-1]
        made = [
            np.array(f(sympy.Matrix(rows, rows, list(x[place].flat))), object)
            for place in np.ndindex(x.shape[:-2])
        ]
        return np.array(made, object).reshape(x.shape[:-2] + (made[0].shape if made else ()))

    return {"sympy": compute}


class _OfSquares(Primitive, abstract=True):
    """A function of the matrices of the last two axes."""

    internal = True

    @classmethod
    def infer(cls, x: Any, *rest: Any) -> tuple[Shape, dtype]:
        if len(x.shape) < 2 or x.shape[-1] != x.shape[-2]:
            raise RuntimeError(
                f"{cls.__name__}: the last two axes are those of square matrices, got shape {x.shape}"
            )
        check_decomposed(cls.__name__, x.dtype)
        return cls.result_shape(x.shape), x.dtype

    @classmethod
    def result_shape(cls, shape: Shape) -> Shape:
        """Return the shape of the result."""
        return shape

    samples = [(_TWO,), (_THREE,), (_STACK,)]


def _inverted(x):  # type: ignore[no-untyped-def]
    try:
        return np.linalg.inv(x)
    except np.linalg.LinAlgError:
        # A singular matrix has none.
        out = np.full_like(x, np.nan)
        regular = np.linalg.det(x) != 0
        out[regular] = np.linalg.inv(x[regular])
        return out


class matrix_inverse(_OfSquares):
    """The inverses of the matrices of the last two axes; nan for a singular matrix."""

    kernel = Kernel.from_function(
        _inverted, number_systems=_of_each_matrix(lambda m: m.inv().tolist())
    )
    printed = Notation("matrix_inverse({0})", "{0}^{{-1}}", Precedence.ATOM, (Precedence.ATOM,))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        across = _turned(self)
        return (-(across @ ct @ across),)


def _turned(x: ArrayExpr) -> ArrayExpr:
    """Return the adjoint matrices."""
    made: ArrayExpr = x.conj().mT if x.dtype.is_complex else x.mT
    return made


class matrix_determinant(_OfSquares):
    """The determinants of the matrices of the last two axes."""

    kernel = Kernel(
        "det",
        np.linalg.det,
        "np.linalg.det({0})",
        number_systems=_of_each_matrix(lambda m: m.det()),
    )
    printed = Notation("matrix_determinant({0})", r"\det\left({0}\right)", Precedence.ATOM, (0,))

    @classmethod
    def result_shape(cls, shape: Shape) -> Shape:
        return shape[:-2]

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        slope = cofactors.of(self.operands[0])
        slope = slope.conj() if self.dtype.is_complex else slope
        return (ct.reshape((*ct.shape, 1, 1)) * slope,)


def _cofactors(x):  # type: ignore[no-untyped-def]
    # With x = U diag(s) Vh each is a product of all s but one, so that none is divided by.
    u, s, vh = np.linalg.svd(x)
    n = s.shape[-1]
    rest = np.where(np.eye(n, dtype=bool), 1, s[..., None, :]).prod(-1)
    sign = (np.linalg.det(u) * np.linalg.det(vh))[..., None, None]
    return (sign * ((u.conj() * rest[..., None, :]) @ vh.conj())).astype(x.dtype, copy=False)


class cofactors(_OfSquares):
    """The derivatives of the determinants by the elements: `det(x)` times the transposed inverse."""

    kernel = Kernel.from_function(
        _cofactors, number_systems=_of_each_matrix(lambda m: m.cofactor_matrix().tolist())
    )

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        # Of C = det(x) B, where B is the transposed inverse: sum(ct * C) * B - B @ ct.T @ C.
        across = matrix_inverse.of(self.operands[0]).mT
        if self.dtype.is_complex:
            across = across.conj()
        mine = self.conj() if self.dtype.is_complex else self
        weight = (ct * mine).sum((-2, -1), keepdim=True)
        return (weight * across - across @ ct.mT @ mine,)
