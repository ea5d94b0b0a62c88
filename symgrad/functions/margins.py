"""Losses that want scores or distances apart by a margin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symgrad.expr.dtypes import Category, int64, no_kernel
from symgrad.functions.bounds import check_bounds
from symgrad.functions.losses import reduction_of
from symgrad.functions.similarity import _pairwise_distance
from symgrad.ops.losses import _reduced
from symgrad.ops.operand_values import counted_values
from symgrad.record.tape import as_one_node
from symgrad.schema.public import FUNCTIONS, SPACES, public
from symgrad.support.untraceable import UntraceableValue


def _where(condition: Any, x: Any, other: Any) -> Any:
    return FUNCTIONS["where"](condition, x, other)


@public(
    "nn.functional.hinge_embedding_loss(Tensor input, Tensor target, float margin=1.0, object size_average=None, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
    inner="hinge_embedding_loss(Tensor self, Tensor target, float margin, int reduction)",
)
def _hinge_embedding_loss(
    input: Any, target: Any, margin: float = 1.0, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the mean of distances of like pairs, and of what unlike ones lack to the margin.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Distances.
    target : Tensor or ArrayExpr
        1 for like pairs, -1 for unlike ones.
    margin : float
        How far unlike ones should be apart.
    reduction : "mean", "sum" or "none"
        What becomes of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> distances, target = torch.tensor([0.5, 0.25]), torch.tensor([1, -1])
    >>> torch.nn.functional.hinge_embedding_loss(distances, target, reduction="none")
    tensor([0.5000, 0.7500])
    """
    reduction = reduction_of(size_average, reduce, reduction)
    lacking = _where(target.ne(1), (margin - input).clamp_min(0), 0.0)
    return _reduced(lacking + _where(target.ne(-1), input, 0.0), reduction)


@public(
    "nn.functional.cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0, object size_average=None, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
    inner="cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin, int reduction)",
)
def _cosine_embedding_loss(
    input1: Any, input2: Any, target: Any, margin: float = 0, size_average: Any = None,
    reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the mean of `1 - cos` of like pairs, and of `cos - margin` of unlike ones.

    Parameters
    ----------
    input1, input2 : Tensor or ArrayExpr
        Vectors, or matrices whose rows are vectors.
    target : Tensor or ArrayExpr
        1 for like pairs, -1 for unlike ones.
    margin : float
        The cosine up to which unlike ones count nothing.
    reduction : "mean", "sum" or "none"
        What becomes of the pairs.

    Raises
    ------
    RuntimeError
        If the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([[3.0, 4.0]]), torch.tensor([[1.0, 0.0]])
    >>> torch.nn.functional.cosine_embedding_loss(x, y, torch.tensor([1]))
    tensor(0.4000)
    """
    reduction = reduction_of(size_average, reduce, reduction)
    rank, ranks = len(target.shape), [len(x.shape) for x in (input1, input2)]
    if rank > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if ranks != [rank + 1] * 2:
        raise RuntimeError(
            f"{rank}D target tensor expects {rank + 1}D input tensors, but found inputs with sizes "
            f"{list(input1.shape)} and {list(input2.shape)}."
        )
    product, one, other = (
        (x * y).sum(rank) for x, y in ((input1, input2), (input1, input1), (input2, input2))
    )
    cosine = product / ((one + 1e-12) * (other + 1e-12)).sqrt()
    alike = _where(target.eq(1), 1 - cosine, 0.0)
    return _reduced(alike + _where(target.eq(-1), (cosine - margin).clamp_min(0), 0.0), reduction)


@public(
    "nn.functional.margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0, object size_average=None, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
    reads="dim",
    inner="margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin, int reduction)",
)
def _margin_ranking_loss(
    input1: Any, input2: Any, target: Any, margin: float = 0, size_average: Any = None,
    reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the mean of what the difference of scores lacks to the margin.

    Parameters
    ----------
    input1, input2 : Tensor or ArrayExpr
        Scores.
    target : Tensor or ArrayExpr
        1 where the first should be the greater one, -1 where the second should.
    margin : float
        By how much.
    reduction : "mean", "sum" or "none"
        What becomes of the pairs.

    Raises
    ------
    RuntimeError
        If the numbers of axes differ.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1.0, 2.0]), torch.tensor([0.5, 3.0])
    >>> torch.nn.functional.margin_ranking_loss(x, y, torch.tensor([1, 1]), reduction="none")
    tensor([0., 1.])
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if len({len(x.shape) for x in (input1, input2, target)}) > 1:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: "
            f"input1: torch.Size({list(input1.shape)}), input2: torch.Size({list(input2.shape)}), "
            f"target: torch.Size({list(target.shape)}) "
        )
    return _reduced((-target * (input1 - input2) + 1.0 * margin).clamp_min(0), reduction)


@public(
    "nn.functional.multi_margin_loss(Tensor input, Tensor target, int p=1, Scalar margin=1.0, Tensor? weight=None, object size_average=None, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
    inner="multi_margin_loss(Tensor self, Tensor target, Scalar p, Scalar margin, Tensor? weight, int reduction)",
)
def _multi_margin_loss(
    input: Any, target: Any, p: int = 1, margin: float = 1.0, weight: Any = None,
    size_average: Any = None, reduce: Any = None, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the mean of what the score of the right class lacks to the margin above the others.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Scores of classes, along the last axis.
    target : Tensor
        The right classes: integers.
    p : 1 or 2
        The power of what is lacking.
    margin : float
        By how much the right score should be greater.
    weight : Tensor, optional
        A factor for each class.
    reduction : "mean", "sum" or "none"
        What becomes of the entries.

    Raises
    ------
    RuntimeError
        If the shapes do not fit, or a target is no class.
    ValueError
        If `p` is neither 1 nor 2.

    Examples
    --------
    >>> import symgrad as torch
    >>> scores = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> torch.nn.functional.multi_margin_loss(scores, torch.tensor([3]))
    tensor(0.3250)
    """
    reduction = reduction_of(size_average, reduce, reduction)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and len(weight.shape) != 1:
        raise ValueError("weight must be one-dimensional")
    shape = tuple(input.shape)
    rows, count = (1, shape[0] if shape else 1) if len(shape) < 2 else shape[:2]
    if len(target.shape) > 1 or int(np.prod(target.shape)) != rows:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input "
            f"samples (batch size). Expected target size [{rows}], but got {list(target.shape)}. "
            f"Input has shape {list(shape)}."
        )
    if weight is not None and tuple(weight.shape) != (count,):
        raise RuntimeError(
            f"inconsistent weight size, expected {count} but got {list(weight.shape)}"
        )
    if input.dtype.category != Category.FLOAT:
        raise no_kernel("multi_margin_loss_cpu_kernel", input.dtype)
    if target.dtype is not int64:
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.scalar_name}")
    target = check_bounds(target, 0, count - 1, RuntimeError, "target out of range").reshape(-1, 1)
    scores = input.reshape(rows, count)
    lacking = (margin - scores.gather(1, target) + scores).clamp_min(0)
    if p == 2:
        lacking = lacking * lacking
    if weight is not None:
        lacking = lacking * weight.reshape(1, -1).expand((rows, count)).gather(1, target)
    places = np.arange(count)[None]
    loss = _where(target.eq(places), 0.0, lacking).sum(1) / count
    return as_one_node(
        _reduced(loss if len(shape) == 2 else loss.reshape(()), reduction), "MultiMarginLoss", input
    )


