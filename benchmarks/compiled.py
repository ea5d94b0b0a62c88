"""Compiled functions of arrays beside JAX, and beside derivatives by hand in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.harness import Case, Contender, Figure, race
from benchmarks.peers import functional

__all__ = ["CASES"]


def _five_tanh(m: Any, x: Any) -> Any:
    for _ in range(5):
        x = m.tanh(x)
    return m.sum(x)


def _cross_entropy(m: Any, x: Any, t: Any) -> Any:
    return m.sum(m.log(m.sum(m.exp(x), 1))) - m.sum(x * t)


def _n_body(m: Any, x: Any) -> Any:
    apart = x[:, None] - x[None]
    return m.sum(1 / m.sqrt(m.sum(apart * apart, 2) + 0.01))


def _rosenbrock(m: Any, x: Any) -> Any:
    return m.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


_TEN_MILLION = (10**7,)
#: Functions of long arrays, with the shapes of these and the ratio to JAX that is wanted.
_LONG: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]], float]] = {
    "five nested tanh, 10^7": (_five_tanh, [_TEN_MILLION], 0.4),
    "sum(tanh(xy)*exp(-x) + log(x+y)*sqrt(y)), 10^7": (
        lambda m, x, y: m.sum(m.tanh(x * y) * m.exp(-x) + m.log(x + y) * m.sqrt(y)),
        [_TEN_MILLION] * 2, 0.4,
    ),
    "rational, 10^7": (
        lambda m, x: m.sum(x / (1 + x * x) + x * x / (2 + x)), [_TEN_MILLION], 0.4,
    ),
    "sines and cosines, 10^7": (
        lambda m, x: m.sum(m.sin(x) * m.cos(x * x) + m.sin(3 * x)), [_TEN_MILLION], 0.5,
    ),
    "softmax cross-entropy, 4096 by 1000": (_cross_entropy, [(4096, 1000)] * 2, 1.2),
    "n-body, 500": (_n_body, [(500, 3)], 0.9),
    "Rosenbrock, 10": (_rosenbrock, [(10,)], 1.5),
    "Rosenbrock, 10^5": (_rosenbrock, [(10**5,)], 1.5),
}  # fmt: skip


def compiled(rounds: int) -> Sequence[Figure]:
    """Time value and gradient of functions of arrays, compiled."""
    from symgrad import func  # noqa: PLC0415 - after the thread counts are set

    figures = []
    rng = np.random.default_rng(0)
    for name, (f, shapes, target) in _LONG.items():
        arrays, count = [rng.random(shape) + 0.1 for shape in shapes], len(shapes)
        step = func.compile(
            func.value_and_grad(lambda *xs, f=f: f(np, *xs), argnums=tuple(range(count)))
        )
        contenders = {"symgrad": Contender(lambda step=step, xs=arrays: step(*xs))}
        for peer, gradient in functional().items():
            other = gradient(f, count)
            contenders[peer] = Contender(lambda other=other, xs=arrays: other(*xs))
        what = f"{name}: value and gradient"
        few = max(3, rounds // 3)
        figures.append(
            race("compiled", what, contenders, few, unit="ms", target=target, against="jax (jit)")
        )
    return figures


def sparse(rounds: int) -> Sequence[Figure]:
    """Time the sparse Jacobian of bundle adjustment beside the one by hand."""
    from benchmarks.adjustment import CAMERAS, POINTS, Adjustment  # noqa: PLC0415 - needs SciPy
    from symgrad import func  # noqa: PLC0415 - after the thread counts are set

    problem = Adjustment()
    cameras, points = problem.cameras, problem.points
    start = np.concatenate([cameras.ravel(), points.ravel()])

    def residuals(x: Any) -> Any:
        unknown = x[: 9 * CAMERAS].reshape(CAMERAS, 9), x[9 * CAMERAS :].reshape(POINTS, 3)
        return problem.residuals(*unknown)

    derivative = func.jacobian(residuals, sparse=True)
    found, by_hand = derivative(start), problem.jacobian_by_hand(cameras, points)
    assert abs(found - by_hand).max() < 1e-12 * abs(by_hand).max()
    contenders = {
        "symgrad": Contender(lambda: derivative(start)),
        "NumPy": Contender(lambda: problem.jacobian_by_hand(cameras, points)),
    }
    what = f"Jacobian of bundle adjustment, {len(problem.camera):,} observations"
    return [
        race(
            "sparse", what, contenders, rounds, unit="ms", target=1.1, against="NumPy", seconds=0.2
        )
    ]


CASES = (
    Case("compiled", "value and gradient of long arrays, compiled", compiled),
    Case("sparse", "a sparse Jacobian beside the one by hand in NumPy", sparse),
)
