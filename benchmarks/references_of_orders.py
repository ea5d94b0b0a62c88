"""What `accuracy_of_special` compares with, of functions with orders or degrees, by mpmath."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath as mp

from benchmarks.references_of_special import between, case, degree, inside, order, spread
from symgrad import special

# ---------------------------------------------------------------- Bessel and Airy functions


def _modulus(v: Any, x: Any) -> Any:
    """Return the size of Bessel functions where they oscillate."""
    return mp.hypot(mp.besselj(v, x), mp.bessely(v, x)) if x > v else 0


def _first_kind(v: Any, x: Any) -> Any:
    return mp.besselj(v, x), _modulus(v, abs(x))


def _second_kind(v: Any, x: Any) -> Any:
    return mp.bessely(v, x), _modulus(v, x) if x > v else 1 if x > 0.1 else 0


def _scaled_i(v: Any, x: Any) -> Any:
    return mp.besseli(v, x) * mp.exp(-abs(x))


def _scaled_k(v: Any, x: Any) -> Any:
    return mp.besselk(v, x) * mp.exp(x)


def _derived(f: Callable[..., Any], below: int, above: int) -> Callable[..., Any]:
    def exact(v: Any, x: Any) -> Any:
        terms = [below * f(v - 1, x), above * f(v + 1, x)]
        return (terms[0] + terms[1]) / 2, _modulus(v, x) if f in (mp.besselj, mp.bessely) else 0

    return exact


def _hankel(v: Any, x: Any, sign: int, scaled: bool) -> Any:
    made = mp.mpc(mp.besselj(v, x), sign * mp.bessely(v, x))
    return made * mp.expjpi(-sign * x / mp.pi) if scaled else made


def _spherical(f: Callable[..., Any]) -> Callable[..., Any]:
    def exact(n: Any, x: Any) -> Any:
        root = mp.sqrt(mp.pi / (2 * x))
        oscillates = f in (mp.besselj, mp.bessely)
        return root * f(n + 0.5, x), root * _modulus(n + 0.5, x) if oscillates else 0

    return exact


def _airy(f: Callable[..., Any], order: int) -> Callable[[Any], Any]:
    def exact(x: Any) -> Any:
        size = mp.hypot(mp.airyai(x, derivative=order), mp.airybi(x, derivative=order))
        return f(x, derivative=order), size if x < 0 else 0

    return exact


_J_ROOTS = (
    2.404825557695773,
    5.520078110286311,
    3.831705970207512,
    0.8935769662791675,
    2.1971413260310170,
)
_PHASE = spread(1e-300, 1e10, *_J_ROOTS)
for _name, _v, _kind in (
    ("bessel_j0", 0, _first_kind),
    ("bessel_j1", 1, _first_kind),
    ("bessel_y0", 0, _second_kind),
    ("bessel_y1", 1, _second_kind),
):
    case(_name, lambda x, v=_v, f=_kind: f(v, x), _PHASE, share=2)
for _name, _g, _v, _draw in (
    ("i0", mp.besseli, 0, spread(1e-300, 715, signs="+-")),
    ("i1", mp.besseli, 1, spread(1e-300, 715, signs="+-")),
    ("modified_bessel_i0", mp.besseli, 0, spread(1e-300, 715, signs="+-")),
    ("modified_bessel_i1", mp.besseli, 1, spread(1e-300, 715, signs="+-")),
    ("modified_bessel_k0", mp.besselk, 0, spread(1e-300, 745)),
    ("modified_bessel_k1", mp.besselk, 1, spread(1e-300, 745)),
    ("i0e", _scaled_i, 0, spread(1e-300, 1e10, signs="+-")),
    ("i1e", _scaled_i, 1, spread(1e-300, 1e10, signs="+-")),
    ("scaled_modified_bessel_k0", _scaled_k, 0, spread(1e-300, 1e10)),
    ("scaled_modified_bessel_k1", _scaled_k, 1, spread(1e-300, 1e10)),
):
    case(_name, lambda x, v=_v, g=_g: g(v, x), _draw, share=4)
_ARGUMENT = spread(1e-3, 1e6)
_GROWING = spread(1e-3, 700)
for _name, _exact, _draw in (
    ("jv", _first_kind, _ARGUMENT),
    ("yv", _second_kind, _ARGUMENT),
    ("iv", mp.besseli, _GROWING),
    ("kv", mp.besselk, _GROWING),
    ("ive", _scaled_i, _ARGUMENT),
    ("kve", _scaled_k, _ARGUMENT),
    ("jvp", _derived(mp.besselj, 1, -1), _ARGUMENT),
    ("yvp", _derived(mp.bessely, 1, -1), _ARGUMENT),
    ("ivp", _derived(mp.besseli, 1, 1), _GROWING),
    ("kvp", _derived(mp.besselk, -1, -1), _GROWING),
):
    case(_name, _exact, order(), _draw, share=10)


def _of_whole(name: str) -> Callable[..., Any]:
    return lambda n, *rest: getattr(special, name)(n.long(), *rest)


def _degree_last(name: str) -> Callable[..., Any]:
    return lambda n, x: getattr(special, name)(x, n)


for _name in ("hankel1", "hankel1e", "hankel2", "hankel2e"):
    _sign, _is_scaled = 1 if "1" in _name else -1, _name.endswith("e")
    case(_name, lambda v, x, s=_sign, e=_is_scaled: _hankel(v, x, s, e), order(), _ARGUMENT,
          share=10, smooth=False)  # fmt: skip
for _name, _g, _draw in (
    ("spherical_jn", mp.besselj, _ARGUMENT),
    ("spherical_yn", mp.bessely, _ARGUMENT),
    ("spherical_in", mp.besseli, _GROWING),
    ("spherical_kn", mp.besselk, _GROWING),
):
    case(_name, _spherical(_g), degree(), _draw, share=10,
          call=_of_whole(_name))  # fmt: skip
case(
    "struve",
    lambda v, x: (mp.struveh(v, x), _modulus(v, x)),
    order(30),
    spread(1e-3, 1e4),
    share=20,
)
case("modstruve", mp.struvel, order(30), spread(1e-3, 700), share=20)
_PLANE = spread(1e-3, 103, 1, 2, signs="+-")
for _i, (_part, _g, _order_of) in enumerate(
    (("ai", mp.airyai, 0), ("aip", mp.airyai, 1), ("bi", mp.airybi, 0), ("bip", mp.airybi, 1))
):
    case(f"airy {_part}", _airy(_g, _order_of), _PLANE, share=10,
          call=lambda x, i=_i: special.airy(x)[i])  # fmt: skip
case("airy_ai", _airy(mp.airyai, 0), spread(1e-300, 1e4, 1, 2, signs="+-"), share=10,
      within=inside(-1e4, 103))  # fmt: skip
case("lambertw upper", lambda z: mp.re(mp.lambertw(z)),
      spread(1e-300, 1e300, -1 / math.e, signs="+-"),
      within=inside(-1 / math.e, math.inf), call=special.lambertw)  # fmt: skip
case("lambertw lower", lambda z: mp.re(mp.lambertw(z, -1)), between(-1 / math.e, 0, -1 / math.e),
      within=inside(-1 / math.e, 0), call=lambda z: special.lambertw(z, -1))  # fmt: skip

# ---------------------------------------------------------------- hypergeometric functions

_PARAMETER = spread(0.1, 10)


case("hyp0f1", lambda v, z: (mp.hyp0f1(v, z), 1 if z < 0 else 0), _PARAMETER,
      spread(1e-10, 1e5, signs="+-"), share=10)  # fmt: skip
case("hyp1f1", lambda a, b, z: mp.hyp1f1(a, b, z), _PARAMETER, _PARAMETER,
      spread(1e-10, 700, signs="+-"), share=10)  # fmt: skip
case("hyp2f1", lambda a, b, c, z: mp.hyp2f1(a, b, c, z), _PARAMETER, _PARAMETER, _PARAMETER,
      spread(1e-10, 100, 1, signs="+-"), within=inside(-100, 1), share=10)  # fmt: skip
case("hyp2f1 far", lambda a, b, c, z: mp.hyp2f1(a, b, c, z), _PARAMETER, _PARAMETER, _PARAMETER,
      spread(100, 1e30, signs="-"), share=10)  # fmt: skip

# ---------------------------------------------------------------- orthogonal polynomials


def _recurred(start: Callable[..., Any], rise: Callable[..., Any]) -> Callable[..., Any]:
    """Return a polynomial by its recurrence, and the size that the one below has beside a root."""

    def exact(n: Any, *operands: Any) -> Any:
        *more, x = operands
        below, at = mp.mpf(0), mp.mpf(1)
        for k in range(int(n)):
            below, at = at, start(x, *more) if k == 0 else rise(k, x, at, below, *more)
        return at, below

    return exact


def _chebyshev(lead: int, offset: int) -> Callable[..., Any]:
    return _recurred(
        lambda x: lead * x + offset, lambda k, x, at, below: 2 * x * at - below
    )  # fmt: skip


def _hermite(scale: int) -> Callable[..., Any]:
    of = _recurred(lambda x: scale * x, lambda k, x, at, below: scale * (x * at - k * below))

    def exact(n: Any, x: Any) -> Any:
        value, below = of(n, x)
        return value, below * mp.sqrt(scale * n)

    return exact


def _jacobi_rise(k: int, x: Any, at: Any, below: Any, a: Any, b: Any) -> Any:
    c = 2 * k + a + b
    rise = (c + 1) * ((c + 2) * c * x + (a - b) * (a + b)) * at
    return (rise - 2 * (k + a) * (k + b) * (c + 2) * below) / (2 * (k + 1) * (k + 1 + a + b) * c)


_LEGENDRE = _recurred(
    lambda x: x, lambda k, x, at, below: ((2 * k + 1) * x * at - k * below) / (k + 1)
)
_LAGUERRE = _recurred(
    lambda x: 1 - x, lambda k, x, at, below: ((2 * k + 1 - x) * at - k * below) / (k + 1)
)
_GENERAL = _recurred(
    lambda x, a: 1 + a - x,
    lambda k, x, at, below, a: ((2 * k + 1 + a - x) * at - (k + a) * below) / (k + 1),
)
_GEGENBAUER = _recurred(
    lambda x, a: 2 * a * x,
    lambda k, x, at, below, a: (2 * (k + a) * x * at - (k + 2 * a - 1) * below) / (k + 1),
)
_JACOBI = _recurred(lambda x, a, b: (a - b + (a + b + 2) * x) / 2, _jacobi_rise)


def _shift(f: Callable[..., Any]) -> Callable[..., Any]:
    return lambda n, x: f(n, 2 * x - 1)


_SYMMETRIC = spread(1e-3, 2, 1, 0.5, signs="+-")
_HALF_LINE = spread(1e-3, 100, signs="+-")
_SHIFTED = spread(1e-3, 2, 0.5, 1)
for _letter, _lead, _offset in (("t", 1, 0), ("u", 2, 0), ("v", 2, -1), ("w", 2, 1)):
    _made = _chebyshev(_lead, _offset)
    for _prefix, _f, _draw in (("", _made, _SYMMETRIC), ("shifted_", _shift(_made), _SHIFTED)):
        _name = f"{_prefix}chebyshev_polynomial_{_letter}"
        case(_name, _f, degree(), _draw, call=_degree_last(_name))
for _name, _f, _draw in (
    ("hermite_polynomial_h", _hermite(2), spread(1e-3, 20, signs="+-")),
    ("hermite_polynomial_he", _hermite(1), spread(1e-3, 20, signs="+-")),
    ("laguerre_polynomial_l", _LAGUERRE, _HALF_LINE),
    ("legendre_polynomial_p", _LEGENDRE, _SYMMETRIC),
):
    case(_name, _f, degree(), _draw, call=_degree_last(_name))
for _name, _f, _draws in (
    ("eval_chebyt", _chebyshev(1, 0), [_SYMMETRIC]),
    ("eval_chebyu", _chebyshev(2, 0), [_SYMMETRIC]),
    ("eval_sh_chebyt", _shift(_chebyshev(1, 0)), [_SHIFTED]),
    ("eval_sh_chebyu", _shift(_chebyshev(2, 0)), [_SHIFTED]),
    ("eval_sh_legendre", _shift(_LEGENDRE), [_SHIFTED]),
    ("eval_legendre", _LEGENDRE, [_SYMMETRIC]),
    ("eval_hermite", _hermite(2), [spread(1e-3, 20, signs="+-")]),
    ("eval_hermitenorm", _hermite(1), [spread(1e-3, 20, signs="+-")]),
    ("eval_laguerre", _LAGUERRE, [_HALF_LINE]),
    ("eval_genlaguerre", _GENERAL, [_PARAMETER, _HALF_LINE]),
    ("eval_gegenbauer", _GEGENBAUER, [_PARAMETER, _SYMMETRIC]),
    ("eval_jacobi", _JACOBI, [_PARAMETER, _PARAMETER, _SYMMETRIC]),
):
    case(_name, _f, degree(), *_draws, call=_of_whole(_name))
