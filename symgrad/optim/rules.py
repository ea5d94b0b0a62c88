"""What the constructors and the formulas of several optimisers have in common."""

from __future__ import annotations

from typing import Any

from symgrad.record.record import Recorded


def descent(p: Any, g: Any, s: Any, h: Any) -> Any:
    """Return the gradient of what is made smaller, with that of the decay of weights."""
    if h.maximize:
        s.g = -g
    if h.on("weight_decay"):
        s.g = s.g + h.weight_decay * p
    return s.g


def decayed(p: Any, g: Any, s: Any, h: Any) -> tuple[Any, Any]:
    """Return a parameter and its gradient after the decay of weights: in the one or the other."""
    if not (h.decoupled_weight_decay and h.on("weight_decay")):
        return p, descent(p, g, s, h)
    if h.maximize:
        s.g = -g
    s.p = p * (1 - h.lr * h.weight_decay)
    return s.p, s.g


def check_betas(betas: tuple[Any, ...]) -> None:
    """Raise PyTorch's error for a part that leaves nothing new, or is below zero."""
    for i, beta in enumerate(betas):
        check(0.0 <= beta < 1.0, f"beta parameter at index {i}", beta)


def check_lr(lr: Any, foreach: bool | None = None, capturable: bool = True) -> None:
    """Raise PyTorch's error for a rate that is a tensor of several elements."""
    if isinstance(lr, Recorded):
        if foreach and not capturable:
            raise ValueError(
                "lr as a Tensor is not supported for capturable=False and foreach=True"
            )
        if lr._aval.size != 1:
            raise ValueError("Tensor lr must be 1-element")


def check(valid: Any, what: str, value: Any) -> None:
    """Raise PyTorch's error for a setting that is out of its range."""
    if not valid:
        raise ValueError(f"Invalid {what}: {value}")


def check_implementation(
    fused: bool | None, foreach: bool | None, differentiable: bool, capturable: bool = False
) -> None:
    """Raise PyTorch's error for implementations that exclude each other; here they are all one."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
