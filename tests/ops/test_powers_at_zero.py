"""Powers that were written as exponentials of logarithms have the power's derivatives at 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import symgrad
from symgrad.autograd import forward_ad
from symgrad.ops.powers import power_of_positive
from tests.autograd.support import tensor
from tests.each import each

POINTS = [0.0, 1e-200, 0.3, 1.0, 2.0, 50.0]

# What is written of an exponent, which is a number, or a tensor where the name says so.
WRITTEN: dict[str, Callable[[Any, Any], Any]] = {
    "exp(xlogy(c, x))": lambda x, c: symgrad.xlogy(c, x).exp(),
    "exp(xlogy(tensor, x))": lambda x, c: symgrad.xlogy(symgrad.full_like(x, c), x).exp(),
    "exp(c * log(x))": lambda x, c: (c * x.log()).exp(),
    "exp(log(x) * c)": lambda x, c: symgrad.exp(symgrad.log(x) * c),
}
EXPONENTS = [1, 2, 3, 0.5, 2.5, -1, 0.37]


def _derivatives(f: Callable[[Any], Any], points: list[float], order: int) -> list[Any]:
    x = tensor(points)
    y = f(x)
    found = []
    for _ in range(order):
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
        found.append(y.detach().numpy())
    return found


def _slope(c: float, k: int, p: float) -> float:
    """The derivative of order k of x**c, from the right at 0."""
    factor = mpmath.ff(mpmath.mpf(c), k)
    if not factor:
        return 0.0
    if p == 0:
        return float(factor) * (0.0 if c > k else 1.0 if c == k else np.inf)
    return float(factor * mpmath.mpf(p) ** (mpmath.mpf(c) - k))


@each("c", list(EXPONENTS))
@each("name", list(WRITTEN))
def test_derivatives_are_those_of_the_power(name: str, c: float) -> None:
    for k, got in enumerate(_derivatives(lambda x: WRITTEN[name](x, c), POINTS, 3), 1):
        wanted = [_slope(c, k, p) for p in POINTS]
        np.testing.assert_allclose(got, wanted, rtol=1e-12)


@pytest.mark.parametrize("name", WRITTEN)
def test_a_nan_of_the_logarithm_stays(name: str) -> None:
    for got in _derivatives(lambda x: WRITTEN[name](x, 2), [-1.0], 2):
        assert np.isnan(got).all()


@pytest.mark.parametrize(
    ("f", "slopes"),
    [
        (lambda x: (x.log() / 2).exp(), [np.inf, 0.5]),
        (lambda x: (x.log() / 0.25).exp(), [0.0, 4.0]),
        (lambda x: x.log().exp(), [1.0, 1.0]),
    ],
)
def test_quotients_and_plain_logarithms(f: Any, slopes: list[float]) -> None:
    assert _derivatives(f, [0.0, 1.0], 1)[0].tolist() == slopes


def test_derivatives_in_the_exponent() -> None:
    x, c = tensor([0.0, 0.0, 2.0, -1.0]), tensor([2.0, 0.0, 3.0, 0.0])
    (g,) = symgrad.autograd.grad(symgrad.xlogy(c, x).exp().sum(), c)
    np.testing.assert_allclose(g.numpy(), [0, 0, 8 * np.log(2), 0])


def test_the_form_is_proved() -> None:
    x, c = sympy.symbols("x c", positive=True)
    assert sympy.simplify(sympy.exp(c * sympy.log(x)) - power_of_positive.scalar(x, c)) == 0


@pytest.mark.parametrize("ct", [0.0, 1.5])
def test_what_a_zero_multiplies_is_left_out_of_xlogy(ct: float) -> None:
    """As PyTorch's xlogy(ct, y): at y = 0 a cotangent of 0 gives 0, another an infinity."""
    x = tensor([2.0, 0.0, 3.0, 2.0, 2.0, 0.0, np.inf, 2.0])
    y = tensor([0.0, 0.0, 4.0, -1.0, np.inf, np.inf, np.inf, np.nan])
    weights = symgrad.full_like(x, ct)
    first, _ = symgrad.autograd.grad(symgrad.xlogy(x, y), [x, y], weights)
    wanted = [-np.inf, 0, ct * np.log(4), np.nan, np.inf, np.inf, np.inf] if ct else [0] * 7
    wanted.append(np.nan)  # a nan of the function itself stays
    np.testing.assert_allclose(first.numpy(), wanted)
    with forward_ad.dual_level():
        dual = symgrad.xlogy(forward_ad.make_dual(x.detach(), weights), y.detach())
        np.testing.assert_allclose(forward_ad.unpack_dual(dual).tangent.numpy(), wanted)
    if ct:  # linear in the cotangent all the same, which is differentiated at 0 here
        jvp = symgrad.autograd.functional.jvp
        _, pushed = jvp(lambda a: symgrad.xlogy(a, y.detach()), x.detach(), weights)
        np.testing.assert_allclose(pushed.numpy(), wanted)


def test_a_cotangent_of_zero_is_differentiated_like_any_other() -> None:
    """The gradient `ct * log(y)` has the slope `log(y)` in `ct`, also where `ct` is 0."""
    x, y, ct = tensor([2.0, -1.0, 3.0]), tensor([4.0, 0.5, 1.0]), tensor([0.0, 0.0, 1.5])
    (first,) = symgrad.autograd.grad(symgrad.xlogy(x, y), x, ct, create_graph=True)
    (slope,) = symgrad.autograd.grad(first.sum(), ct)
    np.testing.assert_allclose(slope.numpy(), np.log([4.0, 0.5, 1.0]))


@pytest.mark.parametrize("order", [1, 2])
def test_a_power_with_the_exponent_zero_is_constant(order: int) -> None:
    """Also where the reciprocal of the base is infinite, at zero and next to it."""
    exponents = symgrad.zeros(7, dtype=symgrad.float64)
    points = [0.0, -0.0, 5e-324, -5e-324, 1e-310, 1.0, 1e308]
    slopes = _derivatives(lambda x: x**exponents, points, order)
    assert not slopes[-1].any()
