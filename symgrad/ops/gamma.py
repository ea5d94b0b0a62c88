"""The gamma function's logarithm, its derivatives, and incomplete gamma functions, by SciPy."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Notation, Precedence
from symgrad.expr.shapes import Shape
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
from symgrad.support.quiet import quietly

_COLUMN = np.array([[1.5], [0.4]])
_UNIT = np.array([0.3, 0.9])


class _OnPositives(Special, abstract=True):
    samples = [(POSITIVE,), (np.array(0.7),), (_COLUMN,)]


# At -inf SciPy gives -inf; PyTorch gives the limit superior, inf, as at inf.
_FLIPPED = "np.where({0} == -np.inf, np.inf, {0})"


def _flipped(x: Any) -> Any:
    return np.where(x == -np.inf, np.inf, x)


def _log_gamma(x, made, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's. Next to 0, where that overflows, it is -log|x|. Next to the roots 1 and 2 it
    # is by the series of the numbers (zeta(k) - 1)/k: DLMF 5.7.3.
    x = np.asarray(x, np.float64)
    tiny, one, two = (np.abs(x) < 1e-305) & (x != 0), np.abs(x - 1) < 0.5, np.abs(x - 2) < 0.5
    found = np.where(tiny, -np.log(np.where(x == 0, 1, np.abs(x))), made)
    if np.any(one | two):
        t = np.where(one, x - 1, np.where(two, x - 2, 0))
        total = np.zeros_like(x, np.float64)
        for c in (
            -2.7595228851242334e-10, 5.731367241678862e-10, -1.1921401405860912e-09,
            2.4836745438024785e-09, -5.183475041970047e-09, 1.0838659214896955e-08,
            -2.2711094608943164e-08, 4.7698101693639804e-08, -1.0043224823968099e-07,
            2.1207184805554665e-07, -4.492469198764566e-07, 9.55141213040742e-07,
            -2.039215753801366e-06, 4.374866789907488e-06, -9.439488275268397e-06,
            2.050721277567069e-05, -4.492623673813314e-05, 9.945751278180853e-05,
            -0.00022315475845357939, 0.0005096695247430425, -0.001192753911703261,
            0.0028905103307415234, -0.007385551028673986, 0.020580808427784546,
            -0.0673523010531981, 0.3224670334241132, 0.42278433509846713,
        ):  # fmt: skip
            total = total * t + c
        series = np.where(one, total * t - np.log1p(t), total * t)
        found = np.where(one | two, series, found)
    return np.asarray(found, to)


_LOG_GAMMA = Kernel.from_function(_log_gamma, rows=local)


def log_abs_gamma(x: Any) -> Any:
    """Return `lgamma` of a number of SymPy's, whose `loggamma` is complex left of 0."""
    return sympy.re(sympy.loggamma(x))


class lgamma(_OnPositives):
    """Return the logarithm of the absolute value of the gamma function of each element of `input`.

    Left of -2, between two poles, there are roots: next to one values have up to 3 ulps of `lgamma(1 - x)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.lgamma(torch.tensor([1.0, 4.0, 0.5, 0.0]))
    tensor([0.0000, 1.7918, 0.5724,    inf])
    """

    aliases = ("special.gammaln",)
    in_place = "method"
    ulps = 8
    kernel_name = "lgamma_vml_cpu"
    scalar = log_abs_gamma
    printed = Notation("lgamma({0})", r"\log\left|\Gamma\left({0}\right)\right|")
    kernel, _ = scipy_kernels(
        "lgamma",
        lambda special, x, to: _LOG_GAMMA.call(x, special.gammaln(_flipped(x)), to=to),
        f"_log_gamma({{0}}, scipy.special.gammaln({_FLIPPED}), to={{to}})",
        prelude=_LOG_GAMMA.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: digamma.of(x),)


