"""Distributions of positive numbers that are no functions of others."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.draws import smallest, standard_gamma, standard_normal, standard_uniform
from symgrad.distributions.exp_family import ExponentialFamily
from symgrad.distributions.functions import gammainc, isclose, tensor, where, xlogy

__all__ = ["Chi2", "Exponential", "FisherSnedecor", "Gamma", "GeneralizedPareto", "StudentT"]


class Exponential(ExponentialFamily):
    """The time until something happens that may happen at any time.

    Parameters
    ----------
    rate : Tensor or float
        How often it happens, the inverse of the mean.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Exponential(2.0).log_prob(torch.tensor(0.0)).exp()
    tensor(2.)
    """

    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    rate: Any

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        self._parametrize(validate_args, rate=rate)

    @property
    def mean(self) -> Any:
        return self.rate.reciprocal()

    @property
    def mode(self) -> Any:
        return self.rate.new_zeros(self.rate.shape)

    @property
    def stddev(self) -> Any:
        return self.rate.reciprocal()

    @property
    def variance(self) -> Any:
        return self.rate.pow(-2)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.rate.new_empty(self._extended_shape(sample_shape)).exponential_() / self.rate

    def _log_prob(self, value: Any) -> Any:
        return self.rate.log() - self.rate * value

    def _cdf(self, value: Any) -> Any:
        return -(-self.rate * value).expm1()

    def icdf(self, value: Any) -> Any:
        return -(-value).log1p() / self.rate

    def entropy(self) -> Any:
        return 1 - self.rate.log()

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return (-self.rate,)

    def _log_normalizer(self, *natural_params: Any) -> Any:
        (x,) = natural_params
        return -(-x).log()


class Gamma(ExponentialFamily):
    """The gamma distribution: of the sum of exponential times.

    Parameters
    ----------
    concentration, rate : Tensor or float
        How many times, and how often what they wait for happens.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Gamma(3.0, 2.0).mean
    tensor(1.5000)
    """

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _mean_carrier_measure = 0

    concentration: Any
    rate: Any

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self._parametrize(validate_args, concentration=concentration, rate=rate)

    @property
    def mean(self) -> Any:
        return self.concentration / self.rate

    @property
    def mode(self) -> Any:
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Any:
        return self.concentration / self.rate.pow(2)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        value = standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        # Only the number is bounded: its derivative stays.
        value.detach().clamp_(min=smallest(value))
        return value

    def log_prob(self, value: Any) -> Any:
        if isinstance(value, numbers.Number):
            value = tensor(value, dtype=self.rate.dtype)
        return super().log_prob(value)

    def _log_prob(self, value: Any) -> Any:
        a, rate = self.concentration, self.rate
        return xlogy(a, rate) + xlogy(a - 1, value) - rate * value - a.lgamma()

    def _cdf(self, value: Any) -> Any:
        return gammainc(self.concentration, self.rate * value)

    def entropy(self) -> Any:
        a = self.concentration
        return a - self.rate.log() + a.lgamma() + (1 - a) * a.digamma()

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, *natural_params: Any) -> Any:
        x, y = natural_params
        return (x + 1).lgamma() + (x + 1) * (-y.reciprocal()).log()


class Chi2(Gamma):
    """The distribution of the sum of squares of normal numbers.

    Parameters
    ----------
    df : Tensor or float
        How many squares, the degrees of freedom.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Chi2(3.0).mean
    tensor(3.)
    """

    arg_constraints = {"df": constraints.positive}

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        super().__init__(0.5 * df, 0.5, validate_args)

    @property
    def df(self) -> Any:
        """The degrees of freedom.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Chi2(3.0).df
        tensor(3.)
        """
        return self.concentration * 2


class StudentT(Distribution):
    """Student's distribution: a normal number over the root of the mean of squares of others.

    Parameters
    ----------
    df : Tensor or float
        How many squares, the degrees of freedom.
    loc, scale : Tensor or float
        A shift and a factor.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.StudentT(4.0).variance
    tensor(2.)
    """

    arg_constraints = {
        "df": constraints.positive, "loc": constraints.real, "scale": constraints.positive
    }  # fmt: skip
    support = constraints.real
    has_rsample = True

    df: Any
    loc: Any
    scale: Any

    def __init__(
        self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None
    ) -> None:
        self._parametrize(validate_args, df=df, loc=loc, scale=scale)
        self._chi2 = Chi2(self.df)

    @property
    def mean(self) -> Any:
        return where(self.df <= 1, math.nan, self.loc)

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        found = where(self.df > 2, self.scale.pow(2) * self.df / (self.df - 2), math.inf)
        return where(self.df <= 1, math.nan, found)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        x = standard_normal(self.df, self._extended_shape(sample_shape))
        z = self._chi2.rsample(sample_shape)
        return self.loc + self.scale * (x * (z / self.df).rsqrt())

    def _log_beta(self) -> Any:
        return (0.5 * self.df).lgamma() - (0.5 * (self.df + 1)).lgamma() + 0.5 * math.log(math.pi)

    def _log_prob(self, value: Any) -> Any:
        y = (value - self.loc) / self.scale
        norm = self.scale.log() + 0.5 * self.df.log() + self._log_beta()
        return -0.5 * (self.df + 1) * (y**2 / self.df).log1p() - norm

    def entropy(self) -> Any:
        half = 0.5 * (self.df + 1)
        slope = half * (half.digamma() - (0.5 * self.df).digamma())
        return self.scale.log() + slope + 0.5 * self.df.log() + self._log_beta()


class FisherSnedecor(Distribution):
    """The distribution of the quotient of two means of squares of normal numbers.

    Parameters
    ----------
    df1, df2 : Tensor or float
        How many squares, above and below.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.FisherSnedecor(2.0, 4.0).mean
    tensor(2.)
    """

    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    df1: Any
    df2: Any

    def __init__(self, df1: Any, df2: Any, validate_args: bool | None = None) -> None:
        self._parametrize(validate_args, df1=df1, df2=df2)
        self._gamma1 = Gamma(self.df1 * 0.5, self.df1)
        self._gamma2 = Gamma(self.df2 * 0.5, self.df2)

    @property
    def mean(self) -> Any:
        return where(self.df2 > 2, self.df2 / (self.df2 - 2), math.nan)

    @property
    def mode(self) -> Any:
        found = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return where(self.df1 > 2, found, math.nan)

    @property
    def variance(self) -> Any:
        n, m = self.df1, self.df2
        found = 2 * m.pow(2) * (n + m - 2) / (n * (m - 2).pow(2) * (m - 4))
        return where(m > 4, found, math.nan)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        above = self._gamma1.rsample(sample_shape)
        below = self._gamma2.rsample(sample_shape)
        tiny = smallest(below)
        return (above / below.clamp(min=tiny)).clamp(min=tiny)

    def _log_prob(self, value: Any) -> Any:
        n, m = self.df1 * 0.5, self.df2 * 0.5
        ratio = self.df1 / self.df2
        ways = (n + m).lgamma() - n.lgamma() - m.lgamma()
        return ways + n * ratio.log() + (n - 1) * value.log() - (n + m) * (ratio * value).log1p()


class GeneralizedPareto(Distribution):
    """The generalized Pareto distribution: of what exceeds a high bound.

    Parameters
    ----------
    loc, scale : Tensor or float
        The bound, and the scale of what lies above.
    concentration : Tensor or float
        The weight of the tail; 0 for an exponential one.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.GeneralizedPareto(1.0, 2.0, 0.5).mean
    tensor(5.)
    """

    arg_constraints = {
        "loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real
    }  # fmt: skip
    has_rsample = True

    loc: Any
    scale: Any
    concentration: Any

    def __init__(
        self, loc: Any, scale: Any, concentration: Any, validate_args: bool | None = None
    ) -> None:
        self._parametrize(validate_args, loc=loc, scale=scale, concentration=concentration)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.icdf(standard_uniform(self.loc, self._extended_shape(sample_shape)))

    def _branches(self) -> tuple[Any, Any]:
        """Return where the tail is exponential, and the concentration, 1 there."""
        c = self.concentration
        exponential = isclose(c, c.new_zeros(()))
        return exponential, where(exponential, 1, c)

    def _z(self, value: Any) -> Any:
        return (value - self.loc) / self.scale

    def _log_prob(self, value: Any) -> Any:
        z = self._z(value)
        exponential, c = self._branches()
        slope = 1 / c + 1
        tail = where(slope == 0, slope, slope * (c * z).log1p())
        return -self.scale.log() - where(exponential, z, tail)

    def log_survival_function(self, value: Any) -> Any:
        """Return the logarithm of the probability of what is above values.

        Parameters
        ----------
        value : Tensor
            The values.

        Examples
        --------
        >>> import symgrad as torch
        >>> pareto = torch.distributions.GeneralizedPareto(0.0, 1.0, 0.0)
        >>> pareto.log_survival_function(torch.tensor(2.0))
        tensor(-2.)
        """
        if self._validate_args:
            self._validate_sample(value)
        z = self._z(value)
        exponential, c = self._branches()
        return where(exponential, -z, -(c * z).log1p() / c)

    def log_cdf(self, value: Any) -> Any:
        """Return the logarithm of the distribution function.

        Parameters
        ----------
        value : Tensor
            The values.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.GeneralizedPareto(0.0, 1.0, 0.0).log_cdf(torch.tensor(2.0))
        tensor(-0.1454)
        """
        return (-self.log_survival_function(value).exp()).log1p()

    def cdf(self, value: Any) -> Any:
        return self.log_cdf(value).exp()

    def icdf(self, value: Any) -> Any:
        log_above = (-value).log1p()
        exponential, c = self._branches()
        tail = self.scale / c * (-c * log_above).expm1()
        return self.loc + where(exponential, -self.scale * log_above, tail)

    @property
    def mean(self) -> Any:
        c = self.concentration
        return where(c < 1, self.loc + self.scale / (1 - c), math.nan)

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        c = self.concentration
        found = self.scale**2 / ((1 - c) ** 2 * (1 - 2 * c))
        return where(c < 0.5, found, math.nan)

    def entropy(self) -> Any:
        return self.scale.log() + self.concentration + 1

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        c = self.concentration
        return constraints.interval(self.loc, where(c < 0, self.loc - self.scale / c, math.inf))
