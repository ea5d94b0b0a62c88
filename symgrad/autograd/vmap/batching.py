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

        Return None for what is not batched at this level, or along another axis than the first.
        """
        data = getattr(x, "_data", None)
        if data.__class__ is not BatchedValue or data.level is not self.level or data.dim:
            return None
        whole = data.tensor
        return None if whole._data.__class__ is BatchedValue else whole

    def wholes(self, x: Any, y: Any) -> tuple[Any, Any] | None:
        """Return the operands of an operation on each element of all entries, as `whole` does.

        Return None where the operands themselves do not give its result: entries of different
        ranks would not broadcast, and decide the dtype differently where they have no axes.
        """
        if x.__class__ is not Tensor:
            return None
        whole = self.whole(x)
        if y.__class__ is not Tensor:
            return None if whole is None or y.__class__ not in NUMBERS else (whole, y)
        other = self.whole(y)
        if whole is not None and other is not None:
            return (whole, other) if len(whole._aval.shape) == len(other._aval.shape) else None
        if whole is not None:
            return (whole, y) if _broadcasts(whole, y) else None
        return (x, other) if other is not None and _broadcasts(other, x) else None

    def entry(self, whole: Any) -> Any:
        """Return the tensor that stands for each entry of `whole` along the first axis."""
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


def _broadcasts(whole: Any, x: Any) -> bool:
    """Return whether `x`, the same for all entries, gives the same with `whole` as with each entry."""
    if x._data.__class__ is BatchedValue:
        return False
    first, second = whole._aval, x._aval
    return len(second.shape) < len(first.shape) and second.dtype is first.dtype
