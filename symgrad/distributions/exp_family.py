"""Exponential families, whose entropies and divergences follow from their normalizers."""

from __future__ import annotations

from typing import Any

from symgrad.autograd import grad
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.utils import sum_rightmost

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """The base: densities ``exp(<t(x), theta> - F(theta) + k(x))``.

    Their entropies and divergences follow from the derivative of the normalizer F, as Bregman
    divergences (F. Nielsen and R. Nock, Entropies and cross-entropies of exponential families,
    2010).

    Examples
    --------
    >>> import symgrad as torch
    >>> isinstance(torch.distributions.Normal(0.0, 1.0), torch.distributions.ExponentialFamily)
    True
    """

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Any) -> Any:
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> Any:
        raise NotImplementedError

    def _normalized(self) -> tuple[Any, list[Any], Any]:
        """Return the normalizer, its variables and its derivatives, which are means of t(x)."""
        given = self._natural_params
        variables = [x if x.requires_grad else x.detach().requires_grad_() for x in given]
        value = self._log_normalizer(*variables)
        return value, variables, grad(value.sum(), variables, create_graph=True)

    def entropy(self) -> Any:
        value, variables, slopes = self._normalized()
        result = value - self._mean_carrier_measure
        for x, slope in zip(variables, slopes, strict=True):
            result = result - sum_rightmost(x * slope, x.dim() - len(self._batch_shape))
        return result
