"""Values known to be zero outside a mask, whatever they are multiplied by.

A masked-out element contributes nothing: `0 * inf` would make a nan of it. Within one formula the
rewrites of derivatives push factors inside `where`; a gradient that was recorded is a value of the
forward pass for the next order, so its mask is remembered beside it. Products with it are masked as
a whole, by `masked`. This is no `where`: outside the mask only the value 0 is certain, not that the
derivative with respect to the masked factor vanishes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import dtype
from symgrad.expr.node import ArrayExpr, Const, is_const
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.arithmetic import add, div, mul, neg, sub
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.casting import cast
from symgrad.ops.identity import recorded
from symgrad.ops.indexing import index_put
from symgrad.ops.logic import logical_and, logical_not, logical_or
from symgrad.ops.samples import ANY
from symgrad.ops.where import where
from symgrad.primitive import Elementwise, Notation

__all__ = ["MASKING", "intersection", "mask_of", "masked", "note", "peel", "support", "unmasked"]


class masked(Elementwise):
    """`x` where the condition holds, and elsewhere the 0 that `x` is there in truth.

    In a formula, `x` may have become nan outside the condition, by a factor that is none of its
    business. A value of the forward pass is a number; there the node is but a note.
    """

    arity = 2
    internal = True
    guards = (1,)
    scalar = lambda x, c: sympy.Piecewise((x, c), (0, True))  # noqa: E731
    kernel = Kernel("masked", lambda x, c: np.where(c, x, 0), "np.where({1}, {0}, 0)", rows=local)

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, condition = operands
        return broadcast_shapes(x.shape, condition.shape), x.dtype

    def compute_dtype(self) -> dtype | None:
        return None

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return ct, None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return tangents[0]

    def notation(self) -> Notation:
        return Notation(
            "where({1}, {0}, 0)",
            r"\begin{{cases}} {0} & \text{{if }} {1} \\ 0 & \text{{otherwise}} \end{{cases}}",
        )

    def grad_fn_name(self) -> str:
        return "WhereBackward0"

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        # Zero outside the condition means that differences may be taken inside alone.
        return [(ANY, ANY > -2), (np.array(0.7), np.array(True))]


def intersection(a: ArrayExpr | None, b: ArrayExpr | None) -> ArrayExpr | None:
    """Return where two values may both differ from zero; None is everywhere."""
    if a is None or b is None or a is b:
        return b if a is None else a
    return logical_and.of(a, b)


def _stated(x: Any) -> tuple[ArrayExpr, ArrayExpr] | None:
    """Return the mask that an operation states, and the operand that it lets through."""
    cls = type(x)
    if cls is where:
        condition, p, q = x.operands
        if is_const(q, 0):
            return condition, p
        return (logical_not.of(condition), q) if is_const(p, 0) else None
    if cls is index_put:
        if x.accumulate or not is_const(x.operands[1], 0):
            return None
        everywhere = broadcast_to.of(Const(True), x.shape)
        indices = x.operands[2:]
        rest = index_put.of(everywhere, Const(False), *indices, x.spec, x.counts, False)
        return rest, x.operands[0]
    return x.operands[1], x.operands[0]


def mask_of(x: Any, inner: Callable[[Any], ArrayExpr | None]) -> ArrayExpr | None:
    """Return where `x` may differ from zero; None is everywhere.

    `inner` tells the same of an operand.
    """
    cls = type(x)
    if cls in MASKING:
        stated = _stated(x)
        return None if stated is None else intersection(stated[0], inner(stated[1]))
    if cls is mul:
        return intersection(*map(inner, x.operands))
    if cls in (div, neg, cast):
        return inner(x.operands[0])
    if cls in (add, sub):
        a, b = map(inner, x.operands)
        if a is None or b is None or a is b:
            return b if a is b else None
        return logical_or.of(a, b)
    return None


#: Operations that state a mask, and the operands that it is read from.
MASKING = {
    where: slice(0, 1),
    masked: slice(1, 2),
    index_put: slice(2, None),
}

#: How many terms of a sum are read.
_TERMS = 4096


def support(x: Any) -> ArrayExpr | None:
    """Return where a sum of masked terms may differ from zero; None is everywhere.

    Products with masked factors are masked since they were made, but for constant ones.
    """
    masks: dict[ArrayExpr, None] = {}
    stack = [x]
    for _ in range(_TERMS):
        term = stack.pop()
        cls = type(term)
        if cls in (add, sub):
            stack += term.operands
        elif cls in (neg, cast):
            stack.append(term.operands[0])
        elif cls is mul and isinstance(term.operands[0], Const):
            stack.append(term.operands[1])
        else:
            mask = _mask_of_term(term)
            if mask is None:
                return None
            masks[mask] = None
        if not stack:
            return functools.reduce(logical_or.of, masks)
    return None


def _mask_of_term(x: Any) -> ArrayExpr | None:
    """Return the mask of a product, or of values chosen once or more often."""
    mask = None
    while type(x) in MASKING:
        stated = _stated(x)
        if stated is None:
            break
        mask = intersection(mask, stated[0])
        x = stated[1]
    return mask


def unmasked(x: ArrayExpr) -> ArrayExpr:
    """Return a value without the note of its mask."""
    return x.operands[0] if type(x) is masked else x


def note(x: ArrayExpr) -> bool:
    """Whether a node only says of a value of the forward pass what it is, and where it is zero."""
    return isinstance(unmasked(x), recorded)


def peel(x: Any) -> Any:
    """Return what a value of the forward pass was computed as."""
    while note(x):
        x = x.operands[0]
    return x
