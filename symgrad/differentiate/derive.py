"""`derive`: full derivatives of any order, as formulas."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

import numpy as np

from numeric.identifiers import normal_form
from symgrad.differentiate.batch import batch_expressions
from symgrad.differentiate.blocks import blocks_of, views_read
from symgrad.differentiate.jet import NeedsFactors, as_array, jet
from symgrad.differentiate.names import by_name
from symgrad.differentiate.rows import by_rows, rows_of
from symgrad.differentiate.sweeps import jvp, vjp, with_derivative_rewrites
from symgrad.expr.atoms import ArrayConst, Const, Leaf, OwnLeaf, Placeholder, as_expr, differing
from symgrad.expr.dtypes import dtype
from symgrad.expr.graph import leaves, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.expr.sources import (
    keep_sources,
    leaves_of_source,
    lost_leaves,
    nodes_written,
)
from symgrad.ops.broadcasting import broadcast_to
from symgrad.ops.contraction import delta
from symgrad.ops.deriving import differentiated_again
from symgrad.ops.joining import stack
from symgrad.ops.primitive import Primitive
from symgrad.ops.series import derivative
from symgrad.support.above import FromAbove
from symgrad.support.refusals import MAX_AXES, too_many_axes

cheaper: FromAbove[Callable[..., list[ArrayExpr]]] = FromAbove("symgrad.normal_form.lowering")

# The leaves of a formula, and its parts that have names, by these.
_ByName = Mapping[str, Sequence[Leaf]]
_PartsByName = Mapping[str, Sequence[ArrayExpr]]


@overload
def derive(y: Any, x: ArrayExpr | str, order: int = 1) -> ArrayExpr: ...
@overload
def derive(y: Any, x: list[Any] | tuple[Any, ...], order: int = 1) -> list[ArrayExpr]: ...
@overload
def derive(y: Any, x: Any, order: int = 1) -> ArrayExpr: ...
def derive(y: Any, x: Any, order: int = 1) -> ArrayExpr | list[ArrayExpr]:
    """Return the derivative of `y` with respect to `x` as an expression.

    Parameters
    ----------
    y : Tensor or ArrayExpr
        What is differentiated, of any shape: a result or a formula. `symbolic_trace` gives the
        formula of a Python function.
    x : Tensor, ArrayExpr, str, or list or tuple of these
        A tensor, a leaf, a part of `y`, or the name of a leaf or of a part (`symgrad.named`).
    order : int
        How often; 0 gives `y` itself.

    Returns
    -------
    ArrayExpr, or list of ArrayExpr
        Of shape `y.shape + x.shape * order`: the gradient of a scalar, then its Hessian; the
        Jacobian of an array. That by a symmetric leaf is symmetric in the axes of the leaf: of all
        matrices that give the same change of `y`, the symmetric one. The derivative by a real `x`
        has the parts that `y` has, so that of a complex `y` is complex; for complex `x`, it is
        conjugated as PyTorch's gradients are. A leaf that does not occur in `y` gives a structural
        zero: a derivative of a derivative may well have lost it. The names of the leaves of `y`
        stay names that `evaluate` knows. For several `x`, the list of the derivatives with respect
        to each.

    Raises
    ------
    ValueError
        If no leaf or part of `y` has the name, or several do; a leaf of the name has another shape
        or dtype than `x`; `x` is an expression that is no part of `y`; or `order` is negative.
    TypeError
        If `y` or `x` is no expression, or `order` no integer.
    RuntimeError
        If `x` is not of a floating or complex dtype, or `x` and `y` are tensors and `y`, which
        requires a gradient, was not computed from `x`.

    Examples
    --------
    >>> import symgrad
    >>> x, a = symgrad.leaf("x", (2,)), symgrad.leaf("a", (2, 2))
    >>> derive(x @ a @ x, x, order=2).shape
    (2, 2)
    >>> t, s = symgrad.leaf("t"), symgrad.leaf("s")
    >>> derive(t**2 * s, [t, s])
    [2 * s * t, t**2]
    """
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)):
        raise TypeError(f"derive(): order must be an integer, got {type(order).__name__}")
    order = int(order)
    if order < 0:
        raise ValueError(f"derive(): order must not be negative, got {order}")
    made = _expression(y, "y")
    known: dict[str, list[Leaf]] = {}
    for leaf in leaves(made):
        known.setdefault(leaf.name, []).append(leaf)
    named: dict[str, list[ArrayExpr]] = {}
    parts: Any = [part for part in toposort([made]) if part.is_known_by_name]
    for part in parts:
        named.setdefault(part.given_name, []).append(part)
    several = isinstance(x, (list, tuple))
    targets = [_checked(y, one, made, known, named, order) for one in (x if several else [x])]
    found = _derived(made, targets, order)
    return found if several else found[0]


def _checked(
    y: Any, x: Any, made: ArrayExpr, known: _ByName, named: _PartsByName, order: int
) -> ArrayExpr:
    """Return the node that `x` stands for; raise an error where `y` has no derivative by it.

    `made` is the formula of `y`, `known` are its leaves, and `named` its parts that have names.
    """
    target = _target(made, known, named, x)
    axes = len(made.shape) + order * len(target.shape)
    if axes > MAX_AXES:
        raise ValueError(f"derive(): {too_many_axes(axes)}")
    _check_part(y, x, made, known, target)
    if not target.dtype.differentiable:
        raise RuntimeError(
            "derive(): only Tensors of floating point and complex dtype have derivatives, got "
            f"dtype {target.dtype}"
        )
    return target


def _derived(y: ArrayExpr, targets: Sequence[ArrayExpr], order: int) -> list[ArrayExpr]:
    """Return the derivative of each order with respect to each target, the first ones together."""
    with differentiated_again():
        made = by_name(jacobians(y, targets), [y]) if order else [y] * len(targets)
        if order > 1:
            pairs = zip(made, targets, strict=True)
            made = [_further(y, x, first, order) for first, x in pairs]
    made = [cheaper.call([e], [y])[0] if _may_be_cheaper(e, y, order) else e for e in made]
    keep_sources(made, leaves_of_source(y, *targets), nodes_written(y))
    return made


def _may_be_cheaper(e: ArrayExpr, y: ArrayExpr, order: int) -> bool:
    """Return whether a derivative may compute more than it must: numbers alone cost little."""
    return (order > 1 or bool(order and y.shape)) and any(x.shape for x in toposort([e]))


def _further(y: ArrayExpr, x: ArrayExpr, first: ArrayExpr, order: int) -> ArrayExpr:
    """Return a derivative of an order above 1, where `first` is the first one.

    In one number, that of Taylor coefficients is taken where it has fewer operations than the
    derivative of the derivatives: their number grows with the square of the order for each node,
    and not exponentially.
    """
    expanded: list[ArrayExpr] = []
    if order >= _FEWEST_COEFFICIENTS and not (x.shape or x.dtype.is_complex):
        with contextlib.suppress(NeedsFactors):
            expanded = _by_series(y, x, order)
    made = first
    for k in range(2, order + 1):
        (made,) = by_name(jacobians(made, [x]), [y])
        if expanded:
            # Of a lower order the difference must be clear, for what comes not to be looked at.
            most = _operations(expanded[k - 1]) * (1 if k == order else 1.5)
            if _operations(made) > most:
                return expanded[-1]
    return made


# The lowest order for which Taylor coefficients are tried.
_FEWEST_COEFFICIENTS = 3


@with_derivative_rewrites
def _by_series(y: ArrayExpr, x: ArrayExpr, order: int) -> list[ArrayExpr]:
    """Return the derivatives in a real number, from order 1 on, by the Taylor coefficients."""
    ((_, *coefficients),) = jet([y], [x], [[1]], order)
    kind = _kind_of_derivative(y, x)
    made = []
    for k, c in enumerate(coefficients, 1):
        found = _zero(y, x) if c is None else as_array(derivative(c, k), y)
        made.append(found if found.dtype is kind else found.to(kind))
    return by_name(made, [y])


def _operations(e: ArrayExpr) -> int:
    return sum(1 for x in toposort([e]) if x.operands)


def _expression(value: Any, role: str) -> ArrayExpr:
    """Return the formula that is given as `y` or `x`."""
    if isinstance(value, ArrayExpr):
        return value
    found = getattr(value, "expr", None)  # a tensor's formula
    if isinstance(found, ArrayExpr):
        return found
    try:
        return as_expr(value)
    except TypeError:
        what = f"derive(): {role} must be a tensor or an expression, got {_kind(value)}"
    if callable(value):
        what += "; symbolic_trace() gives the expression of a Python function"
    raise TypeError(what) from None


def _kind(value: Any) -> str:
    """Return the type of an argument with an article that fits, for messages."""
    return "a string" if isinstance(value, str) else f"an object of type {type(value).__name__}"


def _target(y: ArrayExpr, known: _ByName, named: _PartsByName, x: Any) -> ArrayExpr:
    if not isinstance(x, str):
        target = _expression(x, "x")
        if isinstance(target, (Const, ArrayConst)):
            raise TypeError(
                "derive(): x must be a leaf, a part or the name of a leaf of the expression, got "
                f"the constant {target}: how often is said by order="
            )
        if not isinstance(target, Leaf) or isinstance(target, OwnLeaf):
            return target
        meant = [leaf for leaf in known.get(target.name, ()) if leaf.is_named_as(target)]
        if len(meant) > 1:
            raise ValueError(f"derive(): {differing(*meant[:2])}")
        return meant[0] if meant else target
    name = normal_form(x)
    found: list[Any] = [*known.get(name, ()), *named.get(name, ())]
    found = found or lost_leaves([y]).get(name, [])
    if len(found) == 1:
        return found[0]
    listed = [(k, part) for table in (known, named) for k, parts in table.items() for part in parts]
    alike = len({part.shape for part in found}) < len(found)
    names = ", ".join(
        f"{k!r} of shape {part.shape}" + (f" and dtype {part.dtype.name}" if alike else "")
        for k, part in listed
    )
    names = names or "none"
    what = "leaves" if all(isinstance(part, Leaf) for part in found) else "parts"
    many = f"several {what} are" if found else "no leaf is"
    raise ValueError(f"derive(): {many} named {x!r}; the expression has {names}")


def _check_part(y: Any, x: Any, made: ArrayExpr, known: _ByName, target: ArrayExpr) -> None:
    """Raise an error where `x` is not the leaf or part of `y` that its name or kind suggests."""
    if isinstance(target, OwnLeaf):  # nobody's name for something else
        return
    if isinstance(target, Leaf):
        alike = known.get(target.name, ())
        if any(leaf is target for leaf in alike):
            return
        if alike:
            other = alike[0]
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
        f"{target.name!r} takes no part in y, which has the leaves " + ", ".join(map(repr, known))
    )


@with_derivative_rewrites
def jacobians(y: ArrayExpr, xs: Sequence[ArrayExpr]) -> list[ArrayExpr]:
    """Return the derivative of shape `y.shape + x.shape` for each of `xs`.

    Forward mode has one sweep for each element of `x`, reverse mode one for each element of `y`
    and all of `xs`, or two where `y` is complex and `x` is real; the smaller of both numbers
    decides. The derivative of a length at 0 needs what it is multiplied by, which forward mode
    meets later.
    """
    rows = rows_of(y) if all(x.shape for x in xs) else None
    if rows is not None:
        made = zip(*[jacobians(row, xs) for row in rows], strict=True)
        return [by_rows(stack.of(*parts, 0)) for parts in made]
    whole = blocks_of(y, xs)
    if whole is not None:
        parts = {block: jacobians(block, xs) for block in whole.blocks}
        return [
            by_rows(whole.put_together({b: found[i] for b, found in parts.items()}, x.shape))
            for i, x in enumerate(xs)
        ]
    found = {x: _zero(y, x) for x in xs}
    if y.dtype.differentiable:
        narrow = [x for x in found if _is_narrow(x, y)]
        forward = {} if narrow and _needs_factors(y) else {x: _forward(y, x) for x in narrow}
        found.update(_reverse(y, [x for x in found if x not in forward]))
        found.update(forward)
    return [by_rows(_as_symmetric(found[x], x)) for x in xs]


def _as_symmetric(g: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    """Return a derivative by `x`, where `x` is symmetric.

    With G the derivative by free elements, it is the symmetric matrix (G + G.T) / 2: of all
    matrices that give df for symmetric dx, the only symmetric one.
    """
    if not (isinstance(x, Leaf) and x.facts and x.facts.symmetric) or type(g) is broadcast_to:
        return g
    rank = g.ndim
    return (g + g.permute((*range(rank - 2), rank - 1, rank - 2))) / 2


def _is_narrow(x: ArrayExpr, y: ArrayExpr) -> bool:
    """Return whether forward mode has fewer sweeps; with a complex `x` it is not conjugated."""
    if x.dtype.is_complex:
        return False
    return y.size > x.size or (y.dtype.is_complex and y.size == x.size)


def _needs_factors(y: ArrayExpr) -> bool:
    return any(x.needs_factors for x in toposort([y]) if isinstance(x, Primitive))


def _kind_of_derivative(y: ArrayExpr, x: ArrayExpr) -> dtype:
    """Return the dtype of the derivative: that of `x`, with an imaginary part where `y` has one."""
    return x.dtype.to_complex() if y.dtype.is_complex else x.dtype


def _zero(y: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    shape = y.shape + x.shape
    zero = Const(0, _kind_of_derivative(y, x))
    return zero.broadcast_to(shape) if shape else zero


def _reverse(y: ArrayExpr, xs: Sequence[ArrayExpr]) -> dict[ArrayExpr, ArrayExpr]:
    """Return the derivatives with respect to those of `xs` on which `y` depends.

    The cotangent of a real `x` is real. With J = dy/dx, it is Re(J) for the cotangent 1 of `y` and
    Im(J) for the cotangent i.
    """
    made = _pullback(y, xs, 1)
    mixed = [x for x in made if y.dtype.is_complex and not x.dtype.is_complex]
    for x, imaginary in _pullback(y, mixed, 1j).items():
        made[x] = (made[x] + imaginary * 1j).to(_kind_of_derivative(y, x))
    return made


def _pullback(y: ArrayExpr, xs: Sequence[ArrayExpr], unit: complex) -> dict[ArrayExpr, ArrayExpr]:
    """Return, for each of `xs` on which `y` depends, the cotangents for every unit array of `y`.

    These arrays are `unit` at one element of `y` and 0 elsewhere.
    """
    ct = Placeholder("ct", y.shape, y.dtype) if y.shape else Const(1, y.dtype)
    found = vjp([y], [ct if unit == 1 else ct * unit], xs) if xs else []
    return {
        x: over_basis(g, ct) if isinstance(ct, Leaf) else g
        for x, g in zip(xs, found, strict=True)
        if g is not None
    }


def _forward(y: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    read = [x] if y.dtype.is_complex else views_read(y, x)
    if not read or read == [x]:
        return _forward_in(y, x, [x])
    # The derivative by each view, in the place of its cotangent.
    found = [_forward_in(y, view, read) for view in read]
    cts = [Placeholder(f"v{i}", view.shape, view.dtype) for i, view in enumerate(read)]
    (whole,) = vjp(read, cts, [x])
    assert whole is not None
    return over_axes(whole, dict(zip(cts, found, strict=True)), y.shape)


def _forward_in(y: ArrayExpr, x: ArrayExpr, fixed: Sequence[ArrayExpr]) -> ArrayExpr:
    """Return the derivative by `x`, where the others of the `fixed` nodes do not change with it."""
    t = Placeholder("t", x.shape, x.dtype) if x.shape else Const(1, x.dtype)
    (found,) = jvp([y], fixed, [t if v is x else None for v in fixed])
    if found is None:
        return _zero(y, x)
    if not isinstance(t, Leaf):
        made = found
    else:
        rows = over_basis(found, t)
        rank = x.ndim
        made = rows.permute((*range(rank, rank + y.ndim), *range(rank)))
    kind = _kind_of_derivative(y, x)
    return made if made.dtype is kind else made.to(kind)


def over_basis(linear: ArrayExpr, direction: Leaf) -> ArrayExpr:
    """Return `linear`, a function of `direction`, for every unit array, over new leading axes.

    The result L has the shape `direction.shape + linear.shape`, and `L[i, j, …]` is `linear` for
    the array that is 1 at (i, j, …) and 0 elsewhere: a Kronecker delta, which the rewrites of
    contractions remove.
    """
    whole = direction.shape
    return over_axes(linear, {direction: delta(whole, direction.dtype)}, whole)


def over_axes(linear: ArrayExpr, values: Mapping[Leaf, ArrayExpr], axes: Shape) -> ArrayExpr:
    """Return a function of leaves for `values` of them, which have further leading axes.

    The function is batched over one axis at a time, from the last one, so that no axis is
    flattened; in the last step, leaves become values.
    """
    current: list[ArrayExpr] = list(values)
    for i in range(len(axes) - 1, -1, -1):
        new = [
            Placeholder(f"{leaf.name}{i}", (axes[i], *x.shape), x.dtype) if i else value
            for x, (leaf, value) in zip(current, values.items(), strict=True)
        ]
        (linear,) = batch_expressions([linear], dict(zip(current, new, strict=True)), axes[i])
        current = new
    return linear
