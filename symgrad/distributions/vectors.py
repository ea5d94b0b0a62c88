"""Normal distributions of vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.distribution import Distribution
from symgrad.distributions.draws import standard_normal
from symgrad.distributions.functions import (
    broadcast_shapes,
    broadcast_tensors,
    cholesky,
    eye,
    solve_triangular,
)
from symgrad.distributions.utils import lazy_property

__all__ = ["LowRankMultivariateNormal", "MultivariateNormal"]


def solved(factor: Any, vectors: Any) -> Any:
    """Return the solutions of a lower triangle."""
    return solve_triangular(factor, vectors.unsqueeze(-1), upper=False).squeeze(-1)


def times(matrix: Any, vectors: Any) -> Any:
    """Return the products of matrices with vectors."""
    return (matrix @ vectors.unsqueeze(-1)).squeeze(-1)


def half_log_det(factor: Any) -> Any:
    """Return half the logarithm of the determinant of ``L @ L.T``, for a lower triangle L."""
    return factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def inverse_of(factor: Any) -> Any:
    """Return the inverse of ``L @ L.T``, for a lower triangle L."""
    inner = solve_triangular(factor, eye(factor.shape[-1], dtype=factor.dtype), upper=False)
    return inner.mT @ inner


def factor_of_inverse(precision: Any) -> Any:
    """Return the lower triangle L of which ``L @ L.T`` is the inverse of a matrix."""
    turned = cholesky(precision.flip(-2, -1)).flip(-2, -1).mT
    return solve_triangular(turned, eye(precision.shape[-1], dtype=precision.dtype), upper=False)


class OfCovariance(Distribution):
    """The base: distributions with a covariance matrix, given as such or by its inverse or factor.

    Attributes
    ----------
    covariance_matrix, precision_matrix, scale_tril : Tensor
        The matrix, its inverse, and the lower triangle L of which it is ``L @ L.T``.
    """

    def _given_matrix(
        self, covariance_matrix: Any, precision_matrix: Any, scale_tril: Any, error: Any
    ) -> tuple[str, Any]:
        """Return which of them is given, and it."""
        given = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        found = [(name, x) for name, x in given.items() if x is not None]
        if len(found) != 1:
            raise error(
                "Exactly one of covariance_matrix or precision_matrix or scale_tril may be "
                "specified."
            )
        return found[0]

    @lazy_property
    def _factor(self) -> Any:
        given = vars(self)
        if "scale_tril" in given:
            return given["scale_tril"]
        if "covariance_matrix" in given:
            return cholesky(given["covariance_matrix"])
        return factor_of_inverse(given["precision_matrix"])

    @lazy_property
    def scale_tril(self) -> Any:
        """The lower triangle L of which the covariances are ``L @ L.T``.

        Examples
        --------
        >>> import symgrad as torch
        >>> normal = torch.distributions.MultivariateNormal(torch.zeros(1), torch.tensor([[4.0]]))
        >>> normal.scale_tril
        tensor([[2.]])
        """
        return self._factor

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The covariances.

        Examples
        --------
        >>> import symgrad as torch
        >>> normal = torch.distributions.MultivariateNormal(torch.zeros(1), torch.tensor([[4.0]]))
        >>> normal.covariance_matrix
        tensor([[4.]])
        """
        return self._factor @ self._factor.mT

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the covariances.

        Examples
        --------
        >>> import symgrad as torch
        >>> normal = torch.distributions.MultivariateNormal(torch.zeros(1), torch.tensor([[4.0]]))
        >>> normal.precision_matrix
        tensor([[0.2500]])
        """
        return inverse_of(self._factor)


class MultivariateNormal(OfCovariance):
    """The normal distribution of vectors.

    Parameters
    ----------
    loc : Tensor
        The mean.
    covariance_matrix, precision_matrix, scale_tril : Tensor, optional
        The covariances, their inverse, or the lower triangle L of which they are ``L @ L.T``: one
        of these.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Raises
    ------
    ValueError
        If none or several of these are given, or have too few axes.

    Examples
    --------
    >>> import symgrad as torch
    >>> normal = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
    >>> normal.log_prob(torch.zeros(2))
    tensor(-1.8379)
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite,
        "scale_tril": constraints.lower_cholesky,
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self, loc: Any, covariance_matrix: Any = None, precision_matrix: Any = None,
        scale_tril: Any = None, validate_args: bool | None = None,
    ) -> None:  # fmt: skip
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        name, matrix = self._given_matrix(
            covariance_matrix, precision_matrix, scale_tril, ValueError
        )
        if matrix.dim() < 2:
            raise ValueError(
                f"{name} must be at least two-dimensional, with optional leading batch dimensions"
            )
        batch = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        vars(self)[name] = matrix.expand((*batch, -1, -1))
        self.loc = loc.expand((*batch, -1))
        super().__init__(batch, self.loc.shape[-1:], validate_args)
        _ = self._factor  # a matrix that has none is refused here

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        return self._factor.pow(2).sum(-1)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        eps = standard_normal(self.loc, self._extended_shape(sample_shape))
        return self.loc + times(self._factor, eps)

    def _log_prob(self, value: Any) -> Any:
        distance = solved(self._factor, value - self.loc).pow(2).sum(-1)
        size = self._event_shape[0]
        return -0.5 * (size * math.log(2 * math.pi) + distance) - half_log_det(self._factor)

    def entropy(self) -> Any:
        size = self._event_shape[0]
        return 0.5 * size * (1 + math.log(2 * math.pi)) + half_log_det(self._factor)


