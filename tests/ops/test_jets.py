"""Taylor coefficients: those of every operation, of high order, of functions, and their number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import symgrad
from symgrad.differentiate.jet import NeedsFactors, as_array, jet
from symgrad.differentiate.sweeps import jvp, with_derivative_rewrites
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.dtypes import float64
from symgrad.expr.graph import replace_nodes, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.deriving import differentiated_again
from tests.each import each, in_part
from tests.ops.test_laws import DIFFERENTIABLE, SAMPLES, make, spread, with_slow

_T = Leaf("t")


@with_derivative_rewrites
def _along_curve(y: ArrayExpr, moves: dict[ArrayExpr, list[Any]], order: int) -> list[ArrayExpr]:
    """The derivatives by t of `y` on the curves with these coefficients, one of the other."""
    curve = {x: x + v * _T.to(x.dtype) + w * _T.to(x.dtype) ** 2 for x, (v, w) in moves.items()}
    (made,) = replace_nodes([y], curve)
    found = []
    for _ in range(order):
        (moved,) = jvp([made], [_T], [Const(1, float64)])
        made = Const(0, y.dtype).broadcast_to(y.shape) if moved is None else moved
        found.append(made)
    return found


@each("name", in_part(with_slow(DIFFERENTIABLE), among=2))
def test_coefficients_are_those_of_nested_derivatives(name: str) -> None:
    sample = make(*SAMPLES[name])
    values = sample.generic()
    moves = {
        x: [spread(values[x].shape, x.dtype, 40 + 2 * i + j) for j in range(2)]
        for i, x in enumerate(sample.moving())
    }
    given = {
        x: [symgrad.leaf(f"d{i}{j}", x.shape, x.dtype) for j in range(2)]
        for i, x in enumerate(moves)
    }
    with differentiated_again():
        try:
            (found,) = jet([sample.node], list(given), list(given.values()), 3)
        except NeedsFactors:
            return
    wanted = _along_curve(sample.node, moves, 3)
    numbers = values | {d: v for x in moves for d, v in zip(given[x], moves[x], strict=True)}
    for k, (c, formula) in enumerate(zip(found[1:], wanted, strict=True), 1):
        made = as_array(c, sample.node)
        value = math.factorial(k) * made.evaluate({x: numbers[x] for x in made.leaves})
        expected = formula.evaluate({x: {_T: 0.0, **numbers}[x] for x in formula.leaves})
        scale = np.max(np.abs(expected), initial=1.0)
        np.testing.assert_allclose(value, expected, rtol=1e-9, atol=1e-10 * scale, err_msg=str(k))


def _six_times(x: Any) -> Any:
    for _ in range(6):
        x = 3.5 * x * (1 - x)
    return x


class _OfMpmath:
    """The functions of mpmath under symgrad's names."""

    def __getattr__(self, name: str) -> Any:
        return {"lgamma": mpmath.loggamma}.get(name) or getattr(mpmath, name)


#: Functions of a library and a number, and the most operations that their eighth derivatives have.
FUNCTIONS: dict[str, tuple[Callable[[Any, Any], Any], int]] = {
    "tanh(sin(x)*x)": (lambda m, x: m.tanh(m.sin(x) * x), 185),
    "sqrt(1+x**2)": (lambda m, x: m.sqrt(1 + x**2), 55),
    "x**x": (lambda m, x: x**x, 140),
    "logistic map, six times": (lambda m, x: _six_times(x), 300),
    "1/(1+x**2)": (lambda m, x: 1 / (1 + x**2), 200),
    "log(x)/x": (lambda m, x: m.log(x) / x, 150),
    "exp(-x*x)": (lambda m, x: m.exp(-x * x), 40),
    "lgamma(x)": (lambda m, x: m.lgamma(x), 1),
    "x**2.5": (lambda m, x: x**2.5, 12),
    "(1+x)**-3": (lambda m, x: (1 + x) ** -3, 4),
    "(x+x*x)**5": (lambda m, x: (x + x * x) ** 5, 60),
    "atan(exp(x))": (lambda m, x: m.atan(m.exp(x)), 250),
}


