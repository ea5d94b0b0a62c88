"""Formulas at many points: 0-d leaves take arrays, each element of which is one point."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from symgrad.differentiate.batch import batch_expressions
from symgrad.expr.atoms import Placeholder
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.lower.executable import Executable
from symgrad.support.quiet import quietly
from symgrad.support.refusals import MAX_AXES, too_many_axes

Values = Sequence[np.ndarray[Any, Any]]


def common_shape(values: Iterable[tuple[ArrayExpr, np.ndarray[Any, Any]]]) -> Shape:
    """Return the shape to which the arrays of 0-d leaves broadcast; `()` where all are numbers.

    Raises
    ------
    ValueError
        If they do not broadcast to one shape.
    """
    given = [(x, array.shape) for x, array in values if array.shape != x.shape]
    if not given:
        return ()
    try:
        return broadcast_shapes(*[shape for _, shape in given])
    except RuntimeError:
        shapes = ", ".join(f"{shape} for {str(x)!r}" for x, shape in given)
        raise ValueError(
            f"0-d leaves take numbers or arrays that broadcast to one shape, got {shapes}"
        ) from None


def at_points(
    formula: ArrayExpr, inputs: Sequence[ArrayExpr]
) -> Callable[[Values, Shape], np.ndarray[Any, Any]]:
    """Return a function that computes a formula at many points, as one program over all of them.

    Parameters
    ----------
    formula : ArrayExpr
        The formula.
    inputs : sequence of ArrayExpr
        Leaves, among them all those of the formula.

    Returns
    -------
    callable
        Takes arrays for the inputs, and the shape to which those for 0-d leaves broadcast. The
        result has this shape, followed by that of the formula.
    """

    @functools.lru_cache(maxsize=16)
    def executable(varying: tuple[int, ...], size: int) -> Executable:
        batched: Mapping[ArrayExpr, ArrayExpr] = {
            inputs[i]: Placeholder(f"p{i}", (size,), inputs[i].dtype) for i in varying
        }
        made = batch_expressions([formula], batched, size)
        return Executable(made, {batched.get(x, x): i for i, x in enumerate(inputs)})

    def run(values: Values, shape: Shape) -> np.ndarray[Any, Any]:
        if len(shape) + formula.ndim > MAX_AXES:
            raise ValueError(too_many_axes(len(shape) + formula.ndim))
        varying = [i for i, x in enumerate(inputs) if values[i].shape != x.shape]
        size = math.prod(shape)
        rows = list(values)
        for i in varying:
            rows[i] = np.broadcast_to(values[i], shape).reshape(size)
        (result,) = quietly(executable(tuple(varying), size).run, rows)
        return np.reshape(result, (*shape, *formula.shape))

    return run
