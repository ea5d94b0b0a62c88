"""Formulas as operations on tensors, which are recorded as any others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from symgrad.expr.atoms import ArrayConst, Const
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import replaying
from symgrad.ops.broadcasting import is_zeros
from symgrad.ops.identity import forward_value
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Result
from symgrad.record.python_numbers import number_kind
from symgrad.record.record import no_value, record, wrap
from symgrad.record.tape import Number
from symgrad.support.quiet import quietly

#: Computes one part of a formula from what gives the given values, and the parts before it; most
#: are an operation, with the places of its operands and its parameters, which is less to keep.
Step = (
    Callable[[Callable[[int], Any], Sequence[Any]], Any]
    | tuple[type[Primitive], tuple[int, ...], tuple[Any, ...]]
)


@replaying.state
class Replay:
    """Formulas as operations on tensors, made ready to be computed many times.

    Parameters
    ----------
    formulas : sequence of (ArrayExpr, bool)
        What is computed, and whether in memory that nobody else holds.
    given : mapping
        Which nodes are given, and the number of each.
    """

    __slots__ = ("_results", "_steps")

    def __init__(
        self, formulas: Sequence[tuple[ArrayExpr, bool]], given: Mapping[ArrayExpr, int]
    ) -> None:
        order = toposort([g for g, _ in formulas], given.__contains__)
        place = {x: i for i, x in enumerate(order)}
        self._steps = [_step(x, given, place) for x in order]
        self._results = [(place[g], alone) for g, alone in formulas]

    def __len__(self) -> int:
        return len(self._steps)

    def run(self, take: Callable[[int], Any]) -> list[Any]:
        """Return the values of the formulas; `take` returns the value of a number."""
        values: list[Any] = []
        for step in self._steps:
            if isinstance(step, tuple):
                cls, where, params = step
                values.append(record(cls, [values[i] for i in where], params))
            else:
                values.append(step(take, values))
        return [values[i].clone() if alone else values[i] for i, alone in self._results]


def _step(x: ArrayExpr, given: Mapping[ArrayExpr, int], place: Mapping[ArrayExpr, int]) -> Step:
    if x in given:
        number = given[x]
        return lambda take, values: take(number)
    if isinstance(x, Result):
        whole = place[x.operands[0]]
        return lambda take, values: values[whole][x.index]
    if is_zeros(x) and not x.weak:
        return lambda take, values: no_value(x.shape, x.dtype)
    if isinstance(x, Const):
        return lambda take, values: x.number if x.weak else wrap(x.dtype.numpy.type(x.number))
    if isinstance(x, ArrayConst):
        return lambda take, values: wrap(x.value)
    assert isinstance(x, Primitive)
    where = tuple([place[y] for y in x.operands])
    if isinstance(x, forward_value):
        return lambda take, values: values[where[0]]
    if x.weak:
        return lambda take, values: _number(x, [values[i] for i in where])
    cls, params = type(x), x.param_values
    if all(y.weak for y in x.operands):
        kind = x.operands[0].dtype.numpy

        def of_numbers(take: Callable[[int], Any], values: Sequence[Any]) -> Any:
            first, *others = [values[i] for i in where]
            return record(cls, (wrap(np.asarray(_plain(first), dtype=kind)), *others), params)

        return of_numbers
    return cls, where, params


def _number(x: Any, operands: list[Any]) -> Number:
    """Compute with Python numbers alone: the result varies as they do."""
    kernel, params, taken = x.implementation()
    given = {y: _plain(value) for y, value in zip(x.operands, operands, strict=True)}
    made = quietly(lambda: np.asarray(kernel.call(*[given[y] for y in taken], **params)).item())
    return Number(number_kind(type(made)), made)


def _plain(value: Any) -> Any:
    return value.saved[0] if value.__class__ is Number else value
