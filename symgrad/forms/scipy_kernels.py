"""Kernels of functions that SciPy computes, or a series, and that SymPy's printers do not know.

`symgrad.forms.sympy_functions` makes the operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from numeric.standalone import Definitions
from symgrad.ops.special import scipy_special


class _Computed(NamedTuple):
    """How a function is computed: a `call` of `scipy.special` and operands, and its `source`.

    The call gets None for `scipy.special` where the source does not name it.
    """

    call: Callable[..., Any]
    source: str
    definition: Callable[..., Any] | None = None


def as_kind(value: Any, to: Any) -> Any:
    """Return the values in a dtype, nan where they are complex."""
    value = np.asarray(value)
    if value.dtype.kind == "c":  # outside the interval where the function is real
        value = np.where(value.imag == 0, value.real, np.nan)
    return value.astype(to, copy=False)


def kernel_of(function: Any, arity: int) -> Kernel | None:
    """Return the kernel of a function of SymPy, or None."""
    found = _KERNELS.get((function, arity))
    if found is None:
        return None

    by_scipy = "scipy." in found.source

    def call(*operands: Any, to: Any) -> Any:
        special = scipy_special(function.__name__) if by_scipy else None
        return as_kind(found.call(special, *operands), to)

    prelude = Definitions(found.definition, (), ()) if found.definition else ()
    return Kernel(
        function.__name__,
        call,
        f"as_kind({found.source}, {{to}})",
        Definitions(as_kind, prelude, ()),
        ("import scipy.special",) if by_scipy else (),
        rows=local,
    )


def _lerch(z: Any, s: Any, a: Any) -> Any:
    # The sum of z**n / (n + a)**s, to the last bit of what it converges to.
    z, s, a = [np.asarray(x, np.float64) for x in np.broadcast_arrays(z, s, a)]
    total, power = np.zeros(z.shape), np.ones(z.shape)
    unfinished = np.abs(z) < 1
    for n in range(100_000):
        term = np.where(unfinished, power * (n + a) ** -s, 0.0)
        total = total + term
        unfinished = unfinished & (np.abs(term) > 1e-17 * np.abs(total) * (1 - np.abs(z)))
        if not unfinished.any():
            break
        power = power * z
    return np.where((np.abs(z) < 1) & ~unfinished, total, np.nan)


def _appell(a: Any, b: Any, b2: Any, c: Any, x: Any, y: Any) -> Any:
    # Picard's integral, DLMF 16.15.1, by the double exponential rule: of steps of s in
    # t = 1 / (1 + exp(-pi * sinh(s))), and 1 - t = 1 / (1 + exp(pi * sinh(s))).
    a, b, b2, c, x, y = [np.asarray(k, np.float64) for k in np.broadcast_arrays(a, b, b2, c, x, y)]
    total, scale, step = np.zeros(x.shape), np.zeros(x.shape), 1 / 16
    for s in np.arange(-80, 81) * step:
        t, rest = [1 / (1 + np.exp(sign * np.pi * np.sinh(s))) for sign in (-1, 1)]
        weight = t**a * rest ** (c - a) * np.cosh(s)
        scale = scale + weight
        below = [1 - k * t if t < 0.5 else (1 - k) + k * rest for k in (x, y)]
        total = total + weight * below[0] ** -b * below[1] ** -b2
    return np.where((x < 1) & (y < 1) & (a > 0) & (c > a), total / scale, np.nan)


def _complete_third(special: Any, n: Any, m: Any) -> Any:
    return special.elliprf(0, 1 - m, 1) + n / 3 * special.elliprj(0, 1 - m, 1, 1 - n)


def _incomplete_third(special: Any, n: Any, x: Any, m: Any) -> Any:
    s = np.sin(x)
    at = np.cos(x) ** 2, 1 - m * s**2, 1
    made = s * special.elliprf(*at) + n / 3 * s**3 * special.elliprj(*at, 1 - n * s**2)
    return np.where(np.abs(x) <= np.pi / 2, made, np.nan)


# The integrals of the third kind by those of Carlson: DLMF 19.25.2 and 19.25.14.
_THIRD = "np.cos({1})**2, 1 - {2} * np.sin({1})**2, 1"

_KERNELS: dict[tuple[Any, int], _Computed] = {
    (sympy.erfi, 1): _Computed(lambda f, x: f.erfi(x), "scipy.special.erfi({0})"),
    (sympy.erfcinv, 1): _Computed(lambda f, x: f.erfcinv(x), "scipy.special.erfcinv({0})"),
    (sympy.expint, 2): _Computed(lambda f, n, x: f.expn(n, x), "scipy.special.expn({0}, {1})"),
    (sympy.zeta, 1): _Computed(lambda f, s: f.zeta(s), "scipy.special.zeta({0})"),
    (sympy.zeta, 2): _Computed(lambda f, s, a: f.zeta(s, a), "scipy.special.zeta({0}, {1})"),
    (sympy.elliptic_pi, 2): _Computed(
        _complete_third,
        "scipy.special.elliprf(0, 1 - {1}, 1) + {0} / 3 * "
        "scipy.special.elliprj(0, 1 - {1}, 1, 1 - {0})",
    ),
    (sympy.elliptic_pi, 3): _Computed(
        _incomplete_third,
        f"np.where(np.abs({{1}}) <= np.pi / 2, np.sin({{1}}) * scipy.special.elliprf({_THIRD}) + "
        f"{{0}} / 3 * np.sin({{1}})**3 * scipy.special.elliprj({_THIRD}, "
        "1 - {0} * np.sin({1})**2), np.nan)",
    ),
    (sympy.marcumq, 3): _Computed(
        lambda f, m, a, b: 1 - f.chndtr(np.square(b), 2 * m, np.square(a)),
        "1 - scipy.special.chndtr(np.square({2}), 2 * {0}, np.square({1}))",
    ),
    (sympy.lerchphi, 3): _Computed(
        lambda f, z, s, a: _lerch(z, s, a), "_lerch({0}, {1}, {2})", _lerch
    ),
    # Orders 0 to 2 are functions beyond the circle; in it the sum keeps small digits.
    (sympy.polylog, 2): _Computed(
        lambda f, s, z: np.select(
            [s == 0, s == 1, (s == 2) & (np.abs(z) > 0.5)],
            [z / (1 - z), -np.log1p(-z), f.spence(1 - z)],
            z * _lerch(z, s, 1),
        ),
        "np.select([{0} == 0, {0} == 1, ({0} == 2) & (np.abs({1}) > 0.5)], [{1} / (1 - {1}), "
        "-np.log1p(-{1}), scipy.special.spence(1 - {1})], {1} * _lerch({1}, {0}, 1))",
        _lerch,
    ),
    (sympy.appellf1, 6): _Computed(
        lambda f, *operands: _appell(*operands), "_appell({0}, {1}, {2}, {3}, {4}, {5})", _appell
    ),
    # Zero everywhere but at its point, where it and its derivatives are zero by convention.
    (sympy.DiracDelta, 1): _Computed(lambda f, x: np.zeros_like(x), "np.zeros_like({0})"),
}


def _third_slope(index: int) -> Any:
    """Return a derivative of the complete integral of the third kind.

    The integral is `pi/2 F1(1/2; 1, 1/2; 1; n, m)`. SymPy's derivative, which is
    0/0 at n = m and at n = 0, stands for n > 1, where the integral is a principal value.
    """
    half = sympy.Rational(1, 2)
    powers = (2, half) if index == 1 else (1, 3 * half)

    def slope(n: Any, m: Any) -> Any:
        near = sympy.pi / 4 / index * sympy.appellf1(3 * half, *powers, 2, n, m)
        return sympy.Piecewise((near, n < 1), (sympy.elliptic_pi(n, m).fdiff(index), True))

    return slope


def _rising_slope(x: Any, k: Any) -> Any:
    return sympy.RisingFactorial(x, k) * (sympy.digamma(x + k) - sympy.digamma(x))


#: Derivatives with respect to an argument that SymPy does not state, or states as 0/0.
SLOPES: dict[tuple[Any, int, int], Callable[..., Any]] = {
    (sympy.elliptic_pi, 2, 0): _third_slope(1),
    (sympy.elliptic_pi, 2, 1): _third_slope(2),
    (sympy.RisingFactorial, 2, 0): _rising_slope,
    (sympy.RisingFactorial, 2, 1): lambda x, k: sympy.RisingFactorial(x, k) * sympy.digamma(x + k),
    (sympy.FallingFactorial, 2, 0): lambda x, k: (
        sympy.FallingFactorial(x, k) * (sympy.digamma(x + 1) - sympy.digamma(x - k + 1))
    ),
    (sympy.FallingFactorial, 2, 1): lambda x, k: (
        sympy.FallingFactorial(x, k) * sympy.digamma(x - k + 1)
    ),
    (sympy.DiracDelta, 1, 0): lambda x: sympy.S.Zero,
    (sympy.Heaviside, 2, 1): lambda x, at_zero: sympy.Piecewise((1, sympy.Eq(x, 0)), (0, True)),
}
