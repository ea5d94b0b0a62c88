"""`backward` and `grad`: from a plan's results to `.grad`, or to the caller.

Nothing is changed before everything has been computed: a call that fails leaves every `.grad` as
it was.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from symgrad.backward.advice import remember_pass
from symgrad.backward.diagnosis import check_plan
from symgrad.backward.finish import Finish
from symgrad.backward.modified import refuse_freed
from symgrad.backward.running import Found, release, run_plan
from symgrad.backward.stages import compute_in_stages
from symgrad.backward.walking import Walk, nodes_between, walk
from symgrad.expr.shapes import size_of
from symgrad.record.anomaly import anomaly
from symgrad.record.dual_level import forward_mode
from symgrad.record.modes import state
from symgrad.record.operations import Output
from symgrad.record.tape import LeafVertex, Node
from symgrad.support.above import FromAbove

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
        The vertices that are differentiated.
    cotangents : sequence of Tensor or None
        The cotangent of each root; None stands for ones.
    targets : sequence of vertex or None
        The vertices whose gradients are computed; None for all leaves.
    retain_graph, create_graph : bool
        Whether the residuals are kept, and whether the gradients are recorded.
    unused : callable, optional
        Called with the index of each target that the roots do not depend on.
    batch : int, optional
        The length of the leading axis that cotangents and gradients have in addition.
    accumulates : bool
        Whether the gradients are for `.grad`. The node of a target then counts as run, and in
        stages the gradients of leaves are accumulated as soon as they are complete.

    Returns
    -------
    Found
        A gradient or None for each target that was not accumulated into yet, and then the gradient
        of each vertex that retains its own.
    """
    walked = walk(roots)
    position = walked.position
    if targets is None:
        wanted = [v for v in walked.order if v.__class__ is LeafVertex and v.requires_grad]
        positions = None
    else:
        wanted = list(targets)
        positions = tuple([position.get(v, -1) for v in wanted])
    own = _own_nodes(walked, wanted) if accumulates and targets is not None else []
    if walked.freed:
        running = {*nodes_between(walked, [position.get(v, -1) for v in wanted]), *own}
        freed = [v for v in walked.freed if position[v] in running]
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


def compute_at_once(
    finish: Finish,
    root: Any,
    targets: Sequence[Any],
    vectors: Sequence[Any] = (),
    most: int | None = None,
) -> dict[Any, Any] | None:
    """Return whole derivatives of a vertex, which are not recorded.

    Parameters
    ----------
    finish : Finish
        Which derivatives.
    root : vertex
        What is differentiated. Its residuals are kept.
    targets : sequence of vertex
        With respect to what.
    vectors : sequence of Tensor, optional
        What Hessians are multiplied with, one for each target.
    most : int, optional
        The most elements that an array may have on the way to a Jacobian or a Hessian.

    Returns
    -------
    dict or None
        The derivatives by target, of a Hessian by pair of targets; without those that are zero
        because of no dependence. None in place of it where hooks, custom functions or modes see
        each gradient by itself, or where an array may have more than `most` elements.
    """
    walked = walk([root])
    if (
        walked.freed
        or walked.deferred
        or walked.marked
        or anomaly.enabled
        or forward_mode.level is not None
        or state.state.batching is not None
    ):
        return None
    if most is not None:
        parts = [root] if finish is Finish.JACOBIAN else targets
        rows = max([size_of(v.aval.shape) for v in parts], default=0)
        nodes = [v for v in walked.order if isinstance(v, Node)]
        if any(rows * size_of(a.shape) > most for v in nodes for a in v.avals() if a):
            return None
    reached = [v for v in targets if v in walked.position]
    if not reached:
        return {}
    positions = tuple([walked.position[v] for v in reached])
    seeds = [ct for ct, v in zip(vectors, targets, strict=False) if v in walked.position] or [None]
    _, found = run_plan(walked, [root], seeds, positions, None, False, finish=finish)
    keys = itertools.product(reached, reached) if finish is Finish.HESSIAN else reached
    return {key: g for key, g in zip(keys, found, strict=True) if g is not None}


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
    def compute(given: Sequence[Any]) -> Found:
        return compute_in_stages(
            walked, roots, given, targets, retain_graph, create_graph, accumulates
        )

    if batch is None:
        return compute(cotangents)
    return of_each_entry.call(compute, cotangents, batch)


def _own_nodes(walked: Walk, targets: Sequence[Any]) -> list[int]:
    """Return the positions of targets that are results of operations in the graph."""
    own = [v.inputs[0] if isinstance(v, Output) else v for v in targets]
    return [walked.position[v] for v in own if isinstance(v, Node) and v in walked.position]
