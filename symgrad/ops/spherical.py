"""Spherical Bessel functions of whole orders, computed by SciPy.

The derivatives are those of DLMF 10.51.2 and 10.51.5, which divide by no argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import Const, is_const
from symgrad.expr.node import ArrayExpr
from symgrad.ops.samples import POSITIVE
from symgrad.ops.special import Special, scipy_kernels, with_index

#: Up to this order, modified functions are formulas of hyperbolic functions and exponentials.
_WRITTEN_OUT = 8


def _of(function: Callable[..., Any], first: Any, second: Any, sign: int) -> Callable[..., Any]:
    """Return a modified function as a formula: by its recurrence, DLMF 10.51.4, of a low order."""

    def scalar(n: Any, z: Any) -> Any:
        if not (isinstance(n, (int, sympy.Integer)) and 0 <= n <= _WRITTEN_OUT):
            root = sympy.sqrt(sympy.pi / 2) / sympy.sqrt(z)
            return root * function(n + sympy.Rational(1, 2), z)
        t = sympy.Dummy()
        below, made = second(t), first(t)
        for k in range(int(n)):
            below, made = made, sympy.expand(below - sign * (2 * k + 1) * made / t)
        return made.xreplace({t: z})

    return scalar


def _decay(z: Any) -> Any:
    return sympy.pi / 2 * sympy.exp(-z) / z


class _Spherical(Special, abstract=True):
    """A spherical Bessel function of the order `n` at `z`."""

    ulps = 16
    arity = 2
    internal = True
    underived: ClassVar[Mapping[int, str]] = {0: "n"}
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    #: `2*n + 1` times the derivative is `below * n` times the function of the order below, and
    #: `above * (n + 1)` times that of the order above.
    below: ClassVar[int] = 1
    above: ClassVar[int] = 1
    letter: ClassVar[str]

    def __init_subclass__(cls, abstract: bool = False, scipy: str = "", **kwargs: Any) -> None:
        if scipy:
            cls._complete(scipy)
        if not abstract:
            cls.printed = with_index(cls.__name__, cls.letter)
        super().__init_subclass__(abstract=abstract, **kwargs)

    @classmethod
    def _complete(cls, scipy: str) -> None:
        cls.kernel, _ = scipy_kernels(
            cls.__name__,
            lambda special, n, z, to: np.asarray(
                getattr(special, scipy)(np.asarray(n, np.int64), z), to
            ),
            f"np.asarray(scipy.special.{scipy}(np.asarray({{0}}, np.int64), {{1}}), {{to}})",
        )

    def partials(self, n: ArrayExpr, z: ArrayExpr) -> Sequence[Any]:
        cls = type(self)

        def slope() -> Any:
            if is_const(n, 0):
                return cls.of(1, z) if cls.above > 0 else -cls.of(1, z)
            order = n.value if isinstance(n, Const) else n
            # Of the order 0 in an array there is nothing below, whichever it is.
            below = cls.of(order - 1 if isinstance(n, Const) else abs(n - 1), z) * order
            above = cls.of(order + 1, z) * (order + 1)
            total = below + above if cls.above == cls.below else below - above
            return (total if cls.below > 0 else -total) / (2 * order + 1)

        return 0, slope

    samples = [(2, POSITIVE), (np.array([0, 1, 3]), POSITIVE)]


def _spherical_jn(n, z, made, odd, *, to):  # type: ignore[no-untyped-def]
    # SciPy's loses digits where it is small. There it is by its series, of which the first term is the
    # largest, `odd` being the product of the odd numbers up to 2*n + 1: DLMF 10.53.1.
    z = np.asarray(z, np.float64)
    n = np.asarray(n, np.float64)
    inside = (np.abs(z) < 1e-3) | ((z * z < 2 * n + 3) & (odd < np.inf))
    x = np.where(inside, z, 0)
    half, series = x * x / 2, 1.0
    for k in range(16, 0, -1):
        series = 1 - half / (k * (2 * n + 2 * k + 1)) * series
    return np.asarray(np.where(inside, x**n / odd * series, made), to)


_SPHERICAL_JN = Kernel.from_function(_spherical_jn)
_ODD = "scipy.special.poch(0.5, np.asarray({0}) + 1.0) * 2.0 ** (np.asarray({0}) + 1.0)"


def _odd(special: Any, n: Any) -> Any:
    return special.poch(0.5, np.asarray(n) + 1.0) * 2.0 ** (np.asarray(n) + 1.0)


class spherical_jn(_Spherical):
    """The spherical Bessel function of the first kind."""

    ulps = 32
    why_ulps = "the digits that SciPy's spherical_jn has next to 0"
    kernel, _ = scipy_kernels(
        "spherical_jn",
        lambda special, n, z, to: _SPHERICAL_JN.call(
            n, z, special.spherical_jn(np.asarray(n, np.int64), z), _odd(special, n), to=to
        ),
        "_spherical_jn({0}, {1}, scipy.special.spherical_jn(np.asarray({0}, np.int64), {1}), "
        f"{_ODD}, to={{to}})",
        prelude=_SPHERICAL_JN.prelude,
    )
    above = -1
    letter = r"\mathsf{{j}}"
    of_order = (sympy.jn, "whole")
    scalar = sympy.jn


class spherical_yn(_Spherical, scipy="spherical_yn"):
    """The spherical Bessel function of the second kind."""

    above = -1
    letter = r"\mathsf{{y}}"
    of_order = (sympy.yn, "whole")
    scalar = sympy.yn


def _spherical_in(n, z, made, odd, scaled, *, to):  # type: ignore[no-untyped-def]
    # SciPy's loses digits, is nan next to 0 and overflows early. Right of 700 it is by `scaled`, Bessel's
    # function of n + 1/2 without its exponential, and half of the exponent twice. Where 32 terms are enough it is by its series, of
    # positive terms, `odd` being the product of the odd numbers up to 2*n + 1: DLMF 10.53.3.
    z = np.asarray(z, np.float64)
    n = np.asarray(n, np.float64)
    inside = (np.abs(z) < 1e-3) | ((z * z < 8 * (2 * n + 33)) & (odd < np.inf))
    x = np.where(inside, z, 0)
    half, series = x * x / 2, 1.0
    for k in range(32, 0, -1):
        series = 1 + half / (k * (2 * n + 2 * k + 1)) * series
    size = np.abs(z)
    far = (size > 700) & (size < np.inf)
    y = np.where(far, size, 700)
    sign = np.where((z < 0) & (n % 2 == 1), -1, 1)
    made = np.where(
        far, sign * np.exp(y / 2) * (np.sqrt(np.pi / 2 / y) * scaled) * np.exp(y / 2), made
    )
    return np.asarray(np.where(inside, x**n / odd * series, made), to)


_SPHERICAL_IN = Kernel.from_function(_spherical_in)


class spherical_in(_Spherical):
    """The modified spherical Bessel function of the first kind."""

    kernel, _ = scipy_kernels(
        "spherical_in",
        lambda special, n, z, to: _SPHERICAL_IN.call(
            n,
            z,
            special.spherical_in(np.asarray(n, np.int64), z),
            _odd(special, n),
            special.ive(np.asarray(n) + 0.5, np.maximum(np.abs(z), 700)),
            to=to,
        ),
        "_spherical_in({0}, {1}, scipy.special.spherical_in(np.asarray({0}, np.int64), {1}), "
        f"{_ODD}, scipy.special.ive(np.asarray({{0}}) + 0.5, np.maximum(np.abs({{1}}), 700)), "
        "to={to})",
        prelude=_SPHERICAL_IN.prelude,
    )
    letter = r"\mathsf{{i}}"
    scalar = _of(sympy.besseli, lambda z: sympy.sinh(z) / z, lambda z: sympy.cosh(z) / z, 1)


class spherical_kn(_Spherical, scipy="spherical_kn"):
    """The modified spherical Bessel function of the second kind."""

    below = above = -1
    letter = r"\mathsf{{k}}"
    scalar = _of(sympy.besselk, _decay, _decay, -1)
