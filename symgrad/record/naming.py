"""The names of tensors in formulas: the user's own, or short ones that are chosen when shown."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Container, Sequence
from typing import Any

from symgrad.expr.atoms import Leaf
from symgrad.record.tape import LeafVertex
from symgrad.record.user_code import variables
from symgrad.support.locks import making

# The living tensors that users have named; automatic names differ from their names.
_given: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()
_numbers = itertools.count()
#: The living tensors that were named after variables, one for each name. Formulas can be combined
#: in which each name stands for one tensor.
named_after_variables: weakref.WeakValueDictionary[str, Any] = weakref.WeakValueDictionary()


def reserve(name: str, tensor: Any) -> None:
    """Enter the name that a user has given to a tensor."""
    _given[name] = tensor


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


def name_after_variables(vertices: Sequence[LeafVertex], others: Container[str] = ()) -> None:
    """Name tensors that have no name yet after the user's variables that hold them.

    Such a name stays, as automatic names do. A name that another tensor of the graph has, or that
    is one of `others`, is not taken.
    """
    owners = {v: v.owner() for v in vertices if not (v.name or v.auto)}
    found = variables([x for x in owners.values() if x is not None])
    with making:
        taken = {v.name or v.auto for v in vertices}
        for vertex, owner in owners.items():
            name = found.get(id(owner), "")
            free = name not in taken and name not in _given and name not in others
            if name and not vertex.auto and free:
                vertex.auto = name
                taken.add(name)
                named_after_variables[name] = owner


def _second(vertex: LeafVertex, other: LeafVertex, taken: dict[str, Any]) -> str:
    """Name the second value of one tensor, which was modified between its uses."""
    if vertex.owner() is not other.owner() or vertex.owner() is None:
        raise ValueError(
            f"two different tensors of one formula are named {vertex.name!r}: give one of them "
            "another name, or none"
        )
    return next(n for i in itertools.count(1) if (n := f"{vertex.name}_{i}") not in taken)
