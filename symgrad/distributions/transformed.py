"""Families of functions of samples of simpler ones."""

from __future__ import annotations

import math
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.composed import TransformedDistribution
from symgrad.distributions.functions import full_like, where, xlogy
from symgrad.distributions.location_scale import Cauchy, Normal
from symgrad.distributions.positive import Exponential, Gamma
from symgrad.distributions.transforms import (
    AbsTransform,
    AffineTransform,
    ExpTransform,
    PowerTransform,
    StickBreakingTransform,
)
from symgrad.distributions.unit import Uniform
from symgrad.distributions.utils import broadcast_all, euler_constant
from symgrad.tensor.queries import finfo

__all__ = [
    "Gumbel", "HalfCauchy", "HalfNormal", "InverseGamma", "Kumaraswamy", "LogNormal",
    "LogisticNormal", "Pareto", "Weibull",
]  # fmt: skip


class _OfNormal(TransformedDistribution):
    """The base: functions of normal numbers, whose parameters these have."""

    arg_constraints: Any = {"loc": constraints.real, "scale": constraints.positive}

    @property
    def _normal(self) -> Any:
        return self.base_dist

    @property
    def loc(self) -> Any:
        """The mean of the normal numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.LogNormal(0.0, 2.0).loc
        tensor(0.)
        """
        return self._normal.loc

    @property
    def scale(self) -> Any:
        """The standard deviation of the normal numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.LogNormal(0.0, 2.0).scale
        tensor(2.)
        """
        return self._normal.scale


class LogNormal(_OfNormal):
    """The distribution of exponentials of normal numbers.

    Parameters
    ----------
    loc, scale : Tensor or float
        The mean and the standard deviation of the normal numbers.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.LogNormal(0.0, 1.0).mode
    tensor(0.3679)
    """

    support = constraints.positive

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(loc, scale, validate_args), ExpTransform(), validate_args)

    @property
    def mean(self) -> Any:
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self) -> Any:
        return (self.loc - self.scale.pow(2)).exp()

    @property
    def variance(self) -> Any:
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self) -> Any:
        return self.base_dist.entropy() + self.loc


class LogisticNormal(_OfNormal):
    """Shares of 1 that are cut off by sigmoids of normal numbers.

    Parameters
    ----------
    loc, scale : Tensor or float
        The means and the standard deviations of the normal numbers, along the last axis.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.LogisticNormal(torch.zeros(2), 1.0).event_shape
    torch.Size([3])
    """

    support = constraints.simplex

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        base = Normal(loc, scale, validate_args)
        base = base if base.batch_shape else base.expand((1,))
        super().__init__(base, StickBreakingTransform(), validate_args)

    @property
    def _normal(self) -> Any:
        return self.base_dist.base_dist


class _Half(TransformedDistribution):
    """The base: absolute values of a symmetric distribution around 0."""

    arg_constraints: Any = {"scale": constraints.positive}
    support = constraints.nonnegative

    @property
    def scale(self) -> Any:
        """The scale of what the absolute value is taken of.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.HalfNormal(2.0).scale
        tensor(2.)
        """
        return self.base_dist.scale

    @property
    def mode(self) -> Any:
        return full_like(self.scale, 0)

    def _log_prob(self, value: Any) -> Any:
        return where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value: Any) -> Any:
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, value: Any) -> Any:
        return self.base_dist.icdf((value + 1) / 2)

    def entropy(self) -> Any:
        return self.base_dist.entropy() - math.log(2)


class HalfNormal(_Half):
    """The distribution of absolute values of normal numbers of mean 0.

    Parameters
    ----------
    scale : Tensor or float
        The standard deviation of the normal numbers.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.HalfNormal(1.0).mean
    tensor(0.7979)
    """

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(0, scale, False), AbsTransform(), validate_args)

    @property
    def mean(self) -> Any:
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Any:
        return self.scale.pow(2) * (1 - 2 / math.pi)


class HalfCauchy(_Half):
    """The distribution of absolute values of Cauchy numbers around 0.

    Parameters
    ----------
    scale : Tensor or float
        The median.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.HalfCauchy(1.0).cdf(torch.tensor(1.0))
    tensor(0.5000)
    """

    def __init__(self, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Cauchy(0, scale, False), AbsTransform(), validate_args)

    @property
    def mean(self) -> Any:
        return full_like(self.scale, math.inf)

    @property
    def variance(self) -> Any:
        return self.base_dist.variance


class Gumbel(TransformedDistribution):
    """The Gumbel distribution: of the greatest of many numbers.

    Parameters
    ----------
    loc, scale : Tensor or float
        The mode, and the scale.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Gumbel(0.0, 1.0).cdf(torch.tensor(0.0))
    tensor(0.3679)
    """

    arg_constraints: Any = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        kind = finfo(self.loc.dtype)
        inner = (full_like(self.loc, kind.tiny), full_like(self.loc, 1 - kind.eps))
        log = ExpTransform().inv
        turned = AffineTransform(0, -self.scale.new_ones(self.scale.shape))
        placed = AffineTransform(self.loc, -self.scale)
        super().__init__(Uniform(*inner, validate_args), [log, turned, log, placed], validate_args)

    def _log_prob(self, value: Any) -> Any:
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    @property
    def mean(self) -> Any:
        return self.loc + self.scale * euler_constant

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def stddev(self) -> Any:
        return (math.pi / math.sqrt(6)) * self.scale

    @property
    def variance(self) -> Any:
        return self.stddev.pow(2)

    def entropy(self) -> Any:
        return self.scale.log() + (1 + euler_constant)


