"""Kernels of Bessel functions, by SciPy and where it has no digits by series.

The functions themselves are in `symgrad.ops.bessel`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.ops.special import scipy_kernels


def _oscillating(v, x, near, *, second, to):  # type: ignore[no-untyped-def]
    # `near` is SciPy's, which rounds the phase. Far on the right it is Hankel's expansion, DLMF
    # 10.17.3 and 10.17.4, with the cosine and sine of x itself.
    v, x, near = [np.asarray(part, np.float64) for part in (v, x, near)]
    v, x, near = np.broadcast_arrays(v, x, near)
    far = (x > np.maximum(25, v * v / 2)) & (x < np.inf)
    if not np.any(far):
        return np.asarray(near, to)
    y, order = np.where(far, x, 25), np.where(far, v, 0)
    turn = np.pi / 2 * (np.fmod(order, 4) + 0.5)
    cosine = np.cos(y) * np.cos(turn) + np.sin(y) * np.sin(turn)
    sine = np.sin(y) * np.cos(turn) - np.cos(y) * np.sin(turn)
    parts, term = [1.0, 0.0], 1.0
    for k in range(1, 22):
        term = term * ((2 * order - (2 * k - 1)) * (2 * order + (2 * k - 1)) / (8 * k * y))
        parts[k % 2] = parts[k % 2] + (-term if k % 4 > 1 else term)
    made = parts[0] * sine + parts[1] * cosine if second else parts[0] * cosine - parts[1] * sine
    return np.asarray(np.where(far, made * np.sqrt(2 / np.pi / y), near), to)


_OSCILLATING = Kernel.from_function(_oscillating, rows=local)


def oscillating_kernel(scipy: str, second: bool) -> Kernel:
    """Return the kernel of a Bessel function of the order that is the first operand."""
    return scipy_kernels(
        scipy,
        lambda special, v, x, to: _OSCILLATING.call(
            v, x, getattr(special, scipy)(v, x), second=second, to=to
        ),
        f"_oscillating({{0}}, {{1}}, scipy.special.{scipy}({{0}}, {{1}}), second={second}, to={{to}})",
        prelude=_OSCILLATING.prelude,
    )[0]


def _low_order(x, near, *, order, second, to):  # type: ignore[no-untyped-def]
    # That of the first kind is even or odd.
    x = np.asarray(x, np.float64)
    size, sign = (x, 1) if second else (np.abs(x), np.where((x < 0) & (order > 0), -1, 1))
    made = _oscillating(order, size, sign * near, second=second, to=np.float64)  # type: ignore[no-untyped-call]
    return np.asarray(sign * made, to)


_LOW_ORDER = Kernel.from_function(_low_order, prelude=_OSCILLATING.prelude, rows=local)


def of_low_order(scipy: str, order: int, second: bool) -> Kernel:
    """Return the kernel of a Bessel function of order 0 or 1."""
    return scipy_kernels(
        scipy,
        lambda special, x, to: _LOW_ORDER.call(
            x, getattr(special, scipy)(x), order=order, second=second, to=to
        ),
        f"_low_order({{0}}, scipy.special.{scipy}({{0}}), order={order}, second={second}, to={{to}})",
        prelude=_LOW_ORDER.prelude,
    )[0]


def _oscillating_slope(v, x, special, *, second, order, to):  # type: ignore[no-untyped-def]
    # The differences of that order of the functions of the orders about v: DLMF 10.6.7. Next to 0 several are
    # infinite, and the largest is that of the order farthest from 0.
    v, x = np.broadcast_arrays(np.asarray(v, np.float64), np.asarray(x, np.float64))
    total, known = np.full(x.shape, -0.0), np.ones(x.shape, bool)
    largest, farthest = np.zeros_like(x, np.float64), np.full(x.shape, -1.0)
    for k in range(order + 1):
        index = v - order + 2 * k
        near = special.yv(index, x) if second else special.jv(index, x)
        made = _oscillating(index, x, near, second=second, to=np.float64)  # type: ignore[no-untyped-call]
        term = (-1) ** k * math.comb(order, k) / 2**order * made
        total, known = total + term, known & ~np.isnan(term)
        above = np.isinf(term) & (np.abs(index) > farthest)
        largest, farthest = np.where(above, term, largest), np.where(above, np.abs(index), farthest)
    return np.asarray(np.where(known & np.isnan(total), largest, total), to)


_SLOPE = Kernel.from_function(
    _oscillating_slope, prelude=_OSCILLATING.prelude, imports=("import math",), rows=local
)


def _slope_numbers(v: Any, x: Any, second: bool, order: int, to: Any) -> Any:
    f = sympy.bessely if second else sympy.besselj
    shares = [(-1) ** k * sympy.Rational(math.comb(order, k), 2**order) for k in range(order + 1)]
    each = lambda v, x: sum(c * f(v - order + 2 * k, x) for k, c in enumerate(shares))  # noqa: E731
    return np.frompyfunc(each, 2, 1)(v, x)


SLOPE, _ = scipy_kernels(
    "yv",
    lambda special, v, x, second, order, to: _SLOPE.call(
        v, x, special, second=second, order=order, to=to
    ),
    "_oscillating_slope({0}, {1}, scipy.special, second={second}, order={order}, to={to})",
    prelude=_SLOPE.prelude,
    imports=("import math", "import scipy.special"),
    number_systems={"sympy": _slope_numbers},
)


# I_v(x), which SciPy computes as nan below 1e-307, and as 0 earlier. There it is (x/2)**v / v! to the
# last bit, the first term of its series (Abramowitz and Stegun, Handbook of Mathematical Functions, 9.6.10).
def _iv(order: Any, x: Any, special: Any, to: Any) -> Any:
    tiny = np.abs(x) < 1e-100
    made = special.iv(order, np.where(tiny, np.copysign(1e-100, x), x))
    whole = order == np.floor(order)
    power = np.where(whole, np.abs(order), order)
    made = made * np.where(tiny, np.abs(np.asarray(x, np.float64)) / 1e-100, 1) ** power
    near = (np.abs(x) < 1e-8) & (power > -0.5)
    if np.any(near):
        first = (np.asarray(x, np.float64) / 2) ** power * special.rgamma(power + 1)
        made = np.where(near, first, made)
    return np.asarray(made).astype(to, copy=False)


IV = Kernel.from_function(_iv, rows=local)


def _ive(order, x, made, unscaled, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, which has fewer digits than `unscaled`, the function without the exponential,
    # where that is a number, and is nan next to 0. Beyond 1e9, where it is nan, the function is by Hankel's expansion, DLMF
    # 10.40.1, and at inf 0.
    order, x = np.asarray(order, np.float64), np.asarray(x, np.float64)
    size = np.abs(x)
    far = (size > 1e9) & (size < np.inf) & (order * order < 1e-3 * size)
    y, v, series = np.where(far, size, 1), np.where(far, order, 0), 1.0
    for k in range(8, 0, -1):
        series = 1 - series * (2 * v - (2 * k - 1)) * (2 * v + (2 * k - 1)) / (8 * k * y)
    sign = np.where(x > 0, 1, np.where(v == np.floor(v), 1 - 2 * (v % 2), np.nan))
    made = np.where(far, sign * series * np.sqrt(0.5 / np.pi / y), made)
    known = (np.abs(unscaled) > 1e-290) & (np.abs(unscaled) < np.inf)
    near = (size < 1e-100) | ((size < 600) & known)
    found = np.where(near, np.where(near, unscaled, 0) * np.exp(-np.where(near, size, 0)), made)
    return np.asarray(np.where(np.isinf(x) & (np.abs(order) < np.inf), 0, found), to)


IVE = Kernel.from_function(_ive, prelude=IV.prelude, rows=local)
