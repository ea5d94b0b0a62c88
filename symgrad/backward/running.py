"""One run of a plan: of a walked graph, or of one node apart from its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from symgrad.backward.assumptions import value_vertices
from symgrad.backward.finish import Finish
from symgrad.backward.modified import check_saved, refuse_freed
from symgrad.backward.plan import Plan, Replay, find_plan
from symgrad.backward.saved import unpacked
from symgrad.backward.walking import OUTSIDE, Walk, walk
from symgrad.expr.atoms import Const
from symgrad.record.anomaly import anomaly, at
from symgrad.record.dual_level import forward_mode
from symgrad.record.modes import state, while_replaying
from symgrad.record.operations import AloneOperation, Operation
from symgrad.record.record import wrap
from symgrad.record.tape import Alone, Boundary, Node, Number
from symgrad.record.versions import newest


class Found(NamedTuple):
    """Gradients and their vertices: first those of the targets, then the retained ones."""

    vertices: list[Any]
    gradients: list[Any]

    def retained(self, count: int) -> Found:
        """Return the gradients after the first `count`, which are those of the targets."""
        return Found(self.vertices[count:], self.gradients[count:])


def run_plan(
    walked: Walk,
    roots: Sequence[Any],
    cotangents: Sequence[Any],
    positions: tuple[int, ...] | None,
    batch: int | None,
    create_graph: bool,
    unused: Callable[[int], None] | None = None,
    stable: bool = True,
    finish: Finish = Finish.GRADIENT,
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
    how = Replay.NONE
    if roots and forward_mode.level is not None:
        how = Replay.WITH_TANGENTS
    elif roots and create_graph:
        how = Replay.RECORDED
    plan = find_plan(
        *(walked, roots, tuple(seeds), positions, batch, stable, create_graph, how, finish),
        with_formulas=anomaly.enabled,
    )
    if unused is not None and positions is not None:
        for i, output in enumerate(plan.outputs[: len(positions)]):
            if output is None:
                unused(i)
    if newest.modified:
        _check_versions(walked, plan)
    if how is not Replay.NONE:
        return plan, at(roots[0], _replayed, plan, walked, cotangents, create_graph)
    return plan, [None if g is None else wrap(g) for g in plan.arrays(values)]


def release(nodes: Iterable[Any]) -> None:
    """Free the residuals of nodes that have run."""
    for vertex in nodes:
        if vertex.sig.frees:
            vertex.saved = None
            if vertex.extra is not None:
                vertex.extra.packed = {}


def _replayed(plan: Plan, walked: Walk, cotangents: Sequence[Any], create_graph: bool) -> list[Any]:
    """Run the plan's formulas through operations on tensors.

    Under `create_graph` they are recorded, so that gradients have a history; and where a dual
    level is entered, they get a tangent.
    """
    vertices = value_vertices(walked)
    given = [c for c in cotangents if c is not None]
    level = forward_mode.level

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
            level.set_tangent(made, level.by_vertex[vertex], None)
        return made

    return while_replaying(create_graph, plan.replay, value)


def _check_versions(walked: Walk, plan: Plan) -> None:
    """Raise where a residual that is read was modified after it was saved."""
    last, order = newest.modified, walked.order
    recorded_before = [v.seq <= last for v in order]
    if True in recorded_before:
        for i in sorted(plan.ran):
            if recorded_before[i] and isinstance(order[i], Node) and order[i].sig.reads:
                # A value that is kept for stable forms alone is not read once it is stale.
                check_saved(order[i])


def differentiate_alone(
    node: Node,
    cts: Sequence[Any],
    create_graph: bool,
    wanted: Callable[[Any], bool] | None = None,
) -> list[Any]:
    """Return the gradients of the operands of one node, in the order of its `next_functions`.

    None for an operand that requires no gradient, or is not `wanted`.

    Parameters
    ----------
    cts : sequence of Tensor or None
        The gradients of its results; there is one.
    """
    given = [ct for ct in cts if ct is not None]
    # Each edge has a gradient of its own, even where two operands are the same vertex. The walk
    # ends at all operands but those that are read as formulas, since beyond them may be vertices
    # that no plan can contain.
    edges: dict[int, Boundary] = {}
    saved = unpacked(node)
    if saved is None:
        refuse_freed(node)
    inputs = iter(node.inputs)
    vertices: list[Any] = []
    for i, (spec, need) in enumerate(zip(node.sig.operands, node.sig.needs, strict=True)):
        if not isinstance(spec, Const):
            x = next(inputs)
            is_formula = i in node.sig.cls.read_as_formulas
            is_edge = need and not is_formula and (wanted is None or wanted(x))
            if is_edge or not (is_formula or x.__class__ in OUTSIDE):
                x = Boundary(x)
            if is_edge:
                edges[i] = x
            vertices.append(x)
    packed = () if node.extra is None else node.extra.packed
    # Where hooks packed the residuals, the values that are kept for stable forms alone are gone.
    stable = not packed
    alone: list[Node]
    if isinstance(node, Operation):
        whole = AloneOperation(node, tuple(vertices), saved, packed)
        alone = [whole.output(i) for i, ct in enumerate(cts) if ct is not None]
    else:
        alone = [Alone(node, tuple(vertices), saved, packed)]
    walked = walk(alone, ())
    positions = tuple([walked.position[x] for x in edges.values()])
    _, found = run_plan(walked, alone, given, positions, None, create_graph, stable=stable)
    gradient = dict(zip(edges, found, strict=True))
    return [None if i is None else gradient.get(i) for i in node.sig.edges]
