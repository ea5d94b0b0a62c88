"""Distributions of matrices: covariances, and Cholesky factors of correlations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.draws import smallest, standard_normal
from symgrad.distributions.exp_family import ExponentialFamily
from symgrad.distributions.functions import (
    arange,
    broadcast_shapes,
    mvlgamma,
    slogdet,
    tensor,
    tril_indices,
    vector_norm,
    where,
)
from symgrad.distributions.positive import Chi2
from symgrad.distributions.unit import Beta
from symgrad.distributions.utils import broadcast_all
from symgrad.distributions.vectors import OfCovariance, half_log_det, inverse_of
from symgrad.record.modes import no_grad
from symgrad.support.refusals import warn
from symgrad.tensor.queries import finfo
from symgrad.tensor.tensor import Tensor

__all__ = ["LKJCholesky", "Wishart"]


class Wishart(OfCovariance, ExponentialFamily):
    """The Wishart distribution: of sums of squares and products of normal vectors.

    Parameters
    ----------
    df : Tensor or float
        How many vectors, the degrees of freedom.
    covariance_matrix, precision_matrix, scale_tril : Tensor, optional
        The covariances of the vectors, their inverse, or the lower triangle L of which they are
        ``L @ L.T``: one of these.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    AssertionError
        If none or several of these are given.
    ValueError
        If there are fewer degrees of freedom than rows.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.Wishart(torch.tensor(3.0), torch.eye(2)).mean
    tensor([[3., 0.],
            [0., 3.]])
    """

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    def __init__(
        self, df: Any, covariance_matrix: Any = None, precision_matrix: Any = None,
        scale_tril: Any = None, validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        name, matrix = self._given_matrix(
            covariance_matrix, precision_matrix, scale_tril, AssertionError
        )
        if matrix.dim() < 2:
            raise ValueError(
                "scale_tril must be at least two-dimensional, with optional leading batch "
                "dimensions"
            )
        df = df if isinstance(df, Tensor) else tensor(df, dtype=matrix.dtype)
        batch, event = broadcast_shapes(matrix.shape[:-2], df.shape), matrix.shape[-2:]
        self.df = df.expand(batch)
        if (self.df <= event[-1] - 1).any():
            raise ValueError(
                f"Value of df={df} expected to be greater than ndim - 1 = {event[-1] - 1}."
            )
        vars(self)[name] = matrix.expand((*batch, -1, -1))
        if (self.df < event[-1]).any():
            warn(
                "Low df values detected. Singular samples are highly likely to occur for "
                "ndim - 1 < df < ndim."
            )
        super().__init__(batch, event, validate_args)
        lower = arange(event[-1], dtype=self._factor.dtype)
        self._chi2 = Chi2(self.df.unsqueeze(-1) - lower)

    @property
    def arg_constraints(self) -> Any:
        return {
            "covariance_matrix": constraints.positive_definite,
            "precision_matrix": constraints.positive_definite,
            "scale_tril": constraints.lower_cholesky,
            "df": constraints.greater_than(self._event_shape[-1] - 1),
        }

    def _expanded(self, name: str, x: Any, shape: Any) -> Any:
        if name == "_chi2":
            return x.expand((*shape, self._event_shape[-1]))
        return super()._expanded(name, x, shape)

    @property
    def _times(self) -> Any:
        """The degrees of freedom, as a factor of matrices."""
        return self.df[..., None, None]

    @property
    def mean(self) -> Any:
        return self._times * self.covariance_matrix

    @property
    def mode(self) -> Any:
        factor = self._times - self._event_shape[-1] - 1
        return where(factor <= 0, math.nan, factor) * self.covariance_matrix

    @property
    def variance(self) -> Any:
        v = self.covariance_matrix
        diagonal = v.diagonal(dim1=-2, dim2=-1)
        return self._times * (v.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def _drawn(self, sample_shape: Sequence[int]) -> Any:
        """Return samples, of which a few may be singular (M. S. Bartlett, 1933)."""
        size = self._event_shape[-1]
        roots = self._chi2.rsample(sample_shape).sqrt()
        noise = roots.clamp(min=finfo(roots.dtype).eps).diag_embed()
        i, j = tril_indices(size, size, offset=-1)
        shape = (*sample_shape, *self._batch_shape, size * (size - 1) // 2)
        noise[..., i, j] = standard_normal(roots, shape)
        factor = self._factor @ noise
        return factor @ factor.mT

    def rsample(self, sample_shape: Sequence[int] = (), max_try_correction: int = 10) -> Any:
        """Return samples that are differentiable functions of the parameters.

        Parameters
        ----------
        sample_shape : sequence of int
            How many, for each element of the batch.
        max_try_correction : int
            How often what is singular by rounding is drawn again.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.Wishart(torch.tensor(3.0), torch.eye(2)).rsample((4,)).shape
        torch.Size([4, 2, 2])
        """
        sample = self._drawn(sample_shape)
        for _ in range(max_try_correction):
            singular = ~self.support.check(sample)
            if not singular.any():
                break
            warn("Singular sample detected.")
            sample = where(singular[..., None, None], self._drawn(sample_shape), sample)
        return sample

    def _log_prob(self, value: Any) -> Any:
        nu, p = self.df, self._event_shape[-1]
        trace = (inverse_of(self._factor) * value).sum((-2, -1))
        return (
            -nu * (p * math.log(2) / 2 + half_log_det(self._factor)) - mvlgamma(nu / 2, p)
            + (nu - p - 1) / 2 * slogdet(value).logabsdet - trace / 2
        )  # fmt: skip

    def entropy(self) -> Any:
        nu, p = self.df, self._event_shape[-1]
        slopes = (nu.unsqueeze(-1) / 2 - arange(p, dtype=nu.dtype) / 2).digamma().sum(-1)
        return (
            (p + 1) * (p * math.log(2) / 2 + half_log_det(self._factor)) + mvlgamma(nu / 2, p)
            - (nu - p - 1) / 2 * slopes + nu * p / 2
        )  # fmt: skip

    @property
    def _natural_params(self) -> tuple[Any, ...]:
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, *natural_params: Any) -> Any:
        x, y = natural_params
        p = self._event_shape[-1]
        half = y + (p + 1) / 2
        return half * (-slogdet(-2 * x).logabsdet + math.log(2) * p) + mvlgamma(half, p)


class LKJCholesky(Distribution):
    """Cholesky factors of correlation matrices, of densities that are powers of the determinant.

    D. Lewandowski, D. Kurowicka and H. Joe, Generating random correlation matrices based on vines
    and extended onion method, 2009.

    Parameters
    ----------
    dim : int
        How many rows there are.
    concentration : Tensor or float
        The exponent is one less: 1 makes all correlation matrices alike.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If there are fewer than two rows.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.LKJCholesky(3, 0.5).sample().shape
    torch.Size([3, 3])
    """

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky

    def __init__(
        self, dim: int, concentration: Any = 1.0, validate_args: bool | None = None
    ) -> None:
        if dim < 2:
            raise ValueError(
                f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}."
            )
        self.dim = dim
        (self.concentration,) = broadcast_all(concentration)
        row = (arange(dim, dtype=self.concentration.dtype) - 1).clamp(min=0)
        middle = self.concentration + 0.5 * (dim - 2)
        self._beta = Beta(row + 0.5, middle.unsqueeze(-1) - 0.5 * row)
        super().__init__(self.concentration.shape, (dim, dim), validate_args)

    def _expanded(self, name: str, x: Any, shape: Any) -> Any:
        return (
            x.expand((*shape, self.dim)) if name == "_beta" else super()._expanded(name, x, shape)
        )

    def sample(self, sample_shape: Sequence[int] = ()) -> Any:
        with no_grad():
            y = self._beta.sample(sample_shape).unsqueeze(-1)
            row = standard_normal(y, self._extended_shape(sample_shape)).tril(-1)
            direction = row / vector_norm(row, dim=-1, keepdim=True)
            direction[..., 0, :] = 0
            below = y.sqrt() * direction
            left = (1 - below.pow(2).sum(-1)).clamp(min=smallest(y)).sqrt()
            return below + left.diag_embed()

    def _log_prob(self, value: Any) -> Any:
        size, concentration = self.dim, self.concentration
        diagonal = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = 2 * (concentration - 1).unsqueeze(-1) + size - arange(2, size + 1)
        alpha = concentration + 0.5 * (size - 1)
        norm = mvlgamma(alpha - 0.5, size - 1) - alpha.lgamma() * (size - 1)
        norm = norm + 0.5 * (size - 1) * math.log(math.pi)
        return (order * diagonal.log()).sum(-1) - norm
