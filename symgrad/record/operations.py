"""The vertices of operations with several results: one for the operation, and one for each result.

The vertex of the operation holds the operands and the values saved for the derivative, as that of
an operation with one result does. The vertex of each result refers to the vertex of the operation,
which refers to it only weakly. The formula of such an operation is a `symgrad.ops.results.Several`.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symgrad.record.aval import Aval
from symgrad.record.node import Extra, GraphNode, HookTable, extra_of
from symgrad.record.tape import Node, shown
from symgrad.record.versions import Storage
from symgrad.support.hooks import RemovableHandle
from symgrad.support.locks import making


class OperationExtra(Extra):
    """The `Extra` of an operation with several results, with the hooks on all of these."""

    __slots__ = ("hooked",)

    def __init__(self, hooked: dict[int, HookTable]) -> None:
        super().__init__()
        self.hooked = hooked

    def stops(self) -> bool:
        return any(self.hooked.values()) or super().stops()


class ResultExtra(Extra):
    """The `Extra` of one of several results, whose hooks the vertex of the operation calls.

    Attributes
    ----------
    hooked : dict
        The hooks on each result that has any, in the order in which the first was registered.
    output_nr : int
        The number of the result.
    """

    __slots__ = ("hooked", "output_nr")

    def __init__(self, hooked: dict[int, HookTable], output_nr: int) -> None:
        super().__init__()
        self.hooked = hooked
        self.output_nr = output_nr

    def add_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        self.hooked.setdefault(self.output_nr, self.hooks)
        return super().add_hook(hook)

    def of_leaf(self) -> Extra:
        found = Extra()
        found.hooks = self.hooks
        return found


class MultiVertex:
    """The vertex of an operation or function that has several results.

    Attributes
    ----------
    extra : Extra or None
        Hooks and the like.
    hooked : dict
        The hooks on each of its results, which are called also for a result that is freed.
    """

    __slots__ = ()

    #: Whether gradients pass through: there would be no vertex otherwise.
    requires_grad = True
    extra: Any
    hooked: dict[int, HookTable]
    _outputs: dict[int, weakref.ref[Node]]
    _extras: dict[int, ResultExtra]

    @property
    def count(self) -> int:
        """The number of results."""
        return len(self.avals())

    @property
    def face(self) -> GraphNode:
        """The node that users see."""
        found: GraphNode = shown(self)
        return found

    def avals(self) -> tuple[Aval | None, ...]:
        raise NotImplementedError  # each kind of node has its own

    def new_output(self, index: int) -> Node:
        """Return a new vertex of a result, after the former one has been freed."""
        raise NotImplementedError  # each kind of node has its own

    def output(self, index: int) -> Node:
        """Return the vertex of a result, which the node does not keep alive."""
        with making:  # a result must not have two vertices
            found = self.living_output(index)
            return self.new_output(index) if found is None else found

    def living_output(self, index: int) -> Node | None:
        """Return the vertex of a result unless it has been freed."""
        ref = self._outputs.get(index)
        return None if ref is None else ref()

    def enter(self, index: int, vertex: Node) -> None:
        """Enter the vertex of a result."""
        vertex.of = (self, index)
        self._outputs[index] = weakref.ref(vertex)

    def outputs(self) -> list[Node]:
        """Return the vertices of the results that have not been freed."""
        found = [ref() for ref in list(self._outputs.values())]
        return [x for x in found if x is not None]

    def extra_of_result(self, index: int) -> ResultExtra:
        """Return the `Extra` of a result."""
        extra_of(self)  # the walk looks for hooks there, also where no result is in the graph
        return self._extras.setdefault(index, ResultExtra(self.hooked, index))

    def stops(self) -> bool:
        """Return whether hooks must be given the gradients of all results here."""
        return self.extra is not None and bool(self.extra.stops())

    def edges(self) -> Sequence[Any]:
        """Return the vertices of `next_functions`; None where no gradient goes."""
        raise NotImplementedError  # each kind of node has its own

    def shown_edges(self) -> Sequence[Any]:
        """Return the vertices that users see as `next_functions`."""
        return self.edges()

    def let_go(self) -> None:
        """Free the values that are saved for the derivative."""
        raise NotImplementedError  # each kind of node has its own


class Operation(MultiVertex, Node):
    """The vertex of a recorded operation with several results.

    Attributes
    ----------
    ended : int
        The time at which its results had been computed (`symgrad.record.versions.clock`).
    storages : dict
        The version counters of the results that are saved.
    """

    __slots__ = ("_extras", "_outputs", "ended", "hooked", "storages")

    def __init__(
        self, sig: Any, inputs: tuple[Any, ...], saved: tuple[Any, ...] | None, seq: int, ended: int
    ) -> None:
        Node.__init__(self, sig, inputs, saved, seq)
        self.hooked, self._outputs, self._extras = {}, {}, {}
        self.ended = ended
        self.storages: dict[int, Storage] = {}

    @property
    def result(self) -> tuple[GraphNode, int]:
        return self.face, 0

    def new_extra(self) -> Extra:
        return OperationExtra(self.hooked)

    def avals(self) -> tuple[Aval | None, ...]:
        return tuple([x.out for x in self.sig.results if x is not None])

    def edges(self) -> list[Any]:
        return Node.edges(self)

    def shown_edges(self) -> list[Any]:
        return Node.shown_edges(self)

    def new_output(self, index: int) -> Node:
        vertex = Output(self, self.sig.results[index], index, self.ended)
        vertex.storage = self.storages.get(index)
        vertex.extra = self._extras.get(index)
        return vertex

    def let_go(self) -> None:
        if self.sig.frees:
            self.saved = None
            if self.extra is not None:
                self.extra.packed = {}


class Output(Node):
    """The vertex of one of several results; its only input is the vertex of the operation."""

    __slots__ = ()

    def __init__(self, node: Any, sig: Any, index: int, seq: int) -> None:
        super().__init__(sig, (node,), (), seq)
        node.enter(index, self)

    @property
    def operands(self) -> tuple[Any, ...]:
        operands: tuple[Any, ...] = self.inputs[0].inputs
        return operands

    def edges(self) -> list[Any]:
        return list(self.inputs[0].edges())

    def shown_edges(self) -> list[Any]:
        return self.edges()

    @property
    def result(self) -> tuple[GraphNode, int]:
        return self.inputs[0].face, self.output_nr


class AloneOperation(Operation):
    """A copy of the vertex of an operation without its graph, as `Alone` is of a `Node`."""

    __slots__ = ("vertex",)

    def __init__(
        self,
        vertex: Operation,
        inputs: tuple[Any, ...],
        saved: tuple[Any, ...],
        packed: Iterable[int],
    ) -> None:
        super().__init__(vertex.sig, inputs, saved, vertex.seq, vertex.ended)
        self.vertex = vertex
        # Values that hooks packed have no version to check; the hooks may return other values.
        self.copied = frozenset([vertex.sig.reads[j] for j in packed])
        count = len(vertex.sig.operands)
        kept = vertex.storages.items()
        self.storages = {i: x for i, x in kept if count + i not in self.copied}
