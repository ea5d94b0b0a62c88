"""Integrals for the modified Bessel functions of the second kind, those of Macdonald: DLMF 10.32.9.

The functions themselves are in `symgrad.ops.bessel`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.ops.samples import POSITIVE
from symgrad.ops.special import Special, lowered


def _scaled_macdonald(v: Any, x: Any, *, by_order: int, by_x: int, to: Any) -> Any:
    # Nothing cancels in the sum, whatever the derivative: with w = x*(cosh(t) - 1) it is that of
    # t**m * w**n * cosh(v*t) * exp(-w), or with sinh(v*t) where m is odd, by (-1/x)**n. The terms are
    # largest about asinh(v/x), and are nothing 20 widths of 1/sqrt(hypot(v, x)) from there.
    v, x = np.broadcast_arrays(np.asarray(v, np.float64), np.asarray(x, np.float64))
    inside = (x > 0) & (x < np.inf) & (np.abs(v) < np.inf)
    size, wide = np.where(inside, np.abs(v), 0), np.where(inside, x, 1)
    width = 1 / np.sqrt(np.hypot(wide, size))
    step = np.minimum(0.125, 0.4 * width)
    peak = np.arcsinh(np.minimum(size, 1e9 * wide) / wide)
    peak = peak + np.log(np.maximum(size * 1e-9, wide)) - np.log(wide)
    start = np.where(size < 64, 0, np.maximum(0, peak - 20 * width))
    end = 2 * np.arcsinh(np.sqrt(400 + 30 * (size + by_order)) / np.sqrt(wide))
    end = np.where(size < 64, end, np.minimum(end, peak + 20 * width))
    total = np.zeros_like(x, np.float64)
    odd = by_order % 2
    for k in range(int(np.max((end - start) / step, initial=0)) + 2):
        t = start + k * step
        w = 2 * np.square(np.sqrt(wide) * np.sinh(np.minimum(t, end) / 2))
        hyperbolic = np.exp(size * t - w) * (1 + (-1) ** odd * np.exp(-2 * size * t)) / 2
        term = t**by_order * w**by_x * hyperbolic
        total = total + np.where(t <= end, term / 2 if k == 0 else term, 0)
    # Where terms overflow, nothing is small beside them.
    total = np.where(np.isnan(total), np.inf, total * step)
    for _ in range(by_x):
        total = total / -wide
    sign = (-1) ** by_x * np.where(v < 0, (-1) ** odd, np.where(v == 0, 1 - odd, 1))
    at_zero = np.where(sign == 0, 0, np.inf)
    edge = np.where(x == 0, at_zero, np.where((x == np.inf) & (np.abs(v) < np.inf), 0, np.nan))
    return np.asarray(np.where(inside, np.abs(total), edge) * sign, to)


def _macdonald_numbers(v: Any, x: Any, by_order: int, by_x: int, to: Any) -> Any:
    if by_order:
        raise ValueError("SymPy has no function for derivatives of besselk by its order")
    z = sympy.Dummy(positive=True)

    def f(v: Any, x: Any) -> Any:
        return sympy.diff(sympy.exp(z) * sympy.besselk(v, z), z, by_x).subs(z, x)

    return np.frompyfunc(f, 2, 1)(v, x)


_SCALED_MACDONALD = Kernel.from_function(
    _scaled_macdonald, rows=local, number_systems={"sympy": _macdonald_numbers}
)


class scaled_macdonald(Special):
    """A derivative of `kve`, of order `by_order` in the order and `by_x` in the argument.

    Differentiated is the integral of `exp(-x*(cosh(t) - 1)) * cosh(v*t)` from 0 on (DLMF 10.32.9),
    which is computed by the trapezoidal rule: its error falls exponentially with the inverse of the
    step, and is below that of rounding (Trefethen and Weideman, SIAM Review 56, 2014).
    """

    ulps = 8
    arity = 2
    internal = True
    params = ("by_order", "by_x")
    by_order: int
    by_x: int
    decisive = 2
    kernel = _SCALED_MACDONALD
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    scalar = None

    def partials(self, v: ArrayExpr, x: ArrayExpr) -> Sequence[Any]:
        m, n = self.by_order, self.by_x
        return (
            lambda: scaled_macdonald.of(v, x, m + 1, n),
            lambda: scaled_macdonald.of(v, x, m, n + 1),
        )

    def notation(self) -> Notation:
        names = {leaf.name for leaf in self.leaves}
        t = next(letter for letter in (*"tsuw", r"\tau") if letter not in names)
        m, n = self.by_order, self.by_x
        waves = rf"\{'sinh' if m % 2 else 'cosh'}\left({{0}} \, {t}\right)"
        falls = rf"1 - \cosh {t}"
        factors = [
            *[t if m == 1 else f"{t}^{{{{{m}}}}}"] * (m > 0),
            *[rf"\left({falls}\right)" + (f"^{{{{{n}}}}}" if n > 1 else "")] * (n > 0),
            waves,
            rf"\mathrm{{{{e}}}}^{{{{{{1}} \, \left({falls}\right)}}}}",
        ]
        part = r" \, ".join(factors)
        latex = rf"\int_{{{{0}}}}^{{{{\infty}}}} {part} \, \mathrm{{{{d}}}}{t}"
        products = (Precedence.PRODUCT, Precedence.PRODUCT)
        typeset = Latex(latex, Precedence.UNARY, products)
        if m:
            return Notation(self.call_text(), latex, Precedence.ATOM, (), typeset)
        orders: dict[int, Fraction] = {}
        for k in range(n + 1):
            for j in range(k + 1):
                share = Fraction(math.comb(n, k) * math.comb(k, j) * (-1) ** k, 2**k)
                orders[2 * j - k] = orders.get(2 * j - k, Fraction(0)) + share
        text = ""
        for shift, c in sorted(orders.items()):
            of = lowered(self.operands[0], "{0}", -shift)[0]
            sign = ("-" if c < 0 else "") if not text else " - " if c < 0 else " + "
            text += sign + f"{float(abs(c))!r} * " * (abs(c) != 1) + f"kve({of}, {{1}})"
        return Notation(text, latex, Precedence.SUM, (Precedence.SUM, Precedence.CASES), typeset)

    samples = [(0, POSITIVE, 0, 1), (np.array([0.5, 1.5, -2.0]), POSITIVE, 1, 0)]


def _kve(v, x, made, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's of kv or kve, which are the same left of 1e-300, where there is none. There
    # is none of kve right of 1e9, either.
    v, x, made = np.broadcast_arrays(v, np.asarray(x), made)
    none = (x > 0) & np.where(x < 1e-300, np.isinf(made), np.isnan(made) & (x > 1))
    if np.any(none):
        summed = _scaled_macdonald(v, np.where(none, x, 1), by_order=0, by_x=0, to=np.float64)
        made = np.where(none, summed, made)
    return np.asarray(made, to)


KVE = Kernel.from_function(_kve, prelude=_SCALED_MACDONALD.prelude)
