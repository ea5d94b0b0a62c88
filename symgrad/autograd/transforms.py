"""Transforms of functions into functions of their derivatives, as in `torch.func`.

They nest in any order, with each other and with `vmap`: a transform differentiates by variables of
its own, which are connected to its arguments where a transform around it differentiates by these.
Inside `vmap` a variable stands for the entries of a tensor that has all of them, and the gradient of
the sum over entries has the gradient of each. On formulas a derivative is a formula.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from symgrad.autograd.jacobians import by_all_rows, hessian_at_once, hessian_product_at_once
from symgrad.autograd.vmap.levels import BatchLevel, at_level
from symgrad.autograd.vmap.trees import Tree, flattened
from symgrad.autograd.vmap.value import BatchedValue, all_entries, batched, unbatched
from symgrad.backward.api import grad as gradients_of
from symgrad.differentiate.derive import derive
from symgrad.differentiate.sweeps import jvp as pushed_formulas
from symgrad.differentiate.sweeps import vjp as pulled_formulas
from symgrad.expr.atoms import as_expr
from symgrad.expr.node import ArrayExpr
from symgrad.functions.creation.filled import zeros_like
from symgrad.ops.broadcasting import zeros
from symgrad.record.modes import enable_grad, state
from symgrad.schema.kinds import type_name
from symgrad.support.scopes import Scope
from symgrad.tensor.tensor import Tensor

F = Callable[..., Any]


class _Within(Scope):
    """A block that a transform runs in; `outermost` says whether no other transform does."""

    def __enter__(self) -> _Within:
        depth = state.state.aside.get("transforms", 0)
        self.outermost = not depth
        self._put(state.state.aside, "transforms", depth + 1, 0)
        return self


class _Split(NamedTuple):
    """The arguments of a call, of which some are differentiated by.

    Attributes
    ----------
    args : tuple
        All of them.
    places : tuple of int
        The positions of those that are differentiated by.
    trees : list of Tree
        The structure of each of these.
    leaves : list
        The tensors or formulas in them, one after the other.
    single : bool
        Whether one position was given as a number: results are then no tuples.
    """

    args: tuple[Any, ...]
    places: tuple[int, ...]
    trees: list[Tree]
    leaves: list[Any]
    single: bool

    def with_leaves(self, leaves: Sequence[Any]) -> list[Any]:
        """Return the arguments with other leaves."""
        args, at = list(self.args), 0
        for place, tree in zip(self.places, self.trees, strict=True):
            args[place] = tree.build(leaves[at : at + tree.count])
            at += tree.count
        return args

    def like(self, leaves: Sequence[Any]) -> Any:
        """Return leaves in the structure of the arguments that are differentiated by."""
        args = self.with_leaves(leaves)
        made = tuple([args[place] for place in self.places])
        return made[0] if self.single else made


def _split(args: tuple[Any, ...], argnums: Any, name: str) -> _Split:
    """Return the arguments by which a function is differentiated, beside the others."""
    single = isinstance(argnums, int)
    numbers = (argnums,) if single else argnums
    if isinstance(argnums, bool) or not isinstance(numbers, tuple) or not numbers:
        raise RuntimeError(
            f"{name}: argnums must be int or non-empty Tuple of ints, got: {argnums!r}"
        )
    places = []
    for n in numbers:
        if isinstance(n, bool) or not isinstance(n, int) or not -len(args) <= n < len(args):
            raise RuntimeError(f"Got argnum={n!r}, but only {len(args)} positional inputs ({name})")
        places.append(n % len(args))
    if len({*places}) < len(places):
        raise RuntimeError(f"{name}: argnums elements must be unique, got {argnums!r}")
    leaves: list[Any] = []
    trees = []
    for place in places:
        own, tree = flattened(args[place])
        for x in own:
            if not isinstance(x, (Tensor, ArrayExpr)):
                raise RuntimeError(
                    f"{name}: argument {place} holds {type_name(x)}, and derivatives are by tensors"
                )
            if not (x.dtype.is_floating_point or x.dtype.is_complex):
                raise RuntimeError(
                    f"{name}: argument {place} is {x.dtype.name}; only floating point tensors are "
                    "differentiated by"
                )
        leaves += own
        trees.append(tree)
    return _Split(args, tuple(places), trees, leaves, single)


def _level() -> BatchLevel | None:
    batching = state.state.batching
    return None if batching is None else batching.level


# ------------------------------------------------------------------ variables and passes


def _variable(x: Tensor, level: BatchLevel | None) -> Tensor:
    """Return a tensor of the values of `x` to differentiate by, connected to it where it counts."""
    if level is None:
        return x.view_as(x) if x.requires_grad else x.detach().requires_grad_()
    with at_level(level.outer):
        made = _variable(all_entries(x, level), level.outer)
    return batched(level, made)  # type: ignore[no-any-return]


def _pulled(
    ys: Sequence[Tensor],
    cts: Sequence[Tensor | None],
    xs: Sequence[Tensor],
    level: BatchLevel | None,
    create_graph: bool,
) -> list[Tensor]:
    """Return the gradients of results for cotangents, for each entry at the levels of `vmap`."""
    if level is None:
        given = [(y, ct) for y, ct in zip(ys, cts, strict=True) if y.requires_grad]
        if not given:
            return [zeros_like(x) for x in xs]
        found = gradients_of(
            [y for y, _ in given], list(xs), [ct for _, ct in given],
            retain_graph=True, create_graph=create_graph, materialize_grads=True,
        )  # fmt: skip
        return list(found)
    with at_level(level.outer):
        wholes = [all_entries(y, level) for y in ys]
        given_cts = [
            (zeros_like(y) + 1 if ct is None else all_entries(ct, level))
            for y, ct in zip(wholes, cts, strict=True)
        ]
        inner = [unbatched(x, level)[0] for x in xs]
        found = _pulled(wholes, given_cts, inner, level.outer, create_graph)
    return [batched(level, g) for g in found]


def _rows(
    y: Tensor, xs: Sequence[Tensor], level: BatchLevel | None, create_graph: bool
) -> list[Tensor]:
    """Return the Jacobian of a result by each variable, for each entry at the levels of `vmap`."""
    if level is None:
        if not y.requires_grad:
            return [zeros_like(x).expand((*y.shape, *x.shape)) for x in xs]
        (found,) = by_all_rows((y,), tuple(xs), create_graph)
        return list(found)
    with at_level(level.outer):
        whole = all_entries(y, level)
        inner = [unbatched(x, level)[0] for x in xs]
        # Each entry depends on its own part of a variable: the Jacobian of the sum over entries of
        # one element has the row of this element for each entry.
        flat = whole.reshape((level.size, -1))
        total = flat.sum(0)
        rows = _rows(total, inner, level.outer, create_graph)
        made = [
            r.movedim(0, 1).reshape((level.size, *y.shape, *x.shape[1:]))
            for r, x in zip(rows, inner, strict=True)
        ]
    return [batched(level, g) for g in made]


def _base(x: Any) -> Any:
    """Return the tensor of all entries at all levels."""
    while x._data.__class__ is BatchedValue:
        x = x._data.tensor
    return x


def _depends_on_others(ys: Sequence[Any], xs: Sequence[Any]) -> bool:
    """Return whether results have leaves that require a gradient beside the variables."""
    own = {id(_base(x)) for x in xs}
    seen: set[Any] = set()
    stack = [y.grad_fn for y in map(_base, ys) if y.grad_fn is not None]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        leaf = getattr(node, "variable", None)
        if leaf is not None and id(leaf) not in own:
            return True
        stack += [n for n, _ in node.next_functions if n is not None]
    return False


class _Evaluated(NamedTuple):
    """A function evaluated on variables.

    Attributes
    ----------
    level : BatchLevel or None
        The innermost `vmap` that runs.
    xs : list of Tensor
        The variables, one for each leaf of the arguments that are differentiated by.
    ys : list of Tensor
        The leaves of the result.
    tree : Tree
        The structure of the result.
    aux : object
        What the function returns beside its result.
    keeps : bool
        Whether results stay connected to tensors that require a gradient.
    """

    level: BatchLevel | None
    xs: list[Any]
    ys: list[Any]
    tree: Tree
    aux: Any
    keeps: bool

    def released(self, value: Any) -> Any:
        """Return a value without the graph of the variables, where nothing else needs that."""
        leaves, tree = flattened(value)
        kept = [x.detach() if isinstance(x, Tensor) and not self.keeps else x for x in leaves]
        return tree.build(kept)

    def result(self) -> Any:
        """Return the result of the function."""
        return self.released(self.tree.build(self.ys))


def _evaluated(
    f: F, split: _Split, kwargs: Mapping[str, Any], has_aux: bool, name: str, within: _Within
) -> _Evaluated:
    level = _level()
    connected = any(_base(x).requires_grad for x in split.leaves)
    with enable_grad():
        xs = [_variable(x, level) for x in split.leaves]
        made, aux = _apart(f(*split.with_leaves(xs), **kwargs), has_aux, name)
    ys, tree = flattened(made)
    for y in ys:
        if not isinstance(y, Tensor):
            raise RuntimeError(
                f"{name}: expected f(*args) to return only tensors, got unsupported type "
                f"{type_name(y)}"
            )
    keeps = not within.outermost or connected or _depends_on_others(ys, xs)
    return _Evaluated(level, xs, ys, tree, aux, keeps)


def _apart(made: Any, has_aux: bool, name: str) -> tuple[Any, Any]:
    """Return the result of a function and what it returns beside it."""
    if not has_aux:
        return made, None
    if not isinstance(made, tuple) or len(made) != 2:
        raise RuntimeError(
            f"{name}: output of function f should be a tuple: (output, aux) if has_aux is True"
        )
    return made


def _check_number(y: Any, name: str) -> None:
    if not isinstance(y, (Tensor, ArrayExpr)):
        raise RuntimeError(
            f"{name}(f)(*args): Expected f(*args) to return a Tensor, got {type_name(y)}"
        )
    if y.ndim:
        raise RuntimeError(
            f"{name}(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
            f"{y.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )


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

    return gradient


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

    return both


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

    return both


def _gradient(
    func: F, args: tuple[Any, ...], argnums: Any, kwargs: Any, has_aux: bool, name: str
) -> tuple[Any, tuple[Any, Any]]:
    """Return the gradient, and the value with what the function returns beside it."""
    split = _split(args, argnums, name)
    if _of_formulas(split, args):
        made, aux = _apart(func(*args, **kwargs), has_aux, name)
        _check_number(made, name)
        return split.like(derive(made, split.leaves)), (made, aux)
    with _Within() as within:
        found = _evaluated(func, split, kwargs, has_aux, name, within)
        value = found.tree.build(found.ys)
        _check_number(value, name)
        gradients = _pulled(found.ys, [None], found.xs, found.level, found.keeps)
        made = split.like(gradients)
        return found.released(made), (found.released(value), found.released(found.aux))


def _of_formulas(split: _Split, args: tuple[Any, ...]) -> bool:
    """Return whether derivatives are by formulas, which are then formulas as well."""
    return any(isinstance(x, ArrayExpr) for x in split.leaves)


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
    split = _split(primals, tuple(range(len(primals))), "vjp")
    if _of_formulas(split, primals):
        made, aux = _apart(func(*primals), has_aux, "vjp")
        ys, tree = flattened(made)

        def pulled_back(cotangents: Any) -> Any:
            cts = _like(cotangents, tree, "vjp")
            pulled = pulled_formulas(ys, [as_expr(ct) for ct in cts], split.leaves)
            return split.like(_with_zeros(pulled, split.leaves))

        return (made, pulled_back, aux) if has_aux else (made, pulled_back)
    with _Within() as within:
        found = _evaluated(func, split, {}, has_aux, "vjp", within)

    def pulled(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        cts = _like(cotangents, found.tree, "vjp")
        level = _level()
        keeps = found.keeps or level is not None or any(_base(ct).requires_grad for ct in cts)
        if level is found.level:
            made = _pulled(found.ys, cts, found.xs, level, keeps)
        else:
            made = _pulled_from_within(found, cts, level, keeps)
        return split.like([g if found.keeps else g.detach() for g in made])

    released = found.result()
    return (released, pulled, found.released(found.aux)) if has_aux else (released, pulled)


def _pulled_from_within(
    found: _Evaluated, cts: Sequence[Any], level: BatchLevel | None, create_graph: bool
) -> list[Any]:
    """Return the gradients for cotangents of entries of a `vmap` that began after the function."""
    if level is None or level.outer is not found.level:
        raise RuntimeError("vjp: the pullback is called at another level of vmap than the function")
    with at_level(level.outer):
        wholes = [all_entries(ct, level) for ct in cts]
        made = _pulled_rows(found.ys, wholes, found.xs, found.level, create_graph)
    return [batched(level, g) for g in made]


def _pulled_rows(
    ys: Sequence[Any], cts: Sequence[Any], xs: Sequence[Any], level: BatchLevel | None, create: bool
) -> list[Any]:
    """Return the gradients for cotangents along a leading axis, which these get, too."""
    if level is None:
        given = [(y, ct) for y, ct in zip(ys, cts, strict=True) if y.requires_grad]
        size = cts[0].shape[0]
        if not given:
            return [zeros_like(x).expand((size, *x.shape)) for x in xs]
        return list(
            gradients_of(
                [y for y, _ in given], list(xs), [ct for _, ct in given], retain_graph=True,
                create_graph=create, is_grads_batched=True, materialize_grads=True,
            )
        )  # fmt: skip
    with at_level(level.outer):
        wholes = [all_entries(y, level) for y in ys]
        moved = [all_entries(ct, level).movedim(0, 1) for ct in cts]
        inner = [unbatched(x, level)[0] for x in xs]
        made = _pulled_rows(wholes, moved, inner, level.outer, create)
        made = [g.movedim(1, 0) for g in made]
    return [batched(level, g) for g in made]


def _with_zeros(found: Sequence[Any], like: Sequence[Any]) -> list[ArrayExpr]:
    """Return derivatives of formulas, zeros where there is no dependence."""
    return [zeros(x.shape, x.dtype) if g is None else g for g, x in zip(found, like, strict=True)]


def _like(given: Any, tree: Tree, name: str) -> list[Any]:
    """Return the leaves of cotangents or tangents, which have the structure of a result."""
    leaves, own = flattened(given)
    if repr(own) != repr(tree):
        raise RuntimeError(
            f"{name}: expected a structure of {tree} for the cotangents or tangents, got {own}"
        )
    return leaves


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
        Accepted as in PyTorch; results that do not depend on the primals have tangents of zeros.
    has_aux : bool
        Whether `func` returns a pair, of which the second part is returned at the end.

    Examples
    --------
    >>> import symgrad as torch
    >>> x = torch.tensor([0.0, 1.0])
    >>> torch.func.jvp(torch.sin, (x,), (torch.ones(2),))
    (tensor([0.0000, 0.8415]), tensor([1.0000, 0.5403]))
    """
    if not isinstance(primals, tuple) or not isinstance(tangents, tuple) or not primals:
        raise RuntimeError("jvp(f, primals, tangents): Expected primals and tangents to be tuples")
    split = _split(primals, tuple(range(len(primals))), "jvp")
    own, tree = flattened(primals)
    ts = _like(tangents, tree, "jvp")
    if _of_formulas(split, primals):
        made, aux = _apart(func(*primals), has_aux, "jvp")
        ys, results = flattened(made)
        pushed = pushed_formulas(ys, own, [as_expr(t) for t in ts])
        moved = results.build(_with_zeros(pushed, ys))
        return (made, moved, aux) if has_aux else (made, moved)
    with _Within() as within:
        found = _evaluated(func, split, {}, has_aux, "jvp", within)
        keeps = found.keeps or any(_base(t).requires_grad for t in ts)
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
    split = _split(primals, tuple(range(len(primals))), "linearize")
    if _of_formulas(split, primals):
        made = func(*primals)

        def pushed(*tangents: Any) -> Any:
            return jvp(func, primals, tangents)[1]

        return made, pushed
    with _Within() as within:
        found = _evaluated(func, split, {}, False, "linearize", within)
        push = _pushforward(found)
    tree = flattened(primals)[1]

    def along(*tangents: Any) -> Any:
        ts = _like(tangents, tree, "linearize")
        keeps = found.keeps or any(_base(t).requires_grad for t in ts)
        return found.tree.build([t if keeps else t.detach() for t in push(ts, keeps)])

    return found.result(), along