class Weibull(TransformedDistribution):
    """The Weibull distribution: of a power of an exponential time.

    Parameters
    ----------
    scale, concentration : Tensor or float
        The scale, and the inverse of the exponent.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Weibull(2.0, 1.0).mean
    tensor(2.)
    """

    arg_constraints: Any = {"scale": constraints.positive, "concentration": constraints.positive}
    support = constraints.positive

    def __init__(self, scale: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.scale, self.concentration = broadcast_all(scale, concentration)
        base = Exponential(full_like(self.scale, 1), validate_args)
        exponent = self._exponent
        parts = [PowerTransform(exponent), AffineTransform(0, self.scale)]
        super().__init__(base, parts, validate_args)

    @property
    def _exponent(self) -> Any:
        return self.concentration.reciprocal()

    @property
    def mean(self) -> Any:
        return self.scale * (1 + self._exponent).lgamma().exp()

    @property
    def mode(self) -> Any:
        return self.scale * ((self.concentration - 1) / self.concentration) ** self._exponent

    @property
    def variance(self) -> Any:
        first, second = (1 + self._exponent).lgamma(), (1 + 2 * self._exponent).lgamma()
        return self.scale.pow(2) * (second.exp() - (2 * first).exp())

    def entropy(self) -> Any:
        exponent = self._exponent
        return euler_constant * (1 - exponent) + (self.scale * exponent).log() + 1


class Pareto(TransformedDistribution):
    """The Pareto distribution: of what exceeds a bound.

    Parameters
    ----------
    scale, alpha : Tensor or float
        The bound, and how fast the tail falls.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Pareto(1.0, 2.0).mean
    tensor(2.)
    """

    arg_constraints: Any = {"alpha": constraints.positive, "scale": constraints.positive}

    def __init__(self, scale: Any, alpha: Any, validate_args: bool | None = None) -> None:
        self.scale, self.alpha = broadcast_all(scale, alpha)
        parts = [ExpTransform(), AffineTransform(0, self.scale)]
        super().__init__(Exponential(self.alpha, validate_args), parts, validate_args)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self) -> Any:
        return constraints.greater_than_eq(self.scale)

    @property
    def mean(self) -> Any:
        a = self.alpha.clamp(min=1)
        return a * self.scale / (a - 1)

    @property
    def mode(self) -> Any:
        return self.scale

    @property
    def variance(self) -> Any:
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    def entropy(self) -> Any:
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class InverseGamma(TransformedDistribution):
    """The distribution of inverses of gamma numbers.

    Parameters
    ----------
    concentration, rate : Tensor or float
        Of the gamma numbers.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.InverseGamma(3.0, 2.0).mean
    tensor(1.)
    """

    arg_constraints: Any = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        base = Gamma(concentration, rate, validate_args)
        inverse = PowerTransform(-base.rate.new_ones(()))
        super().__init__(base, inverse, validate_args)

    @property
    def concentration(self) -> Any:
        """The concentration of the gamma numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.InverseGamma(3.0, 2.0).concentration
        tensor(3.)
        """
        return self.base_dist.concentration

    @property
    def rate(self) -> Any:
        """The rate of the gamma numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.InverseGamma(3.0, 2.0).rate
        tensor(2.)
        """
        return self.base_dist.rate

    @property
    def mean(self) -> Any:
        a = self.concentration
        return where(a > 1, self.rate / (a - 1), math.inf)

    @property
    def mode(self) -> Any:
        return self.rate / (self.concentration + 1)

    @property
    def variance(self) -> Any:
        a = self.concentration
        return where(a > 2, self.rate.pow(2) / ((a - 1).pow(2) * (a - 2)), math.inf)

    def entropy(self) -> Any:
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()


class Kumaraswamy(TransformedDistribution):
    """Kumaraswamy's distribution: like beta, with a distribution function of powers.

    Parameters
    ----------
    concentration1, concentration0 : Tensor or float
        The exponents of ``1 - (1 - x**a)**b``.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Kumaraswamy(1.0, 1.0).mean
    tensor(0.5000)
    """

    arg_constraints: Any = {
        "concentration1": constraints.positive, "concentration0": constraints.positive
    }  # fmt: skip
    support = constraints.unit_interval

    def __init__(
        self, concentration1: Any, concentration0: Any, validate_args: bool | None = None
    ) -> None:
        a, b = broadcast_all(concentration1, concentration0)
        self.concentration1, self.concentration0 = a, b
        base = Uniform(full_like(b, 0), full_like(b, 1), validate_args)
        turned = AffineTransform(1.0, -1.0)
        parts = [PowerTransform(b.reciprocal()), turned, PowerTransform(a.reciprocal())]
        super().__init__(base, parts, validate_args)

    def _log_prob(self, value: Any) -> Any:
        a, b = self.concentration1, self.concentration0
        rest = -(a * value.log()).expm1()  # 1 - x**a, with all its digits
        return a.log() + b.log() + xlogy(a - 1, value) + xlogy(b - 1, rest)

    def _moment(self, order: int) -> Any:
        b, shifted = self.concentration0, 1 + order / self.concentration1
        return b * (shifted.lgamma() + b.lgamma() - (shifted + b).lgamma()).exp()

    @property
    def mean(self) -> Any:
        return self._moment(1)

    @property
    def mode(self) -> Any:
        a, b = self.concentration1, self.concentration0
        log_mode = b.reciprocal() * (-b).log1p() - (-b * a).log1p()
        return where((a < 1) | (b < 1), math.nan, log_mode).exp()

    @property
    def variance(self) -> Any:
        return self._moment(2) - self.mean.pow(2)

    def entropy(self) -> Any:
        a, b = self.concentration1, self.concentration0
        slope = (b + 1).digamma() + euler_constant
        return (1 - b.reciprocal()) + (1 - a.reciprocal()) * slope - a.log() - b.log()
