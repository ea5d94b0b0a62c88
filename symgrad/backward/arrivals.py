"""The gradients of a backward pass in stages, as they arrive at vertices and leave for `.grad`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.backward.accumulate import accumulate
from symgrad.backward.calling import after_hooks, after_posthooks, after_prehooks, check_tensor
from symgrad.backward.running import Found
from symgrad.backward.walking import Walk, nodes_between
from symgrad.ops.casting import cast
from symgrad.record.anomaly import at
from symgrad.record.modes import recording
from symgrad.record.node import OWN_DTYPE
from symgrad.record.operations import MultiVertex, Operation, Output
from symgrad.record.record import record
from symgrad.record.tape import Boundary, LeafVertex, Node


class Arrivals:
    """The gradients of one pass: those that wait at vertices, and those of targets.

    Attributes
    ----------
    position : mapping
        The place of each vertex of the graph; a target that is not in it gets no gradient.
    running : set of vertex
        The nodes that have to run.
    pending : dict
        The sum of the gradients that have arrived at each vertex so far.
    watched : set of MultiVertex
        The vertices of several results that a hook or a target needs the gradients of: the
        gradients of all results wait until the last of them has arrived.
    buffers : dict
        For each of them the gradients of its results, None for those that have not arrived.
    captured : dict
        The gradients of targets.
    kept : dict
        The gradients that targets retain, where hooks changed them: `grad` returns the gradient
        before the hooks, `.grad` is the one after them.
    reaches_all_leaves : bool
        Whether gradients are accumulated into all leaves, as by `backward()` without `inputs`.
    """

    def __init__(
        self,
        walked: Walk,
        roots: Sequence[Any],
        targets: Sequence[Any] | None,
        create_graph: bool,
        accumulates: bool,
    ) -> None:
        self.create_graph = create_graph
        self.accumulates = accumulates
        self.reaches_all_leaves = accumulates and targets is None
        self.position = walked.position
        order = walked.order
        if targets is None:
            wanted = [v for v in order if isinstance(v, LeafVertex) and v.requires_grad]
            self.targets: list[Any] = []
        else:
            wanted = self.targets = list(targets)
        self.wanted: set[Any] = set(wanted)
        results = _results_of_stops(order)
        at_targets = {operation_of(v) for v in wanted} & results.keys()
        # Of an operation with a result that is a target, the gradients of all results are needed.
        live = [*wanted, *[v for node in at_targets for v in results[node]]]
        self.running = {
            order[i] for i in nodes_between(walked, [walked.position.get(v, -1) for v in live])
        }
        if accumulates:  # the node of a target runs, although its gradients go nowhere
            self.running.update([v for v in self.targets if isinstance(v, Node)])
            outputs = [v for v in self.targets if isinstance(v, Output)]
            self.running.update([x for v in outputs if isinstance(x := v.inputs[0], Operation)])
        # As in PyTorch, hooks on a single root run even where no target is reached from it.
        first: set[Any] = set()
        if len(roots) == 1 and isinstance(roots[0], Node):
            at_targets.update({operation_of(roots[0])} & results.keys())
            first = {v for v in roots if v.retains or stops(v)}
        run = [node for node, found in results.items() if not self.running.isdisjoint(found)]
        self.running.update(run)
        self.watched: set[MultiVertex] = {*at_targets, *run}
        self.pending: dict[Any, Any] = {}
        self.buffers: dict[MultiVertex, list[Any]] = {}
        self.captured: dict[Any, Any] = {}
        self.kept: dict[Any, Any] = {}
        steps = [
            v
            for v in order
            if v in self.running
            or v in first
            or (v in self.wanted and isinstance(v, Node) and stops(v))
            or operation_of(v) in self.watched
        ]
        # The results of an operation are younger than the operation: they run before it, and hand
        # their gradients to it.
        steps = list(dict.fromkeys([*steps, *self.watched]))
        self.steps = sorted(steps, key=lambda v: v.seq, reverse=True)
        self.completed = self._leaves_by_last_use()

    def _leaves_by_last_use(self) -> dict[Any, list[LeafVertex]]:
        """Return for each node the leaves whose gradient is complete when it has run."""
        last: dict[LeafVertex, Any] = {}
        for v in self.steps:
            for x in v.inputs:
                if isinstance(x, LeafVertex) and x in self.wanted:
                    last[x] = v
        found: dict[Any, list[LeafVertex]] = {}
        for x, v in last.items():
            found.setdefault(v, []).append(x)
        for v, leaves in found.items():
            if len(leaves) > 1:  # in the order of the node's edges
                place = {x: i for i, x in reversed(list(enumerate(v.inputs)))}
                leaves.sort(key=place.__getitem__)
        return found

    def add(self, vertex: Any, gradient: Any) -> None:
        """Add a gradient that arrives at a vertex."""
        if gradient is None:
            return
        present = self.pending.get(vertex)
        self.pending[vertex] = gradient if present is None else present + gradient

    def reaches(self, vertex: Any) -> bool:
        """Return whether this pass computes the gradient of a vertex."""
        if operation_of(vertex) in self.watched:
            return True
        return vertex in self.position and (vertex in self.running or vertex in self.wanted)

    def found(self) -> Found:
        """Return the gradients of the targets that were not accumulated on the way."""
        left = [v for v in self.targets if not (self.accumulates and isinstance(v, LeafVertex))]
        found = [self.captured.get(v, self.pending.get(v)) for v in left]
        return Found([*left, *self.kept], [*found, *self.kept.values()])

    def goes_on_to(self, x: Any) -> bool:
        """Return whether the user or a later stretch reads the gradient of a vertex."""
        if isinstance(x, Boundary):
            return self.reaches(x.vertex)
        if isinstance(x, Node):
            return x in self.wanted or x.retains or stops(x)
        return x in self.wanted

    def complete(self, v: Any) -> None:
        """Let the gradients of leaves arrive that are complete when a node has run."""
        for leaf in self.completed.get(v, ()):
            at(leaf, self.arrive, leaf)

    def keep(self, v: Node, g: Any, arrived: Any = None) -> None:
        """Keep the gradient of a result that is a target, or accumulate it if it is retained.

        For a target that runs itself, `grad` returns the gradient that `arrived`, before the hooks,
        as PyTorch does.
        """
        if v in self.wanted:
            if arrived is not None and v in self.running and not self.accumulates:
                self.captured[v] = arrived
                if v.retains:
                    self.kept[v] = g
            else:
                self.captured[v] = g
        elif v.retains:
            accumulate(Found([v], [g]), self.create_graph)

    def arrive(self, leaf: LeafVertex) -> None:
        """Call the hooks of a leaf with its gradient, and accumulate the result."""
        g = self.pending.pop(leaf, None)
        if g is None or leaf not in self.wanted:
            return
        extra = leaf.extra
        if extra is None:
            if self.accumulates:
                accumulate(Found([leaf], [g]), self.create_graph)
            else:
                self.captured[leaf] = g
            return
        if extra.grad_dtype not in (OWN_DTYPE, None, g._aval.dtype):
            with recording(self.create_graph):
                g = record(cast, (g,), (extra.grad_dtype,))
        g = after_hooks(extra.hooks.values(), g)
        if not self.accumulates:
            self.captured[leaf] = g
            return
        (g,) = after_prehooks(extra.prehooks.values(), (g,))
        if g is not None:
            # A hook may have kept the tensor that it was given.
            kept = g.clone() if extra.hooks or extra.prehooks or extra.posthooks else g
            accumulate(Found([leaf], [kept]), self.create_graph)
        tensor = leaf.owner()
        if tensor is not None:
            for hook in list(extra.accumulated.values()):
                result = hook(tensor)
                if result is not None:
                    check_tensor(result)
        after_posthooks(extra.posthooks.values(), (), (g,))


def stops(v: Any) -> bool:
    """Return whether a vertex must run by itself, since it has hooks or is a function's."""
    if v.extra is not None and v.extra.stops():
        return True
    node = operation_of(v)
    return node is not None and bool(node.stops())


def operation_of(v: Any) -> Any:
    """Return the vertex of several results of which `v` is one; None for a single result."""
    return v.of[0] if isinstance(v, Node) and v.of is not None else None


def _results_of_stops(order: Sequence[Any]) -> dict[MultiVertex, list[Node]]:
    """Return the vertices of several results that must run by themselves, with the results."""
    found: dict[MultiVertex, list[Node]] = {}
    for v in order:
        node = operation_of(v)
        if node is not None and node.stops():
            found.setdefault(node, []).append(v)
    return found
