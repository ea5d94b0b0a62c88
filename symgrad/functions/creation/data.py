"""Tensors of data that there is: `tensor`, `as_tensor`, `asarray`, `from_numpy`, `frombuffer`, `scalar_tensor`.

How Python data becomes an array stands in `symgrad.tensor.conversion`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symgrad.expr.dtypes import default_dtype, dtype, from_numpy_dtype
from symgrad.functions.creation.making import NAME, NO_GRAD_DTYPE, OPTIONS, finish, making
from symgrad.record.record import Recorded, shared
from symgrad.support.memory import borrowed
from symgrad.support.refusals import warn
from symgrad.tensor.conversion import array_of, array_of_number
from symgrad.tensor.dlpack import check_shareable
from symgrad.tensor.tensor import Tensor

_LIKE = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
)
_NO_BUFFER = "object does not implement Python buffer protocol."
_READ_ONLY = (
    "The given buffer is not writable, and PyTorch does not support non-writable tensors. This means "
    "you can write to the underlying (supposedly non-writable) buffer using the tensor. You may want "
    "to copy the buffer to protect its data or make it writable before converting it to a tensor."
)
_NO_ALIAS = "can't alias NumPy scalars. Either remove copy=False or transform it in a ndarray. "
_INFERRED = (
    "torch.asarray: unspecified requires_grad now defaults to obj.requires_grad instead of False. "
    "Pass requires_grad=False explicitly to get the old behavior and silence this warning."
)


@making(
    "tensor(object data, *, ScalarType? dtype=None, Device? device=None, bool pin_memory=False, "
    f"bool requires_grad=False, {NAME}) -> Tensor"
)
def tensor(
    data: Any,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
    name: str | None = None,
) -> Any:
    """Make a tensor from a copy of `data`.

    Parameters
    ----------
    data : number, nested sequence, array or tensor
        The values.
    dtype : dtype, optional
        The element type; by default that of arrays and NumPy scalars, int64 for integers, the
        default dtype for floats.

    Raises
    ------
    ValueError
        For ragged sequences, and names that are no identifiers.
    TypeError, RuntimeError
        For what is no number, and for `requires_grad` on integers.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    tensor([[1., 2.],
            [3., 4.]], requires_grad=True)
    """
    if isinstance(data, Recorded):
        warn(
            _LIKE + "sourceTensor.detach().clone().requires_grad_(True), rather than "
            "torch.tensor(sourceTensor)."
        )
    return finish("tensor", array_of(data, dtype), requires_grad, name)


@making("as_tensor(object data, *, ScalarType? dtype=None, Device? device=None) -> Tensor")
def as_tensor(data: Any, *, dtype: dtype | None = None) -> Any:
    """Return `data` as a tensor: itself, sharing its memory, or a copy where it must be one.

    Parameters
    ----------
    data : number, nested sequence, array or tensor
        The values.
    dtype : dtype, optional
        The element type; by default as `tensor` chooses it.

    Examples
    --------
    >>> import numpy as np, symgrad as torch
    >>> a = np.array([1.0, 2.0])
    >>> t = torch.as_tensor(a)
    >>> a[0] = 5
    >>> t
    tensor([5., 2.], dtype=torch.float64)
    """
    if isinstance(data, Recorded):
        x: Any = data
        return x if dtype is None or dtype is x._aval.dtype else x.to(dtype)
    return shared(array_of(data, dtype, copy=False))


@making(
    "asarray(object obj, *, ScalarType? dtype=None, Device? device=None, bool? copy=None, "
    "bool? requires_grad=None) -> Tensor"
)
def asarray(
    obj: Any,
    *,
    dtype: dtype | None = None,
    copy: bool | None = None,
    requires_grad: bool | None = None,
) -> Any:
    """Return `obj` as a tensor, sharing its memory unless `copy` or another `dtype` asks not to.

    Parameters
    ----------
    obj : number, nested sequence, array or tensor
        The values.
    dtype : dtype, optional
        The element type; by default as `tensor` chooses it.
    copy : bool, optional
        True: memory of its own in any case. False: an error where memory cannot be shared.
    requires_grad : bool, optional
        By default as `obj` does. False cuts what is returned off from how `obj` was computed.

    Raises
    ------
    ValueError
        If `copy` is False and a copy is needed.
    RuntimeError
        If integers are to require a gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> import numpy as np
    >>> a = np.array([1.0, 2.0])
    >>> shared, own = torch.asarray(a), torch.asarray(a, copy=True)
    >>> a[0] = 5
    >>> shared[0].item(), own[0].item()
    (5.0, 1.0)
    """
    if isinstance(obj, Recorded):
        x: Any = obj
        if requires_grad is None and x._rg:
            warn(_INFERRED)
        wanted = x._rg if requires_grad is None else requires_grad
        if wanted and not (dtype or x._aval.dtype).differentiable:
            raise RuntimeError(NO_GRAD_DTYPE)
        if dtype is not None and dtype is not x._aval.dtype:
            if copy is False:
                raise ValueError("can't alias tensor with dtype different from the one requested")
            x = x.to(dtype)
        elif copy:
            x = x.clone()
        if not wanted:
            return x.detach() if x._rg else x
        return x if x._rg else x.requires_grad_()
    if isinstance(obj, np.generic):
        if copy is False:
            raise RuntimeError(_NO_ALIAS)
        obj = np.asarray(obj)
    elif copy is False and not isinstance(obj, np.ndarray):
        raise ValueError(f"can't alias arbitrary sequence into a tensor: {type(obj).__name__}")
    elif copy is False and dtype is not None and obj.dtype != dtype.numpy:
        own = from_numpy_dtype(obj.dtype).scalar_name
        raise ValueError(f"can't alias tensor with dtype '{own}' into dtype '{dtype.scalar_name}'.")
    return finish("asarray", array_of(obj, dtype, copy=bool(copy)), requires_grad)


def from_numpy(ndarray: Any) -> Tensor:
    """Return a tensor that shares the memory of an array.

    Parameters
    ----------
    ndarray : numpy.ndarray
        Of an element type that tensors have, without negative strides.

    Raises
    ------
    TypeError
        For what is no array, and for element types that tensors do not have.
    ValueError
        For negative strides.

    Examples
    --------
    >>> import symgrad as torch
    >>> import numpy as np
    >>> a = np.zeros(3)
    >>> x = torch.from_numpy(a)
    >>> x[1] = 7
    >>> a
    array([0., 7., 0.])
    """
    if not isinstance(ndarray, np.ndarray):
        kind = type(ndarray)
        name = f"numpy.{kind.__name__}" if kind.__module__ == "numpy" else kind.__name__
        raise TypeError(f"expected np.ndarray (got {name})")
    check_shareable(ndarray)
    if not ndarray.flags.writeable:
        warn(
            "The given NumPy array is not writable, and PyTorch does not support non-writable "
            "tensors. This means writing to this tensor will result in undefined behavior. You "
            "may want to copy the array to protect its data or make it writable before converting "
            "it to a tensor."
        )
    made: Tensor = shared(borrowed(ndarray))
    return made


@making(
    "frombuffer(object buffer, *, ScalarType dtype, int count=-1, int offset=0, "
    "bool? requires_grad=False) -> Tensor"
)
def frombuffer(
    buffer: Any, *, dtype: dtype, count: int = -1, offset: int = 0, requires_grad: bool = False
) -> Any:
    """Return a tensor that shares the bytes of an object, as of `bytes` that were read from a file.

    Parameters
    ----------
    buffer : bytearray, bytes, array or another object with a buffer
        The bytes, the first of the first element in front.
    dtype : dtype
        What the elements are.
    count : int
        How many elements there are; all to the end if it is negative.
    offset : int
        How many bytes are left out in front.

    Raises
    ------
    ValueError
        If `buffer` has no bytes, or no whole number of elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.frombuffer(bytearray([1, 2, 3, 4]), dtype=torch.uint8, offset=1)
    tensor([2, 3, 4], dtype=torch.uint8)
    """
    if isinstance(buffer, Recorded):
        raise ValueError(_NO_BUFFER)
    try:
        view = memoryview(buffer)
    except TypeError:
        raise ValueError(_NO_BUFFER) from None
    if not view.c_contiguous:
        raise RuntimeError("could not retrieve buffer from object")
    length, size = view.nbytes, dtype.itemsize
    if not length or not count:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
            f"({length} bytes) minus 1"
        )
    if count < 0 and (length - offset) % size:
        raise ValueError(
            f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a "
            f"multiple of element size ({size})"
        )
    if offset + count * size > length:
        raise ValueError(
            f"requested buffer length ({count} * {size} bytes) after offset ({offset} bytes) must "
            f"not be greater than actual buffer length ({length} bytes)"
        )
    if view.readonly:
        warn(_READ_ONLY)
    data = np.frombuffer(buffer, dtype.numpy, max(count, -1), offset)
    return finish("frombuffer", shared(borrowed(data)), requires_grad)


@making(f"scalar_tensor(Scalar s, *, {OPTIONS}) -> Tensor")
def scalar_tensor(s: Any, *, dtype: dtype | None = None, requires_grad: bool = False) -> Any:
    """Return the 0-d tensor of a number, of the default dtype unless `dtype` says otherwise.

    Parameters
    ----------
    s : number
        The value.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.scalar_tensor(2)
    tensor(2.)
    """
    return finish("scalar_tensor", array_of_number(s, dtype or default_dtype()), requires_grad)
