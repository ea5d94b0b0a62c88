"""Where PyTorch itself goes wrong and symgrad should not: each states what symgrad gives instead.

Cotangents are ones, so the expected gradients are the derivatives; the last entries of `second`
are the derivative along ones, with respect to the cotangent.
"""

from __future__ import annotations

import math

from .table import Arg, Differs, c, f, table, v

inf, nan = float("inf"), float("nan")
MASKED = "an element that is masked out contributes no nan"
SUBGRADIENT = "the minimum-norm subgradient exists where PyTorch's formula is 0/0"
STABLE = "the derivative of the mathematical function, not of its overflowing parts"
BROKEN = "PyTorch's own backward fails"

case = table("deliberate", ones=True)


def better(name, reason, fn, *args: Arg, first=None, second=None, **options):
    differs = Differs(reason, first=first, second=second)
    case(name, fn, *args, differs=differs, torch_nan=True, **options)


g = [0, 0, 0.25]  # of sqrt at 4, and of nothing at -1 and 0
h = [0, 0, -0.03125]
x = v([-1.0, 0.0, 4.0])
better(
    "where-sqrt",
    MASKED,
    lambda t, x: t.where(x > 0, t.sqrt(x), x),
    v([-1.0, 4.0]),
    first=[[1, 0.25]],
    second=[[0, -0.03125], [1, 0.25]],
)
better(
    "where-sqrt-zero",
    MASKED,
    lambda t, x: t.where(x > 0, x.sqrt(), 0.0),
    x,
    first=[g],
    second=[h, g],
)
better(
    "where-sqrt-other-side",
    MASKED,
    lambda t, x: t.where(x <= 0, 0.0, x.sqrt()),
    x,
    first=[g],
    second=[h, g],
)
better(
    "where-log",
    MASKED,
    lambda t, x: t.where(x > 0, x.log(), 0.0),
    v([-1.0, 0.0, 2.0]),
    first=[[0, 0, 0.5]],
    second=[[0, 0, -0.25], [0, 0, 0.5]],
)
better(
    "where-reciprocal",
    MASKED,
    lambda t, x: t.where(x == 0, 0.0, 1 / x),
    v([0.0, 2.0]),
    first=[[0, -0.25]],
    second=[[0, 0.25], [0, -0.25]],
)
better(
    "where-sinc",
    MASKED,
    lambda t, x: t.where(x == 0, 1.0, x.sin() / x),
    v([0.0, math.pi]),
    first=[[0, -1 / math.pi]],
)
better("where-power", MASKED, lambda t, x: t.where(x > 0, x**0.5, 0.0), x, first=[g], second=[h, g])
better(
    "where-sum",
    MASKED,
    lambda t, x: t.where(x > 0, x.sqrt(), 0.0).sum(),
    x,
    first=[g],
    second=[h, 0.25],
)
better(
    "where-deep",
    MASKED,
    lambda t, x: t.where(x > 0, (x.sqrt() * 2).log(), 0.0),
    v([-1.0, 0.0, 4.0]),
    first=[[0, 0, 0.125]],
    second=[[0, 0, -0.03125], [0, 0, 0.125]],
)
better(
    "where-exp-overflow",
    MASKED,
    lambda t, x: t.where(x > 1, x, x.exp()),
    v([1000.0, 0.0]),
    first=[[1, 1]],
    second=[[0, 1], [1, 1]],
)
better(
    "masked_fill-sqrt",
    MASKED,
    lambda t, x: x.sqrt().masked_fill(x <= 0, 0.0),
    x,
    first=[g],
    second=[h, g],
)
better("boolean-index-sqrt", MASKED, lambda t, x: x.sqrt()[x > 0], x, first=[g], second=[h, [0.25]])


better(
    "pow-zero-exponent",
    "the mixed derivative of x**y at y = 0 is 1/x, which PyTorch masks",
    lambda t, x, y: x**y,
    v([2.0, 0.5]),
    v([0.0, 0.0]),
    first=[[0, 0], [math.log(2), math.log(0.5)]],
    second=[
        [0.5, 2],
        [math.log(2) ** 2 + 0.5, math.log(0.5) ** 2 + 2],
        [math.log(2), math.log(0.5)],
    ],
)


def assigned(t, x):
    y = x.log()
    y[x <= 0] = 0
    return y


better("assigned-log", MASKED, assigned, x, first=[g], second=[[0, 0, -0.0625], g])
better(
    "nansum-sqrt",
    MASKED,
    lambda t, x: t.nansum(x.sqrt()),
    v([-1.0, 4.0]),
    first=[[0, 0.25]],
    second=[[0, -0.03125], 0.25],
)
better(
    "clamp-reciprocal",
    MASKED,
    lambda t, x: (1 / x).clamp(max=10),
    v([0.0, 2.0]),
    first=[[0, -0.25]],
    second=[[0, 0.25], [0, -0.25]],
)
better(
    "where-0d", MASKED, lambda t, x: t.where(x > 0, x.sqrt(), x), v(-1.0), first=[1], second=[0, 1]
)

