"""The `batching` mode of a thread: what other layers call while a `vmap` runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.autograd.vmap import drawing, levels, writing
from symgrad.autograd.vmap.levels import BatchLevel
from symgrad.autograd.vmap.passes import run_plan_of_entries
from symgrad.autograd.vmap.rules import apply
from symgrad.autograd.vmap.value import BatchedValue, batched_tensor, innermost
from symgrad.expr.shapes import Shape
from symgrad.ops.primitive import Primitive
from symgrad.record.python_numbers import NUMBERS
from symgrad.tensor.tensor import Tensor


@levels.mode_of.state
class Batching:
    """The `batching` mode of a thread in which a `vmap` runs, to which recording gives operations.

    Attributes
    ----------
    level : BatchLevel
        The innermost `vmap` that runs.
    """

    __slots__ = ("level",)

    def __init__(self, level: BatchLevel) -> None:
        self.level = level

    def record(self, cls: type[Primitive], operands: Sequence[Any], params: Any) -> Any:
        """Apply a primitive to operands of which some are batched; None where none is."""
        level = innermost(operands)
        return None if level is None else apply(level, cls, operands, params)

    def whole(self, x: Any) -> Any:
        """Return the tensor of all entries, to which short forms apply operations on each element.

        Return None for what is not batched at this level, and at each that runs around it until the
        tensor of all entries, always along the first axis.
        """
        data: Any = getattr(x, "_data", None)
        if data.__class__ is not BatchedValue or data.level is not self.level or data.dim:
            return None
        whole, level = data.tensor, self.level.outer
        data = whole._data
        while data.__class__ is BatchedValue:
            if data.level is not level or data.dim:
                return None
            whole, level = data.tensor, level.outer
            data = whole._data
        return whole

    def wholes(self, x: Any, y: Any) -> tuple[Any, Any] | None:
        """Return the operands of an operation on each element of all entries, as `whole` does.

        Return None where the operands themselves do not give its result: entries of different
        ranks would not broadcast, and decide the dtype differently where they have no axes.
        """
        whole = self.whole(x) if x.__class__ is Tensor else None
        if y.__class__ is not Tensor:
            return None if whole is None or y.__class__ not in NUMBERS else (whole, y)
        if x.__class__ is not Tensor:
            return None
        other = self.whole(y)
        first, second = x._aval, y._aval
        if whole is not None and other is not None:
            if first is second and whole._aval is other._aval:
                return whole, other
            alike = len(first.shape) == len(second.shape)  # and they are batched at the same levels
            alike = alike and len(whole._aval.shape) == len(other._aval.shape)
            return (whole, other) if alike else None
        # What is the same for all entries.
        if first.dtype is not second.dtype:
            return None
        data: Any = x._data if whole is None else y._data
        if data.__class__ is BatchedValue:
            return None
        if whole is not None:
            return (whole, y) if len(second.shape) <= len(first.shape) else None
        if other is not None:
            return (x, other) if len(first.shape) <= len(second.shape) else None
        return None

    def entry(self, whole: Any, x: Any, y: Any = None) -> Any:
        """Return the tensor that stands for each entry of the result of an operation on `x` and `y`."""
        data: Any = x._data
        if data.__class__ is not BatchedValue:
            data = y._data
        data = data.tensor._data
        if data.__class__ is BatchedValue:  # batched at the levels around this one
            levels: list[BatchLevel] = []
            while data.__class__ is BatchedValue:
                levels.append(data.level)
                data = data.tensor._data
            for level in reversed(levels):
                whole = batched_tensor(BatchedValue(level, whole, 0), whole._aval.entry)
        return batched_tensor(BatchedValue(self.level, whole, 0), whole._aval.entry)

    def run_plan(self, walked: Any, roots: Any, cotangents: Sequence[Any], *rest: Any) -> Any:
        """Run the plan of a backward pass; None where no cotangent is batched."""
        level = innermost(cotangents)
        if level is None:
            return None
        return run_plan_of_entries(level, walked, roots, cotangents, *rest)

    def overwrite(self, x: Any, result: Any, time: int) -> bool:
        """Write a result into the memory of a batched tensor; False where nothing is batched."""
        return writing.overwrite(x, result, time)

    def check_overwritten(self, x: Any, result: Any) -> None:
        """Raise PyTorch's error if a result may not be written into the memory of `x`."""
        writing.check_overwritten(x, result)

    def set_item(self, x: Any, found: Any, value: Any, time: int) -> bool:
        """Write into elements of a batched tensor; False where nothing is batched."""
        return writing.set_item(x, found, value, time)

    def draw(self, shape: Shape, make: Any) -> Any:
        """Return random numbers of the shape of one entry."""
        return drawing.draw(self.level, shape, make)

    def draw_from(self, x: Any, make: Any) -> Any:
        """Return random numbers that depend on the elements of `x`."""
        return drawing.draw_from(self.level, x, make)

    def copy_for_entries(self, made: Any, like: Any) -> Any:
        """Return `made` for each entry of `like`, in memory of its own."""
        return drawing.copy_for_entries(made, like)

    def refuse(self, message: str, *tensors: Any) -> None:
        """Raise PyTorch's error for an operation that `vmap` does not support.

        Where `tensors` are given, only if one of them is batched.
        """
        if not self.level.is_pass and (not tensors or innermost(tensors) is not None):
            raise RuntimeError(message)

    def refuse_call(self, call: str, *tensors: Any) -> None:
        """Raise it for an operation of PyTorch's that has no rule for batches."""
        self.refuse(
            f"Batching rule not implemented for {call}; the fallback path doesn't work on out= or "
            "view ops.",
            *tensors,
        )
