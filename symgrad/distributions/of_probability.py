"""Distributions of which the probability is given, or its logarithm or log-odds."""

from __future__ import annotations

from typing import Any

from symgrad.distributions.distribution import Distribution
from symgrad.distributions.utils import (
    broadcast_all,
    lazy_property,
    logits_to_probs,
    probs_to_logits,
)
from symgrad.expr.size import Size


class OfProbability(Distribution):
    """The base: distributions of which the probability is given, or its logarithm or log-odds."""

    #: Whether it is one of two, whose log-odds are the logits.
    _is_binary = True
    _param: Any

    def _choose(self, probs: Any, logits: Any) -> str:
        """Return which of both is given."""
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        return "logits" if probs is None else "probs"

    def _by_probability(
        self, probs: Any, logits: Any, validate_args: bool | None, **others: Any
    ) -> None:
        """Take one of both, beside other parameters."""
        name = self._choose(probs, logits)
        given = {**others, name: logits if probs is None else probs}
        values = dict(zip(given, broadcast_all(*given.values()), strict=True))
        self._param = values[name]
        vars(self).update({k: x.type_as(self._param) for k, x in values.items()})
        Distribution.__init__(self, self._param.shape, (), validate_args)

    @lazy_property
    def logits(self) -> Any:
        """The log-odds of the probability, or the logarithms of those of categories.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Bernoulli(probs=0.5).logits
        tensor(0.)
        """
        return probs_to_logits(self.probs, self._is_binary)

    @lazy_property
    def probs(self) -> Any:
        """The probability, or those of categories.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Bernoulli(logits=0.0).probs
        tensor(0.5000)
        """
        return logits_to_probs(self.logits, self._is_binary)

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Categorical(torch.ones(2, 3)).param_shape
        torch.Size([2, 3])
        """
        return self._param.shape  # type: ignore[no-any-return]
