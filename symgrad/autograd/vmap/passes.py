"""Backward passes of several cotangents at once through hooks and custom functions.

Hooks and custom functions get batched tensors, whose entries are the gradients of the cotangents.
The parts of the graph between them are computed by plans over one more axis.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symgrad.autograd.vmap.levels import BatchLevel, at_level, entered
from symgrad.autograd.vmap.value import all_entries, batched
from symgrad.backward import engine
from symgrad.backward.plan import Plan
from symgrad.backward.running import Found, run_plan
from symgrad.backward.walking import Walk


@engine.of_each_entry.state
def of_each_entry(
    compute: Callable[[Sequence[Any]], Found], cotangents: Sequence[Any], size: int
) -> Found:
    """Return the gradients for each entry of `cotangents` along their first axis.

    Parameters
    ----------
    compute : callable
        Returns the gradients for cotangents of one entry.
    cotangents : sequence of Tensor
        One for each root.
    size : int
        The number of entries.
    """
    with entered(size, "error", is_pass=True) as level:
        found = compute([batched(level, ct) for ct in cotangents])
        with at_level(level.outer):
            gradients = [None if g is None else all_entries(g, level) for g in found.gradients]
    return Found(found.vertices, gradients)


def in_each_direction(
    push: Callable[[Sequence[Any]], Sequence[Any]], tangents: Sequence[Any], size: int
) -> list[Any]:
    """Return the tangents that `push` gives for each entry of `tangents` along their first axis.

    Parameters
    ----------
    push : callable
        Returns tangents, or None, from tangents of one direction.
    tangents : sequence of Tensor or None
        The tangents in all directions, along a leading axis.
    size : int
        The number of directions.
    """
    with entered(size, "error", is_pass=True) as level:
        found = push([None if t is None else batched(level, t) for t in tangents])
        with at_level(level.outer):
            return [None if t is None else all_entries(t, level) for t in found]


def run_plan_of_entries(
    level: BatchLevel,
    walked: Walk,
    roots: Sequence[Any],
    cotangents: Sequence[Any],
    positions: tuple[int, ...] | None,
    batch: int | None,
    *options: Any,
) -> tuple[Plan, list[Any]]:
    """Run a plan as `run_plan` does, for cotangents of which some are batched at `level`.

    Where `batch` is the length of an axis of the cotangents themselves, the plan gets both axes as
    one.
    """
    wholes = [None if ct is None else all_entries(ct, level) for ct in cotangents]
    size = level.size
    if batch is not None:
        wholes = [None if ct is None else ct.flatten(0, 1) for ct in wholes]
        size *= batch
    with at_level(level.outer):
        plan, found = run_plan(walked, roots, wholes, positions, size, *options)
        if batch is not None:
            apart = (level.size, batch)
            found = [None if g is None else g.unflatten(0, apart) for g in found]
    return plan, [None if g is None else batched(level, g) for g in found]
