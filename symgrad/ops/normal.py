"""The normal distribution's functions, by SciPy."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence, of_elements
from symgrad.ops.error_functions import ERFC_RATIO, derivatives_of_log_erfc, of_ratio
from symgrad.ops.primitive import Computation
from symgrad.ops.samples import ANY
from symgrad.ops.special import Special, gauss_hermite, scipy_kernels, scipy_special

_BETWEEN = [(np.array([0.3, 0.9, 0.05]),), (np.array(0.7),)]


def _ndtr(x, made, scaled, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, which rounds the square of x; `scaled` is exp(x**2/2)*erfc(abs(x)/sqrt(2)).
    x = np.asarray(x, np.float64)
    left = (x < -1) & (x > -40)
    z = np.where(left, x, 1)
    high = np.asarray(z, np.float32).astype(np.float64)
    tail = np.exp(-high * high / 2) * np.exp(-(z - high) * (z + high) / 2) * scaled / 2
    return np.asarray(np.where(left, tail, made), to)


_NDTR = Kernel.from_function(_ndtr, rows=local)
_SCALED = "scipy.special.erfcx(np.abs(np.asarray({0}, np.float64)) * 0.5**0.5)"


def _scaled(special: Any, x: Any) -> Any:
    return special.erfcx(np.abs(np.asarray(x, np.float64)) * 0.5**0.5)


class ndtr(Special):
    """Return the distribution function of the normal distribution at each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.ndtr(torch.tensor([0.0, 1.96, -10.0]))
    tensor([5.0000e-01, 9.7500e-01, 7.6199e-24])
    """

    ulps = 8
    space = "special"
    at_most_one = True
    poles = ()
    scalar = lambda x: sympy.erfc(-x / sympy.sqrt(2)) / 2  # noqa: E731
    kernel, _ = scipy_kernels(
        "ndtr",
        lambda special, x, to: _NDTR.call(x, special.ndtr(x), _scaled(special, x), to=to),
        f"_ndtr({{0}}, scipy.special.ndtr({{0}}), {_SCALED}, to={{to}})",
        prelude=_NDTR.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: gauss_hermite.of(x, (1,), 0.5) / sympy.sqrt(2 * sympy.pi),)


def _log_ndtr(x, made, scaled, *, to):  # type: ignore[no-untyped-def]
    # On the right it is that of 1, less what is left there.
    x = np.asarray(x, np.float64)
    right = x > 1
    left = _ndtr(np.where(right, -x, -1), 0, scaled, to=np.float64)  # type: ignore[no-untyped-call]
    return np.asarray(np.where(right, np.log1p(-left), made), to)


_LOG_NDTR = Kernel.from_function(_log_ndtr, prelude=_NDTR.prelude, rows=local)


class log_ndtr(Special):
    """Return `log(ndtr(x))` of each element of `input`, without underflow.

    Derivatives from the second on are differences between about -1.5 and 0, and have up to thirty
    ulps there, more from the third on.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.log_ndtr(torch.tensor([0.0, -40.0]))
    tensor([-6.9315e-01, -8.0461e+02])
    """

    ulps = (8, 8, 64, 1024, 8192)
    why_ulps = "its derivatives of higher order are differences of larger terms around -1"
    space = "special"
    kernel_name = "log_ndtr_cpu"
    scalar = lambda x: sympy.log(sympy.erfc(-x / sympy.sqrt(2)) / 2)  # noqa: E731
    kernel, _ = scipy_kernels(
        "log_ndtr",
        lambda special, x, to: _LOG_NDTR.call(x, special.log_ndtr(x), _scaled(special, x), to=to),
        f"_log_ndtr({{0}}, scipy.special.log_ndtr({{0}}), {_SCALED}, to={{to}})",
        prelude=_LOG_NDTR.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: log_ndtr_slope.of(x, 0),)


def _log_ndtr_scale(x, right, left):  # type: ignore[no-untyped-def]
    # exp(z**2)*erfc(z) of z = -x/sqrt(2): `right` is erfc(z) right of 0, `left` is it left of 0. The
    # exponential of x**2/2 is that of z**2 without the rounding of z. Beyond 37.6, where it
    # overflows, what is divided by it is 0.
    x = np.asarray(x, np.float64)
    at = np.clip(x, 0, 40)
    return np.where(x > 0, np.exp(at * at / 2) * right, left)


_LOG_NDTR_SCALE = Kernel.from_function(_log_ndtr_scale)


def _log_ndtr_slope(x: Any, *, near: Any, far: Any, order: int, to: Any) -> Any:
    special = scipy_special("the derivative of log_ndtr")
    z = np.asarray(x, np.float64) / -np.sqrt(2)
    scaled = _LOG_NDTR_SCALE.call(
        x, special.erfc(np.minimum(z, 0)), special.erfcx(np.clip(z, 0, 1))
    )
    factor = (-np.sqrt(0.5)) ** (order + 1)
    return np.asarray(factor * ERFC_RATIO.call(z, scaled, near=near, far=far), to)


#: The density by the distribution function.
_RATIO = Notation(
    "exp(-{0}**2 / 2 - log_ndtr({0})) / (2 * pi)**0.5",
    r"\frac{{\mathrm{{e}}^{{-{0}^{{2}} / 2}}}}{{\sqrt{{2 \pi}} \, \operatorname{{ndtr}}\left({0}\right)}}",
    Precedence.PRODUCT,
    (Precedence.POWER + 1,),
    of_arrays=of_elements(
        r"\frac{{1}}{{\sqrt{{2 \pi}}}} \, \mathrm{{e}}^{{\odot \left(-{0}^{{\odot 2}} / 2\right)}}"
        r" \oslash \operatorname{{ndtr}}\left({0}\right)",
        Precedence.ODOT,
        Precedence.POWER + 1,
    ),
)


@functools.lru_cache(maxsize=16)
def _slope_notation(order: int) -> Notation:
    """Return the notation by x and the ratio s, of which the derivative is `-s*(x + s)`."""
    x, s = sympy.symbols("x s")
    total = s
    for _ in range(order):
        total = sympy.expand(total.diff(x) - total.diff(s) * s * (x + s))
    text = latex = ""
    for (i, j), c in sympy.Poly(total, x, s).terms():
        sign = ("-" if c < 0 else "") if not text else " - " if c < 0 else " + "
        number = [str(abs(c))] * (abs(c) != 1)
        power = ["{0}" if i == 1 else f"{{0}}**{i}"] * (i > 0)
        ratio = f"({_RATIO.text})" + (f"**{j}" if j > 1 else "")
        text += sign + " * ".join([*number, *power, ratio])
        power = ["{0}" if i == 1 else f"{{0}}^{{{{{i}}}}}"] * (i > 0)
        ratio = _RATIO.latex if j == 1 else rf"\left({_RATIO.latex}\right)^{{{{{j}}}}}"
        latex += sign + r" \, ".join([*number, *power, ratio])
    return Notation(text, latex, Precedence.SUM, (Precedence.POWER + 1,))


class log_ndtr_slope(Special):
    """The derivative of order `order + 1` of `log_ndtr`, accurate in both tails."""

    ulps = (8, 64, 1024, 8192, 1 << 17)
    why_ulps = log_ndtr.why_ulps
    internal = True
    params = ("order",)
    order: int
    kernel = Kernel(
        "log_ndtr_slope",
        _log_ndtr_slope,
        "np.asarray((-np.sqrt(0.5)) ** ({order} + 1) * _erfc_ratio("
        "np.asarray({0}, np.float64) / -np.sqrt(2), "
        "_log_ndtr_scale({0}, scipy.special.erfc(np.minimum(np.asarray({0}, np.float64) / "
        "-np.sqrt(2), 0)), scipy.special.erfcx(np.clip(np.asarray({0}, np.float64) / -np.sqrt(2), "
        "0, 1))), near={near}, far={far}), {to})",
        prelude=(*ERFC_RATIO.prelude, *_LOG_NDTR_SCALE.prelude),
        imports=("import scipy.special",),
        rows=local,
        number_systems={
            "sympy": lambda x, near, far, order, to: np.frompyfunc(
                lambda v: _numbers(v, order), 1, 1
            )(x)
        },
    )

    def implementation(self) -> Computation:
        near, far = [tuple(p.items()) for p in derivatives_of_log_erfc(self.order)]
        given = {"near": near, "far": far, "order": self.order, "to": self.dtype.numpy}
        return self.kernel, given, self.operands

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: log_ndtr_slope.of(x, self.order + 1),)

    def as_read(self) -> ArrayExpr:
        (x,) = self.operands
        s = (-(x**2) / 2 - log_ndtr.of(x)).exp() / sympy.sqrt(2 * sympy.pi)
        return of_ratio(self.order, 1)(x, s)  # type: ignore[no-any-return]

    def notation(self) -> Notation:
        return _slope_notation(self.order) if self.order else _RATIO

    samples = [(ANY, 0), (np.array(0.7), 1), (np.array([0.3, 4.0, -2.0]), 2)]


def _numbers(v: Any, order: int) -> Any:
    x = sympy.Dummy()
    scalar: Any = log_ndtr.scalar
    return sympy.diff(scalar(x), x, order + 1).subs(x, v)


class ndtri(Special, scipy="ndtri"):
    """Return the inverse of `ndtr`, the quantile of the normal distribution; nan outside [0, 1].

    Derivatives have up to 16 ulps, from the third on up to 32.

    Examples
    --------
    >>> import symgrad as torch
    >>> p = torch.tensor([0.0, 0.5, 0.975], requires_grad=True)
    >>> torch.special.ndtri(p)
    tensor([  -inf, 0.0000, 1.9600], grad_fn=<NdtriBackward0>)
    """

    ulps = (8, 8, 16, 32, 32)
    why_ulps = "each order has the error of the slope once more"
    space = "special"
    scalar = lambda p: sympy.sqrt(2) * sympy.erfinv(2 * p - 1)  # noqa: E731

    def partials(self, p: ArrayExpr) -> Sequence[Any]:
        return (lambda: ndtri_slope.of(p),)

    samples = _BETWEEN


def _ndtri_slope(p, scaled, *, to):  # type: ignore[no-untyped-def]
    # `scaled` is exp(y**2/2)*erfc(y/sqrt(2)) of the quantile y, without its sign.
    p = np.asarray(p, np.float64)
    slope = scaled * np.sqrt(np.pi / 2) / np.minimum(p, 1 - p)
    return np.asarray(np.where((p == 0) | (p == 1), np.inf, slope), to)


_NDTRI_SLOPE = Kernel.from_function(_ndtri_slope)


class ndtri_slope(Special):
    """The derivative of `ndtri`.

    That is one over the density at `y = ndtri(p)`, which in the tails would have the error of `y`
    many times. It is `p` times Mills' ratio that has not, and the density is `p` over that.
    """

    ulps = (8, 16, 32, 32, 32)
    why_ulps = "each order has the error of the slope once more"
    internal = True
    scalar = lambda p: (  # noqa: E731
        sympy.sqrt(2 * sympy.pi) * sympy.exp(sympy.erfinv(2 * p - 1) ** 2)
    )
    kernel, _ = scipy_kernels(
        "ndtri_slope",
        lambda special, p, to: _NDTRI_SLOPE.call(
            p, special.erfcx(np.abs(special.ndtri(np.asarray(p, np.float64))) * 0.5**0.5), to=to
        ),
        "_ndtri_slope({0}, scipy.special.erfcx(np.abs(scipy.special.ndtri("
        "np.asarray({0}, np.float64))) * 0.5**0.5), to={to})",
        prelude=_NDTRI_SLOPE.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    printed = Notation(
        f"exp(ndtri({{0}})**2 / 2) * {(2 * math.pi) ** 0.5!r}",
        r"\sqrt{{2 \pi}} \, \mathrm{{e}}^{{\operatorname{{ndtri}}\left({0}\right)^{{2}} / 2}}",
        Precedence.PRODUCT,
    )

    def partials(self, p: ArrayExpr) -> Sequence[Any]:
        return (lambda: ndtri.of(p) * self**2,)

    def as_read(self) -> ArrayExpr:
        (p,) = self.operands
        return sympy.sqrt(2 * sympy.pi) * (ndtri.of(p) ** 2 / 2).exp()  # type: ignore[no-any-return]

    samples = _BETWEEN
