"""Layers that say how alike vectors are."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.module import Module


class Comparison(Module):
    """The base of these layers."""

    def forward(self, x1: Any, x2: Any) -> Any:
        """Compare vectors.

        Parameters
        ----------
        x1, x2 : Tensor or ArrayExpr
            The vectors.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.PairwiseDistance().forward(torch.ones(1, 4), torch.zeros(1, 4))
        tensor([2.0000])
        """
        raise NotImplementedError


class PairwiseDistance(Comparison):
    """The length of the difference of vectors along the last axis.

    Parameters
    ----------
    p : float
        The order of the norm.
    eps : float
        What is added to each element of the difference.
    keepdim : bool
        Whether the last axis stays, with length one.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.PairwiseDistance()(torch.tensor([[3.0, 4.0]]), torch.zeros(1, 2))
    tensor([5.0000])
    """

    def __init__(self, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> None:
        super().__init__()
        self.norm, self.eps, self.keepdim = p, eps, keepdim

    def forward(self, x1: Any, x2: Any) -> Any:
        return F.pairwise_distance(x1, x2, self.norm, self.eps, self.keepdim)


class CosineSimilarity(Comparison):
    """The cosine of the angle between vectors along an axis.

    Parameters
    ----------
    dim : int
        The axis.
    eps : float
        The least length that a vector is divided by.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.CosineSimilarity()(torch.tensor([[3.0, 4.0]]), torch.tensor([[1.0, 0.0]]))
    tensor([0.6000])
    """

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim, self.eps = dim, eps

    def forward(self, x1: Any, x2: Any) -> Any:
        return F.cosine_similarity(x1, x2, self.dim, self.eps)
