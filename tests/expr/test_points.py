"""0-d leaves take arrays: the formula at each of their elements."""

from typing import Any

import numpy as np
import pytest
import sympy

import symgrad
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import Primitive
from tests.each import each, in_part

from .samples import all_samples, chain, with_derivatives

s, t = symgrad.leaf("s"), symgrad.leaf("t")
v = symgrad.leaf("v", (3,))
V = np.array([1.0, 2.0, 4.0])


def run(source: str, name: str = "f") -> Any:
    names: dict[str, Any] = {}
    exec(source, names)
    return names[name]


def grids(e: ArrayExpr, known: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Three points, in which the 0-d leaves differ, one by one and as one grid."""
    values = {x.name: known[x.name] for x in e.leaves}
    numbers = [x for x in e.leaves if not x.shape]
    points = [dict(values) for _ in range(3)]
    for x in numbers:
        for k, point in enumerate(points):
            if x.dtype.differentiable:
                point[x.name] = (point[x.name] * (1 - 0.03 * k)).astype(x.dtype.numpy)
    return points, {**values, **{x.name: np.stack([p[x.name] for p in points]) for x in numbers}}


@each("cls, sample", in_part(all_samples(), among=4))
def test_it_is_the_formula_at_each_point(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    for e, known in with_derivatives(cls, sample):
        points, grid = grids(e, known)
        if all(x.shape for x in e.leaves):
            continue
        want = np.stack([e.evaluate(point) for point in points])
        rtol = 16 * np.finfo(want.dtype).eps if want.dtype.kind in "fc" else 0
        got = e.evaluate(grid)
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=rtol)
        np.testing.assert_array_equal(e.lambdify()(**grid), got)
        with np.errstate(all="ignore"):
            by_source = run(e.source())(**grid)
        assert by_source.dtype == want.dtype
        np.testing.assert_allclose(by_source, want, rtol=rtol)


def test_the_shape_of_the_points_comes_first() -> None:
    e = s * t * v
    grid = np.arange(6.0).reshape(2, 3)
    for f in (lambda s, t, v: e.evaluate({"s": s, "t": t, "v": v}), e.lambdify(["s", "t", v])):
        np.testing.assert_array_equal(f(grid, 2, V), 2 * grid[..., None] * V)
        np.testing.assert_array_equal(f(grid, grid, V), grid[..., None] ** 2 * V)
        column, row = grid[:, :1], grid[0]
        np.testing.assert_array_equal(f(column, row, V), (column * row)[..., None] * V)
        assert f(np.ones((2, 0)), 1, V).shape == (2, 0, 3)
        assert f(1, 1, V).shape == (3,)
        with pytest.raises(ValueError, match=r"one shape, got \(2, 3\) for 's', \(2,\) for 't'"):
            f(grid, [1, 2], V)
        with pytest.raises(
            ValueError, match=r"'v' has shape \(3,\), but its value has shape \(2, 3\)"
        ):
            f(1, 1, grid)
        with pytest.raises(ValueError, match="at most 64 dimensions, as NumPy's arrays, got 65"):
            f(np.ones((1,) * 64), 1, V)
        with pytest.raises(TypeError, match="'t' is float64, but its value is complex128"):
            f(1, [1j], V)


def test_source_takes_points() -> None:
    grid = np.arange(6.0).reshape(2, 3)
    loss = s * t * v.sum()
    for e in (s * t, loss, s * v, s * t.exp() + 2):
        names = [x.name for x in e.leaves]
        for values in ((grid, 2.0, V), (grid, grid, V), (grid[:, :1], grid[0], V), (V[:0], 1, V)):
            known = dict(zip("stv", values, strict=True))
            given = {name: known[name] for name in names}
            want = e.evaluate(given)
            got = run(e.source())(**given)
            assert got.shape == want.shape and got.dtype == want.dtype
            np.testing.assert_allclose(got, want, rtol=1e-15)
            by_sympy = sympy.lambdify(e.leaves, e)(*given.values())
            np.testing.assert_allclose(by_sympy, got, rtol=1e-14)
    gradients = run(symgrad.explain(loss).source(), "gradients")(t=grid, s=1.0, v=V)
    for got, (_, formula) in zip(gradients, symgrad.explain(loss).gradients.items(), strict=True):
        np.testing.assert_allclose(got, formula.evaluate({"t": grid, "s": 1, "v": V}), rtol=1e-15)
    with pytest.raises(ValueError, match=r"'v' has shape \(3,\), but its value has shape \(2, 3\)"):
        run((s * v).source())(1, grid)
    for wrong in (s * t, loss):
        with pytest.raises(ValueError, match="broadcast"):
            run(wrong.source())(s=grid, t=[1, 2], **({"v": V} if wrong is loss else {}))


@each("name", ["shape", "rows", "i", "r", "f", "np", "t1", "zip", "tuple", "c1"])
def test_source_at_points_keeps_the_names_of_leaves(name: str) -> None:
    number, array = symgrad.leaf(name), symgrad.leaf(f"{name}_", (3,))
    for e in (number.exp() * 2, (number * array).cumsum(0), (array * number + t).sum()):
        names = sorted(x.name for x in e.leaves)
        values = {x.name: V if x.shape else np.ones((2, 2)) for x in e.leaves}
        f = run(e.source(inputs=names))
        np.testing.assert_array_equal(f(*[values[n] for n in names]), e.evaluate(values))


def test_what_a_formula_lost_counts() -> None:
    """So a result has the same shape, whatever simplification has found."""
    twice = symgrad.derive((t - s) ** 2, t, order=2)
    assert not twice.leaves
    for value in (twice.evaluate({"t": V, "s": 1}), twice.lambdify(["t", "s"])(V, 1)):
        assert value.tolist() == [2, 2, 2]


def test_the_result_is_a_new_array() -> None:
    for e in (t + 0, t, v * 1 + 0 * t):
        for f in (lambda a, b, e=e: e.evaluate({t: a, v: b}), e.lambdify([t, v])):
            a, b = np.ones(4), np.ones(3)
            f(a, b)[...] = 7
            assert a.tolist() == [1, 1, 1, 1] and b.tolist() == [1, 1, 1]


def test_many_shapes_and_deep_formulas() -> None:
    f = chain(2_000).lambdify()
    for n in (1, 2, 3, 5, 300):
        points = np.linspace(-1, 1, n)
        np.testing.assert_allclose(f(points), [f(p) for p in points], rtol=1e-13)
