"""`jet`: the Taylor coefficients of formulas, the third sweep beside `vjp` and `jvp`.

Coefficients of order k cost about k**2 operations for each node, where k derivatives, one of the
other, cost a number that grows exponentially. Three kinds of operation are told apart, by their
rules alone, and nothing here names one:

- one that states a recurrence (`Primitive.recurrence`), such as products and quotients;
- one that is affine in what moves: the coefficient is the tangent for those of the operands;
- any other function y(x): y' is its tangent for x', so that k*y[k] is the coefficient of order
  k - 1 of the formula of that tangent, in which x' stands for a series of its own.

The formula of a tangent may read y itself, and functions whose tangents read y, as those of sine
and cosine do: each coefficient reads only lower ones. (A. Griewank, A. Walther, "Evaluating
Derivatives", 2nd edition, 2008, chapter 13.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from symgrad.differentiate.sweeps import Graph, fit_tangent, tangent_of, with_derivative_rewrites
from symgrad.expr.atoms import Const, Leaf
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops.composite import StandIn, order_of
from symgrad.ops.deriving import deriving
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Result
from symgrad.ops.series import Coefficient, Series, exact, multilinear, number, over, times


@with_derivative_rewrites
def jet(
    outputs: Sequence[ArrayExpr],
    wrt: Sequence[ArrayExpr],
    series: Sequence[Series],
    order: int,
) -> list[list[Coefficient]]:
    """Return the Taylor coefficients of `outputs`, up to an order.

    Parameters
    ----------
    outputs : sequence of ArrayExpr
        The expressions to expand.
    wrt : sequence of ArrayExpr
        The nodes, usually leaves, that move.
    series : sequence of sequence
        For each of `wrt` its coefficients from order 1 on, of its shape and dtype; those that are
        not given are zero.
    order : int
        The highest order.

    Returns
    -------
    list of list
        For each output the coefficients of order 0 to `order`. A coefficient is an expression; an
        exact number, which a 0-d output may have; or None, a structural zero.
    """
    graph = Graph(outputs, wrt)
    outer, deriving.graph = deriving.graph, graph
    try:
        expansion = _Expansion(graph, dict(zip(wrt, series, strict=True)), order)
        try:
            return [expansion.upto(y, order) for y in outputs]
        finally:
            expansion.forget()
    finally:
        deriving.graph = outer


class NeedsFactors(Exception):  # noqa: N818 - it says what a formula is
    """The derivative of a node depends on what multiplies it (`Primitive.needs_factors`).

    Coefficients are found in the order of the operations, before what multiplies them is known.
    """


class _Step(NamedTuple):
    """How a node's coefficient of order k >= 1 is computed.

    Attributes
    ----------
    reads : sequence of (ArrayExpr, int)
        Nodes whose coefficients up to order k, or as much below or above, it is computed from.
    compute : callable
        Returns the coefficient, given k.
    """

    reads: Sequence[tuple[ArrayExpr, int]]
    compute: Callable[[int], Coefficient]


class _Expansion:
    """The coefficients of nodes, each computed when it is first asked for.

    A node has an entry among the series if it moves. Tangents are formulas of further nodes, which
    are looked at as they come up.
    """

    def __init__(self, graph: Graph, given: dict[ArrayExpr, Series], order: int) -> None:
        self._order = order
        self._series: dict[ArrayExpr, list[Coefficient]] = {}
        self._steps: dict[ArrayExpr, _Step] = {}
        self._formulas: dict[ArrayExpr, ArrayExpr] = {}
        self._slopes: dict[ArrayExpr, ArrayExpr] = {}
        # The nodes that are made of slopes: their values are not the nodes themselves.
        self._of_slopes: set[ArrayExpr] = set()
        self._tangents: dict[ArrayExpr, Any] = {}
        # All nodes that were looked at, also those that do not move.
        self._seen = set(given)
        # A stable form might bypass a node of `wrt` which is no leaf.
        self._stable = all(isinstance(x, Leaf) for x in given)
        self._rounded = _rounded_below_poles(graph)
        for x, coefficients in given.items():
            some = [exact(c) if isinstance(c, ArrayExpr) else c for c in coefficients[:order]]
            self._series[x] = [x, *some, *[None] * (order - len(some))]
        for node in graph.order:
            if node not in self._seen:
                self._look_at(node, graph.formulas.get(node))
        self._written = frozenset(self._seen)

    def forget(self) -> None:
        """Forget how coefficients are computed, since these functions refer to the expansion."""
        self._steps.clear()

    def upto(self, node: ArrayExpr, order: int) -> list[Coefficient]:
        """Return the coefficients of a node up to an order."""
        self._compute(node, order)
        known = self._series.get(node)
        return [node, *[None] * order] if known is None else known[: order + 1]

    def _compute(self, node: ArrayExpr, order: int) -> None:
        waiting = [(node, order)]
        while waiting:
            x, k = waiting[-1]
            known = self._series.get(x)
            if known is None or len(known) > k:
                waiting.pop()
                continue
            k = len(known)
            if k == 0 and x.operands:
                step = _Step([(y, 0) for y in self._below(x)], partial(self._value_of, x))
            else:
                step = self._steps.get(x) or self._steps.setdefault(x, self._step(x))
            missing = [(y, k + d) for y, d in step.reads if len(self._series[y]) <= k + d]
            if missing:
                waiting.extend(missing)
            else:
                known.append(step.compute(k))

    def _below(self, node: ArrayExpr) -> Sequence[ArrayExpr]:
        """Return the nodes of slopes that the value of such a node is computed from."""
        below = (self._formulas[node],) if node in self._formulas else node.operands
        return [x for x in below if x in self._of_slopes]

    def _value_of(self, node: Any, k: int) -> Coefficient:
        """Return the coefficient of order k = 0 of a node that is made of slopes."""
        if node in self._formulas:
            return self._series[self._formulas[node]][0]
        values = [self._series[x][0] if x in self._of_slopes else x for x in node.operands]
        missing = [c is None for c in values]
        if any(missing) and (
            node.multilinear or all(missing[node.operands.index(x)] for x in self._below(node))
        ):
            return None
        given = [as_array(c, x) for c, x in zip(values, node.operands, strict=True)]
        return _fitted(node.with_operands(given), node)

    # -- what moves ------------------------------------------------------------------------------

    def _enter(self, root: ArrayExpr) -> None:
        """Look at the nodes of a formula that were not seen yet."""
        order, formulas = order_of([root], self._seen.__contains__)
        for node in order:
            if node not in self._seen:
                self._look_at(node, formulas.get(node))

    def _look_at(self, node: ArrayExpr, formula: ArrayExpr | None) -> None:
        self._seen.add(node)
        if isinstance(node, Primitive) and node.needs_factors:
            raise NeedsFactors
        below = node.operands
        if formula is not None:
            below = (formula,)
            self._formulas[node] = formula
        if any(x in self._of_slopes for x in below):
            self._of_slopes.add(node)
            self._series[node] = []
        elif node.dtype.differentiable and any(x in self._series for x in below):
            self._series[node] = [node]

    def _moving(self, node: ArrayExpr) -> list[ArrayExpr]:
        return [x for x in node.operands if x in self._series]

    # -- how it moves ----------------------------------------------------------------------------

    def _same(self, equal: ArrayExpr) -> _Step:
        """Return the step of a node that has the coefficients of `equal`, from the first on."""
        if equal not in self._series:
            return _ZERO
        found = self._series[equal]
        return _Step([(equal, 0)], lambda k: found[k])

    def _step(self, node: ArrayExpr) -> _Step:
        assert isinstance(node, Primitive)
        if not node.dtype.differentiable:
            return _ZERO
        if node in self._formulas:
            return self._same(self._formulas[node])
        form = self._equal_form(node)
        if form is not None:
            self._enter(form)
            return self._same(form)
        moving = self._moving(node)
        recurrence = node.recurrence([x in self._series for x in node.operands])
        if recurrence is None and node.multilinear and len(moving) > 1:
            recurrence = partial(multilinear, node.with_operands)
        if recurrence is not None:
            operands = [self._of_operand(x) for x in node.operands]
            own = self._series[node]
            return _Step(
                [(x, 0) for x in moving],
                lambda k: _fitted(recurrence(k, operands, own), node),
            )
        whole: Any = node.operands[0] if isinstance(node, Result) else node
        moved = self._tangent(whole)
        if isinstance(node, Result) and moved is not None:
            moved = moved[node.index]
        if moved is None:
            return _ZERO
        self._enter(moved)
        used = self._operands_of_linear(moved, whole)
        if used is not None:
            return _Step([(x, 0) for x in used], lambda k: self._tangent_along(node, whole, k))
        rate = self._series[moved]
        return _Step([(moved, -1)], lambda k: _fitted(over(rate[k - 1], k), node))

    def _equal_form(self, node: Primitive) -> ArrayExpr | None:
        """Return an equal formula whose coefficients cost less, or are more precise."""
        found = node.series_form()
        if found is None and self._stable and node not in self._rounded:
            found = next(
                (f for f in (rule(node) for rule in node.stable_forms) if f is not None), None
            )
        return found

    def _of_operand(self, x: ArrayExpr) -> Series:
        return self._series[x] if x in self._series else [x, *[None] * self._order]

    def _tangent(self, node: Any) -> Any:
        """Return the formula of the tangent of a node, a list of a node with several results."""
        if node not in self._tangents:
            slopes = [self._slope(x) if x in self._series else None for x in node.operands]
            self._tangents[node] = tangent_of(node, slopes)
        return self._tangents[node]

    def _slope(self, x: ArrayExpr) -> ArrayExpr:
        """Return the leaf that stands for the derivative of `x`, with the series of that."""
        leaf = self._slopes.get(x)
        if leaf is None:
            known = self._series[x]
            leaf = self._slopes[x] = StandIn.of(x)
            self._seen.add(leaf)
            self._of_slopes.add(leaf)
            self._series[leaf] = []
            self._steps[leaf] = _Step([(x, 1)], lambda k: times(k + 1, known[k + 1]))
        return leaf

    def _operands_of_linear(self, moved: ArrayExpr, node: ArrayExpr) -> list[ArrayExpr] | None:
        """Return the operands whose slopes a tangent reads, if it reads nothing else that moves."""
        slopes = {self._slopes[x]: x for x in self._moving(node)}
        used = []
        for x in toposort([moved], lambda x: x not in self._series or x in self._written):
            if x in slopes:
                used.append(slopes[x])
            elif x in self._series and (not x.operands or x in self._written):
                return None
        return used

    def _tangent_along(self, node: ArrayExpr, whole: Any, k: int) -> Coefficient:
        """Return the coefficient of an operation that is linear in all that moves."""
        known = [self._series.get(x, ()) for x in whole.operands]
        moves = [
            as_array(c[k], x) if len(c) > k and c[k] is not None else None
            for c, x in zip(known, whole.operands, strict=True)
        ]
        if all(t is None for t in moves):
            return None
        found = tangent_of(whole, moves)
        if isinstance(node, Result) and found is not None:
            found = found[node.index]
        return None if found is None else exact(found)


_ZERO = _Step((), lambda k: None)


def _rounded_below_poles(graph: Graph) -> set[ArrayExpr]:
    """Return the nodes that round digits away, and that an operation with a pole reads.

    Their derivatives are those of the rounded function (`Graph.has_pole_near`).
    """
    if not graph.has_poles():
        return set()
    below: set[ArrayExpr] = set()
    found: set[ArrayExpr] = set()
    for x in reversed(graph.order):
        poles = x.poles if isinstance(x, Primitive) else ()
        formula = graph.formulas.get(x)
        if x in below:
            below.update(x.operands if formula is None else (formula,))
            if isinstance(x, Primitive) and x.rounds:
                found.add(x)
        elif formula is not None:
            continue
        elif poles is None:
            below.update(x.operands)
        else:
            below.update([x.operands[i] for i in poles])
    return found


def as_array(c: Coefficient, x: ArrayExpr) -> ArrayExpr:
    """Return a coefficient of the node `x` as an expression of its shape and dtype."""
    if isinstance(c, ArrayExpr):
        return fit_tangent(c, x)  # type: ignore[no-any-return]
    made = Const(0 if c is None else number(c), x.dtype)
    return made.broadcast_to(x.shape) if x.shape else made


def _fitted(c: Coefficient, node: ArrayExpr) -> Coefficient:
    """Return a coefficient in the shape and dtype of its node."""
    return exact(fit_tangent(c, node)) if isinstance(c, ArrayExpr) else c
