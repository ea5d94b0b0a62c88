"""Random programs of the pieces that stable forms are recognised by, against finite differences.

Shapes are square and axes of length one are kept or not, so that what is beside what matters; some
operands need no gradient; and the same values are used again, as patterns want them.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import symgrad

#: Operations on a value and another one, whose result may have any shape; `k` is drawn.
PIECES: dict[str, Callable[[Any, Any, int], Any]] = {
    "exp": lambda a, b, k: a.exp(),
    "log": lambda a, b, k: a.log(),
    "log1p": lambda a, b, k: a.log1p(),
    "expm1": lambda a, b, k: a.expm1(),
    "logsumexp": lambda a, b, k: a.logsumexp(k % max(a.ndim, 1), keepdim=k > 3),
    "logsumexp of all": lambda a, b, k: a.logsumexp(tuple(range(a.ndim))),
    "sum": lambda a, b, k: a.sum(k % max(a.ndim, 1), keepdim=k > 3),
    "sum of all": lambda a, b, k: a.sum(),
    "softmax": lambda a, b, k: a.softmax(k % max(a.ndim, 1)),
    "log_softmax": lambda a, b, k: a.log_softmax(k % max(a.ndim, 1)),
    "less": lambda a, b, k: a - b,
    "and": lambda a, b, k: a + b,
    "times": lambda a, b, k: a * b,
    "over": lambda a, b, k: a / b,
    "by itself": lambda a, b, k: a * a,
    "square": lambda a, b, k: a**2,
    "root": lambda a, b, k: a.sqrt(),
    "power": lambda a, b, k: a ** (-1, -0.5, 0.5, 1.5)[k % 4],
    "reciprocal": lambda a, b, k: a.reciprocal(),
    "and one": lambda a, b, k: a + 1,
    "one and": lambda a, b, k: 1 + a,
    "one less": lambda a, b, k: 1 - a,
    "one over": lambda a, b, k: 1 / a,
    "negative": lambda a, b, k: -a,
    "scaled": lambda a, b, k: a * (0.5, -2, 3)[k % 3],
    "sigmoid": lambda a, b, k: a.sigmoid(),
    "tanh": lambda a, b, k: a.tanh(),
    "cosh": lambda a, b, k: a.cosh(),
    "sin": lambda a, b, k: a.sin(),
    "sine over": lambda a, b, k: a.sin() / a,
    "hypot": lambda a, b, k: symgrad.hypot(a, b),
    "over hypot": lambda a, b, k: a / symgrad.hypot(a, b),
    "norm": lambda a, b, k: a.norm(dim=k % max(a.ndim, 1), keepdim=k > 3),
    "norm of all": lambda a, b, k: a.norm(),
    "abs": lambda a, b, k: a.abs(),
    "erfc": lambda a, b, k: a.erfc(),
    "xlogy": lambda a, b, k: symgrad.xlogy(a, b),
    "std": lambda a, b, k: a.std(k % max(a.ndim, 1), keepdim=k > 3),
    "transposed": lambda a, b, k: a.mT,
    "turned": lambda a, b, k: a.reshape(a.shape[::-1]),
    "with an axis": lambda a, b, k: a.unsqueeze(k % (a.ndim + 1)),
    "without axes": lambda a, b, k: a.squeeze(),
    "part": lambda a, b, k: a[k % 3],
    "gathered": lambda a, b, k: a.gather(
        k % max(a.ndim, 1), symgrad.tensor(np.arange(a.numel()).reshape(a.shape) % 3)
    ),
    "maximum": lambda a, b, k: a.amax(k % max(a.ndim, 1), keepdim=True),
}
#: What patterns are made of above all is drawn more often.
OFTEN = 6 * ["logsumexp"] + 3 * ["exp", "log", "sum", "one and", "by itself", "root"]
#: Those of two operands.
PAIRS = ["less", "less", "over", "over", "times", "and", "over hypot", "xlogy"]
SHAPES: list[tuple[int, ...]] = [(3, 3), (3, 3), (3, 3), (3,), (), (2, 3, 3)]


class Step(NamedTuple):
    """An operation, its operands as positions among the values, and a number."""

    name: str
    first: int
    second: int
    number: int


class Program(NamedTuple):
    """What leaves hold, which of them need a gradient, and what is computed of them."""

    leaves: tuple[np.ndarray[Any, Any], ...]
    needs: tuple[bool, ...]
    steps: list[Step]

    def loss(self, leaves: Any) -> Any:
        values = list(leaves)
        for name, i, j, k in self.steps:
            values.append(PIECES[name](values[i], values[j], k))
        found = [v for v in values[-3:] if v.requires_grad]
        return sum((v * weights(v.shape)).sum() for v in found) if found else None


def weights(shape: Any) -> Any:
    count = int(np.prod(shape))
    return symgrad.tensor(np.cos(1.7 * np.arange(count)).reshape(shape) + 0.3)


def program(seed: int) -> Program:
    """Draw a program in which no value is far from one."""
    draw = np.random.default_rng(seed)
    shapes = [SHAPES[draw.integers(len(SHAPES))] for _ in range(3)]
    given = Program(
        tuple(draw.uniform(0.3, 1.9, s) * draw.choice([1, 1, 1, -1], s) for s in shapes),
        (True, bool(draw.random() < 0.7), bool(draw.random() < 0.5)),
        [],
    )
    values = [symgrad.tensor(x) for x in given.leaves]
    names = [*PIECES, *OFTEN]
    while len(given.steps) < 7:
        i, j = [len(values) - 1 - min(int(draw.exponential(1.6)), len(values) - 1) for _ in "ab"]
        if draw.random() < 0.6 and j >= 3:  # beside what the other was computed from
            i = given.steps[j - 3].first
            i = given.steps[i - 3].first if draw.random() < 0.3 and i >= 3 else i
            i, j = (i, j) if draw.random() < 0.6 else (j, i)
        name = str(draw.choice(names if draw.random() < 0.7 else PAIRS))
        step = Step(name, i, j, int(draw.integers(6)))
        try:
            made = PIECES[step.name](values[step.first], values[step.second], step.number)
        except (RuntimeError, IndexError):  # of such shapes there is none
            continue
        size = made.abs()
        if made.numel() <= 200 and bool(((size < 40) & (size > 0.02)).all()):
            values.append(made)
            given.steps.append(step)
    return given


def derivatives(given: Program, at: Any, along: Any, order: int) -> float:
    """Return the derivative of the loss, or the second one, along a direction."""
    leaves = [
        symgrad.tensor(x, requires_grad=need) for x, need in zip(at, given.needs, strict=True)
    ]
    y = given.loss(leaves)
    wanted = [x for x in leaves if x.requires_grad]
    moves = [symgrad.tensor(v) for v, need in zip(along, given.needs, strict=True) if need]
    for _ in range(order):
        if y is None or not y.requires_grad:
            return 0.0
        found = symgrad.autograd.grad(y, wanted, create_graph=True, allow_unused=True)
        y = sum((g * v).sum() for g, v in zip(found, moves, strict=True) if g is not None)
    return float(y) if y is not None else 0.0


def wrong_with(seed: int) -> str:
    given = program(seed)
    draw = np.random.default_rng(seed)
    along = [draw.uniform(-1, 1, x.shape) for x in given.leaves]

    def at(t: float) -> list[Any]:
        moved = zip(given.leaves, along, given.needs, strict=True)
        return [x + t * v if need else x for x, v, need in moved]

    for order in (1, 2):
        got = derivatives(given, at(0.0), along, order)
        slopes = []
        for h in (1e-3, 5e-4, 2.5e-4):
            below, above = [derivatives(given, at(t), along, order - 1) for t in (-h, h)]
            slopes.append((above - below) / (2 * h))
        # Richardson's extrapolation, and by how much it may be off.
        coarse, fine = [(4 * b - a) / 3 for a, b in itertools.pairwise(slopes)]
        if not np.isfinite([got, fine]).all() or abs(coarse - fine) > 1e-6 * (1 + abs(fine)):
            continue  # a kink or a pole is near
        if abs(got - fine) > 1e-5 * (1 + abs(fine)):
            steps = "\n".join(map(str, given.steps))
            return f"seed {seed}, order {order}: {got} for {fine}; {given.needs}\n{steps}"
    return ""


@pytest.mark.parametrize("start", range(0, 300, 50))
def test_programs_of_patterns_have_the_slopes_that_they_show(start: int) -> None:
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        wrong = [wrong_with(seed) for seed in range(start, start + 50)]
    assert not any(wrong), "\n".join(filter(None, wrong))


@pytest.mark.slow
def test_many_programs_of_patterns_have_the_slopes_that_they_show() -> None:
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"):
        wrong = [wrong_with(seed) for seed in range(10_000, 11_000)]
    assert not any(wrong), "\n".join(filter(None, wrong))
