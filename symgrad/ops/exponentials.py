"""The exponential of square matrices, computed by SciPy: the extra `symgrad[special]`.

Its derivative at A along E is the block above the diagonal of the exponential of `[[A, E], [0, A]]`, and
so are those of every order. (R. Mathias, "A chain rule for matrix functions", 1996.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.contraction import contract
from symgrad.ops.elimination import concatenated, scipy_linalg
from symgrad.ops.linear_algebra import (
    STACK,
    THREE,
    TWO,
    MatrixOperation,
    adjoint,
    nan_for_nan,
    of_stacks,
)
from symgrad.ops.primitive import Cotangents
from symgrad.ops.selection import definitions


def exponential(x, linalg):  # type: ignore[no-untyped-def]
    """Return the exponentials of matrices; those of half precision are computed in single."""
    if not x.size:
        return x.copy()
    kind = np.dtype(np.float32) if x.itemsize == 2 else x.dtype.newbyteorder("=")
    made = nan_for_nan(linalg.expm, x.astype(kind), 2)  # type: ignore[no-untyped-call]
    return made.astype(x.dtype, copy=False)


def _of_formulas(x: Any) -> Any:
    raise TypeError("the exponential of a matrix is no formula of its elements")


class matrix_exp(MatrixOperation):
    """The exponentials of square matrices."""

    keeps_symmetry = True
    called = "linalg.matrix_exp"
    kernel = Kernel(
        "matrix_exp",
        lambda x: exponential(x, scipy_linalg("matrix_exp")),  # type: ignore[no-untyped-call]
        "exponential({0}, scipy.linalg)",
        definitions(nan_for_nan, exponential),
        ("import scipy.linalg",),
        rows=of_stacks,
        number_systems=dict.fromkeys(("sympy", "elements"), _of_formulas),
    )
    printed = Notation(
        "matrix_exp({0})",
        r"\mathrm{{e}}^{{{0}}}",
        typeset=Latex(r"\mathrm{{e}}^{{{0}}}", Precedence.POWER, (0,)),
    )

    @classmethod
    def check_kind(cls, kind: dtype) -> None:
        if kind.category < Category.FLOAT:
            raise RuntimeError(
                "linalg.matrix_exp: Expected a floating point or complex tensor as input. Got "
                f"{kind.scalar_name}"
            )

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (_along(adjoint(self.operands[0]), ct),)

    def jvp(self, tangents: Sequence[Any]) -> Any:
        (dx,) = tangents
        return None if dx is None else _along(self.operands[0], dx)

    samples = [(TWO,), (np.zeros((2, 2)),), (STACK / 2,), (THREE / 4,)]


def _along(x: Any, e: Any) -> Any:
    """Return the derivative of the exponential at x along e; what commutes with x is a factor."""
    n = x.shape[-1]
    if type(e) is contract and e.spec == "a->aa":
        (diagonal,) = e.operands
        if type(diagonal) is broadcast_to and not diagonal.operands[0].shape:
            return diagonal.operands[0] * matrix_exp.of(x)
    top = concatenated([x, e], -1)
    low = concatenated([x * 0, x], -1)
    whole: Any = matrix_exp.of(concatenated([top, low], -2))
    return whole[..., :n, n:]
