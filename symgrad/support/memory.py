"""The memory of arrays: its bounds, its order of elements, whether it is writable or shared.

A *storage* is the memory that one array owns: the result of an operation, or the elements of a
user's array that a tensor shares (`borrowed`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

_OVERLAPS = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
_PARTLY = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
    "single memory location. Please clone() the tensor before performing the operation."
)

# The most bytes that PyTorch counts.
_MOST_BYTES = 2**63 - 1


class _Shown:
    """An object by which NumPy makes an array on given memory (`__array_interface__`).

    Attributes
    ----------
    base : numpy.ndarray
        The array that keeps the memory alive, and leads to the one that owns it.
    """

    __slots__ = ("__array_interface__", "base")

    def __init__(self, base: np.ndarray[Any, Any], **interface: Any) -> None:
        self.base = base
        self.__array_interface__ = {**base.__array_interface__, **interface}


def borrowed(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a new array on the memory of a user's array, as a storage.

    The storage begins and ends with the elements of the array, as in PyTorch, even if the array is
    a part of a larger one. It is read-only if the array is. The array object itself stays with the
    user, who may give it another shape.
    """
    out = np.asarray(array.data)
    if out.flags.writeable and not out.flags.c_contiguous and overlaps_itself(out):
        out = out.view()
        out.flags.writeable = False
    return out


def owner_of(data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the array that owns the memory of another one."""
    root: Any = data
    while hasattr(root.base, "__array_interface__"):
        root = root.base
    found: np.ndarray[Any, Any] = root
    return found


def storage_of(data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the bytes of the storage that an array shows a part of, in their order."""
    root = owner_of(data)
    first, end = np.lib.array_utils.byte_bounds(root)
    piece: dict[str, Any] = {"data": (first, not root.flags.writeable), "strides": None}
    return np.asarray(
        _Shown(root, **piece, shape=(end - first,), typestr="|u1", descr=[("", "|u1")])
    )


def place_in_storage(data: np.ndarray[Any, Any]) -> int:
    """Return how many bytes after the beginning of its storage an array begins."""
    root = owner_of(data)
    if root is data:
        return 0
    first: int = data.__array_interface__["data"][0] - root.__array_interface__["data"][0]
    return first


def strides_in_order(shape: Sequence[int]) -> tuple[int, ...]:
    """Return how many elements apart neighbours lie where elements are in the order of the axes.

    These are PyTorch's strides, for which an axis of length 0 counts as one of length 1.
    """
    out, step = [], 1
    for n in reversed(shape):
        out.append(step)
        step *= max(n, 1)
    return tuple(reversed(out))


def check_window(
    size: Sequence[int], stride: Sequence[int], offset: int, itemsize: int, nbytes: int
) -> None:
    """Raise PyTorch's error for a window of which not all elements lie in a storage.

    Parameters
    ----------
    size, stride : sequence of int
        The length of each axis, and how many elements apart its neighbours lie.
    offset : int
        The place of the first element, in elements.
    itemsize, nbytes : int
        The bytes of one element, and of the storage.
    """
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(s < 0 for s in stride):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, got strides: "
            f"{list(stride)}"
        )
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if any(n < 0 for n in size):
        raise _overflowed(size, stride)
    if 0 in size:
        return
    reach = 1 + sum([s * (n - 1) for n, s in zip(size, stride, strict=True)])
    needed = (offset + reach) * itemsize
    if needed > _MOST_BYTES or math.prod(size) > _MOST_BYTES:
        raise _overflowed(size, stride)
    if needed > nbytes:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and "
            f"itemsize {itemsize} requiring a storage size of {needed} are out of bounds for "
            f"storage of size {nbytes}"
        )


def _overflowed(size: Sequence[int], stride: Sequence[int]) -> RuntimeError:
    return RuntimeError(
        f"Storage size calculation overflowed with sizes={list(size)} and strides={list(stride)}"
    )


