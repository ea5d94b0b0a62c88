"""Losses: how far predictions are from targets."""

from __future__ import annotations

import math
import warnings
from typing import Any

from symgrad.functions.losses import reduction_of
from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.linear import Linear
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


class NLLLoss2d(NLLLoss):
    """`NLLLoss`, by its name in old programs.

    Parameters
    ----------
    weight, size_average, ignore_index, reduce, reduction
        As for `NLLLoss`.

    Examples
    --------
    >>> import warnings
    >>> import symgrad as torch
    >>> with warnings.catch_warnings(record=True) as found:
    ...     warnings.simplefilter("always")
    ...     _ = torch.nn.NLLLoss2d()
    >>> found[0].category.__name__
    'FutureWarning'
    """

    def __init__(
        self, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
        reduce: Any = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        warnings.warn(
            "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in "
            "replacement and see https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more "
            "details.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__(weight, size_average, ignore_index, reduce, reduction)


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


class LinearCrossEntropyLoss(WeightedLoss):
    """The cross entropy of what a linear layer, which belongs to the loss, makes of its input.

    Parameters
    ----------
    in_features, num_classes : int
        The length of a row, and the number of classes.
    out_features : tuple of int
        The shape of the losses of a row, if there are several.
    bias : bool
        Whether the layer has a bias.
    device, dtype : optional
        Of the parameters.
    reduction : "mean", "sum" or "none"
        What becomes of the losses.
    weight : Tensor, optional
        A factor for each class.
    ignore_index : int, optional
        A class that counts nothing.
    label_smoothing : float
        How much of each target is shared among all classes.
    options : optional
        Not used.

    Raises
    ------
    RuntimeError
        If the factors or the share do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> loss = torch.nn.LinearCrossEntropyLoss(5, 10, out_features=(4, 3))
    >>> loss(torch.randn(2, 5), torch.randint(0, 10, (2, 4, 3))).shape
    torch.Size([])
    """

    def __init__(
        self, in_features: int, num_classes: int, *, out_features: tuple[int, ...] = (),
        bias: bool = False, device: Any = None, dtype: Any = None, reduction: str = "mean",
        weight: Any = None, ignore_index: int | None = None, label_smoothing: float = 0.0,
        options: Any = None,
    ) -> None:  # fmt: skip
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise RuntimeError(
                f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}"
            )
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(
                f"expected label_smoothing to be in range [0, 1], got {label_smoothing}"
            )
        super().__init__(weight, None, None, reduction)
        self.num_classes, self.out_features = num_classes, out_features
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing
        rows = math.prod(out_features, start=num_classes)
        self.linear = Linear(in_features, rows, bias=bias, device=device, dtype=dtype)
        self.options = options

    def forward(self, input: Any, target: Any) -> Any:
        shape = (self.num_classes, *self.out_features)
        weight, bias = self.linear.weight, self.linear.bias
        return F.linear_cross_entropy(
            input, weight.reshape((*shape, self.linear.in_features)), target,
            linear_bias=None if bias is None else bias.reshape(shape), weight=self.weight,
            reduction=self.reduction, ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing, options=self.options,
        )  # fmt: skip

    def extra_repr(self) -> str:
        shown: dict[str, Any] = {
            "in_features": self.linear.in_features,
            "num_classes": self.num_classes,
        }
        shown |= {"out_features": self.out_features, "bias": self.linear.bias is not None}
        names = ("reduction", "ignore_index", "label_smoothing", "options")
        shown |= {name: getattr(self, name) for name in names}
        return ", ".join([f"{name}={value}" for name, value in shown.items()])


#: PyTorch's names of the bases, from which programs derive losses of their own.
_Loss, _WeightedLoss = Loss, WeightedLoss