@each("name", in_part(list(FUNCTIONS), group=str, among=2))
def test_high_derivatives(name: str) -> None:
    f, most = FUNCTIONS[name]
    x = symgrad.leaf("x")
    with mpmath.workdps(60):
        exact = mpmath.taylor(lambda t: f(_OfMpmath(), t), mpmath.mpf(0.3), 10)
    for order in (3, 6, 8, 10):
        found = symgrad.derive(f(symgrad, x), x, order=order)
        value = float(math.factorial(order) * exact[order])
        assert found.evaluate({"x": 0.3}) == pytest.approx(value, rel=1e-11), order
        if order == 8:
            assert sum(1 for e in toposort([found]) if e.operands) <= most


def test_orders_to_twenty() -> None:
    x = symgrad.leaf("x")
    made = symgrad.derive(symgrad.tanh(x), x, order=20)
    with mpmath.workdps(60):
        exact = float(mpmath.diff(mpmath.tanh, 0.3, 20))
    assert made.evaluate({"x": 0.3}) == pytest.approx(exact, rel=1e-11)
    assert symgrad.derive(symgrad.sin(x), x, order=20) == symgrad.sin(x)
    assert symgrad.derive(x**5 - x, x, order=6) == 0


@each("kind, order, point", [("float16", 10, 2.0), ("float32", 36, 2.0), ("float64", 172, 1.3)])
def test_factorials_that_the_dtype_does_not_hold(kind: str, order: int, point: float) -> None:
    x = symgrad.leaf("x", dtype=getattr(symgrad, kind))
    found = symgrad.derive(symgrad.log(x), x, order=order).evaluate({"x": point})
    with mpmath.workdps(60):
        exact = float(-mpmath.factorial(order - 1) / mpmath.mpf(point) ** order)
    assert float(found) == pytest.approx(exact, rel=8 * order * float(np.finfo(kind).eps))


SINGULAR: dict[str, tuple[Callable[[Any], Any], float]] = {
    "softplus": (lambda x: symgrad.log(1 + symgrad.exp(x)), -800.0),
    "logistic": (lambda x: 1 / (1 + symgrad.exp(x)), 800.0),
    "hyperbola": (lambda x: symgrad.sqrt(1 + x * x), 1e160),
    "tail of tanh": (lambda x: symgrad.log1p(symgrad.tanh(x)), -18.0),
    "power at 0": (lambda x: x**5.5 + x**3, 0.0),
    "masked": (lambda x: symgrad.where(x > 0, symgrad.log(x), x**4), -1.0),
    "length at 0": (lambda x: symgrad.cos(symgrad.abs(x)), 0.0),
    "infinite power": (lambda x: x**math.inf, 0.5),
    "infinite negative power": (lambda x: x**-math.inf, 2.0),
    "power that is no number": (lambda x: x**math.nan, 0.5),
}  # fmt: skip


@each("order", [3, 4])
@each("name", list(SINGULAR))
def test_where_a_written_formula_overflows_or_is_singular(name: str, order: int) -> None:
    f, point = SINGULAR[name]
    x = symgrad.leaf("x")
    made = f(x)
    for _ in range(order):
        made = symgrad.derive(made, x)
    found = symgrad.derive(f(x), x, order=order).evaluate({"x": point})
    wanted = float(made.evaluate({"x": point}))
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-14, nan_ok=True)


# ------------------------------------------------------------------ func.jet


def test_a_curve_of_tensors() -> None:
    def f(a: Any, b: Any) -> Any:
        return {"y": symgrad.sin(a * b).sum(), "z": (a @ b, a / b)}

    a, da, dda, b, db = symgrad.randn(5, 3, dtype=float64).unbind()
    value, derivatives = symgrad.func.jet(f, (a, b), ([da, dda], [db]))
    assert value["z"][0] == a @ b
    moved = [a @ db + da @ b, dda @ b + 2 * (da @ db)]
    np.testing.assert_allclose(derivatives["z"][0], moved, rtol=1e-13)
    t = symgrad.tensor(0.0, dtype=float64, requires_grad=True)
    y = f(a + da * t + dda * t * t / 2, b + db * t)["y"]
    (first,) = symgrad.autograd.grad(y, t, create_graph=True)
    (second,) = symgrad.autograd.grad(first, t)
    np.testing.assert_allclose(derivatives["y"], [first.item(), second.item()], rtol=1e-12)


def test_what_jet_returns_is_differentiable() -> None:
    x = symgrad.tensor(0.5, dtype=float64, requires_grad=True)
    _, (first, second) = symgrad.func.jet(lambda x: x**4, (x,), ([1.0, 0.0],))
    (third,) = symgrad.autograd.grad(second, x)
    assert (first.item(), second.item(), third.item()) == (0.5, 3.0, 12.0)


