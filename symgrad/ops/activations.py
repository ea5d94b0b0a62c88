"""Activations with numbers of their own: hardtanh, elu, leaky_relu, threshold; and sinc."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.logic import where
from symgrad.ops.trigonometric import sinoverx
from symgrad.primitive import Elementwise, bind

__all__ = ["elu", "hardtanh", "leaky_relu", "sinc", "threshold"]

_ANY = np.array([0.3, -1.2, 2.0])
_REFUSED = (Category.BOOL, Category.INT, Category.COMPLEX)


class Activation(Elementwise, abstract=True):
    """A function of one array and fixed numbers; states `weighed(t)`, its derivative times t."""

    internal = True
    refuses: ClassVar[tuple[int, ...]] = _REFUSED

    @classmethod
    def infer(cls, *args: Any) -> tuple[Shape, dtype]:
        return super().infer(args[0])

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        """Return `t` times the derivative."""
        raise NotImplementedError(f"{type(self).__name__} states no weighed()")

    def vjp(self, ct: ArrayExpr, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
        return (self.weighed(ct),)

    def jvp(self, tangents: Sequence[ArrayExpr | None]) -> ArrayExpr | None:
        (t,) = tangents
        return None if t is None else self.weighed(t)


def _numbers(f: Any) -> dict[str, Any]:
    """The kernel on object arrays of SymPy numbers."""

    def call(x: Any, **params: Any) -> Any:
        return np.frompyfunc(lambda v: f(v, **params), 1, 1)(x)

    return {"sympy": call}


class hardtanh(Activation):
    """`x` cut off at `low` and `high`, where the derivative is 0."""

    params = ("low", "high")
    low: float
    high: float
    refuses = (Category.BOOL, Category.COMPLEX)
    kernel = Kernel(
        "hardtanh", lambda x, low, high: np.clip(x, low, high), "np.clip({0}, {low}, {high})",
        rows=local, numbers=_numbers(lambda v, low, high: sympy.Min(sympy.Max(v, low), high)),
    )  # fmt: skip

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        (x,) = self.operands
        return where.of((x > self.low).logical_and(x < self.high), t, 0)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, -1.0, 1.0), (np.array([[0.3], [7.0]]), 0.0, 6.0), (np.array(0.5), 0.0, 1.0)]


def _elu(x, *, alpha, scale, steep):  # type: ignore[no-untyped-def]
    return np.where(x > 0, x * scale, np.expm1(np.minimum(x, 0) * steep) * (alpha * scale))


class elu(Activation):
    """`scale*x` for positive `x`, else `scale*alpha*(exp(steep*x) - 1)`."""

    params = ("alpha", "scale", "steep")
    alpha: float
    scale: float
    steep: float
    kernel = Kernel.from_function(
        _elu, rows=local,
        numbers=_numbers(lambda v, alpha, scale, steep: sympy.Piecewise(
            (v * scale, sympy.Gt(v, 0)), ((sympy.exp(v * steep) - 1) * alpha * scale, True))),
    )  # fmt: skip

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        (x,) = self.operands
        inner = (where.of(x > 0, 0, x) * self.steep).exp()
        factor = self.alpha * self.scale * self.steep
        return where.of(x > 0, t * self.scale, t * (inner * factor))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, 1.0, 1.0, 1.0), (_ANY, 1.5, 2.0, 0.5), (np.array(-0.7), 1.0, 1.0, 1.0)]


class leaky_relu(Activation):
    """`x` for positive `x`, else `slope*x`."""

    params = ("slope",)
    slope: float
    kernel = Kernel(
        "leaky_relu", lambda x, slope: np.where(x > 0, x, x * slope),
        "np.where({0} > 0, {0}, {0} * {slope})", rows=local,
        numbers=_numbers(
            lambda v, slope: sympy.Piecewise((v, sympy.Gt(v, 0)), (v * slope, True))),
    )  # fmt: skip

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        return where.of(self.operands[0] > 0, t, t * self.slope)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, 0.01), (np.array(-0.7), 0.25)]


class threshold(Activation):
    """`x` where it is above the threshold, else `value`."""

    params = ("bound", "value")
    bound: float
    value: float
    refuses = (Category.BOOL, Category.COMPLEX)
    kernel = Kernel(
        "threshold", lambda x, bound, value: np.asarray(np.where(x <= bound, value, x), x.dtype),
        "np.asarray(np.where({0} <= {bound}, {value}, {0}), {0}.dtype)", rows=local,
        numbers=_numbers(
            lambda v, bound, value: sympy.Piecewise((value, sympy.Le(v, bound)), (v, True))),
    )  # fmt: skip

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        return where.of(self.operands[0] <= self.bound, 0, t)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY, 0.0, -1.0), (np.array(0.7), 1.0, 20.0)]


class sinc(Elementwise):
    """`sin(pi*x) / (pi*x)`, and 1 at 0."""

    result = "float"
    scalar = lambda x: sympy.sinc(sympy.pi * x)  # noqa: E731
    kernel = Kernel("sinc", np.sinc, "np.sinc({0})", rows=local)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: sinoverx.of(x * math.pi, 1) * math.pi,)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(_ANY,), (np.array(0.7),), (np.array([0.0, 1e-9, 1.0]),)]


def hardtanh_function(
    input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Any:
    """Return `input` cut off at `min_val` and `max_val`, where the derivative is 0."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _applied(hardtanh, input, (min_val, max_val), inplace)


def relu6(input: Any, inplace: bool = False) -> Any:
    """Return `input` cut off at 0 and 6, where the derivative is 0."""
    return _applied(hardtanh, input, (0.0, 6.0), inplace)


def elu_function(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return `x` where it is positive, else `alpha*(exp(x) - 1)`."""
    return _applied(elu, input, (alpha, 1.0, 1.0), inplace)


def selu(input: Any, inplace: bool = False) -> Any:
    """Return the self-normalising `elu`, whose two constants are fixed."""
    return _applied(elu, input, (1.6732632423543772, 1.0507009873554805, 1.0), inplace)


def leaky_relu_function(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """Return `x` where it is positive, else `negative_slope*x`."""
    return _applied(leaky_relu, input, (negative_slope,), inplace)


def threshold_function(input: Any, threshold: float, value: float, inplace: bool = False) -> Any:
    """Return `x` where it is greater than `threshold`, else `value`."""
    return _applied(_threshold, input, (threshold, value), inplace)


_threshold = threshold


def _applied(cls: type[Activation], input: Any, params: tuple[float, ...], inplace: bool) -> Any:
    result = bind(cls, (input,), params)
    return input.copy_(result) if inplace else result
