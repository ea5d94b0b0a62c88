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
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from symgrad.backward.accumulate import accumulate
from symgrad.backward.diagnosis import check_node, check_plan
from symgrad.backward.running import Found, differentiate_alone, release, run_plan
from symgrad.backward.walking import Walk, nodes_between, walk
from symgrad.expr.dtypes import tensor_class
from symgrad.ops.casting import cast
from symgrad.record import tape
from symgrad.record.anomaly import anomaly, at
from symgrad.record.function_node import FunctionNode
from symgrad.record.modes import recording, state
from symgrad.record.nesting import carried, in_fresh_thread, is_deep
from symgrad.record.node import OWN_DTYPE
from symgrad.record.operations import MultiVertex, Operation, Output
from symgrad.record.record import Recorded, record, wrap
from symgrad.record.tape import Boundary, Deferred, LeafVertex, Node
from symgrad.record.versions import Storage
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


class Pass:
    """One backward pass in stages.

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
    reached : set of vertex
        The vertices at which a gradient arrives, zero or not. A custom function among them runs
        even where all its gradients are None.
    reaches_all_leaves : bool
        Whether gradients are accumulated into all leaves, as by `backward()` without `inputs`.
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
        self.retain_graph = retain_graph
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
        at_targets = {_operation_of(v) for v in wanted} & results.keys()
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
            at_targets.update({_operation_of(roots[0])} & results.keys())
            first = {v for v in roots if v.retains or _stops(v)}
        run = [node for node, found in results.items() if not self.running.isdisjoint(found)]
        self.running.update(run)
        self.watched: set[MultiVertex] = {*at_targets, *run}
        self.pending: dict[Any, Any] = {}
        self.reached: set[Any] = set()
        self.buffers: dict[MultiVertex, list[Any]] = {}
        self.captured: dict[Any, Any] = {}
        self.kept: dict[Any, Any] = {}
        self.memory: dict[Any, Any] = {}
        steps = [
            v
            for v in order
            if v in self.running
            or v in first
            or (v in self.wanted and _stops(v))
            or _operation_of(v) in self.watched
        ]
        # The results of an operation are younger than the operation: they run before it, and hand
        # their gradients to it.
        steps = list(dict.fromkeys([*steps, *self.watched]))
        self.steps = sorted(steps, key=lambda v: v.seq, reverse=True)
        self.completed = self._leaves_by_last_use()
        self.has_functions = any(isinstance(v, FunctionNode) for v in self.steps)
        # Whether values with hooks may stand within a stretch. With a graph of the gradients, those
        # that hooks are given are part of it; of several results, any may be given a hook later.
        self.observes = not (
            create_graph
            or anomaly.enabled
            or state.state.batching is not None
            or any(_operation_of(v) is not None for v in self.steps)
        )

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

    def run_all(self) -> None:
        """Run the nodes, latest first."""
        if self.has_functions:
            self.reached = self._all_reached()
        used = {x for leaves in self.completed.values() for x in leaves}
        for v in [v for v in self.pending if isinstance(v, LeafVertex) and v not in used]:
            at(v, self._arrive, v)
        self._run(self.steps)

    def _run(self, steps: Sequence[Any]) -> None:
        """Run nodes, and each stretch of them between two stops by one plan."""
        stretch: list[Node] = []
        group: Any = None
        for v in steps:
            if _stops(v) and not (group is None and self._is_observed(v)):
                self._flush(stretch)
                stretch = []
                at(v, self._stop_at, v)
                self._complete(v)
                continue
            if v.saved:  # residuals that are computed again are freed after their stretch
                previous, group = group, _group(v)
                if group is not previous:
                    self._flush(stretch)
                    stretch = []
            stretch.append(v)
            if any(_stops(x) for x in self.completed.get(v, ())):
                self._flush(stretch)
                stretch = []
        self._flush(stretch)

    def _all_reached(self) -> set[Any]:
        reached = set(self.pending)
        for v in self.steps:
            if v in reached and v in self.running:
                reached.update([x for x, p in zip(v.inputs, v.sig.passes, strict=True) if p])
        return reached

    def reaches(self, vertex: Any) -> bool:
        """Return whether this pass computes the gradient of a vertex."""
        if _operation_of(vertex) in self.watched:
            return True
        return vertex in self.position and (vertex in self.running or vertex in self.wanted)

    def found(self) -> Found:
        """Return the gradients of the targets that were not accumulated on the way."""
        left = [v for v in self.targets if not (self.accumulates and isinstance(v, LeafVertex))]
        found = [self.captured.get(v, self.pending.get(v)) for v in left]
        return Found([*left, *self.kept], [*found, *self.kept.values()])

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
            and _changing.isdisjoint(map(_code_of, _hooks_of(v)))
        )

    def _flush(self, stretch: Sequence[Node]) -> None:
        """Run nodes between two stops, by one plan."""
        roots = {v: self.pending.pop(v) for v in stretch if v in self.pending}
        ran: set[Any] = set()
        arrived: dict[Any, Any] = {}
        passed: dict[Any, Any] = {}
        if roots:
            try:
                ran, arrived, passed = self._differentiate(stretch, roots)
            except Exception:
                if not any(map(_stops, stretch)):
                    raise
                fails = True
            else:
                fails = False
            if fails:  # at a node that comes after hooks, perhaps
                self._run_again(stretch, 0, roots, {})
                return
        saved = {v: v.saved for v in ran}
        for i, v in enumerate(stretch):
            g, hooks = arrived.get(v), _hooks_of(v)
            looks = v in arrived and _only_looks(v)
            late = v in ran and v not in arrived and getattr(v, "retains", False)
            if late or (roots and not looks and _stops(v)):
                # A hook before has registered another one, or had the gradient retained.
                self._run_again(stretch, i, roots, saved)
                return
            if g is not None:
                written = Storage.last_written
                new = _after_hooks(hooks, g)
                changes = new is not g or Storage.last_written != written
                changes |= Storage.any_exposed and new._storage().exposed
                changes |= not _only_looks(v) and _stops(v)
                self._keep(v, new, g)
                if changes and hooks:
                    _note_changing(hooks)
                    self._run_again(stretch, i, roots, saved, new)
                    return
            if v in ran and not self.retain_graph:
                release([v])
            for leaf in self.completed.get(v, ()):
                self.add(leaf, passed.pop(leaf, None))
            self._complete(v)
        for x, g in passed.items():
            self.add(x, g)

    def _differentiate(
        self, stretch: Sequence[Node], roots: dict[Node, Any]
    ) -> tuple[set[Any], dict[Any, Any], dict[Any, Any]]:
        """Differentiate nodes between two stops, given the gradients of some of them.

        Returns
        -------
        ran : set
            The nodes that are differentiated.
        arrived, passed : dict
            The gradients of values that somebody sees, before hooks; and those that pass on to
            leaves and to nodes outside.
        """
        walked = walk([*roots], set(stretch))
        cotangents = [*roots.values()]
        reached = [i for i, x in enumerate(walked.order) if self._goes_on_to(x)]
        plan, found = run_plan(
            walked, [*roots], cotangents, tuple(reached), None, self.create_graph
        )
        if anomaly.enabled:
            check_plan(walked, plan, [*roots], cotangents, found)
        arrived: dict[Any, Any] = {}
        passed: dict[Any, Any] = {}
        for i, g in zip(reached, found, strict=False):
            x = walked.order[i]
            if isinstance(x, Node):
                arrived[x] = g
            else:
                passed[x.vertex if isinstance(x, Boundary) else x] = g
        return {walked.order[i] for i in plan.ran}, arrived, passed

    def _run_again(
        self,
        stretch: Sequence[Node],
        i: int,
        roots: dict[Node, Any],
        saved: dict[Any, Any],
        gradient: Any = None,
    ) -> None:
        """Run a stretch from one of its nodes on, each node with hooks by itself.

        What the nodes before have passed on is computed again; their hooks are not called.

        Parameters
        ----------
        stretch, i
            The nodes, and the place of the first that runs.
        roots, saved
            The gradients that were given, and the residuals of nodes that have run.
        gradient
            The gradient of that first node after its hooks, if these were called.
        """
        self.observes = False
        for v, residuals in saved.items():
            v.saved = residuals
        before, first, after = stretch[:i], stretch[i], stretch[i + 1 :]
        places = set(before)
        own = {v: g for v, g in roots.items() if v in places}
        if own:
            ran, _, passed = self._differentiate(before, own)
            for x, g in passed.items():  # nobody asks again for leaves whose gradients are complete
                self.add(x, g)
            if not self.retain_graph:
                release(ran)
        for v, g in roots.items():
            if v not in own:
                self.add(v, g)
        if gradient is None:
            self._run(stretch[i:])
            return
        self.pending.pop(first, None)
        self._pass_on(first, (gradient,))
        self._complete(first)
        self._run(after)

    def _goes_on_to(self, x: Any) -> bool:
        """Return whether the user or a later stretch reads the gradient of a vertex."""
        if isinstance(x, Boundary):
            return self.reaches(x.vertex)
        if isinstance(x, Node):
            return x in self.wanted or x.retains or _stops(x)
        return x in self.wanted

    def _complete(self, v: Any) -> None:
        for leaf in self.completed.get(v, ()):
            at(leaf, self._arrive, leaf)

    def _keep(self, v: Node, g: Any, arrived: Any = None) -> None:
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

    def _arrive(self, leaf: LeafVertex) -> None:
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
        g = _after_hooks(extra.hooks.values(), g)
        if not self.accumulates:
            self.captured[leaf] = g
            return
        (g,) = _after_prehooks(extra.prehooks.values(), (g,))
        if g is not None:
            # A hook may have kept the tensor that it was given.
            kept = g.clone() if extra.hooks or extra.prehooks or extra.posthooks else g
            accumulate(Found([leaf], [kept]), self.create_graph)
        tensor = leaf.owner()
        if tensor is not None:
            for hook in list(extra.accumulated.values()):
                result = hook(tensor)
                if result is not None:
                    _check_tensor(result)
        _after_posthooks(extra.posthooks.values(), (), (g,))

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
            node = _operation_of(v)
            if node in self.watched:
                self.buffers.setdefault(node, [None] * node.count)[v.output_nr] = ct
                return
            arrived = ct
            if v.extra is not None:
                ct = _after_hooks(v.extra.hooks.values(), ct)
            self._keep(v, ct, arrived)
            cts = (ct,)
        self._pass_on(v, cts)

    def _pass_on(self, v: Any, cts: tuple[Any, ...]) -> None:
        """Run one node by itself, given the gradients of its results."""
        if v not in self.running:
            return
        extra = v.extra
        if extra is not None:
            cts = _after_prehooks(extra.prehooks.values(), cts)
        edges, gradients = self._differentiated(v, cts)
        if extra is not None and extra.posthooks:
            gradients = _after_posthooks(extra.posthooks.values(), gradients, cts)
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
            cts[i] = _after_hooks(hooks.values(), cts[i])
        for x in node.outputs():
            if cts[x.output_nr] is not None:
                self._keep(x, cts[x.output_nr], arrived[x.output_nr])
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


def _stops(v: Any) -> bool:
    """Return whether a vertex must run by itself, since it has hooks or is a function's."""
    if v.extra is not None and v.extra.stops():
        return True
    node = _operation_of(v)
    return node is not None and bool(node.stops())


