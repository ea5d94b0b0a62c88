"""Nodes of operations with several results: one node for users, and a vertex for each result.

What the tape walks over are the vertices of the results, which are recorded and differentiated like
any other. What they have in common in PyTorch (the node that users see, its hooks, what a backward
pass frees) is in an object that they all keep and that keeps none of them.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from typing import Any

from symgrad.autograd.aval import Aval
from symgrad.autograd.node import Extra, GraphNode, Hooks, extra_of
from symgrad.autograd.tape import Node, class_named, edge_to
from symgrad.locks import making
from symgrad.utils.hooks import RemovableHandle

__all__ = ["JointNode", "Several", "join"]


class Part(Extra):
    """The `Extra` of one of several results: hooks on their node are those of all of them.

    Attributes
    ----------
    output_nr : int
        Which result it is.
    hooked : dict
        The hooks on each result that has some, in the order in which the first was registered.
    """

    __slots__ = ("hooked", "output_nr")

    def __init__(self, whole: Extra, hooked: dict[int, Hooks], output_nr: int) -> None:
        super().__init__()
        self.prehooks = whole.prehooks
        self.posthooks = whole.posthooks
        self.metadata = whole.metadata
        self.hooked = hooked
        self.output_nr = output_nr

    def stops(self) -> bool:
        return any(self.hooked.values()) or super().stops()

    def add_hook(self, hook: Callable[[Any], Any]) -> RemovableHandle:
        self.hooked.setdefault(self.output_nr, self.hooks)
        return super().add_hook(hook)

    def of_leaf(self) -> Extra:
        found = Extra()
        found.hooks = self.hooks
        return found


class Several(GraphNode):
    """The node of several results, each of which is a vertex of its own.

    Attributes
    ----------
    seq : int
        When it was recorded.
    inputs : tuple of vertex
        The operands that are tensors.
    extra : Extra or None
        Hooks and the like.
    hooked : dict
        The hooks on its results, which are called even where the result is gone.
    """

    __slots__ = ("__weakref__", "_outputs", "_parts", "extra", "hooked")

    seq: int
    inputs: tuple[Any, ...]

    def __init__(self) -> None:
        self.extra: Extra | None = None
        self.hooked: dict[int, Hooks] = {}
        self._outputs: dict[int, weakref.ref[Node]] = {}
        self._parts: dict[int, Part] = {}

    @property
    def count(self) -> int:
        """The number of results."""
        return len(self._avals())

    def _avals(self) -> tuple[Aval | None, ...]:
        raise NotImplementedError  # each kind of node has its own

    def made(self, index: int) -> Node:
        """Return a new vertex of a result whose former one is gone."""
        raise NotImplementedError  # each kind of node has its own

    def output(self, index: int) -> Node:
        """Return the vertex of a result, which the node does not keep alive."""
        with making:  # two of one result would not be the same place in a graph
            ref = self._outputs.get(index)
            found = None if ref is None else ref()
            if found is None:
                found = self.made(index)
            return found

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
        whole = extra_of(self)
        found = self._parts.get(index)
        if found is None:
            found = self._parts[index] = Part(whole, self.hooked, index)
        return found

    def stops(self) -> bool:
        """Return whether gradients have to be handed out here, those of all results together."""
        return self.extra is not None and (any(self.hooked.values()) or self.extra.stops())

    def edges(self) -> Sequence[Any]:
        """Return the vertices of `next_functions`; None where no gradient goes."""
        raise NotImplementedError  # each kind of node has its own

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        return tuple([(None, 0) if x is None else edge_to(x) for x in self.edges()])

    def let_go(self) -> None:
        """Let go of what is kept for the derivative."""
        raise NotImplementedError  # each kind of node has its own


class JointNode(Several):
    """The node of an operation whose results were recorded one by one.

    Parameters
    ----------
    vertices : sequence of Node
        Those of the results, in their order.
    """

    __slots__ = ("_kept", "inputs", "seq")

    def __init__(self, vertices: Sequence[Node]) -> None:
        super().__init__()
        self.inputs = vertices[0].inputs
        self.seq = vertices[0].seq
        # What a vertex is made of again, when it is gone and asked for.
        self._kept: list[tuple[Any, Any, Any]] = []
        noted = []
        for i, v in enumerate(vertices):
            self.enter(i, v)
            self._kept.append((v.sig, v.saved, v.storage))
            if v.extra is not None:
                noted.append((i, v.extra))
        if noted:
            self._take_over(noted)

    def _take_over(self, noted: Sequence[tuple[int, Extra]]) -> None:
        """Take over what was noted of the vertices while they were recorded."""
        whole = extra_of(self)
        for i, extra in reversed(noted):
            whole.metadata.update(extra.metadata)
            self.part(i).packed = extra.packed

    def new_extra(self) -> Extra:
        self.extra = whole = Extra()
        for v in self.outputs():  # the walk looks for hooks there
            v.extra = self.part(v.output_nr)
        return whole

    def name(self) -> str:
        return str(self._kept[0][0].name)

    def _avals(self) -> tuple[Aval | None, ...]:
        return tuple([sig.out for sig, _, _ in self._kept])

    def edges(self) -> list[Any]:
        return self.output(0).edges()

    def made(self, index: int) -> Node:
        sig, saved, storage = self._kept[index]
        vertex = Node(sig, self.inputs, saved, self.seq)
        self.enter(index, vertex)
        vertex.storage = storage
        vertex.extra = None if self.extra is None else self.part(index)
        return vertex

    def let_go(self) -> None:
        if any(sig.frees for sig, _, _ in self._kept):
            self._kept = [(sig, None, storage) for sig, _, storage in self._kept]
            for part in self._parts.values():
                part.packed = {}
            for v in self.outputs():
                v.saved = None

    def __call__(self, *gradients: Any) -> Any:
        """Return the gradients of the operands for those of the results."""
        from symgrad.autograd.stages import call_node  # noqa: PLC0415 - it imports this

        found = call_node(self, gradients)
        return found[0] if len(found) == 1 else tuple(found)

    def __getattr__(self, name: str) -> Any:
        """Return what is kept for the derivative of one of the results."""
        from symgrad.autograd.saved import saved_attribute, saved_names  # noqa: PLC0415 - it imports this

        vertices = [self.output(i) for i in range(self.count)]
        return saved_attribute(
            next((v for v in vertices if name in saved_names(v)), vertices[0]), name
        )

    def __dir__(self) -> list[str]:
        from symgrad.autograd.saved import saved_names  # noqa: PLC0415 - it imports this

        found = [x for i in range(self.count) for x in saved_names(self.output(i))]
        return [*super().__dir__(), *dict.fromkeys(found)]


def join(results: Sequence[Any]) -> None:
    """Let tensors, the results of one operation in their order, have one node."""
    vertices = [x._vertex for x in results]
    if len(vertices) < 2:
        return
    for x, v in zip(results, vertices, strict=True):
        if not isinstance(v, Node):
            return
        if v.saved:
            x._storage()  # what is saved may be changed when the vertex is gone
    class_named(JointNode, vertices[0].sig.name)(vertices)
