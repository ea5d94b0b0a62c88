"""Distances of all pairs of vectors, as formulas of the norms of their differences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from symgrad.ops.composite import Composite
from symgrad.ops.norms import norm
from symgrad.ops.samples import GRID, TABLE


class _Distances(Composite, abstract=True):
    """The p-norms of differences; the last operand is the order, as in `norm`."""

    @classmethod
    def is_structural(cls, i: int, number: Any, operands: Any, params: Any) -> bool:
        return math.isinf(number)


class cdist(_Distances):
    """The distance of each row of one matrix from each row of another."""

    @classmethod
    def composed(cls, x: Any, y: Any, p: Any) -> Any:
        return norm.of(x.unsqueeze(-2) - y.unsqueeze(-3), p, (max(x.ndim, y.ndim),), False)

    samples = [
        *[(TABLE, GRID, p) for p in (2, 1, 3.5, math.inf, 0)],
        (TABLE, np.stack([GRID, TABLE]), 2),
    ]


class pdist(_Distances):
    """The distance of each row of a matrix from each row after it."""

    @classmethod
    def composed(cls, x: Any, p: Any) -> Any:
        first, second = np.triu_indices(x.shape[0], 1)
        return norm.of(x[first] - x[second], p, (1,), False)

    samples = [(np.concatenate([TABLE, GRID]), p) for p in (2, 1, 3.5, math.inf, 0)]
