"""The logistic function, and what is made of it: softplus, losses of logits, silu."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence, Text, of_elements
from symgrad.ops.composite import Pointwise
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.exponential import OnReals
from symgrad.ops.kinds import OfResult, Steady, Tuned
from symgrad.ops.matrices import Matrices, MatrixReading
from symgrad.ops.samples import ANY, COLUMN, POSITIVE
from symgrad.ops.where import where

_REFUSED = (Category.BOOL, Category.INT, Category.COMPLEX)


def _sigmoid(x):  # type: ignore[no-untyped-def]
    # It neither overflows nor loses relative accuracy; NumPy's where would guess each branch.
    e = np.exp(-abs(x))
    return np.maximum(e, x >= 0) / (1 + e)


def _logistic_function(x: Any) -> Any:
    return 1 / (1 + sympy.exp(-x))


def _complex_sigmoid(x: Any) -> Any:
    right = x.real >= 0
    e = np.exp(np.where(right, -x, x))
    return np.where(right, 1, e) / (1 + e)


_COMPLEX_SIGMOID = Kernel.from_function(_complex_sigmoid, rows=local)


class sigmoid(OnReals):
    """Return the logistic function `1 / (1 + exp(-x))` of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-100.0, 0.0], requires_grad=True)
    >>> torch.log(torch.sigmoid(x)).sum().backward()
    >>> x.grad
    tensor([1.0000, 0.5000])
    """

    at_most_one = True
    rounds: ClassVar[bool] = True
    poles: ClassVar[tuple[int, ...] | None] = ()
    ulps = 8
    aliases: ClassVar[tuple[str, ...]] = ("expit", "special.expit")
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
    computed = 1, lambda x: 1 / (2 * sympy.cosh(x / 2)) ** 2
    kernel = Kernel.from_function(_logistic_slope, rows=local)
    printed = Notation(
        "{1} * (1 - {1})",
        r"{1} \, \left(1 - {1}\right)",
        Precedence.PRODUCT,
        (0, Precedence.PRODUCT + 1),
        of_arrays=of_elements(
            r"{1} \odot \left(1 - {1}\right)", Precedence.ODOT, 0, Precedence.PRODUCT + 1
        ),
    )

    def slope(self, x: ArrayExpr, y: ArrayExpr) -> Any:
        return sigmoid_tilt.of(x, y)


class sigmoid_tilt(OfResult):
    """`1 - 2*y` of `y = sigmoid(x)`, accurate around 0, where it cancels: `-tanh(x/2)`."""

    scalar = lambda x, y: 1 - 2 * y  # noqa: E731
    computed = 1, lambda x: -sympy.tanh(x / 2)
    kernel = Kernel("sigmoid_tilt", lambda x: np.tanh(x / -2), "np.tanh({0} / -2)", rows=local)
    printed = Notation("1 - 2 * {1}", r"1 - 2 \, {1}", Precedence.SUM, (0, Precedence.PRODUCT + 1))

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


class logistic_slope(OnReals):
    """The derivative of `sigmoid`, accurate in both tails, where `1 - sigmoid(x)` rounds to 0.

    Its own derivative is accurate, too, since `sigmoid(-x) - sigmoid(x)`, which may cancel, is
    computed as `-tanh(x/2)`.
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
        of_arrays=of_elements(
            r"\sigma\left({0}\right) \odot \left(1 - \sigma\left({0}\right)\right)"
        ),
    )

    def matrix(self, m: Matrices) -> MatrixReading:
        if m.expand:
            return (yield from super().matrix(m))
        s = sympy.Function("sigmoid")
        return m.function(lambda x: s(x) * (1 - s(x)), (yield self.operands[0]))

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(self * (x / 2).tanh()),)

    def as_read(self) -> ArrayExpr:
        s = sigmoid.of(*self.operands)
        return s * (1 - s)


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
    refuses = _REFUSED
    scalar = _softplus_scalar
    kernel = Kernel.from_function(_softplus, rows=local)

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        x, beta, threshold = self.operands
        scaled = x * beta
        return where.of(scaled > threshold, t, t * logistic.of(scaled))

    samples = [(ANY, 1.0, 20.0), (np.array([0.3, -1.2, 2.0]), 2.0, 1.5), (np.array(0.7), 1.0, 20.0)]


