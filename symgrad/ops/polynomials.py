"""Orthogonal polynomials of whole degrees, by their recurrences of three terms: DLMF 18.9.

Beside the ends of their intervals these are differences of large terms: there each polynomial is the
one below and a difference, for which there is a recurrence as well (Reinsch's form of it: Stoer and
Bulirsch, Introduction to Numerical Analysis, 2.3.2). SciPy's lose the digits of polynomials of odd
degree next to 0. A polynomial of negative degree is 0.
What has overflowed stays infinite beyond the last root, where the first term of the recurrence is
the larger one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from numeric.standalone import Definitions
from symgrad.expr.dtypes import Category, bool_, int64
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Computation
from symgrad.ops.samples import ANY
from symgrad.ops.special import with_index


def _highest(n: Any) -> int:
    most = int(np.max(n, initial=0, where=np.isfinite(n)))
    if most > 1000000:
        raise ValueError(f"polynomials are computed up to the degree 1000000, not of degree {most}")
    return most


_HIGHEST = Definitions(_highest, (), ())


def _chebyshev(x, n, *, lead, offset, to):  # type: ignore[no-untyped-def]
    x, n = np.broadcast_arrays(np.asarray(x, np.float64), np.trunc(np.asarray(n, np.float64)))
    below, at = np.ones_like(x, np.float64), lead * x + offset
    found = np.where(n < 0, 0, np.where(n == 0, below, np.where(n == 1, at, np.nan)))
    # Beside 1 and -1 digits are kept by summing differences. At -x the third kind is the fourth.
    t, sign = np.abs(x), np.where(x < 0, -1, 1)
    aside = t >= 0.5
    rise = lead * (t - 1) + (lead + sign * offset - 1)
    near = rise + 1
    for k in range(1, _highest(n)):
        below = np.where(np.isinf(at), 0, below)
        below, at = at, 2 * x * at - below
        rise = rise + 2 * (t - 1) * near
        near = near + rise
        found = np.where(n == k + 1, np.where(aside, near * sign ** (k + 1), at), found)
    return found.astype(to)


def _hermite(x, n, *, scale, to):  # type: ignore[no-untyped-def]
    x, n = np.broadcast_arrays(np.asarray(x, np.float64), np.trunc(np.asarray(n, np.float64)))
    below, at = np.zeros_like(x, np.float64), np.ones_like(x, np.float64)
    found = np.where(n < 0, 0, np.where(n == 0, at, np.nan))
    for k in range(_highest(n)):
        below = np.where(np.isinf(at) & (x * x > 4 * (k + 1)), 0, below)
        below, at = at, scale * (x * at - k * below)
        found = np.where(n == k + 1, at, found)
    return found.astype(to)


def _laguerre(x, n, a, *, to):  # type: ignore[no-untyped-def]
    x, n, a = np.broadcast_arrays(
        np.asarray(x, np.float64), np.trunc(np.asarray(n, np.float64)), np.asarray(a, np.float64)
    )
    below, at = np.zeros_like(x, np.float64), np.ones_like(x, np.float64)
    found = np.where(n < 0, 0, np.where(n == 0, at, np.nan))
    # Right of a = -1 digits are kept by summing differences of what is 1 at 0, `size` times smaller.
    rise, near, size = (
        np.zeros_like(x, np.float64),
        np.ones_like(x, np.float64),
        np.ones_like(x, np.float64),
    )
    for k in range(_highest(n)):
        alike = (np.abs(x) > 4 * (k + 1 + np.abs(a))) | ((x < 0) & (a > -1))
        below = np.where(np.isinf(at) & alike, 0, below)
        below, at = at, ((2 * k + 1 + a - x) * at - (k + a) * below) / (k + 1)
        over = np.isinf(near) & alike
        rise = (np.where(over | (k == 0), 0, k * rise) - x * near) / (k + a + 1)
        near = np.where(over, rise, near + rise)
        size = size * (k + a + 1) / (k + 1)
        made = np.where((a > -1) & np.isfinite(size), size * near, at)
        found = np.where(n == k + 1, made, found)
    return found.astype(to)


def _gegenbauer(x, n, a, *, to):  # type: ignore[no-untyped-def]
    x, n, a = np.broadcast_arrays(
        np.asarray(x, np.float64), np.trunc(np.asarray(n, np.float64)), np.asarray(a, np.float64)
    )
    below, at = np.zeros_like(x, np.float64), np.ones_like(x, np.float64)
    found = np.where(n < 0, 0, np.where(n == 0, at, np.nan))
    # Beside 1 and -1 digits are kept by summing differences of what is 1 at 1, `size` times smaller.
    t, sign = np.abs(x), np.where(x < 0, -1, 1)
    rise, near, size = (
        np.zeros_like(x, np.float64),
        np.ones_like(x, np.float64),
        np.ones_like(x, np.float64),
    )
    for k in range(_highest(n)):
        below = np.where(np.isinf(at) & (np.abs(x) > 1) & (a > 0), 0, below)
        below, at = at, (2 * (k + a) * (x * at) - (k + 2 * a - 1) * below) / (k + 1)
        rise = (2 * (k + a) * ((t - 1) * near) + (k * rise if k else 0)) / (k + 2 * a)
        near = near + rise
        size = size * (k + 2 * a) / (k + 1)
        aside = (t > 0.6) & (a > 0) & np.isfinite(size)
        made = np.where(aside, size * near * sign ** (k + 1), at)
        found = np.where(n == k + 1, made, found)
    return found.astype(to)


def _jacobi(x, n, a, b, *, to):  # type: ignore[no-untyped-def]
    x, n, a, b = np.broadcast_arrays(
        np.asarray(x, np.float64), np.trunc(np.asarray(n, np.float64)),
        np.asarray(a, np.float64), np.asarray(b, np.float64),
    )  # fmt: skip
    below, at = np.ones_like(x, np.float64), (a - b + (a + b + 2) * x) / 2
    found = np.where(n < 0, 0, np.where(n == 0, below, np.where(n == 1, at, np.nan)))
    # Beside 1 and -1 digits are kept by summing differences of what is 1 at 1, `size` times smaller.
    t, sign = np.abs(x), np.where(x < 0, -1, 1)
    p, q = np.where(x < 0, b, a), np.where(x < 0, a, b)
    rise = (a + b + 2) * (t - 1) / (2 * (p + 1))
    near, size = rise + 1, p + 1
    for k in range(1, _highest(n)):
        c = 2 * k + a + b
        below = np.where(np.isinf(at) & (np.abs(x) > 1) & (a > -1) & (b > -1), 0, below)
        above = (c + 1) * ((c + 2) * c * x + (a - b) * (a + b)) * at
        fall = 2 * (k + a) * (k + b) * (c + 2) * below
        below, at = at, (above - fall) / (2 * (k + 1) * (k + 1 + a + b) * c)
        rise = c * (c + 1) * (c + 2) * ((t - 1) * near) + 2 * k * (k + q) * (c + 2) * rise
        rise = rise / (2 * (k + p + 1) * (k + a + b + 1) * c)
        near = near + rise
        size = size * (k + p + 1) / (k + 1)
        aside = (t > 0.5) & (a > -1) & (b > -1) & np.isfinite(size)
        made = np.where(aside, size * near * sign ** (k + 1), at)
        found = np.where(n == k + 1, made, found)
    return found.astype(to)


_CHEBYSHEV = Kernel.from_function(_chebyshev, prelude=_HIGHEST, rows=local)
_HERMITE = Kernel.from_function(_hermite, prelude=_HIGHEST, rows=local)


def _of_degree(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return what SymPy's polynomial is for any degree: SymPy has others of negative degree."""

    def scalar(x: Any, n: Any, *more: Any) -> Any:
        n = sympy.sympify(n)
        if n.is_negative:
            return sympy.S.Zero
        if n.is_nonnegative:
            return f(n, *more, x)
        # SymPy refuses some of negative degree, in a branch that is not taken as well.
        return sympy.Piecewise((0, n < 0), (f(sympy.Max(0, n), *more, x), True))

    return scalar


