"""Transforms of functions into gradients and derivatives along tangents, as in `torch.func`.

They nest in any order, with each other and with `vmap`. On formulas a derivative is a formula, and
on NumPy's arrays a compiled program (`compiled`). Those into Jacobians and Hessians are in
`jacobian_transforms`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from symgrad.autograd.arrays import as_arrays, as_tensors, holds_arrays
from symgrad.autograd.compiled import compile, of_arrays_too
from symgrad.autograd.transforming import (
    Evaluated,
    F,
    FormulaVariables,
    Within,
    apart,
    check_dependence,
    check_number,
    depends,
    evaluated,
    innermost_level,
    is_of_formulas,
    leaves_like,
    pulled_back,
    pulled_rows,
    recorded,
    split_arguments,
    variable,
    with_zeros,
)
from symgrad.autograd.vmap.levels import BatchLevel, at_level
from symgrad.autograd.vmap.trees import flattened
from symgrad.autograd.vmap.value import all_entries, batched
from symgrad.differentiate.derive import derive
from symgrad.expr.node import ArrayExpr
from symgrad.functions.creation.filled import zeros_like
from symgrad.schema.arguments import check_flag
from symgrad.tensor.tensor import Tensor

# ------------------------------------------------------------------ gradients


def grad(func: F, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> F:
    """Return the function that computes the gradient of a function of one number.

    Parameters
    ----------
    func : callable
        A function of tensors, formulas or containers of them, which returns a 0-d tensor.
    argnums : int or tuple of int
        The positional arguments with respect to which to differentiate.
    has_aux : bool
        Whether `func` returns a pair, of which the second part is returned beside the gradient.

    Returns
    -------
    callable
        It returns the gradient in the structure of the argument; a tuple where `argnums` is one.

    Raises
    ------
    RuntimeError
        When it is called: if the result is no number, or an argument holds other things than
        tensors of floats.

    Examples
    --------
    >>> import symgrad as torch
    >>> from symgrad.func import grad, vmap
    >>> x = torch.tensor([0.5, 2.0])
    >>> grad(lambda x: (x**3).sum())(x)
    tensor([ 0.7500, 12.0000])
    >>> grad(grad(lambda x: x**3))(torch.tensor(2.0))
    tensor(12.)
    >>> vmap(grad(lambda w, x: (w @ x) ** 2), in_dims=(None, 0))(x, torch.eye(2))
    tensor([[1., 0.],
            [0., 4.]])
    >>> grad(lambda x: (x**3).sum())(torch.leaf("x", (2,)))
    3 * x**2
    """

    @functools.wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        found, (_, aux) = _gradient(func, args, argnums, kwargs, has_aux, "grad")
        return (found, aux) if has_aux else found

    return of_arrays_too(gradient)


def grad_and_value(func: F, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> F:
    """Return the function that computes a gradient and the value, as `grad` does.

    Parameters
    ----------
    func : callable
        A function of tensors, formulas or containers of them, which returns a 0-d tensor.
    argnums : int or tuple of int
        The positional arguments with respect to which to differentiate.
    has_aux : bool
        Whether `func` returns a pair, of which the second part is returned beside the value.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.func.grad_and_value(lambda x: x**3)(torch.tensor(2.0))
    (tensor(12.), tensor(8.))
    """

    @functools.wraps(func)
    def both(*args: Any, **kwargs: Any) -> Any:
        found, (value, aux) = _gradient(func, args, argnums, kwargs, has_aux, "grad_and_value")
        return (found, (value, aux)) if has_aux else (found, value)

    return of_arrays_too(both)


def value_and_grad(func: F, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> F:
    """Return the function that computes the value and a gradient, in this order.

    Parameters
    ----------
    func : callable
        A function of tensors, formulas or containers of them, which returns a 0-d tensor.
    argnums : int or tuple of int
        The positional arguments with respect to which to differentiate.
    has_aux : bool
        Whether `func` returns a pair, of which the second part is returned beside the value.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.func.value_and_grad(lambda x: x**3)(torch.tensor(2.0))
    (tensor(8.), tensor(12.))
    """

    @functools.wraps(func)
    def both(*args: Any, **kwargs: Any) -> Any:
        found, (value, aux) = _gradient(func, args, argnums, kwargs, has_aux, "value_and_grad")
        return ((value, aux), found) if has_aux else (value, found)

    return of_arrays_too(both)


def _gradient(
    func: F, args: tuple[Any, ...], argnums: Any, kwargs: Any, has_aux: bool, name: str
) -> tuple[Any, tuple[Any, Any]]:
    """Return the gradient, and the value with what the function returns beside it."""
    split = split_arguments(args, argnums, name)
    if is_of_formulas(split):
        inner = FormulaVariables(split)
        made, aux = apart(func(*inner.args, **kwargs), has_aux, name)
        check_number(made, name)
        gradients = split.like(derive(made, inner.leaves))
        return inner.put_back(gradients, made), (inner.put_back(made), inner.put_back(aux))
    with Within() as within:
        found = evaluated(func, split, kwargs, has_aux, name, within)
        value = found.tree.build(found.ys)
        check_number(value, name)
        gradients = pulled_back(found.ys, [None], found.xs, found.level, found.keeps())
        made = split.like(gradients)
        return found.released(made), (found.released(value), found.released(found.aux))


def vjp(func: F, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """Return the result of a function, and the function that pulls cotangents back.

    Parameters
    ----------
    func : callable
        A function of tensors or containers of them, which returns the same.
    *primals
        Its arguments.
    has_aux : bool
        Whether `func` returns a pair, of which the second part is returned at the end.

    Returns
    -------
    result, pullback : object, callable
        The pullback takes cotangents in the structure of the result, and returns those of the
        arguments: one, or a tuple. It may be called several times.

    Examples
    --------
    >>> import symgrad as torch
    >>> y, pullback = torch.func.vjp(torch.sin, torch.tensor([0.0, 1.0]))
    >>> pullback(torch.tensor([1.0, 2.0]))
    (tensor([1.0000, 1.0806]),)
    """
    if holds_arrays(primals):
        value, pull, *aux = vjp(func, *as_tensors(primals, copy=True), has_aux=has_aux)
        return as_arrays(value), _of_arrays(pull), *as_arrays(aux)
    primals = as_tensors(primals)
    split = split_arguments(primals, tuple(range(len(primals))), "vjp")
    if is_of_formulas(split):
        inner = FormulaVariables(split)
        made, aux = apart(func(*inner.args), has_aux, "vjp")
        ys, tree = flattened(made)

        def of_formulas(cotangents: Any) -> Any:
            cts = leaves_like(cotangents, tree, "vjp")
            pulled = inner.pulled(ys, cts)
            return inner.put_back(split.like(with_zeros(pulled, inner.leaves)), ys)

        made, aux = inner.put_back(made), inner.put_back(aux)
        return (made, of_formulas, aux) if has_aux else (made, of_formulas)
    with Within() as within:
        found = evaluated(func, split, {}, has_aux, "vjp", within)

    def pulled(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        cts = leaves_like(as_tensors(cotangents), found.tree, "vjp")
        level = innermost_level()
        keeps = found.keeps(cts)
        creates = keeps or level is not None
        with Within():
            if level is found.level:
                made = pulled_back(found.ys, cts, found.xs, level, creates)
            else:
                made = _pulled_from_within(found, cts, level, creates)
        return split.like([g if keeps else g.detach() for g in made])

    released = found.result()
    return (released, pulled, found.released(found.aux)) if has_aux else (released, pulled)


def _pulled_from_within(
    found: Evaluated, cts: Sequence[Any], level: BatchLevel | None, create_graph: bool
) -> list[Any]:
    """Return the gradients for cotangents of entries of a `vmap` that began after the function."""
    if level is None or level.outer is not found.level:
        raise RuntimeError("vjp: the pullback is called at another level of vmap than the function")
    with at_level(level.outer):
        wholes = [all_entries(ct, level) for ct in cts]
        made = pulled_rows(found.ys, wholes, found.xs, found.level, create_graph)
    return [batched(level, g) for g in made]


# ------------------------------------------------------------------ tangents


def jvp(
    func: F, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False
) -> tuple[Any, ...]:
    """Return the result of a function and its derivative along tangents.

    Parameters
    ----------
    func : callable
        A function of tensors or containers of them, which returns the same.
    primals, tangents : tuple
        Its arguments, and a tangent for each, of one structure.
    strict : bool
        Whether a result that does not depend on the primals is an error; its tangent is zeros
        otherwise.
    has_aux : bool
        Whether `func` returns a pair, of which the second part is returned at the end.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 1.0])
    >>> torch.func.jvp(torch.sin, (x,), (torch.ones(2),))
    (tensor([0.0000, 0.8415]), tensor([1.0000, 0.5403]))
    """
    strict = check_flag("jvp", "strict", strict)
    if not isinstance(primals, tuple):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid "
            "to call f(*primals)."
        )
    if not primals:
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals to contain at least one Tensor."
        )
    if holds_arrays(primals):
        both = compile(lambda xs, ts: jvp(func, xs, ts, strict=strict, has_aux=has_aux))
        return both(primals, tangents)  # type: ignore[no-any-return]
    primals, tangents = as_tensors((primals, tangents))
    split = split_arguments(primals, tuple(range(len(primals))), "jvp")
    ts = leaves_like(tangents, flattened(primals)[1], "jvp")
    for x, t in zip(split.leaves, ts, strict=True):
        if not isinstance(t, (Tensor, ArrayExpr)):
            raise RuntimeError(
                "jvp(f, primals, tangents): Expected tangents to only contain Tensors, got "
                f"{type(t)}"
            )
        if t.shape != x.shape:
            raise RuntimeError(
                "Trying to set a forward gradient that has a different size than that of the "
                "original Tensor, this is not supported. Tensor is of size "
                f"{list(x.shape)} while the given forward gradient is of size {list(t.shape)}."
            )
    if is_of_formulas(split):
        inner = FormulaVariables(split)
        made, aux = apart(func(*inner.args), has_aux, "jvp")
        ys, results = flattened(made)
        pushed = inner.pushed(ys, ts)
        if strict:
            check_dependence([t is not None for t in pushed])
        moved = inner.put_back(results.build(with_zeros(pushed, ys)), ys)
        made, aux = inner.put_back(made), inner.put_back(aux)
        return (made, moved, aux) if has_aux else (made, moved)
    with Within() as within:
        found = evaluated(func, split, {}, has_aux, "jvp", within)
        if strict:
            check_dependence([depends(y, found.xs) for y in found.ys])
        keeps = found.keeps(ts)
        push = _pushforward(found)
        moved = found.tree.build([t if keeps else t.detach() for t in push(ts, keeps)])
    value = found.result()
    return (value, moved, found.released(found.aux)) if has_aux else (value, moved)


def linearize(func: F, *primals: Any) -> tuple[Any, F]:
    """Return the result of a function, and its derivative at this point as a function of tangents.

    Parameters
    ----------
    func : callable
        A function of tensors, formulas or containers of them.
    *primals
        Its arguments: the point.

    Examples
    --------
    >>> import symgrad as torch
    >>> y, push = torch.func.linearize(torch.sin, torch.tensor([0.0, 1.0]))
    >>> push(torch.ones(2))
    tensor([1.0000, 0.5403])
    """
    if holds_arrays(primals):
        value, push = linearize(func, *as_tensors(primals, copy=True))
        return as_arrays(value), _of_arrays(push)
    primals = as_tensors(primals)
    split = split_arguments(primals, tuple(range(len(primals))), "linearize")
    if is_of_formulas(split):
        made = func(*primals)

        def pushed(*tangents: Any) -> Any:
            return jvp(func, primals, tangents)[1]

        return made, pushed
    with Within() as within:
        found = evaluated(func, split, {}, False, "linearize", within)
        push = _pushforward(found)
    tree = flattened(primals)[1]

    def along(*tangents: Any) -> Any:
        ts = leaves_like(as_tensors(tangents), tree, "linearize")
        keeps = found.keeps(ts)
        with Within():
            moved = push(ts, keeps)
        return found.tree.build([t if keeps else t.detach() for t in moved])

    return found.result(), along


def _of_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function of tensors as one of arrays."""

    def call(*args: Any) -> Any:
        return as_arrays(function(*as_tensors(args)))

    return call


def _pushforward(found: Evaluated) -> Callable[[Sequence[Any], bool], list[Any]]:
    """Return the function of tangents, which is the pullback of the pullback.

    The pullback is linear in its cotangents, so that they may be anything; here they are ones.
    """
    smooth = [y for y in found.ys if y.is_floating_point() or y.is_complex()]
    with recorded(), Within():
        dummies = [variable(zeros_like(y).detach() + 1, found.level) for y in smooth]
        pulled = pulled_back(smooth, dummies, found.xs, found.level, True)

    def push(ts: Sequence[Any], create_graph: bool) -> list[Any]:
        moved = iter(pulled_back(pulled, ts, dummies, found.level, create_graph))
        own = {id(y) for y in smooth}
        return [next(moved) if id(y) in own else zeros_like(y) for y in found.ys]

    return push
