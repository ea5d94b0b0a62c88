"""The product of vectors of three elements that is orthogonal to both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.primitive import Cotangents, Primitive

_ROWS = np.array([[0.7, -0.2, 1.3], [0.4, 2.0, -1.1]])


class cross(Primitive):
    """The cross product along an axis of length three, of operands with the same number of axes."""

    poles = ()
    params = ("axis",)
    axis: int
    multilinear = True
    kernel_name = "cross"
    refuses: ClassVar[tuple[int, ...]] = (Category.BOOL,)
    kernel = Kernel(
        "cross",
        lambda x, y, axis: np.cross(x, y, axis=axis),
        "np.cross({0}, {1}, axis={axis})",
    )

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        x, y, axis = args
        m, n = (v.shape[axis] if axis < len(v.shape) else 0 for v in (x, y))
        if m != 3 or n != 3:
            raise RuntimeError(
                f"linalg.cross: inputs dimension {axis} must have length 3. Got {m} and {n}"
            )
        if x.dtype is not y.dtype:
            kinds = [v.dtype.scalar_name for v in (x, y)]
            raise RuntimeError(f"expected scalar type {kinds[0]} but found {kinds[1]}")
        cls.refuse(x.dtype)
        return broadcast_shapes(x.shape, y.shape), x.dtype

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        x, y = [v.conj() if v.dtype.is_complex else v for v in self.operands]
        return cross.of(y, ct, self.axis), cross.of(ct, x, self.axis)

    def batch(self, size: int, operands: Sequence[Any], batched: Sequence[bool]) -> Any:
        x, y = [v if new else v.unsqueeze(0) for v, new in zip(operands, batched, strict=True)]
        return cross.of(x, y, self.axis + 1)

    def notation(self) -> Notation:
        levels = (Precedence.PRODUCT, Precedence.PRODUCT + 1)
        typeset = Latex(r"{0} \times {1}", Precedence.PRODUCT, levels)
        return super().notation()._replace(latex=typeset.template, typeset=typeset)

    samples = [(_ROWS[0], _ROWS[1], 0), (_ROWS, _ROWS[:1] - 1, 1), (_ROWS.T, _ROWS.T[:, ::-1], 0)]
