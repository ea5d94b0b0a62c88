"""The methods that make a tensor after another: `new_zeros` and its kin, `bernoulli`."""

from __future__ import annotations

from typing import Any

from symgrad.arguments import (
    dtype_argument,
    size_argument,
)
from symgrad.creation.data import tensor
from symgrad.creation.draws import bernoulli
from symgrad.creation.filled import empty, full, ones, zeros
from symgrad.creation.making import making, sizes_taken, spread
from symgrad.expr.dtypes import (
    dtype,
)
from symgrad.tensor import Tensor


def _new(make: Any) -> Any:
    """Make the method that takes only the dtype of a tensor."""
    call = f"new_{make.__name__}"

    def new(self: Any, *size: Any, dtype: dtype | None = None, requires_grad: bool = False,
            device: Any = None, layout: Any = None, pin_memory: bool = False,
            **keywords: Any) -> Any:  # fmt: skip
        shape = size_argument(call, sizes_taken(call, size, keywords))
        kind = dtype_argument(call, dtype, self._aval.dtype)
        made = make(shape, dtype=kind, requires_grad=requires_grad, device=device)
        return spread(made, self)

    new.__name__ = new.__qualname__ = call
    new.__doc__ = f"""Return `{make.__name__}` of the dtype of this tensor, unless told another.

    Parameters
    ----------
    *size : int, or one sequence of int
        The shape.
    dtype : dtype, optional
        The element type; by default that of this tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1, 2])
    >>> x.{call}(2, 3).dtype, x.{call}(2, 3).shape
    (torch.int64, torch.Size([2, 3]))
    """
    return making(new)


@making
def _new_full(self: Any, size: Any, fill_value: Any, *, dtype: dtype | None = None,
              requires_grad: bool = False, device: Any = None, layout: Any = None,
              pin_memory: bool = False) -> Any:  # fmt: skip
    """Return `full` of the dtype of this tensor, unless told another.

    Parameters
    ----------
    size : sequence of int
        The shape.
    fill_value : number
        The value of all elements.
    dtype : dtype, optional
        The element type; by default that of this tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros(1, dtype=torch.float64).new_full((2,), 3)
    tensor([3., 3.], dtype=torch.float64)
    """
    kind = dtype_argument("new_full", dtype, self._aval.dtype)
    made = full(size, fill_value, dtype=kind, requires_grad=requires_grad, device=device)
    return spread(made, self)


@making
def _new_tensor(self: Any, data: Any, *, dtype: dtype | None = None, requires_grad: bool = False,
                device: Any = None, layout: Any = None,
                pin_memory: bool = False) -> Any:  # fmt: skip
    """Return a tensor of a copy of `data`, of the dtype of this one, unless told another.

    Parameters
    ----------
    data : number, nested sequence or array
        The values.
    dtype : dtype, optional
        The element type; by default that of this tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.zeros(1, dtype=torch.float64).new_tensor([1, 2])
    tensor([1., 2.], dtype=torch.float64)
    """
    kind = dtype_argument("new_tensor", dtype, self._aval.dtype)
    return tensor(data, dtype=kind, requires_grad=requires_grad, device=device)


for _name, _method in (
    ("new_zeros", _new(zeros)),
    ("new_ones", _new(ones)),
    ("new_empty", _new(empty)),
    ("new_full", _new_full),
    ("new_tensor", _new_tensor),
):
    _method.__name__ = _method.__qualname__ = _name
    setattr(Tensor, _name, _method)
setattr(Tensor, "bernoulli", bernoulli)  # noqa: B010 - of the type that checkers know, it is none
