"""PyTorch's face of `symgrad.ops.assignment`, and `fill`."""

from typing import Any

from symgrad.expr.dtypes import number_as
from symgrad.ops.assignment import copied, filled, zeroed
from symgrad.ops.primitive import bind
from symgrad.record.face import Face, numbered, shows
from symgrad.schema.public import public

shows(copied, name="torch::autograd::CopyBackwards")
shows(filled, name=numbered("Fill", 1, number=2, tensor=3))
shows(zeroed, name="Zero")
_FILL = Face(name=numbered("Fill", 1, number=0, tensor=1))


@public(
    "fill(Tensor self, Tensor value) -> Tensor",
    "fill(Tensor self, Scalar value) -> Tensor",
    method=False,
)
def _fill(input: Any, value: Any) -> Any:
    """Return an array of the shape and dtype of `input` that has one value everywhere.

    Parameters
    ----------
    value : number or Tensor
        The value; a tensor has no axes.

    Raises
    ------
    RuntimeError
        For a tensor with axes, or a number that the dtype cannot hold.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.fill(torch.tensor([1, 2]), 3)
    tensor([3, 3])
    """
    shape = getattr(value, "shape", None)
    if shape is None:
        value = number_as(value, input.dtype)
    elif shape:
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {len(shape)} dimensions."
        )
    return bind(filled, (input, value), (), _FILL)
