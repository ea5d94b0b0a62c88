"""Reading the tape: the formulas of a walked graph, and the values that are given for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from symgrad.backward.assumptions import NO_EXCEPTIONS, Exceptions, Note
from symgrad.expr.node import ArrayExpr, Const, Static, intern
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.broadcasting import is_zeros
from symgrad.ops.composite import Composite
from symgrad.ops.identity import changed, recorded
from symgrad.ops.masks import is_exact, masked, support, unmasked
from symgrad.ops.primitive import Primitive
from symgrad.record.function_node import FunctionNode
from symgrad.record.operations import Operation, Output
from symgrad.record.tape import Derived, Leaf, Node, Number

__all__ = ["Forward", "forward", "offsets_of"]


class Forward(NamedTuple):
    """The expressions of a walked graph.

    Attributes
    ----------
    exprs : list of ArrayExpr
        The expression of each vertex, as its users read it.
    given : dict
        The values that the walk collected, by the expression whose value they are.
    merged, equal : list of (int, int)
        What is taken for granted: see `Assumptions`.
    noted : dict
        The vertices beside whose value it is noted where it is zero: the value, the mask, and
        whether the value is no nan, either, where the mask does not hold.
    changed : set
        The nodes whose value is no longer what they compute.
    """

    exprs: list[ArrayExpr]
    given: dict[ArrayExpr, int]
    merged: list[tuple[int, int]]
    equal: list[tuple[int, int]]
    noted: dict[int, Note]
    changed: set[ArrayExpr]

    def vertices_of(self, values: Collection[ArrayExpr]) -> list[int]:
        """Return the vertices of recorded values, or of what these were computed as."""
        if not values:
            return []
        wanted = set(values)
        known = [(i, unmasked(x)) for i, x in enumerate(self.exprs)]
        # A leaf was computed from nothing.
        made = [
            (i, x) for i, x in known if type(x) is recorded and isinstance(x.operands[0], Primitive)
        ]
        return [i for i, x in made if x in wanted or x.operands[0] in wanted]

    def computed_as(self, vertices: Collection[int]) -> set[ArrayExpr]:
        """Return what recorded values were computed as."""
        known = [unmasked(self.exprs[i]) for i in vertices]
        return {x.operands[0] for x in known if isinstance(x, recorded)}


def _fitted(vertex: Any, operands: list[ArrayExpr]) -> list[ArrayExpr]:
    """Return operands in the shapes that they were computed in, to which they broadcast.

    Those of another shape were turned in place where nothing is recorded. One that does not
    broadcast is refused where its gradient is asked for.
    """
    sig = vertex.sig
    for k, (x, spec) in enumerate(zip(operands, sig.operands, strict=True)):
        made, used = x.shape, spec.shape
        if made == used:
            continue
        if _broadcasts(made, used):
            operands[k] = recorded(x.broadcast_to(used), 0)  # closed, as the value that was saved
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


def forward(
    order: Sequence[Any],
    number: dict[Any, int],
    leaf: Callable[[int, Any], ArrayExpr],
    tags: Any = (),
    opaque: bool = True,
    notes: bool = True,
    exceptions: Exceptions = NO_EXCEPTIONS,
    used: Callable[[Any, Any, ArrayExpr], ArrayExpr] | None = None,
    seen: Container[int] = (),
) -> Forward:
    """Read the tape as expressions.

    Parameters
    ----------
    order, number
        Of the walk.
    leaf : callable
        Makes the expression of a vertex without inputs from its position, or for a number, from
        that of its value.
    tags : collection of int
        Vertices whose value must stay distinct, since their gradient is asked for.
    opaque : bool
        Whether values of the forward pass are closed to rewrites.
    notes : bool
        Whether it is noted beside these where masks let nothing through.
    exceptions : Exceptions
        Values that are others than their formulas say. Equal formulas are one node; where their
        values are different ones they are kept apart.
    used : callable, optional
        Returns the expression by which a vertex reads another one, from both and that of the other.
    seen : container of int
        Vertices that are kept apart from others of equal formula: what leads to one of them must
        not lead to another.
    """
    count = len(order)
    exprs: list[Any] = [None] * count
    offsets = offsets_of(order)
    found = Forward(exprs, {}, [], [], {}, set())
    given = found.given
    # Whose value stands at each position; and for each vertex the first of its formula.
    owners: dict[int, Any] = {}
    first_of: dict[ArrayExpr, int] = {}
    equal: list[tuple[int, int]] = []
    # Under what each value that is noted to be masked is given: where it is nan outside the mask,
    # as a product may be, not under its note.
    noted: dict[ArrayExpr, ArrayExpr] = {}

    def note_of(value: ArrayExpr, mask: ArrayExpr, exact: bool) -> ArrayExpr:
        x: ArrayExpr = masked(value, mask)
        noted[x] = x if exact else value
        return x

    def apart(x: ArrayExpr, tag: int) -> ArrayExpr:
        value: ArrayExpr = recorded(unmasked(x), tag)
        return note_of(value, x.operands[1], noted[x] is x) if x in noted else value

    def is_noted_exactly(x: ArrayExpr) -> bool:
        return noted.get(x, x) is x

    # Of what has several results, the operation is what is computed from the operands.
    alone = {*exceptions.unequal, *[i for i in tags if i in seen]}
    alone |= {number[order[i].inputs[0]] for i in alone if isinstance(order[i], Output)}

    def closed(i: int, vertex: Any, made: Any) -> ArrayExpr:
        """Return what stands for a value of the forward pass, which was computed as `made`."""
        x: ArrayExpr = made
        if opaque and not is_zeros(made):
            first = first_of.setdefault(made, i)
            if first != i:
                equal.append((first, i))
            tag = Static(i + 1) if i in tags else _UNTAGGED
            is_changed = i in exceptions.changed
            kind = changed if is_changed else recorded
            x = intern(kind, (made,), (tag,), made.shape, made.dtype)
            if made in given:
                given.setdefault(x, given[made])
            if is_changed:
                found.changed.add(made)
            # A mask is read where it was saved, and not from nodes that were freed.
            masks = vertex.sig.masks
            known = all(made.operands[k] in given for k in masks) if masks else noted
            if (
                notes
                and known
                and not is_changed
                and vertex.saved is not None
                and made.dtype.differentiable
            ):
                mask = support(made)
                if mask is not None:
                    exact = is_exact(made, is_noted_exactly)
                    found.noted[i] = x, mask, exact
                    value, x = x, note_of(x, mask, exact)
                    if exact and value in given:
                        given.setdefault(x, given[value])
        return x

    for vertex in sorted(order, key=attrgetter("seq")):
        i = number[vertex]
        if isinstance(vertex, Leaf):
            x: ArrayExpr = leaf(i, vertex)
            exprs[i] = recorded(x, i + 1) if i in tags else x
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
                exprs[i] = closed(i, vertex, exprs[number[node]][vertex.output_nr])
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
            operands = [x if x.weak else apart(x, i + 1) for x in operands]
        for j, k in enumerate(reads, at):
            if j in exceptions.exchanged and k < len(operands):
                operands[k] = changed(unmasked(operands[k]), -1 - j)
        made = sig.build(operands)
        for j, (x, owner) in enumerate(_kept(made, vertex), at):
            x = noted.get(x, x)
            earlier = given.setdefault(x, j)
            if type(x) is masked:
                given.setdefault(unmasked(x), earlier)
            if owners.setdefault(earlier, owner) is owner and earlier != j:
                found.merged.append((earlier, j))
        if isinstance(made, Composite) and len(sig.operands) in reads:
            given.setdefault(made.expanded(), given[made])  # the formula is what is differentiated
        exprs[i] = made if isinstance(vertex, Operation) else closed(i, vertex, made)
    # Of values that nobody reads it does not matter whether they are equal, but for what others are
    # computed from.
    matters: set[int] = set()
    for first, i in reversed(equal):
        vertex = order[i]
        maker = vertex.inputs[0] if isinstance(vertex, Output) else vertex
        keeps = any(k >= len(maker.sig.operands) for k in maker.sig.reads)
        if keeps or i in matters or first in matters or unmasked(exprs[i]) in given:
            found.equal.append((first, i))
            matters.update([number[x] for v in (order[first], vertex) for x in v.operands])
    return found


_UNTAGGED = Static(0)


def offsets_of(order: Sequence[Any]) -> list[int]:
    """Return for each vertex where what it saved begins among the values of a walk."""
    out: list[int] = []
    total = 0
    for vertex in order:
        out.append(total)
        if isinstance(vertex, (Node, Derived)):
            total += len(vertex.sig.reads)
        elif isinstance(vertex, Number):
            total += 1
    return out


def _kept(made: Primitive, vertex: Any) -> list[tuple[ArrayExpr, Any]]:
    """Return the expressions of the values that a node keeps, and the vertex of each value."""
    sig, count = vertex.sig, len(made.operands)
    if not sig.reads:
        return []
    inputs = iter(vertex.inputs)
    owners = [None if isinstance(x, Const) else next(inputs) for x in sig.operands]
    if isinstance(vertex, Operation):
        several: Any = made
        return [
            (made.operands[k], owners[k])
            if k < count
            else (several[k - count], vertex.living_output(k - count) or vertex)
            for k in sig.reads
        ]
    return [(made.operands[k], owners[k]) if k < count else (made, vertex) for k in sig.reads]
