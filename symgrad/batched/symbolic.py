"""`vmap` of formulas: the function is traced for one entry, and the formula batched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symgrad.batched.trees import Tree, mapped
from symgrad.batching import batch_expressions
from symgrad.expr.node import ArrayExpr, Placeholder, as_expr

__all__ = ["is_symbolic", "map_symbolically"]


def is_symbolic(x: Any) -> bool:
    """Return whether an argument is a formula."""
    return isinstance(x, ArrayExpr)


def map_symbolically(
    func: Callable[..., Any],
    over: tuple[Sequence[Any], Sequence[int | None]],
    tree: Tree,
    kwargs: dict[str, Any],
    size: int,
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
    kwargs : dict
        What is given by keyword, mapped over the first axis.
    size : int
        The length of the axis.
    placed : callable
        Puts the axis of what was returned where it belongs.
    """
    batches: dict[ArrayExpr, ArrayExpr] = {}

    def entry(x: Any, dim: int) -> ArrayExpr:
        whole = as_expr(x)
        if dim:
            whole = whole.movedim(dim, 0)
        one = Placeholder(f"e{len(batches)}", whole.shape[1:], whole.dtype)
        batches[one] = whole
        return one

    inside = [x if dim is None else entry(x, dim) for x, dim in zip(*over, strict=True)]
    keywords = mapped(lambda x: entry(x, 0) if hasattr(x, "shape") else x, kwargs)
    returned = func(*tree.build(inside), **keywords)

    def take(x: Any, dim: Any) -> Any:
        if dim is None:
            return x
        (whole,) = batch_expressions([as_expr(x)], batches, size)
        return whole.movedim(0, dim) if dim else whole

    return placed(returned, take)
