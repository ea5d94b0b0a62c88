"""`derive`: full derivatives of any order, as formulas."""

from __future__ import annotations

from typing import Any

import numpy as np

from numeric.identifiers import normal_form
from symgrad.differentiate.batch import batch_expressions
from symgrad.differentiate.sweeps import jvp, vjp, with_derivative_rewrites
from symgrad.expr.atoms import Const, Leaf, Placeholder, as_expr, differing
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.contraction import delta
from symgrad.ops.primitive import Primitive, differentiated_again
from symgrad.support.refusals import MAX_AXES, too_many_axes


def derive(y: Any, x: Any, order: int = 1) -> ArrayExpr:
    """Return the derivative of `y` with respect to `x` as an expression.

    Parameters
    ----------
    y : Tensor or ArrayExpr
        What is differentiated, of any shape.
    x : Tensor, ArrayExpr or str
        A tensor, a leaf, or the name of a leaf of `y`.
    order : int
        How often; 0 gives `y` itself.

    Returns
    -------
    ArrayExpr
        Of shape `y.shape + x.shape * order`: the gradient of a scalar, then its Hessian; the
        Jacobian of an array. For complex `x`, conjugated as PyTorch's gradients are. A leaf that
        does not occur in `y` gives a structural zero: a derivative of a derivative may well have
        lost it.

    Raises
    ------
    ValueError
        If no leaf of `y` has the name, or several do; a leaf of the name has another shape or dtype
        than `x`; `x` is an expression that is no part of `y`; or `order` is negative.
    TypeError
        If `y` is no expression, or `order` no integer.
    RuntimeError
        If `x` is not of a floating or complex dtype, or `x` and `y` are tensors and `y`, which
        requires a gradient, was not computed from `x`.

    Examples
    --------
    >>> import symgrad
    >>> x, a = symgrad.leaf("x", (2,)), symgrad.leaf("a", (2, 2))
    >>> derive(x @ a @ x, x, order=2).shape
    (2, 2)
    """
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)):
        raise TypeError(f"derive(): order must be an integer, got {type(order).__name__}")
    order = int(order)
    if order < 0:
        raise ValueError(f"derive(): order must not be negative, got {order}")
    made = _expression(y, "y")
    target = _target(made, x)
    axes = len(made.shape) + order * len(target.shape)
    if axes > MAX_AXES:
        raise ValueError(f"derive(): {too_many_axes(axes)}")
    _check_part(y, x, made, target)
    if not target.dtype.differentiable:
        raise RuntimeError(
            "derive(): only Tensors of floating point and complex dtype have derivatives, got "
            f"dtype {target.dtype}"
        )
    with differentiated_again():
        for _ in range(order):
            made = _jacobian(made, target)
    return made


def _expression(value: Any, role: str) -> ArrayExpr:
    if isinstance(value, ArrayExpr):
        return value
    found = getattr(value, "expr", None)  # a tensor's formula
    if isinstance(found, ArrayExpr):
        return found
    if isinstance(value, str):
        raise TypeError(f"derive(): {role} must be a tensor or an expression, got a string")
    return as_expr(value)


def _target(y: ArrayExpr, x: Any) -> ArrayExpr:
    if not isinstance(x, str):
        target = _expression(x, "x")
        if not isinstance(target, Leaf):
            return target
        meant = [leaf for leaf in leaves(y) if leaf.is_named_as(target)] or [target]
        if len(meant) > 1:
            raise ValueError(f"derive(): {differing(*meant[:2])}")
        return meant[0]
    known = leaves(y)
    found = [leaf for leaf in known if leaf.name == normal_form(x)]
    if len(found) == 1:
        return found[0]
    names = ", ".join(f"{leaf.name!r} of shape {leaf.shape}" for leaf in known) or "none"
    many = "no leaf is" if not found else "several leaves are"
    raise ValueError(f"derive(): {many} named {x!r}; the expression has {names}")


