"""Constraints: regions in which parameters and samples lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symgrad.distributions import functions
from symgrad.distributions.documented import Documented
from symgrad.distributions.functions import cholesky_ex, eigvalsh, isclose, vector_norm
from symgrad.distributions.utils import all_true
from symgrad.tensor.queries import finfo

__all__ = [
    "Constraint", "MixtureSameFamilyConstraint", "boolean", "cat", "corr_cholesky", "dependent",
    "dependent_property", "greater_than", "greater_than_eq", "half_open_interval", "independent",
    "integer_interval", "interval", "is_dependent", "less_than", "lower_cholesky",
    "lower_triangular", "multinomial", "nonnegative", "nonnegative_integer", "one_hot", "positive",
    "positive_definite", "positive_integer", "positive_semidefinite", "real", "real_vector",
    "simplex", "square", "stack", "symmetric", "unit_interval",
]  # fmt: skip


class Constraint(Documented):
    """The base: a region, and which values lie in it.

    Attributes
    ----------
    is_discrete : bool
        Whether the region has no inner points.
    event_dim : int
        How many of the last axes make one value.

    Examples
    --------
    >>> import symgrad as torch
    >>> isinstance(
    ...     torch.distributions.constraints.positive, torch.distributions.constraints.Constraint
    ... )
    True
    """

    _described = {
        "is_discrete": """Whether the region has no inner points.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.constraints.boolean.is_discrete
        True
        """,
        "event_dim": """How many of the last axes make one value.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.constraints.simplex.event_dim
        1
        """,
    }
    is_discrete: Any = False
    event_dim: Any = 0

    def check(self, value: Any) -> Any:
        """Return which values lie in the region.

        Parameters
        ----------
        value : Tensor
            The values.

        Examples
        --------
        >>> import symgrad as torch
        >>> torch.distributions.constraints.positive.check(torch.tensor([-1.0, 1.0]))
        tensor([False,  True])
        """
        raise NotImplementedError

    def __repr__(self) -> str:
        shown = [f"{k}={v}" for k, v in vars(self).items() if k in ("lower_bound", "upper_bound")]
        return f"{type(self).__name__[1:]}({', '.join(shown)})"


class _Dependent(Constraint):
    """A region that depends on other parameters, and cannot be checked alone."""

    def __init__(
        self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> None:
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def _known(self, name: str) -> Any:
        value = getattr(self, f"_{name}")
        if value is NotImplemented:
            raise NotImplementedError(f".{name} cannot be determined statically")
        return value

    @property
    def is_discrete(self) -> Any:
        return self._known("is_discrete")

    @property
    def event_dim(self) -> Any:
        return self._known("event_dim")

    def __call__(
        self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> Any:
        return _Dependent(
            is_discrete=self._is_discrete if is_discrete is NotImplemented else is_discrete,
            event_dim=self._event_dim if event_dim is NotImplemented else event_dim,
        )

    def check(self, value: Any) -> Any:
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint: Any) -> bool:
    """Return whether a constraint depends on other parameters.

    Parameters
    ----------
    constraint : Constraint
        The constraint.

    Examples
    --------
    >>> import symgrad as torch
    >>> constraints = torch.distributions.constraints
    >>> constraints.is_dependent(constraints.dependent)
    True
    """
    return isinstance(constraint, _Dependent)


class dependent_property(property, _Dependent):  # noqa: N801 - PyTorch's name
    """A property of objects that is a dependent constraint of their class.

    Parameters
    ----------
    fn : callable, optional
        The method.
    is_discrete, event_dim : optional
        What is known whatever the parameters.

    Examples
    --------
    >>> from symgrad.distributions import constraints
    >>> class Below:
    ...     @constraints.dependent_property(is_discrete=False, event_dim=0)
    ...     def support(self):
    ...         return constraints.less_than(2.0)
    >>> Below().support, Below.support.is_discrete
    (LessThan(upper_bound=2.0), False)
    """

    def __init__(
        self, fn: Any = None, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> None:
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(self, fn: Callable[[Any], Any]) -> Any:  # type: ignore[override]
        return dependent_property(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


class independent(Constraint):  # noqa: N801 - PyTorch's name
    """A region of several values, all of which lie in another one.

    Parameters
    ----------
    base_constraint : Constraint
        The other region.
    reinterpreted_batch_ndims : int
        How many axes of such values make one.

    Examples
    --------
    >>> import symgrad as torch
    >>> constraints = torch.distributions.constraints
    >>> constraints.independent(constraints.positive, 1).check(
    ...     torch.tensor([[1.0, 2.0], [1.0, 0.0]])
    ... )
    tensor([ True, False])
    """

    def __init__(self, base_constraint: Any, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def is_discrete(self) -> Any:
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> Any:
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value: Any) -> Any:
        found = self.base_constraint.check(value)
        count = self.reinterpreted_batch_ndims
        if found.dim() < count:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        return found.reshape((*found.shape[: found.dim() - count], -1)).all(-1)

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """The region of a mixture, which is that of its components.

    Parameters
    ----------
    base_constraint : Constraint
        The region of the components, one for each along the last axis of their batch.

    Examples
    --------
    >>> import symgrad as torch
    >>> constraints = torch.distributions.constraints
    >>> constraints.MixtureSameFamilyConstraint(constraints.positive).check(
    ...     torch.tensor([1.0, -1.0])
    ... )
    tensor([ True, False])
    """

    def __init__(self, base_constraint: Any) -> None:
        self.base_constraint = base_constraint

    @property
    def is_discrete(self) -> Any:
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> Any:
        return self.base_constraint.event_dim

    def check(self, value: Any) -> Any:
        count = self.event_dim
        if value.dim() < count:
            raise ValueError(f"Expected value.dim() >= {count} but got {value.dim()}")
        found = self.base_constraint.check(value.unsqueeze(-1 - count))
        return found.reshape((*value.shape[: value.dim() - count], -1)).all(-1)

    def __repr__(self) -> str:
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    def check(self, value: Any) -> Any:
        return ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)


class _Real(Constraint):
    def check(self, value: Any) -> Any:
        return value == value  # not where it is nan


class _Above(Constraint):
    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound


class _Below(Constraint):
    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound


class _Between(Constraint):
    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound, self.upper_bound = lower_bound, upper_bound


class _GreaterThan(_Above):
    """Numbers above a bound: `greater_than`.

    Parameters
    ----------
    lower_bound : float or Tensor
        The bound.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.constraints.greater_than(1.0).check(torch.tensor([1.0, 2.0]))
    tensor([False,  True])
    """

    def check(self, value: Any) -> Any:
        return value > self.lower_bound


class _GreaterThanEq(_Above):
    """Numbers not below a bound: `greater_than_eq`.

    Parameters
    ----------
    lower_bound : float or Tensor
        The bound.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.constraints.greater_than_eq(1.0).check(torch.tensor([1.0, 0.0]))
    tensor([ True, False])
    """

    def check(self, value: Any) -> Any:
        return value >= self.lower_bound


class _LessThan(_Below):
    """Numbers below a bound: `less_than`.

    Parameters
    ----------
    upper_bound : float or Tensor
        The bound.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.constraints.less_than(1.0).check(torch.tensor([1.0, 0.0]))
    tensor([False,  True])
    """

    def check(self, value: Any) -> Any:
        return value < self.upper_bound


class _Interval(_Between):
    """Numbers of a closed `interval`.

    Parameters
    ----------
    lower_bound, upper_bound : float or Tensor
        The bounds.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.constraints.interval(0.0, 1.0).check(torch.tensor([1.0, 2.0]))
    tensor([ True, False])
    """

    def check(self, value: Any) -> Any:
        return (value >= self.lower_bound) & (value <= self.upper_bound)


class _HalfOpenInterval(_Between):
    """Numbers of a `half_open_interval`, to which the upper bound does not belong.

    Parameters
    ----------
    lower_bound, upper_bound : float or Tensor
        The bounds.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.constraints.half_open_interval(0.0, 1.0).check(torch.tensor([0.0, 1.0]))
    tensor([ True, False])
    """

    def check(self, value: Any) -> Any:
        return (value >= self.lower_bound) & (value < self.upper_bound)


class _IntegerGreaterThan(_Above):
    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & (value >= self.lower_bound)


class _IntegerInterval(_Between):
    """Whole numbers of a closed interval: `integer_interval`.

    Parameters
    ----------
    lower_bound, upper_bound : float or Tensor
        The bounds.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.constraints.integer_interval(0, 2).check(torch.tensor([0.5, 2.0]))
    tensor([False,  True])
    """

    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & (value >= self.lower_bound) & (value <= self.upper_bound)


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value: Any) -> Any:
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(_Below):
    """Counts of categories, of which the sum is bounded: `multinomial`.

    Parameters
    ----------
    upper_bound : int
        The bound.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.distributions.constraints.multinomial(3).check(torch.tensor([[1, 2], [2, 2]]))
    tensor([ True, False])
    """

    is_discrete = True
    event_dim = 1

    def check(self, value: Any) -> Any:
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)

    def __repr__(self) -> str:
        return "Multinomial()"


class _Matrix(Constraint):
    event_dim = 2


class _LowerTriangular(_Matrix):
    def check(self, value: Any) -> Any:
        return (value.tril() == value).all(-1).all(-1)


class _LowerCholesky(_LowerTriangular):
    def check(self, value: Any) -> Any:
        return super().check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(_LowerCholesky):
    def check(self, value: Any) -> Any:
        rounding = finfo(value.dtype).eps * value.shape[-1] * 10
        lengths = vector_norm(value.detach(), dim=-1)
        return super().check(value) & ((lengths - 1).abs() <= rounding).all(-1)


class _Square(_Matrix):
    def check(self, value: Any) -> Any:
        fits = value.shape[-2] == value.shape[-1]
        return (value.new_zeros(value.shape[:-2]) == 0) & fits


class _Symmetric(_Square):
    def check(self, value: Any) -> Any:
        square = super().check(value)
        if not all_true(square):
            return square
        return isclose(value, value.mT, atol=1e-6).all(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    def check(self, value: Any) -> Any:
        symmetric = super().check(value)
        return (eigvalsh(value.detach()) >= 0).all(-1) if all_true(symmetric) else symmetric


class _PositiveDefinite(_Symmetric):
    def check(self, value: Any) -> Any:
        symmetric = super().check(value)
        return cholesky_ex(value.detach()).info == 0 if all_true(symmetric) else symmetric


class _Several(Constraint):
    def __init__(self, cseq: Sequence[Any], dim: int) -> None:
        if not all(isinstance(c, Constraint) for c in cseq):
            raise AssertionError("All elements of cseq must be Constraint instances")
        self.cseq, self.dim = list(cseq), dim

    @property
    def is_discrete(self) -> Any:
        return any(c.is_discrete for c in self.cseq)

    @property
    def event_dim(self) -> Any:
        return max(c.event_dim for c in self.cseq)

    def __repr__(self) -> str:
        return f"{type(self).__name__.title()}()"


class cat(_Several):  # noqa: N801 - PyTorch's name
    """Pieces along an axis, each of a region of its own.

    Parameters
    ----------
    cseq : sequence of Constraint
        The regions.
    dim : int
        The axis.
    lengths : sequence of int, optional
        How long the pieces are; 1 where not given.

    Examples
    --------
    >>> import symgrad as torch
    >>> constraints = torch.distributions.constraints
    >>> both = constraints.cat([constraints.positive, constraints.real])
    >>> both.check(torch.tensor([-1.0, -1.0]))
    tensor([False,  True])
    """

    def __init__(self, cseq: Sequence[Any], dim: int = 0, lengths: Any = None) -> None:
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(
                f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})"
            )

    def check(self, value: Any) -> Any:
        pieces = value.split(self.lengths, self.dim)
        checks = [c.check(v) for c, v in zip(self.cseq, pieces, strict=True)]
        return functions.cat(checks, self.dim)


class stack(_Several):  # noqa: N801 - PyTorch's name
    """Entries of an axis, each of a region of its own.

    Parameters
    ----------
    cseq : sequence of Constraint
        The regions.
    dim : int
        The axis.

    Examples
    --------
    >>> import symgrad as torch
    >>> constraints = torch.distributions.constraints
    >>> both = constraints.stack([constraints.positive, constraints.real])
    >>> both.check(torch.tensor([-1.0, -1.0]))
    tensor([False,  True])
    """

    def __init__(self, cseq: Sequence[Any], dim: int = 0) -> None:
        super().__init__(cseq, dim)

    @property
    def event_dim(self) -> Any:
        dim = super().event_dim
        return dim + 1 if self.dim + dim < 0 else dim

    def check(self, value: Any) -> Any:
        entries = value.unbind(self.dim)
        checks = [c.check(v) for c, v in zip(self.cseq, entries, strict=True)]
        return functions.stack(checks, self.dim)


dependent = _Dependent()
boolean = _Boolean()
one_hot = _OneHot()
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real = _Real()
real_vector = independent(real, 1)
positive = _GreaterThan(0.0)
nonnegative = _GreaterThanEq(0.0)
greater_than = _GreaterThan
greater_than_eq = _GreaterThanEq
less_than = _LessThan
multinomial = _Multinomial
unit_interval = _Interval(0.0, 1.0)
interval = _Interval
half_open_interval = _HalfOpenInterval
simplex = _Simplex()
lower_triangular = _LowerTriangular()
lower_cholesky = _LowerCholesky()
corr_cholesky = _CorrCholesky()
square = _Square()
symmetric = _Symmetric()
positive_semidefinite = _PositiveSemidefinite()
positive_definite = _PositiveDefinite()