class LowRankMultivariateNormal(Distribution):
    """The normal distribution of vectors with covariances ``W @ W.T + diag(D)``.

    Parameters
    ----------
    loc : Tensor
        The mean.
    cov_factor : Tensor
        The matrix W, of few columns.
    cov_diag : Tensor
        The numbers D.
    validate_args : bool, optional
        Whether parameters and samples are checked.

    Attributes
    ----------
    covariance_matrix, precision_matrix, scale_tril : Tensor
        The covariances, their inverse, and the lower triangle L of which they are ``L @ L.T``.

    Raises
    ------
    ValueError
        If the shapes do not fit.

    Examples
    --------
    >>> import symgrad as torch
    >>> normal = torch.distributions.LowRankMultivariateNormal(
    ...     torch.zeros(2), torch.ones(2, 1), torch.ones(2)
    ... )
    >>> normal.covariance_matrix
    tensor([[2., 1.],
            [1., 2.]])
    """

    arg_constraints = {
        "loc": constraints.real_vector,
        "cov_factor": constraints.independent(constraints.real, 2),
        "cov_diag": constraints.independent(constraints.positive, 1),
    }
    support = constraints.real_vector
    has_rsample = True

    def __init__(
        self, loc: Any, cov_factor: Any, cov_diag: Any, validate_args: bool | None = None
    ) -> None:
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        event = loc.shape[-1:]
        if cov_factor.dim() < 2:
            raise ValueError(
                "cov_factor must be at least two-dimensional, with optional leading batch "
                "dimensions"
            )
        if cov_factor.shape[-2:-1] != event:
            raise ValueError(f"cov_factor must be a batch of matrices with shape {event[0]} x m")
        if cov_diag.shape[-1:] != event:
            raise ValueError(f"cov_diag must be a batch of vectors with shape {event}")
        columns = (loc.unsqueeze(-1), cov_factor, cov_diag.unsqueeze(-1))
        try:
            batch = broadcast_shapes(*[x.shape[:-2] for x in columns])
        except RuntimeError:
            raise ValueError(
                f"Incompatible batch shapes: loc {loc.shape}, cov_factor {cov_factor.shape}, "
                f"cov_diag {cov_diag.shape}"
            ) from None
        self.loc, self.cov_diag = broadcast_tensors(
            loc.expand((*batch, *event)), cov_diag.expand((*batch, *event))
        )
        self.cov_factor = cov_factor.expand((*batch, -1, -1))
        super().__init__(batch, event, validate_args)

    @lazy_property
    def _capacitance(self) -> Any:
        """The lower triangle of ``1 + W.T @ (W / D)``, as small as W is narrow."""
        w = self.cov_factor
        small = (w.mT / self.cov_diag.unsqueeze(-2)) @ w
        return cholesky(small + eye(w.shape[-1], dtype=w.dtype))

    @property
    def mean(self) -> Any:
        return self.loc

    @property
    def mode(self) -> Any:
        return self.loc

    @property
    def variance(self) -> Any:
        return self.cov_factor.pow(2).sum(-1) + self.cov_diag

    @lazy_property
    def covariance_matrix(self) -> Any:
        """The covariances.

        Examples
        --------
        >>> import symgrad as torch
        >>> normal = torch.distributions.LowRankMultivariateNormal(
        ...     torch.zeros(1), torch.ones(1, 1), torch.tensor([3.0])
        ... )
        >>> normal.covariance_matrix
        tensor([[4.]])
        """
        return self.cov_factor @ self.cov_factor.mT + self.cov_diag.diag_embed()

    @lazy_property
    def scale_tril(self) -> Any:
        """The lower triangle L of which the covariances are ``L @ L.T``.

        Examples
        --------
        >>> import symgrad as torch
        >>> normal = torch.distributions.LowRankMultivariateNormal(
        ...     torch.zeros(1), torch.ones(1, 1), torch.tensor([3.0])
        ... )
        >>> normal.scale_tril
        tensor([[2.]])
        """
        return cholesky(self.covariance_matrix)

    @lazy_property
    def precision_matrix(self) -> Any:
        """The inverse of the covariances.

        Examples
        --------
        >>> import symgrad as torch
        >>> normal = torch.distributions.LowRankMultivariateNormal(
        ...     torch.zeros(1), torch.ones(1, 1), torch.tensor([3.0])
        ... )
        >>> normal.precision_matrix
        tensor([[0.2500]])
        """
        inner = self._whitened(self.cov_diag.reciprocal().diag_embed())
        return self.cov_diag.reciprocal().diag_embed() - inner.mT @ inner

    def _whitened(self, over_diagonal: Any) -> Any:
        """Return W.T times a matrix, as the small triangle solves it."""
        return solve_triangular(self._capacitance, self.cov_factor.mT @ over_diagonal, upper=False)

    def rsample(self, sample_shape: Sequence[int] = ()) -> Any:
        shape = self._extended_shape(sample_shape)
        narrow = standard_normal(self.loc, (*shape[:-1], self.cov_factor.shape[-1]))
        wide = standard_normal(self.loc, shape)
        return self.loc + times(self.cov_factor, narrow) + self.cov_diag.sqrt() * wide

    def _log_det(self) -> Any:
        """Return the logarithm of the determinant of the covariances."""
        return 2 * half_log_det(self._capacitance) + self.cov_diag.log().sum(-1)

    def _distance(self, value: Any) -> Any:
        """Return the squares of the distances from the mean, in standard deviations."""
        apart = value - self.loc
        inner = solved(self._capacitance, times(self.cov_factor.mT, apart / self.cov_diag))
        return (apart.pow(2) / self.cov_diag).sum(-1) - inner.pow(2).sum(-1)

    def _log_prob(self, value: Any) -> Any:
        size = self._event_shape[0]
        return -0.5 * (size * math.log(2 * math.pi) + self._log_det() + self._distance(value))

    def entropy(self) -> Any:
        size = self._event_shape[0]
        return 0.5 * (size * (1 + math.log(2 * math.pi)) + self._log_det())