@public(
    "nn.functional.multilabel_margin_loss(Tensor input, Tensor target, object size_average=None, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
)
def _multilabel_margin_loss(
    input: Any, target: Any, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Any:
    """Return the mean of what scores of right classes lack to 1 above those of wrong ones.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Scores of classes, along the last axis.
    target : Tensor
        Of the same shape: the right classes, up to the first -1.
    reduction : "mean", "sum" or "none"
        What becomes of the entries.

    Raises
    ------
    RuntimeError
        If the shapes do not fit, or a target is no class.

    Examples
    --------
    >>> import symgrad as torch
    >>> scores = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> torch.nn.functional.multilabel_margin_loss(scores, torch.tensor([[3, 0, -1, 1]]))
    tensor(0.8500)
    """
    reduction = reduction_of(size_average, reduce, reduction)
    shape = tuple(input.shape)
    if tuple(target.shape) != shape:
        raise RuntimeError(
            f"inconsistent target size: {list(target.shape)} for input of size: {list(shape)}"
        )
    if input.dtype.category != Category.FLOAT:
        raise no_kernel("multilabel_margin_loss_forward_out_frame", input.dtype)
    if target.dtype is not int64:
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.scalar_name}")
    values = counted_values(target, "multilabel_margin_loss")
    if values is None:
        raise UntraceableValue("the classes of a formula have to be known: target")
    count = shape[-1] if shape else 1
    rows = values.reshape(-1, count)
    if (rows < -1).any() or (rows >= count).any():
        raise RuntimeError("argument #2 'target' is out of range")
    named = np.cumprod(rows >= 0, axis=1).astype(bool)
    right = np.zeros(rows.shape, bool)
    for row, classes, kept in zip(right, rows, named, strict=True):
        row[classes[kept]] = True
    scores = input.reshape(rows.shape)
    chosen = scores.gather(1, target.reshape(rows.shape).clamp_min(0))
    lacking = (1 - chosen.unsqueeze(2) + scores.unsqueeze(1)).clamp_min(0)
    counted = named[:, :, None] & ~right[:, None, :]
    loss = _where(counted, lacking, 0.0).sum((1, 2)) / count
    return as_one_node(
        _reduced(loss if len(shape) == 2 else loss.reshape(()), reduction),
        "MultilabelMarginLoss",
        input,
    )


