"""Incomplete beta functions and their inverses, computed by SciPy: DLMF 8.17."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import mpmath
import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.ops.beta import beta
from symgrad.ops.samples import POSITIVE
from symgrad.ops.special import (
    Special,
    falling,
    known,
    lowered_power,
    of_factors,
    power_of,
    product_text,
    scipy_kernels,
)

_UNIT = np.array([0.3, 0.9, 0.5])
_TRIPLES = [(1.5, POSITIVE, _UNIT), (np.array(0.7), np.array(2.0), np.array([[0.4], [0.2]]))]


def _beta_density(a, b, x, made, size, *, i, j, to):  # type: ignore[no-untyped-def]
    # `made` is the beta function, `size` its logarithm. Where powers overflow or vanish, digits are
    # lost in the exponent.
    a, b, x = [np.asarray(v, np.float64) for v in (a, b, x)]
    p, q = a - 1 - i, b - 1 - j
    factor = np.ones(np.broadcast_shapes(a.shape, b.shape))
    for k in range(i):
        factor = factor * (a - 1 - k)
    for k in range(j):
        factor = factor * (b - 1 - k)
    direct = (
        x**p * np.where(x < 0.5, np.exp(q * np.log1p(-np.minimum(x, 0.5))), (1 - x) ** q) / made
    )
    exponent = np.where(p == 0, 0, p * np.log(x)) + np.where(q == 0, 0, q * np.log1p(-x)) - size
    found = np.where(np.isfinite(direct) & (direct != 0), direct, np.exp(exponent))
    return np.asarray(np.where(factor == 0, np.where(np.isnan(x), x, 0), factor * found), to)


_DENSITY = Kernel.from_function(_beta_density)


def _exact_density(library: Any) -> Callable[..., Any]:
    """Return the function that computes a term of the density on numbers of `library`."""

    def density(a: Any, b: Any, x: Any, *, i: int, j: int, to: Any) -> Any:
        def term(a: Any, b: Any, x: Any) -> Any:
            left = library.ff(a - 1, i) * x ** (a - 1 - i)
            right = library.ff(b - 1, j) * (1 - x) ** (b - 1 - j)
            return left * right / library.beta(a, b)

        return np.frompyfunc(term, 3, 1)(a, b, x)

    return density


class beta_density(Special):
    """A term of the derivatives of `x**(a - 1) * (1 - x)**(b - 1) / beta(a, b)`.

    It is the product of the derivative of order `i` of the first power, by `x`, and of order `j` of
    the second, by `1 - x`.
    """

    ulps = 16
    arity = 3
    internal = True
    params = ("i", "j")
    i: int
    j: int
    underived: ClassVar[Mapping[int, str]] = {0: "betainc: a", 1: "betainc: b"}
    scalar = None
    kernel, _ = scipy_kernels(
        "beta_density",
        lambda special, a, b, x, i, j, to: _DENSITY.call(
            a, b, x, special.beta(a, b), special.betaln(a, b), i=i, j=j, to=to
        ),
        "_beta_density({0}, {1}, {2}, scipy.special.beta({0}, {1}), scipy.special.betaln({0}, {1}), "
        "i={i}, j={j}, to={to})",
        prelude=_DENSITY.prelude,
        number_systems={library.__name__: _exact_density(library) for library in (sympy, mpmath)},
    )  # fmt: skip
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, a: ArrayExpr, b: ArrayExpr, x: ArrayExpr) -> Sequence[Any]:
        def term(power: ArrayExpr, order: int, i: int, j: int) -> Any:
            # A power that is constant has no further derivative.
            constant = isinstance(power, Const) and power.value == order
            return Const(0) if constant else beta_density.of(a, b, x, i, j)

        i, j = self.i, self.j
        return 0, 0, lambda: term(a, i + 1, i + 1, j) - term(b, j + 1, i, j + 1)

    def as_read(self) -> ArrayExpr | None:
        a, b, x = self.operands
        if isinstance(x, (betaincinv, betainccinv)):  # it is divided by powers, which would vanish
            return None
        made: Any = 1
        for order, base, n in ((known(a), x, self.i), (known(b), 1 - x, self.j)):
            for k in range(1, n + 1):
                made = made * (order - k)
            made = made * power_of(base, order - (1 + n))
        return made / beta.of(a, b)  # type: ignore[no-any-return]

    def notation(self) -> Notation:
        a, b, _ = self.operands
        rises, falls = falling(a, "{0}", self.i), falling(b, "{1}", self.j)
        rise = lowered_power("{2}", "{2}", a, "{0}", 1 + self.i)
        fall = lowered_power("(1 - {2})", r"\left(1 - {2}\right)", b, "{1}", 1 + self.j)
        above = r" \, ".join([part for _, part in (rise, fall) if part]) or "1"
        below = r"\mathrm{{B}}\left({0}, {1}\right)"
        return of_factors(
            rises[0] * falls[0],
            product_text([*rises[1], *falls[1], rise[0], fall[0]], "beta({0}, {1})"),
            [*rises[2], *falls[2], rf"\frac{{{{{above}}}}}{{{{{below}}}}}"],
            (Precedence.SUM, Precedence.SUM, Precedence.POWER + 1),
        )

    samples = [(*sample, n, 1 - n) for n, sample in enumerate(_TRIPLES)]


class _Incomplete(Special, abstract=True):
    """A regularized incomplete beta function, or an inverse of one, which has the slope's inverse."""

    ulps: ClassVar[tuple[int, ...]] = (16, 16, 16, 16, 16)
    arity = 3
    space = "special"
    underived: ClassVar[Mapping[int, str]] = {0: "a", 1: "b"}
    samples = _TRIPLES


