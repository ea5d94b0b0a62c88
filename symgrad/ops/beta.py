"""The beta function and its logarithm, computed by SciPy: DLMF 5.12."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence, braces
from symgrad.ops.gamma import POLYGAMMA, digamma, log_abs_gamma, polygamma, polygamma_of
from symgrad.ops.samples import POSITIVE
from symgrad.ops.special import Special, scipy_kernels

_PAIRS = [(POSITIVE, POSITIVE.reshape(3, 1)), (np.array(0.7), np.array(0.4)), (2.5, POSITIVE)]


def _polygamma_rise(a, b, special, *, order, to):  # type: ignore[no-untyped-def]
    # `special` is SciPy's module. In the difference nothing is left where b is small beside a. Right of 0 it
    # is a sum of differences of powers, by Euler's and Maclaurin's formula from the 16th on: DLMF 2.10.1.
    a, b = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(b, np.float64))
    inside = (a > 0) & (a + b > 0) & (b < np.inf)
    x, y = np.where(inside, a, 1), np.where(inside, b, 0)

    def fall(x: Any, p: int) -> Any:
        return -np.expm1(-p * np.log1p(y / x)) / x**p

    total = np.zeros_like(x, np.float64)
    for _ in range(16):
        total = total + fall(x, order + 1)
        x = x + 1
    total = total + fall(x, order + 1) / 2 + (fall(x, order) / order if order else np.log1p(y / x))
    factor = (order + 1) / 2
    for k, number in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)):
        total = total + number * factor * fall(x, order + 2 * k + 2)
        factor = factor * (order + 2 * k + 2) * (order + 2 * k + 3) / (2 * k + 3) / (2 * k + 4)
    for k in range(1, order + 1):
        total = total * -k
    above = polygamma_of(order, np.where(inside, 1, a + b), special)
    below = polygamma_of(order, np.where(inside, 1, a), special)
    direct = above - below
    return np.asarray(np.where(inside, total, direct), to)


_RISE = Kernel.from_function(_polygamma_rise, prelude=POLYGAMMA.prelude)
_SUMMANDS = (Precedence.SUM, Precedence.SUM)


class polygamma_rise(Special):
    """The derivative of order `order` of `digamma(x)`, at `a + b` less that at `a`."""

    ulps = 16
    arity = 2
    internal = True
    params = ("order",)
    order: int
    scalar = None
    kernel, _ = scipy_kernels(
        "polygamma",
        lambda special, a, b, order, to: _RISE.call(a, b, special, order=order, to=to),
        "_polygamma_rise({0}, {1}, scipy.special, order={order}, to={to})",
        prelude=_RISE.prelude,
        number_systems={
            "sympy": lambda a, b, order, to: np.frompyfunc(
                lambda a, b: sympy.polygamma(order, a + b) - sympy.polygamma(order, a), 2, 1
            )(a, b)
        },
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, a: ArrayExpr, b: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: polygamma_rise.of(a, b, self.order + 1),
            lambda: polygamma.of(self.order + 1, a + b),
        )

    def as_read(self) -> ArrayExpr:
        a, b = self.operands
        total, first = [
            polygamma.of(self.order, x) if self.order else digamma.of(x) for x in (a + b, a)
        ]
        return total - first

    def notation(self) -> Notation:
        total, first = (f"polygamma({self.order}, {of})" for of in ("{0} + {1}", "{0}"))
        psi = r"\psi" + (f"^{{{{\\left({self.order}\\right)}}}}" if self.order else "")
        rise = rf"{psi}\left({{0}} + {{1}}\right) - {psi}\left({{0}}\right)"
        return Notation(f"{total} - {first}", rise, Precedence.SUM, _SUMMANDS)

    samples = [(*sample, n) for n, sample in enumerate(_PAIRS)]


def _stirling(x: Any) -> Any:
    # What Stirling's formula lacks of log(gamma(x)), of x from 10 on: DLMF 5.11.1.
    y = 1 / (x * x)
    total: Any = 0.0
    for c in (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12):
        total = total * y + c
    return total / x


_STIRLING = Kernel.from_function(_stirling)


def _beta(a, b, made, gamma, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, by gamma functions up to 10; it rounds the sum of which it takes one. Where the
    # larger is beyond, it is by Stirling's formula, and `gamma` that function of the smaller. The
    # powers are of quotients, whose rounding is undone.
    a, b = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(b, np.float64))
    small, large, total = np.minimum(a, b), np.maximum(a, b), a + b
    lost = small - (total - large)
    near = (a > 0) & (b > 0) & (total > 2) & (large <= 10)
    made = np.where(near, made * (1 - (np.log(total) - 0.5 / total) * lost), made)
    inside = (a > 0) & (b > 0) & (large > 10) & (total < 1e150)
    if not np.any(inside):
        return np.asarray(made, to)
    p, q = np.where(inside, small, 20), np.where(inside, large, 20)
    total, lost = p + q, np.where(inside, lost, 0)

    def power(part: Any, exponent: Any) -> Any:
        quotient = part / total
        # The remainder of a division by Dekker, Numerische Mathematik 18, 1971, 224-242.
        c = 134217729.0 * quotient
        high = c - (c - quotient)
        c = 134217729.0 * total
        left = c - (c - total)
        low, right = quotient - high, total - left
        product = quotient * total
        error = ((high * left - product) + high * right + low * left) + low * right
        rest = (part - product - error - quotient * lost) / part
        return quotient**exponent * (1 + exponent * rest)

    # Where p is small beside q, log(q/total) = log(1 - u) is -u and the rest of its series.
    u = p / total
    flat, rest = u < 1e-3, 0.0
    for k in range(8, 1, -1):
        rest = rest * u - 1 / k
    rest = rest * u * u
    fallen = np.where(flat, np.exp(-p) * np.exp(p * u + q * rest), power(q, q))
    risen = np.where(
        flat, np.exp(total * rest - 0.5 * np.log1p(-u)), np.exp(p) * power(q, total - 0.5)
    )
    far = np.exp(_stirling(q) - _stirling(total))
    ten = np.maximum(p, 10)
    both = power(p, p - 0.5) * fallen * np.sqrt(2 * np.pi / q) * far * np.exp(_stirling(ten))
    one = gamma * risen * q**-p * far
    found = np.where(p < 10, one, both)
    return np.asarray(np.where(inside, found, made), to)


_BETA = Kernel.from_function(_beta, prelude=_STIRLING.prelude, rows=local)
_GIVEN = "{0}, {1}, scipy.special.beta({0}, {1}), scipy.special.gamma(np.minimum({0}, {1})), to="


def _beta_of(special: Any, a: Any, b: Any, to: Any) -> Any:
    return _BETA.call(a, b, special.beta(a, b), special.gamma(np.minimum(a, b)), to=to)


def _log_beta(a, b, made, beta, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's. Where the function is a number that has its digits, its logarithm has more.
    a, b = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(b, np.float64))
    inside = (a > 0) & (b > 0) & (beta > 1e-290) & (beta < 1e290)
    q, p = np.where(inside, 20, np.maximum(a, b)), np.where(inside, 20, np.minimum(a, b))
    both = (p > 10) & (q < 1e300)
    x, y = np.where(both, p, 20), np.where(both, q, 20)
    far = _stirling(x) + _stirling(y) - _stirling(x + y) + np.log(2 * np.pi / y) / 2
    far = far + (x - 0.5) * np.log(x / (x + y)) - y * np.log1p(x / y)
    found = np.where(both, far, made)
    return np.asarray(np.where(inside, np.log(np.where(inside, beta, 1)), found), to)


_LOG_BETA = Kernel.from_function(_log_beta, prelude=_BETA.prelude, rows=local)


def _log_beta_of(special: Any, a: Any, b: Any, to: Any) -> Any:
    return _LOG_BETA.call(a, b, special.betaln(a, b), _beta_of(special, a, b, np.float64), to=to)


def _beta_slope(a, b, special, *, i, j, to):  # type: ignore[no-untyped-def]
    # `special` is SciPy's module. The beta function is gamma(a)*gamma(b)/gamma(z) with z = a + b. Left of
    # 1/2, where q is not positive, it is C*sin(pi*z), where C = gamma(a)*gamma(b)*gamma(1 - z)/pi = B(p, 1 - z)/sin(pi*q) of the
    # larger p and the smaller q: DLMF 5.5.3. So nothing is infinite at its roots, the poles of gamma(z).
    # The derivatives of an exponential follow from those of its exponent, which are digamma's.
    a, b = np.broadcast_arrays(np.asarray(a, np.float64), np.asarray(b, np.float64))
    p, q, z = np.maximum(a, b), np.minimum(a, b), a + b
    lost = np.where(np.isfinite(z), q - (z - p), 0)
    left = (z < 0.5) & (q <= 0)
    past = np.where(left, 1 - z - lost, 1)
    turn = np.where(left, q - np.rint(q), 0.5) * np.where(np.rint(q) % 2 == 0, np.pi, -np.pi)
    size = np.where(left, special.beta(np.where(left, p, 1), past) / np.sin(turn), 0)
    size = np.where(left, size, _beta(a, b, special.beta(a, b), special.gamma(q), to=np.float64))  # type: ignore[no-untyped-call]

    def rise(a, b, k):  # type: ignore[no-untyped-def]
        return -_polygamma_rise(a, b, special, order=k, to=np.float64)  # type: ignore[no-untyped-call]

    def slope(k, n):  # type: ignore[no-untyped-def]
        beyond = (-1) ** (k + n) * polygamma_of(k + n - 1, past, special)
        if k and n:
            return np.where(left, beyond, -polygamma_of(k + n - 1, np.where(left, 1, z), special))
        x, y = (a, b) if k else (b, a)
        within = beyond + polygamma_of(k + n - 1, np.where(left, x, 1), special)
        return np.where(left, within, rise(x, y, k + n - 1))  # type: ignore[no-untyped-call]

    made = {(0, 0): size}
    for k in range(i + 1):
        for n in range(j + 1):
            if k:
                terms = [
                    math.comb(k - 1, r) * math.comb(n, s) * slope(r + 1, s) * made[k - 1 - r, n - s]  # type: ignore[no-untyped-call]
                    for r in range(k) for s in range(n + 1)
                ]  # fmt: skip
            elif n:
                terms = [
                    math.comb(n - 1, s) * slope(0, s + 1) * made[0, n - 1 - s]  # type: ignore[no-untyped-call]
                    for s in range(n)
                ]
            else:
                continue
            made[k, n] = sum(terms)
    angle = np.pi * (np.where(left, z - np.rint(z), 0) + lost)
    waves = [np.sin(angle), np.cos(angle), -np.sin(angle), -np.cos(angle)]
    sign = np.where(np.rint(np.where(left, z, 0)) % 2 == 0, 1, -1)
    reflected = sum(
        [
            math.comb(i, r) * math.comb(j, s) * made[i - r, j - s] * waves[(r + s) % 4] * np.pi ** (r + s)
            for r in range(i + 1) for s in range(j + 1)
        ]
    )  # fmt: skip
    return np.asarray(np.where(left, sign * reflected, made[i, j]), to)


_BETA_SLOPE = Kernel.from_function(
    _beta_slope,
    prelude=Kernel.from_function(
        _beta, prelude=Kernel.from_function(_stirling, prelude=_RISE.prelude).prelude
    ).prelude,
    imports=("import math",),
)


_SYMBOLS = sympy.symbols("OPERANDA OPERANDB")
_POLYGAMMA = re.compile(
    r"\\operatorname\{polygamma\}(\^\{\d+\})?\{\\left\((\d+),(.*?) *\\right\)\}"
)


@functools.lru_cache(maxsize=64)
def _slope_ratio(i: int, j: int) -> Any:
    """Return a derivative of the beta function over the function itself, of `_SYMBOLS`."""
    a, b = _SYMBOLS
    size = sympy.beta(a, b)
    return sympy.expand(sympy.diff(size, *[a] * i, *[b] * j) / size)


def _psi(match: re.Match[str]) -> str:
    power, order, of = match.groups(default="")
    upper = "" if order == "0" else rf"^{{\left({order}\right)}}"
    made = rf"\psi{upper}\left({of}\right)"
    return rf"{{{made}}}{power}" if power else made


@functools.lru_cache(maxsize=64)
def _slope_notation(i: int, j: int) -> Notation:
    ratio = _slope_ratio(i, j)
    text = re.sub(r"(?<!\*)\*(?!\*)", " * ", str(ratio)).replace("polygamma(0, ", "digamma(")
    latex = braces(_POLYGAMMA.sub(_psi, sympy.latex(ratio, mul_symbol=r" \, ")))
    for k, symbol in enumerate(_SYMBOLS):
        text, latex = (t.replace(str(symbol), f"{{{k}}}") for t in (text, latex))
    return Notation(
        f"beta({{0}}, {{1}}) * ({text})",
        rf"\mathrm{{{{B}}}}\left({{0}}, {{1}}\right) \, \left({latex}\right)",
        Precedence.PRODUCT,
        _SUMMANDS,
    )


def _slope_numbers(a: Any, b: Any, i: int, j: int, to: Any) -> Any:
    ratio = _slope_ratio(i, j)

    def f(a: Any, b: Any) -> Any:
        return sympy.beta(a, b) * ratio.subs(dict(zip(_SYMBOLS, (a, b), strict=True)))

    return np.frompyfunc(f, 2, 1)(a, b)


class beta_slope(Special):
    """The derivative of the beta function of order `i` in `a` and `j` in `b`, at its roots as well."""

    ulps = 16
    arity = 2
    internal = True
    params = ("i", "j")
    i: int
    j: int
    decisive = 2
    scalar = None
    kernel, _ = scipy_kernels(
        "beta_slope",
        lambda special, a, b, i, j, to: _BETA_SLOPE.call(a, b, special, i=i, j=j, to=to),
        "_beta_slope({0}, {1}, scipy.special, i={i}, j={j}, to={to})",
        prelude=_BETA_SLOPE.prelude,
        imports=("import math", "import scipy.special"),
        number_systems={"sympy": _slope_numbers},
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, a: ArrayExpr, b: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: beta_slope.of(a, b, self.i + 1, self.j),
            lambda: beta_slope.of(a, b, self.i, self.j + 1),
        )

    def notation(self) -> Notation:
        return _slope_notation(self.i, self.j)

    samples = [
        (*sample, *orders) for sample, orders in zip(_PAIRS, ((1, 0), (0, 2), (1, 1)), strict=True)
    ]


class _Beta(Special, abstract=True):
    arity = 2
    space = "special"
    operand_names = ("a", "b")
    samples = _PAIRS


class beta(_Beta):
    """Return the beta function `gamma(a) * gamma(b) / gamma(a + b)`.

    Between 8 and 10 values have up to 11 ulps. Mixed derivatives may be nan where an argument is within
    1e-150 of a pole.

    Examples
    --------
    >>> import symgrad as torch
    >>> a = torch.tensor([1.0, 2.5], requires_grad=True)
    >>> y = torch.special.beta(a, 2.0)
    >>> y
    tensor([0.5000, 0.1143], grad_fn=<BetaBackward0>)
    >>> y.sum().backward()
    >>> a.grad
    tensor([-0.7500, -0.0784])
    """

    ulps = 16
    scalar = sympy.beta
    kernel, _ = scipy_kernels("beta", _beta_of, f"_beta({_GIVEN}{{to}})", prelude=_BETA.prelude)
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    printed = Notation("beta({0}, {1})", r"\mathrm{{B}}\left({0}, {1}\right)")

    def partials(self, a: ArrayExpr, b: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: beta_slope.of(a, b, 1, 0),
            lambda: beta_slope.of(a, b, 0, 1),
        )


class betaln(_Beta):
    """Return the logarithm of the absolute value of the beta function of `a` and `b`.

    Where one argument is large beside the other, SciPy's values have up to 2048 ulps.

    Where the beta function is nearly 1 values have up to 4 ulps of 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.betaln(torch.tensor([1.0, 1000.0]), 2.0)
    tensor([ -0.6931, -13.8165])
    """

    ulps = 16
    kernel, _ = scipy_kernels(
        "betaln",
        _log_beta_of,
        f"_log_beta({{0}}, {{1}}, scipy.special.betaln({{0}}, {{1}}), _beta({_GIVEN}np.float64), "
        "to={to})",
        prelude=_LOG_BETA.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    scalar = lambda a, b: log_abs_gamma(a) + log_abs_gamma(b) - log_abs_gamma(a + b)  # noqa: E731
    printed = Notation("betaln({0}, {1})", r"\log\left|\mathrm{{B}}\left({0}, {1}\right)\right|")

    def partials(self, a: ArrayExpr, b: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: -polygamma_rise.of(a, b, 0),
            lambda: -polygamma_rise.of(b, a, 0),
        )
