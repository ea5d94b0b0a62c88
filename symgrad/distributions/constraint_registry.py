"""Transforms from all real numbers to the region of a constraint."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symgrad.distributions import constraints, transforms

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """Which transform leads to the region of a constraint.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.distributions import constraints, constraint_registry
    >>> isinstance(torch.distributions.biject_to, constraint_registry.ConstraintRegistry)
    True
    >>> torch.distributions.biject_to(constraints.positive)
    ExpTransform()
    """

    def __init__(self) -> None:
        self._registry: dict[type, Callable[[Any], Any]] = {}

    def register(self, constraint: Any, factory: Any = None) -> Any:
        """Enter what makes the transform of a kind of constraint.

        Parameters
        ----------
        constraint : Constraint or class
            The kind.
        factory : callable, optional
            Returns the transform for a constraint of the kind; without it, a decorator is returned.

        Raises
        ------
        TypeError
            If that is no constraint.

        Examples
        --------
        >>> import symgrad as torch
        >>> from symgrad.distributions import constraints, transforms
        >>> class _Even(constraints.Constraint):
        ...     pass
        >>> @torch.distributions.transform_to.register(_Even)
        ... def identity(constraint):
        ...     return transforms.identity_transform
        """
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = type(constraint) if isinstance(constraint, constraints.Constraint) else constraint
        if not (isinstance(kind, type) and issubclass(kind, constraints.Constraint)):
            raise TypeError(
                "Expected constraint to be either a Constraint subclass or instance, but got "
                f"{constraint}"
            )
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Any) -> Any:
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints")
        return factory(constraint)


#: Transforms that have inverses.
biject_to = ConstraintRegistry()
#: Transforms that may have none, and are the simpler for it.
transform_to = ConstraintRegistry()


def _to_both(*kinds: Any) -> Callable[[Any], Any]:
    """Return a decorator that enters a factory of no arguments for both."""

    def enter(factory: Any) -> Any:
        for kind in kinds:
            biject_to.register(kind, factory)
            transform_to.register(kind, factory)
        return factory

    return enter


@_to_both(constraints.real)
def _to_real(constraint: Any) -> Any:
    return transforms.identity_transform


def _is(bound: Any, number: int) -> bool:
    """Return whether a bound is a number, and not a tensor, and which one."""
    return isinstance(bound, (int, float)) and bound == number


@_to_both(constraints.positive, constraints.nonnegative)
def _to_above(constraint: Any) -> Any:
    bound = constraint.lower_bound
    above = transforms.ExpTransform()
    if _is(bound, 0):
        return above
    return transforms.ComposeTransform([above, transforms.AffineTransform(bound, 1)])


@_to_both(constraints.less_than)
def _to_below(constraint: Any) -> Any:
    shift = transforms.AffineTransform(constraint.upper_bound, -1)
    return transforms.ComposeTransform([transforms.ExpTransform(), shift])


@_to_both(constraints.interval, constraints.half_open_interval)
def _to_interval(constraint: Any) -> Any:
    low, high = constraint.lower_bound, constraint.upper_bound
    inside = transforms.SigmoidTransform()
    if _is(low, 0) and _is(high, 1):
        return inside
    return transforms.ComposeTransform([inside, transforms.AffineTransform(low, high - low)])


@_to_both(constraints.corr_cholesky)
def _to_corr_cholesky(constraint: Any) -> Any:
    return transforms.CorrCholeskyTransform()


biject_to.register(constraints.simplex, lambda c: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda c: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda c: transforms.LowerCholeskyTransform())
for _kind in (constraints.positive_definite, constraints.positive_semidefinite):
    transform_to.register(_kind, lambda c: transforms.PositiveDefiniteTransform())


def _of_parts(registry: ConstraintRegistry) -> None:
    """Enter the constraints that are made of others."""

    def independent(constraint: Any) -> Any:
        base = registry(constraint.base_constraint)
        return transforms.IndependentTransform(base, constraint.reinterpreted_batch_ndims)

    def cat(constraint: Any) -> Any:
        parts = [registry(c) for c in constraint.cseq]
        return transforms.CatTransform(parts, constraint.dim, constraint.lengths)

    def stack(constraint: Any) -> Any:
        return transforms.StackTransform([registry(c) for c in constraint.cseq], constraint.dim)

    registry.register(constraints.independent, independent)
    registry.register(constraints.cat, cat)
    registry.register(constraints.stack, stack)


_of_parts(biject_to)
_of_parts(transform_to)
