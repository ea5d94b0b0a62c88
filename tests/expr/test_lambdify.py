"""`lambdify`, and the order in which functions made of expressions take their leaves."""

import warnings
from typing import Any

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from sympy.utilities.lambdify import implemented_function

import symgrad
from symgrad.expr.atoms import ArrayConst
from symgrad.expr.node import ArrayExpr
from symgrad.ops.primitive import Primitive
from tests.each import each, in_part

from .samples import VALUES, all_samples, chain, expressions, node_of, wide

x, v = symgrad.leaf("x"), symgrad.leaf("v", (3,))


@each("cls, sample", in_part(all_samples()))
def test_it_computes_the_value(cls: type[Primitive], sample: tuple[Any, ...]) -> None:
    e, values = node_of(cls, sample)
    want = e.evaluate(values)
    got = e.lambdify()(**values)
    np.testing.assert_array_equal(got, want)
    assert got.dtype == want.dtype and not any(np.shares_memory(got, a) for a in values.values())
    again = e.lambdify(list(values)[::-1])(*list(values.values())[::-1])
    np.testing.assert_array_equal(again, want)


@given(expressions())
@settings(max_examples=50)
def test_sympys_lambdify_computes_the_value(e: ArrayExpr) -> None:
    values = [VALUES[a.name] for a in e.leaves]
    with np.errstate(all="ignore"):
        got = sympy.lambdify(e.leaves, e, "numpy")(*values)
    np.testing.assert_array_equal(got, e.lambdify(e.leaves)(*values))


def test_deep_and_shared() -> None:
    # 2**60 paths, and ten times deeper than Python recurses.
    for e in (wide(), chain(10_000)):
        want = e.evaluate({x: 0.5})
        for f in (e.lambdify(), sympy.lambdify(x, e), sympy.lambdify([x], e, "numpy", cse=True)):
            np.testing.assert_allclose(f(0.5), want, rtol=1e-15)
        both = sympy.lambdify([x], [e, e + 1], "numpy")(0.5)
        np.testing.assert_allclose(both, [want, want + 1], rtol=1e-15)


def test_sympys_own_formulas_are_left_to_sympy() -> None:
    t = sympy.Symbol("t")
    twice = implemented_function("twice", lambda z: 2 * z)
    assert sympy.lambdify(t, [twice(t), sympy.sin(t)])(0.0) == [0.0, 0.0]
    assert sympy.lambdify(t, twice(t + 1))(2) == 6
    assert sympy.lambdify([t, x], [twice(t), x.exp()])(2, 0.0) == [4, 1.0]


def test_arguments() -> None:
    a, b = symgrad.leaf("x10"), symgrad.leaf("x2")
    e = a.exp() * b
    f = e.lambdify()
    assert f(3, 0) == f(x2=3, x10=0) == f(3, x10=0) == e.lambdify([a, "x2"])(0, 3) == 3
    assert e.lambdify(["x10", b, v])(0, 3, [1, 2, 3]) == 3
    for call, error, message in (
        (lambda: f(3), TypeError, "no value for 'x10'"),
        (lambda: f(1, 2, 3), TypeError, "takes 2 values, got 3"),
        (lambda: f(1, x2=2), TypeError, "'x2' is given twice"),
        (lambda: f(1, y=2), TypeError, "'y' is no parameter; the parameters are x2, x10"),
        (lambda: f([1, 2], [1, 2, 3]), ValueError, r"one shape, got \(2,\) for 'x2', \(3,\) for"),
        (lambda: e.lambdify([a, b, v])(0, 3, 1), ValueError, r"'v' has shape \(3,\)"),
        (lambda: f(1j, 2), TypeError, "'x2' is float64"),
        (lambda: e.lambdify([a]), ValueError, "not among the inputs: .'x2'"),
        (lambda: e.lambdify([a, b, a]), ValueError, "'x10' is given twice"),
        (lambda: e.lambdify(["x10", "x2", "z"]), ValueError, "no leaf 'z'"),
        (lambda: e.lambdify([a, b, symgrad.leaf("x2", (3,))]), ValueError, "the input 'x2' has"),
        (lambda: e.lambdify("x2"), TypeError, "a sequence of leaves"),
        (lambda: e.lambdify([a, b, 1]), TypeError, "not for 1"),
    ):
        with pytest.raises(error, match=message):
            call()


def test_the_result_is_a_new_array() -> None:
    array = np.ones(3)
    for e in (v, v.reshape(3, 1), ArrayConst(np.ones(3)) + 0 * v, ArrayConst(np.ones(3))):
        f = e.lambdify([v])
        f(array)[...] = 7
        assert array.tolist() == [1, 1, 1] and (f(array) == 1).all()


def test_a_formula_and_its_derivatives_take_leaves_in_one_order() -> None:
    """That of the names, or the one that is asked for; never that of first use."""
    formulas = [
        symgrad.symbolic_trace(lambda a, b, c: b.exp() * c + a * c, a=(2,), c=(2,)),
        symgrad.symbolic_trace(lambda a, b, c: (c / (a - b)).sum(), a=(2,), b=(2,), c=(2,)),
    ]
    for y in formulas:
        for e in (y, *(symgrad.derive(y, name) for name in "abc")):
            for inputs in (None, "abc", "cab"):
                text = e.source("f", None if inputs is None else [_leaf(y, n) for n in inputs])
                taken = text.partition("def f(")[2].partition(")")[0].split(", ")
                assert taken == (list(inputs) if inputs else sorted(n.name for n in e.leaves))
    source = symgrad.explain(formulas[1]).source()
    assert "def gradients(a, b, c):" in source


def _leaf(e: ArrayExpr, name: str) -> ArrayExpr:
    return next(a for a in e.leaves if a.name == name)


def test_numbers_that_python_refuses_are_computed_by_numpy() -> None:
    x = symgrad.leaf("x")
    f = (1 / x + x.sqrt() + x * x.exp()).lambdify()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = [f(2.0), f(0.0), f(-1.0), f(1e308), f(2), f(np.float32(2)), f(np.array([0.0, 2.0]))]
    assert all(type(y) is np.ndarray and y.dtype == np.float64 for y in found)
    expected = 0.5 + np.sqrt(2.0) + 2 * np.exp(2.0)
    np.testing.assert_array_equal(
        np.hstack(found), [expected, np.inf, np.nan, np.inf, *[expected] * 2, np.inf, expected]
    )
    with pytest.raises(TypeError):
        f(1j)
