"""Kullback-Leibler divergences of pairs of distributions."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from symgrad.distributions.categories import Categorical, OneHotCategorical
from symgrad.distributions.composed import Independent, TransformedDistribution
from symgrad.distributions.counts import Bernoulli, Binomial, Geometric, Poisson
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.exp_family import ExponentialFamily
from symgrad.distributions.functions import full_like, softplus, solve_triangular, where, xlogy
from symgrad.distributions.location_scale import Cauchy, Laplace, Normal
from symgrad.distributions.positive import Exponential, Gamma
from symgrad.distributions.transformed import Gumbel, HalfNormal, Pareto
from symgrad.distributions.unit import Beta, ContinuousBernoulli, Dirichlet, Uniform
from symgrad.distributions.utils import euler_constant, sum_rightmost
from symgrad.distributions.vectors import (
    LowRankMultivariateNormal,
    MultivariateNormal,
    half_log_det,
    solved,
)
from symgrad.support.refusals import warn

__all__ = ["kl_divergence", "register_kl"]

F = TypeVar("F", bound=Callable[..., Any])

#: The divergence of each pair of classes.
_REGISTRY: dict[tuple[type, type], Callable[[Any, Any], Any]] = {}


def register_kl(type_p: type, type_q: type) -> Callable[[F], F]:
    """Return a decorator that enters the divergence of two classes, and of those below them.

    Parameters
    ----------
    type_p, type_q : class
        Classes of distributions.

    Raises
    ------
    TypeError
        For other classes.

    Examples
    --------
    >>> import symgrad as torch
    >>> class Fair(torch.distributions.Bernoulli):
    ...     pass
    >>> @torch.distributions.register_kl(Fair, Fair)
    ... def none(p, q):
    ...     return torch.tensor(0.0)
    >>> torch.distributions.kl_divergence(Fair(0.5), Fair(0.5))
    tensor(0.)
    """
    for name, kind in (("type_p", type_p), ("type_q", type_q)):
        if not issubclass(kind, Distribution):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {kind}")

    def enter(f: F) -> F:
        _REGISTRY[type_p, type_q] = f
        _found.cache_clear()
        return f

    return enter


@functools.lru_cache(256)
def _found(type_p: type, type_q: type) -> Callable[[Any, Any], Any] | None:
    """Return the divergence of the closest classes above a pair."""
    matches = [
        pair for pair in _REGISTRY if issubclass(type_p, pair[0]) and issubclass(type_q, pair[1])
    ]
    if not matches:
        return None

    def by(first: int) -> tuple[type, type]:
        """Return the pair that is closest in one place, and then in the other."""
        kinds = (type_p, type_q)

        def steps(pair: tuple[type, type]) -> list[int]:
            return [kinds[i].__mro__.index(pair[i]) for i in (first, 1 - first)]

        return min(matches, key=steps)

    left, right = by(0), by(1)
    if _REGISTRY[left] is not _REGISTRY[right]:
        warn(
            f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please "
            f"register_kl({left[0].__name__}, {right[1].__name__})",
            RuntimeWarning,
        )
    return _REGISTRY[left]


def kl_divergence(p: Any, q: Any) -> Any:
    """Return the mean under p of ``log p - log q``.

    Parameters
    ----------
    p, q : Distribution
        Two distributions.

    Raises
    ------
    NotImplementedError
        If no formula of it is known.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.distributions
    >>> t.kl_divergence(t.Normal(1.0, 1.0), t.Normal(0.0, 1.0))
    tensor(0.5000)
    """
    kinds: Any = (type(p), type(q))
    f = _found(*kinds)
    if f is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type "
            f"{type(q).__name__}"
        )
    return f(p, q)


def _xlogx(x: Any) -> Any:
    return xlogy(x, x)


def _infinite_where(condition: Any, value: Any) -> Any:
    return where(condition, math.inf, value)


# ---------------------------------------------------------------- of one family


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Any, q: Any) -> Any:
    one = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    zero = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    one = where(p.probs == 0, 0, _infinite_where(q.probs == 0, one))
    return one + where(p.probs == 1, 0, _infinite_where(q.probs == 1, zero))


@register_kl(Beta, Beta)
def _beta(p: Any, q: Any) -> Any:
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Any, q: Any) -> Any:
    a, b = p.concentration, q.concentration
    norm = a.sum(-1).lgamma() - b.sum(-1).lgamma() - (a.lgamma() - b.lgamma()).sum(-1)
    slope = a.digamma() - a.sum(-1, keepdim=True).digamma()
    return norm + ((a - b) * slope).sum(-1)


@register_kl(Binomial, Binomial)
def _binomial(p: Any, q: Any) -> Any:
    if (p.total_count < q.total_count).any():
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not implemented"
        )
    each = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return _infinite_where(p.total_count > q.total_count, p.total_count * each)


@register_kl(Categorical, Categorical)
def _categorical(p: Any, q: Any) -> Any:
    each = p.probs * (p.logits - q.logits)
    return where(p.probs == 0, 0, _infinite_where(q.probs == 0, each)).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p: Any, q: Any) -> Any:
    return _categorical(p._categorical, q._categorical)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: Any, q: Any) -> Any:
    norm = p._log_norm() + (-p.probs).log1p() - q._log_norm() - (-q.probs).log1p()
    return p.mean * (p.logits - q.logits) + norm


@register_kl(Exponential, Exponential)
def _exponential(p: Any, q: Any) -> Any:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def _gamma(p: Any, q: Any) -> Any:
    a, b = p.concentration, q.concentration
    norm = b * (p.rate / q.rate).log() + b.lgamma() - a.lgamma()
    return norm + (a - b) * a.digamma() + (q.rate - p.rate) * (a / p.rate)


@register_kl(Gumbel, Gumbel)
def _gumbel(p: Any, q: Any) -> Any:
    ratio, apart = p.scale / q.scale, (p.loc - q.loc) / q.scale
    tail = ((1 + ratio).lgamma() - apart).exp()
    return -ratio.log() + apart + ratio * euler_constant + tail - (1 + euler_constant)


@register_kl(Geometric, Geometric)
def _geometric(p: Any, q: Any) -> Any:
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p: Any, q: Any) -> Any:
    return _normal(p.base_dist, q.base_dist)


@register_kl(Laplace, Laplace)
def _laplace(p: Any, q: Any) -> Any:
    ratio, apart = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + apart / q.scale + ratio * (-apart / p.scale).exp() - 1


@register_kl(Normal, Normal)
def _normal(p: Any, q: Any) -> Any:
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(Cauchy, Cauchy)
def _cauchy(p: Any, q: Any) -> Any:
    apart = (p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)
    return apart.log() - (4 * p.scale * q.scale).log()


@register_kl(Pareto, Pareto)
def _pareto(p: Any, q: Any) -> Any:
    ratio = q.alpha / p.alpha
    found = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return _infinite_where(p.scale < q.scale, found)


@register_kl(Poisson, Poisson)
def _poisson(p: Any, q: Any) -> Any:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p: Any, q: Any) -> Any:
    found = ((q.high - q.low) / (p.high - p.low)).log()
    return _infinite_where((q.low > p.low) | (q.high < p.high), found)


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p: Any, q: Any) -> Any:
    """Return a Bregman divergence of normalizers."""
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot be computed "
            "using Bregman divergences"
        )
    others = q._natural_params
    value, own, slopes = p._normalized()
    found = q._log_normalizer(*others) - value
    for x, y, slope in zip(own, others, slopes, strict=True):
        term = (y - x) * slope
        found = found - sum_rightmost(term, term.dim() - len(q.batch_shape))
    return found


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: Any, q: Any) -> Any:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Independent, Independent)
def _independent(p: Any, q: Any) -> Any:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


# ---------------------------------------------------------------- normal vectors


def _squares(x: Any) -> Any:
    """Return the sum of squares of matrices."""
    return x.pow(2).sum((-2, -1))


def _log_det(x: Any) -> Any:
    return x._log_det() if hasattr(x, "_log_det") else 2 * half_log_det(x._factor)


def _columns(x: Any) -> tuple[Any, ...]:
    """Return matrices of which the squares add up to the covariances."""
    if isinstance(x, MultivariateNormal):
        return (x._factor,)
    return x.cov_factor, x.cov_diag.sqrt().diag_embed()


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
@register_kl(MultivariateNormal, LowRankMultivariateNormal)
@register_kl(LowRankMultivariateNormal, MultivariateNormal)
@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p: Any, q: Any) -> Any:
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two (Low Rank) Multivariate Normals with different event "
            "shapes cannot be computed"
        )
    if isinstance(q, MultivariateNormal):
        distance = solved(q._factor, q.loc - p.loc).pow(2).sum(-1)
        trace = sum(_squares(solve_triangular(q._factor, x, upper=False)) for x in _columns(p))
    else:
        distance, trace = q._distance(p.loc), 0
        for x in _columns(p):
            scaled = x / q.cov_diag.unsqueeze(-1)
            trace = trace + _squares(x / q.cov_diag.sqrt().unsqueeze(-1))
            trace = trace - _squares(q._whitened(scaled))
    return 0.5 * (_log_det(q) - _log_det(p) + trace + distance - p.event_shape[0])


# ---------------------------------------------------------------- of two families


def _never_inside(first: type, *others: type) -> None:
    """Enter that values of one family lie outside of others, so that the divergence is infinite."""

    def infinite(p: Any, q: Any) -> Any:
        return full_like(p.mean, math.inf)

    for other in others:
        register_kl(first, other)(infinite)


_never_inside(Beta, Pareto)
_never_inside(ContinuousBernoulli, Pareto)
_never_inside(Exponential, Beta, ContinuousBernoulli, Pareto, Uniform)
_never_inside(Gamma, Beta, ContinuousBernoulli, Pareto, Uniform)
_never_inside(Gumbel, Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
_never_inside(Laplace, Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
_never_inside(Normal, Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
_never_inside(Pareto, Beta, ContinuousBernoulli, Uniform)
_never_inside(Poisson, Bernoulli, Binomial)


def _crossed(mean: Any, log_mean: Any, square: Any) -> dict[type, Callable[[Any], Any]]:
    """Return the means of minus the logarithms of densities, by the means of what they hold.

    Parameters
    ----------
    mean, log_mean, square : Tensor
        The means of a number, its logarithm and its square.
    """

    def of_normal(q: Any) -> Any:
        apart = (square / 2 - q.loc * mean + q.loc.pow(2) / 2) / q.scale.pow(2)
        return 0.5 * math.log(2 * math.pi) + q.scale.log() + apart

    def of_gamma(q: Any) -> Any:
        a = q.concentration
        return a.lgamma() - a * q.rate.log() - (a - 1) * log_mean + q.rate * mean

    return {
        Exponential: lambda q: q.rate * mean - q.rate.log(),
        Gamma: of_gamma,
        Normal: of_normal,
        ContinuousBernoulli: lambda q: -mean * q.logits - (-q.probs).log1p() - q._log_norm(),
    }


def _enter_crossed(first: type, others: Iterable[type], means: Callable[[Any], Any]) -> None:
    """Enter divergences of a family from others, by means that it has."""

    def enter(other: type) -> None:
        @register_kl(first, other)
        def _(p: Any, q: Any) -> Any:
            return _crossed(*means(p))[other](q) - p.entropy()

    for other in others:
        enter(other)


def _means_of_beta(p: Any) -> Any:
    a, b = p.concentration1, p.concentration0
    return p.mean, a.digamma() - (a + b).digamma(), p.variance + p.mean.pow(2)


def _means_of_gamma(p: Any) -> Any:
    log_mean = p.concentration.digamma() - p.rate.log()
    return p.mean, log_mean, p.variance + p.mean.pow(2)


def _means_of_exponential(p: Any) -> Any:
    return p.mean, -p.rate.log() - euler_constant, 2 * p.variance


def _means_of_pareto(p: Any) -> Any:
    a = p.alpha
    mean = _infinite_where(a <= 1, a * p.scale / (a - 1))
    square = _infinite_where(a <= 2, a * p.scale.pow(2) / (a - 2))
    return mean, p.scale.log() + a.reciprocal(), square


def _means_of_uniform(p: Any) -> Any:
    width = p.high - p.low
    log_mean = (_xlogx(p.high) - _xlogx(p.low)) / width - 1
    return p.mean, log_mean, (p.high.pow(2) + p.high * p.low + p.low.pow(2)) / 3


def _means_of_others(p: Any) -> Any:
    return p.mean, None, p.variance + p.mean.pow(2)


_enter_crossed(Beta, [ContinuousBernoulli, Exponential, Gamma, Normal], _means_of_beta)
_enter_crossed(ContinuousBernoulli, [Exponential, Normal], _means_of_others)
_enter_crossed(Exponential, [Gamma, Normal], _means_of_exponential)
_enter_crossed(Gamma, [Exponential, Normal], _means_of_gamma)
_enter_crossed(Gumbel, [Normal], _means_of_others)
_enter_crossed(Laplace, [Normal], _means_of_others)
_enter_crossed(Pareto, [Exponential, Gamma], _means_of_pareto)
_enter_crossed(Uniform, [Normal], _means_of_uniform)


@register_kl(Pareto, Normal)
def _pareto_normal(p: Any, q: Any) -> Any:
    found = _crossed(*_means_of_pareto(p))[Normal](q) - p.entropy()
    return _infinite_where(p.alpha <= 2, found)


def _enter_bounded(other: type) -> None:
    """Enter the divergence of uniform numbers from positive ones: infinite if some are not."""

    @register_kl(Uniform, other)
    def _(p: Any, q: Any) -> Any:
        found = _crossed(*_means_of_uniform(p))[other](q) - p.entropy()
        return _infinite_where(p.low < 0, found)


_enter_bounded(Exponential)
_enter_bounded(Gamma)


@register_kl(Uniform, ContinuousBernoulli)
def _uniform_continuous_bernoulli(p: Any, q: Any) -> Any:
    found = _crossed(*_means_of_uniform(p))[ContinuousBernoulli](q) - p.entropy()
    return _infinite_where((p.high > 1) | (p.low < 0), found)


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p: Any, q: Any) -> Any:
    return q.rate - p.probs * q.rate.log() - p.entropy()


@register_kl(Beta, Uniform)
def _beta_uniform(p: Any, q: Any) -> Any:
    found = (q.high - q.low).log() - p.entropy()
    return _infinite_where((q.low > 0) | (q.high < 1), found)


@register_kl(ContinuousBernoulli, Uniform)
def _continuous_bernoulli_uniform(p: Any, q: Any) -> Any:
    found = (q.high - q.low).log() - p.entropy()
    return _infinite_where((q.low > 0) | (q.high < 1), found)


@register_kl(Exponential, Gumbel)
def _exponential_gumbel(p: Any, q: Any) -> Any:
    scale, shift = p.rate * q.scale, q.loc / q.scale
    return scale.log() - 1 - shift + shift.exp() * scale / (scale + 1) + scale.reciprocal()


@register_kl(Gamma, Gumbel)
def _gamma_gumbel(p: Any, q: Any) -> Any:
    a, scale, shift = p.concentration, p.rate * q.scale, q.loc / q.scale
    tail = shift.exp() * (1 + scale.reciprocal()).pow(-a) - shift
    return (a - 1) * a.digamma() - a.lgamma() - a + scale.log() + a / scale + tail


@register_kl(Normal, Gumbel)
def _normal_gumbel(p: Any, q: Any) -> Any:
    ratio, apart = (p.scale / q.scale).pow(2), (p.loc - q.loc) / q.scale
    return (
        -0.5 * ratio.log() + apart + (0.5 * ratio - apart).exp() - 0.5 * (1 + math.log(2 * math.pi))
    )


@register_kl(Normal, Laplace)
def _normal_laplace(p: Any, q: Any) -> Any:
    apart = p.loc - q.loc
    distance = apart / p.scale
    near = math.sqrt(2 / math.pi) * p.scale * (-0.5 * distance.pow(2)).exp()
    far = apart * (math.sqrt(0.5) * distance).erf()
    return (near + far) / q.scale - (p.scale / q.scale).log() - 0.5 * (1 + math.log(0.5 * math.pi))


@register_kl(Uniform, Beta)
def _uniform_beta(p: Any, q: Any) -> Any:
    width = p.high - p.low
    a, b = q.concentration1, q.concentration0
    log_mean = (_xlogx(p.high) - _xlogx(p.low)) / width - 1
    log_rest = (_xlogx(1 - p.low) - _xlogx(1 - p.high)) / width - 1
    norm = a.lgamma() + b.lgamma() - (a + b).lgamma() - width.log()
    found = norm - (a - 1) * log_mean - (b - 1) * log_rest
    return _infinite_where((p.high > 1) | (p.low < 0), found)


@register_kl(Uniform, Gumbel)
def _uniform_gumbel(p: Any, q: Any) -> Any:
    ratio = q.scale / (p.high - p.low)
    high, low = (p.high - q.loc) / q.scale, (p.low - q.loc) / q.scale
    return ratio.log() + 0.5 * (high + low) - ratio * ((-high).exp() - (-low).exp())


@register_kl(Uniform, Pareto)
def _uniform_pareto(p: Any, q: Any) -> Any:
    _, log_mean, _ = _means_of_uniform(p)
    norm = q.alpha.log() + q.alpha * q.scale.log() + p.entropy()
    return _infinite_where(p.low < q.scale, log_mean * (q.alpha + 1) - norm)
