"""`backward` and `grad`: from a plan's results to `.grad`, or to the caller.

Nothing is changed before everything has been computed: a call that fails leaves every `.grad` as
it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, NoReturn

from symgrad.backward.advice import advice_on_modified, advice_on_second_pass, remember_pass
from symgrad.backward.assumptions import original_of, value_vertices
from symgrad.backward.diagnosis import check_plan
from symgrad.backward.plan import Plan, Walk, find_plan, nodes_between, walk
from symgrad.expr.dtypes import tensor_class
from symgrad.expr.node import Const
from symgrad.record import replay as _replay  # noqa: F401 - states how plans are replayed
from symgrad.record.anomaly import anomaly, at, blame
from symgrad.record.dual_level import forward
from symgrad.record.modes import state, while_replaying
from symgrad.record.operations import Operation, Output
from symgrad.record.record import wrap
from symgrad.record.tape import Deferred, LeafVertex, Node, Number
from symgrad.record.versions import Storage
from symgrad.support.above import FromAbove

__all__ = [
    "Found",
    "check_operand",
    "check_result",
    "check_saved",
    "compute_gradients",
    "raise_modified",
    "refuse_freed",
    "release",
    "run_plan",
]

_SECOND_TIME = (
    "Trying to backward through the graph a second time (or directly access saved tensors after "
    "they have already been freed). Saved intermediate values of the graph are freed when you call "
    ".backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved tensors after calling backward."
)


class Found(NamedTuple):
    """Gradients, and the vertices that they belong to: first the targets, then retained ones."""

    vertices: list[Any]
    gradients: list[Any]

    def retained(self, count: int) -> Found:
        """Return what lies behind the first `count`."""
        return Found(self.vertices[count:], self.gradients[count:])


#: Computes the gradients for each entry of cotangents that are batches.
of_each_entry: FromAbove[Callable[..., Found]] = FromAbove("symgrad.autograd.vmap.passes")


def compute_gradients(
    roots: Sequence[Any],
    cotangents: Sequence[Any],
    targets: Sequence[Any] | None,
    retain_graph: bool,
    create_graph: bool,
    *,
    unused: Callable[[int], None] | None = None,
    batch: int | None = None,
    accumulates: bool = False,
) -> Found:
    """Differentiate `roots`.

    Parameters
    ----------
    roots : sequence of vertex
        What is differentiated.
    cotangents : sequence of Tensor or None
        One for each root; None is one.
    targets : sequence of vertex or None
        With respect to what; None for all leaves.
    retain_graph, create_graph : bool
        Keep the residuals; record the gradients.
    unused : callable, optional
        Called with the index of a target that nothing depends on.
    batch : int, optional
        The length of the leading axis that cotangents and gradients have in addition.
    accumulates : bool
        Whether the gradients are for `.grad`. The backward of a target's own node then counts as
        run, and where there are hooks, leaves are accumulated into on the way.

    Returns
    -------
    Found
        What is left to be handed out: a gradient or None for each target, then for each vertex on
        the way that retains its own.
    """
    walked = walk(roots)
    number = walked.number
    if targets is None:
        wanted = [v for v in walked.order if v.__class__ is LeafVertex and v.requires_grad]
        positions = None
    else:
        wanted = list(targets)
        positions = tuple([number.get(v, -1) for v in wanted])
    own = _own_nodes(walked, wanted) if accumulates and targets is not None else []
    if walked.freed:
        running = {*nodes_between(walked, [number.get(v, -1) for v in wanted]), *own}
        freed = [v for v in walked.freed if number[v] in running]
        if freed:
            refuse_freed(max(freed, key=attrgetter("seq")))
    if walked.deferred or (
        walked.marked and any(walked.order[i].extra.stops() for i in walked.marked)
    ):
        found = _in_stages(
            walked, roots, cotangents, targets, retain_graph, create_graph, accumulates, batch
        )
        if unused is not None:
            for i, g in enumerate(found.gradients):
                if g is None:
                    unused(i)
        if not retain_graph:
            remember_pass(roots)
        return found
    plan, gradients = run_plan(walked, roots, cotangents, positions, batch, create_graph, unused)
    if anomaly.enabled:
        check_plan(walked, plan, roots, cotangents, gradients, batch)
    order = walked.order
    if not retain_graph:
        release([order[i] for i in (*plan.ran, *own)])
        remember_pass(roots)
    if plan.retained:
        wanted += [order[i] for i in plan.retained]
    return Found(wanted, gradients)


def run_plan(
    walked: Walk,
    roots: Sequence[Any],
    cotangents: Sequence[Any],
    positions: tuple[int, ...] | None,
    batch: int | None,
    create_graph: bool,
    unused: Callable[[int], None] | None = None,
    stable: bool = True,
) -> tuple[Plan, list[Any]]:
    """Find the plan of a walked graph and return it with the gradients that it gives."""
    batching = state.state.batching
    if batching is not None:
        found: tuple[Plan, list[Any]] | None = batching.run_plan(
            walked, roots, cotangents, positions, batch, create_graph, unused, stable
        )
        if found is not None:
            return found
    walked.fill()
    values = walked.values
    seeds: list[int | None] = []
    for ct in cotangents:
        seeds.append(None if ct is None else len(values))
        if ct is not None:
            values.append(ct._data)
    plan = find_plan(walked, roots, tuple(seeds), positions, batch, stable, create_graph)
    if unused is not None and positions is not None:
        for i, output in enumerate(plan.outputs[: len(positions)]):
            if output is None:
                unused(i)
    if Storage.last_modified:
        _check_versions(walked, plan)
    if roots and (create_graph or forward.level is not None):
        return plan, at(roots[0], _replayed, plan, walked, cotangents, create_graph)
    return plan, [None if g is None else wrap(g) for g in plan.arrays(values)]


def _in_stages(
    walked: Walk,
    roots: Sequence[Any],
    cotangents: Sequence[Any],
    targets: Sequence[Any] | None,
    retain_graph: bool,
    create_graph: bool,
    accumulates: bool,
    batch: int | None,
) -> Found:
    from symgrad.backward.stages import compute_in_stages  # noqa: PLC0415 - it imports this

    def compute(given: Sequence[Any]) -> Found:
        return compute_in_stages(
            walked, roots, given, targets, retain_graph, create_graph, accumulates
        )

    if batch is None:
        return compute(cotangents)
    return of_each_entry.call(compute, cotangents, batch)


def release(nodes: Iterable[Any]) -> None:
    """Let go of the residuals of nodes that have run."""
    for vertex in nodes:
        if vertex.sig.frees:
            vertex.saved = None
            if vertex.extra is not None:
                vertex.extra.packed = {}


def refuse_freed(node: Any = None) -> NoReturn:
    """Raise PyTorch's error for a node that has to run and whose residuals are gone."""
    raise blame(node, RuntimeError(_SECOND_TIME + advice_on_second_pass(node)))


