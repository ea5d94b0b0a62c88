"""Reading the tape: from a walked graph to its formulas and the saved values that they read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from symgrad.backward.assumptions import NO_EXCEPTIONS, Exceptions, MaskedValue
from symgrad.backward.moving import NO_VIEWS, view_at
from symgrad.backward.walking import offsets_of
from symgrad.expr.atoms import Const, Static
from symgrad.expr.node import ArrayExpr, intern
from symgrad.expr.shapes import Shape, broadcast_shapes
from symgrad.ops.broadcasting import is_zeros
from symgrad.ops.composite import Composite
from symgrad.ops.identity import changed, forward_value
from symgrad.ops.masked import masked
from symgrad.ops.masks import Mask, is_exact, is_masked_out, mask_of, unmasked
from symgrad.ops.primitive import Primitive
from symgrad.record.function_node import FunctionNode
from symgrad.record.operations import Operation, Output
from symgrad.record.signature import Signature
from symgrad.record.tape import LeafVertex, Node, Number


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
        found = []
        for i, x in enumerate(self.exprs):
            if x.__class__ is masked:
                x = x.operands[0]
            if x.__class__ is forward_value:
                formula = x.operands[0]
                # A leaf that is `forward_value` has no formula.
                if (x in searched or formula in searched) and isinstance(formula, Primitive):
                    found.append(i)
        return found

    def computed_as(self, vertices: Collection[int]) -> set[ArrayExpr]:
        """Return the formulas of the recorded values of vertices."""
        unwrapped = [unmasked(self.exprs[i]) for i in vertices]
        return {x.operands[0] for x in unwrapped if isinstance(x, forward_value)}


def _fitted(sig: Signature, operands: list[ArrayExpr]) -> list[ArrayExpr]:
    """Return the operands in the shapes in which an operation read them.

    An operand has another shape now if the user reshaped it in place without record. It is
    broadcast to the former shape where that is possible; otherwise PyTorch's error is raised,
    unless the operand needs no gradient.
    """
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
    position: dict[Any, int],
    leaf: Callable[[int, Any], ArrayExpr],
    tags: Any = (),
    opaque: bool = True,
    keep_masks: bool = True,
    exceptions: Exceptions = NO_EXCEPTIONS,
    used: Callable[[Any, Any, ArrayExpr], ArrayExpr] | None = None,
    seen: Container[int] = (),
    intermediates: bool = False,
    moving: Mapping[int, int] = NO_VIEWS,
) -> ReadFormulas:
    """Return the formulas of a walked graph.

    Parameters
    ----------
    order, position
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
        Whether these are wrapped in `masked` as well, where they have a mask, and whether values
        are given that are kept for stable forms alone.
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
    moving : mapping of int to int
        Views whose places are given, and where those of each stand among the values.
    """
    reader = _Reader(order, position, leaf, tags, opaque, keep_masks, exceptions, used, seen)
    reader.moving = moving
    if intermediates:
        reader.intermediates = []
    for vertex in sorted(order, key=attrgetter("seq")):
        reader.read(position[vertex], vertex)
    for x, j in (
        reader.intermediates or ()
    ):  # last, since a recorded value of that formula has a vertex
        reader.given.setdefault(x, j)
    reader.keep_equalities_that_matter()
    return reader.found


class _Reader:
    """Reads the formulas of a graph vertex by vertex, operands before users.

    The parameters are those of `read_formulas`.
    """

    def __init__(
        self,
        order: Sequence[Any],
        position: dict[Any, int],
        leaf: Callable[[int, Any], ArrayExpr],
        tags: Any,
        opaque: bool,
        keep_masks: bool,
        exceptions: Exceptions,
        used: Callable[[Any, Any, ArrayExpr], ArrayExpr] | None,
        seen: Container[int],
    ) -> None:
        self.order = order
        self.position = position
        self.leaf = leaf
        self.tags = tags
        self.opaque = opaque
        self.keep_masks = keep_masks
        self.exceptions = exceptions
        self.used = used
        self.offsets = offsets_of(order)
        self.exprs: list[Any] = [None] * len(order)
        self.given: dict[ArrayExpr, int] = {}
        self.found = ReadFormulas(self.exprs, self.given, [], [], {}, set(), {})
        # The vertex of the value at each position, and the first vertex of each formula.
        self.owners: dict[int, Any] = {}
        self.first_of: dict[ArrayExpr, int] = {}
        # Pairs of vertices with equal formulas.
        self.equal: list[tuple[int, int]] = []
        # For each node `masked(value, mask)`, the node for which the saved array is given: the node
        # itself if the array is exactly zero outside the mask, else `value`, to be masked.
        self.given_under: dict[ArrayExpr, ArrayExpr] = {}
        # The formulas of intermediates and their positions; None where they are not given.
        self.intermediates: list[tuple[ArrayExpr, int]] | None = None
        self.moving: Mapping[int, int] = NO_VIEWS
        # The vertices whose node must differ from that of an equal formula. For one of several
        # results, the node of the operation must differ.
        distinct = {*exceptions.unequal, *[i for i in tags if i in seen]}
        distinct |= {position[order[i].inputs[0]] for i in distinct if isinstance(order[i], Output)}
        self.distinct = distinct

    def read(self, i: int, vertex: Any) -> None:
        """Enter the expression of the vertex at the position `i`."""
        exprs = self.exprs
        if vertex.__class__ is Node:  # as most are, so that the other classes are not asked for
            exprs[i] = self.value(i, vertex, self.formula(i, vertex))
        elif isinstance(vertex, LeafVertex):
            x: ArrayExpr = self.leaf(i, vertex)
            exprs[i] = forward_value(x, i + 1) if i in self.tags else x
        elif isinstance(vertex, Number):
            at = self.offsets[i]
            exprs[i] = x = self.leaf(at, vertex)
            self.given[x] = at
        elif isinstance(vertex, Output):
            (node,) = vertex.inputs
            if isinstance(node, FunctionNode):
                operands = [exprs[self.position[v]] for v in node.inputs]
                exprs[i] = node.build(vertex.output_nr, operands)
            else:
                exprs[i] = self.value(i, vertex, exprs[self.position[node]][vertex.output_nr])
        elif not isinstance(vertex, FunctionNode):  # the results of a function have expressions
            made = self.formula(i, vertex)
            exprs[i] = made if isinstance(vertex, Operation) else self.value(i, vertex, made)

    def formula(self, i: int, vertex: Any) -> ArrayExpr:
        """Return the formula of an operation, and enter the positions of its saved values."""
        if i in self.moving:
            (x,) = self.operands(i, vertex)
            return view_at(x, vertex.sig, self.moving[i], self.given)
        made: ArrayExpr = vertex.sig.build(self.operands(i, vertex))
        if vertex.sig.reads:
            self.give_residuals(i, vertex, made)
        return made

    def operands(self, i: int, vertex: Any) -> list[ArrayExpr]:
        """Return the expressions by which an operation reads its operands."""
        sig, exprs, position = vertex.sig, self.exprs, self.position
        inputs = iter(vertex.inputs)
        operands: list[ArrayExpr] = []
        have_shapes = True
        for spec in sig.operands:
            x = spec if isinstance(spec, Const) else exprs[position[next(inputs)]]
            operands.append(x)
            if x.shape != spec.shape:
                have_shapes = False
        if not have_shapes:
            operands = _fitted(sig, operands)
        used = self.used
        if used is not None:
            inputs = iter(vertex.inputs)
            operands = [
                x if isinstance(x, Const) else used(next(inputs), vertex, x) for x in operands
            ]
        if i in self.distinct:
            operands = [x if x.weak else self.tagged(x, i + 1) for x in operands]
        exchanged = self.exceptions.exchanged
        if exchanged:
            for j, k in enumerate(sig.reads, self.offsets[i]):
                if j in exchanged and k < len(operands):
                    operands[k] = changed(unmasked(operands[k]), -1 - j)
        return operands

    def tagged(self, x: ArrayExpr, tag: int) -> ArrayExpr:
        """Return the expression of a value under another node, with the mask of the value."""
        value: ArrayExpr = forward_value(unmasked(x), tag)
        under = self.given_under.get(x)
        return value if under is None else self.with_mask(value, Mask(*x.operands[1:]), under is x)

    def with_mask(self, value: ArrayExpr, mask: Mask, exact: bool) -> ArrayExpr:
        """Return the masked value; `exact` if the value is exactly zero outside the mask."""
        x: ArrayExpr = masked(value, *mask)
        self.given_under[x] = x if exact else value
        return x

    def give_residuals(self, i: int, vertex: Any, made: Any) -> None:
        """Enter the positions of the saved values of an operation."""
        sig, given = vertex.sig, self.given
        for j, (x, owner) in enumerate(_residuals_of(made, vertex), self.offsets[i]):
            if not self.keep_masks and sig.reads[j - self.offsets[i]] in sig.kept:
                continue  # such a value may be gone
            x = self.given_under.get(x, x)
            earlier = given.setdefault(x, j)
            if type(x) is masked:
                given.setdefault(unmasked(x), earlier)
            if i in self.distinct and type(x) is forward_value:  # others read it as it is
                given.setdefault(x.operands[0], earlier)
            if self.owners.setdefault(earlier, owner) is owner and earlier != j:
                self.found.merged.append((earlier, j))
        if isinstance(made, Composite) and len(sig.operands) in sig.reads:
            given.setdefault(made.expanded(), given[made])  # the formula is what is differentiated
        if (
            sig.intermediates
            and self.intermediates is not None
            and i not in self.exceptions.outdated
        ):
            end = self.offsets[i] + len(sig.reads)
            places = self.found.intermediates[i] = range(end - len(sig.intermediates), end)
            self.intermediates += zip(sig.intermediates_of(made.operands), places, strict=True)

    def value(self, i: int, vertex: Any, made: ArrayExpr) -> ArrayExpr:
        """Return the node of the value of a vertex with the formula `made`, with its mask."""
        if not self.opaque or is_zeros(made):
            return made
        first = self.first_of.setdefault(made, i)
        if first != i:
            self.equal.append((first, i))
        tag = Static(i + 1) if i in self.tags else _UNTAGGED
        is_changed = i in self.exceptions.changed
        kind = changed if is_changed else forward_value
        x: ArrayExpr = intern(kind, (made,), (tag,), made.shape, made.dtype)
        if made in self.given:
            self.given.setdefault(x, self.given[made])
        if is_changed:
            self.found.changed.add(made)
            return x
        return self.masked_value(i, vertex, made, x) if self.keep_masks else x

    def masked_value(self, i: int, vertex: Any, made: Any, x: ArrayExpr) -> ArrayExpr:
        """Return the node `x` of a value, with the mask that follows from the formula `made`."""
        # The mask must be computable from saved values; a freed node has none.
        masks = vertex.sig.masks
        given, given_under = self.given, self.given_under
        known = all(made.operands[k] in given for k in masks) if masks else given_under
        if not known or vertex.saved is None or not made.dtype.differentiable:
            return x
        mask = _NO_ELEMENT if is_masked_out(made) else mask_of(made)
        if mask is None:
            return x
        exact = is_exact(made, lambda y: given_under.get(y, y) is y)
        self.found.masked_values[i] = x, mask.condition, exact
        value, x = x, self.with_mask(x, mask, exact)
        if exact and value in given:
            given.setdefault(x, given[value])
        return x

    def keep_equalities_that_matter(self) -> None:
        """Enter the pairs of vertices whose values must be equal.

        These are the pairs of which one value is read, or is an operand of such a pair.
        """
        order, position = self.order, self.position
        matters: set[int] = set()
        for first, i in reversed(self.equal):
            vertex = order[i]
            maker = vertex.inputs[0] if isinstance(vertex, Output) else vertex
            keeps = any(maker.sig.is_result(k) for k in maker.sig.reads)
            is_read = keeps or unmasked(self.exprs[i]) in self.given
            if is_read or i in matters or first in matters:
                self.found.equal.append((first, i))
                matters.update([position[x] for v in (order[first], vertex) for x in v.operands])


_UNTAGGED = Static(0)
_NO_ELEMENT = Mask(Const(False), Const(False))


def _residuals_of(made: Primitive, vertex: Any) -> list[tuple[ArrayExpr, Any]]:
    """Return the expressions of the values that a node keeps, and the vertex of each value."""
    sig, count = vertex.sig, len(made.operands)
    reads = sig.reads
    if sig.intermediates:
        reads = reads[: -len(sig.intermediates)]
    inputs = iter(vertex.inputs)
    owners = [None if isinstance(x, Const) else next(inputs) for x in sig.operands]
    if isinstance(vertex, Operation):
        results: Any = made
        return [
            (made.operands[k], owners[k])
            if k < count
            else (results[k - count], vertex.living_output(k - count) or vertex)
            for k in reads
        ]
    return [(made.operands[k], owners[k]) if k < count else (made, vertex) for k in reads]
