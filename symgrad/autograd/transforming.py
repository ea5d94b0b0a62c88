"""What transforms of functions share: variables of their own, and passes at the levels of `vmap`.

A variable has the values of an argument, and is connected to it where a transform around this one
differentiates by it. Inside `vmap` it stands for the entries of a tensor that has all of them, and
the gradient of the sum over entries has the gradient of each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from symgrad.autograd.jacobians import by_all_rows
from symgrad.autograd.vmap.levels import BatchLevel, at_level
from symgrad.autograd.vmap.trees import Tree, flattened
from symgrad.autograd.vmap.value import BatchedValue, all_entries, batched, unbatched
from symgrad.backward.api import grad as gradients_of
from symgrad.backward.edges import leaf_tensors
from symgrad.differentiate.sweeps import jvp, vjp
from symgrad.expr.atoms import as_expr
from symgrad.expr.graph import replace_nodes
from symgrad.expr.node import ArrayExpr
from symgrad.expr.sources import keep_sources, leaves_of_source, nodes_written
from symgrad.functions.creation.filled import zeros_like
from symgrad.ops.broadcasting import zeros
from symgrad.ops.composite import StandIn
from symgrad.ops.deriving import differentiated_again
from symgrad.ops.identity import clone
from symgrad.record.aval import aval_of
from symgrad.record.inference import inference_mode
from symgrad.record.modes import enable_grad, state
from symgrad.record.record import record, wrap
from symgrad.schema.messages import lacking
from symgrad.support.scopes import Scope
from symgrad.tensor.tensor import Tensor

F = Callable[..., Any]


class Within(Scope):
    """A block that a transform runs in; `outermost` says whether no other transform does."""

    def __enter__(self) -> Within:
        depth = state.state.aside.get("transforms", 0)
        self.outermost = not depth
        self._put(state.state.aside, "transforms", depth + 1, 0)
        return self


def recorded() -> Scope:
    """Return a block in which operations are recorded, whatever the mode around it."""
    return inference_mode(False) if state.state.inference else enable_grad()


class Split(NamedTuple):
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


def called(name: str) -> str:
    """Return the call that PyTorch's messages name for a transform that is made of others."""
    if name in ("grad", "grad_and_value"):
        return "grad_and_value(f)(*args)"
    if name in ("vjp", "jacrev"):
        return "vjp(f, *primals)"
    return "jvp(f, primals, tangents)" if name in ("jvp", "jacfwd") else f"{name}(f)(*args)"


def split_arguments(args: tuple[Any, ...], argnums: Any, name: str) -> Split:
    """Return the arguments by which a function is differentiated, beside the others."""
    single = isinstance(argnums, int)
    numbers = (argnums,) if single else argnums
    if isinstance(argnums, bool) or not isinstance(numbers, tuple) or not numbers:
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    places = []
    for n in numbers:
        if isinstance(n, bool) or not isinstance(n, int) or not -len(args) <= n < len(args):
            raise RuntimeError(f"Got argnum={n}, but only {len(args)} positional inputs")
        places.append(n % len(args))
    if len({*places}) < len(places):
        raise RuntimeError(f"argnums elements must be unique, got {argnums}")
    leaves: list[Any] = []
    trees = []
    for place in places:
        own, tree = flattened(args[place])
        for x in own:
            if not isinstance(x, (Tensor, ArrayExpr)):
                if name == "jvp":
                    raise RuntimeError(
                        f"{called(name)}: Expected primals to only contain Tensors, got {type(x)}"
                    )
                if name in ("jacfwd", "hessian"):  # which ask how many directions there are
                    raise AttributeError(lacking(x, "numel"))
                raise ValueError(f"Thing passed to transform API must be Tensor, got {type(x)}")
            if not (x.dtype.is_floating_point or x.dtype.is_complex):
                raise RuntimeError(
                    "only Tensors of floating point dtype can require gradients\nArgument "
                    f"{place} of {name} is {x.dtype.name}"
                )
        leaves += own
        trees.append(tree)
    return Split(args, tuple(places), trees, leaves, single)


def leaves_like(given: Any, tree: Tree, name: str) -> list[Any]:
    """Return the leaves of cotangents or tangents, which have the structure of a result."""
    leaves, own = flattened(given)
    if repr(own) != repr(tree):
        if name == "jvp":
            raise RuntimeError(
                "jvp(f, primals, tangents): Expected primals and tangents to have the same python "
                "structure. For example, if primals is a tuple of 3 tensors, tangents also must "
                f"be. Got primals with structure {tree} and tangents with structure {own}"
            )
        raise RuntimeError(
            f"{name}: expected a structure of {tree} for the cotangents or tangents, got {own}"
        )
    return leaves


def innermost_level() -> BatchLevel | None:
    """Return the innermost `vmap` that runs."""
    batching = state.state.batching
    return None if batching is None else batching.level


# ------------------------------------------------------------------ variables and passes


