"""Activations that take numbers beside their array: hardtanh, elu, leaky_relu, threshold; and sinc."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from numeric.selection import select
from symgrad.expr.atoms import is_const
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.notation import Latex, Notation, Precedence
from symgrad.ops.composite import Pointwise
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.kinds import Tuned
from symgrad.ops.samples import ANY
from symgrad.ops.selection import definitions
from symgrad.ops.trigonometric import _sinoverx, sinoverx
from symgrad.ops.where import where

_REFUSED = (Category.BOOL, Category.INT, Category.COMPLEX)


class Choice(Tuned, Pointwise, abstract=True):
    """An activation that is a formula."""

    vjp = Pointwise.vjp
    jvp = Pointwise.jvp


class hardtanh(Choice):
    """`x` cut off at `low` and `high`, where the derivative is 0."""

    ulps = 0
    refuses = (Category.BOOL, Category.COMPLEX)
    kernel = Kernel(
        "hardtanh", lambda x, low, high: np.clip(x, low, high), "np.clip({0}, {1}, {2})", rows=local
    )

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        if kind.is_complex:
            return NotImplementedError("clamp is not supported for complex types")
        return RuntimeError("Bool inputs not supported for hardtanh")

    @classmethod
    def composed(cls, x: Any, low: Any, high: Any) -> Any:
        return where.of(x <= low, low, where.of(x >= high, high, x))

    samples = [(ANY, -1.0, 1.0), (np.array([[0.3], [7.0]]), 0.0, 6.0), (np.array(0.5), 0.0, 1.0)]


def _elu(x, alpha, *, scale, steep):  # type: ignore[no-untyped-def]
    return np.where(x > 0, x * scale, np.expm1(np.where(x > 0, 0, x) * steep) * (alpha * scale))


def _quick_elu(x: Any, alpha: Any, *, scale: float, steep: float) -> Any:
    above = x > 0
    return select(above, x * scale, np.expm1(select(above, 0, x) * steep) * (alpha * scale))


def _elu_numbers(x: Any, alpha: Any, scale: float, steep: float) -> Any:
    def f(v: Any, a: Any) -> Any:
        below = (sympy.exp(v * steep) - 1) * a * scale
        return sympy.Piecewise((v * scale, sympy.Gt(v, 0)), (below, True))

    return np.frompyfunc(f, 2, 1)(x, alpha)


class elu(Tuned):
    """`scale*x` for positive `x`, else `scale*alpha*(exp(steep*x) - 1)`."""

    ulps = 4
    params = ("scale", "steep")
    real_params = ("scale", "steep")
    scale: float
    steep: float
    refuses = _REFUSED
    kernel = dataclasses.replace(
        Kernel.from_function(_elu, rows=local, number_systems={"sympy": _elu_numbers}),
        call=_quick_elu,
    )

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        x, alpha = self.operands
        factor = alpha * (self.scale * self.steep)
        slope = (x * self.steep).exp()
        # At 0 the slope is that of the exponential, and constant: PyTorch bends it below only.
        if is_const(factor, self.scale):
            return where.of(x < 0, t * (slope * factor), t * self.scale)
        return where.of(x <= 0, t * (where.of(x < 0, slope, 1) * factor), t * self.scale)

    def notation(self) -> Notation:
        form = super().notation()
        if self.scale == self.steep == 1:
            alpha = self.operands[1]
            whole = is_const(alpha, 1) and alpha.weak
            return form._replace(text="elu({0})" if whole else "elu({0}, {1})")
        if self.steep == 1:
            text = f"{self.scale!r} * elu({{0}}, {{1}})"
            return Notation(text, "", Precedence.PRODUCT, (), Latex(form.latex))
        below = f"{self.scale!r} * {{1}} * (exp({self.steep!r} * {{0}}) - 1)"
        text = f"where({{0}} > 0, {self.scale!r} * {{0}}, {below})"
        return form._replace(text=text, operands=(Precedence.POWER, Precedence.POWER))

    samples = [(ANY, 1.0, 1.0, 1.0), (ANY, 1.5, 2.0, 0.5), (np.array(-0.7), 0.37, 1.0, 1.0)]


def _leaky_relu(x, slope):  # type: ignore[no-untyped-def]
    return np.where(x > 0, x, x * slope)


def _quick_leaky_relu(x: Any, slope: Any) -> Any:
    below = x * slope
    # A slope that is zero in the dtype of `x` would make nan of infinity.
    if np.ndim(slope) == 0 and 1e-4 < slope <= 1:
        return np.maximum(x, below)
    return select(x > 0, x, below)


class leaky_relu(Choice):
    """`x` for positive `x`, else `slope*x`."""

    ulps = 0
    arity = 2
    refuses = _REFUSED
    kernel = dataclasses.replace(
        Kernel.from_function(_leaky_relu, rows=local), call=_quick_leaky_relu
    )

    @classmethod
    def composed(cls, x: Any, slope: Any) -> Any:
        return where.of(x > 0, x, x * slope)

    samples = [(ANY, 0.01), (np.array(-0.7), 0.25)]


class threshold(Choice):
    """`x` where it is above the threshold, else `value`."""

    ulps = 0
    arity = 3
    refuses = (Category.BOOL, Category.COMPLEX)

    @classmethod
    def composed(cls, x: Any, bound: Any, value: Any) -> Any:
        return where.of(x <= bound, value, x)

    samples = [(ANY, 0.0, -1.0), (np.array(0.7), 1.0, 20.0)]


def _sin_of_turns(x):  # type: ignore[no-untyped-def]
    # The sine of pi*x is that of pi times the distance to a whole number, which is exact, since pi*x
    # is rounded, and overflows.
    left = x - 2 * np.rint(x / 2)
    return np.sin(np.pi * np.where(abs(left) > 0.5, np.copysign(1, left) - left, left))


def _sinc(x):  # type: ignore[no-untyped-def]
    x, zero = abs(x), x == 0
    sine = _sin_of_turns(x)  # type: ignore[no-untyped-call]
    return np.where(zero, 1, sine / np.where(zero, 1, np.pi * x))


class sinc(Elementwise):
    """Return `sin(pi*x) / (pi*x)` of each element of `input`, and 1 of 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sinc(torch.tensor([0.0, 0.5, 1.5]))
    tensor([ 1.0000,  0.6366, -0.2122])
    """

    aliases = ("special.sinc",)
    ulps = 8
    result = "float"
    scalar = lambda x: sympy.sinc(sympy.pi * x)  # noqa: E731
    kernel = Kernel.from_function(_sinc, prelude=definitions(_sin_of_turns), rows=local)
    kernels = {Category.COMPLEX: Kernel("sinc", np.sinc, "np.sinc({0})", rows=local)}

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        if self.dtype.is_complex:
            return (lambda: sinoverx.of(x * math.pi, 1) * math.pi,)
        return (lambda: sinc_derivative.of(x, 1),)

    samples = [(ANY,), (np.array(0.7),), (np.array([0.0, 1e-9, 1.0]),)]


def _sinc_derivative(x, *, order):  # type: ignore[no-untyped-def]
    x = np.asarray(x)
    kind, x = x.dtype, x.astype(np.float64)
    sine, cosine = _sin_of_turns(x), np.cos(np.pi * (x - 2 * np.rint(x / 2)))  # type: ignore[no-untyped-call]
    inner = np.pi * np.where(abs(x) < 2.5, x, 1)
    near = _sinoverx(inner, sine, cosine, order=order)  # type: ignore[no-untyped-call]
    far = sine / (np.pi * x)
    waves = [sine, cosine, -sine, -cosine]
    for k in range(1, order + 1):  # as in `_sinoverx`, but without pi*x, which overflows
        far = (waves[k % 4] * np.pi ** (k - 1) - k * far) / x
    far = np.where(np.isinf(x), 0, far)
    return np.where(abs(x) < 2.5, near * np.pi**order, far).astype(kind)


class sinc_derivative(sinoverx):
    """The derivative of an order of `sinc`, which takes the sine of `pi*x` before `pi*x` is rounded."""

    ulps = 8
    refuses = (Category.COMPLEX,)
    kernel = Kernel.from_function(
        _sinc_derivative,
        prelude=definitions(_sin_of_turns, _sinoverx),
        rows=local,
        number_systems={"sympy": lambda x, order: (
            sinoverx.kernel.number_systems["sympy"](x * sympy.pi, order) * sympy.pi**order
        )},
    )  # fmt: skip

    def element(self, *operands: Any) -> Any:
        return super().element(operands[0] * sympy.pi) * sympy.pi**self.order

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: sinc_derivative.of(x, self.order + 1),)

    def as_read(self) -> ArrayExpr:
        (x,) = self.operands
        return self.of_spherical(sympy.pi * x) * sympy.pi**self.order  # type: ignore[no-any-return]
