"""Values known to be zero outside a mask, and what they are multiplied by.

A masked-out element contributes nothing, whatever the other factor is there: `0 * inf` would make
a nan of it. Within one formula the rewrites of derivatives push factors inside `where`; a gradient
that was recorded is a value of the forward pass for the next order, so its mask is remembered
beside it. The products are functions of both factors, also where the mask does not hold: only the
value 0 is certain there, not that the derivative with respect to the masked factor vanishes.
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
from symgrad.ops.indexing import index_put
from symgrad.ops.logic import logical_and, logical_not, logical_or, where
from symgrad.ops.movement import broadcast_to, cast, recorded
from symgrad.primitive import Elementwise, Notation

__all__ = [
    "MASKING",
    "MaskedFactor",
    "mask_of",
    "masked",
    "masked_div",
    "masked_mul",
    "support",
    "unmasked",
]

_A = np.array([0.3, -1.2, 2.0])
_B = np.array([[1.5], [-0.4]])
_C = np.array([True, False, True])


class masked(recorded):
    """A value of the forward pass that is zero outside a condition."""

    params = ()  # type: ignore[assignment]

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        return args[0].shape, args[0].dtype

    def implementation(self) -> Any:
        return self.kernel, {}, self.operands[:1]

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return ct, None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return tangents[0]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        x = operands[0]
        return x if batched[0] else x.broadcast_to((size, *x.shape))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_A * _C, _C), (np.array(0.7), np.array(True))]


def _kernel(name: str, call: Callable[..., Any]) -> Kernel:
    source = f"np.where({{0}}, np.{call.__name__}({{1}}, {{2}}, dtype={{to}}), 0)"
    return Kernel(
        name,
        lambda c, x, y, to: np.where(c, call(x, y, dtype=to), 0),
        source,
        rows=local,
        numbers={s: lambda c, x, y, to: np.where(c.astype(bool), call(x, y), 0)
                 for s in ("sympy", "mpmath")},
    )  # fmt: skip


class MaskedFactor(Elementwise, abstract=True):
    """A product or quotient of `x`, which is zero outside the condition, and `y`."""

    arity = 3
    internal = True
    frees = True

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        condition, x, y = operands
        shape, kind = super().infer(x, y)
        return broadcast_shapes(condition.shape, shape), kind

    def compute_dtype(self) -> dtype | None:
        return None

    def implementation(self) -> Any:
        return self.kernel, {"to": self.dtype.numpy}, self.operands

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        # Zero outside the condition means that differences may be taken inside alone.
        return [(_A > -2, _A, _B), (np.array(True), np.array(0.7), 2.0)]


class masked_mul(MaskedFactor):
    """`x * y` where the condition holds, and else the 0 that `x` is there."""

    scalar = lambda c, x, y: sympy.Piecewise((x * y, c), (0, True))  # noqa: E731
    kernel = _kernel("masked_mul", np.multiply)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        condition, x, y = self.operands
        return (
            None,
            ct * y.conj() if needs[1] else None,
            masked_mul.of(condition, x.conj(), ct) if needs[2] else None,
        )

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        condition, x, y = self.operands
        _, tx, ty = tangents
        terms = [
            None if tx is None else tx * y,
            None if ty is None else masked_mul.of(condition, x, ty),
        ]
        return _total(terms)

    def notation(self) -> Notation:
        return Notation(
            "where({0}, {1} * {2}, 0)",
            r"\begin{{cases}} {1} \, {2} & \text{{if }} {0} \\ 0 & \text{{otherwise}} "
            r"\end{{cases}}",
        )

    def grad_fn_name(self) -> str:
        return "MulBackward0"


class masked_div(MaskedFactor):
    """`x / y` where the condition holds, and else the 0 that `x` is there."""

    result = "float"
    scalar = lambda c, x, y: sympy.Piecewise((x / y, c), (0, True))  # noqa: E731
    kernel = _kernel("masked_div", np.true_divide)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        condition, _, y = self.operands
        below = y.conj()
        return (
            None,
            ct / below if needs[1] else None,
            -masked_mul.of(condition, self.conj(), ct / below) if needs[2] else None,
        )

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        condition, _, y = self.operands
        _, tx, ty = tangents
        terms = [
            None if tx is None else tx / y,
            None if ty is None else -masked_mul.of(condition, self, ty / y),
        ]
        return _total(terms)

    def notation(self) -> Notation:
        return Notation(
            "where({0}, {1} / {2}, 0)",
            r"\begin{{cases}} \frac{{{1}}}{{{2}}} & \text{{if }} {0} \\ 0 & \text{{otherwise}} "
            r"\end{{cases}}",
        )

    def grad_fn_name(self) -> str:
        return "DivBackward0"


def _total(terms: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
    x, y = terms
    if x is None or y is None:
        return y if x is None else x
    return x + y


def _both(a: ArrayExpr | None, b: ArrayExpr | None) -> ArrayExpr | None:
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
    return x.operands[0], x.operands[1]


def mask_of(x: Any, inner: Callable[[Any], ArrayExpr | None]) -> ArrayExpr | None:
    """Return where `x` may differ from zero; None is everywhere.

    `inner` tells the same of an operand.
    """
    cls = type(x)
    if cls in MASKING:
        stated = _stated(x)
        return None if stated is None else _both(stated[0], inner(stated[1]))
    if cls is mul:
        return _both(*map(inner, x.operands))
    if cls in (div, neg, cast):
        return inner(x.operands[0])
    if cls in (add, sub):
        a, b = map(inner, x.operands)
        if a is None or b is None or a is b:
            return b if a is b else None
        return logical_or.of(a, b)
    return x.operands[1] if cls is masked else None


#: Operations that state a mask, and the operands that it is read from.
MASKING = {
    where: slice(0, 1),
    masked_mul: slice(0, 1),
    masked_div: slice(0, 1),
    index_put: slice(2, None),
}

#: How many terms of a sum are read.
_TERMS = 256


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
        mask = _both(mask, stated[0])
        x = stated[1]
    return _both(mask, x.operands[1]) if type(x) is masked else mask


def unmasked(x: ArrayExpr) -> ArrayExpr:
    """Return a value without what is known of its mask."""
    return x.operands[0] if type(x) is masked else x