class loggamma(_OnPositives):
    """Return the logarithm of the gamma function of each element of `z`; nan below 0, as complex.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.loggamma(torch.tensor([1.0, 4.0, 0.5, -0.5]))
    tensor([0.0000, 1.7918, 0.5724,    nan])
    """

    ulps = 8
    space = "special"
    operand_names = ("z",)
    scalar = sympy.loggamma
    printed = Notation("loggamma({0})", r"\log\Gamma\left({0}\right)")
    kernel, _ = scipy_kernels(
        "loggamma",
        lambda special, x, to: _LOG_GAMMA.call(
            x, np.where(x < 0, np.nan, special.gammaln(x)), to=to
        ),
        "_log_gamma({0}, np.where({0} < 0, np.nan, scipy.special.gammaln({0})), to={to})",
        prelude=_LOG_GAMMA.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True


def _reflected_digamma(x, made, mirrored, *, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, which rounds the phase left of 0; `mirrored` is that of 1 - x: DLMF 5.5.4.
    # About the first root left of 0 SciPy has a series.
    x = np.asarray(x, np.float64)
    part = x - np.rint(x)
    beside = (x < 0) & (np.abs(x + 0.5) > 0.3) & (part != 0)
    turned = mirrored - np.pi / np.tan(np.pi * np.where(beside, part, 0.25))
    return np.asarray(np.where(beside, turned, made), to)


_REFLECTED_DIGAMMA = Kernel.from_function(_reflected_digamma, rows=local)


class digamma(_OnPositives):
    """Return the derivative of `lgamma` at each element of `input`; nan at negative integers.

    Left of -1, between two poles, there is a root: next to it values have up to 8 ulps of `digamma(1 - x)`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.digamma(torch.tensor([1.0, 0.5]))
    tensor([-0.5772, -1.9635])
    """

    aliases = (
        "special.digamma",
        "special.psi",
    )
    in_place = "method"
    ulps = 4
    kernel_name = "digamma"
    scalar = sympy.digamma
    kernel, _ = scipy_kernels(
        "digamma",
        lambda special, x, to: _REFLECTED_DIGAMMA.call(
            x, special.psi(x), special.psi(1 - np.minimum(x, 0)), to=to
        ),
        "_reflected_digamma({0}, scipy.special.psi({0}), "
        "scipy.special.psi(1 - np.minimum({0}, 0)), to={to})",
        prelude=_REFLECTED_DIGAMMA.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    of_order = (sympy.polygamma, 0)
    printed = Notation("digamma({0})", r"\psi\left({0}\right)")


def _hurwitz(s: Any, q: Any, special: Any) -> Any:
    # `special` is SciPy's module, which adds terms one by one up to 9 and takes long where q is far on
    # the left. There the terms on either side of q are those about its fraction t, and what is left of
    # q is mirrored: zeta(s, q) = zeta(s, t) + (-1)**s * (zeta(s, 1 - t) - zeta(s, 1 - q)): DLMF 5.15.6.
    s, q = np.broadcast_arrays(np.asarray(s, np.float64), np.asarray(q, np.float64))
    far = (q < -30) & (q != np.floor(q)) & (s == np.floor(s)) & (s > 1)
    if not np.any(far):
        return special.zeta(s, q)
    n, left = np.where(far, s, 2), np.where(far, q, -30)
    t = np.where(far, left - np.floor(left), 0.5)
    sign = np.where(n % 2 == 0, 1, -1)
    found = special.zeta(n, t) + sign * special.zeta(n, 1 - t) - sign * special.zeta(n, 1 - left)
    return np.where(far, found, special.zeta(s, np.where(far, 1, q)))


def _polygamma_scaled(n: int, x: Any) -> Any:
    # The sum of the powers n + 1 of x/(x + k) by Euler's and Maclaurin's formula from the 16th on, DLMF
    # 2.10.1, times n! by that power of x: each alone may overflow or vanish.
    total = np.zeros_like(x)
    for k in range(16):
        total = total + np.exp(-(n + 1) * np.log1p(k / x))
    y, s = x + 16, n + 1
    tail, factor = y / n + 0.5, s / (2 * y)
    for k, number in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)):
        tail = tail + number * factor
        factor = factor * (s + 2 * k + 1) / y * (s + 2 * k + 2) / y / (2 * k + 3) / (2 * k + 4)
    total = (total + np.exp(-s * np.log1p(16 / x)) * tail) / x
    for k in range(1, n + 1):
        total = total * (k / x)
    return total if n % 2 else -total


def polygamma_of(n: Any, x: Any, special: Any) -> Any:
    """Return the derivative of order `n` of digamma, by SciPy's module `special`."""
    x = np.asarray(x, np.float64)
    made = special.polygamma(n, np.maximum(x, -30))
    left = x < -30
    if np.any(left):
        sign = np.where(np.asarray(n) % 2 == 0, -1, 1)
        beyond = sign * special.gamma(np.asarray(n) + 1.0) * _hurwitz(np.asarray(n) + 1, x, special)
        made = np.where(left, np.where(np.asarray(n) == 0, special.psi(x), beyond), made)
    order = int(n)
    vast = (x > 1) & (x < np.inf) & ((order > 170) | ((order + 1) * np.log(np.maximum(x, 1)) > 650))
    if order and np.any(vast):
        made = np.where(vast, _polygamma_scaled(order, np.where(vast, x, 1)), made)
    return made


_HURWITZ = Kernel.from_function(_hurwitz, rows=local)
_SCALED = Kernel.from_function(_polygamma_scaled, prelude=_HURWITZ.prelude)
POLYGAMMA = Kernel.from_function(polygamma_of, prelude=_SCALED.prelude, rows=local)


class polygamma(Special):
    """The derivative of `digamma` at `x`; the order of the derivative is the first operand."""

    ulps = 4
    internal = True
    scalar = sympy.polygamma
    printed = Notation("polygamma({0}, {1})", r"\psi^{{\left({0}\right)}}\left({1}\right)")
    kernel, _ = scipy_kernels(
        "polygamma",
        lambda special, n, x, to: POLYGAMMA.call(n, x, special).astype(to),
        "polygamma_of({0}, {1}, scipy.special).astype({to})",
        prelude=POLYGAMMA.prelude,
    )
    kernel_takes_dtype = True

    @classmethod
    def is_structural(cls, i: int, number: Any, operands: Any, params: Any) -> bool:
        return i == 0

    samples = [(0, POSITIVE), (1, np.array(0.7)), (2, _COLUMN)]


_QUARTER_LOG_PI = math.log(math.pi) / 4


def _each(p: int) -> Any:
    """Return `mvlgamma` of one SymPy number."""

    def f(x: Any) -> Any:
        terms = [log_abs_gamma(x - sympy.Rational(j, 2)) for j in range(p)]
        return sympy.Add(*terms, sympy.Rational(p * (p - 1), 4) * sympy.log(sympy.pi))

    return f


class mvlgamma(Special):
    """The logarithm of the multivariate gamma function of dimension `p`."""

    ulps = 4
    params = ("p",)
    p: int
    layout = "axes"
    kernel, _ = scipy_kernels(
        "mvlgamma",
        lambda special, x, p, to: (
            special.gammaln(np.subtract.outer(_flipped(x), np.arange(p) / 2)).sum(-1)
            + p * (p - 1) * _QUARTER_LOG_PI
        ).astype(to),
        f"(scipy.special.gammaln(np.subtract.outer({_FLIPPED}, np.arange({{p}}) / 2)).sum(-1)"
        f" + {{p}} * ({{p}} - 1) * {_QUARTER_LOG_PI}).astype({{to}})",
        number_systems={"sympy": lambda x, p, to: np.frompyfunc(_each(p), 1, 1)(x)},
    )
    kernel_takes_dtype = True

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        if args[0].dtype.category == Category.BOOL:
            raise RuntimeError("The input tensor may not be a boolean tensor.")
        return super().infer(*args)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        def slope() -> ArrayExpr:
            total = digamma.of(x)
            for j in range(1, self.p):
                total = total + digamma.of(x - sympy.Rational(j, 2))
            return total

        return (slope,)

    samples = [(POSITIVE, 1), (POSITIVE + 1, 3), (np.array(0.7), 2)]


class _Incomplete(Special, abstract=True):
    """A regularized incomplete gamma function of `a` and `x`."""

    arity = 2
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)

    def density(self) -> ArrayExpr:
        """Return the derivative of the lower incomplete gamma function with respect to `x`."""
        return gamma_density.of(*self.operands, 0)

    samples = [(POSITIVE, _COLUMN), (np.array(0.7), np.array(0.4)), (2.5, POSITIVE)]


