"""Containers of arguments and results: the leaves that they hold, and their structure.

Containers are tuples, named ones and shapes too, lists, deques and dicts, `OrderedDict` and
`defaultdict` among them, and the fields of dataclasses that hold tensors; everything else is a leaf.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import itemgetter
from typing import Any

from symgrad.expr.node import ArrayExpr
from symgrad.expr.size import Size
from symgrad.record.record import Recorded


class Tree:
    """The structure of an argument or a result: a container of structures, or a leaf.

    Attributes
    ----------
    kind : type or None
        The type of the container; None for a leaf.
    context : object
        What a container of this kind is made with, beside its parts: keys, or the class of a named
        tuple.
    parts : tuple of Tree
        The structures of its items.
    count : int
        The number of leaves.
    """

    __slots__ = ("context", "count", "kind", "parts")

    def __init__(self, kind: Any = None, context: Any = None, parts: Sequence[Tree] = ()) -> None:
        self.kind = kind
        self.context = context
        self.parts = tuple(parts)
        self.count: int = 1 if kind is None else sum([p.count for p in parts])

    def __repr__(self) -> str:
        return self._text(0)

    def _text(self, indent: int) -> str:
        """Return the text by which PyTorch's messages show a structure."""
        if self.kind is None:
            return "*"
        indent += 2
        parts = f",\n{' ' * indent}".join([p._text(indent) for p in self.parts])
        if self.kind is _DATACLASS:
            instance, names = self.context
            return f"{type(instance).__name__}({', '.join(names)}: {parts})"
        name = "namedtuple" if self.kind is _NAMED else self.kind.__name__
        return f"TreeSpec({name}, {self.context}, [{parts}])"

    def key(self, typed: Callable[[Any], Any]) -> Any:
        """Return what tells structures apart; `typed` gives that of a constant in one."""
        if self.kind is None:
            return None
        context = self.context
        if self.kind is _DATACLASS:
            instance, held = context
            fields = [f.name for f in dataclasses.fields(instance)]
            rest = [typed(getattr(instance, k)) for k in fields if k not in held]
            context = type(instance), held, *rest
        elif self.keys is not None:
            context = (*map(typed, self.keys), *(context[:1] if self.kind is defaultdict else ()))
        return self.kind, context, *[p.key(typed) for p in self.parts]

    def build(self, leaves: Sequence[Any]) -> Any:
        """Return the container that holds `leaves`."""
        if self.kind is None:
            (leaf,) = leaves
            return leaf
        made, at = [], 0
        for part in self.parts:
            made.append(part.build(leaves[at : at + part.count]))
            at += part.count
        if self.kind is _NAMED:
            return self.context(*made)
        if self.kind is _DATACLASS:
            instance, names = self.context
            return dataclasses.replace(instance, **dict(zip(names, made, strict=True)))
        if self.kind is Size:
            return tuple(made)
        if self.kind is tuple or self.kind is list:
            return self.kind(made)
        if self.kind is deque:
            return deque(made, self.context)
        items = zip(self.keys or (), made, strict=True)
        return defaultdict(self.context[0], items) if self.kind is defaultdict else self.kind(items)

    @property
    def is_flat(self) -> bool:
        """Whether all parts are leaves."""
        return all(part.kind is None for part in self.parts)

    def builder(self) -> Callable[[Sequence[Any]], Any]:
        """Return `build` as a function for many calls, which makes tuples and leaves faster."""
        return _picker(self, 0) or self.build

    @property
    def keys(self) -> list[Any] | None:
        """The keys of a dict; None for other structures."""
        return _keys(self.kind, self.context)


#: Stand for the type of all named tuples, and of all dataclasses.
_NAMED: Any = object()
_DATACLASS: Any = object()

_LEAF = Tree()


def _picker(tree: Tree, at: int) -> Callable[[Sequence[Any]], Any] | None:
    """Return a function that builds a leaf, or tuples, of leaves from a place on; None for others."""
    if tree.kind is None:
        return itemgetter(at)
    if tree.kind is not tuple:
        return None
    places = accumulate([part.count for part in tree.parts], initial=at)
    found = [_picker(part, place) for part, place in zip(tree.parts, places, strict=False)]
    parts = [pick for pick in found if pick is not None]
    if len(parts) < len(found):
        return None
    if tree.is_flat and len(parts) > 1:
        return itemgetter(*range(at, at + tree.count))
    return lambda leaves: tuple([part(leaves) for part in parts])


def _items_of(x: Any) -> tuple[Any, Any, list[Any]] | None:
    """Return the kind, the context and the parts of a container; None for a leaf."""
    cls = type(x)
    if isinstance(x, tuple) and hasattr(cls, "_fields"):
        return _NAMED, cls, list(x)
    if cls is tuple or cls is list or cls is Size:
        return cls, None, list(x)
    if cls is deque:
        return cls, x.maxlen, list(x)
    if cls is dict or cls is OrderedDict:
        return cls, list(x), list(x.values())
    if cls is defaultdict:
        return cls, [x.default_factory, list(x)], list(x.values())
    if dataclasses.is_dataclass(x) and not isinstance(x, type):
        given = {f.name: getattr(x, f.name) for f in dataclasses.fields(x) if f.init}
        held = {k: v for k, v in given.items() if any(map(_is_array, flattened(v)[0]))}
        return _DATACLASS, (x, tuple(held)), list(held.values())
    return None


def _is_array(x: Any) -> bool:
    return isinstance(x, (Recorded, ArrayExpr))


def _keys(kind: Any, context: Any) -> list[Any] | None:
    if kind is dict or kind is OrderedDict:
        return list(context)
    return list(context[1]) if kind is defaultdict else None


def flattened(x: Any) -> tuple[list[Any], Tree]:
    """Return the leaves of `x`, in order, and its structure."""
    container = _items_of(x)
    if container is None:
        return [x], _LEAF
    kind, context, parts = container
    leaves: list[Any] = []
    trees = []
    for part in parts:
        own, tree = flattened(part)
        leaves += own
        trees.append(tree)
    return leaves, Tree(kind, context, trees)


def broadcast_to_tree(x: Any, tree: Tree) -> list[Any] | None:
    """Return one leaf of `x` for each leaf of `tree`; None where its structure does not fit.

    A leaf of `x` may stand for a whole part of the tree. Dicts of all kinds fit one another,
    whatever the order of their keys.
    """
    container = _items_of(x)
    if container is None:
        return [x] * tree.count
    kind, context, parts = container
    same = kind is tree.kind and len(parts) == len(tree.parts)
    keys, wanted = _keys(kind, context), tree.keys
    if keys is not None and wanted is not None:
        if len(keys) != len(wanted) or set(keys) != set(wanted):
            return None
        found_at = dict(zip(keys, parts, strict=True))
        parts = [found_at[k] for k in wanted]
    elif not same or (kind is _NAMED and context is not tree.context):
        return None
    out: list[Any] = []
    for part, structure in zip(parts, tree.parts, strict=True):
        found = broadcast_to_tree(part, structure)
        if found is None:
            return None
        out += found
    return out
