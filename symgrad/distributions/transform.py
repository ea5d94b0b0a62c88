"""The base of transforms, and transforms made of others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from symgrad.distributions import constraints
from symgrad.distributions.documented import Documented
from symgrad.distributions.functions import (
    full_like,
)
from symgrad.distributions.utils import (
    sum_rightmost,
)
from symgrad.expr.size import Size


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
    }
    bijective: Any = False
    domain: Any
    codomain: Any

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
    def sign(self) -> Any:
        """1 where it increases, -1 where it decreases.

        Raises
        ------
        NotImplementedError
            If it does neither, or its class does not say so.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.AffineTransform(0.0, -1.0).sign
        -1
        """
        raise NotImplementedError

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
        check_axes(x.dim(), self.domain.event_dim)
        return self.base_transform(x)

    def _inverse(self, y: Any) -> Any:
        check_axes(y.dim(), self.codomain.event_dim)
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


def check_axes(count: int, needed: int) -> None:
    """Raise where a tensor has fewer axes than one argument."""
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
    check_axes(len(shape), len(before))
    cut = len(shape) - len(before)
    if tuple(shape[cut:]) != tuple(before):
        raise ValueError(f"Shape mismatch: expected {Size(shape[cut:])} but got {before}")
    return Size((*shape[:cut], *after))
