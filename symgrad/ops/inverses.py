"""Inverses and determinants of square matrices."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import dtype, int32, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.expr.shapes import Shape
from symgrad.ops.deriving import as_written
from symgrad.ops.linear_algebra import (
    ERRORS,
    STACK,
    THREE,
    TWO,
    MatrixOperation,
    adjoint,
    by_adjugate,
    dependent_columns,
    nan_for_nan,
    of_each_matrix,
    of_stacks,
    over_matrices,
    refused,
)
from symgrad.ops.matrices import Matrices, MatrixReading, NoMatrix, read
from symgrad.ops.primitive import Cotangents
from symgrad.ops.results import Several
from symgrad.ops.selection import definitions

_SAMPLES = [(TWO,), (THREE,), (STACK,)]


# ------------------------------------------------------------------ inverses


def _inv(x):  # type: ignore[no-untyped-def]
    try:
        return nan_for_nan(np.linalg.inv, x, 2)  # type: ignore[no-untyped-call]
    except np.linalg.LinAlgError:
        raise refused(  # type: ignore[no-untyped-call]
            "linalg.inv",
            dependent_columns(x),  # type: ignore[no-untyped-call]
            "The diagonal element {} is zero, the inversion could not be completed because the "
            "input matrix is singular.",
        ) from None


class inv(MatrixOperation):
    """The inverse matrices."""

    keeps_symmetry = True
    called = "linalg.inv"
    kernel = Kernel.from_function(
        _inv,
        prelude=ERRORS,
        rows=of_stacks,
        number_systems={
            **of_each_matrix(lambda m: m.inv().tolist()),
            **by_adjugate(lambda adjugate, det: adjugate / det[..., None, None]),
        },
    )
    printed = Notation(
        "inv({0})", "{0}^{{-1}}", typeset=Latex("{0}^{{-1}}", Precedence.ATOM, (Precedence.ATOM,))
    )

    def matrix(self, m: Matrices) -> MatrixReading:
        return m.square(sympy.Inverse, (yield self.operands[0]), self.shape)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (-(adjoint(self) @ ct @ adjoint(self)),)

    def singular(self) -> Sequence[tuple[str, ArrayExpr]]:
        return (("pole", det.of(self.operands[0])),)

    def jvp(self, tangents: Sequence[Any]) -> Any:
        (moved,) = tangents
        return None if moved is None else -(self @ moved @ self)

    samples = _SAMPLES


def inverted(x):  # type: ignore[no-untyped-def]
    """Return the inverses of matrices, nan where there is none, and which pivot is zero."""
    info = dependent_columns(x)  # type: ignore[no-untyped-call]
    regular = (info == 0)[..., None, None]
    made = np.linalg.inv(np.where(regular, x, np.eye(x.shape[-1], dtype=x.dtype)))
    return np.where(regular, made, np.array(np.nan, x.dtype)), info


def _inv_ex(x):  # type: ignore[no-untyped-def]
    return nan_for_nan(inverted, x, 2)  # type: ignore[no-untyped-call]


class inv_ex(MatrixOperation, Several):
    """The inverse matrices, nan where there is none, and which pivot is zero: 0 if none is."""

    called = "linalg.inv_ex"
    results = ("inverse", "info")
    kernel = Kernel.from_function(
        _inv_ex, prelude=definitions(nan_for_nan, dependent_columns, inverted), rows=of_stacks
    )

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return ((*lead, *size), lead), (kind, int32)

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        inverse, ct = adjoint(self[0]), cts[0]
        return (-(inverse @ ct @ inverse),)

    samples = _SAMPLES


# ------------------------------------------------------------------ determinants


class det(MatrixOperation):
    """The determinants."""

    called = "linalg.det"
    kernel_name = "lu_cpu"
    kernel = Kernel(
        "det",
        lambda x: nan_for_nan(np.linalg.det, x, 0),  # type: ignore[no-untyped-call]
        "nan_for_nan(np.linalg.det, {0}, 0)",
        definitions(nan_for_nan),
        rows=of_stacks,
        number_systems={
            **of_each_matrix(lambda m: m.det()),
            **by_adjugate(lambda adjugate, det: det),
        },
    )
    printed = Notation("det({0})", r"\det\left({0}\right)")

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return lead, kind

    def matrix(self, m: Matrices) -> MatrixReading:
        return m.square(sympy.Determinant, (yield self.operands[0]), self.shape)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        slope = cofactors.of(*self.operands)
        return (over_matrices(ct) * (slope.conj() if self.dtype.is_complex else slope),)

    samples = [*_SAMPLES, (np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]),)]


def products_without(s, count):  # type: ignore[no-untyped-def]
    """Return for each choice of `count` of the numbers of the last axis the product of the others.

    It is 0 where one is chosen twice.
    """
    n = s.shape[-1]
    if count == 1:
        return np.where(np.eye(n, dtype=bool), 1, s[..., None, :]).prod(-1)
    parts = []
    for i in range(n):
        rest = s.copy()
        rest[..., i] = 1
        part = products_without(rest, count - 1)  # type: ignore[no-untyped-call]
        for axis in range(1, count):
            np.moveaxis(part, -axis, 0)[i] = 0
        parts.append(part)
    shape = (*s.shape[:-1], *(n,) * (count - 1))
    return np.stack(parts, -count) if n else np.zeros((*shape, n), s.dtype)


def _cofactors(x, *along):  # type: ignore[no-untyped-def]
    # With x = U diag(s) Vh the determinant of x + h is that of diag(s) + Uh h V, up to a sign. Of
    # that the part that is linear in each of m + 1 directions is the sum over choices i of m + 1
    # places, and permutations p of these, of the sign of p times the s that are not chosen times the
    # elements [i, p(i)] of the directions. Nothing is divided by a singular value.
    finite = np.isfinite(x).all((-2, -1), keepdims=True)
    u, s, vh = np.linalg.svd(np.where(finite, x, 0))  # of infinities LAPACK may never end
    s = np.where(finite[..., 0], s, np.nan)
    count = len(along) + 1
    lead = np.broadcast_shapes(*[h.shape for h in (x, *along)])
    core = np.zeros(lead, np.result_type(x, *along))
    if count > s.shape[-1]:  # there are no such places: a determinant has the degree of its rows
        return core
    rest = products_without(s, count)  # type: ignore[no-untyped-call]
    between = [u.conj().swapaxes(-1, -2) @ h @ vh.conj().swapaxes(-1, -2) for h in along]
    for places in itertools.permutations("abcdefghijklmnop"[:count]):
        turns = sum(p > q for k, p in enumerate(places) for q in places[k + 1 :])
        factors = "".join(
            [f",...{a}{b}" for a, b in zip("bcdefghijklmnop", places[1:], strict=False)]
        )
        first = "a" if places[0] == "a" else f"a{places[0]}"
        spec = f"...{''.join(sorted(places))}{factors}->...{first}"
        target = np.einsum("...aa->...a", core) if first == "a" else core
        target += (-1) ** turns * np.einsum(spec, rest, *between, optimize=count > 2)
    sign = (np.linalg.det(u) * np.linalg.det(vh))[..., None, None]
    return (sign * (u.conj() @ core @ vh.conj())).astype(core.dtype, copy=False)


def _cofactors_of_formulas(m: Any, *along: Any) -> Any:
    steps = sympy.symbols(f"t:{len(along)}", cls=sympy.Dummy)
    moved = m
    for t, h in zip(steps, along, strict=True):
        moved = moved + t * h
    made = moved.cofactor_matrix()
    for t in steps:
        made = made.diff(t).subs(t, 0)
    return made.tolist()


class cofactors(MatrixOperation):
    """The derivatives of the determinants by the elements, `det(x) * inv(x).T` for regular matrices.

    Further operands are directions: `cofactors(x, h)` is the derivative of `cofactors(x)` along h,
    and so on. They are polynomials of the elements, and finite for singular matrices.
    """

    internal = True
    called = "cofactors"
    kernel = Kernel.from_function(
        _cofactors,
        prelude=definitions(products_without),
        imports=("import itertools",),
        rows=of_stacks,
        number_systems=of_each_matrix(_cofactors_of_formulas),
    )

    def matrix(self, m: Matrices) -> MatrixReading:
        x, *along = self.operands
        if along:
            raise NoMatrix
        with as_written():  # SymPy has no class of matrices that has those of a singular matrix
            made = over_matrices(det.of(x)) * inv.of(x).mT
        return read(made)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x, *along = self.operands
        weight = ct.conj() if self.dtype.is_complex else ct
        found: list[ArrayExpr | None] = []
        for i, need in enumerate(needs):
            given = [*along, weight]
            if i:  # the derivatives of a determinant are symmetric in their directions
                given[i - 1 : i] = []
            slope = cofactors.of(x, *given) if need else None
            found.append(slope.conj() if slope is not None and self.dtype.is_complex else slope)
        return found

    samples = [*_SAMPLES, (THREE, THREE.T - 1), (STACK, TWO.T, TWO - 2), (THREE, *[THREE.T] * 3)]


def _pole_inv(x):  # type: ignore[no-untyped-def]
    try:
        return nan_for_nan(np.linalg.inv, x, 2)  # type: ignore[no-untyped-call]
    except np.linalg.LinAlgError:
        made, info = nan_for_nan(inverted, x, 2)  # type: ignore[no-untyped-call]
        above = _cofactors(x).swapaxes(-1, -2)  # type: ignore[no-untyped-call]
        poles = np.full_like(made, np.nan)
        if made.dtype.kind == "f":
            infinite = np.copysign(np.array(np.inf, x.dtype), above)
            poles = np.where((above == 0) | np.isnan(above), poles, infinite)
        return np.where((info == 0)[..., None, None], made, poles)


class pole_inv(inv):
    """The inverse matrices as slopes of logarithms of determinants: infinite or nan at singular ones.

    There the adjugate is divided by 0, where `inv` raises.
    """

    internal = True
    kernel = Kernel.from_function(
        _pole_inv,
        prelude=definitions(
            nan_for_nan, dependent_columns, inverted, prelude=cofactors.kernel.prelude
        ),
        imports=("import itertools",),
        rows=of_stacks,
        number_systems=inv.kernel.number_systems,
    )

    def as_read(self) -> ArrayExpr:
        return inv.of(*self.operands)


def sign_and_log(x):  # type: ignore[no-untyped-def]
    """Return the signs of determinants and the logarithms of their moduli."""
    return tuple(np.linalg.slogdet(x))


def _logdet(x):  # type: ignore[no-untyped-def]
    sign, log = nan_for_nan(sign_and_log, x, 0)  # type: ignore[no-untyped-call]
    if x.dtype.kind == "c":
        return log + np.log(sign)
    return np.where(sign < 0, np.array(np.nan, x.dtype), log)


class logdet(MatrixOperation):
    """The logarithms of the determinants; of real matrices nan where the determinant is negative."""

    called = "logdet"
    printed = Notation("logdet({0})", r"\log \det\left({0}\right)")

    def singular(self) -> Sequence[tuple[str, ArrayExpr]]:
        return (("pole", det.of(self.operands[0])),)

    kernel = Kernel.from_function(
        _logdet,
        prelude=definitions(nan_for_nan, sign_and_log),
        rows=of_stacks,
        number_systems={
            **of_each_matrix(lambda m: sympy.log(m.det())),
            **by_adjugate(lambda adjugate, det: np.log(det)),
        },
    )

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return lead, kind

    def matrix(self, m: Matrices) -> MatrixReading:
        return m.function(sympy.log, (yield det.of(*self.operands)))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (over_matrices(ct) * adjoint(pole_inv.of(*self.operands)),)

    samples = [(TWO,), (THREE,), (STACK[:, ::-1] @ STACK[:, ::-1],)]


def _sign_and_log_of_formulas(m: Any) -> tuple[Any, Any]:
    found = m.det()
    return sympy.sign(found), sympy.log(sympy.Abs(found))


class slogdet(MatrixOperation, Several):
    """The sign (a number of modulus one, or 0) and the logarithm of the modulus of determinants."""

    called = "linalg.slogdet"
    results = ("sign", "logabsdet")

    def singular(self) -> Sequence[tuple[str, ArrayExpr]]:
        return (("pole", det.of(self.operands[0])),)

    kernel = Kernel(
        "slogdet",
        lambda x: nan_for_nan(sign_and_log, x, 0),  # type: ignore[no-untyped-call]
        "nan_for_nan(sign_and_log, {0}, 0)",
        definitions(nan_for_nan, sign_and_log),
        rows=of_stacks,
        number_systems=of_each_matrix(_sign_and_log_of_formulas),
    )

    @classmethod
    def result_of(cls, lead: Shape, size: Shape, kind: dtype) -> tuple[Any, Any]:
        return (lead, lead), (kind, to_real(kind))

    def vjp(self, cts: Cotangents, needs: Sequence[bool]) -> Cotangents:
        """Return `c A^-H`, where `c = ct_log - i Im(conj(ct_sign) sign)`.

        For `d log det A = tr(A^-1 dA)`, whose real part is that of the logarithm of the modulus; the
        imaginary part turns the sign.
        """
        of_sign, c = cts
        if of_sign is not None and self.dtype.is_complex:
            turned = -1j * (of_sign.conj() * self[0]).imag
            c = turned if c is None else c + turned
        if c is None:
            return (None,)
        return (over_matrices(c) * adjoint(pole_inv.of(*self.operands)),)

    samples = _SAMPLES
