"""The operands of recorded operations as leaves of formulas: tensors, varying numbers, constants.

The tangent of an operation, and its value over one more axis, are computed by formulas over these
leaves. Such a formula depends on the specs of the operands (`spec_of`), and is made once for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from symgrad.expr.atoms import Const, Placeholder
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import Primitive
from symgrad.record.record import Recorded
from symgrad.record.signature import NumberKind, number_leaf
from symgrad.record.signatures import param_kinds
from symgrad.record.tape import Number
from symgrad.support.remembered import Remembered


def spec_of(x: Any) -> Any:
    """Return the part of an operand on which formulas depend: shape and dtype, or a constant."""
    return x._aval if isinstance(x, Recorded) else x.sig if isinstance(x, Number) else x


def operand_leaf(i: int, spec: Any) -> ArrayExpr:
    """Return the leaf of a formula that stands for operand `i`; a constant for itself."""
    if isinstance(spec, Const):
        return spec
    if isinstance(spec, NumberKind):
        return number_leaf(i, spec)
    return Placeholder(f"x{i}", spec.shape, spec.dtype)


R = TypeVar("R")


class RuleCache(Generic[R]):
    """A cache of compiled rules of one kind, such as tangents, by primitive and operands.

    Parameters
    ----------
    make : callable
        Makes the rule of a primitive, from the specs of its operands, its parameters, and the
        further arguments of `find`.
    weigh : callable
        Returns the approximate number of bytes that a rule holds.
    """

    def __init__(self, make: Callable[..., R], weigh: Callable[[R], int]) -> None:
        self._make = make
        self.rules: Remembered[R] = Remembered(32 * 2**20, weigh)
        self._table = self.rules.table()

    def find(
        self, cls: type[Primitive], specs: Sequence[Any], params: tuple[Any, ...], *rest: Any
    ) -> R:
        """Return the rule of an operation, newly made where there is none."""
        key = (cls, specs, params, param_kinds(params), *rest)
        found = self._table.get(key) or self.rules.recall(key)
        return found or self.rules.keep(key, self._make(cls, specs, params, *rest))
