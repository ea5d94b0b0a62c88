"""Losses that want scores or distances apart by a margin."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.distance import PairwiseDistance
from symgrad.nn.modules.loss import Loss, WeightedLoss


class HingeEmbeddingLoss(Loss):
    """The mean of distances of like pairs, and of what unlike ones lack to the margin.

    Parameters
    ----------
    margin : float
        How far unlike ones should be apart.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.HingeEmbeddingLoss()(torch.tensor([0.5, 0.25]), torch.tensor([1, -1]))
    tensor(0.6250)
    """

    def __init__(
        self, margin: float = 1.0, size_average: Any = None, reduce: Any = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input: Any, target: Any) -> Any:
        return F.hinge_embedding_loss(input, target, margin=self.margin, reduction=self.reduction)


class SoftMarginLoss(Loss):
    """The mean of `log(1 + exp(-target * input))`, of targets 1 and -1.

    Parameters
    ----------
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.SoftMarginLoss()(torch.tensor([2.0, -1.0]), torch.tensor([1.0, 1.0]))
    tensor(0.7201)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class MultiLabelMarginLoss(Loss):
    """The mean of what scores of right classes lack to 1 above those of wrong ones.

    Parameters
    ----------
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> scores = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> torch.nn.MultiLabelMarginLoss()(scores, torch.tensor([[3, 0, -1, 1]]))
    tensor(0.8500)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(WeightedLoss):
    """The mean cross entropy of classes, of which several may be right, from logits.

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each class.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> logits, target = torch.tensor([[2.0, -3.0]]), torch.tensor([[1.0, 0.0]])
    >>> torch.nn.MultiLabelSoftMarginLoss()(logits, target)
    tensor(0.0878)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.multilabel_soft_margin_loss(
            input, target, weight=self.weight, reduction=self.reduction
        )


class MultiMarginLoss(WeightedLoss):
    """The mean of what the score of the right class lacks to the margin above the others.

    Parameters
    ----------
    p : 1 or 2
        The power of what is lacking.
    margin : float
        By how much the right score should be greater.
    weight : Tensor, optional
        A factor for each class.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> scores = torch.tensor([[0.1, 0.2, 0.4, 0.8]])
    >>> torch.nn.MultiMarginLoss()(scores, torch.tensor([3]))
    tensor(0.3250)
    """

    def __init__(
        self, p: int = 1, margin: float = 1.0, weight: Any = None, size_average: Any = None,
        reduce: Any = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and len(weight.shape) != 1:
            raise ValueError(
                "MultiMarginLoss: expected weight to be None or 1D tensor, got "
                f"{len(weight.shape)}D instead"
            )
        self.p, self.margin = p, margin

    def forward(self, input: Any, target: Any) -> Any:
        return F.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight,
            reduction=self.reduction,
        )  # fmt: skip


class CosineEmbeddingLoss(Loss):
    """The mean of `1 - cos` of like pairs of vectors, and of `cos - margin` of unlike ones.

    Parameters
    ----------
    margin : float
        The cosine up to which unlike ones count nothing.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([[3.0, 4.0]]), torch.tensor([[1.0, 0.0]])
    >>> torch.nn.CosineEmbeddingLoss()(x, y, torch.tensor([1]))
    tensor(0.4000)
    """

    def __init__(
        self, margin: float = 0.0, size_average: Any = None, reduce: Any = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Any, input2: Any, target: Any) -> Any:
        """Compute the loss.

        Parameters
        ----------
        input1, input2 : Tensor or ArrayExpr
            What is compared.
        target : Tensor or ArrayExpr
            1 or -1.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.CosineEmbeddingLoss().forward(torch.ones(2), torch.ones(2), torch.tensor(-1))
        tensor(1.)
        """
        return F.cosine_embedding_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class MarginRankingLoss(Loss):
    """The mean of what the difference of scores lacks to the margin.

    Parameters
    ----------
    margin : float
        By how much the first score should be greater, or the second where the target is -1.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1.0, 2.0]), torch.tensor([0.5, 3.0])
    >>> torch.nn.MarginRankingLoss()(x, y, torch.tensor([1, 1]))
    tensor(0.5000)
    """

    def __init__(
        self, margin: float = 0.0, size_average: Any = None, reduce: Any = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Any, input2: Any, target: Any) -> Any:
        """Compute the loss.

        Parameters
        ----------
        input1, input2 : Tensor or ArrayExpr
            What is compared.
        target : Tensor or ArrayExpr
            1 or -1.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.MarginRankingLoss().forward(torch.ones(1), torch.ones(1) * 3, torch.ones(1))
        tensor(2.)
        """
        return F.margin_ranking_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class Triplet(Loss):
    """The base of losses of triplets."""

    def _check_margin(self, margin: float) -> None:
        if margin <= 0:
            raise ValueError(
                f"{self._get_name()}: expected margin to be greater than 0, got {margin} instead"
            )


class TripletMarginLoss(Triplet):
    """The mean of what distances of unlike ones lack to the margin above those of like ones.

    Parameters
    ----------
    margin : float
        By how much the unlike ones should be farther.
    p, eps : float
        The order of the norm, and what is added to the elements of differences.
    swap : bool
        Whether an unlike one counts by the nearer one of both others.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> a, b, c = torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]])
    >>> torch.nn.TripletMarginLoss()(a, b, c)
    tensor(4.0000)
    """

    def __init__(
        self, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6, swap: bool = False,
        size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self._check_margin(margin)
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Any, positive: Any, negative: Any) -> Any:
        """Compute the loss.

        Parameters
        ----------
        anchor, positive, negative : Tensor or ArrayExpr
            Some vectors, others that are like them, and others that are not.

        Examples
        --------
        >>> import symgrad as torch
        >>> a, b, c = torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]])
        >>> torch.nn.TripletMarginLoss().forward(a, b, c)
        tensor(4.0000)
        """
        return F.triplet_margin_loss(
            anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps, swap=self.swap,
            reduction=self.reduction,
        )  # fmt: skip


class TripletMarginWithDistanceLoss(Triplet):
    """`TripletMarginLoss` with a distance of the user's.

    Parameters
    ----------
    distance_function : callable, optional
        Gives the distances of two arrays; `PairwiseDistance` where not given.
    margin : float
        By how much the unlike ones should be farther.
    swap : bool
        Whether an unlike one counts by the nearer one of both others.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> a, b, c = torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]])
    >>> torch.nn.TripletMarginWithDistanceLoss(distance_function=torch.nn.PairwiseDistance(1))(
    ...     a, b, c
    ... )
    tensor(6.0000)
    """

    def __init__(
        self, *, distance_function: Any = None, margin: float = 1.0, swap: bool = False,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(None, None, reduction)
        self._check_margin(margin)
        self.distance_function = distance_function or PairwiseDistance()
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Any, positive: Any, negative: Any) -> Any:
        """Compute the loss.

        Parameters
        ----------
        anchor, positive, negative : Tensor or ArrayExpr
            Some vectors, others that are like them, and others that are not.

        Examples
        --------
        >>> import symgrad as torch
        >>> a, b, c = torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]])
        >>> torch.nn.TripletMarginWithDistanceLoss().forward(a, b, c)
        tensor(4.0000)
        """
        return F.triplet_margin_with_distance_loss(
            anchor, positive, negative, distance_function=self.distance_function,
            margin=self.margin, swap=self.swap, reduction=self.reduction,
        )  # fmt: skip
