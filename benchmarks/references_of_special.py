"""What `accuracy_of_special` compares with: functions of `symgrad.special` by mpmath, and where.

A reference returns the exact result, and beside it the size of the function where it has roots off
0. Where mpmath cancels, or takes long, the formula is another one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import mpmath as mp

import symgrad
from symgrad import special

Draw = Callable[[random.Random], Any]


class Case(NamedTuple):
    """One result of a function.

    Attributes
    ----------
    name, function : str
        The result, and the function that has it.
    exact : callable
        From operands to the exact result, or to that and the size of the function.
    call : callable
        Computes it with symgrad.
    draw : callable
        From a source of random numbers to operands.
    within : callable
        Whether the function is defined there, and the reference.
    share : int
        Of how many points one is tried, since the reference takes long.
    smooth : bool
        Whether the derivative by the last operand is measured.
    """

    name: str
    function: str
    exact: Callable[..., Any]
    call: Callable[..., Any]
    draw: Callable[[random.Random], tuple[float, ...]]
    within: Callable[..., bool]
    share: int
    smooth: bool


CASES: dict[str, Case] = {}


def case(
    name: str,
    exact: Callable[..., Any],
    *draws: Draw,
    call: Callable[..., Any] | None = None,
    within: Callable[..., bool] = lambda *point: True,
    share: int = 1,
    smooth: bool = True,
) -> None:
    function = name.split()[0]
    of = getattr(special, function) if call is None else call
    CASES[name] = Case(
        name, function, exact, of, lambda rng: tuple(d(rng) for d in draws), within, share, smooth
    )


# ---------------------------------------------------------------- where


def spread(low: float, high: float, *near: float, signs: str = "+") -> Draw:
    """Draw sizes from `low` to `high`, they or their logarithms even, and next to points."""

    def draw(rng: random.Random) -> float:
        kind = rng.random()
        sign = rng.choice([1, -1]) if signs == "+-" else -1 if signs == "-" else 1
        if near and kind < 0.25:
            p = rng.choice(near)
            return p + rng.choice([1, -1]) * (abs(p) or 1) * 10 ** rng.uniform(-16, -0.5)
        if kind < 0.5:
            return sign * rng.uniform(low, min(high, 100 * max(low, 1)))
        middle = kind < 0.75
        a = max(low, 1e-5) if middle else max(low, 1e-300)
        b = min(high, 1e5) if middle else high
        return float(sign * math.exp(rng.uniform(math.log(a), math.log(b))))

    return draw


def between(low: float, high: float, *near: float) -> Draw:
    """Draw from an interval, much of it next to its ends."""

    def draw(rng: random.Random) -> float:
        kind = rng.random()
        if near and kind < 0.2:
            p = rng.choice(near)
            return p + rng.choice([1, -1]) * 10 ** rng.uniform(-16, -1)
        width = (high - low) * 10 ** rng.uniform(-12, -0.3)
        if kind < 0.4:
            return low + width
        if kind < 0.6:
            return high - width
        return rng.uniform(low, high)

    return draw


def order(most: float = 200, least: float = 0) -> Draw:
    """Draw orders: whole ones, halves and others, small ones more often."""

    def draw(rng: random.Random) -> float:
        top = min(most, rng.choice([3, 10, 50, most]))
        kind = rng.random()
        if kind < 0.4:
            return float(rng.randint(math.ceil(least), int(top)))
        if kind < 0.6:
            return rng.randint(math.ceil(least), int(top)) + (0.5 if top < most else 0)
        return rng.uniform(least, top)

    return draw


def degree(most: int = 100) -> Draw:
    return lambda rng: float(rng.randint(0, rng.choice([3, 10, 30, most])))


_UNIT = between(0.0, 1.0)
_ANY = spread(0, 1e300, signs="+-")
_RIGHT = spread(0, 1e300)


def inside(low: float, high: float) -> Callable[..., bool]:
    return lambda *point: low < point[-1] < high


# ---------------------------------------------------------------- elementary functions


def _entropy(x: Any, y: Any) -> Any:
    return x * mp.log(x / y)


def _divergence(x: Any, y: Any) -> Any:
    return x * mp.log(x / y) - x + y


case("exp2", lambda x: mp.mpf(2) ** x, spread(1e-300, 1100, signs="+-"))
case("expm1", mp.expm1, spread(1e-300, 720, signs="+-"))
case("expit", lambda x: 1 / (1 + mp.exp(-x)), spread(1e-300, 740, signs="+-"))
case("log1p", mp.log1p, spread(1e-300, 1e300, -1, signs="+-"), within=inside(-1, math.inf))
case("logit", lambda x: mp.log(x) - mp.log1p(-x), between(0, 1, 0.5), within=inside(0, 1))
case("entr", lambda x: -x * mp.log(x), spread(1e-300, 1e300, 1, 1 / math.e))
case("rel_entr", _entropy, _RIGHT, spread(1e-10, 1e10, 1), within=lambda x, y: x > 0)
case("kl_div", _divergence, spread(1e-10, 1e10, 1), spread(1e-10, 1e10, 1))
case("xlogy", lambda x, y: x * mp.log(y), _ANY, spread(1e-300, 1e300, 1))
case("xlog1py", lambda x, y: x * mp.log1p(y), _ANY, _ANY, within=inside(-1, math.inf))
case("round", lambda x: mp.nint(x), spread(0.1, 1e15, 0.5, 1.5, signs="+-"), smooth=False)
case("sinc", lambda x: mp.sinpi(x) / (mp.pi * x), spread(1e-300, 1e15, 1, 2, 3, 50, signs="+-"))
case("spherical_bessel_j0", lambda x: mp.sin(x) / x, spread(1e-300, 1e15, math.pi, signs="+-"))


def _rows(name: str) -> Callable[..., Any]:
    return lambda *columns: getattr(special, name)(symgrad.stack(columns, -1), -1)


def _first(name: str) -> Callable[..., Any]:
    return lambda *columns: _rows(name)(*columns)[..., 0]


_FIVE = [spread(1e-3, 800, signs="+-")] * 5
case(
    "logsumexp",
    lambda *xs: (mp.log(mp.fsum(map(mp.exp, xs))), max(map(abs, xs))),
    *_FIVE,
    call=_rows("logsumexp"),
)
case(
    "softmax", lambda *xs: mp.exp(xs[0]) / mp.fsum(map(mp.exp, xs)), *_FIVE, call=_first("softmax")
)
case(
    "log_softmax",
    lambda *xs: -mp.log1p(mp.fsum([mp.exp(x - xs[0]) for x in xs[1:]])),
    *_FIVE,
    call=_first("log_softmax"),
)

# ---------------------------------------------------------------- error functions


def _scaled_erfc(x: Any) -> Any:
    if x < 1e5:
        return mp.exp(x * x) * mp.erfc(x)
    return (1 - 1 / (2 * x * x) + 3 / (4 * x**4)) / (x * mp.sqrt(mp.pi))


def _dawson(x: Any) -> Any:
    if abs(x) < 1e4:
        return mp.sqrt(mp.pi) / 2 * mp.exp(-x * x) * mp.erfi(x)
    t = 1 / (2 * x * x)
    return (1 + t * (1 + 3 * t * (1 + 5 * t * (1 + 7 * t)))) / (2 * x)


def _log_normal(x: Any) -> Any:
    r = mp.sqrt(2)
    return mp.log1p(-mp.erfc(x / r) / 2) if x > 0 else mp.log(mp.erfc(-x / r) / 2)


case("erf", mp.erf, spread(1e-300, 10, signs="+-"))
case("erfc", mp.erfc, spread(1e-300, 28, signs="+-"))
case("erfcx", _scaled_erfc, spread(1e-300, 1e300, signs="+-"), within=inside(-27, 1e300))
case("erfinv", mp.erfinv, between(-1, 1, 0), within=inside(-1, 1), share=5)
case("ndtr", lambda x: mp.erfc(-x / mp.sqrt(2)) / 2, spread(1e-300, 39, signs="+-"))
case("log_ndtr", _log_normal, spread(1e-300, 1e8, signs="+-"), within=inside(-1e8, 39))
case(
    "ndtri",
    lambda p: mp.sqrt(2) * mp.erfinv(2 * p - 1),
    between(0, 1, 0.5),
    within=inside(1e-15, 1),
    share=5,
)
case("dawsn", _dawson, spread(1e-300, 1e300, signs="+-"))

# ---------------------------------------------------------------- integrals


def _dilogarithm(z: Any) -> Any:
    if z < 1e-5:
        return mp.pi**2 / 6 - mp.log(z) * mp.log1p(-z) - mp.polylog(2, z)
    return mp.polylog(2, 1 - z)


def _oscillating(f: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: (f(abs(x)), 1 / abs(x) if abs(x) > 1 else 1)


case(
    "expi", lambda x: (mp.ei(x), 1 if 0 < x < 1 else 0), spread(1e-300, 720, 0.3725074, signs="+-")
)
case("exp1", mp.e1, spread(1e-300, 740))
case(
    "expn", lambda n, x: mp.expint(n, x), degree(60), spread(1e-300, 740), share=10,
    call=lambda n, x: special.expn(n.long(), x), within=lambda n, x: n > 0 and x > 0,
)  # fmt: skip
case("sici si", mp.si, spread(1e-300, 1e9, signs="+-"), call=lambda x: special.sici(x)[0])
case(
    "sici ci", _oscillating(mp.ci), spread(1e-300, 1e9, 0.6165054856, 3.3841804),
    call=lambda x: special.sici(x)[1],
)  # fmt: skip
case("shichi shi", mp.shi, spread(1e-300, 720, signs="+-"), call=lambda x: special.shichi(x)[0])
case(
    "shichi chi", lambda x: (mp.chi(abs(x)), 1), spread(1e-300, 720, 0.52382257),
    call=lambda x: special.shichi(x)[1],
)  # fmt: skip
case("fresnel s", mp.fresnels, spread(1e-90, 1e8, signs="+-"), call=lambda x: special.fresnel(x)[0])
case("fresnel c", mp.fresnelc, spread(1e-90, 1e8, signs="+-"), call=lambda x: special.fresnel(x)[1])
case("spence", _dilogarithm, spread(1e-300, 1e300, 1))

# ---------------------------------------------------------------- elliptic integrals


def _complete(c: Any) -> Any:
    return mp.pi / 2 / mp.agm(1, mp.sqrt(c))


_BELOW_ONE = spread(1e-300, 1e300, 1, signs="+-")
_ANGLE = spread(1e-9, 1e3, math.pi / 2, math.pi, signs="+-")
case("ellipk", lambda m: _complete(1 - m), _BELOW_ONE, within=inside(-math.inf, 1))
case("ellipkm1", _complete, spread(1e-300, 1e300, 1), within=inside(0, math.inf))
case("ellipe", mp.ellipe, spread(1e-300, 1e100, 1, signs="+-"), within=inside(-math.inf, 1))
case("ellipkinc", mp.ellipf, _ANGLE, spread(1e-9, 1e9, 1, signs="+-"),
      within=inside(-1e9, 1), share=4)  # fmt: skip
case("ellipeinc", mp.ellipe, _ANGLE, spread(1e-9, 1e9, 1, signs="+-"),
      within=inside(-1e9, 1), share=4)  # fmt: skip

# ---------------------------------------------------------------- gamma and beta functions


def _not_whole(x: float) -> bool:
    return x > 0 or x != math.floor(x)


def _log_gamma(x: Any) -> Any:
    # Of a negative number by reflection; between two poles there are roots.
    if x > 0:
        return mp.loggamma(x), 1 if 0.5 < x < 3 else 0
    angle = mp.log(mp.pi / abs(mp.sinpi(x)))
    return angle - mp.loggamma(1 - x), mp.loggamma(1 - x)


def _digamma(x: Any) -> Any:
    return mp.digamma(x), 1 if x > 0 else abs(mp.log(abs(x) + 2)) + abs(mp.pi * mp.cot(mp.pi * x))


def _polygamma(n: Any, x: Any) -> Any:
    return mp.polygamma(int(n), x), 0 if x > 0 else mp.factorial(int(n))


def _polygamma_of(n: Any, x: Any) -> Any:
    rows = zip(n.tolist(), x, strict=True)
    return symgrad.stack([special.polygamma(int(k), v) for k, v in rows])


def _several(x: Any) -> Any:
    terms = [mp.loggamma(x - mp.mpf(j) / 2) for j in range(3)] + [mp.log(mp.pi) * 3 / 2]
    return mp.fsum(terms), max(map(abs, terms))


def _log_beta(a: Any, b: Any) -> Any:
    return mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b), 1


def _lower(a: Any, x: Any) -> Any:
    """The lower incomplete gamma function by its series of positive terms: DLMF 8.7.1."""
    term = total = mp.mpf(1)
    k = 1
    while term > total * mp.eps / 1000:
        term *= x / (a + k)
        total += term
        k += 1
    return total * mp.exp(a * mp.log(x) - x - mp.loggamma(a + 1))


def _upper(a: Any, x: Any) -> Any:
    if x < a + 5:
        extra = int(abs(mp.log10(1 - _lower(a, x)))) if x < a else 20
        with mp.extradps(extra + 10):
            return 1 - _lower(a, x)
    return mp.gammainc(a, x, mp.inf, regularized=True)


def _fraction(a: Any, b: Any, x: Any) -> Any:
    """The incomplete beta function by the series of positive terms of DLMF 8.17.8."""
    term = total = mp.mpf(1)
    k = 0
    while term > total * (1 - x) * mp.eps / 1000:
        term *= (a + b + k) / (a + 1 + k) * x
        total += term
        k += 1
    size = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    return total * mp.exp(a * mp.log(x) + b * mp.log1p(-x) - size) / a


def _beta_below(a: Any, b: Any, x: Any) -> Any:
    if x <= 0.9:
        return _fraction(a, b, x)
    with mp.extradps(20):
        return 1 - _fraction(b, a, 1 - x)


def _beta_above(a: Any, b: Any, x: Any) -> Any:
    return _beta_below(b, a, 1 - x)


def _inverse(f: Callable[..., Any], slope: Callable[..., Any], call: str) -> Callable[..., Any]:
    """Solve by Newton's steps from what symgrad computes: each doubles the digits."""

    def exact(*operands: Any) -> Any:
        *parameters, y = operands
        given = [symgrad.tensor(float(v), dtype=symgrad.float64) for v in operands]
        x = mp.mpf(getattr(special, call)(*given).item())
        for _ in range(60):
            step = (f(*parameters, x) - y) / slope(*parameters, x)
            x = x - step if x - step > 0 else x / 2
            if abs(step) < abs(x) * mp.eps * 1000:
                return x
        return mp.nan

    return exact