class betainc(_Incomplete, scipy="betainc"):
    """Return the regularized incomplete beta function of `a` and `b`, up to each `x` from 0 to 1.

    There is no derivative with respect to `a` and `b`.

    Where the result is tiny, or a parameter is above 10, SciPy's values have up to 2048 ulps, and where a
    parameter is above 300 up to 1e4.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 0.5, 1.0], requires_grad=True)
    >>> y = torch.special.betainc(2.0, 3.0, x)
    >>> y
    tensor([0.0000, 0.6875, 1.0000], grad_fn=<BetaincBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.0000, 1.5000, 0.0000])
    """

    operand_names = ("a", "b", "x")
    scalar = lambda a, b, x: sympy.betainc_regularized(a, b, 0, x)  # noqa: E731
    printed = Notation("betainc({0}, {1}, {2})", r"I_{{{2}}}\left({0}, {1}\right)")

    def partials(self, a: ArrayExpr, b: ArrayExpr, x: ArrayExpr) -> Sequence[Any]:
        return 0, 0, lambda: beta_density.of(a, b, x, 0, 0)


def _betaincc(above, below, *, to):  # type: ignore[no-untyped-def]
    # SciPy's `above` is 1 to ten digits alone where `below` is small.
    return np.asarray(np.where(below < 0.5, 1 - below, above), to)


_BETAINCC = Kernel.from_function(_betaincc)


class betaincc(_Incomplete):
    """Return `1 - betainc(a, b, x)`, accurate where that is small.

    There is no derivative with respect to `a` and `b`.

    Where a parameter is above 10 values have up to 64 ulps, and where one is above 300 up to 1e4.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.betaincc(2.0, 3.0, torch.tensor([0.0, 0.5, 1.0]))
    tensor([1.0000, 0.3125, 0.0000])
    """

    operand_names = ("a", "b", "x")
    scalar = lambda a, b, x: 1 - sympy.betainc_regularized(a, b, 0, x)  # noqa: E731
    kernel, _ = scipy_kernels(
        "betaincc",
        lambda special, a, b, x, to: _BETAINCC.call(
            special.betaincc(a, b, x), special.betainc(a, b, x), to=to
        ),
        "_betaincc(scipy.special.betaincc({0}, {1}, {2}), scipy.special.betainc({0}, {1}, {2}), "
        "to={to})",
        prelude=_BETAINCC.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, a: ArrayExpr, b: ArrayExpr, x: ArrayExpr) -> Sequence[Any]:
        return 0, 0, lambda: -beta_density.of(a, b, x, 0, 0)


class betaincinv(_Incomplete, scipy="betaincinv"):
    """Return the number `x` for which `betainc(a, b, x)` is `y`.

    There is no derivative with respect to `a` and `b`. SciPy's values have up to 512 ulps. Where `y` is
    between 0.05 and 0.95 first and second derivatives have up to 64, third and fourth up to 2048.
    Next to 0 and 1, where it is infinite or its density is 0 or infinite, derivatives from the second on
    may be nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.betaincinv(2.0, 3.0, torch.tensor([0.0, 0.6875, 1.0]))
    tensor([0.0000, 0.5000, 1.0000])
    """

    ulps = (8, 64, 64, 512, 2048)
    why_ulps = "the derivatives of an inverse are sums of terms of either sign"
    operand_names = ("a", "b", "y")

    def partials(self, a: ArrayExpr, b: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, 0, lambda: 1 / beta_density.of(a, b, self, 0, 0)


class betainccinv(_Incomplete, scipy="betainccinv"):
    """Return the number `x` for which `betaincc(a, b, x)` is `y`.

    There is no derivative with respect to `a` and `b`. SciPy's values have up to 512 ulps. Where `y` is
    between 0.05 and 0.95 first and second derivatives have up to 64, third and fourth up to 2048.
    Next to 0 and 1, where it is infinite or its density is 0 or infinite, derivatives from the second on
    may be nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.betainccinv(2.0, 3.0, torch.tensor([0.0, 0.3125, 1.0]))
    tensor([1.0000, 0.5000, 0.0000])
    """

    ulps = (8, 64, 64, 512, 2048)
    why_ulps = "the derivatives of an inverse are sums of terms of either sign"
    operand_names = ("a", "b", "y")

    def partials(self, a: ArrayExpr, b: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, 0, lambda: -1 / beta_density.of(a, b, self, 0, 0)
