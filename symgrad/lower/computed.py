"""One formula as a function of arrays: what the record calls where an operation is a formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from numeric.compile import compile_program
from numeric.interpret import interpret
from symgrad.expr.node import ArrayExpr, Const
from symgrad.lower.program import lower

__all__ = ["computed"]

# From which call on a program is compiled: that costs as much as interpreting it twenty times.
_COMPILED_FROM = 5


def computed(formula: ArrayExpr, operands: Sequence[ArrayExpr]) -> Callable[..., Any]:
    """Return a function of the values of `operands` that computes a formula of these.

    The result has memory of its own.
    """
    names = {x: f"x{i}" for i, x in enumerate(operands) if not isinstance(x, Const)}
    program = lower([formula], names)
    taken = [int(name[1:]) for _, name in program.inputs]
    copies = program.outputs[0] not in program.owned()
    takes_all = taken == list(range(len(operands)))
    run: Any = None
    runs = 0

    def call(*data: Any) -> Any:
        nonlocal run, runs
        inputs = data if takes_all else [data[i] for i in taken]
        if run is None:
            runs += 1
            if runs < _COMPILED_FROM:
                (result,) = interpret(program, inputs)
                return np.array(result) if copies else result
            run = compile_program(program)
        (result,) = run(inputs)
        return np.array(result) if copies else result

    return call