@public(
    "nn.functional.multilabel_soft_margin_loss(Tensor input, Tensor|float target, Tensor? weight=None, object size_average=None, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
)
def _multilabel_soft_margin_loss(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the mean cross entropy of classes, of which several may be right, from logits.

    Parameters
    ----------
    input : Tensor or ArrayExpr
        Logits of classes, along the last axis.
    target : Tensor, ArrayExpr or float
        1 for right classes, 0 for wrong ones.
    weight : Tensor, optional
        A factor for each class.
    reduction : "mean", "sum" or "none"
        What becomes of the entries.

    Examples
    --------
    >>> import symgrad as torch
    >>> logits, target = torch.tensor([[2.0, -3.0]]), torch.tensor([[1.0, 0.0]])
    >>> torch.nn.functional.multilabel_soft_margin_loss(logits, target)
    tensor(0.0878)
    """
    if size_average is not None or reduce is not None:
        reduction = reduction_of(size_average, reduce, reduction)
    if not len(input.shape):
        raise IndexError("Dimension specified as -1 but tensor has no dimensions")
    logsigmoid = SPACES["nn.functional"]["logsigmoid"]
    loss = -(target * logsigmoid(input) + (1 - target) * logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    axis = len(input.shape) - 1
    loss = loss.sum(axis) / input.shape[axis]
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(f"{reduction} is not valid")
    return _reduced(loss, reduction)


def _check_triplet(anchor: Any, positive: Any, negative: Any, margin: float) -> None:
    a, p, n = (len(x.shape) for x in (anchor, positive, negative))
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if len({a, p, n}) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of "
            f"dimensions, but got: anchor {a}D, positive {p}D, and negative {n}D inputs"
        )


def _triplet(
    distance: Callable[..., Any], given: tuple[Any, Any, Any], margin: float, swap: bool
) -> Any:
    """Return by how much unlike ones are too near, compared with like ones."""
    anchor, positive, negative = given
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = FUNCTIONS["minimum"](far, distance(positive, negative))
    return (margin + near - far).clamp_min(0)


@public(
    "nn.functional.triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-06, bool swap=False, object size_average=None, object reduce=None, str reduction=mean) -> Tensor",
    python=True,
    inner="triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin, float p, float eps, bool swap, int reduction)",
)
def _triplet_margin_loss(
    anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: float = 2,
    eps: float = 1e-6, swap: bool = False, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return the mean of what the distance of unlike ones lacks to the margin above that of like ones.

    Parameters
    ----------
    anchor, positive, negative : Tensor or ArrayExpr
        Vectors along the last axis: some, others that are like them, and others that are not.
    margin : float
        By how much the unlike ones should be farther.
    p, eps : float
        The order of the norm, and what is added to the elements of differences.
    swap : bool
        Whether an unlike one counts by the nearer one of both others.
    reduction : "mean", "sum" or "none"
        What becomes of the triplets.

    Raises
    ------
    RuntimeError
        If the numbers of axes differ.
    ValueError
        If the margin is not positive.

    Examples
    --------
    >>> import symgrad as torch
    >>> a, b, c = torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]])
    >>> torch.nn.functional.triplet_margin_loss(a, b, c)
    tensor(4.0000)
    """
    reduction = reduction_of(size_average, reduce, reduction)
    _check_triplet(anchor, positive, negative, margin)

    def distance(x: Any, y: Any) -> Any:
        return _pairwise_distance(x, y, p, eps)

    return _reduced(_triplet(distance, (anchor, positive, negative), margin, swap), reduction)


@public(
    "nn.functional.triplet_margin_with_distance_loss(Tensor anchor, Tensor positive, Tensor negative, *, object distance_function=None, float margin=1.0, object swap=False, str reduction=mean) -> Tensor",
    python=True,
    reads="ndim",
)
def _triplet_margin_with_distance_loss(
    anchor: Any, positive: Any, negative: Any, *, distance_function: Any = None,
    margin: float = 1.0, swap: bool = False, reduction: str = "mean",
) -> Any:  # fmt: skip
    """Return what `triplet_margin_loss` does, with a distance of the user's.

    Parameters
    ----------
    anchor, positive, negative : Tensor or ArrayExpr
        Some, others that are like them, and others that are not.
    distance_function : callable, optional
        Gives the distances of two arrays; `pairwise_distance` where not given.
    margin : float
        By how much the unlike ones should be farther.
    swap : bool
        Whether an unlike one counts by the nearer one of both others.
    reduction : "mean", "sum" or "none"
        What becomes of the triplets.

    Examples
    --------
    >>> import symgrad as torch
    >>> a, b, c = torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]])
    >>> distance = lambda x, y: (x - y).abs().sum(-1)
    >>> torch.nn.functional.triplet_margin_with_distance_loss(a, b, c, distance_function=distance)
    tensor(6.)
    """
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"{reduction} is not a valid value for reduction")
    _check_triplet(anchor, positive, negative, margin)
    distance = _pairwise_distance if distance_function is None else distance_function
    return _reduced(_triplet(distance, (anchor, positive, negative), margin, swap), reduction)
