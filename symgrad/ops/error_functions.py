"""The scaled complementary error function, and the logarithm of that which is not scaled, by SciPy."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.ops.primitive import Computation
from symgrad.ops.samples import ANY
from symgrad.ops.special import OPERAND, Special, notation_of, scipy_kernels, scipy_special


def _erfcx(x, made, right, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, which rounds the square of x; `right` is the function of abs(x). The square of
    # `high` has no rounding.
    x = np.asarray(x, np.float64)
    left = (x < -0.5) & (x > -27)
    z = np.where(left, x, 1)
    high = np.asarray(z, np.float32).astype(np.float64)
    rise = 2 * (np.exp(high * high) * np.exp((z - high) * (z + high)))
    return np.asarray(np.where(left, rise - right, made), to)


_ERFCX = Kernel.from_function(_erfcx, rows=local)


class erfcx(Special):
    """Return `exp(x**2) * erfc(x)` of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.erfcx(torch.tensor([0.0, 10.0]))
    tensor([1.0000, 0.0561])
    """

    ulps = 8
    space = "special"
    scalar = lambda x: sympy.exp(x**2) * sympy.erfc(x)  # noqa: E731
    kernel, _ = scipy_kernels(
        "erfcx",
        lambda special, x, to: _ERFCX.call(x, special.erfcx(x), special.erfcx(np.abs(x)), to=to),
        "_erfcx({0}, scipy.special.erfcx({0}), scipy.special.erfcx(np.abs({0})), to={to})",
        prelude=_ERFCX.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: erfcx_slope.of(x, 1),)


def _erfcx_slope(x, scaled, *, order, to):  # type: ignore[no-untyped-def]
    # `scaled` is exp(x**2)*erfc(x). Left of 1/2 by f' = 2*x*f - 2/sqrt(pi). To the right, where that
    # cancels, by the ratios of the repeated integrals of erfc, continued fractions of positive terms:
    # 1/r_n = 2*x + 2*(n + 1)*r_(n+1), and the derivative is (-2)**n * n! * f * r_1 * ... * r_n.
    x, scaled = np.asarray(x, np.float64), np.asarray(scaled, np.float64)
    below, at = scaled, 2 * x * scaled - 2 / np.sqrt(np.pi)
    for n in range(1, order):
        below, at = at, 2 * x * at + 2 * n * below
    right = np.maximum(x, 0.5)
    ratio = 1 / (right + np.hypot(right, np.sqrt(2 * 642.0)))
    far = scaled
    for n in range(640, 0, -1):
        ratio = 1 / (2 * right + 2 * (n + 1) * ratio)
        if n <= order:
            far = far * (-2 * n * ratio)
    return np.where(x < 0.5, at, far).astype(to)


_ERFCX_SLOPE = Kernel.from_function(_erfcx_slope)


class erfcx_slope(Special):
    """The derivative of `erfcx` of order `order`, accurate where it is small."""

    ulps = 8
    internal = True
    params = ("order",)
    order: int
    kernel = Kernel(
        "erfcx_slope",
        lambda x, order, to: _ERFCX_SLOPE.call(
            x, scipy_special("erfcx").erfcx(np.asarray(x, np.float64)), order=order, to=to
        ),
        "_erfcx_slope({0}, scipy.special.erfcx(np.asarray({0}, np.float64)), order={order}, to={to})",
        prelude=_ERFCX_SLOPE.prelude,
        imports=("import scipy.special",),
        rows=local,
        number_systems={
            "sympy": lambda x, order, to: np.frompyfunc(lambda v: _erfcx_numbers(v, order), 1, 1)(x)
        },
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: erfcx_slope.of(x, self.order + 1),)

    def notation(self) -> Notation:
        return notation_of(_erfcx_formula(self.order))

    samples = [(ANY, 1), (np.array(0.7), 2)]


@functools.lru_cache(maxsize=16)
def _erfcx_formula(order: int) -> Any:
    """Return a derivative of `erfcx` by itself, with `f' = 2*x*f - 2/sqrt(pi)`."""
    x, f = OPERAND, sympy.Symbol("f")
    total = f
    for _ in range(order):
        total = total.diff(x) + total.diff(f) * (2 * x * f - 2 / sympy.sqrt(sympy.pi))
    return sympy.expand(total).subs(f, sympy.Function("erfcx")(x))


def _erfcx_numbers(v: Any, order: int) -> Any:
    x = sympy.Dummy()
    scalar: Any = erfcx.scalar
    return sympy.diff(scalar(x), x, order).subs(x, v)


def _log_erfc(x: Any) -> Any:
    special = scipy_special("log(erfc(x))")
    # Near 0, where erfc is nearly 1, it is computed from erf; on the right, where erfc underflows, from
    # erfcx.
    mid, right = np.clip(x, -30, 0.5), np.maximum(x, 0.5)
    beyond = np.log(special.erfcx(right)) - right * right
    return np.where(x < 0.5, np.log1p(-special.erf(mid)), beyond)


@functools.lru_cache(maxsize=64)
def of_ratio(order: int, twice: int) -> Callable[..., Any]:
    """Return a derivative as a function of `x` and a ratio s, of which one is `-s * (twice*x + s)`."""
    x, s = sympy.symbols("x s")
    total = s
    for _ in range(order):
        total = sympy.expand(total.diff(x) - total.diff(s) * s * (twice * x + s))
    made: Callable[..., Any] = sympy.lambdify((x, s), total, [])
    return made


class log_erfc(Special):
    """`log(erfc(x))` without underflow."""

    ulps = (4, 8, 16, 512, 4096)
    why_ulps = (
        "between 0.3 and 1 the derivatives are differences of terms up to ten thousand times as "
        "large; more digits would take the functions in more than double precision"
    )
    internal = True
    scalar = lambda x: sympy.log(sympy.erfc(x))  # noqa: E731
    kernel = Kernel(
        "log_erfc",
        _log_erfc,
        "np.where({0} < 0.5, np.log1p(-scipy.special.erf(np.clip({0}, -30, 0.5))), "
        "np.log(scipy.special.erfcx(np.maximum({0}, 0.5))) - np.square(np.maximum({0}, 0.5)))",
        imports=("import scipy.special",),
        rows=local,
    )

    printed = Notation(
        f"log_ndtr({{0}} * {-(2**0.5)!r}) + {math.log(2)!r}",
        r"\log \operatorname{{erfc}}\left({0}\right)",
        Precedence.SUM,
        (Precedence.PRODUCT,),
        Latex(r"\log \operatorname{{erfc}}\left({0}\right)", Precedence.ATOM, (Precedence.CASES,)),
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: log_erfc_slope.of(x, 0),)


# The derivatives of log(erfc(x)) are polynomials, here from exponents to coefficients, in what is
# known of it on either side of 1. To the left in x and in the slope s, with s' = -s*(2*x + s). To
# the right, where that cancels, in x and in the ratios r_n of the repeated integrals of erfc, that
# of order n to that of order n - 1: s = -2*x - 2*r_1 and r_n' = r_n*(2*n*r_n - 2*(n+1)*r_(n+1)).
# They are continued fractions of positive terms, 1/r_n = 2*x + 2*(n + 1)*r_(n+1): DLMF 7.18(iii).
_Polynomial = dict[tuple[int, ...], int]


def _derived(p: _Polynomial, slope: Callable[[int, int], list[tuple[int, list[int]]]]) -> Any:
    """Differentiate; `slope(i, width)` is the derivative of variable i, factors and exponents."""
    out: _Polynomial = {}
    width = max(map(len, p)) + 1
    for powers, c in p.items():
        for i, k in enumerate(powers):
            for factor, more in slope(i, width) if k else ():
                padded = [*powers, *[0] * (width - len(powers))]
                padded[i] -= 1
                key = tuple([a + b for a, b in zip(padded, more, strict=True)])
                out[key] = out.get(key, 0) + c * k * factor
    return {powers: c for powers, c in out.items() if c}


def _unit(width: int, *places: int) -> list[int]:
    return [places.count(i) for i in range(width)]


def _left_slope(i: int, width: int) -> list[tuple[int, list[int]]]:
    return [(-2, _unit(width, 0, 1)), (-1, _unit(width, 1, 1))] if i else [(1, _unit(width))]


def _right_slope(n: int, width: int) -> list[tuple[int, list[int]]]:
    if n == 0:
        return [(1, _unit(width))]
    return [(2 * n, _unit(width, n, n)), (-2 * (n + 1), _unit(width, n, n + 1))]


@functools.lru_cache(maxsize=16)
def derivatives_of_log_erfc(order: int) -> tuple[_Polynomial, _Polynomial]:
    """Return the derivative of the slope of log(erfc) of an order, to the left and the right."""
    left: _Polynomial = {(0, 1): 1}
    right: _Polynomial = {(1, 0): -2, (0, 1): -2}
    for _ in range(order):
        near = _derived(left, _left_slope)
        left = {powers[:2]: c for powers, c in near.items()}
        right = _derived(right, _right_slope)
    return left, right


def _erfc_ratio(x, scaled, *, near, far):  # type: ignore[no-untyped-def]
    # `scaled` is exp(z**2)*erfc(z) of z = x between -30 and 1; `near` and `far` are what the
    # derivative is on either side of 1.
    x = np.asarray(x, np.float64)
    z, right = np.clip(x, -30, 1), np.maximum(x, 1)
    # 160 levels of the continued fraction give all digits from 1 on, where it ends in what does
    # not change from level to level.
    ratios = [1 / (right + np.hypot(right, np.sqrt(2 * 162)))]
    for n in range(160, 0, -1):
        ratios.append(1 / (2 * right + 2 * (n + 1) * ratios[-1]))
    left = [z, -2 / (np.sqrt(np.pi) * scaled)]
    out = []
    for values, polynomial in ((left, near), ([right, *ratios[::-1]], far)):
        total = np.zeros_like(x)
        for powers, c in polynomial:
            term = c
            for value, k in zip(values, powers, strict=False):
                for _ in range(k):
                    term = term * value
            total = total + term
        out.append(total)
    return np.where(x < 1, *out)


ERFC_RATIO = Kernel.from_function(_erfc_ratio)


def _log_erfc_slope(x: Any, *, near: Any, far: Any, to: Any) -> Any:
    special = scipy_special("the derivative of log(erfc(x))")
    scaled = special.erfcx(np.clip(np.asarray(x, np.float64), -30, 1))
    return np.asarray(ERFC_RATIO.call(x, scaled, near=near, far=far), to)


def _slope_numbers(x: Any, near: Any, far: Any, to: Any) -> Any:
    def f(v: Any) -> Any:
        s = -2 / (sympy.sqrt(sympy.pi) * sympy.exp(v**2) * sympy.erfc(v))
        return sympy.Add(*[c * v**i * s**j for (i, j), c in near])

    return np.frompyfunc(f, 1, 1)(x)


class log_erfc_slope(Special):
    """The derivative of order `order + 1` of `log(erfc(x))`, accurate in both tails."""

    ulps = (8, 32, 1024, 8192, 1 << 17)
    why_ulps = (
        "between 0.3 and 1 the derivatives are differences of terms up to ten thousand times as "
        "large; more digits would take the functions in more than double precision"
    )
    internal = True
    params = ("order",)
    kernel = Kernel(
        "log_erfc_slope",
        _log_erfc_slope,
        "np.asarray(_erfc_ratio({0}, scipy.special.erfcx(np.clip(np.asarray({0}, np.float64), "
        "-30, 1)), near={near}, far={far}), {to})",
        prelude=ERFC_RATIO.prelude,
        imports=("import scipy.special",),
        rows=local,
        number_systems={"sympy": _slope_numbers},
    )

    def implementation(self) -> Computation:
        near, far = [tuple(p.items()) for p in derivatives_of_log_erfc(self.order)]
        return self.kernel, {"near": near, "far": far, "to": self.dtype.numpy}, self.operands

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: log_erfc_slope.of(x, self.order + 1),)

    def as_read(self) -> ArrayExpr | None:
        (x,) = self.operands
        if self.order > 1:  # the polynomial cancels
            return None
        s = -2 / (sympy.sqrt(sympy.pi) * erfcx.of(x))
        return of_ratio(self.order, 2)(x, s)  # type: ignore[no-any-return]

    samples = [(ANY, 0), (np.array(0.7), 1), (np.array([0.3, 4.0, -2.0]), 2)]
