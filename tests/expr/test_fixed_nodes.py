"""A node is shared by all formulas that have it: nobody may change it."""

from __future__ import annotations

import inspect

import pytest

import symgrad
from symgrad.expr.atoms import Leaf, Placeholder
from symgrad.expr.node import ArrayExpr
from tests.each import each

#: What tensors let users assign to, and leaves of formulas with them.
ASSIGNED = sorted(
    name
    for name in dir(symgrad.Tensor)
    if isinstance(member := inspect.getattr_static(symgrad.Tensor, name), property)
    and member.fset is not None
)


@each("name", [*ASSIGNED, "expr"])
@each("x", [Leaf("q", (3,)), Placeholder("q", (3,)), Leaf("q", (3,)).sin()])
def test_no_attribute_of_a_node_is_assigned_to(name: str, x: ArrayExpr) -> None:
    before, text = hash(x), str(x)
    with pytest.raises(AttributeError):
        setattr(x, name, "z")
    assert (hash(x), str(x)) == (before, text)
    assert Leaf("q", (3,)).name == "q"