def _own_nodes(walked: Walk, targets: Sequence[Any]) -> list[int]:
    """Return the positions of targets that are results of operations in the graph."""
    own = [v.inputs[0] if isinstance(v, Output) else v for v in targets]
    return [walked.number[v] for v in own if isinstance(v, Node) and v in walked.number]


def _replayed(plan: Plan, walked: Walk, cotangents: Sequence[Any], create_graph: bool) -> list[Any]:
    """Run the plan's formulas through operations on tensors.

    Under `create_graph` they are recorded, so that gradients have a history; and where a dual
    level is entered, they get a tangent.
    """
    vertices = value_vertices(walked)
    given = [c for c in cotangents if c is not None]
    level = forward.level

    def value(i: int) -> Any:
        if i >= len(vertices):
            return given[i - len(vertices)]
        vertex, data = vertices[i], walked.values[i]
        if isinstance(vertex, Number):  # an input of the next plan as well
            return vertex
        if vertex is None:
            return wrap(data)
        made = wrap(data, None, vertex)
        if level is not None and vertex in level.by_vertex:
            level.know(made, level.by_vertex[vertex], None)
        return made

    return while_replaying(create_graph, plan.replay, value)


def _check_versions(walked: Walk, plan: Plan) -> None:
    """Raise where a residual that is read was modified after it was saved."""
    last, order = Storage.last_modified, walked.order
    recorded_before = [v.seq <= last for v in order]
    if True in recorded_before:
        for i in sorted(plan.ran):
            if recorded_before[i] and isinstance(order[i], Node):
                # What is kept for stable forms alone is not read once it is stale.
                check_saved(order[i])


