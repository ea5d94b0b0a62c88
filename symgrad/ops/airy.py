"""Airy functions, computed by SciPy, and by expansions where it loses digits: DLMF 9.

SciPy has three digits less than it could between 1 and 2.1, where its series cancels, and where the
power 3/2 of the argument is rounded, which is a phase on the left and an exponent on the right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.ops.special import Special, scipy_kernels


def _airy(x, made, scaled, *, second, slope, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, and `scaled` exp(t)*K(t) of the order 1/3, for the slope 2/3, at t = 2/3*x**1.5.
    x = np.asarray(x, np.float64)
    found = np.asarray(made, np.float64)
    z = np.clip(np.abs(x), 1, 1e12)
    # t and what is lost of it, by the product and the square root of Dekker, Numerische Mathematik 18,
    # 1971, 224-242.
    root = np.sqrt(z)
    c = 134217729.0 * root
    high = c - (c - root)
    low = root - high
    rest = (((z - high * high) - 2 * high * low) - low * low) / (2 * root)
    c = 134217729.0 * z
    left = c - (c - z)
    right = z - left
    product = z * root
    error = ((left * high - product) + left * low + right * high) + right * low + z * rest
    t = product * 2 / 3
    lost = ((2 * product - 2 * t) - t + 2 * error) / 3
    quarter = np.sqrt(root)
    factor = quarter / np.sqrt(np.pi) if slope else 1 / (quarter * np.sqrt(np.pi))
    if not second:
        # By the function of Macdonald, DLMF 9.6.2 and 9.6.3, and between 0.5 and 2.1 by Taylor's series.
        fall = np.exp(-t) * (1 - lost) * scaled
        fall = -z / (np.pi * np.sqrt(3)) * fall if slope else np.sqrt(z / 3) / np.pi * fall
        found = np.where(x > 2.1, np.where(x > 200, 0, fall), found)
        series, under = np.zeros_like(x, np.float64), np.zeros_like(x, np.float64)
        at = np.clip(x, 0.5, 2.1) - 1.55
        for coefficient in (
            1.780606072123669e-19, -6.762854540328849e-19, -7.378964303841824e-18, 1.1827375899837496e-16,
            -5.566338970736336e-16, -2.8709733972798305e-15, 5.909248542303296e-14,
            -3.2537958917662723e-13, -5.866315277425634e-13, 2.1118908882678247e-11,
            -1.323004630561992e-10, 4.5501942191131546e-11, 4.998010121446525e-09, -3.553001293004395e-08,
            6.335287352035406e-08, 6.814926249891092e-07, -5.746275275498921e-06, 1.5875542764262276e-05,
            3.6727244964413306e-05, -0.0004706590495307629, 0.00161855192157137, -0.0009662111899302646,
            -0.012622144141530978, 0.051935361850800416, -0.09209434514790381, 0.06701337013006504,
        ):  # fmt: skip
            series, under = series * at + coefficient, under * at + series
        found = np.where((x > 0.5) & (x <= 2.1), under if slope else series, found)
    # Beyond 9 by the asymptotic series, DLMF 9.7.5 to 9.7.12.
    t = np.where(z > 9, t, 18.0)
    parts, term, rise = (
        [np.ones_like(x, np.float64), np.zeros_like(x, np.float64)],
        np.ones_like(x, np.float64),
        np.ones_like(x, np.float64),
    )
    for k in range(1, 32):
        term = term * (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / ((2 * k - 1) * 216 * k * t)
        counted = term * (6 * k + 1) / (1 - 6 * k) if slope else term
        parts[k % 2] = parts[k % 2] + (-counted if k % 4 > 1 else counted)
        rise = rise + counted
    if second:
        grown = np.exp(t / 2) * (factor * (1 + lost) * rise) * np.exp(t / 2)
        found = np.where((x > 9) & (x < np.inf), grown, found)
    cosine, sine = np.cos(t) + np.sin(t), np.sin(t) - np.cos(t)
    cosine, sine = (
        cosine * np.cos(lost) - sine * np.sin(lost),
        sine * np.cos(lost) + cosine * np.sin(lost),
    )
    cosine, sine = cosine / np.sqrt(2), sine / np.sqrt(2)
    if second:
        wave = parts[0] * cosine + parts[1] * sine if slope else parts[1] * cosine - parts[0] * sine
    else:
        wave = parts[0] * sine - parts[1] * cosine if slope else parts[0] * cosine + parts[1] * sine
    return np.asarray(np.where((x < -9) & (x > -1e12), factor * wave, found), to)


_AIRY = Kernel.from_function(_airy, rows=local)
_ARGUMENT = "np.clip(np.asarray({0}, np.float64), 1, 1e3)"


def _argument(x: Any) -> Any:
    y = np.clip(np.asarray(x, np.float64), 1, 1e3)
    return y * np.sqrt(y) * 2 / 3


class _Airy(Special, abstract=True):
    """One of the four results of SciPy's `airy`."""

    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def __init_subclass__(cls, abstract: bool = False, part: int = 0, **kwargs: Any) -> None:
        second, slope = part > 1, part % 2 == 1
        order = "2 / 3" if slope else "1 / 3"

        def call(special: Any, x: Any, to: Any) -> Any:
            scaled = 0 if second else special.kve(2 / 3 if slope else 1 / 3, _argument(x))
            made = special.airy(np.asarray(x, np.float64))[part]
            return _AIRY.call(x, made, scaled, second=second, slope=slope, to=to)

        scaled = (
            "0"
            if second
            else (f"scipy.special.kve({order}, {_ARGUMENT} * np.sqrt({_ARGUMENT}) * 2 / 3)")
        )
        cls.kernel, _ = scipy_kernels(
            cls.__name__,
            call,
            f"_airy({{0}}, scipy.special.airy(np.asarray({{0}}, np.float64))[{part}], {scaled}, "
            f"second={second}, slope={slope}, to={{to}})",
            prelude=_AIRY.prelude,
        )
        super().__init_subclass__(abstract=abstract, **kwargs)


class airy_ai(_Airy, part=0):
    """Return the Airy function Ai of each element of `x`.

    Left of -1, where it oscillates, values have up to 20 ulps of the modulus of Ai and Bi, so that next to
    a root fewer digits of the small result are right.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.airy_ai(torch.tensor([0.0, 1.0, -2.0]))
    tensor([0.3550, 0.1353, 0.2274])
    """

    ulps = 8
    space = "special"
    operand_names = ("x",)
    scalar = sympy.airyai

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: airy_ai_slope.of(x),)


class airy_ai_slope(_Airy, part=1):
    """The derivative of the Airy function Ai."""

    ulps = 16
    internal = True
    printed = Notation("airy({0})[1]", r"Ai^\prime\left({0}\right)")
    of_sympy = sympy.airyaiprime
    scalar = sympy.airyaiprime

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x * airy_ai.of(x),)


class airy_bi(_Airy, part=2):
    """The Airy function Bi."""

    ulps = 8
    internal = True
    printed = Notation("airy({0})[2]", r"Bi\left({0}\right)")
    of_sympy = sympy.airybi
    scalar = sympy.airybi

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: airy_bi_slope.of(x),)


class airy_bi_slope(_Airy, part=3):
    """The derivative of the Airy function Bi."""

    ulps = 16
    internal = True
    printed = Notation("airy({0})[3]", r"Bi^\prime\left({0}\right)")
    of_sympy = sympy.airybiprime
    scalar = sympy.airybiprime

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x * airy_bi.of(x),)