def _density(special: Any, a: Any, x: Any, order: int, to: Any) -> Any:
    return quietly(functools.partial(_DENSITY.call, order=order), a, x, special).astype(to)


def _gamma_density(a, x, special, *, order):  # type: ignore[no-untyped-def]
    # `size` and `sign` are those of gamma(a), as a logarithm. Nothing overflows or vanishes early
    # in the powers where a is moderate; elsewhere digits are lost in the exponent.
    a, x = np.asarray(a, np.float64) - order, np.asarray(x, np.float64)
    size, sign = special.gammaln(a), special.gammasgn(a)
    direct = x ** (a - 1) * np.exp(-x) * np.exp(-size)
    exponent = np.where(a == 1, 0, (a - 1) * np.log(x)) - x - size
    usual = np.isfinite(direct) & (direct != 0)
    found = sign * np.where(usual, direct, np.exp(exponent))
    found = np.where((x == np.inf) & np.isfinite(a), 0, found)
    return np.where((a <= 0) & (a == np.rint(a)), np.where(np.isnan(x), x, 0), found)


_DENSITY = Kernel.from_function(_gamma_density)
#: The orders of which the gamma function is a factorial that floats hold.
_FACTORIALS = range(1, 20)


class gamma_density(Special):
    """The term `ff(a - 1, order) * x**(a - 1 - order) * exp(-x) / gamma(a)` of derivatives of a density.

    The density of order 0 is that of the gamma distribution, and the term that of `a - order`. It is 0
    where `a - order` is 0, -1, -2 and so on, at which gamma is infinite, and where x is infinite.
    """

    ulps = 16
    arity = 2
    internal = True
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    params = ("order",)
    order: int
    underived: ClassVar[Mapping[int, str]] = {0: "igamma: input"}
    kernel, _ = scipy_kernels(
        "gamma_density",
        _density,
        "_gamma_density({0}, {1}, scipy.special, order={order}).astype({to})",
        prelude=_DENSITY.prelude,
    )
    kernel_takes_dtype = True

    def element(self, *operands: Any) -> Any:
        a, x = operands
        falling = sympy.Mul(*[a - k for k in range(1, self.order + 1)])
        return falling * x ** (a - 1 - self.order) * sympy.exp(-x) / sympy.gamma(a)

    def partials(self, a: ArrayExpr, x: ArrayExpr) -> Sequence[Any]:
        if isinstance(a, Const) and a.value == self.order + 1:  # the power is constant
            return 0, lambda: -self
        return 0, lambda: gamma_density.of(a, x, self.order + 1) - self

    def as_read(self) -> ArrayExpr | None:
        a, x = self.operands
        order = known(a)
        if isinstance(x, _Inverse):  # of which powers are divided by: those of factors are infinite
            return None
        made: Any = power_of(x, order - (1 + self.order))
        if isinstance(a, Const) and order in _FACTORIALS and order > self.order:
            made = made * (-x).exp() / math.factorial(int(order) - 1 - self.order)
        else:
            made = made * (-x - lgamma.of(a)).exp()
            for k in range(self.order, 0, -1):
                made = (order - k) * made
        return made  # type: ignore[no-any-return]

    def notation(self) -> Notation:
        # Text has the logarithm of gamma(a), which overflows late.
        a = self.operands[0]
        number, texts, factors = falling(a, "{0}", self.order)
        rise, latex = lowered_power("{1}", "{1}", a, "{0}", 1 + self.order)
        fall = r"\mathrm{{e}}^{{-{1}}}"
        above = rf"{latex} \, {fall}" if latex else fall
        latex = rf"\frac{{{{{above}}}}}{{{{\Gamma\left({{0}}\right)}}}}"
        return of_factors(
            number,
            product_text([*texts, rise, "exp(-{1} - lgamma({0}))"]),
            [*factors, latex],
            (Precedence.SUM, Precedence.POWER + 1),
        )

    samples = [
        (POSITIVE, _COLUMN, 0), (np.array(0.7), np.array(0.4), 1), (2.5, POSITIVE, 0),
    ]  # fmt: skip


