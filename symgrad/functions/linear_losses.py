"""Losses of what a linear layer makes of its input: `linear_cross_entropy`."""

from __future__ import annotations

import math
from typing import Any

from symgrad.schema.public import FUNCTIONS, SPACES, public


@public(
    "nn.functional.linear_cross_entropy(Tensor input, Tensor linear_weight, Tensor target, *, Tensor? linear_bias=None, Tensor? weight=None, str reduction=mean, int? ignore_index=None, float label_smoothing=0.0, object options=None) -> Tensor",
    python=True,
)
def _linear_cross_entropy(
    input: Any, linear_weight: Any, target: Any, *, linear_bias: Any = None, weight: Any = None,
    reduction: str = "mean", ignore_index: int | None = None, label_smoothing: float = 0.0,
    options: Any = None,
) -> Any:  # fmt: skip
    """Return `cross_entropy(linear(input, linear_weight, linear_bias), target)`.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Of shape (in_features,) or (N, in_features).
    linear_weight : Tensor or ArrayExpr
        Of shape (C, in_features), or with more axes between, for several losses of each row.
    target : Tensor
        Classes, or probabilities of all.
    linear_bias : Tensor, optional
        In the shape of the weight without its last axis.
    weight : Tensor, optional
        A factor for each class.
    reduction : "mean", "sum" or "none"
        What becomes of the losses.
    ignore_index : int, optional
        A class that counts nothing.
    label_smoothing : float
        How much of each target is shared among all classes.
    options : optional
        Not used: how PyTorch saves memory.

    Raises
    ------
    RuntimeError
        If shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, w = torch.tensor([[1.0, 2.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> torch.nn.functional.linear_cross_entropy(x, w, torch.tensor([1]))
    tensor(0.3133)
    """
    shape, rows = tuple(input.shape), tuple(linear_weight.shape)
    if len(shape) not in (1, 2):
        raise RuntimeError(f"expected input with dimensionality 1 or 2, got {len(shape)}")
    if len(rows) < 2:
        raise RuntimeError(
            f"expected linear_weight with dimensionality at least 2, got {len(rows)}"
        )
    if shape[-1] != rows[-1]:
        raise RuntimeError(
            "expected equal input and linear_weight last dimensions (in_features), got "
            f"{shape[-1]} and {rows[-1]}, respectively"
        )
    if linear_bias is not None and tuple(linear_bias.shape) != rows[:-1]:
        raise RuntimeError(
            f"expected linear_bias shape {rows[:-1]}, got {tuple(linear_bias.shape)}"
        )
    several = len(rows) > 2
    if several and len(shape) == 1:
        raise RuntimeError(
            f"K-dimensional loss defined by linear_weight shape {rows} requires batched input, "
            f"(N, {shape[-1]}), got unbatched input with shape {shape}"
        )
    scores_shape = (*shape[:-1], *rows[:-1])
    if tuple(target.shape) == scores_shape and ignore_index is not None:
        raise RuntimeError("ignore_index cannot be specified when target contains probabilities")
    if several:
        linear_weight = linear_weight.reshape((math.prod(rows[:-1]), rows[-1]))
        linear_bias = None if linear_bias is None else linear_bias.reshape(-1)
    scores = FUNCTIONS["linear"](input, linear_weight, linear_bias)
    if several:
        scores = scores.reshape(scores_shape)
    return SPACES["nn.functional"]["cross_entropy"](
        scores, target, weight, ignore_index=-100 if ignore_index is None else ignore_index,
        reduction=reduction, label_smoothing=label_smoothing,
    )  # fmt: skip
