"""Running results along an axis (cumsum, cumprod, cummax), and products, which are made of them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, bool_, dtype, float16, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence, Text, axes_latex, braces
from symgrad.expr.shapes import Shape
from symgrad.expr.written import parameter_text
from symgrad.ops.axes import Accumulation, accumulated_kind, along, number_systems
from symgrad.ops.comparison import eq
from symgrad.ops.composite import Composite
from symgrad.ops.entries import (
    Index,
    Indices,
    Reading,
    between,
    chosen,
    product_over,
    sum_over,
    with_entry,
)
from symgrad.ops.half import halved
from symgrad.ops.logarithms import COMPLEX_LOGADDEXP, complex_logaddexp
from symgrad.ops.masked import zero_unless
from symgrad.ops.primitive import Cotangents, Linear, Primitive
from symgrad.ops.reduction import any as any_of
from symgrad.ops.samples import TABLE
from symgrad.ops.selection import definitions
from symgrad.ops.where import by_result, where
from symgrad.ops.zeros import Zeros

_ZEROS = np.array([[2.0, 0.0, 3.0, 0.0], [0.0, 1.5, -1.0, 2.0]])


class Scan(Primitive, abstract=True):
    """An operation along `axis` that keeps the shape; `reverse` runs it from the far end."""

    axis: int

    @classmethod
    def infer(cls, x: Any, axis: int, *rest: Any) -> tuple[Shape, dtype]:
        cls.refuse(x.dtype)
        return x.shape, cls.result_kind(x.dtype)

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        """Return the dtype of the result from that of the operand."""
        return accumulated_kind(kind)

    def compute_dtype(self) -> dtype | None:
        return self.dtype if self.dtype is int64 else None

    def running(self, index: Index, b: Indices) -> tuple[Index, list[Any]]:
        """Return an index into the operand with a new one along the axis, and from where to where.

        Along an axis of length one there is one element, which needs none.
        """
        if self.shape[self.axis :][:1] in ((), (1,)):
            return index, []
        i, last, before = index[self.axis], self.shape[self.axis] - 1, getattr(self, "before", 0)
        (k,) = b.bound(None)
        limits = (k, i + int(before), last) if self.is_turned else (k, 0, i - int(before))
        return with_entry(index, self.axis, k), [limits]

    def notation(self) -> Notation:
        turned = f"flip({{}}, dims=({self.axis},))" if self.is_turned else "{}"
        scanned = self.scanned_text(turned.format("{0}"))
        text = turned.format(f"{type(self).__name__}({scanned}, dim={self.axis})")
        needed = Precedence.ATOM if "{0}[" in text else 0
        before = bool(getattr(self, "before", False))
        return Notation(text, _running_latex(self, self.is_turned, before), operands=(needed,))

    @property
    def is_turned(self) -> bool:
        """Whether the scan runs from the far end of an axis."""
        return bool(getattr(self, "reverse", False) and self.shape)

    def scanned_text(self, text: str) -> str:
        """Return the text of what the scan runs over, given that of the operand."""
        return text


def _running_latex(node: Any, reverse: bool, before: bool = False) -> str:
    """Return a template in LaTeX: over the places up to each place i, or < i, from i on, or > i."""
    sign = (("", "< "), (r"\geq ", "> "))[reverse][before]
    low = sign + axes_latex((node.axis,))
    holes = ", ".join([f"{{{i}}}" for i in range(len(node.operands))])
    name = rf"\operatorname{{{type(node).__name__}}}"
    return braces(f"{name}_{{{low}}}") + rf"\left({holes}\right)"


def _cumsum(x, *, axis, reverse):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return x.copy()
    wide = {"e": np.float32, "f": np.float64}.get(x.dtype.char, x.dtype.type)
    if reverse:
        total = np.flip(np.add.accumulate(np.flip(x, axis), axis=axis, dtype=wide), axis)
    else:
        total = np.add.accumulate(x, axis=axis, dtype=wide)
    return total.astype(x.dtype.type, copy=False)


class cumsum(Scan, Linear):
    ufuncs = ("add.accumulate",)
    keeps_zeros = Zeros.RUNNING
    params = ("axis", "reverse")
    kernel = Kernel.from_function(_cumsum, rows=along)
    reverse: bool

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, limits = self.running(index, b)
        return sum_over((yield self.operands[0], inner), *limits)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return cumsum.of(ct, self.axis, not self.reverse)

    samples = [(TABLE, 1, False), (TABLE, 0, True), (np.array(1.5), 0, False)]


def _shift(x, *, axis, by):  # type: ignore[no-untyped-def]
    out = np.zeros_like(x)
    size = x.shape[axis]
    here = [slice(None)] * x.ndim
    there = list(here)
    here[axis] = slice(max(by, 0), size + min(by, 0))
    there[axis] = slice(max(-by, 0), size + min(-by, 0))
    out[tuple(here)] = x[tuple(there)]
    return out


class shift(Linear):
    """Move elements one place up (`by` = 1) or down (-1) an axis; a zero comes in."""

    keeps_zeros = Zeros.ADDED
    params = ("axis", "by")
    internal = True
    axis: int
    by: int
    kernel = Kernel.from_function(_shift, rows=along)

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        i, n = index[self.axis] - self.by, self.shape[self.axis]
        there = with_entry(index, self.axis, i)
        return (yield from chosen([(between(0, i, n), x, there), (True, None, ())]))

    def public_text(self) -> Text:
        count = min(abs(self.by), self.shape[self.axis])
        kept, zeros = (f":-{count}", (count, 0)) if self.by > 0 else (f"{count}:", (0, count))
        widths = (0, 0) * (len(self.shape) - 1 - self.axis) + zeros
        index = ", ".join([*[":"] * self.axis, kept])
        return Text(f"pad({{0}}[{index}], {widths})", Precedence.ATOM, (Precedence.ATOM,))

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return shift.of(ct, self.axis, -self.by)

    samples = [(TABLE, 1, 1), (TABLE, 0, -1), (np.ones((1, 2)), 0, 1)]


def _recurrence_of_formulas(a: Any, b: Any, *, axis: int, reverse: bool) -> Any:
    a, b = [np.moveaxis(x, axis, 0) for x in (a, b)]
    out = np.array(b)
    order = range(len(out))[:: -1 if reverse else 1]
    for former, k in itertools.pairwise(order):
        out[k] = a[k] * out[former] + b[k]
    return np.moveaxis(out, 0, axis)


def _in_turn(a, b, out, first):  # type: ignore[no-untyped-def]
    for k in range(first, len(out)):
        out[k] = a[k] * out[k - 1] + b[k] if k else b[k]


def _in_blocks(a, b, out):  # type: ignore[no-untyped-def]
    # All blocks of a long axis at once, and then what the blocks before bring to each: by the
    # products of the factors, which must not leave the range of floats.
    n = len(out)
    size = int(np.sqrt(n))
    whole = n - n % size
    a, b = [x[:whole].reshape(-1, size, *x.shape[1:]).astype(out.dtype) for x in (a, b)]
    made, product = np.empty(a.shape, out.dtype), np.empty(a.shape, out.dtype)
    made[:, 0], product[:, 0] = b[:, 0], a[:, 0]
    for k in range(1, size):
        made[:, k] = a[:, k] * made[:, k - 1] + b[:, k]
        product[:, k] = a[:, k] * product[:, k - 1]
    scale = abs(product[product != 0])
    gone = (product == 0) & np.logical_and.accumulate(a != 0, axis=1)
    if gone.any() or (scale.size and not (scale.min() > 1e-120 and scale.max() < 1e120)):
        return False
    for k in range(1, len(made)):
        made[k] += product[k] * made[k - 1, -1]
    if not np.isfinite(made).all():
        return False
    out[:whole] = made.reshape(whole, *out.shape[1:])
    return True


def _in_runs(a, b, begins, *, axis, reverse):  # type: ignore[no-untyped-def]
    a, b, begins = [np.moveaxis(x, axis, 0) for x in np.broadcast_arrays(a, b, begins)]
    a, b, begins = [x[::-1] for x in (a, b, begins)] if reverse else (a, b, begins)
    kind = np.result_type(a, b)
    # Short floats are added in double precision, since the sums are long.
    out = np.empty(b.shape, np.float64 if kind in (np.float16, np.float32) else kind)
    n, done = len(out), 0
    by_blocks = n > 1024 and out.dtype.kind in "fc"
    if by_blocks and _in_blocks(a, b, out):  # type: ignore[no-untyped-call]
        done = n - n % int(np.sqrt(n))
    if done < n:
        _in_turn(a, b, out, done)  # type: ignore[no-untyped-call]
    if np.isnan(out).any():
        # An infinite term that is multiplied by zero is left out, and all that is of another run.
        for k in range(1, n):
            left_out = begins[k] | ((a[k] == 0) & ~np.isnan(out[k - 1]))
            out[k] = np.where(left_out, 0, a[k] * out[k - 1]) + b[k]
    out = out[::-1] if reverse else out
    return np.moveaxis(out, 0, axis).astype(kind)


def _restarted(a, b, begins, *, axis, reverse):  # type: ignore[no-untyped-def]
    return _in_runs(np.where(begins, 0, a), b, begins, axis=axis, reverse=reverse)  # type: ignore[no-untyped-call]


def _recurrence(a, b, *, axis, reverse):  # type: ignore[no-untyped-def]
    return _in_runs(a, b, False, axis=axis, reverse=reverse)  # type: ignore[no-untyped-call]


class recurrence(Primitive):
    """`h[i] = a[i]*h[i-1] + b[i]` along an axis, from zero, of which derivatives of scans are made.

    Its own derivative is another recurrence. So running products have derivatives of any order also
    where factors are zero, in linear time and without division.
    """

    params = ("axis", "reverse")
    internal = True
    axis: int
    reverse: bool
    kernel = Kernel.from_function(
        _recurrence,
        prelude=definitions(_in_turn, _in_blocks, _in_runs),
        rows=along,
        number_systems={"sympy": _recurrence_of_formulas},
    )

    @classmethod
    def infer(cls, a: Any, b: Any, axis: int, reverse: bool) -> tuple[Shape, dtype]:
        assert a.shape == b.shape and a.dtype is b.dtype
        return b.shape, b.dtype

    def notation(self) -> Notation:
        return super().notation()._replace(latex=_running_latex(self, self.reverse))

    def entry(self, index: Index, b: Indices) -> Reading:
        factors, terms = self.operands
        i, last = index[self.axis], self.shape[self.axis] - 1
        if not last:
            return (yield terms, index)
        k, m = b.bound(None, None)
        term = yield terms, with_entry(index, self.axis, k)
        factor = yield factors, with_entry(index, self.axis, m)
        between_both = (m, i, k - 1) if self.reverse else (m, k + 1, i)
        limits = (k, i, last) if self.reverse else (k, 0, i)
        return sum_over(term * product_over(factor, between_both), limits)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        a = self.operands[0]
        step = -1 if self.reverse else 1
        ahead = conjugate(shift.of(a, self.axis, -step))
        back = recurrence.of(ahead, fitted(ct, self), self.axis, not self.reverse)
        before = conjugate(shift.of(self, self.axis, step))
        return (back * before if needs[0] else None, back)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        full = (size, *self.shape)
        a, b = [
            x if has else x.broadcast_to(full) for x, has in zip(operands, batched, strict=True)
        ]
        return recurrence.of(a, b, self.axis + 1, self.reverse)

    samples = [(TABLE, TABLE[::-1].copy(), 1, False), (TABLE, TABLE[::-1].copy(), 0, True)]


_BEGINS = np.array([[False, False, True], [False, True, False]])


def _restarted_of_formulas(a: Any, b: Any, begins: Any, *, axis: int, reverse: bool) -> Any:
    return _recurrence_of_formulas(a, b, axis=axis, reverse=reverse)


class restarted(recurrence):
    """`recurrence` of several runs: where a third operand is true another begins, and `a` is zero.

    What is nan or infinite in one run is not in the next.
    """

    kernel = Kernel.from_function(
        _restarted,
        prelude=definitions(_in_turn, _in_blocks, _in_runs),
        rows=along,
        number_systems={"sympy": _restarted_of_formulas},
    )

    @classmethod
    def infer(cls, a: Any, b: Any, begins: Any, axis: int, reverse: bool) -> tuple[Shape, dtype]:
        assert begins.shape == a.shape and begins.dtype is bool_
        return super().infer(a, b, axis, reverse)

    def entry(self, index: Index, b: Indices) -> Reading:
        return (yield recurrence(*self.operands[:2], *self.param_values), index)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        a, _, begins = self.operands
        step = -1 if self.reverse else 1
        ahead = [shift.of(x, self.axis, -step) for x in (a, begins)]
        ct = fitted(ct, self)
        back = restarted.of(conjugate(ahead[0]), ct, ahead[1], self.axis, not self.reverse)
        before = conjugate(shift.of(self, self.axis, step))
        return (where.of(begins, 0, back * before) if needs[0] else None, back, None)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        full = (size, *self.shape)
        lifted = [
            x if has else x.broadcast_to(full) for x, has in zip(operands, batched, strict=True)
        ]
        return restarted.of(*lifted, self.axis + 1, self.reverse)

    samples = [
        (np.where(_BEGINS, 0, TABLE), TABLE[::-1].copy(), _BEGINS, 1, False),
        (np.where(_BEGINS, 0, TABLE), TABLE[::-1].copy(), _BEGINS, 0, True),
    ]


def conjugate(x: ArrayExpr) -> ArrayExpr:
    """Return the conjugate of `x` where it is complex, else `x`."""
    return x.conj() if x.dtype.is_complex else x


def fitted(ct: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    """Return the cotangent `ct` of `x` with the shape and dtype of `x`."""
    if ct.shape != x.shape:
        ct = ct.broadcast_to(x.shape)
    return ct if ct.dtype is x.dtype else ct.to(x.dtype)


def _cumprod(x, *, axis, reverse, before):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return np.ones_like(x) if before else x.copy()
    wide = {"e": np.float32, "f": np.float64}.get(x.dtype.char, x.dtype.type)
    y = np.flip(x, axis) if reverse else x
    y = np.multiply.accumulate(y, axis=axis, dtype=wide)
    if before and x.shape[axis]:
        first = np.ones_like(y.take([0], axis))
        y = np.concatenate([first, y.take(range(x.shape[axis] - 1), axis)], axis)
    y = np.flip(y, axis) if reverse else y
    return y.astype(x.dtype.type, copy=False)


class cumprod(Scan):
    """Running products along an axis; those `before` leave the element itself out."""

    ufuncs = ("multiply.accumulate",)
    params = ("axis", "reverse", "before")
    kernel = Kernel.from_function(_cumprod, rows=along)
    reverse: bool
    before: bool

    def scanned_text(self, text: str) -> str:
        if not self.before or self.shape[self.axis :][:1] == (0,):
            return text
        if not self.shape:  # there is nothing before a number
            return f"full((), 1, dtype={parameter_text(self.operands[0].dtype)})"
        one = (*self.shape[: self.axis], 1, *self.shape[self.axis + 1 :])
        first = f"full({one}, 1, dtype={parameter_text(self.operands[0].dtype)})"
        return f"cat([{first}, {text}[{':, ' * self.axis}:-1]], dim={self.axis})"

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, limits = self.running(index, b)
        if self.before and not limits:
            return sympy.S.One
        return product_over((yield self.operands[0], inner), *limits)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        if not x.shape:
            return (None if self.before else ct,)
        axis, reverse = self.axis, self.reverse
        ct = fitted(ct, self)
        toward = 1 if reverse else -1
        x_ = conjugate(x)
        if self.before:
            later = shift.of(recurrence.of(x_, ct, axis, not reverse), axis, toward)
        else:
            later = recurrence.of(shift.of(x_, axis, toward), ct, axis, not reverse)
        rest = cumprod.of(x_, axis, reverse, True)
        # As in PyTorch, elements after a zero get nothing, also of an infinite cotangent.
        return (zero_unless(rest * later, rest.ne(0).logical_or(later.ne(later))),)

    def vjp_by_result(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (plain,) = self.vjp(ct, needs)
        if self.before or self.shape[self.axis :][:1] in ((), (1,)) or plain is None:
            return (plain,)
        (x,) = self.operands
        back = cumsum.of(fitted(ct, self) * conjugate(self), self.axis, not self.reverse)
        return (by_result(plain, back / conjugate(x), _has_zero(x)),)

    samples = [
        (TABLE, 1, False, False), (_ZEROS, 1, True, False), (_ZEROS, 1, False, True),
        (TABLE, 0, True, True), (np.array(1.5), 0, False, False),
    ]  # fmt: skip


def _has_zero(x: ArrayExpr) -> ArrayExpr:
    """Return whether any factor is zero: PyTorch's formula is then one that reads the factors alone."""
    return any_of.of(eq.of(x, 0), None, False)