zero = v([0.0, 0.0])
better(
    "root-of-sum-of-squares", SUBGRADIENT, lambda t, x: (x * x).sum().sqrt(), zero, first=[[0, 0]]
)
better("root-of-sum-of-powers", SUBGRADIENT, lambda t, x: (x**2).sum().sqrt(), zero, first=[[0, 0]])
better("norm", SUBGRADIENT, lambda t, x: x.norm(), zero, first=[[0, 0]], second=[[0, 0], 0])
better(
    "norm-dim",
    SUBGRADIENT,
    lambda t, x: x.norm(dim=1),
    v([[0.0, 0.0], [3.0, 4.0]]),
    first=[[[0, 0], [0.6, 0.8]]],
    second=[[[0, 0], [0.032, -0.024]], [0, 1.4]],
)
better("norm-p3", SUBGRADIENT, lambda t, x: x.norm(3), zero, first=[[0, 0]], second=[[0, 0], 0])
better(
    "norm-squared",
    SUBGRADIENT,
    lambda t, x: x.norm() ** 2,
    zero,
    first=[[0, 0]],
    second=[[2, 2], 0],
)
better(
    "abs-squared",
    SUBGRADIENT,
    lambda t, x: x.abs() ** 2,
    zero,
    first=[[0, 0]],
    second=[[2, 2], [0, 0]],
)
better(
    "std-constant",
    SUBGRADIENT,
    lambda t, x: x.std(),
    v([2.0, 2.0, 2.0]),
    first=[[0, 0, 0]],
    second=[[0, 0, 0], 0],
)
better(
    "hypot-origin", SUBGRADIENT, lambda t, x, y: t.hypot(x, y), v([0.0]), v([0.0]), first=[[0], [0]]
)
better(
    "xlogy-origin",
    SUBGRADIENT,
    lambda t, x, y: t.xlogy(x, y),
    v([0.0], grad=False),
    v([0.0]),
    first=[[0]],
)

far = v([800.0, -800.0, 0.0])
better(
    "log-1-exp",
    STABLE,
    lambda t, x: (1 + x.exp()).log(),
    far,
    first=[[1, 0, 0.5]],
    second=[[0, 0, 0.25], [1, 0, 0.5]],
)
better(
    "log1p-exp",
    STABLE,
    lambda t, x: x.exp().log1p(),
    far,
    first=[[1, 0, 0.5]],
    second=[[0, 0, 0.25], [1, 0, 0.5]],
)
better(
    "log-sigmoid",
    STABLE,
    lambda t, x: x.sigmoid().log(),
    far,
    first=[[0, 1, 0.5]],
    second=[[0, 0, -0.25], [0, 1, 0.5]],
)
better(
    "sigmoid-by-hand",
    STABLE,
    lambda t, x: 1 / (1 + (-x).exp()),
    far,
    first=[[0, 0, 0.25]],
    second=[[0, 0, 0], [0, 0, 0.25]],
)
better(
    "log-cosh",
    STABLE,
    lambda t, x: x.cosh().log(),
    far,
    first=[[1, -1, 0]],
    second=[[0, 0, 1], [1, -1, 0]],
)
better("sin-over-x", STABLE, lambda t, x: x.sin() / x, v([0.0, math.pi]), first=[[0, -1 / math.pi]])

better(
    "true-to-the-x",
    BROKEN,
    lambda t, x: True**x,
    f(3),
    first=[[0, 0, 0]],
    second=[[0, 0, 0], [0, 0, 0]],
)
better(
    "atan2-of-bool",
    BROKEN,
    lambda t, m, x: t.atan2(m, x),
    v([True, False], "bool"),
    v([1.0, 2.0]),
    first=[[-0.5, 0]],
    second=[[0.5, 0], [-0.5, 0]],
)
better(
    "power-of-bool",
    BROKEN,
    lambda t, x, m: x**m,
    v([3.0, 2.0, 0.0]),
    v([True, False, True], "bool"),
    first=[[1, 0, 1]],
    second=[[0, 0, 0], [1, 0, 1]],
)
better(
    "where-complex-or-real",
    BROKEN,
    lambda t, m, x, y: t.where(m, x, y),
    v([True, False], "bool"),
    c(2),
    f(2),
    first=[[1 + 0j, 0], [0, 1]],
)

CASES = case.cases
