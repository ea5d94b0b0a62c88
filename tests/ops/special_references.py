"""What `symgrad.special` computes, and where the accuracy law holds of it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import sympy

from tests.ops.references import Point, Reference, Scalar, positive


def _of(f: Callable[..., Any]) -> Callable[[Point], Scalar]:
    return lambda point: f


def _even(f: Callable[..., Any]) -> Callable[[Point], Scalar]:
    """Of a function of `abs(x)`, which SymPy would differentiate as one of complex numbers."""
    return lambda point: lambda x: f(x if point[0] > 0 else -x)


def _odd(f: Callable[..., Any]) -> Callable[[Point], Scalar]:
    return lambda point: lambda x: f(x) if point[0] > 0 else -f(-x)


def _between(low: float, high: float) -> Callable[..., bool]:
    """Whether the last coordinate lies between two positive numbers."""
    return lambda *point: low < point[-1] < high


def _either(low: float, high: float) -> Callable[..., bool]:
    return lambda *point: low < abs(point[-1]) < high


_HALF = sympy.Rational(1, 2)
_BESSEL = {"jv": sympy.besselj, "yv": sympy.bessely, "iv": sympy.besseli, "kv": sympy.besselk}
_POLYNOMIALS = {
    "chebyshev_polynomial_t": sympy.chebyshevt,
    "chebyshev_polynomial_u": sympy.chebyshevu,
    "chebyshev_polynomial_v": lambda n, x: sympy.chebyshevu(n, x) - sympy.chebyshevu(n - 1, x),
    "chebyshev_polynomial_w": lambda n, x: sympy.chebyshevu(n, x) + sympy.chebyshevu(n - 1, x),
    "hermite_polynomial_h": sympy.hermite,
    "hermite_polynomial_he": sympy.hermite_prob,
    "laguerre_polynomial_l": sympy.laguerre,
    "legendre_polynomial_p": sympy.legendre,
}
#: Beyond, the terms of the fourth derivative overflow, or there are no digits of the phase.
_FAR = 1e5


def _ratios(x: float, y: float) -> bool:
    return 1e-60 < x < 1e60 and 1e-60 < y < 1e60


def _parameter(m: float) -> bool:
    return -1e6 < m < 0.99 and abs(m) > 1e-30


def _inside_quarter(phi: float, m: float) -> bool:
    return 1e-3 < abs(phi) < 1.5 and -100 < m < 0.99 and abs(m) > 1e-9


def _steep(phi: float, m: float) -> bool:
    return abs(phi) > 1e-3 and m > 1.01 and abs(phi) < 1.5 and m * math.sin(phi) ** 2 < 0.9


def _moderate(a: float, b: float) -> bool:
    return 1e-9 < a < 1e3 and 1e-9 < b < 1e3


def _off_poles(b: float) -> bool:
    return -20 < b < -1e-3 and abs(b - round(b)) > 1e-3


def _reflected_beta(b: Any) -> Any:
    """Return the beta function of 3/2 and b as a formula that has no 0/0 at its roots."""
    smooth = sympy.gamma(3 * _HALF) * sympy.gamma(b) * sympy.gamma(-_HALF - b)
    return smooth * sympy.sin(sympy.pi * (3 * _HALF + b)) / sympy.pi


def _scaled(order: Any) -> Callable[..., Any]:
    return lambda x: sympy.exp(-x) * sympy.besseli(order, x)


def _scaled_k(order: Any) -> Callable[..., Any]:
    return lambda x: sympy.exp(x) * sympy.besselk(order, x)


def _airy(order: int) -> Callable[[Point], Scalar]:
    """Ai by functions of Bessel, DLMF 9.6.2 and 9.6.6, since mpmath has no derivatives of it."""
    third = sympy.Rational(1, 3)

    def at(point: Point) -> Scalar:
        def f(x: Any) -> Any:
            y = x if point[0] > 0 else -x
            z = 2 * y ** sympy.Rational(3, 2) / 3
            if point[0] > 0:
                made = sympy.sqrt(y / 3) * sympy.besselk(third, z) / sympy.pi
            else:
                made = sympy.sqrt(y) / 3 * (sympy.besselj(third, z) + sympy.besselj(-third, z))
            return sympy.diff(made, x, order)

        return f

    return at


def _airy_bi(order: int) -> Callable[[Point], Scalar]:
    third = sympy.Rational(1, 3)

    def at(point: Point) -> Scalar:
        def f(x: Any) -> Any:
            y = x if point[0] > 0 else -x
            z = 2 * y ** sympy.Rational(3, 2) / 3
            if point[0] > 0:
                made = sympy.besseli(third, z) + sympy.besseli(-third, z)
            else:
                made = sympy.besselj(-third, z) - sympy.besselj(third, z)
            return sympy.diff(sympy.sqrt(y / 3) * made, x, order)

        return f

    return at


#: By name, as `tests.ops.accuracy.REFERENCES`.
SPECIAL: dict[str, Reference] = {
    "bessel_j0": Reference(within=_either(1e-100, _FAR)),
    "bessel_j1": Reference(within=_either(1e-100, _FAR)),
    "bessel_y0": Reference(within=_between(1e-8, _FAR)),
    "bessel_y1": Reference(within=_between(1e-8, _FAR)),
    "modified_bessel_k0": Reference(within=_between(1e-3, 600)),
    "modified_bessel_k1": Reference(within=_between(1e-3, 600)),
    "i0e": Reference(_even(_scaled(0)), _either(1e-100, _FAR)),
    "i1e": Reference(_odd(_scaled(1)), _either(1e-100, _FAR)),
    "scaled_modified_bessel_k0": Reference(within=_between(1e-3, _FAR)),
    "scaled_modified_bessel_k1": Reference(within=_between(1e-3, _FAR)),
    "airy_ai": Reference(_airy(0), _either(1e-3, 80)),
    "airy_ai_slope": Reference(_airy(1), _either(1e-3, 80)),
    "airy_bi": Reference(_airy_bi(0), _either(1e-3, 80)),
    "airy_bi_slope": Reference(_airy_bi(1), _either(1e-3, 80)),
    **{
        f"{name} {v}": Reference(
            _of(lambda x, f=f, v=v: f(sympy.Rational(v), x)),
            _between(1e-3, 600 if name in ("iv", "kv") else _FAR),
            {0: v},
        )
        for name, f in _BESSEL.items()
        for v in (0.5, 2.5 if name in ("kv", "yv") else 2)  # mpmath is slow at whole ones
    },
    **{
        f"bessel_slope {second}": Reference(
            _of(lambda x, f=f: sympy.diff(f(sympy.Rational(2.5), x), x)), _between(1e-3, _FAR),
            {0: 2.5}, (second, 1),
        )
        for second, f in ((False, sympy.besselj), (True, sympy.bessely))
    },
    "ive": Reference(
        _of(lambda x: sympy.sqrt(2 / (sympy.pi * x)) * sympy.exp(-x) * sympy.sinh(x)),
        _between(1e-2, 20), {0: 0.5},
    ),
    "struve": Reference(
        _of(lambda x: sympy.sqrt(2 / (sympy.pi * x)) * (1 - sympy.cos(x))),
        _between(1e-3, 1e3), {0: 0.5},
    ),
    "modstruve": Reference(
        _of(lambda x: sympy.sqrt(2 / (sympy.pi * x)) * (sympy.cosh(x) - 1)),
        _between(1e-3, 600), {0: 0.5},
    ),
    "kve 2.5": Reference(_of(_scaled_k(sympy.Rational(2.5))), _between(1e-3, _FAR), {0: 2.5}),
    "scaled_macdonald": Reference(
        _of(lambda x: sympy.diff(_scaled_k(sympy.Rational(1.5))(x), x)),
        _between(1e-3, _FAR), {0: 1.5}, (0, 1),
    ),
    **{
        f"spherical_{letter}n": Reference(
            _of(lambda x, f=f: sympy.sqrt(sympy.pi / (2 * x)) * f(sympy.Rational(5, 2), x)),
            _between(1e-3, 600 if letter in "ik" else _FAR), {0: 2},
        )
        for letter, f in (
            ("j", sympy.besselj), ("y", sympy.bessely), ("i", sympy.besseli), ("k", sympy.besselk),
        )
    },
    "expi": Reference(within=lambda x: -600 < x < 716 and abs(x) > 1e-6),
    "exp1": Reference(within=_between(1e-100, 600)),
    "sine_integral": Reference(within=_either(1e-100, _FAR)),
    "cosine_integral": Reference(_of(sympy.Ci), _between(1e-6, _FAR)),
    "hyperbolic_sine_integral": Reference(within=_either(1e-100, 716)),
    "hyperbolic_cosine_integral": Reference(_of(sympy.Chi), _between(1e-6, 716)),
    "hyperbolic_ratio": Reference(
        _of(lambda x: sympy.cosh(x) / x), _either(1e-6, 716), params=((1,), ())
    ),
    "fresnel_sine": Reference(within=_either(1e-30, 30)),
    "fresnel_cosine": Reference(within=_either(1e-30, 30)),
    "exponential_integral": Reference(
        _of(lambda x: sympy.expint(3, x)), _between(1e-6, 600), {0: 3}
    ),
    "spence": Reference(within=_between(1e-30, 1e30)),
    "spence_slope": Reference(
        _of(lambda x: sympy.diff(sympy.log(x) / (1 - x), x)), _between(1e-30, 1e30), params=(1,)
    ),
    "dawsn": Reference(within=_either(1e-30, 1e6)),
    "dawson_slope": Reference(
        _of(lambda x: sympy.diff(sympy.exp(-x**2) * sympy.erfi(x), x) * sympy.sqrt(sympy.pi) / 2),
        _either(1e-30, 1e6), params=(1,),
    ),
    "ellipk": Reference(within=_parameter),
    "ellipe": Reference(within=_parameter),
    "ellipkm1": Reference(within=lambda p: 1e-30 < p < 1e6 and p != 1),
    "complete_elliptic_moment": Reference(
        _of(lambda c: sympy.diff(sympy.elliptic_k(1 - c), c) * -2),
        lambda c: 1e-30 < c < 1e6 and c != 1, params=(1, 3),
    ),
    "ellipkinc": Reference(within=_inside_quarter),
    "ellipeinc": Reference(within=_inside_quarter),
    "ellipkinc steep": Reference(within=_steep),
    "ellipeinc steep": Reference(within=_steep),
    "elliptic_moment": Reference(
        _of(lambda phi, m: sympy.diff(sympy.elliptic_f(phi, m), m) * 2), _inside_quarter,
        params=(1, 3),
    ),
    "elliptic_modulus": Reference(
        _of(lambda phi, m: sympy.sqrt(1 - m * sympy.sin(phi) ** 2)), _inside_quarter, params=(1,)
    ),
    "beta": Reference(_of(lambda b: sympy.beta(3 * _HALF, b)), _between(1e-9, 1e3), {0: 1.5}),
    "beta left": Reference(_of(_reflected_beta), _off_poles, {0: 1.5}),
    "beta_slope": Reference(
        _of(lambda b: sympy.diff(_reflected_beta(b), b)), _off_poles, {0: 1.5}, (0, 1)
    ),
    "betaln": Reference(within=_moderate),
    "polygamma_rise": Reference(
        _of(lambda a, b: sympy.polygamma(1, a + b) - sympy.polygamma(1, a)), _moderate, params=(1,)
    ),
    "beta_density": Reference(
        _of(lambda x: x ** _HALF * (1 - x) ** 2 / sympy.beta(3 * _HALF, 3)),
        _between(1e-30, 1), {0: 1.5, 1: 3.0},
        (0, 0),
    ),
    "betainc": Reference(
        _of(lambda x: sympy.asin(sympy.sqrt(x)) * 2 / sympy.pi), _between(1e-9, 1),
        {0: 0.5, 1: 0.5},
    ),
    "betaincc": Reference(
        _of(lambda x: sympy.acos(sympy.sqrt(x)) * 2 / sympy.pi), _between(1e-9, 1),
        {0: 0.5, 1: 0.5},
    ),
    "betaincinv": Reference(
        _of(lambda y: sympy.sin(sympy.pi / 2 * y) ** 2), _between(0.05, 0.95), {0: 0.5, 1: 0.5}
    ),
    "betainccinv": Reference(
        _of(lambda y: sympy.cos(sympy.pi / 2 * y) ** 2), _between(0.05, 0.95), {0: 0.5, 1: 0.5}
    ),
    "gammaincinv": Reference(_of(lambda y: sympy.erfinv(y) ** 2), _between(0.05, 0.95), {0: 0.5}),
    "gammainccinv": Reference(
        _of(lambda y: sympy.erfinv(1 - y) ** 2), _between(0.05, 0.95), {0: 0.5}
    ),
    "rel_entr": Reference(within=_ratios),
    "log_ratio": Reference(within=_ratios),
    "kullback_leibler": Reference(within=_ratios),
    "loggamma": Reference(within=positive),
    "lambertw": Reference(within=lambda x: -0.3678 < x < 1e30 and abs(x) > 1e-9),
    "lower_lambert": Reference(within=lambda x: -0.3678 < x < -1e-9),
    "jacobi_polynomial": Reference(
        _of(lambda x: sympy.expand(sympy.jacobi(5, sympy.Rational(3, 2), sympy.Rational(1, 2), x))),
        _either(1e-40, 1e4), {1: 5, 2: 1.5, 3: 0.5},
    ),
    "ndtr": Reference(within=_either(1e-100, 36)),
    "log_ndtr": Reference(within=lambda x: -12 < x < 36 and abs(x) > 1e-100),
    "log_ndtr_slope": Reference(
        _of(lambda x: sympy.diff(sympy.log(sympy.erfc(-x / sympy.sqrt(2))), x)),
        _either(1e-100, 36), params=(0,),
    ),
    "ndtri": Reference(within=lambda p: 1e-4 < p < 1),
    "ndtri_slope": Reference(within=lambda p: 1e-4 < p < 1),
    "erfcx": Reference(within=lambda x: -20 < x < 1e4 and abs(x) > 1e-100),
    "erfcx_slope": Reference(
        _of(lambda x: sympy.diff(sympy.exp(x**2) * sympy.erfc(x), x)),
        lambda x: -20 < x < 1e4 and abs(x) > 1e-100, params=(1,),
    ),
    "entr": Reference(within=_between(0, float("inf"))),
    "xlog1py": Reference(within=lambda x, y: y > -1),
    "zeta 3": Reference(_of(lambda q: sympy.zeta(3, q)), _between(1e-40, 1e6), {0: 3}),
    **{
        f"{name} {n}": Reference(
            _of(lambda x, f=f, n=n: sympy.expand(f(n, x))), _either(1e-40, 1e4), {1: n}
        )
        for name, f in _POLYNOMIALS.items()
        for n in (3, 8)
    },
    "gegenbauer_polynomial": Reference(
        _of(lambda x: sympy.expand(sympy.gegenbauer(5, sympy.Rational(3, 2), x))),
        _either(1e-40, 1e4), {1: 5, 2: 1.5},
    ),
    "associated_laguerre": Reference(
        _of(lambda x: sympy.expand(sympy.assoc_laguerre(5, sympy.Rational(3, 2), x))),
        _either(1e-40, 1e4), {1: 5, 2: 1.5},
    ),
    "hyp0f1": Reference(
        _of(lambda x: sympy.hyper((), (sympy.Rational(1.5),), x)), _either(1e-100, 1e3), {0: 1.5}
    ),
    "hyp1f1": Reference(
        _of(lambda x: sympy.hyper((sympy.Rational(0.75),), (sympy.Rational(2.25),), x)),
        _either(1e-100, 500), {0: 0.75, 1: 2.25},
    ),
    "hyp2f1": Reference(
        _of(lambda x: sympy.hyper((sympy.Rational(0.75), sympy.Rational(1.25)), (2,), x)),
        lambda x: -10 < x < 0.95 and abs(x) > 1e-100, {0: 0.75, 1: 1.25, 2: 2.0},
    ),
}  # fmt: skip
