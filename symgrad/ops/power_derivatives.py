"""Derivatives of `x**y` by its base and its exponent, of every order, also where they are limits."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import mpmath
import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence, braces, of_elements
from symgrad.ops.comparison import eq, ne
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.kinds import Beside
from symgrad.ops.logic import logical_and, logical_not, logical_or
from symgrad.ops.masked import zero_unless
from symgrad.ops.primitive import Computation
from symgrad.ops.samples import COLUMN, POSITIVE
from symgrad.ops.where import where


def _power_derivative(x, y, *, in_base, in_exponent, positive):  # type: ignore[no-untyped-def]
    kind = np.result_type(x, y)
    # The power in a higher derivative of a number may be too small for narrow floats.
    wide = np.result_type(kind, np.float64) if in_base + in_exponent > 1 else kind
    x, y = np.asarray(x, wide), np.asarray(y, wide)
    # The falling factorial y*(y - 1)*... and its derivatives by y, of which the j-th is 0 for j > i.
    falling = [y, 1, *[0] * in_exponent]
    for i in range(1, in_base):
        for j in range(min(in_exponent, i + 1), 0, -1):
            falling[j] = (falling[j] * (y - i) if j <= i else 0) + j * falling[j - 1]
        falling[0] = falling[0] * (y - i)
    # A polynomial in log(x), of which a power that vanishes stays 0 where the logarithm is infinite.
    out, choices = falling[0], 1
    for j in range(1, in_exponent + 1):
        log = np.log(x)
        choices = choices * (in_exponent + 1 - j) // j
        out = np.where((out == 0) & np.isinf(log), 0, out * log) + choices * falling[j]
    power = np.power(x, y - in_base)
    product = out * power
    if np.count_nonzero(np.isnan(product)):
        # Where one factor is infinite or nan, the other decides if it is 0 at and beside the point.
        zero = (x == 0) & (y.real > in_base) | (x == np.inf) & (y.real < in_base) | (out == 0)
        zero |= (power == 0) & np.isinf(out)  # too small for a float
        product = np.where(np.isnan(product) & zero, 0, product)
    if positive:
        product = np.where((x < 0) | np.isnan(x), np.where((x < 0) & (y == 0), 0, np.nan), product)
    return product.astype(kind, copy=False)


def _polynomial(y: Any, log: Any, in_base: int, in_exponent: int) -> Any:
    """Return what a power is multiplied by in its derivative, in SymPy.

    That is `sum(binomial(m, j) * diff(ff(y, k), y, j) * log**(m - j))`, by the rule of Leibniz.
    """
    z = sympy.Dummy()
    falling = sympy.Mul(*[z - i for i in range(in_base)])
    terms = [
        sympy.binomial(in_exponent, j) * sympy.diff(falling, z, j) * log ** (in_exponent - j)
        for j in range(in_exponent + 1)
    ]
    return sympy.Add(*terms).subs(z, y)


@functools.lru_cache(maxsize=256)
def _factor_of(in_base: int, in_exponent: int) -> Callable[..., Any]:
    """Return the polynomial in `y` and `log(x)` as a function of these."""
    y, log = sympy.symbols("y log")
    made: Callable[..., Any] = sympy.lambdify(
        (y, log), _polynomial(y, log, in_base, in_exponent), "mpmath"
    )
    return made


def _exact_power_derivative(x, y, *, in_base, in_exponent, positive):  # type: ignore[no-untyped-def]
    factor_of = _factor_of(in_base, in_exponent)

    def of_numbers(x: Any, y: Any) -> Any:
        factor = factor_of(y, mpmath.log(x) if in_exponent else 0)
        return factor and factor * mpmath.power(x, y - in_base)

    return np.frompyfunc(of_numbers, 2, 1)(x, y)


_SIGN = re.compile(r"(?<!\*)\*(?!\*)")


@functools.lru_cache(maxsize=256)
def _derivative_notation(in_base: int, in_exponent: int) -> Notation:
    """Return the printed form of a derivative of `{0}**{1}`."""
    y, log = sympy.symbols("y z")  # in this order in products
    factor = sympy.collect(_polynomial(y, log, in_base, in_exponent), log)
    factors = sympy.Mul.make_args(factor)
    place = 0 if in_exponent else len(factors)
    texts = [f"({x})" if x.is_Add else str(x) for x in factors]
    texts = [_SIGN.sub(" * ", x).replace("y", "{1}") for x in texts]
    texts.insert(place, f"{{0}}**({{1}} - {in_base})")
    text = " * ".join(texts).replace("z", "log({0})")

    def latex(times: str, mark: str) -> str:
        names = {y: "@y", log: "@z"}
        shown = [str(sympy.latex(x, symbol_names=names, mul_symbol=times)) for x in factors]
        shown = [
            rf"\left({s}\right)" if x.is_Add else s for s, x in zip(shown, factors, strict=True)
        ]
        shown = [braces(re.sub(r"([@z}])\^\{", lambda m: m[1] + "^{" + mark, s)) for s in shown]
        exponent = f"{{1}} - {in_base}"
        if mark:
            exponent = rf"{mark}\left({exponent}\right)"
        shown.insert(place, f"{{0}}^{{{{{exponent}}}}}")
        made = re.sub(r"(?<=\d) \\odot ", r" \\, ", times.join(shown))
        return made.replace("@y", "{1}").replace("@z", r"\log\left({0}\right)")

    tight = Precedence.POWER + 1
    levels = (tight, Precedence.PRODUCT if (in_base, in_exponent) == (1, 0) else tight)
    plain = Latex(latex(r" \, ", ""), Precedence.PRODUCT, levels)
    arrays = of_elements(latex(r" \odot ", r"\odot "), Precedence.ODOT, *levels)
    return Notation(text, plain.template, Precedence.PRODUCT, levels, plain, arrays)


class _PowerDerivative(Elementwise, abstract=True):
    """A derivative of `x**y` by the base, of an order of at least 1, and by the exponent.

    It is 0 where its factor is, a polynomial in `y` and `log(x)`, also where the power is infinite,
    and at x = 0 the limit from the right. The derivatives of it are of its kind, so mixed ones agree.
    """

    params = ("in_base", "in_exponent")
    in_base: int
    in_exponent: int
    arity = 2
    ulps = 16
    result = "float"
    internal = True
    kernel = Kernel.from_function(
        _power_derivative, rows=local, number_systems={"mpmath": _exact_power_derivative}
    )

    def implementation(self) -> Computation:
        orders = {"in_base": self.in_base, "in_exponent": self.in_exponent}
        return (
            self.kernel,
            {**orders, "positive": isinstance(self, positive_power_derivative)},
            self.operands,
        )

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: self.where_it_varies(x, y, self.in_base + 1, self.in_exponent),
            lambda: self.of(x, y, self.in_base, self.in_exponent + 1),
        )

    @classmethod
    def where_it_varies(
        cls, x: ArrayExpr, y: ArrayExpr, in_base: int, in_exponent: int
    ) -> ArrayExpr:
        """Return a derivative, 0 where that before is constant in `x`, whatever multiplies it.

        `x**y` is for `y = 0`, and the first derivative for `y = 1` as well.
        """
        found = cls.of(x, y, in_base, in_exponent)
        return found if in_exponent else zero_unless(found, found.varies())

    def as_choice(self) -> ArrayExpr | None:
        return None if self.in_exponent else where.of(self.varies(), self, 0)

    def varies(self) -> ArrayExpr:
        """Return where a derivative without logarithms may be other than 0: where its factor is."""
        _, factor = self.operands
        for i in range(1, self.in_base):
            factor = factor * (self.operands[1] - i)
        return ne.of(factor, 0)

    def element(self, *operands: Any) -> Any:
        x, y = operands
        factor = _polynomial(y, sympy.log(x), self.in_base, self.in_exponent)
        return factor * x ** (y - self.in_base)

    def as_read(self) -> ArrayExpr:
        x, y = self.operands
        factor = _factor_of(self.in_base, self.in_exponent)(y, x.log() if self.in_exponent else 0)
        return factor * x ** (y - self.in_base)  # type: ignore[no-any-return]

    def notation(self) -> Notation:
        return _derivative_notation(self.in_base, self.in_exponent)

    samples = [
        (POSITIVE, COLUMN, 1, 0), (POSITIVE, COLUMN, 1, 1), (np.array(0.7), np.array(1.5), 2, 1),
    ]  # fmt: skip


class power_derivative(_PowerDerivative):
    """A derivative of `x**y`, as `_PowerDerivative`."""


class positive_power_derivative(_PowerDerivative):
    """The same of `power_of_positive`: nan at nan and negative numbers, but for the exponent 0."""

    refuses = (Category.COMPLEX,)

    def varies(self) -> ArrayExpr:
        x, _ = self.operands
        return logical_or.of(super().varies(), ne.of(x, x))


def _power_logarithm(x, y, power, *, times, positive):  # type: ignore[no-untyped-def]
    x, y = np.asarray(x, power.dtype), np.asarray(y)
    log = np.log(x)
    product = power * (log if times == 1 else log**times)
    if np.count_nonzero(np.isfinite(product)) < product.size:
        constant = (x == 0) & (y.real >= 0) | (x == np.inf) & (y.real < 0)
        if positive:
            constant |= (x < 0) & (y == 0)
        product = np.where(constant, 0, product)
    return product


def _exact_power_logarithm(x, y, power, *, times, positive):  # type: ignore[no-untyped-def]
    def of_numbers(x: Any, y: Any, power: Any) -> Any:
        return power * mpmath.log(x) ** times if x or y < 0 else 0

    return np.frompyfunc(of_numbers, 3, 1)(x, y, power)


def is_constant_in_exponent(x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
    """Return where `x**y` is 0 whatever the exponent: 0**y is in exponents of at least 0."""
    return logical_and.of(eq.of(x, 0), (y.real if y.dtype.is_complex else y) >= 0)


class power_logarithm(Beside, Elementwise):
    """A derivative of `power = x**y` by the exponent, `power * log(x)**times`.

    As a derivative of the power it depends on `x` and `y`; `power` is read, not computed again.
    """

    params = ("times",)
    times: int
    arity = 3
    decisive = 2
    unreached = (2,)
    ulps = 16
    result = "float"
    internal = True
    kernel = Kernel.from_function(
        _power_logarithm, rows=local, number_systems={"mpmath": _exact_power_logarithm}
    )
    in_base: ClassVar[type[_PowerDerivative]] = power_derivative

    def implementation(self) -> Computation:
        positive = self.in_base is positive_power_derivative
        return self.kernel, {"times": self.times, "positive": positive}, self.operands

    def partials(self, x: ArrayExpr, y: ArrayExpr, power: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: self.in_base.of(x, y, 1, self.times),
            lambda: self.where_it_varies(x, y, power, self.times + 1),
            0,
        )

    @classmethod
    def where_it_varies(cls, x: ArrayExpr, y: ArrayExpr, power: ArrayExpr, times: int) -> ArrayExpr:
        """Return the derivative, 0 where the power is constant.

        It is that whatever it is multiplied by, as PyTorch's is.
        """
        varies = logical_not.of(is_constant_in_exponent(x, y))
        return zero_unless(cls.of(x, y, power, times), varies)

    def element(self, *operands: Any) -> Any:
        x, _, power = operands
        return power * sympy.log(x) ** self.times

    def as_read(self) -> ArrayExpr:
        x, _, power = self.operands
        return power * x.log() ** self.times

    def notation(self) -> Notation:
        times = f"**{self.times}" if self.times > 1 else ""
        script, scripts = [
            f"^{{{{{mark}{self.times}}}}}" if times else "" for mark in ("", r"\odot ")
        ]
        log = r"\log\left({0}\right)"
        return Notation(
            f"{{2}} * log({{0}}){times}",
            rf"{{2}} \, {log}{script}",
            Precedence.PRODUCT,
            (0, 0, Precedence.PRODUCT),
            Latex(rf"{{2}} \, {log}{script}", Precedence.PRODUCT, (0, 0, Precedence.PRODUCT)),
            of_elements(rf"{{2}} \odot {log}{scripts}", Precedence.ODOT, 0, 0, Precedence.PRODUCT),
        )


class positive_power_logarithm(power_logarithm):
    """The same of `power_of_positive`."""

    in_base = positive_power_derivative

    @classmethod
    def where_it_varies(cls, x: ArrayExpr, y: ArrayExpr, power: ArrayExpr, times: int) -> ArrayExpr:
        """Return the derivative, 0 where the power is constant, as xlogy(0, x) is at negative x."""
        at_zero = logical_and.of(x < 0, eq.of(y, 0))
        constant = logical_or.of(is_constant_in_exponent(x, y), at_zero)
        return zero_unless(cls.of(x, y, power, times), logical_not.of(constant))
