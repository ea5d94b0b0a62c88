"""Tensors of one value: `zeros`, `ones`, `empty` and `full`, of sizes or like another tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.atoms import Const, as_expr
from symgrad.expr.dtypes import dtype, dtype_of_number, from_numpy_dtype, number_as
from symgrad.expr.named_sizes import is_named
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.functions.creation.making import (
    NAME,
    OPTIONS,
    filled_like,
    finish,
    like,
    making,
    sized,
)
from symgrad.schema.arguments import check_shape
from symgrad.schema.kinds import is_tensor
from symgrad.schema.numpy_calls import nearest, numpy_call
from symgrad.tensor.numpy_interop import operand

zeros = sized(
    lambda shape, kind, _: np.zeros(shape, kind.numpy),
    "zeros",
    "Return zeros.",
    """
    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    >>> torch.zeros((2,), dtype=torch.int64)
    tensor([0, 0])
    """,
)
ones = sized(
    lambda shape, kind, _: np.ones(shape, kind.numpy),
    "ones",
    "Return ones.",
    """
    >>> torch.ones(2, requires_grad=True)
    tensor([1., 1.], requires_grad=True)
    """,
)
empty = sized(
    lambda shape, kind, _: np.zeros(shape, kind.numpy),
    "empty",
    "Return a tensor whose values do not matter (they are zero).",
    """
    >>> torch.empty(2, 0).shape
    torch.Size([2, 0])
    """,
    options=f"MemoryFormat? memory_format=None, {OPTIONS}",
)


zeros_like = like(
    zeros,
    """
    >>> torch.zeros_like(torch.tensor([[1, 2]]))
    tensor([[0, 0]])
    """,
)
ones_like = like(
    ones,
    """
    >>> torch.ones_like(torch.tensor([[1, 2]]), dtype=torch.float32)
    tensor([[1., 1.]])
    """,
)
empty_like = like(
    empty,
    """
    >>> x = torch.zeros(2, 3, dtype=torch.float64)
    >>> torch.empty_like(x).dtype, torch.empty_like(x).shape
    (torch.float64, torch.Size([2, 3]))
    """,
)


@making(
    f"full(int[] size, Scalar fill_value, *, Tensor? out=None, {OPTIONS}, {NAME}) -> Tensor",
    formulas=True,
)
def full(
    size: Shape,
    fill_value: Any,
    *,
    out: Any = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
    name: str | None = None,
) -> Any:
    """Return a tensor filled with one number, whose kind decides the dtype unless `dtype` does.

    Parameters
    ----------
    size : sequence of int
        The shape.
    fill_value : number
        The value of all elements. A formula of a number gives a formula, and so does a shape with
        a named size.
    dtype : dtype, optional
        The element type; by default that of such numbers: int64, bool, the default dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.full((2,), 3)
    tensor([3, 3])
    """
    check_shape("full", size)
    if is_named(size) or isinstance(fill_value, ArrayExpr):
        value = as_expr(fill_value)
        if isinstance(value, Const):
            value = Const(value.value, dtype or value.dtype)
        return value.to(dtype or value.dtype).broadcast_to(size)
    kind = dtype or dtype_of_number(fill_value)
    data = np.full(size, number_as(fill_value, kind), kind.numpy)
    return finish("full", data, requires_grad, name, out)


@making(
    "full_like(Tensor input, Scalar fill_value, *, MemoryFormat? memory_format=None, "
    f"{OPTIONS}) -> Tensor",
    formulas=True,
)
def full_like(
    input: Any, fill_value: Any, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Any:
    """Return `full` of the shape and, unless told, the dtype of `input`.

    Parameters
    ----------
    input : Tensor
        Whose shape it takes.
    fill_value : number
        The value of all elements.
    dtype : dtype, optional
        The element type; by default that of `input`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.full_like(torch.zeros(2, 2), 7)
    tensor([[7., 7.],
            [7., 7.]])
    """
    kind = dtype or input.dtype
    return filled_like(
        input, lambda of: full(of, fill_value, dtype=kind, requires_grad=requires_grad)
    )


def _filled_like(a: Any, value: Any, kind: Any) -> Any:
    """Return an array of one value with the shape of `a`, as NumPy's functions ask for it."""
    given = operand(a)
    made = given.dtype if kind is None else from_numpy_dtype(np.dtype(kind))
    if is_tensor(value) or isinstance(value, np.ndarray):
        filling = as_expr(value) if isinstance(given, ArrayExpr) else operand(value)
        return filling.to(made).expand(tuple(given.shape))
    return full_like(given, value, dtype=made)


@numpy_call("zeros_like")
def _numpy_zeros_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: None = None
) -> Any:
    return _filled_like(a, 0, dtype)


@numpy_call("ones_like")
def _numpy_ones_like(
    a: Any, dtype: Any = None, order: str = "K", subok: bool = True, shape: None = None
) -> Any:
    return _filled_like(a, 1, dtype)


@numpy_call("full_like")
def _numpy_full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True,
    shape: None = None,
) -> Any:  # fmt: skip
    return _filled_like(a, fill_value, dtype)


nearest("zeros_like", "empty_like")
