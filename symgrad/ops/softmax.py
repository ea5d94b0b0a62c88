"""Sums of exponentials, computed without overflow: logsumexp, softmax, log_softmax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype, float16, no_kernel, to_float
from symgrad.expr.escaping import latex_text
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import (
    Latex,
    Notation,
    Precedence,
    axes_latex,
    braces,
    repeated_latex,
    row_latex,
)
from symgrad.expr.shapes import Shape, reduced_shape, size_of
from symgrad.ops.arithmetic import sub
from symgrad.ops.axes import Reduction, along, number_systems
from symgrad.ops.contraction import contract
from symgrad.ops.deriving import as_written
from symgrad.ops.entries import Index, Indices, Reading, sum_over, with_entry
from symgrad.ops.exponential import exp
from symgrad.ops.half import halved
from symgrad.ops.matrices import Matrices, MatrixReading, NoMatrix
from symgrad.ops.primitive import Cotangents, Primitive
from symgrad.ops.reduction import sum
from symgrad.ops.samples import TABLE
from symgrad.ops.terms import Terms
from symgrad.ops.totals import TOTAL, _total
from symgrad.ops.where import where
from symgrad.ops.zeros import Zeros


def _logsumexp(x, *, axis, keepdims):  # type: ignore[no-untyped-def]
    top = np.maximum.reduce(x.real, axis=axis, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0)  # inf - inf would be nan
    total = np.log(_total(np.exp(x - top), axis=axis, keepdims=True)) + top
    return total if keepdims or not x.ndim else np.squeeze(total, axis=axis)


def _exact_logsumexp(exp: Any, log: Any, sqrt: Any) -> Any:
    return lambda x, axis, keepdims: log(np.add.reduce(exp(x), axis=axis, keepdims=keepdims))


def _exact_softmax(exp: Any, log: Any, sqrt: Any) -> Any:
    return lambda x, axis: exp(x) / np.add.reduce(exp(x), axis=axis, keepdims=True)


def _exact_log_softmax(exp: Any, log: Any, sqrt: Any) -> Any:
    return lambda x, axis: x - log(np.add.reduce(exp(x), axis=axis, keepdims=True))


_MASKED = np.array([[0.3, -np.inf, 2.0], [1.5, 0.4, -0.7]])


class logsumexp(Reduction):
    ufuncs = ("logaddexp.reduce",)
    poles: ClassVar[tuple[int, ...] | None] = ()
    kernel = Kernel.from_function(
        _logsumexp,
        prelude=TOTAL.prelude,
        rows=along,
        number_systems=number_systems(_exact_logsumexp),
    )
    kernels = {float16: halved(kernel)}
    converts = True

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return to_float(kind)

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        x = yield self.operands[0], inner
        made = b.named("logsumexp", x, over)
        return sympy.log(sum_over(sympy.exp(x), *over)) if made is None else made

    def matrix(self, m: Matrices) -> MatrixReading:
        (x,) = self.operands
        if not self.reduced_size:
            raise NoMatrix
        if not m.expand and self.reduced_size != 1:
            return m.by_elements(self, (yield x))
        with as_written():
            total = sum.of(x.exp(), self.axes, self.keepdims)
        return m.function(sympy.log, (yield total))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        weights = (x - self.with_reduced_axes(self)).exp()
        return (
            self.with_reduced_axes(ct) * (weights.conj() if weights.dtype.is_complex else weights),
        )

    samples = [(TABLE, (1,), False), (TABLE, (0, 1), False), (_MASKED, (1,), True)]


class steady_logsumexp(logsumexp):
    """`logsumexp` in formulas of derivatives: its own derivative adds up to one.

    Weights computed from the rounded result would have few digits where elements are large.
    """

    internal = True
    public_name = "logsumexp"

    @classmethod
    def infer(cls, x: Any, *params: Any) -> tuple[Shape, dtype]:
        if x.dtype.category != Category.FLOAT:
            raise NotImplementedError(f"{cls.__name__} of {x.dtype}")
        return super().infer(x, *params)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        if len(self.axes) == 1:
            return (self.with_reduced_axes(ct) * steady_softmax.of(x, self.axes[0]),)
        weights = (x - self.with_reduced_axes(self)).exp()
        total = sum.of(weights, self.axes, True)
        return (self.with_reduced_axes(ct) * (weights / where.of(total.isfinite(), total, 1)),)


class BesideSums(Primitive, abstract=True):
    """A function of each element and of sums along an axis."""

    params = ("axis",)
    axis: int

    def beside_sums(self) -> ArrayExpr:
        """Return an equal formula in which the sums stand apart from the elements."""
        raise NotImplementedError(f"{type(self).__name__} states no beside_sums()")


class Normalised(BesideSums, abstract=True):
    """Exponentials along an axis in proportion to their sum, or the logarithms of these."""

    poles: ClassVar[tuple[int, ...] | None] = ()

    @classmethod
    def infer(cls, x: Any, axis: int) -> tuple[Shape, dtype]:
        if x.dtype.category != Category.FLOAT:
            kernel = cls.__name__ + "_kernel_impl"
            if axis == max(len(x.shape) - 1, 0):
                kernel = cls.__name__ + "_lastdim_kernel_impl"
            raise no_kernel(kernel, x.dtype)
        return x.shape, x.dtype

    def over(self, x: ArrayExpr) -> ArrayExpr:
        """Return the sum along the axis, which stays with length one."""
        return sum.of(x, (self.axis,) if x.shape else (), True)

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        if not self.shape:
            alone = yield x, index
            return self.normalised(alone, alone, [])
        over = b.bound(self.shape[self.axis])
        inner = yield x, with_entry(index, self.axis, over[0])
        weight = b.named("softmax", inner, over, index[self.axis])
        if weight is not None:
            return self.of_weight(weight)
        return self.normalised((yield x, index), inner, over)

    def matrix(self, m: Matrices) -> MatrixReading:
        (x,) = self.operands
        if not m.expand and self.shape and self.shape[self.axis] != 1:
            return m.by_elements(self, (yield x))
        with as_written():
            written = self.written_out()
        return (yield written)

    def beside_sums(self) -> ArrayExpr:
        (x,) = self.operands
        return sub(x, logsumexp.of(x, (self.axis,) if x.shape else (), True))

    def written_out(self) -> ArrayExpr:
        """Return the same as a formula of exponentials."""
        raise NotImplementedError(f"{type(self).__name__} states no written_out()")

    def of_weight(self, weight: Any) -> Any:
        """Return the formula of an element from that of the element of `softmax`."""
        return weight

    def normalised(self, x: Any, inner: Any, over: Sequence[Any]) -> Any:
        """Return the formula of an element, from that of `x` and that with the indices `over`."""
        raise NotImplementedError(f"{type(self).__name__} states no normalised()")

    def notation(self) -> Notation:
        name = self.public_name or type(self).__name__
        shown = rf"\operatorname{{{latex_text(name)}}}_{{{axes_latex((self.axis,))}}}"
        return Notation(f"{name}({{0}}, dim={self.axis})", braces(shown) + r"\left({0}\right)")

    samples = [(TABLE, 1), (TABLE, 0), (np.array(1.5), 0)]


_ROWS = np.array([[0.0625, 0.875, 0.0625], [0.5, 0.25, 0.25]])
_COLUMNS = np.array([[0.125, 0.5, 0.75], [0.875, 0.5, 0.25]])


class _Weighed(BesideSums, abstract=True):
    """A function of an array and of its weighted mean along an axis.

    The weights have the shape of the array. They are the probabilities of a softmax, whose sum is 1,
    unless a user overwrote them.
    """

    poles: ClassVar[tuple[int, ...] | None] = ()
    internal = True
    converts = True

    def beside_sums(self) -> ArrayExpr:
        x, weights = self.operands
        return self.written(x, weights, self.axis)

    @classmethod
    def infer(cls, x: Any, weights: Any, axis: int) -> tuple[Shape, dtype]:
        kinds = [y.dtype for y in (x, weights) if not getattr(y, "weak", False)]
        for kind in kinds:
            if kind.category != Category.FLOAT:
                raise NotImplementedError(f"{cls.__name__} of {kind}")
        return x.shape, kinds[0]

    def over(self, x: ArrayExpr) -> ArrayExpr:
        """Return the sum along the axis, which stays with length one."""
        return sum.of(x, (self.axis,) if x.shape else (), True)

    def times(self, by_number: bool = False) -> str:
        """Return the sign in LaTeX of the product with the weights."""
        return r"\," if by_number or size_of(self.shape) == 1 else r"\odot"

    def lessened(self, template: str) -> Latex:
        """Return the form of a difference, in which `{2}` is the array in a product or sum."""
        x, weights = self.operands
        needed = (Precedence.SUM, Precedence.ODOT + 1, Precedence.ODOT + 1)
        return Latex(template, Precedence.SUM, needed, (x, weights, x))

    def repeated_sum(self, body: str) -> str:
        """Return a template in LaTeX of the sum along the axis, repeated to the shape of the result."""
        kept = reduced_shape(self.shape, (self.axis,), True) if self.shape else ()
        is_row = len(kept) == 2 and self.axis == 0 and kept[1] > 1
        sign = braces(rf"\sum_{{{axes_latex((self.axis,))}}}")
        repeated = repeated_latex(kept, self.shape)
        if size_of(kept) == 1 or len(kept) > 2 or kept == self.shape:
            return row_latex(Latex(f"{sign} {body}", Precedence.LARGE), is_row).template
        inner = row_latex(Latex(rf"\left({sign} {body}\right)"), is_row)
        return repeated.template.replace("{0}", inner.template)

    def equal_formula(self) -> ArrayExpr:
        x, weights = self.operands
        return self.written(x, weights, self.axis)

    def terms(self, b: Terms) -> Any:
        # The kernel keeps digits, of which a diagonal loses none. It also keeps zeros beside weights
        # that are no numbers: what other weights multiply is 0 there while one of their logits is
        # infinite, but what the same weights multiply is none, either.
        x, weights = self.operands
        alike = x.shape == weights.shape and x.dtype is weights.dtype is self.dtype
        if not alike:
            return None
        if not b.is_sparse(b.operand(x, self.dtype), b.operand(weights, self.dtype), softmax):
            return None
        return b.formula(self.written(x, weights, self.axis))

    def written(self, x: ArrayExpr, weights: ArrayExpr, axis: int) -> ArrayExpr:
        """Return the same as a formula of sums and products."""
        raise NotImplementedError(f"{type(self).__name__} states no written()")

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x, weights = operands
        if not self.shape:
            x, weights = [y.reshape((y.size, 1)) for y in operands]
            return self.of(*[y.broadcast_to((size, 1)) for y in (x, weights)], 1).reshape((size,))
        if isinstance(
            x, contract
        ):  # the rows of an identity: a Jacobian is simplified as a formula
            return self.written(x, weights, self.axis + 1)
        shape = (size, *self.shape)
        x, weights = [
            y if has else y.broadcast_to(shape) for y, has in zip(operands, batched, strict=True)
        ]
        return self.of(x, weights, self.axis + 1)

    samples = [(TABLE, _ROWS, 1), (TABLE, _COLUMNS, 0), (np.array(1.5), np.array(1.0), 0)]


# Where one element has more than half of the weight, if the weights still are probabilities.
def _heavy(weights: Any, total: Any, eps: float, *, axis: int) -> Any:
    heavy = weights > 0.5
    if heavy.any():
        count = weights.shape[axis] if weights.ndim else 1
        heavy &= abs(total - 1) <= 2 * count * eps
        heavy &= np.minimum.reduce(weights, axis=axis, keepdims=True) >= 0
    return heavy


#: `_heavy(weights, total, eps, axis=axis)`.
_HEAVY = Kernel.from_function(_heavy).prelude


def _centred(x, weights, *, axis):  # type: ignore[no-untyped-def]
    kind = np.result_type(x, weights)  # one operand may be a number
    wide = np.float32 if kind == np.float16 else kind
    x, weights = np.asarray(x, wide), np.asarray(weights, wide)
    total = np.add.reduce(weights, axis=axis, keepdims=True)
    # An element with more than half of the weight is nearly the mean. It is subtracted from all
    # elements first, so that the digits of the others are not lost beside it.
    heavy = _heavy(weights, total, np.finfo(kind).eps, axis=axis)
    if heavy.any():
        x = x - np.add.reduce(np.where(heavy, x, 0), axis=axis, keepdims=True)
    out = x - np.add.reduce(weights * x, axis=axis, keepdims=True)
    if not np.isfinite(total).all():  # an infinite or nan sum of weights must not make zeros nan
        out = np.where(np.any(x != 0, axis=axis, keepdims=True), out, 0)
    return out.astype(kind, copy=False)


def _exact_centred(exp: Any, log: Any, sqrt: Any) -> Any:
    return lambda x, w, axis: x - np.add.reduce(w * x, axis=axis, keepdims=True)


class centred(_Weighed):
    """An array less its weighted mean along an axis."""

    keeps_zeros = Zeros.ALONG
    kernel = Kernel.from_function(
        _centred, prelude=_HEAVY, rows=along, number_systems=number_systems(_exact_centred)
    )

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x, weights = self.operands
        return (
            uncentred.of(ct, weights, self.axis) if needs[0] else None,
            -(self.over(ct) * x) if needs[1] else None,
        )

    def written(self, x: ArrayExpr, weights: ArrayExpr, axis: int) -> ArrayExpr:
        return x - sum.of(x * weights, (axis,), True)

    def notation(self) -> Notation:
        return Notation(
            f"{{0}} - sum({{1}} * {{0}}, dim={self.axis}, keepdim=True)",
            "",
            Precedence.SUM,
            (Precedence.PRODUCT + 1, Precedence.PRODUCT),
            self.lessened("{0} - " + self.repeated_sum(rf"{{1}} {self.times()} {{2}}")),
        )


def _uncentred(x, weights, *, axis):  # type: ignore[no-untyped-def]
    kind = np.result_type(x, weights)  # one operand may be a number
    wide = np.float32 if kind == np.float16 else kind
    x, weights = np.asarray(x, wide), np.asarray(weights, wide)
    total = np.add.reduce(weights, axis=axis, keepdims=True)
    out = x - weights * np.add.reduce(x, axis=axis, keepdims=True)
    # The results add up to zero. So the one of a weight over a half is the negative sum of the
    # others, which loses no digits.
    heavy = _heavy(weights, total, np.finfo(kind).eps, axis=axis)
    if heavy.any():
        others = np.add.reduce(np.where(heavy, 0, out), axis=axis, keepdims=True)
        out = np.where(heavy, -others, out)
    if not np.isfinite(total).all():  # an infinite or nan sum of weights must not make zeros nan
        out = np.where(np.any(x != 0, axis=axis, keepdims=True), out, 0)
    return out.astype(kind, copy=False)


def _exact_uncentred(exp: Any, log: Any, sqrt: Any) -> Any:
    return lambda x, w, axis: x - w * np.add.reduce(x, axis=axis, keepdims=True)


class uncentred(_Weighed):
    """An array less the weights times its sum along an axis: the transpose of `centred`."""

    keeps_zeros = Zeros.ALONG
    kernel = Kernel.from_function(
        _uncentred, prelude=_HEAVY, rows=along, number_systems=number_systems(_exact_uncentred)
    )

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x, weights = self.operands
        return (
            centred.of(ct, weights, self.axis) if needs[0] else None,
            -(self.over(x) * ct) if needs[1] else None,
        )

    def written(self, x: ArrayExpr, weights: ArrayExpr, axis: int) -> ArrayExpr:
        return x - weights * sum.of(x, (axis,), True)

    def notation(self) -> Notation:
        return Notation(
            f"{{0}} - {{1}} * sum({{0}}, dim={self.axis}, keepdim=True)",
            "",
            Precedence.SUM,
            (Precedence.PRODUCT + 1, Precedence.PRODUCT),
            self.lessened(
                rf"{{0}} - {{1}} {self.times(len(self.shape) < 2)} {self.repeated_sum('{2}')}"
            ),
        )


def _softmax(x, *, axis):  # type: ignore[no-untyped-def]
    weights = np.exp(x - np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf))
    return weights / np.add.reduce(weights, axis=axis, keepdims=True)


class softmax(Normalised):
    at_most_one = True
    rounds: ClassVar[bool] = True
    kernel = Kernel.from_function(
        _softmax, rows=along, number_systems=number_systems(_exact_softmax)
    )
    kernels = {float16: halved(kernel)}
    # log(softmax(x)) is differentiated as log_softmax(x), which reads x
    keeps: ClassVar[tuple[int, ...]] = (0,)

    def normalised(self, x: Any, inner: Any, over: Sequence[Any]) -> Any:
        return sympy.exp(x) / sum_over(sympy.exp(inner), *over)

    def beside_sums(self) -> ArrayExpr:
        # As it is written: a rewrite would make a softmax of it.
        return exp(super().beside_sums())

    def written_out(self) -> ArrayExpr:
        e = self.operands[0].exp()
        return e / self.over(e)

    def sums_to_one(self) -> bool:
        return bool(self.shape) and self.axis == len(self.shape) - 1

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (self * centred.of(ct, self, self.axis),)

    def vjp_by_result(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (self * (ct - self.over(self * ct)),)

    samples = [*Normalised.samples, (_MASKED, 1)]


def _steady_softmax(x, *, axis):  # type: ignore[no-untyped-def]
    top = np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf)
    weights = np.exp(x - np.where(np.isinf(top), 0, top))
    return weights / np.add.reduce(weights, axis=axis, keepdims=True)


class steady_softmax(softmax):
    """The derivative of `logsumexp`: `softmax`, but 0 beside an infinite element."""

    public_name = "softmax"

    rounds = False
    internal = True
    keeps = ()
    kernel = Kernel.from_function(
        _steady_softmax, rows=along, number_systems=number_systems(_exact_softmax)
    )
    kernels = {float16: halved(kernel)}


def _log_softmax(x, *, axis):  # type: ignore[no-untyped-def]
    shifted = x - np.maximum.reduce(x, axis=axis, keepdims=True, initial=-np.inf)
    return shifted - np.log(np.add.reduce(np.exp(shifted), axis=axis, keepdims=True))


class log_softmax(Normalised):
    rounds: ClassVar[bool] = True
    kernel = Kernel.from_function(
        _log_softmax, rows=along, number_systems=number_systems(_exact_log_softmax)
    )
    kernels = {float16: halved(kernel)}

    def of_weight(self, weight: Any) -> Any:
        return sympy.log(weight)

    def normalised(self, x: Any, inner: Any, over: Sequence[Any]) -> Any:
        return x - sympy.log(sum_over(sympy.exp(inner), *over))

    def written_out(self) -> ArrayExpr:
        (x,) = self.operands
        return x - self.over(x.exp()).log()

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (uncentred.of(ct, self.exp(), self.axis),)

    def vjp_by_result(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (ct - self.exp() * self.over(ct),)

    def exponential(self) -> ArrayExpr:
        return softmax.of(self.operands[0], self.axis)
