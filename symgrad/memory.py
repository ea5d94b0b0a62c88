"""Memory, as its arrays tell: whether it may be written into, what shares it, in which order."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

__all__ = [
    "check_apart",
    "check_arrays",
    "check_writable",
    "order_in_memory",
    "overlaps_itself",
    "refuse_shared",
    "shows_writable",
]

_OVERLAPS = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
_PARTLY = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
    "single memory location. Please clone() the tensor before performing the operation."
)


def check_writable(data: np.ndarray[Any, Any]) -> None:
    """Raise PyTorch's error where an array must not be written into."""
    if data.flags.writeable:
        return
    if overlaps_itself(data):
        raise RuntimeError(_OVERLAPS)
    raise RuntimeError("the memory of this tensor is read-only: clone() it before changing it")


def shows_writable(data: np.ndarray[Any, Any]) -> bool:
    """Return whether memory may be written into, but for that `data` shows elements repeatedly.

    What NumPy broadcasts is read-only, and so is a row of it.
    """
    if data.flags.writeable:
        return True
    root: Any = data
    while hasattr(root.base, "__array_interface__"):
        root = root.base
    return bool(root.flags.writeable) and overlaps_itself(data)


def overlaps_itself(data: np.ndarray[Any, Any]) -> bool:
    """Return whether two elements of an array may lie in one place of memory."""
    reached = data.itemsize
    for stride, n in sorted(zip(map(abs, data.strides), data.shape, strict=True)):
        if n > 1:
            if stride < reached:
                return True
            reached += stride * (n - 1)
    return False


def order_in_memory(data: np.ndarray[Any, Any]) -> list[int]:
    """Return the axes from the one along which elements lie farthest apart to the nearest.

    Like PyTorch, leave the place of an axis open along which there are no two elements apart.
    """
    steps = [s if n > 1 else 0 for s, n in zip(data.strides, data.shape, strict=True)]
    order = list(range(data.ndim))
    for axis in reversed(range(data.ndim - 1)):  # sort by insertion, from the last axis on
        place = axis
        for other in range(axis + 1, data.ndim):
            here, there = steps[order[place]], steps[order[other]]
            if here and there and here > there:
                break
            if here and there and here < there:
                order[place], order[other] = order[other], order[place]
                place = other
    return order


def check_arrays(written: np.ndarray[Any, Any], read: np.ndarray[Any, Any]) -> None:
    """Raise PyTorch's error where `read` shares some of the memory of `written`, not all."""
    # Like PyTorch, look only at arrays without gaps, whose memory is told by its ends.
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
