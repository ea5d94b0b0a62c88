"""Trigonometric and hyperbolic functions and their inverses."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.long_arrays import (
    COSINE,
    COSINE_OF_MANY,
    SINE,
    SINE_OF_MANY,
    tangent_is_quick,
)
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype, float64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence, of_elements
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.kinds import OfMany, OfResult, Steady
from symgrad.ops.powers import hypot, rsqrt, sqrt, square
from symgrad.ops.samples import ANY, COLUMN
from symgrad.ops.spherical import spherical_jn
from symgrad.ops.where import where

_SMALL = np.array([0.3, -0.9, 0.5])


class _Circular(Elementwise, abstract=True):
    result = "float"

    samples = [(ANY,), (np.array(0.7),), (ANY.reshape(3, 1),)]


class _OfPeriod(OfMany, _Circular, abstract=True):
    quicker = staticmethod(tangent_is_quick)
    at_most_one = True
    poles = ()
    ulps = 4


class _OnUnit(Elementwise, abstract=True):
    """A function with branch points at 1 and -1."""

    result = "float"

    samples = [(_SMALL,), (np.array(0.7),), (_SMALL.reshape(3, 1),)]


class sin(_OfPeriod):
    """Return the sine of each element of `input`, in radians.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 1.0], requires_grad=True)
    >>> torch.sin(x)
    tensor([0.0000, 0.8415], grad_fn=<SinBackward0>)
    >>> x = torch.leaf("x")
    >>> torch.derive(torch.sin(x), x, order=2)
    -sin(x)
    """

    scalar = sympy.sin
    kernel = SINE
    of_many: ClassVar[Mapping[dtype, Kernel]] = {float64: SINE_OF_MANY}

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.cos(),)


class cos(_OfPeriod):
    """Return the cosine of each element of `input`, in radians.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.cos(torch.tensor([0.0, 1.0]))
    tensor([1.0000, 0.5403])
    """

    scalar = sympy.cos
    kernel = COSINE
    of_many: ClassVar[Mapping[dtype, Kernel]] = {float64: COSINE_OF_MANY}

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -x.sin(),)


class tan(_Circular):
    """Return the tangent of each element of `input`, in radians.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tan(torch.tensor([0.0, 1.0]))
    tensor([0.0000, 1.5574])
    >>> x = torch.leaf("x")
    >>> torch.derive(torch.tan(x), x)
    1 + tan(x)**2
    """

    ulps = 4
    scalar = sympy.tan
    kernel = Kernel.from_ufunc(np.tan)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 + self**2,)


class asin(_OnUnit):
    """Return the arc sine of each element of `input`, from -pi/2 to pi/2; nan outside [-1, 1].

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.asin(torch.tensor([0.0, 0.5, 2.0]))
    tensor([0.0000, 0.5236,    nan])
    """

    ulps = 8
    aliases = ("arcsin",)
    scalar = sympy.asin
    kernel = Kernel.from_ufunc(np.arcsin, name="asin")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / sqrt.of(1 - x**2),)


class acos(_OnUnit):
    """Return the arc cosine of each element of `input`, from 0 to pi; nan outside [-1, 1].

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.acos(torch.tensor([1.0, 0.5, 2.0]))
    tensor([0.0000, 1.0472,    nan])
    """

    ulps = 8
    aliases = ("arccos",)
    scalar = sympy.acos
    kernel = Kernel.from_ufunc(np.arccos, name="acos")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -1 / sqrt.of(1 - x**2),)


class atan(_Circular):
    """Return the arc tangent of each element of `input`, from -pi/2 to pi/2.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.atan(torch.tensor([0.0, 1.0, float("inf")]))
    tensor([0.0000, 0.7854, 1.5708])
    """

    ulps = 8
    aliases = ("arctan",)
    scalar = sympy.atan
    kernel = Kernel.from_ufunc(np.arctan, name="atan")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (1 + x**2),)


class atan2(Elementwise):
    """Return the angle of the point (`other`, `input`); the derivative at the origin is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> y, x = torch.tensor([1.0, 1.0, -1.0]), torch.tensor([1.0, -1.0, -1.0])
    >>> torch.atan2(y, x)
    tensor([ 0.7854,  2.3562, -2.3562])
    """

    ulps = 8
    result = "float"
    aliases = ("arctan2",)
    refuses = (Category.COMPLEX,)
    scalar = sympy.atan2
    kernel = Kernel.from_ufunc(np.arctan2, name="atan2")

    def partials(self, y: ArrayExpr, x: ArrayExpr) -> Sequence[Any]:
        y, x = (a if a.weak or a.dtype is self.dtype else a.to(self.dtype) for a in (y, x))
        return lambda: self._over(x, x, y), lambda: -self._over(y, x, y)

    def _over(self, part: ArrayExpr, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        size = hypot.of(x, y)  # the square, which may underflow, is not computed
        return where.of(size.eq(0), 0, part / size / size)

    samples = [(ANY, COLUMN), (np.array(0.7), np.array(-0.3)), (ANY, np.array(0.5))]


class sinh(_Circular):
    """Return the hyperbolic sine of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sinh(torch.tensor([0.0, 1.0, -1.0]))
    tensor([ 0.0000,  1.1752, -1.1752])
    """

    ulps = 4
    scalar = sympy.sinh
    kernel = Kernel.from_ufunc(np.sinh)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.cosh(),)


class cosh(_Circular):
    """Return the hyperbolic cosine of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.cosh(torch.tensor([0.0, 1.0, -1.0]))
    tensor([1.0000, 1.5431, 1.5431])
    """

    nonnegative = "always"
    ulps = 4
    scalar = sympy.cosh
    kernel = Kernel.from_ufunc(np.cosh)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.sinh(),)


class tanh(_Circular):
    """Return the hyperbolic tangent of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tanh(torch.tensor([0.0, 1.0, -1.0]))
    tensor([ 0.0000,  0.7616, -0.7616])
    >>> x = torch.leaf("x")
    >>> torch.derive(torch.tanh(x), x)
    1 - tanh(x)**2
    """

    at_most_one = True
    rounds: ClassVar[bool] = True
    poles: ClassVar[tuple[int, ...] | None] = ()
    ulps = 8
    scalar = sympy.tanh
    kernel = Kernel.from_ufunc(np.tanh)
    keeps: ClassVar[tuple[int, ...]] = (0,)  # differentiated as `steady_tanh`, which reads x

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 - self**2,)


class tanh_slope(OfResult):
    """The derivative of `y = tanh(x)`, accurate in the tails, where `1 - y**2` rounds to 0."""

    scalar = lambda x, y: 1 - y**2  # noqa: E731
    computed = 1, lambda x: 1 / sympy.cosh(x) ** 2
    kernel = Kernel(
        "tanh_slope", lambda x: np.square(1 / np.cosh(x)), "np.square(1 / np.cosh({0}))", rows=local
    )
    printed = Notation(
        "1 - {1}**2",
        "1 - {1}^{{2}}",
        Precedence.SUM,
        (0, Precedence.POWER + 1),
        of_arrays=of_elements(r"1 - {1}^{{\odot 2}}", Precedence.SUM),
    )

    def slope(self, x: ArrayExpr, y: ArrayExpr) -> Any:
        return -2 * y

    def series_form(self) -> ArrayExpr | None:
        return 1 - square.of(self.operands[1])


class steady_tanh(Steady, abstract=True):
    """`tanh` in formulas of derivatives: its own derivative keeps the tails."""

    slope = tanh_slope


def _sech(x: Any) -> Any:
    return 1 / np.cosh(x)


class sech(_Circular):
    """`1 / cosh(x)`, whose derivatives do not overflow where `cosh(x)**2` does."""

    at_most_one = True
    poles = ()
    ulps = 16
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x: 1 / sympy.cosh(x)  # noqa: E731
    kernel = Kernel.from_function(_sech, rows=local)
    printed = Notation(
        "1 / cosh({0})",
        r"\operatorname{{sech}}\left({0}\right)",
        Precedence.PRODUCT,
        typeset=Latex(r"\operatorname{{sech}}\left({0}\right)"),
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(self * tanh.of(x)),)


class asinh(_Circular):
    """Return the inverse hyperbolic sine of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.asinh(torch.tensor([0.0, 1.0, 1e30]))
    tensor([ 0.0000,  0.8814, 69.7707])
    """

    ulps = 16
    aliases = ("arcsinh",)
    scalar = sympy.asinh
    kernel = Kernel.from_ufunc(np.arcsinh, name="asinh")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        if self.dtype.is_complex:
            return (lambda: 1 / sqrt.of(1 + x**2),)
        return (lambda: 1 / hypot.of(1.0, x),)  # no square of x is computed, and none overflows


class acosh(Elementwise):
    """Return the inverse hyperbolic cosine of each element of `input`; nan below 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.acosh(torch.tensor([0.0, 1.0, 2.0]))
    tensor([   nan, 0.0000, 1.3170])
    """

    ulps = 4
    result = "float"
    aliases = ("arccosh",)
    scalar = sympy.acosh
    kernel = Kernel.from_ufunc(np.arccosh, name="acosh")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        # The square of sqrt(x**2 - 1) overflows, and for complex numbers its branch has the other
        # sign. Subtracting -1 keeps the sign of an imaginary zero, which is the side of the branch cut.
        size = x.abs()  # PyTorch has a derivative below -1
        if self.dtype.is_complex:
            return (lambda: 1 / ((x - 1).sqrt() * (x - (-1)).sqrt()),)
        return (lambda: rsqrt.of(size - 1) * rsqrt.of(size + 1),)

    samples = [(np.array([1.3, 2.0, 4.5]),), (np.array(1.7),)]


class atanh(_OnUnit):
    """Return the inverse hyperbolic tangent of each element of `input`; infinite at -1 and 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.atanh(torch.tensor([0.0, 0.5, 1.0]))
    tensor([0.0000, 0.5493,    inf])
    """

    ulps = 4
    aliases = ("arctanh",)
    scalar = sympy.atanh
    kernel = Kernel.from_ufunc(np.arctanh, name="atanh")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (1 - x**2),)


def _sinoverx(x, sine, cosine, *, order):  # type: ignore[no-untyped-def]
    # With f_k the derivative of order k: f_k = (sin(x + k*pi/2) - k*f_(k-1)) / x. This loses digits
    # where x is small. There f_k is the integral of t**k * cos(x*t + k*pi/2) over t from 0 to 1, by
    # its Taylor series.
    limit = 1.5 + order / 2
    near = np.abs(x) < limit
    safe = np.where(near | np.isinf(x), 1, x)
    far = sine / safe
    for k in range(1, order + 1):
        far = ([sine, cosine][k % 2] * [1, 1, -1, -1][k % 4] - k * far) / safe
    inner = np.where(near, x, 0)
    series = np.zeros_like(inner)
    term = np.ones_like(inner)
    for j in range(40 + 4 * order):
        if (order + j) % 2 == 0:
            series = series + term * ((1 - (order + j) % 4) / (order + j + 1))
        term = term * inner / (j + 1)
    return np.where(near, series, np.where(np.isinf(x), 0, far))


def _sinoverx_derivative(x, *, order):  # type: ignore[no-untyped-def]
    x = np.asarray(x)
    wide = x.astype(np.result_type(x, np.float64))
    safe = np.where(np.isinf(wide), 0, wide)
    return _sinoverx(wide, np.sin(safe), np.cos(safe), order=order).astype(x.dtype)  # type: ignore[no-untyped-call]


def _unscaled_sinc(x):  # type: ignore[no-untyped-def]
    ends = (x == 0) | np.isinf(x)
    safe = np.where(ends, 1, x)
    return np.where(ends, x == 0, np.sin(safe) / safe)


def _sinoverx_numbers(x: Any, order: int) -> Any:
    t = sympy.Symbol("t")
    derivative = sympy.diff(sympy.sin(t) / t, t, order)

    def f(v: Any) -> Any:
        if v != 0:
            return derivative.subs(t, v)
        return 0 if order % 2 else sympy.Integer((-1) ** (order // 2)) / (order + 1)

    return np.frompyfunc(f, 1, 1)(x)


@functools.lru_cache(maxsize=64)
def _of_spherical(order: int) -> dict[int, Fraction]:
    """Return the derivative of an order of `sin(x)/x` by spherical Bessel functions, of which it is one.

    `(2*n + 1) * j_n' = n*j_(n-1) - (n + 1)*j_(n+1)`: DLMF 10.51.2.
    """
    found = {0: Fraction(1)}
    for _ in range(order):
        below, found = found, {}
        for n, c in below.items():
            for m, factor in ((n - 1, n), (n + 1, -n - 1)):
                if factor:
                    found[m] = found.get(m, Fraction(0)) + c * Fraction(factor, 2 * n + 1)
    return dict(sorted(found.items(), key=lambda term: -term[1]))


class sinoverx(Elementwise):
    """The derivative of some order of `sin(x)/x`, smooth through 0."""

    ulps = 8
    internal = True
    result = "float"
    params = ("order",)
    kernel = Kernel.from_function(
        _sinoverx_derivative,
        prelude=Kernel.from_function(_sinoverx).prelude,
        rows=local,
        number_systems={"sympy": _sinoverx_numbers},
    )

    def element(self, *operands: Any) -> Any:
        k, x = self.order, sympy.Dummy()
        at_zero = 0 if k % 2 else sympy.Rational((-1) ** (k // 2), k + 1)
        slope = sympy.diff(sympy.sin(x) / x, x, k).subs(x, operands[0])
        return sympy.Piecewise((at_zero, sympy.Eq(operands[0], 0)), (slope, True))

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: sinoverx.of(x, self.order + 1),)

    def as_read(self) -> ArrayExpr | None:
        (x,) = self.operands
        return None if self.dtype.is_complex else self.of_spherical(x)

    def of_spherical(self, x: ArrayExpr) -> Any:
        """Return the derivative at `x` by spherical Bessel functions, which do not cancel next to 0."""
        terms = _of_spherical(self.order).items()
        return sum([c.numerator * spherical_jn.of(n, x) / c.denominator for n, c in terms])

    samples = [
        (np.array([0.3, -1.2, 12.0]), 0),
        (np.array(0.0), 1),
        (np.array([0.0, 3.0, -7.0]), 2),
    ]


class unscaled_sinc(_Circular):
    """`sin(x)/x`, and 1 at 0: what SymPy calls `sinc`."""

    ulps = 8
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = of_sympy = sympy.sinc
    kernel = Kernel.from_function(_unscaled_sinc, rows=local)
    printed = Notation(
        "spherical_bessel_j0({0})", r"\operatorname{{sinc}}\left({0}\right)", Precedence.ATOM
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: sinoverx.of(x, 1),)
