"""Derivatives as transforms of expressions: `vjp` and `jvp`, by the rules of each primitive.

`vjp` visits the nodes from the outputs to the inputs. For a node y = f(x1, …) with cotangent ct it
adds ct * (dy/dxi), which `Primitive.vjp` returns, to the cotangent of each operand xi. `jvp` visits
the nodes in the other order and computes the tangent of y from those of the operands. Cotangents
and tangents are expressions; a symbolic zero is None, and never becomes an array. Nothing here
names an operation.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from symgrad.expr.atoms import Placeholder
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops import transforms
from symgrad.ops.composite import order_of
from symgrad.ops.deriving import deriving
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Result, Several

F = TypeVar("F", bound=Callable[..., Any])


def with_derivative_rewrites(f: F) -> F:
    """Apply the rewrites of derivatives (`symgrad.simplify`) to the nodes that `f` makes."""

    @functools.wraps(f)
    def call(*args: Any, **kwargs: Any) -> Any:
        deriving.depth += 1
        try:
            return f(*args, **kwargs)
        finally:
            deriving.depth -= 1

    return call  # type: ignore[return-value]


@transforms.vjp.state
@with_derivative_rewrites
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
        The expressions to differentiate.
    cotangents : sequence of ArrayExpr or None
        One for each output, of its shape; None is zero.
    wrt : sequence of ArrayExpr
        The nodes, usually leaves, with respect to which to differentiate.
    stable : bool
        Whether stable forms are differentiated in the place of nodes that have one.
    changed : collection of ArrayExpr
        Nodes whose value is no longer that of their formula. No stable form replaces them, and
        derivatives read their value where PyTorch's do.
    seen : collection of ArrayExpr
        Nodes whose own cotangent the user sees, by a hook or as a gradient. Their derivative must
        read the same values that PyTorch's reads: it is differentiated by them when the gradient is
        differentiated again.

    Returns
    -------
    list of ArrayExpr or None
        For each of `wrt` a cotangent of its shape and dtype, or None where nothing depends on it.
    """
    graph = Graph(outputs, wrt)
    outer, deriving.graph = deriving.graph, graph
    try:
        return _pulled_back(graph, outputs, cotangents, wrt, stable, changed, seen)
    finally:
        deriving.graph = outer


def _pulled_back(
    graph: Graph,
    outputs: Sequence[ArrayExpr],
    cotangents: Sequence[ArrayExpr | None],
    wrt: Sequence[ArrayExpr],
    stable: bool,
    changed: Collection[ArrayExpr],
    seen: Collection[ArrayExpr],
) -> list[ArrayExpr | None]:
    """Do what `vjp` does, in a graph that has been read."""
    formulas = graph.formulas
    # The cotangent of each node that the sweep has not reached yet. For an operation with several
    # results it is a list with a cotangent or None for each of them.
    pending: dict[ArrayExpr, Any] = {}
    # The nodes, with their cotangents, that are pulled back to their operand together.
    waiting: dict[ArrayExpr, list[tuple[Primitive, ArrayExpr]]] = {}
    found: dict[ArrayExpr, ArrayExpr] = {}
    # The nodes whose derivatives read their value where PyTorch's do, and the formulas of these.
    by_result = {*seen, *changed}
    for out, ct in zip(outputs, cotangents, strict=True):
        if ct is not None and out in graph.live:
            _accumulate(pending, out, ct)
    for node in reversed(graph.order):
        if node in waiting:
            nodes, cts = zip(*waiting.pop(node), strict=True)
            _accumulate(pending, node, fit(nodes[0].vjp_of_all(nodes, cts), node))
        ct = pending.pop(node, None)
        if ct is None:
            continue
        if node in graph.wrt:
            found[node] = ct
        if not isinstance(node, Primitive):
            continue
        if formulas and node in formulas:
            if node in by_result:
                by_result.add(formulas[node])
            if formulas[node] in graph.live:
                _accumulate(pending, formulas[node], ct)
            continue
        if node.vjp_of_all is not None and node.operands[0] in graph.live:
            waiting.setdefault(node.operands[0], []).append((node, ct))
            continue
        inner = None
        rounded = node.rounds and (not stable or graph.has_pole_near(ct, node))
        if stable and node.stable_forms and node not in changed and not rounded:
            inner = graph.stable_nodes(node, node in seen)
        if inner is None:
            rule = node.vjp_by_result if rounded or node in by_result else node.vjp
            _pull_back(node, rule, ct, graph.live, pending)
            continue
        local: dict[ArrayExpr, Any] = {inner[-1]: ct}
        for new in reversed(inner):
            new_ct = local.pop(new, None)
            if new_ct is not None:
                _pull_back(new, new.vjp, new_ct, graph.live, local)
        for x, part in local.items():  # nodes of the graph, which the sweep reaches later
            _accumulate(pending, x, part)
    return [found.get(x) for x in wrt]


