"""To and from SymPy, and primitives made of its functions."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.special
import sympy

import symgrad
from symgrad.expr.graph import toposort

x, y = sympy.symbols("x y", real=True)
FORMULAS = [
    x + 2 * y - 1,
    x**2 / (1 + y**2),
    sympy.exp(-x) * sympy.sin(y) / sympy.sqrt(x**2 + 1),
    sympy.Piecewise((x, x > y), (y**2, True)),
    sympy.Max(x, y, 0) + sympy.Min(x, -y) + sympy.Abs(x) * sympy.sign(y),
    sympy.atan2(y, x) + sympy.floor(x) + sympy.ceiling(y),
    sympy.log(1 + x**2) * sympy.tanh(y) - sympy.Rational(1, 3),
    sympy.Heaviside(x) * y + sympy.erf(x),
    sympy.besselj(0, x) + sympy.gamma(2 + y**2),
    x ** sympy.Rational(2) * sympy.pi - sympy.E,
]
POINTS = [(0.7, -0.4), (1.3, 2.1), (-0.6, 0.9)]


@pytest.mark.parametrize("formula", FORMULAS, ids=str)
@pytest.mark.parametrize("point", POINTS)
def test_from_sympy_has_the_value(formula, point):
    e = symgrad.from_sympy(formula)
    exact = float(formula.subs({x: point[0], y: point[1]}).evalf(30))
    values = {n: v for n, v in zip("xy", point, strict=True) if sympy.Symbol(n, real=True) in
              formula.free_symbols}  # fmt: skip
    assert float(e.evaluate(values)) == pytest.approx(exact, rel=1e-13)


@pytest.mark.parametrize("formula", FORMULAS[:8], ids=str)
def test_there_and_back(formula):
    back = symgrad.from_sympy(formula).to_sympy("scalar")
    assert not any("symgrad" in type(n).__module__ for n in sympy.preorder_traversal(back))
    for px, py in POINTS:
        difference = (back - formula).subs({x: px, y: py})
        assert abs(float(difference.evalf(30))) < 1e-12


def test_mapping_to_tensors_records():
    t = symgrad.tensor([0.5, 1.5], dtype=symgrad.float64, requires_grad=True)
    out = symgrad.from_sympy(sympy.sin(x) * x, {x: t})
    out.sum().backward()
    v = np.array([0.5, 1.5])
    np.testing.assert_allclose(t.grad.numpy(), np.cos(v) * v + np.sin(v), rtol=1e-15)


def test_text_is_never_evaluated():
    for bad in ("x", b"x"):
        with pytest.raises(TypeError, match="not text"):
            symgrad.from_sympy(bad)
    with pytest.raises(TypeError, match="text, which is never evaluated"):
        symgrad.from_sympy(x, {x: "__import__('os')"})
    with pytest.raises(ValueError, match="identifier"):
        symgrad.from_sympy(sympy.Symbol("a b"))


def test_deep_formulas():
    formula = x
    for _ in range(300):
        formula = sympy.sin(formula, evaluate=False)
    assert len(toposort([symgrad.from_sympy(formula)])) == 301


def test_to_sympy_refuses_what_it_has_no_form_for():
    e = symgrad.leaf("v", (3,))
    with pytest.raises(ValueError, match="there is scalar"):
        e.to_sympy("nothing")
    with pytest.raises(ValueError, match="sum does not work element by element"):
        e.sum().to_sympy("scalar")


@pytest.mark.parametrize(
    ("function", "reference", "slope"),
    [
        (sympy.airyai, lambda v: scipy.special.airy(v)[0], lambda v: scipy.special.airy(v)[1]),
        (sympy.gamma, scipy.special.gamma, lambda v: scipy.special.gamma(v) * scipy.special.psi(v)),
        (sympy.loggamma, scipy.special.gammaln, scipy.special.psi),
        (
            sympy.fresnels,
            lambda v: scipy.special.fresnel(v)[0],
            lambda v: np.sin(np.pi * v * v / 2),
        ),
    ],
    ids=lambda f: getattr(f, "__name__", ""),
)
def test_elementwise(function, reference, slope):
    v = np.array([[0.3, 1.7], [2.2, 0.9]])
    t = symgrad.tensor(v, requires_grad=True)
    out = symgrad.elementwise(function)(t)
    np.testing.assert_allclose(out.detach().numpy(), reference(v), rtol=1e-13)
    (g,) = symgrad.autograd.grad(out.sum(), t, create_graph=True)
    np.testing.assert_allclose(g.detach().numpy(), slope(v), rtol=1e-11)
    (h,) = symgrad.autograd.grad(g.sum(), t)
    step = 1e-6
    np.testing.assert_allclose(
        h.numpy(), (slope(v + step) - slope(v - step)) / (2 * step), rtol=1e-7
    )


def test_elementwise_of_two_arguments_names_what_has_no_derivative():
    jv = symgrad.elementwise(sympy.besselj)
    t = symgrad.tensor([0.4, 1.2], dtype=symgrad.float64, requires_grad=True)
    jv(1, t).sum().backward()
    np.testing.assert_allclose(t.grad.numpy(), scipy.special.jvp(1, t.detach().numpy()), rtol=1e-13)
    order = symgrad.tensor([0.5, 1.0], dtype=symgrad.float64, requires_grad=True)
    with pytest.raises(RuntimeError, match=r"besselj .* argument 1"):
        jv(order, t.detach())


def test_elementwise_refuses_what_is_no_function():
    for bad in ("airyai", np.sin, 3):
        with pytest.raises(TypeError, match="function of SymPy"):
            symgrad.elementwise(bad)


def test_made_primitives_pickle():
    e = symgrad.elementwise(sympy.airyai)(symgrad.leaf("x", (2,)))
    assert pickle.loads(pickle.dumps(e)) is e
