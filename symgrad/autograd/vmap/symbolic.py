"""`vmap` of formulas: the function is traced for one entry, and the formula batched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symgrad.autograd.vmap.levels import entered
from symgrad.autograd.vmap.trees import Tree
from symgrad.differentiate.batch import batch_expressions
from symgrad.expr.atoms import Placeholder
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.record.record import as_formula


def is_symbolic(x: Any) -> bool:
    """Return whether an argument is a formula."""
    return isinstance(x, ArrayExpr)


def map_symbolically(
    func: Callable[..., Any],
    over: tuple[Sequence[Any], Sequence[int | None]],
    tree: Tree,
    size: int,
    randomness: str,
    placed: Callable[..., Any],
) -> Any:
    """Return the formulas of `func` over one more axis.

    Parameters
    ----------
    func : callable
        The function of one entry.
    over : tuple of two sequences
        The arguments, and for each of them the axis that is mapped over, or None.
    tree : Tree
        The structure of the arguments.
    size : int
        The length of the axis.
    randomness : {"error", "different", "same"}
        What random operations do.
    placed : callable
        Returns the results with the axis where `out_dims` says. It takes what `func` returned, a
        function that says whether a result varies along the axis, and a function that returns a
        result over the axis at a given place.
    """
    batches: dict[ArrayExpr, ArrayExpr] = {}

    def entry(x: Any, dim: int, depth: int) -> ArrayExpr:
        batch = as_formula(x.movedim(dim, 0))
        placeholder = Placeholder(f"e{depth}_{len(batches)}", batch.shape[1:], batch.dtype)
        batches[placeholder] = batch
        return placeholder

    with entered(size, randomness) as level:
        # The depth tells the placeholders apart from those of a `vmap` around this one.
        depth = level.depth
        entries = [x if dim is None else entry(x, dim, depth) for x, dim in zip(*over, strict=True)]
        returned = func(*tree.build(entries))

    def varies(x: Any) -> bool:
        return is_symbolic(x) and any(e in batches for e in toposort([x], batches.__contains__))

    def take(x: Any, dim: int) -> Any:
        (batch,) = batch_expressions([as_formula(x)], batches, size)
        return batch.movedim(0, dim) if dim else batch

    return placed(returned, varies, take)
