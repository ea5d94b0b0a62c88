"""Transforms of functions into their Jacobians and Hessians, as in `torch.func`."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from symgrad.autograd.arrays import as_tensors
from symgrad.autograd.compiled import of_arrays_too
from symgrad.autograd.jacobians import hessian_at_once, hessian_product_at_once
from symgrad.autograd.sparse.transform import sparse_derivative
from symgrad.autograd.transforming import (
    F,
    FormulaVariables,
    Split,
    Within,
    apart,
    check_number,
    check_real,
    evaluated,
    innermost_level,
    is_of_formulas,
    jacobian_rows,
    leaves_like,
    pulled_back,
    recorded,
    split_arguments,
    with_zeros,
)
from symgrad.autograd.transforms import jvp
from symgrad.autograd.vmap.transform import check_randomness, vmap
from symgrad.autograd.vmap.trees import flattened
from symgrad.differentiate.derive import derive
from symgrad.functions.creation.matrices import eye
from symgrad.record.chance import without_chance
from symgrad.schema.kinds import type_name


def jacrev(
    func: F,
    argnums: int | tuple[int, ...] = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    sparse: bool = False,
) -> F:
    """Return the function that computes the Jacobian of a function, by pulling back.

    Parameters
    ----------
    func : callable
        A function of tensors, formulas or containers of them, which returns the same.
    argnums : int or tuple of int
        The positional arguments with respect to which to differentiate.
    has_aux : bool
        Whether `func` returns a pair, of which the second part is returned beside the Jacobian.
    chunk_size : int, optional
        Accepted as in PyTorch; the whole Jacobian is one formula.
    sparse : bool
        Whether to return a `scipy.sparse.csr_array` for each Jacobian, of shape `(size of the
        result, size of the argument)`, both in C order; `symgrad[special]` brings SciPy. Stored are
        the elements that are not known from the formula to be zero for all values. Arguments are
        arrays, of which those that are used as indices decide which elements are stored.

    Returns
    -------
    callable
        For each tensor of the result, in its structure, the Jacobians in that of the argument: of
        the shape of the result, followed by that of the argument.

    Raises
    ------
    RuntimeError
        When it is called with `sparse`: if an argument requires a gradient, is a formula, or is
        complex.
    ImportError
        If SciPy, which `sparse` needs, is not installed.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.func.jacrev(torch.sin)(torch.tensor([0.0, 1.0]))
    tensor([[1.0000, 0.0000],
            [0.0000, 0.5403]])
    >>> import numpy as np
    >>> slopes = torch.func.jacobian(lambda x: x[1:] ** 2 - x[:-1], sparse=True)
    >>> found = slopes(np.arange(4.0))
    >>> found.nnz, found.toarray()[2]
    (6, array([ 0.,  0., -1.,  6.]))
    """
    if chunk_size is not None:
        if not isinstance(chunk_size, (int, np.integer, np.bool_)):
            raise TypeError(f"jacrev: `chunk_size` must be int, got {type_name(chunk_size)}")
        if chunk_size <= 0:
            raise ValueError("jacrev: `chunk_size` should be greater than 0.")
    if sparse:
        return sparse_derivative(func, argnums, has_aux, "jacobian")
    return _jacobian_of(func, argnums, has_aux, "jacrev")


def jacfwd(
    func: F, argnums: int | tuple[int, ...] = 0, has_aux: bool = False, *, randomness: str = "error"
) -> F:
    """Return the function that computes the Jacobian of a function, as `jacrev` does.

    The Jacobian is one formula, whichever way PyTorch would go.

    Parameters
    ----------
    func : callable
        A function of tensors, formulas or containers of them.
    argnums : int or tuple of int
        The positional arguments with respect to which to differentiate.
    has_aux : bool
        Whether `func` returns a pair, of which the second part is returned beside the Jacobian.
    randomness : {"error", "different", "same"}
        What random operations do: raise, draw for each column of the Jacobian, of which each is
        then that of another function, or once for all columns.

    Raises
    ------
    RuntimeError
        When it is called: if random numbers are drawn and `randomness` is "error".

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.func.jacfwd(lambda x: x**2)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    >>> _ = torch.manual_seed(0)
    >>> torch.func.jacfwd(lambda x: x * torch.rand(2), randomness="same")(torch.ones(2))
    tensor([[0.4963, 0.0000],
            [0.0000, 0.7682]])
    """
    return _jacobian_of(func, argnums, has_aux, "jacfwd", randomness)


#: The Jacobian of a function; `jacrev` and `jacfwd` are PyTorch's names.
jacobian = jacrev


def _jacobian_of(func: F, argnums: Any, has_aux: bool, name: str, randomness: str = "same") -> F:
    @functools.wraps(func)
    def of_arguments(*args: Any, **kwargs: Any) -> Any:
        split = split_arguments(args, argnums, name)
        check_real(split.leaves, name, "inputs")
        check_randomness(randomness)
        if is_of_formulas(split):
            inner = FormulaVariables(split)
            made, aux = apart(func(*inner.args, **kwargs), has_aux, name)
            ys, tree = flattened(made)
            check_real(ys, name, "outputs")
            rows = [split.like(derive(y, inner.leaves)) for y in ys]
            found = inner.put_back(tree.build(rows), ys)
            return (found, inner.put_back(aux)) if has_aux else found
        if randomness == "different":
            return _column_by_column(func, split, kwargs, has_aux)
        with Within() as within:
            with without_chance(randomness == "error"):
                run = evaluated(func, split, kwargs, has_aux, name, within)
            check_real(run.ys, name, "outputs")
            keeps = run.keeps()
            with recorded():  # parts of results are recorded on the way
                rows = [jacobian_rows(y, run.xs, run.level, keeps) for y in run.ys]
            found = run.released(run.tree.build([split.like(r) for r in rows]))
        return (found, run.released(run.aux)) if has_aux else found

    return of_arrays_too(of_arguments)


def _column_by_column(func: F, split: Split, kwargs: Mapping[str, Any], has_aux: bool) -> Any:
    """Return a Jacobian of which each column has random numbers of its own."""
    xs = split.leaves
    sizes = [x.numel() for x in xs]
    ends = np.cumsum(sizes)
    basis = [
        eye(sum(sizes), dtype=x.dtype)[:, end - size : end].reshape((-1, *x.shape))
        for x, size, end in zip(xs, sizes, ends, strict=True)
    ]

    def column(*tangents: Any) -> Any:
        def of_leaves(*leaves: Any) -> Any:
            return func(*split.with_leaves(leaves), **kwargs)

        return jvp(of_leaves, tuple(xs), tangents, has_aux=has_aux)[1:]

    columns, *aux = vmap(column, randomness="different")(*basis)
    ys, tree = flattened(columns)
    check_real(ys, "jacfwd", "outputs")
    rows = [
        split.like(
            [
                part.movedim(0, -1).reshape((*y.shape[1:], *x.shape))
                for part, x in zip(y.split(sizes), xs, strict=True)
            ]
        )
        for y in ys
    ]
    found = tree.build(rows)
    if not has_aux:
        return found
    leaves, others = flattened(aux[0])
    return found, others.build([x[0] for x in leaves])


def hessian(func: F, argnums: int | tuple[int, ...] = 0, *, sparse: bool = False) -> F:
    """Return the function that computes the second derivatives of a function.

    Parameters
    ----------
    func : callable
        A function of tensors, formulas or containers of them.
    argnums : int or tuple of int
        The positional arguments with respect to which to differentiate.
    sparse : bool
        Whether to return a `scipy.sparse.csr_array`, as `jacobian` does, of shape `(size of the
        argument, size of the argument)`. The result of `func` is then one number.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.func.hessian(lambda x: (x**3).sum())(torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    if sparse:
        return sparse_derivative(func, argnums, False, "hessian")
    general = jacfwd(jacrev(func, argnums), argnums)

    @functools.wraps(func)
    def second(*args: Any, **kwargs: Any) -> Any:
        split = split_arguments(args, argnums, "hessian")
        check_real(split.leaves, "jacfwd", "inputs")
        if len(split.leaves) > 1 or innermost_level() is not None or is_of_formulas(split):
            return general(*args, **kwargs)
        with Within() as within:
            with without_chance():
                run = evaluated(func, split, kwargs, False, "hessian", within)
            check_real(run.ys, "jacrev", "outputs")
            if (
                not run.keeps()
                and len(run.ys) == 1
                and run.tree.kind is None
                and not run.ys[0].shape
            ):
                found = hessian_at_once(run.ys[0], tuple(run.xs))
                if found is not None:
                    (inner,) = found[0]
                    return split.like([split.like([inner])])
        return general(*args, **kwargs)

    return of_arrays_too(second)


def hvp(func: F) -> F:
    """Return the function of `(x, v, *consts)`: the product of the Hessian by x and v.

    Parameters
    ----------
    func : callable
        A function of tensors, formulas or containers of them, which returns a 0-d tensor.

    Examples
    --------
    >>> import symgrad as torch
    >>> x, v = torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0])
    >>> torch.func.hvp(lambda x: (x**3).sum())(x, v)
    tensor([6., 0.])
    """

    @functools.wraps(func)
    def product(x: Any, v: Any, *consts: Any, **kwargs: Any) -> Any:
        split = split_arguments((x, *consts), 0, "hvp")
        vs = leaves_like(v, split.trees[0], "hvp")
        if is_of_formulas(split):
            inner = FormulaVariables(split)
            made = func(*inner.args, **kwargs)
            check_number(made, "hvp")
            slopes = derive(made, inner.leaves)
            pushed = inner.pushed(slopes, vs)
            return inner.put_back(split.like(with_zeros(pushed, inner.leaves)), made)
        with Within() as within:
            vs = as_tensors(vs)
            run = evaluated(func, split, kwargs, False, "hvp", within)
            check_number(run.tree.build(run.ys), "hvp")
            keeps = run.keeps(vs)
            if not keeps and run.level is None:
                found = hessian_product_at_once(run.ys[0], tuple(run.xs), tuple(vs))
                if found is not None:
                    return run.released(split.like(found))
            with recorded(), Within():
                gradients = pulled_back(run.ys, [None], run.xs, run.level, True)
            made = pulled_back(gradients, vs, run.xs, run.level, keeps)
            return split.like([g if keeps else g.detach() for g in made])

    return of_arrays_too(product)