def _third(n: Any, x: Any) -> Any:
    return sympy.chebyshevu(n, x) - sympy.chebyshevu(n - 1, x)


def _fourth(n: Any, x: Any) -> Any:
    return sympy.chebyshevu(n, x) + sympy.chebyshevu(n - 1, x)


class Polynomial(Elementwise, abstract=True):
    """A polynomial in the first operand, of the degree that is the second; fractions are cut off.

    Degrees above a million raise ValueError.
    """

    ulps = 8
    space = "special"
    arity = 2
    result = "float"
    numbers = "either"
    receives = "all"
    refuses = (Category.COMPLEX,)
    operand_names: ClassVar[tuple[str, ...]] = ("x", "n")
    underived: ClassVar[Mapping[int, str]] = {1: "n"}
    kernel_takes_dtype = True
    #: What the kernel is given beside.
    given: ClassVar[Mapping[str, float]] = {}

    def implementation(self) -> Computation:
        return self.kernel, {**self.given, "to": self.dtype.numpy}, self.operands

    def partials(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> Sequence[Any]:
        degree = n.to(int64) if n.dtype is bool_ else n
        return lambda: self.slope(x, degree, *more), 0, *[0 for _ in more]

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        """Return the derivative with respect to `x`."""
        raise NotImplementedError(f"{type(self).__name__} states no slope()")

    samples = [(ANY, 3), (np.array([[0.7], [0.2]]), np.array([0, 1, 4]))]


class chebyshev_polynomial_t(Polynomial):
    """Return the Chebyshev polynomial of the first kind, of degree `n`, at each element of `x`.

    Values of degrees up to 10 have up to 8 ulps, up to 100 up to 32; between roots these are ulps of the
    polynomial's size there.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.5, 2.0], requires_grad=True)
    >>> y = torch.special.chebyshev_polynomial_t(x, 3)
    >>> y
    tensor([-1., 26.], grad_fn=<ChebyshevPolynomialTBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([ 0., 45.])
    """

    given: ClassVar[Mapping[str, float]] = {"lead": 1.0, "offset": 0.0}
    kernel = _CHEBYSHEV
    printed = with_index("chebyshev_polynomial_t", "T", "{1}", of="{0}")
    of_order = (sympy.chebyshevt, "degree")
    scalar = _of_degree(sympy.chebyshevt)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        return n * chebyshev_polynomial_u.of(x, n - 1)


class chebyshev_polynomial_u(Polynomial):
    """Return the Chebyshev polynomial of the second kind, of degree `n`, at each element of `x`.

    Values of degrees up to 10 have up to 8 ulps, up to 100 up to 64; between roots these are ulps of the
    polynomial's size there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.chebyshev_polynomial_u(torch.tensor([0.5, 2.0]), 2)
    tensor([ 0., 15.])
    """

    given: ClassVar[Mapping[str, float]] = {"lead": 2.0, "offset": 0.0}
    kernel = _CHEBYSHEV
    printed = with_index("chebyshev_polynomial_u", "U", "{1}", of="{0}")
    of_order = (sympy.chebyshevu, "degree")
    scalar = _of_degree(sympy.chebyshevu)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        return 2 * gegenbauer_polynomial.of(x, n - 1, 2)


class chebyshev_polynomial_v(Polynomial):
    """Return the Chebyshev polynomial of the third kind, of degree `n`, at each element of `x`.

    Values of degrees up to 10 have up to 8 ulps, up to 100 up to 128; between roots these are ulps of the
    polynomial's size there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.chebyshev_polynomial_v(torch.tensor([0.5, 2.0]), 2)
    tensor([-1., 11.])
    """

    given: ClassVar[Mapping[str, float]] = {"lead": 2.0, "offset": -1.0}
    kernel = _CHEBYSHEV
    printed = with_index("chebyshev_polynomial_v", "V", "{1}", of="{0}")
    scalar = _of_degree(_third)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        of = gegenbauer_polynomial.of
        return 2 * (of(x, n - 1, 2) - of(x, n - 2, 2))


class chebyshev_polynomial_w(Polynomial):
    """Return the Chebyshev polynomial of the fourth kind, of degree `n`, at each element of `x`.

    Values of degrees up to 10 have up to 8 ulps, up to 100 up to 64; between roots these are ulps of the
    polynomial's size there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.chebyshev_polynomial_w(torch.tensor([0.5, 2.0]), 2)
    tensor([ 1., 19.])
    """

    given: ClassVar[Mapping[str, float]] = {"lead": 2.0, "offset": 1.0}
    kernel = _CHEBYSHEV
    printed = with_index("chebyshev_polynomial_w", "W", "{1}", of="{0}")
    scalar = _of_degree(_fourth)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        of = gegenbauer_polynomial.of
        return 2 * (of(x, n - 1, 2) + of(x, n - 2, 2))


class hermite_polynomial_h(Polynomial):
    """Return the physicist's Hermite polynomial of degree `n` at each element of `x`.

    Values of degrees up to 10 have up to 8 ulps, up to 100 up to 64; between roots these are ulps of the
    polynomial's size there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.hermite_polynomial_h(torch.tensor([0.5, 2.0]), 3)
    tensor([-5., 40.])
    """

    given: ClassVar[Mapping[str, float]] = {"scale": 2.0}
    kernel = _HERMITE
    printed = with_index("hermite_polynomial_h", "H", "{1}", of="{0}")
    of_order = (sympy.hermite, "degree")
    scalar = _of_degree(sympy.hermite)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        return 2 * n * hermite_polynomial_h.of(x, n - 1)


class hermite_polynomial_he(Polynomial):
    """Return the probabilist's Hermite polynomial of degree `n` at each element of `x`.

    Values of degrees up to 10 have up to 8 ulps, up to 100 up to 64; between roots these are ulps of the
    polynomial's size there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.hermite_polynomial_he(torch.tensor([0.5, 2.0]), 3)
    tensor([-1.3750,  2.0000])
    """

    given: ClassVar[Mapping[str, float]] = {"scale": 1.0}
    kernel = _HERMITE
    printed = with_index("hermite_polynomial_he", "\\mathit{{He}}", "{1}", of="{0}")
    of_order = (sympy.hermite_prob, "degree")
    scalar = _of_degree(sympy.hermite_prob)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        return n * hermite_polynomial_he.of(x, n - 1)


class _OfParameter(Polynomial, abstract=True):
    """A polynomial with a parameter, the third operand, in which it is not differentiated."""

    arity = 3
    internal = True
    operand_names: ClassVar[tuple[str, ...]] = ("x", "n", "alpha")
    samples = [(ANY, 3, 1.5), (np.array([[0.7], [0.2]]), np.array([0, 1, 4]), 2)]


class gegenbauer_polynomial(_OfParameter):
    """The Gegenbauer polynomial of degree `n` and parameter `alpha`."""

    underived: ClassVar[Mapping[int, str]] = {1: "eval_gegenbauer: n", 2: "eval_gegenbauer: alpha"}
    kernel = Kernel.from_function(_gegenbauer, prelude=_HIGHEST, rows=local)
    printed = Notation(
        "eval_gegenbauer({1}, {2}, {0})", r"C_{{{1}}}^{{\left({2}\right)}}\left({0}\right)"
    )
    of_order = (sympy.gegenbauer, "degree")
    scalar = _of_degree(sympy.gegenbauer)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        (a,) = more
        return 2 * a * gegenbauer_polynomial.of(x, n - 1, a + 1)


class jacobi_polynomial(_OfParameter):
    """The Jacobi polynomial of degree `n` and parameters `alpha` and `beta`."""

    ulps = 16
    arity = 4
    operand_names = ("x", "n", "alpha", "beta")
    underived: ClassVar[Mapping[int, str]] = {
        1: "eval_jacobi: n", 2: "eval_jacobi: alpha", 3: "eval_jacobi: beta"
    }  # fmt: skip
    kernel = Kernel.from_function(_jacobi, prelude=_HIGHEST, rows=local)
    printed = Notation(
        "eval_jacobi({1}, {2}, {3}, {0})",
        r"P_{{{1}}}^{{\left({2},{3}\right)}}\left({0}\right)",
    )
    of_order = (sympy.jacobi, "degree")
    scalar = _of_degree(sympy.jacobi)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        a, b = more
        return (n + a + b + 1) / 2 * jacobi_polynomial.of(x, n - 1, a + 1, b + 1)

    samples = [(ANY, 3, 1.5, 0.5), (np.array([[0.7], [0.2]]), np.array([0, 1, 4]), 2, 1)]


class associated_laguerre(_OfParameter):
    """The generalized Laguerre polynomial of degree `n` and parameter `alpha`."""

    ulps = 16
    underived: ClassVar[Mapping[int, str]] = {
        1: "eval_genlaguerre: n",
        2: "eval_genlaguerre: alpha",
    }
    kernel = Kernel.from_function(_laguerre, prelude=_HIGHEST, rows=local)
    printed = Notation(
        "eval_genlaguerre({1}, {2}, {0})", r"L_{{{1}}}^{{\left({2}\right)}}\left({0}\right)"
    )
    of_order = (sympy.assoc_laguerre, "degree")
    scalar = _of_degree(sympy.assoc_laguerre)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        (a,) = more
        return -associated_laguerre.of(x, n - 1, a + 1)


def _with_parameter(made: Kernel, value: float) -> Kernel:
    """Return the kernel of a polynomial whose parameter is a number."""
    return Kernel(
        made.name,
        lambda x, n, to: made.call(x, n, value, to=to),
        f"{made.name}({{0}}, {{1}}, {value}, to={{to}})",
        made.prelude,
        rows=local,
    )


class laguerre_polynomial_l(Polynomial):
    """Return the Laguerre polynomial of degree `n` at each element of `x`.

    Values and derivatives of degrees up to 10 have up to 16 ulps, up to 100 up to 200; between roots these
    are ulps of the polynomial's size there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.laguerre_polynomial_l(torch.tensor([0.5, 2.0]), 2)
    tensor([ 0.1250, -1.0000])
    """

    ulps = 16
    kernel = _with_parameter(associated_laguerre.kernel, 0.0)
    printed = with_index("laguerre_polynomial_l", "L", "{1}", of="{0}")
    of_order = (sympy.laguerre, "degree")
    scalar = _of_degree(sympy.laguerre)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        return -associated_laguerre.of(x, n - 1, 1)


class legendre_polynomial_p(Polynomial):
    """Return the Legendre polynomial of degree `n` at each element of `x`.

    Values of degrees up to 10 have up to 8 ulps, up to 100 up to 32; between roots these are ulps of the
    polynomial's size there.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.legendre_polynomial_p(torch.tensor([0.5, 2.0]), 2)
    tensor([-0.1250,  5.5000])
    """

    kernel = _with_parameter(gegenbauer_polynomial.kernel, 0.5)
    printed = with_index("legendre_polynomial_p", "P", "{1}", of="{0}")
    of_order = (sympy.legendre, "degree")
    scalar = _of_degree(sympy.legendre)

    def slope(self, x: ArrayExpr, n: ArrayExpr, *more: ArrayExpr) -> ArrayExpr:
        return gegenbauer_polynomial.of(x, n - 1, 1.5)
