"""A node is shared by all formulas that have it: nobody may change it."""

from __future__ import annotations

import inspect
import subprocess
import sys

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


def test_nodes_that_are_left_at_the_end_are_not_looked_up() -> None:
    """To compare keys takes names of modules, which are gone when the interpreter ends."""
    code = """
import builtins, symgrad
from symgrad.expr import node

class Left:
    def __init__(self, x):
        self.x = x
    def __del__(self):
        node_type.__eq__ = None
        del self.x

node_type = type("Key", (), {"__hash__": lambda self: 1, "__eq__": lambda self, other: False})
class Formula:
    pass
x = Formula()
node.enter_node((node_type(),), x)
(entry,) = [e for k, e in node._nodes.items() if type(k[0]) is node_type]
entry.key = (node_type(),)  # equal hashes, so that the keys are compared
builtins.left = Left(x)
del x
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr == ""
