"""The walk over the tape: the structural key of a graph, and the values that its nodes saved."""

from __future__ import annotations

from collections.abc import Container, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from symgrad.expr.atoms import Const
from symgrad.expr.node import ArrayExpr
from symgrad.record.function_node import FunctionNode
from symgrad.record.operations import Operation
from symgrad.record.signature import Signature, number_leaf
from symgrad.record.tape import Boundary, Derived, LeafVertex, Node, Number


class Walk(NamedTuple):
    """What one walk over the tape collects.

    Attributes
    ----------
    order : list of vertex
        Every vertex that the roots are made of, in the order in which they are met.
    position : dict
        The position of each vertex in `order`.
    key : list
        The structural key: graphs with equal keys have the same plan.
    values : list
        The residuals of all nodes, then what the caller appends.
    freed : list of Node
        Nodes whose residuals are gone.
    marked : list of int
        The positions of vertices with an `Extra`: hooks, or a retained gradient.
    deferred : list of (Node, int)
        Nodes whose residuals are computed again, and the position of the first one in `values`.
    """

    order: list[Any]
    position: dict[Any, int]
    key: list[Any]
    values: list[Any]
    freed: list[Node]
    marked: list[int]
    deferred: list[tuple[Node, int]]

    def fill(self) -> None:
        """Compute the residuals that were not saved."""
        for vertex, at in self.deferred:
            found: Any = vertex.saved
            self.values[at : at + len(vertex.sig.reads)] = found.residuals()

    def number_leaves(self) -> dict[ArrayExpr, ArrayExpr]:
        """Return the number of each leaf that stands for a varying number in the formulas."""
        return {
            number_leaf(at, v.sig): Const(v.saved[0])
            for v, at in zip(self.order, offsets_of(self.order), strict=True)
            if isinstance(v, Number)
        }

    @property
    def retained(self) -> list[int]:
        """The positions of results that retain their gradient."""
        order = self.order
        return [i for i in self.marked if order[i].extra.retain is not None]


def walk(roots: Sequence[Any], within: Container[Any] | None = None) -> Walk:
    """Collect structure and residuals of the graph above `roots`, once and without recursion.

    Where `within` is given, the walk ends at vertices outside of it, each replaced by a `Boundary`;
    but not before what a derivative reads as a formula.
    """
    position: dict[Any, int] = {}
    order: list[Any] = []
    key: list[Any] = []
    values: list[Any] = []
    freed: list[Node] = []
    deferred: list[tuple[Node, int]] = []
    for root in roots:
        if root not in position:
            position[root] = len(order)
            order.append(root)
        key.append(position[root])
    position_of, add_vertex = position.get, order.append
    add_to_key, add_values = key.append, values.extend
    end = None if within is None else _End(within, position)
    for vertex in order:  # grows while it is walked
        add_to_key(vertex.sig)
        if end is not None:
            end.note_formulas(vertex)
        for x in vertex.inputs:
            i = position_of(x)
            if i is None:
                position[x] = i = len(order)
                add_vertex(x if end is None else end.placed(x, i))
            add_to_key(i)
        try:
            add_values(vertex.saved)
        except TypeError:  # `saved` is None or a `Deferred`
            if vertex.saved is None:
                freed.append(vertex)
            else:
                deferred.append((vertex, len(values)))
            add_values((None,) * len(vertex.sig.reads))
    marked = [i for i, v in enumerate(order) if v.extra is not None]
    return Walk(order, position, key, values, freed, marked, deferred)


class _End:
    """Where a walk over a part of a graph ends.

    It goes on through leaves, through an operation one of whose results lies in the part, and, up
    to what the operation itself reads, through the formulas that its derivatives read.
    """

    def __init__(self, within: Container[Any], position: dict[Any, int]) -> None:
        self._within = within
        self._position = position
        self._formulas: set[Any] = set()

    def note_formulas(self, vertex: Any) -> None:
        """Note which operands of a vertex are read as formulas."""
        if vertex.sig.__class__ is not Signature:
            return
        cls = vertex.sig.cls
        if cls.read_as_formulas:
            inputs = iter(vertex.inputs)
            owners = [None if isinstance(x, Const) else next(inputs) for x in vertex.sig.operands]
            self._formulas.update([owners[k] for k in cls.read_as_formulas])
        elif vertex in self._formulas and not cls.ends_formulas:
            self._formulas.update(vertex.inputs)

    def placed(self, x: Any, i: int) -> Any:
        """Return the vertex that stands at a position: `x`, or where the walk ends its boundary."""
        if x.__class__ is Boundary:
            self._position.setdefault(x.vertex, i)
        elif not (
            x in self._within
            or x in self._formulas
            or x.__class__ in OUTSIDE
            or isinstance(x, Operation)
        ):
            x = Boundary(x)
            self._position[x] = i
        return x


#: The classes of vertices without inputs, which need no `Boundary`.
OUTSIDE = frozenset((LeafVertex, Number))


def nodes_between(walked: Walk, targets: Sequence[int]) -> list[int]:
    """Return the nodes from which a target is reached: those whose backward runs."""
    order, position = walked.order, walked.position
    live = {order[i] for i in targets if i >= 0}
    live.update([x.vertex for x in live if x.__class__ is Boundary])
    ran = []
    for vertex in sorted(order, key=attrgetter("seq")):
        if isinstance(vertex, (Node, Derived, FunctionNode)):
            for passes, x in zip(vertex.sig.passes, vertex.inputs, strict=True):
                if passes and x in live:
                    live.add(vertex)
                    ran.append(position[vertex])
                    break
    return ran


def offsets_of(order: Sequence[Any]) -> list[int]:
    """Return for each vertex the position of its first residual among the values of a walk."""
    out: list[int] = []
    total = 0
    for vertex in order:
        out.append(total)
        if isinstance(vertex, (Node, Derived)):
            total += len(vertex.sig.reads)
        elif isinstance(vertex, Number):
            total += 1
    return out
