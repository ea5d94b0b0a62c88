"""Sharing memory with NumPy and, by the protocol of DLPack, with other libraries."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np

from symgrad.expr.devices import on_cpu
from symgrad.expr.dtypes import from_numpy_dtype
from symgrad.expr.node import ArrayExpr, refusal_of
from symgrad.record.record import Recorded, shared, wrap
from symgrad.schema.arguments import check_flag
from symgrad.schema.public import with_schema
from symgrad.support.memory import borrowed, cloned, opened, shows_writable
from symgrad.support.untraceable import UntraceableValue

_GRAD = "Can't export tensors that require gradient, use tensor.detach()"
_INVALID = (
    "from_dlpack received an invalid capsule. Note that DLTensor capsules can be consumed only "
    "once, so you might have already constructed a tensor from it once."
)


class DLDeviceType(enum.IntEnum):
    """The numbers of kinds of devices in the protocol; symgrad's tensors are on `kDLCPU`.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.utils.dlpack.DLDeviceType(torch.zeros(2).__dlpack_device__()[0]).name
    'kDLCPU'
    """

    kDLCPU = 1
    kDLCUDA = 2
    kDLCUDAHost = 3
    kDLOpenCL = 4
    kDLVulkan = 7
    kDLMetal = 8
    kDLVPI = 9
    kDLROCM = 10
    kDLROCMHost = 11
    kDLExtDev = 12
    kDLCUDAManaged = 13
    kDLOneAPI = 14
    kDLWebGPU = 15
    kDLHexagon = 16
    kDLMAIA = 17


class _Capsule:
    """A capsule as an object with `__dlpack__`, which NumPy asks for."""

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return DLDeviceType.kDLCPU, 0


def from_dlpack(ext_tensor: Any, *, device: Any = None, copy: bool | None = None) -> Any:
    """Return a tensor that shares the memory of an array of any library with `__dlpack__`.

    Parameters
    ----------
    ext_tensor : object
        An array of any library, a tensor, or the capsule that `__dlpack__` returned.
    device : device, optional
        Where to put it: the CPU.
    copy : bool, optional
        Whether to copy the memory.

    Raises
    ------
    BufferError
        For a tensor that requires a gradient, or memory that is not on the CPU.
    RuntimeError
        For what is no array, or a capsule that was used before.

    Examples
    --------
    >>> import symgrad as torch
    >>> import numpy as np
    >>> a = np.arange(3)
    >>> x = torch.from_dlpack(a)
    >>> a[0] = 9
    >>> x
    tensor([9, 1, 2])
    """
    if device is not None:
        on_cpu(device)
    if copy is not None:
        check_flag("from_dlpack", "copy", copy)
    if isinstance(ext_tensor, Recorded):
        if ext_tensor._rg:
            raise BufferError(_GRAD)
        out: Any = ext_tensor
        return out.detach().clone() if copy else out.detach()
    if isinstance(ext_tensor, np.ndarray):
        try:
            ext_tensor.__dlpack__(max_version=(1, 0))
        except BufferError as error:  # such as for a dtype that the protocol lacks
            raise BufferError(str(error)) from None
        array = ext_tensor
    elif isinstance(ext_tensor, ArrayExpr):
        raise UntraceableValue("from_dlpack() shares memory, which a symbolic array does not have")
    else:
        array = received(ext_tensor, copy)
    check_shareable(array)
    return wrap(cloned(array)) if copy else shared(borrowed(array))


def received(given: Any, copy: bool | None = None) -> np.ndarray[Any, Any]:
    """Return the array that a capsule holds, or that another library's gives out.

    Raises
    ------
    BufferError
        If it is not on the CPU.
    RuntimeError
        For what is no array, or a capsule that was used before.
    """
    capsule = given
    if hasattr(given, "__dlpack__"):
        kind = int(given.__dlpack_device__()[0])
        if kind != DLDeviceType.kDLCPU:
            raise BufferError(f"the array is on a device of kind {kind}: copy it to the CPU first")
        try:
            try:
                capsule = given.__dlpack__(max_version=(1, 0), copy=copy)
            except TypeError:  # exporters older than DLPack 1.0
                capsule = given.__dlpack__()
        except BufferError as error:
            raise BufferError(str(error)) from None
    try:
        array = np.from_dlpack(_Capsule(capsule))
    except ValueError:
        raise RuntimeError(_INVALID) from None
    if array.flags.writeable or "versioned" in repr(capsule) or _says_readonly(given):
        return array
    return opened(array)  # an old capsule cannot say that memory may be changed


def _says_readonly(given: Any) -> bool:
    """Return whether an array of another library has a buffer of Python's that is read-only.

    Old capsules cannot say so of immutable arrays, such as JAX's.
    """
    try:
        with memoryview(given) as shown:
            return shown.readonly
    except (TypeError, BufferError, ValueError):  # it has no buffer interface
        return False


@with_schema("utils.dlpack.to_dlpack(Tensor tensor) -> Any", python=True)
def to_dlpack(tensor: Any) -> Any:
    """Return a capsule of the memory of a tensor, to be used once.

    Parameters
    ----------
    tensor : Tensor
        It must not require a gradient.

    Raises
    ------
    BufferError
        If it requires a gradient.

    Examples
    --------
    >>> import symgrad as torch
    >>> capsule = torch.utils.dlpack.to_dlpack(torch.tensor([1.0, 2.0]))
    >>> torch.utils.dlpack.from_dlpack(capsule)
    tensor([1., 2.])
    """
    if not hasattr(tensor, "__dlpack__"):
        raise refusal_of(tensor)(f"to_dlpack() takes a tensor, not {type(tensor).__name__}")
    lasting = isinstance(tensor, Recorded) and not tensor._data.flags.writeable
    return tensor.__dlpack__(max_version=(1, 0) if lasting else None)


def exported(x: Any, stream: Any, max_version: Any, dl_device: Any, copy: bool | None) -> Any:
    """Return the capsule of a tensor, as its `__dlpack__` is asked for it."""
    if x._rg:
        raise BufferError(_GRAD)
    if stream not in (None, -1):
        raise AssertionError("stream should be None on cpu.")
    data = x._data
    options = {"max_version": max_version, "dl_device": dl_device, "copy": copy}
    given = {name: value for name, value in options.items() if value is not None}
    if not data.flags.writeable and shows_writable(data):
        data = opened(data)
    x._storage().expose()
    return data.__dlpack__(**given)  # NumPy refuses an old capsule of read-only memory


def check_shareable(data: np.ndarray[Any, Any]) -> None:
    """Raise PyTorch's error for an array whose elements, or their order, no tensor can have."""
    if not data.dtype.isnative:
        raise ValueError(
            "given numpy array has byte order different from the native byte order. Conversion "
            "between byte orders is currently not supported."
        )
    from_numpy_dtype(data.dtype)
    item = data.itemsize
    if not data.flags.c_contiguous and any(s % item for s in data.strides):
        raise ValueError(
            "given numpy array strides not a multiple of the element byte size. Copy the numpy "
            "array to reallocate the memory."
        )
    if data.strides and min(data.strides) < 0:
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative "
            "strides are not currently supported. (You can probably work around this by making a "
            "copy of your array  with array.copy().) "
        )
