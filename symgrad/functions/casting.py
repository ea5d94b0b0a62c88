"""What users call of `symgrad.ops.casting`, and what PyTorch's graph shows of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.expr import dtypes
from symgrad.expr.dtypes import Category, dtype
from symgrad.ops.casting import cast
from symgrad.ops.primitive import bind
from symgrad.record.face import Face, shows
from symgrad.schema.numpy_calls import numpy_call
from symgrad.schema.public import public
from symgrad.schema.text import NOT_GIVEN
from symgrad.support.refusals import warn
from symgrad.tensor.numpy_interop import as_kind, operand

shows(cast, name="ToCopy")

_METHODS = {
    "double": dtypes.float64, "float": dtypes.float32, "half": dtypes.float16,
    "long": dtypes.int64, "int": dtypes.int32, "short": dtypes.int16, "char": dtypes.int8,
    "byte": dtypes.uint8, "bool": dtypes.bool_, "cfloat": dtypes.complex64,
    "cdouble": dtypes.complex128,
}  # fmt: skip
_BY_TITLE = {f"torch.{d.scalar_name}Tensor": d for d in dtypes.DTYPES if not d.is_complex}


#: A conversion within an operation: PyTorch's graph has no node for it.
_INSIDE = Face(name="ToCopy", hidden=True)


def converted_inside(input: Any, kind: dtype) -> Any:
    """Convert an operand where PyTorch converts it within the operation."""
    return convert(input, kind, face=_INSIDE)


def convert(input: Any, kind: dtype, copy: bool = False, face: Face | None = None) -> Any:
    """Convert to a dtype; the same object where it has it and no copy is asked for."""
    own = input.dtype
    if own is kind and not getattr(input, "weak", False):
        return bind(cast, (input,), (kind,)) if copy else input
    if own.is_complex and kind.category in (Category.INT, Category.FLOAT) and _has_data(input):
        warn("Casting complex values to real discards the imaginary part")
    return bind(cast, (input,), (kind,), face)


def _has_data(x: Any) -> bool:
    return hasattr(x, "_data")


@public(
    "to(Tensor self, Device? device=None, ScalarType? dtype=None, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None) -> Tensor",
    "to(Tensor self, ScalarType dtype, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None) -> Tensor",
    "to(Tensor self, Tensor tensor, bool non_blocking=False, bool copy=False, *, MemoryFormat? memory_format=None) -> Tensor",
    function=False,
)
def _to(
    input: Any,
    device: Any = None,
    dtype: Any = None,
    non_blocking: bool = False,
    copy: bool = False,
    *,
    tensor: Any = NOT_GIVEN,
) -> Any:
    """Convert to the dtype given, or to that of another tensor.

    Parameters
    ----------
    device : device or str
        The CPU.
    dtype : dtype
        The element type, which is the first argument where no device is given.
    non_blocking : bool
        Accepted: there is nothing to wait for.
    copy : bool
        Whether to copy in any case.
    tensor : Tensor
        A tensor whose dtype to take, the first argument where it is given.

    Returns
    -------
    Tensor or ArrayExpr
        The same object if nothing changes and no copy is asked for.

    Raises
    ------
    RuntimeError
        For a device other than the CPU.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.7, -1.7])
    >>> x.to(torch.int64)
    tensor([ 1, -1])
    >>> x.to("cpu") is x
    True
    """
    if tensor is not NOT_GIVEN:
        dtype = tensor.dtype
    return convert(input, input.dtype if dtype is None else dtype, copy)


@public(
    "type(Tensor self, object dtype=None, bool non_blocking=False) -> Tensor|str",
    function=False,
    python=True,
)
def _type(input: Any, dtype: Any = None, non_blocking: bool = False) -> Any:
    """Convert to a dtype or tensor type; without one return the name of the present type.

    Parameters
    ----------
    dtype : dtype, type or str, optional
        What to convert to, also as `"torch.DoubleTensor"` or `torch.DoubleTensor`.
    non_blocking : bool
        Accepted and ignored.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.5, 2.5])
    >>> x.type()
    'torch.FloatTensor'
    >>> x.type(torch.int64)
    tensor([1, 2])
    """
    if dtype is None:
        return f"torch.{input.dtype.scalar_name}Tensor"
    kind = dtype if isinstance(dtype, type(input.dtype)) else None
    if isinstance(dtype, str):
        kind = _BY_TITLE.get(dtype)
    elif kind is None:
        kind = getattr(dtype, "dtype", None)  # a legacy tensor type states its dtype
        if not isinstance(kind, type(input.dtype)):
            kind = None
    if kind is None:
        if not isinstance(dtype, (str, type)):
            raise TypeError("dtype must be a type, str, or dtype object")
        raise ValueError(f"invalid type: {getattr(dtype, '__name__', dtype)!r}")
    return convert(input, kind)


@public("type_as(Tensor self, Tensor other) -> Tensor", function=False)
def _type_as(input: Any, other: Any) -> Any:
    """Convert to the dtype of `other`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1, 2]).type_as(torch.tensor(0.5))
    tensor([1., 2.])
    """
    return convert(input, other.dtype)


@public("cpu(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", function=False)
def _cpu(input: Any) -> Any:
    """Return the tensor itself, which is on the CPU.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([1.0])
    >>> x.cpu() is x
    True
    """
    return input


@public(
    "cuda(Tensor self, object device=None, bool non_blocking=False, *, MemoryFormat? memory_format=None) -> Tensor",
    function=False,
)
def _cuda(input: Any, device: Any = None) -> Any:
    """Raise AssertionError: there is no CUDA device.

    Parameters
    ----------
    device : object
        Accepted and refused all the same; a number as a RuntimeError.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([1.0]).cuda()
    Traceback (most recent call last):
        ...
    AssertionError: Torch not compiled with CUDA enabled
    """
    if isinstance(device, int) and not isinstance(device, bool):
        raise RuntimeError("Cannot access accelerator device when none is available.")
    raise AssertionError("Torch not compiled with CUDA enabled")


def _conversion(name: str, kind: dtype) -> Callable[[Any], Any]:
    def f(input: Any) -> Any:
        return convert(input, kind)

    f.__name__ = f.__qualname__ = name
    f.__doc__ = f"""Convert to {kind.name}.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([0, 1]).{name}().dtype
    torch.{kind.name}
    """
    return f


for _name, _kind in _METHODS.items():
    public(f"{_name}(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", function=False)(
        _conversion(_name, _kind)
    )


@numpy_call("astype")
def _numpy_astype(x: Any, dtype: Any, /, *, copy: bool = True, device: None = None) -> Any:
    return as_kind(operand(x), dtype)
