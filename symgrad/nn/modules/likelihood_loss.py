"""Losses that are negative log-likelihoods, divergences, or linear far from the target."""

from __future__ import annotations

from typing import Any

from symgrad.nn import functional as F  # noqa: N812 - as programs write it
from symgrad.nn.modules.loss import Loss


class PoissonNLLLoss(Loss):
    """The mean negative log-likelihood of counts by the Poisson distribution.

    Parameters
    ----------
    log_input : bool
        False where the input holds the expected counts themselves, not their logarithms.
    full : bool
        Whether the logarithm of the factorial is added, by Stirling's formula.
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    eps : float
        What is added to expected counts whose logarithm is taken.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.PoissonNLLLoss()(torch.tensor([0.0, 1.0]), torch.tensor([1.0, 2.0]))
    tensor(0.8591)
    """

    def __init__(
        self, log_input: bool = True, full: bool = False, size_average: Any = None,
        eps: float = 1e-8, reduce: Any = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, input: Any, target: Any) -> Any:
        return F.poisson_nll_loss(
            input, target, log_input=self.log_input, full=self.full, eps=self.eps,
            reduction=self.reduction,
        )  # fmt: skip


class GaussianNLLLoss(Loss):
    """The mean negative log-likelihood by the normal distribution.

    Parameters
    ----------
    full : bool
        Whether the constant, half the logarithm of 2π, is added.
    eps : float
        The least variance.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, y = torch.tensor([1.0, 2.0]), torch.tensor([1.5, 4.0])
    >>> torch.nn.GaussianNLLLoss()(x, y, torch.tensor([1.0, 4.0]))
    tensor(0.6591)
    """

    def __init__(
        self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
    ) -> None:  # fmt: skip
        super().__init__(None, None, reduction)
        self.full, self.eps = full, eps

    def forward(self, input: Any, target: Any, var: Any) -> Any:
        """Compute the loss.

        Parameters
        ----------
        input, target : Tensor or ArrayExpr
            The expected values, and the values.
        var : Tensor, ArrayExpr or float
            The variances.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.nn.GaussianNLLLoss().forward(torch.zeros(2), torch.zeros(2), torch.ones(2))
        tensor(0.)
        """
        return F.gaussian_nll_loss(
            input, target, var, full=self.full, eps=self.eps, reduction=self.reduction
        )


class KLDivLoss(Loss):
    """The divergence of probabilities from those that the input has the logarithms of.

    Parameters
    ----------
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "batchmean", "mean", "sum" or "none"
        What becomes of the elements; "batchmean" is their sum over the length of the first axis.
    log_target : bool
        Whether the target, too, holds logarithms.

    Examples
    --------
    >>> import symgrad as torch
    >>> p, q = torch.tensor([[0.5, 0.5]]), torch.tensor([[0.25, 0.75]])
    >>> torch.nn.KLDivLoss(reduction="batchmean")(q.log(), p)
    tensor(0.1438)
    """

    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
        log_target: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Any, target: Any) -> Any:
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class SmoothL1Loss(Loss):
    """The mean of `d**2 / (2*beta)` where `abs(d) < beta`, else of `abs(d) - beta/2`.

    Parameters
    ----------
    size_average, reduce : bool, optional
        As old programs say what `reduction` says.
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.
    beta : float
        Where the square ends.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.SmoothL1Loss()(torch.tensor([1.0, 2.0]), torch.tensor([1.5, 4.0]))
    tensor(0.8125)
    """

    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
        beta: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Any, target: Any) -> Any:
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(Loss):
    """The mean of `d**2 / 2` where `abs(d) < delta`, else of `delta*(abs(d) - delta/2)`.

    Parameters
    ----------
    reduction : "mean", "sum" or "none"
        What becomes of the losses of the elements.
    delta : float
        Where the square ends.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.nn.HuberLoss(delta=0.5)(torch.tensor([1.0, 2.0]), torch.tensor([1.5, 4.0]))
    tensor(0.5000)
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(None, None, reduction)
        self.delta = delta

    def forward(self, input: Any, target: Any) -> Any:
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class CTCLoss(Loss):
    """How unlikely target sequences are, over all ways to align them with the input.

    Parameters
    ----------
    blank : int
        The class that counts for none.
    reduction : "mean", "sum" or "none"
        What becomes of the losses; for the mean each is divided by the length of its target.
    zero_infinity : bool
        Whether the loss of a target that does not fit in the input counts 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> log_probs, targets = torch.full((5, 2, 3), 1 / 3).log(), torch.tensor([[1, 2], [2, 1]])
    >>> torch.nn.CTCLoss()(log_probs, targets, (5, 5), (2, 2))
    tensor(0.9689)
    """

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction=reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(self, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any) -> Any:
        """Return `nn.functional.ctc_loss` of these arguments.

        Parameters
        ----------
        log_probs, targets, input_lengths, target_lengths
            As those of `nn.functional.ctc_loss`.

        Examples
        --------
        >>> import symgrad as torch
        >>> log_probs = torch.full((2, 1, 2), 0.5).log()
        >>> torch.nn.CTCLoss().forward(log_probs, torch.tensor([[1]]), (2,), (1,))
        tensor(0.2877)
        """
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction,
            self.zero_infinity,
        )  # fmt: skip
