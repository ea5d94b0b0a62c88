"""What may be changed in place, and what stands in the way: leaves, views, shared memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symgrad.backward.saved import before_change
from symgrad.ops.operand_values import every_value
from symgrad.record.inference import check_inference
from symgrad.record.modes import state
from symgrad.record.record import Recorded
from symgrad.record.views import refuse
from symgrad.support.memory import (
    check_apart,
    check_arrays,
    check_writable,
    opened,
    overlaps_itself,
    refuse_shared,
    shows_writable,
)
from symgrad.support.untraceable import UntraceableValue, is_around


def check_modifiable(x: Any) -> None:
    """Raise PyTorch's error where a tensor must not be changed while operations are recorded."""
    check_inference(x)
    if state.state.special.get("compiling") and is_around(x):
        raise UntraceableValue(
            "a function that is compiled cannot change a tensor from around it: the change would "
            "happen once, and not at each call; return the new value, or call the function itself"
        )
    if state.state.enabled:
        check_recordable(x, x._rg)
    data = x._data
    if not data.flags.writeable:
        if shows_writable(data) and not overlaps_itself(data):
            data = x._data = opened(data)
        check_writable(data)
    if state.state.observed:
        before_change(x)


def check_reshapable(x: Any) -> None:
    """Raise PyTorch's error where a tensor must not be reshaped; shared memory is no obstacle."""
    check_inference(x)
    if state.state.enabled:
        check_recordable(x, x._rg)
    if state.state.observed:
        before_change(x)


def check_recordable(x: Any, records: bool) -> None:
    """Raise PyTorch's error where a recorded change of `x` cannot be represented in the graph."""
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


def check_overlap(x: Any, operands: Iterable[Any]) -> None:
    """Raise PyTorch's error where an operand shares some of the memory to be changed, not all."""
    for other in operands:
        if isinstance(other, Recorded) and other is not x:
            written, read = every_value(x), every_value(other)
            assert written is not None and read is not None
            check_arrays(written, read)


def check_separate(x: Any, operands: Iterable[Any]) -> None:
    """Raise PyTorch's error where an operand shares any of the memory to be changed."""
    for other in operands:
        if other is x:
            refuse_shared()
        if isinstance(other, Recorded):
            written, read = every_value(x), every_value(other)
            assert written is not None and read is not None
            check_apart(written, read)
