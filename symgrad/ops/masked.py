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
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import cases
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops import transforms
from symgrad.ops.composite import Composite
from symgrad.ops.identity import forward_value
from symgrad.ops.kinds import Beside, Passing
from symgrad.ops.samples import ANY
from symgrad.ops.zeros import Zeros


class by_value(Beside, Composite):
    """A condition outside of which a value is 0, but not its derivatives.

    A mask among the operations that compute a value makes its derivatives 0 as well. What is 0 by
    its value, as `y * x**(y - 1)` is for y = 0, is so whatever it is multiplied by, but is
    differentiated as anything else.
    """

    printed = forward_value.printed

    @classmethod
    def formula(cls, condition: Any) -> Any:
        return condition


def zero_unless(x: ArrayExpr, condition: ArrayExpr) -> ArrayExpr:
    """Return `x` with the value 0 where a condition does not hold, whatever multiplies it.

    The derivative is that of `x`, which need not be 0 there.
    """
    return masked.of(x, by_value.of(condition))


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
    printed = cases("where({1}, {0}, 0)", "{0}", "{1}", "0")
    converts = False

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, condition = operands
        return broadcast_shapes(x.shape, condition.shape), x.dtype

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr | None:
        return t if i == 0 else None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        t, condition = tangents[0], self.operands[1]
        # Each factor of a product has lost its own mask to that of the product.
        mask = None if t is None else transforms.support_of_derivatives.call(condition)
        return t if t is None or mask is None else masked.of(t, mask)

    samples = [(ANY, ANY > -2), (np.array(0.7), np.array(True))]
