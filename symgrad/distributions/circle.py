"""The von Mises distribution, of angles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.functions import i0e, i1e, rand, where
from symgrad.expr.dtypes import float64
from symgrad.record.modes import no_grad

__all__ = ["VonMises"]


class VonMises(Distribution):
    """The von Mises distribution, of angles, the normal distribution of a circle.

    Parameters
    ----------
    loc : Tensor or float
        The angle around which the others lie.
    concentration : Tensor or float
        How close to it.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.VonMises(0.0, 1.0).log_prob(torch.tensor(0.0))
    tensor(-1.0738)
    """

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real

    loc: Any
    concentration: Any

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self._parametrize(validate_args, loc=loc, concentration=concentration)

    def _log_prob(self, value: Any) -> Any:
        k = self.concentration
        return k * ((value - self.loc).cos() - 1) - math.log(2 * math.pi) - i0e(k).log()

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        """Return samples, drawn by rejection (D. J. Best and N. I. Fisher, 1979).

        Parameters
        ----------
        sample_shape : sequence of int
            How many, for each element of the batch.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.VonMises(0.0, 1.0).sample((3,)).shape
        torch.Size([3])
        """
        shape = self._extended_shape(sample_shape)
        with no_grad():
            loc, k = self.loc.to(float64), self.concentration.to(float64)
            tau = 1 + (1 + 4 * k**2).sqrt()
            rho = (tau - (2 * tau).sqrt()) / (2 * k)
            r = where(k < 1e-5, 1 / k + k, (1 + rho**2) / (2 * rho))
            angles = loc.new_zeros(shape)
            done = angles != 0
            while not done.all():
                u1, u2, u3 = rand((3, *shape), dtype=float64).unbind()
                z = (math.pi * u1).cos()
                f = (1 + r * z) / (r + z)
                c = k * (r - f)
                accepted = (c * (2 - c) - u2 > 0) | ((c / u2).log() + 1 - c >= 0)
                angles = where(accepted, (u3 - 0.5).sign() * f.acos(), angles)
                done = done | accepted
            found = (angles + math.pi + loc) % (2 * math.pi) - math.pi
            return found.to(self.loc.dtype)

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        """The circular variance, 1 less the length of the mean direction.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.VonMises(0.0, 1.0).variance
        tensor(0.5536)
        """
        return 1 - i1e(self.concentration) / i0e(self.concentration)
