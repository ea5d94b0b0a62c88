"""Sums, differences, products and quotients, also where one term has a factor.

Powers are in `powers`, rounded quotients and remainders in `rounding`, sums of products that are
one operation in `fused`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from numeric.kernel import Kernel
from numeric.rows import local
from symgrad.expr.dtypes import Category, bool_, dtype
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops.primitive import Elementwise, Level, Notation, bind
from symgrad.ops.samples import ANY, COLUMN
from symgrad.record.face import Face
from symgrad.schema.public import public
from symgrad.schema.text import NOT_GIVEN

__all__ = [
    "add",
    "add_scaled",
    "div",
    "mul",
    "neg",
    "sub",
    "sub_scaled",
]


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


class add(Elementwise):
    poles = ()
    ulps = 0
    arity = 2
    scalar = lambda x, y: x + y  # noqa: E731
    kernel = Kernel.from_ufunc(np.add, "{0} + {1}")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 1, 1

    def notation(self) -> Notation:
        return _infix("+", "{0} + {1}", Level.SUM)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (np.array(0.7), 2)]


class sub(Elementwise):
    poles = ()
    ulps = 0
    arity = 2
    scalar = lambda x, y: x - y  # noqa: E731
    kernel = Kernel.from_ufunc(np.subtract, "{0} - {1}", name="sub")

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        shape, kind = super().infer(*operands)
        x, y = operands
        if x.dtype is bool_ or y.dtype is bool_:
            both = x.dtype is y.dtype
            raise RuntimeError(
                "Subtraction, the `-` operator, with two bool tensors is not supported. Use the "
                "`^` or `logical_xor()` operator instead."
                if both
                else "Subtraction, the `-` operator, with a bool tensor is not supported. If you "
                "are trying to invert a mask, use the `~` or `logical_not()` operator instead."
            )
        return shape, kind

    aliases = ("subtract",)

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return 1, -1

    def notation(self) -> Notation:
        return _infix("-", "{0} - {1}", Level.SUM)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (3.0, np.array(0.7))]


class mul(Elementwise):
    """Return `input * other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> y = torch.tensor([[3.0], [4.0]])
    >>> torch.mul(x, y).sum().backward()
    >>> x.grad
    tensor([7., 7.])
    """

    poles = ()
    ulps = 0
    arity = 2
    scalar = lambda x, y: x * y  # noqa: E731
    kernel = Kernel.from_ufunc(np.multiply, "{0} * {1}", name="mul")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        return y, x

    def notation(self) -> Notation:
        return _infix("*", r"{0} \, {1}", Level.PRODUCT)

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (np.array(0.7), 0.37)]


class div(Elementwise):
    rounds = True  # as the logistic function it may be
    poles = (1,)
    ulps = 0
    arity = 2
    result = "float"
    scalar = lambda x, y: x / y  # noqa: E731
    kernel = Kernel.from_ufunc(np.true_divide, "{0} / {1}", name="div")

    def partials(self, x: ArrayExpr, y: ArrayExpr) -> Sequence[Any]:
        # The quotient is this node again, or what is known of it, as that it is masked.
        return lambda: 1 / y, lambda: -(x / y / y)

    def notation(self) -> Notation:
        return Notation("{0} / {1}", r"\frac{{{0}}}{{{1}}}", Level.PRODUCT, (Level.PRODUCT, 41))

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(np.array([0.3, -1.2, 2.0]), np.array([[1.5], [-0.4]])), (2.0, np.array(0.7))]


class neg(Elementwise):
    """Return `-input`; of bools, RuntimeError.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.neg(torch.tensor([1.0, -2.0]))
    tensor([-1.,  2.])
    """

    poles = ()
    ulps = 0
    aliases = ("negative",)
    scalar = lambda x: -x  # noqa: E731
    kernel = Kernel.from_ufunc(np.negative, "-{0}", name="neg")

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
        return [(np.array([0.3, -1.2, 2.0]),), (np.array(-0.4),)]


@public(
    "positive(Tensor self) -> Tensor",
    operators=("__pos__",),
)
def _positive(input: Any) -> Any:
    """Return `input` itself; of bools, RuntimeError.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.positive(torch.tensor([1.0, -2.0]))
    tensor([ 1., -2.])
    """
    if input.dtype.category == Category.BOOL:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


class _Scaled(Elementwise, abstract=True):
    """A sum or difference with a factor at the second operand, which PyTorch records as one.

    The factor is an operand, so that programs in which it varies are one structure.
    """

    poles: ClassVar[tuple[int, ...] | None] = ()
    arity = 3
    internal = True

    @classmethod
    def infer(cls, *operands: Any) -> tuple[Shape, dtype]:
        x, y, alpha = operands
        shape, kind = super().infer(x, y)
        if alpha.dtype.category > kind.category and alpha.dtype.category >= Category.FLOAT:
            raise RuntimeError(
                "For integral input tensors, argument alpha must not be a floating point number."
                if alpha.dtype.category == Category.FLOAT
                else "For non-complex input tensors, argument alpha must not be a complex number."
            )
        return shape, kind

    @classmethod
    def samples(cls) -> Sequence[tuple[Any, ...]]:
        return [(ANY, COLUMN, 2.5), (np.array(0.7), ANY, -3)]


class add_scaled(_Scaled):
    """`x + alpha*y`."""

    ulps = 0
    scalar = lambda x, y, alpha: x + alpha * y  # noqa: E731
    kernel = Kernel("add", lambda x, y, alpha: x + alpha * y, "{0} + {2} * {1}", rows=local)

    def partials(self, x: ArrayExpr, y: ArrayExpr, alpha: ArrayExpr) -> Sequence[Any]:
        return 1, alpha, y

    def notation(self) -> Notation:
        return Notation("{0} + {2} * {1}", r"{0} + {2} \, {1}", Level.SUM, _SCALED_LEVELS)


class sub_scaled(_Scaled):
    """`x - alpha*y`."""

    ulps = 0
    scalar = lambda x, y, alpha: x - alpha * y  # noqa: E731
    kernel = Kernel("sub", lambda x, y, alpha: x - alpha * y, "{0} - {2} * {1}", rows=local)

    def partials(self, x: ArrayExpr, y: ArrayExpr, alpha: ArrayExpr) -> Sequence[Any]:
        return 1, lambda: -alpha, lambda: -y

    def notation(self) -> Notation:
        return Notation("{0} - {2} * {1}", r"{0} - {2} \, {1}", Level.SUM, _SCALED_LEVELS)


_SCALED_LEVELS = (Level.SUM, Level.PRODUCT + 1, Level.PRODUCT)


@public(
    "add(Tensor self, Tensor other, *, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "-add(Tensor self, Scalar alpha, Tensor other) -> Tensor",
    numbers=True,
    in_place="method",
)
def _add(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Return `input + alpha * other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.add(torch.tensor([1.0, 2.0]), torch.tensor([[10.0], [20.0]]), alpha=2)
    tensor([[21., 22.],
            [41., 42.]])
    """
    if alpha == 1:
        return bind(add, (input, other))
    return bind(add_scaled, (input, other, alpha))


@public(
    "sub(Tensor self, Tensor other, *, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "-sub(Tensor self, Scalar alpha, Tensor other) -> Tensor",
    numbers=True,
    in_place="method",
)
def _sub(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Return `input - alpha * other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.sub(torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0]), alpha=0.5)
    tensor([-4., -8.])
    """
    if alpha == 1:
        return bind(sub, (input, other))
    return bind(sub_scaled, (input, other, alpha))


