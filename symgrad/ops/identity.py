"""The same values: copied, shared, named, cut off from derivatives, or of the forward pass.

Conversion to another dtype is in `casting`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.ops.primitive import BESIDE, Computation, Cotangents, Linear, Primitive
from symgrad.ops.samples import GRID
from symgrad.ops.zeros import Zeros


def _copied(x):  # type: ignore[no-untyped-def]
    return np.array(x, order="K")


class clone(Linear):
    """The same values in memory of their own."""

    keeps_zeros = Zeros.MOVED
    kernel = Kernel("copy", _copied, 'np.array({0}, order="K")')
    layout = "first"

    def equal_formula(self) -> ArrayExpr:
        return self.operands[0]

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return ct

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return type(self)(*operands)  # simplified, it is its operand

    samples = [(GRID,), (np.array(1.5),)]


class contiguous(clone):
    """The same values in the memory order of their axes."""

    kernel = Kernel("copy", lambda x: np.array(x, order="C"), 'np.array({0}, order="C")')
    layout = "axes"
    printed = Notation("{0}.contiguous()", "{0}", operands=(Precedence.ATOM,))


def _arranged(x, *, axes):  # type: ignore[no-untyped-def]
    back = sorted(range(len(axes)), key=axes.__getitem__)
    return np.array(x.transpose(axes), order="C").transpose(back)


class arranged(clone):
    """The same values, of which the axes lie in memory in a given order."""

    params = ("axes",)
    axes: tuple[int, ...]
    internal = True
    kernel = Kernel.from_function(_arranged)
    layout = "kernel"
    printed = Notation("{0}", "{0}", Precedence.ATOM, (Precedence.ATOM,))

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return type(self)(*operands, (0, *[a + 1 for a in self.axes]))

    samples = [(GRID, (1, 0)), (np.ones((2, 1, 3)), (1, 0, 2))]


class alias(clone):
    """The same values in the same memory."""

    kernel = Kernel("alias", lambda x: x[...], "{0}[...]", view=True)
    is_view = True
    printed = Notation("{0}", "{0}", Precedence.ATOM, (Precedence.ATOM,))


class named(alias):
    """The same values in the same memory, a quantity that formulas show by its name.

    Derivatives read it as any value. What is linear in it is another quantity, which has no name.
    """

    params = ("given_name",)
    given_name: str
    is_known_by_name = True
    keeps_weak = True
    keeps_zeros = Zeros.FIRST
    kernel = Kernel("alias", lambda x: x[...], "{0}[...]", view=True, rows=local)

    def implementation(self) -> Computation:
        return self.kernel, {}, self.operands

    def scalable_operand(self) -> int | None:
        return None

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return tangents[0]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return type(self)(*operands, self.given_name)

    samples = [(GRID, "h"), (np.array(1.5), "p_1")]


class detach(Primitive):
    """The same values as a constant, which depends on nothing."""

    kernel = Kernel("alias", lambda x: x[...], "{0}[...]", view=True)
    is_view = True
    differentiable = False
    cut = ("detach(){at}, which", "If it is meant to have a gradient, leave out the detach().")

    def equal_formula(self) -> ArrayExpr:
        return self.operands[0]

    samples = [(GRID,), (np.array(1.5),)]


class forward_value(Linear):
    """A value of the forward pass: the expression it came from, closed to rewrites.

    Derivatives read such a value as it was saved, so no rule may look inside. `tag` tells apart
    values of equal structure where the gradient of one of them is asked for.
    """

    params = ("tag",)
    kernel = Kernel("forward_value", lambda x: x, "{0}", view=True, rows=local)
    printed = Notation("{0}", "{0}", Precedence.ATOM, (Precedence.ATOM,))

    def scalable_operand(self) -> int | None:
        return None  # the value is of the operand as it is

    def implementation(self) -> Computation:
        return self.kernel, {}, self.operands

    def equal_formula(self) -> ArrayExpr:
        return self.operands[0]

    def transposed(self, ct: ArrayExpr) -> ArrayExpr:
        return ct

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return tangents[0]  # which is no value of the forward pass

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        return operands[0]

    samples = [(GRID, 0), (np.array(1.5), 3)]


class changed(forward_value):
    """A value of the forward pass that was overwritten or replaced after it was computed.

    Derivatives are those of the formula that computed it, as in PyTorch. Nothing else may be
    concluded from the formula, since the value is another one.
    """


class written(Primitive, abstract=True):
    """`value` with the derivative of `formula`, whose value is not read.

    It stands for a tensor that was changed without record after an operation gave it, or for a
    gradient as it was computed. The class is not among the primitives, whose derivatives are those
    of their values.
    """

    poles = ()
    unreached = (0,)
    internal = True
    kernel = Kernel("written", lambda value: value, "{0}", view=True, rows=local)
    printed = Notation("{0}", "{0}", Precedence.ATOM, (Precedence.ATOM, Precedence.ATOM))

    def implementation(self) -> Computation:
        return self.kernel, {}, self.operands[:1]

    def equal_formula(self) -> ArrayExpr:
        return self.operands[0]

    def as_read(self) -> ArrayExpr:
        return self.operands[0]

    def as_choice(self) -> ArrayExpr:
        return self.operands[0]

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        return None, ct

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        return tangents[1]

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        value, formula = [
            x if done else x.broadcast_to((size, *x.shape))
            for x, done in zip(operands, batched, strict=True)
        ]
        return written(value, formula)


BESIDE[written.__name__] = written
