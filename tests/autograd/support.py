"""What the tests of the tape share: leaves, the plan that ran last, nodes that are alive."""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import symgrad
from numeric.interpret import interpret
from numeric.program import Program
from symgrad.autograd import cache_clear
from symgrad.backward import plan
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.record.tape import Node
from tests import each as one_test

#: Each sample starts with an empty plan cache, as each test does.
each = functools.partial(one_test.each, before=cache_clear)


def tensor(value: Any, **how: Any) -> Any:
    """Return a float64 leaf that requires a gradient."""
    return symgrad.tensor(np.array(value, dtype=np.float64), requires_grad=True, **how)


def data(t: Any) -> np.ndarray[Any, Any]:
    """Return the array itself, not a copy."""
    array = t._data
    assert isinstance(array, np.ndarray)
    return array


def latest_plan() -> plan.Plan:
    """Return the plan that was used last."""
    return next(reversed(plan._plans.values()))


def kernels(program: Program) -> list[str]:
    """Return the names of the kernels that a program calls, in order."""
    return [instr.kernel.name for instr in program.instrs]


def repeated(program: Program) -> list[str]:
    """Return what a program computes a second time."""
    seen: set[Any] = set()
    found = []
    for instr in program.instrs:
        key = (instr.kernel.name, instr.operands, tuple(sorted(map(repr, instr.params.items()))))
        if key in seen:
            found.append(instr.kernel.name)
        seen.add(key)
    return found


def evaluate(formulas: Sequence[ArrayExpr], values: dict[ArrayExpr, Any]) -> list[Any]:
    """Return the values of formulas by the plain interpreter."""
    program = lower(formulas, {x: x.name for x in leaves(*formulas)}, name="formulas")  # type: ignore[attr-defined]
    by_name = {x.name: v for x, v in values.items()}  # type: ignore[attr-defined]
    with np.errstate(all="ignore"):
        return list(interpret(program, [by_name[name] for _, name in program.inputs]))


def living_nodes() -> int:
    """Return how many tape nodes exist, without collecting any."""
    return sum(issubclass(type(x), Node) for x in gc.get_objects())


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Show that reference counts alone free what is done with."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
