"""Stable forms: equal to what is written, and accurate where the written derivative is not."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy

import symgrad
from symgrad.differentiate.sweeps import vjp
from symgrad.expr.atoms import Const
from symgrad.ops.error_functions import log_erfc
from symgrad.ops.logarithms import logcosh
from symgrad.ops.sigmoid import log1pexp, logistic
from symgrad.ops.trigonometric import sinoverx

TAILS = [-800.0, -40.0, -3.0, -0.5, 0.0, 0.5, 3.0, 40.0, 800.0]


def sigmoid(x):
    return 1 / (1 + mpmath.exp(-x))


# name: what the user writes, its derivative, its second derivative
WRITTEN = {
    "log(1+exp)": (
        lambda t, x: t.log(1 + t.exp(x)),
        sigmoid,
        lambda x: sigmoid(x) * sigmoid(-x),
    ),
    "log(exp+1)": (
        lambda t, x: (x.exp() + 1).log(),
        sigmoid,
        lambda x: sigmoid(x) * sigmoid(-x),
    ),
    "log1p(exp)": (
        lambda t, x: x.exp().log1p(),
        sigmoid,
        lambda x: sigmoid(x) * sigmoid(-x),
    ),
    "log(sigmoid)": (
        lambda t, x: x.sigmoid().log(),
        lambda x: sigmoid(-x),
        lambda x: -sigmoid(x) * sigmoid(-x),
    ),
    "log(1-sigmoid)": (
        lambda t, x: (1 - x.sigmoid()).log(),
        lambda x: -sigmoid(x),
        lambda x: -sigmoid(x) * sigmoid(-x),
    ),
    "log(1/(1+exp(-x)))": (
        lambda t, x: (1 / (1 + (-x).exp())).log(),
        lambda x: sigmoid(-x),
        lambda x: -sigmoid(x) * sigmoid(-x),
    ),
    "1/(1+exp(-x))": (
        lambda t, x: 1 / (1 + (-x).exp()),
        lambda x: sigmoid(x) * sigmoid(-x),
        lambda x: sigmoid(x) * sigmoid(-x) * (1 - 2 * sigmoid(x)),
    ),
    "reciprocal": (
        lambda t, x: ((-x).exp() + 1).reciprocal(),
        lambda x: sigmoid(x) * sigmoid(-x),
        lambda x: sigmoid(x) * sigmoid(-x) * (1 - 2 * sigmoid(x)),
    ),
    "log(cosh)": (lambda t, x: x.cosh().log(), mpmath.tanh, lambda x: mpmath.sech(x) ** 2),
    "abs**2": (lambda t, x: x.abs() ** 2, lambda x: 2 * x, lambda x: 2),
    "abs*abs": (lambda t, x: x.abs() * x.abs(), lambda x: 2 * x, lambda x: 2),
}


def expected(f, points):
    with mpmath.workdps(700):
        return np.array([float(f(mpmath.mpf(p))) for p in points])


@pytest.mark.parametrize("name", WRITTEN)
def test_by_backward(name):
    write, first, second = WRITTEN[name]
    x = symgrad.tensor(TAILS, dtype=symgrad.float64, requires_grad=True)
    (g,) = symgrad.autograd.grad(write(symgrad, x).sum(), x, create_graph=True)
    np.testing.assert_allclose(g.detach().numpy(), expected(first, TAILS), rtol=1e-14, atol=1e-300)
    (h,) = symgrad.autograd.grad(g.sum(), x)
    # tanh' reuses its output: an absolute accuracy
    np.testing.assert_allclose(h.numpy(), expected(second, TAILS), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", WRITTEN)
def test_by_vjp(name):
    write, first, _ = WRITTEN[name]
    x = symgrad.leaf("x", (len(TAILS),))
    (g,) = vjp([write(symgrad, x)], [Const(1.0).broadcast_to(x.shape)], [x])
    with np.errstate(all="ignore"):
        found = g.evaluate({"x": np.array(TAILS)})
    np.testing.assert_allclose(found, expected(first, TAILS), rtol=1e-14, atol=1e-300)


def test_log_of_erfc_keeps_its_tail():
    points = [-30.0, -2.0, 0.0, 2.0, 30.0, 1000.0]
    x = symgrad.tensor(points, dtype=symgrad.float64, requires_grad=True)
    (g,) = symgrad.autograd.grad(x.erfc().log().sum(), x)

    def slope(v):
        # erfc(1000) underflows every float: the continued fraction's leading terms.
        if v > 100:
            return -2 * v * (1 + 1 / (2 * v * v))
        return -2 / mpmath.sqrt(mpmath.pi) * mpmath.exp(-v * v) / mpmath.erfc(v)

    np.testing.assert_allclose(g.numpy(), expected(slope, points), rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("order", [0, 1, 2, 3, 4])
def test_sin_over_x_at_any_order(order):
    points = [0.0, 1e-9, 0.1, 1.0, 1.99, 2.01, -3.5, 5.9, 6.1, 50.0]
    x = symgrad.tensor(points, dtype=symgrad.float64, requires_grad=True)
    y = x.sin() / x
    for _ in range(order):
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
    with mpmath.workdps(60):
        exact = [
            float(mpmath.quad(lambda t, p=p: t**order * mpmath.cos(p * t + order * mpmath.pi / 2),
                              mpmath.linspace(0, 1, 9)))
            for p in map(mpmath.mpf, points)
        ]  # fmt: skip
    start = 0 if order else 1  # the value itself is as written: nan at 0
    np.testing.assert_allclose(y.detach().numpy()[start:], exact[start:], rtol=1e-11, atol=1e-13)


X = sympy.Symbol("x", real=True)


@pytest.mark.parametrize(
    ("form", "written"),
    [
        (log1pexp.scalar(X), sympy.log(1 + sympy.exp(X))),
        (-log1pexp.scalar(-X), sympy.log(1 / (1 + sympy.exp(-X)))),
        (-log1pexp.scalar(X), sympy.log(1 - 1 / (1 + sympy.exp(-X)))),
        (logistic.scalar(X), 1 / (1 + sympy.exp(-X))),
        (logcosh.scalar(X), sympy.log(sympy.cosh(X))),
        (log_erfc.scalar(X), sympy.log(sympy.erfc(X))),
    ],
)
def test_forms_are_proved(form, written):
    """Equal at a point, and equal derivatives everywhere."""
    assert sympy.simplify(sympy.diff(form - written, X)) == 0
    assert abs(sympy.N((form - written).subs(X, sympy.Rational(1, 3)), 40)) < sympy.Float("1e-30")


def test_sin_over_x_is_proved():
    call = sinoverx.kernel.number_systems["sympy"]
    for order in range(3):
        found = call(np.array([X], dtype=object), order)[0]
        assert sympy.simplify(found - sympy.diff(sympy.sin(X) / X, X, order)) == 0


def test_values_are_as_written():
    """Only derivatives take the stable form."""
    x = symgrad.tensor([800.0], dtype=symgrad.float64, requires_grad=True)
    assert symgrad.log(1 + symgrad.exp(x)).item() == np.inf


def test_log_of_sum_of_exponentials():
    data = np.array([[800.0, 0.0, -800.0], [1000.0, 1000.0, 999.0]])
    x = symgrad.tensor(data, requires_grad=True)
    (g,) = symgrad.autograd.grad(x.exp().sum(1).log().sum(), x)
    weights = np.exp(data - data.max(1, keepdims=True))
    np.testing.assert_allclose(g.numpy(), weights / weights.sum(1, keepdims=True), rtol=1e-12)


@pytest.mark.parametrize(
    "write",
    [
        lambda x: (x * x).sum().sqrt(),
        lambda x: (x**2).sum().sqrt(),
        lambda x: x.square().sum() ** 0.5,
    ],
)
def test_root_of_squares_at_zero_and_elsewhere(write):
    for data in ([0.0, 0.0], [3.0, 4.0]):
        x = symgrad.tensor(data, dtype=symgrad.float64, requires_grad=True)
        (g,) = symgrad.autograd.grad(write(x), x)
        np.testing.assert_allclose(g.numpy(), np.array(data) / (np.hypot(*data) or 1), rtol=1e-15)


def test_square_of_norm_is_smooth():
    x = symgrad.tensor([0.0, 0.0], dtype=symgrad.float64, requires_grad=True)
    (g,) = symgrad.autograd.grad(x.norm() ** 2, x, create_graph=True)
    (h,) = symgrad.autograd.grad(g.sum(), x)
    np.testing.assert_array_equal(g.detach().numpy(), [0, 0])
    np.testing.assert_array_equal(h.numpy(), [2, 2])


def test_log_erfc_has_a_second_derivative_where_erfcx_overflows():
    x = symgrad.tensor([-800.0, -40.0, 0.0, 800.0], dtype=symgrad.float64, requires_grad=True)
    (slope,) = symgrad.autograd.grad(symgrad.erfc(x).log().sum(), x, create_graph=True)
    (second,) = symgrad.autograd.grad(slope.sum(), x)
    np.testing.assert_allclose(second.numpy(), [0, 0, -4 / np.pi, -2], rtol=1e-5, atol=1e-300)
