"""Exponentials, logarithms and the logistic family."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr, Const, as_expr
from symgrad.expr.notation import Notation, Precedence
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.composite import Pointwise
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.kinds import OfResult, Passing, Steady, Tuned
from symgrad.ops.masked import masked
from symgrad.ops.samples import ANY, COLUMN, POSITIVE
from symgrad.ops.where import where

_REFUSED = (Category.BOOL, Category.INT, Category.COMPLEX)


class _OnReals(Elementwise, abstract=True):
    result = "float"

    samples = [(ANY,), (np.array(0.7),), (COLUMN,)]


class _OnPositives(Elementwise, abstract=True):
    result = "float"

    samples = [(POSITIVE,), (np.array(0.7),), (POSITIVE.reshape(3, 1),)]


class exp(_OnReals):
    """Return the exponential of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.exp(torch.tensor([0.0, 1.0, -float("inf")]))
    tensor([1.0000, 2.7183, 0.0000])
    """

    poles = ()
    ulps = 4
    scalar = sympy.exp
    kernel = Kernel.from_ufunc(np.exp)
    keeps = (0,)  # log(1 + exp(x)) is differentiated as softplus(x), which reads x

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (self,)


class exp2(_OnReals):
    """Return 2 to the power of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.exp2(torch.tensor([0.0, 3.0, -1.0]))
    tensor([1.0000, 8.0000, 0.5000])
    """

    ulps = 4
    scalar = lambda x: 2**x  # noqa: E731
    kernel = Kernel.from_ufunc(np.exp2)
    printed = Notation("exp2({0})", "2^{{{0}}}")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: self * sympy.log(2),)


class expm1(_OnReals):
    """Return `exp(x) - 1` of each element of `input`, accurate near 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.expm1(torch.tensor([0.0, 1e-10, 1.0]))
    tensor([0.0000e+00, 1.0000e-10, 1.7183e+00])
    """

    rounds: ClassVar[bool] = True
    poles = ()
    ulps = 4
    scalar = lambda x: sympy.exp(x) - 1  # noqa: E731
    kernel = Kernel.from_ufunc(np.expm1)
    keeps = (0,)  # differentiated as `steady_expm1`, which reads x

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: self + 1,)


class expm1_slope(OfResult):
    """The derivative of `y = expm1(x)`, accurate in the tail, where `y + 1` rounds to 0."""

    scalar = lambda x, y: sympy.exp(x)  # noqa: E731
    kernel = Kernel(
        "expm1_slope",
        np.exp,
        "np.exp({0})",
        rows=local,
    )
    refuses = ()
    printed = Notation("exp({0})", "e^{{{0}}}")

    def slope(self, x: ArrayExpr, y: ArrayExpr) -> Any:
        return 1


class steady_expm1(Steady, abstract=True):
    """`expm1` in formulas of derivatives: its own derivative keeps the tail."""

    slope = expm1_slope


class log(_OnPositives):
    """Return the natural logarithm of each element of `input`; nan of negative numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.log(torch.tensor([1.0, 2.0, 0.0, -1.0]))
    tensor([0.0000, 0.6931,   -inf,    nan])
    """

    ulps = 4
    scalar = sympy.log
    kernel = Kernel.from_ufunc(np.log)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / x,)


def _complex_log1p(z: Any) -> Any:
    # NumPy's loses the digits of what is small beside 1. The modulus of 1 + z, squared, is
    # 1 + t, and t below is exact enough wherever it is small.
    x, y = z.real, z.imag
    near = np.abs(z) < 0.5
    t = np.where(near, x * (2 + x) + y * y, 0)
    out = np.empty(z.shape, z.dtype)
    out.real = np.where(near, np.log1p(t) / 2, np.log(np.abs(1 + z)))
    out.imag = np.arctan2(y, 1 + x)
    return out


_COMPLEX_LOG1P = Kernel.from_function(_complex_log1p, rows=local)


class log1p(_OnPositives):
    """Return `log(1 + x)` of each element of `input`, accurate near 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.log1p(torch.tensor([0.0, 1e-10, 1.0]))
    tensor([0.0000e+00, 1.0000e-10, 6.9315e-01])
    """

    ulps = 8
    layout = "first"
    scalar = lambda x: sympy.log(1 + x)  # noqa: E731
    kernel = Kernel.from_ufunc(np.log1p)
    kernels = {Category.COMPLEX: _COMPLEX_LOG1P}

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (x + 1),)


class log2(_OnPositives):
    """Return the logarithm to base 2 of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.log2(torch.tensor([8.0, 0.5]))
    tensor([ 3., -1.])
    """

    ulps = 4
    scalar = lambda x: sympy.log(x) / sympy.log(2)  # noqa: E731
    kernel = Kernel.from_ufunc(np.log2)
    printed = Notation("log2({0})", r"\log_2\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (x * sympy.log(2)),)


class log10(_OnPositives):
    """Return the logarithm to base 10 of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.log10(torch.tensor([100.0, 0.1]))
    tensor([ 2.0000, -1.0000])
    """

    ulps = 4
    scalar = lambda x: sympy.log(x) / sympy.log(10)  # noqa: E731
    kernel = Kernel.from_ufunc(np.log10)
    printed = Notation("log10({0})", r"\log_{{10}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (x * sympy.log(10)),)


def _sigmoid(x):  # type: ignore[no-untyped-def]
    # Neither branch overflows, and both keep their relative accuracy.
    e = np.exp(-abs(x))
    return np.where(x >= 0, 1, e) / (1 + e)


def _logistic_function(x: Any) -> Any:
    return 1 / (1 + sympy.exp(-x))


def _complex_sigmoid(x: Any) -> Any:
    right = x.real >= 0
    e = np.exp(np.where(right, -x, x))
    return np.where(right, 1, e) / (1 + e)


_COMPLEX_SIGMOID = Kernel.from_function(_complex_sigmoid, rows=local)


class sigmoid(_OnReals):
    """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-100.0, 0.0], requires_grad=True)
    >>> torch.log(torch.sigmoid(x)).sum().backward()
    >>> x.grad
    tensor([1.0000, 0.5000])
    """

    rounds: ClassVar[bool] = True
    poles: ClassVar[tuple[int, ...] | None] = ()
    ulps = 8
    aliases: ClassVar[tuple[str, ...]] = ("expit",)
    aliases_in_place = "none"
    scalar = _logistic_function
    kernel = Kernel.from_function(_sigmoid, rows=local)
    # Differentiated as `steady_sigmoid`, and log(sigmoid(x)) as log-sigmoid: they read x.
    keeps: ClassVar[tuple[int, ...]] = (0,)
    printed = Notation("sigmoid({0})", r"\sigma\left({0}\right)")
    kernels = {Category.COMPLEX: _COMPLEX_SIGMOID}

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: self * (1 - self),)


def _logistic_slope(x):  # type: ignore[no-untyped-def]
    e = np.exp(-abs(x))
    return e / np.square(1 + e)


class sigmoid_slope(OfResult):
    """The derivative of `y = sigmoid(x)`, accurate in the tail, where `1 - y` rounds to 0."""

    scalar = lambda x, y: y * (1 - y)  # noqa: E731
    kernel = Kernel.from_function(_logistic_slope, rows=local)
    printed = Notation(
        "{1} * (1 - {1})",
        r"{1} \, \left(1 - {1}\right)",
        Precedence.PRODUCT,
        (0, Precedence.PRODUCT + 1),
    )

    def slope(self, x: ArrayExpr, y: ArrayExpr) -> Any:
        return sigmoid_tilt.of(x, y)


class sigmoid_tilt(OfResult):
    """`1 - 2*y` of `y = sigmoid(x)`, accurate around 0, where it cancels: `-tanh(x/2)`."""

    scalar = lambda x, y: 1 - 2 * y  # noqa: E731
    kernel = Kernel(
        "sigmoid_tilt",
        lambda x: np.tanh(x / -2),
        "np.tanh({0} / -2)",
        rows=local,
    )
    printed = Notation("1 - 2 * {1}", "1 - 2 {1}", Precedence.SUM, (0, Precedence.PRODUCT + 1))

    def slope(self, x: ArrayExpr, y: ArrayExpr) -> Any:
        return -2


class steady_sigmoid(Steady, abstract=True):
    """`sigmoid` in formulas of derivatives: its own derivative keeps the tail."""

    slope = sigmoid_slope


class logistic(sigmoid):
    """`sigmoid` in formulas of derivatives: its own derivative keeps both tails."""

    rounds = False
    ulps = 8
    internal = True
    aliases = ()
    keeps = ()
    scalar = _logistic_function
    kernel = sigmoid.kernel

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: self * logistic.of(-x) if self.dtype.is_complex else logistic_slope.of(x),)


class logistic_slope(_OnReals):
    """The derivative of `sigmoid`, accurate in both tails, where `1 - sigmoid(x)` rounds to 0.

    So is its own: the difference of `sigmoid(-x)` and `sigmoid(x)` is `tanh(-x/2)`, which keeps
    its digits where the two are nearly equal.
    """

    poles = ()
    ulps = 8
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x: 1 / (2 + sympy.exp(x) + sympy.exp(-x))  # noqa: E731
    kernel = Kernel.from_function(_logistic_slope, rows=local)
    printed = Notation(
        "sigmoid({0}) * (1 - sigmoid({0}))",
        r"\sigma\left({0}\right) \, \left(1 - \sigma\left({0}\right)\right)",
        Precedence.PRODUCT,
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(self * (x / 2).tanh()),)


def _softplus(x, beta, threshold):  # type: ignore[no-untyped-def]
    scaled = x * beta
    return np.where(scaled > threshold, x, np.log1p(np.exp(np.minimum(scaled, threshold))) / beta)


def _softplus_scalar(x: Any, beta: Any, threshold: Any) -> Any:
    inside = sympy.log(1 + sympy.exp(x * beta)) / beta
    return sympy.Piecewise((x, sympy.Gt(x * beta, threshold)), (inside, True))


class softplus(Tuned):
    """`log(1 + exp(beta*x)) / beta`, and `x` itself where `beta*x` is over the threshold."""

    poles = ()
    ulps = 8
    arity = 3
    refuses = _REFUSED
    scalar = _softplus_scalar
    kernel = Kernel.from_function(_softplus, rows=local)

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        x, beta, threshold = self.operands
        scaled = x * beta
        return where.of(scaled > threshold, t, t * logistic.of(scaled))

    samples = [
        (ANY, 1.0, 20.0),
        (np.array([0.3, -1.2, 2.0]), 2.0, 1.5),
        (np.array(0.7), 1.0, 20.0),
    ]


class log1pexp(_OnReals):
    """`log(1 + exp(x))`, whose derivatives keep their relative accuracy everywhere."""

    poles = ()
    ulps = 8
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x: sympy.log(1 + sympy.exp(x))  # noqa: E731
    kernel = Kernel("log1pexp", lambda x: np.logaddexp(0, x), "np.logaddexp(0, {0})", rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: logistic.of(x),)


class logsigmoid(Pointwise):
    """`log(sigmoid(x))`."""

    poles = ()
    ulps = 8
    layout = "axes"
    internal = True
    refuses = _REFUSED
    kernel_name = "log_sigmoid_cpu"

    @classmethod
    def formula(cls, x: Any) -> Any:
        return -log1pexp.of(-x)

    samples = [(ANY,), (np.array(0.7),)]


# Where x is beyond these, the logistic function is 0 or 1 in every precision: so that an infinite x
# gives the limit, and no inf * 0.
_FAR = 1e4


class logits_loss(Elementwise):
    """`c*x - w*log(sigmoid(x))`, the cross entropy of logits in formulas of derivatives."""

    ulps = 8
    arity = 3
    internal = True
    refuses = _REFUSED
    scalar = lambda c, x, w: c * x + w * sympy.log(1 + sympy.exp(-x))  # noqa: E731
    kernel = Kernel(
        "logits_loss", lambda c, x, w: c * x + w * np.logaddexp(0, -x),
        "{0} * {1} + {2} * np.logaddexp(0, -{1})", rows=local,
    )  # fmt: skip

    def partials(self, c: ArrayExpr, x: ArrayExpr, w: ArrayExpr) -> Sequence[Any]:
        return (
            x,
            lambda: logits_slope.of(c, x, w),
            lambda: -logsigmoid.of(x),
        )

    samples = [(POSITIVE, ANY, COLUMN), (np.array(0.7), np.array(-0.3), 1.0)]


def _logits_slope(c, x, w):  # type: ignore[no-untyped-def]
    e = np.exp(-abs(x))
    right = x >= 0
    return (c * np.where(right, 1, e) - (w - c) * np.where(right, e, 1)) / (1 + e)


class logits_slope(Elementwise):
    """`c - w*sigmoid(-x)`, as `c*sigmoid(x) - (w - c)*sigmoid(-x)`.

    Where c is w, as for the negative class, the first would be a difference of equal numbers.
    """

    ulps = 8
    arity = 3
    internal = True
    refuses = _REFUSED
    scalar = lambda c, x, w: c - w / (1 + sympy.exp(x))  # noqa: E731
    kernel = Kernel.from_function(_logits_slope, rows=local)
    printed = Notation(
        "{0} - {2} * sigmoid(-{1})",
        r"{0} - {2} \, \sigma\left(- {1}\right)",
        Precedence.SUM,
        (Precedence.SUM, Precedence.UNARY, Precedence.PRODUCT),
    )

    def partials(self, c: ArrayExpr, x: ArrayExpr, w: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: w * logistic_slope.of(x), lambda: -logistic.of(-x)

    samples = logits_loss.samples


_COMPLEX_SILU = Kernel(
    "silu", lambda x: x * _complex_sigmoid(x), "{0} * _complex_sigmoid({0})",
    prelude=_COMPLEX_SIGMOID.prelude, rows=local,
)  # fmt: skip


class silu(Elementwise):
    """`x * sigmoid(x)`."""

    poles = ()
    ulps = 4
    internal = True
    refuses = (Category.BOOL, Category.INT)
    scalar = lambda x: x / (1 + sympy.exp(-x))  # noqa: E731
    kernel = Kernel(
        "silu", lambda x: np.maximum(x, -_FAR) * sigmoid.kernel.call(x),
        "np.maximum({0}, -1e4) * _sigmoid({0})", prelude=sigmoid.kernel.prelude, rows=local,
    )  # fmt: skip
    kernels = {Category.COMPLEX: _COMPLEX_SILU}

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        if self.dtype.is_complex:
            s = sigmoid.of(x)
            return (lambda: s * (1 + x * (1 - s)),)
        return (lambda: silu_slope.of(x),)

    samples = [(ANY,), (np.array(0.7),)]


def _silu_slope(x):  # type: ignore[no-untyped-def]
    e = np.exp(-abs(x))
    right = x >= 0
    rising, falling = np.where(right, 1, e), np.where(right, e, 1)
    return rising * (1 + np.clip(x, -1e4, 1e4) * falling / (1 + e)) / (1 + e)


class silu_slope(_OnReals):
    """The derivative of `silu`: 0 and 1 at -inf and inf, and accurate in the left tail."""

    ulps = 8
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x: (1 + x / (1 + sympy.exp(x))) / (1 + sympy.exp(-x))  # noqa: E731
    kernel = Kernel.from_function(_silu_slope, rows=local)
    printed = Notation(
        "sigmoid({0}) * (1 + {0} * sigmoid(-{0}))",
        r"\sigma\left({0}\right) \,"
        r" \left(1 + {0} \, \sigma\left(- {0}\right)\right)",
        Precedence.PRODUCT,
        (Precedence.UNARY + 1,),
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        def slope() -> ArrayExpr:
            near = where.of(x.isinf(), 0, x)
            bend: ArrayExpr = 2 - near * (x / 2).tanh()
            return logistic_slope.of(x) * bend

        return (slope,)


def _logcosh(x):  # type: ignore[no-untyped-def]
    size = abs(x)
    # From the nearer of two forms: the second cancels at 0, where log1p(cosh - 1) is exact.
    near = 2 * np.square(np.sinh(np.minimum(size, 1) / 2))
    return np.where(
        size < 1, np.log1p(near), size + (np.log1p(np.exp(-2 * size)) - 0.6931471805599453)
    )


class logcosh(_OnReals):
    """`log(cosh(x))`."""

    ulps = 16
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x: sympy.log(sympy.cosh(x))  # noqa: E731
    kernel = Kernel.from_function(_logcosh, rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: x.tanh(),)


def complex_logaddexp(x: Any, y: Any) -> Any:
    """Return `log(exp(x) + exp(y))` of complex arrays, from the term of larger modulus."""
    low, high = np.where(x.real < y.real, x, y), np.where(x.real < y.real, y, x)
    far = np.exp(np.where(np.isinf(high.real), -np.inf, low - high))
    return high + _complex_log1p(far)


COMPLEX_LOGADDEXP = Kernel.from_function(
    complex_logaddexp, prelude=_COMPLEX_LOG1P.prelude, rows=local
)


class logaddexp(Elementwise):
    """Return `log(exp(input) + exp(other))` without overflow, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.logaddexp(torch.tensor([0.0, 1000.0]), torch.tensor([0.0, 1000.0]))
    tensor([6.9315e-01, 1.0007e+03])
    """

    in_place = "none"
    ulps = 8
    arity = 2
    refuses = (Category.BOOL, Category.INT)
    scalar = lambda x, y: sympy.log(sympy.exp(x) + sympy.exp(y))  # noqa: E731
    kernel = Kernel.from_ufunc(np.logaddexp)
    kernels = {Category.COMPLEX: COMPLEX_LOGADDEXP}

    def result_layout(self) -> str:
        return "first" if self.dtype.is_complex else "kernel"

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: self._share(x, y), lambda: self._share(y, x)

    def _share(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        # At equal infinities both terms weigh the same, and inf - inf is nan.
        return logistic.of(where.of(x.eq(y).logical_and(x.isinf()), 0, x - y))

    samples = [(ANY, COLUMN), (np.array(0.7), np.array(0.7))]


def _xlogy(x: Any, y: Any, *, to: Any) -> Any:
    return np.where(np.equal(x, 0) & np.equal(y, y), 0, x * np.log(y)).astype(to)


class xlogy(Passing):
    """Return `input * log(other)`, and 0 where `input` is 0; the derivatives at the origin are 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.xlogy(torch.tensor([0.0, 2.0]), torch.tensor([0.0, 3.0]))
    tensor([0.0000, 2.1972])
    """

    in_place = "function"
    ulps = 4
    numbers = "either"
    arity = 2
    result = "float"
    refuses = (Category.COMPLEX,)
    scalar = lambda x, y: sympy.Piecewise((0, sympy.Eq(x, 0)), (x * sympy.log(y), True))  # noqa: E731
    kernel = Kernel.from_function(_xlogy, rows=local)
    kernel_takes_dtype = True

    def passed(self, i: int, t: ArrayExpr) -> ArrayExpr:
        x, y = self.operands
        nothing = x.eq(0)
        if i == 1:
            return t * where.of(nothing.logical_and(y.eq(0)), 0, x / y)
        below = y <= 0
        product = t * as_expr(y).log()
        if not isinstance(t.operands[0] if type(t) is broadcast_to else t, Const):
            # As in PyTorch this is xlogy(t, y): what is multiplied by 0 contributes nothing.
            product = masked.of(product, t.eq(0).logical_and(below).logical_not())
        return where.of(nothing.logical_and(below), 0, product)

    samples = [(ANY, POSITIVE.reshape(3, 1)), (np.array(0.7), np.array(0.3)), (2.0, POSITIVE)]