@transforms.jvp.state
@with_derivative_rewrites
def jvp(
    outputs: Sequence[ArrayExpr],
    wrt: Sequence[ArrayExpr],
    tangents: Sequence[ArrayExpr | None],
) -> list[ArrayExpr | None]:
    """Push tangents of `wrt` forward to `outputs`.

    Returns
    -------
    list of ArrayExpr or None
        For each output its tangent, of its shape and dtype; None where the output depends on no
        node that has a tangent.
    """
    graph = Graph(outputs, wrt)
    outer, deriving.graph = deriving.graph, graph
    try:
        return _pushed_forward(graph, outputs, wrt, tangents)
    finally:
        deriving.graph = outer


def _pushed_forward(
    graph: Graph,
    outputs: Sequence[ArrayExpr],
    wrt: Sequence[ArrayExpr],
    tangents: Sequence[ArrayExpr | None],
) -> list[ArrayExpr | None]:
    """Do what `jvp` does, in a graph that has been read."""
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
            t = tangent_of(new, [moved.get(x) for x in new.operands])
            if t is not None:
                moved[new] = t
        if inner is not None and inner[-1] in moved:
            moved[node] = moved[inner[-1]]
    return [moved.get(x) for x in outputs]


@with_derivative_rewrites
def pull_back(node: Primitive, ct: Any, needs: Sequence[bool]) -> Sequence[ArrayExpr | None]:
    """Return the cotangents of the operands of one node, as `vjp` makes them.

    Where the node has several results, `ct` is a sequence with a cotangent or None for each.
    """
    return node.vjp(ct, needs)


def tangent_of(node: Primitive, tangents: Sequence[ArrayExpr | None]) -> Any:
    """Return the tangent of a node, or a list with the tangent of each of its results.

    Where the primitive states no `jvp`, the tangent is the transpose of its `vjp`.
    """
    found: Any = node.jvp(tangents)
    if found is not NotImplemented:
        return None if found is None else fit_tangent(found, node)
    if not isinstance(node, Several):
        ct = Placeholder("ct", node.shape, node.dtype)
        found = _transposed(node, ct, ct, tangents)
        return None if found is None else fit_tangent(found, node)
    found = []
    for i, (shape, kind) in enumerate(zip(node.shapes, node.dtypes, strict=True)):
        ct = Placeholder("ct", shape, kind)
        cts = [ct if k == i else None for k in range(len(node))]
        found.append(_transposed(node, cts, ct, tangents) if kind.differentiable else None)
    return fit_tangent(found, node)


def _transposed(
    node: Primitive, given: Any, ct: ArrayExpr, tangents: Sequence[ArrayExpr | None]
) -> ArrayExpr | None:
    """Return the tangent of one result of `node` by transposing its `vjp`.

    With the Jacobian J of the result, `vjp` maps ct to Jᵀ ct, which is linear in ct; the transpose
    of that map applied to the tangents is J t, the tangent of the result. This is the double-vjp
    construction (J. Townsend, "A new trick for calculating Jacobian vector products", 2017).

    Parameters
    ----------
    given : ArrayExpr or list
        The argument of the node's `vjp`: `ct`, or for several results a list that contains `ct`.
    ct : ArrayExpr
        A placeholder for the cotangent of the result.
    tangents : sequence of ArrayExpr or None
        The tangents of the operands.
    """
    needs = [t is not None for t in tangents]
    parts, moves = [], []
    for x, t, part in zip(node.operands, tangents, node.vjp(given, needs), strict=True):
        if t is not None and part is not None:
            parts.append(fit(part, x))
            moves.append(t)
    return vjp(parts, moves, [ct])[0] if parts else None


