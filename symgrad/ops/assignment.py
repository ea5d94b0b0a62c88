"""The new values of arrays that `zero_`, `fill_` and `copy_` write over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.literal import literal
from numeric.rows import local
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Precedence, Text
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.entries import Index, Indices, Reading, fitted, given
from symgrad.ops.primitive import Cotangents, Primitive
from symgrad.ops.samples import TABLE


def _overwritten(x, value):  # type: ignore[no-untyped-def]
    out = np.empty_like(x)
    out[...] = value if np.iscomplexobj(out) else np.real(value)
    return out


class _Overwrite(Primitive, abstract=True):
    """The second operand in the shape and dtype of the first, whose values do not matter."""

    kernel = Kernel.from_function(_overwritten)

    @classmethod
    def infer(cls, x: Any, value: Any) -> tuple[Shape, dtype]:
        if broadcast_shapes(x.shape, value.shape) != x.shape:
            raise RuntimeError(
                f"output with shape {list(x.shape)} doesn't match the broadcast shape "
                f"{list(broadcast_shapes(x.shape, value.shape))}"
            )
        return x.shape, x.dtype

    def public_text(self) -> Text:
        value = self.operands[1]
        text = "{1}" if value.shape == self.shape else f"broadcast_to({{1}}, {literal(self.shape)})"
        if value.weak or value.dtype is not self.dtype:
            text += f".to({self.dtype.name})"
        return Text(text, Precedence.ATOM, (0, Precedence.ATOM))

    def entry(self, index: Index, b: Indices) -> Reading:
        value = self.operands[1]
        return (yield value, fitted(index, value.shape))

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return None, ct if needs[1] else None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return tangents[1]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x, value = operands
        if not batched[0]:
            x = x.broadcast_to((size, *self.shape))
        if batched[1]:
            lead = len(self.shape) - (value.ndim - 1)
            value = value.reshape((size,) + (1,) * lead + value.shape[1:])
        return self.with_operands((x, value))

    samples = [(TABLE, np.array(0.5)), (TABLE, np.array([0.5, 1.0, -2.0])), (TABLE, 2.5)]


class copied(_Overwrite):
    """`x.copy_(value)`."""


class filled(_Overwrite):
    """`x.fill_(value)` for a 0-d value."""


class zeroed(Primitive):
    """`x.zero_()`: zeros of the shape and dtype of `x`, which do not depend on the values of `x`."""

    kernel = Kernel("zeros_like", np.zeros_like, "np.zeros_like({0})", rows=local)

    def public_text(self) -> Text:
        return Text(f"full({literal(self.shape)}, 0, dtype={self.dtype.name})")

    def entry(self, index: Index, b: Indices) -> Reading:
        return given(sympy.S.Zero)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return (None,)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return None

    samples = [(TABLE,), (np.array(0.3),)]
