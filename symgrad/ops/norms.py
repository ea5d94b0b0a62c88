"""Vector norms: one primitive, whose gradient at zero is zero, at every order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import Const, is_const
from symgrad.expr.dtypes import Category, dtype, to_real
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, axes_latex
from symgrad.expr.shapes import Shape
from symgrad.ops import symbols
from symgrad.ops.axes import Reduction, along, number_systems
from symgrad.ops.comparison import eq
from symgrad.ops.composite import Composite
from symgrad.ops.deriving import as_written
from symgrad.ops.entries import Index, Indices, NoEntry, Reading, indicator, sum_over
from symgrad.ops.extrema import attains
from symgrad.ops.kinds import Steady
from symgrad.ops.lengths import along as along_length
from symgrad.ops.lengths import radial, radial_sign
from symgrad.ops.matrices import Matrices, MatrixReading, NoMatrix
from symgrad.ops.primitive import Cotangents
from symgrad.ops.reduction import sum
from symgrad.ops.samples import TABLE
from symgrad.ops.signs import sgn
from symgrad.ops.totals import TOTAL, _total
from symgrad.ops.where import by_result, where

_ZERO_ROW = np.array([[0.0, 0.0], [3.0, -4.0]])


def _norm(x: Any, p: float, *, axis: Any, keepdims: Any) -> Any:
    kind = np.abs(x[..., :0]).dtype if x.ndim else np.abs(x).dtype
    if kind == np.float16:
        x = x.astype(np.float32)
    if p == 0:
        out = np.add.reduce(x != 0, axis=axis, keepdims=keepdims, dtype=kind)
    elif p == 1:
        out = _total(np.abs(x), axis=axis, keepdims=keepdims)
    elif p == np.inf:
        out = np.maximum.reduce(np.abs(x), axis=axis, keepdims=keepdims)
    elif p == -np.inf:
        out = np.minimum.reduce(np.abs(x), axis=axis, keepdims=keepdims)
    else:
        if p != 2:
            powers = np.abs(x) ** p
        else:
            powers = x.real * x.real + x.imag * x.imag if x.dtype.kind == "c" else x * x
        total = _total(powers, axis=axis, keepdims=keepdims)
        out = np.sqrt(total) if p == 2 else total ** (1 / p)
        lost = (total < (1e-290 if total.itemsize > 4 else 1e-30)) | (total == np.inf)
        if np.count_nonzero(lost):
            # The powers underflow or overflow: divide by the largest element first, or for a
            # negative exponent by the smallest.
            size = np.abs(x)
            if p > 0:
                top = np.maximum.reduce(size, axis=axis, keepdims=True, initial=0)
            else:
                top = np.minimum.reduce(size, axis=axis, keepdims=True, initial=np.inf)
            top = np.where((top == 0) | (top == np.inf), 1, top).astype(size.dtype)
            total = _total((size / top) ** p, axis=axis, keepdims=True)
            shares = (np.sqrt(total) if p == 2 else total ** (1 / p)) * top
            out = np.where(lost, shares.reshape(np.shape(out)), out)
    return np.asarray(out, dtype=kind)


def _exact_norm(exp: Any, log: Any, sqrt: Any) -> Any:
    def compute(x: Any, p: float, *, axis: Any, keepdims: Any) -> Any:
        if p in (0, 1, math.inf, -math.inf):
            return _norm(x, p, axis=axis, keepdims=keepdims)
        total = np.add.reduce(np.abs(x) ** p, axis=axis, keepdims=keepdims)
        return sqrt(total) if p == 2 else total ** (1 / p)

    return compute


def _norm_of_formulas(x: Any, p: Any, *, axis: Any, keepdims: bool) -> Any:
    order = p[()]

    def of(xs: Sequence[Any]) -> Any:
        if order == 0:
            return symbols.number_of_true(xs)
        sizes = [sympy.Abs(v) for v in xs]
        if order in (sympy.oo, -sympy.oo):
            extreme = symbols.largest if order > 0 else symbols.smallest
            return extreme(sizes) if sizes else sympy.S.Zero
        return sympy.Add(*[v**order for v in sizes]) ** (1 / order)

    return symbols.reducing(of)["sympy"](x, axis=axis, keepdims=keepdims)


class norm(Reduction):
    """The p-norm over axes: `(sum |x|**p)**(1/p)`, with its limits for p = 0, inf and -inf.

    The order is the second operand, so that programs in which it varies are one structure.
    """

    nonnegative = "always"
    kernel = Kernel.from_function(
        _norm,
        prelude=TOTAL.prelude,
        rows=along,
        number_systems={
            "sympy": _norm_of_formulas,
            "mpmath": number_systems(_exact_norm)["mpmath"],
        },
    )

    @classmethod
    def is_structural(cls, i: int, number: Any, operands: Any, params: Any) -> bool:
        return math.isinf(number)

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        if kind.category < Category.FLOAT:
            raise RuntimeError(
                "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
                f"{kind.scalar_name}"
            )
        return to_real(kind)

    def singular(self) -> Sequence[tuple[str, ArrayExpr]]:
        return (("kink", self),)

    def has_order(self, *orders: float) -> bool:
        """Return whether the order is a constant of the formula, and one of these numbers."""
        return any(is_const(self.operands[1], p) for p in orders)

    def entry(self, index: Index, b: Indices) -> Reading:
        inner, over = self.inner_index(index, b)
        x = yield self.operands[0], inner
        p = yield self.operands[1], ()
        if self.has_order(math.inf, -math.inf):
            raise NoEntry
        if self.has_order(0):
            return sum_over(indicator(symbols.as_condition(x)), *over)
        total = sum_over(sympy.Abs(x) ** p, *over)
        return sympy.sqrt(total) if p == 2 else total ** (1 / p)

    def matrix(self, m: Matrices) -> MatrixReading:
        x, _ = self.operands
        if not self.has_order(2) or x.dtype.is_complex:
            raise NoMatrix
        with as_written():
            squares = sum.of(x * x, self.axes, self.keepdims)
        return m.function(sympy.sqrt, (yield squares))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return None if self.has_order(0) else self.pulled_back(ct, self), None

    def pulled_back(self, ct: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        """Return the cotangent of `x`: with the norm n, it is `ct * sgn(x) * (|x| / n)**(p - 1)`.

        Where n is 0 it is 0, the subgradient of least norm. The node by which `ct` depends on the
        norm is `y`.
        """
        x = self.operands[0]
        out, ct = self.with_reduced_axes(self), self.with_reduced_axes(ct)
        if self.has_order(2):
            return along_length(
                radial,
                lambda: where.of(eq.of(out, 0), 0, ct * (x / out)),
                ct,
                lambda: x / out,
                x,
                self.with_reduced_axes(y),
                y,
                out,
            )
        direction = sgn.of(x)
        if self.reduced_size == 1:  # each norm of one number is its modulus
            n = self.with_reduced_axes(y)
            return along_length(radial_sign, lambda: ct * direction, ct, lambda: direction, x, n, y)
        return self._shared(ct, out, direction)

    def vjp_by_result(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        plain, _ = self.vjp(ct, needs)
        if self.reduced_size != 1 or plain is None or self.has_order(1, 2, math.inf, -math.inf):
            return plain, None
        x, _ = self.operands
        out = self.with_reduced_axes(self)
        formula = self._shared(self.with_reduced_axes(ct), out, sgn.of(x))
        return by_result(plain, formula, eq.of(out, 0)), None

    def _shared(self, ct: ArrayExpr, out: ArrayExpr, direction: ArrayExpr) -> ArrayExpr:
        """Return the cotangent of `x` by the share that each element has in the norm."""
        x, p = self.operands
        if self.has_order(1):
            return ct * direction
        size = x.abs()
        if self.has_order(math.inf, -math.inf):
            mask = attains.of(size, out)
            share = ct / sum.of(mask, self.axes, True)
            return where.of(mask, share * direction, 0)
        if self._is_even() and not x.dtype.is_complex:
            # A polynomial of x over a power of the norm: smooth wherever the norm is not zero.
            return where.of(eq.of(out, 0), 0, ct * (x / out) ** (p - 1))
        # At x = 0 the derivatives of |x|**(p - 1) are 0 or infinite, and the subgradient of least
        # norm is 0.
        zero = eq.of(x, 0)
        if not (isinstance(p, Const) and p.value > 0):
            zero = zero | eq.of(out, 0)  # a zero makes the norm of a negative order zero
        return where.of(zero, 0, ct * (size / out) ** (p - 1) * direction)

    def _is_even(self) -> bool:
        p = self.operands[1]
        return isinstance(p, Const) and p.value > 0 and p.value % 2 == 0

    def described(self) -> list[str]:
        sign = "-" if self.has_order(-math.inf) else ""
        limit = self.has_order(math.inf, -math.inf)
        order = f"p={sign}inf" if limit else "p={1}"
        return [*[order] * (not self.has_order(2)), *super().described()]

    def notation(self) -> Notation:
        text = super().notation().text
        sign = "-" if self.has_order(-math.inf) else ""
        limit = self.has_order(math.inf, -math.inf)
        label = rf"{sign}\infty" if limit else "{1}"
        over = "" if self.axis is None else f";{axes_latex(self.axes)}"
        latex = r"\left\| {0} \right\|_{{" + label + over + "}}"
        return Notation(text, latex, typeset=self.on_paper(Latex(latex)))

    samples = [
        *[(TABLE, p, None, False) for p in (2, 1, 3.5, 4, 0.5, math.inf, -math.inf, 0)],
        (TABLE, 2, (1,), True), (TABLE, 3, (0, 1), False), (_ZERO_ROW, 2, (1,), False),
    ]  # fmt: skip


class root_length(Steady, abstract=True):
    """The norm of `x`, differentiated in place of `root`, the square root of a sum of squares."""

    by_result = False

    params = ("axis", "keepdims")
    axis: Any
    keepdims: bool

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        return args[1].shape, args[1].dtype

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x, root = self.operands
        length: Any = norm.of(x, 2, self.axis, self.keepdims)
        return length.pulled_back(ct, root), None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> Any:
        return NotImplemented  # the transpose of `vjp`


class dist(Composite):
    """The p-norm of a difference; the order is the third operand, as it is the second of `norm`."""

    is_known_by_formula = True

    @classmethod
    def composed(cls, x: Any, y: Any, p: Any) -> Any:
        return norm.of(x - y, p, None, False)

    @classmethod
    def is_structural(cls, i: int, number: Any, operands: Any, params: Any) -> bool:
        return math.isinf(number)

    samples = [
        *[(TABLE, TABLE[::-1].copy(), p) for p in (2, 1, 3.5, 4, math.inf, 0)],
        (TABLE, np.array([0.5, -1.0, 2.0]), 2),
    ]


#: The number that PyTorch adds to the norm before it divides by the norm.
_MARGIN = 1e-7


class renorm(Composite):
    """Slices along an axis, shortened to a p-norm of at most `maxnorm` where theirs is larger.

    The order and the largest norm are operands, so that programs in which they vary are one
    structure.
    """

    params = ("axis",)

    @classmethod
    def composed(cls, x: Any, p: Any, most: Any, axis: int) -> Any:
        length: Any = norm.of(x, p, tuple([a for a in range(x.ndim) if a != axis]), True)
        return x * where.of(length > most, most / (length + _MARGIN), 1)

    def notation(self) -> Notation:
        if not all(isinstance(x, Const) for x in self.operands[1:]):
            return super().notation()  # the public function takes numbers
        return super().notation()._replace(text=f"renorm({{0}}, {{1}}, {self.axis}, {{2}})")

    @classmethod
    def is_structural(cls, i: int, number: Any, operands: Any, params: Any) -> bool:
        return i == 1 and math.isinf(number)

    samples = [
        *[(TABLE, p, 1.5, 0) for p in (2, 1, 3.5, math.inf)],
        (TABLE, 2, 5.0, 1), (np.arange(1.0, 13.0).reshape(2, 3, 2), 2, 10.0, 1),
    ]  # fmt: skip
