"""New values in place that do not depend on the former: of comparisons, draws and other memory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from numeric.kernel import Kernel
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.ops.primitive import Cotangents, Primitive
from symgrad.ops.samples import TABLE


def _first(values, *others):  # type: ignore[no-untyped-def]
    return np.array(values)


class _Replacing(Primitive, abstract=True):
    """The first operand, as the new value of a tensor.

    The others, which have no derivative, are the former value and what determined the new one.
    """

    kernel = Kernel.from_function(_first)
    printed = Notation("{0}", "{0}", Precedence.ATOM, (Precedence.ATOM,))

    def equal_formula(self) -> ArrayExpr:
        return self.operands[0]

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return ct if needs[0] else None, *[None for _ in needs[1:]]

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return tangents[0]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        values, *others = operands
        if not batched[0]:
            values = values.broadcast_to((size, *self.shape))
        return self.with_operands((values, *others))

    samples = [(TABLE, TABLE + 1), (np.array(0.7), np.array(0.3))]


class compared(_Replacing):
    """`x.gt_(y)` and its kin: truth values, which do not depend on what was compared."""

    samples = [*_Replacing.samples, (TABLE, TABLE + 1, TABLE**2)]


class drawn(_Replacing):
    """Random numbers, which do not depend on the tensor filled or on their probabilities."""

    samples = [*_Replacing.samples, (TABLE, TABLE + 1, TABLE**2)]


class drawn_counts(_Replacing):
    """Numbers drawn from binomial distributions, for which PyTorch has no derivative."""

    samples = [*_Replacing.samples, (TABLE, TABLE + 1, TABLE**2)]

    def missing_derivative(self) -> str:
        return "aten::binomial"

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        raise RuntimeError(f"derivative for {self.missing_derivative()} is not implemented")


class reseated(_Replacing):
    """`x.set_(source)`: the memory of another tensor."""

    def missing_derivative(self) -> str:
        return "set_"

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        raise RuntimeError(f"derivative for {self.missing_derivative()} is not implemented")


class replaced(_Replacing):
    """`x.data = value` of another shape or dtype than those of the result `x`."""

    internal = True

    def missing_derivative(self) -> str:
        return "data"

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        before = self.operands[1]
        raise RuntimeError(
            f"derivative for {self.missing_derivative()} is not implemented: a result was given "
            "other data by .data = …, and its graph an invalid gradient - got "
            f"{list(self.shape)}, {self.dtype.name}, but expected {list(before.shape)}, "
            f"{before.dtype.name}; detach() it, and give the data to what that returns"
        )
