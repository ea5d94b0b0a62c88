"""Distributions of numbers between bounds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.counts import surprise
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.draws import dirichlet, standard_uniform
from symgrad.distributions.exp_family import ExponentialFamily
from symgrad.distributions.functions import one_hot, stack, where, xlogy
from symgrad.distributions.of_probability import OfProbability
from symgrad.distributions.utils import broadcast_all, clamp_probs, lazy_property, logits_to_probs

__all__ = ["Beta", "ContinuousBernoulli", "Dirichlet", "Uniform"]


class Uniform(Distribution):
    """The uniform distribution.

    Parameters
    ----------
    low, high : Tensor or float
        The bounds.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Uniform(0.0, 4.0).log_prob(torch.tensor(1.0)).exp()
    tensor(0.2500)
    """

    has_rsample = True

    low: Any
    high: Any

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        self._parametrize(validate_args, low=low, high=high)

    @property
    def arg_constraints(self) -> Any:
        return {
            "low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)
        }  # fmt: skip

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        return constraints.interval(self.low, self.high)

    @property
    def mean(self) -> Any:
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Any:
        return math.nan * self.high

    @property
    def stddev(self) -> Any:
        return (self.high - self.low) / 12**0.5

    @property
    def variance(self) -> Any:
        return (self.high - self.low).pow(2) / 12

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        u = standard_uniform(self.low, self._extended_shape(sample_shape))
        return self.low + u * (self.high - self.low)

    def _log_prob(self, value: Any) -> Any:
        inside = (self.low <= value) & (value < self.high)
        return where(inside, 0.0, -math.inf) - (self.high - self.low).log()

    def _cdf(self, value: Any) -> Any:
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value: Any) -> Any:
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Any:
        return (self.high - self.low).log()


class Dirichlet(ExponentialFamily):
    """The Dirichlet distribution: of shares whose sum is 1.

    Parameters
    ----------
    concentration : Tensor
        The weights of the shares, along the last axis.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If that has no axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Dirichlet(torch.tensor([1.0, 3.0])).mean
    tensor([0.2500, 0.7500])
    """

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True

    def __init__(self, concentration: Any, validate_args: bool | None = None) -> None:
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return dirichlet(self.concentration.expand(self._extended_shape(sample_shape)))

    def _log_prob(self, value: Any) -> Any:
        a = self.concentration
        return xlogy(a - 1, value).sum(-1) + a.sum(-1).lgamma() - a.lgamma().sum(-1)

    @property
    def mean(self) -> Any:
        return self.concentration / self.concentration.sum(-1, keepdim=True)

    @property
    def mode(self) -> Any:
        above = (self.concentration - 1).clamp(min=0)
        shares = above / above.sum(-1, keepdim=True)
        # Where all are below 1, no density has a bound: PyTorch names the first share.
        corner = one_hot(shares.argmax(-1), above.shape[-1]).to(above.dtype)
        return where((self.concentration < 1).all(-1, keepdim=True), corner, shares)

    @property
    def variance(self) -> Any:
        a, total = self.concentration, self.concentration.sum(-1, keepdim=True)
        return a * (total - a) / (total.pow(2) * (total + 1))

    def entropy(self) -> Any:
        a, total = self.concentration, self.concentration.sum(-1)
        return (
            a.lgamma().sum(-1) - total.lgamma() - (a.shape[-1] - total) * total.digamma()
            - ((a - 1) * a.digamma()).sum(-1)
        )  # fmt: skip

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return (self.concentration,)

    def _log_normalizer(self, *natural_params: Any) -> Any:
        (x,) = natural_params
        return x.lgamma().sum(-1) - x.sum(-1).lgamma()


class Beta(ExponentialFamily):
    """The beta distribution: of one of two shares whose sum is 1.

    Parameters
    ----------
    concentration1, concentration0 : Tensor or float
        The weight of the share, and that of the other one.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Beta(1.0, 3.0).mean
    tensor(0.2500)
    """

    arg_constraints = {
        "concentration1": constraints.positive, "concentration0": constraints.positive
    }  # fmt: skip
    support = constraints.unit_interval
    has_rsample = True

    def __init__(
        self, concentration1: Any, concentration0: Any, validate_args: bool | None = None
    ) -> None:
        both = stack(broadcast_all(concentration1, concentration0), -1)
        self._dirichlet = Dirichlet(both, validate_args)
        super().__init__(both.shape[:-1], (), validate_args)

    @property
    def concentration1(self) -> Any:
        """The weight of the share.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Beta(1.0, 3.0).concentration1
        tensor(1.)
        """
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Any:
        """The weight of the other share.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Beta(1.0, 3.0).concentration0
        tensor(3.)
        """
        return self._dirichlet.concentration[..., 1]

    @property
    def mean(self) -> Any:
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Any:
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Any:
        a, b = self.concentration1, self.concentration0
        total = a + b
        return a * b / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def _log_prob(self, value: Any) -> Any:
        return self._dirichlet._log_prob(stack([value, 1 - value], -1))

    def entropy(self) -> Any:
        return self._dirichlet.entropy()

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return self.concentration1, self.concentration0

    def _log_normalizer(self, *natural_params: Any) -> Any:
        x, y = natural_params
        return x.lgamma() + y.lgamma() - (x + y).lgamma()


class ContinuousBernoulli(OfProbability, ExponentialFamily):
    """Numbers between 0 and 1 with densities ``p**x (1 - p)**(1 - x)`` but for a factor.

    Parameters
    ----------
    probs, logits : Tensor or float, optional
        The number p, or its log-odds: one of both.
    lims : pair of float
        Between these, series around 1/2 take the place of quotients.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If none of both is given, or both are.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.ContinuousBernoulli(0.5).mean
    tensor(0.5000)
    """

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self, probs: Any = None, logits: Any = None, lims: tuple[float, float] = (0.499, 0.501),
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        self._lims = lims
        self._by_probability(probs, logits, validate_args)
        if probs is not None:
            self._param = self.probs = clamp_probs(self.probs)

    @lazy_property
    def probs(self) -> Any:
        """The number p.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.ContinuousBernoulli(logits=0.0).probs
        tensor(0.5000)
        """
        return clamp_probs(logits_to_probs(self.logits, True))

    def _outside(self) -> Any:
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _cut(self) -> Any:
        """Return p, or a number beside it where it is close to 1/2."""
        return where(self._outside(), self.probs, self._lims[0])

    def _log_norm(self) -> Any:
        p = self._cut()
        log_odds = ((-p).log1p() - p.log()).abs()
        exact = log_odds.log() - (1 - 2 * p).abs().log()
        square = (self.probs - 0.5).pow(2)
        series = math.log(2) + (4 / 3 + 104 / 45 * square) * square
        return where(self._outside(), exact, series)

    @property
    def mean(self) -> Any:
        p, apart = self._cut(), self.probs - 0.5
        exact = p / (2 * p - 1) + 1 / ((-p).log1p() - p.log())
        return where(self._outside(), exact, 0.5 + (1 / 3 + 16 / 45 * apart.pow(2)) * apart)

    @property
    def variance(self) -> Any:
        p, square = self._cut(), (self.probs - 0.5).pow(2)
        exact = p * (p - 1) / (1 - 2 * p).pow(2) + 1 / ((-p).log1p() - p.log()).pow(2)
        return where(self._outside(), exact, 1 / 12 - (1 / 15 - 128 / 945 * square) * square)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.icdf(standard_uniform(self.probs, self._extended_shape(sample_shape)))

    def _log_prob(self, value: Any) -> Any:
        return self._log_norm() - surprise(*broadcast_all(self.logits, value))

    def _cdf(self, value: Any) -> Any:
        p = self._cut()
        exact = (p.pow(value) * (1 - p).pow(1 - value) + p - 1) / (2 * p - 1)
        return where(self._outside(), exact, value).clamp(min=0, max=1)

    def icdf(self, value: Any) -> Any:
        p = self._cut()
        rest = (-p).log1p()
        exact = ((-p + value * (2 * p - 1)).log1p() - rest) / (p.log() - rest)
        return where(self._outside(), exact, value)

    def entropy(self) -> Any:
        rest = (-self.probs).log1p()
        return self.mean * (rest - self.probs.log()) - self._log_norm() - rest

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return (self.logits,)

    def _log_normalizer(self, *natural_params: Any) -> Any:
        (x,) = natural_params
        low, high = self._lims[0] - 0.5, self._lims[1] - 0.5
        outside = (x <= low) | (x > high)
        cut = where(outside, x, low)
        exact = cut.expm1().abs().log() - cut.abs().log()
        return where(outside, exact, 0.5 * x + x.pow(2) / 24 - x.pow(4) / 2880)
