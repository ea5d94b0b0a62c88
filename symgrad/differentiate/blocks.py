"""Arrays that are put together from blocks: their derivatives are put together in the same way.

The gradient with respect to a vector that holds two matrices is two gradients in a row, as
`cat([reshape(g), reshape(h)])`. Its derivative for each element is that of `g` and that of `h` for
each of their elements, in a row: the directions are then the unit arrays of the shape of `g`, which
drop out of contractions, where those of the whole vector would have to be cut and reshaped.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import sympy

from symgrad.expr.atoms import Const
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.expr.shapes import Shape, size_of
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several

#: The most blocks, or views, of which each has a sweep of its own, and the most axes of a block.
_MOST, _MOST_AXES = 16, 8
#: So many blocks have sweeps of their own whatever they cost.
_FEW = 2
#: The elements that a sweep of the whole array computes for each node of a further sweep, at least,
#: where there are more blocks: a hundred times what a call of NumPy takes (`normal_form.costs`).
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

    def stops(x: ArrayExpr) -> bool:
        return x in wrt or not _is_around(x)

    around: set[ArrayExpr] = set()
    for x in toposort([y], stops):
        if not stops(x) and (_has_blocks(x) or not around.isdisjoint(x.operands)):
            around.add(x)
    if y not in around:
        return None
    order = toposort([y], lambda x: x not in around)
    blocks = [x for x in order if x not in around and type(x) is not Const]
    if len(blocks) > _MOST or any(x.ndim > _MOST_AXES for x in blocks):
        return None
    count = sum(x not in wrt for x in blocks)
    if count > _FEW and not _is_large(y, count):
        return None
    return Blocks(blocks, [x for x in order if x in around])


def _is_large(y: ArrayExpr, count: int) -> bool:
    """Return whether arrays are so large that `count` sweeps for blocks cost no more than one."""
    nodes = [x for x in toposort([y]) if not isinstance(x, Several)]
    elements = size_of(y.shape) * sum(size_of(x.shape) for x in nodes)
    return bool(elements >= _LEAST_ELEMENTS * len(nodes) * (count - 1))


def _has_blocks(x: Any) -> bool:
    return isinstance(x, Primitive) and x.has_blocks


def _is_around(x: Any) -> bool:
    """Return whether the derivative of a node is the same node of the derivatives of operands."""
    if not isinstance(x, Primitive) or x.weak:
        return False
    arrays = x.operands
    joined = getattr(type(x), "joined", None)
    if joined is not None:
        join, powers = joined
        if join is sympy.Mul:  # all but one are numbers, and that one is no divisor
            arrays = tuple([y for y in arrays if type(y) is not Const])
            if len(arrays) != 1 or powers[x.operands.index(arrays[0])] < 0:
                return False
        if any(y.shape != x.shape for y in arrays):
            return False
    elif not x.has_blocks:
        return False
    return all(y.dtype is x.dtype and not y.weak for y in arrays)


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
