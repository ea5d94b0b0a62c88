"""Compiled functions of arrays beside JAX, and beside derivatives by hand in NumPy."""

from __future__ import annotations

import sys
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
    "sines and cosines, 10^5": (
        lambda m, x: m.sum(m.sin(x) * m.cos(x * x) + m.sin(3 * x)), [(10**5,)], 0.5,
    ),
    "Rosenbrock, 10": (_rosenbrock, [(10,)], 1.5),
    "Rosenbrock, 1000": (_rosenbrock, [(1000,)], 1.5),
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


# -- beside formulas by hand ---------------------------------------------------------------------


def _hessians() -> dict[str, tuple[Callable[..., Any], list[Any], Callable[..., Any], float]]:
    """Return functions, points, the closed forms of the Hessians there, and the wanted ratios."""
    rng = np.random.default_rng(0)
    form, rows = rng.normal(size=(400, 400)), rng.normal(size=(2000, 60))
    classes, many = np.eye(8)[rng.integers(0, 8, 2000)], rng.normal(size=(2000, 15))
    ratings = rng.normal(size=(100, 100))

    def logistic(w: Any) -> Any:
        return np.log(1 + np.exp(rows @ w)).sum()

    def logistic_by_hand(w: Any) -> Any:
        p = 1 / (1 + np.exp(-(rows @ w)))
        return rows.T @ ((p * (1 - p))[:, None] * rows)

    def regression(w: Any) -> Any:
        logits = many @ w
        return np.log(np.exp(logits).sum(1)).sum() - (logits * classes).sum()

    def regression_by_hand(w: Any) -> Any:
        e = np.exp(many @ w)
        p = e / e.sum(1, keepdims=True)
        found = np.zeros((15, 8, 15, 8))
        for k in range(8):
            for n in range(k, 8):
                weights = p[:, k] * ((k == n) - p[:, n])
                block = many.T @ (weights[:, None] * many)
                found[:, k, :, n] = block
                found[:, n, :, k] = block
        return found

    def regression_of_one(w: Any) -> Any:
        return regression(w.reshape(15, 8))

    def regression_of_one_by_hand(w: Any) -> Any:
        return regression_by_hand(w.reshape(15, 8))

    def factorization(u: Any, v: Any) -> Any:
        return ((ratings - u @ v.T) ** 2).sum()

    def factorization_by_hand(u: Any, v: Any) -> Any:
        found, error = np.zeros((1000, 1000)), ratings - u @ v.T
        each = np.arange(100)
        blocks = found.reshape(200, 5, 200, 5)
        blocks[each, :, each, :] = 2 * (v.T @ v)
        blocks[100 + each, :, 100 + each, :] = 2 * (u.T @ u)
        mixed = 2 * np.einsum("jb,ic->ibjc", v, u)
        mixed[:, range(5), :, range(5)] -= 2 * error
        blocks[:100, :, 100:] = mixed
        blocks[100:, :, :100] = mixed.transpose(2, 3, 0, 1)
        return found

    def of_one(w: Any) -> Any:
        return factorization(w[:500].reshape(100, 5), w[500:].reshape(100, 5))

    def of_one_by_hand(w: Any) -> Any:
        return factorization_by_hand(w[:500].reshape(100, 5), w[500:].reshape(100, 5))

    factors = [rng.normal(size=(100, 5)) for _ in range(2)]
    return {
        "quadratic form, 400": (
            lambda x: x @ form @ x, [rng.normal(size=400)], lambda x: form + form.T, 1.15,
        ),
        "logistic regression, 2000 by 60": (
            logistic, [rng.normal(size=60) * 0.1], logistic_by_hand, 1.15,
        ),
        "softmax regression, 2000 by 15, 8 classes": (
            regression, [rng.normal(size=(15, 8)) * 0.1], regression_by_hand, 1.2,
        ),
        "softmax regression, weights in one vector": (
            regression_of_one, [rng.normal(size=120) * 0.1], regression_of_one_by_hand, 1.2,
        ),
        "matrix factorization, rank 5, n = 100": (
            factorization, factors, factorization_by_hand, 3.0,
        ),
        "matrix factorization, both matrices in one vector": (
            of_one, [np.concatenate([x.ravel() for x in factors])], of_one_by_hand, 3.0,
        ),
    }  # fmt: skip


def hessians(rounds: int) -> Sequence[Figure]:
    """Time Hessians beside their closed forms in NumPy."""
    from symgrad import func  # noqa: PLC0415 - after the thread counts are set

    figures = []
    for name, (f, xs, by_hand, target) in _hessians().items():
        derivative = func.hessian(f, argnums=tuple(range(len(xs))))
        found, sizes = derivative(*xs), [x.size for x in xs]
        blocks = [[h.reshape(m, n) for h, n in zip(row, sizes, strict=True)]
                  for row, m in zip(found, sizes, strict=True)]  # fmt: skip
        wanted = by_hand(*xs).reshape(sum(sizes), sum(sizes))
        np.testing.assert_allclose(np.block(blocks), wanted, rtol=1e-8, atol=1e-8)
        contenders = {
            "symgrad": Contender(lambda d=derivative, xs=xs: d(*xs)),
            "NumPy": Contender(lambda h=by_hand, xs=xs: h(*xs)),
        }
        figures.append(
            race("hessian", f"Hessian: {name}", contenders, max(3, rounds // 2), unit="ms",
                 target=target, against="NumPy", seconds=0.1)
        )  # fmt: skip
    return figures


def scalars(rounds: int) -> Sequence[Figure]:
    """Time value and gradient of scalar programs beside functions that SymPy makes of them."""
    import sympy  # noqa: PLC0415 - after the thread counts are set

    from symgrad import func  # noqa: PLC0415

    def program(x: Any, y: Any, count: int, sin: Any) -> Any:
        made = x * y
        for i in range(count // 5):
            made = sin(made) * x + y - (i % 7) / 8
        return made

    figures = []
    sys.setrecursionlimit(50_000)  # SymPy's functions recurse
    for count in (10, 100, 1000):
        x, y = sympy.symbols("x y")
        e = program(x, y, count, sympy.sin)
        by_sympy = sympy.lambdify([x, y], [e, sympy.diff(e, x), sympy.diff(e, y)], "math", cse=True)
        step = func.compile(
            func.value_and_grad(lambda x, y, n=count: program(x, y, n, np.sin), argnums=(0, 1))
        )
        value, slopes = step(0.3, 0.7)
        np.testing.assert_allclose([value, *slopes], by_sympy(0.3, 0.7), rtol=1e-8)
        contenders = {
            "symgrad": Contender(lambda f=step: f(0.3, 0.7)),
            "SymPy": Contender(lambda f=by_sympy: f(0.3, 0.7)),
        }
        figures.append(
            race("scalars", f"value and gradient of {count} scalar operations", contenders,
                 rounds, target=1.0, against="SymPy")
        )  # fmt: skip
    return figures


CASES = (
    Case("compiled", "value and gradient of long arrays, compiled", compiled),
    Case("scalars", "scalar programs beside functions that SymPy makes", scalars),
    Case("hessian", "Hessians beside their closed forms", hessians),
    Case("sparse", "a sparse Jacobian beside the one by hand in NumPy", sparse),
)
