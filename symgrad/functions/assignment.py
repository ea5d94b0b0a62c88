"""`fill`, and PyTorch's face of `symgrad.ops.assignment`."""

import dataclasses
from typing import Any

from symgrad.ops.assignment import copied, filled, zeroed
from symgrad.ops.primitive import bind
from symgrad.record.face import face_of, numbered, shows
from symgrad.schema.arguments import fill_value
from symgrad.schema.public import public

shows(copied, name="torch::autograd::CopyBackwards")
shows(filled, name=numbered("Fill", 1, number=2, tensor=3))
shows(zeroed, name="Zero")
_FILL = dataclasses.replace(
    face_of(filled), name=numbered("Fill", 1, number=0, tensor=1), layout="first"
)


@public(
    "fill(Tensor self, Tensor value) -> Tensor",
    "fill(Tensor self, Scalar value) -> Tensor",
    method=False,
)
def _fill(input: Any, value: Any) -> Any:
    """Return `value` in the shape and dtype of `input`, whose elements do not matter.

    Parameters
    ----------
    value : number, 0-d Tensor or ArrayExpr
        What all elements are.

    Raises
    ------
    RuntimeError
        For a tensor with dimensions, or a number that the dtype cannot hold.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fill(torch.zeros(2, 2), 3)
    tensor([[3., 3.],
            [3., 3.]])
    """
    value = fill_value(value, input.dtype)
    return bind(filled, (input, value), (), _FILL)