class igamma(_Incomplete, scipy="gammainc"):
    """Return the lower incomplete gamma function of order `input` at `other`, over `gamma(input)`.

    There is no derivative with respect to the order.

    SciPy's values have up to 32 ulps, at orders below 0.01 up to 64, at orders up to 300 up to 2500, and
    above up to 1e5.

    Examples
    --------
    >>> import symgrad as torch
    >>> a = torch.tensor([4.0, 3.0])
    >>> x = torch.tensor([3.0, 4.0], requires_grad=True)
    >>> y = torch.igamma(a, x)
    >>> y
    tensor([0.3528, 0.7619], grad_fn=<IgammaBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([0.2240, 0.1465])
    """

    aliases = ("special.gammainc",)
    ulps = (512, 16, 16, 16, 16)
    why_ulps = "the digits that SciPy's gammainc has where it is tiny"
    underived: ClassVar[Mapping[int, str]] = {0: "input"}
    scalar = lambda a, x: sympy.lowergamma(a, x) / sympy.gamma(a)  # noqa: E731

    def partials(self, a: ArrayExpr, x: ArrayExpr) -> Sequence[Any]:
        return 0, self.density


def _upper_gamma(a, x, special, *, to):  # type: ignore[no-untyped-def]
    # SciPy's series of the logarithm of gamma(1 + a) ends early where a is about 1/2.
    a, x = np.asarray(a), np.asarray(x)
    made = special.gammaincc(a, x)
    beside = (np.abs(a - 0.5) < 0.1) & (x < 1.1)
    if np.any(beside):
        made = np.where(beside, 1 - special.gammainc(np.where(beside, a, 1), x), made)
    return np.asarray(made, to)


_UPPER_GAMMA = Kernel.from_function(_upper_gamma, rows=local)


