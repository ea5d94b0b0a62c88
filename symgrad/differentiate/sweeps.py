"""Derivatives as transforms of expressions: `vjp`, `jvp`. Nothing here knows an operation.

Cotangents and tangents are expressions; a structural zero is None and never becomes an array.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr, Placeholder
from symgrad.ops import transforms
from symgrad.ops.composite import order_of
from symgrad.ops.primitive import Primitive, deriving
from symgrad.ops.results import Result, Several

F = TypeVar("F", bound=Callable[..., Any])

__all__ = ["derives", "fit", "jvp", "pull_back", "vjp"]


def derives(f: F) -> F:
    """Let the nodes that `f` makes take the rewrites of derivatives (`symgrad.simplify`)."""

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        deriving.depth += 1
        try:
            return f(*args, **kwargs)
        finally:
            deriving.depth -= 1

    return call  # type: ignore[return-value]


@transforms.vjp.state
@derives
def vjp(
    outputs: Sequence[ArrayExpr],
    cotangents: Sequence[ArrayExpr | None],
    wrt: Sequence[ArrayExpr],
    stable: bool = True,
    changed: Collection[ArrayExpr] = (),
    seen: Collection[ArrayExpr] = (),
) -> list[ArrayExpr | None]:
    """Pull cotangents of `outputs` back to `wrt`.

    Parameters
    ----------
    outputs : sequence of ArrayExpr
        What is differentiated.
    cotangents : sequence of ArrayExpr or None
        One for each output, of its shape; None is zero.
    wrt : sequence of ArrayExpr
        Nodes, usually leaves, of which derivatives are wanted.
    stable : bool
        Whether stable forms are differentiated in the place of nodes that have one.
    changed : collection of ArrayExpr
        Nodes that are differentiated as they are in any case.
    seen : collection of ArrayExpr
        Nodes whose own cotangent somebody looks at, also when the result is differentiated again:
        then it matters what the derivative reads.

    Returns
    -------
    list of ArrayExpr or None
        For each of `wrt` a cotangent of its shape and dtype, or None where nothing depends on it.
    """
    graph = _Graph(outputs, wrt)
    formulas = graph.formulas
    # Of an operation with several results a list, with a cotangent or None for each.
    pending: dict[ArrayExpr, Any] = {}
    found: dict[ArrayExpr, ArrayExpr] = {}
    for out, ct in zip(outputs, cotangents, strict=True):
        if ct is not None and out in graph.live:
            _accumulate(pending, out, ct)
    for node in reversed(graph.order):
        ct = pending.pop(node, None)
        if ct is None:
            continue
        if node in graph.wrt:
            found[node] = ct
        if not isinstance(node, Primitive):
            continue
        if formulas and node in formulas:
            if formulas[node] in graph.live:
                _accumulate(pending, formulas[node], ct)
            continue
        inner = None
        rounded = node.rounds and (not stable or graph.divides(ct, node))
        if stable and node.stable_forms and node not in changed and not rounded:
            inner = graph.stable_nodes(node, node in seen)
        if inner is None:
            rule = node.vjp_by_result if rounded or node in seen else node.vjp
            _pull_back(node, rule, ct, graph.live, pending)
            continue
        local: dict[ArrayExpr, Any] = {inner[-1]: ct}
        for new in reversed(inner):
            new_ct = local.pop(new, None)
            if new_ct is not None:
                _pull_back(new, new.vjp, new_ct, graph.live, local)
        for x, part in local.items():  # what is left belongs to the graph, and comes later
            _accumulate(pending, x, part)
    return [found.get(x) for x in wrt]


@transforms.jvp.state
@derives
def jvp(
    outputs: Sequence[ArrayExpr],
    wrt: Sequence[ArrayExpr],
    tangents: Sequence[ArrayExpr | None],
) -> list[ArrayExpr | None]:
    """Push tangents of `wrt` forward to `outputs`.

    Returns
    -------
    list of ArrayExpr or None
        For each output its tangent, of its shape and dtype; None where it does not depend on
        anything that moves.
    """
    graph = _Graph(outputs, wrt)
    moved: dict[ArrayExpr, Any] = {
        x: t for x, t in zip(wrt, tangents, strict=True) if t is not None
    }
    for node in graph.order:
        if node in graph.wrt or node not in graph.live or not isinstance(node, Primitive):
            continue
        formula = graph.formulas.get(node)
        if formula is not None:
            if formula in moved:
                moved[node] = moved[formula]
            continue
        inner = graph.stable_nodes(node) if node.stable_forms else None
        for new in inner or [node]:
            t = _pushed(new, [moved.get(x) for x in new.operands])
            if t is not None:
                moved[new] = _filled(t, new)
        if inner is not None and inner[-1] in moved:
            moved[node] = moved[inner[-1]]
    return [moved.get(x) for x in outputs]


@derives
def pull_back(node: Primitive, ct: Any, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
    """Return the cotangents of the operands of one node, as `vjp` makes them.

    Where the node has several results, `ct` is a sequence with a cotangent or None for each.
    """
    return node.vjp(ct, needs)


def _pushed(node: Primitive, tangents: Sequence[ArrayExpr | None]) -> Any:
    """Return the tangent of a node, or that of each of its results; by default transposed `vjp`."""
    found: Any = node.jvp(tangents)
    if found is not NotImplemented:
        return found
    if not isinstance(node, Several):
        ct = Placeholder("ct", node.shape, node.dtype)
        return _transposed(node, ct, ct, tangents)
    found = []
    for i, (shape, kind) in enumerate(zip(node.shapes, node.dtypes, strict=True)):
        ct = Placeholder("ct", shape, kind)
        cts = [ct if k == i else None for k in range(len(node))]
        found.append(_transposed(node, cts, ct, tangents) if kind.differentiable else None)
    return found


def _transposed(
    node: Primitive, given: Any, ct: ArrayExpr, tangents: Sequence[ArrayExpr | None]
) -> ArrayExpr | None:
    """Return the tangent of a result of `node` whose cotangent `ct` stands in what is `given`."""
    needs = [t is not None for t in tangents]
    parts, moves = [], []
    for x, t, part in zip(node.operands, tangents, node.vjp(given, needs), strict=True):
        if t is not None and part is not None:
            parts.append(fit(part, x))
            moves.append(t)
    return vjp(parts, moves, [ct])[0] if parts else None


def fit(ct: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    """Undo what broadcasting and promotion did to an operand: the one place that does."""
    if ct.shape != x.shape:
        ct = ct.sum_to(x.shape)
    if ct.dtype is not x.dtype:
        if ct.dtype.is_complex and not x.dtype.is_complex:
            ct = ct.real
        ct = ct.to(x.dtype)
    return ct


def _filled(t: Any, x: ArrayExpr) -> Any:
    """Give a tangent the shape and dtype of its primal; of several results, each of them."""
    if isinstance(x, Several):
        return [None if part is None else _filled(part, y) for part, y in zip(t, x, strict=True)]
    if t.shape != x.shape:
        t = t.broadcast_to(x.shape)
    return t if t.dtype is x.dtype else t.to(x.dtype)


class _Graph:
    """The nodes of some outputs in order, and which of them lead to `wrt`.

    A composite operation follows its formula, in whose place it is differentiated.
    """

    __slots__ = ("_poles", "_reads", "formulas", "live", "order", "position", "wrt")

    def __init__(self, outputs: Sequence[ArrayExpr], wrt: Sequence[ArrayExpr]) -> None:
        self.order, self.formulas = order_of(outputs)
        self.wrt = frozenset(wrt)
        self.live = set(wrt)
        self.position: dict[ArrayExpr, int] = {}
        # For each expression the last value that rounds digits away that it reads, and the last
        # that it reads where a small difference may make a large one.
        self._reads: dict[ArrayExpr, tuple[int, int]] = {}
        self._poles: bool | None = None
        live, formulas = self.live, self.formulas
        for node in self.order:
            # What is no real or complex number (a mask, an index) passes no derivative on.
            if formulas and node in formulas:
                if formulas[node] in live:
                    live.add(node)
            elif not live.isdisjoint(node.operands) and node.dtype.differentiable:
                live.add(node)

    def positions(self) -> dict[ArrayExpr, int]:
        """Return the position of each node in `order`."""
        if not self.position:
            self.position = {x: i for i, x in enumerate(self.order)}
        return self.position

    def has_poles(self) -> bool:
        """Whether there is an operation with a pole: derivatives of others have none, either."""
        if self._poles is None:
            self._poles = any(x.poles != () for x in self.order if isinstance(x, Primitive))
        return self._poles

    def divides(self, ct: ArrayExpr, node: Primitive) -> bool:
        """Whether a cotangent has a pole near some value of what follows from the value of `node`.

        A value that rounds digits away is 1 where it is almost 1. What follows from it, as
        `1 / (1 - p + 1e-12)`, may be larger than it is in truth by any factor; times a derivative
        that has these digits it would be nonsense. The derivative of the rounded value is 0 there.
        """
        if not self.has_poles():
            return False
        known, positions = self._reads, self.positions()
        for x in toposort([ct], known.__contains__):
            if x in known:
                continue
            plain = sharp = -1
            poles = x.poles if isinstance(x, Primitive) else ()
            for k, y in enumerate(x.operands):
                read, divided = known[y]
                sharp = max(sharp, divided)
                if poles is None or k in poles:
                    sharp = max(sharp, read)
                else:
                    plain = max(plain, read)
            if x in self.live and isinstance(x, Primitive) and x.rounds:
                plain = max(plain, positions.get(x, -1))
            known[x] = plain, sharp
        return known[ct][1] >= positions[node]

    def stable_nodes(self, node: Primitive, seen: bool = False) -> list[Primitive] | None:
        """Return the new nodes of the stable form of `node`, operands first; None without one.

        They stand on nodes of the graph that come before `node`. A form that would skip one of
        `wrt` is no form: its derivative is asked for. Nor is one for a node that is `seen` and does
        not occur in it.
        """
        read: list[Any] = [] if deriving.read is None else deriving.read
        known = len(read)
        for rule in node.stable_forms:
            form = rule(node)
            if form is not None:
                if seen and node not in form.operands:
                    break
                new = self._nodes_of_form(node, form)
                if new is not None:
                    if deriving.replaced is not None:
                        deriving.replaced.append(node)
                    return new
                break
            del read[known:]
        del read[known:]  # nothing follows from what was looked at
        return None

    def _below(self, x: ArrayExpr) -> Sequence[ArrayExpr]:
        return (self.formulas[x],) if x in self.formulas else x.operands

    def _nodes_of_form(self, node: Primitive, form: ArrayExpr) -> list[Primitive] | None:
        position = self.positions()
        here = position[node]
        base: set[ArrayExpr] = set()

        def below(x: ArrayExpr) -> bool:
            if position.get(x, here) >= here:
                return False
            base.add(x)
            return True

        inner = [x for x in toposort([form], below) if x not in base]
        skipped = toposort(node.operands, base.__contains__, self._below)
        if not self.wrt.isdisjoint([x for x in skipped if x not in base]):
            return None
        new = [x for x in inner if isinstance(x, Primitive)]
        for x in new:
            if not self.live.isdisjoint(x.operands):
                self.live.add(x)
        return new


def _pull_back(
    node: Primitive,
    rule: Callable[..., Sequence[ArrayExpr | None]],
    ct: Any,
    live: Collection[ArrayExpr],
    pending: dict[ArrayExpr, Any],
) -> None:
    operands = node.operands
    if node.__class__ is Result:  # one result waits for the others
        (source,) = operands
        if source not in pending:
            pending[source] = [None] * len(source)
        pending[source][node.param_values[0]] = ct
        return
    needs = [x in live for x in operands]
    if True not in needs:
        return
    parts = rule(ct, needs)
    for x, need, part in zip(operands, needs, parts, strict=True):
        if need and part is not None:
            _accumulate(pending, x, fit(part, x))


def _accumulate(pending: dict[ArrayExpr, Any], x: ArrayExpr, ct: ArrayExpr) -> None:
    seen = pending.get(x)
    pending[x] = ct if seen is None else seen + ct
