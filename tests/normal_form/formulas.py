"""Random formulas with what normal forms look into, of few elements, and their derivatives."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import symgrad as sg
from symgrad import leaf
from symgrad.differentiate.derive import jacobians
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.deriving import differentiated_again

_Unary = Callable[[random.Random, Any], ArrayExpr]

_UNARY: list[_Unary] = [
    lambda r, x: sg.sin(x),
    lambda r, x: sg.sigmoid(x),
    lambda r, x: sg.exp(x) * 0.1,
    lambda r, x: sg.sqrt(x * x + 1),
    lambda r, x: x * r.choice([2, 3, -1, 0.5, 0.1, 1 / 3]),
    lambda r, x: x ** r.choice([2, 3]),
    lambda r, x: x.mean() if r.random() < 0.3 else x.sum(),
    lambda r, x: x.sum(r.randrange(x.ndim), keepdim=r.random() < 0.5),
    lambda r, x: sg.softmax(x, r.randrange(x.ndim)),
    lambda r, x: sg.logsumexp(x, r.randrange(x.ndim)),
    lambda r, x: sg.permute(x, tuple(range(x.ndim))[::-1]),
    lambda r, x: x[:, None],
    lambda r, x: x[1:],
    lambda r, x: sg.diagonal(x) if x.ndim == 2 else sg.diag(x),
]
_BINARY: list[Callable[[Any, Any], ArrayExpr]] = [
    lambda x, y: x + y,
    lambda x, y: x - y,
    *[lambda x, y: x * y] * 3,
    lambda x, y: x / (y * y + 1),
    *[lambda x, y: x @ y] * 2,
    lambda x, y: sg.where(x > 0.5, x, y),
    lambda x, y: x.broadcast_to(broadcast_shapes(x.shape, y.shape)),
]


def random_formula(r: random.Random, kind: Any) -> ArrayExpr:
    """Return a formula of up to four leaves."""
    pool: list[Any] = []
    for name in "abc":
        shape = tuple([r.choice((1, 2, 3)) for _ in range(r.randrange(3))])
        pool.append(leaf(name, shape if r.random() < 0.97 else (0, *shape[1:]), kind))
    pool.append(leaf("d", pool[0].shape, kind))
    for _ in range(r.randrange(2, 7)):
        x, y = r.choice(pool[-3:]), r.choice(pool)
        i = r.randrange(len(_UNARY) + len(_BINARY))
        try:
            made = _UNARY[i](r, x) if i < len(_UNARY) else _BINARY[i - len(_UNARY)](x, y)
        except (RuntimeError, IndexError, ValueError):  # shapes that do not fit
            continue
        if made.ndim <= 3 and made.size <= 200:
            pool.append(made)
    made = pool[-1]
    return made.sum() if made.ndim and r.random() < 0.5 else made


def random_derivative(seed: int, kind: Any = None) -> tuple[ArrayExpr, ArrayExpr] | None:
    """Return a derivative of a random formula, and the formula; None where there is no leaf."""
    r = random.Random(seed)
    f = random_formula(r, kind or (sg.float32 if r.random() < 0.2 else sg.float64))
    if not leaves(f):
        return None
    x = r.choice(leaves(f))
    order = r.choice([1, 2, 2, 3]) if f.ndim + 3 * x.ndim <= 6 else 1
    return raw_derivative(f, x, order), f


def raw_derivative(f: ArrayExpr, x: ArrayExpr, order: int = 1) -> ArrayExpr:
    """Return a derivative as the rules give it, which `derive` brings into normal form."""
    made = f
    with differentiated_again():
        for _ in range(order):
            (made,) = jacobians(made, [x])
    return made
