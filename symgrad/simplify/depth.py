"""The limit on nested operations through which a rewrite finds a value that lies among zeros.

A *fill* is an operation that puts a value among zeros: a mask, the transpose of an index, a
triangle, a diagonal (`Primitive.as_fill`). A chain of `relu`, or of writes over elements, has as
many fills as it is long. A rewrite that moved a factor through all of them would take time
quadratic in the length of the chain, and would recurse. Rewrites therefore stop after a few; a
product with a deeper value is masked as a whole, by the support of the value.
"""

from __future__ import annotations

from typing import Any

from symgrad.expr.atoms import Const
from symgrad.ops.arithmetic import mul
from symgrad.ops.masks import is_forward_value
from symgrad.ops.primitive import Primitive
from symgrad.ops.zeros import Zeros

#: The most fills that a rewrite looks through; to look through some gives smaller formulas.
_MOST_FILLS = 3

#: The most moves and fills together.
_MOST_STEPS = 12


def is_deep(x: Any) -> bool:
    """Return whether a rewrite must leave `x` as it is, since too many operations are nested in it.

    The operations that count are moves, scalings and fills, from `x` down to the first other one:
    at most `_MOST_FILLS` fills that keep the shape, and `_MOST_STEPS` operations in all.
    """
    fills = 0
    for _ in range(_MOST_STEPS + 1):
        if not isinstance(x, Primitive):
            return False
        fill = x.as_fill()
        if fill is not None:
            fills += fill.read is None
            if fills > _MOST_FILLS:
                return True
            x = x.operands[fill.place]
        else:
            x = _operand_of_step(x)
    return True


def _operand_of_step(x: Primitive) -> Any:
    """Return the operand that `x` moves, scales or masks; None where `x` does something else."""
    is_masked = x.keeps_zeros is Zeros.MASK
    if x.passes_factors or x.moves or (is_masked and not is_forward_value(x)):
        return x.operands[0]
    if type(x) is mul:
        a, b = x.operands
        return b if type(a) is Const else a if type(b) is Const else None
    return None
