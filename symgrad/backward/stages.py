"""Backward passes in stages, for graphs with hooks or custom functions.

A graph without hooks and custom functions is one plan. Otherwise the nodes run in PyTorch's order,
latest first. Each stretch between two nodes that must run by themselves is a plan of its own, and
passes gradients on as arrays.

Most hooks on values look at gradients and leave them alone. Until one does more, values with hooks
stand within a stretch, whose plan gives their gradients as well, and the hooks are called in the
turn of each node. If one returns another gradient, writes to any tensor or takes the gradient's
memory as NumPy's, the nodes that follow run again, each between stops.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symgrad.backward.accumulate import accumulate
from symgrad.backward.arrivals import Arrivals, operation_of, stops
from symgrad.backward.calling import (
    after_hooks,
    after_hooks_that_look,
    after_posthooks,
    after_prehooks,
    only_looked,
)
from symgrad.backward.diagnosis import check_node
from symgrad.backward.running import Found, differentiate_alone, release
from symgrad.backward.stretch import Stretch
from symgrad.backward.walking import Walk
from symgrad.record import tape
from symgrad.record.anomaly import anomaly, at
from symgrad.record.function_node import FunctionNode
from symgrad.record.modes import recording, state
from symgrad.record.nesting import carried, in_fresh_thread, is_deep
from symgrad.record.operations import MultiVertex
from symgrad.record.record import Recorded, wrap
from symgrad.record.tape import Deferred, LeafVertex, Node
from symgrad.schema.dispatch import local as dispatching


def compute_in_stages(
    walked: Walk,
    roots: Sequence[Any],
    cotangents: Sequence[Any],
    targets: Sequence[Any] | None,
    retain_graph: bool,
    create_graph: bool,
    accumulates: bool,
) -> Found:
    """Differentiate a graph with hooks or custom functions.

    Parameters
    ----------
    walked, roots, cotangents, targets, retain_graph, create_graph
        As in `symgrad.backward.engine.compute_gradients`.
    accumulates : bool
        Whether gradients of leaves are added to their `.grad`, as soon as each is complete.

    Returns
    -------
    Found
        A gradient or None for each target, without the leaves that were accumulated into; behind
        them, what targets retain where that is another gradient.
    """
    run = Pass(walked, roots, targets, retain_graph, create_graph, accumulates)

    def run_pass() -> Found:
        around = _passes.stack
        _passes.stack = (*around, run)
        try:
            with recording(create_graph):
                for root, ct in zip(roots, cotangents, strict=True):
                    run.add(root, _ones_like(root) if ct is None else ct)
                run.run_all()
        finally:
            _passes.stack = around
        return run.found()

    return in_fresh_thread(run_pass) if is_deep(len(_passes.stack)) else run_pass()


class _Passes(threading.local):
    """The passes that run in a thread, each inside a hook or a function of the one before."""

    stack: tuple[Pass, ...] = ()


_passes = carried(_Passes())
carried(dispatching)


def current_pass() -> Pass:
    """Return the backward pass that runs in this thread.

    Raises
    ------
    AssertionError
        Outside of one.
    """
    if not _passes.stack:
        raise AssertionError("expected this hook to be called inside a backward call")
    return _passes.stack[-1]


def memory_of_pass() -> dict[Any, Any]:
    """Return what hooks remember until the end of the backward pass; empty outside of a pass."""
    return _passes.stack[-1].memory if _passes.stack else {}


@tape.call_node.state
def call_node(node: Node, gradients: Sequence[Any]) -> list[Any]:
    """Differentiate one node, as a user who calls it asks for."""
    cts = _checked_arguments(gradients, len(node.avals()))
    if all(ct is None for ct in cts):
        return [None] * len(node.shown_edges())
    return differentiate_alone(node, cts, state.state.enabled)


@tape.call_accumulator.state
def call_accumulator(leaf: LeafVertex, gradients: Sequence[Any]) -> tuple[()]:
    """Add to the gradient of a leaf, as a user who calls its node asks for."""
    (g,) = _checked_arguments(gradients, 1)
    if g is not None:
        accumulate(Found([leaf], [g.clone()]), state.state.enabled)
    return ()


def _checked_arguments(gradients: Sequence[Any], count: int) -> Sequence[Any]:
    if len(gradients) != count:
        raise TypeError(f"expected {count} arguments, got {len(gradients)} instead")
    for i, g in enumerate(gradients):
        if g is not None and not isinstance(g, Recorded):
            raise TypeError(f"argument {i} is not a Variable")
    return gradients


def _ones_like(root: Any) -> Any:
    return wrap(np.ones(root.aval.shape, root.aval.dtype.numpy))


class Pass(Arrivals):
    """One backward pass in stages.

    Attributes
    ----------
    reached : set of vertex
        The vertices at which a gradient arrives, zero or not. A custom function among them runs
        even where all its gradients are None.
    observes : bool
        Whether values with hooks may stand within a stretch.
    memory : dict
        What hooks and checkpoints remember until the end of the pass.
    """

    def __init__(
        self,
        walked: Walk,
        roots: Sequence[Any],
        targets: Sequence[Any] | None,
        retain_graph: bool,
        create_graph: bool,
        accumulates: bool,
    ) -> None:
        super().__init__(walked, roots, targets, create_graph, accumulates)
        self.retain_graph = retain_graph
        self.reached: set[Any] = set()
        self.memory: dict[Any, Any] = {}
        # With a graph of the gradients, those that hooks are given are part of it; of several
        # results, any may be given a hook later.
        self.observes = not (
            create_graph
            or anomaly.enabled
            or state.state.batching is not None
            or any(operation_of(v) is not None for v in self.steps)
        )

    def run_all(self) -> None:
        """Run the nodes, latest first."""
        if any(isinstance(v, FunctionNode) for v in self.steps):
            self.reached = self._all_reached()
        used = {x for leaves in self.completed.values() for x in leaves}
        for v in [v for v in self.pending if isinstance(v, LeafVertex) and v not in used]:
            at(v, self.arrive, v)
        self._run(self.steps)

    def _run(self, steps: Sequence[Any]) -> None:
        """Run nodes, and each stretch of them between two stops by one plan."""
        stretch: list[Any] = []
        group: Any = None
        for v in steps:
            if stops(v) and not (group is None and self._is_observed(v)):
                self._run_stretch(stretch)
                stretch = []
                at(v, self._stop_at, v)
                self.complete(v)
                continue
            if v.saved:  # residuals that are computed again are freed after their stretch
                previous, group = group, _group(v)
                if group is not previous:
                    self._run_stretch(stretch)
                    stretch = []
            stretch.append(v)
            if any(stops(x) for x in self.completed.get(v, ())):
                self._run_stretch(stretch)
                stretch = []
        self._run_stretch(stretch)

    def _all_reached(self) -> set[Any]:
        reached = set(self.pending)
        for v in self.steps:
            if v in reached and v in self.running:
                reached.update([x for x, p in zip(v.inputs, v.sig.passes, strict=True) if p])
        return reached

    def _is_observed(self, v: Any) -> bool:
        """Return whether a node only has hooks on its value, which so far have only looked.

        Where a gradient is given for the value, they are given that very tensor.
        """
        return (
            self.observes
            and v.__class__ is Node
            and v.of is None
            and _group(v) is None
            and v not in self.pending
            and _only_looks(v)
            and only_looked(_hooks_of(v))
        )

    def _run_stretch(self, nodes: Sequence[Any]) -> None:
        """Run nodes between two stops by one plan, and call their hooks, each in its turn."""
        stretch = Stretch(nodes, {v: self.pending.pop(v) for v in nodes if v in self.pending})
        try:
            stretch.differentiate(self)
        except Exception:
            if not any(map(stops, nodes)):
                raise
            fails = True
        else:
            fails = False
        if fails:  # the hooks before the node that fails are called, and then it fails again
            self._run_again(stretch, 0)
            return
        for i, v in enumerate(nodes):
            if not self._take_turn(stretch, i, v):
                return
            if v in stretch.saved and not self.retain_graph:
                release([v])
            for leaf in self.completed.get(v, ()):
                self.add(leaf, stretch.passed.pop(leaf, None))
            self.complete(v)
        for x, g in stretch.passed.items():
            self.add(x, g)

    def _take_turn(self, stretch: Stretch, i: int, v: Any) -> bool:
        """Call the hooks on the value of a node, and return whether the plan's gradients hold.

        Where they do not, the nodes that follow have run, each with hooks by itself.
        """
        seen, g = v in stretch.arrived, stretch.arrived.get(v)
        late = not seen and v in stretch.saved and isinstance(v, Node) and v.retains
        if late or (stretch.given and stops(v) and not (seen and _only_looks(v))):
            # A hook before has registered another one, or had the gradient retained.
            self._run_again(stretch, i)
            return False
        if g is None:
            return True
        new, changes = after_hooks_that_look(_hooks_of(v), g)
        self.keep(v, new, g)
        if changes or (stops(v) and not _only_looks(v)):
            self._run_again(stretch, i, new)
            return False
        return True

    def _run_again(self, stretch: Stretch, i: int, gradient: Any = None) -> None:
        """Run a stretch from one of its nodes on, each node with hooks by itself.

        What the nodes before have passed on is computed again; their hooks are not called.

        Parameters
        ----------
        stretch, i
            The stretch, and the place of the first node that runs.
        gradient
            The gradient of that node after its hooks, if these were called.
        """
        self.observes = False
        before = stretch.before(i)
        before.differentiate(self)
        for x, g in before.passed.items():  # leaves whose gradients are complete are not read again
            self.add(x, g)
        if not self.retain_graph:
            release(before.saved)
        for v, g in stretch.given.items():
            if v not in before.given:
                self.add(v, g)
        rest = stretch.nodes[i:]
        if gradient is not None:
            first, *rest = rest
            self.pending.pop(first, None)
            self._pass_on(first, (gradient,))
            self.complete(first)
        self._run(rest)

    def _stop_at(self, v: Any) -> None:
        """Run one node by itself, with its hooks."""
        if isinstance(v, MultiVertex):
            if v not in self.buffers and v not in self.reached:
                return
            cts = self._arrived(v)
        else:
            ct = self.pending.pop(v, None)
            if ct is None:
                return
            node = operation_of(v)
            if node in self.running:  # also where a hook has registered the first one just now
                self.watched.add(node)
            if node in self.watched:
                self.buffers.setdefault(node, [None] * node.count)[v.output_nr] = ct
                return
            arrived = ct
            if v.extra is not None:
                ct = after_hooks(v.extra.hooks.values(), ct)
            self.keep(v, ct, arrived)
            cts = (ct,)
        self._pass_on(v, cts)

    def _pass_on(self, v: Any, cts: tuple[Any, ...]) -> None:
        """Run one node by itself, given the gradients of its results."""
        if v not in self.running:
            return
        extra = v.extra
        if extra is not None:
            cts = after_prehooks(extra.prehooks.values(), cts)
        edges, gradients = self._differentiated(v, cts)
        if extra is not None and extra.posthooks:
            gradients = after_posthooks(extra.posthooks.values(), gradients, cts)
        check_node(v, gradients)
        if isinstance(v, FunctionNode):
            gradients = tuple(v.fitted(gradients, self.accumulates))
        if not self.retain_graph:
            if isinstance(v, MultiVertex):
                v.let_go()
            else:
                release([v])
        for x, g in zip(edges, gradients, strict=False):
            if x is not None and self.reaches(x):
                self.add(x, g)

    def _arrived(self, node: MultiVertex) -> tuple[Any, ...]:
        """Return the gradients of the results of one node, after the hooks on them."""
        cts = self.buffers.pop(node, [None] * node.count)
        arrived = list(cts)
        for i, hooks in list(node.hooked.items()):
            cts[i] = after_hooks(hooks.values(), cts[i])
        for x in node.outputs():
            if cts[x.output_nr] is not None:
                self.keep(x, cts[x.output_nr], arrived[x.output_nr])
        return tuple(cts)

    def _differentiated(
        self, v: Any, cts: tuple[Any, ...]
    ) -> tuple[Sequence[Any], tuple[Any, ...]]:
        """Return the vertices that gradients of one node go to, and the gradients."""
        edges = v.edges()
        if isinstance(v, FunctionNode):
            return edges, tuple(v.differentiate(cts))
        if all(ct is None for ct in cts):
            return edges, (None,) * len(edges)
        return edges, tuple(differentiate_alone(v, cts, self.create_graph, self.reaches))


def _group(v: Any) -> Any:
    """Return the region with which a node's residuals are computed again; None where kept."""
    return v.saved.group if isinstance(v.saved, Deferred) else None


def _hooks_of(v: Any) -> Sequence[Callable[..., Any]]:
    """Return the hooks on the value of a node."""
    return [] if v.extra is None else [*v.extra.hooks.values()]


def _only_looks(v: Any) -> bool:
    """Return whether a node stops for hooks on its value alone."""
    return v.extra is not None and v.extra.only_looks()