class log1pexp(OnReals):
    """`log(1 + exp(x))`, whose derivatives keep their relative accuracy everywhere."""

    poles = ()
    ulps = 8
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x: sympy.log(1 + sympy.exp(x))  # noqa: E731
    kernel = Kernel("log1pexp", lambda x: np.logaddexp(0, x), "np.logaddexp(0, {0})", rows=local)
    printed = Notation(
        "logaddexp({0}, 0)",
        r"\log\left(1 + \mathrm{{e}}^{{{0}}}\right)",
        of_arrays=of_elements(
            r"\log\left(1 + \mathrm{{e}}^{{\odot {0}}}\right)", Precedence.ATOM, Precedence.LARGE
        ),
    )

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
    def composed(cls, x: Any) -> Any:
        return -log1pexp.of(-x)

    samples = [(ANY,), (np.array(0.7),)]


# Beyond these the logistic function is 0 or 1 in every precision. There limits are used, so that an
# infinite x gives no inf * 0.
_FAR = 1e4


class logits_loss(Elementwise):
    """`c*x - w*log(sigmoid(x))`, the cross entropy of logits in formulas of derivatives."""

    calculates_with_bools = True
    ulps = 8
    internal = True
    refuses = _REFUSED
    scalar = lambda c, x, w: c * x + w * sympy.log(1 + sympy.exp(-x))  # noqa: E731
    kernel = Kernel(
        "logits_loss", lambda c, x, w: c * x + w * np.logaddexp(0, -x),
        "{0} * {1} + {2} * np.logaddexp(0, -{1})", rows=local,
    )  # fmt: skip

    def public_text(self) -> Text:
        tight, weight = Precedence.PRODUCT + 1, self.operands[2]
        is_one = isinstance(weight, Const) and weight.value == 1
        text = f"{{0}} * {{1}} - {'' if is_one else '{2} * '}logsigmoid({{1}})"
        return Text(text, Precedence.SUM, (Precedence.PRODUCT, tight, tight))

    def partials(self, c: ArrayExpr, x: ArrayExpr, w: ArrayExpr) -> Sequence[Any]:
        return (x, lambda: logits_slope.of(c, x, w), lambda: -logsigmoid.of(x))

    samples = [(POSITIVE, ANY, COLUMN), (np.array(0.7), np.array(-0.3), 1.0)]


def _logits_slope(c, x, w):  # type: ignore[no-untyped-def]
    e = np.exp(-abs(x))
    right = x >= 0
    return (c * np.where(right, 1, e) - (w - c) * np.where(right, e, 1)) / (1 + e)


class logits_slope(Elementwise):
    """`c - w*sigmoid(-x)`, as `c*sigmoid(x) - (w - c)*sigmoid(-x)`.

    For c = w, as for the negative class, the first form is a difference of nearly equal numbers.
    """

    calculates_with_bools = True
    ulps = 8
    internal = True
    refuses = _REFUSED
    scalar = lambda c, x, w: c - w / (1 + sympy.exp(x))  # noqa: E731
    kernel = Kernel.from_function(_logits_slope, rows=local)
    printed = Notation(
        "{0} - {2} * sigmoid(-{1})",
        r"{0} - {2} \, \sigma\left(- {1}\right)",
        Precedence.SUM,
        (Precedence.SUM, Precedence.UNARY, Precedence.PRODUCT),
        of_arrays=(
            (
                (1, 2),
                Latex(
                    r"{0} - {2} \odot \sigma\left(- {1}\right)",
                    Precedence.SUM,
                    (Precedence.SUM, Precedence.UNARY, Precedence.ODOT),
                ),
            ),
        ),
    )

    def partials(self, c: ArrayExpr, x: ArrayExpr, w: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: w * logistic_slope.of(x), lambda: -logistic.of(-x)

    def as_read(self) -> ArrayExpr:
        c, x, w = self.operands
        return w * sigmoid.of(x) + (c - w)

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
    rising, falling = np.maximum(e, x >= 0), np.maximum(e, x <= 0)
    return rising * (1 + np.clip(x, -1e4, 1e4) * falling / (1 + e)) / (1 + e)


class silu_slope(OnReals):
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
        of_arrays=of_elements(
            r"\sigma\left({0}\right) \odot \left(1 + {0} \odot \sigma\left(- {0}\right)\right)",
            Precedence.ODOT,
            Precedence.UNARY + 1,
        ),
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        def slope() -> ArrayExpr:
            near = where.of(x.isinf(), 0, x)
            bend: ArrayExpr = 2 - near * (x / 2).tanh()
            return logistic_slope.of(x) * bend

        return (slope,)
