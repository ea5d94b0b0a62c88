"""Arrays that are put together from blocks: their derivatives are put together in the same way.

The gradient with respect to a vector that holds two matrices is two gradients in a row, as
`cat([reshape(g), reshape(h)])`. Its derivative for each element is that of `g` and that of `h` for
each of their elements, in a row: the directions are then the unit arrays of the shape of `g`, which
drop out of contractions, where those of the whole vector would have to be cut and reshaped.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import sympy

from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, size_of
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several

#: The most blocks, or views, of which each has a sweep of its own, and the most axes of a block.
_MOST, _MOST_AXES = 16, 8
#: The elements that a sweep of the whole array computes for each node that sweeps of blocks visit
#: more than twice, at least: a hundred times what a call of NumPy takes (`normal_form.costs`).
_LEAST_ELEMENTS = 20_000


class Blocks(NamedTuple):
    """What an array is put together from.

    Attributes
    ----------
    blocks : list of ArrayExpr
    around : list of Primitive
        The nodes that put these together, operands before the nodes that use them.
    """

    blocks: list[ArrayExpr]
    around: list[Any]

    def put_together(self, derivatives: Mapping[ArrayExpr, ArrayExpr], axes: Shape) -> ArrayExpr:
        """Return the derivative of the array from those of the blocks.

        All of these have axes of lengths `axes` after those of what is differentiated.
        """
        known = dict(derivatives)
        for x in self.around:
            known[x] = x.of_blocks([known.get(y, y) for y in x.operands], axes)
        return known[self.around[-1]]


def blocks_of(y: ArrayExpr, wrt: Collection[ArrayExpr]) -> Blocks | None:
    """Return the blocks that an array is put together from, and None where it is one by itself.

    Between the blocks and the array stand, beside what has blocks (`Primitive.has_blocks`), sums of
    arrays that have some, and products with numbers. The nodes of `wrt` are blocks by themselves.

    Examples
    --------
    >>> import symgrad
    >>> a, b = symgrad.leaf("a", (2, 3)), symgrad.leaf("b", (2,))
    >>> blocks_of(symgrad.cat([2 * a.sin().reshape(6), b.cos()]), [a, b]).blocks
    [sin(a), cos(b)]
    >>> blocks_of(a.sin(), [a, b]) is None
    True
    """
    if not y.shape or y.dtype.is_complex:
        return None
    parts: dict[ArrayExpr, Sequence[ArrayExpr]] = {}
    around: set[ArrayExpr] = set()

    def below(x: ArrayExpr) -> Sequence[ArrayExpr]:
        parts[x] = () if x in targets else _linear_in(x, targets)
        return parts[x]

    targets = {*wrt}
    for x in toposort([y], below=below):
        if parts[x] and (_has_blocks(x) or not around.isdisjoint(parts[x])):
            around.add(x)
    if y not in around:
        return None
    order = toposort([y], below=lambda x: parts[x] if x in around else ())
    blocks = [x for x in order if x not in around]
    if len(blocks) > _MOST or any(x.ndim > _MOST_AXES for x in blocks):
        return None
    if len(blocks) > 1 and not _pays(y, blocks):
        return None
    return Blocks(blocks, [x for x in order if x in around])


def _pays(y: ArrayExpr, blocks: Sequence[ArrayExpr]) -> bool:
    """Return whether sweeps for each block cost no more than one for the array.

    They do where they visit few nodes more than that, or arrays are large: what a sweep computes
    is then more than calls of NumPy take.
    """
    nodes = [x for x in toposort([y]) if not isinstance(x, Several)]
    further = sum(len(toposort([x])) for x in blocks) - 2 * len(nodes)
    elements = size_of(y.shape) * sum(size_of(x.shape) for x in nodes)
    return bool(further <= 0 or elements >= _LEAST_ELEMENTS * further)


def _has_blocks(x: Any) -> bool:
    return isinstance(x, Primitive) and x.has_blocks


def _linear_in(x: Any, targets: Collection[ArrayExpr]) -> Sequence[ArrayExpr]:
    """Return the operands in which a node is linear, so that its derivative is the node of theirs.

    None of a node that does more than to put arrays together, to add them, and to multiply one with
    numbers that do not depend on the `targets`.
    """
    if not isinstance(x, Primitive) or x.weak:
        return ()
    operands = x.operands
    joined = getattr(type(x), "joined", None)
    if joined is not None:
        join, powers = joined
        if join is sympy.Mul:
            pairs = zip(operands, powers, strict=True)
            terms = [(y, power) for y, power in pairs if y.shape or y.operands or y in targets]
            operands = tuple([y for y, power in terms if power > 0])
            if len(terms) != 1:
                return ()
        if any(y.shape != x.shape for y in operands):
            return ()
    elif not x.has_blocks:
        return ()
    return operands if all(y.dtype is x.dtype and not y.weak for y in operands) else ()


def views_read(y: ArrayExpr, x: ArrayExpr) -> list[ArrayExpr]:
    """Return what operations in a formula read of `x`: `x` itself, its parts and other views of it.

    It is `x` alone where these are too many for a sweep by each.

    Examples
    --------
    >>> import symgrad
    >>> x = symgrad.leaf("x", (6,))
    >>> views_read(x[:4].reshape(2, 2).sin() @ x[4:], x)
    [reshape(x[:4], shape=(2, 2)), x[4:]]
    """
    views, read = {x}, dict[ArrayExpr, None]()
    for z in toposort([y], lambda z: z is x):
        viewed = [v for v in z.operands if v in views]
        if viewed and _is_view(z):
            views.add(z)
        elif z is not x:
            read.update(dict.fromkeys(viewed))
    if y in views:
        read[y] = None
    return list(read) if len(read) <= _MOST else [x]


def _is_view(x: Any) -> bool:
    return isinstance(x, Primitive) and x.is_view and (x.moves or x.selects)
