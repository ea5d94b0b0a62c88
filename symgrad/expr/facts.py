"""What is known of the values of a leaf: facts that formulas use, and that its values must have."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from symgrad.expr.shapes import Shape
from symgrad.support.quiet import quietly


class Facts(NamedTuple):
    """The facts of a leaf.

    Attributes
    ----------
    symmetric : bool
        Whether each matrix, along the last two axes, is its transpose.
    sums_to : number, optional
        What the elements along the last axis add up to.
    """

    symmetric: bool = False
    sums_to: float | None = None

    def __str__(self) -> str:
        words = ["symmetric"] * self.symmetric
        if self.sums_to is not None:
            words.append(f"sums_to={self.sums_to}")
        return ", ".join(words)

    def check(self, name: str, array: np.ndarray[Any, Any], eps: float) -> None:
        """Raise ValueError where a value of the leaf `name` has not the facts.

        A symmetric matrix is so exactly. A sum may be off by the rounding of its terms, each of
        which has the relative precision `eps`.
        """
        quietly(self._check, name, array, eps)

    def _check(self, name: str, array: np.ndarray[Any, Any], eps: float) -> None:
        if self.symmetric:
            other = array.swapaxes(-1, -2)
            if not np.array_equal(array, other, equal_nan=array.dtype.kind in "fc"):
                off = np.abs(np.where(array == other, 0, array - other))
                place = tuple(map(int, np.unravel_index(np.argmax(off), off.shape)))
                raise ValueError(
                    f"{name!r} is symmetric, but its value is not: the elements at {place} and "
                    f"{(*place[:-2], place[-1], place[-2])} differ by {off[place]:.3g}"
                )
        if self.sums_to is not None:
            total = array.sum(-1)
            size = np.maximum(np.abs(array).sum(-1), abs(self.sums_to))
            excess = np.abs(total - self.sums_to) - array.shape[-1] * eps * size
            wrong = ~(excess <= 0)
            if wrong.any():
                at = tuple(map(int, np.argwhere(wrong)[0])) if wrong.ndim else ()
                row = f" of row {at[0] if len(at) == 1 else at}" if at else ""
                raise ValueError(
                    f"{name!r} sums to {self.sums_to} along the last axis, but the sum{row} of its "
                    f"value is {total[at]:.17g}, off by {abs(total[at] - self.sums_to):.3g}"
                )


def facts_of(name: Any, shape: Shape, symmetric: Any, sums_to: Any) -> Facts | None:
    """Return the facts that a user gives for a leaf; None where there are none.

    Raises
    ------
    ValueError
        If the shape cannot have them.
    TypeError
        If `symmetric` is no bool, or `sums_to` no real number.
    """
    if not isinstance(symmetric, (bool, np.bool_)):
        raise TypeError(f"leaf(): symmetric is True or False, not {symmetric!r}")
    if symmetric and (len(shape) < 2 or shape[-1] != shape[-2]):
        raise ValueError(
            f"leaf(): {name!r} of shape {shape} cannot be symmetric: the last two axes of a "
            "symmetric leaf have one size"
        )
    if sums_to is not None:
        if isinstance(sums_to, (bool, np.bool_)) or not isinstance(
            sums_to, (int, float, np.integer, np.floating)
        ):
            raise TypeError(f"leaf(): sums_to is a real number, not {sums_to!r}")
        sums_to = sums_to if isinstance(sums_to, int) else float(sums_to)
        if not math.isfinite(sums_to):
            raise ValueError(f"leaf(): sums_to is a finite number, not {sums_to}")
        if not shape:
            raise ValueError(f"leaf(): {name!r} is a number, and has no axis along which to sum")
    return Facts(bool(symmetric), sums_to) if symmetric or sums_to is not None else None
