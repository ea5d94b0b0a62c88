"""Hypergeometric functions, computed by SciPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from symgrad.expr.node import ArrayExpr
from symgrad.ops.samples import ANY
from symgrad.ops.special import Special, scipy_kernels


class _Hypergeometric(Special, abstract=True):
    """A function of parameters and `x`: the derivative by `x` has all of them one higher.

    DLMF 13.3.15 and 15.5.1.
    """

    space = "special"
    #: How many parameters stand above; the others stand below.
    above: ClassVar[int]

    def partials(self, *operands: ArrayExpr) -> Sequence[Any]:
        cls = type(self)
        *parameters, x = operands

        def slope() -> Any:
            made: Any = cls.of(*[p + 1 for p in parameters], x)
            for p in parameters[: cls.above]:
                made = p * made
            for p in parameters[cls.above :]:
                made = made / p
            return made

        return *[0 for _ in parameters], slope


def _hyp0f1_argument(v: Any, z: Any) -> Any:
    # For v = 1 it is the Bessel function I0(2*sqrt(z)), which overflows beyond this number; SciPy's
    # divides by v - 1 there.
    v, z = np.asarray(v, np.float64), np.asarray(z, np.float64)
    return np.where(v == 1, np.minimum(z, 127444.32639304308), z)


def _hyp0f1(v, z, made, *, to):  # type: ignore[no-untyped-def]
    far = (np.asarray(v) == 1) & (z > 127444.32639304308)
    return np.asarray(np.where(far, np.inf, made), to)


_LIMIT_ARGUMENT = Kernel.from_function(_hyp0f1_argument)
_HYP0F1 = Kernel.from_function(_hyp0f1, prelude=_LIMIT_ARGUMENT.prelude)


class hyp0f1(_Hypergeometric):
    """Return the confluent hypergeometric limit function 0F1 of the parameter `v` at each `z`.

    There is no derivative with respect to the parameter. Values and derivatives have up to 32 ulps
    where `z` is between -10 and 100, and up to 1e5 beyond; left of 0 these are ulps of 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.hyp0f1(1.5, torch.tensor([0.0, 1.0]))
    tensor([1.0000, 1.8134])
    """

    ulps = 32
    why_ulps = "the digits that SciPy's hyp0f1 has left of 0"
    arity = 2
    above = 0
    operand_names = ("v", "z")
    underived: ClassVar[Mapping[int, str]] = {0: "v"}
    of_order = (sympy.hyper, (0, 1))
    scalar = lambda v, z: sympy.hyper((), (v,), z)  # noqa: E731
    kernel, _ = scipy_kernels(
        "hyp0f1",
        lambda special, v, z, to: _HYP0F1.call(
            v, z, special.hyp0f1(v, _hyp0f1_argument(v, z)), to=to
        ),
        "_hyp0f1({0}, {1}, scipy.special.hyp0f1({0}, _hyp0f1_argument({0}, {1})), to={to})",
        prelude=_HYP0F1.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    samples = [(1.5, ANY), (np.array(0.7), np.array([[0.4], [-1.0]]))]


def _hyp1f1_argument(a: Any, b: Any, x: Any) -> Any:
    # SciPy's takes long where it overflows all the same.
    a, b, x = np.asarray(a, np.float64), np.asarray(b, np.float64), np.asarray(x, np.float64)
    polynomial = (a <= 0) & (a == np.floor(a))
    return np.where(polynomial, x, np.minimum(x, np.maximum(1e8, 20 * (abs(a) + abs(b) + 1))))


def _hyp1f1(a, b, x, made, signs, factor, *, to):  # type: ignore[no-untyped-def]
    # `signs` are those of gamma(a) * gamma(b): far on the right they are those of what overflows. Far
    # on the left, where SciPy's is 0 or nan, the function is `factor`, gamma(b) / gamma(b - a), times
    # the power -a of abs(x) and a series. DLMF 13.7.1 and 13.7.2.
    a, b, x = [np.asarray(v, np.float64) for v in (a, b, x)]
    steep = (np.abs(a) + 5) * (np.abs(a - b) + 6)
    left = (x < -1e4 * steep) & (x > -np.inf) & np.isfinite(factor)
    size, series = np.where(left, -x, 1), 1.0
    for k in range(4, -1, -1):
        series = 1 + series * (a + k) * (a - b + 1 + k) / ((k + 1) * size)
    made = np.where(left, factor * size**-a * series, made)
    far = np.isinf(made) & (x > 20 * (np.abs(a) + np.abs(b) + 1)) & (signs != 0)
    made = np.where(far, signs * np.inf, made)
    return np.asarray(np.where((a > 0) & (x == -np.inf) & (b > 0), 0, made), to)


_ARGUMENT = Kernel.from_function(_hyp1f1_argument)
_HYP1F1 = Kernel.from_function(_hyp1f1, prelude=_ARGUMENT.prelude)


class hyp1f1(_Hypergeometric):
    """Return the confluent hypergeometric function 1F1 of the parameters `a` and `b` at each `x`.

    There is no derivative with respect to the parameters. SciPy's values have up to 128 ulps, where
    `a` is above `b`, or `b` above 5, up to 1e5.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.hyp1f1(0.5, 1.5, torch.tensor([0.0, 1.0]))
    tensor([1.0000, 1.4627])
    """

    ulps = 128
    why_ulps = "the digits that SciPy's hyp1f1 has left of 0"
    arity = 3
    above = 1
    operand_names = ("a", "b", "x")
    underived: ClassVar[Mapping[int, str]] = {0: "a", 1: "b"}
    of_order = (sympy.hyper, (1, 1))
    scalar = lambda a, b, x: sympy.hyper((a,), (b,), x)  # noqa: E731
    kernel, _ = scipy_kernels(
        "hyp1f1",
        lambda special, a, b, x, to: _HYP1F1.call(
            a,
            b,
            x,
            special.hyp1f1(a, b, _hyp1f1_argument(a, b, x)),
            special.gammasgn(a) * special.gammasgn(b),
            special.gamma(b) * special.rgamma(np.subtract(b, a)),
            to=to,
        ),
        "_hyp1f1({0}, {1}, {2}, scipy.special.hyp1f1({0}, {1}, _hyp1f1_argument({0}, {1}, {2})), "
        "scipy.special.gammasgn({0}) * scipy.special.gammasgn({1}), "
        "scipy.special.gamma({1}) * scipy.special.rgamma(np.subtract({1}, {0})), to={to})",
        prelude=_HYP1F1.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    samples = [(0.5, 1.5, ANY), (np.array(0.7), 2, np.array([[0.4], [-1.0]]))]


def _hyp2f1(a, b, c, z, made, special, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, of whose module `special` is. Far on the left it loses its digits where b - a is a
    # whole number m; there the function is a series in 1/z: DLMF 15.8.8, of which a term is a quotient
    # digamma(x)/gamma(x), by reflection where that is 0/0. Else it is that of DLMF 15.8.2.
    a, b, c, z, made = np.broadcast_arrays(*[np.asarray(v, np.float64) for v in (a, b, c, z, made)])
    a, b = np.minimum(a, b), np.maximum(a, b)
    usual = (b < 30) & (a > -30) & (np.abs(c) < 30) & (z > -np.inf)
    for v in (a, b, c):
        usual = usual & ((v > 0) | (v != np.rint(v)))
    m = np.rint(b - a)
    size = np.maximum(np.abs(a), np.abs(b)) * (1 + np.abs(c) + np.abs(b))
    usual = usual & (z < -np.maximum(50, 2 * size))
    whole, apart = usual & (b - a == m), usual & (b - a != m)
    if not np.any(whole | apart):
        return np.asarray(made, to)
    a, b, c = [np.where(whole | apart, v, u) for v, u in ((a, 0.5), (b, 1.5), (c, 1.25))]
    m, far = np.where(whole, m, 1), np.where(whole | apart, -z, 100)
    front, total = special.gamma(c) * far**-a, np.zeros_like(z)
    term = special.rgamma(b)
    for k in range(int(np.max(m))):
        part = special.gamma(np.maximum(m - k, 1)) * special.rgamma(c - a - k)
        total = total + np.where(k < m, term * part, 0)
        term = term * -(a + k) / ((k + 1) * far)
    term = np.where(m % 2 == 0, 1, -1) * special.rgamma(a) * far**-m * special.rgamma(m + 1)
    for k in range(50):
        x = c - b - k
        left = x < 0.5
        over = special.gamma(np.where(left, 1 - x, 1))
        turn = np.where(left, x - np.rint(x), 0) * np.pi
        sign = np.where(np.rint(np.where(left, x, 0)) % 2 == 0, 1, -1)
        below = np.where(left, sign * over * np.sin(turn) / np.pi, special.rgamma(x))
        mirrored = special.psi(np.where(left, 1 - x, 1)) * np.sin(turn) / np.pi - np.cos(turn)
        ratio = np.where(left, sign * over * mirrored, special.psi(np.where(left, 1, x)) * below)
        log = np.log(far) + special.psi(k + 1.0) + special.psi(k + m + 1) - special.psi(b + k)
        total = total + np.where(whole, term * (log * below - ratio), 0)
        term = term * (b + k) / ((k + 1) * (k + m + 1) * far)
    found = np.where(whole, front * total, made)
    if np.any(apart):
        sums = 0.0
        for p, q in ((a, b), (b, a)):
            gap = np.where(apart, q - p, 0.5)
            near = 1.0
            for k in range(50, -1, -1):
                rise = (p + k) * (p - c + 1 + k) / ((k + 1) * (p - q + 1 + k))
                near = 1 - rise * near / far
            factor = special.gamma(gap) * special.rgamma(q) * special.rgamma(c - p)
            sums = sums + special.gamma(c) * factor * far**-p * near
        found = np.where(apart, sums, found)
    return np.asarray(found, to)


_HYP2F1 = Kernel.from_function(_hyp2f1)


class hyp2f1(_Hypergeometric):
    """Return the hypergeometric function 2F1 of the parameters `a`, `b` and `c` at each `z`.

    There is no derivative with respect to the parameters. Of 3000 points each, with parameters up to
    2, 99 of 100 values have up to 240 ulps where `z` is between -100 and 0.95, and up to 50 left of
    that; with parameters up to 10 up to 110 left of -100, though single ones up to 2e4, and nine in
    ten up to 320 between -100 and -1. Right of 0.95 nine in ten have up to 700 ulps, and within 1e-14
    of 1 there may be none. Where `b - a` is nearly a whole number, left of -1, or `c - a - b` is, next
    to 1, as many digits are lost as what it lacks has zeros.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.hyp2f1(0.5, 1, 1.5, torch.tensor([0.0, 0.5]))
    tensor([1.0000, 1.2465])
    """

    ulps = (64, 64, 64, 128, 256)
    why_ulps = "the digits that SciPy's hyp2f1 has left of 0"
    arity = 4
    above = 2
    operand_names = ("a", "b", "c", "z")
    underived: ClassVar[Mapping[int, str]] = {0: "a", 1: "b", 2: "c"}
    of_order = (sympy.hyper, (2, 1))
    scalar = lambda a, b, c, z: sympy.hyper((a, b), (c,), z)  # noqa: E731
    kernel, _ = scipy_kernels(
        "hyp2f1",
        lambda special, a, b, c, z, to: _HYP2F1.call(
            a, b, c, z, special.hyp2f1(a, b, c, z), special, to=to
        ),
        "_hyp2f1({0}, {1}, {2}, {3}, scipy.special.hyp2f1({0}, {1}, {2}, {3}), scipy.special, "
        "to={to})",
        prelude=_HYP2F1.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    samples = [
        (0.5, 1.5, 2, np.array([0.3, -1.2, 0.6])),
        (np.array(0.7), 2, 1.5, np.array([[0.4], [-1.0]])),
    ]
