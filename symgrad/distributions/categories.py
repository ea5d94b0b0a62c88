"""Distributions over categories: which one comes, and how often each does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.counts import Binomial
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.functions import (
    arange,
    broadcast_tensors,
    eye,
    multinomial,
    one_hot,
    tensor,
    where,
)
from symgrad.distributions.of_probability import OfProbability
from symgrad.distributions.utils import broadcast_all, shape_of
from symgrad.expr.dtypes import int64
from symgrad.expr.size import Size
from symgrad.tensor.queries import finfo

__all__ = ["Categorical", "Multinomial", "OneHotCategorical", "OneHotCategoricalStraightThrough"]

_WEIGHTS = {"probs": constraints.simplex, "logits": constraints.real_vector}


class Categorical(OfProbability):
    """Which of several categories comes, by its number.

    Parameters
    ----------
    probs, logits : Tensor, optional
        The weights of the categories along the last axis, or their logarithms: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If none of both is given, or both are.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Categorical(torch.tensor([1.0, 3.0])).probs
    tensor([0.2500, 0.7500])
    """

    arg_constraints = _WEIGHTS
    has_enumerate_support = True
    _is_binary = False

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        name = self._choose(probs, logits)
        given = logits if probs is None else probs
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is None:
            self._param = self.logits = given - given.logsumexp(-1, keepdim=True)
        else:
            self._param = self.probs = given / given.sum(-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1], (), validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self) -> Any:
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self) -> Any:
        return self.probs.new_full(self._batch_shape, math.nan)

    @property
    def mode(self) -> Any:
        return self.probs.argmax(-1)

    @property
    def variance(self) -> Any:
        return self.probs.new_full(self._batch_shape, math.nan)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        rows = self.probs.detach().reshape(-1, self._num_events)
        found = multinomial(rows, math.prod(sample_shape), True).t()
        return found.reshape(self._extended_shape(sample_shape))

    def _log_prob(self, value: Any) -> Any:
        place, logits = broadcast_tensors(value.to(int64).unsqueeze(-1), self.logits)
        return logits.gather(-1, place[..., :1]).squeeze(-1)

    def entropy(self) -> Any:
        finite = self.logits.clamp(min=finfo(self.logits.dtype).min)
        return -(finite * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Any:
        return self._enumerated(arange(self._num_events), expand)


class OfCategories(Distribution):
    """The base: distributions that are made of one of categories."""

    arg_constraints = _WEIGHTS
    _categorical: Categorical

    def _by_categories(self, probs: Any, logits: Any, validate_args: bool | None) -> None:
        self._categorical = Categorical(probs, logits)
        shape = self._categorical.param_shape
        Distribution.__init__(self, shape[:-1], shape[-1:], validate_args)

    @property
    def probs(self) -> Any:
        """The probabilities of the categories.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.OneHotCategorical(torch.ones(2)).probs
        tensor([0.5000, 0.5000])
        """
        return self._categorical.probs

    @property
    def logits(self) -> Any:
        """The logarithms of the probabilities of the categories.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.OneHotCategorical(torch.ones(2)).logits
        tensor([-0.6931, -0.6931])
        """
        return self._categorical.logits

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.OneHotCategorical(torch.ones(2, 3)).param_shape
        torch.Size([2, 3])
        """
        return self._categorical.param_shape


class OneHotCategorical(OfCategories):
    """Which of several categories comes, as a row of zeros with a 1 in its place.

    Parameters
    ----------
    probs, logits : Tensor, optional
        The weights of the categories along the last axis, or their logarithms: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.OneHotCategorical(torch.tensor([1.0, 3.0])).mode
    tensor([0., 1.])
    """

    support = constraints.one_hot
    has_enumerate_support = True

    def __init__(
        self, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        self._by_categories(probs, logits, validate_args)

    @property
    def mean(self) -> Any:
        return self.probs

    @property
    def mode(self) -> Any:
        return self._marked(self.probs.argmax(-1))

    @property
    def variance(self) -> Any:
        return self.probs * (1 - self.probs)

    def _marked(self, places: Any) -> Any:
        return one_hot(places, self._event_shape[0]).to(self.probs.dtype)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self._marked(self._categorical.sample(sample_shape))

    def _log_prob(self, value: Any) -> Any:
        return self._categorical.log_prob(value.argmax(-1))

    def entropy(self) -> Any:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Any:
        return self._enumerated(eye(self._event_shape[0], dtype=self.probs.dtype), expand)


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """A `OneHotCategorical` whose samples have the derivative of their probabilities.

    The estimate of gradients is biased (Y. Bengio et al., Estimating or propagating gradients
    through stochastic neurons, 2013).

    Parameters
    ----------
    probs, logits : Tensor, optional
        The weights of the categories along the last axis, or their logarithms: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> weights = torch.ones(2, requires_grad=True)
    >>> torch.distributions.OneHotCategoricalStraightThrough(weights).rsample().requires_grad
    True
    """

    has_rsample = True

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


class Multinomial(OfCategories):
    """How often each of several categories comes in some trials.

    Parameters
    ----------
    total_count : int
        How many trials there are.
    probs, logits : Tensor, optional
        The weights of the categories along the last axis, or their logarithms: one of both.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    NotImplementedError
        If the number of trials is no integer.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Multinomial(4, torch.tensor([1.0, 3.0])).mean
    tensor([1., 3.])
    """

    def __init__(
        self, total_count: int = 1, probs: Any = None, logits: Any = None,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._by_categories(probs, logits, validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self) -> Any:
        return constraints.multinomial(self.total_count)

    @property
    def mean(self) -> Any:
        return self.probs * self.total_count

    @property
    def variance(self) -> Any:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        drawn = self._categorical.sample(shape_of((self.total_count,), sample_shape))
        places = drawn.movedim(0, -1)
        counts = places.new_zeros(self._extended_shape(sample_shape))
        counts.scatter_add_(-1, places, places.new_ones(places.shape))
        return counts.to(self.probs.dtype)

    def entropy(self) -> Any:
        n = tensor(self.total_count)
        counts = Binomial(self.total_count, probs=self.probs)
        values = counts.enumerate_support(expand=False)[1:]
        repeated = (counts.log_prob(values).exp() * (values + 1).lgamma()).sum([0, -1])
        return n * self._categorical.entropy() - (n + 1).lgamma() + repeated

    def _log_prob(self, value: Any) -> Any:
        logits, value = broadcast_all(self.logits, value)
        logits = where((value == 0) & (logits == -math.inf), 0, logits)
        ways = (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1)
        return ways + (logits * value).sum(-1)
