"""Nodes of operations with several results: one vertex for the operation, and one for each result.

The vertex of the operation holds its operands and what is saved for its derivative, as that of any
operation does. It keeps none of the vertices of its results, each of which keeps it.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symgrad.expr.node import Static
from symgrad.record.aval import Aval
from symgrad.record.node import Extra, GraphNode, Hooks, extra_of
from symgrad.record.tape import Node, shown
from symgrad.record.versions import Storage
from symgrad.support.hooks import RemovableHandle
from symgrad.support.locks import making

__all__ = [
    "AloneOperation",
    "BareSignature",
    "Operation",
    "Output",
    "Several",
]


class BareSignature:
    """What the walk asks of a vertex that no `Signature` describes: a custom function, a result.

    Attributes
    ----------
    name : str
        That of the operation or function.
    passes : tuple of bool
        Whether it passes gradients on to each of its inputs.
    out : Aval
        Shape and dtype of the result.
    frees : bool
        Whether a backward pass frees something.
    is_view : bool
        Whether the result is a view.
    """

    __slots__ = ("frees", "is_view", "name", "out", "passes")

    refusal = ""

    cls: Any = None
    operands: tuple[Any, ...] = ()
    edges: tuple[int | None, ...] = ()
    needs: tuple[bool, ...] = ()
    params: tuple[Static, ...] = ()
    reads: tuple[int, ...] = ()
    packing: tuple[int, ...] = ()
    masks: tuple[int, ...] = ()
    undefined = False

    def __init__(
        self, name: str, passes: tuple[bool, ...], out: Any, frees: bool, is_view: bool = False
    ) -> None:
        self.name = name
        self.passes = passes
        self.out = out
        self.frees = frees
        self.is_view = is_view


class Whole(Extra):
    """The `Extra` of an operation with several results, which knows the hooks on these."""

    __slots__ = ("hooked",)

    def __init__(self, hooked: dict[int, Hooks]) -> None:
        super().__init__()
        self.hooked = hooked

    def stops(self) -> bool:
        return any(self.hooked.values()) or super().stops()


class Part(Extra):
    """The `Extra` of one of several results: the operation calls its hooks.

    Attributes
    ----------
    hooked : dict
        The hooks on each result that has some, in the order in which the first was registered.
    output_nr : int
        Which result it is.
    """

    __slots__ = ("hooked", "output_nr")

    def __init__(self, hooked: dict[int, Hooks], output_nr: int) -> None:
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


class Several:
    """The vertex of an operation or function that has several results.

    Attributes
    ----------
    extra : Extra or None
        Hooks and the like.
    hooked : dict
        The hooks on its results, which are called even where the result is gone.
    """

    __slots__ = ()

    #: Whether gradients pass through: there would be no vertex otherwise.
    requires_grad = True
    extra: Any
    hooked: dict[int, Hooks]
    _outputs: dict[int, weakref.ref[Node]]
    _parts: dict[int, Part]

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

    def made(self, index: int) -> Node:
        """Return a new vertex of a result whose former one is gone."""
        raise NotImplementedError  # each kind of node has its own

    def output(self, index: int) -> Node:
        """Return the vertex of a result, which the node does not keep alive."""
        with making:  # two of one result would not be the same place in a graph
            found = self.present(index)
            return self.made(index) if found is None else found

    def present(self, index: int) -> Node | None:
        """Return the vertex of a result if somebody holds it."""
        ref = self._outputs.get(index)
        return None if ref is None else ref()

    def enter(self, index: int, vertex: Node) -> None:
        """Know a vertex as that of a result."""
        vertex.of = (self, index)
        self._outputs[index] = weakref.ref(vertex)

    def outputs(self) -> list[Node]:
        """Return the vertices of the results that somebody holds."""
        found = [ref() for ref in list(self._outputs.values())]
        return [x for x in found if x is not None]

    def part(self, index: int) -> Part:
        """Return the `Extra` of a result."""
        extra_of(self)  # the walk looks for hooks there, also where no result is in the graph
        return self._parts.setdefault(index, Part(self.hooked, index))

    def stops(self) -> bool:
        """Return whether gradients have to be handed out here, those of all results together."""
        return self.extra is not None and bool(self.extra.stops())

    def edges(self) -> Sequence[Any]:
        """Return the vertices of `next_functions`; None where no gradient goes."""
        raise NotImplementedError  # each kind of node has its own

    def shown_edges(self) -> Sequence[Any]:
        """Return the vertices that users see as `next_functions`."""
        return self.edges()

    def let_go(self) -> None:
        """Let go of what is kept for the derivative."""
        raise NotImplementedError  # each kind of node has its own


class Operation(Several, Node):
    """The vertex of a recorded operation with several results.

    Attributes
    ----------
    ended : int
        When its results were there.
    storages : dict
        The version counters of the results that are saved.
    """

    __slots__ = ("_outputs", "_parts", "ended", "hooked", "storages")

    def __init__(
        self, sig: Any, inputs: tuple[Any, ...], saved: tuple[Any, ...] | None, seq: int, ended: int
    ) -> None:
        Node.__init__(self, sig, inputs, saved, seq)
        self.hooked, self._outputs, self._parts = {}, {}, {}
        self.ended = ended
        self.storages: dict[int, Storage] = {}

    @property
    def result(self) -> tuple[GraphNode, int]:
        return self.face, 0

    def new_extra(self) -> Extra:
        return Whole(self.hooked)

    def avals(self) -> tuple[Aval | None, ...]:
        return tuple([x.out for x in self.sig.results if x is not None])

    def edges(self) -> list[Any]:
        return Node.edges(self)

    def shown_edges(self) -> list[Any]:
        return Node.shown_edges(self)

    def made(self, index: int) -> Node:
        vertex = Output(self, self.sig.results[index], index, self.ended)
        vertex.storage = self.storages.get(index)
        vertex.extra = self._parts.get(index)
        return vertex

    def let_go(self) -> None:
        if self.sig.frees:
            self.saved = None
            if self.extra is not None:
                self.extra.packed = {}


class Output(Node):
    """The vertex of one of several results; its only input is the vertex that has them all."""

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
    """An operation apart from the graph, as `Alone` is: it stands for `vertex`."""

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
        # What hooks packed is theirs: versions do not tell whether it is what it was.
        self.copied = frozenset([vertex.sig.reads[j] for j in packed])
        count = len(vertex.sig.operands)
        kept = vertex.storages.items()
        self.storages = {i: x for i, x in kept if count + i not in self.copied}
