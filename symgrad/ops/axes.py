"""The base of operations over axes: their arguments, row rule, shape, batching and printing.

The operations themselves are in `reduction`, `extrema`, `scans`, `statistics`, `norms`, `softmax`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import mpmath
import numpy as np
import sympy

from numeric.rows import RowUse
from symgrad.expr.dtypes import Category, dtype, int64
from symgrad.expr.escaping import latex_text
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence, axes_latex, braces, row_latex
from symgrad.expr.shapes import Shape, reduced_shape, size_of
from symgrad.ops.entries import Index, Indices
from symgrad.ops.primitive import Computation, Primitive

#: The axes of a reduction over everything, asked for by giving no `dim`.
Axes = tuple[int, ...] | None


def along(operand_shapes: Sequence[Shape], params: Mapping[str, Any]) -> RowUse:
    """The row rule of an operation along `axis`, whose blocks cannot be combined by addition."""
    rank = len(operand_shapes[0])
    axis = params.get("axis")
    if axis is None:
        return RowUse.WHOLE
    axes = axis if isinstance(axis, tuple) else (axis,)
    return RowUse.WHOLE if any(a in (0, -rank) for a in axes) else RowUse.LOCAL


def number_systems(make: Callable[..., Callable[..., Any]]) -> dict[str, Callable[..., Any]]:
    """Return what `make` builds of elementwise exp, log and sqrt, for each other number system."""
    made = {
        name: make(*[np.frompyfunc(getattr(module, f), 1, 1) for f in ("exp", "log", "sqrt")])
        for name, module in (("sympy", sympy), ("mpmath", mpmath))
    }
    # Of other objects, NumPy calls the methods `exp`, `log` and `sqrt`.
    return {**made, "elements": make(np.exp, np.log, np.sqrt)}


def with_reduced_axes(x: ArrayExpr, axes: tuple[int, ...], shape: Shape) -> ArrayExpr:
    """Return `x`, which was reduced over `axes`, in a form that broadcasts to the original `shape`.

    Broadcasting adds leading axes by itself, so `x` stays as it is where only these are missing.
    """
    if axes == tuple(range(len(axes))):
        return x
    back: ArrayExpr = x.reshape(reduced_shape(shape, axes, True))
    return back


class Reduction(Primitive, abstract=True):
    """An operation that removes the axes `axis`, or keeps them with length one.

    `axis` is None where the caller gave no axes (everything is reduced), which PyTorch's names in
    the graph tell apart from giving all of them.
    """

    params: ClassVar[tuple[str, ...]] = ("axis", "keepdims")
    #: Whether the kernel is given the number of elements that are reduced, as `count`.
    kernel_takes_count: ClassVar[bool] = False
    axis: Any  # of type Axes; a single number where one axis is searched for positions
    keepdims: bool

    @property
    def axes(self) -> tuple[int, ...]:
        """The reduced axes, counted from the front."""
        axis = self.axis
        if axis is None:
            return tuple(range(len(self.operands[0].shape)))
        return axis if isinstance(axis, tuple) else (axis,)

    @property
    def reduced_size(self) -> int:
        """The number of elements that are reduced to one."""
        shape = self.operands[0].shape
        return size_of(shape[a] for a in self.axes)

    def inner_index(self, index: Index, b: Indices) -> tuple[list[Any], list[Any]]:
        """Return an index into the operand, and the new indices in it, along the reduced axes."""
        shape, axes = self.operands[0].shape, self.axes
        over = b.bound(*[shape[a] for a in axes])
        bound = dict(zip(axes, over, strict=True))
        rest = iter(
            index if not self.keepdims else [i for a, i in enumerate(index) if a not in bound]
        )
        return [bound[a] if a in bound else next(rest) for a in range(len(shape))], over

    def with_reduced_axes(self, x: ArrayExpr) -> ArrayExpr:
        """Return an array of the shape of the result, reshaped so that it broadcasts to the operand."""
        return with_reduced_axes(x, self.axes, self.operands[0].shape)

    @classmethod
    def infer(cls, x: Any, *rest: Any) -> tuple[Shape, dtype]:
        cls.refuse(x.dtype)
        axis, keepdims, *_ = rest[-len(cls.params) :]
        axes = tuple(range(len(x.shape))) if axis is None else axis
        return reduced_shape(x.shape, axes, keepdims), cls.result_kind(x.dtype)

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        """Return the dtype of the result from that of the operand."""
        return kind

    def implementation(self) -> Computation:
        kernel, params, operands = super().implementation()
        if self.kernel_takes_count:
            params = {**params, "count": self.reduced_size}
        return kernel, params, operands

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        lifted = tuple(a + 1 for a in self.axes)
        return self.of(*operands, lifted, *self.param_values[1:])

    def described(self) -> list[str]:
        """Return templates of the arguments after the first operand, as a call prints them."""
        if self.axis == ():
            return ["dim=0"]
        given = []
        if self.axis is not None:
            axis = self.axis
            given.append(f"dim={axis[0] if isinstance(axis, tuple) and len(axis) == 1 else axis}")
        if self.keepdims:
            given.append("keepdim=True")
        return given

    #: The name in LaTeX of the function; an empty one is its own.
    latex_name: ClassVar[str] = ""
    #: The large operator that LaTeX shows, with its operand beside it, in the place of a function.
    latex_sign: ClassVar[str] = ""

    def notation(self) -> Notation:
        name = (self.public_name or type(self).__name__).rstrip("_")
        # No public function reduces over no axes.
        operand = "unsqueeze({0}, 0)" if self.axis == () else "{0}"
        on_paper = self.on_paper(self._large_latex() or Latex(self._called_latex(name)))
        text = f"{name}({', '.join([operand, *self.described()])})"
        return Notation(text, on_paper.template, typeset=on_paper)

    def on_paper(self, form: Latex) -> Latex:
        """Return the form in LaTeX of the result, given that of a result without reduced axes."""
        shape = self.operands[0].shape
        return row_latex(
            form, self.keepdims and len(shape) == 2 and self.axes == (0,) and shape[1] > 1
        )

    def _called_latex(self, name: str) -> str:
        shown = self.latex_name or rf"\operatorname{{{latex_text(name)}}}"
        low = "" if self.axis is None else f"_{{{axes_latex(self.axes)}}}"
        return braces(f"{shown}{low}") + r"\left({0}\right)"

    def _large_latex(self) -> Latex | None:
        if not self.latex_sign:
            return None
        if not self.axes:  # one term
            return Latex("{0}")
        sign = braces(f"{self.latex_sign}_{{{axes_latex(self.axes)}}}")
        return Latex(f"{sign} {{0}}", Precedence.LARGE, (Precedence.ODOT,))


def accumulated_kind(kind: dtype) -> dtype:
    """Return the dtype of sums and products: those of integers and truth values are int64."""
    return kind if kind.category >= Category.FLOAT else int64


class Accumulation(Reduction, abstract=True):
    """A sum or product over axes."""

    @classmethod
    def result_kind(cls, kind: dtype) -> dtype:
        return accumulated_kind(kind)

    def compute_dtype(self) -> dtype | None:
        return self.dtype if self.dtype is int64 else None
