"""Transforms: functions of samples, with their inverses and the determinants of their Jacobians."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.documented import Documented
from symgrad.distributions.functions import (
    broadcast_shapes,
    cat,
    cholesky,
    eye,
    full_like,
    logsigmoid,
    pad,
    softplus,
    stack,
)
from symgrad.distributions.utils import (
    broadcast_all,
    sum_rightmost,
    tril_matrix_to_vec,
    vec_to_tril_matrix,
)
from symgrad.expr.size import Size
from symgrad.tensor.queries import finfo

__all__ = [
    "AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform",
    "CumulativeDistributionTransform", "ExpTransform", "IndependentTransform",
    "LowerCholeskyTransform", "PositiveDefiniteTransform", "PowerTransform", "ReshapeTransform",
    "SigmoidTransform", "SoftmaxTransform", "SoftplusTransform", "StackTransform",
    "StickBreakingTransform", "TanhTransform", "Transform", "identity_transform",
]  # fmt: skip


class Transform(Documented):
    """The base: a function of tensors, which are taken apart along their last axes.

    Subclasses state `_call`, `_inverse` and `log_abs_det_jacobian`.

    Parameters
    ----------
    cache_size : int
        1 to keep the last argument and value, so that the inverse gives the same tensor again.

    Attributes
    ----------
    domain, codomain : Constraint
        From where and to where it leads.
    bijective : bool
        Whether it has an inverse.
    sign : int or Tensor
        1 where it increases, -1 where it decreases.

    Raises
    ------
    ValueError
        If the size is neither 0 nor 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> isinstance(torch.distributions.ExpTransform(), torch.distributions.transforms.Transform)
    True
    """

    _described = {
        "bijective": """Whether it has an inverse.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.transforms.identity_transform.bijective
        True
        """,
        "domain": """From where it leads.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.AffineTransform(0.0, 1.0).domain
        Real()
        """,
        "codomain": """To where it leads.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.AffineTransform(0.0, 1.0).codomain
        Real()
        """,
        "sign": """1 where it increases, -1 where it decreases.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.AffineTransform(0.0, -1.0).sign
        -1
        """,
    }
    bijective: Any = False
    domain: Any
    codomain: Any
    sign: Any

    #: The attributes of which a transform is made, by which it is compared and made again.
    _made_of: tuple[str, ...] = ()

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._inv: Any = None
        self._cached: tuple[Any, Any] = (None, None)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_inv": None, "_cached": (None, None)}

    @property
    def event_dim(self) -> int:
        """How many of the last axes make one argument, and one value.

        Raises
        ------
        ValueError
            If these are two numbers.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.SoftmaxTransform().event_dim
        1
        """
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")
        return self.domain.event_dim  # type: ignore[no-any-return]

    @property
    def inv(self) -> Transform:
        """The inverse.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.ExpTransform().inv(torch.tensor(1.0))
        tensor(0.)
        """
        if self._inv is None:
            self._inv = _InverseTransform(self)
        return self._inv  # type: ignore[no-any-return]

    def with_cache(self, cache_size: int = 1) -> Transform:
        """Return the same transform with a cache of a size.

        Parameters
        ----------
        cache_size : int
            0 or 1.

        Examples
        --------
        >>> import symgrad as torch
        >>> exp = torch.distributions.ExpTransform().with_cache()
        >>> x = torch.tensor(2.0)
        >>> exp.inv(exp(x)) is x
        True
        """
        if self._cache_size == cache_size:
            return self
        given = {name: getattr(self, name) for name in self._made_of}
        make: Any = type(self)
        return make(*given.values(), cache_size=cache_size)  # type: ignore[no-any-return]

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        return all(_equal(getattr(self, n), getattr(other, n)) for n in self._made_of)

    def __hash__(self) -> int:
        return hash(type(self))

    def __call__(self, x: Any) -> Any:
        if not self._cache_size:
            return self._call(x)
        if x is not self._cached[0]:
            self._cached = (x, self._call(x))
        return self._cached[1]

    def _inv_call(self, y: Any) -> Any:
        if not self._cache_size:
            return self._inverse(y)
        if y is not self._cached[1]:
            self._cached = (self._inverse(y), y)
        return self._cached[0]

    def _call(self, x: Any) -> Any:
        raise NotImplementedError

    def _inverse(self, y: Any) -> Any:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        """Return the logarithm of the absolute determinant of the Jacobian.

        Parameters
        ----------
        x, y : Tensor
            The argument and the value.

        Examples
        --------
        >>> import symgrad as torch
        >>> x = torch.tensor([0.0, 1.0])
        >>> torch.distributions.ExpTransform().log_abs_det_jacobian(x, x.exp())
        tensor([0., 1.])
        """
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def forward_shape(self, shape: Sequence[int]) -> Any:
        """Return the shape of the value for an argument's shape.

        Parameters
        ----------
        shape : sequence of int
            The shape of the argument.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.StickBreakingTransform().forward_shape(torch.Size([2]))
        torch.Size([3])
        """
        return shape

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        """Return the shape of the argument for a value's shape.

        Parameters
        ----------
        shape : sequence of int
            The shape of the value.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.StickBreakingTransform().inverse_shape(torch.Size([3]))
        torch.Size([2])
        """
        return shape


def _equal(a: Any, b: Any) -> bool:
    """Return whether numbers, tensors or other attributes are equal."""
    found = a == b
    return bool(found.all()) if hasattr(found, "all") else bool(found)


class _InverseTransform(Transform):
    _made_of = ("_inv",)

    def __init__(self, transform: Transform) -> None:
        super().__init__(transform._cache_size)
        self._inv = transform

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_inv": self._inv}

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        return self._inv.domain

    @property
    def bijective(self) -> Any:
        return self._inv.bijective

    @property
    def sign(self) -> Any:
        return self._inv.sign

    def with_cache(self, cache_size: int = 1) -> Transform:
        return self._inv.with_cache(cache_size).inv  # type: ignore[no-any-return]

    def __call__(self, x: Any) -> Any:
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Sequence[int]) -> Any:
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        return self._inv.forward_shape(shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._inv!r})"


class ComposeTransform(Transform):
    """Several transforms, one after the other.

    Parameters
    ----------
    parts : list of Transform
        The transforms, of which the first is applied first.
    cache_size : int
        0 or 1, of each of them.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.distributions
    >>> t.ComposeTransform([t.AffineTransform(1.0, 2.0), t.ExpTransform()])(torch.tensor(-0.5))
    tensor(1.)
    """

    _made_of = ("parts",)

    def __init__(self, parts: list[Any], cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.parts = [p.with_cache(cache_size) for p in parts] if cache_size else parts

    def _end(self, parts: Sequence[Any], first: str, last: str) -> Any:
        """Return the region at one end, of as many axes as any part needs."""
        if not parts:
            return constraints.real
        region = getattr(parts[0], first)
        count = getattr(parts[-1], last).event_dim
        for part in reversed(parts):
            own = getattr(part, first).event_dim
            count = max(count + own - getattr(part, last).event_dim, own)
        more = count - region.event_dim
        return constraints.independent(region, more) if more else region

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        return self._end(self.parts, "domain", "codomain")

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        return self._end(self.parts[::-1], "codomain", "domain")

    @property
    def bijective(self) -> Any:
        return all(p.bijective for p in self.parts)

    @property
    def sign(self) -> Any:
        return math.prod([p.sign for p in self.parts])

    @property
    def inv(self) -> Transform:
        if self._inv is None:
            self._inv = ComposeTransform([p.inv for p in reversed(self.parts)])
            self._inv._inv = self
        return self._inv  # type: ignore[no-any-return]

    def __call__(self, x: Any) -> Any:
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        if not self.parts:
            return full_like(x, 0)
        total, count, rest = 0, self.domain.event_dim, len(self.parts)
        for part in self.parts:
            rest -= 1
            after = part(x) if rest else y
            found = part.log_abs_det_jacobian(x, after)
            total = total + sum_rightmost(found, count - part.domain.event_dim)
            count += part.codomain.event_dim - part.domain.event_dim
            x = after
        return total

    def forward_shape(self, shape: Sequence[int]) -> Any:
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self) -> str:
        shown = ",\n    ".join([repr(p) for p in self.parts])
        return f"{type(self).__name__}(\n    {shown}\n)"


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform of the entries of axes that make one argument.

    Parameters
    ----------
    base_transform : Transform
        The transform of one entry.
    reinterpreted_batch_ndims : int
        How many axes there are.
    cache_size : int
        0 or 1.

    Examples
    --------
    >>> import symgrad as torch
    >>> t = torch.distributions
    >>> x = torch.tensor([0.0, 1.0])
    >>> t.IndependentTransform(t.ExpTransform(), 1).log_abs_det_jacobian(x, x.exp())
    tensor(1.)
    """

    _made_of = ("base_transform", "reinterpreted_batch_ndims")

    def __init__(
        self, base_transform: Any, reinterpreted_batch_ndims: int, cache_size: int = 0
    ) -> None:
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self) -> Any:
        return self.base_transform.bijective

    @property
    def sign(self) -> Any:
        return self.base_transform.sign

    def _call(self, x: Any) -> Any:
        _check_axes(x.dim(), self.domain.event_dim)
        return self.base_transform(x)

    def _inverse(self, y: Any) -> Any:
        _check_axes(y.dim(), self.codomain.event_dim)
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        found = self.base_transform.log_abs_det_jacobian(x, y)
        return sum_rightmost(found, self.reinterpreted_batch_ndims)

    def forward_shape(self, shape: Sequence[int]) -> Any:
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        return self.base_transform.inverse_shape(shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


def _check_axes(count: int, needed: int) -> None:
    if count < needed:
        raise ValueError("Too few dimensions on input")


class ReshapeTransform(Transform):
    """The same elements in another shape.

    Parameters
    ----------
    in_shape, out_shape : sequence of int
        The shapes of the last axes.
    cache_size : int
        0 or 1.

    Raises
    ------
    ValueError
        If these have not as many elements.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.ReshapeTransform((4,), (2, 2))(torch.arange(4))
    tensor([[0, 1],
            [2, 3]])
    """

    bijective = True
    _made_of = ("in_shape", "out_shape")

    def __init__(
        self, in_shape: Sequence[int], out_shape: Sequence[int], cache_size: int = 0
    ) -> None:
        super().__init__(cache_size)
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError("in_shape, out_shape have different numbers of elements")

    @constraints.dependent_property
    def domain(self) -> Any:
        return constraints.independent(constraints.real, len(self.in_shape))

    @constraints.dependent_property
    def codomain(self) -> Any:
        return constraints.independent(constraints.real, len(self.out_shape))

    def _call(self, x: Any) -> Any:
        return x.reshape(self.forward_shape(x.shape))

    def _inverse(self, y: Any) -> Any:
        return y.reshape(self.inverse_shape(y.shape))

    def log_abs_det_jacobian(self, x: Any, y: Any) -> Any:
        return x.new_zeros(x.shape[: x.dim() - len(self.in_shape)])

    def forward_shape(self, shape: Sequence[int]) -> Any:
        return _reshaped(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        return _reshaped(shape, self.out_shape, self.in_shape)


def _reshaped(shape: Sequence[int], before: Size, after: Size) -> Size:
    _check_axes(len(shape), len(before))
    cut = len(shape) - len(before)
    if tuple(shape[cut:]) != tuple(before):
        raise ValueError(f"Shape mismatch: expected {Size(shape[cut:])} but got {before}")
    return Size((*shape[:cut], *after))


# ---------------------------------------------------------------- of each element


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


def _inside(x: Any) -> Any:
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
        return _inside(x)

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


# ---------------------------------------------------------------- of vectors and matrices


class _OfVectors(Transform):
    """The base: transforms of vectors."""

    domain = constraints.real_vector
    codomain = constraints.simplex
    #: How much longer the value is.
    _longer = 0

    def forward_shape(self, shape: Sequence[int]) -> Any:
        _check_axes(len(shape), 1)
        return Size((*shape[:-1], shape[-1] + self._longer))

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        _check_axes(len(shape), 1)
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
        share = _inside(x - self._cuts(x.shape[-1], x))
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
        _check_axes(len(shape), 1)
        count = shape[-1]
        size = round((0.25 + 2 * count) ** 0.5 + 0.5)
        if size * (size - 1) // 2 != count:
            raise ValueError("Input is not a flattened lower-diagonal number")
        return Size((*shape[:-1], size, size))

    def inverse_shape(self, shape: Sequence[int]) -> Any:
        _check_axes(len(shape), 2)
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