def _check_part(y: Any, x: Any, made: ArrayExpr, target: ArrayExpr) -> None:
    """Raise an error where `x` is not the leaf or part of `y` that its name or kind suggests."""
    known = leaves(made)
    if isinstance(target, Leaf):
        if target in known:
            return
        other = next((leaf for leaf in known if leaf.name == target.name), None)
        if other is not None:
            raise ValueError(
                f"derive(): the expression has a leaf {target.name!r} of shape {other.shape} and "
                f"dtype {other.dtype.name}, not of shape {target.shape} and dtype "
                f"{target.dtype.name}"
            )
        if (
            isinstance(x, ArrayExpr)
            or isinstance(y, ArrayExpr)
            or not getattr(y, "requires_grad", False)
        ):
            return  # a constant
    elif made.has(target):
        return
    else:
        raise ValueError(
            "derive(): x is no part of the expression; give a leaf or a part of it, or replace a "
            "part by a leaf with .subs()"
        )
    raise RuntimeError(
        "One of the differentiated Tensors appears to not have been used in the graph: the tensor "
        f"{target.name!r} takes no part in y, which has the leaves "
        + ", ".join(repr(leaf.name) for leaf in known)
    )


@with_derivative_rewrites
def _jacobian(y: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    """Return the derivative of shape `y.shape + x.shape`.

    Forward mode has one sweep for each element of `x`, reverse mode one for each element of `y`;
    the smaller of both numbers decides. The derivative of a length at 0 needs what it is multiplied
    by, which forward mode meets later.
    """
    if not y.dtype.differentiable:
        return _zero(y, x)
    if not y.shape:
        (found,) = vjp([y], [Const(1, y.dtype)], [x])
        return _zero(y, x) if found is None else found
    real = not (y.dtype.is_complex or x.dtype.is_complex)
    if y.size > x.size and real and not _needs_factors(y):
        return _forward(y, x)
    return _reverse(y, x)


def _needs_factors(y: ArrayExpr) -> bool:
    return any(x.needs_factors for x in toposort([y]) if isinstance(x, Primitive))


def _zero(y: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    shape = y.shape + x.shape
    zero = Const(0, x.dtype)
    return zero.broadcast_to(shape) if shape else zero


def _reverse(y: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    ct = Placeholder("ct", y.shape, y.dtype)
    (found,) = vjp([y], [ct], [x])
    return _zero(y, x) if found is None else _over_basis(found, ct)


def _forward(y: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    t = Placeholder("t", x.shape, x.dtype) if x.shape else Const(1, x.dtype)
    (found,) = jvp([y], [x], [t])
    if found is None:
        return _zero(y, x)
    if not isinstance(t, Leaf):
        made = found
    else:
        rows = _over_basis(found, t)
        rank = x.ndim
        made = rows.permute((*range(rank, rank + y.ndim), *range(rank)))
    return made if made.dtype is x.dtype else made.to(x.dtype)


def _over_basis(linear: ArrayExpr, direction: Leaf) -> ArrayExpr:
    """Return `linear`, a function of `direction`, for every unit array, over new leading axes.

    The result L has the shape `direction.shape + linear.shape`, and `L[i, j, …]` is `linear` for
    the array that is 1 at (i, j, …) and 0 elsewhere. `linear` is batched over one axis at a time,
    from the last one, so that no axis is flattened; in the last step `direction` becomes a
    Kronecker delta, which the rewrites of contractions remove.
    """
    whole = direction.shape
    current: ArrayExpr = direction
    for i in range(len(whole) - 1, -1, -1):
        shape = (whole[i], *current.shape)
        new = (
            delta(whole, direction.dtype)
            if i == 0
            else Placeholder(f"{direction.name}{i}", shape, direction.dtype)
        )
        (linear,) = batch_expressions([linear], {current: new}, whole[i])
        current = new
    return linear