def _operation_of(v: Any) -> Any:
    """Return the vertex of several results of which `v` is one; None for a single result."""
    return v.of[0] if isinstance(v, Node) and v.of is not None else None


def _results_of_stops(order: Sequence[Any]) -> dict[MultiVertex, list[Node]]:
    """Return the vertices of several results that must run by themselves, with the results."""
    found: dict[MultiVertex, list[Node]] = {}
    for v in order:
        node = _operation_of(v)
        if node is not None and node.stops():
            found.setdefault(node, []).append(v)
    return found


# ---------------------------------------------------------------- what hooks may return


#: The code of hooks that have returned a gradient or written to a tensor.
_changing: set[Any] = set()
_MOST_CHANGING = 256


def _hooks_of(v: Any) -> Sequence[Callable[..., Any]]:
    """Return the hooks on the value of a node."""
    return [] if v.extra is None else [*v.extra.hooks.values()]


def _only_looks(v: Node) -> bool:
    """Return whether a node stops for hooks on its value alone."""
    return v.extra is not None and v.extra.only_looks()


def _code_of(hook: Callable[..., Any]) -> Any:
    """Return what hooks have in common that are made at one place."""
    return getattr(hook, "__code__", type(hook))


def _note_changing(hooks: Iterable[Callable[..., Any]]) -> None:
    if len(_changing) >= _MOST_CHANGING:
        _changing.clear()
    _changing.update(map(_code_of, hooks))


