"""Functions of SymPy that are formulas of other ones, which are computed.

Derivatives of every order follow from the formulas.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy
from sympy import Rational, S


def written(node: Any) -> Any:
    """Return a formula that is equal to a function, without it; None where there is none."""
    make = _FORMULAS.get(type(node))
    return None if make is None else make(*node.args)


def _is_whole(n: Any) -> bool:
    return isinstance(n, sympy.Integer)


def _exponential_integral(order: Any, x: Any) -> Any:
    """Return `expint(order, x)` by that of an order below 1, which is an incomplete gamma function.

    The recurrence is DLMF 8.19.12, and the last step DLMF 8.19.1.
    """
    if not isinstance(order, sympy.Rational) or (_is_whole(order) and order > 0):
        return None  # SciPy computes whole orders
    factor, rest = S.One, S.Zero
    while order > 1:
        rest += factor * sympy.exp(-x) / (order - 1)
        factor *= -x / (order - 1)
        order -= 1
    return rest + factor * x ** (order - 1) * sympy.uppergamma(1 - order, x)


def _upper_gamma(a: Any, x: Any) -> Any:
    """Return `uppergamma(a, x)` of a negative `a` by that of a positive one: DLMF 8.8.2."""
    if not isinstance(a, sympy.Rational) or a > 0:
        return None
    if _is_whole(a):
        return x**a * sympy.expint(1 - a, x)
    return (sympy.uppergamma(a + 1, x) - x**a * sympy.exp(-x)) / a


def _harmonic(n: Any, order: Any = S.One) -> Any:
    if order == 1:
        return sympy.digamma(n + 1) + sympy.EulerGamma
    return sympy.zeta(order) - sympy.zeta(order, n + 1) if order.is_number and order > 1 else None


def _eta(s: Any, a: Any = S.One) -> Any:
    if a == 1:
        return (1 - 2 ** (1 - s)) * sympy.zeta(s)
    return (sympy.zeta(s, a / 2) - sympy.zeta(s, (a + 1) / 2)) / 2**s


def _bernoulli(n: Any, x: Any = S.One) -> Any:
    return -n * sympy.zeta(1 - n) if x == 1 else None


def _sum_of_bessel(factor: Any, spherical: bool) -> Callable[..., Any]:
    first, second = (sympy.jn, sympy.yn) if spherical else (sympy.besselj, sympy.bessely)
    return lambda order, x: first(order, x) + factor * second(order, x)


def _spherical(bessel: Any) -> Callable[..., Any]:
    def make(order: Any, x: Any) -> Any:
        if _is_whole(order) and order >= 0:
            return None  # SciPy computes whole orders
        return sympy.sqrt(sympy.pi / (2 * x)) * bessel(order + Rational(1, 2), x)

    return make


def _expanded(kind: Any) -> Callable[..., Any]:
    def make(*args: Any) -> Any:
        done = kind(*args).expand(func=True)
        return None if done.has(kind) else done

    return make


def _power_after(x: Any, a: Any, n: Any) -> Any:
    """Return Macaulay's bracket `<x - a>**n`, and 0 for its derivatives that are zero but at a."""
    if not _is_whole(n):
        return None
    return sympy.Piecewise(((x - a) ** n, x >= a), (0, True)) if n >= 0 else S.Zero


def _equal(i: Any, j: Any, *within: Any) -> Any:
    condition = sympy.Eq(i, j)
    if within:
        low, high = within[0]
        condition = sympy.And(condition, low <= i, i <= high)
    return sympy.Piecewise((1, condition), (0, True))


def _levi_civita(*indices: Any) -> Any:
    pairs = [(i, j) for k, j in enumerate(indices) for i in indices[:k]]
    return sympy.Mul(*[sympy.sign(j - i) for i, j in pairs])


def _remainder(p: Any, q: Any) -> Any:
    """Return `Mod(p, q)` of a number `p`, of which PyTorch has no derivative."""
    return p - q * sympy.floor(p / q) if p.is_number else None


def _factorial2(n: Any) -> Any:
    """Return `factorial2(n)` by the gamma function: DLMF 5.4.2, whose factor depends on parity."""
    half = (1 - sympy.cos(sympy.pi * n)) / 4
    return 2 ** (n / 2 + half) * sympy.pi ** (-half) * sympy.gamma(n / 2 + 1)


def _fibonacci(n: Any, x: Any = None) -> Any:
    phi, root = sympy.GoldenRatio, sympy.sqrt(5)
    return None if x is not None else (phi**n - sympy.cos(sympy.pi * n) * phi**-n) / root


def _lucas(n: Any) -> Any:
    return sympy.GoldenRatio**n + sympy.cos(sympy.pi * n) * sympy.GoldenRatio**-n


def _xi(s: Any) -> Any:
    return s * (s - 1) * sympy.gamma(s / 2) * sympy.zeta(s) / (2 * sympy.pi ** (s / 2))


def _hypergeometric(above: Any, below: Any, x: Any) -> Any:
    if not below:
        return sympy.exp(x) if not above else (1 - x) ** -above[0] if len(above) == 1 else None
    return None


_FORMULAS: dict[type[Any], Callable[..., Any]] = {
    sympy.UnevaluatedExpr: lambda x: x,
    sympy.ITE: lambda c, x, y: sympy.Or(sympy.And(c, x), sympy.And(sympy.Not(c), y)),
    sympy.Implies: lambda a, b: sympy.Or(sympy.Not(a), b),
    sympy.Equivalent: lambda *xs: sympy.Or(sympy.And(*xs), sympy.And(*[sympy.Not(x) for x in xs])),
    sympy.KroneckerDelta: _equal,
    sympy.LeviCivita: _levi_civita,
    sympy.Mod: _remainder,
    sympy.Rem: lambda p, q: p - q * sympy.sign(p / q) * sympy.floor(sympy.Abs(p / q)),
    sympy.frac: lambda x: x - sympy.floor(x),
    sympy.SingularityFunction: _power_after,
    sympy.erf2: lambda x, y: sympy.erf(y) - sympy.erf(x),
    sympy.erf2inv: lambda x, y: sympy.erfinv(sympy.erf(x) + y),
    sympy.li: lambda x: sympy.Ei(sympy.log(x)),
    sympy.Li: lambda x: sympy.Ei(sympy.log(x)) - sympy.li(2),
    sympy.expint: _exponential_integral,
    sympy.uppergamma: _upper_gamma,
    sympy.harmonic: _harmonic,
    sympy.dirichlet_eta: _eta,
    sympy.bernoulli: _bernoulli,
    sympy.riemann_xi: _xi,
    sympy.jn: _spherical(sympy.besselj),
    sympy.yn: _spherical(sympy.bessely),
    sympy.hankel1: _sum_of_bessel(sympy.I, False),
    sympy.hankel2: _sum_of_bessel(-sympy.I, False),
    sympy.hn1: _sum_of_bessel(sympy.I, True),
    sympy.hn2: _sum_of_bessel(-sympy.I, True),
    sympy.Ynm: _expanded(sympy.Ynm),
    sympy.factorial2: _factorial2,
    sympy.fibonacci: _fibonacci,
    sympy.lucas: _lucas,
    sympy.polar_lift: lambda x: x,
    sympy.exp_polar: sympy.exp,
    sympy.hyper: _hypergeometric,
}
