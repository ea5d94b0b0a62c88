"""What users call of `symgrad.ops.arithmetic`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from typing import Any

from symgrad.expr.atoms import Const, as_expr
from symgrad.expr.dtypes import Category, number_as
from symgrad.ops.arithmetic import add, add_scaled, div, mul, sub, sub_scaled
from symgrad.ops.primitive import bind
from symgrad.ops.rounding import quotient
from symgrad.record.face import Face, shows
from symgrad.schema.public import public
from symgrad.schema.text import NOT_GIVEN


def _factors(node: Any) -> dict[str, Any]:
    """Return what is shown of operands of a product or quotient that no derivative here reads."""
    return {"self": None, "other": next((x for x in node.operands if isinstance(x, Const)), None)}


def _alpha(node: Any) -> dict[str, Any]:
    """Return the factor of the second operand, which is 1."""
    return {"alpha": 1}


_SCALED = ("self", "other", "alpha")

shows(add, numbers="all", facts=_alpha)
shows(
    sub,
    facts=_alpha,
    name=lambda node: "RsubBackward1" if node.operands[0].weak else "SubBackward0",
    numbers="last",
)
shows(mul, numbers="all", frees=True, facts=_factors)
# PyTorch computes the quotient of a number as its product with the reciprocal.
shows(
    div,
    facts=_factors,
    inner=lambda node: (("Reciprocal", 1), None) if node.operands[0].weak else None,
    name=lambda node: "MulBackward0" if node.operands[0].weak else "DivBackward0",
    numbers="last",
    frees=True,
    keeps_result=False,
)
shows(add_scaled, name="Add", saved=_SCALED, passes=lambda i, kind: True)
shows(sub_scaled, name="Sub", saved=_SCALED, passes=lambda i, kind: True)


@public("positive(Tensor self) -> Tensor", operators=("__pos__",))
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


def _with_factor(cls: Any, x: Any, y: Any, alpha: Any, face: Face | None = None) -> Any:
    """Return `x + alpha*y` or `x - alpha*y`; the plain operation for the integer 1.

    PyTorch refuses some factors that are equal to 1 but of other types.
    """
    if type(alpha) is int:
        if alpha == 1:
            return bind(cls.plain, (x, y), (), face)
        if not -128 <= alpha < 128:
            operands = [v if hasattr(v, "weak") else as_expr(v) for v in (x, y)]
            number_as(alpha, cls.plain.infer(*operands)[1])
    return bind(cls, (x, y, alpha), (), face)


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
    return _with_factor(add_scaled, input, other, alpha)


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
    return _with_factor(sub_scaled, input, other, alpha)


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


_DIV_OF_NO_MODE = Face(
    facts=lambda node: {**_factors(node), "rounding_mode": None},
    name="DivBackward2",
    numbers="each",
    frees=True,
    keeps_result=False,
)


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
    facts=_alpha,
    saved=("", "", "alpha"),
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
    return _with_factor(sub_scaled, other, input, alpha, _RSUB)