def _after_hooks(hooks: Iterable[Callable[..., Any]], g: Any) -> Any:
    """Return a gradient as hooks on the tensor leave it."""
    for hook in list(hooks):
        result = hook(g)
        if result is not None:
            _check_tensor(result)
            _check_replacement(hook, g, result)
            g = result
    return g


def _after_prehooks(hooks: Iterable[Callable[..., Any]], cts: tuple[Any, ...]) -> tuple[Any, ...]:
    for hook in list(hooks):
        cts = _replaced(hook, cts, hook(cts))
    return cts


def _after_posthooks(
    hooks: Iterable[Callable[..., Any]], gradients: tuple[Any, ...], cts: tuple[Any, ...]
) -> tuple[Any, ...]:
    for hook in list(hooks):
        gradients = _replaced(hook, gradients, hook(gradients, cts))
    return gradients


def _replaced(hook: Callable[..., Any], old: tuple[Any, ...], new: Any) -> tuple[Any, ...]:
    """Return the tuple that a hook of a node gave, or the one before where it gave None."""
    if new is None:
        return old
    if not isinstance(new, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(new).__name__}'")
    if len(new) != len(old):
        raise RuntimeError(
            f"hook '{_name(hook)}' has returned an incorrect number of values (got {len(new)}, but "
            f"expected {len(old)})"
        )
    for before, after in zip(old, new, strict=True):
        if after is not None:
            _check_tensor(after)
            _check_replacement(hook, before, after)
    return new


def _check_tensor(result: Any) -> None:
    if not isinstance(result, Recorded):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")


def _check_replacement(hook: Callable[..., Any], old: Any, new: Any) -> None:
    if old is None:
        raise RuntimeError("can't replace a None gradient with a non-None value")
    if old._aval.dtype is not new._aval.dtype:
        raise RuntimeError(
            f"hook '{_name(hook)}' has changed the type of value (was "
            f"{tensor_class(old._aval.dtype)} got {tensor_class(new._aval.dtype)})"
        )
    if old._aval.shape != new._aval.shape:
        raise RuntimeError(f"hook '{_name(hook)}' has changed the size of value")


def _name(hook: Callable[..., Any]) -> str:
    return getattr(hook, "__name__", "<unknown>")
