"""Distributions of the real line that a location and a scale shift and stretch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.draws import standard_normal
from symgrad.distributions.exp_family import ExponentialFamily
from symgrad.distributions.functions import full_like, normal
from symgrad.record.modes import no_grad
from symgrad.tensor.queries import finfo

__all__ = ["Cauchy", "Laplace", "Normal"]

_LOCATED = {"loc": constraints.real, "scale": constraints.positive}


class Located(Distribution):
    """The base: symmetric distributions around a location."""

    arg_constraints = _LOCATED
    support = constraints.real
    has_rsample = True

    loc: Any
    scale: Any

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self._parametrize(validate_args, loc=loc, scale=scale)

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def mode(self) -> Any:
        return self.loc


class Normal(Located, ExponentialFamily):
    """The normal distribution.

    Parameters
    ----------
    loc, scale : Tensor or float
        The mean and the standard deviation.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Normal(0.0, 1.0).log_prob(torch.tensor(0.0))
    tensor(-0.9189)
    """

    _mean_carrier_measure = 0

    @property
    def stddev(self) -> Any:
        return self.scale

    @property
    def variance(self) -> Any:
        return self.scale**2

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        eps = standard_normal(self.loc, self._extended_shape(sample_shape))
        return self.loc + eps * self.scale

    def _log_prob(self, value: Any) -> Any:
        distance = (value - self.loc) ** 2 / (2 * self.scale**2)
        return -distance - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def _cdf(self, value: Any) -> Any:
        return 0.5 * (1 + ((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)).erf())

    def icdf(self, value: Any) -> Any:
        return self.loc + self.scale * (2 * value - 1).erfinv() * math.sqrt(2)

    def entropy(self) -> Any:
        return 0.5 + 0.5 * math.log(2 * math.pi) + self.scale.log()

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return self.loc / self.scale**2, -0.5 * (self.scale**2).reciprocal()

    def _log_normalizer(self, *natural_params: Any) -> Any:
        x, y = natural_params
        return -0.25 * x**2 / y + 0.5 * (-math.pi / y).log()


class Laplace(Located):
    """The Laplace distribution, exponential on both sides.

    Parameters
    ----------
    loc, scale : Tensor or float
        The mean, and the mean distance from it.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Laplace(0.0, 1.0).variance
    tensor(2.)
    """

    @property
    def stddev(self) -> Any:
        return 2**0.5 * self.scale

    @property
    def variance(self) -> Any:
        return 2 * self.scale**2

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        u = self.loc.new_empty(self._extended_shape(sample_shape))
        u.uniform_(finfo(u.dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * (-u.abs()).log1p()

    def _log_prob(self, value: Any) -> Any:
        return -(2 * self.scale).log() - (value - self.loc).abs() / self.scale

    def _cdf(self, value: Any) -> Any:
        distance = value - self.loc
        return 0.5 - 0.5 * distance.sign() * (-distance.abs() / self.scale).expm1()

    def icdf(self, value: Any) -> Any:
        term = value - 0.5
        return self.loc - self.scale * term.sign() * (-2 * term.abs()).log1p()

    def entropy(self) -> Any:
        return 1 + (2 * self.scale).log()


class Cauchy(Located):
    """The Cauchy distribution, which has no mean.

    Parameters
    ----------
    loc, scale : Tensor or float
        The median, and half the width between the quartiles.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Cauchy(0.0, 1.0).cdf(torch.tensor(1.0))
    tensor(0.7500)
    """

    @property
    def mean(self) -> Any:
        return full_like(self.loc, math.nan)

    @property
    def variance(self) -> Any:
        return full_like(self.loc, math.inf)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        eps = self.loc.new_empty(self._extended_shape(sample_shape)).cauchy_()
        return self.loc + eps * self.scale

    def _log_prob(self, value: Any) -> Any:
        distance = (value - self.loc) / self.scale
        return -math.log(math.pi) - self.scale.log() - (distance**2).log1p()

    def _cdf(self, value: Any) -> Any:
        return ((value - self.loc) / self.scale).atan() / math.pi + 0.5

    def icdf(self, value: Any) -> Any:
        return (math.pi * (value - 0.5)).tan() * self.scale + self.loc

    def entropy(self) -> Any:
        return math.log(4 * math.pi) + self.scale.log()
