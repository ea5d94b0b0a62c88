"""A value that is known to be zero outside a mask.

This is no `where`: outside the mask only the value 0 is certain, not that the derivative with
respect to the masked value vanishes. What is known to be zero, and where, is in `masks`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.kinds import Passing
from symgrad.ops.samples import ANY
from symgrad.ops.zeros import Zeros


class masked(Passing):
    """`x` where the condition holds, and elsewhere 0, which is the exact value of `x` there.

    In a formula, `x` may have become nan outside the condition, by a factor that is infinite there.
    A value of the forward pass is zero there already; around it the node only states the condition.
    """

    keeps_zeros = Zeros.MASK
    poles = ()
    internal = True
    scalar = lambda x, c: sympy.Piecewise((x, c), (0, True))  # noqa: E731
    kernel = Kernel("masked", lambda x, c: np.where(c, x, 0), "np.where({1}, {0}, 0)", rows=local)
    printed = Notation(
        "where({1}, {0}, 0)",
        r"\begin{{cases}} {0} & \text{{if }} {1} \\ 0 & \text{{otherwise}} \end{{cases}}",
    )
    converts = False

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, condition = operands
        return broadcast_shapes(x.shape, condition.shape), x.dtype

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        return t if i == 0 else None

    samples = [(ANY, ANY > -2), (np.array(0.7), np.array(True))]
