"""Pseudo-inverses of matrices, and the solutions of least squares that they lead to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.linear_algebra import (
    STACK,
    THREE,
    TWO,
    LinAlgError,
    MatrixOperation,
    adjoint,
    check_matrices,
    of_stacks,
)
from symgrad.ops.primitive import Cotangents
from symgrad.ops.singular import DECOMPOSED, decomposed


def _pinv(x, atol, rtol):  # type: ignore[no-untyped-def]
    u, s, vh = decomposed(x)  # type: ignore[no-untyped-call]
    least = np.maximum(atol, rtol * s.max(-1, initial=0))[..., None]
    counts = s > least
    turned = np.where(counts, 1 / np.where(counts, s, np.array(1, s.dtype)), np.array(0, s.dtype))
    return (vh.conj().swapaxes(-1, -2) * turned[..., None, :]) @ u.conj().swapaxes(-1, -2)


class pinv(MatrixOperation):
    """The pseudo-inverses of Moore and Penrose.

    Singular values count as zero that are not larger than `atol`, the second operand, or `rtol`,
    the third one, times the largest singular value: a number for all matrices, or one for each.
    """

    keeps_symmetry = True
    called = "linalg.pinv"
    of_squares = False
    converts = False
    kernel = Kernel.from_function(_pinv, prelude=DECOMPOSED, rows=of_stacks)

    @classmethod
    def infer(cls, *args: Any) -> tuple[Any, Any]:
        x = args[0]
        check_matrices(cls.called, x.shape)
        cls.check_kind(x.dtype)
        lead = broadcast_shapes(x.shape[:-2], *[v.shape for v in args[1:]])
        return (*lead, *x.shape[:-3:-1]), x.dtype

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        """Return the cotangent for matrices of constant rank.

        (G. H. Golub and V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least
        squares problems whose variables separate", 1973.)
        """
        x = self.operands[0]
        across, back = adjoint(self), adjoint(ct)
        rows, columns = back @ self, self @ back
        inside: Any = across @ ct @ across
        left: Any = (rows - x @ (self @ rows)) @ across
        right: Any = across @ (columns - (columns @ self) @ x)
        return left + right - inside, None, None

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> Any:
        x, *bounds = operands
        own, *inner = [v.shape for v in self.operands]
        rank = max(len(own) - 2, *map(len, inner))
        if batched[0]:
            x = x.reshape((size, *(1,) * (rank + 2 - len(own)), *own))
        bounds = [
            t.reshape((size, *(1,) * (rank - len(shape)), *shape)) if new else t
            for t, shape, new in zip(bounds, inner, batched[1:], strict=True)
        ]
        return pinv.of(x, *bounds)

    def notation(self) -> Notation:
        text = "pinv({0}, atol={1}, rtol={2})"
        if not all(isinstance(t, Const) for t in self.operands[1:]):
            return super().notation()._replace(text=text)
        return Notation(
            text,
            "{0}^{{+}}",
            typeset=Latex("{0}^{{+}}", Precedence.ATOM, (Precedence.ATOM,)),
        )

    samples = [
        (THREE[:, :2], 0.0, 1e-12), (THREE[:2], 0.0, 1e-12), (STACK, 1e-9, 0.0),
        (TWO, np.array([1e-9, 0.5]), 0.0),
    ]  # fmt: skip


# ------------------------------------------------------------------ least squares


def _least_squares(a, b, rcond):  # type: ignore[no-untyped-def]
    if not np.isfinite(a).all():  # of infinities LAPACK may never end
        raise LinAlgError(
            "torch.linalg.lstsq: The least squares problem could not be solved because the input "
            "matrix contained non-finite values."
        )
    lead = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    out = np.empty((*lead, a.shape[-1], b.shape[-1]), np.result_type(a, b))
    a = np.broadcast_to(a, (*lead, *a.shape[-2:]))
    b = np.broadcast_to(b, (*lead, *b.shape[-2:]))
    for place in np.ndindex(lead):
        out[place] = np.linalg.lstsq(a[place], b[place], rcond=float(rcond))[0]
    return out


class least_squares(MatrixOperation):
    """The X of least norm for which the norm of `A X - B` is least, `pinv(A) @ B`.

    Singular values count as zero that are not larger than the third operand times the largest one.
    """

    internal = True
    called = "linalg.lstsq"
    converts = False
    kernel = Kernel.from_function(_least_squares, prelude=DECOMPOSED, rows=of_stacks)

    @classmethod
    def infer(cls, *args: Any) -> tuple[Any, Any]:
        a, b, _ = args
        check_matrices(cls.called, a.shape)
        check_matrices(cls.called, b.shape, operand="B")
        if a.dtype is not b.dtype:
            raise RuntimeError(
                "torch.linalg.lstsq: Expected input and other to have the same dtype, but got "
                f"input's dtype {a.dtype.scalar_name} and other's dtype {b.dtype.scalar_name}"
            )
        lead = broadcast_shapes(a.shape[:-2], b.shape[:-2])
        cls.check_kind(a.dtype)
        return (*lead, a.shape[-1], b.shape[-1]), a.dtype

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        a, b, rcond = self.operands
        inverse: Any = pinv.of(a, 0.0, rcond)
        of_inverse: Any = ct @ adjoint(b)
        return inverse.vjp(of_inverse, needs)[0], adjoint(inverse) @ ct, None

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> Any:
        own = [x.shape for x in self.operands]
        rank = max(map(len, own))
        aligned = [
            x.reshape((size, *(1,) * (rank - len(shape)), *shape)) if new else x
            for x, shape, new in zip(operands[:2], own, batched, strict=False)
        ]
        assert not batched[2], "one tolerance serves all matrices"
        return least_squares.of(*aligned, operands[2])

    samples = [
        (THREE[:, :2], THREE[:, 1:], 1e-12), (THREE[:2], TWO, 1e-12), (STACK, TWO, 1e-9)
    ]  # fmt: skip
