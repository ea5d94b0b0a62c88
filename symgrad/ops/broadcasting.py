"""Repetition along axes without memory, and the sum that undoes it: `broadcast_to` and `sum_to`.

Operations broadcast their operands by themselves; operations that copy repeated elements are in
`rearranging`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import RowUse, keeps_rows
from symgrad.expr.atoms import Const, is_const, is_named_number
from symgrad.expr.dtypes import bool_, dtype, float16, tensor_class
from symgrad.expr.named_sizes import is_named
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import (
    Latex,
    Notation,
    Precedence,
    axes_latex,
    braces,
    constant_latex,
    repeated_latex,
    row_latex,
)
from symgrad.expr.shapes import Shape, broadcast_axes, broadcast_shapes, reduced_shape
from symgrad.expr.written import parameter_text
from symgrad.ops.entries import Index, Indices, Reading, fitted, sum_over
from symgrad.ops.half import halved
from symgrad.ops.primitive import Linear, Rows
from symgrad.ops.reshaping import reshape
from symgrad.ops.samples import GRID
from symgrad.ops.terms import Terms
from symgrad.ops.totals import TOTAL, _total
from symgrad.ops.zeros import Zeros


def repeated_text(text: str, x: ArrayExpr, shape: Shape, kind: dtype) -> str:
    """Return the text of an operand as an array of a dtype; a number stands at all places."""
    if type(x) is Const:
        return _filled_text(x, shape, text, kind)
    if x.dtype is not kind:
        text = f"cast({text}, to_dtype={parameter_text(kind)})"
    return text if x.shape or not shape else f"broadcast_to({text}, {shape})"


def _filled_text(x: Any, shape: Shape, text: str, kind: dtype) -> str:
    """Return the text of an array of equal numbers, of which `text` is one."""
    as_kind = f"dtype={parameter_text(kind)}"
    for value, name in enumerate(("zeros", "ones")):
        if is_const(x, value) and kind is not bool_ and math.copysign(1, x.value) > 0:
            return f"{name}({shape}, {as_kind})"
    return f"full({shape}, {text}, {as_kind})"


def zeros(shape: Shape, kind: dtype) -> ArrayExpr:
    """Return an expression that is zero everywhere, without memory of its own."""
    return broadcast_to.of(Const(0, kind), shape)


def is_zeros(x: Any) -> bool:
    """Whether `x` is written as zero everywhere."""
    if type(x) is broadcast_to:
        x = x.operands[0]
    return type(x) is Const and type(x.value) in (bool, int, float) and x.value == 0


def lifted(x: ArrayExpr, size: int, has: bool) -> ArrayExpr:
    """Return an operand of a batch rule with the new leading axis, added if it has none."""
    return x if has else broadcast_to.of(x, (size, *x.shape))


def _spread(x: Any, shape: Shape) -> Any:
    strides = None
    if isinstance(x, (np.ndarray, np.generic)) and x.dtype.kind in "fiubc":
        strides = _repeating(x, shape)
    if strides is None:
        out: Any = np.broadcast_to(x, shape)
    else:  # six times as quick
        out = np.ndarray(shape, x.dtype, x, 0, strides)
        out.flags.writeable = False
    # A result that repeats no element may be written to, while NumPy makes every broadcast array
    # read-only.
    return np.reshape(x, shape) if out.size == np.size(x) else out


def _repeating(x: Any, shape: Shape) -> tuple[int, ...] | None:
    """Return the strides in which `x` has a shape; None where its memory does not lie in order."""
    if not x.ndim:
        return (0,) * len(shape)
    new = len(shape) - x.ndim
    if new < 0 or not x.flags.c_contiguous:
        return None
    strides = [0] * new
    for n, length, stride in zip(x.shape, shape[new:], x.strides, strict=True):
        if n != length and n != 1:
            return None
        strides.append(stride if n == length else 0)
    return tuple(strides)


class broadcast_to(Linear):
    nonnegative = "operands"
    keeps_repeated = True
    keeps_zeros = Zeros.MOVED
    passes_factors = True
    params = ("shape",)
    kernel = Kernel("broadcast_to", _spread, "np.broadcast_to({0}, {shape})", view=True)
    is_view = True
    only_repeats = True

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        if broadcast_shapes(x.shape, shape) != shape:
            raise RuntimeError(f"cannot broadcast {list(x.shape)} to {list(shape)}")
        return shape, x.dtype

    def rows(self, of: Rows) -> Sequence[ArrayExpr] | None:
        (x,) = self.operands
        if x.ndim == self.ndim or is_named(self.shape[:1]):
            return None
        row = x if x.shape == self.shape[1:] else broadcast_to.of(x, self.shape[1:])
        return [row] * self.shape[0]

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        return (yield x, fitted(index, x.shape))

    def terms(self, b: Terms) -> Any:
        return b.product([b.operand(self.operands[0], self.dtype)], self.shape)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return sum_to.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        lead = len(self.shape) - (x.ndim - 1)
        x = reshape.of(x, (size,) + (1,) * lead + x.shape[1:])
        return broadcast_to.of(x, (size, *self.shape))

    def notation(self) -> Notation:
        (x,) = self.operands
        text = f"broadcast_to({{0}}, {self.shape})"
        on_paper = repeated_latex(x.shape, self.shape)
        if isinstance(x, Const):
            if not self.weak:
                text = _filled_text(x, self.shape, "{0}", self.dtype)
            if is_zeros(x) or is_const(x, 1):
                on_paper = Latex(
                    constant_latex(str(int(x.value)), self.shape), Precedence.SUBSCRIPT
                )
        elif is_named_number(x):
            text = f"full({self.shape}, {{0}}, dtype={parameter_text(self.dtype)})"
        return Notation(text, on_paper.template, typeset=on_paper, carries_sign=True)

    samples = [(np.array([[0.5], [1.0]]), (4, 2, 3)), (np.array(2.0), (2, 2))]


def _sum_to(x, *, shape):  # type: ignore[no-untyped-def]
    lead = x.ndim - len(shape)
    axes = tuple(range(lead)) + tuple(
        lead + i for i, n in enumerate(shape) if n == 1 and x.shape[lead + i] != 1
    )
    return np.asarray(_total(x, axis=axes, keepdims=False), x.dtype).reshape(shape)


def _rows_summed(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> Any:
    """The row rule of `sum_to`: the rows are added up, or each is summed by itself."""
    (shape,), made = operand_shapes, params["shape"]
    if len(shape) > len(made) or not made or made[0] != shape[0]:
        return RowUse.ACCUMULATE
    return keeps_rows(operand_shapes, params)


def summed(b: Terms, form: Any, axes: Sequence[int], shape: Shape) -> Any:
    """Return the normal form of a sum over axes, in the shape of the result."""
    rest = [a for a in range(len(form.shape)) if a not in axes]
    inner = tuple([form.shape[a] for a in rest])
    made = b.contracted([(form, range(len(form.shape)))], rest, inner)
    return b.reshaped(made, shape)


class sum_to(Linear):
    """The transpose of `broadcast_to`: the sum over the axes that broadcasting repeats."""

    keeps_zeros = Zeros.BROADCAST
    passes_factors = True
    params = ("shape",)
    kernel = Kernel.from_function(_sum_to, prelude=TOTAL.prelude, rows=_rows_summed)
    kernels = {float16: halved(kernel)}

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        if broadcast_shapes(x.shape, shape) != x.shape:
            raise RuntimeError(f"cannot sum {list(x.shape)} to {list(shape)}")
        return shape, x.dtype

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        over = broadcast_axes(self.shape, x.shape)
        bound = dict(zip(over, b.bound(*[x.shape[a] for a in over]), strict=True))
        lead = len(x.shape) - len(index)
        inner = yield x, [bound[a] if a in bound else index[a - lead] for a in range(x.ndim)]
        return sum_over(inner, *bound.values())

    def terms(self, b: Terms) -> Any:
        (x,) = self.operands
        return summed(b, b.operand(x, self.dtype), broadcast_axes(self.shape, x.shape), self.shape)

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return broadcast_to.of(ct, self.operands[0].shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        (x,) = operands
        axes = tuple(a + 1 for a in broadcast_axes(self.shape, x.shape[1:]))
        kept = reduced_shape(x.shape, axes, keepdims=True)
        return reshape.of(sum_to.of(x, kept), (size, *self.shape))

    def notation(self) -> Notation:
        axes = broadcast_axes(self.shape, self.operands[0].shape)
        on_paper = Latex("{0}")
        if axes:
            sign = braces(rf"\sum_{{{axes_latex(axes)}}}")
            on_paper = Latex(f"{sign} {{0}}", Precedence.LARGE, (Precedence.ODOT,))
            is_row = len(self.shape) == 2 and len(self.operands[0].shape) - 2 in axes
            on_paper = row_latex(on_paper, is_row and self.shape[1] > 1)
        return Notation(self._text(), on_paper.template, typeset=on_paper)

    samples = [(GRID, (3,)), (GRID, (2, 1)), (GRID, ())]

    def _text(self) -> str:
        """Return a template of public calls; of integers, which `sum` makes int64, of this one."""
        x = self.operands[0]
        if not self.dtype.is_floating_point and not self.dtype.is_complex:
            return self.call_text()
        text, lead = "{0}", len(x.shape) - len(self.shape)
        if lead == len(x.shape):
            return "sum({0})" if lead else text
        if lead:
            text = f"sum({{0}}, dim={_one_or_all(range(lead))})"
        kept = [a - lead for a in broadcast_axes(self.shape, x.shape) if a >= lead]
        return f"sum({text}, dim={_one_or_all(kept)}, keepdim=True)" if kept else text


def _one_or_all(axes: Sequence[int]) -> int | tuple[int, ...]:
    return axes[0] if len(axes) == 1 else tuple(axes)


def expanded_shape(shape: Shape, kind: dtype, size: Sequence[int]) -> Shape:
    """Return the shape of an array when it is expanded to `size`, or raise PyTorch's error."""
    lead = len(size) - len(shape)
    if lead < 0:
        raise RuntimeError(
            f"expand({tensor_class(kind)}{{{list(shape)}}}, size={list(size)}): the number "
            f"of sizes provided ({len(size)}) must be greater or equal to the number of dimensions "
            f"in the tensor ({len(shape)})"
        )
    target = list(size)
    for i in reversed(range(len(size))):
        n, own = size[i], shape[i - lead] if i >= lead else None
        if n == -1:
            if own is None:
                raise RuntimeError(
                    f"The expanded size of the tensor ({n}) isn't allowed in a leading, "
                    f"non-existing dimension {i}"
                )
            target[i] = own
        elif own is not None and own not in (1, n):
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({own}) at "
                f"non-singleton dimension {i}.  Target sizes: {list(size)}.  Tensor sizes: "
                f"{list(shape)}"
            )
    return tuple(target)
