"""Elliptic integrals of the first and second kind in the parameter `m`, computed by SciPy: DLMF, 19.

Their derivatives are moments, the integrals of `sin(t)**(2*degree) / (1 - m*sin(t)**2)**(twice/2)`, of which
those in closed form are 0/0 where `m` is 0. With u in `1/tan(t) = exp(-u) + 1/tan(phi)` the
integrand is analytic where abs(Im u) < pi/2 and falls exponentially. So the error of the trapezoidal
rule is below that of rounding at the step 1/5, and no term is negative: Trefethen and Weideman, SIAM
Review 56, 2014. That holds of `m` above 1, too, up to the angle where `m*sin(phi)**2` is 1.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.atoms import Const, is_const
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.ops.arithmetic import sub
from symgrad.ops.hypergeometric import hyp2f1
from symgrad.ops.selection import definitions
from symgrad.ops.special import Special, scipy_kernels

_M = np.array([0.5, -1.2, 0.0])


def _elliptic_sum_of_some(cot, c, *, degree, twice):  # type: ignore[no-untyped-def]
    # Where c is negative, 1 - m*sin(t)**2 is the product of `falling` and two of these times sin(t)**2.
    edge = np.sqrt(np.maximum(-c, 0))
    past = np.where(c < 0, cot - edge, 1)
    cot = np.where(past > 0, cot, np.nan)
    steep = np.log(np.clip(np.abs(c), 1e-300, 1e300)) / 2
    end = -np.log(np.clip(cot, 1e-300, 1e300))
    low = np.minimum(end, 0) - np.maximum(steep, 0) - 40
    high = np.minimum(end, np.maximum(-steep, 0)) + 40
    near = np.maximum(np.clip(past, 1e-300, 1e300) / np.maximum(cot, 1e-300), 1e-40)
    high = high + np.where((c < 0) & (past > 0), np.maximum(-np.log(near), 0), 0)
    count = int(np.max(np.ceil((high - low) * 5), initial=0, where=high > low)) + 1
    block = 32 * max(1, 256 // c.size)
    total = np.zeros_like(c)
    for start in range(0, count, block):
        place = np.arange(start, min(start + block, -(-count // 32) * 32)) / 5
        falling = np.exp(-(low + place[:, None]))
        tan = 1 / (falling + cot)
        cos = 1 / np.hypot(1, tan)
        sin = tan * cos
        root = np.sqrt(
            np.where(
                c < 0,
                (falling + past) * (falling + cot + edge) * sin * sin,
                cos * cos + c * sin * sin,
            )
        )
        # Where c is huge, the sines alone would vanish.
        ratio = sin ** (2 * degree + 1 - twice) * (sin / root) ** twice
        # In this order the digits of an element do not depend on how many there are.
        terms = (sin * falling * ratio).reshape(-1, 32, c.size)
        for half in (16, 8, 4, 2, 1):
            terms = terms[:, :half] + terms[:, half:]
        terms[0] += total
        total = np.add.accumulate(terms[:, 0], axis=0)[-1]
    return np.where((c == 0) & (cot == 0) & (twice > 0), np.inf, total / 5)


def _elliptic_sum(cot, c, *, degree, twice):  # type: ignore[no-untyped-def]
    # Up to the angle of the cotangent `cot`, where 1 - m is `c`.
    cot, c = np.broadcast_arrays(np.clip(cot, 0, 1e300), c)
    made = np.empty(c.shape)
    places, numbers, found = cot.reshape(-1), c.reshape(-1), made.reshape(-1)
    for start in range(0, c.size, 256):
        some = slice(start, start + 256)
        found[some] = _elliptic_sum_of_some(  # type: ignore[no-untyped-call]
            places[some], numbers[some], degree=degree, twice=twice
        )
    return made


_SUM = definitions(_elliptic_sum_of_some, _elliptic_sum)


def _complete_moment(c, *, degree, twice, to):  # type: ignore[no-untyped-def]
    c = np.asarray(c, np.float64)
    made = _elliptic_sum(0.0, c, degree=degree, twice=twice)  # type: ignore[no-untyped-call]
    return np.asarray(np.where(np.isinf(c) & (c > 0), 0 if twice > 0 else np.inf, made), to)


def _elliptic_moment(phi, m, *, degree, twice, to):  # type: ignore[no-untyped-def]
    phi, c = np.broadcast_arrays(np.asarray(phi, np.float64), 1 - np.asarray(m, np.float64))
    halves = np.rint(phi / np.pi)
    rest = phi - halves * np.pi - halves * 1.2246467991473532e-16
    size = np.abs(rest)
    up_to = 1 / np.tan(np.maximum(size, 1e-9))
    part = _elliptic_sum(up_to, c, degree=degree, twice=twice)  # type: ignore[no-untyped-call]
    part = np.where(size < 1e-9, size ** (2 * degree + 1) / (2 * degree + 1), part)
    made = np.copysign(part, rest)
    if np.any(halves):
        whole = _elliptic_sum(0.0, c, degree=degree, twice=twice)  # type: ignore[no-untyped-call]
        made = made + np.where(halves == 0, 0, 2 * halves * whole)
    return np.asarray(made, to)


_MOMENT = Kernel.from_function(_elliptic_moment, prelude=_SUM, rows=local)


class _Moment(Special, abstract=True):
    """A derivative of elliptic integrals, up to factors."""

    ulps = 16
    internal = True
    params = ("degree", "twice")
    degree: int
    twice: int
    scalar = None
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def integral(self, end: str, square: str) -> Latex:
        """Return the integral up to `end`, where `square` is a term of the base, as LaTeX."""
        names = {leaf.name for leaf in self.leaves}
        t = next(letter for letter in (*"tsuvw", r"\tau") if letter not in names)
        above = rf"\sin^{{{{{2 * self.degree}}}}} {t}" if self.degree else "1"
        base = square.replace("ANGLE", t)
        if self.twice == -1:
            part = ("" if above == "1" else rf"{above} \, ") + rf"\sqrt{{{{{base}}}}}"
        else:
            below = (
                rf"\sqrt{{{{{base}}}}}"
                if self.twice == 1
                else rf"\left({base}\right)^{{{{{self.twice} / 2}}}}"
            )
            part = rf"\frac{{{{{above}}}}}{{{{{below}}}}}"
        latex = rf"\int_{{{{0}}}}^{{{{{end}}}}} {part} \, \mathrm{{{{d}}}}{t}"
        return Latex(
            latex, Precedence.PRODUCT, (Precedence.CASES, Precedence.PRODUCT)[-self.arity :]
        )

    def above(self) -> Any:
        """Return the derivative by `m`."""
        cls: Any = type(self)
        made = cls.of(*self.operands, self.degree + 1, self.twice + 2)
        return sympy.Rational(self.twice, 2) * made


def _of_numbers(phi: Any, m: Any, degree: int, twice: int, to: Any) -> Any:
    def f(phi: Any, m: Any) -> Any:
        t = sympy.Dummy()
        square = sympy.sin(t) ** 2
        return sympy.Integral(
            square**degree / (1 - m * square) ** sympy.Rational(twice, 2), (t, 0, phi)
        )

    return np.frompyfunc(f, 2, 1)(phi, m)


def moment_of(integral: Any) -> tuple[Any, Any, int, int] | None:
    """Return `phi`, `m`, `degree` and `twice` of the integral that a moment is; None of another."""
    (t, *bounds), *others = integral.limits
    if others or len(bounds) != 2 or bounds[0] != 0:
        return None
    s = sympy.Dummy()
    powers = integral.function.xreplace({sympy.sin(t): s}).as_powers_dict()
    degree = powers.pop(s, sympy.S.Zero) / 2
    if len(powers) != 1 or t in bounds[1].free_symbols:
        return None
    ((base, exponent),) = powers.items()
    m = ((1 - base) / s**2).expand()
    if m.has(s, t) or not (degree.is_Integer and degree >= 0 and (2 * exponent).is_Integer):
        return None
    return bounds[1], m, int(degree), int(-2 * exponent)


def _complete_numbers(c: Any, degree: int, twice: int, to: Any) -> Any:
    def f(c: Any) -> Any:
        n, half = sympy.Integer(degree), sympy.S.Half
        share = sympy.pi / 2 * sympy.rf(half, n) / sympy.factorial(n)
        return share * sympy.hyper((sympy.Rational(twice, 2), n + half), (n + 1,), 1 - c)

    return np.frompyfunc(f, 1, 1)(c)


class complete_elliptic_moment(_Moment):
    """The moment up to `pi/2`, as a function of `1 - m`."""

    kernel = Kernel.from_function(
        _complete_moment,
        prelude=_SUM,
        rows=local,
        number_systems={"sympy": _complete_numbers},
    )

    def partials(self, c: ArrayExpr) -> Sequence[Any]:
        return (lambda: -self.above(),)

    def _factor(self) -> float:
        """Return the moment at `m = 0`."""
        factor = math.pi / 2
        for k in range(self.degree):
            factor *= (k + 0.5) / (k + 1)
        return factor

    def notation(self) -> Notation:
        form = self.integral(r"\pi / 2", r"\cos^{{2}} ANGLE + {0} \, \sin^{{2}} ANGLE")
        parameters = f"{self.twice / 2!r}, {self.degree + 0.5!r}, {self.degree + 1}, 1 - {{0}}"
        text = f"{self._factor()!r} * hyp2f1({parameters})"
        return Notation(text, form.template, Precedence.PRODUCT, (Precedence.SUM + 1,), form)

    def as_read(self) -> ArrayExpr:
        (c,) = self.operands
        is_complement = type(c) is sub and is_const(c.operands[0], 1)
        m = c.operands[1] if is_complement else 1 - c
        parameters = self.twice / 2, self.degree + 0.5, self.degree + 1
        return self._factor() * hyp2f1.of(*map(Const, parameters), m)

    samples = [(1 - _M, 1, 3), (np.array(0.7), 0, -1), (1 - _M.reshape(3, 1), 2, 3)]


class elliptic_moment(_Moment):
    """The moment up to `phi`, of the parameter `m`."""

    arity = 2
    decisive = 2
    kernel = dataclasses.replace(_MOMENT, number_systems={"sympy": _of_numbers})

    def partials(self, phi: ArrayExpr, m: ArrayExpr) -> Sequence[Any]:
        def rise() -> Any:
            return phi.sin() ** (2 * self.degree) * elliptic_modulus.of(phi, m, -self.twice)

        return rise, self.above

    def notation(self) -> Notation:
        form = self.integral("{0}", r"1 - {1} \, \sin^{{2}} ANGLE")
        return Notation(self.call_text(), form.template, Precedence.ATOM, (), form)

    samples = [
        (np.array([0.3, -1.2, 4.0]), _M, 1, 3),
        (np.array(0.7), np.array(0.6), 0, -1),
        (0.5, _M.reshape(3, 1), 2, 3),
    ]


def _elliptic_modulus(phi, m, *, twice, to):  # type: ignore[no-untyped-def]
    phi, m = np.asarray(phi, np.float64), np.asarray(m, np.float64)
    square = np.cos(phi) ** 2 + (1 - m) * np.sin(phi) ** 2  # 1 - m*sin(phi)**2 would cancel
    return np.asarray(np.sqrt(square) ** float(twice), to)


class elliptic_modulus(Special):
    """The power `(1 - m*sin(phi)**2)**(twice/2)`."""

    ulps = (8, 8, 8, 32, 32)
    why_ulps = "derivatives from the third on are sums of terms of either sign"
    arity = 2
    internal = True
    params = ("twice",)
    twice: int
    decisive = 2
    scalar = None
    kernel = Kernel.from_function(
        _elliptic_modulus,
        rows=local,
        number_systems={
            "sympy": lambda phi, m, twice, to: np.frompyfunc(
                lambda phi, m: (1 - m * sympy.sin(phi) ** 2) ** sympy.Rational(twice, 2), 2, 1
            )(phi, m)
        },
    )
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True

    def partials(self, phi: ArrayExpr, m: ArrayExpr) -> Sequence[Any]:
        below, n = elliptic_modulus.of(phi, m, self.twice - 2), self.twice
        return (
            lambda: -n * m * phi.sin() * phi.cos() * below,
            lambda: sympy.Rational(-n, 2) * phi.sin() ** 2 * below,
        )

    def notation(self) -> Notation:
        n = self.twice
        power = f"{n // 2}" if n % 2 == 0 else f"({n} / 2)"
        square = r"1 - {1} \, \sin^{{2}}\left({0}\right)"
        latex = rf"\left({square}\right)^{{{{{n} / 2}}}}"
        level = Precedence.POWER
        if n in (1, -1):
            latex, level = rf"\sqrt{{{{{square}}}}}", Precedence.ATOM
        if n == -1:
            latex = rf"\frac{{{{1}}}}{{{{{latex}}}}}"
        needs = (Precedence.CASES, Precedence.PRODUCT)
        typeset = Latex(latex, level, needs)
        return Notation(
            f"(1 - {{1}} * sin({{0}})**2)**{power}", latex, Precedence.POWER, needs, typeset
        )

    samples = [
        (np.array([0.3, -1.2, 4.0]), _M, 1),
        (np.array(0.7), np.array(0.6), -1),
        (0.5, _M.reshape(3, 1), -3),
    ]


class _Complete(Special, abstract=True):
    ulps = 8
    space = "special"
    samples = [(_M,), (np.array(0.7),), (_M.reshape(3, 1),)]


class ellipk(_Complete, scipy="ellipk"):
    """Return the complete elliptic integral of the first kind of each parameter `m`; nan right of 1.

    The integrand is `1/sqrt(1 - m*sin(t)**2)`. Derivatives are computed by the trapezoidal rule with
    an error below that of rounding.

    Beyond 1e150 derivatives lose digits, and have none beyond 1e180.

    Examples
    --------
    >>> import symgrad as torch
    >>> m = torch.tensor([0.0, 0.5, -3.0], requires_grad=True)
    >>> y = torch.special.ellipk(m)
    >>> y
    tensor([1.5708, 1.8541, 1.0783], grad_fn=<EllipkBackward0>)
    >>> y.sum().backward()
    >>> m.grad
    tensor([0.3927, 0.8472, 0.0788])
    """

    operand_names = ("m",)
    scalar = of_sympy = sympy.elliptic_k
    printed = Notation("ellipk({0})", r"\mathrm{{K}}\left({0}\right)")

    def partials(self, m: ArrayExpr) -> Sequence[Any]:
        return (lambda: complete_elliptic_moment.of(1 - m, 1, 3) / 2,)


class ellipkm1(_Complete, scipy="ellipkm1"):
    """Return the complete elliptic integral of the first kind of `1 - p`, accurate where `p` is small.

    Derivatives are computed as those of `ellipk`.

    Beyond 1e150 derivatives lose digits, and have none beyond 1e180.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.ellipkm1(torch.tensor([1.0, 1e-30]))
    tensor([ 1.5708, 35.9251])
    """

    operand_names = ("p",)
    scalar = lambda p: sympy.elliptic_k(1 - p)  # noqa: E731

    def partials(self, p: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(complete_elliptic_moment.of(p, 1, 3) / 2),)

    samples = [(1 - _M,), (np.array(0.7),)]


class ellipe(_Complete, scipy="ellipe"):
    """Return the complete elliptic integral of the second kind of each parameter `m`; nan right of 1.

    The integrand is `sqrt(1 - m*sin(t)**2)`. Derivatives are computed as those of `ellipk`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.ellipe(torch.tensor([0.0, 0.5, 1.0]))
    tensor([1.5708, 1.3506, 1.0000])
    """

    operand_names = ("m",)
    scalar = of_sympy = sympy.elliptic_e
    printed = Notation("ellipe({0})", r"\mathrm{{E}}\left({0}\right)")

    def partials(self, m: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(complete_elliptic_moment.of(1 - m, 1, 1) / 2),)


class _Incomplete(Special, abstract=True):
    kernels: ClassVar[Mapping[Any, Kernel]] = {}
    kernel_takes_dtype = True
    ulps = (8, 8, 8, 32, 32)
    why_ulps = "derivatives from the third on are sums of terms of either sign"
    arity = 2
    space = "special"
    operand_names = ("phi", "m")
    samples = [
        (np.array([0.3, -1.2, 4.0]), _M),
        (np.array(0.7), np.array(0.4)),
        (0.5, _M.reshape(3, 1)),
    ]


def _incomplete(phi, m, made, *, twice, to):  # type: ignore[no-untyped-def]
    # `made` is SciPy's, which has none where m is above 1.
    if np.any(np.asarray(m) > 1):
        steep = np.asarray(m, np.float64) > 1
        small = np.where(steep, phi, 0)
        summed = _elliptic_moment(
            small, np.where(steep, m, 0), degree=0, twice=twice, to=np.float64
        )  # type: ignore[no-untyped-call]
        made = np.where(steep, summed, made)
    return np.asarray(made, to)


_INCOMPLETE = Kernel.from_function(_incomplete, prelude=_MOMENT.prelude, rows=local)


def _incomplete_kernel(scipy: str, twice: int) -> Kernel:
    return scipy_kernels(
        scipy,
        lambda special, phi, m, to: _INCOMPLETE.call(
            phi, m, getattr(special, scipy)(phi, m), twice=twice, to=to
        ),
        f"_incomplete({{0}}, {{1}}, scipy.special.{scipy}({{0}}, {{1}}), twice={twice}, to={{to}})",
        prelude=_INCOMPLETE.prelude,
    )[0]


class ellipkinc(_Incomplete):
    """Return the elliptic integral of the first kind up to `phi`, of the parameter `m`.

    It is nan from the angle on where `m*sin(phi)**2` is 1.

    Derivatives are computed as those of `ellipk`; from the third on they have up to 32 ulps.

    Where `m*sin(phi)**2` is nearly 1 values have as many digits as what it lacks of 1; where `m` is below
    -1e4 and `phi` is about a multiple of pi they have up to 20 ulps.

    Examples
    --------
    >>> import symgrad as torch
    >>> phi = torch.tensor([0.5, 1.0], requires_grad=True)
    >>> m = torch.tensor([0.0, 0.5], requires_grad=True)
    >>> y = torch.special.ellipkinc(phi, m)
    >>> y
    tensor([0.5000, 1.0832], grad_fn=<EllipkincBackward0>)
    >>> y.sum().backward()
    >>> phi.grad, m.grad
    (tensor([1.0000, 1.2442]), tensor([0.0198, 0.2058]))
    """

    kernel = _incomplete_kernel("ellipkinc", 1)
    scalar = of_sympy = sympy.elliptic_f
    printed = Notation("ellipkinc({0}, {1})", r"\mathrm{{F}}\left({0}, {1}\right)")

    def partials(self, phi: ArrayExpr, m: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: elliptic_modulus.of(phi, m, -1),
            lambda: elliptic_moment.of(phi, m, 1, 3) / 2,
        )


class ellipeinc(_Incomplete):
    """Return the elliptic integral of the second kind up to `phi`, of the parameter `m`.

    It is nan beyond the angle where `m*sin(phi)**2` is 1.

    Derivatives are computed as those of `ellipk`; from the third on they have up to 32 ulps.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.special.ellipeinc(torch.tensor([0.5, 1.0]), 0.5)
    tensor([0.4899, 0.9273])
    """

    kernel = _incomplete_kernel("ellipeinc", -1)
    scalar = of_sympy = sympy.elliptic_e
    printed = Notation("ellipeinc({0}, {1})", r"\mathrm{{E}}\left({0}, {1}\right)")

    def partials(self, phi: ArrayExpr, m: ArrayExpr) -> Sequence[Any]:
        return (
            lambda: elliptic_modulus.of(phi, m, 1),
            lambda: -(elliptic_moment.of(phi, m, 1, 1) / 2),
        )
