"""Losses that are negative log-likelihoods or divergences of distributions."""

from __future__ import annotations

import math
from numbers import Number
from typing import Any

from symgrad.functions.losses import reduction_of
from symgrad.ops.losses import _reduced
from symgrad.ops.operand_values import every_value
from symgrad.schema.messages import lacking, wrong_kind
from symgrad.schema.public import FUNCTIONS, public
from symgrad.support.refusals import warn

_BATCHMEAN = (
    "reduction: 'mean' divides the total loss by both the batch size and the support size."
    "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
    "'mean' will be changed to behave the same as 'batchmean' in the next major release."
)


@public(
    "nn.functional.kl_div(Tensor input, Tensor target, object size_average=None, object reduce=None, str reduction=mean, bool log_target=False) -> Tensor",
    python=True,
)
def _kl_div(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean", log_target: bool = False,
) -> Any:  # fmt: skip
    """Return the divergence of probabilities from those that `input` has the logarithms of.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Logarithms of probabilities.
    target : Tensor or ArrayExpr
        Probabilities.
    reduction : "batchmean", "mean", "sum" or "none"
        What becomes of the elements; "batchmean" is their sum over the length of the first axis.
    log_target : bool
        Whether `target`, too, holds logarithms.

    References
    ----------
    S. Kullback and R. A. Leibler, "On information and sufficiency" (1951).

    Examples
    --------
    >>> import symgrad as torch
    >>> p, q = torch.tensor([[0.5, 0.5]]), torch.tensor([[0.25, 0.75]])
    >>> torch.nn.functional.kl_div(q.log(), p, reduction="batchmean")
    tensor(0.1438)
    """
    old = size_average is not None or reduce is not None
    by_batch = reduction == "batchmean"
    if not old and reduction == "mean":
        warn(_BATCHMEAN)
    reduction = reduction_of(size_average, reduce, "sum" if by_batch else reduction)
    if log_target:
        loss = target.exp() * (target - input)
    else:
        loss = FUNCTIONS["xlogy"](target, target) - target * input
    reduced = _reduced(loss, reduction)
    return reduced / input.shape[0] if by_batch and len(input.shape) else reduced


@public(
    "nn.functional.poisson_nll_loss(Tensor input, Tensor target, bool log_input=True, bool full=False, object size_average=None, float eps=1e-08, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
    inner="poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction)",
)
def _poisson_nll_loss(
    input: Any, target: Any, log_input: bool = True, full: bool = False, size_average: Any = None,
    eps: float = 1e-8, reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the mean negative log-likelihood of counts by the Poisson distribution.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        The logarithms of the expected counts.
    target : Tensor or ArrayExpr
        The counts.
    log_input : bool
        False where `input` holds the expected counts themselves.
    full : bool
        Whether the logarithm of the factorial is added, by Stirling's formula.
    eps : float
        What is added to expected counts whose logarithm is taken.
    reduction : "mean", "sum" or "none"
        What becomes of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.functional.poisson_nll_loss(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0]))
    tensor(0.8591)
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if log_input:
        loss = input.exp() - target * input
    else:
        loss = input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        loss = loss + stirling.masked_fill(target <= 1, 0)
    return _reduced(loss, reduction)


@public(
    "nn.functional.gaussian_nll_loss(Tensor input, Tensor|float target, Tensor|float var, object full=False, float eps=1e-06, str reduction=mean) -> Tensor",
    python=True,
    numbers=True,
    reads="size",
)
def _gaussian_nll_loss(
    input: Any, target: Any, var: Any, full: bool = False, eps: float = 1e-6,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the mean negative log-likelihood by the normal distribution.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        The expected values.
    target : Tensor, ArrayExpr or float
        The values.
    var : Tensor, ArrayExpr or float
        The variances: one, one for each element, or one for all along an axis.
    full : bool
        Whether the constant, half the logarithm of 2π, is added.
    eps : float
        The least variance.
    reduction : "mean", "sum" or "none"
        What becomes of the elements.

    Raises
    ------
    ValueError
        If a variance is negative, or the shapes do not fit.

    References
    ----------
    D. A. Nix and A. S. Weigend, "Estimating the mean and variance of the target probability
    distribution" (1994).

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1.0, 2.0]), torch.tensor([1.5, 4.0])
    >>> torch.nn.functional.gaussian_nll_loss(x, y, torch.tensor([1.0, 4.0]))
    tensor(0.6591)
    """
    if isinstance(var, (int, float)):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        if isinstance(input, Number):
            raise TypeError(wrong_kind("ones_like", "input", "Tensor", input, 1))
        var = input.detach() * 0 + var
    else:
        values = every_value(var)
        if values is not None and (values < 0).any():
            raise ValueError("var has negative entry/entries")
    if isinstance(input, Number):
        # A number of NumPy has a size, which is no function.
        raise (TypeError if hasattr(input, "size") else AttributeError)(lacking(input, "size"))
    own, shape = tuple(var.shape), tuple(input.shape)
    if own != shape:
        if own == shape[:-1]:
            var = var.unsqueeze(-1)
        elif len(own) != len(shape) or sum(
            [n for m, n in zip(shape, own, strict=True) if m != n]
        ) != 1:  # fmt: skip
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not valid")
    # The gradient passes where the least variance stands, too.
    least = (var.detach().clamp_min(eps) - var.detach()) + var
    loss = 0.5 * (least.log() + (input - target) ** 2 / least)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return _reduced(loss, reduction)
