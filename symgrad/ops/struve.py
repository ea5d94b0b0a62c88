"""Struve functions, computed by SciPy, and their derivatives: DLMF 11.4.25 and 11.4.26."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import sympy

from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr
from symgrad.ops.bessel import OfOrder
from symgrad.ops.comparison import eq
from symgrad.ops.gamma import lgamma
from symgrad.ops.special import known, with_index
from symgrad.ops.where import where

_TWO_ROOT_PI = 2 * math.sqrt(math.pi)


class _Struve(OfOrder, abstract=True):
    """A Struve function: its derivative has a power beside the functions of the orders beside it."""

    ulps = 2**25
    why_ulps = "the digits that SciPy's series and asymptotic series have where they meet"

    def partials(self, v: ArrayExpr, z: ArrayExpr) -> Sequence[Any]:
        cls, order = type(self), known(v)

        def slope() -> Any:
            # That of the order -1 is 2/pi and `above` times that of the order 1. The derivatives of
            # it would be differences of powers of 1/z.
            below: Any
            sign: Any
            times: Any
            if isinstance(v, Const):
                below, sign, times = (1, cls.above, 2) if order == 0 else (order - 1, 1, 1)
            else:
                is_zero = eq.of(v, 0)
                below = where.of(is_zero, 1, v - 1)
                sign, times = 1 if cls.above > 0 else 1 - 2 * is_zero, 1 + is_zero
            power = times * (z / 2) ** order if order != 0 else times
            beside = sign * cls.of(below, z) + cls.above * cls.of(order + 1, z)
            return beside / 2 + power * _reciprocal_gamma(order + 1.5) / _TWO_ROOT_PI

        return 0, slope


def _reciprocal_gamma(x: Any) -> Any:
    """Return 1 by the gamma function, which has signs left of 0; a number of a number."""
    if isinstance(x, float):
        return 0.0 if x <= 0 and x.is_integer() else 1 / math.gamma(x)
    sign = 1 - 2 * (x.floor() % 2)
    return where.of(x > 0, 1, sign) * (-lgamma.of(x)).exp()


def _series(sign: int) -> Callable[[Any, Any], Any]:
    """Return the Struve function of SymPy's numbers: DLMF 11.2.1 and 11.2.2.

    Of the orders -3/2, -5/2 and on, whose first terms are zero, it is a Bessel function: DLMF 11.4.3
    and 11.4.4.
    """

    def series(v: Any, z: Any) -> Any:
        half = sympy.Rational(1, 2)
        n = sympy.sympify(-v) - half
        if n.is_number and n > 0 and float(n).is_integer():
            bessel = sympy.besselj if sign < 0 else sympy.besseli
            return sympy.Integer(sign) ** int(n) * bessel(-v, z)
        made = sympy.hyper([1], [3 * half, v + 3 * half], sign * z**2 / 4)
        return (z / 2) ** (v + 1) * made / (sympy.gamma(3 * half) * sympy.gamma(v + 3 * half))

    return series


class struve(_Struve, scipy="struve"):
    """Return the Struve function of the real order `v` at each `z`.

    There is no derivative with respect to the order. SciPy's values have ten digits where its series
    ends, at arguments about 20, and derivatives nine; elsewhere values have up to 512 ulps. Of orders
    above 1/2 each derivative loses up to twice as many digits as `z` has before its point. Derivatives
    are sums of terms that are infinite next to 0, and may be nan there.

    Examples
    --------
    >>> import symgrad as torch
    >>> z = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> y = torch.special.struve(0, z)
    >>> y
    tensor([0.5687, 0.7909], grad_fn=<StruveBackward0>)
    >>> y.sum().backward()
    >>> z.grad
    tensor([ 0.4382, -0.0101])
    """

    above = -1
    scalar = _series(-1)
    printed = with_index("struve", r"\mathbf{{H}}")


class modstruve(_Struve, scipy="modstruve"):
    """Return the modified Struve function of the real order `v` at each `z`.

    There is no derivative with respect to the order. SciPy's values have ten digits where its series
    ends, at arguments about 15, and derivatives nine; elsewhere values have up to 1000 ulps.
    Derivatives are sums of terms that are infinite next to 0, and may be nan there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.modstruve(0, torch.tensor([1.0, 2.0]))
    tensor([0.7102, 1.9374])
    """

    above = 1
    scalar = _series(1)
    printed = with_index("modstruve", r"\mathbf{{L}}")