class igammac(_Incomplete):
    """Return the upper incomplete gamma function of order `input` at `other`, over `gamma(input)`.

    There is no derivative with respect to the order.

    SciPy's values have up to 128 ulps, at orders from 10 to 300 up to 2500, and above up to 1e5.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.igammac(torch.tensor([4.0, 3.0]), torch.tensor([3.0, 40.0]))
    tensor([6.4723e-01, 3.5729e-15])
    """

    aliases = ("special.gammaincc",)
    ulps = 16
    underived: ClassVar[Mapping[int, str]] = {0: "input"}
    scalar = lambda a, x: sympy.uppergamma(a, x) / sympy.gamma(a)  # noqa: E731
    kernel, _ = scipy_kernels(
        "igammac",
        lambda special, a, x, to: _UPPER_GAMMA.call(a, x, special, to=to),
        "_upper_gamma({0}, {1}, scipy.special, to={to})",
        prelude=_UPPER_GAMMA.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, a: ArrayExpr, x: ArrayExpr) -> Sequence[Any]:
        return 0, lambda: -self.density()


class _Inverse(_Incomplete, abstract=True):
    """The number at which an incomplete gamma function is `y`: it has the inverse of the slope."""

    ulps = (512, 512, 512, 1024, 4096)
    why_ulps = "SciPy's digits, and terms of either sign in the derivatives of an inverse"
    space = "special"
    operand_names = ("a", "y")
    underived: ClassVar[Mapping[int, str]] = {0: "a"}
    samples = [(_COLUMN, _UNIT), (np.array(0.7), np.array(0.4)), (2.5, _UNIT)]


class gammaincinv(_Inverse, scipy="gammaincinv"):
    """Return the number `x` for which `gammainc(a, x)` is `y`.

    There is no derivative with respect to `a`. SciPy's values have up to 512 ulps. Where `y` is between
    0.05 and 0.95 first and second derivatives have up to 512, third up to 1024, fourth up to 4096.
    Next to 0 and 1, where it is infinite or its density is 0 or infinite, derivatives from the second on
    may be nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> y = torch.tensor([0.0, 0.5, 1.0], requires_grad=True)
    >>> x = torch.special.gammaincinv(torch.tensor(2.0), y)
    >>> x
    tensor([0.0000, 1.6783,    inf], grad_fn=<GammaincinvBackward0>)
    >>> x[1].backward()
    >>> y.grad
    tensor([0.0000, 3.1916, 0.0000])
    """

    def partials(self, a: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, lambda: 1 / gamma_density.of(a, self, 0)


class gammainccinv(_Inverse, scipy="gammainccinv"):
    """Return the number `x` for which `gammaincc(a, x)` is `y`.

    There is no derivative with respect to `a`. SciPy's values have up to 512 ulps. Where `y` is between
    0.05 and 0.95 first and second derivatives have up to 512, third up to 1024, fourth up to 4096.
    Next to 0 and 1, where it is infinite or its density is 0 or infinite, derivatives from the second on
    may be nan.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.gammainccinv(torch.tensor(2.0), torch.tensor([0.0, 0.5, 1.0]))
    tensor([   inf, 1.6783, 0.0000])
    """

    def partials(self, a: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, lambda: -1 / gamma_density.of(a, self, 0)


class zeta(Special):
    """Return the Hurwitz zeta function of the exponent `input` at each element of `other`.

    There is no derivative with respect to the exponent.

    Values have up to 12 ulps.

    Examples
    --------
    >>> import symgrad as torch
    >>> q = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> y = torch.special.zeta(2, q)
    >>> y
    tensor([1.6449, 0.6449], grad_fn=<ZetaBackward0>)
    >>> y.sum().backward()
    >>> q.grad
    tensor([-2.4041, -0.4041])
    """

    calculates_with_bools = True
    ulps = 8
    arity = 2
    space = "special"
    numbers = "either"
    receives = "all"
    underived: ClassVar[Mapping[int, str]] = {0: "self"}
    # SciPy computes it right of the pole alone, SymPy's is defined left of it, too.
    scalar = lambda s, q: sympy.zeta(s, q)  # noqa: E731
    kernel, _ = scipy_kernels(
        "zeta",
        lambda special, s, q, to: np.asarray(_HURWITZ.call(s, q, special), to),
        "np.asarray(_hurwitz({0}, {1}, scipy.special), {to})",
        prelude=_HURWITZ.prelude,
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, s: ArrayExpr, q: ArrayExpr) -> Sequence[Any]:
        return 0, lambda: -s * zeta.of(s + 1, q)

    samples = [(np.array([2.5, 3.0, 5.0]), _COLUMN), (3, POSITIVE)]
