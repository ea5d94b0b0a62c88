"""Distributions made of others: of several elements at once, of functions of them, and mixtures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.categories import Categorical
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.transform import ComposeTransform, Transform
from symgrad.distributions.utils import shape_of, sum_rightmost
from symgrad.expr.size import Size
from symgrad.record.modes import no_grad

__all__ = ["Independent", "MixtureSameFamily", "TransformedDistribution"]


class Independent(Distribution):
    """Another distribution, of which the last axes of the batch make one sample.

    Parameters
    ----------
    base_distribution : Distribution
        The other distribution.
    reinterpreted_batch_ndims : int
        How many axes of its batch make one sample.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If its batch has not so many.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.distributions
    >>> t.Independent(t.Normal(torch.zeros(3), 1.0), 1).event_shape
    torch.Size([3])
    """

    arg_constraints: Any = {}

    def __init__(
        self, base_distribution: Any, reinterpreted_batch_ndims: int,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        base, count = base_distribution, reinterpreted_batch_ndims
        if count > len(base.batch_shape):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), "
                f"actual {count} vs {len(base.batch_shape)}"
            )
        self.base_dist, self.reinterpreted_batch_ndims = base, count
        kept = len(base.batch_shape) - count
        event = shape_of(base.batch_shape[kept:], base.event_shape)
        super().__init__(base.batch_shape[:kept], event, validate_args)

    @property
    def has_rsample(self) -> Any:
        return self.base_dist.has_rsample

    @property
    def has_enumerate_support(self) -> Any:
        return not self.reinterpreted_batch_ndims and self.base_dist.has_enumerate_support

    @constraints.dependent_property
    def support(self) -> Any:
        found, count = self.base_dist.support, self.reinterpreted_batch_ndims
        return constraints.independent(found, count) if count else found

    @property
    def mean(self) -> Any:
        return self.base_dist.mean

    @property
    def mode(self) -> Any:
        return self.base_dist.mode

    @property
    def variance(self) -> Any:
        return self.base_dist.variance

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Any) -> Any:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Any:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Any:
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Distribution):
    """The distribution of a function of samples of another one.

    Parameters
    ----------
    base_distribution : Distribution
        The other distribution.
    transforms : Transform or list of Transform
        The function, or several, of which the first is applied first.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If these are no transforms, or samples have too few axes for them.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.distributions
    >>> t.TransformedDistribution(t.Normal(0.0, 1.0), t.ExpTransform()).cdf(torch.tensor(1.0))
    tensor(0.5000)
    """

    arg_constraints: Any = {}

    def __init__(
        self, base_distribution: Any, transforms: Any, validate_args: bool | None = None
    ) -> None:
        listed = [transforms] if isinstance(transforms, Transform) else transforms
        if not isinstance(listed, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        if not all(isinstance(t, Transform) for t in listed):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = listed
        base = base_distribution
        whole = ComposeTransform(listed)
        before = Size(shape_of(base.batch_shape, base.event_shape))
        if len(before) < whole.domain.event_dim:
            raise ValueError(
                "base_distribution needs to have shape with size at least "
                f"{whole.domain.event_dim}, but got {before}."
            )
        own = len(base.event_shape)
        after = whole.forward_shape(before)
        expanded = whole.inverse_shape(after)
        if tuple(before) != tuple(expanded):
            base = base.expand(expanded[: len(expanded) - own])
        more = whole.domain.event_dim - own
        self.base_dist: Any = Independent(base, more) if more > 0 else base
        change = whole.codomain.event_dim - whole.domain.event_dim
        cut = len(after) - max(whole.codomain.event_dim, own + change)
        super().__init__(after[:cut], after[cut:], validate_args)

    def _expanded(self, name: str, x: Any, shape: Size) -> Any:
        """Return the base for a batch whose samples the transforms make those of `shape`."""
        if name != "base_dist":
            return super()._expanded(name, x, shape)
        before = ComposeTransform(self.transforms).inverse_shape(
            Size(shape_of(shape, self._event_shape))
        )
        return x.expand(before[: len(before) - len(x.event_shape)])

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        if not self.transforms:
            return self.base_dist.support
        found = self.transforms[-1].codomain
        more = len(self._event_shape) - found.event_dim
        return constraints.independent(found, more) if more > 0 else found

    @property
    def has_rsample(self) -> Any:
        return self.base_dist.has_rsample

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        return self._transformed(self.base_dist.rsample(sample_shape))

    def _transformed(self, x: Any) -> Any:
        for transform in self.transforms:
            x = transform(x)
        return x

    def _log_prob(self, value: Any) -> Any:
        count, total = len(self._event_shape), 0
        for t in reversed(self.transforms):
            before = t.inv(value)
            count += t.domain.event_dim - t.codomain.event_dim
            found = t.log_abs_det_jacobian(before, value)
            total = total - sum_rightmost(found, count - t.domain.event_dim)
            value = before
        more = count - len(self.base_dist.event_shape)
        return total + sum_rightmost(self.base_dist.log_prob(value), more)

    def _turned(self, value: Any) -> Any:
        """Return probabilities of what is above where a transform decreases."""
        sign = math.prod([t.sign for t in self.transforms])
        return value if isinstance(sign, int) and sign == 1 else sign * (value - 0.5) + 0.5

    def cdf(self, value: Any) -> Any:
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._turned(self.base_dist.cdf(value))

    def icdf(self, value: Any) -> Any:
        return self._transformed(self.base_dist.icdf(self._turned(value)))


class MixtureSameFamily(Distribution):
    """One of several distributions, which stand along the last axis of a batch.

    Parameters
    ----------
    mixture_distribution : Categorical
        Which of them comes.
    component_distribution : Distribution
        These distributions.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If they are no such, or are not as many as there are categories.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.distributions
    >>> both = t.Normal(torch.tensor([-1.0, 1.0]), 0.1)
    >>> t.MixtureSameFamily(t.Categorical(torch.tensor([1.0, 3.0])), both).mean
    tensor(0.5000)
    """

    arg_constraints: Any = {}

    def __init__(
        self, mixture_distribution: Any, component_distribution: Any,
        validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(
                " The Mixture distribution needs to be an  instance of "
                "torch.distributions.Categorical"
            )
        if not isinstance(component_distribution, Distribution):
            raise ValueError(
                "The Component distribution needs to be an instance of "
                "torch.distributions.Distribution"
            )
        chosen, batch = mixture_distribution.batch_shape, component_distribution.batch_shape[:-1]
        for n, m in zip(reversed(chosen), reversed(batch), strict=False):
            if n not in (1, m) and m != 1:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({chosen}) is not compatible with "
                    f"`component_distribution.batch_shape`({batch})"
                )
        count, there = mixture_distribution._num_events, component_distribution.batch_shape[-1]
        if count != there:
            raise ValueError(
                f"`mixture_distribution component` ({count}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({there})"
            )
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(batch, component_distribution.event_shape, validate_args)

    def _expanded(self, name: str, x: Any, shape: Size) -> Any:
        if name == "component_distribution":
            return x.expand((*shape, x.batch_shape[-1]))
        if name == "mixture_distribution":
            return x.expand(shape)
        return super()._expanded(name, x, shape)

    @constraints.dependent_property
    def support(self) -> Any:
        return constraints.MixtureSameFamilyConstraint(self.component_distribution.support)

    def _mixed(self, values: Any) -> Any:
        """Return the mean over the components of values for each."""
        probs = self.mixture_distribution.probs
        return (probs.reshape((*probs.shape, *[1] * self._event_ndims)) * values).sum(
            -1 - self._event_ndims
        )

    def _pad(self, x: Any) -> Any:
        return x.unsqueeze(-1 - self._event_ndims)

    @property
    def mean(self) -> Any:
        return self._mixed(self.component_distribution.mean)

    @property
    def variance(self) -> Any:
        apart = self.component_distribution.mean - self._pad(self.mean)
        return self._mixed(self.component_distribution.variance) + self._mixed(apart**2)

    def cdf(self, value: Any) -> Any:
        found = self.component_distribution.cdf(self._pad(value))
        return (found * self.mixture_distribution.probs).sum(-1)

    def _log_prob(self, value: Any) -> Any:
        found = self.component_distribution.log_prob(self._pad(value))
        return (found + self.mixture_distribution.logits.log_softmax(-1)).logsumexp(-1)

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with no_grad():
            chosen = self.mixture_distribution.sample(sample_shape)
            values = self.component_distribution.sample(sample_shape)
            axis = len(sample_shape) + len(self._batch_shape)
            place = chosen.reshape((*chosen.shape, *[1] * (1 + self._event_ndims)))
            place = place.expand((*chosen.shape, 1, *self._event_shape))
            return values.gather(axis, place).squeeze(axis)

    def __repr__(self) -> str:
        parts = (self.mixture_distribution, self.component_distribution)
        return "MixtureSameFamily(" + ",".join([f"\n  {part}" for part in parts]) + ")"
