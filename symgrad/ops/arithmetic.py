"""Addition, multiplication, powers and their kin. Functions with a graph of their own (exp, sin)
and everything that moves data stand elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import sympy

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, dtype
from symgrad.expr.node import ArrayExpr, Const, as_expr
from symgrad.expr.shapes import Shape
from symgrad.primitive import Elementwise, Level, Notation, bind
from symgrad.public import public


def _infix(
    symbol: str, latex: str, level: int, left: int | None = None, right: int | None = None
) -> Notation:
    """A binary operator; by default the left operand may bind equally tightly."""
    return Notation(
        f"{{0}} {symbol} {{1}}" if level < Level.POWER else f"{{0}}{symbol}{{1}}",
        latex,
        level,
        (left if left is not None else level, right if right is not None else level + 1),
    )


def _kernel(name: str, call: Any, source: str) -> Kernel:
    return Kernel(name, call, source, out=True, rows=local)


class add(Elementwise):
    arity = 2
    scalar = lambda x, y: x + y  # noqa: E731
    kernel = _kernel("add", np.add, "{0} + {1}")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 1, 1

    def notation(self) -> Notation:
        return _infix("+", "{0} + {1}", Level.SUM)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (np.array(0.7), 2)]


class sub(Elementwise):
    arity = 2
    scalar = lambda x, y: x - y  # noqa: E731
    kernel = _kernel("sub", np.subtract, "{0} - {1}")

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        shape, kind = super().infer(*operands)
        if any(x.dtype.category == Category.BOOL and not x.weak for x in operands):
            both = all(x.dtype.category == Category.BOOL for x in operands)
            raise RuntimeError(
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the "
                "`^` or `logical_xor()` operator instead."
                if both
                else "Subtraction, the `-` operator, with a bool tensor is not supported. If you "
                "are trying to invert a mask, use the `~` or `logical_not()` operator instead."
            )
        return shape, kind

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 1, -1

    def notation(self) -> Notation:
        return _infix("-", "{0} - {1}", Level.SUM)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (3.0, np.array(0.7))]


class mul(Elementwise):
    arity = 2
    frees = True
    scalar = lambda x, y: x * y  # noqa: E731
    kernel = _kernel("mul", np.multiply, "{0} * {1}")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return y, x

    def notation(self) -> Notation:
        return _infix("*", r"{0} \, {1}", Level.PRODUCT)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (np.array(0.7), 0.37)]


class div(Elementwise):
    arity = 2
    frees = True
    result = "float"
    scalar = lambda x, y: x / y  # noqa: E731
    kernel = _kernel("div", np.true_divide, "{0} / {1}")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: 1 / y, lambda: -(self / y)

    def notation(self) -> Notation:
        return Notation("{0} / {1}", r"\frac{{{0}}}{{{1}}}", Level.PRODUCT, (Level.PRODUCT, 41))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (2.0, np.array(0.7))]


class neg(Elementwise):
    scalar = lambda x: -x  # noqa: E731
    kernel = _kernel("neg", np.negative, "-{0}")

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        if operands[0].dtype.category == Category.BOOL:
            raise RuntimeError(
                "Negation, the `-` operator, on a bool tensor is not supported. If you are trying "
                "to invert a mask, use the `~` or `logical_not()` operator instead."
            )
        return super().infer(*operands)

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (-1,)

    def notation(self) -> Notation:
        return Notation("-{0}", "- {0}", Level.UNARY, (Level.UNARY,))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]),)]


# PyTorch computes these exponents without `pow`, to other last bits than `pow` gives.
_POWERS: dict[Any, Kernel] = {
    p: Kernel("pow", call, source, rows=local)
    for p, call, source in (
        (0.5, np.sqrt, "np.sqrt({0})"),
        (1, np.positive, "np.positive({0})"),
        (2, np.square, "np.square({0})"),
        (3, lambda x: x * x * x, "{0} * {0} * {0}"),
        (-1, lambda x: 1 / x, "1 / {0}"),
        (-2, lambda x: 1 / (x * x), "1 / ({0} * {0})"),
        (-0.5, lambda x: 1 / np.sqrt(x), "1 / np.sqrt({0})"),
    )
}


class pow(Elementwise):  # noqa: A001 - PyTorch's name
    structural_operand = 1
    arity = 2
    frees = True
    scalar = lambda x, y: x**y  # noqa: E731
    kernel = _kernel("pow", np.power, "np.power({0}, {1})")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return lambda: self._in_base(x, y), lambda: self._in_exponent(x, y)

    def _in_base(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr | int:
        if isinstance(y, Const):
            p = y.value
            return 0 if p == 0 else p * x ** (p - 1)
        # x**0 is constant in x, also where x**(-1) is infinite.
        return (y == 0).where(0, y * x ** (y - 1))

    def _in_exponent(self, x: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        # 0**y is constant for y >= 0.
        return ((x == 0) & (y >= 0)).where(0, self * as_expr(x).log())

    def implementation(self) -> tuple[Kernel, Mapping[str, Any], tuple[ArrayExpr, ...]]:
        x, y = self.operands
        special = _POWERS.get(y.number) if isinstance(y, Const) else None
        if special is None or self.dtype.category < Category.FLOAT:
            return self.kernel, {}, self.operands
        return special, {}, (x,)

    def notation(self) -> Notation:
        return Notation("{0}**{1}", "{0}^{{{1}}}", Level.POWER, (Level.POWER + 1, Level.UNARY))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        base = np.array([0.3, 1.2, 2.0])
        return [(base, np.array([[1.5], [-0.4]])), (base, 2), (base, 3), (base, 0.5), (2.0, base)]


class sqrt(Elementwise):
    result = "float"
    scalar = sympy.sqrt
    kernel = _kernel("sqrt", np.sqrt, "np.sqrt({0})")

    def partials(self, x: ArrayExpr) -> Sequence[Any]:
        return (1 / (2 * self),)

    def notation(self) -> Notation:
        return Notation("sqrt({0})", r"\sqrt{{{0}}}")

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, 1.2, 2.0]),)]


__all__ = ["add", "div", "mul", "neg", "pow", "sqrt", "sub"]

_ = (Mapping, bind, public)
