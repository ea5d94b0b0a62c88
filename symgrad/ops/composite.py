"""Operations that are formulas of other operations: `Composite`.

How walks over expressions meet the formula in the place of such a node stands here as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, TypeGuard

from numeric.kernel import Kernel
from symgrad.expr import node as nodes
from symgrad.expr.dtypes import dtype
from symgrad.expr.graph import replace_nodes, toposort
from symgrad.expr.node import ArrayExpr, Leaf
from symgrad.expr.shapes import Shape
from symgrad.ops import transforms
from symgrad.ops.primitive import Primitive, as_written

__all__ = ["Composite", "is_formula", "order_of", "written_out"]


class Composite(Primitive, abstract=True):
    """An operation that is a formula of others; it states `formula`.

    Shape, dtype, derivatives of any order, batching, kernel and row rule follow from the formula. It
    is recorded as one operation and printed under its own name; where it is differentiated, and where
    it is lowered to a program, the formula stands in its place. A subclass may state a `kernel` of
    its own, which computes the same faster or with more digits.
    """

    __slots__ = ()

    #: None where the formula is what is computed.
    kernel: ClassVar[Kernel] = None  # type: ignore[assignment]
    poles: ClassVar[tuple[int, ...] | None] = ()  # those in its formula count

    @classmethod
    def formula(cls, *args: Any) -> ArrayExpr:
        """Return the expression, of the operands and the values of the parameters."""
        raise NotImplementedError(f"{cls.__name__} states no formula()")

    def expanded(self) -> ArrayExpr:
        """Return the formula on the operands of the node, as users would have written it."""
        with as_written():
            return self.formula(*self.operands, *self.param_values)

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        with as_written():
            made = cls.formula(*args)
        return made.shape, made.dtype

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        apart, originals = self._apart(needs)
        parts = iter(transforms.vjp.call([apart], [ct], list(originals)))
        return _put_back([next(parts) if need else None for need in needs], originals)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        apart, originals = self._apart([t is not None for t in tangents])
        moved = transforms.jvp.call(
            [apart], list(originals), [t for t in tangents if t is not None]
        )
        return _put_back(moved, originals)[0]

    def _apart(self, moving: Sequence[bool]) -> tuple[ArrayExpr, dict[ArrayExpr, ArrayExpr]]:
        """Return the node on leaves in the place of operands, and what these stand for.

        Operands may be equal, or one be a part of another: derivatives are those with respect to
        one of them.
        """
        operands = [
            _StandIn.of(x) if moves else x for x, moves in zip(self.operands, moving, strict=True)
        ]
        given = zip(operands, self.operands, moving, strict=True)
        return self.with_operands(operands), {x: y for x, y, moves in given if moves}

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        def call(*xs: ArrayExpr) -> ArrayExpr:
            return self.formula(*xs, *self.param_values)

        made: ArrayExpr = transforms.batched_call.call(call, self.operands, size, operands, batched)
        return made


class _StandIn(Leaf):
    """A leaf that is equal to no other, in the place of an operand."""

    __slots__ = ()

    @classmethod
    def of(cls, x: ArrayExpr) -> _StandIn:
        made: _StandIn = nodes._intern_atom(cls, (), x.shape, x.dtype)
        made.name = "_"
        return made


def _put_back(
    parts: Sequence[ArrayExpr | None], originals: dict[ArrayExpr, ArrayExpr]
) -> list[ArrayExpr | None]:
    made = iter(replace_nodes([x for x in parts if x is not None], originals))
    return [None if x is None else next(made) for x in parts]


# ------------------------------------------------------------------ walks


def is_formula(node: ArrayExpr) -> TypeGuard[Composite]:
    """Whether a node is computed as its formula, and states no kernel."""
    return isinstance(node, Composite) and node.kernel is None


def order_of(
    roots: Iterable[ArrayExpr],
    stop: Callable[[ArrayExpr], bool] | None = None,
    opens: Callable[[ArrayExpr], bool] = lambda node: isinstance(node, Composite),
) -> tuple[list[ArrayExpr], dict[ArrayExpr, ArrayExpr]]:
    """Return what `toposort` does, with the formulas of composite nodes in the place of operands.

    Parameters
    ----------
    roots, stop
        As those of `toposort`.
    opens : callable
        Whether the formula of a node takes part; by default that of each.

    Returns
    -------
    order : list of ArrayExpr
        The nodes, each after its operands, or after its formula.
    formulas : dict
        The formula of each of these nodes that has one.
    """
    roots = list(roots)
    order = toposort(roots, stop)
    formulas: dict[ArrayExpr, ArrayExpr] = {}
    if not any(issubclass(cls, Composite) for cls in set(map(type, order))):
        return order, formulas

    def below(x: ArrayExpr) -> Sequence[ArrayExpr]:
        if not isinstance(x, Composite) or not opens(x):
            return x.operands
        formulas[x] = made = x.expanded()
        return (made,)

    return toposort(roots, stop, below), formulas


def written_out(roots: Iterable[ArrayExpr]) -> list[ArrayExpr]:
    """Return expressions with the formulas of composite nodes in the place of these."""
    roots = list(roots)
    order, formulas = order_of(roots)
    made: dict[ArrayExpr, ArrayExpr] = {}
    for x in order:
        if x in formulas:
            made[x] = made[formulas[x]]
        else:
            operands = tuple([made[y] for y in x.operands])
            made[x] = x if operands == x.operands else x.func(*operands, *x.args[len(operands) :])
    return [made[x] for x in roots]
