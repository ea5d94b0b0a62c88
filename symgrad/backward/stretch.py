"""A stretch of a backward pass: nodes between two stops, which one plan differentiates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symgrad.backward.arrivals import Arrivals
from symgrad.backward.diagnosis import check_plan
from symgrad.backward.running import run_plan
from symgrad.backward.walking import walk
from symgrad.record.anomaly import anomaly
from symgrad.record.tape import Boundary, Node


class Stretch:
    """Nodes between two stops, and what their plan has found.

    Attributes
    ----------
    nodes : sequence of Node or Derived
        The nodes, latest first.
    given : dict
        The gradients that have arrived at some of them.
    saved : dict
        The residuals of the nodes that were differentiated, which may be free by now.
    arrived, passed : dict
        The gradients of values that somebody sees, before hooks; and those that pass on to leaves
        and to nodes outside.
    """

    def __init__(self, nodes: Sequence[Any], given: dict[Any, Any]) -> None:
        self.nodes = nodes
        self.given = given
        self.saved: dict[Any, Any] = {}
        self.arrived: dict[Any, Any] = {}
        self.passed: dict[Any, Any] = {}

    def differentiate(self, arrivals: Arrivals) -> None:
        """Find the gradients that the user, or a later stretch of the pass, reads."""
        if not self.given:
            return
        roots, cotangents = [*self.given], [*self.given.values()]
        walked = walk(roots, set(self.nodes))
        order = walked.order
        reached = tuple([i for i, x in enumerate(order) if arrivals.goes_on_to(x)])
        plan, found = run_plan(walked, roots, cotangents, reached, None, arrivals.create_graph)
        if anomaly.enabled:
            check_plan(walked, plan, roots, cotangents, found)
        for i, g in zip(reached, found, strict=False):
            x = order[i]
            if isinstance(x, Node):
                self.arrived[x] = g
            else:
                self.passed[x.vertex if isinstance(x, Boundary) else x] = g
        self.saved = {order[i]: order[i].saved for i in plan.ran}

    def before(self, i: int) -> Stretch:
        """Return the stretch of the first `i` nodes, as if nothing had run yet."""
        for v, residuals in self.saved.items():
            v.saved = residuals
        nodes = self.nodes[:i]
        own = set(nodes)
        return Stretch(nodes, {v: g for v, g in self.given.items() if v in own})
