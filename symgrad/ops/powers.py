"""Powers and roots: `pow`, its special cases under names of their own, and `hypot`.

Powers of a fixed base, such as `exp2`, are in `exponential`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.long_arrays import HYPOTENUSE, HYPOTENUSE_OF_MANY
from numeric.rows import local
from symgrad.expr.atoms import Const, as_expr, is_const
from symgrad.expr.dtypes import Category, bool_, dtype, float64, int64, no_kernel
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import ArrayForms, Latex, Notation, Precedence, of_elements
from symgrad.expr.shapes import Shape
from symgrad.ops import series
from symgrad.ops.deriving import deriving
from symgrad.ops.elementwise import Elementwise, scaled
from symgrad.ops.kinds import OfMany
from symgrad.ops.lengths import added, along, radial
from symgrad.ops.power_derivatives import (
    is_constant_in_exponent,
    positive_power_derivative,
    positive_power_logarithm,
    power_derivative,
    power_logarithm,
)
from symgrad.ops.primitive import Computation, Cotangents
from symgrad.ops.samples import ANY, COLUMN, POSITIVE
from symgrad.ops.series import Recurrence, product, root
from symgrad.ops.terms import Terms
from symgrad.ops.where import by_result, where
from symgrad.ops.zeros import Zeros


def _objects(f: Any) -> dict[str, Any]:
    """Return an elementwise function for arrays of objects, for each other number system."""
    return {system: np.frompyfunc(f, 1, 1) for system in ("sympy", "mpmath")}


# PyTorch computes these powers without `pow`, whose last bits differ.
_POWERS: dict[Any, Kernel] = {
    p: Kernel("pow", call, source, rows=local, number_systems=_objects(lambda x, p=exact: x**p))
    for p, exact, call, source in (
        (0.5, sympy.Rational(1, 2), np.sqrt, "np.sqrt({0})"),
        (1, 1, np.positive, "np.positive({0})"),
        (2, 2, np.square, "np.square({0})"),
        (3, 3, lambda x: x * x * x, "{0} * {0} * {0}"),
        (-1, -1, lambda x: 1 / x, "1 / {0}"),
        (-2, -2, lambda x: 1 / (x * x), "1 / ({0} * {0})"),
        (-0.5, sympy.Rational(-1, 2), lambda x: 1 / np.sqrt(x), "1 / np.sqrt({0})"),
    )
}


def _integer_power(x, y):  # type: ignore[no-untyped-def]
    # Where the exponent is negative the exact power is 0 unless the base is 1 or -1.
    x = np.asarray(x, dtype=np.result_type(x, y))
    sign = np.where(y % 2 == 0, 1, x)
    return np.where(y < 0, np.where(np.abs(x) == 1, sign, 0), np.power(x, np.maximum(y, 0)))


_INTEGER_POWER = Kernel.from_function(
    _integer_power,
    rows=local,
    number_systems={"sympy": np.frompyfunc(lambda x, y: sympy.Integer(x) ** y, 2, 1)},
)


_BASE = np.array([0.3, 1.2, 2.0])


_TIGHT = Precedence.POWER + 1
POWER = Notation(
    "{0}**{1}",
    "{0}^{{{1}}}",
    Precedence.POWER,
    (_TIGHT, Precedence.UNARY),
    of_arrays=of_elements(r"{0}^{{\odot {1}}}", Precedence.POWER, _TIGHT, Precedence.SIGN),
    typeset=Latex("{0}^{{{1}}}", Precedence.POWER, (_TIGHT, 0)),
)


#: The notation of what is the same as its base.
ITSELF = Notation("{0}", "{0}")


def _power_of_elements(exponent: str) -> ArrayForms:
    """Return the form in LaTeX of a power of each element of an array."""
    return of_elements(rf"{{0}}^{{{{\odot {exponent}}}}}", Precedence.POWER, _TIGHT)


#: The exponents that were met, and how many are kept. They are part of the structure of formulas;
#: another one is taken for a number that changes from run to run.
_met: set[float] = set()
_MOST_MET = 8


def _is_one_of_many(exponent: float) -> bool:
    """Return whether an exponent is an input of plans: no multiple of 1/2, after many others."""
    if not math.isfinite(exponent) or exponent * 2 == math.floor(exponent * 2):
        return False
    if exponent in _met:
        return False
    if len(_met) < _MOST_MET:
        _met.add(exponent)
        return False
    return True


class pow(Elementwise):
    operator = "pow"
    keeps_zeros = Zeros.POWER
    ulps = 16
    numbers = "last"
    scalar = lambda x, y: x**y  # noqa: E731
    kernel = Kernel.from_ufunc(np.power, name="pow")
    printed = POWER

    def notation(self) -> Notation:
        base, exponent = self.operands
        plain = is_const(exponent, 1) and base.dtype is self.dtype and base.shape == self.shape
        return ITSELF if plain else super().notation()

    def result_layout(self) -> str:
        return "axes" if self.operands[0].weak else "kernel"

    @classmethod
    def is_structural(cls, i: int, number: Any, operands: Any, params: Any) -> bool:
        return i == 1 and not (type(number) is float and _is_one_of_many(number))

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        shape, kind = super().infer(*operands)
        if kind.category == Category.BOOL and not operands[1].weak:
            raise no_kernel("pow", bool_)
        y = operands[1]
        if kind.category == Category.BOOL and isinstance(y, Const):
            return shape, kind
        if kind.category == Category.INT and isinstance(y, Const) and y.value < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        return shape, kind

    def precise_operands(self) -> tuple[ArrayExpr, ...]:
        # The logarithm is computed in the precision of the result, not in that of the operand.
        kind = self.dtype
        return tuple([a if a.weak or a.dtype is kind else a.to(kind) for a in self.operands])

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: self._in_base(x, y), lambda: self._in_exponent(x, y)

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        plan = deriving.plan
        if needs[1] and deriving.again and plan is not None:
            plan.read.append(self)  # of which `power_logarithm` is no function when differentiated
        return super().vjp(ct, needs)

    def vjp_by_result(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        by_base, plain = super().vjp(ct, needs)
        if plain is None:
            return by_base, None
        x, y = self.precise_operands()
        formula: Any = scaled(ct, self._in_exponent_by_result(x), conjugate=True)
        return by_base, by_result(plain, formula, is_constant_in_exponent(x, y))

    def _in_base(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | int:
        if isinstance(y, Const):
            p = y.value
            if p == 0 or p == 1:
                return 1 if p == 1 else 0
            power: ArrayExpr = p * x ** (p - 1)
            return power
        if y.weak:  # a number that changes from run to run, and is not whole
            changing: ArrayExpr = y * x ** (y - 1)
            return changing
        return power_derivative.where_it_varies(x, y, 1, 0)

    def _in_exponent(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        if isinstance(x, Const) and x.value != 0:
            return self._in_exponent_by_result(x)
        return power_logarithm.where_it_varies(x, y, self, 1)

    def _in_exponent_by_result(self, x: ArrayExpr) -> ArrayExpr:
        # Negative numbers have a complex logarithm.
        return self * as_expr(x.to(self.dtype) if self.dtype.is_complex else x).log()

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        _, y = self.operands
        # It divides by the base, at which larger powers have derivatives where it is 0.
        p = _real_number(y)
        if p is None or p >= 1:
            return None
        return lambda k, operands, own: series.power(k, operands[0], own, p)

    def series_form(self) -> ArrayExpr | None:
        x, y = self.operands
        p = _real_number(y)
        if p is None or p != int(p) or not 2 <= p <= _LARGEST_PRODUCT:
            return None
        kind = self.dtype
        made, bits = (x if x.dtype is kind else x.to(kind)), bin(int(p))[3:]
        base = made
        for bit in bits:  # the binary digits of the exponent after the first
            made = square.of(made)
            made = made * base if bit == "1" else made
        return made

    def terms(self, b: Terms) -> Any:
        x, y = self.operands
        n = _real_number(y)
        if n is None or not 1 <= abs(n) <= _LARGEST_OPENED or n != int(n):
            return None
        return b.power(b.operand(x, self.dtype), int(n))

    def implementation(self) -> Computation:
        x, y = self.operands
        if self.dtype.category == Category.BOOL:
            return _TRUTH_POWER, {}, self.operands
        if self.dtype.category < Category.FLOAT:
            return (self.kernel if isinstance(y, Const) else _INTEGER_POWER), {}, self.operands
        special = _POWERS.get(y.number) if isinstance(y, Const) else None
        return (self.kernel, {}, self.operands) if special is None else (special, {}, (x,))

    samples = [
        (_BASE, np.array([[1.5], [-0.4]])),
        (_BASE, 2),
        (_BASE, 3),
        (_BASE, 0.5),
        (2.0, _BASE),
    ]


def _real_number(x: ArrayExpr) -> Any:
    """Return the value of a constant that is real and finite; None for any other node."""
    if not isinstance(x, Const) or not x.is_number or x.dtype.is_complex:
        return None
    return x.value if math.isfinite(x.value) else None


# The largest exponent of a power that the normal form looks into.
_LARGEST_OPENED = 32

# The largest exponent for which the Taylor coefficients of a power are those of products.
_LARGEST_PRODUCT = 1024

# For truth values only False**True is false.
_TRUTH_POWER = Kernel(
    "pow", lambda x, y: x | np.logical_not(y), "{0} | np.logical_not({1})", rows=local
)


class power_of_positive(Elementwise):
    """The exponential of `y*log(x)`, or of `xlogy(y, x)`: `x**y`, and nan where `x` is negative.

    At 0 the derivatives are those of the power, where those of the logarithm are infinite.
    """

    ulps = 8
    result = "float"
    internal = True
    refuses = (Category.COMPLEX,)
    scalar = lambda x, y: x**y  # noqa: E731
    kernel = Kernel(
        "power",
        lambda x, y: np.where(x < 0, np.nan, np.power(x, y)),
        "np.where({0} < 0, np.nan, np.power({0}, {1}))",
        rows=local,
    )
    printed = POWER

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: self._in_base(x, y), lambda: positive_power_logarithm.where_it_varies(
            x, y, self, 1
        )

    def _in_base(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        if isinstance(y, Const):
            if y.value == 0:
                return where.of(x < 0, math.nan, 0)
            return y * power_of_positive.of(x, y.value - 1)
        return positive_power_derivative.where_it_varies(x, y, 1, 0)

    samples = [(POSITIVE, COLUMN), (POSITIVE, 2), (POSITIVE, 0.5), (np.array(0.7), np.array(1.5))]


class sqrt(Elementwise):
    """Return the square root of each element of `input`; nan of negative numbers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sqrt(torch.tensor([4.0, 2.0, -1.0]))
    tensor([2.0000, 1.4142,    nan])
    """

    ulps = 4
    result = "float"
    scalar = sympy.sqrt
    kernel = Kernel.from_ufunc(np.sqrt)
    printed = Notation(
        "sqrt({0})", r"\sqrt{{{0}}}", of_arrays=_power_of_elements(r"\frac{{1}}{{2}}")
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (2 * self),)

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        return root

    samples = [(POSITIVE,), (np.array(2.5),), (POSITIVE.reshape(3, 1),)]


class rsqrt(Elementwise):
    """Return `1 / sqrt(x)` of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.rsqrt(torch.tensor([4.0, 0.25]))
    tensor([0.5000, 2.0000])
    """

    ulps = 8
    result = "float"
    scalar = lambda x: 1 / sympy.sqrt(x)  # noqa: E731
    kernel = Kernel("rsqrt", lambda x: 1 / np.sqrt(x), "1 / np.sqrt({0})", rows=local)
    printed = Notation(
        "rsqrt({0})",
        r"\frac{{1}}{{\sqrt{{{0}}}}}",
        typeset=Latex(r"\frac{{1}}{{\sqrt{{{0}}}}}", Precedence.UNARY),
        of_arrays=_power_of_elements(r"-\frac{{1}}{{2}}"),
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(self**3) / 2,)

    def series_form(self) -> ArrayExpr | None:
        return reciprocal.of(sqrt.of(*self.operands))

    samples = [(POSITIVE,), (np.array(2.5),)]


class square(Elementwise):
    """Return the square of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.square(torch.tensor([3.0, -4.0]))
    tensor([ 9., 16.])
    """

    nonnegative = "always"
    poles = ()
    ulps = 0
    scalar = lambda x: x**2  # noqa: E731
    kernel = Kernel.from_ufunc(np.square)
    printed = Notation(
        "square({0})",
        "{0}^{{2}}",
        typeset=Latex("{0}^{{2}}", Precedence.POWER, (_TIGHT,)),
        of_arrays=_power_of_elements("2"),
    )

    @classmethod
    def result_kind(cls, promoted: dtype) -> dtype:
        return int64 if promoted.category == Category.BOOL else promoted

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 2 * x,)

    def terms(self, b: Terms) -> Any:
        return b.power(b.operand(self.operands[0], self.dtype), 2)

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        return lambda k, operands, own: product(operands[0], operands[0], k)

    samples = [(ANY,), (np.array(-2.5),), (np.zeros((0, 2)),)]


class reciprocal(Elementwise):
    """Return `1 / x` of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.reciprocal(torch.tensor([2.0, 0.0]))
    tensor([0.5000,    inf])
    >>> x = torch.leaf("x")
    >>> torch.derive(torch.reciprocal(x), x)
    -1 / x**2
    """

    ulps = 0
    result = "float"
    scalar = lambda x: 1 / x  # noqa: E731
    joined = sympy.Mul, (-1,)
    kernel = Kernel("reciprocal", lambda x: 1 / x, "1 / {0}", rows=local)
    printed = Notation(
        "1 / {0}",
        r"\frac{{1}}{{{0}}}",
        Precedence.PRODUCT,
        (Precedence.PRODUCT + 1,),
        Latex(r"\frac{{1}}{{{0}}}", Precedence.UNARY),
        of_arrays=_power_of_elements("-1"),
    )

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: -(self**2),)

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        return series.reciprocal

    samples = [(ANY,), (np.array(-2.5),)]


class hypot(OfMany):
    """Return `sqrt(input**2 + other**2)` without overflow; the derivative at the origin is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.hypot(torch.tensor([3.0, 3e30]), torch.tensor([4.0, 4e30]))
    tensor([5.0000e+00, 5.0000e+30])
    """

    nonnegative = "always"
    commutes = True
    ulps = 16
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    scalar = lambda x, y: sympy.sqrt(x**2 + y**2)  # noqa: E731
    kernel = HYPOTENUSE
    of_many: ClassVar[Mapping[dtype, Kernel]] = {float64: HYPOTENUSE_OF_MANY}
    keeps: ClassVar[tuple[int, ...]] = (0, 1)  # a quotient is differentiated as `direction`
    printed = Notation(
        "hypot({0}, {1})",
        r"\sqrt{{{0}^{{2}} + {1}^{{2}}}}",
        of_arrays=of_elements(r"\operatorname{{hypot}}\left({0}, {1}\right)", Precedence.ATOM),
    )

    def as_read(self) -> ArrayExpr | None:
        x, y = self.operands
        return sqrt.of(1 + y**2) if x.weak and is_const(x, 1) else None

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        # The quotients are differentiated as `direction`.
        quotients = lambda: x / self, lambda: y / self
        if _has_number(x, y):
            return quotients
        origin = self.eq(0)
        return [lambda part=part: where.of(origin, 0, part()) for part in quotients]

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Cotangents:
        parts = super().vjp(ct, needs)
        if _has_number(*self.operands):
            return parts
        given = zip(self.precise_operands(), parts, strict=True)
        return [None if part is None else self._along(x, ct, part) for x, part in given]

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        if not deriving.again or _has_number(*self.operands):
            return super().jvp(tangents)
        given = zip(self.precise_operands(), self._precise_partials(), tangents, strict=True)
        total = None
        for x, part, t in given:
            if t is not None:
                total = added(total, self._along(x, t, t * part()))
        return total

    def _along(self, x: ArrayExpr, c: ArrayExpr, plain: ArrayExpr) -> ArrayExpr:
        return along(radial, lambda: plain, c, lambda: x / self, x, self, self)

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        if all(moving) or not _has_number(*self.operands):
            return None
        i = moving.index(True)
        return series.Hypotenuse(i, self.operands[1 - i])

    samples = [(ANY, COLUMN), (np.array(3.0), np.array(4.0)), (1.0, ANY)]


def _has_number(*operands: ArrayExpr) -> bool:
    """Return whether an operand is a number other than 0: their hypotenuse is never 0."""
    return any(isinstance(x, Const) and x.value != 0 for x in operands)


def _direction(x, y):  # type: ignore[no-untyped-def]
    kind = np.result_type(x, y)
    x, y = np.asarray(x, np.float64), np.asarray(y, np.float64)
    # The length of denormal numbers has few digits, so they are scaled, without rounding, by a power
    # of 2.
    scale = np.where(np.maximum(abs(x), abs(y)) < 1e-290, 2.0**200, 1)
    size = np.hypot(x * scale, y * scale)
    out = np.where(size == 0, 0, x * scale / np.where(size == 0, 1, size))
    return np.where(np.isinf(x) & np.isfinite(y), np.sign(x), out).astype(kind)


class direction(Elementwise):
    """`x / sqrt(x**2 + y**2)`, 0 at the origin, whose derivatives do not cancel.

    With c and s the cosine and sine of the angle and r the length they are s*s/r and -c*s/r, where
    the quotient rule gives `1/r - x*x/r**3`.
    """

    ulps = 8
    internal = True
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    scalar = lambda x, y: x / sympy.sqrt(x**2 + y**2)  # noqa: E731
    kernel = Kernel.from_function(_direction, rows=local)
    printed = Notation(
        "{0} / hypot({0}, {1})",
        r"\frac{{{0}}}{{\sqrt{{{0}^{{2}} + {1}^{{2}}}}}}",
        Precedence.PRODUCT,
        (61, 0),
        Latex(r"\frac{{{0}}}{{\sqrt{{{0}^{{2}} + {1}^{{2}}}}}}", Precedence.UNARY),
        of_arrays=of_elements(
            r"{0} \oslash \operatorname{{hypot}}\left({0}, {1}\right)",
            Precedence.ODOT,
            Precedence.ODOT,
        ),
    )

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        size = hypot.of(x, y)
        across: ArrayExpr = direction.of(y, x)
        over = across / size
        if not _has_number(x, y):
            over = where.of(size.eq(0), 0, over)
        return lambda: over * across, lambda: -(over * self)

    def as_read(self) -> ArrayExpr:
        x, y = self.operands
        return x / hypot.of(x, y)

    samples = [(ANY, COLUMN), (np.array(3.0), np.array(4.0))]