@public(
    "subtract(Tensor self, Tensor other, *, Scalar alpha=1, Tensor? out=None) -> Tensor",
    "subtract(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    numbers=True,
    in_place="method",
)
def _subtract(input: Any, other: Any, alpha: Any = 1) -> Any:
    """Return `input - alpha * other`, broadcast; `sub` under another name.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.subtract(torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0]), alpha=0.5)
    tensor([-4., -8.])
    """
    return _sub(input, other, alpha=alpha)


_DIV_OF_NO_MODE = Face(name="DivBackward2", numbers="last", frees=True, keeps_result=False)


@public(
    "div(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor",
    "div(Tensor self, Tensor other, *, str? rounding_mode, Tensor? out=None) -> Tensor",
    "div(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
    numbers=True,
    in_place="method",
)
def _div(input: Any, other: Any, *, rounding_mode: Any = NOT_GIVEN) -> Any:
    """Return `input / other`, broadcast; a rounded quotient has zero derivatives.

    Parameters
    ----------
    rounding_mode : None, "trunc" or "floor"
        Round the quotient towards zero or down.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([7.0, -7.0]), torch.tensor([2.0, 2.0])
    >>> torch.div(x, y)
    tensor([ 3.5000, -3.5000])
    >>> torch.div(x, y, rounding_mode="floor")
    tensor([ 3., -4.])
    >>> torch.div(x, y, rounding_mode="trunc")
    tensor([ 3., -3.])
    """
    if rounding_mode is NOT_GIVEN:
        return bind(div, (input, other))
    if rounding_mode is None:
        return bind(div, (input, other), face=_DIV_OF_NO_MODE)
    if rounding_mode not in ("trunc", "floor"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    from symgrad.ops.rounding import quotient  # noqa: PLC0415 - rounding is written with this file

    return bind(quotient, (input, other), (rounding_mode,))


@public(
    "divide(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor",
    "divide(Tensor self, Tensor other, *, str? rounding_mode, Tensor? out=None) -> Tensor",
    "divide(Tensor self, Scalar other) -> Tensor",
    "divide(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
    numbers=True,
    in_place="method",
)
def _divide(input: Any, other: Any, *, rounding_mode: Any = NOT_GIVEN) -> Any:
    """Return `input / other`, as `div`.

    Parameters
    ----------
    rounding_mode : None, "trunc" or "floor"
        Round the quotient towards zero or down.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.divide(torch.tensor([7.0, -7.0]), 2)
    tensor([ 3.5000, -3.5000])
    """
    return _div(input, other, rounding_mode=rounding_mode)


@public(
    "multiply(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor",
    "multiply(Tensor self, Scalar other) -> Tensor",
    numbers=True,
    in_place="method",
)
def _multiply(input: Any, other: Any) -> Any:
    """Return `input * other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.multiply(torch.tensor([1.0, 2.0]), 3)
    tensor([3., 6.])
    """
    return bind(mul, (input, other))


@public(
    "true_divide(Tensor self, Tensor other, *, Tensor? out=None) -> Tensor",
    "true_divide(Tensor self, Scalar other) -> Tensor",
    numbers=True,
    in_place="method",
)
def _true_divide(input: Any, other: Any) -> Any:
    """Return `input / other`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.true_divide(torch.tensor([7, 8]), 2)
    tensor([3.5000, 4.0000])
    """
    return bind(div, (input, other))


_RSUB = Face(
    name=lambda node: f"RsubBackward{1 if node.operands[0].weak else 0}",
    edges=lambda places: places[::-1],
)


@public(
    "rsub(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    "rsub(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
)
def _rsub(input: Any, other: Any, alpha: Any = 1) -> Any:
    """Return `other - alpha * input`, broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.rsub(torch.tensor([1.0, 2.0]), 10)
    tensor([9., 8.])
    """
    if alpha == 1:
        return bind(sub, (other, input), face=_RSUB)
    return bind(sub_scaled, (other, input, alpha), face=_RSUB)
