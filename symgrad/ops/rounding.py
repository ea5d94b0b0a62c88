"""Rounding, and division with a rounded quotient: functions that are constant or linear in pieces."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype, no_kernel, result_dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.expr.shapes import Shape
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.primitive import Computation

_ANY = np.array([0.3, -1.2, 2.6])
_COLUMN = np.array([[1.5], [-0.45]])


class _Step(Elementwise, abstract=True):
    """A step function: its derivative is zero, also where it jumps, as in PyTorch."""

    refuses = (Category.BOOL, Category.COMPLEX)
    kernels = {Category.INT: Kernel.from_ufunc(np.positive)}  # NumPy would make floats of integers

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        if kind.is_complex and cls is not round:
            return NotImplementedError(f"{cls.__name__} is not supported for complex inputs")
        return no_kernel(f"{cls.__name__}_vml_cpu", kind)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (0,)

    samples = [(_ANY,), (np.array(-1.6),), (np.array([[3], [-2]]),)]


class floor(_Step):
    """Return the greatest integers not above the elements of `input`; the derivative is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.floor(torch.tensor([1.2, -1.2]))
    tensor([ 1., -2.])
    """

    ulps = 0
    scalar = sympy.floor
    kernel = Kernel.from_ufunc(np.floor)

    printed = Notation("floor({0})", r"\left\lfloor {0} \right\rfloor")


class ceil(_Step):
    """Return the least integers not below the elements of `input`; the derivative is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.ceil(torch.tensor([1.2, -1.2]))
    tensor([ 2., -1.])
    """

    ulps = 0
    scalar = sympy.ceiling
    kernel = Kernel.from_ufunc(np.ceil)

    printed = Notation("ceil({0})", r"\left\lceil {0} \right\rceil")


def _trunc_scalar(x: Any) -> Any:
    return sympy.sign(x) * sympy.floor(sympy.Abs(x))


class trunc(_Step):
    """Return each element of `input` without its fraction; the derivative is zero.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.trunc(torch.tensor([1.7, -1.7]))
    tensor([ 1., -1.])
    """

    ulps = 0
    aliases = ("fix",)
    scalar = _trunc_scalar
    kernel = Kernel.from_ufunc(np.trunc)


def _half_even(x: Any) -> Any:
    low = sympy.floor(x)
    up = sympy.Or(
        sympy.Gt(x - low, sympy.Rational(1, 2)),
        sympy.And(sympy.Eq(x - low, sympy.Rational(1, 2)), sympy.Eq(sympy.Mod(low, 2), 1)),
    )
    return sympy.Piecewise((low + 1, up), (low, True))


def _round_up(x, *, scale):  # type: ignore[no-untyped-def]
    return np.rint(x * scale) / scale


def _round_down(x, *, scale):  # type: ignore[no-untyped-def]
    return np.rint(x / scale) * scale


def _scaled(f: Any) -> dict[str, Any]:
    def call(x: Any, scale: int) -> Any:
        return np.frompyfunc(lambda v: f(v, scale), 1, 1)(x)

    return {"sympy": call}


_ROUND_UP = Kernel.from_function(
    _round_up, rows=local, number_systems=_scaled(lambda x, s: _half_even(x * s) / s)
)
_ROUND_DOWN = Kernel.from_function(
    _round_down, rows=local, number_systems=_scaled(lambda x, s: _half_even(x / s) * s)
)


class round(_Step):
    """The nearest multiple of `10**-decimals`; halves go to the even neighbour."""

    ulps = 0
    params = ("decimals",)
    scalar = _half_even
    kernel = Kernel.from_ufunc(np.rint, name="round")

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        x, decimals = args
        kind = x.dtype
        if decimals and kind.category != Category.FLOAT:
            raise no_kernel("round_cpu", kind)
        return super().infer(*args)

    def implementation(self) -> Computation:
        decimals = self.decimals or 0
        if decimals == 0:
            return self.kernel_for(self.dtype), {}, self.operands
        if decimals > 0:
            return _ROUND_UP, {"scale": 10**decimals}, self.operands
        return _ROUND_DOWN, {"scale": 10**-decimals}, self.operands

    def element(self, *operands: Any) -> Any:
        scale = sympy.Integer(10) ** (self.decimals or 0)
        return _half_even(operands[0] * scale) / scale

    def notation(self) -> Notation:
        if self.decimals is None:
            return Notation("round({0})", r"\operatorname{{round}}\left({0}\right)")
        return super().notation()

    samples = [
        (_ANY, None),
        (_ANY, 0),
        (np.array([0.5, 1.5, -2.5]), 0),
        (10 * _ANY, -1),
        (np.array(0.126), 2),
    ]


class frac(Elementwise):
    """Return what `trunc` leaves of each element of `input`; the derivative is one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.frac(torch.tensor([1.25, -1.25]))
    tensor([ 0.2500, -0.2500])
    """

    ulps = 0
    refuses = (Category.BOOL, Category.INT, Category.COMPLEX)
    scalar = lambda x: x - _trunc_scalar(x)  # noqa: E731
    kernel = Kernel("frac", lambda x: x - np.trunc(x), "{0} - np.trunc({0})", rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (1,)

    samples = [(_ANY,), (np.array(-1.6),)]


def _divisor(y):  # type: ignore[no-untyped-def]
    if np.any(np.equal(y, 0)):
        raise RuntimeError("ZeroDivisionError")
    return y


#: `_divisor(y)`, which refuses zeros: NumPy would divide integers by them.
_DIVISOR = Kernel.from_function(_divisor).prelude


def _rounded_down(x, y):  # type: ignore[no-untyped-def]
    return np.floor_divide(x, _divisor(y))  # type: ignore[no-untyped-call]


def _rounded_to_zero(x, y):  # type: ignore[no-untyped-def]
    q = np.floor_divide(x, _divisor(y))  # type: ignore[no-untyped-call]
    return q + ((q < 0) & (q * y != x))


def _remainder_of_divisor(x, y):  # type: ignore[no-untyped-def]
    return np.remainder(x, _divisor(y))  # type: ignore[no-untyped-call]


def _remainder_of_dividend(x, y):  # type: ignore[no-untyped-def]
    return np.fmod(x, _divisor(y))  # type: ignore[no-untyped-call]


def _pairs(f: Any) -> dict[str, Any]:
    return {"sympy": np.frompyfunc(f, 2, 1)}


def _of_integers(f: Callable[..., Any], exact: Callable[..., Any]) -> Kernel:
    return Kernel.from_function(f, prelude=_DIVISOR, number_systems=_pairs(exact))


#: Quotients, by the mode in which they are rounded.
_INTEGER = {
    "floor": _of_integers(_rounded_down, lambda x, y: sympy.floor(x / y)),
    "trunc": _of_integers(_rounded_to_zero, lambda x, y: _trunc_scalar(x / y)),
}
_QUOTIENT = {
    "floor": Kernel(
        "floor_divide", np.floor_divide, "{0} // {1}", out=True, rows=local,
        number_systems=_pairs(lambda x, y: sympy.floor(x / y)),
    ),
    "trunc": Kernel(
        "trunc_divide", lambda x, y: np.trunc(x / y), "np.trunc({0} / {1})", rows=local,
        number_systems=_pairs(lambda x, y: _trunc_scalar(x / y)),
    ),
}  # fmt: skip


class _Division(Elementwise, abstract=True):
    arity = 2
    refuses = (Category.BOOL, Category.COMPLEX)

    samples = [(_ANY, _COLUMN), (np.array([7, -7, 3]), np.array(2)), (np.array(5.5), 2)]


class quotient(_Division):
    """`x / y` rounded towards zero or down: constant between its jumps."""

    ulps = 0
    internal = True
    params = ("rounding",)

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        *operands, rounding = args
        kind = result_dtype(operands)
        if kind.is_complex:
            name = f"div_{rounding}_cpu"
            raise no_kernel(name, kind)
        return super().infer(*args)

    def implementation(self) -> Computation:
        table = _INTEGER if self.dtype.category == Category.INT else _QUOTIENT
        return table[self.rounding], {}, self.operands

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 0, 0

    def notation(self) -> Notation:
        left, right = ("lfloor", "rfloor") if self.rounding == "floor" else ("lceil", "rfloor")
        text = "{0} // {1}" if self.rounding == "floor" else "trunc({0} / {1})"
        if not self.dtype.is_floating_point:  # the quotient of integers is a float
            text = f"div({{0}}, {{1}}, rounding_mode={self.rounding!r})"
        return Notation(
            text,
            rf"\left\{left} {{0}} / {{1}} \right\{right}",
            Precedence.PRODUCT,
            (Precedence.PRODUCT, Precedence.PRODUCT + 1),
        )

    samples = [(*x, mode) for x in _Division.samples for mode in ("floor", "trunc")]


class floor_divide(_Division):
    """The quotient, rounded down."""

    operator = "floordiv"
    ulps = 0
    kernel_name = "div_floor_cpu"
    scalar = lambda x, y: sympy.floor(x / y)  # noqa: E731
    kernel = _QUOTIENT["floor"]
    kernels = {Category.INT: _INTEGER["floor"]}

    def missing_derivative(self) -> str:
        return "aten::floor_divide"

    def notation(self) -> Notation:
        latex = r"\left\lfloor {0} / {1} \right\rfloor"
        return Notation(
            "{0} // {1}", latex, Precedence.PRODUCT, (Precedence.PRODUCT, Precedence.PRODUCT + 1)
        )


class remainder(_Division):
    """Return `input` less `floor(input / other)` times `other`, which has the sign of `other`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.remainder(torch.tensor([7, -7]), 3)
    tensor([1, 2])
    """

    operator = "mod"
    ulps = 0
    numbers = "either"
    scalar = sympy.Mod
    kernel = Kernel.from_ufunc(np.remainder, "{0} % {1}")
    printed = Notation(
        "{0} % {1}",
        r"{0} \; \operatorname{{mod}} \; {1}",
        Precedence.PRODUCT,
        (Precedence.PRODUCT, Precedence.PRODUCT + 1),
        Latex(
            r"{0} \; \operatorname{{mod}} \; {1}",
            Precedence.LARGE,
            (Precedence.UNARY, Precedence.UNARY),
        ),
    )
    kernels = {Category.INT: _of_integers(_remainder_of_divisor, sympy.Mod)}

    def missing_derivative(self) -> str:
        return "aten::remainder" if self.operands[0].weak else ""

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: -quotient.of(x, y, "floor")


class fmod(_Division):
    """Return `input` less `trunc(input / other)` times `other`, which has the sign of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fmod(torch.tensor([7, -7]), 3)
    tensor([ 1, -1])
    """

    ulps = 0
    numbers = "last"
    scalar = lambda x, y: x - y * _trunc_scalar(x / y)  # noqa: E731
    kernel = Kernel.from_ufunc(np.fmod)
    kernels = {Category.INT: _of_integers(_remainder_of_dividend, scalar)}

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: -quotient.of(x, y, "trunc")
