"""Exponential, sine, cosine and Fresnel integrals, Dawson's and Spence's, computed by SciPy.

They are those of DLMF, chapters 6, 7 and 25.12.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.ops.samples import ANY, POSITIVE
from symgrad.ops.special import Special, scipy_kernels, with_index
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


class expi(Special, scipy="expi"):
    """Return the exponential integral Ei, the integral of `exp(t) / t` up to each `x`.

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
    printed = Notation("expi({0})", r"\operatorname{{Ei}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.exp() / x,)


class exp1(Special, scipy="exp1"):
    """Return the exponential integral E1, that of `exp(-t) / t` from each `x` on; nan below 0.

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


class hyperbolic_sine_integral(Special, scipy="shichi", part=0):
    """The hyperbolic sine integral, of `sinh(t) / t` from 0."""

    ulps = 8
    internal = True
    scalar = of_sympy = sympy.Shi
    printed = Notation("shichi({0})[0]", r"\operatorname{{Shi}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: spherical_in.of(0, x),)


class hyperbolic_cosine_integral(Special, scipy="shichi", part=1):
    """The hyperbolic cosine integral; left of 0 its real part."""

    ulps = 16
    internal = True
    of_sympy = sympy.Chi
    scalar = lambda x: sympy.Chi(sympy.Abs(x))  # noqa: E731
    printed = Notation("shichi({0})[1]", r"\operatorname{{Chi}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.cosh() / x,)

    samples = _ON_POSITIVES


class fresnel_sine(Special, scipy="fresnel", part=0):
    """The Fresnel integral of `sin(pi/2 * t**2)` from 0."""

    ulps = 8
    internal = True
    scalar = of_sympy = sympy.fresnels
    printed = Notation("fresnel({0})[0]", r"\mathrm{{S}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: (x**2 * _HALF_PI).sin(),)

    samples = _OFF_ROOTS


class fresnel_cosine(Special, scipy="fresnel", part=1):
    """The Fresnel integral of `cos(pi/2 * t**2)` from 0."""

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
    underived: ClassVar[Mapping[int, str]] = {0: "n"}
    of_order = (sympy.expint, "whole")
    scalar = lambda n, x: sympy.expint(n, x)  # noqa: E731
    printed = with_index("exponential_integral", "E")
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
    made, falling = np.log(far) / (1 - far), np.ones(z.shape)
    for k in range(1, order + 1):
        falling = falling / far * (1 if k == 1 else 1 - k)
        made = (k * made + falling) / (1 - far)
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

    samples = [(POSITIVE, 0), (np.array([1.25, 0.2]), 1), (np.array(2.5), 2)]


class spence(Special, scipy="spence"):
    """Return Spence's function of each `z`, the integral of `log(t) / (1 - t)` from 1; nan below 0.

    It is the dilogarithm of `1 - z`.

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
    near, far = np.ones(x.shape), np.ones(x.shape)
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
    far = np.zeros(z.shape)
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
