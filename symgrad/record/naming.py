"""The names of tensors in formulas: the user's own, or short ones that are chosen when shown."""

from __future__ import annotations

import itertools
import re
import weakref
from collections import Counter
from collections.abc import Callable, Container, Sequence
from typing import Any

from numeric.identifiers import identifier
from symgrad.expr.atoms import Leaf
from symgrad.record.tape import LeafVertex
from symgrad.record.user_code import variables
from symgrad.support.locks import making

# The living tensors that users have named; automatic names differ from their names.
_given: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
_numbers = itertools.count()
#: The living tensors that were named after variables, or by `named`, one for each name. Formulas
#: can be combined in which each name stands for one tensor.
named_after_variables: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()


def reserve(name: str, tensor: Any) -> None:
    """Enter the name that a user has given to a tensor."""
    _given[name] = tensor


def call_leaf(tensor: Any, name: str) -> None:
    """Name a tensor without a history, unless another living tensor has that name."""
    vertex = tensor._vertex or tensor._leaf()
    if not isinstance(vertex, LeafVertex):
        return
    with making:
        if name not in _given and name not in named_after_variables:
            vertex.auto = name
            named_after_variables[name] = tensor


def leaf_exprs(vertices: Sequence[LeafVertex]) -> list[Leaf]:
    """Return the formula leaf of each vertex of one graph, by distinct names.

    Raises
    ------
    ValueError
        If two tensors of the graph have been given the same name.
    """
    taken: dict[str, LeafVertex] = {}
    out = []
    for vertex in vertices:
        if vertex.name:
            name = vertex.name
            other = taken.get(name)
            if other is not None:
                name = _second(vertex, other, taken)
            taken[name] = vertex
    names = {vertex: name for name, vertex in taken.items()}
    for vertex in vertices:
        found = names.get(vertex)
        if found is None:
            with making:
                while not vertex.auto or vertex.auto in _given or vertex.auto in taken:
                    vertex.auto = f"x{next(_numbers)}"
                found = vertex.auto
            taken[found] = vertex
        out.append(Leaf(found, vertex.aval.shape, vertex.aval.dtype))
    return out


class Home:
    """Where a module keeps a tensor or another module: the module itself, and the name in it.

    A copy and what comes out of a pickle are kept by another module, or by none: None is copied in
    the place of a home.

    Parameters
    ----------
    holder : Module
        The module, which answers by `_keeps(name, x)` whether it still keeps `x` under that name.
    name : str
        The name.
    """

    __slots__ = ("_holder", "name")

    def __init__(self, holder: Any, name: str) -> None:
        self._holder = weakref.ref(holder)
        self.name = name

    def holder_of(self, x: Any) -> Any:
        """Return the module that keeps `x` here; None where there is none any more."""
        holder = self._holder()
        return holder if holder is not None and holder._keeps(self.name, x) else None

    def __reduce__(self) -> Any:
        return _no_home, ()


def _no_home() -> None:
    return None


def _path_of(x: Any) -> tuple[list[str], Any]:
    """Return the names that lead from the outermost module to a tensor, and that module."""
    names: list[str] = []
    passed: list[Any] = []
    while x is not None and not any(x is y for y in passed):
        passed.append(x)
        home: Home | None = getattr(x, "_home", None)
        holder = None if home is None else home.holder_of(x)
        if home is None or holder is None:
            break
        names.append(home.name)
        x = holder
    return names[::-1], x


def _joined(path: Sequence[str]) -> str:
    """Return the identifier of a path, as `fc1_weight`; empty where there is none.

    A number in front has a word before it: `0.weight` is `layer0_weight`.
    """
    text = re.sub(r"\W", "_", "_".join(path))
    if text[:1].isdigit():
        text = f"{'layer' if len(path) > 1 else 'parameter'}{text}"
    try:
        return identifier(text, "a name")
    except ValueError:
        return ""


def _names_by_path(owners: Sequence[Any], taken: Callable[[str, Any], bool]) -> dict[int, str]:
    """Return the names of the tensors that modules keep, by the `id` of these.

    They are named after their paths in the outermost module. Where that name is taken, or several
    have it, the user's variable that holds this module stands before the path, or else a number
    behind it.
    """
    kept = {id(x): x for x in owners if x._home is not None}
    paths = {k: _path_of(x) for k, x in kept.items()}
    named = {k: _joined(path) for k, (path, _) in paths.items()}
    counts = Counter(named.values())
    alike = [k for k, name in named.items() if name and (counts[name] > 1 or taken(name, kept[k]))]
    if not alike:
        return named
    roots = variables([paths[k][1] for k in alike])
    for k in alike:
        path, root = paths[k]
        plain = _joined([roots[id(root)], *path]) if id(root) in roots else named[k]
        others = {name for j, name in named.items() if j != k}
        tried = itertools.chain([plain], (f"{plain}_{i}" for i in itertools.count(2)))
        named[k] = next(n for n in tried if n not in others and not taken(n, kept[k]))
    return named


def name_after_variables(vertices: Sequence[LeafVertex], others: Container[str] = ()) -> None:
    """Name tensors that have no name yet after the modules or the user's variables that hold them.

    Such a name stays, as automatic names do. A name that another tensor of the graph has, or that
    is one of `others`, is not taken.
    """
    owners = {v: v.owner() for v in vertices if not (v.name or v.auto)}
    living = [x for x in owners.values() if x is not None]
    names = {v.name or v.auto for v in vertices}

    def is_taken(name: str, owner: Any) -> bool:
        # A parameter keeps its name where a step has changed it.
        is_kept = owner._home is not None and named_after_variables.get(name) is owner
        elsewhere = name in others and not is_kept
        return name in names or name in _given or elsewhere

    found = variables(living)
    found |= {k: name for k, name in _names_by_path(living, is_taken).items() if name}
    with making:
        for vertex, owner in owners.items():
            name = found.get(id(owner), "")
            if name and not vertex.auto and not is_taken(name, owner):
                vertex.auto = name
                names.add(name)
                named_after_variables[name] = owner


def _second(vertex: LeafVertex, other: LeafVertex, taken: dict[str, Any]) -> str:
    """Name the second value of one tensor, which was modified between its uses."""
    if vertex.owner() is not other.owner() or vertex.owner() is None:
        raise ValueError(
            f"two different tensors of one formula are named {vertex.name!r}: give one of them "
            "another name, or none"
        )
    return next(n for i in itertools.count(1) if (n := f"{vertex.name}_{i}") not in taken)