def fit(ct: ArrayExpr, x: ArrayExpr) -> ArrayExpr:
    """Return a cotangent in the shape and dtype of the operand `x`: undo broadcast and promotion.

    No other function does this: rules may return cotangents of the broadcast shape.
    """
    if ct.shape != x.shape:
        ct = ct.sum_to(x.shape)
    if ct.dtype is not x.dtype:
        if ct.dtype.is_complex and not x.dtype.is_complex:
            ct = ct.real
        ct = ct.to(x.dtype)
    return ct


def fit_tangent(t: Any, x: ArrayExpr) -> Any:
    """Give a tangent the shape and dtype of its primal; of several results, each of them."""
    if isinstance(x, Several):
        return [
            None if part is None else fit_tangent(part, y) for part, y in zip(t, x, strict=True)
        ]
    if t.shape != x.shape:
        t = t.broadcast_to(x.shape)
    return t if t.dtype is x.dtype else t.to(x.dtype)


class Graph:
    """The nodes of some outputs, operands before users, and which of them depend on `wrt`.

    The formula of a composite operation, which is differentiated in its place, comes before it.
    """

    __slots__ = ("_poles", "_reads", "formulas", "live", "order", "position", "slopes", "wrt")

    def __init__(self, outputs: Sequence[ArrayExpr], wrt: Sequence[ArrayExpr]) -> None:
        self.order, self.formulas = order_of(outputs)
        self.wrt = frozenset(wrt)
        self.live = set(wrt)
        self.position: dict[ArrayExpr, int] = {}
        # For `has_pole_near`: for each expression the position of the last node that rounds digits
        # away (`Primitive.rounds`) and that the expression reads anywhere, and of the last that it
        # reads where the reading operation has a pole.
        self._reads: dict[ArrayExpr, tuple[int, int]] = {}
        self._poles: bool | None = None
        self.slopes: Any = None  # those that `symgrad.ops.slopes` has found
        live, formulas = self.live, self.formulas
        for node in self.order:
            # A mask or an index, which is neither real nor complex, has no derivative.
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
        """Whether an operation of the graph has a pole; if none has, no derivative has one."""
        if self._poles is None:
            self._poles = any(x.poles != () for x in self.order if isinstance(x, Primitive))
        return self._poles

    def has_pole_near(self, ct: ArrayExpr, node: Primitive) -> bool:
        """Whether the cotangent `ct` of `node` has a pole near some value of `node`.

        Consider `log(1 - p + 1e-12)` for `p = sigmoid(x)` at x = 20 in float32, where p rounds to
        1. The cotangent of p is `-1 / (1 - p + 1e-12)`, -1e12 with the rounded p, but -5e8 with the
        exact one. The stable form has the exact derivative of p, exp(-20) = 2e-9; their product
        would be -2000, where -1 is correct. So no stable form replaces `node` here, and the
        derivative is that of the rounded function, `p*(1 - p)`, 0.
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

        The other nodes of the form are nodes of the graph before `node`. A form is not used where
        it bypasses a node of `wrt`, which would then get no cotangent, or where `node` is `seen`
        and the derivative of the form does not lead through it.
        """
        plan = deriving.plan
        read: list[Any] = [] if plan is None else plan.read
        known = len(read)
        for rule in node.stable_forms:
            form = rule(node)
            if form is not None:
                if seen and not (node in form.operands and form.by_result):
                    break
                new = self._nodes_of_form(node, form)
                if new is not None:
                    if plan is not None:
                        plan.replaced.append(node)
                    return new
                break
            del read[known:]
        del read[known:]  # no stable form was used, so the values read for it need not be checked
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
    if node.__class__ is Result:  # the operation is reached after all of its results
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
            if part.shape != x.shape or part.dtype is not x.dtype:
                part = fit(part, x)
            earlier = pending.get(x)  # `_accumulate`, without a call for each operand
            pending[x] = part if earlier is None else earlier + part


def _accumulate(pending: dict[ArrayExpr, Any], x: ArrayExpr, ct: ArrayExpr) -> None:
    seen = pending.get(x)
    pending[x] = ct if seen is None else seen + ct
