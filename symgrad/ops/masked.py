"""Values that are known to be zero outside a condition, whatever they are multiplied by.

What is known to be zero, and where, is in `masks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from numeric.selection import select
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import cases
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.broadcasting import lifted
from symgrad.ops.kinds import Passing
from symgrad.ops.primitive import Computation
from symgrad.ops.samples import ANY
from symgrad.ops.zeros import Zeros


class masked(Passing):
    """`x` where the condition holds, and elsewhere 0, which is the exact value of `x` there.

    In a formula, `x` may have become nan outside the condition, by a factor that is infinite there.
    A value of the forward pass is zero there already; around it the node only states the condition.

    The last operand is the condition outside of which the derivatives of `x` are 0 as well: the same
    one, where masks among the operations of `x` make it, and True, where `x` is 0 by its value alone,
    as `y * x**(y - 1)` is for y = 0.
    """

    arity = 3
    keeps_zeros = Zeros.MASK
    poles = ()
    internal = True
    scalar = lambda x, c, d: sympy.Piecewise((x, c), (0, True))  # noqa: E731
    computed = 2, lambda x, c: sympy.Piecewise((x, c), (0, True))
    kernel = Kernel("masked", lambda x, c: select(c, x, 0), "np.where({1}, {0}, 0)", rows=local)
    printed = cases("where({1}, {0}, 0)", "{0}", "{1}", "0")
    converts = False

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, *conditions = operands
        return broadcast_shapes(x.shape, *[c.shape for c in conditions]), x.dtype

    def scalable_operand(self) -> int | None:
        return 0

    def implementation(self) -> Computation:
        kernel, params, operands = super().implementation()
        return kernel, params, operands[:2]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x, condition, of_derivatives = operands
        in_x, in_condition, _ = batched
        if not in_x and not in_condition:  # the kernel does not read what has the new axis
            condition = lifted(condition, size, False)
        given = in_x, in_condition or not in_x, batched[2]
        return super().batch(size, (x, condition, of_derivatives), given)

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        # In reverse mode the masks of the factors of `x` follow, at the factors.
        return t if i == 0 else None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        t, *_ = tangents
        where_it_varies = self.operands[2]
        if t is None or where_it_varies is Const(True):
            return t
        # The factors of a product have lost their own masks to that of the product.
        return masked.of(t, where_it_varies, where_it_varies)

    samples = [
        (ANY, ANY > -2, ANY > -2),
        (np.array(0.7), np.array(True), np.array(True)),
    ]


def zero_unless(x: ArrayExpr, condition: ArrayExpr) -> ArrayExpr:
    """Return `x` with the value 0 where a condition does not hold, whatever multiplies it.

    The derivative is that of `x`, which need not be 0 there.
    """
    return masked.of(x, condition, Const(True))