def test_curves_of_formulas_and_lengths() -> None:
    s, v = symgrad.leaf("s"), symgrad.leaf("v", (2,))
    assert symgrad.func.jet(symgrad.exp, (s,), ([1.0, 0.0],)) == (s.exp(), [s.exp(), s.exp()])
    zero = symgrad.zeros(2, dtype=float64)
    _, (first, second) = symgrad.func.jet(
        lambda v: symgrad.cos(v.norm()), (zero,), ([zero + 1, zero],)
    )
    assert (first.item(), second.item()) == (0.0, -2.0)
    value, derivatives = symgrad.func.jet(lambda v: 2.0, (v,), ([v],))
    assert value == 2.0
    assert derivatives == [0.0]


def _lengths(a: Any, b: Any) -> Any:
    return symgrad.hypot(a, 2 * a), symgrad.abs(b * 2), symgrad.abs(b) * a


@each("kind", ["float32", "float64", "complex128"])
def test_lengths_along_curves_have_the_dtypes_of_the_values(kind: str) -> None:
    a, b = symgrad.tensor(3.0, dtype=float64), symgrad.tensor(-2.0, dtype=getattr(symgrad, kind))
    for f, x, y in [(_lengths, a, b), (lambda b, a: _lengths(a, b), b, a)]:
        values, derivatives = symgrad.func.jet(f, (x, y), ([1.0], [1.0]))
        assert [d.dtype for (d,) in derivatives] == [v.dtype for v in values]
        wanted = [math.sqrt(5), -2.0, -1.0]
        np.testing.assert_allclose([d.item() for (d,) in derivatives], wanted, rtol=1e-6)


def test_jet_of_mapped_arrays_numbers_and_large_coefficients() -> None:
    v = symgrad.tensor([1.0, 2.0], dtype=float64)
    mapped = symgrad.vmap(lambda x: symgrad.func.jet(symgrad.exp, (x,), ([1.0, x],))[1][1])
    np.testing.assert_allclose(mapped(v), (1 + v) * symgrad.exp(v), rtol=1e-14)
    value, (derivative,) = symgrad.func.jet(lambda x: 2.0, (1.0,), ([1.0],))
    assert (value.item(), derivative.item()) == (2.0, 0.0)
    x = symgrad.tensor(0.0, dtype=float64)
    assert symgrad.func.jet(symgrad.sin, (x,), ([1e300],))[1][0].item() == 1e300


BAD: dict[str, Callable[[], Any]] = {
    "fun must be a function, got int": lambda: symgrad.func.jet(3, (1.0,), ([1.0],)),
    "primals must be a tuple, got float": lambda: symgrad.func.jet(abs, 1.0, [[1.0]]),
    "series has 1 entries for 2 primals": lambda: symgrad.func.jet(abs, (1.0, 2.0), ([1.0],)),
    "primal 0 must be of a floating or complex": lambda: symgrad.func.jet(abs, (1,), ([1.0],)),
    "the derivatives of primal 0 must be a list": lambda: symgrad.func.jet(abs, (1.0,), (1.0,)),
    "primal 0 must be an array, got str": lambda: symgrad.func.jet(abs, ("1",), ([1.0],)),
    "derivative 2 of primal 0 must have the shape": lambda: symgrad.func.jet(
        abs, (1.0,), ([1.0, np.ones(3)],)
    ),
    "derivative 1 of primal 0 must be real, as the primal is": lambda: symgrad.func.jet(
        abs, (1.0,), ([1j],)
    ),
    "returned str, which is no array": lambda: symgrad.func.jet(str, (1.0,), ([1.0],)),
    "which is no primal; give it as one": lambda: symgrad.func.jet(
        lambda x: x * symgrad.ones(2, requires_grad=True), (1.0,), ([1.0],)
    ),
}  # fmt: skip


@each("message", list(BAD))
def test_bad_input(message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"jet.*{message}"):
        BAD[message]()


def test_the_cost_of_a_chain_is_linear() -> None:
    x = symgrad.leaf("x")

    def operations(n: int) -> int:
        y = x
        for _ in range(n):
            y = symgrad.sin(y)
        return sum(1 for e in toposort([symgrad.derive(y, x, order=4)]) if e.operands)

    counts = [operations(n) for n in (20, 40, 60)]
    assert counts[2] - counts[1] == counts[1] - counts[0]
