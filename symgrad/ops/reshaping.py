"""The same elements in the same order, in another shape: `reshape`, `view`, `flatten`, `squeeze`.

Repeated elements are in `broadcasting`, the order of axes in `permuting`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import keeps_rows
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import TRANSPOSED, Latex, Notation, Precedence, braces
from symgrad.expr.shapes import Shape, resolve_reshape, size_of
from symgrad.expr.written import size_latex
from symgrad.ops.entries import Index, Indices, Reading, flat, unravelled
from symgrad.ops.primitive import Linear, Rows
from symgrad.ops.samples import GRID
from symgrad.ops.terms import Terms
from symgrad.ops.zeros import Zeros


def _subscript(before: Shape, after: Shape) -> str | None:
    """Return the subscript that takes away axes of length one, or adds some; None of other shapes.

    Examples
    --------
    >>> _subscript((3,), (3, 1)), _subscript((1, 3, 1), (3,))
    (':, None', '0, :, 0')
    """
    if [n for n in before if n != 1] != [n for n in after if n != 1]:
        return None
    words: list[str] = []
    rest = list(after)
    extra = len(after) - len(before)
    for n in before:
        while rest and rest[0] == 1 and n != 1:
            words.append("None")
            rest.pop(0)
        if n != 1 or (rest and rest[0] == 1 and extra >= 0):
            words.append(":")
            rest.pop(0)
        else:
            words.append("0")
    words += ["None"] * len(rest)
    while words and words[-1] == ":":
        words.pop()
    return ", ".join(words) or None


def _reshaped(x: Any, shape: Shape) -> Any:
    # The method takes a third of the time of the function, which asks for the method each time.
    return x.reshape(shape) if isinstance(x, np.ndarray) else np.reshape(x, shape)


class reshape(Linear):
    nonnegative = "operands"
    keeps_zeros = Zeros.MOVED
    moves = has_blocks = True
    params = ("shape",)
    # By position: NumPy 2.0 calls the shape `newshape`.
    kernel = Kernel(
        "reshape", _reshaped, "np.reshape({0}, {shape})",
        view=True, rows=keeps_rows,
    )  # fmt: skip
    is_view = True

    @classmethod
    def infer(cls, x: Any, shape: Shape) -> tuple[Shape, dtype]:
        return resolve_reshape(shape, size_of(x.shape)), x.dtype

    def of_blocks(self, operands: Sequence[ArrayExpr], axes: Shape) -> ArrayExpr:
        return reshape.of(operands[0], (*self.shape, *axes))

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return reshape.of(ct, self.operands[0].shape)

    def rows(self, of: Rows) -> Sequence[ArrayExpr] | None:
        (x,) = self.operands
        return [x] if self.shape == (1, *x.shape) else None

    def entry(self, index: Index, b: Indices) -> Reading:
        (x,) = self.operands
        return (yield x, unravelled(flat(index, self.shape), x.shape))

    def terms(self, b: Terms) -> Any:
        return b.reshaped(b.operand(self.operands[0], self.dtype), self.shape)

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return reshape.of(operands[0], (size, *self.shape))

    def notation(self) -> Notation:
        form = super().notation()._replace(latex=self._on_paper())
        subscript = _subscript(self.operands[0].shape, self.shape)
        if subscript is None:
            return form._replace(text=f"reshape({{0}}, shape={self.shape})")
        return form._replace(
            text=f"{{0}}[{subscript}]",
            operands=(Precedence.ATOM,),
            typeset=Latex(form.latex, form.level, form.operands),
        )

    def _on_paper(self) -> str:
        """Return a template in LaTeX, where a 1-D array is a column and a number has no axes."""
        before, after = self.operands[0].shape, self.shape
        if self.size == 1 or after == (*before, 1) or before == (*after, 1):
            return "{0}"
        if len(before) + len(after) == 3 and 1 in before[:-1] + after[:-1]:
            return "{0}" + TRANSPOSED
        shown = r" \times ".join(map(size_latex, after)) or "()"
        return braces(rf"\operatorname{{reshape}}_{{{shown}}}") + r"\left({0}\right)"

    samples = [(GRID, (3, 2)), (GRID, (6,)), (np.array(1.5), (1, 1))]
