"""Random formulas with kinks, and their derivatives at special points, found by another way.

A formula is built once, of functions that tensors and numbers of mpmath both have. Where its Taylor
polynomials along rays from a point are those of one polynomial of the variables, it has derivatives
there, whose values follow from the rays; a kink shows in that they are not.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import mpmath
import numpy as np

import symgrad

ORDER = 3

#: A function of the namespace of a number system and the variables.
Formula = Callable[[Any, Sequence[Any]], Any]


class Kink(NamedTuple):
    """What has a length, or the two between which is chosen."""

    parts: tuple[Formula, ...]
    is_choice: bool


class OfTensors:
    """The functions of formulas, of tensors."""

    sin, cos, exp, tanh, cosh = (
        symgrad.sin, symgrad.cos, symgrad.exp, symgrad.tanh, symgrad.cosh,
    )  # fmt: skip
    sqrt, log1p, abs, hypot, maximum = (
        symgrad.sqrt, symgrad.log1p, symgrad.abs, symgrad.hypot, symgrad.maximum,
    )  # fmt: skip

    @staticmethod
    def norm(*xs: Any) -> Any:
        return symgrad.linalg.vector_norm(symgrad.stack(xs))

    @staticmethod
    def root(*xs: Any) -> Any:
        x = symgrad.stack(xs)
        return symgrad.sqrt((x * x).sum())

    @staticmethod
    def spread(*xs: Any) -> Any:
        return symgrad.std(symgrad.stack(xs), correction=0)

    @staticmethod
    def rows(*xs: Any) -> Any:
        """Sum the products of lengths that stand in one array."""
        x = symgrad.stack(xs).abs()
        return (x * x.flip(0)).sum()

    @staticmethod
    def where_less(x: Any, y: Any, a: Any, b: Any) -> Any:
        return symgrad.where(x < y, a, b)

    @staticmethod
    def power(x: Any, p: float) -> Any:
        return x ** symgrad.full_like(x, p)

    @staticmethod
    def xlogy(c: float, x: Any) -> Any:
        return symgrad.xlogy(c, x)


class OfNumbers:
    """The functions of formulas, of numbers of mpmath."""

    sin, cos, exp, tanh, cosh = mpmath.sin, mpmath.cos, mpmath.exp, mpmath.tanh, mpmath.cosh
    sqrt, log1p, hypot = mpmath.sqrt, mpmath.log1p, mpmath.hypot

    @staticmethod
    def abs(x: Any) -> Any:
        return mpmath.fabs(x)

    @staticmethod
    def maximum(x: Any, y: Any) -> Any:
        return max(x, y)

    @staticmethod
    def norm(*xs: Any) -> Any:
        return mpmath.sqrt(mpmath.fsum(x * x for x in xs))

    root = norm

    @staticmethod
    def spread(*xs: Any) -> Any:
        mean = mpmath.fsum(xs) / len(xs)
        return mpmath.sqrt(mpmath.fsum((x - mean) ** 2 for x in xs) / len(xs))

    @staticmethod
    def rows(*xs: Any) -> Any:
        return mpmath.fsum(mpmath.fabs(x * y) for x, y in zip(xs, reversed(xs), strict=True))

    @staticmethod
    def where_less(x: Any, y: Any, a: Any, b: Any) -> Any:
        return a if x < y else b

    @staticmethod
    def power(x: Any, p: float) -> Any:
        return mpmath.mpf(x) ** p if x or p >= 0 else mpmath.inf

    @staticmethod
    def xlogy(c: float, x: Any) -> Any:
        return c * mpmath.log(x) if c else x * 0


def _smooth(r: random.Random, a: Formula) -> tuple[str, Formula]:
    k = r.choice([0.5, 2.0, -1.0, 3.0])
    return r.choice([
        ("cos({})", lambda m, v: m.cos(a(m, v))),
        ("sin({})", lambda m, v: m.sin(a(m, v))),
        ("exp(-{})", lambda m, v: m.exp(-a(m, v))),
        ("tanh({})", lambda m, v: m.tanh(a(m, v))),
        ("cosh({})", lambda m, v: m.cosh(a(m, v))),
        (f"{k}*({{}})", lambda m, v: k * a(m, v)),
        ("({})**2", lambda m, v: a(m, v) ** 2),
        ("({})**3", lambda m, v: a(m, v) ** 3),
        ("1/(1 + ({})**2)", lambda m, v: 1 / (1 + a(m, v) ** 2)),
        ("sqrt(1 + ({})**2)", lambda m, v: m.sqrt(1 + a(m, v) ** 2)),
        ("log1p(({})**2)", lambda m, v: m.log1p(a(m, v) ** 2)),
        (f"({{}}) + {k}", lambda m, v: a(m, v) + k),
    ])  # fmt: skip


def _joined(r: random.Random, a: Formula, b: Formula) -> tuple[str, Formula]:
    return r.choice([
        ("({}) + ({})", lambda m, v: a(m, v) + b(m, v)),
        ("({}) - ({})", lambda m, v: a(m, v) - b(m, v)),
        ("({}) * ({})", lambda m, v: a(m, v) * b(m, v)),
        ("({}) / (2 + sin({}))", lambda m, v: a(m, v) / (2 + m.sin(b(m, v)))),
    ])  # fmt: skip


def _kinked(r: random.Random, a: Formula, b: Formula, kinks: list[Kink]) -> tuple[str, Formula]:
    p = r.choice([1.0, 2.0, 3.0, 4.0])
    text, made = r.choice([
        ("abs({0})", lambda m, v: m.abs(a(m, v))),
        ("abs({0})", lambda m, v: m.abs(a(m, v))),
        ("norm({0}, {1})", lambda m, v: m.norm(a(m, v), b(m, v))),
        ("norm({0}, {1})", lambda m, v: m.norm(a(m, v), b(m, v))),
        ("hypot({0}, {1})", lambda m, v: m.hypot(a(m, v), b(m, v))),
        ("root({0}, {1})", lambda m, v: m.root(a(m, v), b(m, v))),
        ("sqrt(({0})**2)", lambda m, v: m.sqrt(a(m, v) ** 2)),
        ("spread({0}, {1}, 0)", lambda m, v: m.spread(a(m, v), b(m, v), 0 * a(m, v))),
        ("rows({0}, {1})", lambda m, v: m.rows(a(m, v), b(m, v))),
        (f"abs({{0}})**{p}", lambda m, v: m.power(m.abs(a(m, v)), p)),
        (f"exp(xlogy({p}, abs({{0}})))", lambda m, v: m.exp(m.xlogy(p, m.abs(a(m, v))))),
        ("maximum({0}, {1})", lambda m, v: m.maximum(a(m, v), b(m, v))),
        (
            "where({0} < {1}, ({0})**2/2, ({0}) - 0.5)",
            lambda m, v: m.where_less(a(m, v), b(m, v), a(m, v) ** 2 / 2, a(m, v) - 0.5),
        ),
    ])  # fmt: skip
    if text.startswith("maximum"):
        kinks.append(Kink((a, b), is_choice=True))
    elif not text.startswith("where"):
        parts = [(a, b)] if "{1}" in text and "rows" not in text else [(a,), (b,)]
        kinks += [Kink(x, is_choice=False) for x in parts]
    return text, made


def _formula(
    r: random.Random, count: int, depth: int, inner: bool, kinks: list[Kink]
) -> tuple[str, Formula]:
    if not depth:
        i = r.randrange(count)
        return f"x{i}", lambda m, v: v[i]
    kind = r.random()
    if kind < (0.15 if inner else 0.3):
        (s, a), (t, b) = (_formula(r, count, depth - 1, inner, kinks) for _ in range(2))
        text, made = _joined(r, a, b)
        return text.format(s, t), made
    if kind < 0.65:
        s, a = _formula(r, count, depth - 1, inner, kinks)
        text, made = _smooth(r, a)
        return text.format(s), made
    (s, a), (t, b) = (_formula(r, count, r.randrange(min(depth, 2)), True, kinks) for _ in range(2))
    text, made = _kinked(r, a, b, kinks)
    return text.format(s, t), made


class Drawn(NamedTuple):
    """A formula with a point, and the lengths and choices in it."""

    text: str
    formula: Formula
    point: tuple[float, ...]
    kinks: list[Kink]


def draw(seed: int) -> Drawn:
    """Return a formula of one to three variables, and a special point."""
    r = random.Random(seed)
    count = r.choice([1, 1, 2, 2, 3])
    kinks: list[Kink] = []
    text, made = _formula(r, count, r.choice([2, 3, 4]), False, kinks)
    point = tuple([r.choice([0.0, 0.0, 0.0, 1.0, -1.0]) for _ in range(count)])
    return Drawn(text, made, point, kinks)


# ------------------------------------------------------------------ by rays


def _ray(drawn: Drawn, direction: Sequence[int]) -> list[Any] | None:
    """Return the derivatives along a ray, from the point on, of the orders 0 to ORDER."""
    step = mpmath.mpf(10) ** -25
    values = []
    for k in range(ORDER + 4):
        at = [mpmath.mpf(x) + k * step * d for x, d in zip(drawn.point, direction, strict=True)]
        values.append(drawn.formula(OfNumbers, at))
    if any(not isinstance(y, (mpmath.mpf, int, float)) or not mpmath.isfinite(y) for y in values):
        return None
    # The polynomial through the values, by divided differences.
    table, newton = list(values), []
    for k in range(len(values)):
        newton.append(table[0])
        table = [(b - a) / ((k + 1) * step) for a, b in itertools.pairwise(table)]
    coefficients = [mpmath.mpf(0)] * len(newton)
    for k in range(len(newton) - 1, -1, -1):  # Horner's rule for products of (h - j*step)
        shifted = [mpmath.mpf(0), *coefficients[:-1]]
        coefficients = [s - k * step * c for s, c in zip(shifted, coefficients, strict=True)]
        coefficients[0] += newton[k]
    return [c * mpmath.factorial(k) for k, c in enumerate(coefficients[: ORDER + 1])]


def _order_of(drawn: Drawn, kink: Kink, direction: Sequence[int]) -> int:
    """Return up to which order a derivative beyond a kink is that of the function, if there is one.

    Between two that are equal, half of each derivative is PyTorch's. Of a length of what grows more
    slowly than along a line all derivatives are 0, as PyTorch's, unless it is shown that it is
    never negative: `abs(x*x)` is `x*x`, while the derivatives of `norm(x*x, x**3)` are 0.
    """
    step = mpmath.mpf(10) ** -25
    at = [mpmath.mpf(x) + step * d for x, d in zip(drawn.point, direction, strict=True)]
    if kink.is_choice:
        (a, b), (c, d) = ([f(OfNumbers, x) for f in kink.parts] for x in (drawn.point, at))
        return 0 if a == b and c != d else ORDER
    size = max(abs(f(OfNumbers, at)) for f in kink.parts)
    return 1 if 0 < size < step * mpmath.mpf(10) ** -10 else ORDER


def derivatives(drawn: Drawn) -> list[dict[tuple[int, ...], float]]:
    """Return the derivatives at the point, of each order up to the first that does not exist.

    For each order there is a table, from the variables by which is differentiated, in their order.
    """
    count = len(drawn.point)
    directions = [d for d in itertools.product((-1, 0, 1, 2), repeat=count) if any(d)]
    with mpmath.workdps(220):
        rays = [_ray(drawn, d) for d in directions]
        if any(ray is None for ray in rays):
            return []
        orders = min(
            [_order_of(drawn, x, d) for x in drawn.kinks for d in directions], default=ORDER
        )
        found: list[dict[tuple[int, ...], float]] = []
        for order in range(orders + 1):
            indices = list(itertools.combinations_with_replacement(range(count), order))
            # d**k f / dh**k = sum over the multi-indices of the multinomial times the derivative.
            matrix = np.array([[_weight(i, d) for i in indices] for d in directions], float)
            wanted = np.array([float(ray[order]) for ray in rays if ray is not None])
            if not np.isfinite(wanted).all() or abs(wanted).max() > 1e12:
                return found
            solved, *_ = np.linalg.lstsq(matrix, wanted, rcond=None)
            if abs(matrix @ solved - wanted).max() > 1e-9 * max(1, abs(wanted).max()):
                return found
            found.append(dict(zip(indices, solved.tolist(), strict=True)))
    return found


def of_both_sides(drawn: Drawn) -> dict[tuple[int, ...], float]:
    """Return the second derivatives by one variable which both sides of the point have.

    The function may have a kink there, of one length that is 0.
    """
    count = len(drawn.point)
    found: dict[tuple[int, ...], float] = {}
    with mpmath.workdps(220):
        lengths = [x for x in drawn.kinks if not x.is_choice]
        sizes = [max(abs(f(OfNumbers, drawn.point)) for f in x.parts) for x in lengths]
        if sum(size < 1e-15 for size in sizes) != 1:
            return found
        for i in range(count):
            sides = [[s * (j == i) for j in range(count)] for s in (-1, 1)]
            rays = [_ray(drawn, d) for d in sides]
            if min(_order_of(drawn, x, d) for x in drawn.kinks for d in sides) < ORDER:
                continue
            (_, _, left, *_), (_, _, right, *_) = [ray or [0, 0, mpmath.nan] for ray in rays]
            if abs(left - right) <= 1e-9 * max(1, abs(right)) < 1e12:
                found[i, i] = float(right)
    return found


def _weight(index: tuple[int, ...], direction: Sequence[int]) -> float:
    """Return by how much a partial derivative counts in the derivative along a direction."""
    orders = len(set(itertools.permutations(index)))
    return orders * float(np.prod([direction[i] for i in index]))


# ------------------------------------------------------------------ by symgrad


def computed(drawn: Drawn, order: int) -> list[dict[tuple[int, ...], float]]:
    """Return symgrad's derivatives at the point, up to an order."""
    xs = [symgrad.tensor(x, dtype=symgrad.float64, requires_grad=True) for x in drawn.point]
    level: dict[tuple[int, ...], Any] = {(): drawn.formula(OfTensors, xs)}
    found = []
    for k in range(order + 1):
        found.append({i: float(y.detach().numpy()) for i, y in level.items()})
        if k == order:
            break
        following: dict[tuple[int, ...], Any] = {}
        for index, y in level.items():
            grads: Sequence[Any] = [None] * len(xs)
            if y.requires_grad:
                grads = symgrad.autograd.grad(y, xs, create_graph=True, allow_unused=True)
            for i, g in enumerate(grads):
                if not index or i >= index[-1]:
                    following[*index, i] = symgrad.zeros_like(xs[i]) if g is None else g
        level = following
    return found


def faults(drawn: Drawn) -> tuple[list[str], int, int]:
    """Return what is finite and wrong, and how many derivatives were compared and are nan."""
    exact = derivatives(drawn)
    wrong: list[str] = []
    compared = unknown = 0
    if not exact:
        return wrong, 0, 0
    if len(exact) <= 2:
        exact = [*[*exact, {}][:2], of_both_sides(drawn)]
    for order, (ours, theirs) in enumerate(
        zip(computed(drawn, len(exact) - 1), exact, strict=True)
    ):
        for index, value in theirs.items():
            got = ours[index]
            compared += 1
            if not np.isfinite(got):
                unknown += 1
            elif abs(got - value) > 1e-6 * max(1, abs(value)):
                if not order:
                    return [], 0, 0  # another function there, such as 0/0
                wrong.append(f"{drawn.text} at {drawn.point}, by {index}: {got!r} for {value!r}")
    return wrong, compared, unknown
