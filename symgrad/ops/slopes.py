"""How a cotangent changes with one length, where all lengths may move at once.

A second derivative at a length of 0 is the derivative of a cotangent by that length alone
(`symgrad.ops.lengths`): of an array of lengths it is the diagonal of a Jacobian. One tangent in
which all lengths grow by 1 costs as much as the formulas are long, however many lengths there are.
It is the diagonal where each element of the cotangent is reached from one length only, which the
operations between them show. Elsewhere lengths may meet, and only those that are 0 grow. A function
is smooth where one of them is 0 and the others are independent of it only if its cotangent vanishes
there whatever the others are, so that they add nothing. Whether they do is seen by a second tangent,
in which each length grows by another weight. If they add something, there is no second derivative
of lengths of different variables, and 0 stands for it, as in PyTorch; of lengths of the same
variables there may be another one, such as that of `hypot(x, x) * abs(x)`, and nan stands for it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from symgrad.differentiate.sweeps import tangent_of, with_derivative_rewrites
from symgrad.expr.atoms import ArrayConst, Const, Leaf
from symgrad.expr.dtypes import float64
from symgrad.expr.graph import rebuild, replace_nodes, toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape
from symgrad.ops import transforms
from symgrad.ops.axes import Reduction
from symgrad.ops.broadcasting import broadcast_to, sum_to
from symgrad.ops.comparison import eq
from symgrad.ops.composite import order_of
from symgrad.ops.deriving import deriving
from symgrad.ops.elementwise import Elementwise
from symgrad.ops.identity import clone, forward_value
from symgrad.ops.kinds import Beside
from symgrad.ops.lengths import known_here, radial, sloped
from symgrad.ops.permuting import permute
from symgrad.ops.primitive import Primitive
from symgrad.ops.reshaping import reshape
from symgrad.ops.results import Result, Several
from symgrad.ops.signs import abs
from symgrad.ops.where import where
from symgrad.ops.zeros import Zeros

#: For each axis of an array, the axis of the lengths along which its elements belong to other
#: lengths; None for an axis along which they belong to the same.
Axes = tuple[int | None, ...]


class _Moved(NamedTuple):
    """How a node moves with the lengths.

    Attributes
    ----------
    tangent : ArrayExpr
        Its tangent.
    length : ArrayExpr or None
        The lengths on which it depends element by element; None where it depends on others.
    axes : tuple
        The axes of `length` that its axes are.
    """

    tangent: ArrayExpr
    length: ArrayExpr | None
    axes: Axes


@transforms.slope.state
@with_derivative_rewrites
def slope(c: ArrayExpr, node: radial) -> ArrayExpr | None:
    """Return the derivative of `c` by the lengths of a node, by each of them alone.

    Parameters
    ----------
    c : ArrayExpr
        Its cotangent, or that times a tangent.
    node : radial
        The node.

    Returns
    -------
    ArrayExpr or None
        None where `c` does not depend on the lengths.
    """
    n, y = node.operands[-2:]
    graph = deriving.graph
    if graph is not None:
        if graph.slopes is None:
            graph.slopes = Slopes(x for x in graph.order if isinstance(x, radial))
        if y in graph.slopes:
            found: ArrayExpr | None = graph.slopes.slope(c, n, y)
            return found
    return Slopes([node]).slope(c, n, y)


@with_derivative_rewrites
def grown(c: ArrayExpr, y: ArrayExpr, alone: bool = False) -> tuple[ArrayExpr | None, bool]:
    """Return the tangent of `c` where all elements of a node `y` grow by 1; None for zero.

    Where `y` grows `alone`, nothing that was computed elsewhere grows with it.

    The second result is whether each element of `c` is known to be a function of the same element
    of `y` alone, so that the tangent is its derivative.
    """
    if not y.dtype.differentiable or not c.dtype.differentiable:
        return None, True
    moved = Slopes([], alone).moved(c, y)
    if moved is None:
        return None, True
    of_each = (
        moved.length is y
        and c.shape == y.shape
        and all(a == i or n == 1 for i, (a, n) in enumerate(zip(moved.axes, y.shape, strict=True)))
    )
    return moved.tangent, of_each


@with_derivative_rewrites
def with_slopes(formulas: Sequence[ArrayExpr | None]) -> list[ArrayExpr | None]:
    """Return formulas whose tangents can be computed operation by operation, of arrays."""
    given = [x for x in formulas if x is not None]
    arrays = iter(rebuild(given, _moved_by_arrays))
    formulas = [None if x is None else next(arrays) for x in formulas]
    graph = _Lengths(formulas)
    if not graph.radials:
        return formulas
    outer, deriving.graph = deriving.graph, graph
    try:
        found = {x: x.limit() for x in graph.radials}
    finally:
        deriving.graph = outer
    new: dict[ArrayExpr, ArrayExpr] = {
        x: sloped.of(x, s, x.operands[3]) for x, s in found.items() if s is not None
    }
    made = iter(replace_nodes([x for x in formulas if x is not None], new))
    return [None if x is None else next(made) for x in formulas]


def _moved_by_arrays(node: ArrayExpr, operands: tuple[ArrayExpr, ...]) -> ArrayExpr:
    if operands != node.operands:
        node = node.func(*operands, *node.args[len(operands) :])
    return node.moved_by_arrays() if isinstance(node, Beside) else node


class _Lengths:
    """The lengths of some formulas, as those of a sweep."""

    def __init__(self, formulas: Sequence[ArrayExpr | None]) -> None:
        self.order = toposort([x for x in formulas if x is not None])
        self.radials = [x for x in self.order if isinstance(x, radial)]
        self.slopes: Any = None


class Slopes:
    """The tangents of nodes in which the lengths of some nodes move, each computed once.

    Parameters
    ----------
    radials : iterable of radial
        The nodes whose lengths they are.
    alone : bool
        Whether nothing that was computed elsewhere depends on what moves.
    """

    def __init__(self, radials: Iterable[radial], alone: bool = False) -> None:
        self._arguments: dict[ArrayExpr, list[ArrayExpr]] = {}
        for node in radials:
            x, _, y = node.operands[-3:]
            self._arguments.setdefault(y, []).append(x)
        # What was computed elsewhere may depend on lengths, unless these depend on it.
        self._elsewhere: set[ArrayExpr] = set()
        if deriving.plan is not None and deriving.plan.boundaries and not alone:
            self._elsewhere = set(deriving.plan.boundaries).difference(toposort(self._arguments))
        self._by_one = self._seeded({y: Const(1, y.dtype) for y in self._arguments})
        self._weights: dict[ArrayExpr, ArrayExpr] = {}
        self._at_zero: list[dict[ArrayExpr, _Moved | None]] = []
        self._several: ArrayExpr | None = None
        self._apart: bool | None = None
        # Of each node, whether all values are given that it is computed from.
        self._is_given: dict[ArrayExpr, bool] = {}

    def __contains__(self, y: ArrayExpr) -> bool:
        return y in self._arguments

    def slope(self, c: ArrayExpr, n: ArrayExpr, y: ArrayExpr) -> ArrayExpr | None:
        """Return what the function `slope` does."""
        moved, along = self._moved(c, self._by_one), self._moved(n, self._by_one)
        if moved is None:
            return None
        assert along is not None
        if moved.length is y and along.length is y and _agree(moved.axes, along.axes):
            found = moved.tangent
        else:
            found = self._alone(c, n, y)
        plan = deriving.plan
        if plan is None or not plan.boundaries:
            return found
        # Not nan times a formula: what this is multiplied by may be 0 where a length is not.
        known = can_be_computed(found, self._is_given) and not any(map(_is_nan, toposort([found])))
        return found if known else Const(math.nan, c.dtype).broadcast_to(c.shape)

    def moved(self, c: ArrayExpr, y: ArrayExpr) -> _Moved | None:
        """Return how `c` moves where all elements of a node grow by 1."""
        return self._moved(c, self._seeded({y: Const(1, y.dtype)}))

    def _alone(self, c: ArrayExpr, n: ArrayExpr, y: ArrayExpr) -> ArrayExpr:
        """Return the slope where lengths of zero may meet, from two tangents in which these move."""
        if not self._at_zero:
            self._prepare()
        one, weighed = [self._moved(c, known) for known in self._at_zero]
        assert one is not None and weighed is not None
        expected = one.tangent * self._weights[y].reshape(n.shape)
        apart, size = (weighed.tangent - expected).abs(), expected.abs()
        # What neither agrees to the rounding, nor differs clearly, is not known. In half precision
        # weights are equal by chance, and nothing is.
        eps = float(np.finfo(c.dtype.numpy).eps)
        tolerance = min(eps**0.5, 256 * eps) if eps < 1e-4 else -1
        if self._apart is None:
            self._apart = _are_apart(self._arguments.values())
        several = self._several
        assert several is not None
        meet = several.logical_and(apart > size * tolerance)
        meeting: Any = where.of(apart > size * 1e-2, 0.0, math.nan) if self._apart else math.nan
        # A factor leaves the masks of the tangent in sight.
        factor: ArrayExpr = where.of(meet, meeting, 1.0)
        return known_here.of(one.tangent * factor.to(c.dtype), several)

    def _prepare(self) -> None:
        """Make the tangents in which just lengths of zero grow: by 1, and by unequal weights."""
        drawn = np.random.Generator(np.random.PCG64(0))
        zeros: ArrayExpr | None = None
        for z in self._arguments:
            weights = drawn.uniform(1, 2, z.shape) * drawn.choice([-1, 1], z.shape)
            self._weights[z] = ArrayConst(np.asarray(weights, z.dtype.numpy))
            count: Any = eq.of(z, 0).to(float64).sum()
            zeros = count if zeros is None else zeros + count
        self._several = None if zeros is None else zeros > 1
        order, _ = order_of(self._arguments)
        for seeds in (dict.fromkeys(self._arguments, 1), self._weights):
            known = self._seeded({})
            for z in order:
                if z in self._arguments:
                    # A length that is not 0 may be one of lengths that are, and moves with them.
                    inner = self._moved(z, known)
                    rest = 0 if inner is None else inner.tangent
                    tangent = where.of(eq.of(z, 0), seeds[z], rest).to(z.dtype)
                    known.update(self._seeded({z: tangent}))
            self._at_zero.append(known)

    def _seeded(self, seeds: Mapping[ArrayExpr, ArrayExpr]) -> dict[ArrayExpr, _Moved | None]:
        known: dict[ArrayExpr, _Moved | None] = {}
        for y, seed in seeds.items():
            axes = tuple([i if size > 1 else None for i, size in enumerate(y.shape)])
            tangent = seed if seed.shape == y.shape else seed.broadcast_to(y.shape)
            known[y] = _Moved(tangent, y, axes)
        for x in self._elsewhere:
            known.setdefault(x, _Moved(Const(math.nan, x.dtype).broadcast_to(x.shape), None, ()))
        return known

    def _moved(self, root: ArrayExpr, known: dict[ArrayExpr, _Moved | None]) -> _Moved | None:
        order, formulas = order_of([root], known.__contains__)
        for x in order:
            if x in known:
                continue
            if x in formulas:
                known[x] = known[formulas[x]]
            elif not isinstance(x, Primitive) or not x.dtype.differentiable:
                known[x] = None
            else:
                known[x] = _pushed(x, [known[z] for z in x.operands])
        return known[root]


def _pushed(node: Primitive, moved: Sequence[_Moved | None]) -> _Moved | None:
    if not any(moved):
        return None
    tangent = tangent_of(_steady(node), [None if m is None else m.tangent for m in moved])
    if tangent is None:
        return None
    if is_by_element(node) and any(moved[: node.decisive]):
        moved = moved[: node.decisive]
    there = [m for m in moved if m is not None]
    length = there[0].length
    axes: Axes | None = None
    if length is not None and all(m.length is length for m in there):
        if length.size == 1:  # which meets no other
            axes = () if isinstance(node, Several) else (None,) * node.ndim
        elif not isinstance(node, (Several, Result)):
            axes = _axes_of(node, moved)
    return _Moved(tangent, None, ()) if axes is None else _Moved(tangent, length, axes)


def _is_nan(x: ArrayExpr) -> bool:
    return type(x) is Const and x.value != x.value


def _steady(node: Primitive) -> Primitive:
    """Return what is differentiated in place of a modulus of what is never negative: that itself.

    A modulus has no derivative where a length is 0, but grows with it.
    """
    for rule in node.stable_forms if type(node) is abs else ():
        form: Any = rule(node)
        if form is not None:
            return form  # type: ignore[no-any-return]
    return node


def can_be_computed(root: ArrayExpr, known: dict[ArrayExpr, bool] | None = None) -> bool:
    """Return whether the values that a formula reads are given: those before a boundary are not.

    `known` are the nodes of which that is known, to which those of the formula are added.
    """
    plan = deriving.plan
    if plan is None:
        return True
    known = {} if known is None else known
    for x in toposort([root], known.__contains__):
        if x not in known:
            known[x] = x in plan.given or (
                not isinstance(x, Leaf) and all(known[z] for z in x.operands)
            )
    return known[root]


def is_by_element(node: Any) -> bool:
    """Return whether each element of a result is a function of the same elements of operands."""
    return isinstance(node, Elementwise) or (isinstance(node, Beside) and node.by_element)


def _axes_of(node: Any, moved: Sequence[_Moved | None]) -> Axes | None:
    """Return the axes of a result from those of the operands; None where lengths may meet."""
    found = [m.axes for m in moved if m is not None]
    if is_by_element(node):
        return _joined(found, node.shape)
    (axes,) = found if len(found) == 1 else (None,)
    if axes is None or moved[0] is None:
        return None
    shape: Shape = node.operands[0].shape
    if isinstance(node, (clone, forward_value)):
        return axes
    if isinstance(node, broadcast_to):
        return _joined([axes], node.shape)
    if isinstance(node, sum_to):
        kept = len(shape) - len(node.shape)
        gone = [
            *axes[:kept],
            *[a for a, size in zip(axes[kept:], node.shape, strict=True) if size == 1],
        ]
        return None if any(a is not None for a in gone) else axes[kept:]
    if isinstance(node, Reduction):
        if any(axes[a] is not None for a in node.axes):
            return None
        left = [None if i in node.axes else a for i, a in enumerate(axes)]
        return tuple(
            left if node.keepdims else [a for i, a in enumerate(left) if i not in node.axes]
        )
    if isinstance(node, permute):
        return tuple([axes[a] for a in node.axes])
    if isinstance(node, reshape):
        if [s for s in shape if s > 1] != [s for s in node.shape if s > 1]:
            return None
        known = iter([a for a, size in zip(axes, shape, strict=True) if size > 1])
        return tuple([next(known) if size > 1 else None for size in node.shape])
    return None


def _joined(found: Sequence[Axes], shape: Shape) -> Axes | None:
    """Return the axes of arrays that are broadcast to a shape; None where they differ."""
    joined: list[int | None] = [None] * len(shape)
    for axes in found:
        for i, a in enumerate(reversed(axes), 1):
            if a is not None:
                if joined[-i] not in (None, a):
                    return None
                joined[-i] = a
    known = [a for a in joined if a is not None]
    # One operand may belong to a length along an axis along which another belongs to one alone.
    complete = all(set(known) == {a for a in axes if a is not None} for axes in found)
    return tuple(joined) if complete and len(set(known)) == len(known) else None


def _are_apart(arguments: Iterable[Sequence[ArrayExpr]]) -> bool:
    """Whether no element of a variable occurs in two lengths, as far as operations show it."""
    taken: dict[ArrayExpr, set[int]] = {}
    for xs in arguments:
        # The arguments of one length, such as those of `hypot`, may share variables.
        of_one: dict[ArrayExpr, set[int]] = {}
        for x in xs:
            found = _places(x)
            if found is None:
                return False
            variable, places = found
            if len(set(places.flat)) < places.size:
                return False
            of_one.setdefault(variable, set()).update(places.flat)
        for variable, those in of_one.items():
            known = taken.setdefault(variable, set())
            if known & those:
                return False
            known |= those
    return True


def _places(x: ArrayExpr) -> tuple[ArrayExpr, Any] | None:
    """Return the variable of whose elements `x` is a function one by one, and their places in it.

    None where that is not so, or not known.
    """
    steps: list[Any] = []
    while x.operands:
        inner = [z for z in x.operands if z.operands or not isinstance(z, Const)]
        node: Any = x
        alike = (
            isinstance(x, (Elementwise, clone, forward_value)) or node.keeps_zeros is Zeros.MOVED
        )
        if len(inner) != 1 or not alike:
            return None
        steps.append(x)
        (x,) = inner
    plan = deriving.plan
    if not isinstance(x, Leaf) or (plan is not None and x in plan.boundaries):
        return None
    places = np.arange(x.size).reshape(x.shape)
    for step in reversed(steps):
        if isinstance(step, (Elementwise, clone, forward_value)):
            if step.shape != places.shape:
                return None
            continue
        kernel, params, operands = step.implementation()
        if len(operands) != 1:
            return None
        places = np.asarray(kernel.call(places, **params))
    return x, places


def _agree(a: Axes, b: Axes) -> bool:
    return _joined([a, b], (1,) * max(len(a), len(b))) is not None
