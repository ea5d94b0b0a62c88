"""Custom functions whose `backward` is right, and such that are wrong in one way each."""

from __future__ import annotations

from typing import Any, NamedTuple

import symgrad as sg
from symgrad.autograd import Function


class _Kept(Function):
    """A function that saves its operands."""

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)


class Right(_Kept):
    @staticmethod
    def forward(x: Any) -> Any:
        return x**3

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x * x * g


class Sign(Right):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return -3 * x**2 * g


class Factor(Right):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3.0015 * x**2 * g


class Detached(Right):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 3 * x.detach() ** 2 * g


class Third(Right):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return (3 * x**2 + (x - x.detach()) ** 2) * g


class Branch(_Kept):
    @staticmethod
    def forward(x: Any) -> Any:
        return sg.relu(x)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return sg.where(x > 0, g, 0.001 * g)


class Broadcast(_Kept):
    @staticmethod
    def forward(x: Any, y: Any) -> Any:
        return x * y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * y, (g * x).mean(0)


class Ties(_Kept):
    @staticmethod
    def forward(x: Any) -> Any:
        return x.amax(0)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return g * (x == x.amax(0))


class Wrong(NamedTuple):
    """A function with the shapes of its inputs, and the order and input at which it goes wrong."""

    function: Any
    shapes: tuple[tuple[int, ...], ...]
    order: int
    input: str
    difference: str


WRONG = {
    "sign": Wrong(Sign, ((),), 1, "x", "yours - true = -6 * x**2"),
    "factor": Wrong(Factor, ((),), 1, "x", "yours - true = 0.0015 * x**2"),
    "second order": Wrong(Detached, ((),), 2, "x", "yours - true = -6 * x"),
    "third order": Wrong(Third, ((),), 3, "x", "yours - true = 2"),
    "branch": Wrong(
        Branch, ((2,),), 1, "x",
        "yours - true = where(x > 0, g, 0.001 * g) - where(x <= 0, 0, g)",
    ),
    "broadcasting": Wrong(
        Broadcast, ((4, 3), (3,)), 1, "y",
        "yours - true = t1 = g * x; mean(t1, dim=0) - sum(t1, dim=0)",
    ),
    "ties": Wrong(Ties, ((3,),), 1, "x", ""),
}  # fmt: skip
