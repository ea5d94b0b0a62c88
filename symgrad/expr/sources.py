"""Which leaves the formulas had that a formula was derived from.

A derivative may have lost leaves: that of `(x - a)**2`, taken twice, is 2. Whoever evaluates it
still has values for `x` and `a`. Equal formulas are one node, so a node knows the leaves of every
formula that it was derived from, as long as it lives; a leaf that none of them had stays unknown. A
formula that is pickled takes with it what it and its parts know.

A node also knows that it came about as a derivative, which is printed as it is read in a book.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable
from typing import Any

from symgrad.expr.atoms import Leaf
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.support.locks import new_lock

#: Leaves by what makes them: a node that kept the leaves themselves might keep itself.
Sources = frozenset[tuple[Any, ...]]

# Numbers live for ever, and may be derivatives of any number of formulas: the last ones count.
_MOST_SOURCES = 256
_MOST_LEAVES = 1 << 16
_lock = new_lock()


def leaves_of_source(*source: ArrayExpr) -> Sources:
    """Return the leaves of formulas, and those of the formulas that these were derived from."""
    nodes = toposort(source)
    found = {(x.name, x.shape, x.dtype, x.symbol, x.facts) for x in nodes if type(x) is Leaf}
    return frozenset(found.union(*_kept(nodes, set(source))))


def keep_sources(
    derived: Iterable[ArrayExpr], known: Sources, written: Container[ArrayExpr] = ()
) -> None:
    """Let formulas know the leaves of what they were derived from.

    Those among the nodes that a user has written are printed as these, and not as derivatives.
    """
    for made in derived:
        with _lock:
            kept = {**(made.sources or {})}
            kept[known] = kept.pop(known, False) or made not in written
            while len(kept) > 1 and (
                len(kept) > _MOST_SOURCES or sum(map(len, kept)) > _MOST_LEAVES
            ):
                del kept[next(iter(kept))]
            made.sources = kept


def copy_sources(
    source: ArrayExpr, made: ArrayExpr, of: Callable[[tuple[Any, ...]], tuple[Any, ...]]
) -> None:
    """Let a formula know what another one knows, with `of` the makings of each leaf."""
    for known, derived in (source.sources or {}).items() if made is not source else ():
        keep_sources([made], frozenset(map(of, known)), () if derived else [made])


def is_derived(e: ArrayExpr) -> bool:
    """Return whether a formula came about as a derivative."""
    return e.sources is not None and any(e.sources.values())


def nodes_written(*source: ArrayExpr) -> set[ArrayExpr]:
    """Return the nodes of formulas that are no derivatives."""
    return set(toposort([y for y in source if not is_derived(y)]))


def lost_leaves(roots: Iterable[ArrayExpr]) -> dict[str, list[Leaf]]:
    """Return, by their names, the leaves that formulas or parts of them may have lost."""
    roots = tuple(roots)
    found: dict[str, list[Leaf]] = {}
    for made in frozenset[Any]().union(*_kept(toposort(roots), set(roots))):
        found.setdefault(made[0], []).append(Leaf(*made))
    return found


def _kept(nodes: Collection[ArrayExpr], roots: Container[ArrayExpr]) -> list[Sources]:
    """Return what formulas and their parts were derived from.

    A number or a leaf may be a part by chance, unless there is nothing but numbers.
    """
    is_number = not any(isinstance(x, Leaf) for x in nodes)
    told = [x for x in nodes if x.sources and (x.operands or x in roots or is_number)]
    return [source for x in told for source in x.sources or ()]


def _reduced(e: ArrayExpr, protocol: Any) -> tuple[Any, ...]:
    known = [
        sorted([Leaf(*made).made_of()[1] for made in source], key=str)
        for source in _kept(toposort([e]), {e})
    ]
    return (*e.made_of(), (is_derived(e), known)) if known else e.made_of()


def _restore(e: ArrayExpr, state: tuple[bool, Iterable[Iterable[tuple[Any, ...]]]]) -> None:
    derived, known = state
    for source in known:
        leaves = leaves_of_source(*[Leaf(*made) for made in source])
        keep_sources([e], leaves, () if derived else [e])


#: The methods that pickle formulas and restore what they know.
PICKLED: dict[str, Any] = {"__reduce_ex__": _reduced, "__setstate__": _restore}
