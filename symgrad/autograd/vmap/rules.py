"""Operations on batched tensors: the formula of the operation over one more axis.

The formula (`symgrad.differentiate.batch`) is replayed on the tensors of all entries. The operations
of the replay are recorded like all others, so that gradients reach the arguments of the mapped
function.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from symgrad.autograd.vmap.levels import BatchLevel
from symgrad.autograd.vmap.value import BatchedValue, batched_tensor
from symgrad.differentiate.batch import batch_expressions
from symgrad.expr.atoms import ArrayConst, Const, Placeholder
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.ops.identity import forward_value
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several
from symgrad.record.aval import aval_of
from symgrad.record.operands import RuleCache, operand_leaf, spec_of
from symgrad.record.record import Recorded, read_operand, record


def apply(
    level: BatchLevel, cls: type[Primitive], operands: Sequence[Any], params: tuple[Any, ...]
) -> Any:
    """Apply a primitive at a level at which one of its operands is batched."""
    specs, varies, values = [], [], []
    for i, x in enumerate(operands):
        is_batched = False
        if isinstance(x, Recorded):
            specs.append(x._aval)
            data: Any = x._data
            if data.__class__ is BatchedValue and data.level is level:
                is_batched = True
                x = data.front if data.dim else data.tensor
        else:
            x = read_operand(cls, i, x, operands, params)
            specs.append(spec_of(x))
            if x.__class__ is Const:  # a part of the formula, or an operand of the only operation
                x = x.number
        varies.append(is_batched)
        values.append(x)
    rule = _rules.find(cls, tuple(specs), params, tuple(varies), level.size)
    direct = rule.direct
    if direct is not None:
        whole = record(direct.cls, [values[i] for i in direct.places], direct.params)
        return batched_tensor(BatchedValue(level, whole, 0), rule.entries[0])
    found = rule.executable.replay(values.__getitem__, rule.is_view)
    made = tuple(
        [
            batched_tensor(BatchedValue(level, out, 0), entry)
            for out, entry in zip(found, rule.entries, strict=True)
        ]
    )
    return made if issubclass(cls, Several) else made[0]


class _Direct(NamedTuple):
    """One operation on operands of another, by their places."""

    cls: type[Primitive]
    places: tuple[int, ...]
    params: tuple[Any, ...]


class _Rule:
    """One operation over one more axis.

    Attributes
    ----------
    direct : _Direct or None
        The formula of the result, where it is one operation on the given operands alone: it is
        applied in a third of the time of a replay.
    executable : Executable
        The formulas of the results over one more axis.
    is_view : bool
        Whether results are views, as those of the operation.
    entries : list of Aval
        Shape and dtype of one entry of each result.
    """

    __slots__ = ("direct", "entries", "executable", "is_view")

    def __init__(
        self,
        cls: type[Primitive],
        specs: Sequence[Any],
        params: tuple[Any, ...],
        varies: Sequence[bool],
        size: int,
    ) -> None:
        operands: list[ArrayExpr] = [operand_leaf(i, spec) for i, spec in enumerate(specs)]
        batches: dict[ArrayExpr, ArrayExpr] = {
            x: Placeholder(f"b{i}", (size, *x.shape), x.dtype)
            for i, (x, is_batched) in enumerate(zip(operands, varies, strict=True))
            if is_batched
        }
        node = cls(*operands, *params)
        results: list[ArrayExpr] = list(node) if isinstance(node, Several) else [node]
        self.entries = [aval_of(x.shape, x.dtype) for x in results]
        formulas = batch_expressions(results, batches, size)
        given = {batches.get(x, x): i for i, x in enumerate(operands) if not isinstance(x, Const)}
        self.executable = Executable(formulas, given)
        self.is_view = cls.is_view
        alone = results == [node]
        self.direct = _as_direct(formulas, operands, batches, cls.is_view) if alone else None


def _as_direct(
    formulas: Sequence[ArrayExpr | None],
    operands: Sequence[ArrayExpr],
    batches: Mapping[ArrayExpr, ArrayExpr],
    is_view: bool,
) -> _Direct | None:
    """Return the only formula as one operation on operands; None for another.

    It may be a view where the operation is one.
    """
    (formula,) = formulas
    if not isinstance(formula, Primitive) or formula.weak or (formula.is_view and not is_view):
        return None
    place = {batches.get(x, x): i for i, x in enumerate(operands)}
    if isinstance(formula, forward_value) or not place.keys() >= {*formula.operands}:
        return None
    if any(isinstance(x, ArrayConst) for x in formula.operands):
        return None
    places = tuple([place[x] for x in formula.operands])
    return _Direct(type(formula), places, formula.param_values)


# Approximate bytes: each step of the program holds a function and a part of the formula.
_rules = RuleCache(_Rule, lambda rule: 3_000 + 1_500 * len(rule.executable.program))
