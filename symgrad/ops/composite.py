"""Operations that are formulas of other operations: `Composite`.

`order_of` walks expressions with the formulas of such nodes in place of their operands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, ClassVar, TypeGuard

import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import Const, Leaf, OwnLeaf, as_expr, is_const, new_atom
from symgrad.expr.dtypes import dtype
from symgrad.expr.graph import replace_nodes, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops import transforms
from symgrad.ops.deriving import as_written
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Cotangents, Primitive


class Composite(Primitive, abstract=True):
    """An operation that is a formula of others; it states how it is `composed`.

    Shape, dtype, derivatives of any order, batching, kernel and row rule follow from the formula. It
    is recorded as one operation and printed under its own name; where it is differentiated, and where
    it is lowered to a program, the formula stands in its place. A subclass may state a `kernel` of
    its own, which computes the same faster or with more digits, and a `vjp`.
    """

    __slots__ = ()

    #: None where the formula is computed instead.
    kernel: ClassVar[Kernel] = None  # type: ignore[assignment]
    # The poles of the operations in the formula are used instead.
    poles: ClassVar[tuple[int, ...] | None] = ()

    @classmethod
    def composed(cls, *args: Any) -> ArrayExpr:
        """Return the expression, of the operands and the values of the parameters."""
        raise NotImplementedError(f"{cls.__name__} states no composed()")

    @classmethod
    def of(cls, *args: Any) -> ArrayExpr:
        if not cls.is_known_by_formula:
            return super().of(*args)
        count = len(args) - len(cls.params)
        operands = [as_expr(x) for x in args[:count]]
        cls.infer(*operands, *args[count:])
        return cls.composed(*operands, *args[count:])

    def expanded(self) -> ArrayExpr:
        """Return the formula on the operands of the node, as users would have written it."""
        with as_written():
            return self.composed(*self.operands, *self.param_values)

    def equal_formula(self) -> ArrayExpr:
        return self.expanded()

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        with as_written():
            made = cls.composed(*args)
        return made.shape, made.dtype

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        apart, originals = self._apart(needs)
        parts = iter(transforms.vjp.call([apart], [ct], list(originals)))
        return _put_back([next(parts) if need else None for need in needs], originals)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        apart, originals = self._apart([t is not None for t in tangents])
        moved = transforms.jvp.call(
            [apart.expanded()], list(originals), [t for t in tangents if t is not None]
        )
        return _put_back(moved, originals)[0]

    def _apart(self, moving: Sequence[bool]) -> tuple[Composite, dict[ArrayExpr, ArrayExpr]]:
        """Return the node with new leaves as operands, and the operand of each leaf.

        Two operands may be equal, or one part of the other. The leaves are distinct, so that the
        derivative with respect to one operand does not contain that of another.
        """
        operands = [
            StandIn.of(x) if moves else x for x, moves in zip(self.operands, moving, strict=True)
        ]
        given = zip(operands, self.operands, moving, strict=True)
        apart: Any = self.with_operands(operands)
        return apart, {x: y for x, y, moves in given if moves}

    def batch(self, size: int, operands: Sequence[ArrayExpr], batched: Sequence[bool]) -> ArrayExpr:
        def call(*xs: ArrayExpr) -> ArrayExpr:
            return self.composed(*xs, *self.param_values)

        made: ArrayExpr = transforms.batched_call.call(call, self.operands, size, operands, batched)
        return made


class Pointwise(Elementwise, Composite, abstract=True):
    """An operation on each element that is a formula of others.

    Operands are converted to the dtype of the result before the formula is computed.
    """

    vjp = Composite.vjp
    jvp = Composite.jvp

    def __init_subclass__(cls, abstract: bool = False, **kwargs: Any) -> None:
        if "composed" in cls.__dict__:
            cls.scalar = staticmethod(partial(_scalar_of, cls))
        super().__init_subclass__(abstract=abstract, **kwargs)

    def expanded(self) -> ArrayExpr:
        kind = self.compute_dtype()
        assert kind is not None
        with as_written():
            operands = [x.to(kind) if _must_convert(x, kind) else x for x in self.operands]
            return self.composed(*operands, *self.param_values)


def times(factor: Any, x: ArrayExpr) -> ArrayExpr:
    """Return `factor * x`; `x` itself where the factor is the number 1."""
    return x if is_const(as_expr(factor), 1) else factor * x


def _must_convert(x: ArrayExpr, kind: dtype) -> bool:
    return x.dtype is not kind and (not x.weak or kind.category < x.dtype.category)


def _scalar_of(cls: type[Pointwise], *operands: Any) -> Any:
    """Return the formula of one element in plain SymPy."""
    leaves = [Leaf(f"x{i}") for i in range(len(operands))]
    made: dict[ArrayExpr, Any] = dict(zip(leaves, operands, strict=True))
    for x in toposort([cls.composed(*leaves)]):
        if isinstance(x, Const):
            made[x] = sympy.sympify(x.value, strict=True)
        elif isinstance(x, Elementwise):
            made[x] = x.element(*[made[y] for y in x.operands])
    return made[x]


class StandIn(OwnLeaf):
    """A leaf that stands for an operand and is equal to no other leaf."""

    __slots__ = ()

    @classmethod
    def of(cls, x: ArrayExpr) -> StandIn:
        made: StandIn = new_atom(cls, x.shape, x.dtype)
        made._name = "_"
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


def is_expanded(node: Any) -> bool:
    """Return whether the formula of a node is differentiated in its place."""
    return type(node).vjp is Composite.vjp


def _is_written_out(node: Any) -> bool:
    """Return whether what computes with other numbers takes the formula of a node."""
    return is_expanded(node) or is_formula(node) or not node.kernel.number_systems


def order_of(
    roots: Iterable[ArrayExpr],
    stop: Callable[[ArrayExpr], bool] | None = None,
    opens: Callable[[ArrayExpr], bool] = is_expanded,
) -> tuple[list[ArrayExpr], dict[ArrayExpr, ArrayExpr]]:
    """Return what `toposort` does, with the formulas of composite nodes in the place of operands.

    Parameters
    ----------
    roots, stop
        As those of `toposort`.
    opens : callable
        Whether the formula of a node takes part; by default unless the class states a `vjp`.

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

    # Leaves are parameters, whether the formula reads them or not.
    unread = [x for x in order if isinstance(x, Leaf)]
    return toposort([*unread, *roots], stop, below), formulas


def written_out(roots: Iterable[ArrayExpr]) -> list[ArrayExpr]:
    """Return expressions with the formulas of composite nodes in the place of these."""
    roots = list(roots)
    order, formulas = order_of(roots, opens=_is_written_out)
    made: dict[ArrayExpr, ArrayExpr] = {}
    for x in order:
        if x in formulas:
            made[x] = made[formulas[x]]
        else:
            operands = tuple([made[y] for y in x.operands])
            made[x] = x if operands == x.operands else x.func(*operands, *x.args[len(operands) :])
    return [made[x] for x in roots]
