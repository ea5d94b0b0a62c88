"""Distributions of whole numbers: what happens or not, and how often."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.draws import binomial, smallest
from symgrad.distributions.exp_family import ExponentialFamily
from symgrad.distributions.functions import (
    arange,
    bernoulli,
    cross_entropy_of_logits,
    logsigmoid,
    poisson,
    where,
)
from symgrad.distributions.of_probability import OfProbability
from symgrad.distributions.positive import Gamma
from symgrad.distributions.utils import broadcast_all, lazy_property
from symgrad.record.modes import no_grad

__all__ = ["Bernoulli", "Binomial", "Geometric", "NegativeBinomial", "Poisson"]

_ODDS = {"probs": constraints.unit_interval, "logits": constraints.real}


def surprise(logits: Any, value: Any) -> Any:
    """Return minus the logarithms of the probabilities of 0 and 1, or of their mean."""
    return cross_entropy_of_logits(logits, value, reduction="none")


class Bernoulli(OfProbability, ExponentialFamily):
    """What happens, 1, or not, 0.

    Parameters
    ----------
    probs, logits : Tensor or float, optional
        The probability of 1, or its log-odds: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If none of both is given, or both are.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Bernoulli(probs=0.25).mean
    tensor(0.2500)
    """

    arg_constraints = _ODDS
    support = constraints.boolean
    has_enumerate_support = True
    _mean_carrier_measure = 0

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._by_probability(probs, logits, validate_args)

    @property
    def mean(self) -> Any:
        return self.probs

    @property
    def mode(self) -> Any:
        likely = (self.probs >= 0.5).to(self.probs.dtype)
        return where(self.probs == 0.5, math.nan, likely)

    @property
    def variance(self) -> Any:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with no_grad():
            return bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def _log_prob(self, value: Any) -> Any:
        return -surprise(*broadcast_all(self.logits, value))

    def entropy(self) -> Any:
        return surprise(self.logits, self.probs)

    def enumerate_support(self, expand: bool = True) -> Any:
        return self._enumerated(arange(2, dtype=self._param.dtype), expand)

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return (self.probs.logit(),)

    def _log_normalizer(self, *natural_params: Any) -> Any:
        (x,) = natural_params
        return x.exp().log1p()


class Geometric(OfProbability):
    """How often something fails before it first happens.

    Parameters
    ----------
    probs, logits : Tensor or float, optional
        The probability that it happens, or its log-odds: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If none of both is given, or both are, or a probability is 0.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Geometric(0.25).mean
    tensor(3.)
    """

    arg_constraints = _ODDS
    support = constraints.nonnegative_integer

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._by_probability(probs, logits, validate_args)
        if self._validate_args and probs is not None and not (self.probs > 0).all():
            raise ValueError(
                f"Expected parameter probs of distribution {self!r} to be positive but found "
                f"invalid values:\n{self.probs}"
            )

    @property
    def mean(self) -> Any:
        return 1 / self.probs - 1

    @property
    def mode(self) -> Any:
        return self.probs.new_zeros(self.probs.shape)

    @property
    def variance(self) -> Any:
        return (1 / self.probs - 1) / self.probs

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with no_grad():
            u = self.probs.new_empty(self._extended_shape(sample_shape))
            u.uniform_(smallest(u), 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def _log_prob(self, value: Any) -> Any:
        value, probs = broadcast_all(value, self.probs)
        fails = where((probs == 1) & (value == 0), 0, probs)  # whose logarithm is not taken
        return value * (-fails).log1p() + self.probs.log()

    def entropy(self) -> Any:
        return surprise(self.logits, self.probs) / self.probs


class Binomial(OfProbability):
    """How often something happens in some trials.

    Parameters
    ----------
    total_count : Tensor or int
        How many trials there are.
    probs, logits : Tensor or float, optional
        The probability that it happens in one, or its log-odds: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If none of both is given, or both are.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Binomial(4, probs=torch.tensor(0.25)).mean
    tensor(1.)
    """

    arg_constraints = {"total_count": constraints.nonnegative_integer, **_ODDS}
    has_enumerate_support = True

    total_count: Any

    def __init__(
        self, total_count: Any = 1, probs: Any = None, logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        self._by_probability(probs, logits, validate_args, total_count=total_count)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Any:
        return self.total_count * self.probs

    @property
    def mode(self) -> Any:
        return ((self.total_count + 1) * self.probs).floor().minimum(self.total_count)

    @property
    def variance(self) -> Any:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def _log_prob(self, value: Any) -> Any:
        n, logits = self.total_count, self.logits
        ways = (n + 1).lgamma() - (value + 1).lgamma() - (n - value + 1).lgamma()
        # The derivative of the maximum is 1/2 at 0.
        above = logits.maximum(logits.new_zeros(()))
        return ways + value * logits - n * above - n * (-logits.abs()).exp().log1p()

    def _common_count(self, call: str) -> int:
        count = int(self.total_count.max())
        if int(self.total_count.min()) != count:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{call}`.")
        return count

    def entropy(self) -> Any:
        self._common_count("entropy")
        found = self.log_prob(self.enumerate_support(False))
        return -(found.exp() * found).sum(0)

    def enumerate_support(self, expand: bool = True) -> Any:
        count = self._common_count("enumerate_support")
        return self._enumerated(arange(1 + count, dtype=self._param.dtype), expand)


class NegativeBinomial(OfProbability):
    """How often something happens before it has failed some times.

    Parameters
    ----------
    total_count : Tensor or float
        How many failures end it.
    probs, logits : Tensor or float, optional
        The probability that it happens in one trial, or its log-odds: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If none of both is given, or both are.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.NegativeBinomial(3.0, probs=torch.tensor(0.5)).mean
    tensor(3.)
    """

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer

    total_count: Any

    def __init__(
        self, total_count: Any, probs: Any = None, logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        self._by_probability(probs, logits, validate_args, total_count=total_count)

    @property
    def mean(self) -> Any:
        return self.total_count * self.logits.exp()

    @property
    def mode(self) -> Any:
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0)

    @property
    def variance(self) -> Any:
        return self.mean / (-self.logits).sigmoid()

    @lazy_property
    def _gamma(self) -> Any:
        return Gamma(self.total_count, (-self.logits).exp(), validate_args=False)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with no_grad():
            return poisson(self._gamma.sample(sample_shape))

    def _log_prob(self, value: Any) -> Any:
        n = self.total_count
        ways = (n + value).lgamma() - (1 + value).lgamma() - n.lgamma()
        ways = ways.masked_fill(n + value == 0, 0)
        return ways + n * logsigmoid(-self.logits) + value * logsigmoid(self.logits)


class Poisson(ExponentialFamily):
    """How often something happens that may happen at any time.

    Parameters
    ----------
    rate : Tensor or float
        The mean.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Poisson(2.0).log_prob(torch.tensor(0.0))
    tensor(-2.)
    """

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer

    rate: Any

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        self._parametrize(validate_args, rate=rate)

    @property
    def mean(self) -> Any:
        return self.rate

    @property
    def mode(self) -> Any:
        return self.rate.floor()

    @property
    def variance(self) -> Any:
        return self.rate

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with no_grad():
            return poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def _log_prob(self, value: Any) -> Any:
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return (self.rate.log(),)

    def _log_normalizer(self, *natural_params: Any) -> Any:
        (x,) = natural_params
        return x.exp()
