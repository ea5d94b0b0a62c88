"""The `batching` mode of a thread: what other layers call while a `vmap` runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.autograd.vmap import drawing, levels, writing
from symgrad.autograd.vmap.levels import BatchLevel
from symgrad.autograd.vmap.passes import run_plan_of_entries
from symgrad.autograd.vmap.rules import apply
from symgrad.autograd.vmap.value import innermost
from symgrad.expr.shapes import Shape
from symgrad.ops.primitive import Primitive
from symgrad.record.graph_cuts import DETACHED_VIEW

_REFUSED = {
    "data": "accessing `data` under vmap transform is not allowed",
    "data =": "mutating directly with `.data` under vmap transform is not allowed.",
    "detach_": DETACHED_VIEW,
    "requires_grad_": (
        "You are attempting to call Tensor.requires_grad_() (or perhaps using "
        "torch.autograd.functional.* APIs) inside of a function being transformed by a functorch "
        "transform. This is unsupported, please attempt to use the functorch transforms (e.g. "
        "grad, vjp, jacrev, jacfwd, hessian) or call requires_grad_() outside of a function being "
        "transformed instead."
    ),
    "backward": (
        "backward() called inside a functorch transform. This is not supported, please use "
        "functorch.grad or functorch.vjp instead or call backward() outside of functorch "
        "transforms."
    ),
    "make_dual": (
        "Batching rule not implemented for aten::_make_dual; the fallback path doesn't work on "
        "out= or view ops."
    ),
    "unpack_dual": (
        "Batching rule not implemented for aten::_unpack_dual; the fallback path doesn't work on "
        "out= or view ops."
    ),
    "equal": ("Batching rule not implemented for aten::equal. We could not generate a fallback."),
    "out": (
        "Batching rule not implemented for functions with out=; the fallback path doesn't work on "
        "out= or view ops."
    ),
}


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

    def refuse(self, what: str, *tensors: Any) -> None:
        """Raise PyTorch's error for an operation that `vmap` does not support.

        Where `tensors` are given, only if one of them is batched.
        """
        if self.level.is_pass or (tensors and innermost(tensors) is None):
            return
        raise RuntimeError(_REFUSED[what])
