"""Exponential, sine, cosine and Fresnel integrals, Dawson's and Spence's, computed by SciPy.

They are those of DLMF, chapters 6, 7 and 25.12.
"""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.ops.samples import ANY, POSITIVE
from symgrad.ops.special import OPERAND, Special, notation_of, scipy_kernels, with_index
from symgrad.ops.spherical import spherical_in
from symgrad.ops.trigonometric import unscaled_sinc

_ON_POSITIVES = [(POSITIVE,), (np.array(0.7),)]
_HALF_PI = sympy.pi / 2
#: Off the roots of the sine and the cosine of `pi/2 * x**2`.
_OFF_ROOTS = [(np.array([0.3, -1.2, 0.8]),), (np.array(0.7),)]


def _derivative_of(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return what computes the derivative of order `order` of numbers of SymPy."""
    v = sympy.Dummy()

    def compute(x: Any, order: int, to: Any) -> Any:
        slope = sympy.diff(f(v), v, order)
        return np.frompyfunc(lambda number: slope.subs(v, number), 1, 1)(x)

    return compute


def _growing(x, made, *, factor, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's. Right of 40 it is `factor` times exp(x)/x by the asymptotic series, DLMF
    # 6.12.2, with half of the exponent twice, since the exponential overflows earlier.
    x = np.asarray(x, np.float64)
    far = (x > 40) & (x < np.inf)
    z = np.where(far, x, 40)
    total = np.ones_like(z, np.float64)
    for k in range(40, 0, -1):
        total = 1 + total * k / z
    found = np.exp(z / 2) * (factor * total / z) * np.exp(z / 2)
    return np.asarray(np.where(far, found, made), to)


_GROWING = Kernel.from_function(_growing, rows=local)


def _hyperbolic_ratio(x, *, even, odd, to):  # type: ignore[no-untyped-def]
    # Half of the exponent twice, since the exponential overflows earlier.
    x = np.asarray(x, np.float64)
    size, total, slope = np.abs(x), np.zeros_like(x), np.zeros_like(x)
    for c in even[::-1]:
        total = (total + c) / x
    if even == odd:
        half, sign = np.exp(x / 2), even[0]
    else:
        for c in odd[::-1]:
            slope = slope / x + c
        half, sign = np.exp(size / 2), np.sign(x) * even[0] + (odd[0] if odd else 0)
        sinc = np.where(size < 1e-8, 1, -np.expm1(-2 * size) / (2 * np.where(size < 1e-8, 1, size)))
        made = total * ((1 + np.exp(-2 * size)) / 2) + slope * sinc
        total = np.where(np.isinf(total), total, made)
    found = half * total * half
    return np.asarray(np.where(np.isinf(half), sign * np.inf, found), to)


class hyperbolic_ratio(Special):
    """Polynomials of `1/x` times `cosh(x)` and `sinh(x)`: derivatives of integrals of such quotients.

    The coefficients are those of `1/x`, `1/x**2` and so on; where both are the same, it is a multiple
    of the exponential.
    """

    ulps = 16
    internal = True
    params = ("even", "odd")
    even: tuple[int, ...]
    odd: tuple[int, ...]
    kernel = Kernel.from_function(
        _hyperbolic_ratio,
        rows=local,
        number_systems={
            "sympy": lambda x, even, odd, to: np.frompyfunc(
                lambda v: _ratio_of(v, even, odd), 1, 1
            )(x)
        },
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        made = []
        for own, other in ((self.even, self.odd), (self.odd, self.even)):
            slope = [0, *[-k * c for k, c in enumerate(own, 1)]]
            slope = [a + b for a, b in itertools.zip_longest(slope, other, fillvalue=0)]
            made.append(tuple(slope))
        return (lambda: hyperbolic_ratio.of(x, *made),)

    def as_read(self) -> ArrayExpr:
        (x,) = self.operands
        parts = [(x.exp(), self.even)]
        if self.even != self.odd:
            parts = [(x.cosh(), self.even), (x.sinh(), self.odd)]
        terms = [c * f / x**k for f, factors in parts for k, c in enumerate(factors, 1) if c]
        return functools.reduce(operator.add, terms)

    def notation(self) -> Notation:
        text, latex, count = "", "", 0
        for name, factors in (("cosh", self.even), ("sinh", self.odd)):
            if self.even == self.odd:
                name = "exp" * (name == "cosh")
            shown = r"\mathrm{{e}}^{{{0}}}" if name == "exp" else rf"\{name}\left({{0}}\right)"
            for k, c in enumerate(factors, 1):
                if c and name:
                    sign = (" - " if count else "-") if c < 0 else " + " * (count > 0)
                    number = f"{abs(c)} * " * (abs(c) != 1)
                    text += f"{sign}{number}{name}({{0}}) / {{0}}" + f"**{k}" * (k > 1)
                    number = rf"{abs(c)} \, " * (abs(c) != 1)
                    below = f"{{0}}^{{{{{k}}}}}" if k > 1 else "{0}"
                    latex += rf"{sign}\frac{{{{{number}{shown}}}}}{{{{{below}}}}}"
                    count += 1
        level = Precedence.PRODUCT if count == 1 else Precedence.SUM
        return Notation(text, latex, level, (Precedence.POWER + 1,))

    samples = [(POSITIVE, (1,), ()), (np.array(0.7), (1,), (1,)), (POSITIVE, (0, -1), (1,))]


def _ratio_of(v: Any, even: Sequence[int], odd: Sequence[int]) -> Any:
    first, second = [sympy.Add(*[c / v**k for k, c in enumerate(p, 1)]) for p in (even, odd)]
    return first * sympy.exp(v) if even == odd else first * sympy.cosh(v) + second * sympy.sinh(v)


class expi(Special):
    """Return the exponential integral Ei, the integral of `exp(t) / t` up to each `x`.

    Between 25 and 40 values have up to 16 ulps; next to the root 0.3725 they have up to 8 ulps of 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 1.0], requires_grad=True)
    >>> y = torch.special.expi(x)
    >>> y
    tensor([-0.2194,  1.8951], grad_fn=<ExpiBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([-0.3679,  2.7183])
    """

    ulps = 8
    space = "special"
    operand_names = ("x",)
    scalar = sympy.Ei
    kernel, _ = scipy_kernels(
        "expi",
        lambda special, x, to: _GROWING.call(x, special.expi(x), factor=1, to=to),
        "_growing({0}, scipy.special.expi({0}), factor=1, to={to})",
        prelude=_GROWING.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    printed = Notation("expi({0})", r"\operatorname{{Ei}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: hyperbolic_ratio.of(x, (1,), (1,)),)


class exp1(Special, scipy="exp1"):
    """Return the exponential integral E1, that of `exp(-t) / t` from each `x` on; nan below 0.

    Between 0.9 and 1 values have up to 16 ulps.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.exp1(torch.tensor([0.0, 1.0]))
    tensor([   inf, 0.2194])
    """

    ulps = 8
    space = "special"
    operand_names = ("x",)
    of_order = (sympy.expint, 1)
    scalar = lambda x: sympy.expint(1, x)  # noqa: E731
    printed = with_index("exp1", "E", "1", "{0}", of="{0}")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(-x).exp() / x,)

    samples = _ON_POSITIVES


class sine_integral(Special, scipy="sici", part=0):
    """The sine integral, of `sin(t) / t` from 0."""

    ulps = 8
    internal = True
    scalar = of_sympy = sympy.Si
    printed = Notation("sici({0})[0]", r"\operatorname{{Si}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: unscaled_sinc.of(x),)


class cosine_integral(Special, scipy="sici", part=1):
    """The cosine integral, minus that of `cos(t) / t` from `x` on; left of 0 its real part."""

    ulps = 16
    internal = True
    of_sympy = sympy.Ci
    scalar = lambda x: sympy.Ci(sympy.Abs(x))  # noqa: E731
    printed = Notation("sici({0})[1]", r"\operatorname{{Ci}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.cos() / x,)

    samples = _ON_POSITIVES


class hyperbolic_sine_integral(Special):
    """The hyperbolic sine integral, of `sinh(t) / t` from 0."""

    kernel, _ = scipy_kernels(
        "shichi",
        lambda special, x, to: (
            np.sign(x) * _GROWING.call(np.abs(x), special.shichi(np.abs(x))[0], factor=0.5, to=to)
        ),
        "np.sign({0}) * _growing(np.abs({0}), scipy.special.shichi(np.abs({0}))[0], factor=0.5, "
        "to={to})",
        prelude=_GROWING.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    ulps = 8
    internal = True
    scalar = of_sympy = sympy.Shi
    printed = Notation("shichi({0})[0]", r"\operatorname{{Shi}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: spherical_in.of(0, x),)


class hyperbolic_cosine_integral(Special):
    """The hyperbolic cosine integral; left of 0 its real part."""

    kernel, _ = scipy_kernels(
        "shichi",
        lambda special, x, to: _GROWING.call(np.abs(x), special.shichi(x)[1], factor=0.5, to=to),
        "_growing(np.abs({0}), scipy.special.shichi({0})[1], factor=0.5, to={to})",
        prelude=_GROWING.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    ulps = 16
    internal = True
    of_sympy = sympy.Chi
    scalar = lambda x: sympy.Chi(sympy.Abs(x))  # noqa: E731
    printed = Notation("shichi({0})[1]", r"\operatorname{{Chi}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: hyperbolic_ratio.of(x, (1,), ()),)

    samples = _ON_POSITIVES


def _fresnel(x, made, *, cosine, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, which rounds the square of x. Right of 8 it is by the auxiliary functions f
    # and g, DLMF 7.5.3 and 7.12.2, of the square less a multiple of 4: the squares of parts of x
    # have no rounding.
    x = np.asarray(x, np.float64)
    far = (np.abs(x) > 8) & (np.abs(x) < np.inf)
    z = np.where(far, np.abs(x), 8)
    high = np.asarray(np.minimum(z, 1e18), np.float32).astype(np.float64)
    low = np.where(z < 1e18, z - high, 0)
    turn = np.fmod(high * high, 4) + np.fmod(2 * high * low, 4) + np.fmod(low * low, 4)
    angle = np.pi / 2 * (turn - 4 * np.rint(turn / 4))
    w = np.pi * z * z
    f, g = np.ones_like(z, np.float64), np.ones_like(z, np.float64)
    for m in range(8, 0, -1):
        f = 1 - (4 * m - 3) * (4 * m - 1) / w / w * f
        g = 1 - (4 * m - 1) * (4 * m + 1) / w / w * g
    f, g = f / (np.pi * z), g / (np.pi * z) / w
    wave = (
        f * np.sin(angle) - g * np.cos(angle) if cosine else -f * np.cos(angle) - g * np.sin(angle)
    )
    return np.asarray(np.where(far, np.copysign(0.5 + wave, x), made), to)


_FRESNEL = Kernel.from_function(_fresnel, rows=local)


def _fresnel_kernel(part: int) -> Kernel:
    return scipy_kernels(
        "fresnel",
        lambda special, x, to: _FRESNEL.call(x, special.fresnel(x)[part], cosine=part == 1, to=to),
        f"_fresnel({{0}}, scipy.special.fresnel({{0}})[{part}], cosine={part == 1}, to={{to}})",
        prelude=_FRESNEL.prelude,
    )[0]


class fresnel_sine(Special):
    """The Fresnel integral of `sin(pi/2 * t**2)` from 0."""

    kernel = _fresnel_kernel(0)
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    ulps = 8
    internal = True
    scalar = of_sympy = sympy.fresnels
    printed = Notation("fresnel({0})[0]", r"\mathrm{{S}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: (x**2 * _HALF_PI).sin(),)

    samples = _OFF_ROOTS


class fresnel_cosine(Special):
    """The Fresnel integral of `cos(pi/2 * t**2)` from 0."""

    kernel = _fresnel_kernel(1)
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    ulps = 8
    internal = True
    scalar = of_sympy = sympy.fresnelc
    printed = Notation("fresnel({0})[1]", r"\mathrm{{C}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: (x**2 * _HALF_PI).cos(),)

    samples = _OFF_ROOTS


def _expn(n, x, made, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, of the orders above 0. Below, n*E_n = exp(-x) - x*E_(n+1) is a sum of
    # positive terms: DLMF 8.19.12.
    n, x, made = np.broadcast_arrays(np.asarray(n), np.asarray(x, np.float64), made)
    x = np.where(x < 0, np.nan, x)
    wave = np.exp(-x)
    at = wave / x
    found = np.where(n == 0, at, np.where(x < 0, np.nan, made))
    for k in range(1, 1 - min(0, int(np.min(n, initial=0)))):
        at = (k * at + wave) / x
        found = np.where(n == -k, at, found)
    return np.asarray(np.where(np.isnan(x), x, found), to)


_EXPN = Kernel.from_function(_expn)


class exponential_integral(Special):
    """The exponential integral of the whole order `n` at `x`."""

    ulps = 16
    arity = 2
    internal = True
    underived: ClassVar[Mapping[int, str]] = {0: "expn: n"}
    of_order = (sympy.expint, "whole")
    scalar = lambda n, x: sympy.expint(n, x)  # noqa: E731
    printed = with_index("expn", "E")
    kernel, _ = scipy_kernels(
        "expn",
        lambda special, n, x, to: _EXPN.call(n, x, special.expn(np.maximum(n, 0), x), to=to),
        "_expn({0}, {1}, scipy.special.expn(np.maximum({0}, 0), {1}), to={to})",
        prelude=_EXPN.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, n: ArrayExpr, x: ArrayExpr) -> Sequence[Any]:
        return 0, lambda: -exponential_integral.of(n - 1, x)

    samples = [(2, POSITIVE), (np.array([0, 1, 3]), POSITIVE)]


def _spence_slope(z, series, *, order, to):  # type: ignore[no-untyped-def]
    # Between 0.3 and 4 it is `series`, a hypergeometric function of 1 - z. Elsewhere Leibniz' rule for (1 - z) times
    # log(z)/(1 - z) gives each derivative by the one below.
    z = np.asarray(z, np.float64)
    close = (z > 0.3) & (z < 4)
    far = np.where(close, 5, z)
    made, falling = np.log(far) / (1 - far), np.ones_like(z, np.float64)
    for k in range(1, order + 1):
        falling = falling / far * (1 if k == 1 else 1 - k)
        total = k * made + falling
        # Next to 0 both are infinite, and `falling` is the larger.
        made = np.where(np.isinf(falling) & np.isnan(total), falling, total) / (1 - far)
    return np.asarray(np.where(close, series, made), to)


_SPENCE_SLOPE = Kernel.from_function(_spence_slope)


def _series(special: Any, z: Any, order: int) -> Any:
    at = 1 - np.clip(np.asarray(z, np.float64), 0.3, 4)
    factor = (-1) ** (order + 1) * math.factorial(order) / (order + 1)
    return factor * special.hyp2f1(order + 1, order + 1, order + 2, at)


class spence_slope(Special):
    """The derivative of order `order` of `log(z) / (1 - z)`."""

    ulps = 16
    internal = True
    params = ("order",)
    order: int
    scalar = None
    kernel, _ = scipy_kernels(
        "spence",
        lambda special, z, order, to: _SPENCE_SLOPE.call(
            z, _series(special, z, order), order=order, to=to
        ),
        "_spence_slope({0}, (-1) ** ({order} + 1) * math.factorial({order}) / ({order} + 1) * "
        "scipy.special.hyp2f1({order} + 1, {order} + 1, {order} + 2, "
        "1 - np.clip(np.asarray({0}, np.float64), 0.3, 4)), order={order}, to={to})",
        prelude=_SPENCE_SLOPE.prelude,
        imports=("import math", "import scipy.special"),
        number_systems={"sympy": _derivative_of(lambda z: sympy.log(z) / (1 - z))},
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, z: ArrayExpr) -> Sequence[Any]:
        return (lambda: spence_slope.of(z, self.order + 1),)

    def notation(self) -> Notation:
        return notation_of(sympy.diff(sympy.log(OPERAND) / (1 - OPERAND), OPERAND, self.order))

    samples = [(POSITIVE, 0), (np.array([1.25, 0.2]), 1), (np.array(2.5), 2)]


class spence(Special, scipy="spence"):
    """Return Spence's function of each `z`, the integral of `log(t) / (1 - t)` from 1; nan below 0.

    It is the dilogarithm of `1 - z`.

    Between 0.4 and 0.65, and next to 2, values have up to 18 ulps.

    Examples
    --------
    >>> import symgrad as torch
    >>> z = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
    >>> y = torch.special.spence(z)
    >>> y
    tensor([ 1.6449, 0.0000, -0.8225], grad_fn=<SpenceBackward0>)
    >>> y.sum().backward()
    >>> z.grad
    tensor([   -inf, -1.0000, -0.6931])
    """

    ulps = 16
    space = "special"
    operand_names = ("z",)
    scalar = lambda z: sympy.polylog(2, 1 - z)  # noqa: E731

    def partials(self, z: ArrayExpr) -> Sequence[Any]:
        return (lambda: spence_slope.of(z, 0),)

    samples = _ON_POSITIVES


def _dawson(x: Any) -> Any:
    return sympy.sqrt(sympy.pi) / 2 * sympy.exp(-(x**2)) * sympy.erfi(x)


def _dawson_integral(x, made, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, which has up to 90 ulps left of 0.2 and right of 10, where it is by series.
    x = np.asarray(x, np.float64)
    small, large = np.clip(x, -0.25, 0.25), np.where(np.abs(x) > 10, x, 10)
    near, far = np.ones_like(x, np.float64), np.ones_like(x, np.float64)
    for k in range(10, 0, -1):
        near = 1 - near * 2 * small * small / (2 * k + 1)
        far = 1 + far * (2 * k - 1) / 2 / large / large
    found = np.where(
        np.abs(x) < 0.25, small * near, np.where(np.abs(x) > 10, far / 2 / large, made)
    )
    return np.asarray(np.where(np.isnan(x), x, found), to)


_DAWSON_INTEGRAL = Kernel.from_function(_dawson_integral)


def _dawson_slope(x, made, *, order, to):  # type: ignore[no-untyped-def]
    # Dawson's integral D has the derivative 1 - 2*x*D. Where that cancels, right of 2, a sum of
    # Rybicki's over points y, a whole number of steps h from 0, with x in the middle between two
    # of them: D is about h/sqrt(pi) times the sum of exp(-y**2)/(x + y). Of its derivatives, that have
    # Hermite's H_k(y) as a factor, the first k terms of the geometric series for 1/(x + y) add up to
    # nothing, and are left out. The error falls as exp(-(pi/(2*h))**2), below that of rounding.
    x = np.asarray(x, np.float64)
    size, under = np.abs(x), np.abs(_dawson_integral(x, made, np.float64))  # type: ignore[no-untyped-call]
    z = np.clip(size, 2, 1e165)
    h = z / (2 * np.ceil(z / 0.35) + 1)
    far = np.zeros_like(z, np.float64)
    for j in (*range(-24, 0), *range(1, 25)):
        y = 2 * j * h
        before, hermite = 0, 1
        for k in range(order):
            before, hermite = hermite, 2 * (y * hermite - k * before)
        far = far + hermite * np.exp(-y * y) * (-y / z) ** order / (z + y)
    far = far * h / np.sqrt(np.pi)
    inside = np.minimum(size, 2)
    near = 1 - 2 * inside * under
    for k in range(1, order):
        under, near = near, -2 * (inside * near + k * under)
    made = np.where(size < 2, near, far) * (np.sign(x) if order % 2 == 0 else 1)
    return np.asarray(np.where(np.isnan(x), x, made), to)


_DAWSON_SLOPE = Kernel.from_function(_dawson_slope, prelude=_DAWSON_INTEGRAL.prelude)


class dawson_slope(Special):
    """The derivative of order `order` of Dawson's integral, from the first."""

    ulps = 32
    why_ulps = "the sums over points have terms of either sign"
    internal = True
    params = ("order",)
    order: int
    scalar = None
    kernel, _ = scipy_kernels(
        "dawsn",
        lambda special, x, order, to: _DAWSON_SLOPE.call(x, special.dawsn(x), order=order, to=to),
        "_dawson_slope({0}, scipy.special.dawsn({0}), order={order}, to={to})",
        prelude=_DAWSON_SLOPE.prelude,
        number_systems={"sympy": _derivative_of(_dawson)},
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: dawson_slope.of(x, self.order + 1),)

    def notation(self) -> Notation:
        x, f = OPERAND, sympy.Symbol("f")
        total = f
        for _ in range(self.order):
            total = total.diff(x) + total.diff(f) * (1 - 2 * x * f)
        return notation_of(sympy.expand(total).subs(f, sympy.Function("dawsn")(x)))

    samples = [(ANY, 1), (np.array([0.0, 2.5]), 2), (np.array(0.7), 3)]


class dawsn(Special):
    """Return Dawson's integral of each `x`: `exp(-x**2)` times that of `exp(t**2)` from 0.

    Right of 2 its derivatives are sums over points, with an error below that of rounding: the first has
    up to 16 ulps, higher ones up to 32.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 1.0, 100.0], requires_grad=True)
    >>> y = torch.special.dawsn(x)
    >>> y
    tensor([0.0000, 0.5381, 0.0050], grad_fn=<DawsnBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([ 1.0000e+00, -7.6159e-02, -5.0008e-05])
    """

    ulps = (8, 16, 32, 32, 32)
    why_ulps = "the sums over points have terms of either sign"
    space = "special"
    operand_names = ("x",)
    scalar = _dawson
    kernel, _ = scipy_kernels(
        "dawsn",
        lambda special, x, to: _DAWSON_INTEGRAL.call(x, special.dawsn(x), to),
        "_dawson_integral({0}, scipy.special.dawsn({0}), {to})",
        prelude=_DAWSON_INTEGRAL.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: dawson_slope.of(x, 1),)
