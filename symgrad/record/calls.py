"""What computes an operation from the data of its operands: a kernel, or the program of a formula.

When it is called, and what of it is kept, is in `signature`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr
from symgrad.lower.executable import Executable
from symgrad.lower.program import must_convert
from symgrad.ops.casting import converted
from symgrad.ops.composite import Composite, is_formula
from symgrad.ops.primitive import Computation, Primitive
from symgrad.ops.results import Several
from symgrad.record.face import Face
from symgrad.support.memory import laid_out


def make_call(node: Primitive, computation: Computation | None = None) -> Callable[..., Any]:
    """Return the function from the operands' data to the value of the node.

    It converts operands to the dtype in which the node is computed.
    """
    if is_formula(node):
        return _formula_call(node, ())
    kernel, params, operands = computation or node.implementation()
    target = node.compute_dtype()
    call = partial(kernel.call, **params) if params else kernel.call
    position = {x: i for i, x in enumerate(node.operands)}
    where = [position[x] for x in operands]
    convert = [
        target.numpy if target is not None and must_convert(node, x, target) else None
        for x in operands
    ]
    if where == list(range(len(node.operands))) and not any(convert):
        return call

    def call_converted(*data: Any) -> Any:
        return call(
            *[
                data[i] if to is None else converted(data[i], to)
                for i, to in zip(where, convert, strict=True)
            ]
        )

    return call_converted


def _formula_call(node: Composite, inner: Sequence[ArrayExpr]) -> Callable[..., Any]:
    """Return what computes a formula from its operands' data, in a tuple with `inner` if any."""
    given = {x: i for i, x in enumerate(node.operands) if not isinstance(x, Const)}
    executable = Executable([node.expanded(), *inner], given)

    def compute(*data: Any) -> Any:
        found = executable.run(data)
        places = [0 if x is None else x[0] for x in executable.outputs]
        result = found[places[0]]
        if executable.outputs[0] is not None and executable.outputs[0][1]:
            result = np.array(result)
        return (result, *[np.asarray(found[i]) for i in places[1:]]) if inner else result

    return compute


def with_intermediates(
    node: Any, inner: Sequence[ArrayExpr], face: Face
) -> Callable[..., tuple[Any, ...]]:
    """Return what computes the result of a formula, laid out as the node says, and `inner`."""
    call = _formula_call(node, inner)
    layout = face.layout or node.result_layout()
    place = laid_out(layout, lambda first, out: out, node.shape)

    def compute(*data: Any) -> tuple[Any, ...]:
        result, *rest = call(*data)
        return (place(data[0], np.asarray(result)), *rest)

    return compute


def each_laid_out(node: Several, call: Callable[..., Any]) -> Callable[..., Any]:
    """Return `call` with each of its results laid out as the node says."""
    count = len(node)

    def second(first: Any, out: Any) -> Any:
        return out

    layouts = ("kernel",) * count if node.is_view else node.layouts()
    ways = [laid_out(x, second, shape) for x, shape in zip(layouts, node.shapes, strict=True)]

    if all(way is second for way in ways):
        return lambda *data: tuple([np.asarray(x) for x in call(*data)])

    def compute(*data: Any) -> tuple[Any, ...]:
        found = [np.asarray(x) for x in call(*data)]
        return tuple([way(data[0], x) for way, x in zip(ways, found, strict=True)])

    return compute
