"""Expressions for the tests of this folder: one of each primitive, and random ones."""

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import symgrad
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Leaf
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import Primitive, bind
from tests.kinds import kinds

Case = tuple[ArrayExpr, dict[str, np.ndarray]]


def node_of(cls: type[Primitive], sample: tuple[Any, ...]) -> Case:
    """The node that a sample describes, on leaves, and their values."""
    split = len(sample) - len(cls.params)
    values: dict[str, np.ndarray] = {}
    operands = []
    for i, value in enumerate(sample[:split]):
        if isinstance(value, np.ndarray):
            name = f"x{i}"
            values[name] = value
            value = Leaf(name, value.shape, from_numpy_dtype(value.dtype))
        operands.append(value)
    return cls(*operands, *sample[split:]), values


def at_points(
    cls: type[Any], sample: tuple[Any, ...], points: Any, place: int = 0
) -> tuple[Any, Any]:
    """Return a tensor of points in the place of the last operand with a derivative, and the result.

    Each of the other arrays becomes its element at a `place`.
    """
    split = len(sample) - len(cls.params)
    operands: list[Any] = [*sample[:split]]
    moving = [i for i, x in enumerate(operands) if isinstance(x, np.ndarray)]
    last = next(i for i in reversed(moving) if i not in cls.underived)
    x = symgrad.tensor(points, dtype=symgrad.float64, requires_grad=True)
    for i in moving:
        number = float(operands[i].flat[place])
        operands[i] = x if i == last else symgrad.tensor(number, dtype=symgrad.float64)
    return x, bind(cls, operands, sample[split:])


def all_samples() -> list[Any]:
    return [
        pytest.param(cls, sample, id=f"{name}-{i}")
        for name, cls in kinds().items()
        if cls.__module__.startswith("symgrad.")
        for i, sample in enumerate(cls.samples)
    ]


def with_derivatives(cls: type[Primitive], sample: tuple[Any, ...]) -> Iterator[Case]:
    """The node of a sample, its first derivatives and its second ones, each with values."""
    e, values = node_of(cls, sample)
    yield e, values
    if not (cls.differentiable and e.dtype.differentiable) or e.missing_derivative():
        return
    rng = np.random.default_rng(0)

    def extended(name: str, x: ArrayExpr, known: dict[str, np.ndarray]) -> Any:
        value = rng.uniform(0.3, 1.3, x.shape).astype(x.dtype.numpy)
        return Leaf(name, x.shape, x.dtype), {**known, name: value}

    wrt = [x for i, x in enumerate(e.operands) if isinstance(x, Leaf) and i not in cls.underived]
    wrt = [x for x in dict.fromkeys(wrt) if x.dtype.differentiable]
    ct, known = extended("ct", e, values)
    for first in vjp([e], [ct], wrt):
        if first is None:
            continue
        yield first, known
        weight, more = extended("weight", first, known)
        for second in vjp([first], [weight], [*wrt, ct]):
            if second is not None:
                yield second, more


@functools.cache
def chain(n: int = 10_000) -> ArrayExpr:
    """A formula of `n` operations, one on top of the other."""
    e = symgrad.leaf("x")
    for i in range(n):
        e = e.tanh() if i % 2 else e + 1
    return e


def longest_chain() -> ArrayExpr:
    return chain(100_000)


#: Formulas that a walk must not descend into by recursion, nor along each of their paths.
deep_or_wide = pytest.mark.parametrize(
    "make", [chain, pytest.param(longest_chain, marks=pytest.mark.slow), lambda: wide()]
)


def wide(n: int = 60) -> ArrayExpr:
    """A formula of `n` operations and 2**n paths."""
    e = symgrad.leaf("x")
    for _ in range(n):
        e = e * e
    return e


_LEAVES = [symgrad.leaf("x"), symgrad.leaf("v", (3,)), symgrad.leaf("m", (2, 3))]
VALUES = {
    "x": np.array(0.7),
    "v": np.array([0.3, -1.2, 2.0]),
    "m": np.array([[0.5, -0.25, 1.5], [2.5, 0.1, -3.0]]),
}


def expressions() -> st.SearchStrategy[ArrayExpr]:
    """Random formulas of the leaves x, v, m, with parts that are shared."""
    numbers = st.sampled_from([2, -3, 0.5, -0.1, 1e-7, 3.5e30])
    unary = st.sampled_from(["neg", "tanh", "sin", "exp", "square", "sigmoid", "abs"])
    binary = st.sampled_from("+-*/")

    def grow(inner: st.SearchStrategy[ArrayExpr]) -> st.SearchStrategy[ArrayExpr]:
        return st.one_of(
            st.builds(lambda f, e: getattr(e, f)(), unary, inner),
            st.builds(_combined, binary, inner, inner),
            st.builds(_combined, binary, inner, numbers),
            st.builds(_combined, binary, numbers, inner),
            st.builds(lambda e: (e * e + e).tanh(), inner),
            st.builds(lambda e: e.sum() * e, inner),
            st.builds(_reduced, inner, st.sampled_from([0, 1]), st.booleans()),
            st.builds(lambda e: e.expand(2, 3), inner),
            st.builds(lambda e, p: e**p, inner, st.sampled_from([2, 3, -1])),
        )

    return st.recursive(st.sampled_from(_LEAVES), grow, max_leaves=12)


def _reduced(e: ArrayExpr, axis: int, keepdim: bool) -> ArrayExpr:
    """Return sums over an axis, of a shape that broadcasts to (2, 3)."""
    if axis >= e.ndim:
        return e
    return e.sum(axis, keepdim=keepdim or (axis == 1 and e.shape[0] > 1))


def _combined(op: str, a: Any, b: Any) -> ArrayExpr:
    if op == "+":
        return a + b
    if op == "-":
        return a - b
    return a * b if op == "*" else a / b
