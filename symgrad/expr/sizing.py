"""Formulas of named sizes at sizes that are numbers: each node is made again, and checked."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symgrad.expr.atoms import Const
from symgrad.expr.dtypes import default_dtype, dtype
from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.named_sizes import NamedSize, at_sizes, names_in
from symgrad.expr.node import ArrayExpr
from symgrad.expr.sources import copy_sources

# The shape of a node; of one with several results, their shapes.
_shape: Any = ArrayExpr.__dict__["shape"].__get__


def size_names(roots: Iterable[ArrayExpr]) -> set[str]:
    """Return the names of the sizes in formulas.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", ("n",))
    >>> size_names([x.sum() / x.shape[0]]), size_names([symgrad.leaf("x", (3,)).sum()])
    ({'n'}, set())
    """
    return names_of(toposort(roots))


def names_of(nodes: Iterable[ArrayExpr]) -> set[str]:
    """Return the names of the sizes of some nodes."""
    found: set[str] = set()
    for x in nodes:
        shape = _shape(x)
        if shape and not all(type(n) is int for n in shape):
            found |= names_in(shape)
        elif type(x) is Const and type(x.value) is NamedSize:
            found |= x.value.names
    return found


def with_sizes(roots: Sequence[ArrayExpr], sizes: Mapping[str, int]) -> list[ArrayExpr]:
    """Return formulas where the names of sizes have the values of a mapping.

    Raises
    ------
    ValueError
        If an operation does not work at these sizes, or gives another shape than the one that the
        formula was written for. The message names the operation.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", ("n",))
    >>> with_sizes([x.sum() / x.shape[0]], {"n": 4})
    [sum(x) / 4]
    """
    return list(_with_sizes(tuple(roots), tuple(sorted(sizes.items())), default_dtype()))


@functools.lru_cache(maxsize=64)
def _with_sizes(
    roots: tuple[ArrayExpr, ...], sizes: tuple[tuple[str, int], ...], _: dtype
) -> tuple[ArrayExpr, ...]:
    known = dict(sizes)
    made = rebuild(roots, lambda x, operands: _at_sizes(x, operands, known))
    for x, new in zip(roots, made, strict=True):
        copy_sources(x, new, lambda leaf: at_sizes(leaf, known))
    return tuple(made)


def _at_sizes(x: Any, operands: tuple[ArrayExpr, ...], sizes: Mapping[str, int]) -> ArrayExpr:
    if not operands and not x.args:
        make, given = x.made_of()
        return make(*at_sizes(given, sizes)) if names_in(given) else x  # type: ignore[no-any-return]
    params = tuple([p.value for p in x.args[len(operands) :]])
    if operands == x.operands and not names_in(params):
        return x  # type: ignore[no-any-return]
    try:
        made = x.func(*operands, *at_sizes(params, sizes))
        made.check_sizes()
    except (RuntimeError, ValueError, IndexError, TypeError) as error:
        raise ValueError(f"{_named(x)} does not work at {listed(sizes)}: {error}") from error
    found = _shape(made)
    if found != at_sizes(_shape(x), sizes) or any(n < 0 for n in found if type(n) is int):
        raise ValueError(
            f"{_named(x)} has the shape {_shape(made)} at {listed(sizes)}, and the formula was "
            f"written for the shape {_shape(x)}"
        )
    return made  # type: ignore[no-any-return]


def _named(x: ArrayExpr) -> str:
    return f"{type(x).__name__.rstrip('_')}()"


def listed(sizes: Mapping[str, int]) -> str:
    """Return sizes for a message, as "n = 3, m = 4"."""
    return ", ".join([f"{name} = {n}" for name, n in sizes.items()])
