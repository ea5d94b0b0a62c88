"""The methods that make a tensor after another: `new_zeros` and its kin, `bernoulli`."""

from __future__ import annotations

import inspect
from typing import Any

from symgrad.expr.dtypes import dtype
from symgrad.expr.shapes import Shape
from symgrad.functions.creation.counts import DRAWN_BY_WEIGHT, multinomial
from symgrad.functions.creation.data import tensor
from symgrad.functions.creation.draws import DRAWN_BY_PROBABILITY, bernoulli
from symgrad.functions.creation.filled import empty, full, ones, zeros
from symgrad.functions.creation.making import OPTIONS, beside, filled, making
from symgrad.schema.arguments import check_shape


def _new(make: Any) -> Any:
    """Make the method that takes only the dtype of a tensor."""
    call = f"new_{make.__name__}"

    def new(
        self: Any, size: Shape, *, dtype: dtype | None = None, requires_grad: bool = False
    ) -> Any:
        check_shape(call, size)
        kind = dtype or self.dtype
        return filled(self, size, lambda of: make(of, dtype=kind, requires_grad=requires_grad))

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
    return making(
        f"{call}(Tensor self, int[] size, *, {OPTIONS}) -> Tensor", method=True, formulas=True
    )(new)


@making(
    f"new_full(Tensor self, int[] size, Scalar fill_value, *, {OPTIONS}) -> Tensor",
    method=True,
    formulas=True,
)
def _new_full(
    self: Any, size: Shape, fill_value: Any, *, dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Any:  # fmt: skip
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
    check_shape("new_full", size)
    kind = dtype or self.dtype
    return filled(
        self, size, lambda of: full(of, fill_value, dtype=kind, requires_grad=requires_grad)
    )


@making(
    "new_tensor(Tensor self, object data, *, ScalarType? dtype=None, Device? device=None, "
    "bool requires_grad=False) -> Tensor",
    method=True,
    formulas=True,
)
def _new_tensor(
    self: Any, data: Any, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Any:
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
    return beside(self, tensor(data, dtype=dtype or self.dtype, requires_grad=requires_grad))


#: The methods that read the dtype alone, by their names; formulas have them, too.
FILLED: dict[str, Any] = {
    f.__name__: f for f in (_new(zeros), _new(ones), _new(empty), _new_full, _new_tensor)
}
#: The methods of tensors, by their names.
MAKING: dict[str, Any] = {
    **FILLED,
    "bernoulli": making(*DRAWN_BY_PROBABILITY, method=True)(inspect.unwrap(bernoulli)),
    "multinomial": making(*DRAWN_BY_WEIGHT, method=True)(inspect.unwrap(multinomial)),
}
