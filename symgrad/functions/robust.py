"""Losses that are linear far from the target: `smooth_l1_loss`, `huber_loss`, `soft_margin_loss`."""

from __future__ import annotations

from typing import Any

from symgrad.functions.losses import l1_loss, reduction_code, reduction_of, same_sizes
from symgrad.ops.losses import _reduced, huber_loss, smooth_l1_loss, soft_margin_loss
from symgrad.ops.primitive import bind
from symgrad.record.face import shows
from symgrad.record.record import Recorded
from symgrad.schema.public import public

shows(smooth_l1_loss, saved=("self", "target", "beta"), facts=reduction_code, name="SmoothL1Loss")
shows(huber_loss, saved=("self", "target", "delta"), facts=reduction_code)
shows(
    soft_margin_loss,
    saved=("self", "target"),
    facts=reduction_code,
    keeps=(0, 1),
    passes=lambda i, kind: i == 0,
)


@public(
    "nn.functional.smooth_l1_loss(Tensor input, Tensor target, object size_average=None, object reduce=None, str reduction=mean, float beta=1.0) -> Tensor",
    python=True,
    reads="size",
    inner="smooth_l1_loss(Tensor self, Tensor target, int reduction, float beta)",
)
def _smooth_l1_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean", beta: float = 1.0,
) -> Any:  # fmt: skip
    """Return the mean of `d**2 / (2*beta)` where `abs(d) < beta`, else of `abs(d) - beta/2`.

    Parameters
    ----------
    input, target : Tensor or ArrayExpr
        Whose difference d is.
    reduction : "mean", "sum" or "none"
        What becomes of the elements.
    beta : float
        Where the square ends; with 0 this is `l1_loss`.

    Raises
    ------
    RuntimeError
        If `beta` is negative.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1.0, 2.0]), torch.tensor([1.5, 4.0])
    >>> torch.nn.functional.smooth_l1_loss(x, y, reduction="none")
    tensor([0.1250, 1.5000])
    """
    reduction = reduction_of(size_average, reduce, reduction)
    input, target = same_sizes(input, target)
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return bind(smooth_l1_loss, (input, target, beta), (reduction,))


@public(
    "nn.functional.huber_loss(Tensor input, Tensor target, str reduction=mean, float delta=1.0, Tensor? weight=None) -> Tensor",
    python=True,
    reads="size",
    inner="huber_loss(Tensor self, Tensor target, int reduction, float delta)",
)
def _huber_loss(
    input: Any, target: Any, reduction: str = "mean", delta: float = 1.0, weight: Any = None
) -> Any:
    """Return the mean of `d**2 / 2` where `abs(d) <= delta`, else of `delta*(abs(d) - delta/2)`.

    Parameters
    ----------
    input, target : Tensor or ArrayExpr
        Whose difference d is.
    reduction : "mean", "sum" or "none"
        What becomes of the elements.
    delta : float
        Where the square ends.
    weight : Tensor, optional
        A factor for each element.

    Raises
    ------
    RuntimeError
        If `delta` is not positive.

    References
    ----------
    P. J. Huber, "Robust estimation of a location parameter" (1964).

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1.0, 2.0]), torch.tensor([1.5, 4.0])
    >>> torch.nn.functional.huber_loss(x, y, reduction="none", delta=0.5)
    tensor([0.1250, 0.8750])
    """
    reduction = reduction_of(None, None, reduction)
    input, target = same_sizes(input, target)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    if weight is None:
        return bind(huber_loss, (input, target, delta), (reduction,))
    if weight.shape != input.shape:
        raise ValueError("Weights and input must have the same size.")
    return _reduced(bind(huber_loss, (input, target, delta), ("none",)) * weight, reduction)


@public(
    "nn.functional.soft_margin_loss(Tensor input, Tensor target, object size_average=None, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
)
def _soft_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """Return the mean of `log(1 + exp(-target * input))`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Scores.
    target : Tensor or ArrayExpr
        Classes: 1 or -1.
    reduction : "mean", "sum" or "none"
        What becomes of the elements.

    Raises
    ------
    RuntimeError
        If `input` holds integers, or `target` requires a gradient or does not broadcast to it.

    Examples
    --------
    >>> import symgrad as torch
    >>> scores, classes = torch.tensor([2.0, -1.0]), torch.tensor([1.0, 1.0])
    >>> torch.nn.functional.soft_margin_loss(scores, classes)
    tensor(0.7201)
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if isinstance(target, Recorded) and target._rg:
        raise RuntimeError(
            "The function 'soft_margin_loss' is not differentiable with respect to argument "
            "'target'. This input cannot have requires_grad True."
        )
    return bind(soft_margin_loss, (input, target), (reduction,))