class prod(Accumulation):
    ufuncs = ("multiply.reduce",)
    poles = ()
    kernel = Kernel(
        "prod", np.multiply.reduce, "np.multiply.reduce({0}, axis={axis}, keepdims={keepdims})",
        out=True, rows=along,
    )  # fmt: skip
    latex_sign = r"\prod"
    kernels = {float16: halved(kernel)}

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        x = yield self.operands[0], inner
        return product_over(x, *over)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        axes = self.axes
        if not axes:
            return (ct,)
        x_ = conjugate(x)
        if len(axes) == 1:
            return (self.with_reduced_axes(ct) * others_product.of(x_, axes[0]),)
        flat = others_product.of(x_.reshape((x.size,)), 0)
        return (self.with_reduced_axes(ct) * flat.reshape(x.shape),)

    def vjp_by_result(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (plain,) = self.vjp(ct, needs)
        (x,) = self.operands
        if not x.shape or plain is None:
            return (plain,)
        product = conjugate(self.with_reduced_axes(self) / x)
        return (by_result(plain, self.with_reduced_axes(ct) * product, _has_zero(x)),)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        if self.axis is None:
            return prod.of(x.reshape((size, x.size // max(size, 1))), (1,), False)
        return super().batch(size, operands, batched)

    samples = [
        (TABLE, None, False),
        (_ZEROS, (1,), True),
        (TABLE, (0,), False),
        (np.array(2.0), (), False),
    ]


class others_product(Composite):
    """For each element the product of the others along an axis, without dividing."""

    params = ("axis",)
    internal = True
    axis: int

    @classmethod
    def composed(cls, *args: Any) -> ArrayExpr:
        x, axis = args
        return cumprod.of(x, axis, False, True) * cumprod.of(x, axis, True, True)

    def notation(self) -> Notation:
        sign = braces(rf"\prod_{{\neq {axes_latex((self.axis,))}}}")
        on_paper = Latex(f"{sign} {{0}}", Precedence.LARGE, (Precedence.ODOT,))
        return super().notation()._replace(latex=on_paper.template, typeset=on_paper)

    def public_text(self) -> Text:
        size, after = self.shape[self.axis], len(self.shape) - self.axis - 1
        chosen = (
            f"eye({size}, dtype={parameter_text(bool_)})"
            + f"[..., {', '.join(['None'] * after)}]" * bool(after)
        )
        factors = f"where({chosen}, 1, unsqueeze({{0}}, {self.axis}))"
        return Text(f"prod({factors}, dim={self.axis + 1})")

    samples = [(_ZEROS, 1), (TABLE, 0), (np.array([2.0, 0.0, -1.5]), 0)]


def _logcumsumexp(x, *, axis):  # type: ignore[no-untyped-def]
    # In double precision, since the last terms are less than an ulp of a sum of short floats.
    wide = x.astype(np.float64)
    return np.logaddexp.accumulate(wide, axis=axis).astype(x.dtype) if x.ndim else x.copy()


def _complex_logcumsumexp(x, *, axis):  # type: ignore[no-untyped-def]
    if not x.ndim:
        return x.copy()
    out = np.moveaxis(x.copy(), axis, 0)
    for i in range(1, len(out)):
        out[i] = complex_logaddexp(out[i - 1], out[i])
    return np.ascontiguousarray(np.moveaxis(out, 0, axis))


def _exact_logcumsumexp(exp: Any, log: Any, sqrt: Any) -> Any:
    return lambda x, *, axis: log(np.add.accumulate(exp(x), axis=axis)) if x.ndim else x.copy()


_COMPLEX_LOGCUMSUMEXP = Kernel.from_function(
    _complex_logcumsumexp,
    prelude=COMPLEX_LOGADDEXP.prelude,
    rows=along,
    number_systems=number_systems(_exact_logcumsumexp),
)


class logcumsumexp(Scan):
    params = ("axis",)
    kernel = Kernel.from_function(
        _logcumsumexp, rows=along, number_systems=number_systems(_exact_logcumsumexp)
    )
    kernels = {Category.COMPLEX: _COMPLEX_LOGCUMSUMEXP}
    refuses = (Category.BOOL, Category.INT)
    kernel_name = "logcumsumexp_out_cpu"

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, limits = self.running(index, b)
        return sympy.log(sum_over(sympy.exp((yield self.operands[0], inner)), *limits))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        (x,) = self.operands
        if not x.shape:
            return (ct,)
        # Real results only grow, so that no exponential below exceeds one; where they are still
        # -inf, nothing has been added.
        size = self.real if self.dtype.is_complex else self
        nothing = eq.of(size, float("-inf"))
        finite = where.of(nothing, 0, self)
        # After an infinite result nothing decays, where the difference of two infinities would be nan.
        # The last difference is 0: the exponential of the result itself would exceed any number.
        change = shift.of(shift.of(finite, self.axis, 1) - finite, self.axis, -1)
        rest = where.of(eq.of(size, float("inf")), 0, change)
        decay = where.of(nothing, 0, rest.exp())
        later = recurrence.of(conjugate(decay), fitted(ct, self), self.axis, True)
        return (where.of(nothing, 0, later * conjugate((x - finite).exp())),)

    samples = [(TABLE, 1), (TABLE, 0), (np.array(1.5), 0)]
