"""Formulas that are equal, in two spellings, and near misses: what a small change makes of one."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import symgrad as T
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import float64
from symgrad.expr.graph import leaves, replace_nodes, toposort
from symgrad.expr.node import ArrayExpr

Pair = tuple[Any, Any]

x, y, z = (T.leaf(n, (3,)) for n in "xyz")
s, t, u = T.symbols("s t u")
A, B, C = (T.leaf(n, (3, 3)) for n in "ABC")
X, w, targets = T.leaf("X", (4, 3)), T.leaf("w", (3,)), T.leaf("targets", (4,))
p = T.softmax(x, 0)
one = T.ones(3).numpy()


def _hinge(v: Any) -> Any:
    return T.relu(1 - targets * (X @ v))


def _gradient(f: Any, v: Any, order: int = 1) -> Any:
    return T.derive(f, v, order=order)


#: Two spellings of each formula, by a name.
IDENTITIES: dict[str, Callable[[], Pair]] = {
    "binomial": lambda: ((x + y) ** 2, x**2 + 2 * x * y + y**2),
    "difference of cubes": lambda: (s**3 - t**3, (s - t) * (s**2 + s * t + t**2)),
    "partial fractions": lambda: (1 / (s * (s + 1)), 1 / s - 1 / (s + 1)),
    "a continued fraction": lambda: (1 / (1 + 1 / (1 + 1 / s)), (s + 1) / (2 * s + 1)),
    "a mean": lambda: (x.mean(), x.sum() / 3),
    "a variance": lambda: (T.var(x), ((x * x).sum() - 3 * x.mean() ** 2) / 2),
    "a standard deviation": lambda: (T.std(x) ** 2, T.var(x)),
    "a product transposed": lambda: ((A @ B).mT, B.mT @ A.mT),
    "associative": lambda: ((A @ B) @ C, A @ (B @ C)),
    "a trace turned": lambda: (T.trace(A @ B @ C), T.trace(C @ A @ B)),
    "the determinant of a product": lambda: (
        T.linalg.det(A @ B),
        T.linalg.det(A) * T.linalg.det(B),
    ),
    "an inverse": lambda: (A @ T.linalg.inv(A) @ x, x),
    "Sherman and Morrison": lambda: (
        T.linalg.inv(A + T.outer(x, y)) @ z,
        T.linalg.inv(A) @ z
        - T.linalg.inv(A) @ x * (y @ T.linalg.inv(A) @ z) / (1 + y @ T.linalg.inv(A) @ x),
    ),
    "exponentials": lambda: (T.exp(x + y), T.exp(x) * T.exp(y)),
    "powers of exponentials": lambda: (
        T.exp(3 * x) - 1,
        (T.exp(x) - 1) * (T.exp(2 * x) + T.exp(x) + 1),
    ),
    "softmax": lambda: (p, T.exp(x) / T.exp(x).sum()),
    "softmax shifted": lambda: (T.softmax(x + x.mean(), 0), p),
    "log_softmax": lambda: (T.log_softmax(x, 0), T.log(p)),
    "logsumexp shifted": lambda: (T.logsumexp(x - s, 0), T.logsumexp(x, 0) - s),
    "sigmoid": lambda: (T.sigmoid(-x), 1 - T.sigmoid(x)),
    "tanh": lambda: (T.tanh(x), 2 * T.sigmoid(2 * x) - 1),
    "a logistic loss": lambda: (
        T.log(1 + T.exp(s)) - t * s,
        -(t * T.log(T.sigmoid(s)) + (1 - t) * T.log(1 - T.sigmoid(s))),
    ),
    "sine of a sum": lambda: (T.sin(s + t), T.sin(s) * T.cos(t) + T.cos(s) * T.sin(t)),
    "Pythagoras": lambda: (T.sin(x) ** 2 + T.cos(x) ** 2 + 0 * x, T.exp(x) * T.exp(-x)),
    "triple angle": lambda: (T.sin(3 * s), 3 * T.sin(s) - 4 * T.sin(s) ** 3),
    "tangent of a double": lambda: (T.tan(2 * s), 2 * T.tan(s) / (1 - T.tan(s) ** 2)),
    "hyperbolic": lambda: (T.cosh(s) ** 2 - T.sinh(s) ** 2, T.exp(s - s)),
    "a length": lambda: (x.norm() ** 2, (x * x).sum()),
    "a length normalised": lambda: (((x / x.norm()) ** 2).sum(), T.exp(s - s)),
    "a root of a square": lambda: (T.sqrt(x * x), x.abs()),
    "roots rationalised": lambda: (1 / (T.sqrt(s) + T.sqrt(t)), (T.sqrt(s) - T.sqrt(t)) / (s - t)),
    "a cube root": lambda: ((s ** (1 / 2)) ** 6, s**3),
    "relu": lambda: (T.relu(x), T.where(x >= 0, x, 0)),
    "relu by abs": lambda: (T.relu(x), (x + x.abs()) / 2),
    "maximum and minimum": lambda: (T.maximum(x, y) * T.minimum(x, y), x * y),
    "maximum by abs": lambda: (T.maximum(x, y), (x + y + (x - y).abs()) / 2),
    "clamp": lambda: (T.clamp(x, -1, 1), T.minimum(T.maximum(x, -one), one)),
    "a hinge": lambda: (
        _hinge(w).sum(),
        T.where(targets * (X @ w) < 1, 1 - targets * (X @ w), 0).sum(),
    ),
    "sign": lambda: (T.sign(x) * x, x.abs()),
    "an odd function": lambda: (T.erf(-x), -T.erf(x)),
    "least squares": lambda: (
        ((X @ w - targets) ** 2).sum(),
        w @ X.mT @ X @ w - 2 * (targets @ X @ w) + targets @ targets,
    ),
    "the gradient of least squares": lambda: (
        _gradient(((X @ w - targets) ** 2).sum(), w),
        2 * X.mT @ (X @ w - targets),
    ),
    "the Hessian of least squares": lambda: (
        _gradient(((X @ w - targets) ** 2).sum(), w, 2),
        2 * X.mT @ X,
    ),
    "the Hessian of logsumexp": lambda: (
        _gradient(T.log(T.exp(x).sum()), x, 2),
        T.diag(p) - T.outer(p, p),
    ),
    "the gradient of a cross entropy": lambda: (
        _gradient(-T.dot(y, T.log_softmax(x, 0)), x),
        p * y.sum() - y,
    ),
    "the Hessian of a logistic loss": lambda: (
        _gradient((T.log(1 + T.exp(X @ w)) - targets * (X @ w)).sum(), w, 2),
        X.mT @ T.diag(T.sigmoid(X @ w) * (1 - T.sigmoid(X @ w))) @ X,
    ),
    "the gradient of a determinant": lambda: (
        _gradient(T.linalg.det(A), A),
        T.linalg.det(A) * T.linalg.inv(A).mT,
    ),
    "the gradient of tanh": lambda: (
        _gradient(T.tanh(s), s, 2),
        -2 * T.tanh(s) * (1 - T.tanh(s) ** 2),
    ),
    "a matrix factorised": lambda: (
        _gradient(((A - T.outer(x, y)) ** 2).sum(), x),
        -2 * (A - T.outer(x, y)) @ y,
    ),
}


#: Formulas that are equal for some shapes, and not for these.
OF_SHAPES: dict[str, Callable[[], Pair]] = {
    "a mean of four": lambda: (x.mean(), x.sum() / 4),
    "commuting": lambda: (A @ B, B @ A),
    "a determinant scaled": lambda: (T.linalg.det(2 * A), 4 * T.linalg.det(A)),
    "a sum of two": lambda: (x.sum(), x[0] + x[1]),
    "the largest of two": lambda: (x.max(), T.maximum(x[0], x[1])),
    "a length of one": lambda: (x.norm(), x[0].abs()),
    "symmetric": lambda: (A, A.mT),
    "softmax of two": lambda: (p[0], T.sigmoid(x[0] - x[1])),
    "unbiased": lambda: (T.var(x), ((x - x.mean()) ** 2).mean() * 4 / 3),
}


def _elsewhere(e: Any, v: Any) -> Any:
    """A value with another one where a leaf is within 5e-7 of 0.3."""
    (first, *_) = [x for x in leaves(e) if x.dtype is float64]
    there = first.reshape((-1,))[0]
    return T.where((there - 0.3).abs() < 5e-7, v + 1, v)


#: What becomes of one node; None where a change does not apply to it.
CHANGES: dict[str, Callable[[Any, Any], Any]] = {
    "another sign": lambda e, v: -v,
    "times 1 + 1e-9": lambda e, v: v * (1 + 1e-9),
    "plus 1e-9": lambda e, v: v + 1e-9,
    "elsewhere": _elsewhere,
    "another order": lambda e, v: T.flip(v, (0,)) if v.ndim and v.shape[0] > 1 else None,
    "one further": lambda e, v: T.roll(v, 1, v.ndim - 1) if v.ndim and v.shape[-1] > 1 else None,
    "the absolute value": lambda e, v: v.abs(),
    "transposed": lambda e, v: v.mT if v.ndim == 2 and v.shape[0] == v.shape[1] else None,
    "operands exchanged": lambda e, v: (
        type(v)(*v.operands[::-1], *v.param_values)
        if len(v.operands) == 2 and v.operands[0].shape == v.operands[1].shape
        else None
    ),
    "a positive part": lambda e, v: T.relu(v),
    "bounded far out": lambda e, v: T.clamp(v, -1000, 1000),
    "squared": lambda e, v: v * v,
}


def near_misses() -> Iterator[tuple[str, Any, Any]]:
    """Yield a name, a formula, and another one that a small change makes of an equal one."""
    for name, make in OF_SHAPES.items():
        yield (name, *make())
    for name, make in IDENTITIES.items():
        for side, (a, b) in enumerate(itertools.permutations(make())):
            for number, v in enumerate(toposort([b])):
                for change, f in CHANGES.items():
                    made = _changed(b, v, f)
                    if made is not None and made is not b:
                        yield f"{name}: {change} at {number} of {'ba'[side]}", a, made


def _changed(e: Any, v: ArrayExpr, f: Callable[[Any, Any], Any]) -> Any:
    if getattr(v, "shape", None) is None or v.dtype is not float64:
        return None
    if isinstance(v, Const) and v.weak:
        v_new: Any = f(e, Const(v.value, float64))
    else:
        v_new = f(e, v)
    if v_new is None:
        return None
    try:
        (made,) = replace_nodes([e], {v: v_new})
    except Exception:
        return None  # the operation takes no such operand
    return made if made.shape == e.shape and made.dtype is e.dtype else None


#: Values of leaves at which near misses are looked at with floats.
def values_of(a: Any, b: Any) -> Iterator[dict[Any, Any]]:
    rng = np.random.default_rng(7)
    given = leaves(a, b)
    for low, high in ((0.1, 0.9), (-2, 2), (0.5, 3), (0.1, 4)):
        point = {v: rng.uniform(low, high, v.shape) for v in given}
        yield point
        yield {v: _with_first(value, 0.3) for v, value in point.items()}


def _with_first(value: Any, number: float) -> Any:
    value = np.array(value)
    value.reshape(-1)[:1] = number
    return value


def differ(a: Any, b: Any) -> bool:
    """Whether floats show that two formulas are not equal."""
    for point in values_of(a, b):
        try:
            left, right = a.evaluate(point), b.evaluate(point)
        except RuntimeError:
            continue  # a singular matrix
        both = np.isfinite(left) & np.isfinite(right)
        size = np.maximum(np.abs(left), np.abs(right))
        if (np.abs(left - right)[both] > 1e-12 + 1e-11 * size[both]).any():
            return True
    return False
