"""Derivatives by a vector that holds several arrays are those by the arrays, put side by side."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import symgrad
from symgrad import func
from symgrad.differentiate import derive as deriving
from symgrad.differentiate.blocks import blocks_of, views_read
from symgrad.differentiate.derive import derive
from symgrad.expr.dtypes import float64
from symgrad.expr.graph import leaves
from symgrad.expr.node import ArrayExpr
from symgrad.lower.program import lower
from symgrad.normal_form.costs import cost
from symgrad.ops.broadcasting import zeros
from symgrad.ops.joining import cat
from symgrad.ops.primitive import PRIMITIVES
from symgrad.ops.slicing import updated
from tests.each import each

RNG = np.random.default_rng(3)
X, M = RNG.normal(size=(7, 4)), RNG.normal(size=(6, 5))
SUBJECTS = np.eye(3)[RNG.integers(0, 3, 7)]

#: Functions of arrays in the functions of a module, with the shapes of these.
FUNCTIONS: dict[str, tuple[Callable[..., Any], Sequence[tuple[int, ...]]]] = {
    "factors of a matrix": (lambda m, u, v: ((M - u @ v.T) ** 2).sum(), [(6, 2), (5, 2)]),
    "factors with a penalty on one": (
        lambda m, u, v: ((M - u @ v.T) ** 2).sum() + 0.3 * (u**2).sum(), [(6, 2), (5, 2)],
    ),
    "factors times a number that is no whole one": (
        lambda m, u, v: 0.37 * ((M - u @ v.T) ** 2).sum(), [(6, 2), (5, 2)],
    ),
    "one matrix": (
        lambda m, w: m.log(m.exp(X @ w).sum(1)).sum() - ((X @ w) * SUBJECTS).sum(), [(4, 3)],
    ),
    "weights and a bias": (lambda m, w, b: m.log(1 + m.exp(X @ w + b[0])).sum(), [(4,), (1,)]),
    "two layers": (
        lambda m, w, b, v: (m.tanh(X @ w + b) @ v - X[:, 0]).sum() ** 2, [(4, 3), (3,), (3,)],
    ),
    "three factors": (
        lambda m, a, b, c: m.sin(a @ b @ c).sum(), [(2, 3), (3, 2), (2, 2)],
    ),
    "each element": (lambda m, a, b: m.exp(a).sum() * m.cos(b).sum(), [(2, 3), (3, 1, 2)]),
    "one that is left out": (lambda m, a, b: m.exp(a).sum(), [(2, 2), (3,)]),
}  # fmt: skip

#: Functions whose results have more elements than all of what they are of, or fewer.
ARRAYS: dict[str, tuple[Callable[..., Any], Sequence[tuple[int, ...]]]] = {
    "a product": (lambda m, u, v: M - u @ v.T, [(6, 2), (5, 2)]),
    "a layer": (lambda m, w, b: m.tanh(X @ w + b), [(4, 3), (3,)]),
    "a curve": (lambda m, a, b: a[0] * m.exp(-b[0] * X), [(1,), (1,)]),
    "few results": (lambda m, w, b: m.tanh(X @ w + b).sum(0), [(4, 3), (3,)]),
}


def cut(w: Any, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    ends = np.cumsum([math.prod(s) for s in shapes]).tolist()
    return [w[end - math.prod(s) : end].reshape(s) for s, end in zip(shapes, ends, strict=True)]


def point(shapes: Sequence[tuple[int, ...]]) -> Any:
    return RNG.normal(size=sum(map(math.prod, shapes))) * 0.5


def hessian_apart(f: Any, shapes: Any, w: Any) -> Any:
    xs = cut(w, shapes)
    found = func.hessian(lambda *xs: f(np, *xs), argnums=tuple(range(len(xs))))(*xs)
    return np.block([
        [h.reshape(x.size, y.size) for h, y in zip(row, xs, strict=True)]
        for row, x in zip(found, xs, strict=True)
    ])  # fmt: skip


@each("f, shapes", FUNCTIONS)
@pytest.mark.parametrize("penalty", [0, 0.7])
def test_the_hessian_by_a_vector_is_that_by_the_arrays_in_it(f, shapes, penalty):
    w = point(shapes)

    def flat(w: Any, m: Any = np) -> Any:
        return f(m, *cut(w, shapes)) + penalty * (w**2).sum()

    wanted = hessian_apart(f, shapes, w) + 2 * penalty * np.eye(w.size)
    np.testing.assert_allclose(func.hessian(flat)(w), wanted, rtol=1e-9, atol=1e-12)
    t = symgrad.tensor(w)
    for found in (
        func.hessian(lambda w: flat(w, symgrad))(t),
        symgrad.autograd.functional.hessian(lambda w: flat(w, symgrad), t),
    ):
        np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-9, atol=1e-12)


@each("f, shapes", ARRAYS)
def test_the_jacobian_by_a_vector_is_that_by_the_arrays_in_it(f, shapes):
    w = point(shapes)
    xs = cut(w, shapes)
    apart = func.jacobian(lambda *xs: f(np, *xs), argnums=tuple(range(len(xs))))(*xs)
    y = f(np, *xs)
    wanted = np.concatenate([j.reshape(*y.shape, -1) for j in apart], -1)
    found = func.jacobian(lambda w: f(np, *cut(w, shapes)))(w)
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-13)
    t = symgrad.tensor(w)
    found = func.jacrev(lambda w: f(symgrad, *cut(w, shapes)))(t)
    np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-10, atol=1e-13)


def elements_of(e: ArrayExpr, w: ArrayExpr) -> int:
    """Return the elements of the largest array that a formula computes."""
    program = lower([e], {w: "w"})
    return max(math.prod(instr.shape) for instr in program.instrs)


def factorization(n: int, rank: int) -> tuple[ArrayExpr, ArrayExpr, list[ArrayExpr]]:
    w = symgrad.leaf("w", (2 * n * rank,))
    shapes = [(n, rank)] * 2
    own = [symgrad.leaf(name, s) for name, s in zip("uv", shapes, strict=True)]
    ratings = np.random.default_rng(0).normal(size=(n, n))

    def loss(u: Any, v: Any) -> Any:
        return ((ratings - u @ v.T) ** 2).sum()

    return loss(*cut(w, shapes)), loss(*own), [w, *own]


def test_no_array_is_larger_than_the_hessian_by_a_vector_of_two_matrices():
    y, _, (w, *_) = factorization(30, 3)
    assert elements_of(derive(y, w, order=2), w) == 180**2


@pytest.mark.parametrize("n", [10, 30])
def test_the_hessian_by_a_vector_costs_little_more_than_those_by_the_matrices(n):
    y, apart, (w, u, v) = factorization(n, 3)
    blocks = [derive(derive(apart, a), b) for a in (u, v) for b in (u, v)]
    flat = derive(y, w, order=2)
    assert cost([flat]) < 4 * cost(blocks)


def test_the_jacobian_by_a_vector_has_no_product_with_an_identity_matrix():
    w = symgrad.leaf("w", (1000,))
    y = cut(w, [(100, 5)] * 2)[0] @ cut(w, [(100, 5)] * 2)[1].T
    assert cost([derive(y, w)]) < 3 * 100 * 100 * 1000


# -- what is put together ------------------------------------------------------------------------

NODES = {
    f"{name}-{i}": (cls, sample)
    for name, cls in PRIMITIVES.items()
    for i, sample in enumerate(cls.samples)
    if cls.has_blocks
}


@each("cls, sample", NODES)
def test_what_has_blocks_puts_each_of_further_entries_together(cls, sample):
    split = len(sample) - len(cls.params)
    values = [np.asarray(x, float) for x in sample[:split]]
    own = [symgrad.leaf(f"x{i}", x.shape) for i, x in enumerate(values)]
    node: Any = cls(*own, *sample[split:])
    if not node.has_blocks:
        return
    wide = [symgrad.leaf(f"y{i}", (*x.shape, 2)) for i, x in enumerate(values)]
    made = node.of_blocks(wide, (2,))
    assert made.shape == (*node.shape, 2)
    further = [np.stack([x, RNG.normal(size=x.shape)], -1) for x in values]
    found = made.evaluate({y.name: v for y, v in zip(wide, further, strict=True)})
    for k in range(2):
        given = {x.name: v[..., k] for x, v in zip(own, further, strict=True)}
        np.testing.assert_array_equal(found[..., k], node.evaluate(given))


def test_some_operations_have_blocks():
    assert {name.split("-")[0] for name in NODES} == {"cat", "stack", "updated", "reshape"}


a, b, s = symgrad.leaf("a", (2, 3)), symgrad.leaf("b", (4,)), symgrad.leaf("s")
FLAT = a.sin().reshape(6)
BLOCKS: dict[str, tuple[ArrayExpr, list[ArrayExpr] | None]] = {
    "a reshape": (FLAT, [a.sin()]),
    "joined": (symgrad.cat([FLAT, b.cos()]), [a.sin(), b.cos()]),
    "numbers and signs": (-2 * symgrad.cat([FLAT / 3, -b.cos()]), [a.sin(), -b.cos()]),
    "a factor that is a leaf": (s * symgrad.cat([FLAT, b]), [a.sin(), b]),
    "a sum": (FLAT + a.reshape(6), [a.sin(), a]),
    "a sum without joins": (a.sin() + a.cos(), None),
    "a leaf": (b, None),
    "a factor of each element": (FLAT * FLAT, None),
    "a divisor": (2 / FLAT, None),
    "a sum that broadcasts": (FLAT.reshape(6, 1) + FLAT, None),
    "values among zeros": (
        updated(zeros((6,), float64), b.cos(), ((1, 5, 1),)), [zeros((6,), float64), b.cos()],
    ),
    "a value that broadcasts": (updated(FLAT, s.sin(), ((1, 5, 1),)), None),
    "another dtype": (cat(FLAT, symgrad.leaf("f", (4,), symgrad.float32), 0), None),
    "complex numbers": (symgrad.leaf("z", (2, 3), symgrad.complex128).sin().reshape(6), None),
    "too many": (symgrad.cat([b.sin() ** k for k in range(2, 19)]), None),
    "many axes": (symgrad.leaf("h", (1,) * 9).sin().reshape(1), None),
}  # fmt: skip


@each("y, wanted", BLOCKS)
def test_blocks(y, wanted):
    found = blocks_of(y, [a, b])
    assert (found and found.blocks) == wanted


def test_a_factor_that_depends_on_the_variable_has_a_derivative():
    assert blocks_of(s * FLAT, [s]) is None
    np.testing.assert_allclose(
        derive(s * FLAT, s).evaluate({"a": X[:2, :3], "s": 2.0}),
        np.sin(X[:2, :3]).reshape(6),
    )


def test_a_variable_is_a_block_by_itself():
    assert blocks_of(FLAT, [FLAT]) is None
    joined = symgrad.cat([FLAT, b])
    found = blocks_of(joined, [FLAT, b])
    assert found is not None
    assert found.blocks == [FLAT, b]


def test_sweeps_are_few_where_arrays_are_small():
    """Each of many blocks repeats most of the graph: calls of NumPy cost more than they save."""

    def gradient(n: int) -> ArrayExpr:
        w, z = symgrad.leaf("w", (4 * 9 + 9 * 3,)), symgrad.leaf("x", (n, 3))
        for k in range(4):
            z = (z @ w[9 * k : 9 * k + 9].reshape(3, 3) + w[36 + 3 * k : 39 + 3 * k]).tanh()
        return derive((z**2).sum(), w)

    assert blocks_of(gradient(10), []) is None
    assert blocks_of(gradient(10**5), []) is not None


def test_a_chain_of_sums_is_walked_once_and_does_not_recurse():
    y: Any = FLAT
    for _ in range(5000):
        y = y + FLAT
    found = blocks_of(y, [a])
    assert found is not None
    assert found.blocks == [a.sin()]
    assert len(found.around) == 5001


v = symgrad.leaf("v", (6,))
VIEWS: dict[str, tuple[ArrayExpr, list[ArrayExpr]]] = {
    "itself": (v.sin(), [v]),
    "parts": (v[:4].sin().sum() * v[4:], [v[:4], v[4:]]),
    "a part of a view, and the view": (
        v.reshape(2, 3)[0].sin().sum() * v.reshape(2, 3).cos(),
        [v.reshape(2, 3)[0], v.reshape(2, 3)],
    ),
    "itself and a part": (v * v[0], [v, v[0]]),
    "a view as the result": (v.reshape(2, 3), [v.reshape(2, 3)]),
    "nothing": (a.sin(), []),
    "too many": (sum(v[i:j].sin().sum() for j in range(7) for i in range(j)) * v, [v]),
}  # fmt: skip


@each("y, wanted", VIEWS)
def test_views(y, wanted):
    assert set(views_read(y, v)) == set(wanted)


@each("y", {name: y for name, (y, _) in VIEWS.items()})
def test_forward_by_views_is_the_derivative(y):
    values = {v: RNG.normal(size=6), a: X[:2, :3]}

    def at(e: ArrayExpr, point: Any) -> Any:
        given = {**values, v: point}
        return e.evaluate({x: given[x] for x in leaves(e)})

    wanted = np.empty((*y.shape, 6))
    for i, step in enumerate(np.eye(6) * 1e-6):
        wanted[..., i] = (at(y, values[v] + step) - at(y, values[v] - step)) / 2e-6
    found = at(deriving._forward(y, v), values[v])
    np.testing.assert_allclose(found, wanted, atol=1e-8)