def _gamma_density(a: Any, x: Any) -> Any:
    return mp.exp((a - 1) * mp.log(x) - x - mp.loggamma(a))


def _beta_density(a: Any, b: Any, x: Any) -> Any:
    size = mp.loggamma(a) + mp.loggamma(b) - mp.loggamma(a + b)
    return mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log1p(-x) - size)


_ROOTS = (1, 2, -0.5040830082644554, -2.457024738220801, -1, -2, 1e-3)
case("gammaln", _log_gamma, spread(1e-300, 1e300, *_ROOTS, signs="+-"),
      within=lambda x: x > -1e6 and _not_whole(x))  # fmt: skip
case("loggamma", _log_gamma, spread(1e-300, 1e300, 1, 2), within=inside(0, math.inf))
for _name in ("digamma", "psi"):
    case(_name, _digamma, spread(1e-300, 1e300, 1.4616321449683622, *_ROOTS, signs="+-"),
          within=lambda x: x > -1e6 and _not_whole(x))  # fmt: skip
case("polygamma", _polygamma, degree(20), spread(1e-10, 1e10, *_ROOTS, signs="+-"), share=10,
      call=_polygamma_of,
      within=lambda n, x: x > -1e3 and _not_whole(x))  # fmt: skip
case("multigammaln", _several, spread(1.0001, 1e300, 1, 1.5, 2), within=inside(1, math.inf),
      call=lambda x: special.multigammaln(x, 3))  # fmt: skip
