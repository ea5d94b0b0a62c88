"""What users call of `symgrad.ops.where`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.expr.atoms import as_expr
from symgrad.expr.dtypes import dtype, number_as, number_as_tensor, result_dtype
from symgrad.expr.shapes import broadcast_shapes
from symgrad.ops.primitive import bind
from symgrad.ops.where import masked_fill, where
from symgrad.record.face import numbered, shows
from symgrad.schema.arguments import is_real_number
from symgrad.schema.numpy_calls import nearest, numpy_call
from symgrad.schema.public import FUNCTIONS, in_place, public
from symgrad.tensor.numpy_interop import operand

shows(
    where,
    edges=lambda tensors: [i if i in tensors else None for i in (1, 2)],
    passes=lambda i, kind: i > 0,
    saved=("condition", "", ""),
)
shows(
    masked_fill,
    name=numbered("MaskedFill", 2, number=0, tensor=1),
    passes=lambda i, kind: i != 1,
    saved=("self", "mask"),
)


@public(
    "where(Tensor condition) -> Tensor[]",
    "where(Tensor condition, Tensor self, Tensor other, *, Tensor? out=None) -> Tensor",
    "where(Tensor condition, Scalar self, Tensor other) -> Tensor",
    "where(Tensor condition, Tensor self, Scalar other) -> Tensor",
    "where(Tensor condition, Scalar self, Scalar other) -> Tensor",
    method=False,
)
def _where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """Choose `input` where `condition` holds, else `other`.

    Parameters
    ----------
    condition : bool tensor or expression
    input, other : tensor, expression or number
        Broadcast with the condition. Without both, the indices where the condition is nonzero.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (3,))
    >>> symgrad.where(x > 0, x, 0).shape
    (3,)
    """
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    check_number(input, other, number_as_tensor)
    check_number(other, input, number_as_tensor)
    return bind(where, (condition, input, other))


@public(
    "where(Tensor condition) -> Tensor[]",
    "where(Tensor condition, Tensor self, Tensor other, *, Tensor? out=None) -> Tensor",
    "where(Tensor condition, Scalar self, Tensor other) -> Tensor",
    "where(Tensor condition, Tensor self, Scalar other) -> Tensor",
    "where(Tensor condition, Scalar self, Scalar other) -> Tensor",
    function=False,
)
def _where_method(self: Any, condition: Any, other: Any) -> Any:
    """Keep the elements where `condition` holds; take `other` elsewhere.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([-1.0, 2.0])
    >>> x.where(x > 0, 0.0)
    tensor([0., 2.])
    """
    check_number(other, self, number_as_tensor)
    return bind(where, (condition, self, other))


def check_number(value: Any, other: Any, convert: Callable[[Any, dtype], Any]) -> None:
    """Raise PyTorch's error for a number that the dtype of the result with a tensor cannot hold.

    `convert` is `number_as` or its kin.
    """
    kind = value.__class__
    may_overflow = (kind is int or kind is float) and not is_small(value)
    if (may_overflow or kind is complex) and hasattr(other, "shape"):
        convert(value, result_dtype((other, as_expr(value))))


def is_small(value: float) -> bool:
    """Return whether every dtype holds a number of this size."""
    return -128 < value < 128


@public(
    "masked_fill(Tensor self, Tensor mask, Tensor value) -> Tensor",
    "masked_fill(Tensor self, Tensor mask, Scalar value) -> Tensor",
    in_place="method",
    sharing="any",
)
def _masked_fill(input: Any, mask: Any, value: Any) -> Any:
    """Return `input` with `value` where `mask` holds; the filled elements get no gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    >>> mask = torch.tensor([False, True, False])
    >>> y = torch.masked_fill(x, mask, -1.0)
    >>> y
    tensor([ 1., -1.,  3.], grad_fn=<MaskedFillBackward0>)
    >>> y.sum().backward()
    >>> x.grad
    tensor([1., 0., 1.])
    """
    if isinstance(value, np.generic) or not hasattr(value, "shape"):
        value = number_as(value, input.dtype)
    elif value.dtype.is_complex and not input.dtype.is_complex and is_real_number(value):
        value = value.real
    return bind(masked_fill, (input, mask, value))


@in_place("masked_fill")
def _masked_fill_in_place(input: Any, mask: Any, value: Any) -> Any:
    if mask.shape != input.shape:  # the error names the tensor that is changed first
        broadcast_shapes(tuple(input.shape), tuple(mask.shape))
    return _masked_fill(input, mask, value)


nearest("where", "choose", "piecewise", "place", "putmask", "copyto")


@numpy_call("where")
def _numpy_where(condition: Any, *choices: Any) -> Any:
    chosen = operand(condition)
    if chosen.dtype.name != "bool":
        chosen = chosen.ne(0)
    listed = [operand(x) if isinstance(x, (np.ndarray, list, tuple)) else x for x in choices]
    return FUNCTIONS["where"](chosen, *listed)


@numpy_call("select")
def _numpy_select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    result = default
    for condition, choice in reversed(list(zip(condlist, choicelist, strict=True))):
        result = _numpy_where(condition, choice, result)
    return result
