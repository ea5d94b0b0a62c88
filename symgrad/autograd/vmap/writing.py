"""Changes in place inside `vmap`: they write into the tensor of all entries."""

from __future__ import annotations

from typing import Any

from symgrad.autograd.vmap.levels import BatchLevel, at_level
from symgrad.autograd.vmap.value import BatchedValue, all_entries, innermost
from symgrad.ops.indexing import index_put
from symgrad.ops.primitive import bind
from symgrad.tensor.in_place.allowed import check_modifiable
from symgrad.tensor.in_place.change import adopt
from symgrad.tensor.subscripts import Subscript, counted, view_of

_IN_PLACE = (
    "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor "
    "`other` in extra_args that has more elements than `self`. This happened due to `other` being "
    "vmapped over but `self` not being vmapped over in a vmap. Please try to use out-of-place "
    "operators instead of inplace arithmetic. If said operator is being called inside the PyTorch "
    "framework, please file a bug report instead."
)


def check_overwritten(x: Any, result: Any) -> BatchLevel | None:
    """Return the level of the innermost `vmap` of which one of two tensors is a batch, or None.

    Raises
    ------
    RuntimeError
        If `result` is batched at a level at which `x`, into which it is to be written, is not.
    """
    level = innermost((x, result))
    value = x._data
    if level is not None and (value.__class__ is not BatchedValue or value.level is not level):
        raise RuntimeError(_IN_PLACE)
    return level


def overwrite(x: Any, result: Any, time: int) -> bool:
    """Write `result` into the memory of a batched tensor.

    Parameters
    ----------
    x, result : Tensor
        Of one shape and dtype.
    time : int
        When the operation began.

    Returns
    -------
    bool
        True, or False where neither tensor is batched: then nothing is written.

    Raises
    ------
    RuntimeError
        If the result is batched at a level at which `x` is not.
    """
    level = check_overwritten(x, result)
    if level is None:
        return False
    value = x._data
    with at_level(level.outer):
        front = value.front
        check_modifiable(front)
        adopt(front, all_entries(result, level), time)
    return True


def set_item(x: Any, found: Subscript, value: Any, time: int) -> bool:
    """Write a tensor of the dtype of `x` at a subscript, unless nothing is batched.

    Return whether it was written.

    Raises
    ------
    RuntimeError
        If the value or an index is batched at a level at which `x` is not.
    """
    if innermost((x, value, *found.indices)) is None:
        return False
    place = view_of(x, found)
    if not found.indices:
        place.copy_(value)
        return True
    operands, counts = counted(found.indices)
    result = bind(index_put, (place, value, *operands), (found.spec, counts, False))
    return overwrite(place, result, time)
