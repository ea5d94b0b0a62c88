r"""Derivatives of each order as formulas of one shape: along directions that are leaves.

The derivative of order k of a function S by an input x is the gradient, by x, of the derivative of
order k - 1 along a direction: $G_k = \nabla_x \sum_j \langle G_{k-1}^{(j)}, v_{k-1}^{(j)} \rangle$.
As the directions are free, this is all of the derivative, and no array is larger than an input.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from symgrad.differentiate.derive import derive
from symgrad.expr.atoms import Leaf
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import size_of
from symgrad.tensor.tensor import Tensor

#: Returns what a result is weighted by, or an input moves along: a name, and what has its shape.
Direction = Callable[[str, ArrayExpr], Any]


class Leaves:
    """Weights and directions that are leaves, under names that are not taken."""

    def __init__(self, inputs: Iterable[Leaf]) -> None:
        self.made: list[Leaf] = []
        self._taken = {x.name for x in inputs}

    def __call__(self, name: str, like: ArrayExpr) -> Leaf:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        self.made.append(Leaf(name, like.shape, like.dtype))
        return self.made[-1]


def fixed_direction(name: str, like: ArrayExpr | Tensor) -> np.ndarray[Any, Any]:
    """Return a weight or a direction of simple numbers, of which no two beside each other agree."""
    count = 1 + np.arange(size_of(like.shape)) + 3 * sum(map(ord, name))
    numbers = (count * 5 % 7 + 3) / 8 * np.where(count % 3, 1, -1)
    made: np.ndarray[Any, Any] = numbers.reshape(like.shape).astype(like.dtype.numpy)
    return made


def names_of_directions(inputs: Sequence[Leaf], order: int, count: int) -> list[str]:
    """Return the names of the directions of an order by each input, of so many orders in all."""
    number = order if count > 2 else ""
    return [f"v{number}_{x.name}" for x in inputs]


def unweighted(name: str, like: ArrayExpr) -> None:
    """Return no weight: results are added up."""


def scalar_of(results: Sequence[ArrayExpr], direction: Direction) -> ArrayExpr:
    """Return the weighted sum of all results; one number stands for itself."""
    floats = [y for y in results if y.dtype.differentiable]
    parts = [z for y in floats for z in ((y.real, y.imag) if y.dtype.is_complex else (y,))]
    if len(parts) == 1 and not parts[0].shape:
        return parts[0]
    names = ["g"] if len(parts) == 1 else [f"g{i}" for i in range(len(parts))]
    weighted = [(y, direction(k, y)) for k, y in zip(names, parts, strict=True)]
    return _total([y.sum() if w is None else (y * w).sum() for y, w in weighted])


def gradients_by_order(
    scalar: ArrayExpr,
    inputs: Sequence[Leaf],
    count: int,
    direction: Direction,
    given: Sequence[ArrayExpr] | None = None,
) -> Iterator[list[ArrayExpr]]:
    """Yield the derivatives of a number of the orders 1 to `count`: a gradient by each input.

    The first may be `given`. By one number alone there are no directions.
    """
    for k in range(1, count + 1):
        gradients = list(given) if given and k == 1 else derive(scalar, list(inputs))
        yield gradients
        if len(inputs) == 1 and not inputs[0].shape:
            scalar = gradients[0]
            continue
        moved = zip(gradients, names_of_directions(inputs, k, count), inputs, strict=True)
        scalar = _total([(g * direction(name, x)).sum() for g, name, x in moved])


def _total(terms: Sequence[ArrayExpr]) -> ArrayExpr:
    return sum(terms[1:], terms[0])
