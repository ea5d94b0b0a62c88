"""Transforms of vectors, of matrices, and of parts of tensors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.element_transforms import inside
from symgrad.distributions.functions import (
    cat,
    cholesky,
    eye,
    logsigmoid,
    pad,
    softplus,
    stack,
)
from symgrad.distributions.transform import Transform, check_axes
from symgrad.distributions.utils import (
    sum_rightmost,
    tril_matrix_to_vec,
    vec_to_tril_matrix,
)
from symgrad.expr.size import Size
from symgrad.tensor.queries import finfo


class _OfVectors(Transform):
    """The base: transforms of vectors."""

    domain = constraints.real_vector
    codomain = constraints.simplex
    #: How much longer the value is.
    _longer = 0

    def forward_shape(self, shape: Sequence[int]) -> Any:
        check_axes(len(shape), 1)
        return Size((*shape[:-1], shape[-1] + self._longer))

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        check_axes(len(shape), 1)
        return Size((*shape[:-1], shape[-1] - self._longer))


class SoftmaxTransform(_OfVectors):
    """The softmax, whose inverse is the logarithm.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.SoftmaxTransform()(torch.zeros(2))
    tensor([0.5000, 0.5000])
    """

    def _call(self, x: Any) -> Any:
        return x.softmax(-1)

    def _inverse(self, y: Any) -> Any:
        return y.log()


class StickBreakingTransform(_OfVectors):
    """Shares of 1, each of which is cut off what the ones before it leave.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.StickBreakingTransform()(torch.zeros(2))
    tensor([0.3333, 0.3333, 0.3333])
    """

    bijective = True
    _longer = 1

    def _cuts(self, count: int, like: Any) -> Any:
        """Return the log-odds of equal shares."""
        return (count + 1 - like.new_ones(count).cumsum(-1)).log()

    def _call(self, x: Any) -> Any:
        share = inside(x - self._cuts(x.shape[-1], x))
        return pad(share, [0, 1], value=1) * pad((1 - share).cumprod(-1), [1, 0], value=1)

    def _inverse(self, y: Any) -> Any:
        first = y[..., :-1]
        left = (1 - first.cumsum(-1)).clamp(min=finfo(y.dtype).tiny)
        return first.log() - left.log() + self._cuts(first.shape[-1], y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        x = x - self._cuts(x.shape[-1], x)
        return (-x + logsigmoid(x) + y[..., :-1].log()).sum(-1)


class CorrCholeskyTransform(Transform):
    """Cholesky factors of correlation matrices, from the partial correlations below the diagonal.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.CorrCholeskyTransform()(torch.zeros(1))
    tensor([[1., 0.],
            [0., 1.]])
    """

    domain = constraints.real_vector
    codomain = constraints.corr_cholesky
    bijective = True

    def _call(self, x: Any) -> Any:
        eps = finfo(x.dtype).eps
        r = vec_to_tril_matrix(x.tanh().clamp(min=-1 + eps, max=1 - eps), diag=-1)
        left = (1 - r**2).sqrt().cumprod(-1)
        whole = r + eye(r.shape[-1], dtype=r.dtype)
        return whole * pad(left[..., :-1], [1, 0], value=1)

    def _inverse(self, y: Any) -> Any:
        left = pad((1 - (y * y).cumsum(-1))[..., :-1], [1, 0], value=1)
        t = tril_matrix_to_vec(y, diag=-1) / tril_matrix_to_vec(left, diag=-1).sqrt()
        return (t.log1p() - (-t).log1p()) / 2

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        left = tril_matrix_to_vec(1 - (y * y).cumsum(-1), diag=-2)
        of_tanh = -2 * (x + softplus(-2 * x) - math.log(2)).sum(-1)
        return 0.5 * left.log().sum(-1) + of_tanh

    def forward_shape(self, shape: Sequence[int]) -> Any:
        check_axes(len(shape), 1)
        count = shape[-1]
        size = round((0.25 + 2 * count) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != count:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return Size((*shape[:-1], size, size))

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        check_axes(len(shape), 2)
        if shape[-2] != shape[-1]:
            raise ValueError("Input is not square")
        return Size((*shape[:-2], shape[-1] * (shape[-1] - 1) // 2))


class LowerCholeskyTransform(Transform):
    """Lower triangles with positive diagonals: the exponential of the diagonal.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.LowerCholeskyTransform()(torch.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """

    domain: Any = constraints.independent(constraints.real, 2)
    codomain: Any = constraints.lower_cholesky

    def _call(self, x: Any) -> Any:
        return x.tril(-1) + x.diagonal(dim1=-2, dim2=-1).exp().diag_embed()

    def _inverse(self, y: Any) -> Any:
        return y.tril(-1) + y.diagonal(dim1=-2, dim2=-1).log().diag_embed()


class PositiveDefiniteTransform(LowerCholeskyTransform):
    """Positive definite matrices: lower triangles with positive diagonals, times their transposes.

    Parameters
    ----------
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.PositiveDefiniteTransform()(torch.zeros(2, 2))
    tensor([[1., 0.],
            [0., 1.]])
    """

    codomain = constraints.positive_definite

    def _call(self, x: Any) -> Any:
        factor = super()._call(x)
        return factor @ factor.mT

    def _inverse(self, y: Any) -> Any:
        return super()._inverse(cholesky(y))


class _Several(Transform):
    """The base: transforms of the parts of a tensor along an axis."""

    _lengths: list[int] | None = None

    def __init__(self, tseq: Sequence[Any], dim: int, cache_size: int) -> None:
        super().__init__(cache_size)
        if not all(isinstance(t, Transform) for t in tseq):
            raise AssertionError("All elements of tseq must be Transform instances")
        self.transforms = [t.with_cache(cache_size) for t in tseq] if cache_size else list(tseq)
        self.dim = dim

    def _parts(self, x: Any) -> Any:
        raise NotImplementedError

    def _whole(self, parts: list[Any]) -> Any:
        raise NotImplementedError

    def _each(self, x: Any, inverse: bool) -> Any:
        pairs = zip(self.transforms, self._parts(x), strict=True)
        return self._whole([(t.inv if inverse else t)(part) for t, part in pairs])

    def _call(self, x: Any) -> Any:
        return self._each(x, False)

    def _inverse(self, y: Any) -> Any:
        return self._each(y, True)

    def _jacobians(self, x: Any, y: Any) -> list[Any]:
        triples = zip(self.transforms, self._parts(x), self._parts(y), strict=True)
        return [t.log_abs_det_jacobian(a, b) for t, a, b in triples]

    @property
    def bijective(self) -> Any:
        return all(t.bijective for t in self.transforms)


def _check_length(x: Any, dim: int, length: int) -> None:
    if not -x.dim() <= dim < x.dim():
        raise AssertionError(f"dim {dim} out of range for tensor with {x.dim()} dimensions")
    if x.shape[dim] != length:
        raise AssertionError(f"x.size({dim}) = {x.shape[dim]} must equal length {length}")


class CatTransform(_Several):
    """Transforms of pieces along an axis.

    Parameters
    ----------
    tseq : sequence of Transform
        The transforms.
    dim : int
        The axis.
    lengths : sequence of int, optional
        How long the pieces are; 1 where not given.
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.distributions
    >>> t.CatTransform([t.ExpTransform(), t.AbsTransform()])(torch.tensor([0.0, -1.0]))
    tensor([1., 1.])
    """

    _made_of = ("transforms", "dim", "lengths")

    def __init__(
        self, tseq: Sequence[Any], dim: int = 0, lengths: Any = None, cache_size: int = 0
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(
                f"lengths ({len(self.lengths)}) must match transforms ({len(self.transforms)})"
            )

    @property
    def event_dim(self) -> int:
        return int(max(t.event_dim for t in self.transforms))

    @property
    def length(self) -> int:
        """How long all pieces are together.

        Examples
        --------
        >>> import symgrad as torch
        >>> t = torch.distributions
        >>> t.CatTransform([t.ExpTransform(), t.AbsTransform()]).length
        2
        """
        return sum(self.lengths)

    def _parts(self, x: Any) -> Any:
        _check_length(x, self.dim, self.length)
        return x.split(self.lengths, self.dim)

    def _whole(self, parts: list[Any]) -> Any:
        return cat(parts, self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        pairs = zip(self.transforms, self._jacobians(x, y), strict=True)
        found = [sum_rightmost(each, self.event_dim - t.event_dim) for t, each in pairs]
        dim = self.dim - (x.dim() if self.dim >= 0 else 0) + self.event_dim
        return cat(found, dim) if dim < 0 else sum(found)

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.cat([t.domain for t in self.transforms], self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.cat([t.codomain for t in self.transforms], self.dim, self.lengths)


class StackTransform(_Several):
    """Transforms of the entries of an axis.

    Parameters
    ----------
    tseq : sequence of Transform
        The transforms.
    dim : int
        The axis.
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.distributions
    >>> t.StackTransform([t.ExpTransform(), t.AbsTransform()])(torch.tensor([0.0, -1.0]))
    tensor([1., 1.])
    """

    _made_of = ("transforms", "dim")

    def __init__(self, tseq: Sequence[Any], dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(tseq, dim, cache_size)

    def _parts(self, x: Any) -> Any:
        _check_length(x, self.dim, len(self.transforms))
        return x.unbind(self.dim)

    def _whole(self, parts: list[Any]) -> Any:
        return stack(parts, self.dim)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return stack(self._jacobians(x, y), self.dim)

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.stack([t.codomain for t in self.transforms], self.dim)