def opened(data: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a writable array of the elements of `data`, which is read-only as an expanded view is.

    NumPy does not let every such array be made writable by its flag.
    """
    address, _ = data.__array_interface__["data"]
    return np.asarray(_Shown(data, data=(address, False)))


def check_writable(data: np.ndarray[Any, Any]) -> None:
    """Raise PyTorch's error where an array must not be written into."""
    if data.flags.writeable:
        return
    if overlaps_itself(data):
        raise RuntimeError(_OVERLAPS)
    raise RuntimeError("the memory of this tensor is read-only: clone() it before changing it")


def shows_writable(data: np.ndarray[Any, Any]) -> bool:
    """Return whether the memory of `data` is writable, even if the array `data` is read-only.

    An array that shows elements repeatedly is read-only, and so is a row of it.
    """
    return bool(owner_of(data).flags.writeable)


def overlaps_itself(data: np.ndarray[Any, Any]) -> bool:
    """Return whether two elements of an array may have the same address."""
    reached = data.itemsize
    for stride, n in sorted(zip(map(abs, data.strides), data.shape, strict=True)):
        if n > 1:
            if stride < reached:
                return True
            reached += stride * (n - 1)
    return False


def order_in_memory(data: np.ndarray[Any, Any]) -> list[int]:
    """Return the axes in the order of their strides, the longest first.

    The place of an axis of length 1 or stride 0 is decided as in PyTorch, which leaves it where it
    is among its neighbours.
    """
    return sorted_axes([s if n > 1 else 0 for s, n in zip(data.strides, data.shape, strict=True)])


def sorted_axes(steps: Sequence[int]) -> list[int]:
    """Return axes from the one with the longest step to that with the shortest.

    Like PyTorch, leave the place of an axis open whose step is 0.
    """
    order = list(range(len(steps)))
    for axis in reversed(range(len(steps) - 1)):  # sort by insertion, from the last axis on
        place = axis
        for other in range(axis + 1, len(steps)):
            here, there = steps[order[place]], steps[order[other]]
            if here and there and here > there:
                break
            if here and there and here < there:
                order[place], order[other] = order[other], order[place]
                place = other
    return order


def laid_out(
    layout: str | tuple[int, ...], call: Callable[..., Any], shape: Sequence[int]
) -> Callable[..., Any]:
    """Return `call` with its result, of a `shape`, laid out as a primitive says of its own.

    Parameters
    ----------
    layout : str or tuple of int
        What `Primitive.result_layout` returns.
    call : callable
        Computes a result that shares memory with no operand.
    shape : sequence of int
        That of the result. With fewer than two axes along which it has neighbours, there is one
        order only.
    """
    if layout == "kernel" or sum([n > 1 for n in shape]) < 2 or 0 in shape:
        return call
    if layout == "axes":

        def in_order(*data: Any) -> Any:
            out = call(*data)
            return out if out.flags.c_contiguous else out.copy()

        return in_order

    if layout == "first":

        def as_first(*data: Any) -> Any:
            out, first = call(*data), data[0]
            if out.flags.c_contiguous and first.flags.c_contiguous:
                return out
            if out.strides == first.strides or out.shape != first.shape:
                return out
            return copied_in_order(out, order_in_memory(first))

        return as_first

    assert isinstance(layout, tuple)
    places = layout
    known = [i for i in places if i >= 0]
    in_place = known == sorted(known)

    def as_placed(*data: Any) -> Any:
        out, first = call(*data), data[0]
        if in_place and out.flags.c_contiguous and first.flags.c_contiguous:
            return out
        strides = first.strides
        pairs = zip(places, shape, strict=True)
        order = sorted_axes([strides[i] if i >= 0 < n - 1 else 0 for i, n in pairs])
        if order == sorted(order) and out.flags.c_contiguous:
            return out
        return copied_in_order(out, order)

    return as_placed


def cloned(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a copy of `x` in its order of memory, without gaps."""
    return copied_in_order(x, order_in_memory(x)) if 0 in x.strides else np.array(x, order="K")


def obeys(gradient: np.ndarray[Any, Any], x: np.ndarray[Any, Any]) -> bool:
    """Return whether the gradient of a leaf `x` has the strides that PyTorch gives it.

    These are the strides of `x` where `x` is dense in memory, else those of a contiguous array.
    """
    if gradient.flags.c_contiguous and (x.flags.c_contiguous or _dense_axes(x) is None):
        return True
    return not x.flags.c_contiguous and _dense_axes(gradient) == _dense_axes(x) is not None


def laid_out_as(gradient: np.ndarray[Any, Any], x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a copy of a gradient with the strides that the gradient of a leaf `x` has."""
    if x.flags.c_contiguous or _dense_axes(x) is None:
        return gradient.copy()
    return copied_in_order(gradient, order_in_memory(x))


def copied_in_order(x: np.ndarray[Any, Any], order: Sequence[int]) -> np.ndarray[Any, Any]:
    """Return a dense copy of `x` with its axes in that order in memory."""
    made = np.empty([x.shape[i] for i in order], x.dtype)
    shown: np.ndarray[Any, Any] = made.transpose(np.argsort(order))
    shown[...] = x
    return shown


def check_arrays(written: np.ndarray[Any, Any], read: np.ndarray[Any, Any]) -> None:
    """Raise PyTorch's error where `read` shares some of the memory of `written`, not all."""
    # As in PyTorch, only dense arrays are compared, by the ends of their memory.
    if not np.may_share_memory(written, read):
        return
    axes, others = _dense_axes(written), _dense_axes(read)
    if axes is None or others is None:
        return
    bounds = np.lib.array_utils.byte_bounds
    if bounds(written) != bounds(read) or axes != others:
        refuse_shared()


def check_apart(written: np.ndarray[Any, Any], read: np.ndarray[Any, Any]) -> None:
    """Raise PyTorch's error where `read` shares any of the memory of `written`."""
    if not np.may_share_memory(written, read):
        return
    if _dense_axes(written) is not None and _dense_axes(read) is not None:
        refuse_shared()


def refuse_shared() -> NoReturn:
    """Raise PyTorch's error for an operand that shares memory with what is written to."""
    raise RuntimeError(_PARTLY)


def _dense_axes(a: np.ndarray[Any, Any]) -> list[tuple[int, int]] | None:
    """Return the strides and lengths of axes; None if elements leave gaps or share places."""
    axes = [(s, n) for s, n in zip(a.strides, a.shape, strict=True) if n != 1]
    step = a.itemsize
    for stride, n in sorted(axes):
        if stride != step:
            return None
        step *= n
    return axes