case("zeta", mp.zeta, spread(1, 60, 1, 2), spread(1e-5, 1e5), share=20,
      within=lambda s, q: s > 1 and q > 0)  # fmt: skip
_SIDE = spread(1e-5, 1e5)
case("beta", mp.beta, _SIDE, _SIDE)
case("betaln", _log_beta, _SIDE, _SIDE)
_MODERATE = spread(1e-2, 300)
case("gammainc", _lower, _MODERATE, spread(1e-5, 500), share=4)
case("gammaincc", _upper, _MODERATE, spread(1e-5, 500), share=20)
case("gammaincinv", _inverse(_lower, _gamma_density, "gammaincinv"), spread(0.1, 300), _UNIT,
      within=inside(0, 1), share=20)  # fmt: skip
case("gammainccinv", _inverse(_upper, lambda a, x: -_gamma_density(a, x), "gammainccinv"),
      spread(0.1, 300), _UNIT, within=inside(0, 1), share=20)  # fmt: skip
case("betainc", _beta_below, _MODERATE, _MODERATE, _UNIT, within=inside(0, 1), share=10)
case("betaincc", _beta_above, _MODERATE, _MODERATE, _UNIT, within=inside(0, 1), share=10)
case("betaincinv", _inverse(_beta_below, _beta_density, "betaincinv"), spread(0.1, 300),
      spread(0.1, 300), _UNIT, within=inside(0, 1), share=20)  # fmt: skip
case("betainccinv", _inverse(_beta_above, lambda *p: -_beta_density(*p), "betainccinv"),
      spread(0.1, 300), spread(0.1, 300), _UNIT, within=inside(0, 1), share=20)  # fmt: skip