def _pushforward(found: _Evaluated) -> Callable[[Sequence[Any], bool], list[Any]]:
    """Return the function of tangents, which is the pullback of the pullback.

    The pullback is linear in its cotangents, so that they may be anything; here they are ones.
    """
    with enable_grad():
        dummies = [_variable(zeros_like(y).detach() + 1, found.level) for y in found.ys]
        pulled = _pulled(found.ys, dummies, found.xs, found.level, True)

    def push(ts: Sequence[Any], create_graph: bool) -> list[Any]:
        return _pulled(pulled, ts, dummies, found.level, create_graph)

    return push


# ------------------------------------------------------------------ Jacobians and Hessians


def jacrev(
    func: F,
    argnums: int | tuple[int, ...] = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
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

    Returns
    -------
    callable
        For each tensor of the result, in its structure, the Jacobians in that of the argument: of
        the shape of the result, followed by that of the argument.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.func.jacrev(torch.sin)(torch.tensor([0.0, 1.0]))
    tensor([[1.0000, 0.0000],
            [0.0000, 0.5403]])
    """
    if chunk_size is not None:
        if not isinstance(chunk_size, (int, np.integer)):
            raise TypeError(f"jacrev: `chunk_size` must be int, got {type_name(chunk_size)}")
        if chunk_size <= 0:
            raise ValueError("jacrev: `chunk_size` should be greater than 0.")
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
    randomness : str
        Accepted as in PyTorch.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.func.jacfwd(lambda x: x**2)(torch.tensor([1.0, 2.0]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    return _jacobian_of(func, argnums, has_aux, "jacfwd")


#: The Jacobian of a function; `jacrev` and `jacfwd` are PyTorch's names.
jacobian = jacrev


def _jacobian_of(func: F, argnums: Any, has_aux: bool, name: str) -> F:
    @functools.wraps(func)
    def of_arguments(*args: Any, **kwargs: Any) -> Any:
        split = _split(args, argnums, name)
        if _of_formulas(split, args):
            made, aux = _apart(func(*args, **kwargs), has_aux, name)
            ys, tree = flattened(made)
            found = tree.build([split.like(derive(y, split.leaves)) for y in ys])
            return (found, aux) if has_aux else found
        with _Within() as within:
            run = _evaluated(func, split, kwargs, has_aux, name, within)
            rows = [_rows(y, run.xs, run.level, run.keeps) for y in run.ys]
            found = run.released(run.tree.build([split.like(r) for r in rows]))
        return (found, run.released(run.aux)) if has_aux else found

    return of_arguments


def hessian(func: F, argnums: int | tuple[int, ...] = 0) -> F:
    """Return the function that computes the second derivatives of a function.

    Parameters
    ----------
    func : callable
        A function of tensors, formulas or containers of them.
    argnums : int or tuple of int
        The positional arguments with respect to which to differentiate.

    Examples
    --------
    >>> import symgrad as torch
    >>> torch.func.hessian(lambda x: (x**3).sum())(torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    general = jacfwd(jacrev(func, argnums), argnums)

    @functools.wraps(func)
    def second(*args: Any, **kwargs: Any) -> Any:
        split = _split(args, argnums, "hessian")
        if len(split.leaves) > 1 or _level() is not None or _of_formulas(split, args):
            return general(*args, **kwargs)
        with _Within() as within:
            run = _evaluated(func, split, kwargs, False, "hessian", within)
            if not run.keeps and len(run.ys) == 1 and run.tree.kind is None and not run.ys[0].shape:
                found = hessian_at_once(run.ys[0], tuple(run.xs))
                if found is not None:
                    (inner,) = found[0]
                    return split.like([split.like([inner])])
        return general(*args, **kwargs)

    return second


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
        split = _split((x, *consts), 0, "hvp")
        vs = _like(v, split.trees[0], "hvp")
        if _of_formulas(split, (x, *consts)):
            made = func(x, *consts, **kwargs)
            _check_number(made, "hvp")
            pushed = pushed_formulas(
                derive(made, split.leaves), split.leaves, list(map(as_expr, vs))
            )
            return split.like(_with_zeros(pushed, split.leaves))
        with _Within() as within:
            run = _evaluated(func, split, kwargs, False, "hvp", within)
            _check_number(run.tree.build(run.ys), "hvp")
            keeps = run.keeps or any(_base(w).requires_grad for w in vs)
            if not keeps and run.level is None:
                found = hessian_product_at_once(run.ys[0], tuple(run.xs), tuple(vs))
                if found is not None:
                    return run.released(split.like(found))
            with enable_grad():
                gradients = _pulled(run.ys, [None], run.xs, run.level, True)
            made = _pulled(gradients, vs, run.xs, run.level, keeps)
            return split.like([g if keeps else g.detach() for g in made])

    return product
