"""How alike vectors are: `cosine_similarity`, `pairwise_distance`."""

from __future__ import annotations

from typing import Any

from symgrad.expr.dtypes import Category, promote
from symgrad.expr.shapes import broadcast_shapes, canonical_axis
from symgrad.functions.casting import converted_inside
from symgrad.schema.public import public


@public(
    "cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
    aliases=("nn.functional.cosine_similarity",),
    method=False,
)
def _cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    """Return the cosine of the angle between vectors along an axis.

    Parameters
    ----------
    x1, x2 : Tensor or ArrayExpr
        The vectors.
    dim : int
        The axis.
    eps : float
        The least length that a vector is divided by.

    Raises
    ------
    RuntimeError
        If they hold integers, or do not broadcast.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([[3.0, 4.0]]), torch.tensor([[1.0, 0.0]])
    >>> torch.nn.functional.cosine_similarity(x, y)
    tensor([0.6000])
    """
    kind = promote(x1.dtype, x2.dtype)
    if kind.category != Category.FLOAT:
        raise RuntimeError(
            f"expected common dtype to be floating point, yet common dtype is {kind.scalar_name}"
        )
    shape = broadcast_shapes(tuple(x1.shape), tuple(x2.shape))
    axis = canonical_axis(dim, len(shape))
    directions = []
    for x in (x1, x2):
        x = converted_inside(x, kind).broadcast_to(shape)
        directions.append(x / x.norm(2, axis, keepdim=True).clamp_min(eps))
    return (directions[0] * directions[1]).sum(axis)


@public(
    "pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor",
    aliases=("nn.functional.pairwise_distance",),
    method=False,
)
def _pairwise_distance(
    x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Any:
    """Return the length of the difference of vectors, which lie along the last axis.

    Parameters
    ----------
    x1, x2 : Tensor or ArrayExpr
        The vectors.
    p : float
        The order of the norm.
    eps : float
        What is added to each element of the difference.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 0.0]])
    >>> torch.nn.functional.pairwise_distance(x, y)
    tensor([5.0000])
    """
    rank = max(len(x1.shape), len(x2.shape))
    return (x1 - x2 + eps).norm(p, rank - 1, keepdim=keepdim)
