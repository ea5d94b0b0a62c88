"""Questions about dtypes and tensors: `promote_types`, `can_cast`, `finfo`, `is_tensor`."""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.arguments import tensor_argument
from symgrad.autograd.modes import state
from symgrad.autograd.record import Recorded
from symgrad.expr.dtypes import (
    Category,
    default_dtype,
    dtype,
    dtype_of_number,
    promote,
    result_dtype,
    set_default_dtype,
)
from symgrad.functions.binding import reads

__all__ = [
    "can_cast",
    "equal",
    "finfo",
    "get_default_dtype",
    "iinfo",
    "is_complex",
    "is_floating_point",
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


def _dtype_of(call: str, name: str, position: int, value: Any) -> dtype:
    if not isinstance(value, dtype):
        raise TypeError(
            f"{call}(): argument '{name}' (position {position}) must be torch.dtype, not "
            f"{type(value).__name__}"
        )
    return value


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
    return promote(
        _dtype_of("promote_types", "type1", 1, type1), _dtype_of("promote_types", "type2", 2, type2)
    )


def can_cast(from_: dtype, to: dtype) -> bool:
    """Return whether values of `from_` may be written into a tensor of `to`, as in `add_`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.can_cast(torch.int64, torch.float32)
    True
    >>> torch.can_cast(torch.float32, torch.int64)
    False
    """
    source, target = _dtype_of("can_cast", "from_", 1, from_), _dtype_of("can_cast", "to", 2, to)
    return source.category <= target.category


class _Number:
    """A Python number as an operand of promotion."""

    weak = True
    shape = ()

    def __init__(self, value: Any) -> None:
        self.dtype = dtype_of_number(value)


@reads("result_type(object tensor1, object tensor2) -> dtype")
def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """Return the dtype of arithmetic between two tensors or numbers.

    Parameters
    ----------
    tensor1, tensor2 : Tensor or number
        A number, or a 0-d tensor, decides only where its category is higher.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.result_type(torch.tensor([1, 2]), 0.5)
    torch.float32
    >>> torch.result_type(torch.zeros(2, dtype=torch.float64), torch.tensor([1.0]))
    torch.float64
    """
    operands: list[Any] = []
    for i, x in enumerate((tensor1, tensor2)):
        if isinstance(x, Recorded):
            operands.append(x._aval)
        elif isinstance(x, (bool, int, float, complex, np.generic)):
            operands.append(_Number(x))
        else:
            raise TypeError(
                f"result_type(): argument 'tensor{i + 1}' (position {i + 1}) must be Tensor, not "
                f"{type(x).__name__}"
            )
    return result_dtype(operands)


def is_tensor(obj: object) -> bool:
    """Return whether `obj` is a tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_tensor(torch.zeros(2)), torch.is_tensor([0.0, 0.0])
    (True, False)
    """
    return isinstance(obj, Recorded)


@reads("is_floating_point(Tensor input) -> bool")
def is_floating_point(input: Any) -> bool:
    """Return whether the elements of a tensor are real floating-point numbers.

    Parameters
    ----------
    input : Tensor
        Of any dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_floating_point(torch.tensor([1.0])), torch.is_floating_point(torch.tensor([1]))
    (True, False)
    """
    return bool(tensor_argument("is_floating_point", input)._aval.dtype.is_floating_point)


@reads("is_complex(Tensor input) -> bool")
def is_complex(input: Any) -> bool:
    """Return whether the elements of a tensor are complex.

    Parameters
    ----------
    input : Tensor
        Of any dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_complex(torch.tensor([1j])), torch.is_complex(torch.tensor([1.0]))
    (True, False)
    """
    return bool(tensor_argument("is_complex", input)._aval.dtype.is_complex)


@reads("is_signed(Tensor input) -> bool")
def is_signed(input: Any) -> bool:
    """Return whether the elements of a tensor may be negative.

    Parameters
    ----------
    input : Tensor
        Of any dtype.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_signed(torch.tensor([1])), torch.is_signed(torch.tensor([True]))
    (True, False)
    """
    return bool(tensor_argument("is_signed", input)._aval.dtype.is_signed)


@reads("is_nonzero(Tensor input) -> bool")
def is_nonzero(input: Any) -> bool:
    """Return whether the one element of a tensor is not zero.

    Parameters
    ----------
    input : Tensor
        Of one element.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.is_nonzero(torch.tensor([[0.5]])), torch.is_nonzero(torch.tensor(0))
    (True, False)
    """
    return bool(tensor_argument("is_nonzero", input))


@reads("numel(Tensor input) -> int")
def numel(input: Any) -> int:
    """Return the number of elements of a tensor.

    Parameters
    ----------
    input : Tensor
        Of any shape.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.numel(torch.zeros(2, 3))
    6
    """
    return int(tensor_argument("numel", input)._aval.size)


@reads("equal(object input, object other) -> bool")
def equal(input: Any, other: Any) -> bool:
    """Return whether two tensors have the same shape and elements.

    Parameters
    ----------
    input, other : Tensor
        Of any dtypes.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([[1, 2]]))
    False
    """
    a, b = tensor_argument("equal", input), tensor_argument("equal", other, "other", 2)
    if state.state.batching is not None:
        state.state.batching.refuse("equal", a, b)
    return a._aval.shape == b._aval.shape and bool((a._data == b._data).all())


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
