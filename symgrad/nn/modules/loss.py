"""Losses: how far predictions are from targets."""

from __future__ import annotations

from typing import Any

from symgrad.functions.losses import reduction_of
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.module import Module


class Loss(Module):
    """The base of losses.

    Parameters
    ----------
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.
    """

    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
    ) -> None:
        super().__init__()
        old = size_average is not None or reduce is not None
        self.reduction = reduction_of(size_average, reduce, reduction) if old else reduction


class WeightedLoss(Loss):
    """The base of losses with a factor for each class or element, a buffer.

    Parameters
    ----------
    weight : Tensor, optional
        The factors.
    size_average, reduce, reduction
        As those of `Loss`.
    """

    weight: Any

    def __init__(
        self, weight: Any = None, size_average: Any = None, reduce: Any = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class L1Loss(Loss):
    """The mean of absolute differences.

    Parameters
    ----------
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.L1Loss()(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(1.)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(Loss):
    """The mean of squared differences.

    Parameters
    ----------
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.MSELoss()(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(2.)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.mse_loss(input, target, reduction=self.reduction)


class NLLLoss(WeightedLoss):
    """The mean of the negative logarithms of probabilities at the classes of targets.

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each class.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    ignore_index : int
        A target that counts nothing.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the targets.

    Examples
    --------
    >>> import symgrad as torch
    >>> logs = torch.tensor([[0.5, 0.5], [0.25, 0.75]]).log()
    >>> torch.nn.NLLLoss()(logs, torch.tensor([0, 1]))
    tensor(0.4904)
    """

    def __init__(
        self, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
        reduce: Any = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Any, target: Any) -> Any:
        return F.nll_loss(
            input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction
        )


class CrossEntropyLoss(WeightedLoss):
    """The cross entropy of classes, or of probabilities, from logits.

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each class.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    ignore_index : int
        A target that counts nothing.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the targets.
    label_smoothing : float
        The share of each target that goes to all classes alike.

    Examples
    --------
    >>> import symgrad as torch
    >>> logits = torch.tensor([[2.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    >>> torch.nn.CrossEntropyLoss()(logits, torch.tensor([0, 2]))
    tensor(0.3955)
    """

    def __init__(
        self, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
        reduce: Any = None, reduction: str = "mean", label_smoothing: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input: Any, target: Any) -> Any:
        return F.cross_entropy(
            input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )  # fmt: skip


class BCELoss(WeightedLoss):
    """The cross entropy of probabilities of one of two classes.

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each element.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.BCELoss()(torch.tensor([0.9, 0.2]), torch.tensor([1.0, 0.0]))
    tensor(0.1643)
    """

    def forward(self, input: Any, target: Any) -> Any:
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(Loss):
    """The cross entropy of one of two classes, from logits.

    Parameters
    ----------
    weight : Tensor, optional
        A factor for each element.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.
    pos_weight : Tensor, optional
        A factor for the positive class.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.BCEWithLogitsLoss()(torch.tensor([2.0, -3.0]), torch.tensor([1.0, 0.0]))
    tensor(0.0878)
    """

    weight: Any
    pos_weight: Any

    def __init__(
        self, weight: Any = None, size_average: Any = None, reduce: Any = None,
        reduction: str = "mean", pos_weight: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Any, target: Any) -> Any:
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )
