"""Reductions of several values into one place: scatter, scatter_reduce and index_reduce.

Plain writing and adding by arrays of indices is in `symgrad.ops.gathering`.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import ArrayConst, Const
from symgrad.expr.dtypes import bool_, dtype, int64, no_kernel
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.expr.shapes import Shape
from symgrad.ops import symbols
from symgrad.ops.arithmetic import mul
from symgrad.ops.broadcasting import broadcast_to, repeated_text, zeros
from symgrad.ops.casting import cast
from symgrad.ops.comparison import ne
from symgrad.ops.extrema import attains
from symgrad.ops.gathering import batched_scatter, gather, scatter, scatter_add
from symgrad.ops.joining import cat
from symgrad.ops.ordering import sort
from symgrad.ops.primitive import Cotangents, Primitive
from symgrad.ops.reshaping import reshape
from symgrad.ops.scans import conjugate, restarted, shift
from symgrad.ops.slicing import part, updated
from symgrad.ops.where import where

_X = np.array([[2.0, -1.0, 0.5], [1.5, 3.0, -2.0]])
_VALUES = np.array([[0.5, -1.0, 2.0], [1.5, 0.25, -0.75]])
_ROWS = np.array([[0, 1, 1], [0, 1, 0]])
_COLUMNS = np.array([[2, 2], [0, 0]])


def _scatter_reduce(x, value, indices, *, axis, reduce, include_self):  # type: ignore[no-untyped-def]
    out = np.array(x, order="C")
    indices = np.atleast_1d(indices)
    key = list(np.ix_(*[np.arange(n) for n in indices.shape]))
    key[axis] = indices
    places = np.arange(out.size).reshape(out.shape or (1,))[tuple(key)].reshape(-1)
    value = np.asarray(value)
    if value.ndim:
        value = value[tuple(slice(n) for n in indices.shape)]
    value = np.broadcast_to(value, indices.shape).reshape(-1).astype(out.dtype)
    flat = out.reshape(-1)
    if not include_self:
        if reduce in ("amax", "amin"):
            # The search for the extreme may begin with any value that is sent to the place.
            flat[places] = value
        else:
            flat[places] = 1 if reduce == "prod" else 0
    ufunc = {"prod": np.multiply, "amax": np.maximum, "amin": np.minimum}.get(reduce, np.add)
    ufunc.at(flat, places, value)
    if reduce == "mean":
        counts = np.bincount(places, minlength=flat.size)
        counts = counts + 1 if include_self else np.maximum(counts, 1)
        flat[...] = flat // counts if out.dtype.kind in "iu" else flat / counts
    return out


def _scatter_reduce_formulas(
    x: Any, value: Any, indices: Any, *, axis: int, reduce: str, include_self: bool
) -> Any:
    shape, x = x.shape, np.atleast_1d(x)
    indices = np.atleast_1d(indices)
    out = np.array(x)
    ways = {"prod": operator.mul, "amax": sympy.Max, "amin": sympy.Min}
    combined: Any = ways.get(reduce, operator.add)
    # How much takes part at each place, and whether anything does: 1 or 0.
    counts = np.full(x.shape, sympy.Integer(include_self), object)
    taken = counts.copy()
    for place, options in symbols.along_axis(x.shape, indices, axis):
        v = value[place] if value.ndim else value[()]
        for there, number in options:
            old, any_before = out[there], taken[there]
            new = any_before * combined(old, v) + (1 - any_before) * v
            out[there] = number * new + (1 - number) * old
            taken[there] = any_before + number - any_before * number
            counts[there] += number
    if reduce == "mean":
        out = out / np.frompyfunc(lambda n: sympy.Max(n, 1), 1, 1)(counts)
    return out.reshape(shape)


class scatter_reduce(Primitive):
    """An array into which values are reduced at the places that indices name.

    `include_self` says whether the former elements take part. Where extremes tie, they share
    the gradient.
    """

    reductions: ClassVar[tuple[str, ...]] = ("sum", "prod", "mean", "amax", "amin")
    params = ("axis", "reduce", "include_self")
    kernel = Kernel.from_function(
        _scatter_reduce, number_systems={"sympy": _scatter_reduce_formulas}
    )
    axis: int
    reduce: str
    include_self: bool

    @classmethod
    def infer(
        cls, x: Any, value: Any, indices: Any, axis: int, reduce: str, include_self: bool
    ) -> tuple[Shape, dtype]:
        if value.dtype.is_complex and not x.dtype.is_complex:
            raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
        cls.check_kind(x.dtype, reduce)
        return x.shape, x.dtype

    @classmethod
    def check_kind(cls, kind: dtype, reduce: str) -> None:
        """Refuse the dtypes that PyTorch does not reduce."""
        if (kind is bool_ and reduce == "mean") or (kind.is_complex and reduce in ("amax", "amin")):
            raise no_kernel(f"scatter_gather_tensor_cpu_reduce_{reduce}", kind)

    def notation(self) -> Notation:
        _, value, indices = self.operands
        given = repeated_text("{1}", value, indices.shape, self.dtype)
        rest = "" if self.include_self else ", include_self=False"
        text = f"scatter_reduce({{0}}, {self.axis}, {{2}}, {given}, {self.reduce!r}{rest})"
        return super().notation()._replace(text=text)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x, given, indices = (_with_axis(o) for o in self.operands)
        ct = _with_axis(broadcast_to.of(ct, self.shape))
        value = given
        if not self.operands[1].shape:  # the same number for all places
            value = broadcast_to.of(value, indices.shape)
        elif value.shape != indices.shape:  # the other elements were not read
            value = part.of(value, _corner(indices))
        in_x, in_value = self._shares(ct, x, value, indices)
        if not self.include_self:
            in_x = scatter.of(ct, Const(0), indices, self.axis)
        if not self.operands[1].shape:
            in_value = in_value.sum()
        elif value is not given:
            in_value = updated.of(zeros(given.shape, ct.dtype), in_value, _corner(indices))
        return reshape.of(in_x, self.shape), in_value, None

    def _shares(
        self, ct: ArrayExpr, x: ArrayExpr, value: ArrayExpr, indices: ArrayExpr
    ) -> tuple[ArrayExpr, ArrayExpr]:
        """Return the cotangents of the former elements, as if these took part, and of the values."""
        if self.reduce == "prod":
            return self._products(ct, x, value, indices)
        theirs = gather.of(ct, indices, self.axis)
        if self.reduce == "sum":
            return ct, theirs
        if self.reduce == "mean":
            one = broadcast_to.of(Const(1, int64), indices.shape)
            counts = self._counted(broadcast_to.of(Const(1, int64), x.shape), one, indices)
            return ct / counts, theirs / gather.of(counts, indices, self.axis)
        out = _with_axis(self)
        mine, ties = attains.of(x, out), attains.of(value, gather.of(out, indices, self.axis))
        counts = self._counted(cast.of(mine, int64), cast.of(ties, int64), indices)
        return (
            where.of(mine, ct / counts, 0),
            where.of(ties, theirs / gather.of(counts, indices, self.axis), 0),
        )

    def _counted(self, own: ArrayExpr, others: ArrayExpr, indices: ArrayExpr) -> ArrayExpr:
        if not self.include_self:
            own = zeros(own.shape, int64)
        return scatter_add.of(own, others, indices, self.axis)

    def _products(
        self, ct: ArrayExpr, x: ArrayExpr, value: ArrayExpr, indices: ArrayExpr
    ) -> tuple[ArrayExpr, ArrayExpr]:
        n, m = x.size, value.size
        positions = ArrayConst(np.arange(n).reshape(x.shape))
        places = reshape.of(gather.of(positions, indices, self.axis), (m,))
        factors = reshape.of(value, (m,))
        if self.include_self:
            factors = cat.of(reshape.of(x, (n,)), factors, 0)
            places = cat.of(ArrayConst(np.arange(n)), places, 0)
        ct = gather.of(reshape.of(ct, (n,)), places, 0)
        back = mul.of(ct, _others(conjugate(factors), places))
        own = part.of(back, ((0, n, 1),)) if self.include_self else zeros((n,), ct.dtype)
        rest = part.of(back, ((n, n + m, 1),)) if self.include_self else back
        return reshape.of(own, x.shape), reshape.of(rest, value.shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return batched_scatter(self, size, operands, batched)

    samples = [
        *[(_X, _VALUES, _ROWS, 0, kind, True) for kind in reductions],
        *[(_X, _VALUES, _COLUMNS, 1, kind, False) for kind in reductions],
        (_X, _VALUES * [0, 0, 1], _ROWS, 0, "prod", True),
        (_X, np.array(1.5), _ROWS[:1], 0, "prod", True),
        (np.array(2.0), np.array([3.0]), np.array([0]), 0, "mean", True),
    ]


_FIRST = np.zeros((2, 3), np.int64)


class index_reduce(scatter_reduce):
    """`scatter_reduce` of whole slices along one axis; sums are those of `index_add`."""

    reductions = scatter_reduce.reductions[1:]

    @classmethod
    def check_kind(cls, kind: dtype, reduce: str) -> None:
        if kind is bool_ or kind.is_complex:
            raise no_kernel("index_func_", kind)

    samples = [(_X, _VALUES, _FIRST, 0, kind, True) for kind in ("prod", "mean", "amax")]


def _with_axis(x: ArrayExpr) -> ArrayExpr:
    return x if x.shape else reshape.of(x, (1,))


def _corner(indices: ArrayExpr) -> tuple[tuple[int, int, int], ...]:
    return tuple([(0, n, 1) for n in indices.shape])


def _others(x: ArrayExpr, groups: ArrayExpr) -> ArrayExpr:
    """Return for each element of a vector the product of the others in its group.

    Running products from both sides, in the order of the groups, need no division: derivatives of
    every order are right and finite where elements are zero.
    """
    by = sort(groups, 0, False)[1]
    x = gather.of(x, by, 0)
    group = gather.of(groups, by, 0) + 1  # from 1 on, since the shift brings in 0
    running = []
    for step in (1, -1):
        begins = ne.of(group, shift.of(group, 0, step))
        factor = where.of(begins, 0, shift.of(x, 0, step))
        running.append(restarted.of(factor, cast.of(begins, x.dtype), begins, 0, step < 0))
    return scatter.of(zeros(x.shape, x.dtype), mul.of(*running), by, 0)
