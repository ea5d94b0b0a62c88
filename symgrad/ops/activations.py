"""Activations with numbers of their own: hardtanh, elu, leaky_relu, threshold; and sinc."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.ops.arguments import changeable
from symgrad.ops.kinds import Tuned
from symgrad.ops.primitive import Elementwise, bind
from symgrad.ops.samples import ANY
from symgrad.ops.trigonometric import _sinoverx, sinoverx
from symgrad.ops.where import where
from symgrad.record.face import Face
from symgrad.schema.public import public
from symgrad.support.untraceable import UntraceableValue

__all__ = ["elu", "hardtanh", "leaky_relu", "sinc", "threshold"]

_REFUSED = (Category.BOOL, Category.INT, Category.COMPLEX)


class hardtanh(Tuned):
    """`x` cut off at `low` and `high`, where the derivative is 0."""

    ulps = 0
    arity = 3
    refuses = (Category.BOOL, Category.COMPLEX)
    scalar = lambda x, low, high: sympy.Min(sympy.Max(x, low), high)  # noqa: E731
    kernel = Kernel(
        "hardtanh", lambda x, low, high: np.clip(x, low, high), "np.clip({0}, {1}, {2})", rows=local
    )

    @classmethod
    def refused(cls, kind: dtype) -> Exception:
        if kind.is_complex:
            return NotImplementedError("clamp is not supported for complex types")
        return RuntimeError("Bool inputs not supported for hardtanh")

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        x, low, high = self.operands
        return where.of((x > low).logical_and(x < high), t, 0)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY, -1.0, 1.0), (np.array([[0.3], [7.0]]), 0.0, 6.0), (np.array(0.5), 0.0, 1.0)]


def _elu(x, alpha, *, scale, steep):  # type: ignore[no-untyped-def]
    return np.where(x > 0, x * scale, np.expm1(np.where(x > 0, 0, x) * steep) * (alpha * scale))


def _elu_numbers(x: Any, alpha: Any, scale: float, steep: float) -> Any:
    def f(v: Any, a: Any) -> Any:
        below = (sympy.exp(v * steep) - 1) * a * scale
        return sympy.Piecewise((v * scale, sympy.Gt(v, 0)), (below, True))

    return np.frompyfunc(f, 2, 1)(x, alpha)


class elu(Tuned):
    """`scale*x` for positive `x`, else `scale*alpha*(exp(steep*x) - 1)`."""

    ulps = 4
    arity = 2
    params = ("scale", "steep")
    real_params = ("scale", "steep")
    scale: float
    steep: float
    refuses = _REFUSED
    kernel = Kernel.from_function(_elu, rows=local, numbers={"sympy": _elu_numbers})

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        x, alpha = self.operands
        # At 0 the slope is that of the exponential, and constant: PyTorch bends it below only.
        inner = (where.of(x < 0, x, 0) * self.steep).exp()
        factor = alpha * (self.scale * self.steep)
        return where.of(x <= 0, t * (inner * factor), t * self.scale)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY, 1.0, 1.0, 1.0), (ANY, 1.5, 2.0, 0.5), (np.array(-0.7), 0.37, 1.0, 1.0)]


class leaky_relu(Tuned):
    """`x` for positive `x`, else `slope*x`."""

    ulps = 0
    arity = 2
    refuses = _REFUSED
    scalar = lambda x, slope: sympy.Piecewise((x, sympy.Gt(x, 0)), (x * slope, True))  # noqa: E731
    kernel = Kernel(
        "leaky_relu", lambda x, slope: np.where(x > 0, x, x * slope),
        "np.where({0} > 0, {0}, {0} * {1})", rows=local,
    )  # fmt: skip

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        x, slope = self.operands
        return where.of(x > 0, t, t * slope)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY, 0.01), (np.array(-0.7), 0.25)]


class threshold(Tuned):
    """`x` where it is above the threshold, else `value`."""

    ulps = 0
    arity = 3
    refuses = (Category.BOOL, Category.COMPLEX)
    scalar = lambda x, bound, value: sympy.Piecewise((value, sympy.Le(x, bound)), (x, True))  # noqa: E731
    kernel = Kernel(
        "threshold", lambda x, bound, value: np.asarray(np.where(x <= bound, value, x), x.dtype),
        "np.asarray(np.where({0} <= {1}, {2}, {0}), {0}.dtype)", rows=local,
    )  # fmt: skip

    def weighed(self, t: ArrayExpr) -> ArrayExpr:
        x, bound, _ = self.operands
        return where.of(x <= bound, 0, t)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY, 0.0, -1.0), (np.array(0.7), 1.0, 20.0)]


def _sinc(x):  # type: ignore[no-untyped-def]
    # The sine of what is left of x after whole turns: pi*x itself is rounded, and overflows.
    turned = np.pi * (x - 2 * np.rint(x / 2))
    zero = x == 0
    return np.where(zero, 1, np.sin(turned) / np.where(zero, 1, np.pi * x))


class sinc(Elementwise):
    """Return `sin(pi*x) / (pi*x)` of each element of `input`, and 1 of 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sinc(torch.tensor([0.0, 0.5, 1.5]))
    tensor([ 1.0000,  0.6366, -0.2122])
    """

    ulps = 8
    result = "float"
    scalar = lambda x: sympy.sinc(sympy.pi * x)  # noqa: E731
    kernel = Kernel.from_function(_sinc, rows=local)

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        return (_COMPLEX_SINC if self.dtype.is_complex else self.kernel), {}, self.operands

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        if self.dtype.is_complex:
            return (lambda: sinoverx.of(x * math.pi, 1) * math.pi,)
        return (lambda: sinc_derivative.of(x, 1),)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY,), (np.array(0.7),), (np.array([0.0, 1e-9, 1.0]),)]


def _sinc_derivative(x, *, order):  # type: ignore[no-untyped-def]
    x = np.asarray(x)
    kind, x = x.dtype, x.astype(np.float64)
    turned = np.pi * (x - 2 * np.rint(x / 2))
    inner = np.pi * np.where(abs(x) < 2.5, x, 1)
    near = _sinoverx(inner, np.sin(turned), np.cos(turned), order=order)  # type: ignore[no-untyped-call]
    far = np.sin(turned) / (np.pi * x)
    waves = [np.sin(turned), np.cos(turned), -np.sin(turned), -np.cos(turned)]
    for k in range(1, order + 1):  # as there, with no pi*x, which overflows
        far = (waves[k % 4] * np.pi ** (k - 1) - k * far) / x
    far = np.where(np.isinf(x), 0, far)
    return np.where(abs(x) < 2.5, near * np.pi**order, far).astype(kind)


_COMPLEX_SINC = Kernel("sinc", np.sinc, "np.sinc({0})", rows=local)


class sinc_derivative(sinoverx):
    """The derivative of some order of `sinc`, with the sine of `pi*x` without its rounding."""

    ulps = 8
    refuses = (Category.COMPLEX,)
    kernel = Kernel.from_function(
        _sinc_derivative,
        prelude=Kernel.from_function(_sinoverx).prelude,
        rows=local,
        numbers={"sympy": lambda x, order: (
            sinoverx.kernel.numbers["sympy"](x * sympy.pi, order) * sympy.pi**order
        )},
    )  # fmt: skip

    def element(self, *operands: Any) -> Any:
        return super().element(operands[0] * sympy.pi) * sympy.pi**self.order

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (lambda: sinc_derivative.of(x, self.order + 1),)


@public(
    "nn.functional.hardtanh(Tensor input, float min_val=-1.0, float max_val=1.0, object inplace=False) -> Tensor",
    python=True,
    method=False,
)
def hardtanh_function(
    input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False
) -> Any:
    """Return `input` cut off at `min_val` and `max_val`, where the derivative is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.hardtanh(torch.tensor([-3.0, 0.5, 2.0]))
    tensor([-1.0000,  0.5000,  1.0000])
    """
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    low = min_val
    high = max_val
    return _applied(hardtanh, (input, low, high), inplace)


@public(
    "nn.functional.relu6(Tensor input, object inplace=False) -> Tensor",
    python=True,
    method=False,
)
def relu6(input: Any, inplace: bool = False) -> Any:
    """Return `input` cut off at 0 and 6, where the derivative is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.relu6(torch.tensor([-1.0, 3.0, 9.0]))
    tensor([0., 3., 6.])
    """
    return _applied(hardtanh, (input, 0.0, 6.0), inplace)


@public(
    "nn.functional.elu(Tensor input, float alpha=1.0, object inplace=False) -> Tensor",
    python=True,
    method=False,
)
def elu_function(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    """Return `x` where it is positive, else `alpha*(exp(x) - 1)`.

    Parameters
    ----------
    alpha : float
        The limit to the left, negated.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.elu(torch.tensor([-1.0, 0.0, 2.0]), alpha=0.5)
    tensor([-0.3161,  0.0000,  2.0000])
    """
    return _applied(elu, (input, alpha), inplace, (1.0, 1.0))


@public(
    "nn.functional.selu(Tensor input, object inplace=False) -> Tensor",
    python=True,
    method=False,
)
def selu(input: Any, inplace: bool = False) -> Any:
    """Return the self-normalising `elu`, whose two constants are fixed.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.selu(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([-1.1113,  0.0000,  2.1014])
    """
    return _applied(elu, (input, 1.6732632423543772), inplace, (1.0507009873554805, 1.0))


@public(
    "nn.functional.leaky_relu(Tensor input, float negative_slope=0.01, object inplace=False) -> Tensor",
    python=True,
    method=False,
)
def leaky_relu_function(input: Any, negative_slope: float = 0.01, inplace: bool = False) -> Any:
    """Return `x` where it is positive, else `negative_slope*x`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.leaky_relu(torch.tensor([-10.0, 2.0]), 0.1)
    tensor([-1.,  2.])
    """
    slope = negative_slope
    return _applied(leaky_relu, (input, slope), inplace)


@public(
    "nn.functional.threshold(Tensor input, float threshold, float value, object inplace=False) -> Tensor",
    python=True,
    method=False,
)
def threshold_function(input: Any, threshold: float, value: float, inplace: bool = False) -> Any:
    """Return `x` where it is greater than `threshold`, else `value`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.threshold(torch.tensor([-1.0, 0.5, 2.0]), 1.0, -7.0)
    tensor([-7., -7.,  2.])
    """
    bound = threshold
    return _applied(_threshold, (input, bound, value), inplace)


_threshold = threshold


_FOLDED = (
    "In-place {} backward calculation is triggered with a negative slope which is not supported. "
    "This is caused by calling in-place forward function with a negative slope, please call "
    "out-of-place version instead."
)
#: Where a negative slope gives values of both signs on one side, PyTorch cannot tell, from values
#: that were changed in place, where these came from; this is how it refuses.
_FOLDING: dict[type[Tuned], Face] = {
    elu: Face(name="Elu", refusal=_FOLDED.format("elu")),
    leaky_relu: Face(
        name="LeakyRelu",
        refusal=_FOLDED.format("leakyReLu")
        + " File an issue at https://github.com/pytorch/pytorch if you do require supporting "
        "in-place leakRelu backward calculation with negative slope",
    ),
}


def _applied(
    cls: type[Tuned], operands: tuple[Any, ...], inplace: bool, params: tuple[float, ...] = ()
) -> Any:
    if not inplace:
        return bind(cls, operands, params)
    name = cls.__name__
    face = _FOLDING.get(cls) if operands[1] < 0 else None
    x = changeable(operands[0], name)
    for number in operands[1:]:
        if isinstance(number, ArrayExpr):
            raise UntraceableValue(f"{name}_(): a formula has no value to write: give a number")
    return x._changed(name, lambda: bind(cls, operands, params, face))
