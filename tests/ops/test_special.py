"""Special functions and their derivatives of several orders, held against many digits."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import mpmath
import numpy as np
import pytest
import sympy

import symgrad
from symgrad.ops.bessel import i0, i1
from symgrad.ops.gamma import digamma, lgamma, loggamma, polygamma
from symgrad.ops.polynomials import Polynomial
from symgrad.ops.special import Special
from tests.each import each, in_part
from tests.expr.samples import all_samples, at_points

POSITIVE = [1e-3, 0.3, 1.0, 2.5, 30.0, 1e4]
BOTH = [-2.75, -0.5, 0.1, 1.5, 6.0]
REAL = [-20.0, -3.0, -0.4, 0.0, 1e-3, 1.2, 15.0]
WITHIN = [1e-200, 1e-9, 0.2, 0.5, 0.9]


class Function(NamedTuple):
    """What is called, its derivative of each order to many digits, and where."""

    call: Callable[[Any], Any]
    exact: Callable[[Any, int], Any]
    points: list[float]


def _numerically(f: Callable[[Any], Any]) -> Callable[[Any, int], Any]:
    return lambda x, order: mpmath.diff(f, x, order)


def _log_gamma(x: Any, order: int) -> Any:
    return mpmath.log(abs(mpmath.gamma(x))) if order == 0 else mpmath.psi(order - 1, x)


def _several(x: Any, order: int) -> Any:
    terms = [_log_gamma(x - mpmath.mpf(j) / 2, order) for j in range(3)]
    return mpmath.fsum(terms) + (0 if order else mpmath.mpf(3) / 2 * mpmath.log(mpmath.pi))


def _odds(x: Any, order: int) -> Any:
    return _numerically(lambda v: mpmath.log(v / (1 - v)))(x, order)


def _bessel(x: Any, order: int) -> Any:
    terms = [
        mpmath.binomial(order, j) * mpmath.re(mpmath.besseli(order - 2 * j, x))
        for j in range(order + 1)
    ]
    return mpmath.fsum(terms) / 2**order


def _gelu(x: Any) -> Any:
    inner = mpmath.sqrt(2 / mpmath.pi) * (x + mpmath.mpf(44715) / 10**6 * x**3)
    return x / (1 + mpmath.exp(-2 * inner))


FUNCTIONS = {
    "lgamma": Function(symgrad.lgamma, _log_gamma, [*POSITIVE, *BOTH]),
    "digamma": Function(symgrad.digamma, lambda x, k: mpmath.psi(k, x), [*POSITIVE, *BOTH]),
    "polygamma 1": Function(
        lambda x: symgrad.polygamma(1, x), lambda x, k: mpmath.psi(k + 1, x), [*POSITIVE, *BOTH]
    ),
    "polygamma 4": Function(
        lambda x: symgrad.polygamma(4, x), lambda x, k: mpmath.psi(k + 4, x), [*POSITIVE, *BOTH]
    ),
    "mvlgamma": Function(lambda x: symgrad.mvlgamma(x, 3), _several, [1.2, 2.0, 7.5, 1e3]),
    "i0": Function(symgrad.i0, _bessel, REAL),
    "logit": Function(symgrad.logit, _odds, WITHIN[1:]),
    "gelu": Function(
        lambda x: symgrad.nn.functional.gelu(x, approximate="tanh"),
        _numerically(_gelu),
        [-5.0, -3.0, -0.4, 0.0, 1.2, 6.0],
    ),
}
FUNCTIONS |= {
    f"igamma of order {a}": Function(
        lambda x, a=a: symgrad.igamma(symgrad.tensor(a, dtype=symgrad.float64), x),
        _numerically(lambda x, a=a: mpmath.gammainc(a, 0, x, regularized=True)),
        [0.2, 1.0, 3.5, 12.0],
    )
    for a in (0.4, 1.0, 3.5, 25.0)
}
FUNCTIONS |= {
    f"igammac of order {a}": Function(
        lambda x, a=a: symgrad.igammac(symgrad.tensor(a, dtype=symgrad.float64), x),
        _numerically(lambda x, a=a: mpmath.gammainc(a, x, mpmath.inf, regularized=True)),
        [0.2, 1.0, 3.5, 40.0],
    )
    for a in (0.4, 1.0, 3.5, 25.0)
}


@each("order", range(4))
@each("name", list(FUNCTIONS))
def test_values_and_derivatives(name: str, order: int) -> None:
    function = FUNCTIONS[name]
    points = function.points
    x = symgrad.tensor(points, dtype=symgrad.float64, requires_grad=True)
    y = function.call(x)
    for _ in range(order):
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
    with mpmath.workdps(40):
        expected = [float(function.exact(mpmath.mpf(p), order)) for p in points]
    # Of what cancels, near a root, the neighbours' rounding is left.
    scale = 1e-15 if name.startswith("gelu") else 1e-14
    np.testing.assert_allclose(y.detach().numpy(), expected, rtol=1e-12, atol=scale)


@pytest.mark.parametrize("size", [40, 9991])
def test_gelu_of_single_precision_is_rounded_once_however_large_the_array(size: int) -> None:
    points = np.linspace(-13, 9, 37, dtype=np.float32)
    numbers = np.resize(np.r_[points, np.float32([0, np.inf, np.nan])], size)
    x = symgrad.tensor(numbers, requires_grad=True)
    y = symgrad.nn.functional.gelu(x)
    y.sum().backward()
    apart = symgrad.from_numpy(np.repeat(numbers, 2)[::2])
    np.testing.assert_array_equal(symgrad.nn.functional.gelu(apart).numpy(), y.detach().numpy())
    with mpmath.workdps(30):
        below = [mpmath.ncdf(float(p)) for p in points]
        values = np.array([float(p * c) for p, c in zip(points.tolist(), below, strict=True)])
        pairs = zip(points.tolist(), below, strict=True)
        slopes = np.array([float(c + p * mpmath.npdf(p)) for p, c in pairs])
    tails = np.array([float(min(c, 1 - c)) for c in below])
    for found, exact, factor in ((y.detach(), values, abs(points)), (x.grad, slopes, 1)):
        error = abs(found.numpy()[:37].astype(float) - exact)
        # Half an ulp, and what the quotient in the tails is off by.
        bound = 0.501 * np.spacing(abs(exact.astype(np.float32))) + 6.1e-9 * tails * factor
        assert (error <= bound).all()
    assert y[37:40].tolist()[:2] == [0, np.inf] and x.grad[37:39].tolist() == [0.5, 1]
    assert y[39].isnan() and x.grad[39].isnan()


@pytest.mark.parametrize("value", WITHIN)
def test_logit_keeps_its_tail(value: float) -> None:
    x = symgrad.tensor(value, dtype=symgrad.float64, requires_grad=True)
    y = symgrad.logit(x)
    y.backward()
    with mpmath.workdps(40):
        p = mpmath.mpf(value)
        assert y.item() == pytest.approx(float(mpmath.log(p / (1 - p))), rel=1e-15, abs=1e-300)
        assert x.grad.item() == pytest.approx(float(1 / (p * (1 - p))), rel=1e-15)


def test_orders_of_sympy_are_the_same_operations() -> None:
    v = symgrad.leaf("v")
    s = sympy.Symbol("s", real=True)
    for formula, cls in (
        (sympy.re(sympy.loggamma(s)), lgamma),
        (sympy.loggamma(s), loggamma),
        (sympy.digamma(s), digamma),
        (sympy.polygamma(0, s), digamma),
        (sympy.polygamma(3, s), polygamma),
        (sympy.besseli(0, s), i0),
        (sympy.besseli(1, s), i1),
    ):
        assert type(symgrad.from_sympy(formula, {s: v})) is cls
    assert symgrad.polygamma(3, v).to_sympy().func is sympy.polygamma


def test_scaling_by_integers_is_exact_at_every_order() -> None:
    x = symgrad.tensor([3e-200, 1.5], dtype=symgrad.float64, requires_grad=True)
    n = symgrad.tensor([1100, -1022])
    y = symgrad.ldexp(x, n)
    assert y.tolist() == [3e-200 * 2.0**600 * 2.0**500, 1.5 * 2.0**-1022]
    y.sum().backward()
    assert x.grad.tolist() == [float("inf"), 2.0**-1022]
    single = symgrad.tensor([1e-30], requires_grad=True)
    symgrad.ldexp(single, symgrad.tensor([127])).backward()
    assert single.grad.tolist() == [2.0**127]


def test_there_is_no_derivative_in_the_order() -> None:
    a = symgrad.tensor([1.0, 2.0], requires_grad=True)
    x = symgrad.tensor([0.5, 1.5], requires_grad=True)
    y = symgrad.igamma(a, x)
    (slope,) = symgrad.autograd.grad(y.sum(), x, retain_graph=True)
    np.testing.assert_allclose(
        slope.numpy(), np.array([1.0, 1.5]) * np.exp([-0.5, -1.5]), rtol=1e-6
    )
    with pytest.raises(NotImplementedError, match="the derivative for 'igamma: input'"):
        y.sum().backward()
    assert a.grad is None and x.grad is None
    v = symgrad.leaf("v")
    with pytest.raises(NotImplementedError, match="the derivative for 'igammac: input'"):
        symgrad.derive(symgrad.igammac(v, 2.0), v)


@pytest.mark.parametrize("name", ["lgamma", "digamma", "i0", "igamma"])
def test_without_scipy_the_error_names_the_extra(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    x = symgrad.tensor([1.0])
    with pytest.raises(ImportError, match=rf"{name} .* pip install 'symgrad\[special\]'"):
        getattr(symgrad, name)(*[x] * (2 if name == "igamma" else 1))


def test_bessel_functions_and_their_derivatives_hold_at_the_smallest_numbers() -> None:
    x = symgrad.leaf("x")
    tiny = [5e-324, -5e-324, 1e-310, 2.3e-308, 1e-301, 1e-200, 1e-99, 0.0]
    f: Any = symgrad.i0(x)
    for wanted in (
        lambda v: 1.0, lambda v: v / 2, lambda v: 0.5, lambda v: 3 * v / 8, lambda v: 0.375
    ):  # fmt: skip
        for v in tiny:
            assert f.evaluate({x: v}) == pytest.approx(wanted(v), rel=1e-12, abs=1e-323)
            namespace: dict[str, Any] = {}
            exec(f.source(), namespace)
            assert namespace["f"](v) == f.evaluate({x: v})
        f = symgrad.derive(f, x)


@pytest.mark.oracle
def test_pytorchs_special_functions_are_there() -> None:
    torch = pytest.importorskip("torch")
    assert {*torch.special.__all__} <= {*symgrad.special.__all__}


def test_scaled_bessel_functions_keep_their_digits_where_terms_cancel() -> None:
    """Up to where the difference of `k1e` and `k0e` would have none; by the order as well."""
    v, x = mpmath.mpf(1.5), mpmath.mpf(1e9)
    with mpmath.workdps(60):
        of = lambda v, x: mpmath.exp(x) * mpmath.besselk(v, x)  # noqa: E731
        wanted = [-(of(1, x) - of(0, x)), mpmath.diff(lambda v: of(v, mpmath.mpf(0.75)), v)]
    at = symgrad.tensor(1e9, dtype=symgrad.float64, requires_grad=True)
    order = symgrad.tensor(1.5, dtype=symgrad.float64, requires_grad=True)
    symgrad.special.scaled_modified_bessel_k0(at).backward()
    symgrad.special.kve(order, 0.75).backward()
    for got, exact in zip((at.grad, order.grad), wanted, strict=True):
        assert abs(got.item() - float(exact)) <= 4 * np.spacing(abs(float(exact)))


class Value(NamedTuple):
    """What is called, its value by mpmath, at points, and its size beside its roots."""

    call: Callable[..., Any]
    exact: Callable[..., Any]
    points: list[tuple[float, ...]]
    size: Callable[..., Any] = lambda *point: 0


def _modulus(v: Any, x: Any) -> Any:
    return mpmath.hypot(mpmath.besselj(v, x), mpmath.bessely(v, x))


def _airy_modulus(order: int) -> Callable[[Any], Any]:
    return lambda x: (
        mpmath.hypot(mpmath.airyai(x, derivative=order), mpmath.airybi(x, derivative=order))
        if x < 0
        else 0
    )


def _each(*points: float) -> list[tuple[float, ...]]:
    return [(p,) for p in points]


_of = symgrad.special
_FAR = _each(25.5, 333.25, 1.25e5)
_WAVES = _each(-9.5, -77.7, -1234.5)
_AIRY = _each(0.6, 1.0, 1.9, 2.2, 9.5, 60.1, 99.3)
_ORDERS = [(0.5, 40.1), (2.0, 1e4), (9.75, 12345.6), (30.5, 7e5)]
_SIDES = [(0.3, 12.0), (9.9, 9.95), (3.3, 1e5), (60970.0, 62.27), (1e4, 2e4)]
_SIDES += [(6.488, 1.8e14), (1e9, 40.5), (5e11, 1e-5)]
_BRANCH = _each(-0.3678794411714422, -0.36787944117, -0.36, -0.34)
_DEGREES = _each(1.0, 0.99999, -0.999, 0.61, -0.7, 1.25)
#: Where SciPy's values have lost digits, of its function or of a part of it.
VALUES = {
    "bessel_j0": Value(_of.bessel_j0, mpmath.j0, _FAR, lambda x: _modulus(0, x)),
    "bessel_j1": Value(_of.bessel_j1, mpmath.j1, [*_FAR, (-1e4,)], lambda x: _modulus(1, abs(x))),
    **{
        f"bessel_y{v}": Value(
            call, lambda x, v=v: mpmath.bessely(v, x), _FAR, lambda x, v=v: _modulus(v, x)
        )
        for v, call in enumerate((_of.bessel_y0, _of.bessel_y1))
    },
    "jv": Value(_of.jv, mpmath.besselj, _ORDERS, _modulus),
    "yv": Value(_of.yv, mpmath.bessely, _ORDERS, _modulus),
    "ai": Value(_of.airy_ai, mpmath.airyai, [*_WAVES, *_AIRY], _airy_modulus(0)),
    "aip": Value(
        lambda x: _of.airy(x)[1], lambda x: mpmath.airyai(x, derivative=1), [*_WAVES, *_AIRY],
        _airy_modulus(1),
    ),
    "bi": Value(
        lambda x: _of.airy(x)[2], mpmath.airybi, [*_WAVES, *_AIRY[4:]], _airy_modulus(0)
    ),
    "bip": Value(
        lambda x: _of.airy(x)[3], lambda x: mpmath.airybi(x, derivative=1),
        [*_WAVES, *_AIRY[4:]], _airy_modulus(1),
    ),
    "lgamma": Value(symgrad.lgamma, mpmath.loggamma, _each(0.51, 1 - 1e-9, 1 + 1e-15, 1.45, 2.1)),
    "loggamma": Value(_of.loggamma, mpmath.loggamma, _each(0.51, 1 + 1e-15, 1.45, 2 - 1e-12)),
    "digamma": Value(
        symgrad.digamma, mpmath.digamma, _each(-1e-20, -2 + 1e-15, -3.0001, -1e5 - 0.25)
    ),
    "logit": Value(
        symgrad.logit, lambda x: mpmath.log(x / (1 - x)), _each(0.5 - 1e-16, 0.5 + 1e-9, 0.26, 0.7)
    ),
    "beta": Value(_of.beta, mpmath.beta, _SIDES),
    "betaln": Value(_of.betaln, lambda a, b: mpmath.log(mpmath.beta(a, b)), [*_SIDES, (1e5, 1e5)]),
    "kl_div": Value(
        _of.kl_div, lambda x, y: x * mpmath.log(x / y) - x + y,
        [(2.4e289, 1e-210), (1e-200, 1e200), (1e200, 1e-300), (1e-300, 1e-5)],
    ),
    "gammaincc": Value(
        _of.gammaincc, lambda a, x: mpmath.gammainc(a, x, mpmath.inf, regularized=True),
        [(0.5006829045209585, 0.7471757443552882), (0.5, 0.9), (0.4947, 0.836)],
    ),
    "iv": Value(
        _of.iv, mpmath.besseli,
        [(7.577501146664368, 6.58423409371469e-36), (3.75, 2.9e-22), (0.5, 1e-30), (-3.0, -1e-9)],
    ),
    "erfc": Value(symgrad.erfc, mpmath.erfc, _each(0.6, 5.1, 17.77, 26.1)),
    "erfcx": Value(
        _of.erfcx, lambda x: mpmath.exp(x * x) * mpmath.erfc(x), _each(-0.6, -5.1, -17.77, -26.1)
    ),
    "ndtr": Value(_of.ndtr, mpmath.ncdf, _each(-1.1, -5.3, -21.7, -37.1)),
    "log_ndtr": Value(
        _of.log_ndtr, lambda x: mpmath.log1p(-mpmath.ncdf(-x)), _each(1.1, 5.3, 21.7, 37.1)
    ),
    "expi": Value(_of.expi, mpmath.ei, _each(41.3, 300.1, 712.0)),
    "shi": Value(lambda x: _of.shichi(x)[0], mpmath.shi, _each(-91.1, 41.3, 713.1)),
    "chi": Value(lambda x: _of.shichi(x)[1], mpmath.chi, _each(91.1, 41.3, 713.1)),
    "fresnel s": Value(lambda x: _of.fresnel(x)[0], mpmath.fresnels, _each(-8.1, 77.7, 3e5, 1e9)),
    "fresnel c": Value(lambda x: _of.fresnel(x)[1], mpmath.fresnelc, _each(-8.1, 77.7, 3e5, 1e9)),
    "lambertw": Value(_of.lambertw, mpmath.lambertw, _BRANCH),
    "lower lambertw": Value(
        lambda z: _of.lambertw(z, -1), lambda z: mpmath.lambertw(z, -1),
        _BRANCH,
    ),
    "spherical_jn": Value(
        lambda z: _of.spherical_jn(79, z),
        lambda z: mpmath.sqrt(mpmath.pi / 2 / z) * mpmath.besselj(79.5, z), _each(0.04, 5.5, 12.0),
    ),
    "spherical_in": Value(
        lambda z: _of.spherical_in(86, z),
        lambda z: mpmath.sqrt(mpmath.pi / 2 / z) * mpmath.besseli(86.5, z), _each(0.07, 5.5, 35.0),
    ),
    **{
        name: Value(
            lambda x, call=call: call(x, 30), lambda x, f=f: f(30, x), _DEGREES,
            lambda x, f=f: f(29, x),
        )
        for name, call, f in (
            ("chebyshev t", _of.chebyshev_polynomial_t, mpmath.chebyt),
            ("chebyshev u", _of.chebyshev_polynomial_u, mpmath.chebyu),
            ("legendre", _of.legendre_polynomial_p, mpmath.legendre),
            (
                "jacobi", lambda x, n: _of.eval_jacobi(n, 1.5, -0.25, x),
                lambda n, x: mpmath.jacobi(n, 1.5, -0.25, x),
            ),
            (
                "gegenbauer", lambda x, n: _of.eval_gegenbauer(n, 0.25, x),
                lambda n, x: mpmath.gegenbauer(n, 0.25, x),
            ),
        )
    },
    "laguerre": Value(
        lambda x: _of.laguerre_polynomial_l(x, 30), lambda x: mpmath.laguerre(30, 0, x),
        _each(1e-4, 0.02, 0.5, -3.3), lambda x: mpmath.laguerre(29, 0, x),
    ),
}  # fmt: skip


@each("name", in_part(list(VALUES), group=str, among=2))
def test_values_keep_the_digits_that_scipys_lose(name: str) -> None:
    """Up to 8 ulps; beside a root, of the size that the function has there."""
    value = VALUES[name]
    for point in value.points:
        operands = [symgrad.tensor([p], dtype=symgrad.float64) for p in point]
        got = value.call(*operands).item()
        with mpmath.workdps(50):
            numbers = [mpmath.mpf(p) for p in point]
            exact = mpmath.re(value.exact(*numbers))
            unit = np.spacing(float(max(abs(exact), abs(value.size(*numbers)))))
            assert abs(got - exact) <= 8 * unit, f"{name} at {point}: {got!r} for {float(exact)!r}"


EXTREME = [
    0.0,
    -0.0,
    5e-324,
    1e-308,
    -1e-308,
    1e20,
    -1e20,
    1e300,
    -1e300,
    -1e12 - 0.25,
    1e12 + 0.25,
]
EXTREME += [np.inf, -np.inf, np.nan]


_SPECIAL = [p for p in all_samples() if issubclass(p.values[0], (Special, Polynomial))]


@each("cls, sample", in_part(_SPECIAL, every=2, among=6))
def test_no_value_nor_derivative_raises_at_extreme_points(cls: Any, sample: Any) -> None:
    """Nor takes long: SciPy's hyp1f1 goes on for hours far on the right."""
    x, y = at_points(cls, sample, EXTREME)
    constant = ~np.isnan(y.detach().numpy()[-1])
    for _ in range(2):
        if y.requires_grad:
            (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
            assert constant or np.isnan(y.detach().numpy()[-1])


@each(
    "call, x, wanted",
    [
        (lambda x: symgrad.special.kve(1.5, x), np.inf, [0, 0, 0]),
        (lambda x: symgrad.special.kve(0, x), 0.0, [np.inf, -np.inf, np.inf]),
        (lambda x: symgrad.special.kve(0, x), 1e12, [1.2533141373153437e-6, -6.26657068657515e-19]),
        (lambda x: symgrad.special.kve(x, 1e-5), 300.0, [np.inf, np.inf]),
        (lambda x: symgrad.special.kve(0, x), 1e12, [1.253314137315344e-6, -6.26657068657515e-19]),
        (lambda x: symgrad.special.hyp1f1(1.5, 2, x), 1e20, [np.inf, np.inf, np.inf]),
        (lambda x: symgrad.special.hyp1f1(-2.5, 1.5, x), np.inf, [-np.inf, -np.inf, -np.inf]),
        (lambda x: symgrad.special.hyp1f1(1.5, 2, x), -np.inf, [0, 0, 0]),
        (symgrad.special.i0e, np.inf, [0, 0, 0]),
        (symgrad.special.i1e, -np.inf, [0, 0, 0]),
        (symgrad.special.i1e, 1e300, [3.9894228040143267e-151, 0, 0]),
        (symgrad.special.spherical_bessel_j0, -np.inf, [0, 0, 0]),
        (lambda x: symgrad.special.ive(3, x), -1e10, [-3.9894228022689543e-6]),
        (lambda x: symgrad.special.ive(0.5, x), 1e100, [3.9894228040143267e-51]),
        (
            lambda x: symgrad.special.hyp1f1(0.2, 5, x), -1e20,
            [1.3454527243494158e-4, 2.6909054486988317e-25],
        ),
        (lambda x: symgrad.special.hyp1f1(1.5, 3, x), -1e150, [2.2567583341910251e-225]),
        (symgrad.special.airy_ai, np.inf, [0, 0]),
        (symgrad.special.log_ndtr, 1e300, [0, 0, 0]),
        (symgrad.special.ndtri, 0.0, [-np.inf, np.inf, -np.inf]),
        (symgrad.special.ndtri, 1.0, [np.inf, np.inf, np.inf]),
        *[
            (lambda x, f=f: f(x, 5), sign * size, [sign * np.inf, np.inf])
            for f in (
                symgrad.special.chebyshev_polynomial_t, symgrad.special.chebyshev_polynomial_u,
                symgrad.special.hermite_polynomial_h, symgrad.special.hermite_polynomial_he,
                symgrad.special.legendre_polynomial_p,
                lambda x, n: symgrad.special.laguerre_polynomial_l(-x, n),
            )
            for sign in (1, -1)
            for size in (1e200, np.inf)
        ],
    ],
)  # fmt: skip
def test_limits(call: Any, x: float, wanted: list[float]) -> None:
    at = symgrad.tensor(x, dtype=symgrad.float64, requires_grad=True)
    y = call(at)
    for i, value in enumerate(wanted):
        np.testing.assert_allclose(y.item(), value, rtol=5e-14)
        if i + 1 < len(wanted):
            (y,) = symgrad.autograd.grad(y, at, create_graph=True)


#: By the name of the argument.
GIVEN = {
    name: np.array(values)
    for names, values in (
        ("x z input", [0.3, 0.6, 0.9]), ("v", [0.5, 2.0, 3.5]), ("n", [0, 1, 4]),
        ("y other a alpha phi", [0.25, 0.5, 1.0]), ("b beta c", [1.5, 0.75, 2.0]),
        ("m", [0.5, -1.5, 0.0]),
    )
    for name in names.split()
}  # fmt: skip


def test_functions_of_scipys_names_have_scipys_values() -> None:
    of, scipys = symgrad.special, pytest.importorskip("scipy.special")
    tried = set()
    for name in {*of.__all__} & {*dir(scipys)} - {"polygamma"}:  # its order is a number
        parameters = inspect.signature(getattr(of, name)).parameters.values()
        names = [p.name for p in parameters if p.default is p.empty]
        if {*names} <= GIVEN.keys():
            tensors = [symgrad.tensor(GIVEN[n]) for n in names]
            made = getattr(of, name)(*tensors)
            wanted = np.asarray(getattr(scipys, name)(*[GIVEN[n] for n in names]))
            made = np.stack([m.numpy() for m in made]) if isinstance(made, tuple) else made.numpy()
            np.testing.assert_allclose(made, wanted, rtol=1e-12, err_msg=name)
            tried.add(name)
    assert len(tried) > 60


def test_functions_of_scipys_names_are_differentiated() -> None:
    of, scipys = symgrad.special, pytest.importorskip("scipy.special")
    z = symgrad.tensor([0.3, 1.0, 7.5], dtype=symgrad.float64, requires_grad=True)
    v = symgrad.tensor([0.5, 2.0, 3.5], dtype=symgrad.float64)
    for name in ("jvp", "yvp", "ivp", "kvp"):
        for k in (0, 1, 3):
            made, wanted = getattr(of, name)(v, z, k), getattr(scipys, name)(v, z.detach(), k)
            np.testing.assert_allclose(made.detach().numpy(), wanted, rtol=1e-11)
    for name in ("hankel1", "hankel2"):
        (slope,) = symgrad.autograd.grad(getattr(of, name)(v, z).imag.sum(), z)
        sign = 1 if name == "hankel1" else -1
        np.testing.assert_allclose(slope.numpy(), sign * scipys.yvp(v, z.detach()), rtol=1e-12)
    for name in of.__all__:
        count = len(inspect.signature(getattr(of, name)).parameters)
        parameters = (1.5, 0.25)[: count - 2]
        if name.startswith(("eval_", "spherical_")) and name != "spherical_bessel_j0":
            assert getattr(of, name)(3.0, *parameters, z).shape == z.shape
            with pytest.raises(TypeError, match=rf"{name}\(\) takes a whole number .* not 1.5"):
                getattr(of, name)(1.5, *parameters, z)
            k = symgrad.leaf("k", dtype=symgrad.int64)
            assert getattr(of, name)(k.to(symgrad.float64) - 1, *parameters, z).shape == z.shape
            for degree in (v, symgrad.leaf("n") - 1, 2.5 * k.to(symgrad.float64)):
                with pytest.raises(TypeError, match=r"not one of .*float64; convert with"):
                    getattr(of, name)(degree, *parameters, z)
    with pytest.raises(ValueError, match=r"jvp\(\) takes an order .* got n=-1"):
        of.jvp(v, z, -1)


@pytest.mark.parametrize("name", ["struve", "modstruve"])
def test_derivatives_of_struve_functions_have_their_digits_next_to_0(name: str) -> None:
    of, exact = (
        getattr(symgrad.special, name),
        {"struve": mpmath.struveh, "modstruve": mpmath.struvel}[name],
    )
    v, x = symgrad.leaf("v"), symgrad.leaf("x")
    for order in (0, 1, 2):
        with mpmath.workdps(40):
            step = mpmath.mpf(10) ** -14
            third = float(mpmath.diff(lambda t, n=order: exact(n, t), 1e-8, 3, h=step))
        for formula in (of(order, x), of(v, x)):
            made = symgrad.derive(symgrad.derive(symgrad.derive(formula, x), x), x)
            given = {"v": float(order)} if v in made.leaves else {}
            assert made.evaluate({**given, "x": 1e-8}) == pytest.approx(third, rel=1e-7)
            assert np.isfinite(made.evaluate({**given, "x": 0.0}))


def test_logarithms_of_gamma_functions_are_real_left_of_0_in_sympy_too() -> None:
    x = symgrad.leaf("x")
    for e in (symgrad.lgamma(x), symgrad.special.betaln(x, 2.0), symgrad.special.betaln(x, x - 1)):
        for formula in (e, symgrad.derive(e, x)):
            plain = formula.to_sympy()
            for value in (-0.3, -1.4, 2.5):
                got = complex(plain.subs(x.symbol, value).evalf())
                assert got == pytest.approx(float(formula.evaluate({"x": value})), rel=1e-12)
        assert symgrad.from_sympy(e.to_sympy(), {x.symbol: x}).to_sympy() == e.to_sympy()
    assert symgrad.from_sympy(symgrad.lgamma(x).to_sympy()) == symgrad.lgamma(x)


def test_struve_functions_of_negative_orders_are_bessel_functions_in_sympy() -> None:
    x = symgrad.leaf("x")
    for name in ("struve", "modstruve"):
        for order in (-0.5, -1.5, -2.5):
            e = getattr(symgrad.special, name)(order, x)
            got = complex(e.to_sympy().subs(x.symbol, 1.7).evalf())
            assert got == pytest.approx(float(e.evaluate({"x": 1.7})), rel=1e-12)


_ORDERS = (0.0, 0.5, -0.75, 1.0, 3.0)


@each(
    "name, order",
    in_part(
        [pytest.param(n, k, id=f"{n} {k}") for n in ("kv", "kve") for k in _ORDERS],
        group=str,
        among=8,
    ),
)
def test_macdonald_functions_are_numbers_as_far_as_they_are(name: str, order: float) -> None:
    """Next to 0, where SciPy's are infinite; and no derivative is nan where it overflows."""
    z = [5e-324, 1e-320, 1e-310, 1e-307, 1e-303, 1e-200, 1e-100, 1e-9]
    x = symgrad.tensor(z, dtype=symgrad.float64, requires_grad=True)
    y = getattr(symgrad.special, name)(symgrad.tensor(order, dtype=symgrad.float64), x)
    scale = mpmath.exp if name == "kve" else lambda t: 1
    with mpmath.workdps(60):
        exact = [float(scale(t) * mpmath.besselk(order, t)) for t in map(mpmath.mpf, z)]
    np.testing.assert_allclose(y.detach().numpy(), exact, rtol=1e-13)
    for _ in range(3):
        (y,) = symgrad.autograd.grad(y.sum(), x, create_graph=True)
        assert not np.isnan(y.detach().numpy()).any()


def test_slopes_of_complete_elliptic_integrals_read_as_functions_of_the_parameter() -> None:
    m = symgrad.leaf("m", (3,))
    for function, text in (
        (symgrad.special.ellipk, "pi * hyp2f1(1.5, 1.5, 2, m) / 8"),
        (symgrad.special.ellipe, "-pi * hyp2f1(0.5, 1.5, 2, m) / 8"),
    ):
        slope = symgrad.derive(function(m).sum(), m)
        assert str(slope) == text
        at = np.array([-3.0, 0.25, 0.9])
        found = eval(text, {"pi": np.pi, "hyp2f1": symgrad.special.hyp2f1, "m": symgrad.tensor(at)})
        np.testing.assert_allclose(found.numpy(), slope.evaluate({m: at}), rtol=1e-13)
