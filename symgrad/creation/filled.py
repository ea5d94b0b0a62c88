"""Tensors of one value: `zeros`, `ones`, `empty` and `full`, of sizes or like another tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.arguments import (
    dtype_argument,
    number,
    size_argument,
    tensor_argument,
)
from symgrad.autograd.record import Recorded
from symgrad.conversion import array_of
from symgrad.creation.making import (
    MISSING,
    finish,
    laid_out_like,
    like,
    making,
    required,
    sized,
)
from symgrad.dispatch import overridable
from symgrad.expr.dtypes import (
    dtype,
    dtype_of_number,
)

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


@making
def full(
    size: Any = MISSING,
    fill_value: Any = MISSING,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    out: Any = None,
    name: str | None = None,
) -> Any:
    """Return a tensor filled with one number, whose kind decides the dtype unless `dtype` does.

    Parameters
    ----------
    size : sequence of int
        The shape.
    fill_value : number
        The value of all elements.
    dtype : dtype, optional
        The element type; by default that of such numbers: int64, bool, the default dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.full((2,), 3)
    tensor([3, 3])
    """
    required("full", ("size", size), ("fill_value", fill_value))
    if not isinstance(size, (tuple, list)):
        raise TypeError(
            f"full(): argument 'size' (position 1) must be tuple of ints, not {type(size).__name__}"
        )
    shape = size_argument("full", (size,))
    if isinstance(fill_value, Recorded) and fill_value._aval.shape == ():
        inferred = fill_value._aval.dtype
    else:
        inferred = dtype_of_number(number("full", "fill_value", 2, fill_value))
    value = number("full", "fill_value", 2, fill_value)
    kind = dtype_argument("full", dtype, inferred)
    data = np.full(shape, array_of(value, kind), kind.numpy)
    return finish("full", data, requires_grad, name, device, out=out)


@overridable("torch.full_like")
@making
def full_like(
    input: Any = MISSING,
    fill_value: Any = MISSING,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
    layout: Any = None,
    pin_memory: bool = False,
    memory_format: Any = None,
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
    required("full_like", ("input", input), ("fill_value", fill_value))
    x = tensor_argument("full_like", input)
    kind = dtype_argument("full_like", dtype, x._aval.dtype)
    value = number("full_like", "fill_value", 2, fill_value)
    return laid_out_like(
        x, lambda of: full(of, value, dtype=kind, device=device, requires_grad=requires_grad)
    )
