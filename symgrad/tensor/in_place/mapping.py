"""Calling a function on each element, in place: `apply_`, `map_` and `map2_`.

These are no operations: nothing is recorded, and versions do not count them, as in PyTorch.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, dtype
from symgrad.schema.public import tensor_method
from symgrad.support.memory import check_writable
from symgrad.support.quiet import quietly
from symgrad.tensor.conversion import stored_integer
from symgrad.tensor.in_place.change import new_identity


@tensor_method("apply_(Tensor self, object callable) -> Tensor")
def apply_(self: Any, callable: Callable[[Any], Any], /) -> Any:
    """Replace each element by what a function makes of it, in place.

    Parameters
    ----------
    callable : callable
        Takes the element as a Python number and returns a number.

    Raises
    ------
    RuntimeError
        If a gradient is required, or a number does not fit the dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1.0, 2.0, 3.0]).apply_(lambda a: a + 10)
    tensor([11., 12., 13.])
    """
    return _each(self, "apply_", callable)


@tensor_method("map_(Tensor self, Tensor other, object callable) -> Tensor")
def map_(self: Any, other: Any, callable: Callable[[Any, Any], Any]) -> Any:
    """Replace each element by what a function makes of it and one of another tensor, in place.

    Parameters
    ----------
    other : Tensor
        Of the same dtype; it is broadcast to the shape of this one.
    callable : callable
        Takes both elements as Python numbers and returns a number.

    Raises
    ------
    RuntimeError
        If a gradient is required, the shapes do not fit, or a number does not fit the dtype.
    TypeError
        For another dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1.0, 5.0, 3.0]).map_(torch.tensor([2.0, 4.0, 6.0]), max)
    tensor([2., 5., 6.])
    """
    return _each(self, "map_", callable, other=other)


@tensor_method("map2_(Tensor self, Tensor x, Tensor y, object callable) -> Tensor")
def map2_(self: Any, x: Any, y: Any, callable: Callable[[Any, Any, Any], Any]) -> Any:
    """Replace each element by what a function makes of it and those of two tensors, in place.

    Parameters
    ----------
    x, y : Tensor
        Of the same dtype; they are broadcast to the shape of this one.
    callable : callable
        Takes the three elements as Python numbers and returns a number.

    Raises
    ------
    RuntimeError
        If a gradient is required, the shapes do not fit, or a number does not fit the dtype.
    TypeError
        For another dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0])
    >>> torch.zeros(2).map2_(x, y, lambda a, b, c: a + b * c)
    tensor([10., 40.])
    """
    return _each(self, "map2_", callable, x=x, y=y)


def _each(self: Any, name: str, function: Callable[..., Any], **others: Any) -> Any:
    if self._rg or any(x._rg for x in others.values()):
        raise RuntimeError(
            f"Can't call {name}() on Variable that requires grad. Use var.detach().{name}() "
            "instead."
        )
    kind = self._aval.dtype
    for argument, x in others.items():
        if x._aval.dtype is not kind:
            which = f"'{argument}'" if len(others) == 1 else f"argument '{argument}'"
            raise TypeError(
                f"{name}: expected torch.{kind.scalar_name}Tensor for {which} (got "
                f"torch.{x._aval.dtype.scalar_name}Tensor)"
            )
    self.data_ptr()  # there is none inside `vmap`
    check_writable(self._data)
    data = self._data
    operands = [data, *[x.expand(self._aval.shape)._data for x in others.values()]]
    new_identity(self)
    self._storage().write()  # and after it, since `function` may record; whatever interrupts it
    for at in np.ndindex(data.shape):
        value = _stored(function(*[x[at].item() for x in operands]), kind)
        quietly(operator.setitem, data, at, value)
    self._storage().write()
    return self


def _stored(value: Any, kind: dtype) -> Any:
    """Return a Python number as PyTorch stores it in an element of `kind`."""
    if kind.category == Category.BOOL:
        return bool(value if isinstance(value, (float, complex)) else operator.index(value))
    if kind.category == Category.INT:
        return stored_integer(value if isinstance(value, float) else operator.index(value), kind)
    if kind.is_complex and hasattr(value, "__complex__"):
        return complex(value)
    real = math.ldexp(value, 0)  # the float that it stands for; no text is taken for one
    return np.float32(real) if kind.name == "float16" else real
