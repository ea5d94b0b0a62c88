"""Expressions over a new leading axis, as in `vmap`, by the `batch` rule of each primitive."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symgrad.expr.atoms import Leaf
from symgrad.expr.graph import toposort
from symgrad.expr.node import ArrayExpr
from symgrad.ops import transforms
from symgrad.ops.primitive import Primitive
from symgrad.ops.results import Several


def batch_expressions(
    outputs: Sequence[ArrayExpr],
    batched: Mapping[ArrayExpr, ArrayExpr],
    size: int,
) -> list[ArrayExpr]:
    """Return `outputs` over a new leading axis.

    Parameters
    ----------
    outputs : sequence of ArrayExpr
        The expressions to compute for each entry of the new axis.
    batched : mapping
        For each node that varies along the new axis, usually a leaf, an expression of shape
        `(size, *node.shape)`; everything else is the same for all entries.
    size : int
        The length of the new axis.

    Returns
    -------
    list of ArrayExpr
        Of shapes `(size, *output.shape)`.

    Raises
    ------
    ValueError
        If a replacement has another shape.

    Examples
    --------
    >>> import symgrad
    >>> x, xs = symgrad.leaf("x", (3,)), symgrad.leaf("xs", (5, 3))
    >>> [y] = batch_expressions([x.sum()], {x: xs}, 5)
    >>> y.shape
    (5,)
    """
    for x, new in batched.items():
        if new.shape != (size, *x.shape):
            raise ValueError(
                f"batch_expressions(): what replaces {x.shape} along an axis of length {size} must "
                f"have shape {(size, *x.shape)}, got {new.shape}"
            )
    # The batched expression of each node; of an operation with several results, a sequence of them.
    made: dict[ArrayExpr, Any] = dict(batched)
    for node in toposort(outputs, batched.__contains__):
        if node in made or not isinstance(node, Primitive):
            continue
        varies = [x in made for x in node.operands]
        if True in varies:
            new = node.batch(size, [made.get(x, x) for x in node.operands], varies)
            if isinstance(node, Several):
                made[node] = new
                continue
            # A batched number is an array, and would change the dtype of a result with an array.
            made[node] = new if new.dtype is node.dtype else new.to(node.dtype)
    return [made[x] if x in made else x.broadcast_to((size, *x.shape)) for x in outputs]


@transforms.batched_call.state
def batched_call(
    call: Callable[..., ArrayExpr],
    unbatched: Sequence[ArrayExpr],
    size: int,
    operands: Sequence[ArrayExpr],
    batched: Sequence[bool],
) -> ArrayExpr:
    """Batch an operation that is composed of others: a `Primitive.batch` for its expansion.

    `call` builds the expansion, `unbatched` are the operands without the new axis; the others are
    the arguments of `Primitive.batch`.
    """
    stand_ins = [
        Leaf(f"_b{i}", x.shape, x.dtype) if has else x
        for i, (x, has) in enumerate(zip(unbatched, batched, strict=True))
    ]
    moved: dict[ArrayExpr, ArrayExpr] = {
        stand_in: x for stand_in, x, has in zip(stand_ins, operands, batched, strict=True) if has
    }
    return batch_expressions([call(*stand_ins)], moved, size)[0]