def variable(x: Tensor, level: BatchLevel | None) -> Tensor:
    """Return a tensor of the values of `x` to differentiate by, connected to it where it counts."""
    if level is None:
        if x._aval.inference:
            x = wrap(x._data, aval_of(x._aval.shape, x._aval.dtype))
        if x.requires_grad:
            return x.view_as(x)
        own = x.detach().requires_grad_()
        own._is_variable = True
        return own
    with at_level(level.outer):
        made = variable(all_entries(x, level), level.outer)
    return batched(level, made)  # type: ignore[no-any-return]


def changeable(x: Any, level: BatchLevel | None) -> Any:
    """Return a result that shows the memory of a variable, as which it may be changed in place."""
    if level is None:
        if not x._is_variable:
            return x
        made = record(clone, (x,), result=x._data)
        made._vertex.storage = x._storage()
        return made
    with at_level(level.outer):
        made = changeable(all_entries(x, level), level.outer)
    return batched(level, made)


def pulled_back(
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
        with recorded():
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
        found = pulled_back(wholes, given_cts, inner, level.outer, create_graph)
    return [batched(level, g) for g in found]


def jacobian_rows(
    y: Tensor, xs: Sequence[Tensor], level: BatchLevel | None, create_graph: bool
) -> list[Tensor]:
    """Return the Jacobian of a result by each variable, for each entry at the levels of `vmap`."""
    if level is None:
        if not y.requires_grad:
            return [zeros_like(x).expand((*y.shape, *x.shape)) for x in xs]
        # Other results, whose rows follow, may have parts in common with this one.
        (found,) = by_all_rows((y,), tuple(xs), create_graph, retain_graph=True)
        return list(found)
    with at_level(level.outer):
        whole = all_entries(y, level)
        inner = [unbatched(x, level)[0] for x in xs]
        # Each entry depends on its own part of a variable: the Jacobian of the sum over entries of
        # one element has the row of this element for each entry.
        flat = whole.reshape((level.size, -1))
        total = flat.sum(0)
        rows = jacobian_rows(total, inner, level.outer, create_graph)
        made = [
            r.movedim(0, 1).reshape((level.size, *y.shape, *x.shape[1:]))
            for r, x in zip(rows, inner, strict=True)
        ]
    return [batched(level, g) for g in made]


def base_of(x: Any) -> Any:
    """Return the tensor of all entries at all levels."""
    while x._data.__class__ is BatchedValue:
        x = x._data.tensor
    return x


def depends_on_others(ys: Sequence[Any], xs: Sequence[Any]) -> bool:
    """Return whether results have leaves that require a gradient beside the variables.

    What a transform differentiated by that has ended, as `vjp` before its pullback, is constant.
    """
    own = {id(base_of(x)) for x in xs}
    leaves = leaf_tensors(map(base_of, ys))
    return any(not (id(x) in own or x._is_variable) for x in leaves)


def depends(y: Any, xs: Sequence[Any]) -> bool:
    """Return whether a result depends on a variable."""
    whole = base_of(y)
    if not whole.requires_grad:
        return False
    found = gradients_of(
        [whole], [base_of(x) for x in xs], [zeros_like(whole)], retain_graph=True, allow_unused=True
    )
    return any(g is not None for g in found)


# ------------------------------------------------------------------ formulas


def is_of_formulas(split: Split) -> bool:
    """Return whether derivatives are by formulas, which are then formulas as well."""
    return any(isinstance(x, ArrayExpr) for x in split.leaves)


class FormulaVariables:
    """Leaves in the place of the formulas that a function is differentiated by.

    So the derivative is by what the function gets, and not by the same formula where the function
    knows it from elsewhere, as that of a transform around this one.

    Attributes
    ----------
    leaves : list of ArrayExpr
    args : list
        The arguments, with these leaves.
    """

    def __init__(self, split: Split) -> None:
        originals = [as_expr(x) for x in split.leaves]
        self.leaves: list[ArrayExpr] = [StandIn.of(x) for x in originals]
        self.args = split.with_leaves(self.leaves)
        self._originals = dict(zip(self.leaves, originals, strict=True))

    def pushed(self, ys: Sequence[Any], tangents: Sequence[Any]) -> list[ArrayExpr | None]:
        """Return the tangents of formulas of the leaves; None for zero."""
        with differentiated_again():
            return jvp(ys, self.leaves, [as_expr(t) for t in tangents])

    def pulled(self, ys: Sequence[Any], cotangents: Sequence[Any]) -> list[ArrayExpr | None]:
        """Return the cotangents of the leaves for those of formulas; None for zero."""
        with differentiated_again():
            return vjp(ys, [as_expr(ct) for ct in cotangents], self.leaves)

    def put_back(self, found: Any, of: Any = None) -> Any:
        """Return formulas of what the function is differentiated by, in any containers.

        They are derivatives `of` other formulas, where these are given.
        """
        leaves, tree = flattened(found)
        formulas = [x for x in leaves if isinstance(x, ArrayExpr)]
        made = replace_nodes(formulas, self._originals)
        if of is not None:
            sources = [x for x in flattened(self.put_back(of))[0] if isinstance(x, ArrayExpr)]
            for source in sources:
                keep_sources(made, leaves_of_source(source), nodes_written(source))
        known = dict(zip(formulas, made, strict=True))
        return tree.build([known[x] if isinstance(x, ArrayExpr) else x for x in leaves])


def with_zeros(found: Sequence[Any], like: Sequence[Any]) -> list[ArrayExpr]:
    """Return derivatives of formulas, zeros where there is no dependence."""
    return [zeros(x.shape, x.dtype) if g is None else g for g, x in zip(found, like, strict=True)]


# ------------------------------------------------------------------ calls


class Evaluated(NamedTuple):
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
    connected : bool
        Whether the results depend on tensors that require a gradient beside the variables.
    """

    level: BatchLevel | None
    xs: list[Any]
    ys: list[Any]
    tree: Tree
    aux: Any
    connected: bool

    def keeps(self, others: Sequence[Any] = ()) -> bool:
        """Return whether derivatives stay connected to what they depend on.

        They do where that requires a gradient, as cotangents among `others` may, and operations
        are recorded around the transform.
        """
        found = self.connected or any(base_of(x).requires_grad for x in others)
        return found and bool(state.state.enabled)

    def released(self, value: Any) -> Any:
        """Return a value without the graph of the variables, where nothing else needs that."""
        leaves, tree = flattened(value)
        keeps = self.keeps()
        kept = [x.detach() if isinstance(x, Tensor) and not keeps else x for x in leaves]
        return tree.build(kept)

    def result(self) -> Any:
        """Return the result of the function."""
        return self.released(self.tree.build(self.ys))


def evaluated(
    f: F, split: Split, kwargs: Mapping[str, Any], has_aux: bool, name: str, within: Within
) -> Evaluated:
    """Return what a function gives for variables in the place of its arguments."""
    level = innermost_level()
    connected = any(base_of(x).requires_grad for x in split.leaves)
    with recorded():
        xs = [variable(x, level) for x in split.leaves]
        given = xs
        if name in ("jvp", "linearize", "jacfwd"):  # which allow changes in place, as forward mode
            given = [changeable(x, level) for x in xs]
        made, aux = apart(f(*split.with_leaves(given), **kwargs), has_aux, name)
    ys, tree = flattened(made)
    for y in ys:
        if not isinstance(y, Tensor):
            if name == "grad":
                check_number(tree.build(ys), name)
            raise RuntimeError(
                f"{called(name)}: expected f(*primals) to return only tensors, got unsupported "
                f"type {type(y)}"
            )
    connected = not within.outermost or connected or depends_on_others(ys, xs)
    return Evaluated(level, xs, ys, tree, aux, connected)


def apart(made: Any, has_aux: bool, name: str) -> tuple[Any, Any]:
    """Return the result of a function and what it returns beside it."""
    if not has_aux:
        return made, None
    if not isinstance(made, tuple) or len(made) != 2:
        raise RuntimeError(
            f"{called(name)}: output of function f should be a tuple: (output, aux) if has_aux "
            "is True"
        )
    return made


def check_number(y: Any, name: str) -> None:
    """Refuse what is no 0-d tensor or formula."""
    if not isinstance(y, (Tensor, ArrayExpr)):
        raise RuntimeError(f"{called(name)}: Expected f(*args) to return a Tensor, got {type(y)}")
    if y.ndim:
        raise RuntimeError(
            f"{called(name)}: Expected f(*args) to return a scalar Tensor, got tensor with "
            f"{y.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
        )


def check_real(found: Sequence[Any], name: str, what: str) -> None:
    """Refuse complex arguments or results of a Jacobian."""
    for i, x in enumerate(found):
        if isinstance(x, (Tensor, ArrayExpr)) and x.dtype.is_complex:
            raise RuntimeError(
                f"{name}: Expected all {what} to be real but received complex tensor at flattened "
                f"input idx: {i}"
            )


def check_dependence(depend: Sequence[bool]) -> None:
    """Refuse results of which one does not depend on what is moved."""
    if not all(depend):
        raise RuntimeError(
            "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
            "This is not allowed with strict=True."
        )


def pulled_rows(
    ys: Sequence[Any], cts: Sequence[Any], xs: Sequence[Any], level: BatchLevel | None, create: bool
) -> list[Any]:
    """Return the gradients for cotangents along a leading axis, which these get, too."""
    if level is None:
        given = [(y, ct) for y, ct in zip(ys, cts, strict=True) if y.requires_grad]
        size = cts[0].shape[0]
        if not given:
            return [zeros_like(x).expand((size, *x.shape)) for x in xs]
        with recorded():
            made = gradients_of(
                [y for y, _ in given], list(xs), [ct for _, ct in given], retain_graph=True,
                create_graph=create, is_grads_batched=True, materialize_grads=True,
            )  # fmt: skip
        return list(made)
    with at_level(level.outer):
        wholes = [all_entries(y, level) for y in ys]
        moved = [all_entries(ct, level).movedim(0, 1) for ct in cts]
        inner = [unbatched(x, level)[0] for x in xs]
        made = pulled_rows(wholes, moved, inner, level.outer, create)
        made = [g.movedim(1, 0) for g in made]
    return [batched(level, g) for g in made]
