"""Parts of arrays that were joined: an element of a stack is what was stacked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from symgrad.expr.graph import rebuild, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.casting import cast
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.joining import cat, stack
from symgrad.ops.slicing import part, updated

#: The most nodes of a formula of elements of which one element is written out.
_MOST_NODES = 50


def without_joints(es: Sequence[ArrayExpr], written: Collection[ArrayExpr] = ()) -> list[ArrayExpr]:
    """Return formulas in which a part of joined arrays is a part of these arrays.

    Nodes that are `written` stay.

    Examples
    --------
    >>> import symgrad
    >>> p, q = symgrad.symbols("p q")
    >>> x = symgrad.leaf("x", (4,))
    >>> without_joints([symgrad.stack([p, q])[1] * symgrad.cat([x, x])[4:6]])
    [q * x[:2]]
    """

    def visit(x: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
        made = x if operands == x.operands else x.func(*operands, *x.args[len(operands) :])
        if type(made) is not part or x in written or not all(type(n) is int for n in _sizes(made)):
            return made
        found = _selected(made.operands[0], made.key)
        if found is None:
            return made
        return found if found.dtype is made.dtype else cast.of(found, made.dtype)

    return rebuild(es, visit)


def _selected(x: Any, key: Any) -> ArrayExpr | None:
    """Return a part of an array as one of what it was made of; None where that is no shorter."""
    key = [*key, *[(0, n, 1) for n in x.shape[len(key) :]]]
    found = _joined(x, key)
    if found is not None or any(isinstance(k, tuple) for k in key):
        return found
    return _element(x, tuple(key))


def _element(x: ArrayExpr, key: tuple[int, ...]) -> ArrayExpr | None:
    """Return an element of what is computed by elements of joined arrays; None for others."""

    def below(y: ArrayExpr) -> tuple[ArrayExpr, ...]:
        is_of_elements = isinstance(y, Elementwise) and y.shape == x.shape
        return y.operands if is_of_elements else ()

    nodes = toposort([x], below=below)
    if len(nodes) > _MOST_NODES or any(y.shape not in ((), x.shape) for y in nodes):
        return None
    made: dict[ArrayExpr, ArrayExpr] = {}
    joined = False
    for y in nodes:
        if not y.shape:
            made[y] = y
        elif below(y):
            made[y] = y.func(*[made[z] for z in y.operands], *y.args[len(y.operands) :])
        else:
            found = _joined(y, list(key))
            joined |= found is not None
            made[y] = part.of(y, key) if found is None else found
    return made[x] if joined else None


def _sizes(x: Any) -> list[Any]:
    """Return the numbers of a part, which are integers unless they depend on sizes."""
    entries = [n for k in x.key for n in (k if isinstance(k, tuple) else (k,))]
    return [*entries, *x.operands[0].shape]


def _places(entry: Any) -> range:
    """Return the places along an axis that an entry of a key names."""
    if not isinstance(entry, tuple):
        return range(entry, entry + 1)
    return range(*entry)


def _of_stack(x: Any, key: list[Any]) -> ArrayExpr | None:
    entry, rest = key[x.axis], (*key[: x.axis], *key[x.axis + 1 :])
    if not isinstance(entry, tuple):
        return part.of(x.operands[entry], rest) if rest else x.operands[entry]
    chosen = [part.of(x.operands[k], rest) for k in _places(entry)]
    axis = sum(isinstance(k, tuple) for k in key[: x.axis])
    return stack.of(*chosen, axis) if chosen else None


def _of_row(x: Any, key: list[Any]) -> ArrayExpr | None:
    """Return a part of arrays in a row that lies within one of them."""
    places, start = _places(key[x.axis]), 0
    for y in x.operands:
        end = start + y.shape[x.axis] if len(y.shape) == len(x.shape) else start
        if places and start <= min(places) and max(places) < end:
            moved = _moved(key[x.axis], -start)
            return part.of(y, (*key[: x.axis], moved, *key[x.axis + 1 :]))
        start = end
    return None


def _moved(entry: Any, by: int) -> Any:
    if isinstance(entry, tuple):
        return entry[0] + by, entry[1] + by, entry[2]
    return entry + by


def _of_updated(x: Any, key: list[Any]) -> ArrayExpr | None:
    """Return a part of an array beside what was written into it."""
    for entry, written in zip(key, x.key, strict=False):
        if set(_places(entry)).isdisjoint(_places(written)):
            return part.of(x.operands[0], tuple(key))
    return None


def _joined(x: Any, key: list[Any]) -> ArrayExpr | None:
    if isinstance(x, stack):
        return _of_stack(x, key)
    if isinstance(x, cat):
        return _of_row(x, key)
    return _of_updated(x, key) if isinstance(x, updated) else None
