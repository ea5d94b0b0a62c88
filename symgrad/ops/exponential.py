"""Exponentials and logarithms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import ArrayForms, Notation, Precedence, of_elements
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.kinds import OfResult, Steady
from symgrad.ops.primitive import Primitive
from symgrad.ops.samples import ANY, COLUMN, POSITIVE
from symgrad.ops.series import Recurrence, logarithm


class OnReals(Elementwise, abstract=True):
    result = "float"

    samples = [(ANY,), (np.array(0.7),), (COLUMN,)]


class _OnPositives(Elementwise, abstract=True):
    result = "float"

    samples = [(POSITIVE,), (np.array(0.7),), (POSITIVE.reshape(3, 1),)]


def _of_elements(base: str) -> ArrayForms:
    """Return the form in LaTeX of an exponential of each element of an array."""
    return of_elements(base + r"^{{\odot {0}}}", Precedence.POWER, Precedence.LARGE)


EXPONENTIAL = Notation("exp({0})", r"\mathrm{{e}}^{{{0}}}", of_arrays=_of_elements(r"\mathrm{{e}}"))


class exp(OnReals):
    """Return the exponential of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.exp(torch.tensor([0.0, 1.0, -float("inf")]))
    tensor([1.0000, 2.7183, 0.0000])
    """

    nonnegative = "always"
    poles = ()
    ulps = 4
    scalar = sympy.exp
    kernel = Kernel.from_ufunc(np.exp)
    printed = EXPONENTIAL
    keeps = (0,)  # log(1 + exp(x)) is differentiated as softplus(x), which reads x

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (self,)

    def as_read(self) -> ArrayExpr | None:
        (x,) = self.operands
        return x.exponential() if isinstance(x, Primitive) else None


class exp2(OnReals):
    """Return 2 to the power of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.exp2(torch.tensor([0.0, 3.0, -1.0]))
    tensor([1.0000, 8.0000, 0.5000])
    """

    aliases = ("special.exp2",)
    nonnegative = "always"
    ulps = 4
    scalar = lambda x: 2**x  # noqa: E731
    kernel = Kernel.from_ufunc(np.exp2)
    printed = Notation("exp2({0})", "2^{{{0}}}", of_arrays=_of_elements("2"))

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: self * sympy.log(2),)


class expm1(OnReals):
    """Return `exp(x) - 1` of each element of `input`, accurate near 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.expm1(torch.tensor([0.0, 1e-10, 1.0]))
    tensor([0.0000e+00, 1.0000e-10, 1.7183e+00])
    """

    aliases = ("special.expm1",)
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
    computed = 1, sympy.exp
    kernel = Kernel("expm1_slope", np.exp, "np.exp({0})", rows=local)
    refuses = ()
    printed = EXPONENTIAL

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
    printed = Notation("log({0})", r"\log\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / x,)

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        return lambda k, operands, own: logarithm(k, operands[0], own, self.operands[0])


def _complex_log1p(z: Any) -> Any:
    # NumPy's log1p loses the digits of a z that is small beside 1. The squared modulus of 1 + z is
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

    aliases = ("special.log1p",)
    nonnegative = "operands"
    ulps = 8
    layout = "first"
    scalar = lambda x: sympy.log(1 + x)  # noqa: E731
    kernel = Kernel.from_ufunc(np.log1p)
    kernels = {Category.COMPLEX: _COMPLEX_LOG1P}

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (x + 1),)

    def recurrence(self, moving: Sequence[bool]) -> Recurrence | None:
        return lambda k, operands, own: logarithm(k, operands[0], own, 1 + self.operands[0])


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
    printed = Notation("log2({0})", r"\log_{{2}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (x * sympy.log(2)),)


class log10(_OnPositives):
    """Return the logarithm to base 10 of each element of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.log10(torch.tensor([100.0, 0.5]))
    tensor([ 2.0000, -0.3010])
    """

    ulps = 4
    scalar = lambda x: sympy.log(x) / sympy.log(10)  # noqa: E731
    kernel = Kernel.from_ufunc(np.log10)
    printed = Notation("log10({0})", r"\log_{{10}}\left({0}\right)")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: 1 / (x * sympy.log(10)),)
