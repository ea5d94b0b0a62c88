"""Questions about dtypes and tensors: `promote_types`, `can_cast`, `finfo`, `is_tensor`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.expr.dtypes import (
    Category,
    default_dtype,
    dtype,
    dtype_of_number,
    promote,
    result_dtype,
    set_default_dtype,
)
from symgrad.expr.node import ArrayExpr, stands_for_tensor
from symgrad.record.record import Recorded
from symgrad.schema.public import SCHEMAS, function_of, with_schema
from symgrad.schema.text import NOT_GIVEN, Schema
from symgrad.tensor.layout import LayoutMembers
from symgrad.tensor.shape import ShapeMembers

__all__ = [
    "can_cast",
    "equal",
    "finfo",
    "get_default_dtype",
    "iinfo",
    "is_complex",
    "is_floating_point",
    "is_inference",
    "is_nonzero",
    "is_signed",
    "is_tensor",
    "numel",
    "promote_types",
    "result_type",
    "set_default_dtype",
]


def get_default_dtype() -> dtype:
    """Return the dtype that Python floats get.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.get_default_dtype()
    torch.float32
    """
    return default_dtype()


@with_schema("promote_types(ScalarType type1, ScalarType type2) -> dtype")
def promote_types(type1: dtype, type2: dtype) -> dtype:
    """Return the smallest dtype that both promote to.

    Parameters
    ----------
    type1, type2 : dtype
        As those of two tensors with axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.promote_types(torch.int64, torch.float16)
    torch.float16
    >>> torch.promote_types(torch.uint8, torch.int8)
    torch.int16
    """
    return promote(type1, type2)


@with_schema("can_cast(ScalarType from_, ScalarType to) -> bool")
def can_cast(from__: dtype, to: dtype) -> bool:
    """Return whether values of `from_` may be written into a tensor of `to`, as in `add_`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.can_cast(torch.int64, torch.float32)
    True
    >>> torch.can_cast(torch.float32, torch.int64)
    False
    """
    return bool(from__.category <= to.category)


class _Number:
    """A Python number as an operand of promotion."""

    weak = True
    shape = ()

    def __init__(self, value: Any) -> None:
        self.dtype = dtype_of_number(value)


@with_schema(
    "result_type(Tensor tensor, Tensor other) -> dtype",
    "result_type(Scalar scalar, Tensor tensor) -> dtype",
    "result_type(Tensor tensor, Scalar other) -> dtype",
    "result_type(Scalar scalar1, Scalar scalar2) -> dtype",
)
def result_type(
    tensor: Any = NOT_GIVEN,
    other: Any = NOT_GIVEN,
    scalar: Any = NOT_GIVEN,
    scalar1: Any = NOT_GIVEN,
    scalar2: Any = NOT_GIVEN,
) -> dtype:
    """Return the dtype of arithmetic between two tensors or numbers.

    Parameters
    ----------
    tensor, other : Tensor or number
        A number, or a 0-d tensor, decides only where its category is higher.
    scalar, scalar1, scalar2 : number
        What PyTorch calls a number that stands first, or beside another.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.result_type(torch.tensor([1, 2]), 0.5)
    torch.float32
    >>> torch.result_type(torch.zeros(2, dtype=torch.float64), torch.tensor([1.0]))
    torch.float64
    """
    given = [x for x in (tensor, other, scalar, scalar1, scalar2) if x is not NOT_GIVEN]
    return result_dtype([x if isinstance(x, (Recorded, ArrayExpr)) else _Number(x) for x in given])


def is_tensor(obj: object) -> bool:
    """Return whether `obj` is a tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_tensor(torch.zeros(2)), torch.is_tensor([0.0, 0.0])
    (True, False)
    """
    return isinstance(obj, Recorded) or stands_for_tensor(obj)


def _function(text: str, members: type[Any], formulas: bool = False) -> Callable[..., Any]:
    """Return the function that asks a tensor by its method of the same name."""
    schema = Schema((text,), formulas=formulas)
    SCHEMAS[schema.name, False] = schema
    return function_of(getattr(members, schema.name), schema)


is_floating_point = _function("is_floating_point(Tensor self) -> bool", ShapeMembers, formulas=True)
is_complex = _function("is_complex(Tensor self) -> bool", ShapeMembers, formulas=True)
is_signed = _function("is_signed(Tensor self) -> bool", ShapeMembers, formulas=True)
is_nonzero = _function("is_nonzero(Tensor self) -> bool", LayoutMembers)
is_inference = _function("is_inference(Tensor self) -> bool", LayoutMembers)
numel = _function("numel(Tensor self) -> int", ShapeMembers, formulas=True)
equal: Callable[[Any, Any], bool] = _function(
    "equal(Tensor self, Tensor other) -> bool", LayoutMembers
)


class finfo:  # noqa: N801 - PyTorch's name
    """The limits of a floating-point dtype.

    Attributes
    ----------
    bits : int
        The size of a number.
    eps, max, min, tiny, smallest_normal, resolution : float
        The step after one, the largest and least number, the smallest normal one, and the
        resolution in decimals.
    dtype : str
        The name of the type.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.finfo(torch.float32).eps
    1.1920928955078125e-07
    """

    def __init__(self, type: Any = None) -> None:
        kind = default_dtype() if type is None else type
        if not isinstance(kind, dtype) or kind.category < Category.FLOAT:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle "
                "'torch.finfo'"
            )
        kind = kind.to_real()
        info = np.finfo(kind.numpy)
        self.bits = int(info.bits)
        self.eps = float(info.eps)
        self.max = float(info.max)
        self.min = float(info.min)
        self.tiny = self.smallest_normal = float(info.tiny)
        self.resolution = float(f"1e-{info.precision}")
        self.dtype = kind.name

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, "
            f"eps={self.eps:g}, smallest_normal={self.tiny:g}, tiny={self.tiny:g}, "
            f"dtype={self.dtype})"
        )


class iinfo:  # noqa: N801 - PyTorch's name
    """The limits of an integer dtype.

    Attributes
    ----------
    bits, max, min : int
        The size of a number, the largest and the least one.
    dtype : str
        The name of the type.

    Examples
    --------
    >>> import symgrad as torch
    >>> info = torch.iinfo(torch.int8)
    >>> info.min, info.max, info.bits
    (-128, 127, 8)
    """

    def __init__(self, type: Any) -> None:
        if not isinstance(type, dtype) or type.category != Category.INT:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle "
                "'torch.iinfo'"
            )
        info = np.iinfo(type.numpy)
        self.bits = int(info.bits)
        self.max = int(info.max)
        self.min = int(info.min)
        self.dtype = type.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
