"""The base of distributions: shapes, validation, and what follows from parameters being tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from symgrad.distributions import constraints
from symgrad.distributions.documented import Documented
from symgrad.distributions.utils import (
    TENSORS,
    all_true,
    broadcast_all,
    lazy_property,
    shape_of,
)
from symgrad.expr.size import Size
from symgrad.record.modes import no_grad
from symgrad.support.refusals import warn
from symgrad.tensor.tensor import Tensor

__all__ = ["Distribution"]


class Distribution(Documented):
    """The base: a distribution for each element of a batch.

    Parameters
    ----------
    batch_shape, event_shape : sequence of int
        The shape of the parameters, and of one sample.
    validate_args : bool, optional
        Whether parameters and samples are checked; by default they are, unless Python runs with
        ``-O``.

    Attributes
    ----------
    has_rsample : bool
        Whether samples are differentiable functions of the parameters.
    has_enumerate_support : bool
        Whether there are finitely many values, which `enumerate_support` lists.

    Examples
    --------
    >>> import symgrad as torch
    >>> normal = torch.distributions.Normal(torch.zeros(2), 1.0)
    >>> isinstance(normal, torch.distributions.Distribution), normal.batch_shape
    (True, torch.Size([2]))
    """

    _described = {
        "has_rsample": """Whether samples are differentiable functions of the parameters.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.LogNormal(0.0, 1.0).has_rsample
        True
        """,
        "has_enumerate_support": """Whether there are finitely many values.

        Examples
        --------
        >>> import symgrad as torch
        >>> t = torch.distributions
        >>> t.Independent(t.Bernoulli(0.5), 0).has_enumerate_support
        True
        """,
    }
    #: Attributes that are one for the whole batch.
    _common: ClassVar[frozenset[str]] = frozenset()

    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args = __debug__

    def __init__(
        self,
        batch_shape: Sequence[int] = (),
        event_shape: Sequence[int] = (),
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._validate_parameters()

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Set whether parameters and samples are checked where distributions do not say it.

        Parameters
        ----------
        value : bool
            Whether they are.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Distribution.set_default_validate_args(True)
        """
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def _parametrize(self, validate_args: bool | None, /, **given: Any) -> None:
        """Take parameters, which are numbers or tensors, in one shape, that of the batch."""
        values = broadcast_all(*given.values())
        vars(self).update(zip(given, values, strict=True))
        Distribution.__init__(self, values[0].shape, (), validate_args)

    # ------------------------------------------------------------ validation

    def _validate_parameters(self) -> None:
        try:
            known = self.arg_constraints
        except NotImplementedError:
            warn(
                f"{type(self)} does not define `arg_constraints`. Please set `arg_constraints = "
                "{}` or initialize the distribution with `validate_args=False` to turn off "
                "validation."
            )
            return
        for name, constraint in known.items():
            lazy = isinstance(getattr(type(self), name, None), lazy_property)
            if constraints.is_dependent(constraint) or (lazy and name not in vars(self)):
                continue
            value = getattr(self, name)
            if isinstance(value, Tensor) and not all_true(constraint.check(value)):
                raise ValueError(
                    f"Expected parameter {name} ({_described(value)}) of distribution {self!r} to "
                    f"satisfy the constraint {constraint!r}, but found invalid values:\n{value}"
                )

    def _validate_sample(self, value: Any) -> None:
        if not isinstance(value, TENSORS):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, event = value.shape, self._event_shape
        if shape[len(shape) - len(event) :] != event:
            raise ValueError(
                f"The right-most size of value must match event_shape: {shape} vs {event}."
            )
        whole = Size(shape_of(self._batch_shape, event))
        for n, m in zip(reversed(shape), reversed(whole), strict=False):
            if n not in (1, m) and m != 1:
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {whole}."
                )
        try:
            support = self.support
        except NotImplementedError:
            warn(
                f"{type(self)} does not define `support` to enable sample validation. Please "
                "initialize the distribution with `validate_args=False` to turn off validation."
            )
            return
        if isinstance(value, Tensor) and not all_true(support.check(value)):
            raise ValueError(
                f"Expected value argument ({_described(value)}) to be within the support "
                f"({support!r}) of the distribution {self!r}, but found invalid values:\n{value}"
            )

    # ------------------------------------------------------------ shapes

    @property
    def batch_shape(self) -> Size:
        """The shape of the parameters.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Normal(torch.zeros(2), 1.0).batch_shape
        torch.Size([2])
        """
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one sample of one element of the batch.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Dirichlet(torch.ones(3)).event_shape
        torch.Size([3])
        """
        return self._event_shape

    def _extended_shape(self, sample_shape: Sequence[int] = ()) -> Size:
        return Size(shape_of(sample_shape, self._batch_shape, self._event_shape))

    def expand(self, batch_shape: Sequence[int], _instance: Any = None) -> Self:
        """Return the same distribution with a larger batch; the parameters are expanded.

        Parameters
        ----------
        batch_shape : sequence of int
            The shape of the batch.
        _instance : Distribution, optional
            What is to be it, for subclasses.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Normal(0.0, 1.0).expand((2,)).mean
        tensor([0., 0.])
        """
        new = object.__new__(type(self)) if _instance is None else _instance
        shape = Size(batch_shape)
        for name, x in vars(self).items():
            vars(new)[name] = self._expanded(name, x, shape)
        new._batch_shape = shape
        return new

    def _expanded(self, name: str, x: Any, shape: Size) -> Any:
        """Return an attribute for a batch of another shape."""
        count = len(self._batch_shape)
        if isinstance(x, Distribution):
            own = len(x._batch_shape)
            return x.expand(shape_of(shape, x._batch_shape[count:own]))
        if not isinstance(x, TENSORS) or name in self._common:
            return x
        return x.expand(shape_of(shape, x.shape[count:]))

    # ------------------------------------------------------------ what subclasses state

    @property
    def arg_constraints(self) -> Any:
        """The constraint of each parameter, by its name.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Exponential.arg_constraints
        {'rate': GreaterThan(lower_bound=0.0)}
        """
        raise NotImplementedError

    @property
    def support(self) -> Any:
        """The constraint of samples.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Uniform(0.0, 2.0).support
        Interval(lower_bound=0.0, upper_bound=2.0)
        """
        raise NotImplementedError

    @property
    def mean(self) -> Any:
        """The mean.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Exponential(2.0).mean
        tensor(0.5000)
        """
        raise NotImplementedError

    @property
    def mode(self) -> Any:
        """The value of the greatest probability, or density.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Gamma(3.0, 1.0).mode
        tensor(2.)
        """
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Any:
        """The variance.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Normal(0.0, 2.0).variance
        tensor(4.)
        """
        raise NotImplementedError

    @property
    def stddev(self) -> Any:
        """The standard deviation.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Poisson(4.0).stddev
        tensor(2.)
        """
        return self.variance.sqrt()

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        """Return samples, which have no gradient.

        Parameters
        ----------
        sample_shape : sequence of int
            How many, for each element of the batch.

        Examples
        --------
        >>> import symgrad as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.distributions.Normal(0.0, 1.0).sample((2,))
        tensor([ 1.5410, -0.2934])
        """
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        """Return samples that are differentiable functions of the parameters.

        Parameters
        ----------
        sample_shape : sequence of int
            How many, for each element of the batch.

        Raises
        ------
        NotImplementedError
            If there is no such function.

        Examples
        --------
        >>> import symgrad as torch
        >>> scale = torch.tensor(2.0, requires_grad=True)
        >>> torch.distributions.Normal(0.0, scale).rsample().requires_grad
        True
        """
        raise NotImplementedError

    def sample_n(self, n: int) -> Any:
        """Return `n` samples, as ``sample((n,))``.

        Parameters
        ----------
        n : int
            How many.

        Examples
        --------
        >>> import symgrad as torch
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore")
        ...     torch.distributions.Normal(0.0, 1.0).sample_n(2).shape
        torch.Size([2])
        """
        warn("`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning)
        return self.sample((n,))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the probability, or density, of values.

        Parameters
        ----------
        value : Tensor
            The values.

        Raises
        ------
        ValueError
            If they are checked, and outside of the support or of another shape.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Bernoulli(0.25).log_prob(torch.tensor([0.0, 1.0])).exp()
        tensor([0.7500, 0.2500])
        """
        if self._validate_args:
            self._validate_sample(value)
        return self._log_prob(value)

    def _log_prob(self, value: Any) -> Any:
        raise NotImplementedError

    def cdf(self, value: Any) -> Any:
        """Return the probability of what is not above values.

        Parameters
        ----------
        value : Tensor
            The values.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Uniform(0.0, 2.0).cdf(torch.tensor(0.5))
        tensor(0.2500)
        """
        if self._validate_args:
            self._validate_sample(value)
        return self._cdf(value)

    def _cdf(self, value: Any) -> Any:
        raise NotImplementedError

    def icdf(self, value: Any) -> Any:
        """Return the values that `cdf` is given for what it returns.

        Parameters
        ----------
        value : Tensor
            Probabilities.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Uniform(0.0, 2.0).icdf(torch.tensor(0.25))
        tensor(0.5000)
        """
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Any:
        """Return all values of a distribution that has finitely many, along the first axis.

        Parameters
        ----------
        expand : bool
            Whether they are expanded to the shape of the batch.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Bernoulli(torch.tensor([0.25, 0.5])).enumerate_support()
        tensor([[0., 0.],
                [1., 1.]])
        """
        raise NotImplementedError

    def _enumerated(self, values: Any, expand: bool) -> Any:
        """Return values along the first axis, before those of the batch and of an event."""
        event = values.shape[1:]
        values = values.view((-1, *[1] * len(self._batch_shape), *event))
        return values.expand((-1, *self._batch_shape, *event)) if expand else values

    def entropy(self) -> Any:
        """Return the entropy of each element of the batch, in nats.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Uniform(0.0, 1.0).entropy()
        tensor(0.)
        """
        raise NotImplementedError

    def perplexity(self) -> Any:
        """Return the exponential of the entropy.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Categorical(torch.ones(4)).perplexity()
        tensor(4.)
        """
        return self.entropy().exp()

    def __repr__(self) -> str:
        given = {k: vars(self)[k] for k in self.arg_constraints if k in vars(self)}
        shown = [f"{k}: {x if x.numel() == 1 else x.shape}" for k, x in given.items()]
        return f"{type(self).__name__}({', '.join(shown)})"


def _described(value: Any) -> str:
    return f"{type(value).__name__} of shape {tuple(value.shape)}"
