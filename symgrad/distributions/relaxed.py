"""Differentiable distributions close to those of one of two, and one of several categories.

C. J. Maddison et al., The concrete distribution, 2017; E. Jang et al., Categorical
reparameterization with Gumbel-softmax, 2017.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.categories import OfCategories
from symgrad.distributions.composed import TransformedDistribution
from symgrad.distributions.draws import standard_uniform
from symgrad.distributions.functions import full_like
from symgrad.distributions.of_probability import OfProbability
from symgrad.distributions.transforms import ExpTransform, SigmoidTransform
from symgrad.distributions.utils import broadcast_all, clamp_probs

__all__ = [
    "ExpRelaxedCategorical", "LogitRelaxedBernoulli", "RelaxedBernoulli", "RelaxedOneHotCategorical"
]  # fmt: skip


class LogitRelaxedBernoulli(OfProbability):
    """The log-odds of `RelaxedBernoulli`.

    Parameters
    ----------
    temperature : Tensor
        How far values are from 0 and 1.
    probs, logits : Tensor or float, optional
        The probability of 1, or its log-odds: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.distributions.relaxed import LogitRelaxedBernoulli
    >>> LogitRelaxedBernoulli(torch.tensor(1.0), 0.5).log_prob(torch.tensor(0.0)).exp()
    tensor(0.2500)
    """

    arg_constraints: Any = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.real
    has_rsample = True
    _common = frozenset({"temperature"})

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        self.temperature = temperature
        self._by_probability(probs, logits, validate_args)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        u = clamp_probs(standard_uniform(probs, shape))
        return (u.log() - (-u).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def _log_prob(self, value: Any) -> Any:
        logits, value = broadcast_all(self.logits, value)
        apart = logits - value * self.temperature
        return self.temperature.log() + apart - 2 * apart.exp().log1p()


class ExpRelaxedCategorical(OfCategories):
    """The logarithms of `RelaxedOneHotCategorical`.

    Parameters
    ----------
    temperature : Tensor
        How far values are from 0 and 1.
    probs, logits : Tensor, optional
        The weights of the categories along the last axis, or their logarithms: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.distributions.relaxed import ExpRelaxedCategorical
    >>> ExpRelaxedCategorical(torch.tensor(1.0), torch.ones(2)).event_shape
    torch.Size([2])
    """

    support = constraints.real_vector
    has_rsample = True
    _common = frozenset({"temperature"})

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        self.temperature = temperature
        self._by_categories(probs, logits, validate_args)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        gumbels = -(-clamp_probs(standard_uniform(self.logits, shape)).log()).log()
        return ((self.logits + gumbels) / self.temperature).log_softmax(-1)

    def _log_prob(self, value: Any) -> Any:
        count = self._event_shape[0]
        logits, value = broadcast_all(self.logits, value)
        temperature = self.temperature
        norm = full_like(temperature, float(count)).lgamma() + temperature.log() * (count - 1)
        return (logits - value * temperature).log_softmax(-1).sum(-1) + norm


class _Relaxed(TransformedDistribution):
    """The base: functions of the two above, whose parameters these have."""

    @property
    def temperature(self) -> Any:
        """How far values are from 0 and 1.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.RelaxedBernoulli(torch.tensor(2.0), 0.5).temperature
        tensor(2.)
        """
        return self.base_dist.temperature

    @property
    def logits(self) -> Any:
        """The log-odds, or the logarithms of probabilities.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.RelaxedBernoulli(torch.tensor(2.0), 0.5).logits
        tensor(0.)
        """
        return self.base_dist.logits

    @property
    def probs(self) -> Any:
        """The probabilities.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.RelaxedBernoulli(torch.tensor(2.0), 0.5).probs
        tensor(0.5000)
        """
        return self.base_dist.probs


class RelaxedBernoulli(_Relaxed):
    """Numbers between 0 and 1 that are close to one of both.

    Parameters
    ----------
    temperature : Tensor
        How far they are.
    probs, logits : Tensor or float, optional
        The probability of 1, or its log-odds: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.RelaxedBernoulli(torch.tensor(2.0), 0.5).support
    Interval(lower_bound=0.0, upper_bound=1.0)
    """

    arg_constraints: Any = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        base = LogitRelaxedBernoulli(temperature, probs, logits)
        super().__init__(base, SigmoidTransform(), validate_args)


class RelaxedOneHotCategorical(_Relaxed):
    """Shares of 1 of which one is close to all of it.

    Parameters
    ----------
    temperature : Tensor
        How far it is.
    probs, logits : Tensor, optional
        The weights of the categories along the last axis, or their logarithms: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.RelaxedOneHotCategorical(torch.tensor(2.0), torch.ones(3)).event_shape
    torch.Size([3])
    """

    arg_constraints: Any = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex

    def __init__(
        self, temperature: Any, probs: Any = None, logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args)
        super().__init__(base, ExpTransform(), validate_args)