def _operand_is_stale(vertex: Node, x: Any, k: int) -> bool:
    storage = getattr(x, "storage", None)
    if storage is None or storage.modified < vertex.seq:
        return False
    if isinstance(vertex.saved, Deferred) and vertex.saved.computes(original_of(x)):
        return False
    return k not in getattr(vertex, "copied", ())  # an operation in place keeps the old value


def _refuse_operand(vertex: Node, x: Any) -> NoReturn:
    storage = x.storage
    # PyTorch takes a view of changed memory anew.
    view = isinstance(x, Node) and x.sig.is_view
    modifier = "AsStridedBackward0" if view else storage.modifier
    raise_modified(vertex, x, storage, storage.version_at(vertex.seq), modifier)


def check_operand(vertex: Node, x: Any, k: int) -> None:
    """Raise where an operand, the one at `k`, was modified after it was saved."""
    if _operand_is_stale(vertex, x, k):
        _refuse_operand(vertex, x)


def check_result(vertex: Node, index: int = 0) -> None:
    """Raise where a result was modified after it was saved."""
    if isinstance(vertex.saved, Deferred):
        return
    if isinstance(vertex, Operation):
        _check_one(vertex, index)
        return
    storage = vertex.storage
    if storage is not None and storage.modified > vertex.seq:
        expected = storage.version_at(vertex.seq + 1)
        raise_modified(vertex, vertex, storage, expected, vertex.name(), vertex.output_nr)


def _check_one(vertex: Operation, index: int) -> None:
    """Raise where one of several results was modified after it was saved."""
    storage = vertex.storages.get(index)
    if storage is None or storage.modified <= vertex.ended:
        return
    expected = storage.version_at(vertex.ended + 1)
    if vertex.sig.results[index] is None:  # PyTorch names no function: it has no place in a graph
        raise_modified(vertex, _NoVertex(vertex.sig.outs[index]), storage, expected, "")
    raise_modified(vertex, vertex.output(index), storage, expected, vertex.name(), index)


class _NoVertex(NamedTuple):
    """What stands for a saved result without derivative where its vertex is asked for."""

    aval: Any


def check_saved(vertex: Node) -> None:
    """Raise where something that a node saved was modified since.

    What is kept for stable forms alone is not looked at.
    """
    from symgrad.backward.saved import packing_order  # noqa: PLC0415 - it imports this

    sig, inputs = vertex.sig, iter(vertex.inputs)
    places = [None if isinstance(x, Const) else next(inputs) for x in sig.operands]
    for j in packing_order(sig):
        k = sig.reads[j]
        if k < len(places):
            check_operand(vertex, places[k], k)
        elif k == len(places) or isinstance(vertex, Operation):
            check_result(vertex, k - len(places))


def raise_modified(
    reader: Any, vertex: Any, storage: Storage, expected: int, modifier: str, output: int = 0
) -> NoReturn:
    """Raise PyTorch's error for the value of a vertex, which the derivative of `reader` reads.

    It is the result number `output` of the function `modifier`.
    """
    aval = vertex.aval
    if not modifier and isinstance(vertex, Node):
        modifier = vertex.name()
    # PyTorch names the function here as it does in a graph, "ExpBackward0" or "PowBackward1",
    # less the word and the zero.
    function = re.sub(r"Backward0?(\d*)$", r"\1", modifier)
    whose = f", which is output {output} of {function}," if modifier else ""
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The "
        "variable in question was changed in there or anywhere later. Good luck!"
        if anomaly.enabled
        else "enable anomaly detection to find the operation that failed to compute its gradient, "
        "with torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    message = (
        "one of the variables needed for gradient computation has been modified by an inplace "
        f"operation: [{tensor_class(aval.dtype)} {list(aval.shape)}]{whose} is at version "
        f"{storage.version}; expected version {expected} instead. Hint: {hint}"
        + advice_on_modified(reader, vertex, storage, expected)
    )
    raise blame(reader, RuntimeError(message))
