"""Random programs for Hypothesis: sharing, broadcasting, views, 0-d and empty arrays.

A program is plain data, a list of steps, so that it can be run on tensors, printed and shrunk. All
of its functions are smooth where they are used, so that finite differences hold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import hypothesis.strategies as st
import numpy as np

import symgrad

SHAPES: list[tuple[int, ...]] = [(), (1,), (3,), (2, 3), (2, 1), (1, 3), (0,), (2, 0), (4, 1, 3)]


class Step(NamedTuple):
    """One operation: its name, two earlier values, a number."""

    name: str
    first: int
    second: int
    number: float


def _fitting(a: Any, b: Any) -> Any:
    """`b`, or its sum where it does not broadcast with `a`."""
    try:
        np.broadcast_shapes(tuple(a.shape), tuple(b.shape))
    except ValueError:
        return b.sum()
    return b


def _flipped(a: Any) -> Any:
    return a.permute(*reversed(range(a.ndim))) if a.ndim else a


OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda a, b, c: a + _fitting(a, b),
    "sub": lambda a, b, c: _fitting(a, b) - a,
    "mul": lambda a, b, c: a.tanh() * _fitting(a, b),
    "div": lambda a, b, c: a / (1.5 + _fitting(a, b).sin()),
    "scale": lambda a, b, c: c * a,
    "shift": lambda a, b, c: a - c,
    "twice": lambda a, b, c: 2 * a,
    "over": lambda a, b, c: c / (2.0 + a.cos()),
    "neg": lambda a, b, c: -a,
    "sin": lambda a, b, c: a.sin(),
    "exp": lambda a, b, c: a.tanh().exp(),
    "log": lambda a, b, c: (a.sin() + 2.0).log(),
    "sqrt": lambda a, b, c: (a.cos() + 1.5).sqrt(),
    "cube": lambda a, b, c: a.sin() ** 3,
    "power": lambda a, b, c: (a.sin() + 1.5) ** 2.5,
    "where": lambda a, b, mask: symgrad.where(mask, a.sin(), a),
    "sum": lambda a, b, c: a.sum(),
    "sum0": lambda a, b, c: a.sum(0) if a.ndim else a.sum(),
    "keep": lambda a, b, c: a.sum(-1, keepdim=True) if a.ndim else a,
    "mean": lambda a, b, c: a.mean() if a.numel() else a.sum(),
    "ravel": lambda a, b, c: a.reshape(-1) if a.numel() else a,
    "flip": lambda a, b, c: _flipped(a),
    "widen": lambda a, b, c: a.broadcast_to((2, *a.shape)) if a.ndim < 4 else a,
    "axis": lambda a, b, c: a.unsqueeze(0) if a.ndim < 4 else a,
}


class RandomProgram(NamedTuple):
    """Steps on leaves of given shapes, whose values follow from a seed."""

    shapes: tuple[tuple[int, ...], ...]
    steps: tuple[Step, ...]
    seed: int

    def arrays(self) -> list[np.ndarray[Any, Any]]:
        """Return the values of the leaves."""
        rng = np.random.default_rng(self.seed)
        return [np.asarray(rng.uniform(-1.5, 1.5, shape)) for shape in self.shapes]

    def run(self, leaves: Sequence[Any], masks: list[Any] | None = None) -> Any:
        """Return a scalar that depends on every step.

        Masks have no derivative and thus no history, so they are leaves of the formula: they are
        appended to `masks`.
        """
        made = list(leaves)
        for name, i, j, number in self.steps:
            a, b = made[i % len(made)], made[j % len(made)]
            third: Any = number
            if name == "where":
                third = a.detach() > 0
                if masks is not None:
                    masks.append(third)
            made.append(OPERATIONS[name](a, b, third))
        total = made[-1].sum()
        for i, x in enumerate(made[len(leaves) : -1]):
            total = total + (0.5 + 0.25 * (i % 3)) * x.sum()
        return total

    def value(self, arrays: Sequence[Any]) -> float:
        """Return the scalar for other values of the leaves."""
        return float(self.run([symgrad.from_numpy(np.array(a)) for a in arrays]).item())


_steps = st.builds(
    Step,
    st.sampled_from(sorted(OPERATIONS)),
    st.integers(0, 30),
    st.integers(0, 30),
    st.sampled_from([0.25, -1.5, 3.0, 0.1]),
)

random_programs = st.builds(
    RandomProgram,
    st.lists(st.sampled_from(SHAPES), min_size=1, max_size=3).map(tuple),
    st.lists(_steps, min_size=1, max_size=14).map(tuple),
    st.integers(0, 1000),
)
