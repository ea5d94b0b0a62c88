"""Eigenvalues and eigenvectors of Hermitian matrices, and what moves with a spectrum.

The cotangent of a matrix whose eigenvalues w have the cotangent g is `V diag(g) Vh`. Where the matrix
moves along dx, so does this, by `V (D * P) Vh` with `P = Vh dx V` and the divided differences

    D[i, j] = (g[i] - g[j]) / (w[i] - w[j]).

A function of the spectrum has equal g where w are equal, and D is finite: its limit is the
derivative of `g[i] - g[j]` as w[i] and w[j] part, which the formula of g by w gives. A formula that
sees the vectors alone would divide by zero there: so the product is a node of its own, `spectral`,
which knows the matrix. (Yu. L. Daleckii and S. G. Krein, 1951; N. J. Higham, "Functions of Matrices",
2008, section 3.2.)
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from numeric.kernel import Kernel
from symgrad.differentiate.derive import jacobians
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import ArrayConst, Const, Leaf, Placeholder, is_const
from symgrad.expr.dtypes import Category, dtype, to_real
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.expr.shapes import Shape
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.composite import Composite
from symgrad.ops.contraction import delta
from symgrad.ops.deriving import deriving
from symgrad.ops.frechet import KnownFunction, constant, frechet, of_each, value_of
from symgrad.ops.kinds import Beside
from symgrad.ops.linear_algebra import (
    MatrixOperation,
    adjoint,
    over_matrices,
    over_stack,
)
from symgrad.ops.primitive import Cotangents
from symgrad.ops.results import Several
from symgrad.ops.selection import definitions
from symgrad.ops.slopes import grown
from symgrad.ops.solving import solve
from symgrad.ops.where import where

_SYMMETRIC = np.array([[2.0, -1.0, 0.5], [-1.0, 1.5, 0.25], [0.5, 0.25, -1.0]])
_GENERAL = np.array([[1.0, 2.0, 0.5], [-1.5, 0.5, 1.0], [0.25, -1.0, 2.0]])
_PAIR = np.array([[[1.0, 0.5], [0.5, -1.0]], [[3.0, -1.0], [-1.0, 0.5]]])


# ------------------------------------------------------------------ divided differences


def real(x: Any) -> Any:
    """Return the real part of an array."""
    return x.real if x.dtype.is_complex else x


def limits(g: Any, w: Any) -> Any:
    """Return the derivative of `g[i] - g[j]` as w[i] and w[j] part, for each pair; None for zero.

    It is nan where elements of g were computed elsewhere, so that how they depend on w is not seen.
    """
    if _is_computed_elsewhere(g, w):
        return Const(math.nan, w.dtype).broadcast_to((*w.shape, w.shape[-1]))
    slope, of_each = grown(g, w, alone=True)
    if slope is None:
        return None
    if not of_each:
        (full,) = jacobians(g, [w])
        n, lead = w.shape[-1], len(w.shape) - 1
        if lead:  # of each matrix by its own spectrum
            size = w.size // n if n else 0
            full = full.reshape((size, n, size, n)).diagonal(0, 0, 2).permute(2, 0, 1)
            full = full.reshape((*w.shape, n))
        slope = full.diagonal(0, -2, -1)
        apart = slope.unsqueeze(-1) - full
        return (apart + apart.mT) / 2
    return (slope.unsqueeze(-1) + slope.unsqueeze(-2)) / 2


def _is_computed_elsewhere(g: Any, w: Any) -> bool:
    plan = deriving.plan
    if plan is None or not plan.boundaries or w.shape[-1] == 1:
        return False
    read = toposort([g], {w, value_of(w)}.__contains__)
    here = (w, value_of(w))
    return any(x in plan.boundaries and x.shape[-1:] == w.shape[-1:] for x in read if x not in here)


def divided(g: Any, w: Any, limit: Any, plus: bool = False) -> Any:
    """Return `(g[i] - g[j]) / (w[i] - w[j])`, or the sums over the sums, for each pair.

    Where w are so close that the digits of a difference are few, and g are as far apart as the limit
    has it, it is the limit, to more digits than a quotient has; None is 0. A limit that is not known
    is nan, and stands where w are as close.
    """
    rows, columns = w.unsqueeze(-1), w.unsqueeze(-2)
    if not w.size:
        return rows * columns
    top, low = g.unsqueeze(-1), g.unsqueeze(-2)
    gap, rise = (rows + columns, top + low) if plus else (rows - columns, top - low)
    eps = float(np.finfo(w.dtype.numpy).eps)
    size = rows.abs().maximum(columns.abs())
    largest = w.abs().amax((-1,), True).unsqueeze(-1)
    close = gap.abs() <= (eps ** (1 / 3) * size).maximum(16 * eps * largest)
    expected = 0 if limit is None else limit * gap
    agree = (rise - expected).abs() <= 1e3 * eps * (top.abs() + low.abs() + largest * abs_of(limit))
    unknown = isinstance(value_of(limit), (Leaf, broadcast_to)) if limit is not None else False
    met = close & (agree | limit.isnan() if unknown else agree)
    return where.of(met, 0 if limit is None else limit, rise / where.of(met, 1, gap))


def abs_of(limit: Any) -> Any:
    """Return the modulus of an array; None is 0."""
    return 0 if limit is None else limit.abs()


def all_alike(g: Any, value: float) -> bool:
    """Return whether all elements of an array are one constant."""
    return is_const(g.operands[0] if isinstance(g, (broadcast_to, constant)) else g, value)


def off_diagonal(x: Any) -> Any:
    """Return matrices with zeros on the diagonal."""
    return where.of(ArrayConst(np.eye(x.shape[-1], dtype=bool)), 0, x)


def total(parts: Sequence[Any]) -> Any:
    """Return the sum of those parts that are not None, which stands for zero."""
    found = [part for part in parts if part is not None]
    return functools.reduce(operator.add, found) if found else None


def between(u: Any, dx: Any, v: Any) -> Any:
    """Return the real part of the diagonal of `Uh dx V`, at less cost than the product."""
    return real((u.conj() if u.dtype.is_complex else u) * (dx @ v)).sum(-2)


class OfSpectrum(Beside, Composite, abstract=True):
    """A function of a spectrum, or of a tangent, and of a matrix x, the last operand.

    The operands between are results of the decomposition of x, which no derivative reaches: it is
    one by x.
    """

    by_element: ClassVar[bool] = False

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> Any:
        own = [x.shape for x in self.operands]
        return self.of(
            *[
                x if new else x.expand((size, *shape))
                for x, shape, new in zip(operands, own, batched, strict=True)
            ]
        )


class Spectral(OfSpectrum, abstract=True):
    """The cotangent of a matrix for that of its spectrum, which is the first operand."""

    #: The same of a function of each value alone.
    known: ClassVar[type[KnownFunction]]
    #: The same, with the limits of differences as one more operand before the matrix.
    with_limits: ClassVar[type[Spectral]]
    #: The tangent of the spectrum, of which it is the adjoint.
    pulls_back_as: ClassVar[Any]

    def moved_by(self, dx: Any) -> Any:
        """Return the tangent for the tangent dx of the matrix; the map is its own adjoint."""
        raise NotImplementedError(f"{type(self).__name__} states no moved_by()")

    @classmethod
    def function(cls, g: ArrayExpr, *others: ArrayExpr) -> ArrayExpr:
        """Return the node, or of a function of each value alone that which has every derivative."""
        at = cls.known.at_values - 1
        known = of_each(g, others[at])
        if known is None:
            return cls.of(g, *others)
        others = (*others[:at], known.values, *others[at + 1 :])
        return cls.known.of(known.formula, *others, *known.params, False)

    def decomposed(self) -> Sequence[ArrayExpr]:
        """Return the results of the decomposition, and the matrix."""
        return self.operands[1:]

    def limit(self) -> Any:
        """Return the derivative of the differences of the cotangent where values part."""
        return limits(self.operands[0], self.decomposed()[self.known.at_values - 1])

    def moved_by_arrays(self) -> ArrayExpr:
        limit = self.limit()
        if limit is None:
            return self
        *found, x = self.operands
        made: ArrayExpr = self.with_limits.of(*found, limit, x)
        return made

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        back = self.pulls_back_as.of(ct, *self.decomposed())
        return back, *(None,) * (len(self.operands) - 2), self.moved_by(ct)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Any:
        first, *_, dx = tangents
        plain = self.pulls_back_as.pulls_back_as
        moved = None if first is None else plain.of(first, *self.decomposed())
        return total([moved, None if dx is None else self.moved_by(dx)])


class Moved(OfSpectrum, abstract=True):
    """The tangent of a spectrum for that of a matrix, which is the first operand."""

    pulls_back_as: ClassVar[Any]

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        dx, *rest = self.operands
        back = self.pulls_back_as.of(ct, *rest)
        return back, *(None,) * (len(rest) - 1), back.moved_by(dx)


class spectral(Spectral):
    """`V diag(g) Vh`, the cotangent of a Hermitian matrix for the cotangent g of its eigenvalues."""

    unreached: ClassVar[tuple[int, ...]] = (1, 2)

    @classmethod
    def composed(cls, g: Any, w: Any, v: Any, *rest: Any) -> Any:
        return (v * g.unsqueeze(-2)) @ adjoint(v)

    def moved_by(self, dx: Any) -> Any:
        g, w, v, *_ = self.operands
        along: Any = adjoint(v) @ dx @ v
        along = (along + adjoint(along)) / 2
        return v @ (off_diagonal(divided(g, w, self.limit())) * along) @ adjoint(v)

    def notation(self) -> Notation:
        of_one = self.ndim == 2
        turned = "mH" if self.dtype.is_complex else "T" if of_one else "mT"
        sign = r"\mathsf{{H}}" if self.dtype.is_complex else r"\mathsf{{T}}"
        each = "{0}" if of_one else "{0}[..., None, :]"
        return Notation(
            f"({{2}} * {each}) @ {{2}}.{turned}",
            r"{2} \operatorname{{diag}}\left({0}\right) {2}^{{" + sign + "}}",
            Precedence.PRODUCT,
            (Precedence.PRODUCT + 1 if of_one else Precedence.ATOM, 0, Precedence.ATOM),
        )


class WithLimits(Spectral, abstract=True):
    """The same, whose tangent can be computed of arrays."""

    def decomposed(self) -> Sequence[ArrayExpr]:
        return [*self.operands[1:-2], self.operands[-1]]

    def limit(self) -> Any:
        return self.operands[-2]

    def moved_by_arrays(self) -> ArrayExpr:
        return self


class spectral_with_limits(WithLimits, spectral):
    """`V diag(g) Vh`, whose tangent can be computed of arrays."""

    unreached: ClassVar[tuple[int, ...]] = (1, 2, 3)


spectral.with_limits = spectral_with_limits


class function_by_eigenvectors(KnownFunction, spectral):
    """The same, where each element of g is a function of the same eigenvalue alone."""

    at_values = 1
    at_matrix = 3
    unreached: ClassVar[tuple[int, ...]] = (0, 1, 2)
    derivative = frechet


spectral.known = function_by_eigenvectors


class moved_values(Moved):
    """The tangent of the eigenvalues of a Hermitian matrix."""

    unreached: ClassVar[tuple[int, ...]] = (1, 2)
    pulls_back_as = spectral

    @classmethod
    def composed(cls, dx: Any, w: Any, v: Any, x: Any) -> Any:
        return between(v, dx, v)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Any:
        dx, w, v, x = self.operands
        again, _, turned, _ = tangents
        parts = [] if turned is None else [between(turned, dx, v), between(v, dx, turned)]
        return total([None if again is None else self.of(again, w, v, x), *parts])


spectral.pulls_back_as = moved_values


# ------------------------------------------------------------------ Hermitian matrices


def hermitian_part(x):  # type: ignore[no-untyped-def]
    """Return the Hermitian parts of matrices, and which of them are not finite: zeros stand there."""
    x = (x + x.conj().swapaxes(-1, -2)) / 2
    lost = ~np.isfinite(x).all((-2, -1))
    return np.where(lost[..., None, None], np.array(0, x.dtype), x), lost


def with_real_rows(v):  # type: ignore[no-untyped-def]
    """Return columns with phases for which the first entries are not negative; real ones as is."""
    if v.dtype.kind != "c" or not v.size:
        return v
    first = v[..., :1, :]
    return v / np.where(first == 0, 1, first / np.where(first == 0, 1, np.abs(first)))


def _eigh(x):  # type: ignore[no-untyped-def]
    x, lost = hermitian_part(x)  # type: ignore[no-untyped-call]
    w, v = over_stack(np.linalg.eigh, x)  # type: ignore[no-untyped-call]
    v = with_real_rows(v)  # type: ignore[no-untyped-call]
    w[lost], v[lost] = np.nan, np.nan
    return w, v


def phases_kept(v: Any, moved: Any) -> Any:
    """Return the tangent of columns whose first entries are real from that up to their phases."""
    if not v.dtype.is_complex:
        return moved
    first = v[..., :1, :].real
    zero = first.eq(0)
    return moved + 1j * where.of(zero, 0, -moved[..., :1, :].imag / where.of(zero, 1, first)) * v


class eigh(MatrixOperation, Several):
    """The eigenvalues, in ascending order, and the eigenvectors of the Hermitian parts of matrices.

    The phases of eigenvectors of complex matrices are free: here the first entry of each is not
    negative. The signs of real ones are those that NumPy's routine gives.
    """

    called = "linalg.eigh"
    kernel_name = "linalg_eigh_cpu"
    refuses = (Category.BOOL, Category.INT)
    converts = False  # of complex matrices the first result is real
    results = ("eigenvalues", "eigenvectors")
    #: Which results are matrices of vectors.
    vectors: ClassVar[tuple[int, ...]] = (1,)
    keeps = (0,)  # which derivatives of derivatives read
    kernel = Kernel.from_function(
        _eigh, prelude=definitions(hermitian_part, over_stack, with_real_rows)
    )

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return ((*lead, size[-1]), (*lead, *size)), (to_real(kind), kind)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        of_values, of_vectors = cts
        (x,) = self.operands
        found: Any = None
        if of_values is not None:
            found = self._of_values(of_values)
        if of_vectors is not None:
            dx = Placeholder("dx", x.shape, x.dtype)
            (back,) = vjp([self._vectors_pushed(dx)], [of_vectors], [dx])
            found = back if found is None else found + back
        return (found,)

    def _of_values(self, ct: Any) -> Any:
        w, v = self
        (x,) = self.operands
        if isinstance(ct, Const):
            ct = ct.broadcast_to(w.shape)
        if isinstance(ct, broadcast_to):
            whole = ct.operands[0]
            if whole.ndim == 0 or (whole.ndim == w.ndim and whole.shape[-1] == 1 != w.shape[-1]):
                # The trace.
                each = whole if whole.ndim == 0 else over_matrices(whole.squeeze(-1))
                return (each * delta(x.shape[-1:], w.dtype)).broadcast_to(x.shape).to(x.dtype)
        return spectral.function(ct, w, v, x)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Sequence[ArrayExpr | None]:
        (dx,) = tangents
        if dx is None:
            return [None, None]
        w, v = self
        values = moved_values.of(dx, w, v, *self.operands)
        return [values, self._vectors_pushed(dx)]

    def _vectors_pushed(self, dx: Any) -> ArrayExpr:
        """Return the tangent of the eigenvectors: `V (F * P)` with `F[i, j] = 1 / (w[j] - w[i])`."""
        w, v = self
        along: Any = adjoint(v) @ dx @ v
        along = (along + adjoint(along)) / 2
        on = ArrayConst(np.eye(w.shape[-1], dtype=bool))
        gap: Any = w.unsqueeze(-2) - w.unsqueeze(-1)
        made: Any = v @ (where.of(on, 0, 1 / where.of(on, 1, gap)) * along)
        return phases_kept(v, made)  # type: ignore[no-any-return]

    samples = [(_SYMMETRIC,), (_PAIR,)]


# ------------------------------------------------------------------ other square matrices


def _eig(x):  # type: ignore[no-untyped-def]
    if not np.isfinite(x).all():
        raise RuntimeError("torch.linalg.eig: input tensor should not contain infs or NaNs.")
    w, v = over_stack(np.linalg.eig, x)  # type: ignore[no-untyped-call]
    kind = np.result_type(x.dtype, np.complex64)
    return w.astype(kind), with_real_rows(v.astype(kind))  # type: ignore[no-untyped-call]


class eig(MatrixOperation, Several):
    """The eigenvalues and the eigenvectors of square matrices, which are complex.

    The eigenvectors have the length 1, and first entries that are not negative.
    """

    called = "linalg.eig"
    converts = False
    results = ("eigenvalues", "eigenvectors")
    kernel = Kernel.from_function(_eig, prelude=definitions(over_stack, with_real_rows))

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return ((*lead, size[-1]), (*lead, *size)), (kind.to_complex(),) * 2

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        dx = Placeholder("dx", x.shape, x.dtype)
        given = [(self._pushed(i, dx), ct) for i, ct in enumerate(cts) if ct is not None]
        tangents, cotangents = zip(*given, strict=True)
        return vjp(tangents, cotangents, [dx])

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Sequence[ArrayExpr | None]:
        (dx,) = tangents
        return [None if dx is None else self._pushed(i, dx) for i in range(2)]

    def _pushed(self, index: int, dx: Any) -> Any:
        """Return the tangent of a result: `diag(P)` or `V (F * P)`, with `P = V^-1 dx V`."""
        w, v = self
        along: Any = solve.of(v, dx.to(v.dtype) @ v)
        if not index:
            return along.diagonal(0, -2, -1)
        on = ArrayConst(np.eye(w.shape[-1], dtype=bool))
        gap: Any = w.unsqueeze(-2) - w.unsqueeze(-1)
        moved: Any = v @ (where.of(on, 0, 1 / where.of(on, 1, gap)) * along)
        # The length stays 1.
        moved = moved - v * real(v.conj() * moved).sum(-2).unsqueeze(-2)
        return phases_kept(v, moved)

    samples = [(_GENERAL,), (np.stack([_GENERAL[:2, :2], _GENERAL[1:, 1:]]),)]
