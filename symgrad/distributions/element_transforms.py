"""Transforms of each element."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.functions import (
    broadcast_shapes,
    full_like,
    softplus,
)
from symgrad.distributions.transform import Transform
from symgrad.distributions.utils import (
    broadcast_all,
    sum_rightmost,
)
from symgrad.tensor.queries import finfo


class _Increasing(Transform):
    """The base: increasing functions of real numbers."""

    domain = constraints.real
    bijective = True
    sign = 1


class ExpTransform(_Increasing):
    """The exponential.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.ExpTransform()(torch.tensor(0.0))
    tensor(1.)
    """

    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return x.exp()

    def _inverse(self, y: Any) -> Any:
        return y.log()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return x


def inside(x: Any) -> Any:
    """Return the sigmoid, which is neither 0 nor 1."""
    kind = finfo(x.dtype)
    return x.sigmoid().clamp(min=kind.tiny, max=1 - kind.eps)


class SigmoidTransform(_Increasing):
    """The sigmoid, whose inverse is the log-odds.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.SigmoidTransform()(torch.tensor(0.0))
    tensor(0.5000)
    """

    codomain = constraints.unit_interval

    def _call(self, x: Any) -> Any:
        return inside(x)

    def _inverse(self, y: Any) -> Any:
        kind = finfo(y.dtype)
        y = y.clamp(min=kind.tiny, max=1 - kind.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -softplus(-x) - softplus(x)


class SoftplusTransform(_Increasing):
    """The softplus, ``log(1 + exp(x))``.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.SoftplusTransform()(torch.tensor(0.0))
    tensor(0.6931)
    """

    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return softplus(x)

    def _inverse(self, y: Any) -> Any:
        return (-(-y).expm1()).log() + y

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -softplus(-x)


class TanhTransform(_Increasing):
    """The hyperbolic tangent.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.TanhTransform()(torch.tensor(0.0))
    tensor(0.)
    """

    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x: Any) -> Any:
        return x.tanh()

    def _inverse(self, y: Any) -> Any:
        return y.atanh()

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return 2 * (math.log(2) - x - softplus(-2 * x))


class AbsTransform(Transform):
    """The absolute value; as its inverse serves the number itself.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.AbsTransform()(torch.tensor(-1.0))
    tensor(1.)
    """

    domain = constraints.real
    codomain = constraints.positive

    def _call(self, x: Any) -> Any:
        return x.abs()

    def _inverse(self, y: Any) -> Any:
        return y


class _Parametrized(Transform):
    """The base: transforms of elements with tensors as parameters, which broadcast."""

    bijective = True

    def _broadcast(self, shape: Sequence[int]) -> Any:
        given = [getattr(getattr(self, name), "shape", ()) for name in self._made_of]
        return broadcast_shapes(shape, *given)

    def forward_shape(self, shape: Sequence[int]) -> Any:
        return self._broadcast(shape)

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        return self._broadcast(shape)


class PowerTransform(_Parametrized):
    """A power.

    Parameters
    ----------
    exponent : Tensor or float
        The exponent.
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.PowerTransform(2.0)(torch.tensor(3.0))
    tensor(9.)
    """

    domain = codomain = constraints.positive
    _made_of = ("exponent",)

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        (self.exponent,) = broadcast_all(exponent)

    @property
    def sign(self) -> Any:
        return self.exponent.sign()

    def _call(self, x: Any) -> Any:
        return x.pow(self.exponent)

    def _inverse(self, y: Any) -> Any:
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return (self.exponent * y / x).abs().log()


class AffineTransform(_Parametrized):
    """A multiple and a shift, ``loc + scale * x``.

    Parameters
    ----------
    loc, scale : Tensor or float
        The shift and the factor.
    event_dim : int
        How many of the last axes make one argument.
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.AffineTransform(1.0, 2.0)(torch.tensor(3.0))
    tensor(7.)
    """

    _made_of = ("loc", "scale", "event_dim")

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    @property
    def event_dim(self) -> int:
        return self._event_dim

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        count = self._event_dim
        return constraints.independent(constraints.real, count) if count else constraints.real

    codomain = domain

    @property
    def sign(self) -> Any:
        if isinstance(self.scale, (int, float)):
            return int(self.scale > 0) - int(self.scale < 0)
        return self.scale.sign()

    def _call(self, x: Any) -> Any:
        return self.loc + self.scale * x

    def _inverse(self, y: Any) -> Any:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        known = isinstance(self.scale, (int, float))
        each = full_like(x, math.log(abs(self.scale))) if known else self.scale.abs().log()
        count = self._event_dim
        return sum_rightmost(each, count).expand(x.shape[: x.dim() - count])


class CumulativeDistributionTransform(Transform):
    """The distribution function of a distribution.

    Parameters
    ----------
    distribution : Distribution
        The distribution.
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.distributions
    >>> t.CumulativeDistributionTransform(t.Normal(0.0, 1.0))(torch.tensor(0.0))
    tensor(0.5000)
    """

    bijective = True
    codomain = constraints.unit_interval
    sign = 1
    _made_of = ("distribution",)

    def __init__(self, distribution: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> Any:
        return self.distribution.support

    def _call(self, x: Any) -> Any:
        return self.distribution.cdf(x)

    def _inverse(self, y: Any) -> Any:
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return self.distribution.log_prob(x)
