"""What may be changed in place, and what stands in the way: leaves, views, memory that overlaps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from symgrad.autograd.inference import check_inference
from symgrad.autograd.modes import state
from symgrad.autograd.record import Recorded
from symgrad.autograd.saved import before_change
from symgrad.autograd.views import refuse

__all__ = [
    "check_arrays",
    "check_modifiable",
    "check_overlap",
    "check_recordable",
    "overlaps_itself",
]

_OVERLAPS = (
    "unsupported operation: more than one element of the written-to tensor refers to a single "
    "memory location. Please clone() the tensor before performing the operation."
)
_PARTLY = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
    "single memory location. Please clone() the tensor before performing the operation."
)


def check_modifiable(x: Any) -> None:
    """Raise PyTorch's error where a tensor must not be changed while operations are recorded."""
    check_inference(x)
    if state.state.enabled:
        check_recordable(x, x._rg)
    if not x._data.flags.writeable:
        if overlaps_itself(x._data):
            raise RuntimeError(_OVERLAPS)
        raise RuntimeError("the memory of this tensor is read-only: clone() it before changing it")
    if state.state.observers:
        before_change(x)


def check_recordable(x: Any, records: bool) -> None:
    """Raise PyTorch's error where a change of `x`, if it `records`, has no place in the graph."""
    base = x._base
    if base is not None and (records or base._rg):
        refuse(x, "is being")
        if (x._rg or base._rg) and base._node() is None:
            raise RuntimeError(
                "a view of a leaf Variable that requires grad is being used in an in-place "
                "operation."
            )
    if x._rg and x._node() is None:
        raise RuntimeError(
            "a leaf Variable that requires grad is being used in an in-place operation."
        )


def overlaps_itself(data: np.ndarray[Any, Any]) -> bool:
    """Return whether two elements of an array may lie in one place of memory."""
    reached = data.itemsize
    for stride, n in sorted(zip(map(abs, data.strides), data.shape, strict=True)):
        if n > 1:
            if stride < reached:
                return True
            reached += stride * (n - 1)
    return False


def check_overlap(x: Any, operands: Iterable[Any]) -> None:
    """Raise PyTorch's error where an operand shares some of the memory to be changed, not all."""
    for other in operands:
        if isinstance(other, Recorded) and other is not x:
            check_arrays(x._data, other._data)


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
