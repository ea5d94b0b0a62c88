"""Reading the tape: from a walked graph to its formulas and the saved values that they read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from symgrad.backward.assumptions import NO_EXCEPTIONS, Exceptions, MaskedValue
from symgrad.backward.walking import offsets_of
from symgrad.expr.node import ArrayExpr, Const, Static, intern
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.broadcasting import is_zeros
from symgrad.ops.composite import Composite
from symgrad.ops.identity import changed, forward_value
from symgrad.ops.masked import masked
from symgrad.ops.masks import is_exact, support, unmasked
from symgrad.ops.primitive import Primitive
from symgrad.record.function_node import FunctionNode
from symgrad.record.operations import Operation, Output
from symgrad.record.tape import LeafVertex, Number

__all__ = ["ReadFormulas", "read_formulas"]


class ReadFormulas(NamedTuple):
    """The formulas of a walked graph.

    Attributes
    ----------
    exprs : list of ArrayExpr
        The expression of each vertex, as the expressions of its users contain it.
    given : dict
        The position of each value that the walk collected, by the expression whose value it is.
    merged, equal : list of (int, int)
        Assumptions of the formulas; see `Assumptions`.
    masked_values : dict
        For each vertex with a masked value: the value, its mask, and whether the value is exactly
        zero outside the mask (`MaskedValue`).
    changed : set
        The nodes whose value is no longer that of their formula.
    intermediates : dict
        The vertices whose intermediates are given, and the positions of these.
    """

    exprs: list[ArrayExpr]
    given: dict[ArrayExpr, int]
    merged: list[tuple[int, int]]
    equal: list[tuple[int, int]]
    masked_values: dict[int, MaskedValue]
    changed: set[ArrayExpr]
    intermediates: dict[int, range]

    def vertices_of(self, values: Collection[ArrayExpr]) -> list[int]:
        """Return the positions of the vertices of `values`, or of what has these as formulas."""
        if not values:
            return []
        searched = set(values)
        unwrapped = [(i, unmasked(x)) for i, x in enumerate(self.exprs)]
        # A leaf that is `forward_value` has no formula.
        operations = [
            (i, x)
            for i, x in unwrapped
            if type(x) is forward_value and isinstance(x.operands[0], Primitive)
        ]
        return [i for i, x in operations if x in searched or x.operands[0] in searched]

    def computed_as(self, vertices: Collection[int]) -> set[ArrayExpr]:
        """Return the formulas of the recorded values of vertices."""
        unwrapped = [unmasked(self.exprs[i]) for i in vertices]
        return {x.operands[0] for x in unwrapped if isinstance(x, forward_value)}


def _fitted(vertex: Any, operands: list[ArrayExpr]) -> list[ArrayExpr]:
    """Return the operands in the shapes in which the operation read them.

    An operand has another shape now if the user reshaped it in place without record. It is
    broadcast to the former shape where that is possible; otherwise PyTorch's error is raised,
    unless the operand needs no gradient.
    """
    sig = vertex.sig
    for k, (x, spec) in enumerate(zip(operands, sig.operands, strict=True)):
        made, used = x.shape, spec.shape
        if made == used:
            continue
        if _broadcasts(made, used):
            operands[k] = forward_value(x.broadcast_to(used), 0)  # the value that was saved
        elif sig.needs[k]:
            raise RuntimeError(
                f"Function {sig.name} returned an invalid gradient at index {sum(sig.needs[:k])} - "
                f"got {list(used)} but expected shape compatible with {list(made)}"
            )
    return operands


def _broadcasts(shape: Shape, to: Shape) -> bool:
    try:
        return broadcast_shapes(shape, to) == to
    except RuntimeError:
        return False


def read_formulas(
    order: Sequence[Any],
    number: dict[Any, int],
    leaf: Callable[[int, Any], ArrayExpr],
    tags: Any = (),
    opaque: bool = True,
    keep_masks: bool = True,
    exceptions: Exceptions = NO_EXCEPTIONS,
    used: Callable[[Any, Any, ArrayExpr], ArrayExpr] | None = None,
    seen: Container[int] = (),
    intermediates: bool = False,
) -> ReadFormulas:
    """Return the formulas of a walked graph.

    Parameters
    ----------
    order, number
        Those of the walk (`symgrad.backward.walking.Walk`).
    leaf : callable
        Makes the expression of a vertex without inputs, from its position and the vertex; for a
        number, from the position of its value.
    tags : collection of int
        Vertices whose `forward_value` node must not be that of an equal formula, since their own
        gradient is computed.
    opaque : bool
        Whether values of the forward pass are wrapped in `forward_value`, so that no rewrite
        changes them.
    keep_masks : bool
        Whether these are wrapped in `masked` as well, where they have a mask.
    exceptions : Exceptions
        The assumptions that do not hold. Vertices of equal formulas with unequal values get
        different nodes.
    used : callable, optional
        Returns the expression by which a vertex reads an operand, from the vertex, the operand and
        the expression of the operand.
    seen : container of int
        Vertices whose own gradient the user sees. They get nodes of their own, so that no gradient
        of a vertex with an equal formula is added to theirs.
    intermediates : bool
        Whether the intermediates of composite operations are given.
    """
    count = len(order)
    exprs: list[Any] = [None] * count
    offsets = offsets_of(order)
    found = ReadFormulas(exprs, {}, [], [], {}, set(), {})
    given = found.given
    # The vertex of the value at each position, and the first vertex of each formula.
    owners: dict[int, Any] = {}
    first_of: dict[ArrayExpr, int] = {}
    equal: list[tuple[int, int]] = []
    inner: list[tuple[ArrayExpr, int]] = []
    # For each node `masked(value, mask)`, the node for which the saved array is given: the node
    # itself if the array is exactly zero outside the mask, else `value`, to be masked.
    given_under: dict[ArrayExpr, ArrayExpr] = {}

    def with_mask(value: ArrayExpr, mask: ArrayExpr, exact: bool) -> ArrayExpr:
        x: ArrayExpr = masked(value, mask)
        given_under[x] = x if exact else value
        return x

    def kept_apart(x: ArrayExpr, tag: int) -> ArrayExpr:
        value: ArrayExpr = forward_value(unmasked(x), tag)
        return with_mask(value, x.operands[1], given_under[x] is x) if x in given_under else value

    def is_exactly_masked(x: ArrayExpr) -> bool:
        return given_under.get(x, x) is x

    # For one of several results, the node of the operation must be distinct.
    alone = {*exceptions.unequal, *[i for i in tags if i in seen]}
    alone |= {number[order[i].inputs[0]] for i in alone if isinstance(order[i], Output)}

    def closed_value(i: int, vertex: Any, made: Any) -> ArrayExpr:
        """Return the node for the value of a vertex with the formula `made`, with its mask."""
        x: ArrayExpr = made
        if opaque and not is_zeros(made):
            first = first_of.setdefault(made, i)
            if first != i:
                equal.append((first, i))
            tag = Static(i + 1) if i in tags else _UNTAGGED
            is_changed = i in exceptions.changed
            kind = changed if is_changed else forward_value
            x = intern(kind, (made,), (tag,), made.shape, made.dtype)
            if made in given:
                given.setdefault(x, given[made])
            if is_changed:
                found.changed.add(made)
            # The mask must be computable from saved values; a freed node has none.
            masks = vertex.sig.masks
            known = all(made.operands[k] in given for k in masks) if masks else given_under
            if (
                keep_masks
                and known
                and not is_changed
                and vertex.saved is not None
                and made.dtype.differentiable
            ):
                mask = support(made)
                if mask is not None:
                    exact = is_exact(made, is_exactly_masked)
                    found.masked_values[i] = x, mask, exact
                    value, x = x, with_mask(x, mask, exact)
                    if exact and value in given:
                        given.setdefault(x, given[value])
        return x

    for vertex in sorted(order, key=attrgetter("seq")):
        i = number[vertex]
        if isinstance(vertex, LeafVertex):
            x: ArrayExpr = leaf(i, vertex)
            exprs[i] = forward_value(x, i + 1) if i in tags else x
            continue
        if isinstance(vertex, Number):
            exprs[i] = x = leaf(offsets[i], vertex)
            given[x] = offsets[i]
            continue
        if isinstance(vertex, FunctionNode):  # its results stand for it
            continue
        if isinstance(vertex, Output):
            (node,) = vertex.inputs
            if isinstance(node, FunctionNode):
                exprs[i] = node.build(vertex.output_nr, [exprs[number[v]] for v in node.inputs])
            else:
                exprs[i] = closed_value(i, vertex, exprs[number[node]][vertex.output_nr])
            continue
        sig, at = vertex.sig, offsets[i]
        reads = sig.reads
        inputs = iter(vertex.inputs)
        operands = [
            spec if isinstance(spec, Const) else exprs[number[next(inputs)]]
            for spec in sig.operands
        ]
        operands = _fitted(vertex, operands)
        if used is not None:
            inputs = iter(vertex.inputs)
            operands = [
                x if isinstance(x, Const) else used(next(inputs), vertex, x) for x in operands
            ]
        if i in alone:
            operands = [x if x.weak else kept_apart(x, i + 1) for x in operands]
        for j, k in enumerate(reads, at):
            if j in exceptions.exchanged and k < len(operands):
                operands[k] = changed(unmasked(operands[k]), -1 - j)
        made = sig.build(operands)
        for j, (x, owner) in enumerate(_residuals_of(made, vertex), at):
            x = given_under.get(x, x)
            earlier = given.setdefault(x, j)
            if type(x) is masked:
                given.setdefault(unmasked(x), earlier)
            if owners.setdefault(earlier, owner) is owner and earlier != j:
                found.merged.append((earlier, j))
        if isinstance(made, Composite) and len(sig.operands) in reads:
            given.setdefault(made.expanded(), given[made])  # the formula is what is differentiated
        if sig.intermediates and intermediates and i not in exceptions.outdated:
            first = at + len(reads) - len(sig.intermediates)
            found.intermediates[i] = places = range(first, at + len(reads))
            inner += zip(sig.intermediates_of(operands), places, strict=True)
        exprs[i] = made if isinstance(vertex, Operation) else closed_value(i, vertex, made)
    for x, j in inner:  # last: what is recorded under the same formula has a vertex
        given.setdefault(x, j)
    # Of values that nobody reads it does not matter whether they are equal, but for what others are
    # computed from.
    matters: set[int] = set()
    for first, i in reversed(equal):
        vertex = order[i]
        maker = vertex.inputs[0] if isinstance(vertex, Output) else vertex
        keeps = any(maker.sig.is_result(k) for k in maker.sig.reads)
        if keeps or i in matters or first in matters or unmasked(exprs[i]) in given:
            found.equal.append((first, i))
            matters.update([number[x] for v in (order[first], vertex) for x in v.operands])
    return found


_UNTAGGED = Static(0)


def _residuals_of(made: Primitive, vertex: Any) -> list[tuple[ArrayExpr, Any]]:
    """Return the expressions of the values that a node keeps, and the vertex of each value."""
    sig, count = vertex.sig, len(made.operands)
    reads = sig.reads[: len(sig.reads) - len(sig.intermediates)]
    if not reads:
        return []
    inputs = iter(vertex.inputs)
    owners = [None if isinstance(x, Const) else next(inputs) for x in sig.operands]
    if isinstance(vertex, Operation):
        several: Any = made
        return [
            (made.operands[k], owners[k])
            if k < count
            else (several[k - count], vertex.living_output(k - count) or vertex)
            for k in reads
        ]
    return [(made.operands[k], owners[k]) if k < count else (made, vertex) for k in reads]
